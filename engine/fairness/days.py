"""A finished day of Today's five as a file, and its check: the seed, the deals, their answers, somebody's try (R11)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Self

from engine.fairness import reading
from engine.fairness.chain import seed_of, tip_from, tip_of
from engine.fairness.reading import BadRecord, each, field
from engine.fairness.sets import day_name, stream
from engine.games.contract import BadRules
from engine.sets.answers import ACTIONS, Answers, worked_out
from engine.sets.calendar import date_of
from engine.sets.choosing import FILTER, SetDeal, chosen
from engine.sets.deals import Stream, dealt, situation
from engine.sets.prepared import Prepared, terms_from
from engine.sets.programme import programme
from engine.sets.tries import BadSteps, played
from engine.sets.worths import VALUATION

VERSION: Final = 1

#: The last day of the year 9999.
LAST: Final = 2_932_896

_FIELDS: Final = (
    *("version", "day", "tip", "number", "seed", "name", "rules", "width"),
    *("filter", "valuation", "before", "deals", "answers"),
)
_OPTIONAL: Final = ("root", "try")


@dataclass(frozen=True, slots=True)
class PlayedTry:
    """Somebody's try of a day: the letters of its presses, and its points in hundredths."""

    steps: str
    points: int


@dataclass(frozen=True, slots=True)
class Day:
    """A day that is over, with everything needed to check it."""

    day: int  # counted from 1 January 1970
    tip: str  # the end of the chain that its seed is from
    #: The number of the day's seed in this chain.
    number: int
    seed: bytes
    #: The situations of the same weekday in the four weeks before, one tuple for each day.
    before: tuple[tuple[str, ...], ...]
    prepared: Prepared
    #: The root of the chain, once it has ended.
    root: bytes | None = None
    #: A try, if somebody wants theirs checked.
    played: PlayedTry | None = None

    @property
    def stream(self) -> Stream:
        """The function that gives the shoe of each of the day's deals by the deal's number."""
        return stream(self.seed, day_name(self.day), self.prepared.terms.rules.decks)

    def to_json(self) -> str:
        """Return the day as compact JSON, with its fields in a fixed order."""
        prepared, terms = self.prepared, self.prepared.terms
        fields: dict[str, Any] = {
            "version": VERSION,
            "day": self.day,
            "tip": self.tip,
            "number": self.number,
            "seed": self.seed.hex(),
            "name": terms.name,
            "rules": terms.rules.as_json(),
            "width": terms.width,
            "filter": prepared.filter,
            "valuation": prepared.valuation,
            "before": self.before,
            "deals": [[deal.number, deal.situation] for deal in prepared.deals],
            "answers": prepared.answers,
        }
        if self.root is not None:
            fields["root"] = self.root.hex()
        if self.played is not None:
            fields["try"] = {"steps": self.played.steps, "points": self.played.points}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Read a day from a parsed object, or raise BadRecord."""
        reading.only(fields, (*_FIELDS, *_OPTIONAL))
        get = partial(field, fields)
        if get("version", reading.whole) != VERSION:
            raise BadRecord(f"a day is of version {VERSION}")
        try:
            terms = terms_from(
                get("name", reading.text), get("rules", reading.mapping(reading.plain)), get("width", reading.whole)
            )
        except BadRules as fault:
            raise BadRecord(f"rules: {fault}") from None
        answers = get("answers", each(reading.mapping(reading.mapping(reading.whole))))
        deals = get("deals", each(_deal))
        if terms.width < 1 or not deals or len(deals) != len(answers):
            raise BadRecord("a day has a width, deals, and the answers of each deal")
        versions = get("filter", reading.whole), get("valuation", reading.whole)
        return cls(
            day=get("day", _number),
            tip=get("tip", reading.digits(64)),
            number=get("number", reading.whole),
            seed=bytes.fromhex(get("seed", reading.digits(64))),
            before=get("before", each(each(reading.text))),
            prepared=Prepared(terms, deals, answers, *versions),
            root=bytes.fromhex(get("root", reading.digits(64))) if "root" in fields else None,
            played=get("try", _try) if "try" in fields else None,
        )


def _number(value: Any) -> int:
    if not 0 <= reading.whole(value) <= LAST:
        raise BadRecord(f"not a day from 1970 to 9999: {value}")
    return int(value)


def _deal(value: Any) -> SetDeal:
    if type(value) is not list or len(value) != 2 or reading.whole(value[0]) < 1:
        raise BadRecord(f"not a deal: {reading.shortened(value)}")
    return SetDeal(value[0], reading.text(value[1]))


def _try(value: Any) -> PlayedTry:
    if type(value) is not dict:
        raise BadRecord(f"not a try: {reading.shortened(value)}")
    reading.only(value, ("steps", "points"))
    return PlayedTry(field(value, "steps", reading.text), field(value, "points", reading.whole))


# -- checking ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DayCheck:
    """One value that was checked: as the day's file has it, and as the check worked it out."""

    what: str
    recorded: str
    found: str

    @property
    def fits(self) -> bool:
        return self.recorded == self.found


def verify_day(day: Day, *, solver: bool) -> Iterator[DayCheck]:
    """Yield the checks of a day.

    The choice of its deals, and their answers, are checked only with the solver, and only if this release chooses and
    values deals in the same way as the one that prepared the day. `left_out` says what is missing.
    """
    yield DayCheck("promise", day.tip, _tip(day))
    if day.root is not None:
        yield DayCheck("root", f"{day.seed.hex()} under {day.tip}", _from_root(day.root, day.number))
    terms, due = day.prepared.terms, programme(day.day)
    yield DayCheck("rules", f"{terms.name} {terms.rules}", f"{due.name} {due.rules}")
    yield DayCheck("width", str(terms.width), str(due.width))
    for place, deal in enumerate(day.prepared.deals, 1):
        asked = situation(dealt(terms.rules, day.stream(deal.number)))
        yield DayCheck(f"deal {place} asks", deal.situation, asked)
    if solver and day.prepared.filter == FILTER:
        found = chosen(terms, day.stream, {situation for five in day.before for situation in five})
        yield DayCheck("deals", _told(day.prepared.deals), _told(found))
    if solver and day.prepared.valuation == VALUATION:
        yield from _check_answers(day)
    if day.played is not None:
        yield DayCheck("points", str(day.played.points), _points(day, day.played.steps))


def left_out(day: Day, *, solver: bool) -> Iterator[str]:
    """Yield a text for each check that `verify_day`, with the same `solver`, leaves out.

    A check is left out if it needs the solver and there is none, or if another version prepared the day. Nothing is
    said of what only the files of other days can show: the chain's first day, and what was asked before.
    """
    if not solver:
        yield "the choice of deals, and answers: numpy is not installed"
        return
    if day.prepared.filter != FILTER:
        yield f"the choice of deals: version {day.prepared.filter} of the filter is not this release's"
    if day.prepared.valuation != VALUATION:
        yield f"answers: version {day.prepared.valuation} of the valuation is not this release's"


def _tip(day: Day) -> str:
    try:
        return tip_from(day.seed, day.number)
    except ValueError as fault:
        return str(fault)


def _from_root(root: bytes, number: int) -> str:
    try:
        return f"{seed_of(root, number).hex()} under {tip_of(root)}"
    except ValueError as fault:
        return str(fault)


def _told(deals: Sequence[SetDeal]) -> str:
    return ", ".join(f"{deal.number} {deal.situation}" for deal in deals)


def _check_answers(day: Day) -> Iterator[DayCheck]:
    rules = day.prepared.terms.rules
    for place, (deal, answers) in enumerate(zip(day.prepared.deals, day.prepared.answers, strict=True), 1):
        found = worked_out(rules, day.stream(deal.number))
        different = first_difference(answers, found)
        if different is None:
            yield DayCheck(f"answers of deal {place}", f"{len(found)} questions", f"{len(found)} questions")
        else:
            yield DayCheck(f"answers of deal {place}", *different)


def first_difference(written: Answers, found: Answers) -> tuple[str, str] | None:
    """Find the first question of a deal that has different values in `written` and in `found`.

    Return it as two texts, first with the values in `written`, then with those in `found`; None if nothing differs.
    """
    for path in sorted({*written, *found}):
        if written.get(path) != found.get(path):
            way = " ".join(ACTIONS.get(letter, letter) for letter in path) or "the first question"
            return f"{way}: {written.get(path)}", f"{way}: {found.get(path)}"
    return None


def _points(day: Day, steps: str) -> str:
    try:
        found = played(day.prepared, day.stream, steps)
        return str(found.points) if found.over else "a try that is not over"
    except (BadSteps, KeyError, IndexError) as fault:
        return f"not a try of this day: {fault}"


def headline(day: Day) -> str:
    """Return a line that names a day for people: its date, the name of its rules, and its width (`SetTerms.width`)."""
    terms = day.prepared.terms
    return f"Today's five of {date_of(day.day)}: {terms.name}, width {terms.width / 10_000:g} %"
