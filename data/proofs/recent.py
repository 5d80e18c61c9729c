"""Chooses the rows that a short audit reads: new ones, open ones, and all breaks, limits and texts of rules.

An earlier audit has proved everything up to a leaf (`Bookmark`): what came after it is new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.base.schema import OPEN_TOURNAMENT, entries, leaves, members, pots, tournaments, transfers
from data.proofs.balances import of_members, of_pots, strange_members, strange_pots
from data.proofs.breaks import BREAKS
from data.proofs.causes import OPEN_CAUSES
from data.proofs.chains import OPEN_CHAINS
from data.proofs.documents import DOCUMENTS
from data.proofs.duels import OPEN_DUELS
from data.proofs.hashes import BOUND, LEAVES
from data.proofs.holdings import OPEN_HOLDINGS, PAYMENTS
from data.proofs.limits import LIMITS
from data.proofs.member_days import look_at_days, strange_days
from data.proofs.moves import MOVES, of_nobody, unknown
from data.proofs.names import first_number
from data.proofs.places import look_at_places, strange_places
from data.proofs.pools import ENTRIES
from data.proofs.promises import OPEN_PROMISES
from data.proofs.rounds import BOUND_ROUNDS, OPEN_ROUNDS
from data.proofs.rule_texts import RULE_TEXTS
from data.proofs.sets import OPEN_SETS
from data.proofs.slices import KeyRange, Slice, Walk, between
from data.proofs.tournaments import OPEN_TOURNAMENTS
from engine.tables.values import Kind


@dataclass(frozen=True, slots=True)
class Bookmark:
    """The place from which an audit goes on: the number of a leaf, and that of a transfer.

    All transfers up to this one are bound in this leaf or in earlier ones.
    """

    leaf: int
    transfer: int


NEWEST_BOOKMARK: Final = sa.select(leaves.c.number, leaves.c.until).order_by(leaves.c.number.desc()).limit(1)


def since(mark: Bookmark) -> tuple[Walk, ...]:
    """Return the walks through what came after a bookmark, what is open, and all breaks, limits and texts of rules."""
    return (
        replace(MOVES, before=(mark.transfer,)),
        replace(_TOUCHED, before=(mark.transfer,)),
        replace(PAYMENTS, before=(mark.transfer,)),
        OPEN_HOLDINGS,
        replace(ENTRIES, which=entries.c.tournament.in_(sa.select(tournaments.c.id).where(OPEN_TOURNAMENT))),
        replace(BOUND_ROUNDS, before=(mark.leaf,)),
        OPEN_ROUNDS,
        RULE_TEXTS,
        OPEN_PROMISES,
        OPEN_CHAINS,
        DOCUMENTS,
        OPEN_TOURNAMENTS,
        *OPEN_SETS,
        OPEN_DUELS,
        *OPEN_CAUSES,
        replace(LEAVES, before=(mark.leaf,)),
        *(replace(bound, before=(mark.leaf,)) for bound in BOUND),
        BREAKS,
        LIMITS,
    )


# -- the accounts that new transfers touch -----------------------------------------------------------------------------

_here = between(transfers.c.id)
_names = sa.union(
    sa.select(transfers.c.guild, transfers.c.source.label("name")).where(_here),
    sa.select(transfers.c.guild, transfers.c.target).where(_here),
).subquery("names")
_COUNTED: Final = sa.select(sa.func.count()).select_from(_names)
_touched_members = members.c.id.in_(
    sa.select(first_number(_names.c.name)).where(_names.c.name.like(f"{Kind.MEMBER.value}/%"))
)
_MEMBERS: Final = strange_members(_touched_members)
_DAYS: Final = strange_days(_touched_members)
_PLACES: Final = strange_places(_touched_members)
_POTS: Final = strange_pots(sa.tuple_(pots.c.guild, pots.c.name).in_(sa.select(_names.c.guild, _names.c.name)))
_NOBODY: Final = unknown(_names)


async def _touched(connection: AsyncConnection, here: KeyRange) -> Slice:
    """Prove the accounts that transfers touched: each is the sum of all its transfers, also of those proved before.

    The days and the standings of their members are proved as well.
    """
    looked = (await connection.execute(_COUNTED, here.values)).scalar_one()
    parts = [
        of_members(looked, (await connection.execute(_MEMBERS, here.values)).all()),
        of_pots(0, (await connection.execute(_POTS, here.values)).all()),
        await of_nobody(connection, (await connection.execute(_NOBODY, here.values)).all()),
    ]
    faults = [fault for part in parts for fault in part.faults] + await look_at_days(connection, _DAYS, here)
    faults += await look_at_places(connection, _PLACES, here)
    return Slice(looked, faults, {account: chips for part in parts for account, chips in part.surplus.items()})


_TOUCHED: Final = Walk("accounts", _touched, (transfers.c.id,), (0,), 2_000)
