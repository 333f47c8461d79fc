"""The questions."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _answers, _longhaul
from ._answers import Clique, PathCounts, Paths, Play, Progress, Solution, Stats, Structure
from ._errors import ContradictionError, GraphFormatError
from ._graph import Graph, Node, weight_array
from ._readers import Weight, read_graph

Callback = Callable[[Progress], object]
EdgeName = Sequence[Hashable]


def longest_path(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    disk_limit: int = 0,
    threads: int | None = None,
    seed: int = 0,
    engine: str = "auto",
    gap: int = 0,
    relative_gap: float = 0.0,
    failure_probability: float = 1e-3,
    prizes: Mapping[Node, int] | Callable[[Node], int] | None = None,
    visit: Iterable[Node] = (),
    avoid: Iterable[Node] = (),
    use_edges: Iterable[EdgeName] = (),
    avoid_edges: Iterable[EdgeName] = (),
    at_least: int | None = None,
    at_most: int | None = None,
    induced: bool = False,
    proof: bool = False,
    callback: Callback | None = None,
    client: Any = None,
    checkpoint: str | None = None,
) -> Solution:
    """The longest simple path of a graph: no node twice, the sum of the edge weights as great as can be.

    Parameters
    ----------
    graph
        A graph of networkx, rustworkx or igraph, a sparse matrix, arrays or a list of edges, a file name, or a :class:`Graph`;
        see :func:`read_graph`, also for ``weight`` and ``directed``.
    source, target
        Where the path begins and ends; anywhere if not given. A node that is called ``None`` cannot be asked for.
    cycle
        Ask for the longest cycle instead, through ``source`` if that is given.
    time_limit, memory_limit
        Seconds, and bytes that the search may hold at once (4 GiB if not given). Past a limit the best path and bound so far
        are the answer.
    disk_limit
        Bytes of an exact search's layers that find no room in memory and may wait on disk, in files without a name that are gone when
        the process is: in the folder that ``TMPDIR`` names, else in ``/var/tmp`` or the system's own for such files. Nothing is
        written if not given.
    threads
        How many threads to use; 1 if not given. The length does not depend on it.
    engine
        One of :data:`longhaul.ENGINES`; ``"auto"`` chooses.
    gap, relative_gap
        Stop as soon as the bound is so far above the length, as a number or as a share of the bound.
    prizes
        What visiting a node adds, as a mapping (0 for nodes that it lacks) or as a function.
    visit, avoid, use_edges, avoid_edges
        Nodes and edges that the path must use, or not. Edges are ``(u, v)`` or ``(u, v, key)``; without a key, ``use_edges`` means
        the heaviest of parallel edges and ``avoid_edges`` all of them.
    at_least, at_most
        Bounds for the number of edges.
    induced
        No edge of the graph may join two nodes of the path but those along it.
    proof
        Make a proof of the bound as well: ``Solution.proof``.
    callback
        Called with a :class:`Progress` whenever the path or the bound improves. If it returns something true, the run ends
        with what it has; if it raises, the exception goes through.
    client, checkpoint
        Ask many workers: see :mod:`longhaul.dask`. Of what is demanded beside ends and weights only ``avoid`` and ``avoid_edges`` can be
        shared out; the rest is refused.

    Returns
    -------
    Solution
        A spent limit is an answer (``status == "feasible"``), and so is that there is no path (``"infeasible"``).

    Raises
    ------
    NotInGraphError
        If a node or an edge is not in the graph; the text names it.
    ContradictionError
        If options contradict each other.
    KeyboardInterrupt
        Ctrl-C ends a run at once.

    Notes
    -----
    NP-hard. The search runs without the GIL, so that other Python threads go on.

    Examples
    --------
    >>> import longhaul, networkx
    >>> solution = longhaul.longest_path(networkx.petersen_graph())
    >>> solution.length, solution.upper_bound, solution.status
    (9, 9, 'optimal')
    >>> longhaul.longest_path(networkx.petersen_graph(), cycle=True).length
    9

    Keys of parallel edges come with the answer:

    >>> roads = networkx.MultiDiGraph()
    >>> _ = roads.add_edge("home", "lake", key="old road", weight=7)
    >>> _ = roads.add_edge("home", "lake", key="new road", weight=5)
    >>> _ = roads.add_edge("lake", "town", weight=2)
    >>> longhaul.longest_path(roads, "home").edges
    [('home', 'lake', 'old road'), ('lake', 'town', 0)]
    """
    asked = _asked(locals())
    read = read_graph(graph, weight=weight, directed=directed)
    if _is_for_many(asked):
        from . import dask

        for name in ("prizes", "visit", "use_edges", "at_least", "at_most", "induced", "proof", "threads", "disk_limit"):
            if asked[name] or (name == "prizes" and any(read._prizes)):
                raise ContradictionError(
                    f"{name}=… can't be shared out to many workers: they know ends, weights, avoid=… and avoid_edges=… only; leave it out, "
                    "or client=…"
                )
        question = _path_question(read, asked)
        avoid, avoid_edges = question["avoid"], question["avoid_edges"]
        if avoid or avoid_edges:
            read = read._without(avoid, avoid_edges)
        asked.update(avoid=(), avoid_edges=())
        asked["source"], asked["target"] = _ends(read, asked)
        return dask.longest_path(read, asked, client, checkpoint, callback, here=longest_path)
    return _solve(read, asked, callback)


def _is_for_many(asked: dict[str, Any]) -> bool:
    """Whether many workers are asked; takes what says so from the options."""
    client, checkpoint = asked.pop("client"), asked.pop("checkpoint")
    if client is None and checkpoint is not None:
        raise ContradictionError("checkpoint=… goes with client=…: what one process does is not kept")
    return client is not None


def _solve(read: Graph, asked: dict[str, Any], callback: Callback | None) -> Solution:
    answer = _longhaul.longest_path(read._edges, _path_question(read, asked), _told(callback, read))
    return _answers.solution(answer, read, cycle=asked["cycle"])


def longest_trail(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    disk_limit: int = 0,
    threads: int | None = None,
    seed: int = 0,
    gap: int = 0,
    relative_gap: float = 0.0,
    callback: Callback | None = None,
) -> Solution:
    """The longest trail: no *edge* twice, nodes as often as they come. Options are those of :func:`longest_path`.

    >>> import longhaul, networkx
    >>> house = networkx.house_x_graph()  # the house of Santa Claus
    >>> solution = longhaul.longest_trail(house)
    >>> solution.length == house.number_of_edges(), len(solution.path)
    (True, 9)
    """
    read = read_graph(graph, weight=weight, directed=directed)
    asked = _asked(locals())
    asked["source"], asked["target"] = _ends(read, asked)
    asked["gap"] = read._units(gap)
    return _answers.solution(_longhaul.longest_trail(read._edges, asked, _told(callback, read)), read, cycle=cycle)


def k_path(
    graph: Any,
    k: int,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = None,
    directed: bool | None = None,
    failure_probability: float = 1e-3,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    engine: str = "auto",
    callback: Callback | None = None,
    client: Any = None,
    checkpoint: str | None = None,
) -> Solution:
    """A simple path of exactly ``k`` nodes: any, or with ``weight`` the heaviest. For short paths of large graphs.

    A path that is told is certain. That there is none, or none heavier, is sometimes proved (``"infeasible"``, ``"optimal"``), and
    otherwise likely: then the status is ``"unknown"`` (``"feasible"``) and ``failure_probability`` of the answer says how likely
    a miss was. Other options are those of :func:`longest_path`; with ``client`` the trials of color coding and the points of the
    sieve are shared out to many workers.

    >>> import longhaul, networkx
    >>> graph = networkx.grid_2d_graph(30, 30)
    >>> len(longhaul.k_path(graph, 12, (0, 0)).path)
    12
    >>> longhaul.k_path(networkx.star_graph(5), 4).status
    'infeasible'
    """
    read = read_graph(graph, weight=weight, directed=directed)
    asked = _asked(locals())
    asked["source"], asked["target"] = _ends(read, asked)
    asked["heaviest"] = weight is not None
    if _is_for_many(asked):
        from . import dask

        return _answers.solution(dask.k_path(read, asked, client, checkpoint), read)
    return _answers.solution(_longhaul.k_path(read._edges, asked, _told(callback, read)), read)


def structure(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
) -> Structure:
    """What can be known of a graph without solving anything: parts, classes, how narrow it is, and an upper bound for paths
    between these ends. Takes linear time and a few tenths of a second.

    >>> import longhaul, networkx
    >>> facts = longhaul.structure(networkx.barbell_graph(4, 0))
    >>> facts.blocks, facts.largest_block, facts.cut_nodes, facts.upper_bound
    (3, 4, [3, 4], 7)
    """
    read = read_graph(graph, weight=weight, directed=directed)
    ends = _ends(read, {"source": source, "target": target, "cycle": cycle})
    return _answers.structure(_longhaul.structure(read._edges, *ends, cycle), read)


def count(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    callback: Callback | None = None,
    **options: Any,
) -> PathCounts:
    """How many longest paths there are, exactly. Takes the limits and demands of :func:`longest_path` as ``options``.

    In time exponential in the width of the graph only, whatever the count.

    >>> import longhaul, networkx
    >>> counts = longhaul.count(networkx.grid_2d_graph(7, 7), (0, 0), (6, 6))
    >>> counts.length, counts.count
    (48, 111712)
    """
    return _counts(read_graph(graph, weight=weight, directed=directed), _all_asked(locals()), False, callback)


def distribution(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    callback: Callback | None = None,
    **options: Any,
) -> PathCounts:
    """How many paths there are of each length, exactly. Options as for :func:`count`.

    >>> import longhaul, networkx
    >>> longhaul.distribution(networkx.complete_graph(4)).by_length
    {0: 4, 1: 6, 2: 12, 3: 12}
    """
    return _counts(read_graph(graph, weight=weight, directed=directed), _all_asked(locals()), True, callback)


def _counts(read: Graph, asked: dict[str, Any], every: bool, callback: Callback | None) -> PathCounts:
    question = _path_question(read, asked)
    counted, stop, stats = _longhaul.count(read._edges, question, every, _told(callback, read))
    by_length = {read._length(length): int.from_bytes(number, "little") for length, number in counted}
    return PathCounts(by_length, stop, Stats(**stats))


def all_longest(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    callback: Callback | None = None,
    **options: Any,
) -> Paths:
    """All longest paths, one after the other, in an order that is always the same. Options as for :func:`count`.

    >>> import longhaul, networkx
    >>> [path.nodes for path in longhaul.all_longest(networkx.path_graph(["a", "b", "c"]))]
    [['a', 'b', 'c']]
    >>> sum(1 for _ in longhaul.all_longest(networkx.cycle_graph(5)))
    5
    """
    read = read_graph(graph, weight=weight, directed=directed)
    return _list(read, _all_asked(locals()), None, False, callback)


def best(
    graph: Any,
    k: int,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    callback: Callback | None = None,
    **options: Any,
) -> Paths:
    """The ``k`` best paths, from the longest on; fewer if there are not so many. Options as for :func:`count`.

    >>> import longhaul
    >>> [path.length for path in longhaul.best([(0, 1, 5), (1, 2, 1), (0, 2, 2)], 3)]
    [7, 6, 5]
    """
    read = read_graph(graph, weight=weight, directed=directed)
    return _list(read, _all_asked(locals()), k, False, callback)


def samples(
    graph: Any,
    source: Node | None = None,
    target: Node | None = None,
    *,
    weight: Weight = "weight",
    cycle: bool = False,
    directed: bool | None = None,
    callback: Callback | None = None,
    **options: Any,
) -> Paths:
    """Longest paths at random without end: each is any of them with equal probability, whatever came before. The same
    ``seed`` gives the same paths. Options as for :func:`count`.

    >>> import itertools, longhaul, networkx
    >>> some = itertools.islice(longhaul.samples(networkx.grid_2d_graph(6, 6), seed=1), 3)
    >>> [path.length for path in some]
    [35, 35, 35]
    """
    read = read_graph(graph, weight=weight, directed=directed)
    return _list(read, _all_asked(locals()), None, True, callback)


def _list(read: Graph, asked: dict[str, Any], most: int | None, at_random: bool, callback: Callback | None) -> Paths:
    question = _path_question(read, asked)
    return Paths(_longhaul.list_paths(read._edges, question, most, at_random, _told(callback, read)), read)


def maximum_clique(
    graph: Any,
    *,
    node_weights: Mapping[Node, int] | Callable[[Node], int] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    callback: Callback | None = None,
) -> Clique:
    """The largest clique, or with ``node_weights`` the heaviest; directions and weights of edges do not matter.

    >>> import longhaul, networkx
    >>> sorted(longhaul.maximum_clique(networkx.barbell_graph(4, 1)).nodes) in ([0, 1, 2, 3], [5, 6, 7, 8])
    True
    """
    read = read_graph(graph, weight=None)
    weights = None if node_weights is None else _values(read, node_weights)
    answer = _longhaul.maximum_clique(read._edges, weights, _asked(locals()), _told(callback))
    nodes, weight = None, None
    if answer["path"] is not None:
        numbers, _, weight = answer["path"]
        nodes = read._told_nodes(numbers)
    return Clique(nodes, weight, answer["upper_bound"], answer["status"], answer["stop"], Stats(**answer["stats"]))


def uno(
    deck: Iterable[tuple[Hashable, Hashable]] | str | os.PathLike[str],
    first: int | tuple[Hashable, Hashable] | None = None,
    *,
    wild: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    disk_limit: int = 0,
    threads: int | None = None,
    seed: int = 0,
    callback: Callback | None = None,
) -> Play:
    """The longest sequence of UNO cards in which each agrees with the one before in number or colour.

    ``deck`` is a list of cards, each a pair of anything hashable, or the name of a deck file. ``first`` is the card that lies on
    the table, by its position from 0 or by itself; ``wild`` cards beside the deck match everything. Limits are those of
    :func:`longest_path`.

    >>> import longhaul
    >>> play = longhaul.uno([(7, "red"), (7, "blue"), (3, "blue"), (9, "green")])
    >>> len(play), play.status
    (3, 'optimal')
    >>> len(longhaul.uno([(7, "red"), (7, "blue"), (3, "blue"), (9, "green")], wild=1))
    5
    """
    cards, numbered = _deck(deck)
    position = _first_position(cards, first)
    answer = _longhaul.uno(numbered, position, wild, _asked(locals()), _told(callback))
    positions: list[int | None] = []
    if answer["path"] is not None:
        positions = [None if at == len(cards) else at for at in answer["path"][0]]
    played = [None if at is None else cards[at] for at in positions]
    bound = answer["upper_bound"]
    stats = Stats(**answer["stats"])
    return Play(played, positions, 0 if bound is None else bound + 1, answer["status"], answer["stop"], stats)


def uno_count(
    deck: Iterable[tuple[Hashable, Hashable]] | str | os.PathLike[str],
    length: int | None = None,
    *,
    wild: int = 0,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> int:
    """How many sequences play ``length`` cards of a deck; all of them if that is not given. A sequence and its reverse are the
    same. Raises :class:`LonghaulError` if a limit is spent before all are counted.

    >>> import longhaul
    >>> longhaul.uno_count([(7, "red"), (7, "blue"), (3, "blue")])
    1
    """
    cards, numbered = _deck(deck)
    asked = {"time_limit": time_limit, "memory_limit": memory_limit, "threads": None, "seed": 0}
    played = len(cards) + wild if length is None else length
    return int.from_bytes(_longhaul.uno_count(numbered, wild, played, asked), "little")


def _deck(deck: Any) -> tuple[list[tuple[Hashable, Hashable]], list[tuple[int, int]]]:
    """The cards, and their values as numbers."""
    cards = _longhaul.read_deck(os.fspath(deck)) if isinstance(deck, (str, os.PathLike)) else list(deck)
    numbers: dict[Hashable, int] = {}
    colours: dict[Hashable, int] = {}
    numbered = []
    for at, card in enumerate(cards):
        if isinstance(card, (str, bytes)) or not isinstance(card, Sequence) or len(card) != 2:
            raise GraphFormatError(f"card {at} is {card!r}, and a card is a pair of a number and a colour")
        numbered.append((numbers.setdefault(card[0], len(numbers)), colours.setdefault(card[1], len(colours))))
    return [tuple(card) for card in cards], numbered


def _first_position(cards: list[tuple[Hashable, Hashable]], first: Any) -> int | None:
    if first is None:
        return None
    if isinstance(first, int):
        if not 0 <= first < len(cards):
            raise ContradictionError(f"first={first}: the deck has {len(cards)} cards, at positions from 0")
        return first
    if tuple(first) not in cards:
        raise ContradictionError(f"first={first!r}: the deck has no such card")
    return cards.index(tuple(first))


def _asked(values: dict[str, Any]) -> dict[str, Any]:
    """The options among a function's arguments."""
    asked = {name: value for name, value in values.items() if name not in ("graph", "read", "callback", "weight", "directed")}
    return _with_whole_numbers(asked)


#: Options that are whole numbers, 0 or more, of 64 bits.
_WHOLE_NUMBERS = ("memory_limit", "disk_limit", "threads", "seed", "gap", "at_least", "at_most", "k")


def _with_whole_numbers(asked: dict[str, Any]) -> dict[str, Any]:
    for name in _WHOLE_NUMBERS:
        value = asked.get(name)
        if value is None:
            continue
        try:
            number = operator.index(value)
        except TypeError:
            number = -1
        if not 0 <= number < 2**64:
            raise ContradictionError(f"{name}={value!r}: a whole number is wanted here, 0 or more and below 2^64")
        asked[name] = number
    return asked


#: What a question about a longest path asks for unless it is told otherwise.
_DEFAULTS: dict[str, Any] = {
    "time_limit": None,
    "memory_limit": None,
    "threads": None,
    "seed": 0,
    "engine": "auto",
    "gap": 0,
    "relative_gap": 0.0,
    "failure_probability": 1e-3,
    "prizes": None,
    "visit": (),
    "avoid": (),
    "use_edges": (),
    "avoid_edges": (),
    "at_least": None,
    "at_most": None,
    "induced": False,
    "proof": False,
}


def _all_asked(values: dict[str, Any]) -> dict[str, Any]:
    """The options of a function that takes most of them by keyword."""
    asked = _asked(values)
    options = asked.pop("options")
    unknown = sorted(set(options) - set(_DEFAULTS))
    if unknown:
        raise TypeError(f"there is no option {unknown[0]!r}; there are {', '.join(_DEFAULTS)}")
    return {**_DEFAULTS, **_with_whole_numbers(options), **asked}


def _path_question(read: Graph, asked: dict[str, Any]) -> dict[str, Any]:
    """The same question in numbers."""
    question = dict(asked)
    source, target = _ends(read, asked)
    visit = read._numbers(asked["visit"], "visit")
    avoid = read._numbers(asked["avoid"], "avoid")
    for verb, numbers in (("begin at", [source]), ("end at", [target]), ("visit", visit)):
        for number in set(numbers) & set(avoid):
            raise ContradictionError(
                f"{verb} the node {read.nodes[number]!r} and avoid it: no path can do both; leave out one of the two"
            )
    use_edges = [meant[0] for meant in read._edge_numbers(asked["use_edges"], "use_edges")]
    avoid_edges = [number for meant in read._edge_numbers(asked["avoid_edges"], "avoid_edges") for number in meant]
    for number in set(use_edges) & set(avoid_edges):
        u, v, _ = read._edges.edge(number)
        raise ContradictionError(
            f"use the edge {(read.nodes[u], read.nodes[v])!r} and avoid it: no path can do both; leave out one of the two"
        )
    if asked["prizes"] is not None:
        prizes = [read._units(prize) for prize in _values(read, asked["prizes"])]
    else:
        prizes = list(read._prizes) or None
    question["gap"] = read._units(asked["gap"])
    question.update(source=source, target=target, visit=visit, avoid=avoid, use_edges=use_edges, avoid_edges=avoid_edges)
    question.update(prizes=prizes)
    return question


def _ends(read: Graph, asked: dict[str, Any]) -> tuple[int | None, int | None]:
    """The numbers of the ends that are asked for, or else of those that the file asks for; a cycle has none of these."""
    source, target = asked["source"], asked["target"]
    ends = (None, None) if asked.get("cycle") else read._ends
    return (
        ends[0] if source is None else read._number(source, "the beginning of the path"),
        ends[1] if target is None else read._number(target, "the end of the path"),
    )


def _values(read: Graph, values: Mapping[Node, int] | Callable[[Node], int]) -> list[int]:
    """A number for each node."""
    if isinstance(values, Mapping):
        for node in values:
            read._number(node, "one with a prize or a weight")
        numbers = [values.get(node, 0) for node in read.nodes]
    else:
        numbers = [values(node) for node in read.nodes]
    try:
        return list(weight_array([operator.index(number) for number in numbers], read.nodes.__getitem__))
    except TypeError:
        at = next(at for at, number in enumerate(numbers) if not hasattr(number, "__index__"))
        raise GraphFormatError(f"the node {read.nodes[at]!r} is worth {numbers[at]!r}, and that is no whole number") from None


def _told(callback: Callback | None, read: Graph | None = None) -> Callable[[float, int | None, int | None, str], object] | None:
    """What is called with seconds, best value, bound and engine; lengths of a graph become what the caller measures."""
    if callback is None:
        return None
    if read is None:
        return lambda *row: callback(Progress(*row))
    return lambda elapsed, length, upper, engine: callback(Progress(elapsed, read._length(length), read._length(upper), engine))
