"""The stored state of a tournament: its terms and times, the record of its steps, and its messages on Discord."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from engine import stored_words
from engine.tournament.ports import TournamentRow
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms

#: The version of a tournament that the bank does not have yet.
UNSTORED: Final = 0


class Every(StrEnum):
    """The rhythm in which a tournament repeats."""

    ONCE = "once"
    DAILY = "daily"
    WEEKLY = "weekly"


class WhyCancelled(StrEnum):
    """The reasons for cancelling a tournament."""

    MANAGER = "cancelled by a manager"
    TOO_FEW = "too few signed up"
    MISSED = "nobody was there to start it"
    CHANNEL_GONE = "its channel is gone"
    RESTORED = "a backup was restored"  # its deals may be known


@dataclass(frozen=True, slots=True)
class TournamentState:
    """Everything about a tournament that the bank stores."""

    id: int
    guild: int
    channel: int
    organiser: int  # the member's id in the bank
    rules_name: str
    rules: Mapping[str, Any]
    starts: float  # seconds since 1970
    tournament: Mapping[str, Any] = field(repr=False)  # engine.tournament.tournament.Tournament.record
    every: Every = Every.ONCE
    zone: str = "UTC"
    wall: str = ""  # local time of the start in that zone, as ``2026-12-24 20:00``
    rhythm: str = ""  # the local time that its series keeps, if only this one was moved
    ends: float | None = None  # when the same cards must be played, once they are dealt; outages are added
    moved_from: float | None = None  # the start that people know, until they are informed of the new one
    odds: bool = False  # whether its players may ask for the odds
    #: The Discord ids of people (0 once forgotten), and the names of computer players, by their keys in the tournament.
    users: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()  # the keys of people for whom tables need not wait
    #: Channels or threads of this stage's tables, by number.
    channels: Mapping[str, int] = field(default_factory=dict)
    message: int | None = None  # the sign-up message
    standings: int | None = None  # the message with the standings
    #: The current promise, from version 2 on: its tip and its message.
    tip: str = ""
    promise: int | None = None
    #: The message that lists the entrants, and the tip of the promise for which one was sent or is about to be.
    entrants: int | None = None
    listing: str = ""
    root: str = ""  # the root of its chain, once the tournament is over
    event: int | None = None  # its entry on the server's calendar; 0: there is none; None: not tried yet
    #: Whether the bank was restored since sign-up began: later lots then come from a new promise, in version 1 too.
    renewed: bool = False
    reminded: bool = False
    why: WhyCancelled | None = None
    language: str = ""  # the organiser's, as Discord writes it; "" in earlier releases
    told: bool = False  # whether the end was announced: nothing is left to do
    version: int = UNSTORED

    def row(self) -> TournamentRow:
        """Return the row in which the bank stores this state. The phase is found by replaying the record."""
        tournament = Tournament.replay(self.tournament)
        return self.row_of(tournament.phase)

    def row_of(self, phase: TournamentPhase) -> TournamentRow:
        """Return the row in which the bank stores this state, for callers that know the phase already."""
        return TournamentRow(
            self.id,
            self.guild,
            self.channel,
            self.organiser,
            phase.value,
            not self.told,
            self.starts,
            self.to_json(),
            self.version,
        )

    def to_json(self) -> str:
        """Return the document that the bank stores."""
        raw = asdict(self)
        raw[stored_words.TOURNAMENT] = raw.pop("tournament")
        raw[stored_words.CHANNELS] = raw.pop("channels")
        return json.dumps(raw, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> TournamentState:
        """Read what `to_json` wrote, in this release or an earlier one."""
        raw: dict[str, Any] = json.loads(text)
        raw["tournament"] = raw.pop(stored_words.TOURNAMENT)
        raw["channels"] = raw.pop(stored_words.CHANNELS, {})
        raw["every"] = Every(raw["every"])
        raw["why"] = WhyCancelled(raw["why"]) if raw["why"] else None
        raw["absent"] = tuple(raw["absent"])
        return cls(**raw)


def uses_promise(state: TournamentState) -> bool:
    """Return whether the lots or deals of a tournament come from a promise."""
    return state.tournament["version"] > 1 or state.renewed


def awaits_promise(state: TournamentState) -> bool:
    """Return whether a tournament still needs a promise to be posted. Nobody can sign up before that."""
    return uses_promise(state) and state.promise is None


def terms_of(state: TournamentState) -> TournamentTerms:
    """Return the terms of a tournament without replaying its steps."""
    return TournamentTerms(**state.tournament["terms"])


def title_of(tournament: Tournament, number: int, key: str) -> str:
    """Return the unique name of the title that a person wins in tournament `number`. `key` is the person's key.

    With the same cards for all, several people may win a title, so its name also contains the winner's key.
    """
    return (
        f"{stored_words.SAME_CARDS}/{number}/{key}" if tournament.terms.hands else f"{stored_words.TOURNAMENT}/{number}"
    )


def table_id(tournament: int, stage: int, number: int) -> int:
    """Return the id of table `number` of a stage. It follows from these numbers, so no table is ever opened twice."""
    return _number(f"{tournament}/{stage}/{number}")


def successor_id(tournament: int) -> int:
    """Return the id of the next tournament of the series. It follows from this one's, so there is only one."""
    return _number(f"{tournament}/next")


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1 | 1
