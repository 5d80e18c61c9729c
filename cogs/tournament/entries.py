"""Changes of tournaments that members ask for: joining, leaving, planning, moving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Final, Self

import discord
from discord import app_commands, ui

from cogs.answers.ages import since_of
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import managers_only, misplaced, server_of
from cogs.answers.preferences import reader_of
from cogs.answers.serving import Press, Reply
from cogs.table import rule_sets
from cogs.table.opening import refuse_unthinking
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

#: The largest budget and buy-in, in chips.
MOST_BUDGET: Final = 1_000_000
MOST_BUY_IN: Final = 100_000_000

#: Seconds of a day: any hour of the furthest day is allowed.
_A_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament as it was typed. It fits into the custom id of the button that confirms it."""

    starts: int
    every: Every
    budget: int  # chips
    buy_in: int
    level: str
    rules: str
    odds: bool = False


# -- planning ----------------------------------------------------------------------------------------------------------


async def check(interaction: Interaction, plan: TournamentPlan) -> None:
    """Refuse a plan that is impossible now. It is checked again when it is confirmed."""
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


def _refuse_made_up(plan: TournamentPlan, now: float) -> None:
    """Refuse values that could not be typed, only put into a forged custom id."""
    in_reach = plan.starts <= now + hours.FURTHEST.total_seconds() + _A_DAY
    if not (
        in_reach and plan.level in BLACKJACK.levels and 1 <= plan.budget <= MOST_BUDGET and plan.buy_in <= MOST_BUY_IN
    ):
        raise misplaced()


async def _refuse_unaffordable(casino: Casino, guild: int, buy_in: Cents) -> None:
    """Refuse a buy-in that nobody here could pay, not even a new member with the starting chips."""
    best = (await casino.bank.ladders.leaderboard(guild, Ladder.CHIPS, size=1)).rows
    richest = max([(await casino.bank.guilds.house(guild)).starting_chips, *(row.value for row in best)])
    if buy_in > richest:
        raise Sorry(
            _(
                "Nobody here can afford {buy_in}: the richest has {richest}.",
                buy_in=counted(buy_in),
                richest=counted(richest),
            )
        )


async def preview(interaction: Interaction, plan: TournamentPlan, why_then: str = "") -> ui.LayoutView:
    """Return the plan as a message to confirm. `why_then` says why it starts on a day that was not typed."""
    assert interaction.guild_id is not None
    zone = (await interaction.client.bank.guilds.settings(interaction.guild_id)).zone
    lines = [
        _(
            "**{exactly}** · {hour} server time ({zone})",
            exactly=pages.exactly(plan.starts),
            hour=hours.clock_at(plan.starts, zone).strftime("%H:%M"),
            zone=zone_name(zone),
        ),
        *filter(None, [why_then]),
        _("Does not repeat") if plan.every is Every.ONCE else _("Repeats: {every}", every=pages.every(plan.every)),
        _("Buy-in: **{buy_in}**", buy_in=counted(plan.buy_in * CHIP)) if plan.buy_in else _("Free to enter"),
        _(
            "{budget} each · {rules} · computer players: {level}",
            budget=play_chips(plan.budget * CHIP),
            rules=plan.rules,
            level=_(plan.level),
        ),
        *([_("Players can ask for the odds of their hands")] if plan.odds else []),
        _("Played in this channel, with tables in threads if I'm allowed to open them"),
    ]
    return pages.preview("\n".join(lines), ConfirmKey.of(plan), free=not plan.buy_in)


class ConfirmKey(
    Press,
    template=r"plan(?P<odds>|-odds):(?P<starts>\d{1,12}):(?P<every>once|daily|weekly):(?P<budget>\d{1,9})"
    r":(?P<buy_in>\d{1,9}):(?P<level>[a-z]{1,12}):(?P<rules>.{1,40})",
):
    """The button that confirms a plan."""

    @classmethod
    def of(cls, plan: TournamentPlan) -> Self:
        carried = {**asdict(plan), "odds": "-odds" if plan.odds else ""}
        return cls.button(_("Confirm"), style=discord.ButtonStyle.success, **carried)

    @property
    def plan(self) -> TournamentPlan:
        """The plan that the button carries."""
        carried = {field.name: getattr(self, field.name) for field in fields(TournamentPlan)}
        return TournamentPlan(**{**carried, "every": Every(carried["every"]), "odds": bool(carried["odds"])})

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await check(interaction, self.plan)
        view = await interaction.client.director.schedule(await _order(interaction, self.plan))
        await reply.redraw(pages.planned(view))


async def _order(interaction: Interaction, plan: TournamentPlan) -> TournamentOrder:
    """Return the order of the tournament. The preview's message id makes it unique, however often it is confirmed."""
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
    """Move a tournament, and return it before and after. Without a day it stays on its own."""
    casino = interaction.client
    before = await casino.director.view(tournament)
    zone = (await casino.bank.guilds.settings(before.state.guild)).zone
    starts = hours.start(day or before.state.wall[:10], time, zone, casino.clock.now())
    if starts == before.state.starts:
        raise Sorry(_("It already starts then."))
    wall = hours.wall_of(starts, zone)
    return before, await casino.director.move(tournament, interaction.id, starts, wall, zone, series=series)


# -- in and out --------------------------------------------------------------------------------------------------------


async def enter_or_leave(interaction: Interaction, reply: Reply, tournament: int, word: str) -> None:
    """Handle a press of Join or Leave, and show the message as it is afterwards."""
    view = await changed(interaction, tournament, word)
    if interaction.message is not None and interaction.message.id == view.state.message:
        with reading(await reader_of(interaction.client, view.state.guild)):
            page = pages.sign_up(view)
        await reply.redraw(page)
        return
    announce(interaction, view)
    await reply.say(entered(view) if word == "join" else withdrawn(view))


async def changed(interaction: Interaction, tournament: int, word: str) -> TournamentView:
    """Sign the member up or out, and return the tournament."""
    casino = interaction.client
    view = await _signed_up_here(interaction, tournament)
    member = await casino.bank.members.sign_in(view.state.guild, interaction.user.id)
    if word == "join" and view.buy_in:
        await casino.bank.chips.expect_age(view.state.guild, since_of(interaction))
    step = casino.director.join if word == "join" else casino.director.leave
    return await step(tournament, member, interaction.id)


async def _signed_up_here(interaction: Interaction, tournament: int) -> TournamentView:
    """Return the tournament if it is of this server and, where a button was pressed, of this channel."""
    view = await interaction.client.director.view(tournament)
    if view.state.guild != server_of(interaction):
        raise Refused(Reason.NO_SUCH_TOURNAMENT)
    if interaction.message is not None and interaction.channel_id != view.state.channel:
        raise misplaced()
    return view


def announce(interaction: Interaction, view: TournamentView) -> None:
    """Update the sign-up message soon."""
    casino = interaction.client
    casino.announcer.soon(view.state.id, partial(casino.director.announce, view.state.id))


def entered(view: TournamentView) -> str:
    """Return the answer to a sign-up."""
    if not view.buy_in:
        return _("You're in! It starts {when}.", when=pages.exactly(view.state.starts))
    return _(
        "You're in for {buy_in}. It starts {when}.",
        buy_in=counted(view.buy_in),
        when=pages.exactly(view.state.starts),
    )


def withdrawn(view: TournamentView) -> str:
    """Return the answer to a sign-up that was taken back."""
    if not view.buy_in:
        return _("You're no longer signed up.")
    return _("You're no longer signed up, and get {buy_in} back.", buy_in=counted(view.buy_in))


# -- which one ---------------------------------------------------------------------------------------------------------


async def chosen(
    interaction: Interaction, which: str | None, phases: Sequence[TournamentPhase], *, mine: bool = False
) -> int:
    """Return the named tournament, or the next one (with `mine`, the next one that the member has joined)."""
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
    """Return the tournaments that fit what was typed, as suggestions."""
    assert interaction.guild_id is not None
    views = await interaction.client.director.views(interaction.guild_id)
    fitting = [(_typed(view), view) for view in views if typed.casefold() in _typed(view).casefold()]
    return [app_commands.Choice(name=name[:100], value=str(view.state.id)) for name, view in fitting[:25]]


def _typed(view: TournamentView) -> str:
    """Return the text by which a member names this tournament: its name, its date and its rules."""
    return _(
        "{name} · {date} · {rules}",
        name=pages.day_and_hour(view.state),
        date=view.state.wall[:10],
        rules=view.state.rules_name,
    )
