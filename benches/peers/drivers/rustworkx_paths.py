"""rustworkx: `longest_simple_path` where the ends are free, else the longest of `all_simple_paths`. Both try all paths."""

import rustworkx as rx
from common import Question, refuse, tell

question = Question()
if question.is_free and set(question.edges.values()) - {1}:
    refuse("no weights with free ends")
    raise SystemExit
graph = rx.PyDiGraph() if question.directed else rx.PyGraph()
graph.add_nodes_from(range(question.nodes))
graph.add_edges_from([(source, target, weight) for (source, target), weight in question.edges.items()])
if question.is_free:
    path = rx.longest_simple_path(graph)
else:
    search = rx.digraph_all_simple_paths if question.directed else rx.graph_all_simple_paths
    path = max(search(graph, question.source, question.target), key=question.length, default=None)
path = None if path is None else list(path)
tell(path, None if path is None else question.length(path), True)
