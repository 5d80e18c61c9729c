"""Stores what people practise with `/train`. It belongs to a person, not to a server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from data.base.json_text import compact
from data.base.schema import training
from data.base.values import Trained
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_once, param, params, rows_of
from engine.tables.ports import AlreadyDone

_mine = training.c.user_id == param("user_id")
_this = sa.and_(_mine, training.c.what == param("what"), training.c.rules == param("rules"))
_FIND: Final = Statement(sa.select(training).where(_this))
_ALL: Final = Statement(sa.select(training).where(_mine).order_by(training.c.at.desc()))
_BEGIN: Final = insert_once(training)
_GO_ON: Final = Statement(
    sa.update(training).values(**params("version", "doc", "at")).where(_this, training.c.version == param("was"))
)


class Training(Part):
    """The training of all people: for each person one row for each drill (`what`) and rule set."""

    async def find(self, user: int, what: str, rules: str) -> Trained | None:
        """Return the state of a person's drill at a rule set, or None if they never began it."""
        found = await self._store.fetch(_FIND, {"user_id": user, "what": what, "rules": rules})
        return next(map(_trained, rows_of(training, found)), None)

    async def of(self, user: int) -> Sequence[Trained]:
        """Return the states of all drills that a person has begun. The one played most recently comes first."""
        found = await self._store.fetch(_ALL, {"user_id": user})
        return tuple(map(_trained, rows_of(training, found)))

    async def keep(self, user: int, was: Trained, doc: Mapping[str, Any]) -> Trained:
        """Replace the state of a drill, which was `was` until now, and return the new one.

        Raises AlreadyDone if another press has changed the state since: of two presses at once only one counts.
        """
        values = {"user_id": user, "what": was.what, "rules": was.rules, "doc": compact(dict(doc))}
        values |= {"at": self._clock.now(), "version": was.version + 1}
        statement, more = (_GO_ON, {"was": was.version}) if was.version else (_BEGIN, {})
        await self._store.change(statement, {**values, **more}, AlreadyDone(f"{user} {was.what} {was.version}"))
        return Trained(was.what, was.rules, was.version + 1, doc)


def _trained(row: Row) -> Trained:
    return Trained(row.what, row.rules, row.version, json.loads(row.doc))
