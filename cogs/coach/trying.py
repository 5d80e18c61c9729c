"""Try again: misplayed hands are asked about again, ever later after right answers, until they are learned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import member_of
from cogs.answers.panel import FELT, in_rows, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.care.away import refuse_away
from cogs.coach.stats_text import called
from cogs.words import _, chips, ngettext, share, signed, when, written
from cogs.words.refusals import Sorry
from data import Missed
from engine.games.blackjack.actions import ACTIONS

_DAY: Final = 24 * 3600.0

#: Seconds until a hand is asked again after the first, second... right answer in a row. With one more right answer the
#: hand is learned.
AFTER_RIGHT: Final = (1 * _DAY, 3 * _DAY, 7 * _DAY, 21 * _DAY, 60 * _DAY)
#: Seconds until a hand is asked again after a wrong answer.
AFTER_WRONG: Final = 600.0


def answered(missed: Missed, action: str, now: float) -> Missed:
    """Return a hand after this answer, with the time of its next question, or None as the time once it is learned."""
    if action != missed.doc["best"]:
        return replace(missed, due=now + AFTER_WRONG, streak=0)
    learned = missed.streak >= len(AFTER_RIGHT)
    return replace(missed, due=None if learned else now + AFTER_RIGHT[missed.streak], streak=missed.streak + 1)


class TryButton(Press, template=r"try:next"):
    """The button that asks about the costliest hand that is due."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await refuse_away(interaction)
        casino, me = interaction.client, await member_of(interaction)
        missed, _due = await casino.bank.mistakes.to_try(me.id, casino.clock.now())
        if missed is None:
            raise Sorry(_("There is no hand to try again just now."))
        await reply.redraw(_question(missed), [])


class AnswerButton(
    Press,
    template=r"try:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<place>\d{1,4}):(?P<action>[a-z]{1,12})",
):
    """The key of an answer to a hand. It counts only once: if the hand is no longer due, only the verdict is shown."""

    table: int
    number: int
    place: int
    action: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await refuse_away(interaction)
        casino, me = interaction.client, await member_of(interaction)
        mistakes, this = casino.bank.mistakes, (me.id, self.table, self.number, self.place)
        missed = await mistakes.one(*this)
        if missed is None or self.action not in missed.doc["worths"]:
            raise Sorry(_("That hand isn't one of yours to try."))
        now = casino.clock.now()
        if missed.due is not None and missed.due <= now:
            await mistakes.learn(answered(missed, self.action, now), missed.due)
            missed = await mistakes.one(*this) or missed
        await reply.redraw(await _verdict(casino, missed, self.action), [])


def _question(missed: Missed) -> ui.LayoutView:
    keys = [
        AnswerButton.button(
            called(action), table=missed.table, number=missed.number, place=missed.place, action=str(action)
        )
        for action in ACTIONS
        if action in missed.doc["worths"]
    ]
    return panel(_("What's the best play?"), *_hand(missed), rows=in_rows(keys), colour=FELT)


def _hand(missed: Missed) -> tuple[str, str]:
    return (
        _("{cards} against {up}", cards=written(missed.doc["hand"]), up=written([missed.doc["up"]])),
        _("Rules {rules} · stake {stake}", rules=missed.doc["rules"], stake=chips(missed.doc["stake"])),
    )


async def _verdict(casino: Casino, missed: Missed, action: str) -> ui.LayoutView:
    heading = _("Right: {best}", best=called(action)) if action == missed.doc["best"] else _("Not the best play")
    worths: dict[str, Any] = missed.doc["worths"]
    lines = [_worth(missed, each, worths[each]) for each in sorted(worths, key=lambda each: -worths[each])]
    _next, due = await casino.bank.mistakes.to_try(missed.member, casino.clock.now())
    small = [_again(missed), ngettext("{count} hand to try again", "{count} hands to try again", due)]
    more = TryButton.button(_("Next hand"), enabled=due > 0)
    return panel(heading, *_hand(missed), "\n".join(lines), small=small, rows=[[more]], colour=FELT)


def _worth(missed: Missed, action: str, worth: float) -> str:
    values = {
        "action": called(action),
        "chips": signed(round(worth * missed.doc["stake"])),
        "share": share(worth, sign=True),
    }
    if action == missed.doc["best"]:
        return _("**{action} · {chips} · {share}** ← best", **values)
    if action == missed.doc["action"]:
        return _("{action} · {chips} · {share} ← yours at the table", **values)
    return _("{action} · {chips} · {share}", **values)


def _again(missed: Missed) -> str:
    if missed.due is None:
        return _("Learned!")
    return _("You'll be asked again {when}", when=when(missed.due))
