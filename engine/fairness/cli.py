"""`python -m engine.fairness`: checks files of rounds, draws, tournaments and days, with no bot and no database."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from engine.fairness import chain
from engine.fairness.days import Day, DayCheck, headline, left_out, verify_day
from engine.fairness.draws import Drawing, Draws, DrawsFinding, verify_draws
from engine.fairness.reading import LONGEST, BadRecord, parse
from engine.fairness.record import Record, RecordOne, RecordThree, RecordTwo, read
from engine.fairness.sample import print_days
from engine.fairness.shuffle import commitment, shoe
from engine.fairness.thoughts import can_be_checked, losses
from engine.fairness.tournaments import LotsCheck, TournamentLots, verify_lots
from engine.fairness.verify import Check, Finding, Seen, What, verify
from engine.games.cards import Card, name
from engine.games.contract import CHIP, Cents, Line
from engine.sets.calendar import date_of

_HOLDS, _FAILS, _UNUSABLE = 0, 1, 2

#: The fewest digits that each option takes. Tables show this many, and fewer prove nothing.
_LEAST: Final = {"tip": chain.SHORT, "hash": chain.SHOWN_HASH, "previous": chain.SHOWN_HASH, "commitment": 64}


def main(arguments: Sequence[str] | None = None, prog: str = "python -m engine.fairness") -> int:
    """Check the file or seed that the arguments name, and print what was found.

    If the first argument is `days`, print a table of days of Today's five instead. Return the exit code: 0 if
    everything given fits together, 1 if it does not, 2 if it could not be read.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["days"]:
        return print_days(words[1:])
    options = _options(words[1:] if words[:1] == ["today"] else words, prog)
    try:
        return _check_record(options) if options.record else _check_seed(options)
    except (OSError, ValueError, OverflowError, RecursionError) as error:
        print(_visible(f"This cannot be read: {error}", sys.stderr), file=sys.stderr)
        return _UNUSABLE


def _options(arguments: Sequence[str], prog: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Deal a finished round again from its revealed seed, and compare it with promise and payment.",
        epilog="`today FILE` checks one of Today's five, a try and its answers; `days` prints a table of sixty days.",
    )
    parser.add_argument("record", nargs="?", help="a round's record as a JSON file; - reads standard input")
    parser.add_argument("--tip", metavar="HEX", help="the tip in the promise's message, or the round's mark")
    parser.add_argument("--hash", metavar="HEX", help="the record's hash that the result showed, 16 digits or all")
    parser.add_argument("--previous", metavar="HEX", help="that of the round before it in the same place")
    parser.add_argument("--commitment", metavar="HEX", help="of a round of scheme 1: the hash shown before the stakes")
    parser.add_argument("--seed", metavar="HEX", help="without a record: the seed that was revealed afterwards")
    parser.add_argument("--input", action="append", default=[], metavar="TEXT", help="what was mixed in; in order")
    parser.add_argument("--decks", type=int, default=6, help="packs in the shoe (6)")
    parser.add_argument("--cards", type=int, default=12, help="how many cards to show (12)")
    options = parser.parse_args(arguments)
    if bool(options.record) == bool(options.seed):
        parser.error("give either a record or a seed")
    return options


def _check_seed(options: argparse.Namespace) -> int:
    seed = bytes.fromhex(options.seed)
    shown, hashed = _shown(options, "commitment"), commitment(seed)
    cards = shoe(seed, options.input, options.decks)
    top = [cards[place] for place in range(min(options.cards, len(cards)))]
    _say(_hash_lines(seed, hashed, shown))
    _say(_input_lines(options.input))
    _say(_card_lines(top, f"the first {len(top)} of {options.decks} decks, in dealing order"))
    return _verdict(fits=shown in ("", hashed), good="These are the cards that this seed deals.")


def _check_record(options: argparse.Namespace) -> int:
    fields = parse(_text_of(options.record))
    if "draws" in fields:
        return _check_draws(Draws.read(fields), options)
    if "orders" in fields:
        return _check_lots(TournamentLots.read(fields), options)
    if "answers" in fields:
        return _check_day(Day.read(fields), options)
    record = read(fields)
    shown = Seen(*(_shown(options, what) for what in ("tip", "hash", "previous")))
    if isinstance(record, RecordOne):
        return _check_one(record, options, shown)
    assert isinstance(record, RecordTwo)
    if options.commitment:
        raise BadRecord("this round has no commitment of its own: give the promise's --tip")
    finding = verify(record, shown, losses(record) if can_be_checked() else {})
    _say(_promise_lines(finding))
    _say(_input_lines(record.mixed_in))
    _say(_dealt_lines(finding))
    _say(_round_lines(finding))
    _say(_seal_lines(finding))
    _say(_alone_lines(record, shown))
    return _verdict(fits=finding.holds, good="The round was dealt and paid as promised.")


def _check_draws(draws: Draws, options: argparse.Namespace) -> int:
    if options.hash or options.previous or options.commitment:
        raise BadRecord("draws have no hash of their own: give the promise's --tip")
    finding, tip = verify_draws(draws), _shown(options, "tip")
    saw = not tip or draws.promise.tip.startswith(tip.partition("-")[0])
    _say(_root_lines(finding, tip, saw=saw))
    for place, drawing in enumerate(draws.drawings):
        _say(_draw_lines(finding, place, drawing))
    return _verdict(fits=finding.holds and saw, good="These cards were drawn as promised.")


def _check_lots(lots: TournamentLots, options: argparse.Namespace) -> int:
    if options.hash or options.previous or options.commitment:
        raise BadRecord("a tournament has no hash of its own: give the promise's --tip")
    finding, tip = verify_lots(lots), _shown(options, "tip")
    saw = not tip or any(promise.tip.startswith(tip) for promise in lots.promises)
    _say(_promises_lines(lots, tip, saw=saw))
    _say(line for check in finding.checks for line in _lots_lines(check))
    return _verdict(fits=finding.holds and saw, good="Seats, places and tables follow from what was promised.")


def _check_day(day: Day, options: argparse.Namespace) -> int:
    if options.hash or options.previous or options.commitment:
        raise BadRecord("a day has no hash of its own: give the promise's --tip")
    solver, tip = can_be_checked(), _shown(options, "tip")
    saw = not tip or day.tip.startswith(tip.partition("-")[0])
    checks = list(verify_day(day, solver=solver))
    _say(_day_lines(day, checks, tip, saw=saw))
    missing = [f"   not checked: {what}" for what in left_out(day, solver=solver)]
    _say(iter(missing or ["   everything else was checked"]))
    return _verdict(fits=saw and all(check.fits for check in checks), good="This day was dealt as promised.")


def _day_lines(day: Day, checks: Sequence[DayCheck], tip: str, *, saw: bool) -> Iterator[str]:
    yield headline(day)
    if tip:
        yield f"{'  ' if saw else '!!'} you saw   {tip}   {'the same' if saw else 'not the same'}"
    else:
        yield "   (compare the tip with the promise, or give --tip: this file alone only agrees with itself)"
    first = date_of(day.day - day.number + 1)
    yield f"   seed {day.number} of its chain, whose first day was {first}: the files of its other days have to agree"
    yield f"   before it: {sum(map(len, day.before))} situations, as the files of those days have them"
    for check in checks:
        yield f"{'  ' if check.fits else '!!'} {check.what}: {check.recorded}"
        if not check.fits:
            yield f"   but it is: {check.found}"


def _promises_lines(lots: TournamentLots, tip: str, *, saw: bool) -> Iterator[str]:
    yield f"Tournament {lots.tournament}"
    for what, message in [*(("promise", each.message) for each in lots.promises), ("list", lots.entrants)]:
        yield f"   {what:9} https://discord.com/channels/{lots.guild}/{lots.channel}/{message}"
    if tip:
        yield f"{'  ' if saw else '!!'} you saw   {tip}   {'the same' if saw else 'not the same'}"
    else:
        yield "   (compare the tips with the promises, or give --tip: this file alone only agrees with itself)"


def _lots_lines(check: LotsCheck) -> Iterator[str]:
    yield f"{'  ' if check.fits else '!!'} {check.what}: {check.found}"
    if not check.fits:
        yield f"   recorded: {check.recorded}"


def _root_lines(finding: DrawsFinding, tip: str, *, saw: bool) -> Iterator[str]:
    draws = finding.draws
    yield f"1. The promise: table {draws.table} under {draws.promise.address}"
    yield f"   root      {draws.root.hex()}"
    along = f"   (with its path from slot {draws.slot})" if draws.slot else ""
    yield f"   its tip   {finding.tip}{along}"
    fits = finding.root_fits
    yield f"{'  ' if fits else '!!'} promised  {draws.promise.tip}   {'the same' if fits else 'not the same'}"
    if tip:
        yield f"{'  ' if saw else '!!'} you saw   {tip}   {'the same' if saw else 'not the same'}"
    else:
        yield "   (compare it with the promise, or give its --tip: these draws alone only agree with themselves)"


def _draw_lines(finding: DrawsFinding, place: int, drawing: Drawing) -> Iterator[str]:
    yield f"Draw {drawing.number}: {drawing.wanted.value}"
    for seat, cards in sorted(finding.found[place].items()):
        yield f"   seat {seat + 1}: {' '.join(map(name, cards)) or '(no card)'}"
    if not finding.fits(place):
        yield "!! recorded  were other cards:"
        for seat, cards in sorted(drawing.cards.items()):
            yield f"   seat {seat + 1}: {' '.join(map(name, cards)) or '(no card)'}"


def _check_one(record: RecordOne, options: argparse.Namespace, shown: Seen) -> int:
    if shown != Seen():
        raise BadRecord("this round is of scheme 1: give its --commitment")
    seen = _shown(options, "commitment")
    if seen:
        record = replace(record, commitment=seen)
    finding = verify(record)
    _say(_hash_lines(record.seed, commitment(record.seed), record.commitment))
    _say(_input_lines(record.inputs))
    _say(_dealt_lines(finding))
    _say(_round_lines(finding))
    if not seen:
        _say(iter(["A record alone only agrees with itself: give the --commitment that you saw before the stakes."]))
    return _verdict(fits=finding.holds, good="The round was dealt and paid as promised.")


def _text_of(path: str) -> str:
    """Return the text of a file, or of standard input (``-``). If it is too long, only its beginning is read."""
    with TextIOWrapper(sys.stdin.buffer if path == "-" else Path(path).open("rb"), "utf-8", newline="") as file:
        return file.read(LONGEST + 1)


def _shown(options: argparse.Namespace, what: str) -> str:
    given = str(getattr(options, what) or "").strip().lower().rstrip("….")
    if not given or (what == "tip" and chain.read_mark(given)):
        return given
    if re.fullmatch("[0-9a-f]+", given) is None or not _LEAST[what] <= len(given) <= 64:
        raise BadRecord(f"--{what} is {_LEAST[what]} to 64 hexadecimal digits, as it was shown")
    return given


def _say(lines: Iterator[str]) -> None:
    print("\n".join(_visible(line, sys.stdout) for line in lines), end="\n\n")


def _visible(line: str, out: TextIO) -> str:
    """Return a line as `out` can print it, with an escape for each character that it cannot, or that is not visible.

    Texts of the checked file could otherwise print lines of their own, or conceal others.
    """
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line)
    encoding = out.encoding or "utf-8"
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def _verdict(*, fits: bool, good: str) -> int:
    print(good if fits else "THIS DOES NOT FIT: see the line marked !! above.")
    return _HOLDS if fits else _FAILS


# -- the seed ----------------------------------------------------------------------------------------------------------


def _hash_lines(seed: bytes, hashed: str, shown: str) -> Iterator[str]:
    yield "1. The seed and its hash"
    yield f"   seed      {seed.hex()}"
    yield f"   SHA-256   {hashed}"
    if not shown:
        yield "   shown     (not given: compare the line above with the hash at the table)"
    elif shown == hashed:
        yield f"   shown     {shown}   the same"
    else:
        yield f"!! shown     {shown}   not the same: another seed was promised"


def _promise_lines(finding: Finding) -> Iterator[str]:
    record = finding.record
    assert isinstance(record, RecordTwo)
    slot = record.slot if isinstance(record, RecordThree) else 0
    of_many = f" in chain {slot} of {chain.SLOTS}" if slot else ""
    yield f"1. The promise: round {record.number} of {chain.LENGTH}{of_many} under {record.promise.address}"
    yield f"   seed      {record.seed.hex()}"
    seed = finding.of(What.SEED)
    assert seed is not None
    if slot:
        tip = chain.tip_from(record.seed, record.number)
        yield f"   hashed    {tip}   ({record.number} times SHA-256: its chain's tip)"
        yield f"   up there  {seed.found}   (along its path from slot {slot}: this round's seed is in the promise)"
    else:
        yield f"   hashed    {seed.found}   ({record.number} times SHA-256)"
    yield _compared(seed, "promised", "another chain was promised")
    if record.root:
        root = finding.of(What.ROOT)
        assert root is not None
        yield f"   root      {record.root}"
        yield _compared(root, "its tip", "not the root of this chain")
    shown = finding.of(What.SHOWN_TIP)
    if shown is not None:
        yield _compared(shown, "you saw", "another chain was promised")


def _input_lines(inputs: Sequence[str]) -> Iterator[str]:
    yield "2. What was mixed in after the promise"
    yield from (f"   {text!r}" for text in inputs)
    if not inputs:
        yield "   (nothing)"


# -- cards and steps ---------------------------------------------------------------------------------------------------


def _dealt_lines(finding: Finding) -> Iterator[str]:
    yield from _card_lines(finding.cards, "those the round used, in dealing order")
    dealt = finding.of(What.CARDS)
    if dealt is not None and not dealt.fits:
        yield f"!! recorded  {' '.join(map(name, dealt.recorded.split())) or '(none)'}   not the same"


def _card_lines(cards: Sequence[Card], which: str) -> Iterator[str]:
    yield f"3. The cards ({which})"
    yield f"   {' '.join(map(name, cards)) or '(none)'}"


def _round_lines(finding: Finding) -> Iterator[str]:
    record = finding.record
    yield f"4. The round: {record.game!r}, {record.rules_name!r} rules"
    for seat, stakes in enumerate(record.stakes):
        yield f"   seat {seat + 1}{_who(record, seat)} stakes {_stakes(stakes)}"
    yield from (f"   seat {step.seat + 1}: {step.action!r} ({step.by.value})" for step in record.steps)
    if finding.again is None:
        yield f"!! it cannot be played again: {finding.fault}"
        return
    yield from _computer_lines(finding)
    if finding.called_off:
        yield "   (called off after a backup was restored: every stake came back)"
    yield from map(_line, finding.lines)
    payments = finding.of(What.PAYMENTS)
    assert payments is not None
    if payments.found:
        yield f"   outcome   {payments.found}"
        yield _compared(payments, "recorded", "not the same")
    elif not payments.fits:
        assert isinstance(record, RecordTwo)
        yield "!! recorded  were other payments:"
        yield from map(_line, record.payments)


def _who(record: Record, seat: int) -> str:
    if not isinstance(record, RecordTwo) or seat >= len(record.players) or record.players[seat].person:
        return ""
    return f" (computer player, {record.players[seat].level!r})"


def _stakes(stakes: object) -> str:
    assert isinstance(stakes, dict)
    return ", ".join(f"{_chips(cents)} on {spot!r}" for spot, cents in stakes.items())


def _computer_lines(finding: Finding) -> Iterator[str]:
    thoughts = finding.of(What.COMPUTERS)
    if thoughts is not None and not thoughts.fits:
        yield f"!! computer players: {thoughts.fault}"
    for place in finding.by_chart:
        yield f"   step {place + 1} was played without thinking, by the chart"
    for level in finding.unchecked:
        yield f"   (how the {level} computer player plays was not checked)"


def _line(line: Line) -> str:
    staked, returned = _chips(line.staked), _chips(line.returned)
    return f"   seat {line.seat + 1}, {line.what}: {line.outcome.value}; staked {staked}, gets back {returned}"


def _chips(cents: Cents) -> str:
    whole, rest = divmod(cents, CHIP)
    return f"{whole}.{rest:02}" if rest else str(whole)


# -- the seal ----------------------------------------------------------------------------------------------------------


def _seal_lines(finding: Finding) -> Iterator[str]:
    record = finding.record
    assert isinstance(record, RecordTwo)
    yield "5. The record, sealed whole"
    sealed, phrase = finding.of(What.HASH), finding.of(What.PHRASE)
    assert sealed is not None
    assert phrase is not None
    if not phrase.fits:
        yield f"!! phrase    {phrase.fault}"
    yield f"   hash      {sealed.found}"
    yield _compared(sealed, "recorded", "something was changed afterwards")
    yield f"   before it {record.previous or '(the first round here)'}"
    for what in (What.SHOWN_HASH, What.SHOWN_PREVIOUS):
        shown = finding.of(what)
        if shown is not None:
            yield _compared(shown, "you saw", "not the same")


def _compared(check: Check, word: str, otherwise: str) -> str:
    return f"{'  ' if check.fits else '!!'} {word:<9} {check.recorded}   {'the same' if check.fits else otherwise}"


def _alone_lines(record: RecordTwo, shown: Seen) -> Iterator[str]:
    yield "What this record cannot prove by itself: anybody can write one that agrees with itself. Compare it with"
    if not shown.tip:
        yield f"   --tip       in the promise's message, {record.promise.address}"
    if not shown.hash:
        yield "   --hash      in the round's result, 16 digits"
    if not shown.previous:
        yield "   --previous  in the result of the round before it"
    yield "   and see that the promise has no (edited) mark and is older than the round."
