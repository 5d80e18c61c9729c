"""Fingerprints: keyed hashes by which the bank recognises people whose Discord ids it no longer stores.

Those of people who asked to be forgotten are stored for `REMEMBERED` seconds, so that nobody gets new starting chips by
being forgotten. Without the bank's own key a fingerprint is useless. At most those of one day are dropped at a time, so
a clock that jumps ahead for a moment does not drop them all.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

import sqlalchemy as sa

from data.base.errors import BadBackup
from data.base.schema import forgotten, keys, marks, members
from data.base.values import EVERYWHERE
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert, insert_once, insert_or_replace, param
from data.jobs.notes import MARK

DAY: Final = 24 * 3600.0
REMEMBERED: Final = 30 * DAY

_NAME: Final = "fingerprint"
#: The word that stands for all servers in the fingerprints of breaks, limits and silenced people.
HOUSE: Final = "house"
#: The name of the note (data.jobs.notes) of the time at which old fingerprints were last dropped.
_TIDIED: Final = "fingerprints"

_REMEMBER: Final = insert_or_replace(forgotten)
_gone = insert(forgotten).from_select(
    ["guild", "fingerprint", "at"],
    sa.select(param("guild", sa.BigInteger()), param("fingerprint", sa.Text()), param("at", sa.Double())).where(
        ~sa.exists(sa.select(members.c.id).where(members.c.user_id == param("user_id", sa.BigInteger())))
    ),
)
_REMEMBER_IF_GONE: Final = Statement(
    _gone.on_conflict_do_update(index_elements=list(forgotten.primary_key.columns), set_={"at": _gone.excluded.at})
)
_DROP: Final = Statement(sa.delete(forgotten).where(forgotten.c.at <= param("at")))
_FORGOTTEN_AT: Final = Statement(
    sa.select(forgotten.c.at).where(
        forgotten.c.guild == param("guild"), forgotten.c.fingerprint == param("fingerprint")
    )
)
_KEY: Final = Statement(sa.select(keys.c.value).where(keys.c.name == param("name")))
#: The query for the key, which is made when it is first needed, with the first account at the latest.
KEY_ROW: Final = sa.select(keys.c.value).where(keys.c.name == _NAME)
_MAKE_KEY: Final = insert_once(keys)
_key_row = sa.select(keys.c.name).where(keys.c.name == _NAME)
#: Locks the key, so that no account is opened while a break begins.
BREAK_BEGINS: Final = Statement(_key_row.with_for_update())
#: The same lock. Of two servers that forget a person at once, the second then sees that it is the last one.
PERSON_LEAVES: Final = BREAK_BEGINS
ACCOUNT_OPENS: Final = Statement(_key_row.with_for_update(read=True))


class KeptFingerprints(NamedTuple):
    """The fingerprints of a bank: guild, fingerprint and time of each, and the key that they were made with."""

    key: bytes | None  # None: none was made yet
    rows: tuple[tuple[int, str, float], ...]


def expect_same_house(key: bytes | None, replaced: bytes | None) -> None:
    """Raise BadBackup if a bank and the one that it replaces have two different keys. A bank may have none yet."""
    if None not in (key, replaced) and key != replaced:
        raise BadBackup("The bank named by --after is another house's: its fingerprints have another key.")


class Fingerprints(Part):
    """The key of all fingerprints, and the fingerprints of everybody who was forgotten in the last thirty days."""

    async def tidy(self) -> None:
        """Drop the fingerprints of people who were forgotten thirty days ago or earlier.

        Each call drops at most those of one day, because the clock may be wrong.
        """
        kept = await self._store.value(sa.select(marks.c.at).where(marks.c.name == _TIDIED))
        now = self._clock.now()
        at = now if kept is None else min(now, kept + DAY)
        batch = self._store.batch()
        if kept is not None:
            batch.add(_DROP, {"at": at - REMEMBERED})
        batch.add(MARK, {"name": _TIDIED, "at": at})
        await self._store.write.run(batch)

    async def kept(self) -> KeptFingerprints:
        """Return all fingerprints and their key, to be copied to the bank that replaces this one."""
        rows = await self._store.rows(sa.select(forgotten))
        return KeptFingerprints(await self._kept_key(), tuple((row.guild, row.fingerprint, row.at) for row in rows))

    async def take_over(self, kept: KeptFingerprints) -> None:
        """Add the fingerprints of the bank that this one replaces. Take its key too if this bank has none.

        Raises BadBackup if the two banks have different keys.
        """
        if kept.key is None:
            return
        expect_same_house(await self._kept_key(), kept.key)
        batch = self._store.batch()
        batch.add(_MAKE_KEY, {"name": _NAME, "value": kept.key})
        for guild, fingerprint, at in kept.rows:
            batch.add(_REMEMBER, {"guild": guild, "fingerprint": fingerprint, "at": at})
        await self._store.write.run(batch)

    async def forgotten_at(self, guild: int, user: int) -> float | None:
        """Return when a server forgot somebody; None if it never did, or if `tidy` has dropped the fingerprint."""
        key = await self._kept_key()
        if key is None:
            return None
        values = {"guild": guild, "fingerprint": fingerprint_of(key, guild, user)}
        found = await self._store.fetch(_FORGOTTEN_AT, values)
        return found[0][0] if found else None

    async def remember(self, batch: Batch, guild: int, user: int, *, of: str = "") -> None:
        """Add to a batch the note that a server (`EVERYWHERE`: every server) forgets somebody now.

        `of` is `boards` for somebody who had no account on the server: `forgotten_at` does not find this note.
        """
        fingerprint = fingerprint_of(await self.key(), of or guild, user)
        batch.add(_REMEMBER, {"guild": guild, "fingerprint": fingerprint, "at": self._clock.now()})

    async def remember_if_gone(self, batch: Batch, user: int) -> None:
        """Let a batch store that a person is forgotten everywhere, unless they still have an account on some server.

        Accounts that earlier statements of the batch remove do not count.
        """
        fingerprint = fingerprint_of(await self.key(), EVERYWHERE, user)
        values = {"guild": EVERYWHERE, "fingerprint": fingerprint, "at": self._clock.now(), "user_id": user}
        batch.add(_REMEMBER_IF_GONE, values)

    async def key(self) -> bytes:
        """Return the key of all fingerprints; make and store it if there is none. The first one stored counts."""
        await self._store.change(_MAKE_KEY, {"name": _NAME, "value": secrets.token_bytes(32)})
        key = await self._kept_key()
        assert key is not None
        return key

    # -- private ---------------------------------------------------------------------------------------------------

    async def _kept_key(self) -> bytes | None:
        found = await self._store.fetch(_KEY, {"name": _NAME})
        return bytes(found[0][0]) if found else None


def boards(guild: int) -> str:
    """Return what stands for a server in the fingerprints of people who left its boards and had no account there."""
    return f"boards/{guild}"


def fingerprint_of(key: bytes, guild: int | str, user: int) -> str:
    """Return the keyed hash of a person on a server; on its boards only (`boards`), or on all servers (`HOUSE`).

    Somebody who was forgotten everywhere has another one, with `EVERYWHERE` for the guild.
    """
    return hmac.new(key, f"{guild}/{user}".encode(), hashlib.sha256).hexdigest()
