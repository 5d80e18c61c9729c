"""A member's skill and luck in words and as a plot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from cogs.pictures.coach import Curve, PlotPicture
from cogs.pictures.palette import GOLD, MIST, WON
from cogs.table.presentation import presentation
from cogs.words import N_, _, chips, counted, listed, ngettext, number, share, signed, written
from data import Missed, PlotPoint, Skill
from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP

#: The most steps between the lines of the plot, from its lowest to its highest value.
_LINES = 4


def lines(skill: Skill) -> str:
    """Return the lines about all graded rounds: the result, the best and the worst hand, and the luck if it is known.

    They also say how often decisions were the best ones, and what mistakes cost.
    """
    return "\n".join(_lines(skill))


def _lines(skill: Skill) -> Iterator[str]:
    hands = ngettext("{count} hand", "{count} hands", skill.hands)
    yield _("**{net}** in {hands}", net=counted(skill.net, sign=True), hands=hands)
    yield listed((_("Best hand {net}", net=signed(skill.best)), _("Worst hand {net}", net=signed(skill.worst))))
    if unknown := skill.hands - skill.known:
        yield ngettext(
            "Luck leaves out {count} of these hands: nobody has worked out what to expect of it",
            "Luck leaves out {count} of these hands: nobody has worked out what to expect of them",
            unknown,
        )
    if skill.decisions:
        decisions = ngettext("{count} decision", "{count} decisions", skill.decisions)
        accuracy = share(skill.right / skill.decisions)
        yield _("Accuracy **{accuracy}** of {decisions}", accuracy=accuracy, decisions=decisions)
    if skill.decisions or skill.known:
        yield _("Lost to mistakes: **{chips}**", chips=counted(round(skill.given_away)))
    if skill.known:
        brought = N_("Expected {expected}; good luck brought you **{luck}**")
        cost = N_("Expected {expected}; bad luck cost you **{luck}**")
        values = {"expected": signed(round(skill.expected)), "luck": chips(abs(luck(skill)))}
        yield _(brought if luck(skill) >= 0 else cost, **values)


def luck(skill: Skill) -> int:
    """Return the result minus the expected result in cents, over the rounds whose expected result is known."""
    return skill.measured - round(skill.expected)


def waiting(skill: Skill) -> Iterator[str]:
    """Yield the lines that say how many hands are still to be graded, and how many are to be graded again."""
    if skill.waiting:
        yield ngettext("{count} hand is still to be graded", "{count} hands are still to be graded", skill.waiting)
    if skill.outdated:
        yield ngettext(
            "{count} hand is still to be graded again: the coach has learned to value hands better",
            "{count} hands are still to be graded again: the coach has learned to value hands better",
            skill.outdated,
        )


def mistakes(found: Iterable[Missed]) -> str:
    """Return the text of these mistakes, each with its cost, the hand, the play and the better play; "" if none."""
    lines = "\n".join(map(_mistake, found))
    return "\n".join((_("**Costliest mistakes**"), lines)) if lines else ""


def _mistake(missed: Missed) -> str:
    return _(
        "−{loss} · {hand} against {up} · {action} instead of **{best}**",
        loss=chips(round(missed.loss)),
        hand=written(missed.doc["hand"]),
        up=written([missed.doc["up"]]),
        action=called(missed.doc["action"]),
        best=called(missed.doc["best"]),
    )


def called(action: str) -> str:
    """Return the name of an action of blackjack, as its button has it."""
    return presentation("blackjack").step(action)


# -- the plot ----------------------------------------------------------------------------------------------------------


def plot(points: Sequence[PlotPoint], hands: int) -> PlotPicture:
    """Return a plot of result, expected result and luck in chips, summed from the first hand to hand number `hands`."""
    nets = list(accumulate((part.net / 100 for part in points), initial=0.0))
    expected = list(accumulate((part.expected / 100 for part in points), initial=0.0))
    lucky = [net - was for net, was in zip(nets, expected, strict=True)]
    curves = (
        Curve(_("Luck"), MIST, tuple(lucky)),
        Curve(_("Expected"), GOLD, tuple(expected)),
        Curve(_("Result"), WON, tuple(nets)),
    )
    levels = [value for curve in curves for value in curve.values]
    last = _("hand {number}", number=number(hands))
    return PlotPicture(curves, tuple(_levels(min(levels), max(levels))), _("first hand"), last)


def _levels(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Yield the value and the label of each line of the plot's scale. All values are round; one is zero."""
    step = _round_up((high - low) / _LINES or 1.0)
    level = step * -(-low // step)
    while level <= high:
        yield level, signed(round(level) * 100)
        level += step


def _round_up(value: float) -> float:
    """Return the first of 1, 2, 5, 10, 20, 50 ... that is not below the value."""
    size = 1.0
    while size * 10 <= value:
        size *= 10
    return next(size * part for part in (1, 2, 5, 10) if size * part >= value)


def plot_alt(skill: Skill) -> str:
    return _(
        "Result {net}, expected {expected}, luck {luck}, over {hands}.",
        net=signed(skill.measured),
        expected=signed(round(skill.expected)),
        luck=signed(luck(skill)),
        hands=ngettext("{count} hand", "{count} hands", skill.known),
    )


# -- a better play -----------------------------------------------------------------------------------------------------

_BETTER: Final[Mapping[str, str]] = {
    HIT: N_("hitting was better by {share} of your bet"),
    STAND: N_("standing was better by {share} of your bet"),
    DOUBLE: N_("doubling was better by {share} of your bet"),
    SPLIT: N_("splitting was better by {share} of your bet"),
    SWAP: N_("swapping was better by {share} of your bet"),
    SURRENDER: N_("surrendering was better by {share} of your bet"),
    INSURE: N_("taking insurance was better by {share} of your bet"),
    DECLINE: N_("refusing insurance was better by {share} of your bet"),
}


def better(action: str, loss: float) -> str:
    """Return the part of a sentence that says which play was better, and by how much of the bet."""
    return _(_BETTER[action], share=share(loss))
