"""The protocols of what tables need from outside: a clock, seeds, a bank, watchers, and a place to post promises.

`data` implements the bank, `cogs` the poster. Watchers are in `cogs` and in `engine.tournament`. Tests put their own in
place of some.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from engine import fairness
from engine.fairness.chain import Promise
from engine.games.cards import Shoe
from engine.games.contract import Cents, Round, Seat
from engine.tables.house import CAPS, Caps, HouseSettings
from engine.tables.values import Account, Chain, Change, Member, SharedPromise, StoredTable

if TYPE_CHECKING:
    from engine.tables.table import Table


class Clock(Protocol):
    """The source of the time."""

    def now(self) -> float:
        """Return the seconds since 1970, by the machine's clock, or by a virtual one where Discord is simulated."""


class Seeds(Protocol):
    """The source of chance."""

    def __call__(self) -> bytes:
        """Return 32 bytes that nobody can foresee."""


class Shuffle(Protocol):
    """The function that shuffles: `engine.fairness.shoe`, or one of a test that lays out the cards."""

    def __call__(self, seed: bytes, inputs: Sequence[str], decks: int) -> Shoe:
        """Return the shoe of a round: always the same for the same seed and inputs."""


class Watcher(Protocol):
    """A part of the bot whose `changed` is called whenever a table may have changed (see `Watchers`)."""

    def changed(self, table: Table) -> None:
        """Take in that the table may have a newer snapshot. This must return at once and never raise."""


class Watchers:
    """The watchers of tables.

    Those in `always` are called after every change, those in `between_hands` only if no round is in play after it.
    """

    def __init__(self, *always: Watcher) -> None:
        self.always = always
        self.between_hands: list[Watcher] = []


# -- the bank ----------------------------------------------------------------------------------------------------------


class BankError(Exception):
    """Raised where the bank refuses or fails. Nothing was written."""


class CannotPay(BankError):
    """Raised where an account would go below zero."""

    def __init__(self, account: Account) -> None:
        super().__init__(str(account))
        self.account = account


class OnBreak(BankError):
    """Raised for a stake, gift, buy-in, purchase or seat that a break of the person forbids (R13.4)."""

    def __init__(self, until: float) -> None:
        super().__init__("on a break")
        self.until = until


class Resetting(BankError):
    """Raised for a new stake, gift or purchase of somebody whose chips are to be reset, but are not yet (R14.2)."""


class ResetAhead(BankError):
    """Raised for a buy-in or a challenge for chips in the last hours before a reset (R14.2)."""

    def __init__(self, until: float) -> None:
        super().__init__("a reset is near")
        self.until = until


class OverLimit(BankError):
    """Raised for a new stake, buy-in or purchase past a limit that people have set for themselves (R13.3)."""


class AlreadyDone(BankError):
    """Raised for something that is done already: a change's cause, or the key of a transfer or a job, was used before.

    Also raised where another press or process was faster.
    """


class MemberGone(BankError):
    """Raised for a change about a member whose data was deleted since they were looked up (`/privacy`)."""


class StaleTable(BankError):
    """Raised for a change made from an outdated state: the stored table (or tournament) has changed since then."""


class OtherChain(BankError):
    """Raised for a chain whose place has another chain in use, and for a promise whose channel has another one.

    Also raised for a chain or promise that has ended, is taken, or has a message already.
    """


class StillSecret(BankError):
    """Raised for the seed of a round that is not over, and for the root of a chain that can still be drawn from."""


class StakesStopped(BankError):
    """Raised for new stakes during trouble with disk, log or clock, or while a fault found by the audit lasts."""


class BankUnavailable(BankError):
    """Raised if the database cannot be used now, for example because it is locked, full, read-only or out of reach.

    The message says why, for the operator. Members only read that they should try again later.
    """


class OutcomeUnknown(Exception):
    """Raised where the commit was sent and nobody knows whether it arrived: reload before going on."""


class Tables(Protocol):
    """The journal of the tables."""

    async def commit(self, change: Change) -> None:
        """Write the whole change, or write nothing and raise a BankError.

        Raise OutcomeUnknown if nobody can say which of them happened.
        """

    async def stored(self, table: int) -> StoredTable | None:
        """Return the stored table, open or closed, or None if it never existed."""

    async def still_open(self, *, guilds: Collection[int] | None = None) -> Sequence[StoredTable]:
        """Return the open tables of these guilds (None: of all)."""
        ...

    async def guilds_at_play(self, *, shards: Collection[int] | None = None, shard_count: int = 1) -> Sequence[int]:
        """Return the guilds of these shards (None: of all) that have an open table."""
        ...


class Members(Protocol):
    """The bank's part for members and their wallets."""

    async def sign_in(self, guild: int, user: int) -> Member:
        """Return the member, and open the account with the guild's starting chips the first time (R10.1)."""
        ...

    async def balances(self, members: Sequence[int]) -> Mapping[int, Cents]:
        """Return the chips in the wallet of each of these members; unknown numbers are left out."""
        ...

    async def in_play(self, member: int) -> Cents:
        """Return the chips that the member has on all open tables: stakes of open rounds, and stacks."""
        ...


class Chains(Protocol):
    """The chains of seeds, each of one place."""

    async def in_use(self, place: str) -> Chain | None:
        """Return the chain in use at a place, or None."""

    async def ended(self, place: str) -> Chain | None:
        """Return the chain that ended last at a place, or None."""

    async def all_of(self, *places: str) -> Sequence[Chain]:
        """Return all chains that ever began at these places, oldest first."""
        ...

    async def take_over(self, earlier: str, place: str, member: int | None) -> Chain | None:
        """Move the chain in use at `earlier`, a former name of the place, to `place`, and return it.

        The chain then belongs to this member (None: to nobody), and has the phrase that `phrase` returns for them.
        Return None if no chain is in use at `earlier`.
        """

    async def phrase(self, member: int | None) -> str:
        """Return the phrase for the next chain of a member's own place; without a member or a phrase, "".

        It changes once an hour at most.
        """
        ...

    async def begin(self, chain: Chain) -> Chain:
        """Begin a chain for a place without one. Return it with its phrase and the hash of the place's last round.

        Raise OtherChain if the place has a chain already, if the shared promise that `chain` names cannot give this
        chain, or if the place is a tournament's table and the chain of the tournament itself has ended.
        """
        ...

    async def promised(self, chain: int, message: int) -> None:
        """Store the message of a chain's promise. Raise OtherChain if the chain has ended or has a message already."""

    async def end(self, chain: int, why: str) -> None:
        """End a chain, so that its root may be shown.

        Raise StillSecret for a tournament's own chain while a table uses a chain that follows from it.
        """


class SharedPromises(Protocol):
    """The promises of channels, each of which covers many chains."""

    async def in_use(self, channel: int) -> SharedPromise | None:
        """Return the channel's promise that has a chain left for a place, or None."""

    async def ended(self, channel: int) -> SharedPromise | None:
        """Return the channel's promise that ended last, or None."""

    async def begin(self, promise: SharedPromise) -> None:
        """Store a channel's new promise. Raise OtherChain if the channel still has a promise with chains left."""

    async def promised(self, promise: int, message: int) -> None:
        """Store a promise's message. Raise OtherChain if the promise was given up or has a message already."""

    async def give_up(self, promise: int, why: str) -> None:
        """Give a promise up: no place takes another chain of it, and its chains without an open hand end at once."""

    async def end_over(self, channel: int) -> bool:
        """End the channel's promises that are used up or given up and have no chain in use.

        Chains of a promise that was given up are ended first, except those with an open hand. Return whether any such
        hand is waited for.
        """
        ...


class Bank(Protocol):
    """The parts of `data.Bank` that tables need."""

    @property
    def tables(self) -> Tables:
        """The journal of the tables."""
        ...

    @property
    def members(self) -> Members:
        """The members and their wallets."""
        ...

    @property
    def chains(self) -> Chains:
        """The chains of seeds."""
        ...

    @property
    def promises(self) -> SharedPromises:
        """The promises that cover many chains."""
        ...


class Think(Protocol):
    """The source of the moves of thinking computer players (`Game.thinkers`, R6.4)."""

    async def __call__(self, level: str, round: Round, seat: Seat, purse: Cents) -> str | None:
        """Return the action that a computer player of this level chooses, or None if it could not be worked out."""


# -- promises ----------------------------------------------------------------------------------------------------------


class NotPosted(Exception):
    """Raised where a promise was certainly not posted: the channel is closed, or Discord cannot be reached."""


class ChannelClosed(NotPosted):
    """Raised where there is no such channel any more, or the bot may not write in it."""


#: The values for which a promise is posted.
Promised: TypeAlias = Chain | SharedPromise


class Poster(Protocol):
    """The poster of promises: small messages of their own, never edited."""

    async def post(self, promised: Promised, before: Promised | None, language: str) -> int:
        """Post a tip with the root of the promise that ended before it (None: no root), and return the message's id.

        The language is that of the person for whose table it is posted, as Discord writes it, or "".
        NotPosted means that it certainly was not posted; after any other exception nobody knows.
        """

    async def stands(self, promise: Promise) -> bool:
        """Return whether the message still exists; if nobody can know, True."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The things that all tables of a casino share."""

    bank: Bank
    clock: Clock
    seeds: Seeds
    watchers: Watchers
    house: Callable[[int], Awaitable[HouseSettings]]  # a guild's settings
    poster: Poster
    shoe: Shuffle = fairness.shoe
    caps: Caps = CAPS
    think: Think | None = None
