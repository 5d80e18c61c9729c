"""The texts of Today's five: what is asked, what it was worth, and how a day went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Final

from cogs.coach.stats_text import better, called
from cogs.table.presentation import rules_text
from cogs.words import N_, _, apart, cards, decks, listed, number, ordinal, ranks, share, weekday, when
from data import ArchivedDay, StoredSet
from engine.games.blackjack.actions import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules, DealerDraws, Double, Split
from engine.games.computer import Level
from engine.sets.answers import ACTIONS
from engine.sets.calendar import public_from
from engine.sets.choosing import CLOSEST
from engine.sets.deals import SEAT, Stream
from engine.sets.levels import SHOWN, played_by
from engine.sets.programme import UNIT
from engine.sets.scoring import HUNDREDTHS, DealGrade, GradedDecision, Mark
from engine.sets.shares import Counts
from engine.sets.shares import share as share_of
from engine.sets.tries import Try, deal_again

#: The signs of the marks, which differ in shape as well as in colour, and the sign of a hand still to come.
SIGNS: Final[Mapping[Mark, str]] = {Mark.RIGHT: "🟢", Mark.CLOSE: "🔶", Mark.WRONG: "🟥"}
TO_COME: Final = "▫️"

#: The words for each action that the person has taken.
_YOU: Final[Mapping[str, str]] = {
    HIT: N_("you hit {hand}"),
    STAND: N_("you stood on {hand}"),
    DOUBLE: N_("you doubled {hand}"),
    SPLIT: N_("you split {hand}"),
    SWAP: N_("you swapped {hand}"),
    SURRENDER: N_("you surrendered {hand}"),
    INSURE: N_("you insured {hand}"),
    DECLINE: N_("you refused insurance with {hand}"),
}
#: The words for how many players chose each action.
_CHOSE: Final[Mapping[str, str]] = {
    HIT: N_("{percent} hit"),
    STAND: N_("{percent} stood"),
    DOUBLE: N_("{percent} doubled"),
    SPLIT: N_("{percent} split"),
    SWAP: N_("{percent} swapped"),
    SURRENDER: N_("{percent} surrendered"),
    INSURE: N_("{percent} took insurance"),
    DECLINE: N_("{percent} refused insurance"),
}
#: The words for the points of each level of computer player.
_LEVELS: Final[Mapping[Level, str]] = {Level.EXPERT: N_("expert {points}"), Level.AMATEUR: N_("amateur {points}")}


def date_of(day: int) -> date:
    """Return the date of a day, which is a number of days since 1 January 1970."""
    return (datetime.fromtimestamp(0, UTC) + timedelta(days=day)).date()


def points(hundredths: int) -> str:
    """Return points as people read them: `96.9`."""
    return number(round(Decimal(hundredths) / HUNDREDTHS, 1))


def name_of(day: StoredSet) -> str:
    """Return the title of a day: `Today's five · #124 · Tuesday`."""
    return _("Today's five · #{number} · {weekday}", number=number(day.number), weekday=weekday(date_of(day.day)))


def short_name_of(day: StoredSet) -> str:
    """Return the title of a day without the weekday: `Today's five #124`."""
    return _("Today's five #{number}", number=number(day.number))


def terms_line(rules_name: str, rules: BlackjackRules) -> str:
    """Return the line about the rules of a day: `classic: 6 decks, no surrender`."""
    told = [
        _("the dealer hits soft 17") if rules.dealer_draws is DealerDraws.HITS_SOFT_17 else "",
        _("no double") if rules.double is Double.NO else "",
        _("no split") if rules.split is Split.NO and not rules.swap else "",
        _("swap instead of split") if rules.swap else "",
        _("no surrender") if not rules.surrender else "",
    ]
    return _("{rules}: {facts}", rules=rules_name, facts=", ".join(filter(None, (decks(rules.decks), *told))))


def intro(day: StoredSet) -> list[str]:
    """Return the introduction to a day, for somebody who has not begun it."""
    terms = day.prepared.terms
    return [
        _("Five hands, the same for everybody. Only your decisions count, not your luck."),
        _("One try, no chips; it closes {when}.", when=when(day.closes)),
        f"-# {terms_line(terms.name, terms.rules)}",
    ]


def unfinished(day: StoredSet) -> str:
    """Return the line that says until when a day that was begun before midnight can still be finished."""
    return _("You began yesterday's five: they close {when}.", when=when(public_from(day.day)))


def how_it_works(day: StoredSet) -> list[str]:
    """Return the texts that explain how the day is scored, and its rules."""
    terms = day.prepared.terms
    lines = "\n".join(f"**{heading}** · {text}" for heading, text in rules_text("blackjack", terms.rules))
    signs = {mark.value: sign for mark, sign in SIGNS.items()}
    return [
        _(
            "Best play brings 20 points a hand. What you give away costs some of them: {width} of your bet costs "
            "all 20. Winning or losing the hand changes nothing. A perfect day is 100.",
            width=share(terms.width / UNIT, 0),
        ),
        _(
            "{right} played right, at most {little} given away · {close} a small mistake · {wrong} a large one",
            little=share(CLOSEST / UNIT),
            **signs,
        ),
        lines,
    ]


def rules_small() -> list[str]:
    """Return the small print below the rules of a day."""
    return [
        _("You may look at the charts of `/strategy`. The cards come from a chain that was sealed in advance."),
        _("Friends can tell each other the cards. Nobody can prevent that, and nothing depends on it."),
    ]


def archived(day: ArchivedDay) -> str:
    """Return the description of a past day: its number, its rules, and how the person played it."""
    parts = [_("#{number}", number=number(day.number)), day.name]
    if day.points is not None:
        parts.append(points(day.points))
    if day.played_later:
        parts.append(_("played later") if day.points is None else _("played again"))
    return listed(parts)


# -- a hand ------------------------------------------------------------------------------------------------------------


def progress(found: Try) -> str:
    """Return a sign for each hand of a try: that of its `Mark` once the hand is over, before that `TO_COME`."""
    over = [grade.mark for grade, round in zip(found.grades, found.rounds, strict=True) if round.over]
    return "".join(SIGNS[mark] for mark in over) + TO_COME * (len(found.prepared.deals) - len(over))


def hand_heading(found: Try) -> str:
    place, hands = found.place + 1, len(found.prepared.deals)
    return _("Hand {number} of {all} {signs}", number=place, all=hands, signs=progress(found))


def asked(round: BlackjackRound) -> str:
    """Return the question of a hand: `You 16, dealer 10`."""
    up = ranks([round.up_card])
    if round.acting is None:
        return _("You {hand}, dealer {up}: insurance?", hand=total_of(round, 0), up=up)
    place = round.acting[1]
    text = _("You {hand}, dealer {up}", hand=total_of(round, place), up=up)
    count = len(round.hands[SEAT])
    return text if count == 1 else _("{text} · hand {number} of {all}", text=text, number=place + 1, all=count)


def cards_of(round: BlackjackRound) -> list[str]:
    """Return the cards of a deal as text: a line for the dealer, and one for each hand. ``░░`` is a card face down."""
    view = round.view()
    lines = [_("Dealer · {cards}", cards=cards(view.dealer.cards))]
    lines += [_("You · {cards}", cards=cards(hand.cards)) for hand in view.seats[SEAT].hands]
    return lines


def sign_of(found: Try, place: int) -> str:
    """Return the emoji that shows how well a hand was played. The hand has number `place`, from 0, and is over."""
    return SIGNS[found.grades[place].mark]


def total_of(round: BlackjackRound, place: int) -> str:
    """Return a hand's total: `16`, or `soft 18`."""
    worth = round.hands[SEAT][place].worth
    return _("soft {total}", total=worth.total) if worth.soft and worth.total < 21 else str(worth.total)


def ended(found: Try, shoes: Stream) -> str:
    """Return the sentence on how the newest hand ended: won or lost, played right or what would have been better."""
    grade, net = found.grades[found.place], found.net(found.place)
    sign = SIGNS[grade.mark]
    if grade.mark is Mark.RIGHT:
        right = {1: _("Won, and played right {sign}", sign=sign), -1: _("Lost, but played right {sign}", sign=sign)}
        return right.get((net > 0) - (net < 0), _("A push, and played right {sign}", sign=sign))
    told = _better_then(found, shoes, grade)
    wrong = {
        1: _("Won, but {better} {sign}", better=told, sign=sign),
        -1: _("Lost, and {better} {sign}", better=told, sign=sign),
    }
    return wrong.get((net > 0) - (net < 0), _("A push, but {better} {sign}", better=told, sign=sign))


def _better_then(found: Try, shoes: Stream, grade: DealGrade) -> str:
    """Return the words for what would have been better at the worst mistake of a hand.

    After several decisions, the words also say the total at that mistake, because the page shows only the final cards.
    """
    told = _better(grade.worst)
    if len(grade.decisions) == 1:
        return told
    round = deal_again(found.prepared, shoes, found.place, grade.worst.path)
    return _("with {hand}, {better}", hand=_total_in_turn(round), better=told)


def _total_in_turn(round: BlackjackRound) -> str:
    """Return the total of the hand whose turn it is; of the first one while insurance is asked."""
    return total_of(round, round.acting[1] if round.acting else 0)


def _better(decision: GradedDecision) -> str:
    return better(ACTIONS[decision.best], decision.loss / UNIT)


# -- the end -----------------------------------------------------------------------------------------------------------


def score(found: Try) -> str:
    """Return the points of a day and the marks of its hands: `96.9 of 100 🟢🟢🔶🟢🟢`."""
    return _("{points} of 100 {signs}", points=points(found.points), signs=progress(found))


def levels(day: StoredSet) -> str:
    """Return the points that computer players get for the same five hands."""
    told = {level: points(played_by(level, day.prepared, day.shoes).points) for level in SHOWN}
    levels_ = apart(_(text, points=told[level]) for level, text in _LEVELS.items())
    return _("computers: {levels}", levels=levels_)


def place(number_: int, people: int) -> str:
    """Return the words for a place on the server's board."""
    return _("{place} of {people} here", place=ordinal(number_), people=number(people))


def standing(parts: Sequence[str]) -> str:
    """Return the line below the score, made of those parts that are not empty."""
    return listed(filter(None, parts))


def streak(days: int, *, paused: bool) -> str:
    if not days:
        return ""
    told = _("streak {days}", days=number(days))
    return _("{streak} (paused)", streak=told) if paused else told


def mistakes(day: StoredSet, found: Try, counts: Counts | None) -> Iterator[str]:
    """Yield a line for each hand with a mistake: what was chosen, and what would have been better.

    The line also says which share of the players chose the better action. `counts` has the choices of all players, or
    is None while too few have finished the day: then the line says nothing about other players.
    """
    for number_, grade in enumerate(found.grades):
        if grade.mark is not Mark.RIGHT:
            yield _mistake(day, found, number_, grade, counts)


def _mistake(day: StoredSet, found: Try, place: int, grade: DealGrade, counts: Counts | None) -> str:
    worst = grade.worst
    round = deal_again(day.prepared, day.shoes, place, worst.path)
    line = _(
        "Hand {number}: {chosen} against {up}; {better}.",
        number=place + 1,
        chosen=_(_YOU[ACTIONS[worst.letter]], hand=_total_in_turn(round)),
        up=ranks([round.up_card]),
        better=_better(worst),
    )
    told = chose(counts, place, worst.path, worst.best)
    return f"{line} {told}." if told else line


def chose(counts: Counts | None, place: int, path: str, letter: str) -> str:
    """Return the words for the share of players who chose this action, among those who came to the choice.

    Return an empty text while these are too few. `place` is the hand's number, from 0. `path` has the letters of the
    actions before the choice, and `letter` is that of this action.
    """
    percent = share_of(counts, place, path, letter) if counts is not None else None
    return _(_CHOSE[ACTIONS[letter]], percent=share(percent / 100, 0)) if percent is not None else ""


def looked_back(day: StoredSet, found: Try, place: int, counts: Counts | None) -> list[str]:
    """Return a text for each decision in hand `place` (from 0): what each choice was worth, and how many made it.

    `counts` has the choices of all players, or is None while too few have finished the day: then the texts say nothing
    about other players.
    """
    blocks = []
    for decision in found.grades[place].decisions:
        round = deal_again(day.prepared, day.shoes, place, decision.path)
        lines = [f"**{asked(round)}**", *_worths(decision, counts, place)]
        blocks.append("\n".join(lines))
    return blocks


def _worths(decision: GradedDecision, counts: Counts | None, place: int) -> Iterator[str]:
    for letter in sorted(decision.worths, key=lambda letter: -decision.worths[letter]):
        worth = share(decision.worths[letter] / UNIT, 1, sign=True)
        line = _("{action} · {share}", action=called(ACTIONS[letter]), share=worth)
        notes = [
            _("best") if letter == decision.best else "",
            _("yours") if letter == decision.letter else "",
            chose(counts, place, decision.path, letter),
        ]
        said = ", ".join(filter(None, notes))
        yield f"{line} ← {said}" if said else line
