"""The protocols of what tables need from outside: a clock, seeds, a bank, watchers, and a place to post promises.

`data` implements the bank, `cogs` the watchers and the poster; tests use both for real.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine import fairness
from engine.fairness.chain import Promise
from engine.games.cards import Shoe
from engine.games.contract import Cents, Round, Seat
from engine.tables.house import CAPS, Caps, HouseSettings
from engine.tables.values import Account, Chain, Change, Member, StoredTable

if TYPE_CHECKING:
    from engine.tables.table import Table


class Clock(Protocol):
    """The source of the time."""

    def now(self) -> float:
        """Seconds since 1970. The only clock there is: Discord's own in production, virtual in tests."""


class Seeds(Protocol):
    """The source of chance."""

    def __call__(self) -> bytes:
        """32 bytes that nobody can foresee."""


class Shuffle(Protocol):
    """`engine.fairness.shoe`, or cards that a test has laid out."""

    def __call__(self, seed: bytes, inputs: Sequence[str], decks: int) -> Shoe:
        """Return the shoe of a round: always the same for the same seed and inputs."""


class Watcher(Protocol):
    """Somebody who wants to know when a table has changed."""

    def changed(self, table: Table) -> None:
        """Take in that the table has a newer snapshot. This must return at once and never raise."""


class Watchers:
    """Some who are told of every change, and others who care for what is over: hands and tables."""

    def __init__(self, *always: Watcher) -> None:
        self.always = always
        self.between_hands: list[Watcher] = []


# -- the bank ----------------------------------------------------------------------------------------------------------


class BankError(Exception):
    """Nothing was written."""


class CannotPay(BankError):
    """An account would have gone below zero."""

    def __init__(self, account: Account) -> None:
        super().__init__(str(account))
        self.account = account


class AlreadyDone(BankError):
    """The cause or a key was used before."""


class MemberGone(BankError):
    """Somebody who is to be written down was forgotten a moment ago."""


class StaleTable(BankError):
    """The stored table is not the one this change was made from."""


class OtherChain(BankError):
    """Another process has a chain of its own in that place, or has given this one up."""


class StakesStopped(BankError):
    """Raised when the audit found a fault or the disk is full: no new stakes until that is fixed. Open rounds go on."""


class BankUnavailable(BankError):
    """Locked, full, read-only, not reachable: try again later."""


class OutcomeUnknown(Exception):
    """The commit was sent and nobody knows whether it arrived: reload before going on."""


class Tables(Protocol):
    """The journal of the tables."""

    async def commit(self, change: Change) -> None:
        """Write the whole change, or nothing and raise a BankError. OutcomeUnknown: nobody can say."""

    async def stored(self, table: int) -> StoredTable | None:
        """Return the table as the journal has it, open or closed, or None if it never existed."""

    async def still_open(self, *, guilds: Collection[int] | None = None) -> Sequence[StoredTable]:
        """Return the open tables of all guilds, or of some."""
        ...

    async def guilds_at_play(self, *, shards: Collection[int] | None = None, shard_count: int = 1) -> Sequence[int]:
        """Return the guilds with an open table: all, or those of these shards."""
        ...


class Members(Protocol):
    """The people, and what they have."""

    async def sign_in(self, guild: int, user: int) -> Member:
        """Return the member, and open the account with the guild's starting chips the first time (R10.1)."""
        ...

    async def balances(self, members: Sequence[int]) -> Mapping[int, Cents]:
        """Return the wallet of each of these members."""
        ...

    async def in_play(self, member: int) -> Cents:
        """Return the member's stakes in open rounds of all tables."""
        ...


class Chains(Protocol):
    """The chains of seeds, each of one place."""

    async def in_use(self, place: str) -> Chain | None:
        """Return the chain in use at a place."""

    async def ended(self, place: str) -> Chain | None:
        """Return the chain that ended last at a place."""

    async def all_of(self, *places: str) -> Sequence[Chain]:
        """Return all chains that ever began at a place, oldest first."""
        ...

    async def take_over(self, earlier: str, place: str, member: int | None) -> Chain | None:
        """Let the chain that is used in an earlier release's place go on in this one; None if there is none."""

    async def phrase(self, member: int | None) -> str:
        """Return the phrase for the next chain of a member's place, which changes once an hour at most."""
        ...

    async def begin(self, chain: Chain) -> Chain:
        """Begin a chain for a place without one; it continues from the hash of the place's last round."""
        ...

    async def promised(self, chain: int, message: int) -> None:
        """Note that the promise is posted."""

    async def end(self, chain: int, why: str) -> None:
        """Deal no round from it any more, so that its root may be shown. A BankError while open tables depend on it."""


class Bank(Protocol):
    """The parts of `data.Bank` that tables need."""

    @property
    def tables(self) -> Tables:
        """The journal of the tables."""
        ...

    @property
    def members(self) -> Members:
        """The people, and what they have."""
        ...

    @property
    def chains(self) -> Chains:
        """The chains of seeds."""
        ...


class Think(Protocol):
    """The place where moves of computer players that take their time are worked out (R6.4)."""

    async def __call__(self, level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        """Return the action that a thinking computer player has chosen, or None if it chose none."""


# -- promises ----------------------------------------------------------------------------------------------------------


class NotPosted(Exception):
    """A promise was surely not posted: the channel is closed, or Discord is not there."""


class ChannelClosed(NotPosted):
    """There is no such channel any more, or we may not write in it."""


class Poster(Protocol):
    """Posts promises: small messages of their own, never edited."""

    async def post(self, chain: Chain, before: Chain | None) -> int:
        """Post the chain's tip with the root of the chain that ended before it, and return the message's id.

        NotPosted means that it certainly was not posted; after any other exception nobody knows.
        """

    async def stands(self, promise: Promise) -> bool:
        """Return whether the message still exists, as far as one can know."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The things that all tables of a casino share."""

    bank: Bank
    clock: Clock
    seeds: Seeds
    watchers: Watchers
    house: Callable[[int], Awaitable[HouseSettings]]  # of a guild
    poster: Poster
    shoe: Shuffle = fairness.shoe
    caps: Caps = CAPS
    think: Think | None = None
