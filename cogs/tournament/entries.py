"""Planning and moving tournaments, and finding the one that a member names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Self

import discord
from discord import app_commands, ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import managers_only, misplaced
from cogs.answers.here import here, member_of
from cogs.answers.options import Choices
from cogs.answers.preferences import speak_to
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.coach.asking import ask, asker_of
from cogs.elimination.opening import refuse_too_few_seats
from cogs.table import rule_sets
from cogs.table.opening import refuse_unthinking
from cogs.tournament import field, hours, pages
from cogs.words import _, counted, exactly, play_chips, zone_name
from cogs.words.refusals import Sorry
from data import Ladder
from engine.coach.sets import WhichFreeDeals
from engine.fairness.sets import same_name
from engine.games.computer import Level
from engine.games.contract import CHIP, Cents
from engine.sets.duels import terms_of as cards_by
from engine.sets.programme import SetTerms
from engine.tables.house import CAPS
from engine.tables.orders import GAME
from engine.tables.refused import Reason, Refused, refuse_from
from engine.tournament import field as same_cards
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

    starts: int  # seconds since 1970
    every: Every
    budget: int  # chips
    buy_in: int  # chips
    level: Level
    rules: str  # the name of a rule set
    odds: bool = False
    same: bool = False  # the same cards for all, and no tables


# -- planning ----------------------------------------------------------------------------------------------------------


async def check(interaction: Interaction, plan: TournamentPlan) -> None:
    """Refuse a plan that is impossible now, and people who may not manage the server. Confirming checks it again."""
    managers_only(interaction)
    casino = interaction.client
    rules = await rule_sets.find(interaction, GAME, plan.rules)
    _refuse_made_up(plan, casino.clock.now())
    if plan.same:
        await _refuse_undealt(interaction, cards_by(plan.rules, rules))
    else:
        refuse_too_few_seats(plan.rules, rules)
    refuse_unthinking(casino, GAME, plan.level)
    if plan.starts < casino.clock.now():
        raise Sorry(_("That time has passed. Choose a later one."))
    others = await casino.director.views(here(interaction).guild)
    refuse_from(CAPS.tournaments, Reason.TOURNAMENTS_OF_GUILD, len(others))
    await _refuse_unaffordable(casino, here(interaction).guild, plan.buy_in * CHIP)


def _refuse_made_up(plan: TournamentPlan, now: float) -> None:
    """Refuse values that nobody can type: they come from a made-up custom id."""
    in_reach = plan.starts <= now + hours.FURTHEST.total_seconds() + 2 * _A_DAY
    if not (in_reach and 1 <= plan.budget <= MOST_BUDGET and 0 <= plan.buy_in <= MOST_BUY_IN):
        raise misplaced()


async def _refuse_undealt(interaction: Interaction, terms: SetTerms) -> None:
    """Refuse a plan with the same cards for all if the coach is missing or cannot solve these rules."""
    await ask(interaction.client, WhichFreeDeals(terms, bytes(32), same_name(""), 1), asker_of(interaction))


async def _refuse_unaffordable(casino: Casino, guild: int, buy_in: Cents) -> None:
    """Refuse a buy-in that neither the leaderboard's first nor a new member with the starting chips could pay."""
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
    zone = (await interaction.client.bank.guilds.settings(here(interaction).guild)).zone
    lines = [
        _(
            "**{exactly}** · {hour} server time ({zone})",
            exactly=exactly(plan.starts),
            hour=hours.clock_at(plan.starts, zone).strftime("%H:%M"),
            zone=zone_name(zone),
        ),
        *filter(None, [why_then]),
        _("Does not repeat") if plan.every is Every.ONCE else _("Repeats: {every}", every=pages.every(plan.every)),
        _("Buy-in: **{buy_in}**", buy_in=counted(plan.buy_in * CHIP)) if plan.buy_in else _("Free to enter"),
        *(_same(plan) if plan.same else _at_tables(plan)),
    ]
    return pages.preview("\n".join(lines), ConfirmKey.of(plan), free=not plan.buy_in)


def _at_tables(plan: TournamentPlan) -> Iterator[str]:
    yield _(
        "{budget} each · {rules} · computer players: {level}",
        budget=play_chips(plan.budget * CHIP),
        rules=plan.rules,
        level=_(plan.level),
    )
    if plan.odds:
        yield _("Players can ask for the odds of their hands")
    yield _("Played in this channel, with tables in threads if I'm allowed to open them")


def _same(plan: TournamentPlan) -> Iterator[str]:
    yield field.what_is_played(same_cards.HANDS, plan.rules)
    yield field.rule()


class ConfirmKey(
    Press,
    template=r"plan(?P<odds>|-odds)(?P<same>|-same):(?P<starts>\d{1,12}):(?P<every>once|daily|weekly):(?P<budget>\d{1,9})"
    rf":(?P<buy_in>\d{{1,9}}):(?P<level>{'|'.join(Level)}):(?P<rules>.{{1,40}})",
):
    """The button that confirms a plan, after which the tournament is scheduled."""

    odds: str
    same: str
    starts: int
    every: str
    budget: int
    buy_in: int
    level: str
    rules: str

    @classmethod
    def of(cls, plan: TournamentPlan) -> Self:
        carried = {**asdict(plan), "odds": "-odds" if plan.odds else "", "same": "-same" if plan.same else ""}
        return cls.button(_("Confirm"), style=discord.ButtonStyle.success, **carried)

    @property
    def plan(self) -> TournamentPlan:
        """The plan that the button carries."""
        every, level = Every(self.every), Level(self.level)
        which = bool(self.odds), bool(self.same)
        return TournamentPlan(self.starts, every, self.budget, self.buy_in, level, self.rules, *which)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await check(interaction, self.plan)
        view = await interaction.client.director.schedule(await _order(interaction, self.plan))
        await reply.redraw(pages.planned(view))


async def _order(interaction: Interaction, plan: TournamentPlan) -> TournamentOrder:
    """Return the order of a planned tournament.

    Its `press` is the id of the preview's message, so a plan that is confirmed twice makes one tournament.
    """
    assert interaction.message is not None
    at = here(interaction)
    zone = (await interaction.client.bank.guilds.settings(at.guild)).zone
    rules = await rule_sets.find(interaction, GAME, plan.rules)
    return TournamentOrder(
        press=interaction.message.id,
        guild=at.guild,
        channel=at.channel,
        organiser=await member_of(interaction),
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
        hands=same_cards.HANDS if plan.same else 0,
        language=str(interaction.locale),
    )


# -- another hour ------------------------------------------------------------------------------------------------------


async def moved(
    interaction: Interaction, tournament: int, time: str, day: str, *, series: bool
) -> tuple[TournamentView, TournamentView]:
    """Move a tournament, and with `series` those after it. Return the tournament as it was and as it is now.

    Day and time are those of the server's clocks, and an empty `day` keeps the day. A series whose other tournaments
    stay keeps its zone. Raise Sorry if `hours.start` refuses the time, or if the start would stay the same.
    """
    casino = interaction.client
    before = await casino.director.view(tournament)
    state, zone = before.state, (await casino.bank.guilds.settings(before.state.guild)).zone
    starts = hours.start(day or hours.wall_of(state.starts, zone)[:10], time, zone, casino.clock.now())
    if starts == state.starts:
        raise Sorry(_("It already starts then."))
    if state.every is not Every.ONCE and not series:
        zone = state.zone
    wall = hours.wall_of(starts, zone)
    return before, await casino.director.move(tournament, interaction.id, starts, wall, zone, series=series)


# -- which one ---------------------------------------------------------------------------------------------------------


async def chosen(
    interaction: Interaction, which: str | None, phases: Sequence[TournamentPhase], *, mine: bool = False
) -> int:
    """Return the id of the tournament that `which` names, or of the next one if it is None.

    Only tournaments in these phases count. With `mine`, the next one is the next that the member has joined. Raise
    Refused if there is none.
    """
    views = [view for view in await interaction.client.director.views(here(interaction).guild) if view.phase in phases]
    if mine and which is None:
        views = [view for view in views if interaction.user.id in view.people]
        if not views:
            raise Refused(Reason.NOT_SIGNED_UP)
    named = [view for view in views if which is None or which in (str(view.state.id), _typed(view))]
    if not named:
        raise Refused(Reason.NO_SUCH_TOURNAMENT)
    return named[0].state.id


async def suggested(interaction: Interaction, typed: str) -> Choices:
    """Return suggestions of tournaments that fit what was typed, in the person's language."""
    await speak_to(interaction)
    views = await interaction.client.director.views(here(interaction).guild)
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
