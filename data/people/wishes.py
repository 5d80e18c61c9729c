"""The wishes of people that count on all servers: to be on no leaderboard, and whose challenges they take."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base.errors import TooManySilenced
from data.base.schema import members, wishes
from data.base.values import Challenges, Wishes
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Statement, insert, param, params
from data.drivers.store import Store
from data.jobs import champions
from data.people.fingerprints import BREAK_BEGINS, HOUSE, Fingerprints, fingerprint_of
from engine.tables.ports import Clock

_kept = insert(wishes).values(params("user_id", "hidden", "challenges"))
_KEEP: Final = Statement(
    _kept.on_conflict_do_update(
        index_elements=[wishes.c.user_id],
        set_={"hidden": _kept.excluded.hidden, "challenges": _kept.excluded.challenges},
    )
)
#: The most people whose challenges a person can refuse one by one. Beyond that, they can refuse everybody's.
MOST_SILENCED: Final = 100
_FINGERPRINT: Final = 64
_silences = wishes.c.silenced.like(param("like", sa.Text()))
_silenced = insert(wishes).values(user_id=param("user_id"), silenced=param("fingerprint", sa.Text()))
_SILENCE: Final = Statement(
    _silenced.on_conflict_do_update(
        index_elements=[wishes.c.user_id],
        set_={
            "silenced": sa.case((_silences, wishes.c.silenced), else_=wishes.c.silenced + _silenced.excluded.silenced)
        },
        where=sa.or_(_silences, sa.func.length(wishes.c.silenced) < MOST_SILENCED * _FINGERPRINT),
    )
)
_HEAR_ALL: Final = Statement(sa.update(wishes).values(silenced="").where(wishes.c.user_id == param("user_id")))
_MINE: Final = sa.select(wishes).where(wishes.c.user_id == sa.bindparam("user"))
_hidden = sa.select(wishes.c.hidden).where(wishes.c.user_id == param("user_id", sa.BigInteger())).scalar_subquery()
_COPY: Final = Statement(
    sa.update(members)
    .values(hidden=sa.func.coalesce(_hidden, 0), stale=1)
    .where(members.c.user_id == param("user_id", sa.BigInteger()))
)


class AllWishes(Part):
    """Reads and changes the wishes of people."""

    def __init__(self, store: Store, clock: Clock, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._fingerprints = fingerprints

    async def of(self, user: int) -> Wishes:
        """Return the wishes of a person, or the defaults if they never chose any."""
        row = await self._store.row(_MINE, {"user": user})
        if row is None:
            return Wishes()
        return Wishes(bool(row.hidden), Challenges(row.challenges), len(row.silenced) // _FINGERPRINT)

    async def keep(self, user: int, wanted: Wishes) -> None:
        """Store the wishes of a person except `silenced`, and hide or show all their accounts at once.

        Servers of this person that give roles to champions then look for their champions again.
        """
        batch = self._store.batch()
        values = {"user_id": user, "hidden": int(wanted.hidden), "challenges": wanted.challenges.value}
        batch.add(BREAK_BEGINS, {})
        batch.add(_KEEP, values)
        hide_again(batch, user)
        champions.look_everywhere(batch, user, self._clock.now())
        await self._store.write.run(batch)

    async def silence(self, user: int, other: int) -> None:
        """Store that a person takes no more challenges or invitations from somebody, as a fingerprint (R12.7).

        Do nothing if they have silenced this one already. Raise TooManySilenced if they have silenced `MOST_SILENCED`
        others.
        """
        fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, other)
        values = {"user_id": user, "fingerprint": fingerprint, "like": f"%{fingerprint}%"}
        await self._store.change(_SILENCE, values, TooManySilenced(str(user)))

    async def hears(self, user: int, other: int) -> bool:
        """Return whether `user` takes invitations to tables for chips from `other`.

        They do if they take challenges from everybody and have not silenced `other`.
        """
        row = await self._store.row(_MINE, {"user": user})
        fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, other)
        return row is None or (row.challenges == Challenges.EVERYBODY and fingerprint not in row.silenced)

    async def hear_all(self, user: int) -> None:
        """Undo all silencing by a person. Their other wishes about challenges and invitations still hold."""
        await self._store.change(_HEAR_ALL, {"user_id": user})


def hide_again(batch: Batch, user: int) -> None:
    """Make a batch hide or show a person's accounts on leaderboards, as wished.

    That includes accounts which earlier statements of the batch open. Without a wish they are shown.
    """
    batch.add(_COPY, {"user_id": user})
