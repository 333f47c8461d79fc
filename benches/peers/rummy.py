#!/usr/bin/env python3
"""The best melding of random hands: longhaul's program beside an integer program in HiGHS, in turn, on the same hands.

A variable for each meld that a hand allows says how often it is laid; a constraint for each card, and one for the jokers,
says that no more are laid than are there; the number of cards laid is maximised. Of HiGHS two times are taken: for
making the model and solving it, and for solving alone. Of longhaul the least of twenty times is taken, since
microseconds are at the mercy of whatever else runs; of HiGHS the only one. The answers have to agree.

    pip install highspy
    python3 benches/peers/rummy.py [--hands 20] [--seed 1]
"""

import argparse
import itertools
import random
import subprocess
import tempfile
import time

import highspy

CASES = [(14, 0, 1), (14, 0, 2), (14, 2, 2), (30, 0, 1), (30, 0, 2), (30, 1, 2), (60, 0, 2), (104, 0, 2)]


def melds(counts, jokers):
    """Every meld as its cards and its number of jokers."""
    found = set()
    places = [[(rank, suit) for rank in range(first, first + length)]
              for suit in range(4) for length in range(3, 14) for first in range(1, 15 - length)]
    places += [[(rank, suit) for suit in suits]
               for rank in range(1, 14) for size in (3, 4) for suits in itertools.combinations(range(4), size)]
    for place in places:
        missing = [card for card in place if not counts.get(card)]
        if len(missing) > jokers:
            continue
        there = [card for card in place if counts.get(card)]
        for more in range(jokers - len(missing) + 1):
            for left_out in itertools.combinations(there, more):
                found.add((tuple(card for card in there if card not in left_out), len(missing) + more))
    return sorted(found)


def highs(hand, jokers):
    """The fewest cards left, and the seconds for all and for solving."""
    began = time.perf_counter()
    counts = {card: hand.count(card) for card in hand}
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    candidates = melds(counts, jokers)
    rows = {card: [] for card in counts}
    wild = []
    for at, (cards, stand_ins) in enumerate(candidates):
        solver.addVar(0.0, float(len(hand) + jokers))
        solver.changeColCost(at, -float(len(cards) + stand_ins))
        solver.changeColIntegrality(at, highspy.HighsVarType.kInteger)
        for card in cards:
            rows[card].append(at)
        if stand_ins:
            wild.append((at, float(stand_ins)))
    for card, columns in rows.items():
        if columns:
            solver.addRow(-highspy.kHighsInf, float(counts[card]), len(columns), columns, [1.0] * len(columns))
    if wild:
        columns, values = zip(*wild)
        solver.addRow(-highspy.kHighsInf, float(jokers), len(columns), list(columns), list(values))
    made = time.perf_counter()
    melded = 0
    if candidates:
        solver.run()
        melded = round(-solver.getInfo().objective_function_value)
    ended = time.perf_counter()
    return len(hand) + jokers - melded, ended - began, ended - made


def longhaul(lines):
    """For each hand the fewest cards left and the seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".hands") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        command = ["cargo", "bench", "--quiet", "--bench", "rummy", "--", "--hands", file.name]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [(int(left), int(nanoseconds) / 1e9) for left, nanoseconds in map(str.split, output.splitlines())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=20, help="so many hands of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dice = random.Random(args.seed)
    deck = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
    print("| cards | jokers | decks | longhaul | HiGHS | solving alone | times as fast |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for cards, jokers, decks in CASES:
        count = 1 if cards == 52 * decks else args.hands
        hands = [dice.sample(deck * decks, cards) for _ in range(count)]
        spell = lambda hand: " ".join(f"{rank}{'HDCS'[suit]}" for rank, suit in hand) + " *" * jokers
        ours = longhaul([f"{decks} {spell(hand)}" for hand in hands])
        theirs = [highs(hand, jokers) for hand in hands]
        for hand, (left, _), (other, _, _) in zip(hands, ours, theirs):
            assert left == other, f"{spell(hand)}: {left} cards left, or {other}?"
        mean = lambda times: sum(times) / count
        own, whole, alone = (mean([t for _, t in ours]), mean([t for _, t, _ in theirs]), mean([t for _, _, t in theirs]))
        print(f"| {cards} | {jokers} | {decks} | {own * 1e6:.1f} µs | {whole * 1e3:.1f} ms | {alone * 1e3:.1f} ms "
              f"| {whole / own:.0f}, {alone / own:.0f} |", flush=True)


if __name__ == "__main__":
    main()
