"""Who was forgotten lately, without knowing who: so that being forgotten is no way to new starting chips.

A fingerprint is a keyed hash of guild and user, kept for `REMEMBERED` and of no use without the bank's own key. No more
than a day of them is dropped at a time, so a clock that jumps ahead for a moment does not drop them all.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.faults import BadBackup
from data.part import Part
from data.schema import forgotten, marks

DAY: Final = 24 * 3600.0
REMEMBERED: Final = 30 * DAY

_NAME: Final = "fingerprint"
#: The mark of how far time had come when fingerprints were dropped last.
_TIDIED: Final = "fingerprints"


class Kept(NamedTuple):
    """The fingerprints of a bank: guild, fingerprint and moment of each, and the key that they were made with."""

    key: bytes | None  # None: nobody was ever forgotten
    rows: tuple[tuple[int, str, float], ...]


class Fingerprints(Part):
    async def tidy(self) -> None:
        """Drop what has been kept long enough, by a time that follows the clock a day further at each call."""
        kept = await self._store.value(sa.select(marks.c.at).where(marks.c.name == _TIDIED))
        now = self._clock.now()
        at = now if kept is None else min(now, kept + DAY)
        batch = Batch()
        if kept is not None:
            batch.add(self._store.sql.people.forget_fingerprints, {"p_at": at - REMEMBERED})
        batch.add(self._store.sql.skill.mark, {"p_name": _TIDIED, "p_at": at})
        await self._store.write.run(batch)

    async def kept(self) -> Kept:
        """Return all fingerprints and what they were made with, for the bank that replaces this one."""
        rows = await self._store.rows(sa.select(forgotten))
        return Kept(await self._kept_key(), tuple((row.guild, row.fingerprint, row.at) for row in rows))

    async def take_over(self, kept: Kept) -> None:
        """Keep the fingerprints of the bank that this one replaces, too. BadBackup if they were made otherwise."""
        if kept.key is None:
            return
        batch, sql = Batch(), self._store.sql.people
        batch.add(sql.make_key, {"p_name": _NAME, "p_value": kept.key})
        for guild, fingerprint, at in kept.rows:
            batch.add(sql.remember, {"p_guild": guild, "p_fingerprint": fingerprint, "p_at": at})
        if await self._kept_key() not in (None, kept.key):
            raise BadBackup("The bank after which to restore is another house's: fingerprints in it have another key.")
        await self._store.write.run(batch)

    async def forgotten_at(self, guild: int, user: int) -> float | None:
        """Return when somebody who is a stranger now was forgotten; None: they never were, or long ago."""
        key = await self._kept_key()
        if key is None:
            return None
        values = {"p_guild": guild, "p_fingerprint": fingerprint_of(key, guild, user)}
        found = await self._store.fetch(self._store.sql.people.forgotten_at, values)
        return found[0][0] if found else None

    async def remember(self, batch: Batch, guild: int, user: int) -> None:
        """Writes down that somebody was forgotten, along with the rest of `batch`."""
        fingerprint = fingerprint_of(await self._key(), guild, user)
        values = {"p_guild": guild, "p_fingerprint": fingerprint, "p_at": self._clock.now()}
        batch.add(self._store.sql.people.remember, values)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _key(self) -> bytes:
        """Made when it is first needed; of two made at once, the first counts."""
        making = Batch()
        making.add(self._store.sql.people.make_key, {"p_name": _NAME, "p_value": secrets.token_bytes(32)})
        await self._store.write.run(making)
        key = await self._kept_key()
        assert key is not None
        return key

    async def _kept_key(self) -> bytes | None:
        found = await self._store.fetch(self._store.sql.people.key, {"p_name": _NAME})
        return bytes(found[0][0]) if found else None


def fingerprint_of(key: bytes, guild: int, user: int) -> str:
    return hmac.new(key, f"{guild}/{user}".encode(), hashlib.sha256).hexdigest()
