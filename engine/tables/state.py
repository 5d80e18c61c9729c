"""The state that a table keeps between changes (chairs, stakes, phase ...), and its form in the journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from engine import stored_words
from engine.games.computer import DEFAULT_LEVEL
from engine.games.contract import BOTTOMLESS, Cents, Seat

#: The version of a table that the journal does not have yet.
UNSTORED: Final = 0


class TablePhase(StrEnum):
    """The phases of a table."""

    BETTING = "betting"  # before the first round, or between rounds
    PLAYING = "playing"
    CLOSED = "closed"


class CloseReason(StrEnum):
    """Why a table was closed."""

    LEFT = "everyone left"
    BROKE = "no stack pays another stake"
    IDLE = "nobody played"
    ADMIN = "closed by an admin"
    WON = stored_words.DECIDED
    CANCELLED = "the tournament is cancelled"


class Money(StrEnum):
    """The sources of a table's stakes."""

    WALLET = "wallet"  # straight from the member's balance
    STACK = "stack"  # chips bought in once (fixed-stake tables, R5)
    PLAY = "play"  # play chips that no ledger knows (elimination tables, R7)


@dataclass(frozen=True, slots=True)
class Chair:
    """A taken place at the table: a person's or a computer player's."""

    place: int  # the number people see, from 1
    user: int | None = None  # Discord's id
    member: int | None = None  # the person's id in the bank
    computer: str | None = None  # a computer player's name
    level: str | None = None  # a computer player's level
    last: Mapping[str, Cents] | None = None  # the stakes of the last round that it played
    staked: Mapping[str, Cents] | None = None  # the stakes of the next round
    press: str = ""  # the ids of the interactions that staked, joined by commas
    phrase: str = ""  # the person's words for the shuffle (scheme 1)
    sat_out: int = 0  # rounds in a row without a stake
    leaving: bool = False  # leaves when the round is over
    #: The chips on the table of a computer player or of a person with a stack; None: they pay from the wallet.
    stack: Cents | None = None

    @property
    def is_person(self) -> bool:
        return self.user is not None

    @property
    def holder(self) -> str:
        """The name of the chair's player in the bank's accounts: a person's member id, or a computer player's name."""
        return str(self.member) if self.member is not None else f"{self.computer}"


@dataclass(frozen=True, slots=True)
class Seated:
    """A player and their place, kept after they have left the chair, so that a result on display has an owner."""

    place: int
    user: int | None = None  # Discord's id
    computer: str | None = None  # a computer player's name


class FreedFor(StrEnum):
    """The players who get the seats that invited people have not taken in time (R14.4)."""

    EVERYBODY = "everybody"
    COMPUTERS = "computer players"


@dataclass(frozen=True, slots=True)
class Invitation:
    """The people who may sit at a table by invitation, besides its opener (R14.4)."""

    freed_for: FreedFor
    until: float | None  # when the seats that nobody has taken become free; None: computer players have them
    people: tuple[int, ...] = ()  # Discord's ids


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that is stored of a table, except its rounds and their seeds."""

    id: int
    guild: int
    channel: int
    game: str
    rules_name: str
    rules: Mapping[str, Any]
    opener: int  # Discord's id; 0: a tournament
    solo: bool = False
    #: The language of the person who opened it, as Discord writes it; "" where nobody did, and in earlier releases.
    language: str = ""
    #: Whether its players may ask for the odds; a tournament's organiser says so.
    odds: bool = True
    #: The level of the computer players that take free places later (R5.1, R14.4).
    level: str = DEFAULT_LEVEL
    money: Money = Money.WALLET
    phase: TablePhase = TablePhase.BETTING
    #: The number of the round on display, 0 before the first deal. The round that is sealed is always the next one.
    round: int = 0
    chairs: tuple[Chair, ...] = ()
    #: The players of the round on display, by seat.
    seated: tuple[Seated, ...] = ()
    message: int | None = None
    deadline: float | None = None
    version: int = UNSTORED
    close_reason: CloseReason | None = None
    #: The last results, oldest first, where the game keeps a road of them.
    road: tuple[str, ...] = ()
    #: The record of an elimination table (`Elimination.record`).
    elimination: Mapping[str, Any] | None = field(default=None, repr=False)
    #: The place of its chain of seeds (`engine.tables.places`); tables of the first release have none.
    chain_place: str = ""
    #: Whether a tournament's table waited in vain for a promise, so that it has to move to another channel.
    stranded: bool = False
    #: Whether the bank was restored to an earlier moment while the table was open. Its rounds then come from chains,
    #: even if it began under scheme 1.
    renewed: bool = False
    #: Whether the last round was called off after a restore; it is then not on display.
    called_off: bool = False
    #: All who take part in an elimination, by seat, even after they have fallen and have no chair.
    players: tuple[Seated, ...] = ()
    #: The people who may sit down, if that is not everybody.
    invitation: Invitation | None = None

    # -- looking ---------------------------------------------------------------------------------------------------

    @property
    def sealed(self) -> int:
        """The number of the next round, which is sealed before anybody stakes on it."""
        return self.round + 1

    def chair_of(self, user: int) -> Chair | None:
        """Return the chair of the person with this Discord id, or None."""
        return next((chair for chair in self.chairs if chair.user == user), None)

    def chair_at(self, place: int) -> Chair | None:
        """Return the chair at this place, or None."""
        return next((chair for chair in self.chairs if chair.place == place), None)

    def chair_in(self, seat: Seat) -> Chair:
        """Return the chair that plays this seat of a running round."""
        place = self.seated[seat].place
        return next(chair for chair in self.chairs if chair.place == place)  # chairs of a running round stay

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat that the person with this Discord id plays in the round on display, or None."""
        return next((seat for seat, seated in enumerate(self.seated) if seated.user == user), None)

    def purse(self, chair: Chair, balances: Mapping[int, Cents]) -> Cents:
        """Return the chips that a chair can still pay: its stack, or its member's balance (0 if that is missing).

        A computer player at a table that plays from wallets can pay anything: the house lends it what it stakes.
        """
        if chair.user is None and self.money is Money.WALLET:
            return BOTTOMLESS
        if chair.stack is not None:
            return chair.stack
        return balances.get(chair.member, 0) if chair.member is not None else 0

    @property
    def people(self) -> tuple[Chair, ...]:
        """The chairs of people, without those of computer players."""
        return tuple(chair for chair in self.chairs if chair.is_person)

    @property
    def members(self) -> tuple[int, ...]:
        """The member ids of the people."""
        return tuple(chair.member for chair in self.chairs if chair.member is not None)

    @property
    def opener_stays(self) -> bool:
        """Whether the opener has a chair and is not leaving."""
        chair = self.chair_of(self.opener)
        return chair is not None and not chair.leaving

    @property
    def waiting_for(self) -> tuple[Chair, ...]:
        """The chairs of people who have not staked for the round to come."""
        return tuple(chair for chair in self.people if chair.staked is None)

    def admits(self, user: int) -> bool:
        """Return whether the invitation lets this person sit down. A table without one admits everybody."""
        invitation = self.invitation
        return invitation is None or user == self.opener or user in invitation.people

    # -- changing --------------------------------------------------------------------------------------------------

    def with_chair(self, chair: Chair) -> TableState:
        """Return the state with this chair at its place, instead of any other chair there."""
        others = [other for other in self.chairs if other.place != chair.place]
        return replace(self, chairs=tuple(sorted([*others, chair], key=lambda chair: chair.place)))

    def without(self, place: int) -> TableState:
        """Return the state with no chair at this place."""
        return replace(self, chairs=tuple(chair for chair in self.chairs if chair.place != place))

    # -- keeping ---------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the document that the journal stores."""
        raw = {name: getattr(self, name) for name in _NAMES[TableState]}
        for people in ("chairs", "seated", "players"):
            raw[people] = [{name: getattr(each, name) for name in _NAMES[type(each)]} for each in raw[people]]
        if self.invitation is not None:
            raw["invitation"] = {name: getattr(self.invitation, name) for name in _NAMES[Invitation]}
        raw[stored_words.ELIMINATION] = raw.pop("elimination")
        return json.dumps(raw, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> TableState:
        """Read what `to_json` wrote, in this release or an earlier one."""
        raw: dict[str, Any] = json.loads(text)
        raw["elimination"] = raw.pop(stored_words.ELIMINATION, None)
        raw.setdefault("odds", not (raw["elimination"] and raw["solo"]))  # begun when nobody could allow them
        raw["money"] = Money(raw["money"])
        raw["phase"] = TablePhase(raw["phase"])
        raw["close_reason"] = CloseReason(raw["close_reason"]) if raw["close_reason"] else None
        raw["chairs"] = tuple(Chair(**chair) for chair in raw["chairs"])
        raw["road"] = tuple(raw.get("road", ()))
        for name in ("seated", "players"):
            raw[name] = tuple(Seated(**seat) for seat in raw.get(name, ()))
        if invitation := raw.get("invitation"):
            kept = {"freed_for": FreedFor(invitation["freed_for"]), "people": tuple(invitation["people"])}
            raw["invitation"] = Invitation(**{**invitation, **kept})
        return cls(**raw)


_NAMES: Final[Mapping[type, tuple[str, ...]]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in (TableState, Chair, Seated, Invitation)
}
