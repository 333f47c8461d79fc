"""Answers equal brute force on small random graphs of all classes."""

import itertools

import brute_force
import longhaul
import pytest
from random_graphs import random_graph


def check_path(graph, solution, cycle=False):
    """The path is one of this graph, and as long as it says."""
    nodes, edges = solution.path, solution.edges
    assert len(set(nodes)) == len(nodes)
    steps = list(zip(nodes, nodes[1:] + nodes[:1]))
    steps = steps if cycle else steps[:-1]
    assert [edge[:2] for edge in edges] == steps
    assert all(edge in brute_force.edges_between(graph, *edge[:2]) for edge in edges)
    assert brute_force.length(graph, edges) == solution.length


@pytest.mark.parametrize("block", range(20))
def test_the_longest_path_is_as_long_as_brute_force_finds(block):
    for seed in range(100 * block, 100 * block + 100):
        graph, nodes, rng = random_graph(seed)
        cycle = rng.random() < 0.2
        source = rng.choice([None, rng.choice(nodes)])
        target = None if cycle else rng.choice([None, rng.choice(nodes)])
        solution = longhaul.longest_path(graph, source, target, cycle=cycle)
        expected = brute_force.longest(graph, source, target, cycle)
        assert solution.length == expected, (seed, solution)
        assert solution.status == ("infeasible" if expected is None else "optimal"), seed
        assert solution.upper_bound == expected, seed
        if expected is not None:
            check_path(graph, solution, cycle)
            assert source is None or solution.path[0] == source
            assert target is None or solution.path[-1] == target


def test_trails_are_as_long_as_brute_force_finds():
    for seed in range(200):
        graph, nodes, rng = random_graph(seed, most_nodes=4)
        source = rng.choice([None, rng.choice(nodes)])
        solution = longhaul.longest_trail(graph, source)
        assert solution.length == brute_force.longest_trail(graph, source), seed
        assert brute_force.length(graph, solution.edges) == solution.length
        assert len(set(solution.edges)) == len(solution.edges)


def test_paths_of_k_nodes_are_found_if_there_are_any():
    for seed in range(200):
        graph, nodes, rng = random_graph(seed)
        k, heaviest = rng.randint(1, len(nodes)), rng.random() < 0.5
        solution = longhaul.k_path(graph, k, weight="weight" if heaviest else None, engine="backtracking")
        lengths = [
            brute_force.length(graph, edges) for found, edges in brute_force.paths(graph) if len(found) == k
        ]
        if heaviest or not lengths:
            assert solution.length == max(lengths, default=None), seed
        else:
            assert len(solution.path) == k and solution.length == k - 1


def test_paths_are_counted_and_listed():
    for seed in range(300):
        graph, nodes, rng = random_graph(seed, most_nodes=5)
        source = rng.choice([None, rng.choice(nodes)])
        expected = brute_force.distribution(graph, source)
        assert longhaul.distribution(graph, source).by_length == expected, seed
        counts = longhaul.count(graph, source)
        assert (counts.length, counts.count) == max(expected.items()), seed
        listed = list(longhaul.all_longest(graph, source))
        assert len({tuple(path.edges) if path.edges else tuple(path.nodes) for path in listed}) == counts.count
        assert {path.length for path in listed} == {counts.length}
        lengths = [long for long, count in sorted(expected.items(), reverse=True) for _ in range(count)]
        assert [path.length for path in longhaul.best(graph, 5, source)] == lengths[:5], seed
        some = list(itertools.islice(longhaul.samples(graph, source, seed=seed), 3))
        assert len(some) == 3 and all(path in listed for path in some)


def test_demands_are_met():
    for seed in range(300):
        graph, nodes, rng = random_graph(seed)
        visit, avoid = ([rng.choice(nodes)] for _ in range(2))
        prizes = {node: rng.randint(-3, 3) for node in nodes if rng.random() < 0.5}
        if visit == avoid:
            with pytest.raises(longhaul.ContradictionError, match="visit the node .* and avoid it"):
                longhaul.longest_path(graph, visit=visit, avoid=avoid)
            continue
        solution = longhaul.longest_path(graph, visit=visit, avoid=avoid, prizes=prizes)
        expected = max(
            (
                brute_force.length(graph, edges) + sum(prizes.get(node, 0) for node in found)
                for found, edges in brute_force.paths(graph)
                if visit[0] in found and avoid[0] not in found
            ),
            default=None,
        )
        assert solution.length == expected, seed


def test_edges_are_used_or_avoided():
    for seed in range(300):
        graph, _, rng = random_graph(seed)
        edges = [edge for edge in (graph.edges(keys=True) if graph.is_multigraph() else graph.edges()) if edge[0] != edge[1]]
        if len(edges) < 2:
            continue
        used, avoided = rng.sample(edges, 2)

        def told(edge):
            return {edge} if graph.is_directed() else {edge, (edge[1], edge[0], *edge[2:])}

        solution = longhaul.longest_path(graph, use_edges=[used], avoid_edges=[avoided])
        lengths = (
            brute_force.length(graph, found)
            for _, found in brute_force.paths(graph)
            if told(used) & set(found) and not told(avoided) & set(found)
        )
        assert solution.length == max(lengths, default=None), seed
