"""Small random graphs of all four classes of networkx, with nodes of all kinds."""

import random

import networkx as nx

CLASSES = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)

NAMES = (
    lambda at: at,
    lambda at: f"node {at}",
    lambda at: (at, "é"),
    lambda at: frozenset([at, -at - 1]),
    lambda at: 1.5 * at,
    lambda at: bytes([at]),
)


def random_graph(seed, most_nodes=6):
    """A graph with its generator: of another class every time, weighted or not, with loops and parallel edges."""
    rng = random.Random(seed)
    graph = CLASSES[seed % 4]()
    name = rng.choice(NAMES)
    nodes = [name(at) for at in range(rng.randint(1, most_nodes))]
    rng.shuffle(nodes)
    graph.add_nodes_from(nodes)
    weights = rng.choice([None, (1, 9), (-5, 9), (0, 1)])
    for _ in range(rng.randint(0, int(len(nodes) * rng.choice([1, 1.5, 2])))):
        edge = (rng.choice(nodes), rng.choice(nodes))
        options = {}
        if graph.is_multigraph() and rng.random() < 0.3:
            options["key"] = rng.choice(["road", ("rail", 1), None, 7])
        if weights is not None and rng.random() < 0.9:
            options["weight"] = rng.randint(*weights)
        graph.add_edge(*edge, **options)
    return graph, nodes, rng
