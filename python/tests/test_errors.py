"""Wrong requests raise, and the text names what is wrong as the caller knows it."""

import longhaul
import networkx as nx
import pytest

GRAPH = nx.cycle_graph(["a", "b", "c", "d"])

WRONG = [
    (dict(source="x"), longhaul.NotInGraphError, "the node 'x' asked for as the beginning of the path is not in the graph"),
    (dict(target=("x", 1)), longhaul.NotInGraphError, r"the node \('x', 1\) asked for as the end of the path is not in the graph"),
    (dict(source=["a"]), longhaul.NotInGraphError, r"the node \['a'\] asked for"),
    (dict(visit=["a", "x"]), longhaul.NotInGraphError, "the node 'x' asked for as visit"),
    (dict(avoid=["x"]), longhaul.NotInGraphError, "the node 'x' asked for as avoid"),
    (dict(prizes={"x": 1}), longhaul.NotInGraphError, "the node 'x'"),
    (dict(use_edges=[("a", "c")]), longhaul.NotInGraphError, r"the edge \('a', 'c'\) asked for in use_edges is not in the graph"),
    (dict(use_edges=[("a", "b", 0)]), longhaul.NotInGraphError, r"the edge \('a', 'b', 0\)"),
    (dict(avoid_edges=[("a", "x")]), longhaul.NotInGraphError, "the node 'x'"),
    (dict(avoid_edges=["a"]), longhaul.NotInGraphError, r"the edge \('a',\)"),
    (dict(source="a", avoid=["a"]), longhaul.ContradictionError, "begin at the node 'a' and avoid it"),
    (dict(target="a", avoid=["a"]), longhaul.ContradictionError, "end at the node 'a' and avoid it"),
    (
        dict(use_edges=[("a", "b")], avoid_edges=[("b", "a")]),
        longhaul.ContradictionError,
        r"use the edge \('a', 'b'\) and avoid it",
    ),
    (dict(cycle=True, target="a"), longhaul.ContradictionError, "a closed path has no end"),
    (dict(threads=0), longhaul.ContradictionError, "a search needs at least one thread"),
    (dict(engine="magic"), longhaul.ContradictionError, "there is no engine 'magic'; the engines are auto, "),
    (dict(time_limit=-1), longhaul.ContradictionError, "time_limit=-1: a time limit is a number of seconds"),
    (dict(time_limit=float("nan")), longhaul.ContradictionError, "time_limit=NaN"),
    (dict(at_least=0), longhaul.ContradictionError, "a number of edges is 1 or more"),
    (dict(engine="color-coding", failure_probability=2), longhaul.ContradictionError, "a failure probability lies between 0 and 1"),
    (dict(failure_probability=0.1), longhaul.ContradictionError, "failure_probability is for the engines color-coding"),
    (dict(directed=True), longhaul.ContradictionError, "the graph is undirected"),
    (dict(nodes=5), TypeError, "nodes"),
    (dict(memory_limit=-5), longhaul.ContradictionError, "memory_limit=-5: a whole number is wanted here"),
    (dict(disk_limit=-1), longhaul.ContradictionError, "disk_limit=-1: a whole number is wanted here"),
    (dict(seed=1.5), longhaul.ContradictionError, "seed=1.5"),
    (dict(gap=2**64), longhaul.ContradictionError, "gap=18446744073709551616"),
    (dict(prizes={"a": 1.5}), longhaul.GraphFormatError, "the node 'a' is worth 1.5"),
    (dict(prizes=lambda node: 2**70), longhaul.TooLargeError, "1180591620717411303424"),
]


@pytest.mark.parametrize(("options", "kind", "text"), WRONG)
def test_wrong_requests_raise_with_the_culprit_named(options, kind, text):
    with pytest.raises(kind, match=text):
        longhaul.longest_path(GRAPH, **options)


def test_exceptions_are_of_the_usual_kinds_too():
    assert issubclass(longhaul.NotInGraphError, LookupError)
    assert issubclass(longhaul.ContradictionError, ValueError)
    assert issubclass(longhaul.GraphFormatError, ValueError)
    for kind in (longhaul.NotInGraphError, longhaul.TooLargeError, longhaul.ContradictionError, longhaul.GraphFormatError):
        assert issubclass(kind, longhaul.LonghaulError)


def test_other_questions_check_their_nodes_too():
    for ask in (longhaul.longest_trail, longhaul.structure, longhaul.count, longhaul.all_longest, longhaul.samples):
        with pytest.raises(longhaul.NotInGraphError, match="the node 'x'"):
            ask(GRAPH, "x")
    with pytest.raises(longhaul.NotInGraphError, match="the node 'x'"):
        longhaul.k_path(GRAPH, 2, "x")
    with pytest.raises(longhaul.NotInGraphError, match="the node 'x'"):
        longhaul.best(GRAPH, 2, "x")
    with pytest.raises(longhaul.NotInGraphError, match="the node 'x'"):
        longhaul.maximum_clique(GRAPH, node_weights={"x": 2})
    with pytest.raises(longhaul.ContradictionError, match="k = 1 or more"):
        longhaul.k_path(GRAPH, 0)
    with pytest.raises(longhaul.LonghaulError, match="a number of paths is 1 or more"):
        longhaul.best(GRAPH, 0)
    with pytest.raises(longhaul.LonghaulError, match="only 'auto' and 'frontier' count"):
        longhaul.count(GRAPH, engine="conflict")
    with pytest.raises(TypeError, match="there is no option 'speed'; there are time_limit"):
        longhaul.count(GRAPH, speed=3)


def test_wrong_decks():
    with pytest.raises(longhaul.GraphFormatError, match="card 1 is 'red'"):
        longhaul.uno([(7, "red"), "red"])
    with pytest.raises(longhaul.ContradictionError, match="first=2: the deck has 1 cards"):
        longhaul.uno([(7, "red")], first=2)
    with pytest.raises(longhaul.ContradictionError, match="the deck has no such card"):
        longhaul.uno([(7, "red")], first=(7, "blue"))
    with pytest.raises(longhaul.GraphFormatError, match="missing.deck"):
        longhaul.uno("missing.deck")
