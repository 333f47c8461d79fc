"""Graphs of other libraries, read into arrays. None of these libraries is imported here: whoever has a graph of one has
imported it, and it is known by its type or by what it can do."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from . import _longhaul
from ._errors import ContradictionError, GraphFormatError
from ._graph import Graph, node_array, weight_array

Weight = str | Callable[..., Any] | None


def read_graph(graph: Any, *, weight: Weight = "weight", directed: bool | None = None, nodes: int | None = None) -> Graph:
    """Read a graph of any kind that longhaul knows.

    ================================  =====================  ======================  ==========================
    graph                             nodes                  weight                  key of an edge
    ================================  =====================  ======================  ==========================
    networkx, all four classes        any hashable           edge attribute          its key, in a multigraph
    rustworkx ``PyGraph, PyDiGraph``  node indices           payload, or in it       edge index
    igraph ``Graph``                  vertex ids (or names)  edge attribute          edge id
    scipy sparse matrix or array      rows                   entries                 none
    numpy array of two columns        numbers from 0         third column            row
    tuple of two numpy arrays         numbers from 0         third array             position
    list of ``(u, v)``                any hashable           ``(u, v, weight)``      position
    file name                         names in the file      as the file says        position
    ================================  =====================  ======================  ==========================

    Parameters
    ----------
    weight
        The name of the edge attribute that holds weights; an edge without it weighs 1. ``None`` gives every edge the weight
        1. A function is called with ``(u, v, data)`` for networkx and with the payload for rustworkx, as those do. Weights are
        whole numbers, negative ones included; floating-point ones must be whole.
    directed
        Whether edges have a direction, where the graph itself does not say so. Arrays and lists are undirected unless told
        otherwise, matrices directed, as in ``scipy.sparse.csgraph``.
    nodes
        The number of nodes of numpy arrays, if there are more than their edges mention.

    Raises
    ------
    GraphFormatError
        If this is no graph, or an edge or a weight is none; the text names it.

    Examples
    --------
    >>> import longhaul, networkx
    >>> longhaul.read_graph(networkx.petersen_graph())
    Graph(10 nodes, 15 edges)
    >>> longhaul.read_graph([("a", "b", 3), ("b", "c", 2.5)])
    Traceback (most recent call last):
        ...
    longhaul._errors.GraphFormatError: the edge ('b', 'c') has the weight 2.5, and weights are whole numbers; multiply all by a common factor, and round
    """
    if nodes is not None and not _is_arrays(graph):
        raise ContradictionError("nodes=… goes with numpy arrays only: other graphs say which nodes they have")
    if isinstance(graph, Graph):
        _check_direction(directed, graph.directed)
        return graph._unweighted() if weight is None else graph
    if _is_networkx(graph):
        _check_direction(directed, graph.is_directed())
        return _read_networkx(graph, weight)
    rustworkx = sys.modules.get("rustworkx")
    if rustworkx is not None and isinstance(graph, (rustworkx.PyGraph, rustworkx.PyDiGraph)):
        is_directed = isinstance(graph, rustworkx.PyDiGraph)
        _check_direction(directed, is_directed)
        return _read_rustworkx(graph, is_directed, weight)
    igraph = sys.modules.get("igraph")
    if igraph is not None and isinstance(graph, igraph.GraphBase):
        _check_direction(directed, graph.is_directed())
        return _read_igraph(graph, weight)
    if _is_arrays(graph):
        return _read_arrays(graph, weight, bool(directed), nodes)
    if hasattr(graph, "tocsr") and hasattr(graph, "shape"):
        return _read_matrix(graph, weight, directed is None or directed)
    if isinstance(graph, (str, os.PathLike)):
        return read_file(graph, weight=weight, directed=directed)
    if isinstance(graph, Iterable) and not isinstance(graph, (bytes, Mapping)):
        return _read_edges(list(graph), weight, bool(directed))
    raise GraphFormatError(
        f"a {type(graph).__module__}.{type(graph).__qualname__} is no graph that longhaul reads; it reads those of networkx, rustworkx and "
        "igraph, scipy's sparse matrices, numpy's arrays of edges, lists of edges, and files"
    )


def read_file(path: str | os.PathLike[str], *, weight: Weight = "weight", directed: bool | None = None) -> Graph:
    """Read a graph file: an edge list, DIMACS, METIS, graph6, Matrix Market, GraphML, GML, DOT, JSON, TSPLIB, CSV and others;
    the format is known by the content. Nodes are called as in the file, by strings. ``weight=None`` ignores the file's
    weights, ``directed=True`` takes an edge list from the first node to the second.

    Ends that the file asks for (``c terminals S T`` of DIMACS) are those of every question that names none; see
    :meth:`Graph.with_free_ends`. Prizes of nodes count likewise. Where weights are decimal numbers, lengths are of type
    :class:`decimal.Decimal`, exactly.

    Raises
    ------
    GraphFormatError
        With file, line and column, what was read there and what was expected.
    """
    edges, names, ends, prizes, places = _longhaul.read_file(os.fspath(path), bool(directed), weight is None)
    return Graph(edges, names, range(len(edges)), ends=ends, prizes=prizes, places=places)


def _check_direction(asked: bool | None, is_directed: bool) -> None:
    if asked is not None and asked != is_directed:
        kind = "directed" if is_directed else "undirected"
        raise ContradictionError(f"directed={asked}: the graph is {kind}; convert it first")


def _is_networkx(graph: Any) -> bool:
    return all(hasattr(graph, name) for name in ("is_directed", "is_multigraph", "adj", "edges"))


def _read_networkx(graph: Any, weight: Weight) -> Graph:
    nodes = list(graph)
    index = {node: number for number, node in enumerate(nodes)}
    multi = graph.is_multigraph()
    if (weight is None or isinstance(weight, str) or callable(weight)) and hasattr(graph, "adjacency"):
        read = _longhaul.read_adjacency(graph.adjacency(), index, graph.is_directed(), multi, weight)
        if read is not None:
            return Graph(read[0], nodes, read[1], index)
    keys = {"keys": True} if multi else {}
    values: Sequence[Any] | None
    if weight is None:
        edges = list(graph.edges(**keys))
        values = None
    elif callable(weight):
        edges = list(graph.edges(data=True, **keys))
        values = [weight(edge[0], edge[1], edge[-1]) for edge in edges]
        if None in values:
            # As in networkx, no weight hides an edge.
            edges = [edge for edge, value in zip(edges, values, strict=True) if value is not None]
            values = [value for value in values if value is not None]
    else:
        edges = list(graph.edges(data=weight, default=1, **keys))
        values = [edge[-1] for edge in edges]
    number = index.__getitem__
    named = 3 if multi else 2
    return Graph._of_arrays(
        nodes,
        graph.is_directed(),
        node_array([number(edge[0]) for edge in edges]),
        node_array([number(edge[1]) for edge in edges]),
        _weights(values, lambda at: edges[at][:named]),
        keys=[edge[2] for edge in edges] if multi else None,
        index=index,
    )


def _read_rustworkx(graph: Any, directed: bool, weight: Weight) -> Graph:
    indices = list(graph.node_indices())
    whole = indices == list(range(len(indices)))
    number: Callable[[int], int] = int if whole else {node: at for at, node in enumerate(indices)}.__getitem__
    edges = graph.weighted_edge_list()
    name = lambda at: tuple(edges[at][:2])  # noqa: E731
    values = None if weight is None else [_payload(edge[2], weight, name, at) for at, edge in enumerate(edges)]
    return Graph._of_arrays(
        range(len(indices)) if whole else indices,
        directed,
        node_array([number(edge[0]) for edge in edges]),
        node_array([number(edge[1]) for edge in edges]),
        _weights(values, name),
        keys=list(graph.edge_indices()),
    )


def _payload(payload: Any, weight: str | Callable[..., Any], name: Callable[[int], Any], at: int) -> Any:
    """The weight in what an edge of rustworkx carries: itself, or a value of a dictionary; 1 where it carries nothing."""
    if callable(weight):
        return weight(payload)
    if payload is None:
        return 1
    if isinstance(payload, Mapping):
        return payload.get(weight, 1)
    if isinstance(payload, (str, bytes)):
        raise GraphFormatError(
            f"the edge {name(at)!r} carries {payload!r}, which is no weight; give weight=None, or a function that makes one of it"
        )
    return payload


def _read_igraph(graph: Any, weight: Weight) -> Graph:
    edges = graph.get_edgelist()
    if callable(weight):
        values = [weight(edge) for edge in graph.es]
    elif weight is not None and weight in graph.es.attributes():
        values = [1 if value is None else value for value in graph.es[weight]]
    else:
        values = None
    names = None
    if "name" in graph.vs.attributes():
        names = {name: number for number, name in enumerate(graph.vs["name"])}
    return Graph._of_arrays(
        range(graph.vcount()),
        graph.is_directed(),
        node_array([edge[0] for edge in edges]),
        node_array([edge[1] for edge in edges]),
        _weights(values, edges.__getitem__),
        keys=range(len(edges)),
        names=names,
    )


def _read_matrix(matrix: Any, weight: Weight, directed: bool) -> Graph:
    numpy = sys.modules["numpy"]
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphFormatError(f"a matrix of shape {tuple(matrix.shape)} is no graph: a row and a column for every node make one")
    # By way of rows, in which entries that are there twice are added up.
    entries = matrix.tocsr(copy=True)
    entries.sum_duplicates()
    entries = entries.tocoo()
    name = lambda at: (int(entries.row[at]), int(entries.col[at]))  # noqa: E731
    return Graph._of_arrays(
        range(matrix.shape[0]),
        directed,
        entries.row.astype(numpy.uint32),
        entries.col.astype(numpy.uint32),
        None if weight is None else _numpy_weights(entries.data, name),
    )


def _is_arrays(graph: Any) -> bool:
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    if isinstance(graph, numpy.ndarray):
        return True
    return isinstance(graph, tuple) and bool(graph) and all(isinstance(part, numpy.ndarray) for part in graph)


def _read_arrays(graph: Any, weight: Weight, directed: bool, nodes: int | None) -> Graph:
    numpy = sys.modules["numpy"]
    if isinstance(graph, tuple):
        columns = list(graph)
        fits = len(columns) in (2, 3) and all(column.shape == (len(columns[0]),) for column in columns)
    else:
        fits = graph.ndim == 2 and graph.shape[1] in (2, 3)
        columns = [graph[:, column] for column in range(graph.shape[1])] if fits else []
    if not fits:
        shape = tuple(part.shape for part in graph) if isinstance(graph, tuple) else graph.shape
        raise GraphFormatError(
            f"arrays of shape {shape} are no edges: an array of two columns, or of three with the weights, or so many arrays of the "
            "same length make edges"
        )
    ends = []
    greatest = -1
    for column in columns[:2]:
        if not numpy.issubdtype(column.dtype, numpy.integer):
            column = _whole_numbers(column, "node", lambda at: f"row {at}")
        if len(column):
            least, most = int(column.min()), int(column.max())
            if least < 0 or (nodes is not None and most >= nodes):
                wrong = least if least < 0 else most
                at = int(numpy.flatnonzero(column == wrong)[0])
                limit = "" if nodes is None else f" to {nodes - 1}"
                raise GraphFormatError(f"row {at} names the node {wrong}, and nodes are numbered from 0{limit}")
            greatest = max(greatest, most)
        ends.append(column)
    count = greatest + 1 if nodes is None else nodes
    sources, targets = (column.astype(numpy.uint32) for column in ends)
    name = lambda at: (int(sources[at]), int(targets[at]))  # noqa: E731
    weights = None if weight is None or len(columns) == 2 else _numpy_weights(columns[2], name)
    return Graph._of_arrays(range(count), directed, sources, targets, weights, keys=range(len(sources)))


def _read_edges(edges: list[Any], weight: Weight, directed: bool) -> Graph:
    index: dict[Hashable, int] = {}
    ends: tuple[list[int], list[int]] = ([], [])
    values: list[Any] = []
    for at, edge in enumerate(edges):
        if not isinstance(edge, Sequence) or isinstance(edge, (str, bytes)) or len(edge) not in (2, 3):
            raise GraphFormatError(f"element {at} of the list is {edge!r}, and an edge is (u, v) or (u, v, weight)")
        for end in (0, 1):
            ends[end].append(index.setdefault(edge[end], len(index)))
        values.append(edge[2] if len(edge) == 3 and weight is not None else 1)
    return Graph._of_arrays(
        list(index),
        directed,
        node_array(ends[0]),
        node_array(ends[1]),
        _weights(values, lambda at: tuple(edges[at][:2])),
        keys=range(len(edges)),
        index=index,
    )


def _weights(values: Sequence[Any] | None, name: Callable[[int], Any]) -> Any:
    """An array of weights; none where all are 1."""
    if values is None or values.count(1) == len(values):
        return None
    if set(map(type, values)) != {int}:
        values = _whole(values, name)
    return weight_array(values, name)


def _whole(values: Sequence[Any], name: Callable[[int], Any]) -> list[int]:
    try:
        whole = list(map(int, values))
        if whole == list(values) and not any(isinstance(value, (str, bytes)) for value in values):
            return whole
    except (TypeError, ValueError, OverflowError):
        pass
    return [_whole_number(value, name, at) for at, value in enumerate(values)]


def _whole_number(value: Any, name: Callable[[int], Any], at: int) -> int:
    try:
        return operator.index(value)
    except TypeError:
        pass
    try:
        if not isinstance(value, (str, bytes)) and int(value) == value:
            return int(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise GraphFormatError(
        f"the edge {name(at)!r} has the weight {value!r}, and weights are whole numbers; multiply all by a common factor, and round"
    )


def _numpy_weights(values: Any, name: Callable[[int], Any]) -> Any:
    numpy = sys.modules["numpy"]
    if numpy.issubdtype(values.dtype, numpy.bool_) or numpy.issubdtype(values.dtype, numpy.signedinteger):
        return values.astype(numpy.int64)
    if numpy.issubdtype(values.dtype, numpy.floating):
        with numpy.errstate(invalid="ignore"):
            whole = values.astype(numpy.int64)
        if bool((whole == values).all()):
            return whole
    return weight_array(_whole(values.tolist(), name), name)


def _whole_numbers(column: Any, what: str, name: Callable[[int], str]) -> Any:
    """A column of floating-point numbers, all of them whole, as integers."""
    numpy = sys.modules["numpy"]
    if numpy.issubdtype(column.dtype, numpy.floating):
        with numpy.errstate(invalid="ignore"):
            whole = column.astype(numpy.int64)
        wrong = numpy.flatnonzero(whole != column)
        if not len(wrong):
            return whole
        raise GraphFormatError(f"{name(int(wrong[0]))} names the {what} {column[wrong[0]]}, and nodes are numbered from 0")
    raise GraphFormatError(f"an array of {column.dtype} names no {what}s: they are numbered from 0")
