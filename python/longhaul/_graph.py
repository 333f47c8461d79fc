"""A graph as longhaul holds it: numbered nodes, arrays of edges, and the way back to what the caller calls them."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from . import _longhaul
from ._errors import NotInGraphError, TooLargeError

Node = Hashable

#: Lengths are whole numbers; where the weights of a file are decimal numbers, so are they.
Length = int | Decimal

#: Sums of weights stay within 64 bits; longhaul itself refuses what could pass 2^60.
_GREATEST = 2**63 - 1

#: Nodes are numbered with 32 bits.
_MOST_NODES = 2**32 - 2


class Graph:
    """A graph that has been read, for asking more than one question of it.

    Every question of this package takes any graph that :func:`read_graph` takes and reads it anew each time; of a ``Graph``
    it takes the arrays that are there. It never changes, can be pickled, and may be used by many threads at once.

    >>> import longhaul
    >>> ring = longhaul.read_graph([("a", "b"), ("b", "c"), ("c", "a")])
    >>> ring
    Graph(3 nodes, 3 edges)
    >>> longhaul.longest_path(ring).length, longhaul.longest_path(ring, cycle=True).length
    (2, 3)
    """

    __slots__ = ("_edges", "nodes", "_keys", "_index", "_names", "_ends", "_prizes", "_places")

    #: The nodes as the caller knows them, in the order of their numbers.
    nodes: Sequence[Node]

    def __init__(
        self,
        edges: _longhaul.Edges,
        nodes: Sequence[Node],
        keys: Sequence[Hashable] | None = None,
        index: dict[Node, int] | None = None,
        names: dict[Node, int] | None = None,
        ends: tuple[int | None, int | None] = (None, None),
        prizes: Sequence[int] = (),
        places: int = 0,
    ) -> None:
        self._edges = edges
        self.nodes = nodes
        self._keys = keys
        self._index = index
        self._names = names
        # What a file asks for and says beside its edges; weights and prizes count units of so many decimal places.
        self._ends = ends
        self._prizes = prizes
        self._places = places

    @classmethod
    def _of_arrays(
        cls,
        nodes: Sequence[Node],
        directed: bool,
        sources: Any,
        targets: Any,
        weights: Any = None,
        **beside: Any,
    ) -> Graph:
        """From arrays of 32 bits for nodes and 64 for weights, of the standard library's or of numpy's."""
        if len(nodes) > _MOST_NODES:
            raise TooLargeError(f"the graph has {len(nodes)} nodes; longhaul has room for at most {_MOST_NODES}")
        parts = [None if part is None else part.tobytes() for part in (sources, targets, weights)]
        return cls(_longhaul.Edges(len(nodes), directed, *parts), nodes, **beside)

    @property
    def directed(self) -> bool:
        """Whether edges have a direction."""
        return self._edges.directed

    @property
    def weighted(self) -> bool:
        """Whether the edges have weights of their own; if not, each weighs 1."""
        return self._edges.weighted

    def number_of_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.nodes)

    def number_of_edges(self) -> int:
        """How many edges there are, loops and parallel ones included."""
        return len(self._edges)

    def __repr__(self) -> str:
        kind = "directed, " if self.directed else ""
        return f"Graph({kind}{self.number_of_nodes()} nodes, {self.number_of_edges()} edges)"

    def __getstate__(self) -> tuple[Any, ...]:
        beside = (self._ends, self._prizes, self._places)
        return self._edges.__getnewargs__(), self.nodes, self._keys, self._names, beside

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        edges, self.nodes, self._keys, self._names, beside = state
        self._ends, self._prizes, self._places = beside
        self._edges, self._index = _longhaul.Edges(*edges), None

    @property
    def source(self) -> Node | None:
        """Where paths begin unless a question says otherwise: the file that was read asks for it."""
        return None if self._ends[0] is None else self.nodes[self._ends[0]]

    @property
    def target(self) -> Node | None:
        """Where paths end unless a question says otherwise."""
        return None if self._ends[1] is None else self.nodes[self._ends[1]]

    def with_free_ends(self) -> Graph:
        """The same graph without the ends that its file asks for."""
        return self._with(self._edges, (None, None))

    def _with(self, edges: _longhaul.Edges, ends: tuple[int | None, int | None]) -> Graph:
        return Graph(edges, self.nodes, self._keys, self._index, self._names, ends, self._prizes, self._places)

    def _unweighted(self) -> Graph:
        """The same graph with edges that weigh 1 each."""
        if not self.weighted:
            return self
        nodes, directed, sources, targets, _ = self._edges.__getnewargs__()
        ones = array("q", [10**self._places]) * len(self._edges) if self._places else None
        weights = None if ones is None else ones.tobytes()
        return self._with(_longhaul.Edges(nodes, directed, sources, targets, weights), self._ends)

    def _length(self, units: int | None) -> Length | None:
        """A length as the caller measures it."""
        return units if units is None or not self._places else Decimal(f"{units}e-{self._places}")

    def _units(self, length: Any) -> int:
        """A length in units, rounded towards zero where it lies between two."""
        return int(Fraction(length) * 10**self._places)

    def _without(self, nodes: Iterable[int], edges: Iterable[int]) -> Graph:
        """The same graph without these nodes and edges, which are given by their numbers."""
        gone, gone_edges = set(nodes), set(edges)
        _, directed, *parts = self._edges.__getnewargs__()
        columns = [None if part is None else array(kind, part) for kind, part in zip("IIq", parts, strict=True)]
        sources, targets = columns[:2]
        kept = [
            at
            for at, ends in enumerate(zip(sources, targets, strict=True))
            if at not in gone_edges and gone.isdisjoint(ends)
        ]
        left = [number for number in range(len(self.nodes)) if number not in gone]
        number = {old: new for new, old in enumerate(left)}
        names = None if self._names is None else {name: number[old] for name, old in self._names.items() if old in number}
        return Graph._of_arrays(
            [self.nodes[old] for old in left],
            directed,
            node_array([number[sources[at]] for at in kept]),
            node_array([number[targets[at]] for at in kept]),
            None if columns[2] is None else array("q", [columns[2][at] for at in kept]),
            keys=None if self._keys is None else [self._keys[at] for at in kept],
            names=names,
            ends=tuple(None if end is None else number.get(end) for end in self._ends),
            prizes=[self._prizes[old] for old in left] if self._prizes else (),
            places=self._places,
        )

    def _number(self, node: Node, role: str) -> int:
        """The number of a node; ``role`` is what it was asked for as."""
        try:
            number = self._find(node)
        except TypeError:
            number = None
        if number is None:
            raise NotInGraphError(f"the node {node!r} asked for as {role} is not in the graph")
        return number

    def _find(self, node: Node) -> int | None:
        if isinstance(self.nodes, range):
            try:
                number = operator.index(node)  # type: ignore[arg-type]
            except TypeError:
                return self._names.get(node) if self._names else None
            return number if 0 <= number < len(self.nodes) else None
        if self._index is None:
            self._index = {node: number for number, node in enumerate(self.nodes)}
        found = self._index.get(node)
        return self._names.get(node) if found is None and self._names else found

    def _numbers(self, nodes: Iterable[Node], role: str) -> list[int]:
        return [self._number(node, role) for node in nodes]

    def _edge_numbers(self, edges: Iterable[Sequence[Hashable]], role: str) -> list[list[int]]:
        """For every edge that is told as ``(u, v)`` or ``(u, v, key)`` the numbers of those it may mean, heaviest first."""
        asked = [tuple(edge) for edge in edges]
        ends = []
        for edge in asked:
            if len(edge) not in (2, 3):
                raise NotInGraphError(f"the edge {edge!r} asked for in {role} is not told as (u, v) or (u, v, key)")
            ends.append((self._number(edge[0], f"an end of an edge of {role}"), self._number(edge[1], f"an end of an edge of {role}")))
        found = self._edges.between(ends) if ends else []
        numbers = []
        for edge, meant in zip(asked, found, strict=True):
            if len(edge) == 3:
                meant = [number for number in meant if self._keys is not None and self._keys[number] == edge[2]]
            if not meant:
                raise NotInGraphError(f"the edge {edge!r} asked for in {role} is not in the graph")
            numbers.append(meant)
        return numbers

    def _told_nodes(self, numbers: Iterable[int]) -> list[Node]:
        nodes = self.nodes
        return [nodes[number] for number in numbers]

    def _told_edges(self, path: Sequence[int], edges: Sequence[int]) -> list[tuple[Hashable, ...]]:
        """The edges along a path in its direction: ``(u, v)``, or ``(u, v, key)`` where edges have keys."""
        nodes = self._told_nodes(path)
        ends = zip(nodes, nodes[1:] + nodes[:1], strict=True)
        if self._keys is None:
            return [pair for pair, _ in zip(ends, edges, strict=False)]
        return [(u, v, self._keys[edge]) for (u, v), edge in zip(ends, edges, strict=False)]


def node_array(numbers: Iterable[int]) -> array[int]:
    """Node numbers as 32 bits each."""
    return array("I", numbers)


def weight_array(weights: Sequence[int], name: Any) -> array[int]:
    """Weights as 64 bits each; ``name`` tells the edge (the node) at a position for a complaint."""
    try:
        return array("q", weights)
    except OverflowError:
        at = next(at for at, weight in enumerate(weights) if not -_GREATEST <= weight <= _GREATEST)
        raise TooLargeError(
            f"{name(at)!r} has the weight {weights[at]}, and lengths are exact only up to 2^60; "
            "divide all weights by a common factor"
        ) from None
