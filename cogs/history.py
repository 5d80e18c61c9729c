"""/history: a member's finished rounds, step by step."""

from __future__ import annotations

import asyncio
from typing import Any, Self

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.panel import panel
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import Press, Reply, choice, serving, take_up
from cogs.table import finished
from cogs.table.components import file_of
from cogs.words import _, play_chips, signed, when
from cogs.words.refusals import Sorry
from data import HistoryPage, Played
from engine.tables.values import Member, StoredRound


class History(commands.Cog):
    """The command /history."""

    @app_commands.command(description="Your finished rounds, to replay step by step", extras=shown_in(Section.CHIPS))
    @app_commands.guild_only()
    async def history(self, interaction: Interaction) -> None:
        """Show the member's finished rounds, step by step."""
        async with serving(interaction) as reply:
            await reply.show(await _list(interaction, 0))


async def _me(interaction: Interaction) -> Member:
    assert interaction.guild_id is not None
    return await interaction.client.bank.members.sign_in(interaction.guild_id, interaction.user.id)


# -- the list ----------------------------------------------------------------------------------------------------------


async def _list(interaction: Interaction, page: int) -> ui.LayoutView:
    me = await _me(interaction)
    found = await interaction.client.bank.records.history(me.id, page)
    if not found.rounds:
        return panel(_("Your rounds"), _("You haven't finished a round yet. Start one with `/blackjack`."))
    lines = "\n".join(_line(played) for played in found.rounds)
    return panel(_("Your rounds"), lines, rows=_list_rows(found))


def _line(played: Played) -> str:
    net = signed(played.net) if played.real else play_chips(played.net, sign=True)
    return _(
        "{colour} **{net}** · {game} {rules}\n-# {when} · `{code}`",
        colour=_colour(played),
        code=played.code,
        net=net,
        game=_(played.game),
        rules=played.rules_name,
        when=when(played.at),
    )


def _colour(played: Played) -> str:
    """Return a colour that says at a glance whether the round was won or lost."""
    return "🟢" if played.net > 0 else "🔴" if played.net < 0 else "⚪"


def _list_rows(found: HistoryPage) -> list[list[ui.Item[Any]]]:
    rows: list[list[ui.Item[Any]]] = [[RoundChoice.of(found)]]
    if found.page or found.more:
        back = ListButton.button(_("Newer"), enabled=found.page > 0, page=found.page - 1)
        rows.append([back, ListButton.button(_("Older"), enabled=found.more, page=found.page + 1)])
    return rows


class ListButton(Press, template=r"history:(?P<page>-?\d{1,6})"):
    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await _list(interaction, max(0, self.page)), [])


class RoundChoice(Press, template=r"history:(?P<page>\d{1,6}):choose"):
    """The menu of the rounds on the page."""

    @classmethod
    def of(cls, found: HistoryPage) -> Self:
        menu: ui.Select[Any] = ui.Select(
            custom_id=cls.id_of(page=found.page),
            placeholder=_("Replay a round"),
            options=[discord.SelectOption(label=_option(played), value=played.code) for played in found.rounds],
        )
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _show(interaction, reply, choice(interaction), 0)


def _option(played: Played) -> str:
    net = signed(played.net)
    return _("{colour} {net} · {game} · {code}", colour=_colour(played), net=net, game=_(played.game), code=played.code)


# -- a round -----------------------------------------------------------------------------------------------------------


async def _show(interaction: Interaction, reply: Reply, code: str, step: int) -> None:
    me = await _me(interaction)
    stored = await interaction.client.bank.records.round(code, me.guild)
    if stored is None or me.id not in stored.members:
        raise Sorry(_("You haven't played that round here."))
    steps = finished.steps(stored)
    step = min(step, steps)
    page = await asyncio.to_thread(finished.page, stored, step, me)
    picture = (page.picture.file, page.picture.alt) if page.picture is not None else None
    view = panel(
        _(
            "{step} of {steps} · {what}",
            step=step + 1,
            steps=finished.steps(stored) + 1,
            what=finished.told(stored, step),
        ),
        page.title,
        "\n".join(line for group in page.groups for line in group),
        small=[_("`/verify {code}` checks it against its seal", code=stored.code)],
        rows=[_step_row(stored, step)],
        picture=picture,
    )
    await reply.redraw(view, [await file_of(page.picture)] if page.picture is not None else [])


def _step_row(stored: StoredRound, step: int) -> list[ui.Item[Any]]:
    code, last = stored.code, finished.steps(stored)
    return [
        StepButton.button(_("Previous"), enabled=step > 0, code=code, step=step - 1),
        StepButton.button(_("Next"), enabled=step < last, code=code, step=step + 1),
        ListButton.button(_("All rounds"), page=0),
    ]


class StepButton(Press, template=r"replay:(?P<code>[0-9a-f-]{8,13}):(?P<step>-?\d{1,4})"):
    code: str
    step: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _show(interaction, reply, self.code, max(0, self.step))


async def setup(bot: Casino) -> None:
    take_up(bot, ListButton, RoundChoice, StepButton)
    await bot.add_cog(History())
