"""Rummy, Dobble and cliques, against what is plain to see."""

import itertools
import random

import longhaul
import networkx as nx
import pytest


def subsets_melding(cards):
    """The most cards of one deck without jokers in disjoint melds, by trying."""
    order = "A23456789TJQK"
    places = {(order.index(card[0]), card[1]) for card in cards}
    melds = []
    for rank in range(13):
        suits = [suit for suit in "HDCS" if (rank, suit) in places]
        for size in (3, 4):
            melds += [frozenset((rank, suit) for suit in chosen) for chosen in itertools.combinations(suits, size)]
    for suit in "HDCS":
        for first in range(11):
            for last in range(first + 2, 13):
                run = frozenset((rank, suit) for rank in range(first, last + 1))
                if run <= places:
                    melds.append(run)

    def most(left, at):
        return max([0, *(len(meld) + most(left - meld, to + 1) for to, meld in enumerate(melds[at:], at) if meld <= left)])

    return most(frozenset(places), 0)


def test_best_meldings_are_those_of_brute_force():
    rng = random.Random(5)
    deck = [rank + suit for rank in "A23456" for suit in "HDCS"]
    for _ in range(60):
        hand = rng.sample(deck, 10)
        best = longhaul.rummy(hand, decks=1)
        melded = [card for meld in best.melds for card in meld]
        assert sorted(melded + best.deadwood) == sorted(hand)
        assert best.is_optimal and len(best.deadwood) == best.lower_bound == len(hand) - subsets_melding(hand)


def test_counts_are_those_of_the_lists():
    hand = "3H 4H 5H 6H 5D 5S 5C KC"
    counts = longhaul.rummy_count(hand)
    every = [str(melding) for melding in longhaul.rummy_configurations(hand)]
    best = list(longhaul.rummy_configurations(hand, only_best=True))
    assert len(every) == len(set(every)) == counts.configurations and len(best) == counts.optima
    assert {len(melding.deadwood) for melding in best} == {counts.least}


def test_points_and_jokers():
    assert longhaul.rummy("9H 9D", jokers=1).deadwood == []
    best = longhaul.rummy("3H 4H 5H 5D 5S KC", points="faces")
    assert (best.points, best.lower_bound) == (17, 17)
    with pytest.raises(longhaul.ContradictionError, match="points"):
        longhaul.rummy("3H", points="hearts")
    with pytest.raises(longhaul.GraphFormatError, match="hand:1:5"):
        longhaul.rummy("3H 3X")
    with pytest.raises(longhaul.ContradictionError, match="ace"):
        longhaul.rummy("3H", ace="middle")


def test_a_list_that_nobody_reads_to_its_end_ends():
    hand = [rank + suit for rank in "A23456789" for suit in "HDCS"]
    assert len(list(itertools.islice(longhaul.rummy_configurations(hand), 1000))) == 1000


@pytest.mark.parametrize("card_size, symbols, cards", [(2, 3, 3), (3, 7, 7), (4, 13, 13), (1, 5, 1)])
def test_dobble_decks(card_size, symbols, cards):
    deck = longhaul.dobble(card_size, symbols)
    assert len(deck) == deck.upper_bound == cards and deck.is_optimal
    for one, two in itertools.combinations(deck.cards, 2):
        assert len(set(one) & set(two)) == 1
    assert longhaul.check_dobble(deck.cards) is None


def test_dobble_refuses():
    assert longhaul.check_dobble([["sun"], ["sun"]]) == (0, 1)
    assert longhaul.check_dobble([[1, 2], [1, 2]]) == (0, 1)
    with pytest.raises(longhaul.GraphFormatError, match="card 1 has 1 symbols"):
        longhaul.check_dobble([[1, 2], [1]])
    with pytest.raises(longhaul.GraphFormatError, match="twice"):
        longhaul.check_dobble([[1, 1]])
    with pytest.raises(longhaul.ContradictionError):
        longhaul.dobble(5, 3)


def test_maximal_cliques_are_those_of_networkx():
    for seed in range(20):
        graph = nx.gnp_random_graph(14, 0.5, seed=seed)
        found = sorted(sorted(clique) for clique in longhaul.maximal_cliques(graph))
        assert found == sorted(sorted(clique) for clique in nx.find_cliques(graph))
