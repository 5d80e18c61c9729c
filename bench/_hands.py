"""Hands for the benchmarks: a member who plays with the table's buttons, and the decisions of computer players."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.games.blackjack.actions import DECLINE
from engine.games.blackjack.players import choose
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.cards import PACK
from engine.games.computer import Level
from engine.games.contract import CHIP
from engine.solver import Position
from engine.tables.snapshot import Snapshot, TablePhase


def word(snapshot: Snapshot, stands_on: int) -> str:
    """Return the word of the button to press next: hit below `stands_on`, else stand; deal between rounds."""
    if snapshot.phase is TablePhase.BETTING:
        return "deal"
    if "insure" in snapshot.legal[0]:
        return "decline"
    seat, hand = snapshot.dealt.acting
    return "hit" if snapshot.dealt.seats[seat].hands[hand].total < stands_on else "stand"


def button(snapshot: Snapshot, pressed: str) -> str:
    """Return the custom id of a table's button. A stake is for the next round, an action for the current question."""
    if snapshot.phase is TablePhase.BETTING:
        return f"t:{snapshot.table}:{snapshot.round + 1}:0:{pressed}"
    return f"t:{snapshot.table}:{snapshot.round}:{snapshot.turn}:{pressed}"


def positions(seats: int, hands: int) -> Iterator[Position]:
    """Yield the position of each decision in rounds that computer players play."""
    shuffle = random.Random(11)
    shoe = list(PACK * VEGAS.decks)
    for _ in range(hands // seats):
        shuffle.shuffle(shoe)
        round = BlackjackRound(VEGAS, [{"main": CHIP}] * seats, tuple(shoe[:120]))
        while not round.over:
            seat = round.asked[0]
            if round.acting is None:
                round.apply(seat, DECLINE)
                continue
            yield Position.of_round(round, seat)
            round.apply(seat, choose(Level.EXPERT, round, seat))
