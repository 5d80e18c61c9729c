"""Who was forgotten lately, without knowing who: so that being forgotten is no way to new starting chips.

A fingerprint is a keyed hash of guild and user, kept for `REMEMBERED` and of no use without the bank's own key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from data.drivers.batch import Batch
from data.part import Part

DAY: Final = 24 * 3600.0
REMEMBERED: Final = 30 * DAY

_NAME: Final = "fingerprint"


class Fingerprints(Part):
    async def tidy(self) -> None:
        """Lets go of what was to be kept for a while only."""
        batch = Batch()
        batch.add(self._store.sql.people.forget_fingerprints, {"p_at": self._clock.now() - REMEMBERED})
        await self._store.write.run(batch)

    async def forgotten_at(self, guild: int, user: int) -> float | None:
        """When somebody who is a stranger now was forgotten; None: they never were, or long ago."""
        key = await self._kept_key()
        if key is None:
            return None
        since = self._clock.now() - REMEMBERED
        values = {"p_guild": guild, "p_fingerprint": _fingerprint(key, guild, user), "p_since": since}
        found = await self._store.fetch(self._store.sql.people.forgotten_at, values)
        return found[0][0] if found else None

    async def remember(self, batch: Batch, guild: int, user: int) -> None:
        """Writes down that somebody was forgotten, along with the rest of `batch`."""
        fingerprint = _fingerprint(await self._key(), guild, user)
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


def _fingerprint(key: bytes, guild: int, user: int) -> str:
    return hmac.new(key, f"{guild}/{user}".encode(), hashlib.sha256).hexdigest()
