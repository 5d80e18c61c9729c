"""Who was forgotten lately, without knowing who: so that being forgotten is no way to new starting chips.

A fingerprint is a keyed hash of guild and user, kept for `REMEMBERED` and of no use without the bank's own key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.part import Part
from data.schema import forgotten, keys

DAY: Final = 24 * 3600.0
REMEMBERED: Final = 30 * DAY

_KEY: Final = sa.select(keys.c.value).where(keys.c.name == "fingerprint")
_FORGOTTEN: Final = sa.select(forgotten.c.at).where(
    forgotten.c.guild == sa.bindparam("guild"),
    forgotten.c.fingerprint == sa.bindparam("fingerprint"),
    forgotten.c.at > sa.bindparam("since"),
)


class Fingerprints(Part):
    async def tidy(self) -> None:
        """Lets go of what was to be kept for a while only."""
        batch = Batch()
        batch.add(self._store.sql.people.forget_fingerprints, {"p_at": self._clock.now() - REMEMBERED})
        await self._store.write.run(batch)

    async def forgotten_at(self, guild: int, user: int) -> float | None:
        """When somebody who is a stranger now was forgotten; None: they never were, or long ago."""
        key = await self._store.value(_KEY)
        if key is None:
            return None
        since = self._clock.now() - REMEMBERED
        values = {"guild": guild, "fingerprint": _fingerprint(key, guild, user), "since": since}
        at: float | None = await self._store.value(_FORGOTTEN, values)
        return at

    async def remember(self, batch: Batch, guild: int, user: int) -> None:
        """Writes down that somebody was forgotten, along with the rest of `batch`."""
        fingerprint = _fingerprint(await self._key(), guild, user)
        values = {"p_guild": guild, "p_fingerprint": fingerprint, "p_at": self._clock.now()}
        batch.add(self._store.sql.people.remember, values)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _key(self) -> bytes:
        """Made when it is first needed; of two made at once, the first counts."""
        making = Batch()
        making.add(self._store.sql.people.make_key, {"p_name": "fingerprint", "p_value": secrets.token_bytes(32)})
        await self._store.write.run(making)
        return bytes(await self._store.value(_KEY))


def _fingerprint(key: bytes, guild: int, user: int) -> str:
    return hmac.new(bytes(key), f"{guild}/{user}".encode(), hashlib.sha256).hexdigest()
