"""Members of servers: their accounts, balances and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import sqlalchemy as sa

from data.base import accounts
from data.base.errors import NoSuchMember
from data.base.schema import LIVE, by_index, members, pots, transfers
from data.base.values import Appearance, MemberSettings, Suits
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert, param, params
from data.drivers.store import Store
from data.people.breaks import know_again
from data.people.fingerprints import ACCOUNT_OPENS, Fingerprints
from data.people.guilds import Guilds
from data.people.limits import know_limits_again
from data.people.wishes import hide_again
from engine.games.contract import Cents
from engine.tables.ports import AlreadyDone, Clock, MemberGone
from engine.tables.values import Kind, Member

_MINE: Final = sa.select(members).where(members.c.id == sa.bindparam("member"))

#: The most balances that one statement reads.
_AT_ONCE: Final = 256
#: The settings of a member, each a column.
SETTINGS: Final = ("language", "warnings", "phrase", "calls", "suits", "shown")

_here = sa.and_(members.c.guild == param("guild"), members.c.user_id == param("user_id"))
_FIND: Final = Statement(sa.select(members.c.id, members.c.balance).where(_here))
_OPEN: Final = Statement(
    insert(members).values(params("guild", "user_id", "balance", "daily_at", "helped_at")).on_conflict_do_nothing()
)
_OPEN_WITH_CHIPS: Final = Statement(
    sa.insert(transfers).from_select(
        ["key", "guild", "source", "target", "amount", "reason", "at"],
        sa.select(
            sa.literal("open/", sa.Text) + sa.cast(members.c.id, sa.Text),
            members.c.guild,
            sa.literal("mint", sa.Text),
            sa.literal("member/", sa.Text) + sa.cast(members.c.id, sa.Text),
            members.c.balance,
            sa.literal("opening", sa.Text),
            param("at", sa.Double()),
        ).where(_here),
    )
)
_known = sa.and_(members.c.id == param("member"), members.c.user_id.is_not(None))
_SET: Final = Statement(sa.update(members).values(params(*SETTINGS)).where(_known))
_STILL_KNOWN: Final = Statement(sa.select(members.c.id).where(_known).with_for_update(key_share=True))

# Stakes are looked for among those on the guild's tables now, never among all that the member ever staked.
_on_tables = sa.and_(pots.c.guild == sa.bindparam("guild"), LIVE)
_into_one = (
    sa.select(sa.func.coalesce(sa.func.sum(transfers.c.amount), 0))
    .where(
        transfers.c.guild == pots.c.guild,
        transfers.c.target == pots.c.name,
        sa.or_(transfers.c.source == sa.bindparam("name"), transfers.c.source.like(sa.bindparam("stack"))),
    )
    .scalar_subquery()
)
_staked = (
    sa.select(sa.func.coalesce(sa.func.sum(_into_one), 0))
    .where(_on_tables, pots.c.name.like(f"{Kind.ESCROW.value}/%"))
    .with_hint(pots, by_index("pots_live"), "sqlite")
)
_bought_in = (
    sa.select(sa.func.coalesce(sa.func.sum(pots.c.balance), 0))
    .where(_on_tables, pots.c.name.like(sa.bindparam("stack")))
    .with_hint(pots, by_index("pots_live"), "sqlite")
)
#: The most stakes that are read to see whether one is the first: somebody with this many is no newcomer.
_FEW: Final = 8
_FIRST_STAKES: Final = (
    sa.select(transfers.c.id, transfers.c.key)
    .where(
        transfers.c.guild == sa.bindparam("guild"),
        transfers.c.source == sa.bindparam("name"),
        transfers.c.reason.in_(("stake", "buy-in")),
    )
    .limit(_FEW)
)
_IN_PLAY: Final = sa.select(_staked.scalar_subquery() + _bought_in.scalar_subquery())


@cache
def _balances(people: int) -> Statement:
    """Return a query for the balances of this many members. Its parameters are named "0", "1" and so on."""
    these = members.c.id.in_([param(str(number), sa.BigInteger()) for number in range(people)])
    return Statement(sa.select(members.c.id, members.c.balance).where(these))


def still_known(batch: Batch, numbers: Iterable[int]) -> None:
    """Make a batch raise MemberGone if one of these members was forgotten.

    The batch also locks their rows, so that nobody can be forgotten while it is written.
    """
    for member in sorted(numbers):
        batch.must(_STILL_KNOWN, {"member": member}, MemberGone(str(member)))


class Members(Part):
    """The members of all servers. A person has an account on each server where they play."""

    def __init__(self, store: Store, clock: Clock, guilds: Guilds, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._guilds = guilds
        self._fingerprints = fingerprints

    async def sign_in(self, guild: int, user: int) -> Member:
        """Return the member, and open an account with the guild's starting chips the first time.

        Somebody whom the guild forgot in the last thirty days gets no starting chips.
        """
        found = await self.known(guild, user)
        if found is None:
            await self._welcome(guild, user)
            found = await self.known(guild, user)
        assert found is not None
        return found

    async def known(self, guild: int, user: int) -> Member | None:
        """Return the member, or None for somebody without an account on the server."""
        found = await self._store.fetch(_FIND, {"guild": guild, "user_id": user})
        return Member(found[0][0], guild, user, found[0][1]) if found else None

    async def balance(self, guild: int, user: int) -> Cents | None:
        """Return the chips in the wallet, or None for somebody without an account on the server."""
        found = await self.known(guild, user)
        return None if found is None else found.balance

    async def balances(self, members: Sequence[int]) -> Mapping[int, Cents]:
        """Return the chips that each of these members has in the wallet; unknown numbers are left out."""
        balances = dict[int, Cents]()
        for start in range(0, len(members), _AT_ONCE):
            some = members[start : start + _AT_ONCE]
            places = 1 << (len(some) - 1).bit_length()  # a power of two, so that there are only a few such statements
            ids = {str(number): some[min(number, len(some) - 1)] for number in range(places)}
            found = await self._store.fetch(_balances(places), ids)
            balances |= {row[0]: row[1] for row in found}
        return balances

    async def row(self, member: int) -> Row:
        """Return the whole row of a member, or raise NoSuchMember."""
        row = await self._store.row(_MINE, {"member": member})
        if row is None:
            raise NoSuchMember(str(member))
        return row

    async def in_play(self, member: int) -> Cents:
        """Return the chips that the member has on open tables: stakes of open rounds, and chips bought in.

        An unknown number has 0.
        """
        mine = await self._store.row(_MINE, {"member": member})
        if mine is None:
            return 0
        values = {"guild": mine.guild, "name": accounts.member(member), "stack": accounts.stacks(member)}
        return int(await self._store.value(_IN_PLAY, values))

    async def staked_first(self, member: Member, table: int, press: int) -> bool:
        """Return whether the member's first stake on the server came with this press, or was a buy-in at this table."""
        values = {"guild": member.guild, "name": accounts.member(member.id)}
        found = await self._store.rows(_FIRST_STAKES, values)
        first = min(found, default=None)
        if first is None or len(found) == _FEW:
            return False
        key: str = first.key
        return key == f"{table}/buy-in/{member.id}" or key.endswith(f"/{press}")

    async def settings(self, member: int) -> MemberSettings:
        """Return the member's settings, or raise NoSuchMember."""
        row = await self.row(member)
        return MemberSettings(
            row.language,
            warnings=bool(row.warnings),
            phrase=row.phrase,
            calls=bool(row.calls),
            suits=Suits(row.suits) if row.suits is not None else None,
            shown=Appearance(row.shown) if row.shown is not None else None,
        )

    async def keep_settings(self, member: int, settings: MemberSettings) -> None:
        """Replace the member's settings, or raise NoSuchMember."""
        values = {name: getattr(settings, name) for name in SETTINGS}
        values |= {"member": member, "warnings": int(settings.warnings), "calls": int(settings.calls)}
        await self._store.change(_SET, values, NoSuchMember(str(member)))

    # -- private ---------------------------------------------------------------------------------------------------

    async def _welcome(self, guild: int, user: int) -> None:
        """Open an account with the starting chips that are due, and with the breaks, limits and wishes of the person.

        If another call opens it at the same moment, do nothing.
        """
        gone = await self._fingerprints.forgotten_at(guild, user)
        chips = (await self._guilds.house(guild)).starting_chips if gone is None else 0
        key = await self._fingerprints.key()
        batch, who = self._store.batch(), {"guild": guild, "user_id": user}
        batch.add(ACCOUNT_OPENS, {})
        opened = AlreadyDone(f"{user} in {guild}")
        batch.must(_OPEN, {**who, "balance": chips, "daily_at": gone, "helped_at": gone}, opened)
        if chips:
            batch.must(_OPEN_WITH_CHIPS, {**who, "at": self._clock.now()}, opened)
        know_again(batch, key, user)
        know_limits_again(batch, key, user)
        hide_again(batch, user)
        try:
            await self._store.write.run(batch)
        except AlreadyDone:
            return
