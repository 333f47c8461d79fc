"""The same graph is the same graph, whichever library holds it; and what is no graph is refused by name."""

import igraph
import longhaul
import networkx as nx
import numpy as np
import pytest
import rustworkx as rx
import scipy.sparse as sp

PAIRS = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 4)]
WEIGHTS = [3, 1, 2, 9, 4, 8]
TRIPLES = [(*pair, weight) for pair, weight in zip(PAIRS, WEIGHTS)]


def in_networkx(directed):
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_weighted_edges_from(TRIPLES)
    return graph


def in_rustworkx(directed):
    graph = (rx.PyDiGraph if directed else rx.PyGraph)()
    graph.add_nodes_from(range(6))
    graph.add_edges_from(TRIPLES)
    return graph


def in_igraph(directed):
    return igraph.Graph(n=6, edges=PAIRS, directed=directed, edge_attrs={"weight": WEIGHTS})


def in_scipy(directed):
    rows, columns = zip(*PAIRS)
    return sp.coo_array((WEIGHTS, (rows, columns)), shape=(6, 6))


KINDS = {
    "networkx": in_networkx,
    "multi": lambda directed: (nx.MultiDiGraph if directed else nx.MultiGraph)(in_networkx(directed)),
    "rustworkx": in_rustworkx,
    "igraph": in_igraph,
    "scipy coo": in_scipy,
    "scipy csr matrix": lambda directed: sp.csr_matrix(in_scipy(directed)),
    "numpy": lambda directed: np.array(TRIPLES),
    "numpy arrays": lambda directed: tuple(np.array(TRIPLES).T),
    "numpy floats": lambda directed: np.array(TRIPLES, dtype=float),
    "list": lambda directed: TRIPLES,
    "Graph": lambda directed: longhaul.read_graph(in_networkx(directed)),
}


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_graph_is_read_the_same(kind, directed):
    graph = KINDS[kind](directed)
    solution = longhaul.longest_path(graph, directed=directed)
    assert (solution.length, solution.status) == ((17, "optimal") if directed else (26, "optimal"))
    expected = [0, 1, 2, 3, 4] if directed else [1, 0, 2, 3, 4, 5]
    assert solution.path in (expected, expected if directed else expected[::-1])
    assert all(isinstance(node, int) for node in solution.path)
    unit = longhaul.longest_path(graph, directed=directed, weight=None)
    assert unit.length == (4 if directed else 5)
    facts = longhaul.structure(graph, directed=directed)
    assert (facts.directed, facts.nodes, facts.edges, facts.weights) == (directed, 6, 6, (1, 9))


def test_keys_tell_edges_apart():
    graph = nx.MultiGraph()
    graph.add_edge("a", "b", key=("old", 1), weight=5)
    graph.add_edge("a", "b", key="new", weight=7)
    assert longhaul.longest_path(graph, "a").edges == [("a", "b", "new")]
    assert longhaul.longest_path(graph, "b", avoid_edges=[("b", "a", "new")]).edges == [("b", "a", ("old", 1))]
    assert longhaul.longest_path(in_rustworkx(False), 1, 2).edges == [(1, 0, 0), (0, 2, 2)]
    assert longhaul.longest_path(in_igraph(False), 1, 2).edges == [(1, 0, 0), (0, 2, 2)]
    assert longhaul.longest_path(np.array(TRIPLES), 1, 2).edges == [(1, 0, 0), (0, 2, 2)]
    assert longhaul.longest_path(in_scipy(False), 1, 2, directed=False).edges == [(1, 0), (0, 2)]


def test_holes_in_rustworkx_indices():
    graph = in_rustworkx(False)
    graph.remove_node(1)
    solution = longhaul.longest_path(graph, 0)
    assert solution.path == [0, 2, 3, 4, 5]
    with pytest.raises(longhaul.NotInGraphError, match="the node 1 asked for as the beginning"):
        longhaul.longest_path(graph, 1)


def test_payloads_of_rustworkx():
    graph = rx.PyGraph()
    graph.add_nodes_from("abc")
    graph.add_edge(0, 1, {"weight": 4, "name": "x"})
    graph.add_edge(1, 2, None)
    assert longhaul.longest_path(graph).length == 5
    assert longhaul.longest_path(graph, weight=lambda payload: 10 if payload else 20).length == 30
    graph.add_edge(0, 2, "road")
    with pytest.raises(longhaul.GraphFormatError, match=r"the edge \(0, 2\) carries 'road'"):
        longhaul.longest_path(graph)


def test_names_of_igraph():
    graph = igraph.Graph.TupleList([("Rome", "Milan", 5), ("Milan", "Turin", 2)], edge_attrs=["weight"])
    assert longhaul.longest_path(graph, "Rome").path == [0, 1, 2]
    with pytest.raises(longhaul.NotInGraphError, match="'Oslo'"):
        longhaul.longest_path(graph, "Oslo")


def test_weights_by_a_function_or_another_attribute():
    graph = nx.Graph()
    graph.add_edge(1, 2, km=4, toll=7)
    graph.add_edge(2, 3, km=6, toll=1)
    assert longhaul.longest_path(graph, weight="km").length == 10
    assert longhaul.longest_path(graph, weight="toll").length == 8
    assert longhaul.longest_path(graph, weight=lambda u, v, data: data["km"] - data["toll"]).length == 5
    assert longhaul.longest_path(graph, weight=lambda u, v, data: None if data["toll"] > 5 else 3).length == 3


def test_matrices_add_up_what_is_there_twice():
    matrix = sp.coo_matrix(([2, 3], ([0, 0], [1, 1])), shape=(2, 2))
    assert longhaul.longest_path(matrix).length == 5


def test_views_and_subgraphs_are_graphs():
    graph = nx.path_graph(6)
    assert longhaul.longest_path(graph.subgraph([1, 2, 3])).path in ([1, 2, 3], [3, 2, 1])
    assert longhaul.longest_path(nx.DiGraph([(1, 2), (2, 3)]).reverse(copy=False)).path == [3, 2, 1]


def test_isolated_nodes_of_arrays():
    assert longhaul.structure(np.array([[0, 1]]), directed=False).nodes == 2
    assert longhaul.read_graph(np.array([[0, 1]]), nodes=5).number_of_nodes() == 5
    assert longhaul.longest_path(np.empty((0, 2), dtype=int), weight=None).status == "infeasible"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ([(0, 1), (1,)], r"element 1 of the list is \(1,\)"),
        ([(0, 1), "ab"], "element 1 of the list is 'ab'"),
        ([("a", "b", 2.5)], r"the edge \('a', 'b'\) has the weight 2.5"),
        ([("a", "b", float("nan"))], r"the edge \('a', 'b'\) has the weight nan"),
        ([("a", "b", float("inf"))], r"the edge \('a', 'b'\) has the weight inf"),
        ([("a", "b", "7")], r"the edge \('a', 'b'\) has the weight '7'"),
        ([("a", "b", None)], r"the edge \('a', 'b'\) has the weight None"),
        ([("a", "b", 2**70)], r"\('a', 'b'\) has the weight 1180591620717411303424"),
        ([("a", "b", 2**62), ("b", "c", 2**62)], "the weights are too large"),
        (np.array([[0, 1], [2, -3]]), "row 1 names the node -3"),
        (np.array([[0, 1.5]]), "row 0 names the node 1.5"),
        (np.array([0, 1, 2]), r"arrays of shape \(3,\)"),
        (np.zeros((3, 4), dtype=int), r"arrays of shape \(3, 4\)"),
        ((np.zeros(3, dtype=int), np.zeros(4, dtype=int)), "arrays of shape"),
        (np.array([["a", "b"]]), "names no nodes"),
        (sp.coo_array((2, 3)), r"a matrix of shape \(2, 3\)"),
        (sp.coo_array(([0.5], ([0], [1])), shape=(2, 2)), r"the edge \(0, 1\) has the weight 0.5"),
        ({0: [1]}, "builtins.dict is no graph"),
        (7, "builtins.int is no graph"),
        (b"ab", "builtins.bytes is no graph"),
        ("no such file.gr", "no such file.gr"),
    ],
)
def test_what_is_no_graph_is_refused_by_name(graph, text):
    with pytest.raises((longhaul.GraphFormatError, longhaul.TooLargeError), match=text):
        longhaul.longest_path(graph)


def test_files_are_read(tmp_path):
    file = tmp_path / "roads.el"
    file.write_text("Rome Milan 477\nMilan Turin 126\n")
    solution = longhaul.longest_path(file, "Rome")
    assert (solution.path, solution.length) == (["Rome", "Milan", "Turin"], 603)
    assert longhaul.longest_path(str(file), weight=None).length == 2
    file.write_text("Rome Milan far\n")
    with pytest.raises(longhaul.GraphFormatError, match=r"roads.el:1:12: found"):
        longhaul.longest_path(file)
