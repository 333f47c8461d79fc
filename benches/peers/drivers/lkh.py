"""LKH, through elkai: a tour of all nodes along as many edges (as much weight) as can be, and the longest piece of it. It proves nothing.

Of use where nearly all nodes lie on a longest path. With fixed ends the tour goes from one to the other through a depot, and only a tour
that needs no edge beside those of the graph is a path.
"""

import elkai
from common import Question, refuse, tell

#: The matrix of distances has the square of this many entries at most.
MOST_NODES = 1500

question = Question()
if question.nodes > MOST_NODES or question.nodes < 3:
    refuse(f"between 3 and {MOST_NODES} nodes only")
    raise SystemExit
depot, size = question.nodes, question.nodes + 1
heaviest = max([abs(weight) for weight in question.edges.values()], default=1)
if heaviest * size > 2**28:
    refuse("weights too large")
    raise SystemExit
far = 4 * heaviest
matrix = [[far] * size for _ in range(size)]
for source, target, weight in question.steps():
    matrix[source][target] = heaviest - weight
for node in range(size):
    matrix[node][node] = 0
    if question.source in (None, node):
        matrix[depot][node] = 0 if question.directed or question.target != node else far
        matrix[node][depot] = matrix[node][depot] if question.directed else 0
    if question.target in (None, node):
        matrix[node][depot] = 0
        matrix[depot][node] = matrix[depot][node] if question.directed else 0
tour = elkai.DistanceMatrix(matrix).solve_tsp(runs=10)[:-1]
at = tour.index(depot)
tour = tour[at + 1 :] + tour[:at]
turned = [] if question.directed else [tour[::-1]]
known = {(source, target) for source, target, _ in question.steps()}
best = None
for order in [tour, *turned]:
    piece = []
    for node in order:
        piece = piece + [node] if piece and (piece[-1], node) in known else [node]
        fits = question.is_free or (piece[0] == question.source and piece[-1] == question.target)
        if fits and (best is None or question.length(piece) > question.length(best)):
            best = list(piece)
tell(best)
