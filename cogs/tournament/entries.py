"""What people want of tournaments: in, out, planned, moved, cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Final, Self

import discord
from discord import app_commands, ui

from cogs.answers import door
from cogs.answers.ages import since_of
from cogs.answers.client import Casino, Interaction
from cogs.answers.managers import managers_only
from cogs.answers.preferences import reader_of
from cogs.answers.serving import Press, Reply
from cogs.coach.asking import refuse_unthinking
from cogs.table import rule_sets
from cogs.tournament import hours, pages
from cogs.words import _, counted, play_chips, reading, zone_name
from cogs.words.refusals import Sorry
from data import Ladder
from engine.games.blackjack import GAME as BLACKJACK
from engine.games.contract import CHIP, Cents
from engine.tables.house import CAPS
from engine.tables.orders import GAME
from engine.tables.refused import Reason, Refused
from engine.tournament.order import TournamentOrder
from engine.tournament.state import Every
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView

#: Chips.
MOST_BUDGET: Final = 1_000_000
MOST_BUY_IN: Final = 100_000_000

#: The furthest day is a whole one.
_A_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament that somebody typed, and that fits on the button that confirms it."""

    starts: int
    every: Every
    budget: int  # chips
    buy_in: int
    level: str
    rules: str
    odds: bool = False


# -- planning ----------------------------------------------------------------------------------------------------------


async def check(interaction: Interaction, plan: Plan) -> None:
    """What can be wrong with a plan, now and when it is confirmed."""
    managers_only(interaction)
    assert interaction.guild_id is not None
    casino = interaction.client
    await rule_sets.find(interaction, GAME, plan.rules)
    _refuse_made_up(plan, casino.clock.now())
    refuse_unthinking(casino, GAME, plan.level)
    if plan.starts < casino.clock.now():
        raise Sorry(_("That time has passed. Choose a later one."))
    if len(await casino.director.views(interaction.guild_id)) >= CAPS.tournaments:
        raise Refused(Reason.TOURNAMENTS_OF_GUILD, most=CAPS.tournaments)
    await _refuse_unaffordable(casino, interaction.guild_id, plan.buy_in * CHIP)


def _refuse_made_up(plan: Plan, now: float) -> None:
    """What can be on a button that Discord lets nobody make, and could not be typed."""
    in_reach = plan.starts <= now + hours.FURTHEST.total_seconds() + _A_DAY
    if not (
        in_reach and plan.level in BLACKJACK.levels and 1 <= plan.budget <= MOST_BUDGET and plan.buy_in <= MOST_BUY_IN
    ):
        raise door.misplaced()


async def _refuse_unaffordable(casino: Casino, guild: int, buy_in: Cents) -> None:
    """Who never played here would start with what the house gives."""
    best = (await casino.bank.ladders.leaderboard(guild, Ladder.CHIPS, size=1)).rows
    richest = max([(await casino.bank.guilds.house(guild)).starting_chips, *(row.value for row in best)])
    if buy_in > richest:
        raise Sorry(
            _(
                "Nobody here could pay {buy_in}: the richest has {richest}.",
                buy_in=counted(buy_in),
                richest=counted(richest),
            )
        )


async def preview(interaction: Interaction, plan: Plan, why_then: str = "") -> ui.LayoutView:
    """Show a plan before it is kept; `why_then` says why it starts on a day that nobody named."""
    assert interaction.guild_id is not None
    zone = (await interaction.client.bank.guilds.settings(interaction.guild_id)).zone
    lines = [
        _(
            "**{exactly}** · {hour} by this server's clocks ({zone})",
            exactly=pages.exactly(plan.starts),
            hour=hours.clock_at(plan.starts, zone).strftime("%H:%M"),
            zone=zone_name(zone),
        ),
        *filter(None, [why_then]),
        _("Repeats: {every}", every=pages.every(plan.every)),
        _("Buy-in: **{buy_in}**", buy_in=counted(plan.buy_in * CHIP)) if plan.buy_in else _("Free to enter"),
        _(
            "{budget} each · {rules} · computer players: {level}",
            budget=play_chips(plan.budget * CHIP),
            rules=plan.rules,
            level=_(plan.level),
        ),
        *([_("Players may ask for the odds of their hands")] if plan.odds else []),
        _("In this channel; its tables in threads, where I may open them"),
    ]
    return pages.preview("\n".join(lines), ConfirmKey.of(plan), free=not plan.buy_in)


class ConfirmKey(
    Press,
    template=r"plan(?P<odds>|-odds):(?P<starts>\d{1,12}):(?P<every>once|daily|weekly):(?P<budget>\d{1,9})"
    r":(?P<buy_in>\d{1,9}):(?P<level>[a-z]{1,12}):(?P<rules>.{1,40})",
):
    @classmethod
    def of(cls, plan: Plan) -> Self:
        carried = {**asdict(plan), "odds": "-odds" if plan.odds else ""}
        return cls.button(_("Confirm"), style=discord.ButtonStyle.success, **carried)

    @property
    def plan(self) -> Plan:
        carried = {field.name: getattr(self, field.name) for field in fields(Plan)}
        return Plan(**{**carried, "every": Every(carried["every"]), "odds": bool(carried["odds"])})

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await check(interaction, self.plan)
        view = await interaction.client.director.schedule(await _order(interaction, self.plan))
        await reply.redraw(pages.planned(view))


async def _order(interaction: Interaction, plan: Plan) -> TournamentOrder:
    """The preview's own id becomes the tournament's: however often it is confirmed, it is one."""
    assert interaction.guild_id is not None
    assert interaction.channel_id is not None
    assert interaction.message is not None
    bank = interaction.client.bank
    zone = (await bank.guilds.settings(interaction.guild_id)).zone
    rules = await rule_sets.find(interaction, GAME, plan.rules)
    return TournamentOrder(
        press=interaction.message.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        organiser=await bank.members.sign_in(interaction.guild_id, interaction.user.id),
        rules_name=plan.rules,
        rules=rules.as_json(),
        budget=plan.budget * CHIP,
        buy_in=plan.buy_in * CHIP,
        level=plan.level,
        starts=float(plan.starts),
        every=plan.every,
        zone=zone,
        wall=hours.wall_of(plan.starts, zone),
        odds=plan.odds,
    )


# -- another hour ------------------------------------------------------------------------------------------------------


async def moved(
    interaction: Interaction, tournament: int, time: str, day: str, *, series: bool
) -> tuple[TournamentView, TournamentView]:
    """How it was, and how it is; on its own day where none was typed."""
    casino = interaction.client
    before = await casino.director.view(tournament)
    zone = (await casino.bank.guilds.settings(before.state.guild)).zone
    starts = hours.start(day or before.state.wall[:10], time, zone, casino.clock.now())
    if starts == before.state.starts:
        raise Sorry(_("That is when it starts already."))
    wall = hours.wall_of(starts, zone)
    return before, await casino.director.move(tournament, interaction.id, starts, wall, zone, series=series)


# -- in and out --------------------------------------------------------------------------------------------------------


async def enter_or_leave(interaction: Interaction, reply: Reply, tournament: int, word: str) -> None:
    """A press of Join or Leave, answered with the message as it is then."""
    view = await changed(interaction, tournament, word)
    if interaction.message is not None and interaction.message.id == view.state.message:
        with reading(await reader_of(interaction.client, view.state.guild)):
            page = pages.sign_up(view)
        await reply.redraw(page)
        return
    announce(interaction, view)
    await reply.say(entered(view) if word == "join" else withdrawn(view))


async def changed(interaction: Interaction, tournament: int, word: str) -> TournamentView:
    casino = interaction.client
    view = await door.tournament_of(interaction, tournament)
    member = await casino.bank.members.sign_in(view.state.guild, interaction.user.id)
    if word == "join" and view.buy_in:
        await casino.bank.chips.expect_age(view.state.guild, since_of(interaction))
    step = casino.director.join if word == "join" else casino.director.leave
    return await step(tournament, member, interaction.id)


def announce(interaction: Interaction, view: TournamentView) -> None:
    casino = interaction.client
    casino.announcer.soon(view.state.id, partial(casino.director.announce, view.state.id))


def entered(view: TournamentView) -> str:
    if not view.buy_in:
        return _("You are in. It starts {when}.", when=pages.exactly(view.state.starts))
    return _(
        "You are in for {buy_in}. It starts {when}.",
        buy_in=counted(view.buy_in),
        when=pages.exactly(view.state.starts),
    )


def withdrawn(view: TournamentView) -> str:
    if not view.buy_in:
        return _("You are no longer signed up.")
    return _("You are no longer signed up, and have your {buy_in} back.", buy_in=counted(view.buy_in))


# -- which one ---------------------------------------------------------------------------------------------------------


async def chosen(
    interaction: Interaction, which: str | None, phases: Sequence[TournamentPhase], *, mine: bool = False
) -> int:
    """The tournament that was named, or the next one there is (`mine`: that the person is in)."""
    assert interaction.guild_id is not None
    views = [view for view in await interaction.client.director.views(interaction.guild_id) if view.phase in phases]
    if mine and which is None:
        views = [view for view in views if interaction.user.id in view.people]
        if not views:
            raise Refused(Reason.NOT_SIGNED_UP)
    named = [view for view in views if which is None or which in (str(view.state.id), _typed(view))]
    if not named:
        raise Refused(Reason.NO_SUCH_TOURNAMENT)
    return named[0].state.id


async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    assert interaction.guild_id is not None
    views = await interaction.client.director.views(interaction.guild_id)
    fitting = [(_typed(view), view) for view in views if typed.casefold() in _typed(view).casefold()]
    return [app_commands.Choice(name=name[:100], value=str(view.state.id)) for name, view in fitting[:25]]


def _typed(view: TournamentView) -> str:
    """What somebody types who means this one: its name, and its date."""
    return _(
        "{name} · {date} · {rules}",
        name=pages.day_and_hour(view.state),
        date=view.state.wall[:10],
        rules=view.state.rules_name,
    )
