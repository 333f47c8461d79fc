#!/usr/bin/env python3
"""check.py GRAPH PROOF: a second checker of longhaul's proofs, for readers who trust nothing compiled.

It knows every step but `sweep`, and shares nothing with longhaul-check but docs/proof.md. Standard library only. Prints
VERIFIED and exits with 0, or tells what is wrong and exits with 1; with 3 where the proof has a sweep.
"""
import copy, itertools, sys

WORDS = """graph directed undirected without path cycle first last all only best claim none set blossom close reduce case sweep
end at out in ends starts finishes cut use tip some edge visit start finish prizes root lost part
learn side lemma tie leave enter hang even loss""".split()
FREE, ZERO, ONE, EMPTY = range(4)
class Refused(Exception): """The proof does not hold."""
class Sweep(Exception): """The proof needs the other checker."""
def demand(condition, why):
    if not condition: raise Refused(why)
def read_graph(name):
    """Directed or not, the number of vertices, and the heaviest edge for each pair of them."""
    directed, n, pairs, names = False, 0, [], {}
    plain = (lambda line: line) if name.endswith((".gr", ".col")) else lambda line: line.split("#")[0]
    rows = [plain(line).split() for line in open(name, encoding="utf-8").read().splitlines()]
    if name.endswith(".deck"):
        fold = lambda word: str(int(word)) if word.isdigit() else word.lower()
        cards = [(fold(row[0]), fold(row[1])) for row in rows if row and not row[0].startswith("---")]
        n, agree = len(cards), lambda one, other: one[0] == other[0] or one[1] == other[1]
        pairs = [(u, v, 1) for v in range(n) for u in range(v) if agree(cards[u], cards[v])]
    elif name.endswith((".gr", ".col", ".dimacs")):
        for row in rows:
            if row and row[0] == "p": directed, n = row[1] in ("arc", "sp"), int(row[2])
            elif row and row[0] in ("e", "a"): pairs.append((int(row[1]) - 1, int(row[2]) - 1, int(row[3]) if len(row) > 3 else 1))
    else:
        for row in (row for row in rows if row and not row[0].startswith("%")):
            u, v = (names.setdefault(word, len(names)) for word in row[:2])
            pairs.append((u, v, int(row[2]) if len(row) > 2 else 1))
        n = len(names)
    weight = {}
    for u, v, w in (row for row in pairs if row[0] != row[1]):
        pair = (u, v) if directed or u < v else (v, u)
        weight[pair] = max(w, weight.get(pair, w))
    return directed, n, weight
def digest(directed, n, weight):
    state, numbers = 0xCBF29CE484222325, [n, int(directed)]  # FNV-1a over everything, shifted to be positive
    for u, v in sorted(weight): numbers += [u << 32 | v, weight[u, v] & (1 << 64) - 1]
    for byte in b"".join(number.to_bytes(8, "little") for number in numbers):
        state = (state ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return state >> 1
def read_tokens(name):
    data = open(name, "rb").read()
    if not data.startswith(b"\0LHP"):
        words = data.decode("ascii", "replace").split()
        demand(words[:1] == ["longhaul-proof"], "this is no proof")
        for word in words[1:]:
            demand(word in WORDS or word.lstrip("-").isdigit(), f"'{word}' is neither a number nor a word of proofs")
            yield word if word in WORDS else int(word)
        return
    value = shift = 0
    for byte in data[4:]:
        value, shift = value | (byte & 127) << shift, shift + 7
        demand(shift <= 70, "a number of more than ten bytes")
        if byte < 128:
            half = value >> 1
            demand(not value & 1 or half < len(WORDS), "no word has that number")
            yield WORDS[half] if value & 1 else (half >> 1) ^ -(half & 1)
            value = shift = 0
class Checker:
    def __init__(self, graph_name, proof_name):
        (self.directed, self.n, self.weight), self.tokens = read_graph(graph_name), read_tokens(proof_name)
        self.factor, self.trails, self.real = 1, False, []
    def next(self, kind=object):
        token = next(self.tokens, None)
        demand(token is not None and isinstance(token, kind), f"{token!r} in a wrong place; None where it is cut short")
        return token
    def expect(self, word):
        demand(self.next() == word, f"'{word}' is missing")
    def number_or_none(self):
        demand((token := self.next()) == "none" or isinstance(token, int), "a claim is a number or 'none'")
        return None if token == "none" else token
    def vertex(self, count=None):
        demand(1 <= (vertex := self.next(int)) <= (self.n if count is None else count), f"there is no vertex {vertex}")
        return vertex - 1
    def vertices(self):
        return [self.vertex() for _ in range(self.next(int))]
    def prizes(self):
        return [(self.vertex(), self.next(int)) for _ in range(self.next(int))]
    def edge(self):
        return self.vertex(self.cards) if self.trails else self.edge_between(self.vertex(), self.vertex())
    def edge_between(self, u, v):
        pair = (u, v) if self.directed or u < v else (v, u)
        demand(pair in self.weight, f"there is no edge {u + 1} {v + 1}")
        return pair
    def read_question(self):
        demand((self.next(), self.next()) == (1, "graph"), "a proof of another version than 1")
        told, word, absent = [self.next(kind) for kind in (int, int, str, int)], self.next(str), set()
        if word == "without": absent, word = set(self.vertices()), self.next(str)
        self.weight = {pair: w for pair, w in self.weight.items() if not absent & set(pair)}
        here = [self.n, len(self.weight), f"{'' if self.directed else 'un'}directed", digest(self.directed, self.n, self.weight)]
        demand(told == here, "this is a proof about another graph")
        prizes_of = {}
        if word == "prizes":
            prizes_of, word = dict(self.prizes()), self.next(str)
            self.factor = 1 if self.directed else 2
            earned = lambda u, v: prizes_of.get(v, 0) + (0 if self.directed else prizes_of.get(u, 0))
            self.weight = {pair: self.factor * w + earned(*pair) for pair, w in self.weight.items()}
        self.closed, self.through, self.first, self.last = word == "cycle", None, {}, {}
        if self.closed:
            demand(0 <= (through := self.next(int)) <= self.n, f"there is no vertex {through}")
            self.through = through - 1 if through else None
        else:
            demand(word == "path", "'path' or 'cycle' is missing")
            for prizes, name in ((self.first, "first"), (self.last, "last")):
                demand(self.next() == name and (kind := self.next()) in ("all", "only"), f"'{name} all' or 'only' is missing")
                given = [(v, 0) for v in range(self.n)] if kind == "all" else self.prizes()
                own = prizes_of.get if name == "first" or not self.directed else lambda v, default: default
                prizes.update((v, self.factor * prize + own(v, 0)) for v, prize in given if v not in absent)
    def about(self, kept, first, last):
        """The same question about some vertices alone, with these ends."""
        other = copy.copy(self)
        other.weight = {pair: w for pair, w in self.weight.items() if kept.issuperset(pair)}
        other.first, other.last = ({v: prize for v, prize in ends.items() if v in kept} for ends in (first, last))
        other.alike = not self.directed and not self.closed and other.first == other.last
        other.around = [[] for _ in range(self.n)]
        [other.around[v].append(pair) for pair in other.weight for v in pair]
        return other
    def without_part(self):
        """The question without a part that hangs on a vertex, which earns what paths in the part do as far as there."""
        holder, part = self.vertex(), set(self.vertices())
        near, rest, ends = part | {holder}, set(range(self.n)) - part, (dict(self.first), dict(self.last))
        hangs = all(near.issuperset(pair) or part.isdisjoint(pair) for pair in self.weight) and holder not in part
        demand(hangs, "a part that hangs on more than one vertex")
        (within := self.about(near, *ends)).prove()
        for side in () if self.closed else (0,) if within.alike else (0, 1):
            tail = self.about(near, {holder: 0}, within.last) if side else self.about(near, within.first, {holder: 0})
            tail.needed = None if (worth := self.number_or_none()) is None else worth + 1
            tail.prove()
            for prizes in () if worth is None else ends if within.alike else ends[side : side + 1]:
                prizes[holder] = max(prizes.get(holder, worth), worth)
        return self.about(rest, *ends)
    def value(self, path):
        demand(len(set(path)) == len(path), "the path visits a vertex twice")
        steps, total = zip(path, path[1:] + path[:1] if self.closed else path[1:]), 0
        if self.closed:
            demand(len(path) >= (2 if self.directed else 3) and self.through in (None, *path), "no such cycle is asked for")
        else:
            demand(path[0] in self.first and path[-1] in self.last, "the path ends where it may not")
            total = self.first[path[0]] + self.last[path[-1]]
        return total + sum(self.weight[self.edge_between(u, v)] for u, v in steps)
    def column(self):
        if (kind := self.next(str)) == "edge" or (kind == "lost" and self.trails):
            return (kind, self.edge())
        demand(kind in (("visit", "tip") if self.alike else ("visit", "start", "finish")), f"no column '{kind}'")
        return ("start" if kind == "tip" else kind, self.vertex())
    def read_root(self):
        demand(not self.directed and not self.closed and self.claim is not None, "a root of another question")
        earned = [0, *self.first.values(), *self.last.values(), *(weight - 1 for weight in self.weight.values())]
        demand(max(earned) == 0, "a root, and ends that earn, or edges that weigh more than 1")
        count, self.ends = self.next(int), [(self.next(int) - 1, self.next(int) - 1) for _ in range(self.n)]
        demand(all(0 <= u < count and 0 <= v < count or u == v == -1 for u, v in self.ends), "a wrong root")
        demand(all(set(self.ends[u]) & set(self.ends[v]) - {-1} for u, v in self.weight), "neighbours that share no end")
        self.trails, self.cards, self.n = True, self.n, count
        self.real = [edge for edge in range(self.cards) if self.ends[edge][0] >= 0]
        met = [[edge for edge in self.real if v in self.ends[edge]] for v in range(count)]
        demand(max(map(len, met), default=0) - 1 <= self.claim, "more edges than claimed meet in one vertex")
        self.around = [[edge for edge in edges if len(set(self.ends[edge])) > 1] for edges in met]
        self.weight, self.alike, self.through = dict.fromkeys(range(self.cards), 0), True, None
        self.first = self.last = dict.fromkeys(range(count), 0)
    def initial_ranges(self):
        self.range = {("edge", pair): FREE for pair in self.weight}
        self.range.update((("visit", v), ONE if v == self.through else FREE) for v in range(self.n))
        for end, prizes in (("start", self.first), ("finish", {} if self.alike else self.last)):
            self.range.update(((end, v), FREE if v in prizes else ZERO) for v in range(self.n))
        for edge, (one, two) in enumerate(self.ends if self.trails else ()):
            self.range["lost", edge], self.range["edge", edge] = FREE, ZERO if one == two else FREE
        self.cuts, self.trail = [], []
        for v in (v for v in range(self.n) if not self.around[v] and self.range["visit", v] == FREE):
            self.fix(("visit", v), ZERO)
    def row(self, kind):
        row, most, equation = {}, 0, False  # coefficients, right-hand side, is it an equation?
        if kind in ("at", "out", "in"):
            v = self.vertex()
            demand((kind == "at") != self.directed, f"no row '{kind}'")
            side, ends = {"at": (None, ("start", "finish")), "out": (0, ("finish",)), "in": (1, ("start",))}[kind]
            row = {("edge", pair): 1 for pair in self.around[v] if side is None or pair[side] == v}
            row |= {**{(end, v): 1 for end in ends}, ("visit", v): -2 if kind == "at" else -1}
            equation = not self.trails or len(self.around[v]) <= 3
            if not equation: row = {column: -value for column, value in row.items()}
        elif kind == "lost":
            demand(self.trails, "no row 'lost'")
            most = -((ends := self.ends[edge := self.edge()])[0] >= 0)
            row = {("lost", edge): -1, ("edge", edge): int(ends[0] != ends[1]), **{("visit", v): -1 for v in ends if v >= 0}}
        elif kind in ("ends", "starts", "finishes"):
            demand(not self.closed and (kind == "ends") == self.alike, f"no row '{kind}'")
            row = {("finish" if kind == "finishes" else "start", v): 1 for v in range(self.n)}
            most, equation = (2 if kind == "ends" else 1), True
        elif kind == "some":
            row, most = {("visit", v): -1 for v in range(self.n)}, -3 if self.closed and not self.directed else -2
        elif kind == "use":
            pair, v = self.edge(), self.vertex()
            demand(v in (self.ends[pair] if self.trails else pair), "an edge of another vertex")
            row = {("edge", pair): 1, ("visit", v): -1}
        elif kind == "tip":
            row = dict(zip(itertools.product(("start", "finish", "visit"), [self.vertex()]), (1, 1, -1)))
        else:
            demand(kind == "cut" and 0 <= (number := self.next(int)) < len(self.cuts), f"no such row or cut '{kind}'")
            row, most = self.cuts[number]
        return row, most, equation
    def read_cut(self, kind):
        visited, outer = (self.vertex(), self.next(int)) if kind == "set" else (None, 0)
        inside, most = self.vertices(), 0
        held = set(inside)
        ends = (lambda edge: self.ends[edge]) if self.trails else (lambda pair: pair)
        demand(len(held) == len(inside), "a vertex twice in a set")
        near = [("edge", edge) for v in inside for edge in self.around[v] if held.issuperset(ends(edge)) != self.trails]
        row = {("start" if self.trails else "visit", v): -1 for v in inside}
        row.update(dict.fromkeys(near, -1 if self.trails else 1))
        if kind == "set":
            demand(visited in held and (outer > 0) == self.closed and outer - 1 in {-1, *range(self.n)} - held, "a wrong set")
            row["visit", visited] = 2 if self.trails else 0
            if outer: row["visit", outer - 1], most = 1, 1
        else:
            teeth = [self.column() for _ in range(self.next(int))]
            is_edge = lambda name, what: name == "edge" and len(held & set(ends(what))) == 1
            crosses = lambda name, what: is_edge(name, what) or (name in ("start", "finish") and what in held)
            demand(all(crosses(*tooth) for tooth in teeth), "a tooth that does not cross the border")
            is_sound = not self.directed and len(set(teeth)) == len(teeth) and (not self.trails or len(teeth) % 2)
            demand(is_sound, "a wrong blossom, or an even number of teeth")
            row.update(dict.fromkeys(teeth, 1))
            most = len(teeth) - 1 if self.trails else len(teeth) // 2
        self.cuts.append((row, most))
    def combine(self):
        """Gains, bound within the ranges, and what a better path needs."""
        demand((scale := self.next(int)) >= 0, "a negative scale")
        demand(scale == 0 or self.needed is not None, "that there is no path is shown with the scale 0")
        worths = (("edge", self.weight), ("start", self.first), ("finish", self.last))
        gains = {(name, what): scale * worth for name, all_of in worths for what, worth in all_of.items()}
        gains.update((("lost", edge), -scale) for edge in self.real)
        bound = scale * (len(self.real) - 1) if self.trails else 0
        for _ in range(self.next(int)):
            row, most, equation = self.row(self.next(str))
            demand((multiplier := self.next(int)) >= 0 or equation, "a negative multiplier")
            bound += multiplier * most
            gains.update({column: gains.get(column, 0) - multiplier * value for column, value in row.items()})
        for column, gain in gains.items():
            bound += max(gain, 0) if self.range[column] == FREE else gain if self.range[column] == ONE else 0
        return gains, float("-inf") if EMPTY in self.range.values() else bound, scale * self.needed if scale else 0
    def fix(self, column, value):
        unvisited = [column[1]] if column[0] == "visit" and value == ZERO else []
        edges = [("edge", pair) for v in unvisited for pair in self.around[v]]
        for column in [column, *edges, *itertools.product(("start", "finish"), unvisited)]:
            if (before := self.range[column]) != value:
                self.trail.append((column, before))
                self.range[column] = value if before == FREE else EMPTY
    def prove(self):
        self.initial_ranges()
        opened = []
        while True:
            while (word := self.next(str)) in ("set", "blossom"): self.read_cut(word)
            if word == "sweep": raise Sweep
            demand(word in ("close", "reduce", "case", "learn"), f"'{word}' where a step should be")
            before = len(self.trail)
            if word == "case":
                self.fix(column := self.column(), ONE)
                opened.append((column, before))
                continue
            if word == "learn": Learner(self)
            gains, bound, needed = self.combine() if word != "learn" else ({}, 0, 1)
            if word == "reduce":
                opened.append((None, before))
                for column, gain in gains.items():
                    if self.range[column] == FREE and bound - abs(gain) < needed:
                        self.fix(column, ONE if gain > 0 else ZERO)
                continue
            demand(bound < needed, f"the multipliers show {bound}, and less than {needed} was to be shown")
            column = None
            while column is None:
                if not opened: return
                column, before = opened.pop()
                while len(self.trail) > before: self.range.update([self.trail.pop()])
            opened.append((None, before))
            self.fix(column, ZERO)
    def check(self):
        self.read_question()
        self.expect("best")
        length = self.value(path) if (path := self.vertices()) else None
        self.expect("claim")
        self.claim = self.number_or_none()
        self.needed = None if self.claim is None else (self.claim + 1) * self.factor
        beats = lambda value: self.claim is None or value >= self.needed
        demand(length is None or not beats(length), "the proof's own path beats its claim")
        demand(not any(beats(self.first[v] + self.last[v]) for v in self.first if v in self.last), "a vertex beats the claim")
        steps = self.about(set(range(self.n)), self.first, self.last)
        while (word := self.next(str)) == "part": steps = steps.without_part()
        if word == "root": steps.read_root()  # from here on all is about trails; edges are cards, by their number
        else: steps.tokens = itertools.chain([word], steps.tokens)
        steps.prove()
        steps.expect("end")
        if self.claim is None: return "VERIFIED infeasible"
        return f"VERIFIED {'optimal' if length == self.claim * self.factor else 'bound'} {self.claim}"
class Learner:
    """The step `learn`: clauses, the contrary of each refuted by what its hints name, down to one without literals."""
    def __init__(self, checker):
        self.checker, self.next = checker, checker.next
        demand(not checker.trails, "nothing is learnt of trails")
        self.gains, bound, needed = checker.combine()
        demand(EMPTY not in checker.range.values(), "learning where no path is left")
        self.value = {column: kind == ONE for column, kind in checker.range.items() if kind != FREE}
        self.slack, self.lost, self.trail, self.read_as, self.refuted = bound - needed, 0, [], {}, False
        self.names = [checker.column() for _ in range(self.next(int))]
        self.sides, self.clauses = [], []
        while (word := self.next(str)) != "lemma" or self.lemma():
            demand(word in ("side", "lemma", "tie"), f"'{word}' in the step 'learn'")
            if word == "side": self.read_side()
            if word == "tie": self.tie()
    def literal(self, number):
        demand(0 < abs(number) <= len(self.names), f"there is no column {number}")
        return self.names[abs(number) - 1], number > 0
    def read(self, column, value=True):
        """The column that this one is read as, and what it is where this one has the value."""
        while column in self.read_as: column, value = self.read_as[column][0], value == self.read_as[column][1]
        return column, value
    def known(self, column):
        column, value = self.read(column)
        return None if column not in self.value else self.value[column] == value
    def loss(self, column, value):
        return max(0, -self.gains.get(column, 0) if value else self.gains.get(column, 0))
    def assign(self, column, value):
        """Whether that is a contradiction."""
        column, value = self.read(column, value)
        if column in self.value: return self.value[column] != value
        self.value[column] = value
        self.trail.append(column)
        self.lost += self.loss(column, value)
        return False
    def read_side(self):
        checker, (has_ends, inside) = self.checker, (self.next(int), self.checker.vertices())
        demand(has_ends in (0, 1) and not (has_ends and checker.closed), "a wrong side")
        held = set(inside)
        demand(len(held) == len(inside), "a vertex twice in a side")
        out, into = ({("edge", p) for p in checker.weight if (p[0] in held) != (p[1] in held) and leads(p)} for leads in
                     (lambda p: not checker.directed or p[0] in held, lambda p: not checker.directed or p[1] in held))
        for v in range(checker.n) if not checker.closed else ():
            if (v in held) != has_ends:  # from the finish to the ends, and from there to the start
                out.add(("start" if checker.alike or has_ends else "finish", v))
                into.add(("start" if checker.alike or not has_ends else "finish", v))
        self.sides.append((held | ({-1} if has_ends else set()), out, into))
    def tie(self):
        one, other = ([self.literal(x) for x in self.clause(self.next(int))] for _ in range(2))
        contrary = [(column, not value) for column, value in other]
        demand(len(one) == 2 and one in (contrary, contrary[::-1]), "no tie")
        (first, is_first), (second, is_second) = (self.read(*literal) for literal in one)
        if first in self.value: first, second, is_first, is_second = second, first, is_second, is_first
        if first == second or first in self.value: return
        demand(self.gains.get(first, 0) == 0, "a tie of what gains something")
        self.read_as[first] = second, is_first != is_second
    def clause(self, number):
        demand(0 <= number < len(self.clauses), f"there is no clause {number}")
        return self.clauses[number]
    def lemma(self):
        """Whether more is to come."""
        clause, before, lost, shown = [self.next(int) for _ in range(self.next(int))], len(self.trail), self.lost, self.refuted
        for column, value in map(self.literal, clause): shown |= self.assign(column, not value)
        for _ in range(self.next(int)):
            follow = self.hint(self.next())
            shown = shown or follow()
        demand(shown, f"the hints of clause {len(self.clauses)} lead to no contradiction")
        for column in self.trail[before:]: del self.value[column]
        self.trail[before:], self.lost = [], lost
        self.clauses.append(clause)
        if len(clause) == 1: self.refuted |= self.assign(*self.literal(clause[0]))
        return bool(clause)
    def hint(self, kind):
        """What follows, to be asked whether it is a contradiction."""
        if isinstance(kind, int):
            literals = [self.literal(number) for number in self.clause(kind)]
            return lambda: self.follow_clause(literals)
        if kind == "loss":
            literal = self.literal(number) if (number := self.next(int)) else None
            return lambda: self.follow_loss(literal)
        if kind not in ("leave", "enter", "hang", "even"):
            row, most, equation = self.checker.row(kind)
            return lambda: self.follow_row(row, most, equation)
        demand(0 <= (number := self.next(int)) < len(self.sides), f"there is no side {number}")
        held, out, into = self.sides[number]
        if kind == "even":
            demand(not self.checker.directed, "'even' where edges have a direction")
            return lambda: self.follow_parity(out | into)
        places = [self.next(int) - 1 for _ in range(3 if kind == "hang" else 2)]
        inside, outside = places[:2]
        demand(all(-1 <= v < self.checker.n and (v >= 0 or not self.checker.closed) for v in places), "no such vertex")
        demand(inside in held and held.isdisjoint(places[1:]) and len(set(places)) == len(places), f"a wrong '{kind}'")
        crossing = out if kind == "leave" else into
        if kind == "hang":
            is_at = lambda name, what: (places[2] in what if name == "edge" else places[2] in (what, -1))
            crossing = {column for column in out | into if not is_at(*column)}
        literals = [(("visit", v), False) for v in places[:2] if v >= 0] + [(column, True) for column in crossing]
        return lambda: self.follow_clause(literals)
    def follow_clause(self, literals):
        if any(self.known(column) == value for column, value in literals): return False
        left = [(column, value) for column, value in literals if self.known(column) is None]
        return not left or len(left) == 1 and self.assign(*left[0])
    def follow_loss(self, literal):
        if literal is None or self.known(literal[0]) is not None: return self.lost > self.slack
        column, value = self.read(*literal)
        return self.lost + self.loss(column, not value) > self.slack and self.assign(column, value)
    def follow_parity(self, border):
        left = [column for column in border if self.known(column) is None]
        is_odd = sum(self.known(column) is True for column in border) % 2 == 1
        return self.assign(left[0], is_odd) if len(left) == 1 else not left and is_odd
    def follow_row(self, row, most, equation):
        while True:
            known, before = {column: self.known(column) for column in row}, len(self.trail)
            least = sum(min(a, 0) if known[c] is None else a * known[c] for c, a in row.items()) - most
            greatest = sum(max(a, 0) if known[c] is None else a * known[c] for c, a in row.items()) - most
            if least > 0 or equation and greatest < 0: return True
            for column, a in row.items():
                if self.known(column) is None and least + abs(a) > 0 and self.assign(column, a < 0): return True
                if self.known(column) is None and equation and greatest < abs(a) and self.assign(column, a > 0): return True
            if len(self.trail) == before: return False
if __name__ == "__main__":
    if len(sys.argv) != 3: sys.exit(__doc__)
    try: print(Checker(*sys.argv[1:]).check())
    except Sweep: sys.exit(print("this proof has a sweep: ask longhaul-check") or 3)
    except Refused as why: sys.exit(f"NOT VERIFIED: {why}")
