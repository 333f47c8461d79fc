"""Answers, in the caller's own nodes and edges."""

from __future__ import annotations

import html
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from . import _longhaul
from ._graph import Graph, Length, Node

Status = Literal["optimal", "feasible", "infeasible", "unknown"]
Edge = tuple[Hashable, ...]

#: Graphs with more nodes and edges than this have no picture in a notebook.
_LARGEST_PICTURE = 100_000


@dataclass(frozen=True)
class Progress:
    """What a run knows at the moment when its path or its bound has improved."""

    #: Seconds since the call.
    elapsed: float
    #: The length of the best path so far.
    length: Length | None
    #: The least proved upper bound so far.
    upper_bound: Length | None
    #: The engine at work.
    engine: str


@dataclass(frozen=True)
class Stats:
    """How an answer came about."""

    #: The engine that settled the question, or did most to.
    engine: str
    #: Seconds from the call to the answer, its check included, reading the graph not.
    elapsed: float
    #: Search steps, whatever the engine counts.
    steps: int
    #: The most memory that engines held at once, as they account for it, in bytes.
    peak_bytes: int
    #: The most states in one layer of the frontier program; 0 if it was not at work.
    peak_states: int
    #: What each of those takes with its value, in bytes.
    state_bytes: int
    #: What was decided and why, a sentence each, in order.
    decisions: list[str]


@dataclass(frozen=True)
class Solution:
    """The answer to a question about a path; its path has passed an independent check on the graph.

    In a notebook it shows itself with a picture.

    >>> import longhaul
    >>> longhaul.longest_path([("a", "b", 7), ("b", "c", 2), ("a", "c", 3)])
    <Solution optimal: length 10, 3 nodes>
    """

    #: The nodes in order; of a cycle each once. ``None`` if there is no path or none was found.
    path: list[Node] | None
    #: The edges along the path in its direction, ``(u, v)``, or ``(u, v, key)`` where edges have keys; the closing edge of a
    #: cycle is the last.
    edges: list[Edge]
    #: The sum of the weights of the edges, with the prizes of the nodes where there are any: a whole number, or a
    #: :class:`decimal.Decimal` where the weights of a file are decimal numbers.
    length: Length | None
    #: Proved: no path is longer. ``None`` if it is proved that there is no path (for ``k_path``: or nothing is proved).
    upper_bound: Length | None
    #: ``"optimal"``, ``"feasible"`` (a path, perhaps not a longest), ``"infeasible"`` (there is none, proved), ``"unknown"``.
    status: Status
    #: Why the search ended: ``"finished"``, ``"exhausted"``, ``"gap"``, ``"time-limit"``, ``"memory-limit"``, ``"interrupted"``.
    stop: str
    #: How the answer came about.
    stats: Stats = field(repr=False)
    #: If there is a path (a heavier one) it was missed with this probability at most; ``None`` where the answer is certain.
    failure_probability: float | None = None
    #: The proof that was asked for, as the program ``longhaul-check`` reads it; nodes have their numbers in reading order from 1.
    proof: bytes | None = field(default=None, repr=False)
    #: Why there is no proof.
    no_proof: str | None = field(default=None, repr=False)
    #: Whether the path is a cycle.
    cycle: bool = False
    _graph: Graph | None = field(default=None, repr=False, compare=False)
    _numbers: tuple[int, ...] = field(default=(), repr=False, compare=False)

    @property
    def is_optimal(self) -> bool:
        """Whether the path is proved to be a longest one."""
        return self.status == "optimal"

    def __repr__(self) -> str:
        return f"<Solution {self._summary()}>"

    def _summary(self) -> str:
        if self.path is None:
            known = "there is no such path" if self.status == "infeasible" else f"no path found ({self.stop})"
            return f"{self.status}: {known}"
        nodes = f"{len(self.path)} node{'' if len(self.path) == 1 else 's'}"
        if self.is_optimal:
            return f"optimal: length {self.length}, {nodes}"
        bound = "" if self.upper_bound is None else f" of at most {self.upper_bound}"
        return f"{self.status}: length {self.length}{bound}, {nodes} ({self.stop})"

    def _with(self, graph: Graph | None) -> Solution:
        """The same with another graph for the picture, or without."""
        return replace(self, _graph=graph)

    def svg(self) -> str | None:
        """A picture of the graph with the path in it, in SVG; ``None`` for graphs too large for one."""
        graph = self._graph
        if graph is None or graph.number_of_nodes() + graph.number_of_edges() > _LARGEST_PICTURE:
            return None
        names = [str(node) for node in graph.nodes]
        return _longhaul.picture(graph._edges, names, list(self._numbers), self.cycle)

    def _repr_html_(self) -> str:
        told = f"<p><b>longhaul</b> {html.escape(self._summary())}</p>"
        return f'<div class="longhaul">{told}{self.svg() or ""}</div>'


def solution(answer: dict[str, Any], graph: Graph, *, cycle: bool = False, pictured: bool = True) -> Solution:
    """An answer in numbers, told in the caller's nodes."""
    told: dict[str, Any] = {"path": None, "edges": [], "length": None}
    numbers: list[int] = []
    if answer["path"] is not None:
        numbers, edges, length = answer["path"]
        told = {"path": graph._told_nodes(numbers), "edges": graph._told_edges(numbers, edges), "length": graph._length(length)}
    return Solution(
        **told,
        upper_bound=graph._length(answer["upper_bound"]),
        **{name: answer[name] for name in ("status", "stop", "failure_probability", "proof", "no_proof")},
        stats=Stats(**answer["stats"]),
        cycle=cycle,
        _graph=graph if pictured else None,
        _numbers=tuple(numbers),
    )


@dataclass(frozen=True)
class Path:
    """One path of several, with its edges and its length."""

    nodes: list[Node]
    edges: list[Edge]
    length: Length


class Paths(Iterator[Path]):
    """Paths one after the other, each made when it is asked for and checked independently."""

    def __init__(self, found: _longhaul.PathList, graph: Graph) -> None:
        self._found = found
        self._graph = graph

    def __next__(self) -> Path:
        nodes, edges, length = next(self._found)
        graph = self._graph
        return Path(graph._told_nodes(nodes), graph._told_edges(nodes, edges), graph._length(length))

    @property
    def stop(self) -> str | None:
        """Why there are no more: ``"finished"`` if these were all, or a limit; ``None`` as long as there may be more."""
        return self._found.stop

    @property
    def stats(self) -> Stats:
        """How the list came about."""
        return Stats(**self._found.stats)


@dataclass(frozen=True)
class PathCounts:
    """How many paths there are, by their lengths. In an undirected graph a path and its reverse are the same."""

    #: Lengths with the number of paths of each, ascending; after :func:`longhaul.count` only the greatest.
    by_length: dict[Length, int]
    #: Why the count ended: ``"finished"``, or a limit.
    stop: str
    #: How it came about.
    stats: Stats = field(repr=False)

    @property
    def is_complete(self) -> bool:
        """Whether all are counted; if not there are no numbers."""
        return self.stop == "finished"

    @property
    def length(self) -> Length | None:
        """The greatest length; ``None`` if there is no path, or not all are counted."""
        return max(self.by_length, default=None)

    @property
    def count(self) -> int | None:
        """How many paths have the greatest length; ``None`` if not all are counted."""
        if not self.is_complete:
            return None
        return 0 if self.length is None else self.by_length[self.length]

    @property
    def total(self) -> int:
        """How many there are in all of :attr:`by_length`."""
        return sum(self.by_length.values())


@dataclass(frozen=True)
class Structure:
    """What can be known of a graph without solving anything; ``None`` where the graph is too large to find out."""

    directed: bool
    nodes: int
    edges: int
    self_loops: int
    #: Edges that no path needs, because they have a parallel one as heavy.
    parallel_edges: int
    #: The least and the greatest weight of an edge.
    weights: tuple[Length, Length] | None
    #: The least and the greatest number of edges at a node.
    degrees: tuple[int, int] | None
    components: int
    strong_components: int | None
    blocks: int
    largest_block: int
    cut_nodes: list[Node] = field(repr=False)
    #: ``"acyclic"``, ``"tree"``, ``"bipartite"``, ``"cubic"``, ``"line graph"`` and others.
    classes: list[str]
    #: The two sides of a bipartite graph.
    sides: tuple[list[Node], list[Node]] | None = field(repr=False)
    #: A good order of the nodes for a dynamic program.
    order: list[Node] | None = field(repr=False)
    #: The vertex separation of that order: the pathwidth is at most this.
    width: int | None
    #: How many states a frontier program would make along it, roughly.
    predicted_states: float | None
    #: No path as asked for is longer; ``None`` if none was sought, or if it is proved that there is none: see ``infeasible``.
    upper_bound: Length | None
    #: Whether it is proved that there is no path as asked for.
    infeasible: bool


def structure(facts: dict[str, Any], graph: Graph) -> Structure:
    """Facts in numbers, told in the caller's nodes."""
    facts = dict(facts)
    order, bound, sides = facts.pop("order"), facts.pop("upper_bound"), facts.pop("sides")
    weights = facts.pop("weights")
    # The bound is one of the weights alone: prizes come on top, whoever of them may be visited.
    prizes = sum(prize for prize in graph._prizes if prize > 0)
    upper = None if bound is None or bound[0] is None else graph._length(bound[0] + prizes)
    return Structure(
        **{name: value for name, value in facts.items() if name != "cut_nodes"},
        weights=None if weights is None else tuple(map(graph._length, weights)),
        cut_nodes=graph._told_nodes(facts["cut_nodes"]),
        sides=None if sides is None else (graph._told_nodes(sides[0]), graph._told_nodes(sides[1])),
        order=None if order is None else graph._told_nodes(order[0]),
        width=None if order is None else order[1],
        predicted_states=None if order is None else order[3],
        upper_bound=upper,
        infeasible=bound is not None and bound[0] is None,
    )


@dataclass(frozen=True)
class Clique:
    """The answer to the question for the largest clique."""

    #: The nodes of the best clique; ``None`` if there is none or none was found.
    nodes: list[Node] | None
    #: The sum of their weights; without weights their number.
    weight: int | None
    #: Proved: no clique weighs more.
    upper_bound: int | None
    status: Status
    stop: str
    stats: Stats = field(repr=False)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved to be a largest, or a heaviest, clique."""
        return self.status == "optimal"


@dataclass(frozen=True)
class Play:
    """A sequence of cards, each of which matches the one before."""

    #: The cards in playing order, as they were given; ``None`` is a wild card.
    cards: list[tuple[Hashable, Hashable] | None]
    #: Where each is in the deck, from 0; ``None`` for a wild card.
    positions: list[int | None]
    #: Proved: no sequence has more cards than this.
    upper_bound: int
    status: Status
    stop: str
    stats: Stats = field(repr=False)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no sequence is longer."""
        return self.status == "optimal"

    def __len__(self) -> int:
        return len(self.cards)
