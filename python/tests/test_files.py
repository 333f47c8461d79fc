"""What a file says beside its edges counts: ends, prizes, and decimal places."""

import itertools
import pickle
from decimal import Context, Decimal, localcontext

import longhaul
import pytest

ASKS_FOR_ENDS = "c terminals 1 *\np edge 4 4\ne 1 2\ne 2 3\ne 3 1\ne 3 4\n"
HAS_PRIZES = "p edge 3 2\nn 3 7\nn 2 -1\ne 1 2 5\ne 2 3 4\n"
HAS_DECIMALS = "a b 1.5\nb c 2.25\nc a 0.75\nc d -0.1\n"


@pytest.fixture
def file(tmp_path):
    def written(name, text):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return written


def test_ends_of_the_file_are_asked_for(file):
    path = file("ends.gr", ASKS_FOR_ENDS)
    graph = longhaul.read_file(path)
    assert (graph.source, graph.target) == ("1", None)
    for given in (path, graph, pickle.loads(pickle.dumps(graph))):
        solution = longhaul.longest_path(given)
        assert (solution.length, solution.path[0]) == (3, "1")
    assert longhaul.longest_path(graph, "3").length == 2
    assert longhaul.longest_path(graph, cycle=True).length == 3
    assert longhaul.longest_path(graph, avoid=["4"]).path[0] == "1"
    assert longhaul.longest_path(graph, target="4").path == ["1", "2", "3", "4"]
    assert longhaul.k_path(graph, 2).path[0] == "1" and longhaul.longest_trail(graph).path[0] == "1"
    assert longhaul.structure(graph).upper_bound == 3 and longhaul.count(graph).count == 1
    free = graph.with_free_ends()
    assert (free.source, longhaul.longest_path(free).length, longhaul.count(free).count) == (None, 3, 2)


def test_prizes_of_the_file_count(file):
    graph = longhaul.read_file(file("prizes.gr", HAS_PRIZES))
    assert longhaul.longest_path(graph).length == 15
    assert longhaul.longest_path(graph, prizes={}).length == 9
    assert longhaul.structure(graph).upper_bound >= 15
    assert [path.length for path in longhaul.best(graph, 3)] == [15, 10, 7]
    assert longhaul.longest_path(graph, weight=None).length == 8
    # As by the command line, these two count edges alone.
    assert longhaul.longest_trail(graph).length == 9 and longhaul.k_path(graph, 2, weight="weight").length == 5


def test_decimal_weights_are_exact(file):
    path = file("decimals.el", HAS_DECIMALS)
    seen = []
    solution = longhaul.longest_path(path, callback=lambda progress: seen.append(progress.length))
    assert repr(solution) == "<Solution optimal: length 3.75, 3 nodes>"
    assert isinstance(solution.length, Decimal) and solution.length == solution.upper_bound == Decimal("3.75")
    assert [length for length in seen if length is not None][-1] == 3.75
    assert longhaul.longest_path(path, cycle=True).length == 4.5
    assert longhaul.longest_path(path, prizes={"d": 1}).length == Decimal("4.65")
    assert longhaul.longest_path(path, weight=None).length == 3
    assert longhaul.longest_trail(path).length == 4.5
    assert longhaul.structure(path).weights == (Decimal("-0.1"), 2.25)
    assert longhaul.structure(path).upper_bound >= 3.75
    assert longhaul.count(path).by_length == {Decimal("3.75"): 1}
    assert [path.length for path in itertools.islice(longhaul.best(path, 2), 2)] == [Decimal("3.75"), Decimal("3.65")]
    with localcontext(Context(prec=2)):
        assert str(longhaul.longest_path(path, prizes={"d": 1000}).length) == "1003.65"
    assert longhaul.longest_path(path, gap=2).upper_bound <= 5.75
