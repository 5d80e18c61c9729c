"""The seeds of a table's rounds: how the next round is sealed, and the record of the round on display is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from engine import fairness
from engine.fairness.chain import seed_of
from engine.fairness.record import Record, RecordThree, RecordTwo
from engine.fairness.replay import sealed, sealed_as_called_off
from engine.games.cards import Shoe
from engine.games.contract import Cents, Step
from engine.tables.ports import Shuffle
from engine.tables.state import TableState
from engine.tables.values import Chain, Deal, Finish, Seal, StoredRound, StoredTable


@dataclass(frozen=True, slots=True)
class Sealing:
    """The seeds of one table's rounds, as a frozen value. Each method returns the value after one event."""

    #: Whether the next rounds are sealed from chains (schemes 2 and 3). An elimination table that began under scheme 1
    #: ends under it, unless the bank is restored.
    chains: bool = True
    shown: Seal | None = None  # the round on display is dealt from it
    next: Seal | None = None  # the next round's; None while a round runs, and until a promise is posted
    chain: Chain | None = None  # the source of the next seals
    record: RecordTwo | None = None  # the record of the round on display, under schemes 2 and 3

    @classmethod
    def of(cls, stored: StoredTable, state: TableState, *, chains: bool) -> Self:
        """Return the seeds of a table as the journal has stored it. `state` was read from the same stored table.

        `chains` says whether the table's next rounds come from chains. A seal that may not be used any more is left
        out: the next round is then sealed again.
        """
        shown, coming = shown_round(stored, state), _coming_round(stored, state)
        newest = coming or shown
        chain = newest.chain if newest is not None and newest.chain is not None and not newest.chain.ended else None
        record = shown.record if shown is not None and isinstance(shown.record, RecordTwo) else None
        return cls(chains, _seal(shown), _seal(coming), chain, record)

    # -- before a round --------------------------------------------------------------------------------------------

    def go_on_from(self, chain: Chain, number: int) -> Self:
        """Seal round `number` from a chain whose promise is posted, and keep that chain for the rounds after it."""
        return replace(self, chain=chain, next=seal_of(chain, number))

    def seal_next(self, number: int, channel: int, fresh_seed: bytes) -> Self:
        """Seal round `number` from the chain, or under scheme 1 by `fresh_seed`.

        Without a chain, or if it is used up, about to end, or of another channel, wait for a new promise instead.
        """
        if not self.chains:
            return replace(self, next=Seal(number, fresh_seed, fairness.commitment(fresh_seed)))
        chain = self.chain
        if chain is None or chain.next is None or chain.channel != channel or chain.ending:
            return self.give_up_chain()
        return self.go_on_from(chain, number)

    def give_up_chain(self) -> Self:
        """Drop the chain and the next seal, to wait for a new promise."""
        return replace(self, chain=None, next=None)

    # -- a round -----------------------------------------------------------------------------------------------------

    def deal(self, deal: Deal) -> tuple[Self, Deal]:
        """Begin the sealed round and, from scheme 2 on, its record. Return the deal too, as its scheme stores it.

        Scheme 1 stores no players. The others store the chain, its link, the hash of the record before and, if just one
        person plays, the chain's phrase.
        """
        seal, chain = self.next, self.chain
        assert seal is not None, "a round is sealed before anybody stakes"
        dealt = replace(self, shown=seal, next=None, record=None)
        if not seal.link:
            return dealt, replace(deal, players=())
        assert chain is not None and chain.id == seal.chain, "a seal is dealt from the chain that it came from"  # noqa: PT018
        alone = sum(player.person for player in deal.players) == 1
        record = RecordThree(
            promise=chain.promise,
            number=seal.link,
            game=deal.game,
            rules_name=deal.rules_name,
            rules=deal.rules,
            stakes=tuple(deal.stakes),
            seed=seal.seed,
            players=tuple(deal.players),
            phrase=chain.phrase if alone else "",
            previous=chain.last,
            build=deal.build,
            slot=chain.slot,
            path=chain.path,
        )
        deal = replace(deal, inputs=(), chain=chain.id, link=seal.link, phrase=record.phrase, previous=chain.last)
        return replace(dealt, chain=replace(chain, used=seal.link), record=record), deal

    def step(self, purse: Cents | None) -> Self:
        """Note in the round's record what a computer player could pay when it took a step.

        `purse` is None for a step of a person or of the clock, and for a purse that can pay for anything. In scheme 1,
        where a table keeps no record, do nothing.
        """
        if self.record is None:
            return self
        return replace(self, record=replace(self.record, purses=(*self.record.purses, purse)))

    def settle(self, finish: Finish, steps: Sequence[Step], shuffle: Shuffle, decks: int) -> tuple[Self, Finish]:
        """Complete the record of a round that is over, and put its hash into `finish`. Scheme 1 has no record.

        The chain keeps the hash too, because the record of the place's next round names it.
        """
        if self.record is None:
            return self, finish
        assert self.chain is not None
        shoe = shuffle(self.record.seed, self.record.mixed_in, decks)
        record = sealed(replace(self.record, steps=tuple(steps)), shoe)
        chain = replace(self.chain, last=record.hash)
        return replace(self, chain=chain, record=record), replace(finish, chain=chain.id, hash=record.hash)

    def call_off(self, finish: Finish, record: Record, chain: Chain | None, shoe: Shoe) -> tuple[Self, Finish]:
        """Drop a round that is called off after a restore. Drop the table's chain too: a new promise is needed.

        Return also `finish`; from scheme 2 on, the chain's id and the hash of the whole record are added. `chain` is
        the one that the round was dealt from (None: scheme 1).
        """
        if chain is not None and isinstance(record, RecordTwo):
            finish = replace(finish, chain=chain.id, hash=sealed_as_called_off(record, shoe).hash)
        return replace(self.give_up_chain(), shown=None, record=None), finish


def seal_of(chain: Chain, number: int) -> Seal | None:
    """Return the seal of a table's round `number`: the chain's next seed. Return None if the chain is used up."""
    link = chain.next
    if link is None:
        return None
    return Seal(number, seed_of(chain.root, link), chain.tip, chain.id, link, chain.mark(link))


# -- from the journal --------------------------------------------------------------------------------------------------


def shown_round(stored: StoredTable, state: TableState) -> StoredRound | None:
    """Return the round on display, or None before the first deal and after a round was called off."""
    return _numbered(stored, state.round) if not state.called_off else None


def _coming_round(stored: StoredTable, state: TableState) -> StoredRound | None:
    """Return the next round as it was sealed, or None if it has no seal that may still be used."""
    coming = _numbered(stored, state.sealed)
    if coming is None:
        return None
    if coming.chain is None:
        return coming if not state.renewed else None  # after a restore people may know its seed
    chain = coming.chain
    ends = chain.ended or chain.ending
    return coming if not ends and chain.next == coming.link and chain.channel == state.channel else None


def _numbered(stored: StoredTable, number: int) -> StoredRound | None:
    return next((round for round in stored.rounds if round.number == number), None)


def _seal(stored: StoredRound | None) -> Seal | None:
    if stored is None:
        return None
    chain = stored.chain.id if stored.chain else None
    return Seal(stored.number, stored.seed, stored.commitment, chain, stored.link, stored.code)
