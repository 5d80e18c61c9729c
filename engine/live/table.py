"""One table: state and a lock. Placeholder for its public face; see the docstrings."""

from __future__ import annotations

from engine.games.contract import Stakes
from engine.live.ports import Member
from engine.live.snapshot import Snapshot


class Table:
    """Every method takes the lock, checks, commits one Change, swaps the new state in and tells the watcher.

    Raises Refused (nothing changed). `press` is the interaction's id: the same press twice is refused.
    """

    id: int

    def snapshot(self) -> Snapshot: ...

    async def posted(self, message: int) -> None:
        """The table's message is up (a new table's, or a fresh one in place of an old or deleted one)."""

    async def join(self, member: Member, press: int) -> Snapshot: ...

    async def leave(self, user: int, press: int) -> Snapshot:
        """In mid-hand the hands stand and the stake stays; the seat is free after the round."""

    async def stake(self, user: int, stakes: Stakes | None, press: int, phrase: str = "") -> Snapshot:
        """Stake for the round to come (None: the same as last time). Deals when all have staked."""

    async def deal(self, user: int, press: int) -> Snapshot:
        """End the betting window early (baccarat's opener)."""

    async def act(self, user: int, action: str, number: int, turn: int, press: int) -> Snapshot:
        """Take an action in round `number` on question `turn`."""

    async def close(self, press: int, reason: str) -> Snapshot:
        """An admin's: the open round is played out as out of time, then the table closes."""
