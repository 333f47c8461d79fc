#!/usr/bin/env python3
"""check.py GRAPH PROOF: a second checker of longhaul's proofs, for readers who trust nothing compiled.

It knows every step but `sweep`, and shares nothing with longhaul-check but docs/proof.md. Standard library only. Prints
VERIFIED and exits with 0, or tells what is wrong and exits with 1; with 3 where the proof has a sweep.
"""
import itertools
import sys

WORDS = """graph directed undirected without path cycle first last all only best claim none set blossom close reduce case sweep
end at out in ends starts finishes cut use tip some edge visit start finish prizes root lost""".split()
FREE, ZERO, ONE, EMPTY = range(4)
class Refused(Exception): """The proof does not hold."""
class Sweep(Exception): """The proof needs the other checker."""
def demand(condition, why):
    if not condition:
        raise Refused(why)
def read_graph(name):
    """Directed or not, the number of vertices, and the heaviest edge for each pair of them."""
    directed, n, pairs, names = False, 0, [], {}
    text = open(name, encoding="utf-8").read().splitlines()
    rows = [line.split("#")[0].split() if not name.endswith((".gr", ".col")) else line.split() for line in text]
    if name.endswith(".deck"):
        fold = lambda word: str(int(word)) if word.isdigit() else word.lower()
        cards = [(fold(row[0]), fold(row[1])) for row in rows if row and not row[0].startswith("---")]
        n = len(cards)
        pairs = [(u, v, 1) for v in range(n) for u in range(v) if cards[u][0] == cards[v][0] or cards[u][1] == cards[v][1]]
    elif name.endswith((".gr", ".col", ".dimacs")):
        for row in rows:
            if row and row[0] == "p":
                directed, n = row[1] in ("arc", "sp"), int(row[2])
            elif row and row[0] in ("e", "a"):
                pairs.append((int(row[1]) - 1, int(row[2]) - 1, int(row[3]) if len(row) > 3 else 1))
    else:
        for row in rows:
            if row and not row[0].startswith("%"):
                u, v = (names.setdefault(word, len(names)) for word in row[:2])
                pairs.append((u, v, int(row[2]) if len(row) > 2 else 1))
        n = len(names)
    weight = {}
    for u, v, w in (row for row in pairs if row[0] != row[1]):
        pair = (u, v) if directed or u < v else (v, u)
        weight[pair] = max(w, weight.get(pair, w))
    return directed, n, weight
def digest(directed, n, weight):
    """FNV-1a over everything, shifted to be positive."""
    state, numbers = 0xCBF29CE484222325, [n, int(directed)]
    for u, v in sorted(weight):
        numbers += [u << 32 | v, weight[u, v] & (1 << 64) - 1]
    for number in numbers:
        for byte in number.to_bytes(8, "little"):
            state = (state ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return state >> 1
def read_tokens(name):
    data = open(name, "rb").read()
    if not data.startswith(b"\0LHP"):
        words = data.decode("ascii", "replace").split()
        demand(words[:1] == ["longhaul-proof"], "this is no proof")
        for word in words[1:]:
            if word not in WORDS:
                demand(word.lstrip("-").isdigit(), f"'{word}' is neither a number nor a word of proofs")
            yield word if word in WORDS else int(word)
        return
    value = shift = 0
    for byte in data[4:]:
        value |= (byte & 127) << shift
        shift += 7
        demand(shift <= 70, "a number of more than ten bytes")
        if byte < 128:
            half = value >> 1
            demand(not value & 1 or half < len(WORDS), "no word has that number")
            yield WORDS[half] if value & 1 else (half >> 1) ^ -(half & 1)
            value = shift = 0

class Checker:
    def __init__(self, graph_name, proof_name):
        self.directed, self.n, self.weight = read_graph(graph_name)
        self.tokens = read_tokens(proof_name)
        self.cuts, self.trail, self.factor, self.trails = [], [], 1, False
    def next(self, kind=object):
        token = next(self.tokens, None)
        demand(token is not None and isinstance(token, kind), f"{token!r} in a wrong place; None where it is cut short")
        return token
    def expect(self, word):
        demand(self.next() == word, f"'{word}' is missing")
    def vertex(self):
        return self.vertex_of(self.n)
    def vertex_of(self, count):
        vertex = self.next(int)
        demand(1 <= vertex <= count, f"there is no vertex {vertex}")
        return vertex - 1
    def vertices(self):
        return [self.vertex() for _ in range(self.next(int))]
    def edge(self):
        if self.trails:
            return self.vertex_of(self.cards)
        u, v = self.vertex(), self.vertex()
        pair = (u, v) if self.directed or u < v else (v, u)
        demand(pair in self.weight, f"there is no edge {u + 1} {v + 1}")
        return pair
    def read_question(self):
        demand(self.next() == 1, "a proof of another version than 1")
        self.expect("graph")
        told = (self.next(int), self.next(int), self.next(str), self.next(int))
        word, absent = self.next(str), set()
        if word == "without":
            absent, word = set(self.vertices()), self.next(str)
        self.weight = {pair: w for pair, w in self.weight.items() if not absent & set(pair)}
        here = (self.n, len(self.weight), "directed" if self.directed else "undirected")
        demand(told == here + (digest(self.directed, self.n, self.weight),), "this is a proof about another graph")
        prizes_of = {}
        if word == "prizes":
            prizes_of = dict((self.vertex(), self.next(int)) for _ in range(self.next(int)))
            word = self.next(str)
            self.factor = 1 if self.directed else 2
            earned = lambda u, v: prizes_of.get(v, 0) + (0 if self.directed else prizes_of.get(u, 0))
            self.weight = {pair: self.factor * w + earned(*pair) for pair, w in self.weight.items()}
        self.closed, self.through = word == "cycle", None
        self.first, self.last = {}, {}
        if self.closed:
            through = self.next(int)
            demand(0 <= through <= self.n, f"there is no vertex {through}")
            self.through = through - 1 if through else None
        else:
            demand(word == "path", "'path' or 'cycle' is missing")
            for prizes, name in ((self.first, "first"), (self.last, "last")):
                self.expect(name)
                kind = self.next()
                demand(kind in ("all", "only"), "'all' or 'only' is missing")
                given = [(v, 0) for v in range(self.n)]
                if kind == "only":
                    given = [(self.vertex(), self.next(int)) for _ in range(self.next(int))]
                own = prizes_of.get if name == "first" or not self.directed else lambda v, default: default
                prizes.update((v, self.factor * prize + own(v, 0)) for v, prize in given if v not in absent)
        self.alike = not self.directed and not self.closed and self.first == self.last
        self.around = [[] for _ in range(self.n)]
        [self.around[v].append(pair) for pair in self.weight for v in pair]
    def value(self, path):
        demand(len(set(path)) == len(path), "the path visits a vertex twice")
        steps = list(zip(path, path[1:]))
        total = 0
        if self.closed:
            steps.append((path[-1], path[0]))
            demand(len(path) >= (2 if self.directed else 3), "the cycle is too short")
            demand(self.through is None or self.through in path, "the cycle misses the vertex it must visit")
        else:
            demand(path[0] in self.first and path[-1] in self.last, "the path ends where it may not")
            total = self.first[path[0]] + self.last[path[-1]]
        for u, v in steps:
            pair = (u, v) if self.directed or u < v else (v, u)
            demand(pair in self.weight, f"there is no edge {u + 1} {v + 1}")
            total += self.weight[pair]
        return total
    def column(self):
        if (kind := self.next(str)) == "edge" or (kind == "lost" and self.trails):
            return (kind, self.edge())
        demand(kind in (("visit", "tip") if self.alike else ("visit", "start", "finish")), f"no column '{kind}'")
        return ("start" if kind == "tip" else kind, self.vertex())
    def read_root(self):
        """From now on all is about trails: edges are cards, by their number."""
        demand(not self.directed and not self.closed and self.claim is not None, "a root of another question")
        demand(max([0, *self.first.values(), *self.last.values()]) == 0, "a root, and ends that earn")
        count = self.next(int)
        self.ends = [(self.next(int) - 1, self.next(int) - 1) for _ in range(self.n)]
        demand(all(min(pair) >= -1 and max(pair) < count and (pair == (-1, -1) or min(pair) >= 0) for pair in self.ends), "a wrong root")
        for (u, v), w in self.weight.items():
            demand(w <= 1, "a root, and an edge that weighs more than 1")
            demand(set(self.ends[u]) & set(self.ends[v]) - {-1}, f"{u + 1} and {v + 1} are neighbours and share no end")
        self.trails, self.cards, self.n = True, self.n, count
        self.real = [edge for edge in range(self.cards) if self.ends[edge][0] >= 0]
        self.around = [[] for _ in range(count)]
        met = [0] * count
        for edge in self.real:
            for v in set(self.ends[edge]):
                met[v] += 1
                if len(set(self.ends[edge])) > 1:
                    self.around[v].append(edge)
        demand(max(met, default=0) - 1 <= self.claim, "more edges than claimed meet in one vertex")
        self.weight = {edge: 0 for edge in range(self.cards)}
        self.first = self.last = {v: 0 for v in range(count)}
        self.alike, self.through = True, None
    def initial_ranges(self):
        self.range = {("edge", pair): FREE for pair in self.weight}
        for v in range(self.n):
            self.range["visit", v] = ONE if v == self.through else FREE
            self.range["start", v] = FREE if v in self.first else ZERO
            self.range["finish", v] = FREE if v in self.last and not self.alike else ZERO
        for edge in range(self.cards) if self.trails else ():
            self.range["lost", edge] = FREE
            if self.ends[edge][0] == self.ends[edge][1]:
                self.range["edge", edge] = ZERO
    def row(self):
        """A row with its multiplier: coefficients, the right-hand side, whether it is an equation."""
        kind, row, most, equation = self.next(str), {}, 0, False
        if kind in ("at", "out", "in"):
            v = self.vertex()
            demand((kind == "at") != self.directed, f"no row '{kind}'")
            side = {"at": None, "out": 0, "in": 1}[kind]
            row = {("edge", pair): 1 for pair in self.around[v] if side is None or pair[side] == v}
            ends = {"at": ("start", "finish"), "out": ("finish",), "in": ("start",)}[kind]
            row.update(((end, v), 1) for end in ends)
            row["visit", v], equation = (-2 if kind == "at" else -1), True
            if self.trails and len(self.around[v]) > 2:
                row, equation = {column: -value for column, value in row.items()}, False
        elif kind == "lost":
            demand(self.trails, "no row 'lost'")
            edge = self.edge()
            row, most = {("visit", v): -1 for v in self.ends[edge] if v >= 0}, -(self.ends[edge][0] >= 0)
            row["lost", edge] = -1
        elif kind in ("ends", "starts", "finishes"):
            demand(not self.closed and (kind == "ends") == self.alike, f"no row '{kind}'")
            row = {("finish" if kind == "finishes" else "start", v): 1 for v in range(self.n)}
            most, equation = (2 if kind == "ends" else 1), True
        elif kind == "some":
            row = {("visit", v): -1 for v in range(self.n)}
            most = -3 if self.closed and not self.directed else -2
        elif kind == "use":
            pair, v = self.edge(), self.vertex()
            demand(v in (self.ends[pair] if self.trails else pair), "an edge of another vertex")
            row = {("edge", pair): 1, ("visit", v): -1}
        elif kind == "tip":
            v = self.vertex()
            row = {("start", v): 1, ("finish", v): 1, ("visit", v): -1}
        else:
            demand(kind == "cut", f"no row '{kind}'")
            number = self.next(int)
            demand(0 <= number < len(self.cuts), f"there is no cut {number}")
            row, most = self.cuts[number]
        multiplier = self.next(int)
        demand(multiplier >= 0 or equation, "a negative multiplier")
        return row, most, multiplier
    def read_cut(self, kind):
        visited, outer = (self.vertex(), self.next(int)) if kind == "set" else (None, 0)
        inside = self.vertices()
        held = set(inside)
        demand(len(held) == len(inside), "a vertex twice in a set")
        ends = (lambda edge: self.ends[edge]) if self.trails else (lambda pair: pair)
        row = {("visit", v): -1 for v in inside}
        row.update((("edge", pair), 1) for v in inside for pair in self.around[v] if held.issuperset(ends(pair)))
        most = 0
        if self.trails:
            row = {("start", v): -1 for v in inside}
            row.update((("edge", edge), -1) for v in inside for edge in self.around[v] if not held.issuperset(ends(edge)))
        if self.trails and kind == "set":
            demand(visited in held and outer == 0, "a wrong set")
            row["visit", visited] = 2
        elif kind == "set":
            demand(visited in held and 0 <= outer <= self.n and (outer > 0) == self.closed, "a wrong set")
            row["visit", visited] += 1
            if outer:
                demand(outer - 1 not in held, "the outer vertex is inside")
                row["visit", outer - 1], most = 1, 1
        else:
            teeth = [self.column() for _ in range(self.next(int))]
            crosses = lambda name, what: len(held & set(ends(what))) == 1 if name == "edge" else name in ("start", "finish") and what in held
            demand(not self.trails or len(teeth) % 2, "an even number of teeth")
            demand(not self.directed and len(set(teeth)) == len(teeth), "a wrong blossom")
            demand(all(crosses(*tooth) for tooth in teeth), "a tooth that does not cross the border")
            row.update((tooth, 1) for tooth in teeth)
            most = len(teeth) - 1 if self.trails else len(teeth) // 2
        self.cuts.append((row, most))
    def combine(self):
        """Gains, bound within the ranges, and what a better path needs."""
        scale = self.next(int)
        demand(scale >= 0, "a negative scale")
        demand(scale == 0 or self.claim is not None, "that there is no path is shown with the scale 0")
        gains = {("edge", pair): scale * w for pair, w in self.weight.items()}
        gains.update((("start", v), scale * prize) for v, prize in self.first.items())
        gains.update((("finish", v), scale * prize) for v, prize in self.last.items())
        bound = 0
        if self.trails:
            gains.update((("lost", edge), -scale) for edge in self.real)
            bound = scale * (len(self.real) - 1)
        for _ in range(self.next(int)):
            row, most, multiplier = self.row()
            bound += multiplier * most
            for column, coefficient in row.items():
                gains[column] = gains.get(column, 0) - multiplier * coefficient
        for column, gain in gains.items():
            bound += max(gain, 0) if self.range[column] == FREE else gain if self.range[column] == ONE else 0
        if EMPTY in self.range.values():
            bound = float("-inf")
        return gains, bound, scale * (self.claim + 1) * self.factor if scale else 0
    def set(self, column, value):
        before = self.range[column]
        if before != value:
            self.trail.append((column, before))
            self.range[column] = value if before == FREE else EMPTY
    def fix(self, column, value):
        self.set(column, value)
        if column[0] == "visit" and value == ZERO:
            for also in [("edge", pair) for pair in self.around[column[1]]] + [("start", column[1]), ("finish", column[1])]:
                self.set(also, ZERO)
    def prove(self):
        opened = []
        while True:
            while (word := self.next(str)) in ("set", "blossom"):
                self.read_cut(word)
            demand(word in ("close", "reduce", "case", "sweep"), f"'{word}' where a step should be")
            before = len(self.trail)
            if word == "sweep":
                raise Sweep
            if word == "case":
                opened.append((self.column(), before))
                self.fix(opened[-1][0], ONE)
                continue
            gains, bound, needed = self.combine()
            if word == "reduce":
                opened.append((None, before))
                for column, gain in gains.items():
                    if self.range[column] == FREE and bound - abs(gain) < needed:
                        self.fix(column, ONE if gain > 0 else ZERO)
                continue
            demand(bound < needed, f"the multipliers show {bound}, and less than {needed} was to be shown")
            while True:
                if not opened:
                    return
                column, before = opened.pop()
                while len(self.trail) > before:
                    fixed, range_before = self.trail.pop()
                    self.range[fixed] = range_before
                if column is not None:
                    opened.append((None, before))
                    self.fix(column, ZERO)
                    break
    def check(self):
        self.read_question()
        self.expect("best")
        path = self.vertices()
        length = self.value(path) if path else None
        self.expect("claim")
        token = self.next()
        demand(token == "none" or isinstance(token, int), "a claim is a number or 'none'")
        self.claim = None if token == "none" else token
        beats = lambda value: self.claim is None or value >= (self.claim + 1) * self.factor
        demand(length is None or not beats(length), "the proof's own path beats its claim")
        lone = [self.first[v] + self.last[v] for v in self.first if v in self.last]
        demand(not any(map(beats, lone)), "a single vertex beats the claim")
        word = self.next(str)
        if word == "root":
            self.read_root()
        else:
            self.tokens = itertools.chain([word], self.tokens)
        self.initial_ranges()
        for v in range(self.n):
            if not self.around[v] and self.range["visit", v] == FREE:
                self.fix(("visit", v), ZERO)
        self.trail.clear()
        self.prove()
        self.expect("end")
        kind = "infeasible" if self.claim is None else f"{'optimal' if length == (self.claim or 0) * self.factor else 'bound'} {self.claim}"
        return f"VERIFIED {kind}"

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        print(Checker(*sys.argv[1:]).check())
    except Sweep:
        print("this proof has a sweep: ask longhaul-check")
        sys.exit(3)
    except Refused as why:
        sys.exit(f"NOT VERIFIED: {why}")
