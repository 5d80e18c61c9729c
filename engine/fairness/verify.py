"""Checks a finished round: whether it was dealt from the promised seed, played by the rules and paid as it came out.

Each check is a value of its own, so that `/verify` and the command line show all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from engine.fairness import chain
from engine.fairness.record import Player, Record, RecordOne, RecordTwo, rules_of
from engine.fairness.replay import dealt, is_called_off, lines_hash, stakes_back, taken
from engine.fairness.shuffle import commitment, shoe
from engine.fairness.thoughts import TOLERANCE, Losses
from engine.games import registry
from engine.games.cards import Card
from engine.games.computer import LEVEL_VERSION
from engine.games.contract import BOTTOMLESS, By, IllegalAction, Line, Round


class What(StrEnum):
    """The things about a round that are checked."""

    SEED = "seed"  # the revealed seed is the one that was promised
    ROOT = "root"  # the root of the chain, where it is known, gives this seed and the tip
    PHRASE = "phrase"  # a phrase is mixed in only where one person plays
    PLAY = "play"  # the steps can be taken one after the other, and end the round unless it was called off
    COMPUTERS = "computers"  # computer players did what their level does
    CARDS = "cards"  # the cards dealt are those that the seed gives
    PAYMENTS = "payments"  # every stake ended as recorded
    HASH = "hash"  # the record is what was sealed when the round was over
    SHOWN_TIP = "shown tip"  # the tip or mark that somebody saw is the record's
    SHOWN_HASH = "shown hash"  # the hash that somebody saw is the record's
    SHOWN_PREVIOUS = "shown previous"  # the hash of the round before that somebody saw is the one in the record


class Check(NamedTuple):
    """The result of one check, with the two values that were compared if there are two."""

    what: What
    fits: bool
    found: str = ""  # worked out here; for a value that somebody saw, the record's
    recorded: str = ""  # the record's; for a value that somebody saw, that value
    fault: str = ""  # why it does not fit, where no two values were compared


@dataclass(frozen=True, slots=True)
class Seen:
    """The values that somebody saw at the table, complete or shortened.

    They are a tip or mark, the hash of the round, and the hash of the round before.
    """

    tip: str = ""
    hash: str = ""
    previous: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """All checks of a record, and the round as it was played again."""

    record: Record
    checks: tuple[Check, ...]
    cards: tuple[Card, ...] = ()  # ordered as they were dealt, burnt ones too
    again: Round | None = None  # the round after its last step, played again; None if that is impossible (`fault`)
    lines: tuple[Line, ...] = ()  # the result of every stake
    #: The level of thinking computer players if a step of theirs was not checked, because its loss is not known.
    unchecked: tuple[str, ...] = ()
    #: The indexes of steps that a thinking computer player took by its chart, as it does if it cannot think in time.
    by_chart: tuple[int, ...] = ()

    @property
    def holds(self) -> bool:
        return all(check.fits for check in self.checks)

    @property
    def called_off(self) -> bool:
        """Whether the round was not played to its end, and all stakes came back."""
        return is_called_off(self.lines)

    @property
    def fault(self) -> str:
        """Why the round cannot be played again to its end (or to where it was called off); empty if it can."""
        return next((check.fault for check in self.checks if check.what is What.PLAY), "")

    def of(self, what: What) -> Check | None:
        return next((check for check in self.checks if check.what is what), None)


_NOTHING_SHOWN: Final = Seen()
_NOT_SOLVED: Final[Losses] = {}


def verify(record: Record, shown: Seen = _NOTHING_SHOWN, losses: Losses = _NOT_SOLVED) -> Finding:
    """Play the round again from its record, and compare it with the record and with what somebody saw (`shown`).

    This never raises, because a record can come from anywhere. `losses` has the loss of each step of thinking computer
    players (`engine.fairness.thoughts`), as far as they are known.
    """
    replay = _Replay(record, losses)
    checks = (*_checks(record, replay), *_shown_checks(record, shown))
    cards = replay.cards if replay.again is not None else ()
    return Finding(record, checks, cards, replay.again, replay.lines, replay.unchecked, tuple(replay.by_chart))


def faults_of_kept(record: Record) -> list[Check]:
    """Return the failed checks of a finished round from the journal, which does not store its cards.

    The replay deals the cards again, and the record's hash shows whether they are the same. The chain's root is left to
    callers that know the chain, and the steps of thinking computer players are not checked.
    """
    return [check for check in _checks(record, _Replay(record, _NOT_SOLVED), kept=True) if not check.fits]


class _Replay:
    """Plays the round of a record again, and compares the steps of computer players with what their levels do.

    `again` is the round after its last step. It is None if the round cannot be played again from its record, or is then
    neither over nor called off. In both cases `fault` says why.
    """

    def __init__(self, record: Record, losses: Losses) -> None:
        self._losses = losses
        self.by_chart: list[int] = []
        self.again: Round | None = None
        self.fault = ""
        self.wrong_thought = ""
        self.unchecked: tuple[str, ...] = ()
        self.cards: tuple[Card, ...] = ()
        self.lines: tuple[Line, ...] = ()
        try:
            self._play(record)
        except IllegalAction as error:
            self.fault = f"a recorded step is against the rules ({error})"
        except (ValueError, TypeError, LookupError) as error:
            self.fault = str(error)

    def _play(self, record: Record) -> None:
        rules = rules_of(record)
        cards = shoe(record.seed, record.mixed_in, rules.decks)
        computers = self._computers(record) if isinstance(record, RecordTwo) else {}
        again = dealt(record, rules, cards)
        for place, (seat, action, by) in enumerate(record.steps):
            if isinstance(record, RecordTwo) and (seat in computers or by is By.COMPUTER):
                self._compare_thought(record, again, place, computers.get(seat))
            again.apply(seat, action, by)
        if again.over:
            self.lines = again.settlement().lines
        elif _says_called_off(record):
            self.lines = stakes_back(record)
        else:
            raise ValueError("the recorded steps do not end the round")
        self.cards = taken(again, cards)
        self.again = again

    def _computers(self, record: RecordTwo) -> Mapping[int, Player]:
        """Return the computer players by seat.

        Raises ValueError unless each seat has one player, and the level and version of each computer player are known.
        """
        if len(record.players) != len(record.stakes):
            raise ValueError("not every seat has a player and stakes")
        found = {seat: player for seat, player in enumerate(record.players) if player.level}
        for player in found.values():
            if player.level not in registry.game(record.game).levels or player.version != LEVEL_VERSION:
                raise ValueError(f"no computer player is called {player.level}, version {player.version}")
        return found

    def _compare_thought(self, record: RecordTwo, again: Round, place: int, player: Player | None) -> None:
        step = record.steps[place]
        if player is None or step.by is not By.COMPUTER:
            raise ValueError(f"step {place + 1} was not taken by who sits there")
        if step.seat not in again.asked:
            return
        loss = self._losses.get(place)
        thinks = player.level in registry.game(record.game).thinkers
        if thinks and loss is None:
            self.unchecked = (player.level,)
        if thinks and (loss is None or loss <= TOLERANCE):
            return
        purse = record.purses[place]
        policy = registry.game(record.game).policy(player.level)
        thought = policy(again, step.seat, BOTTOMLESS if purse is None else purse)
        if thought == step.action and thinks:
            self.by_chart.append(place)
        elif thought != step.action and not self.wrong_thought:
            does = f"gave {loss:.2g} of its stake away" if thinks else f"plays {thought} there"
            self.wrong_thought = f"step {place + 1} was {step.action}; {player.level} {does}"


def _says_called_off(record: Record) -> bool:
    """Return whether the record gives all stakes back. In scheme 1 only the hash of its payments shows that."""
    if isinstance(record, RecordOne):
        return record.outcome == lines_hash(stakes_back(record))
    return isinstance(record, RecordTwo) and is_called_off(record.payments)


# -- what is compared --------------------------------------------------------------------------------------------------


def _checks(record: Record, replay: _Replay, *, kept: bool = False) -> Iterator[Check]:
    """Yield the checks of a record that was played again. A `kept` record comes from a journal, without its cards."""
    play = Check(What.PLAY, not replay.fault, fault=replay.fault)
    if isinstance(record, RecordOne):
        hashed = commitment(record.seed)
        yield Check(What.SEED, record.commitment in ("", hashed), hashed, record.commitment)
        yield play
        if replay.again is not None:
            outcome = lines_hash(replay.lines)
            yield Check(What.PAYMENTS, outcome == record.outcome, outcome, record.outcome)
    elif isinstance(record, RecordTwo):
        tip = record.promised(chain.tip_from(record.seed, record.number))
        yield Check(What.SEED, tip == record.promise.tip, tip, record.promise.tip)
        if record.root and not kept:
            yield _root_check(record)
        yield play
        is_alone = sum(player.person for player in record.players) == 1
        yield Check(What.PHRASE, not record.phrase or is_alone, fault="a phrase counts only where one person plays")
        if replay.again is not None:
            yield Check(What.COMPUTERS, not replay.wrong_thought, fault=replay.wrong_thought)
            if not kept:
                told = " ".join(replay.cards), " ".join(record.cards)
                yield Check(What.CARDS, replay.cards == record.cards, *told)
            yield Check(What.PAYMENTS, replay.lines == record.payments)
        hashed = record.hashed(replay.cards if kept else record.cards)
        yield Check(What.HASH, hashed == record.hash, hashed, record.hash)


def _root_check(record: RecordTwo) -> Check:
    root = bytes.fromhex(record.root)
    same, tip = chain.seed_of(root, record.number) == record.seed, record.promised(chain.tip_of(root))
    return Check(What.ROOT, same and tip == record.promise.tip, tip, record.promise.tip)


def _shown_checks(record: Record, shown: Seen) -> Iterator[Check]:
    """Yield the checks of what somebody saw at the table."""
    if isinstance(record, RecordOne) and shown.tip:
        yield _agrees(What.SHOWN_TIP, shown.tip, commitment(record.seed))
    if not isinstance(record, RecordTwo):
        return
    if shown.tip:
        marked = chain.read_mark(shown.tip)
        if marked is not None:
            yield Check(What.SHOWN_TIP, shown.tip == record.mark, record.mark, shown.tip)
        else:
            yield _agrees(What.SHOWN_TIP, shown.tip, record.promise.tip)
    if shown.hash:
        yield _agrees(What.SHOWN_HASH, shown.hash, record.hash)
    if shown.previous:
        yield _agrees(What.SHOWN_PREVIOUS, shown.previous, record.previous)


def _agrees(what: What, shown: str, recorded: str) -> Check:
    """Return the check of a shown value, which may be only the beginning of the recorded one."""
    return Check(what, recorded.startswith(shown), recorded, shown)
