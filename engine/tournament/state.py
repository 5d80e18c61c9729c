"""What is kept of a tournament: its record, and where on Discord it is."""

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
    """How often a tournament is repeated."""

    ONCE = "once"
    DAILY = "daily"
    WEEKLY = "weekly"


class WhyCancelled(StrEnum):
    """Why a tournament was cancelled."""

    MANAGER = "cancelled by a manager"
    TOO_FEW = "too few signed up"
    MISSED = "nobody was there to start it"
    CHANNEL_GONE = "its channel is gone"


@dataclass(frozen=True, slots=True)
class TournamentState:
    """All of a tournament that the bank keeps."""

    id: int
    guild: int
    channel: int
    organiser: int  # member
    rules_name: str
    rules: Mapping[str, Any]
    starts: float
    tournament: Mapping[str, Any] = field(repr=False)  # engine.tournament.tournament.Tournament.record
    every: Every = Every.ONCE
    zone: str = "UTC"
    wall: str = ""  # the hour of the start by the clocks of that zone, as ``2026-12-24 20:00``
    rhythm: str = ""  # the hour that its series goes on from, where this one alone was moved
    moved_from: float | None = None  # the start that people still know, as long as they were not told of another
    odds: bool = False  # whether its players may ask for the odds
    #: Discord's ids by the tournament's own names of people, and names for its computer players.
    users: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    #: Channels or threads of this stage's tables, by number.
    channels: Mapping[str, int] = field(default_factory=dict)
    message: int | None = None  # sign-up
    standings: int | None = None
    #: The promise that stands: its tip and its message; from version 2 on.
    tip: str = ""
    promise: int | None = None
    #: The message that lists the entrants, and the tip of the promise that such a message was sent for, if it arrived.
    entrants: int | None = None
    listing: str = ""
    root: str = ""  # once it is over
    event: int | None = None  # on the server's calendar; 0: there is none
    #: The bank was put back to an earlier moment while it was played: later lots come from a promise, in version 1 too.
    renewed: bool = False
    reminded: bool = False
    why: WhyCancelled | None = None
    told: bool = False  # the end was told: nothing more is to be done
    version: int = UNSTORED

    def row(self) -> TournamentRow:
        """The row of this state."""
        tournament = Tournament.replay(self.tournament)
        return self.row_of(tournament.phase)

    def row_of(self, phase: TournamentPhase) -> TournamentRow:
        """The row of this state, where the phase is known."""
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
        """As the bank keeps it."""
        raw = asdict(self)
        raw[stored_words.TOURNAMENT] = raw.pop("tournament")
        raw[stored_words.CHANNELS] = raw.pop("channels")
        return json.dumps(raw, separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> TournamentState:
        """From what `to_json` wrote, in this release or an earlier one."""
        raw: dict[str, Any] = json.loads(text)
        raw["tournament"] = raw.pop(stored_words.TOURNAMENT)
        raw["channels"] = raw.pop(stored_words.CHANNELS, {})
        raw["every"] = Every(raw["every"])
        raw["why"] = WhyCancelled(raw["why"]) if raw["why"] else None
        raw["absent"] = tuple(raw["absent"])
        return cls(**raw)


def uses_promise(state: TournamentState) -> bool:
    """Whether its lots come from a promise."""
    return state.tournament["version"] > 1 or state.renewed


def awaits_promise(state: TournamentState) -> bool:
    """Whether nobody can be taken in yet."""
    return uses_promise(state) and state.promise is None


def terms_of(state: TournamentState) -> TournamentTerms:
    """The terms of a tournament, without playing its steps again."""
    return TournamentTerms(**state.tournament["terms"])


def table_id(tournament: int, stage: int, number: int) -> int:
    """The same table has the same id, however often somebody tries to open it."""
    return _number(f"{tournament}/{stage}/{number}")


def successor_id(tournament: int) -> int:
    """The id of the next tournament of a series: always the same."""
    return _number(f"{tournament}/next")


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1 | 1
