"""What answers tell, and that they can be kept."""

import copy
import itertools
import pickle
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import longhaul
import networkx as nx
import pytest

#: A planar graph whose layers take more than ten megabytes.
WIDE = str(Path(__file__).parents[2] / "graphs" / "rivals" / "planar800.gr")

GRID = nx.grid_2d_graph(4, 4)


def test_a_solution_answers_questions():
    solution = longhaul.longest_path(GRID, (0, 0))
    assert (solution.length, solution.upper_bound, solution.status, solution.stop) == (15, 15, "optimal", "finished")
    assert solution.is_optimal and len(solution.edges) == 15 and solution.path[0] == (0, 0)
    assert solution.stats.engine and solution.stats.elapsed > 0 and solution.stats.decisions
    assert repr(solution) == "<Solution optimal: length 15, 16 nodes>"


def test_a_limit_is_an_answer():
    solution = longhaul.longest_path(nx.grid_2d_graph(40, 40), time_limit=0)
    assert solution.status in ("feasible", "unknown") and solution.stop == "time-limit"
    assert "(time-limit)" in repr(solution)
    assert longhaul.longest_path(nx.Graph()).status == "infeasible"


def test_what_has_no_room_may_wait_on_disk():
    asked = dict(engine="frontier", memory_limit=10_000_000)
    without, with_disk = (longhaul.longest_path(WIDE, disk_limit=room, **asked) for room in (0, 1 << 30))
    assert (without.status, without.stop) == ("feasible", "memory-limit")
    assert (with_disk.status, with_disk.length) == ("optimal", 661)
    assert with_disk.stats.peak_bytes <= 10_000_000


def test_a_notebook_shows_the_picture():
    names = nx.relabel_nodes(nx.path_graph(3), {0: "<a>", 1: "b&b", 2: '"c"'})
    shown = longhaul.longest_path(names)._repr_html_()
    assert "optimal: length 2, 3 nodes" in shown
    svg = longhaul.longest_path(names).svg()
    tree = ElementTree.fromstring(svg)
    steps = [line for line in tree.iter("{http://www.w3.org/2000/svg}line") if line.get("class") == "step"]
    assert {step.get("data-from") for step in steps} | {step.get("data-to") for step in steps} == {"<a>", "b&b", '"c"'}
    cycle = longhaul.longest_path(nx.cycle_graph(4), cycle=True).svg()
    assert cycle.count('class="step"') == 4
    assert longhaul.longest_path(nx.empty_graph(200_000), time_limit=10).svg() is None


def test_answers_and_graphs_can_be_pickled():
    graph = longhaul.read_graph(nx.MultiDiGraph([("a", "b", "k"), ("b", "c", 0)]))
    for same in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert same.nodes == graph.nodes and longhaul.longest_path(same).edges == [("a", "b", "k"), ("b", "c", 0)]
    solution = longhaul.longest_path(graph)
    assert pickle.loads(pickle.dumps(solution)) == solution


def test_a_proof_comes_with_the_answer():
    solution = longhaul.longest_path(nx.star_graph(4), proof=True)
    assert solution.proof and solution.no_proof is None
    assert longhaul.longest_path(nx.star_graph(4)).no_proof == "no proof was asked for"


def test_the_callback_hears_of_improvements():
    rows = []
    longhaul.longest_path(nx.grid_2d_graph(6, 6), callback=rows.append)
    lengths = [row.length for row in rows if row.length is not None]
    assert lengths == sorted(lengths) and lengths[-1] == 35
    assert rows[-1].upper_bound == 35 and rows[-1].engine and rows[-1].elapsed > 0


def test_the_same_seed_gives_the_same_samples():
    def some(seed):
        return [path.nodes for path in itertools.islice(longhaul.samples(GRID, seed=seed), 20)]

    assert some(3) == some(3) != some(4)


def test_samples_are_spread_evenly():
    graph = nx.cycle_graph(6)
    counts = {}
    for path in itertools.islice(longhaul.samples(graph, seed=1), 3000):
        missing = frozenset(set(map(frozenset, graph.edges)) - {frozenset(edge) for edge in path.edges})
        counts[missing] = counts.get(missing, 0) + 1
    assert len(counts) == 6 and all(400 < count < 600 for count in counts.values())


def test_a_list_says_why_it_ends():
    paths = longhaul.all_longest(nx.cycle_graph(4))
    assert paths.stop is None and next(paths).length == 3
    assert len(list(paths)) == 3 and paths.stop == "finished"
    with pytest.raises(StopIteration):
        next(paths)
    assert list(longhaul.all_longest(nx.grid_2d_graph(12, 12), time_limit=0)) == []


def test_counts_of_any_size():
    counts = longhaul.count(nx.grid_2d_graph(4, 60))
    assert counts.length == 239 and counts.count > 10**25 and counts.is_complete
    stopped = longhaul.count(nx.grid_2d_graph(12, 12), time_limit=0)
    assert not stopped.is_complete and stopped.count is None and stopped.stop == "time-limit"


def test_structure_names_nodes():
    facts = longhaul.structure(nx.relabel_nodes(nx.barbell_graph(3, 1), str))
    assert sorted(facts.cut_nodes) == ["2", "3", "4"] and facts.sides is None and sorted(facts.order) == list("0123456")
    facts = longhaul.structure(nx.path_graph("abcd"), "b")
    assert [sorted(side) for side in facts.sides] == [["a", "c"], ["b", "d"]] and facts.upper_bound == 2
    assert longhaul.structure(nx.path_graph(3), cycle=True).infeasible


def test_uno(tmp_path):
    deck = [(7, "red"), (7, "blue"), (3, "blue"), (3, "red"), (9, "green")]
    play = longhaul.uno(deck, first=(3, "red"))
    assert (len(play), play.upper_bound, play.cards[0], play.positions[0]) == (4, 4, (3, "red"), 3)
    for before, card in zip(play.cards, play.cards[1:]):
        assert before[0] == card[0] or before[1] == card[1]
    wild = longhaul.uno(deck, wild=1)
    assert len(wild) == 6 and wild.cards.count(None) == wild.positions.count(None) == 1
    assert longhaul.uno_count(deck, 4) == 4
    file = tmp_path / "hand.deck"
    file.write_text("5 blue\nskip blue\nskip red\n")
    assert {card for card in longhaul.uno(file).cards} == {("5", "blue"), ("skip", "blue"), ("skip", "red")}
    assert len(longhaul.uno([])) == 0


def test_cliques():
    graph = nx.relabel_nodes(nx.complete_graph(4), str)
    graph.add_edge("3", "heavy")
    assert set(longhaul.maximum_clique(graph).nodes) == {"0", "1", "2", "3"}
    heaviest = longhaul.maximum_clique(graph, node_weights={"heavy": 9, "3": 2, "0": 1})
    assert (set(heaviest.nodes), heaviest.weight, heaviest.is_optimal) == ({"3", "heavy"}, 11, True)
