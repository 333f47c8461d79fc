"""networkx: the longest of `all_simple_paths`, from every node where the ends are free; the best so far when the time is over."""

import networkx as nx
from common import Question, tell

question = Question()
graph = nx.DiGraph() if question.directed else nx.Graph()
graph.add_nodes_from(range(question.nodes))
graph.add_edges_from(question.edges)


def paths():
    for source in graph if question.is_free else [question.source]:
        yield [source]
        targets = set(graph) - {source} if question.is_free else {question.target}
        for count, path in enumerate(nx.all_simple_paths(graph, source, targets)):
            yield path
            if count % 256 == 0 and question.seconds_left() < 0.2:
                raise TimeoutError


best, proved = None, True
try:
    for path in paths():
        fits = question.is_free or path[-1] == question.target
        if fits and (best is None or question.length(path) > question.length(best)):
            best = path
except TimeoutError:
    proved = False
tell(best, question.length(best) if proved and best else None, proved)
