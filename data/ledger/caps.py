"""The caps on chips that change hands between members: gifts, and what duels pass on (R10.4, R12.9).

They are checked after the transfer, in its transaction. So the new gift is part of the sum that is checked, and of two
gifts at the same time the second one sees the first.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa

from data.base.schema import GIFT, transfers
from data.base.set_tables import duels
from data.drivers.statement import ONE, Statement, param
from engine.games.contract import Cents
from engine.sets.duels import DuelState

_guild = param("guild", sa.BigInteger())
_member = param("member", sa.BigInteger())
_since = param("since", sa.Double())
_nothing: sa.ColumnElement[int] = sa.literal_column("0")


def _sum(chips: sa.ColumnElement[Any]) -> sa.ColumnElement[Cents]:
    return sa.cast(sa.func.coalesce(sa.func.sum(chips), _nothing), sa.BigInteger)


def _gifts(side: sa.Column[str]) -> sa.ScalarSelect[Cents]:
    """Return the SQL sum of the gifts that an account sent or received (by the `side`) since some moment."""
    here = transfers.c.guild == _guild, side == param("name", sa.Text())
    return sa.select(_sum(transfers.c.amount)).where(*here, GIFT, transfers.c.at > _since).scalar_subquery()


_SIDES: Final = ((duels.c.challenger, duels.c.challenged), (duels.c.challenged, duels.c.challenger))


def _at_risk() -> sa.ColumnElement[Cents]:
    """Return the SQL sum of the stakes of the member's running duels.

    Each counts as given and as received, because it may be lost or won.
    """
    running = duels.c.ended_at.is_(None), duels.c.state == sa.literal_column(f"'{DuelState.RUNNING}'")
    one, other = (
        sa.select(_sum(duels.c.stake)).where(mine == _member, *running).scalar_subquery() for mine, _ in _SIDES
    )
    return one + other


def _passed_on(sign: str) -> sa.ScalarSelect[Cents]:
    """Return the SQL sum of what the member has lost (`sign` is "1") or won ("-1") in duels since some moment.

    Against each opponent only the net counts.
    """
    lost = sa.case((duels.c.winner == _member, -duels.c.stake), else_=duels.c.stake)
    ended = duels.c.ended_at > _since, duels.c.winner.is_not(None)
    each = sa.union_all(
        *(sa.select(other.label("other"), lost.label("lost")).where(mine == _member, *ended) for mine, other in _SIDES)
    ).subquery("each")
    net = (sa.func.sum(each.c.lost) * sa.literal_column(sign)).label("net")
    pairs = sa.select(net).where(each.c.other.is_not(None)).group_by(each.c.other).subquery("pairs")
    return sa.select(_sum(pairs.c.net)).where(pairs.c.net > _nothing).scalar_subquery()


def _within(total: sa.ColumnElement[Cents]) -> Statement:
    """Return a query that finds one row if this sum, plus a parameter `more`, is at most a parameter `cap`."""
    return Statement(sa.select(ONE).where(total + param("more", sa.BigInteger()) <= param("cap", sa.BigInteger())))


_given = _gifts(transfers.c.source) + _at_risk() + _passed_on("1")
_received = _gifts(transfers.c.target) + _at_risk() + _passed_on("-1")
#: The queries for the sums that a member has given and received lately, and for whether they are within a cap.
GIVEN: Final = Statement(sa.select(_given))
GIVEN_WITHIN: Final = _within(_given)
RECEIVED: Final = Statement(sa.select(_received))
RECEIVED_WITHIN: Final = _within(_received)
