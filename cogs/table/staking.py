"""Stakes at a table, and the people who place them."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from cogs.answers.client import Interaction
from cogs.answers.here import here, member_of
from cogs.answers.preferences import phrase_of
from cogs.answers.reply import Reply
from cogs.table.keys import usual
from cogs.table.presentation import presented
from cogs.words import _
from cogs.words.refusals import Sorry
from data import Note
from engine.games import registry as games
from engine.games.contract import Stakes
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot
from engine.tables.table import Table
from engine.tables.values import Member


async def stake(
    interaction: Interaction,
    table: Table,
    number: int,
    stakes: Stakes | None,
    message: int | None = None,
    newcomer: Member | None = None,
    *,
    more: bool = True,
) -> Snapshot:
    """Stake with the member's own phrase for the shuffle. All other arguments are those of `Table.stake`.

    Return the table as it is then. Note in the interaction, for `welcome`, whether the member is new to this table.
    """
    phrase, chair = await phrase_of(interaction), table.state.chair_of(interaction.user.id)
    after = await table.stake(interaction.user.id, stakes, interaction.id, phrase, message, number, newcomer, more=more)
    interaction.extras[_NEW_HERE] = chair is None or chair.last is None
    return after


#: The key in an interaction's `extras` that says whether somebody has just staked at a table for the first time.
_NEW_HERE: Final = "new here"


async def welcome(interaction: Interaction, reply: Reply, table: Table) -> bool:
    """Explain the keys to a member who has just placed their first stake on this server: once, and in private.

    A manager is also pointed to `/casino setup`. Return whether anything was said.
    """
    told = presented(table.snapshot()).first_hand
    if not interaction.extras.get(_NEW_HERE) or not told:
        return False
    members = interaction.client.bank.members
    with suppress(BankError, OutcomeUnknown):  # the stake counts whether anything is explained or not
        member = await members.known(here(interaction).guild, interaction.user.id)
        if member is not None and await members.staked_first(member, table.id, interaction.id):
            await reply.try_to_say("\n\n".join(filter(None, (_(told), await _setup_offer(interaction)))))
            return True
    return False


async def _setup_offer(interaction: Interaction) -> str:
    """Return the hint about `/casino setup` for a manager, once on each server; otherwise an empty text."""
    guild = here(interaction).guild
    if not interaction.permissions.manage_guild:
        return ""
    if not await interaction.client.bank.notes.keep(Note("setup", str(guild), {}, guild)):
        return ""
    return _("🛠️ You manage this server: `/casino setup` shows everything you can set up here on one page.")


# -- people -----------------------------------------------------------------------------------------------------------


def seated(snapshot: Snapshot, interaction: Interaction) -> Sitter:
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is None or sitter.member is None:
        raise Refused(Reason.NOT_SEATED)
    return sitter


async def newcomer_of(interaction: Interaction, snapshot: Snapshot) -> Member | None:
    """Return the member if they may stake without a seat (in games where the opener deals) and have none; else None."""
    sitter = snapshot.sitter_of(interaction.user.id)
    if (sitter is not None and sitter.member is not None) or not games.game(snapshot.game).opener_deals:
        return None
    return await member_of(interaction)


def standing(newcomer: Member) -> Sitter:
    return Sitter(place=0, user=newcomer.user, member=newcomer.id, balance=newcomer.balance)


def again(snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """Return the stakes to hand to `Table.stake` if no amount was chosen.

    Return None if the player has staked here before, or if the stake is fixed: for None, `Table.stake` repeats the last
    stakes or places the fixed one. Otherwise return the usual stake, or raise Sorry if the game has several spots.
    """
    if sitter.last_stakes or snapshot.rules.seating.fixed_stake:
        return None
    spots = games.game(snapshot.game).spots
    if len(spots) > 1:
        raise Sorry(_("You haven't bet here yet, so there is nothing to repeat."))
    return {spots[0]: usual(snapshot, sitter, spots[0])}
