"""/history: the list of a member's finished rounds, and each of them step by step or as an animation."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import member_of
from cogs.answers.panel import Rows, panel
from cogs.answers.press import Press, choice, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach import evening
from cogs.coach.asking import asker_of
from cogs.coach.odds_text import in_a_line, odds_of
from cogs.table import finished, motion
from cogs.table.components import file_of
from cogs.words import _, when
from cogs.words.refusals import Sorry
from data import HistoryPage, Played
from engine.tables.rebuilt import record_of
from engine.tables.values import Member, StoredRound

log = logging.getLogger(__name__)


class HistoryCommand(commands.Cog):
    """The command /history."""

    @app_commands.command(description="Your finished rounds, to replay step by step", extras=shown_in(Section.CHIPS))
    @app_commands.guild_only()
    async def history(self, interaction: Interaction) -> None:
        """Show the list of the member's newest finished rounds, from which each can be replayed."""
        async with serving(interaction) as reply:
            me = await member_of(interaction)
            await reply.show(_list(await interaction.client.bank.records.history(me.id), interaction.client))


# -- the list ----------------------------------------------------------------------------------------------------------


def _list(found: HistoryPage, casino: Casino) -> ui.LayoutView:
    if not found.rounds:
        return panel(_("Your rounds"), _("You haven't finished a round yet. Start one with `/blackjack`."))
    lines = "\n".join(_line(played) for played in found.rounds)
    rows = _list_rows(found)
    if casino.coach is not None and not found.newer and evening.evening_of(found.rounds):
        rows.append([evening.EveningKey.button(_("Best play"))])
    return panel(_("Your rounds"), lines, rows=rows)


def _line(played: Played) -> str:
    return _(
        "{colour} **{net}** · {game} {rules}\n-# {when} · `{code}`",
        colour=_colour(played),
        code=played.code,
        net=finished.net(played),
        game=_(played.game),
        rules=played.rules_name,
        when=when(played.at),
    )


def _colour(played: Played) -> str:
    """Return a dot for a round: green if it was won, red if it was lost, else white."""
    return "🟢" if played.net > 0 else "🔴" if played.net < 0 else "⚪"


def _list_rows(found: HistoryPage) -> Rows:
    rows: Rows = [[RoundChoice.of(found)]]
    if found.newer or found.older:
        first, last = found.rounds[0], found.rounds[-1]
        newer = PageButton.button(_("Newer"), enabled=found.newer, way="newer", table=first.table, number=first.number)
        older = PageButton.button(_("Older"), enabled=found.older, way="older", table=last.table, number=last.number)
        rows.append([newer, older])
    return rows


class ListButton(Press, template=r"history:(?P<page>-?\d{1,6})"):
    """The key that leads back to the newest rounds. `page` is not used: earlier releases had numbered pages."""

    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        me = await member_of(interaction)
        await reply.redraw(_list(await interaction.client.bank.records.history(me.id), interaction.client), [])


class PageButton(Press, template=r"history:(?P<way>newer|older):(?P<table>\d{1,20}):(?P<number>\d{1,12})"):
    """The key to older or newer rounds. `table` and `number` name the first or the last round on the page."""

    way: str
    table: int
    number: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        me, records = await member_of(interaction), interaction.client.bank.records
        leaf = records.newer if self.way == "newer" else records.older
        await reply.redraw(_list(await leaf(me.id, self.table, self.number), interaction.client), [])


class RoundChoice(Press, template=r"history:(?P<page>\d{1,6}):choose"):
    """The menu of the rounds on the page, which replays one from its first step.

    `page` is not used: earlier releases had numbered pages.
    """

    @classmethod
    def of(cls, found: HistoryPage) -> Self:
        menu: ui.Select[Any] = ui.Select(
            custom_id=cls.carries.of(page=0),
            placeholder=_("Replay a round"),
            options=[discord.SelectOption(label=_option(played), value=played.code) for played in found.rounds],
        )
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _show(interaction, reply, choice(interaction), 0)


def _option(played: Played) -> str:
    values = {"colour": _colour(played), "net": finished.net(played), "game": _(played.game), "code": played.code}
    return _("{colour} {net} · {game} · {code}", **values)


# -- a round -----------------------------------------------------------------------------------------------------------


async def _show(interaction: Interaction, reply: Reply, code: str, step: int) -> None:
    me, stored = await _own_round(interaction, code)
    steps = finished.steps(stored)
    step = min(step, steps)
    page = await asyncio.to_thread(finished.page, stored, step, me)
    picture = (page.picture.file, page.picture.alt) if page.picture is not None else None
    view = panel(
        _(
            "{step} of {steps} · {what}",
            step=step + 1,
            steps=finished.steps(stored) + 1,
            what=finished.step_taken(stored, step),
        ),
        page.title,
        "\n".join(line for group in page.groups for line in group),
        small=[_("`/verify {code}` checks it against its seal", code=stored.code)],
        rows=[_step_row(stored, step), *([[MotionKey.button(_("Animation"), code=stored.code)]] if picture else [])],
        picture=picture,
    )
    await reply.redraw(view, [await file_of(page.picture)] if page.picture is not None else [])


async def _own_round(interaction: Interaction, code: str) -> tuple[Member, StoredRound]:
    """Return the member, and the finished round with this code. Raises Sorry if they have not played it here."""
    me = await member_of(interaction)
    stored = await interaction.client.bank.records.round(code, me.guild)
    if stored is None or me.id not in stored.members:
        raise Sorry(_("You haven't played that round here."))
    return me, stored


def _step_row(stored: StoredRound, step: int) -> list[ui.Item[Any]]:
    code, last = stored.code, finished.steps(stored)
    return [
        StepButton.button(_("Previous"), enabled=step > 0, code=code, step=step - 1),
        StepButton.button(_("Next"), enabled=step < last, code=code, step=step + 1),
        ListButton.button(_("All rounds"), page=0),
    ]


class StepButton(Press, template=r"replay:(?P<code>[0-9a-f-]{8,17}):(?P<step>-?\d{1,4})"):
    """The key that shows a round after this number of steps, or its end if it has fewer."""

    code: str
    step: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _show(interaction, reply, self.code, max(0, self.step))


# -- a round in motion -------------------------------------------------------------------------------------------------

#: Seconds to wait for the odds of all decisions of a round. If they take longer, the animation shows none.
_PATIENCE: Final = 8.0


class MotionKey(Press, template=r"replay:motion:(?P<code>[0-9a-f-]{8,17})"):
    """The key that shows a round as an animation: its end, then each step. Each person may have one a minute."""

    code: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        me, stored = await _own_round(interaction, self.code)
        motion.expect_pause(interaction)
        last, odds = finished.steps(stored), await _odds(interaction, stored, me)
        pages = [await asyncio.to_thread(finished.page, stored, step, me) for step in range(last + 1)]
        hand = []
        for step, page in enumerate(pages):
            assert page.picture is not None  # `expect_pause` refuses readers of words
            hand.append(motion.Moment(page.picture, finished.step_taken(stored, step), odds.get(step, "")))
        record = record_of(stored)
        heading = _("{game} {rules} in motion", game=_(record.game), rules=record.rules_name)
        await motion.show(interaction, reply, heading[:1].upper() + heading[1:], hand, [_step_row(stored, last)])


async def _odds(interaction: Interaction, stored: StoredRound, me: Member) -> dict[int, str]:
    """Return a line for each choice of the member about what it was worth, by the number of its step.

    There are none without the coach, during a break from everything, or if the coach takes too long or cannot answer.
    """
    resting = await interaction.client.bank.breaks.of(interaction.user.id)
    if interaction.client.coach is None or resting.everything is not None:
        return {}
    try:
        async with asyncio.timeout(_PATIENCE):
            asked = finished.questions(stored, me)
            found = {at: await odds_of(interaction.client, turn, asker_of(interaction)) for at, turn in asked}
    except (Sorry, TimeoutError) as error:
        log.info("an animation has no odds: %s", error)
        return {}
    chosen = [step.action for step in record_of(stored).steps]
    return {at: in_a_line(odds.worths, chosen[at - 1]) for at, odds in found.items()}


async def setup(bot: Casino) -> None:
    take_up(bot, ListButton, PageButton, RoundChoice, StepButton, MotionKey, evening.EveningKey)
    await bot.add_cog(HistoryCommand())
