"""Checking a finished round: was it dealt from the seed that the house had committed itself to, and settled right?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.fairness.record import Record, outcome_hash, replay, shoe_of
from engine.fairness.shuffle import commitment
from engine.games.cards import Card, Shoe
from engine.games.contract import IllegalAction, Round


class Watched:
    """A shoe that remembers how many of its cards were asked for."""

    def __init__(self, cards: Shoe) -> None:
        self._cards = cards
        self._asked = 0

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, place: int, /) -> Card:
        self._asked = max(self._asked, place + 1)
        return self._cards[place]

    def turned(self) -> tuple[Card, ...]:
        return tuple(self._cards[place] for place in range(self._asked))


@dataclass(frozen=True, slots=True)
class Finding:
    """What checking a record found out."""

    record: Record
    hashed: str  # the SHA-256 of the revealed seed
    cards: tuple[Card, ...] = ()  # in dealing order, burnt ones too
    again: Round | None = None  # the round, played again
    outcome: str = ""  # the hash of its settlement
    fault: str = ""  # why it could not be played to its end again

    @property
    def seed_fits(self) -> bool:
        """The seed is the one whose hash was shown. Where nothing was shown there is nothing to compare."""
        return self.record.commitment in ("", self.hashed)

    @property
    def outcome_fits(self) -> bool:
        return not self.fault and self.outcome == self.record.outcome

    @property
    def holds(self) -> bool:
        return self.seed_fits and self.outcome_fits


def verify(record: Record) -> Finding:
    """Play the round again from its record and compare. Never raises: a record can come from anywhere."""
    finding = Finding(record, commitment(record.seed))
    try:
        cards = Watched(shoe_of(record))
        again = replay(record, cards=cards)
    except IllegalAction as error:
        return replace(finding, fault=f"a recorded step is against the rules ({error})")
    except (ValueError, TypeError, LookupError) as error:
        return replace(finding, fault=str(error))
    if not again.over:
        return replace(finding, fault="the recorded steps do not end the round")
    outcome = outcome_hash(again)  # first: some cards are asked for only now
    return replace(finding, again=again, outcome=outcome, cards=cards.turned())
