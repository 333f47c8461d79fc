"""What longhaul answers, found by trying everything: on networkx graphs of a few nodes."""

from collections import Counter


def weight_of(graph, edge):
    """The weight of an edge told as (u, v) or (u, v, key)."""
    return graph.edges[edge].get("weight", 1)


def edges_between(graph, u, v):
    """All edges from u to v, as they are told."""
    if not graph.has_edge(u, v):
        return []
    return [(u, v, key) for key in graph[u][v]] if graph.is_multigraph() else [(u, v)]


def paths(graph, source=None, target=None):
    """Every simple path with its edges; of an undirected graph in both directions."""
    def grow(nodes, edges):
        if target is None or nodes[-1] == target:
            yield nodes, edges
        for neighbour in graph[nodes[-1]]:
            if neighbour not in nodes:
                for edge in edges_between(graph, nodes[-1], neighbour):
                    yield from grow((*nodes, neighbour), (*edges, edge))

    for start in graph if source is None else [source]:
        yield from grow((start,), ())


def cycles(graph, source=None):
    """Every cycle with its edges, once from each of its nodes and, if undirected, in each direction."""
    for nodes, edges in paths(graph, source):
        if len(nodes) >= (2 if graph.is_directed() else 3):
            for edge in edges_between(graph, nodes[-1], nodes[0]):
                yield nodes, (*edges, edge)


def length(graph, edges):
    return sum(weight_of(graph, edge) for edge in edges)


def longest(graph, source=None, target=None, cycle=False):
    """The greatest length, or None if there is no path."""
    found = cycles(graph, source) if cycle else paths(graph, source, target)
    return max((length(graph, edges) for _, edges in found), default=None)


def distribution(graph, source=None, target=None):
    """How many paths there are of each length; where there are no directions, a path and its reverse are one."""
    counts = Counter()
    for nodes, edges in paths(graph, source, target):
        told_twice = not graph.is_directed() and source is None and target is None and len(nodes) > 1
        counts[length(graph, edges)] += 1 if told_twice else 2
    return {long: count // 2 for long, count in sorted(counts.items())}


def longest_trail(graph, source=None, target=None):
    """The greatest length of a trail: no edge twice."""
    def grow(node, used, total):
        if target is None or node == target:
            yield total
        for neighbour in graph[node]:
            for edge in edges_between(graph, node, neighbour):
                name = edge if graph.is_directed() else (frozenset(edge[:2]), *edge[2:])
                if name not in used:
                    yield from grow(neighbour, used | {name}, total + weight_of(graph, edge))

    starts = graph if source is None else [source]
    return max((total for start in starts for total in grow(start, frozenset(), 0)), default=None)
