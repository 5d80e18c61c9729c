"""Plain values that tables and the bank exchange: chips that move, and what the journal keeps of tables and rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.fairness.chain import LENGTH, SHORT, SLOTS, Promise, mark
from engine.fairness.record import Player, Record
from engine.games.contract import Cents, Line, Stakes, Step

# -- money ---------------------------------------------------------------------------------------------------------


class Kind(StrEnum):
    """The kinds of account. There is no other, so no chip comes in from anywhere or gets out (R10.5).

    Balances are stored and never negative, except those of the house and the mint: they are summed up from transfers
    when they are needed, so that presses do not queue for one row.
    """

    MEMBER = "member"  # a wallet
    ESCROW = "escrow"  # the stakes of an open round
    COMPUTER = "computer"  # a computer player's chips, lent by the house
    STACK = "stack"  # chips a member bought in at a fixed-stake table (owner: ``table/member``)
    POOL = "pool"  # a member's buy-in to a tournament (owner: ``id/member``; ``id`` while it is paid out)
    DUEL = "duel"  # the stakes of a duel (owner: its id)
    HOUSE = "house"
    MINT = "mint"  # the source of starting chips, daily chips and grants


@dataclass(frozen=True, slots=True)
class Account:
    """The name of an account. The bank opens an account that is new, but a member's only in `Members.sign_in`.

    `owner` is a member's surrogate id, ``table/round`` for an escrow, ``table/name`` for a computer player, and empty
    for the guild's house and mint; `Kind` has the others.
    """

    kind: Kind
    guild: int
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Chips that move from one account to another."""

    #: Unique, and made from the transfer's cause, so that no transfer happens twice.
    key: str
    source: Account
    target: Account
    amount: Cents
    reason: str
    actor: int | None = None  # the member who ordered it, where that is not the owner


@dataclass(frozen=True, slots=True)
class Member:
    """One person in one guild, with their wallet."""

    id: int  # surrogate: a forgotten member keeps it, the Discord id goes
    guild: int
    user: int  # Discord's id
    balance: Cents


# -- the journal -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as the journal keeps it. `doc` is the table's own JSON; the rest is there to be searched."""

    id: int
    guild: int
    channel: int
    game: str
    doc: str = field(repr=False)  # an elimination table's has the seed of its lots
    version: int  # this state's: 1 when it is new, and always one more than the stored one
    open: bool
    deadline: float | None


@dataclass(frozen=True, slots=True)
class SharedPromise:
    """A promise of a channel that covers 256 chains, its slots. Each place that needs a chain takes the next one."""

    id: int
    guild: int
    channel: int
    root: bytes = field(repr=False)
    tip: str  # the top of the tree over the chains' tips, which it shows
    tips: bytes = field(repr=False)  # the tips of its chains, one after the other
    message: int | None = None  # the message that shows it; None: not known to be posted
    slots: int = 0  # the number of slots that places have taken

    @property
    def promise(self) -> Promise:
        """The promise as people check it. Its message must be known."""
        assert self.message is not None, "slots are taken when the promise stands"
        return Promise(self.tip, self.guild, self.channel, self.message)

    @property
    def rounds(self) -> int:
        """The number of rounds that the promise covers."""
        return SLOTS * LENGTH


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of seeds of one place (`engine.fairness.chain`), as the bank keeps it."""

    id: int
    place: str  # the place of its rounds (`engine.tables.places`)
    guild: int
    channel: int
    root: bytes = field(repr=False)
    tip: str
    message: int | None = None  # the promise's message; None: not known to be posted
    used: int = 0  # rounds dealt
    last: str = ""  # the hash of the place's last finished round
    ended: bool = False
    #: The member whose own place it is, and that member's phrase when the chain began.
    member: int | None = None
    phrase: str = ""
    #: The promise that covers this chain and others. Without one, the chain has a message of its own, which shows its
    #: own tip: the next three are then 0 and empty.
    shared: int | None = None
    slot: int = 0  # the chain's place under the promise, from 1
    path: tuple[str, ...] = field(default=(), repr=False)  # the hashes from the chain's tip to the promise's
    shown: str = ""  # the tip that the promise shows
    #: Whether that promise was given up: the chain ends when the open hand is over.
    ending: bool = False
    #: The address of the promise, or empty until it is known to be posted.
    address: str = field(init=False)
    _promise: Promise | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids, message = (self.guild, self.channel), self.message
        promise = Promise(self.shown or self.tip, *ids, message) if message is not None else None
        object.__setattr__(self, "_promise", promise)
        object.__setattr__(self, "address", promise.address if promise is not None else "")

    @property
    def promise(self) -> Promise:
        """The promise that covers the chain, as people check it. Its message must be known."""
        assert self._promise is not None, "a chain is used when its promise stands"
        return self._promise

    @property
    def next(self) -> int | None:
        """The next round's number in the chain, from 1; None when all numbers are used up."""
        return self.used + 1 if self.used < LENGTH else None

    @property
    def rounds(self) -> int:
        """The number of rounds that a chain has, dealt or not."""
        return LENGTH

    def mark(self, number: int) -> str:
        """Return the mark of round `number` of this chain: the name by which people look it up."""
        return mark(self.shown or self.tip, number, self.slot)


@dataclass(frozen=True, slots=True)
class Seal:
    """The seed of a round, stored before anybody can stake on that round."""

    number: int  # the round's, at its table
    seed: bytes = field(repr=False)
    #: Scheme 1: the seed's SHA-256. Schemes 2 and 3: the tip of the chain that the seed belongs to.
    commitment: str
    #: Schemes 2 and 3: the id of the chain, and the number of the seed in it.
    chain: int | None = None
    link: int = 0
    #: The round's public name: a mark, or in scheme 1 the beginning of the commitment.
    code: str = ""

    def __post_init__(self) -> None:
        if not self.code:
            object.__setattr__(self, "code", _code(self.commitment, self.link))


def _code(commitment: str, link: int) -> str:
    return mark(commitment, link) if link else commitment[:SHORT]


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal of a sealed round, as the journal stores it."""

    number: int
    game: str
    rules_name: str
    rules: Mapping[str, Any]
    stakes: Sequence[Stakes]  # one for each seat of the round
    members: Sequence[int | None]  # one for each seat of the round; None is a computer player
    inputs: Sequence[str]  # scheme 1: what is mixed into the shuffle
    at: float
    # schemes 2 and 3
    chain: int | None = None
    link: int = 0
    players: Sequence[Player] = ()  # one for each seat of the round
    phrase: str = ""  # the words of a person who plays alone
    previous: str = ""  # the hash of the last round that was dealt at the same place
    build: int = 1  # `Game.build`: the version of the game


@dataclass(frozen=True, slots=True)
class Taken:
    """A step of a round, as the journal stores it. `place` counts the steps from 0."""

    number: int
    place: int
    step: Step
    at: float
    purse: Cents | None = None  # the seat's chips beyond its stakes; None: more than any action costs


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of a round. `lines` are the results of its stakes, `outcome` is the hash of these lines."""

    number: int
    lines: Sequence[Line]
    outcome: str
    at: float
    chain: int | None = None
    hash: str = ""  # schemes 2 and 3: the hash of the whole record


@dataclass(frozen=True, slots=True)
class Title:
    """A table or tournament won by a person. It is worth no chips."""

    source: str  # the title's key, which says what was won: ``table/900``, ``cup/900`` or ``same/900/7``
    member: int
    at: float


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that one press or time-out writes: chips, journal and table, in one transaction or not at all."""

    #: Unique: ``press/id/act`` for a press, ``table/version/clock`` for a time-out. A second one raises AlreadyDone.
    cause: str
    table: TableRow
    transfers: Sequence[Transfer] = ()
    seal: Seal | None = None
    deal: Deal | None = None
    taken: Sequence[Taken] = ()
    finish: Finish | None = None
    title: Title | None = None
    #: Members who sit down with this change: MemberGone if one of them was forgotten since they were looked up.
    seated: Sequence[int] = ()
    #: Members who sit down, come back or stake play chips by their own choice, which a break forbids. Players of a
    #: tournament are not among them: they signed up earlier.
    entering: Sequence[int] = ()
    #: Whether the table plays for chips of the ledger, and not for play chips.
    for_chips: bool = False
    #: The place of the chain of an elimination table that ends with this change: the chain ends too.
    place_over: str | None = None


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as the journal has it, with the record that rebuilds it (`engine.fairness.replay.replay`)."""

    table: int
    number: int
    seed: bytes = field(repr=False)
    commitment: str
    scheme: str = "1"  # the version of the shuffle
    link: int = 0  # the number of the round in its chain
    chain: Chain | None = None
    #: The record of the round up to its last step, or None if it is sealed and not dealt.
    record: Record | None = None
    members: Sequence[int | None] = ()  # one for each seat, like those of `Deal`
    dealt_at: float = 0.0
    #: The purse of each step, as in `Taken`; None also means that nobody wrote it down.
    purses: Sequence[Cents | None] = ()
    #: The result of each stake, or None until the round is over.
    lines: Sequence[Line] | None = None
    finished_at: float = 0.0

    @property
    def code(self) -> str:
        """The round's public name: its mark, or in scheme 1 the beginning of its commitment."""
        return self.chain.mark(self.link) if self.chain is not None else _code(self.commitment, self.link)


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as the journal has it, with what its rounds need to be rebuilt."""

    row: TableRow
    #: The last two rounds at most: the one dealt last, and the one sealed.
    rounds: Sequence[StoredRound] = field(default_factory=tuple)
