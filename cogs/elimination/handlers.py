"""The buttons that only elimination tables have, what they do, and how such a table words its refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cogs.answers.client import Interaction
from cogs.table.keys import ButtonStyle
from cogs.table.page import Cap, Pressed
from cogs.table.presentation import Presentation
from cogs.table.staking import seated, stake
from cogs.words import N_, _, ordinal, play_chips
from cogs.words.refusals import Sorry
from engine.elimination.standings import SeatStanding
from engine.games import registry as games
from engine.games.contract import Seat
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

#: The buttons that stake at once, each with the offer of the table that it takes (R7.6).
OFFERS: Final[Mapping[Cap, str]] = {
    Cap("smallest", N_("Minimum"), ButtonStyle.primary): "smallest",
    Cap("twice", N_("2x minimum"), ButtonStyle.secondary): "double",
    Cap("half", N_("Half"), ButtonStyle.secondary): "half",
    Cap("all-in", N_("All in"), ButtonStyle.secondary): "all in",
}
#: The button that asks in a form for any other stake.
OTHER: Final = Cap("other", N_("Other"), ButtonStyle.secondary)
#: The button of an absent player who is back.
BACK: Final = Cap("back", N_("I'm back"), ButtonStyle.success)

CAPS: Final = (*OFFERS, OTHER, BACK)

#: The refusals that name amounts, which are play chips here.
_AMOUNTS: Final[Mapping[Reason, str]] = {
    Reason.CANNOT_PAY: N_("You need {needed} but have {balance} at this table."),
    Reason.BELOW_LIMIT: N_("Stakes here are from {smallest} to {largest}."),
}


@dataclass(frozen=True, kw_only=True)
class EliminationPresentation(Presentation):
    """The presentation of elimination, with refusals that fit a table of play chips."""

    def explain(self, refused: Refused, snapshot: Snapshot, user: int) -> Exception:
        """Return a refusal in words that fit a table of play chips, or unchanged if there are no such words."""
        if refused.reason in _AMOUNTS and refused.details:
            amounts = {name: play_chips(amount) for name, amount in refused.details.items()}
            return Sorry(_(_AMOUNTS[refused.reason], **amounts))
        mine = [seat for seat, who in enumerate(snapshot.players) if who.user == user]
        if mine and refused.reason in (Reason.NOT_SEATED, Reason.TABLE_FULL):
            return Sorry(_finished(snapshot.standings.seats[mine[0]], len(snapshot.players)))
        if refused.reason is not Reason.NOT_SEATED:
            return refused
        if snapshot.solo:
            return Sorry(_("This is a tournament table: only the players drawn to it play here."))
        return Sorry(_("This table has begun, so nobody can join it any more.")) if snapshot.round else refused


async def greet(table: Table, user: int, press: int) -> str:
    """Let an absent player come back with any press, even an outdated one (R7.8).

    Return a welcome, or an empty text if this person is not an absent player.
    """
    snapshot = table.snapshot()
    if user not in {snapshot.players[seat].user for seat in absent(snapshot)}:
        return ""
    await table.come_back(user, press)
    return _("Welcome back! The table waits for you again.")


def _finished(standing: SeatStanding, of: int) -> str:
    """Return the sentence for a player who is out, with their place among `of` players if it is known."""
    if standing.fall is None:
        return _("You are out at this table. Stay and watch who wins.")
    return _("You finished {place} of {count}. Stay and watch who wins.", place=ordinal(standing.rank), count=of)


def absent(snapshot: Snapshot) -> list[Seat]:
    """Return the seats of the absent players who may come back: still in play, and not leaving for good."""
    leaving = {sitter.place - 1 for sitter in snapshot.sitters if sitter.leaving}
    seats = (standing for standing in snapshot.standings.seats if standing.away and standing.fall is None)
    return [standing.seat for standing in seats if standing.seat not in leaving]


async def stake_offered(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Stake the amount that the button offers at this moment. Refuse people without a seat and offers that are gone."""
    snapshot = table.snapshot()
    seated(snapshot, interaction)
    offer = next(offer for cap, offer in OFFERS.items() if cap.word == key.word)
    amount = snapshot.offers.get(offer)
    if amount is None:
        raise Refused(Reason.OLD_BUTTON)
    await stake(interaction, table, key.number, {games.game(snapshot.game).spots[0]: amount})


async def come_back(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Refuse people without a seat. For a player nothing is left to do: `greet` has already brought the absent back."""
    seated(table.snapshot(), interaction)
