"""/war: casino war, one member's card against the dealer's, and everything that people see of it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.options import Suggested
from cogs.pictures.war import WarPicture, render
from cogs.table import one_question, people, rule_fields, rule_sets
from cogs.table.keys import ButtonStyle, action_keys
from cogs.table.opening import Bet, TableRequest, sit_down
from cogs.table.page import Cap, Key, Page
from cogs.table.presentation import BuiltIn, Presentation
from cogs.words import N_, _, cards, chips, decks, ngettext, number, signed, written
from engine.games.contract import Outcome
from engine.games.war import GAME, WarRules, WarView
from engine.tables.snapshot import GameSnapshot, Sitter

#: A table of this game as everybody may see it.
WarTable: TypeAlias = GameSnapshot[WarRules, WarView]

GO_TO_WAR: Final = Cap("war", N_("Go to war"), ButtonStyle.primary)
SURRENDER: Final = Cap("surrender", N_("Surrender"), ButtonStyle.secondary)

_ENDS: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("higher"),
    Outcome.LOSE: N_("lower"),
    Outcome.SURRENDER: N_("surrendered"),
    Outcome.WAR_WON: N_("the war is won"),
    Outcome.WAR_TIED: N_("equal again, the war is won"),
    Outcome.WAR_LOST: N_("the war is lost"),
}

_PER_CENT: Final = (0, 50, 100, 150, 200, 250, 300)


def page_of(snapshot: WarTable) -> Page:
    return one_question.page(
        snapshot,
        title=_("**Casino war** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks(snapshot.rules.decks)),
        asks=lambda seen: _("{name}, war or surrender?", name=people.name(seen.in_round[0])),
        lines=_lines,
        answers=_answers,
        picture=one_question.picture(snapshot, WarPicture, render, _alt),
        highlight=_highlight(snapshot.view),
    )


def _highlight(view: WarView | None) -> str:
    """Return the headline of a war that was won, marked for translation, or an empty text."""
    won = view is not None and view.result is not None and view.burnt and view.result.net > 0
    return N_("The war is won! {who} {net}") if won else ""


def _answers(snapshot: WarTable) -> tuple[Key, ...]:
    return action_keys(snapshot, (GO_TO_WAR, SURRENDER), {SURRENDER.word: signed(-(snapshot.dealt.stake // 2))})


# -- in words ----------------------------------------------------------------------------------------------------------


def _lines(snapshot: WarTable) -> tuple[str, ...]:
    dealer = _("Dealer · {cards}", cards=written(snapshot.dealt.dealer))
    return (dealer, *(_own_line(snapshot, sitter) for sitter in snapshot.in_round), *_story(snapshot))


def _own_line(snapshot: WarTable, sitter: Sitter) -> str:
    view = snapshot.dealt
    row = written(view.player)
    if view.result is None:
        return people.playing_line(sitter, row, view.stake, alone=True)
    if not view.burnt:
        ended = _(_ENDS[view.result.outcome])
        if view.late and not sitter.leaving:
            ended = _("time ran out: {outcome}", outcome=ended)
        row = _("{cards} · {state}", cards=row, state=ended)
    return people.settled_line(snapshot, sitter, row, view.result.net, alone=True)


def _story(snapshot: WarTable) -> tuple[str, ...]:
    """Return the line about a war that is over: the cards burnt, and what it pays. Without a war there is none."""
    view = snapshot.dealt
    if not view.burnt:
        return ()
    return (_("-# {burnt} · {outcome}", burnt=_burnt(view), outcome=_war_text(snapshot)),)


def _war_text(snapshot: WarTable) -> str:
    """Return the words for how a war ended.

    They say what it pays beyond both stakes, as a multiple of the first stake, or that both stakes are lost.
    """
    view = snapshot.dealt
    assert view.result is not None
    if view.result.outcome is Outcome.WAR_LOST:
        return _("both stakes are lost")
    rules = snapshot.rules
    won = view.result.outcome is Outcome.WAR_WON
    values = {
        "times": number(Decimal(rules.won_pays if won else rules.tied_pays) / 100),
        "first": chips(view.stake // 2),
    }
    return (
        _("the war pays {times} x {first}", **values) if won else _("equal again: it pays {times} x {first}", **values)
    )


def _burnt(view: WarView) -> str:
    return ngettext("{count} card burnt", "{count} cards burnt", view.burnt)


def _alt(snapshot: WarTable) -> str:
    if snapshot.view is None:
        return _("A table for casino war, no cards yet.")
    view = snapshot.dealt
    told = [
        _("Dealer: {cards}.", cards=cards(view.dealer)),
        _("Player: {cards}, stake {stake}.", cards=cards(view.player), stake=chips(view.stake)),
    ]
    if view.burnt:
        told.append(_("{burnt}.", burnt=_burnt(view)))
    if view.result is not None:
        ended = _war_text(snapshot) if view.burnt else _(_ENDS[view.result.outcome])
        told.append(_("{outcome}: {net}.", outcome=ended, net=signed(view.result.net)))
    return " ".join(told)


# -- the rules in words ------------------------------------------------------------------------------------------------

_RULES: Final = (
    rule_fields.DECKS,
    rule_fields.said(N_("Battle"), N_("a card each, aces high; the higher one wins 1:1")),
    rule_fields.said(
        N_("Equal cards"), N_("surrender half the stake, or go to war with a second one and three cards burnt")
    ),
    rule_fields.number(
        "won_pays",
        N_("War won pays, %"),
        _PER_CENT,
        number,
        lambda rules: _("both stakes back, and {percent}% of the first", percent=rules.won_pays),
        heading=N_("War won"),
    ),
    rule_fields.number(
        "tied_pays",
        N_("War tied pays, %"),
        _PER_CENT,
        number,
        lambda rules: _("both stakes back, and {percent}% of the first", percent=rules.tied_pays),
        heading=N_("Equal again"),
    ),
    rule_fields.said(N_("War lost"), N_("both stakes are lost")),
)

PRESENTATION: Final = Presentation(
    help=N_("Casino war: your card against the dealer's"),
    page_of=page_of,
    caps=(GO_TO_WAR, SURRENDER),
    keys_text=N_(
        "**Casino war**\n"
        "**Go to war**: match your bet, and each side gets one more card\n"
        "**Surrender**: get half your bet back"
    ),
    rules=_RULES,
    sets={
        "ctrl-alt-bet": BuiltIn(N_("a war won pays 1.5 times your bet, a second tie twice your bet"), 0.00618, "war"),
        "casino": BuiltIn(N_("the casino game: a war won or tied again pays your bet once"), 0.028771, "war"),
    },
    first_hand=N_(
        "👋 **Your first battle here!** The higher card wins, and aces are high. If the cards are equal, **Go to war** "
        "with a second stake, or **Surrender** for half of yours back. **Deal** plays again. Good luck!"
    ),
    owned=N_("This is somebody else's table. `/war` opens one of your own."),
    answer_time=N_("War decision"),
)


# -- the command -------------------------------------------------------------------------------------------------------


#: The name of a rule set.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(GAME.name))]


class WarCommand(commands.Cog):
    """The cog of `/war`, which opens tables for casino war."""

    @app_commands.command(description=PRESENTATION.help)
    @app_commands.describe(bet="Chips to stake: a number, half or all", rules="The rule set of a new table")
    @app_commands.guild_only()
    async def war(
        self,
        interaction: Interaction,
        bet: Bet | None = None,
        rules: RulesOption | None = None,
    ) -> None:
        """Open the member's own war table in this channel with a stake, or go on at it and place a typed bet."""
        await sit_down(interaction, TableRequest(GAME.name, rules, bet))


async def setup(bot: Casino) -> None:
    await bot.add_cog(WarCommand())
