"""The buttons of a table, and the effect of a press on one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.here import here, member_of
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.care.sittings import note
from cogs.table import people
from cogs.table.door import at_table
from cogs.table.keys import AGAIN, CARDS, DEAL, HALF, JOIN, LEAVE, TWICE, alone, offers_join, times
from cogs.table.page import Key, Pressed
from cogs.table.presentation import Handler, presentation, presented
from cogs.table.stake_form import StakeForm
from cogs.table.staking import again, newcomer_of, seated, stake, standing, welcome
from cogs.words import _
from engine.games import registry as games
from engine.games.contract import Refusal
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table


class TableButton(
    Press, template=r"t:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<turn>\d{1,12}):(?P<word>[a-z-]{1,20})"
):
    """A button of a table. Its custom id says for which table, round and turn it is, and which key it is (`word`)."""

    stands: ClassVar[Stands] = Stands.AT_ITS_TABLE

    table: int
    number: int
    turn: int
    word: str

    @classmethod
    def of(cls, table: int, key: Key) -> Self:
        label = _("{label} {amount}", label=_(key.cap.label), amount=key.amount) if key.amount else _(key.cap.label)
        carried = {"table": table, "number": key.number, "turn": key.turn, "word": key.cap.word}
        shown: dict[str, Any] = {"label": label[:80], "style": key.cap.style, "disabled": not key.enabled}
        return cls(ui.Button(**shown, custom_id=cls.carries.of(**carried)))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        """Do what the key says, and answer with the redrawn table or with a form that asks for the stake.

        One of the bot's `asides` may answer in private instead. After any other answer, the person may be offered pings
        and, after two hours of play, a break.
        """
        async with at_table(interaction, self.table) as (table, presentation):
            for aside in interaction.client.asides:
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
        if offered := await interaction.client.caller.offer(here(interaction).guild, interaction.user.id):
            await reply.try_to_say(offered)
        await note(interaction, reply)


async def _act(interaction: Interaction, reply: Reply, table: Table, key: Pressed) -> None:
    """Play an action and answer with the table. If the key did not show what the action costs, tell the player."""
    casino, before = interaction.client, table.snapshot()
    if key.word not in table.game.actions:
        raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_OFFERED)
    await table.act(interaction.user.id, key.word, key.number, key.turn, interaction.id)
    await casino.presenter.answer(reply, table)
    if sum(map(bool, before.legal)) > 1:
        await _tell_price(reply, before, table.snapshot(), key, interaction.user.id)


async def _tell_price(reply: Reply, before: Snapshot, after: Snapshot, key: Pressed, user: int) -> None:
    """Tell the player in private what an action cost, unless its key showed that or the round is over."""
    was, now = before.sitter_of(user), after.sitter_of(user)
    if was is None or now is None or key.word in before.costs or after.settlement is not None:
        return
    if now.balance < was.balance and (cap := presentation(before.game).cap(key.word)) is not None:
        paid = people.amount(after, was.balance - now.balance)
        await reply.try_to_say(_("{play}: {chips}", play=_(cap.label), chips=paid))


async def _tell_leaving(reply: Reply, snapshot: Snapshot, user: int) -> None:
    """Tell a player who leaves in mid-hand what becomes of it, in private, and how to stay if the table lets them."""
    sitter = snapshot.sitter_of(user)
    if snapshot.phase is not TablePhase.PLAYING or sitter is None or not sitter.leaving:
        return
    if snapshot.elimination is not None:
        told = _("You'll leave after this hand. It stands as it is, and you can't come back to this table.")
    else:
        told = _("You'll leave after this hand. It stands as it is, and you keep any winnings.")
        if offers_join(key for row in presented(snapshot).page_of(snapshot).rows for key in row):
            told += " " + _("Press **Join** to stay.")
    await reply.try_to_say(told)


# -- handlers ----------------------------------------------------------------------------------------------------------


async def _join(interaction: Interaction, table: Table, key: Pressed) -> None:
    member = await member_of(interaction)
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
    """Stake a multiple of the player's last stakes on the next round. Refuse players who have none.

    In games where the opener deals, deal at once if nobody else is at the table.
    """
    sitter = seated(table.snapshot(), interaction)
    if not sitter.last_stakes:
        raise Refused(Reason.NOTHING_STAKED)
    await stake(interaction, table, key.number, times(sitter.last_stakes, factor), more=False)
    await _deal_for_lone(interaction, table, key)


async def _deal_again(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Stake the same again. In games where the opener deals, deal at once if nobody else is at the table."""
    await _stake_again(interaction, table, key)
    await _deal_for_lone(interaction, table, key)


async def _deal_for_lone(interaction: Interaction, table: Table, key: Pressed) -> None:
    """Deal for the only person at the table, in games where the opener deals. Other games deal once all have staked."""
    if table.game.opener_deals and alone(table.snapshot()) is not None:
        await table.deal(interaction.user.id, interaction.id, key.number)


async def _deal(interaction: Interaction, table: Table, key: Pressed) -> None:
    """End the betting and deal, in games where the opener does that; refuse it in others."""
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
    newcomer = await newcomer_of(interaction, snapshot)
    sitter = seated(snapshot, interaction) if newcomer is None else standing(newcomer)
    await reply.ask(StakeForm.of(snapshot, sitter, key.word if key.word in spots else spots[0]))
