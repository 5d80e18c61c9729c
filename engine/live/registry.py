"""Which table is where. Placeholder for its public face; see the docstrings."""

from __future__ import annotations

from dataclasses import dataclass

from engine.live.ports import Member
from engine.live.table import Table


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody asks for who opens a table."""

    press: int  # the interaction's id; it becomes the table's id
    guild: int
    channel: int
    game: str
    rules_name: str
    member: Member
    solo: bool = False
    computers: int = 0
    level: str = "intermediate"


class Registry:
    """A channel has at most one table of each game (war: one per member)."""

    def at(self, channel: int, game: str, user: int | None = None) -> Table | None: ...

    def get(self, table: int) -> Table | None: ...

    async def open(self, order: Order) -> Table:
        """A new table, its opener seated, the first round's seed sealed, nobody has staked yet.
        Refused(TABLE_BUSY) if there is one."""

    async def recover(self) -> int:
        """After a start: take up every open table where it stood. Open turns get at least 60 s more."""

    async def shutdown(self) -> None:
        """Let go of all timers. Tables stay open in the journal."""
