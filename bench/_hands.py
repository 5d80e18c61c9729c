"""Somebody who plays blackjack alone by the table's buttons, whatever is printed on them."""

from __future__ import annotations

from engine.tables.snapshot import Snapshot, TablePhase


def word(snapshot: Snapshot, stands_on: int) -> str:
    """What to press next: hit under that total, and deal again."""
    if snapshot.phase is TablePhase.BETTING:
        return "deal"
    if "insure" in snapshot.legal[0]:
        return "decline"
    seat, hand = snapshot.view.acting
    return "hit" if snapshot.view.seats[seat].hands[hand].total < stands_on else "stand"


def button(snapshot: Snapshot, pressed: str) -> str:
    """The custom id of a table's button. A stake is for the round to come, an action for the question now asked."""
    if snapshot.phase is TablePhase.BETTING:
        return f"t:{snapshot.table}:{snapshot.round + 1}:0:{pressed}"
    return f"t:{snapshot.table}:{snapshot.round}:{snapshot.turn}:{pressed}"
