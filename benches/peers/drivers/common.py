"""What the drivers share: a question on the command line, and an answer of one line of JSON.

    DRIVER FILE [--from NODE --to NODE] --limit SECONDS --threads N

FILE begins with a line `nodes edges directed` (1 or 0) and has a line `source target weight` for each edge, nodes from 0, no two
edges between the same nodes. The answer is {"path": nodes or null, "bound": a length that no path exceeds or null, "proved": whether no path
is longer, "refused": why the question is none for this solver, or null}.
"""

import argparse
import json
import time

BEGAN = time.monotonic()


class Question:
    """A graph and the two ends of a path in it, or none."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("file")
        parser.add_argument("--from", dest="source", type=int)
        parser.add_argument("--to", dest="target", type=int)
        parser.add_argument("--limit", type=float, required=True)
        parser.add_argument("--threads", type=int, default=1)
        asked = parser.parse_args()
        self.source, self.target, self.limit, self.threads = asked.source, asked.target, asked.limit, asked.threads
        with open(asked.file, encoding="utf-8") as lines:
            self.nodes, _, directed = map(int, next(lines).split())
            self.directed = directed == 1
            self.edges = {(source, target): weight for source, target, weight in (map(int, line.split()) for line in lines)}
        self.is_free = self.source is None

    def seconds_left(self):
        return self.limit - (time.monotonic() - BEGAN)

    def steps(self):
        """Every edge in every direction that it may be walked in, with its weight."""
        for (source, target), weight in self.edges.items():
            yield source, target, weight
            if not self.directed:
                yield target, source, weight

    def length(self, path):
        return sum(self.edges.get(step, self.edges.get(step[::-1], 0)) for step in zip(path, path[1:]))


def tell(path, bound=None, proved=False):
    print(json.dumps({"path": path, "bound": bound, "proved": proved, "refused": None}), flush=True)


def refuse(reason):
    print(json.dumps({"path": None, "bound": None, "proved": False, "refused": reason}), flush=True)
