"""Rummy and Dobble, and all maximal cliques of a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _longhaul
from ._answers import Progress, Stats, Status
from ._errors import ContradictionError, GraphFormatError
from ._questions import Callback
from ._readers import read_graph

Ace = Literal["low", "high", "around"]

#: What aces to kings and a joker are worth by the names of the command line.
_POINTS = {"faces": [1, *range(2, 11), 10, 10, 10, 0], "ranks": [*range(1, 14), 0]}


@dataclass(frozen=True)
class Melding:
    """The cards of a hand in melds, and those that are left over."""

    #: Sets and runs, each a list of cards.
    melds: list[list[str]]
    #: What is left over.
    deadwood: list[str]


@dataclass(frozen=True)
class BestMelding(Melding):
    """The best melding of a hand."""

    #: What the cards left over are worth: by the points asked for, else by faces.
    points: int
    #: Proved: no melding leaves fewer cards, or points if those were asked for.
    lower_bound: int
    status: Status
    stop: str

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no melding leaves less."""
        return self.status == "optimal"


@dataclass(frozen=True)
class MeldingCounts:
    """How many ways there are to meld a hand."""

    #: All, the one without melds among them.
    configurations: int
    #: Those that leave the least.
    optima: int
    #: What those leave, in cards or points.
    least: int


@dataclass(frozen=True)
class DobbleDeck:
    """A deck of cards of symbols, any two of which share what they should."""

    #: The symbols of each card, numbers from 0.
    cards: list[list[int]] = field(repr=False)
    #: Proved: no deck has more cards.
    upper_bound: int
    status: Status
    stop: str
    stats: Stats = field(repr=False)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proved that no deck has more cards."""
        return self.status == "optimal"

    def __len__(self) -> int:
        return len(self.cards)


def rummy(
    hand: str | Iterable[str],
    *,
    decks: int = 2,
    jokers: int = 0,
    ace: Ace = "low",
    points: str | Sequence[int] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> BestMelding:
    """The melds of a hand of rummy that leave the fewest cards over, or with ``points`` the fewest points.

    Parameters
    ----------
    hand
        Cards as rank and suit, in one text or one by one: ``"3H 10D AS 5-8C"``; ``*`` is a joker.
    decks, jokers
        From so many decks, and so many jokers besides those that are written.
    ace
        Where the ace stands in a run: before the 2, there or behind the king, or between both.
    points
        What ace to king and perhaps a joker are worth: 13 or 14 numbers, ``"faces"`` or ``"ranks"``.

    >>> import longhaul
    >>> best = longhaul.rummy("3H 4H 5H 5D 5S KC")
    >>> best.melds, best.deadwood, best.is_optimal
    ([['5H', '5D', '5S']], ['3H', '4H', 'KC'], True)
    """
    answer = _longhaul.rummy(_hand(hand, decks, jokers, ace, points), _limits(time_limit, memory_limit))
    return BestMelding(**answer)


def rummy_count(
    hand: str | Iterable[str],
    *,
    decks: int = 2,
    jokers: int = 0,
    ace: Ace = "low",
    points: str | Sequence[int] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> MeldingCounts:
    """How many ways there are to meld a hand, and how many of them leave the least; see :func:`rummy`. Raises
    :class:`LonghaulError` if a limit is spent before all are counted.

    >>> import longhaul
    >>> longhaul.rummy_count("3H 4H 5H 5D 5S KC")
    MeldingCounts(configurations=3, optima=2, least=3)
    """
    told = _hand(hand, decks, jokers, ace, points)
    all_, optima, least = _longhaul.rummy_count(told, _limits(time_limit, memory_limit))
    return MeldingCounts(int.from_bytes(all_, "little"), int.from_bytes(optima, "little"), least)


def rummy_configurations(
    hand: str | Iterable[str],
    *,
    only_best: bool = False,
    decks: int = 2,
    jokers: int = 0,
    ace: Ace = "low",
    points: str | Sequence[int] | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Iterator[Melding]:
    """All ways to meld a hand, one after the other, the one without melds among them; with ``only_best`` those that leave the
    least. A limit that is spent first raises :class:`LonghaulError` where the list breaks off.

    >>> import longhaul
    >>> sorted(melding.melds for melding in longhaul.rummy_configurations("3H 4H 5H 5D 5S KC", only_best=True))
    [[['3H', '4H', '5H']], [['5H', '5D', '5S']]]
    """
    told = _hand(hand, decks, jokers, ace, points)
    found = _longhaul.rummy_list(told, only_best, _limits(time_limit, memory_limit))
    return (Melding(*melding) for melding in found)


def dobble(
    card_size: int,
    symbols: int,
    *,
    at_most_one: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    callback: Callback | None = None,
) -> DobbleDeck:
    """The largest deck of cards with ``card_size`` symbols each out of ``symbols``, any two of which share exactly one, or with
    ``at_most_one`` at most one.

    >>> import longhaul
    >>> deck = longhaul.dobble(3, 7)
    >>> len(deck), deck.is_optimal
    (7, True)
    >>> longhaul.check_dobble(deck.cards)
    """
    for name, value in (("card_size", card_size), ("symbols", symbols)):
        if not 0 <= value < 2**32:
            raise ContradictionError(f"{name}={value}: a number from 1 on is wanted here")
    asked = {"time_limit": time_limit, "memory_limit": memory_limit, "threads": threads, "seed": seed}
    told = None if callback is None else lambda *row: callback(Progress(*row))
    answer = _longhaul.dobble(card_size, symbols, at_most_one, asked, told)
    return DobbleDeck(**{**answer, "stats": Stats(**answer["stats"])})


def check_dobble(cards: Iterable[Iterable[Hashable]], *, at_most_one: bool = False) -> tuple[int, int] | None:
    """Two cards, by their places from 0, that are equal or do not share exactly one symbol (at most one); ``None`` if all do.
    Symbols are anything hashable.

    >>> import longhaul
    >>> longhaul.check_dobble([["sun", "moon"], ["moon", "star"], ["sun", "star"]])
    >>> longhaul.check_dobble([["sun", "moon"], ["moon", "star"], ["tree", "star"]])
    (0, 2)
    """
    numbers: dict[Hashable, int] = {}
    numbered = [[numbers.setdefault(symbol, len(numbers)) for symbol in card] for card in cards]
    for at, card in enumerate(numbered):
        if len(set(card)) < len(card):
            raise GraphFormatError(f"card {at} has a symbol twice")
        if not card or len(card) != len(numbered[0]):
            raise GraphFormatError(f"card {at} has {len(card)} symbols, and all cards have as many, 1 or more")
    return _longhaul.check_dobble(numbered, at_most_one)


def maximal_cliques(graph: Any) -> Iterator[list[Hashable]]:
    """All sets of nodes of which any two are adjacent and that no node can join, each as soon as it is found. Directions do not
    matter.

    >>> import longhaul, networkx
    >>> sorted(sorted(clique) for clique in longhaul.maximal_cliques(networkx.house_graph()))
    [[0, 1], [0, 2], [1, 3], [2, 3, 4]]
    """
    read = read_graph(graph, weight=None)
    return (read._told_nodes(clique) for clique in _longhaul.maximal_cliques(read._edges))


def _limits(time_limit: float | None, memory_limit: int | None) -> dict[str, Any]:
    return {"time_limit": time_limit, "memory_limit": memory_limit, "threads": None, "seed": 0}


def _hand(
    hand: str | Iterable[str], decks: int, jokers: int, ace: str, points: str | Sequence[int] | None
) -> dict[str, Any]:
    if isinstance(points, str):
        if points not in _POINTS:
            raise ContradictionError(f"points={points!r}: either 'faces', 'ranks', or 13 or 14 numbers")
        points = _POINTS[points]
    if points is not None and (len(points) not in (13, 14) or not all(0 <= value < 2**32 for value in points)):
        raise ContradictionError("points are those of ace to king and perhaps of a joker: 13 or 14 whole numbers, 0 or more")
    for name, value in (("decks", decks), ("jokers", jokers)):
        if not 0 <= value < 256:
            raise ContradictionError(f"{name}={value}: there are not so many")
    cards = hand if isinstance(hand, str) else " ".join(hand)
    return {"cards": cards, "decks": decks, "jokers": jokers, "ace": ace, "points": None if points is None else list(points)}
