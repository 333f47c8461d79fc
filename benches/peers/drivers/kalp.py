"""KaLP (github.com/KarlsruheLongestPaths/KaLP), built by whoever has it: its program is named by the environment variable KALP.

For undirected graphs with two fixed ends and positive weights; what it prints is not read, only the path that it writes.
"""

import os
import subprocess
import tempfile

from common import Question, refuse, tell

question = Question()
if question.directed or question.is_free or min(question.edges.values(), default=1) < 1:
    refuse("undirected graphs with two fixed ends and positive weights only")
    raise SystemExit
around = [[] for _ in range(question.nodes)]
for source, target, weight in question.steps():
    around[source].append(f"{target + 1} {weight}")
with tempfile.TemporaryDirectory() as folder:
    graph, answer = os.path.join(folder, "question.graph"), os.path.join(folder, "path")
    with open(graph, "w", encoding="utf-8") as out:
        print(question.nodes, len(question.edges), 1, file=out)
        print("\n".join(" ".join(row) for row in around), file=out)
    command = [os.environ["KALP"], graph, f"--start_vertex={question.source}", f"--target_vertex={question.target}"]
    command += [f"--threads={question.threads}", f"--output_filename={answer}"]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=question.seconds_left(), check=True)
        with open(answer, encoding="utf-8") as lines:
            path = [int(line) for line in lines.read().split()]
        tell(path or None, question.length(path) if path else None, True)
    except subprocess.TimeoutExpired:
        tell(None)
