"""`python -m engine.fairness`: a round checked by hand, with no bot and no database."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from engine.fairness.record import BadRecord, Record
from engine.fairness.shuffle import SCHEME, UnknownScheme, commitment, shoe
from engine.fairness.verify import Finding, verify
from engine.games.cards import Card, name
from engine.games.contract import CHIP, Cents, Line

_HOLDS, _FAILS, _UNUSABLE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0 when all that was given fits together, 1 when it does not, 2 when it could not be read."""
    options = _options(arguments)
    try:
        return _check_record(options) if options.record else _check_seed(options)
    except (BadRecord, UnknownScheme, OSError, ValueError) as error:
        print(f"This cannot be checked: {error}", file=sys.stderr)
        return _UNUSABLE


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m engine.fairness",
        description="Deal a finished round again from its revealed seed, and compare it with promise and payment.",
    )
    parser.add_argument("record", nargs="?", help="a round's record as a JSON file; - reads standard input")
    parser.add_argument("--commitment", metavar="HEX", help="the hash that was shown before the stakes")
    parser.add_argument("--seed", metavar="HEX", help="without a record: the seed that was revealed afterwards")
    parser.add_argument("--input", action="append", default=[], metavar="TEXT", help="what was mixed in; in order")
    parser.add_argument("--decks", type=int, default=6, help="packs in the shoe (6)")
    parser.add_argument("--cards", type=int, default=12, help="how many cards to show (12)")
    parser.add_argument("--scheme", default=SCHEME, help=f"of the shuffle ({SCHEME})")
    options = parser.parse_args(arguments)
    if bool(options.record) == bool(options.seed):
        parser.error("give either a record or a seed")
    return options


def _check_seed(options: argparse.Namespace) -> int:
    seed = bytes.fromhex(options.seed)
    shown, hashed = (options.commitment or "").lower(), commitment(seed)
    cards = shoe(seed, options.input, options.decks, options.scheme)
    top = [cards[place] for place in range(min(options.cards, len(cards)))]
    _say(_hash_lines(seed, hashed, shown))
    _say(_input_lines(options.input))
    _say(_card_lines(top, f"the first {len(top)} of {options.decks} decks, in dealing order"))
    return _verdict(fits=shown in ("", hashed), good="These are the cards that this seed deals.")


def _check_record(options: argparse.Namespace) -> int:
    text = sys.stdin.read() if options.record == "-" else Path(options.record).read_text(encoding="utf-8")
    record = Record.from_json(text)
    if options.commitment:
        record = replace(record, commitment=options.commitment.lower())
    finding = verify(record)
    _say(_hash_lines(record.seed, finding.hashed, record.commitment))
    _say(_input_lines(record.inputs))
    if finding.cards:
        _say(_card_lines(finding.cards, "those the round used, in dealing order"))
    _say(_round_lines(finding))
    return _verdict(fits=finding.holds, good="The round was dealt and paid as promised.")


def _say(lines: Iterator[str]) -> None:
    print("\n".join(lines), end="\n\n")


def _verdict(*, fits: bool, good: str) -> int:
    print(good if fits else "THIS DOES NOT FIT: see the line marked !! above.")
    return _HOLDS if fits else _FAILS


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


def _input_lines(inputs: Sequence[str]) -> Iterator[str]:
    yield "2. What was mixed in after the hash was shown"
    yield from (f"   {text}" for text in inputs or ["(nothing)"])


def _card_lines(cards: Sequence[Card], which: str) -> Iterator[str]:
    yield f"3. The cards ({which})"
    yield f"   {' '.join(map(name, cards)) or '(none)'}"


def _round_lines(finding: Finding) -> Iterator[str]:
    record = finding.record
    yield f"4. The round: {record.game}, {record.rules_name} rules"
    for seat, stakes in enumerate(record.stakes, start=1):
        yield f"   seat {seat} stakes {', '.join(f'{_chips(cents)} on {spot}' for spot, cents in stakes.items())}"
    yield from (f"   seat {step.seat + 1}: {step.action} ({step.by.value})" for step in record.steps)
    if finding.again is None:
        yield f"!! it cannot be played again: {finding.fault}"
        return
    yield from map(_line, finding.again.settlement().lines)
    yield f"   outcome   {finding.outcome}"
    fits = finding.outcome_fits
    yield f"{'  ' if fits else '!!'} recorded  {record.outcome or '(none)'}   {'the same' if fits else 'not the same'}"


def _line(line: Line) -> str:
    staked, returned = _chips(line.staked), _chips(line.returned)
    return f"   seat {line.seat + 1}, {line.what}: {line.outcome.value}; staked {staked}, gets back {returned}"


def _chips(cents: Cents) -> str:
    whole, rest = divmod(cents, CHIP)
    return f"{whole}.{rest:02}" if rest else str(whole)
