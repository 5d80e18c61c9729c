"""The texts of training: what is asked, and what an answer was worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cogs.coach.odds_text import chances, checked
from cogs.coach.stats_text import better, called
from cogs.words import N_, _, decks, listed, ngettext, number, ranks, share, written
from data import Trained
from engine.games.blackjack.rules import BlackjackRules
from engine.training.counting import COUNT, Count, CountQuestion
from engine.training.deals import worth_of
from engine.training.drill import Drill, DrillKind
from engine.training.problems import Problem


class Practice(StrEnum):
    """The kinds of training that `/train` offers."""

    RUN = DrillKind.RUN.value
    SPOTS = DrillKind.SPOTS.value
    CHARTS = DrillKind.CHARTS.value
    COUNT = COUNT


#: The name of each kind of training, and a few words about it.
DRILLS: Final[Mapping[str, tuple[str, str]]] = {
    Practice.RUN: (N_("Run"), N_("how far you get without a mistake; it grows harder")),
    Practice.SPOTS: (N_("Weak spots"), N_("hands like those that cost you most at the tables")),
    Practice.CHARTS: (N_("Charts"), N_("every cell of the chart, until you know them all")),
    Practice.COUNT: (N_("Count"), N_("the running count and the true count")),
}


@dataclass(frozen=True, slots=True)
class Told:
    """The texts of a page: a heading, blocks, and lines of small print."""

    heading: str
    blocks: Sequence[str]
    small: Sequence[str] = ()


def home(name: str, trained: Sequence[Trained]) -> Told:
    """Return the texts of the page where a person chooses what to train.

    Beside each training is the person's best run under the rules `name`, if there was one.
    """
    known = {each.what: each for each in trained if each.rules == name}
    lines = "\n".join(_drill_line(what, known.get(what)) for what in DRILLS)
    small = [
        _("No chips and no leaderboard: only you see how you do."),
        _("Rules: {rules}. `/train` takes others too.", rules=name),
    ]
    return Told(_("Training"), [lines], small)


def _drill_line(what: str, trained: Trained | None) -> str:
    name, told = DRILLS[what]
    parts = [f"**{_(name)}**", _(told)]
    if trained is not None and (best := trained.doc.get("best", 0)):
        parts.append(_("best **{best}**", best=number(best)))
    return listed(parts)


def stopped(what: str, name: str, state: Drill | Count) -> Told:
    """Return the texts of a training that was stopped, with its current and its best run.

    `what` is the kind of drill, or `COUNT`; `name` is that of the rule set.
    """
    row = _("In a row: **{count}**, best **{best}**.", count=number(state.row), best=number(state.best))
    more = _charted(state) if isinstance(state, Drill) else []
    small = [_("`/train` goes on from here, wherever you are.")] if what in DRILLS else []
    return Told(_called(what, name), [*([row] if state.best else []), *more], small)


def _called(what: str, name: str) -> str:
    called = _("Today's five") if what == DrillKind.FIVE else _(DRILLS[what][0])
    return _("{what} · {rules}", what=called, rules=name)


def _right(row: int) -> str:
    return ngettext("Right. {count} in a row", "Right. {count} in a row", row)


def _run(ended: int, best: int) -> str:
    return _("Your run: **{count}**, best **{best}**.", count=number(ended), best=number(best))


# -- drills ------------------------------------------------------------------------------------------------------------


def drilled(name: str, drill: Drill) -> Told:
    """Return the texts about the hand that is asked now or, if none is, about the last answer and what was better."""
    if drill.asked is None:
        return Told(_verdict(drill), list(_answered(drill)), _charted(drill))
    heading = _right(drill.row) if drill.was_right else _called(drill.kind, name)
    return Told(heading, [_asked(drill.rules, drill.asked)], [*checked(drill.rules, drill.asked.up), *_charted(drill)])


def _verdict(drill: Drill) -> str:
    assert drill.before is not None
    if drill.was_right:
        return _right(drill.row)
    told = better(drill.before.best, drill.before.loss(drill.answer))
    return told[:1].upper() + told[1:]


def _answered(drill: Drill) -> Iterator[str]:
    """Yield the lines about the hand that was answered, and about the run that a wrong answer ended."""
    assert drill.before is not None
    yield _("{hand}: you chose **{action}**.", hand=_hand(drill.before), action=called(drill.answer))
    if drill.best and not drill.was_right:
        yield _run(drill.ended, drill.best)


def _asked(rules: BlackjackRules, problem: Problem) -> str:
    worth = worth_of(rules, problem.hand)
    total = _("soft {total}", total=worth.total) if worth.soft else str(worth.total)
    return "\n".join((f"## {_hand(problem)}", _("Your {total} against {up}", total=total, up=ranks([problem.up]))))


def _hand(problem: Problem) -> str:
    return _("{cards} against {up}", cards=written(problem.hand), up=written([problem.up]))


def _charted(drill: Drill) -> list[str]:
    if drill.kind is not DrillKind.CHARTS:
        return []
    known, every = drill.charted
    return [_("Cells you know: {known} of {every}", known=number(known), every=number(every))]


def why(drill: Drill) -> Told:
    """Return the texts about the hand answered last: what each choice was worth, and the chances behind that."""
    problem = drill.before
    assert problem is not None
    best_first = sorted(problem.worths, key=lambda action: -problem.worths[action])
    worths = "\n".join(_worth(problem, drill.answer, action) for action in best_first)
    average = _("Average result of each choice, as a share of your bet, given the unseen cards.")
    blocks = [worths, *chances(problem.bust, problem.dealer)]
    return Told(_hand(problem), blocks, [average, *checked(drill.rules, problem.up)])


def _worth(problem: Problem, answer: str, action: str) -> str:
    values = {"action": called(action), "share": share(problem.worths[action], 2, sign=True)}
    if action == problem.best:
        return _("**{action} · {share}** ← best", **values)
    if action == answer:
        return _("{action} · {share} ← yours", **values)
    return _("{action} · {share}", **values)


# -- counting ----------------------------------------------------------------------------------------------------------


def counted(name: str, count: Count) -> Told:
    """Return the texts of the cards to count, of the question after the last of them, or of the result."""
    if count.over:
        return _count_result(count)
    match count.asks:
        case CountQuestion.RUNNING:
            return Told(_("What is the running count?"), [])
        case CountQuestion.TRUE:
            told = _("Running count **{count}**, {decks} left: divide and round.", **_values(count))
            return Told(_("What is the true count?"), [told])
    taken = _("You take over a shoe whose running count is **{count}**.", count=signed(count.carried))
    small = [
        _("2 to 6 count +1, 7 to 9 nothing, tens, pictures and aces −1."),
        _("Counting wins nothing at these tables: they shuffle for every round."),
    ]
    blocks = [f"## {written(count.handful)}", *([taken] if count.shown == 1 else [])]
    return Told(_called(COUNT, name), blocks, small)


def _values(count: Count) -> dict[str, str]:
    return {"count": signed(count.running), "decks": _decks_left(count), "true": signed(count.true)}


def _count_result(count: Count) -> Told:
    told = _("Running count **{count}**, {decks} left, true count **{true}**.", **_values(count))
    if count.is_right:
        return Told(_right(count.row), [told])
    run = [_run(count.ended, count.best)] if count.best else []
    return Told(_("Not {count}", count=signed(count.answers[-1])), [told, *run])


def _decks_left(count: Count) -> str:
    whole, half = divmod(count.halves, 2)
    if not half:
        return decks(whole)
    return _("{count}½ decks", count=whole) if whole else _("half a deck")


def signed(count: int) -> str:
    """Return a count as players say it: `+3`, `−2`, `0`."""
    return f"+{count}" if count > 0 else f"−{-count}" if count else "0"
