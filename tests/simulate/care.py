"""Watches breaks and limits: nobody on a break stakes or gives, and nobody passes a limit."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any, Final

_DAY: Final = 86_400.0
_STAKED: Final = ("stake", "buy-in", "tournament", "role", "duel")
#: Orders of the admins that move chips between a wallet and the house.
_ORDERED: Final = ("reset",)
_CAME_BACK: Final = ("returned", "cash-out", "prize", "buy-in back", "role back", "duel won", "duel back")


@dataclass
class Care:
    """Decisions of people, as the file had them after the step before: later ones may not have counted yet."""

    sql: sqlite3.Connection
    #: The breaks that people were told of, by person and end.
    begun: list[tuple[int, float]] = field(default_factory=list)
    _last: int = 0
    _persons: dict[str, int] = field(default_factory=dict)  # by fingerprint, which outlives *Forget me*
    _breaks: list[Any] = field(default_factory=list)
    _limits: list[Any] = field(default_factory=list)

    def let_in(self) -> str | None:
        """Return a sentence about somebody who was let in past a break or a limit."""
        found = "SELECT id, guild, source, target, reason, at FROM transfers WHERE id > ? ORDER BY id"
        for number, guild, source, target, reason, at in self._all(found, self._last):
            self._last = number
            kind, _, owner = source.partition("/")
            user = self._user(kind, owner)
            if (
                user is None
                or target == "mint"
                or reason in _ORDERED
                or (kind == "stack" and not target.startswith("escrow/"))
            ):
                continue
            if self._goes_on(number, guild, source, target):
                continue
            if any(began <= at < until for began, until in self._of(self._breaks, user)):
                return f"{owner} was let in on a break, for a {reason}"
            if kind == "member" and (why := self._past_a_limit(user, number, guild, source, target, at)):
                return f"{owner} was let in past a limit: {why}"
        return self._look_again()

    def _past_a_limit(self, user: int, number: int, guild: int, wallet: str, target: str, at: float) -> str | None:
        limits = {
            kind: most for kind, *rest in self._of(self._limits, user) if (most := _in_force(at, *rest)) is not None
        }
        if limits.get("hands in a day") == 0 and target.startswith("escrow/"):
            return "no hands at all"
        asked = (
            "SELECT source, reason, amount FROM transfers WHERE guild = ? AND id <= ? AND at > ?"
            " AND (source = ? OR target = ?)"
        )
        lost = 0
        for source, reason, amount in self._all(asked, guild, number, at - _DAY, wallet, wallet):
            reasons, sign = (_STAKED, 1) if source == wallet else (_CAME_BACK, -1)
            lost += sign * amount if reason in reasons else 0
        most = limits.get("loss in a day")
        return f"{lost} lost of {most}" if most is not None and lost > most else None

    def _goes_on(self, number: int, guild: int, source: str, target: str) -> bool:
        """Whether this adds to a hand that was dealt."""
        if not target.startswith("escrow/"):
            return False
        _, table, round = target.split("/")
        dealt = "SELECT 1 FROM rounds WHERE table_id = ? AND number = ? AND dealt_at > 0"
        before = "SELECT 1 FROM transfers WHERE guild = ? AND source = ? AND target = ? AND id < ?"
        return bool(self._all(dealt, table, round) and self._all(before, guild, source, target, number))

    def _user(self, kind: str, owner: str) -> int | None:
        if kind not in ("member", "stack"):
            return None
        found = self._all("SELECT user_id FROM members WHERE id = ?", owner.rpartition("/")[2])
        return found[0][0] if found else None

    def _of(self, rows: list[Any], user: int) -> list[Any]:
        return [row[1:] for row in rows if self._persons.get(row[0]) == user]

    def _look_again(self) -> str | None:
        self._breaks = self._all("SELECT fingerprint, began_at, until FROM breaks")
        self._limits = self._all(
            "SELECT fingerprint, kind, most, later, later_at FROM limits WHERE id IN"
            " (SELECT max(id) FROM limits GROUP BY fingerprint, kind)"
        )
        for table in ("breaks", "limits"):
            self._persons |= dict(self._all(f"SELECT fingerprint, user_id FROM {table} WHERE user_id IS NOT NULL"))
        for user, until in self.begun:
            if until not in [end for _, end in self._of(self._breaks, user)]:
                return f"a break was begun and is gone: until {until}"
        asked = (
            "SELECT members.id FROM members JOIN breaks ON breaks.user_id = members.user_id GROUP BY members.id"
            " HAVING max(until) > coalesce(max(resting_until), 0)"
        )
        ajar = self._all(asked)
        return f"the door of {ajar[0][0]} is not shut as long as the break says" if ajar else None

    def _all(self, asked: str, *values: Any) -> list[Any]:
        return self.sql.execute(asked, values).fetchall()


def _in_force(at: float, most: int | None, later: int | None, later_at: float | None) -> int | None:
    return later if later_at is not None and later_at <= at else most
