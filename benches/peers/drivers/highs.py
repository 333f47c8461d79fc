"""HiGHS: an integer program for a cycle through a depot that stands for both ends, with subtour cuts added lazily.

A variable for each edge (where directed, arc) and each node; at every node as many edges as its variable says. First cuts are added
to the linear relaxation as long as that moves its bound, by minimum cuts between nodes and the depot (scipy); then the integer program is
solved again and again, each time with cuts against the cycles beside the depot.
"""

import math

import highspy
import numpy as np
from common import Question, tell
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components, maximum_flow

#: Of the time, what cutting the relaxation may take; capacities of flows are so many times the values; and when a cut is violated.
CUTTING_SHARE, SCALE, VIOLATED = 0.4, 10**6, 0.02

question = Question()
n, depot, directed = question.nodes, question.nodes, question.directed
fixed = None if question.is_free else (question.source, question.target)
# What one unit of a node asks of the edges across the border of a set around it.
each = 1 if directed else 2

columns = []
for (source, target), weight in question.edges.items():
    columns.append((source, target, weight))
for node in range(n):
    if directed:
        if fixed is None or node == fixed[0]:
            columns.append((depot, node, 0))
        if fixed is None or node == fixed[1]:
            columns.append((node, depot, 0))
    elif fixed is None or node in fixed:
        columns.append((node, depot, 0))

solver = highspy.Highs()
solver.setOptionValue("output_flag", False)
solver.setOptionValue("threads", question.threads)
solver.setOptionValue("mip_rel_gap", 0.0)
for tail, head, weight in columns:
    at_end = fixed is not None and depot in (tail, head)
    solver.addVar(1.0 if at_end else 0.0, 1.0)
    solver.changeColCost(solver.getNumCol() - 1, float(weight))
for node in range(n):
    solver.addVar(1.0 if fixed is not None and node in fixed else 0.0, 1.0)
solver.changeObjectiveSense(highspy.ObjSense.kMaximize)


def visit(node):
    """The column of a node."""
    return len(columns) + node


def row(least, greatest, terms):
    at, factors = zip(*terms)
    solver.addRow(float(least), float(greatest), len(at), np.array(at, dtype=np.int32), np.array(factors, dtype=float))


def degree_rows():
    around = {node: ([], []) for node in range(n + 1)}
    for at, (tail, head, _) in enumerate(columns):
        around[tail][0].append((at, 1.0))
        around[head][1].append((at, 1.0))
    for node, (out, into) in around.items():
        sides = [out, into] if directed else [out + into]
        for side in sides:
            if node == depot:
                row(each if not directed else 1, each if not directed else 1, side)
            else:
                row(0, 0, side + [(visit(node), -1.0 if directed else -2.0)])


def cut(inside, node):
    """What crosses the border of a set without the depot is at least what a node in it asks for."""
    crossing = [
        (at, 1.0)
        for at, (tail, head, _) in enumerate(columns)
        if (tail in inside and head not in inside) or (not directed and head in inside and tail not in inside)
    ]
    row(0, highspy.kHighsInf, crossing + [(visit(node), -float(each))])


def separate(values):
    """Cuts that a point of the relaxation violates, added; how many."""
    used = [(tail, head, int(values[at] * SCALE)) for at, (tail, head, _) in enumerate(columns) if values[at] > 1e-6]
    if not directed:
        used += [(head, tail, amount) for tail, head, amount in used]
    tails, heads, amounts = zip(*used)
    network = csr_matrix((amounts, (tails, heads)), shape=(n + 1, n + 1), dtype=np.int32)
    done, count = set(), 0
    for node in sorted(range(n), key=lambda node: -values[visit(node)]):
        if values[visit(node)] < 1e-4 or node in done:
            continue
        if question.seconds_left() < question.limit * (1 - CUTTING_SHARE) or count > 200:
            break
        flow = maximum_flow(network, node, depot)
        if flow.flow_value < (each * values[visit(node)] - VIOLATED) * SCALE:
            left = network - flow.flow
            left.data = np.maximum(left.data, 0)
            left.eliminate_zeros()
            inside = set(breadth_first_order(left, node, return_predecessors=False).tolist())
            cut(inside, max(inside, key=lambda member: values[visit(member)] if member < n else -1))
            done |= inside
            count += 1
    return count


def solve():
    solver.setOptionValue("time_limit", max(0.1, question.seconds_left()) + solver.getRunTime())
    solver.run()
    return np.array(solver.getSolution().col_value)


def path_and_cycles(values):
    """The nodes from one end to the other, and the sets of nodes of the cycles beside."""
    chosen = [(tail, head) for at, (tail, head, _) in enumerate(columns) if values[at] > 0.5]
    following = {}
    for tail, head in chosen:
        following.setdefault(tail, []).append(head)
        if not directed:
            following.setdefault(head, []).append(tail)
    path, before, node = [], depot, following[depot][0] if fixed is None else fixed[0]
    while node != depot:
        path.append(node)
        onwards = list(following[node])
        if not directed:
            onwards.remove(before)
        before, node = node, onwards[0]
    tails, heads = zip(*chosen)
    _, label = connected_components(csr_matrix((np.ones(len(chosen)), (tails, heads)), shape=(n + 1, n + 1)), directed=False)
    cycles = {}
    for node in range(n):
        if values[visit(node)] > 0.5 and label[node] != label[depot]:
            cycles.setdefault(label[node], set()).add(node)
    return path, list(cycles.values())


degree_rows()
best, bound, proved = None, None, False
stalled, last = 0, math.inf
while question.seconds_left() > question.limit * (1 - CUTTING_SHARE) and stalled < 15:
    values = solve()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        break
    value = solver.getInfo().objective_function_value
    bound = math.floor(value + 1e-6)
    stalled = stalled + 1 if last - value < 1e-3 else 0
    last = value
    if separate(values) == 0:
        break
count = len(columns) + n
whole = np.array([highspy.HighsVarType.kInteger] * count)
solver.changeColsIntegrality(count, np.arange(count, dtype=np.int32), whole)
while question.seconds_left() > 0:
    values = solve()
    status, told = solver.getModelStatus(), solver.getInfo()
    if status == highspy.HighsModelStatus.kInfeasible:
        proved = best is None
        break
    if abs(told.mip_dual_bound) < 1e20:
        least = math.floor(told.mip_dual_bound + 1e-6)
        bound = least if bound is None else min(bound, least)
    if told.primal_solution_status != 2:
        break
    path, cycles = path_and_cycles(values)
    if (fixed is None or path[-1] == fixed[1]) and (best is None or question.length(path) > question.length(best)):
        best = path
    if best is not None and question.length(best) >= bound:
        proved = True
        break
    if not cycles or status != highspy.HighsModelStatus.kOptimal:
        break
    for inside in cycles:
        for node in list(inside)[:10]:
            cut(inside, node)
tell(best, bound, proved)
