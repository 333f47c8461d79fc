"""Graphillion: the decision diagram of all paths (of all cycles through a depot, where the ends are free), and the heaviest set in it.

Edges come in the order in which a breadth-first search meets them, which keeps the diagram narrow.
"""

import networkx as nx
from common import Question, refuse, tell
from graphillion import GraphSet

question = Question()
if question.directed:
    refuse("no directed graphs")
    raise SystemExit
depot = question.nodes
graph = nx.Graph()
graph.add_nodes_from(range(question.nodes))
graph.add_weighted_edges_from((source, target, weight) for (source, target), weight in question.edges.items())
place = {}
for start in ([] if question.is_free else [question.source]) + sorted(graph, key=graph.degree):
    if start not in place:
        for node in [start, *(to for _, to in nx.bfs_edges(graph, start))]:
            place.setdefault(node, len(place))


def turn(edge):
    """An edge comes when the later of its ends does; one to the depot after those that begin where it does."""
    one, two, _ = edge
    places = sorted((place[one], len(place) if two == depot else place[two]))
    return (places[0], 1, 0) if two == depot else (places[1], 0, places[0])


universe = [(one, two, float(weight)) for one, two, weight in graph.edges.data("weight")]
if question.is_free:
    universe += [(node, depot, 0.0) for node in graph]
GraphSet.set_universe(sorted(universe, key=turn), traversal="as-is")
answers = GraphSet.cycles().including(depot) if question.is_free else GraphSet.paths(question.source, question.target)
heaviest = next(answers.max_iter(), None)
if heaviest is None:
    tell(None, None, True)
    raise SystemExit
around = {}
for one, two, *_ in heaviest:
    around.setdefault(one, []).append(two)
    around.setdefault(two, []).append(one)
path = [around[depot][0]] if question.is_free else [question.source]
before = depot if question.is_free else None
while True:
    onwards = [node for node in around[path[-1]] if node not in (before, depot)]
    if not onwards:
        break
    before = path[-1]
    path.append(onwards[0])
length = question.length(path)
tell(path, length, True)
