"""The buttons of a table, and the effect of a press on one."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final, Self

from discord import ui

from cogs.answers import forms
from cogs.answers.client import Interaction
from cogs.answers.door import Stands, server_of
from cogs.answers.preferences import phrase_of
from cogs.answers.serving import Press, Reply
from cogs.table.door import at_table
from cogs.table.keys import AGAIN, CARDS, DEAL, HALF, JOIN, LEAVE, TWICE, alone, times, usual
from cogs.table.page import Key, Pressed
from cogs.table.presentation import Handler, presented
from cogs.table.stake_form import stake_form, typed
from cogs.words import _, counted
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.contract import Refusal, Stakes
from engine.tables.ports import BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import Member

#: Something that may answer a press in private before the table does, and returns whether it did.
Aside = Callable[[Interaction, Reply, Table, Pressed], Awaitable[bool]]


class TableButton(
    Press, template=r"t:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<turn>\d{1,12}):(?P<word>[a-z-]{1,20})"
):
    """A button of a table. It carries its table, round, turn and word; nothing is kept elsewhere."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE
    #: The odds and the warnings, which `background/presses.py` puts here.
    asides: ClassVar[tuple[Aside, ...]] = ()

    table: int
    number: int
    turn: int
    word: str

    @classmethod
    def of(cls, table: int, key: Key) -> Self:
        label = _("{label} {amount}", label=_(key.cap.label), amount=key.amount) if key.amount else _(key.cap.label)
        carried = {"table": table, "number": key.number, "turn": key.turn, "word": key.cap.word}
        shown: dict[str, Any] = {"label": label[:80], "style": key.cap.style, "disabled": not key.enabled}
        return cls(ui.Button(**shown, custom_id=cls._format.format(**carried)))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        """Do what the key says, and answer with the table as it is then."""
        async with at_table(interaction, self.table) as (table, presentation):
            for aside in self.asides:
                if await aside(interaction, reply, table, self):
                    return
            if self.word in presentation.asking or self.word in table.game.spots:
                await _ask_stake(interaction, reply, table, self)
            elif handler := presentation.handlers.get(self.word) or _HANDLERS.get(self.word):
                await handler(interaction, table, self)
                await interaction.client.presenter.answer(reply, table)
                await welcome(interaction, reply, table)
                if self.word == LEAVE.word:
                    await _tell_leaving(reply, table.snapshot(), interaction.user.id)
            else:
                await _act(interaction, reply, table, self)


async def _act(interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> None:
    """Take an action of the round."""
    casino, before = interaction.client, table.snapshot()
    if key.word not in table.game.actions:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.act(interaction.user.id, key.word, key.number, key.turn, interaction.id)
    await casino.presenter.answer(reply, table)
    if sum(map(bool, before.legal)) > 1:
        await _tell_price(reply, before, table.snapshot(), key, interaction.user.id)


async def _tell_price(reply: Reply, before: Snapshot, after: Snapshot, key: Pressed, user: int) -> None:
    """Tell the player what the action cost, if its key could not because prices differed."""
    was, now = before.sitter_of(user), after.sitter_of(user)
    if was is None or now is None or key.word in before.costs or after.settlement is not None:
        return
    if now.balance < was.balance and (cap := presented(before).cap(key.word)) is not None:
        await reply.try_to_say(_("{play}: {chips}", play=_(cap.label), chips=counted(was.balance - now.balance)))


async def _tell_leaving(reply: Reply, snapshot: Snapshot, user: int) -> None:
    """Tell a player who leaves in mid-hand what happens to the hand."""
    sitter = snapshot.sitter_of(user)
    if snapshot.phase is TablePhase.PLAYING and sitter is not None and sitter.leaving and sitter.seat is not None:
        await reply.try_to_say(
            _("You'll leave after this hand. It stands as it is, and you keep any winnings. Press **Join** to stay.")
        )


async def stake_filled_in(interaction: Interaction, reply: Reply, match: re.Match[str], answers: forms.Answers) -> None:
    """Stake the amount from a form."""
    async with at_table(interaction, int(match["table"]), form=True) as (table, _presentation):
        snapshot = table.snapshot()
        newcomer = await _newcomer(interaction, snapshot)
        balance = newcomer.balance if newcomer is not None else seated(snapshot, interaction).balance
        amount = typed(answers.get("chips", ""), balance, snapshot.largest)
        stakes = {match["spot"]: amount}
        await stake(interaction, table, int(match["number"]), stakes, newcomer=newcomer)
        await interaction.client.presenter.answer(reply, table)
        await welcome(interaction, reply, table)


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
    """Stake on round `number`, with the member's own phrase for its shuffle."""
    phrase, chair = await phrase_of(interaction), table.state.chair_of(interaction.user.id)
    after = await table.stake(interaction.user.id, stakes, interaction.id, phrase, message, number, newcomer, more=more)
    interaction.extras[_NEW_HERE] = chair is None or chair.last is None
    return after


#: Under this name an interaction remembers that somebody has staked who never did at this table before.
_NEW_HERE: Final = "new here"


async def welcome(interaction: Interaction, reply: Reply, table: Table) -> None:
    """Explain the keys to a member who has just placed their first stake on this server: once, and in private."""
    told = presented(table.snapshot()).first_hand
    if not interaction.extras.get(_NEW_HERE) or not told:
        return
    members = interaction.client.bank.members
    with suppress(BankError, OutcomeUnknown):  # the stake counts whether anything is explained or not
        member = await members.known(server_of(interaction), interaction.user.id)
        if member is not None and await members.staked_first(member, table.id, interaction.id):
            await reply.try_to_say(_(told))


# -- handlers ----------------------------------------------------------------------------------------------------------


async def _join(interaction: Interaction, table: Table, key: Pressed) -> None:
    assert interaction.guild_id is not None
    member = await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)
    await table.join(member, interaction.id)


async def _leave(interaction: Interaction, table: Table, key: Pressed) -> None:
    await table.leave(interaction.user.id, interaction.id)


async def _stake_again(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Stake the same again, or the usual amount for somebody who has not staked yet."""
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    await stake(interaction, table, key.number, again(snapshot, sitter))


async def _stake_twice(interaction: Interaction, table: Table, key: Pressed) -> None:
    await _stake_times(interaction, table, key, 2)


async def _stake_half(interaction: Interaction, table: Table, key: Pressed) -> None:
    await _stake_times(interaction, table, key, 1 / 2)


async def _stake_times(interaction: Interaction, table: Table, key: Pressed, factor: float) -> None:
    """Stake a multiple of the last stake, and deal the next hand at once."""
    sitter = seated(table.snapshot(), interaction)
    if not sitter.last_stakes:
        raise Refused(Reason.NOTHING_STAKED)
    await stake(interaction, table, key.number, times(sitter.last_stakes, factor), more=False)
    await _deal_for_lone(interaction, table, key)


async def _deal_again(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Stake the same again, and deal the next hand as soon as nobody else is waited for."""
    await _stake_again(interaction, table, key)
    await _deal_for_lone(interaction, table, key)


async def _deal_for_lone(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Deal for a player who is alone, at a table where the opener ends the betting."""
    if table.game.opener_deals and alone(table.snapshot()) is not None:
        await table.deal(interaction.user.id, interaction.id, key.number)


async def _deal(interaction: Interaction, table: Table, key: Pressed) -> None:
    """End the window that is open to the whole channel."""
    if not table.game.opener_deals:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.deal(interaction.user.id, interaction.id, key.number)


_HANDLERS: Final[Mapping[str, Handler]] = {
    JOIN.word: _join,
    LEAVE.word: _leave,
    DEAL.word: _deal_again,
    AGAIN.word: _stake_again,
    TWICE.word: _stake_twice,
    HALF.word: _stake_half,
    CARDS.word: _deal,
}


async def _ask_stake(interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> None:
    snapshot = table.snapshot()
    if key.number != snapshot.to_come:
        raise Refused(Reason.OLD_BUTTON)
    spots = games.game(snapshot.game).spots
    newcomer = await _newcomer(interaction, snapshot)
    sitter = seated(snapshot, interaction) if newcomer is None else standing(newcomer)
    await reply.ask(stake_form(snapshot, sitter, key.word if key.word in spots else spots[0]))


# -- who presses -------------------------------------------------------------------------------------------------------


def seated(snapshot: Snapshot, interaction: Interaction) -> Sitter:
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is None or sitter.member is None:
        raise Refused(Reason.NOT_SEATED)
    return sitter


async def _newcomer(interaction: Interaction, snapshot: Snapshot) -> Member | None:
    """Return the member if they have no seat yet but may stake, because the whole channel may."""
    sitter = snapshot.sitter_of(interaction.user.id)
    if (sitter is not None and sitter.member is not None) or not games.game(snapshot.game).opener_deals:
        return None
    assert interaction.guild_id is not None
    return await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)


def standing(newcomer: Member) -> Sitter:
    return Sitter(place=0, user=newcomer.user, member=newcomer.id, balance=newcomer.balance)


def again(snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """Return the stakes for the next hand. None means the same as last time, or what the rules fix."""
    if sitter.last_stakes or snapshot.rules.seating.fixed_stake:
        return None
    spots = games.game(snapshot.game).spots
    if len(spots) > 1:
        raise Sorry(_("You haven't bet here yet, so there is nothing to repeat."))
    return {spots[0]: usual(snapshot, sitter, spots[0])}
