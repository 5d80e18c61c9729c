"""What presses mean at elimination tables beyond what they mean at all tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.words import _, chips
from cogs.words.refusals import Sorry
from engine.elimination.standings import EliminationView
from engine.games.contract import Cents
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

#: The keys that stake at once, and what of the table's offers each of them stakes (R7.6).
OFFERS: Final[Mapping[str, str]] = {"smallest": "smallest", "half": "half", "twice": "double", "all-in": "all in"}
#: The key that asks for another stake, and the one of somebody who was absent.
OTHER: Final = "other"
BACK: Final = "back"


def offered(snapshot: Snapshot, word: str) -> Cents:
    """What the key stakes now."""
    amount = snapshot.offers.get(OFFERS[word])
    if amount is None:
        raise Refused(Reason.OLD_BUTTON)
    return amount


def is_absent(snapshot: Snapshot, user: int) -> bool:
    elimination: EliminationView | None = snapshot.elimination
    if elimination is None:
        return False
    mine = [standing for standing, who in zip(elimination.seats, snapshot.players, strict=True) if who.user == user]
    return any(standing.away and standing.fall is None for standing in mine)


async def welcome_back(table: Table, user: int, press: int) -> bool:
    """Whatever somebody presses who was absent, stale or not: the table waits for them again (R7.8)."""
    if not is_absent(table.snapshot(), user):
        return False
    await table.come_back(user, press)
    return True


def explained(refused: Refused, snapshot: Snapshot, user: int, *, returned: bool) -> Exception:
    """The same no, in the words of an elimination table."""
    if returned:
        return Sorry(_("Welcome back: the table waits for you again."))
    if snapshot.elimination is None:
        return refused
    if refused.reason is Reason.CANNOT_PAY and refused.details:
        return Sorry(_("That takes {needed} chips, and you have {balance} at this table.", **_amounts(refused)))
    if refused.reason is not Reason.NOT_SEATED:
        return refused
    if any(who.user == user for who in snapshot.players):
        return Sorry(_("You are out of this table. Stay and watch who wins."))
    if snapshot.solo:
        return Sorry(_("This is a table of a tournament: only those play here who were drawn to it."))
    return refused


def _amounts(refused: Refused) -> dict[str, str]:
    return {name: chips(refused.details[name]) for name in ("needed", "balance")}
