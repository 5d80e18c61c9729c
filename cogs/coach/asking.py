"""Questions to the coach, with a sentence for every reason why there is no answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from cogs.answers.client import Casino, Interaction
from cogs.words import N_, _
from cogs.words.refusals import Sorry
from engine.coach import Asker, Coach, CoachGone, LongQuestion, Question, Superseded, Urgency
from engine.solver import BadPosition, UnknownRule, answers

A = TypeVar("A")

#: The reasons why a value is not exact, in the solver's words and in the members'.
_WHY: Final[Mapping[str, str]] = {
    answers.CHASE_OTHERS: N_("Not exact: the dealer chases, and hands still to be played are assumed to stand."),
    answers.CHASE_SPLIT: N_("Not exact: the dealer chases, and each half of a split is valued by itself."),
    answers.PURSE: N_(
        "Not exact: after a split, you are assumed to afford further bets as long as you can afford one."
    ),
}


def coach_of(casino: Casino) -> Coach:
    """Return the coach. Raises Sorry where the operator has switched it off."""
    if casino.coach is None:
        raise Sorry(_("The coach is switched off here."))
    return casino.coach


def asker_of(interaction: Interaction) -> Asker:
    """Return who asks the coach: the person and the server. In a direct message each person counts as a server of their
    own.
    """
    return Asker(interaction.guild_id or interaction.user.id, interaction.user.id)


async def ask(casino: Casino, question: Question[A], asker: Asker) -> A:
    """Return the coach's answer. Raises Sorry if there is none, or if this person asks something else before it comes.

    Long questions are answered after all others.
    """
    coach = coach_of(casino)
    urgency = Urgency.LATER if isinstance(question, LongQuestion) else Urgency.PERSON
    try:
        return await coach.ask(question, urgency, asker)
    except UnknownRule as unknown:
        raise Sorry(_("Nobody has worked out rules like these yet.")) from unknown
    except BadPosition as bad:
        raise Sorry(_("The coach has no answer for a hand like this one.")) from bad
    except Superseded as newer:
        raise Sorry(_("You have asked the coach something else since, so this got no answer.")) from newer
    except CoachGone as gone:
        raise Sorry(_("The coach lost count. Ask again.")) from gone


def why_not_exact(why: tuple[str, ...]) -> list[str]:
    """Return a sentence for each reason why a value is not exact."""
    return [_(_WHY[reason]) for reason in why]
