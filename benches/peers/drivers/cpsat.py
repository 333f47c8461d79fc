"""OR-tools CP-SAT: a circuit through a depot that stands for both ends; a node that the path leaves out has a loop of its own."""

import math

from common import Question, tell
from ortools.sat.python import cp_model

question = Question()
model = cp_model.CpModel()
depot = question.nodes
arcs, worth = {}, []
for source, target, weight in question.steps():
    arcs[source, target] = model.new_bool_var("")
    worth.append(weight * arcs[source, target])
for node in range(question.nodes):
    if question.source in (None, node):
        arcs[depot, node] = model.new_bool_var("")
    if question.target in (None, node):
        arcs[node, depot] = model.new_bool_var("")
    if node not in (question.source, question.target):
        arcs[node, node] = model.new_bool_var("")
model.add_circuit([(tail, head, used) for (tail, head), used in arcs.items()])
model.maximize(sum(worth))

solver = cp_model.CpSolver()
solver.parameters.num_workers = question.threads
if question.threads == 1:
    # Found to be the best for these graphs.
    solver.parameters.linearization_level = 2
solver.parameters.max_time_in_seconds = max(0.1, question.seconds_left())
status = solver.solve(model)
path = None
if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
    following = {tail: head for (tail, head), used in arcs.items() if solver.boolean_value(used)}
    path = [following[depot]]
    while following[path[-1]] != depot:
        path.append(following[path[-1]])
bound = None if status == cp_model.INFEASIBLE else math.floor(solver.best_objective_bound + 1e-6)
if status == cp_model.UNKNOWN and bound <= 0:
    # It says 0 where it has not begun to search.
    bound = None
tell(path, bound, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE))
