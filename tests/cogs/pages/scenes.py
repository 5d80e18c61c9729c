"""Tables as everybody sees them, made from rounds that are written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.games.blackjack.view import BlackjackView
from engine.games.contract import CHIP, Cents, Round, Rules, Seat, Stakes
from engine.games.registry import GAMES
from engine.tables.snapshot import CloseReason, GameSnapshot, SealsShown, Sitter, Snapshot, TablePhase, offered

ADA, BEN, CHLOE = 101, 102, 103
MARK: Final = "5ea1ed5e-3"
NEXT_MARK: Final = "5ea1ed5e-4"
PROMISE: Final = "https://discord.com/channels/1/2/33"
HASH: Final = "c0ffee" * 10 + "c0de"
DEADLINE: Final = 1_800_000_060.0
TABLE: Final = 7


def person(user: int = ADA, place: int = 1, balance: int = 1_000, **more: Any) -> Sitter:
    """Return a person with the chips that they had before any stake."""
    return Sitter(place, user, user, balance=balance * CHIP, **more)


def computer(name: str = "Dot", place: int = 2, **more: Any) -> Sitter:
    return Sitter(place, None, None, computer=name, level="expert", **more)


def stakes(chips: int, spot: str = "main") -> dict[str, Cents]:
    return {spot: chips * CHIP}


def closed(seen: Snapshot, why: CloseReason) -> Snapshot:
    return replace(seen, phase=TablePhase.CLOSED, close_reason=why, legal=())


def before(game: str, rules_name: str, *sitters: Sitter, **more: Any) -> Snapshot:
    """A table at which no round was dealt yet."""
    rules = GAMES[game].rule_sets[rules_name]
    usual: dict[str, Any] = {"phase": TablePhase.BETTING, "round": 0}
    return _table(game, rules_name, rules, tuple(map(_less_stakes, sitters or (person(),))), **(usual | more))


def at(
    game: str, rules_name: str, dealt: Round, *sitters: Sitter, placed: Sequence[Stakes] = (), **more: Any
) -> Snapshot:
    """A table at which this round lies; who sits there, a seat each, unless they are said to wait for the next one.
    `placed` is what each seat staked from a purse."""
    rules = GAMES[game].rule_sets[rules_name]
    seated = tuple(_in_round(dealt, sitter, placed) for sitter in _seated(sitters or (person(),)))
    shown: dict[str, Any] = {"view": dealt.view(), "turn": dealt.turn, "round": 3, "odds": GAMES[game].has_odds}
    shown["seals"] = SealsShown(MARK, NEXT_MARK, PROMISE, HASH if dealt.over else "")
    if dealt.over:
        shown |= {"phase": TablePhase.BETTING, "settlement": dealt.settlement()}
    else:
        legal, costs = offered(dealt, seated)
        shown |= {"phase": TablePhase.PLAYING, "legal": legal, "costs": costs, "deadline": DEADLINE}
    return _table(game, rules_name, rules, seated, **(shown | more))


def _seated(sitters: tuple[Sitter, ...]) -> tuple[Sitter, ...]:
    """Return the sitters with their seats, in the order of their places. Those who wait have none."""
    dealt = [sitter for sitter in sitters if sitter.seat != WAITS]
    return tuple(replace(sitter, seat=dealt.index(sitter) if sitter in dealt else None) for sitter in sitters)


def _in_round(dealt: Round, sitter: Sitter, placed: Sequence[Stakes]) -> Sitter:
    """Return a sitter with what the round has taken or brought so far."""
    if sitter.member is None or sitter.seat is None or not placed:
        return _less_stakes(sitter)
    brought = dealt.settlement().net(sitter.seat) if dealt.over else -_lying(dealt.view(), sitter.seat)
    staked = placed[sitter.seat]
    return _less_stakes(replace(sitter, balance=sitter.balance + brought, last_stakes=staked))


def _lying(view: Any, seat: Seat) -> Cents:
    if isinstance(view, BlackjackView):
        return sum(hand.stake for hand in view.seats[seat].hands) + (view.seats[seat].insurance or 0)
    stake: Cents = view.stake
    return stake


def _less_stakes(sitter: Sitter) -> Sitter:
    return replace(sitter, balance=sitter.balance - sum((sitter.staked or {}).values()))


#: The value in place of a seat for somebody who sat down after the deal.
WAITS: Final[Seat] = -1


def _table(game: str, rules_name: str, rules: Rules, sitters: tuple[Sitter, ...], **more: Any) -> Snapshot:
    usual: dict[str, Any] = {
        "table": TABLE, "guild": 1, "channel": 2, "message": 3, "version": 4, "solo": False, "opener": ADA,
        "seals": SealsShown(next_code=NEXT_MARK, promise=PROMISE),
    }  # fmt: skip
    return GameSnapshot(game=game, rules_name=rules_name, rules=rules, sitters=sitters, **(usual | more))
