"""Elimination tables in every phase: seats 1 to 4, Ada at the first and computer players at the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.elimination import standings
from engine.elimination.elimination import Elimination
from engine.elimination.stakes import suggestions
from engine.elimination.terms import Entrant, Terms
from engine.fairness.lots import Lots
from engine.games.blackjack.notation import round_of
from engine.games.contract import CHIP, Round
from engine.tables.snapshot import CloseReason, Sitter, Snapshot
from engine.tables.state import Seated

from .scenes import ADA, BEN, DEADLINE, at, before, closed

COMPUTERS: Final = ("", "Dot", "Bit", "Pip")


def begun(*, lone: bool = True, people: int = 1, budget: int = 100) -> Elimination:
    entrants = [Entrant(name or "Ada", None if seat < people else "expert") for seat, name in enumerate(COMPUTERS)]
    return Elimination(Terms(budget * CHIP, lone=lone), entrants, Lots(bytes(range(32))))


def staked(table: Elimination) -> Elimination:
    while table.asked is not None:
        table.stake(table.asked, table.smallest(table.asked))
    return table


def played(*rounds: Sequence[float], **more: Any) -> Elimination:
    """Return a table after rounds in which each seat won or lost these chips."""
    table = begun(**more)
    for nets in rounds:
        staked(table).played([round(net * CHIP) for net in nets])
    return table


def asked(table: Elimination, seat: int) -> Elimination:
    """Those before it have staked."""
    while table.asked != seat:
        assert table.asked is not None
        table.stake(table.asked, table.smallest(table.asked))
    return table


def seen(table: Elimination, dealt: Round | None = None, *, order: Sequence[int] = (), **more: Any) -> Snapshot:
    """`order` are the seats that the round on display was dealt to."""
    shown = standings.view(table)
    sitters = [_sitter(table, seat) for seat in (order or range(4))]
    usual: dict[str, Any] = {
        "elimination": shown,
        "players": tuple(_seated(table, seat) for seat in range(4)),
        "solo": not table.terms.lone,
    }
    if table.asked is not None and (dealt is None or dealt.over):
        usual |= {"offers": suggestions(table, table.asked), "deadline": DEADLINE}
    if dealt is None:
        return before("blackjack", "original", *sitters, **(usual | {"round": table.round - 1} | more))
    return at("blackjack", "original", dealt, *sitters, **(usual | {"round": table.round} | more))


def _person(table: Elimination, seat: int) -> int | None:
    return (ADA, BEN)[seat] if table.entrants[seat].person else None


def _seated(table: Elimination, seat: int) -> Seated:
    user = _person(table, seat)
    return Seated(seat + 1, user, None if user is not None else COMPUTERS[seat])


def _sitter(table: Elimination, seat: int) -> Sitter:
    user = _person(table, seat)
    computer = None if user is not None else COMPUTERS[seat]
    if any(fall.seat == seat for fall in table.falls):
        return Sitter(seat + 1, user, None, computer, leaving=True)
    return Sitter(seat + 1, user, user, computer, balance=table.stacks[seat] - table.staked.get(seat, 0), stacked=True)


CARDS: Final = "original stake 5 | T 6, 9 9, 5 6, T Q / 6 T"
ENDED: Final = f"{CARDS} | stand | stand | stand | stand | dealer 6 T 2"

FELL: Final = played((10, 0, 10, 10), (0, 0, 0, 0), (0, 0, 0, 0))
LOTS: Final = played((10, 0, 0, 10), (0, 0, 0, 0), (0, 0, 0, 0))
BANKRUPT: Final = played((0, 0, 0, -100))
#: One person and one computer player have no chips left, and the two others have the same number.
LEVEL: Final = played((-100, 0, 0, -100))
FINAL: Final = played(
    *[(5, 0, -5, -10)] * 3, *[(5, 0, -5, 0)] * 3, *[(5, -5, 0, 0)] * 3
)  # fmt: skip
#: The person has 16 and is the poorest of three.
OUT: Final = played(
    *[(5, 5, 5, 0)] * 5, (-5, 5, 0, 0)
)  # fmt: skip
SHOWDOWN: Final = "original stake 5 | T 9, 9 8 / 6 T | stand | stand | dealer 6 T 2"
OF_THREE: Final = "original stake 5 | T 6, T 9, 9 9 / 6 T | stand | stand | stand | dealer 6 T 2"
LEFT: Final = played((0, 5, 0, 0))
LEFT.leave(0)
BOTH_LEFT: Final = played((0, 5, 0, 0), people=2)
BOTH_LEFT.leave(0)
BOTH_LEFT.leave(1)


def away() -> Elimination:
    table = asked(played((0, 5, 0, 0), people=2), 0)
    table.step_out(1)
    return table


def called_off() -> Elimination:
    """The first round was dealt, did not count, and was played again."""
    table = staked(begun())
    table.call_off()
    for nets in ((10, 0, 10, 10), (0, 0, 0, 0), (0, 0, 0, 0)):
        staked(table).played([net * CHIP for net in nets])
    return table


def left() -> Elimination:
    """Ben left in mid-round, and went out with it."""
    table = staked(begun(people=2))
    table.leave(1)
    table.played([0, 0, 0, 0])
    return staked(table)


SCENES: Final = {
    "a person is asked for the first stake": seen(asked(begun(), 0)),
    "a computer player is asked": seen(asked(begun(), 1), deadline=None),
    "all have staked": seen(staked(begun())),
    "two people, one seat is free to take": seen(asked(begun(people=2), 0)),
    "cards, all are equal": seen(staked(begun()), round_of(CARDS), order=(0, 1, 2, 3)),
    "cards, one is in danger": seen(
        staked(played((0, 10, 10, 10), (0, 0, 0, 0))), round_of(CARDS), order=(0, 1, 2, 3)
    ),
    "a round is over, the next stake is asked": seen(
        asked(played((-5, 5, 5, 5)), 0), round_of(ENDED), order=(0, 1, 2, 3), round=1
    ),
    "one is away": seen(away()),
    "cards, one left in the round before": seen(
        left(), round_of("original stake 5 | T 6, T 9, 9 9 / 6 T"), order=(0, 2, 3)
    ),
    "one fell": seen(asked(FELL, 0), round=3),
    "one fell, and a round was called off before": seen(asked(called_off(), 0), round=4),
    "lots decided who fell": seen(LOTS, round=3),
    "one has no chips left": seen(BANKRUPT, round=1),
    "the end, a person won": closed(
        seen(FINAL, round_of(SHOWDOWN), order=(0, 1), round=9), CloseReason.WON
    ),
    "the end, the person fell": closed(
        seen(OUT, round_of(OF_THREE), order=(0, 1, 2), round=6), CloseReason.WON
    ),
    "the end, no person is left": closed(seen(LEFT, round=1), CloseReason.WON),
    "the end, lots decided every place": closed(seen(LEVEL, round=1), CloseReason.WON),
    "the end, two people and none is left": closed(seen(BOTH_LEFT, round=1), CloseReason.WON),
    "a tournament's table": seen(asked(begun(lone=False, people=2), 0)),
    "a tournament's table, decided": closed(
        replace(seen(FINAL, round=9), solo=True), CloseReason.WON
    ),
    "a tournament's table is closed by a manager": closed(
        seen(asked(begun(lone=False, people=2), 0)), CloseReason.ADMIN
    ),
    "a tournament is cancelled": closed(seen(asked(begun(lone=False, people=2), 0)), CloseReason.CANCELLED),
}  # fmt: skip
