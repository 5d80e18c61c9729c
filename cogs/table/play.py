"""What a press at a table does."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from cogs.answers import door, forms
from cogs.answers.client import Casino, Interaction
from cogs.answers.preferences import phrase_of, preferences
from cogs.answers.serving import Reply
from cogs.coach import caution, odds_told
from cogs.table.keys import AGAIN, CARDS, DEAL, HALF, JOIN, LEAVE, ODDS, TWICE, alone, times, to_come
from cogs.table.page import Pressed
from cogs.table.presentation import Deed, presentation_of, presented
from cogs.table.stakes import stake_form, typed, usual
from cogs.words import _, counted
from cogs.words.refusals import Sorry
from engine.games import registry as games
from engine.games.contract import Refusal, Stakes
from engine.tables.ports import Member
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Sitter, Snapshot, TablePhase
from engine.tables.table import Table


async def press(interaction: Interaction, reply: Reply, table_id: int, key: Pressed) -> None:
    """Do what the key says, and answer with the table as it is then."""
    casino = interaction.client
    table = await door.table_of(interaction, table_id)
    async with _pressing(casino, interaction, table):
        home = presentation_of(table)
        if key.word in home.asking or key.word in games.game(table.state.game).spots:
            await _ask_stake(interaction, reply, table, key)
        elif key.word == ODDS.word:
            await odds_told.tell(casino, interaction, reply, table)
        else:
            deed = home.deeds.get(key.word) or _DEEDS.get(key.word, _act)
            if deed is _act and await _is_asked_first(casino, interaction, reply, table, key):
                return
            before = table.snapshot()
            await deed(casino, interaction, table, key)
            await casino.presenter.answer(reply, table)
            if key.word == LEAVE.word:
                await _tell_leaving(reply, table.snapshot(), interaction.user.id)
            elif deed is _act:
                await _tell_price(reply, before, table.snapshot(), key, interaction.user.id)


async def _is_asked_first(casino: Casino, interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> bool:
    """Of plays that cost too much, by members who want to be asked."""
    if casino.coach is None or not table.snapshot().odds:
        return False
    if not (await preferences(casino.bank, table.state.guild, interaction.user.id)).warnings:
        return False
    return await caution.asks_first(casino, interaction, reply, table, key)


async def _tell_price(reply: Reply, before: Snapshot, after: Snapshot, key: Pressed, user: int) -> None:
    """What the play cost, where its key could not say so because others would have paid something else."""
    was, now, cap = before.sitter_of(user), after.sitter_of(user), presented(before).cap(key.word)
    if was is None or now is None or cap is None or key.word in before.costs or after.settlement is not None:
        return
    if now.balance < was.balance:
        await reply.try_to_say(_("{play}: {chips}", play=_(cap.label), chips=counted(was.balance - now.balance)))


async def _tell_leaving(reply: Reply, snapshot: Snapshot, user: int) -> None:
    """Who leaves in mid-hand is told what becomes of it."""
    sitter = snapshot.sitter_of(user)
    if snapshot.phase is TablePhase.PLAYING and sitter is not None and sitter.leaving and sitter.seat is not None:
        await reply.try_to_say(
            _("You leave after this hand: it stands, and what it wins is yours. **Join** takes it back.")
        )


@asynccontextmanager
async def _pressing(casino: Casino, interaction: Interaction, table: Table) -> AsyncIterator[None]:
    """Meanwhile nothing else draws the table. What is refused may be so because the message shows something old."""
    user = interaction.user.id
    with casino.presenter.held(table):
        home = presentation_of(table)
        greeting = await home.greet(table, user, interaction.id)
        try:
            yield
        except Refused as refused:
            casino.presenter.touched(table)
            if greeting:
                raise Sorry(greeting) from refused
            raise home.explain(refused, table.snapshot(), user) from refused


async def stake_filled_in(interaction: Interaction, reply: Reply, match: re.Match[str], answers: forms.Answers) -> None:
    """A stake from a form."""
    casino = interaction.client
    table = await door.table_of_form(interaction, int(match["table"]))
    async with _pressing(casino, interaction, table):
        snapshot = table.snapshot()
        newcomer = await _newcomer(casino, interaction, snapshot)
        balance = newcomer.balance if newcomer is not None else seated(snapshot, interaction).balance
        amount = typed(answers.get("chips", ""), balance, snapshot.largest)
        stakes = {match["spot"]: amount}
        await stake(casino, interaction, table, int(match["number"]), stakes, newcomer=newcomer)
        await casino.presenter.answer(reply, table)


async def stake(
    casino: Casino,
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
    phrase = await phrase_of(interaction)
    return await table.stake(interaction.user.id, stakes, interaction.id, phrase, message, number, newcomer, more=more)


# -- deeds -------------------------------------------------------------------------------------------------------------


async def _act(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    if key.word not in games.game(table.state.game).actions:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.act(interaction.user.id, key.word, key.number, key.turn, interaction.id)


async def _join(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    assert interaction.guild_id is not None
    member = await casino.bank.members.sign_in(interaction.guild_id, interaction.user.id)
    await table.join(member, interaction.id)


async def _leave(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    await table.leave(interaction.user.id, interaction.id)


async def _stake_again(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    """The same stake again, or the usual one of somebody who has none yet."""
    snapshot = table.snapshot()
    sitter = seated(snapshot, interaction)
    await stake(casino, interaction, table, key.number, again(snapshot, sitter))


async def _stake_twice(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    await _stake_times(casino, interaction, table, key, 2)


async def _stake_half(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    await _stake_times(casino, interaction, table, key, 1 / 2)


async def _stake_times(casino: Casino, interaction: Interaction, table: Table, key: Pressed, factor: float) -> None:
    """The last stake so many times, and the next hand at once."""
    sitter = seated(table.snapshot(), interaction)
    if not sitter.last_stakes:
        raise Refused(Reason.NOTHING_STAKED)
    await stake(casino, interaction, table, key.number, times(sitter.last_stakes, factor), more=False)
    await _deal_for_lone(interaction, table, key)


async def _deal_again(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    """The same stake again, and the next hand as soon as nobody else is waited for."""
    await _stake_again(casino, interaction, table, key)
    await _deal_for_lone(interaction, table, key)


async def _deal_for_lone(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Where the opener ends the window, somebody alone does so with the stake itself."""
    if games.game(table.state.game).opener_deals and alone(table.snapshot()) is not None:
        await table.deal(interaction.user.id, interaction.id, key.number)


async def _deal(casino: Casino, interaction: Interaction, table: Table, key: Pressed) -> None:
    """End the window that is open to the whole channel."""
    if not games.game(table.state.game).opener_deals:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.deal(interaction.user.id, interaction.id, key.number)


_DEEDS: Final[Mapping[str, Deed]] = {
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
    if key.number != to_come(snapshot):
        raise Refused(Reason.OLD_BUTTON)
    spots = games.game(snapshot.game).spots
    newcomer = await _newcomer(interaction.client, interaction, snapshot)
    sitter = seated(snapshot, interaction) if newcomer is None else standing(newcomer)
    await reply.ask(stake_form(snapshot, sitter, key.word if key.word in spots else spots[0]))


# -- who presses -------------------------------------------------------------------------------------------------------


def seated(snapshot: Snapshot, interaction: Interaction) -> Sitter:
    sitter = snapshot.sitter_of(interaction.user.id)
    if sitter is None or sitter.member is None:
        raise Refused(Reason.NOT_SEATED)
    return sitter


async def _newcomer(casino: Casino, interaction: Interaction, snapshot: Snapshot) -> Member | None:
    """Who is not seated yet and may stake all the same: where stakes are open to the whole channel."""
    sitter = snapshot.sitter_of(interaction.user.id)
    if (sitter is not None and sitter.member is not None) or not games.game(snapshot.game).opener_deals:
        return None
    assert interaction.guild_id is not None
    return await casino.bank.members.sign_in(interaction.guild_id, interaction.user.id)


def standing(newcomer: Member) -> Sitter:
    return Sitter(place=0, user=newcomer.user, member=newcomer.id, balance=newcomer.balance)


def again(snapshot: Snapshot, sitter: Sitter) -> Stakes | None:
    """None stands for the same as last time, or what the rules fix."""
    if sitter.last_stakes or snapshot.rules.seating.fixed_stake:
        return None
    spots = games.game(snapshot.game).spots
    if len(spots) > 1:
        raise Sorry(_("You have not staked here yet: there is nothing to repeat."))
    return {spots[0]: usual(snapshot, sitter, spots[0])}
