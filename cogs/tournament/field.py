"""The texts of tournaments with the same cards for all: the board during play, and at the end places and all deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from cogs.coach.stats_text import called
from cogs.duel.texts import plain_rule
from cogs.words import (
    _,
    apart,
    counted,
    listed,
    medal,
    mention,
    ngettext,
    number,
    share,
    signed,
    when,
    written,
)
from data import FieldResult
from engine.games.blackjack.actions import DECLINE, INSURE, STAND
from engine.sets.answers import ACTIONS, LETTERS
from engine.sets.deals import SEAT
from engine.sets.programme import UNIT
from engine.sets.tries import Try, deal_again
from engine.tournament.ports import FieldStanding
from engine.tournament.view import Standing, TournamentView

#: The number of deals on a page, and of places.
DEALS: Final = 5
PLACES: Final = 10
#: The most people whom a heading names.
MOST_IN_HEADING: Final = 3


def terms(view: TournamentView) -> str:
    return what_is_played(view.hands, view.state.rules_name)


def what_is_played(hands: int, rules: str) -> str:
    """Return the line that says how many hands everybody plays, by which rules, and in how much time."""
    return _("The same {count} hands of {rules} for everybody, each alone, within 24 hours", count=hands, rules=rules)


def rule() -> str:
    return f"**{plain_rule()}**"


def prizes(view: TournamentView) -> str:
    """Return the sentence that says what becomes of the pool."""
    return _(
        "Pool: **{pool}**. The best three people get 50, 30 and 20%, and equals share; with fewer than four, every "
        "buy-in comes back.",
        pool=counted(view.pool),
    )


# -- while it is played ------------------------------------------------------------------------------------------------


def progress(view: TournamentView, field: FieldStanding) -> str:
    """Return the line that says how many people are done, and when the tournament ends."""
    done = _("Done: {done} of {people}", done=number(field.done[1]), people=number(field.people))
    return listed([done, _("ends {moment}", moment=when(view.state.ends or 0))])


def board(field: FieldStanding) -> Iterator[str]:
    """Yield a block for each group of people that is not empty: those who are done, who play, who have not begun."""
    kinds = ((_("Finished"), field.done), (_("Playing"), field.playing), (_("Not started"), field.waiting))
    for heading, (users, count) in kinds:
        if count:
            yield f"**{heading} ({number(count)})**\n{_names(users, count)}"


def _names(users: Sequence[int], count: int) -> str:
    text, more = ", ".join(map(mention, users)), count - len(users)
    if more <= 0:
        return text
    return _("{names} and {more}", names=text, more=ngettext("{count} more", "{count} more", more))


def secret() -> str:
    return _("Nobody sees anybody's cards, plays or results before the end.")


# -- the places --------------------------------------------------------------------------------------------------------


def winners(view: TournamentView) -> str:
    """Return the headline that says who wins the title, who share it, or that nobody played."""
    best = [_who(line) for line in view.lines if line.place == 1]
    if not best:
        return _("Nobody played.")
    if len(best) == 1:
        return _("## 🏆 {name} wins the title", name=best[0])
    if len(best) > MOST_IN_HEADING:
        return _("## 🏆 {count} people share the title", count=number(len(best)))
    names = _("{names} and {more}", names=", ".join(best[:-1]), more=best[-1])
    return _("## 🏆 {names} share the title", names=names)


def placed(view: TournamentView, line: Standing, gone: Collection[int] = ()) -> str:
    """Return a person's line among the places: the name, what mistakes cost, the net result, and the prize.

    `gone` are prize winners who have left the server: their line says that the prize is kept for them.
    """
    assert line.score is not None
    parts = [
        f"{medal(line.place)} {_who(line)}",
        share(line.score.losses / UNIT, digits=1 if line.score.losses else 0),
        signed(line.score.net),
    ]
    prize = view.prizes.get(line.key, 0)
    if prize:
        kept = _("**{prize}**, kept for them: they have left the server", prize=counted(prize))
        parts.append(kept if line.user in gone else f"**{counted(prize)}**")
    return listed(parts)


def legend(view: TournamentView) -> list[str]:
    """Return the sentence that explains the two numbers of each line of the places, or none if nobody played."""
    if not view.lines:
        return []
    return [_("First what mistakes cost, as a percentage of one stake, then the result in stakes.")]


def pool_went(view: TournamentView) -> str:
    """Return the sentence that says who gets the pool, and why; an empty text if there is no pool."""
    if not view.pool:
        return ""
    if not view.comes_back:
        pool = counted(view.pool)
        return _("The pool of {pool} goes to the best three places, 50, 30 and 20%; equals share.", pool=pool)
    if not view.lines:
        return _("Every buy-in was returned.")
    return _("Fewer than four took part, so every buy-in is back.")


def _who(line: Standing) -> str:
    return mention(line.user) if line.user else _("a former player")


# -- all deals ---------------------------------------------------------------------------------------------------------


def pages(result: FieldResult) -> int:
    """Return the number of pages of a tournament's deals."""
    return -(-len(result.field.deals.prepared.deals) // DEALS)


def deals(result: FieldResult, page: int) -> Iterator[str]:
    """Yield the text of each deal on a page (from 0): what everybody chose first, and how the reader played it.

    Where the tournament was cancelled in play, deals that the reader had not finished have no line about the reader.
    """
    prepared, own = result.field.deals.prepared, result.own
    finished = sum(round.over for round in own.rounds) if own is not None else 0
    for place in range(page * DEALS, min((page + 1) * DEALS, len(prepared.deals))):
        lines = [_("**Hand {number}** · {situation}", number=place + 1, situation=_situation(result, place))]
        lines.append(_everybody(result, place))
        if own is not None and place < finished:
            lines.append(_own(own, place))
        yield "\n".join(lines)


def unplayed() -> str:
    return _("A hand that was not played in time counts here as {action}.", action=called(STAND))


def _situation(result: FieldResult, place: int) -> str:
    deals = result.field.deals
    round = deal_again(deals.prepared, deals.shoes, place, "")
    return _("{hand} against {up}", hand=written(round.hands[SEAT][0].cards), up=written([round.up_card]))


def _everybody(result: FieldResult, place: int) -> str:
    """Return the line about the first choice of a deal: the best action, and how many people chose each action.

    Where insurance is offered, there are two such choices: insurance, and the first play after it, unless the dealer's
    natural has ended the deal.
    """
    answers = result.field.deals.prepared.answers[place]
    best, plays = list[str](), list[str]()
    insured = [letter for letter in (LETTERS[DECLINE], LETTERS[INSURE]) if letter in answers]
    for paths in filter(None, ([""], insured)):
        worths = answers[paths[0]]
        best.append(called(ACTIONS[max(worths, key=worths.__getitem__)]))
        chosen = sum((Counter(result.counts.get((place, path))) for path in paths), Counter[str]())
        plays += [f"{number(people)}\u00a0×\u00a0{called(ACTIONS[letter])}" for letter, people in chosen.most_common()]
    return listed([_("Best: {action}", action=apart(best)), _("everybody: {plays}", plays=apart(plays) or "–")])


def _own(own: Try, place: int) -> str:
    grade = own.grades[place]
    plays = apart(called(ACTIONS[decision.letter]) for decision in grade.decisions)
    cost = _("gave away {share}", share=share(grade.loss / UNIT)) if grade.loss else _("played right")
    return listed([_("You"), plays, signed(own.net(place)), cost])
