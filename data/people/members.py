"""Members: they sign in, have chips, and say how they want things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.drivers.store import Store
from data.faults import NoSuchMember
from data.ledger import accounts
from data.part import Part
from data.people.fingerprints import Fingerprints
from data.people.guilds import Guilds
from data.schema import LIVE, by_index, members, pots, transfers
from data.values import MemberSettings, Shown, Suits
from engine.games.contract import Cents
from engine.tables.ports import AlreadyDone, Clock
from engine.tables.values import Kind, Member

_MINE: Final = sa.select(members).where(members.c.id == sa.bindparam("member"))

#: So many are asked for with one statement.
_AT_ONCE: Final = 256

#: What was staked is looked for in what lies on the guild's tables now, never in all that the member ever staked.
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
#: More stakes than one person places before the first of them is looked for.
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


class Members(Part):
    def __init__(self, store: Store, clock: Clock, guilds: Guilds, fingerprints: Fingerprints) -> None:
        super().__init__(store, clock)
        self._guilds = guilds
        self._fingerprints = fingerprints

    async def sign_in(self, guild: int, user: int) -> Member:
        """Who it is: opens the account with the guild's starting chips the first time."""
        found = await self.known(guild, user)
        if found is None:
            await self._welcome(guild, user)
            found = await self.known(guild, user)
        assert found is not None
        return found

    async def known(self, guild: int, user: int) -> Member | None:
        """Without signing in: None for somebody who never played here."""
        found = await self._store.fetch(self._store.sql.people.find_member, {"p_guild": guild, "p_user_id": user})
        return Member(found[0][0], guild, user, found[0][1]) if found else None

    async def balance(self, guild: int, user: int) -> Cents | None:
        """Without signing in."""
        found = await self.known(guild, user)
        return None if found is None else found.balance

    async def balances(self, members: Sequence[int]) -> Mapping[int, Cents]:
        """What each of these members has in the wallet."""
        balances = dict[int, Cents]()
        for start in range(0, len(members), _AT_ONCE):
            some = members[start : start + _AT_ONCE]
            places = 1 << (len(some) - 1).bit_length()  # a power of two, so that there are only a few such statements
            ids = {f"p_{number}": some[min(number, len(some) - 1)] for number in range(places)}
            found = await self._store.fetch(self._store.sql.people.balances(places), ids)
            balances |= {row[0]: row[1] for row in found}
        return balances

    async def row(self, member: int) -> Row:
        """All that is kept of a member; NoSuchMember."""
        row = await self._store.row(_MINE, {"member": member})
        if row is None:
            raise NoSuchMember(str(member))
        return row

    async def in_play(self, member: int) -> Cents:
        """What the member has on open tables: stakes of open rounds, and chips bought in."""
        mine = await self._store.row(_MINE, {"member": member})
        if mine is None:
            return 0
        values = {"guild": mine.guild, "name": accounts.member(member), "stack": f"{Kind.STACK.value}/%/{member}"}
        return int(await self._store.value(_IN_PLAY, values))

    async def staked_first(self, member: Member, table: int, press: int) -> bool:
        """Return whether this press at this table placed the first stake that the member ever placed."""
        values = {"guild": member.guild, "name": accounts.member(member.id)}
        found = await self._store.rows(_FIRST_STAKES, values)
        first = min(found, default=None)
        if first is None or len(found) == _FEW:
            return False
        key: str = first.key
        return key == f"{table}/buy-in/{member.id}" or key.endswith(f"/{press}")

    async def settings(self, member: int) -> MemberSettings:
        row = await self.row(member)
        return MemberSettings(
            row.language,
            warnings=bool(row.warnings),
            phrase=row.phrase,
            calls=bool(row.calls),
            suits=Suits(row.suits) if row.suits is not None else None,
            shown=Shown(row.shown) if row.shown is not None else None,
        )

    async def keep_settings(self, member: int, settings: MemberSettings) -> None:
        batch = Batch()
        values = {
            "p_member": member,
            "p_language": settings.language,
            "p_phrase": settings.phrase,
            "p_warnings": int(settings.warnings),
            "p_calls": int(settings.calls),
            "p_suits": settings.suits,
            "p_shown": settings.shown,
        }
        batch.must(self._store.sql.people.member_settings, values, NoSuchMember(str(member)))
        await self._store.write.run(batch)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _welcome(self, guild: int, user: int) -> None:
        """Whoever comes second in the same instant finds the door already open."""
        gone = await self._fingerprints.forgotten_at(guild, user)
        chips = (await self._guilds.house(guild)).starting_chips if gone is None else 0
        batch, sql, who = Batch(), self._store.sql, {"p_guild": guild, "p_user_id": user}
        met = AlreadyDone(f"{user} in {guild}")
        batch.must(sql.people.open_member, {**who, "p_balance": chips, "p_daily_at": gone, "p_helped_at": gone}, met)
        if chips:
            batch.must(sql.people.open_with_chips, {**who, "p_at": self._clock.now()}, met)
        try:
            await self._store.write.run(batch)
        except AlreadyDone:
            return
