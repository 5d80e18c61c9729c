"""The limits that people set for themselves (R13.3), as the bank checks them in the batch of each new stake or gift.

They are checked after the stake is booked, so the sums include that stake and any other that was booked just before. A
gift counts as no loss, but somebody who is past a limit cannot give (R13.4).
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from data.base import accounts
from data.base.schema import LIVE, limits, members, plays, pots, rounds, transfers
from data.base.set_tables import people, sets, tries
from data.base.values import LimitKind
from data.drivers.batch import Batch
from data.drivers.statement import ONE, Statement, param
from data.people.fingerprints import DAY
from engine.sets.tries import NEXT
from engine.tables.ports import OverLimit
from engine.tables.values import Kind

#: The reasons of transfers out of a wallet that count as staked, and of those into it that count as coming back.
STAKED: Final = ("stake", "buy-in", "tournament", "role", "duel")
CAME_BACK: Final = ("returned", "cash-out", "prize", "buy-in back", "role back", "duel won", "duel back")

_now = param("now", sa.Double())
_member = param("member", sa.BigInteger())
_text = sa.Text()


def _word(text: str) -> sa.ColumnElement[str]:
    """Return a text as a literal in the SQL.

    If a LIKE had a parameter in its place, SQLite would compile the statement again for each execution.
    """
    return sa.literal_column(f"'{text}'", _text)


def _moved(side: sa.Column[str], reasons: tuple[str, ...], since: sa.ColumnElement[float]) -> sa.ColumnElement[int]:
    """Return the SQL sum of what left a wallet, or came into it, for these reasons since a moment.

    `side` is the column of transfers that must name the wallet: the source or the target.

    The wallet is that of the member in the query around this one. If the sum did not depend on that query, SQLite would
    work it out for each stake, even of somebody without a limit.
    """
    wallet = sa.literal(f"{Kind.MEMBER.value}/", _text) + sa.cast(members.c.id, _text)
    here = transfers.c.guild == members.c.guild, side == wallet
    total = sa.func.coalesce(sa.func.sum(transfers.c.amount), 0)
    return (
        sa.select(total)
        .where(*here, transfers.c.at > since, transfers.c.reason.in_(map(_word, reasons)))
        .scalar_subquery()
    )


def loss(since: sa.ColumnElement[float]) -> sa.ColumnElement[int]:
    """Return the SQL for what was staked on this server since a moment, minus what came back."""
    return _moved(transfers.c.source, STAKED, since) - _moved(transfers.c.target, CAME_BACK, since)


def hands(user: sa.ColumnElement[int], since: sa.ColumnElement[float]) -> sa.ColumnElement[int]:
    """Return the SQL for the number of a person's hands on all servers since a moment.

    An open hand counts if real chips are staked on it; one at an elimination table counts once it is over. The hand
    that is about to begin (the parameter `escrow`) is left out, and `expect_within` adds it: if it ends with its deal,
    it leaves no open stake to count. Of a duel, or of a tournament with the same cards for all, the hands that were
    shown count, unless the last one ended before that moment. Today's five do not count.
    """
    mine = members.alias("mine")
    finished = sa.select(sa.func.count()).select_from(plays.join(mine, mine.c.id == plays.c.member))
    wallet = sa.literal(f"{Kind.MEMBER.value}/", _text) + sa.cast(mine.c.id, _text)
    stack = sa.literal(f"{Kind.STACK.value}/%/", _text) + sa.cast(mine.c.id, _text)
    staked = sa.select(transfers.c.id).where(
        transfers.c.guild == pots.c.guild,
        transfers.c.target == pots.c.name,
        sa.or_(transfers.c.source == wallet, transfers.c.source.like(stack)),
    )
    open_ones = (
        sa.select(sa.func.count())
        .select_from(pots.join(mine, mine.c.guild == pots.c.guild))
        .where(
            *(mine.c.user_id == user, LIVE, sa.exists(staked)),
            *(pots.c.name.like(_word(f"{Kind.ESCROW.value}/%")), pots.c.name != param("escrow", _text)),
        )
    )
    shown = sa.func.length(tries.c.steps) - sa.func.length(sa.func.replace(tries.c.steps, _word(NEXT), _word(""))) + ONE
    shared = (
        sa.select(sa.func.coalesce(sa.func.sum(shown), 0))
        .select_from(people.join(tries, tries.c.person == people.c.id).join(sets, sets.c.id == tries.c.set))
        .where(
            *(people.c.user_id == user, sets.c.day.is_(None)),
            # tries stay unfinished where a duel or a tournament is called off
            sa.func.coalesce(tries.c.finished_at, sets.c.closes) > since,
        )
    )
    played = finished.where(mine.c.user_id == user, plays.c.at > since)
    return played.scalar_subquery() + open_ones.scalar_subquery() + shared.scalar_subquery()


#: The limit as it is at this moment, after a rise whose time has come.
IN_FORCE: Final = sa.case((limits.c.later_at <= _now, limits.c.later), else_=limits.c.most)
_user = members.c.user_id
_used = sa.case(
    (limits.c.kind == LimitKind.LOSS_DAY.value, loss(_now - DAY)),
    (limits.c.kind == LimitKind.LOSS_WEEK.value, loss(_now - 7 * DAY)),
    else_=hands(_user, _now - DAY) + param("more", sa.Integer()),
)
_newer = limits.alias("newer")
_counts = ~sa.exists(
    sa.select(_newer.c.id).where(
        _newer.c.user_id == limits.c.user_id, _newer.c.kind == limits.c.kind, _newer.c.id > limits.c.id
    )
)
_mine = limits.join(members, _user == limits.c.user_id)
_this = sa.and_(members.c.id == _member, _counts)
#: Locks the member's limits, so that two simultaneous stakes on two servers take turns. Without a limit nobody waits.
_TAKE_TURNS: Final = Statement(sa.select(limits.c.kind).select_from(_mine).where(_this).with_for_update(of=limits))
# Play without a stake counts toward the limit of hands, but cannot lose chips: the limits of losses are not checked.
_asked = sa.or_(limits.c.kind == LimitKind.HANDS_DAY.value, param("unstaked", sa.Integer()) == sa.literal_column("0"))
_exceeded = sa.exists(sa.select(limits.c.kind).select_from(_mine).where(_this, _asked, _used > IN_FORCE))
# A hand that has begun goes on to its end (R13.2).
HAND_GOES_ON: Final = sa.exists(
    sa.select(rounds.c.number).where(
        rounds.c.table_id == param("table_id", sa.BigInteger()),
        rounds.c.number == param("number", sa.Integer()),
        rounds.c.dealt_at.is_not(None),
        rounds.c.finished_at.is_(None),
    )
)
_WITHIN: Final = Statement(sa.select(ONE).where(sa.or_(~_exceeded, HAND_GOES_ON)))


#: The losses and hands of a member that count now, whether a limit is set or not.
SO_FAR: Final = Statement(
    sa.select(
        *(
            expression.label(kind.value)
            for kind, expression in (
                (LimitKind.LOSS_DAY, loss(_now - DAY)),
                (LimitKind.LOSS_WEEK, loss(_now - 7 * DAY)),
                (LimitKind.HANDS_DAY, hands(_user, _now - DAY)),
            )
        )
    ).where(members.c.id == _member)
)


def expect_within(
    batch: Batch, guild: int, member: int, now: float, *, table_id: int = 0, number: int = 0, more: int = 0
) -> None:
    """Make the batch raise OverLimit if the member is past one of their limits, counting what the batch has booked.

    A hand that is already being played, named by its table and number, may go past them. With `more`, that many hands
    begin without a stake, and only the limit of hands is checked.
    """
    values = {"guild": guild, "member": member, "name": accounts.member(member), "now": now, "unstaked": int(more > 0)}
    values |= {"more": more or int(table_id > 0), "escrow": accounts.escrow(table_id, number)}
    batch.add(_TAKE_TURNS, values)
    batch.must(_WITHIN, {**values, "table_id": table_id, "number": number}, OverLimit(accounts.member(member)))
