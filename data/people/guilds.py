"""The guilds: their settings and their own rule sets."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any, Final

import sqlalchemy as sa

from data.drivers.batch import Batch
from data.drivers.statement import Row, rows_of
from data.drivers.store import Store
from data.journal.reading import compact
from data.part import Part
from data.schema import guilds, rule_sets
from data.values import GuildSettings, RuleSet, Shown, Suits
from engine.tables.house import HouseSettings
from engine.tables.ports import Clock

_RULES: Final = sa.select(rule_sets).where(rule_sets.c.guild == sa.bindparam("guild")).order_by(rule_sets.c.name)
_PLAIN: Final = ("language", "zone", "account_days", "server_days")


class Guilds(Part):
    """A guild lives in one process, so what it has set is kept here and read once."""

    def __init__(self, store: Store, clock: Clock, defaults: HouseSettings) -> None:
        super().__init__(store, clock)
        self._defaults = defaults
        self._guilds: dict[int, GuildSettings] = {}

    async def house(self, guild: int) -> HouseSettings:
        return (await self.settings(guild)).house

    async def settings(self, guild: int) -> GuildSettings:
        known = self._guilds.get(guild)
        if known is None:
            found = await self._store.fetch(self._store.sql.people.guild, {"p_guild": guild})
            known = self._guilds[guild] = self._read(next(iter(rows_of(guilds, found)), None))
        return known

    async def keep_settings(self, guild: int, settings: GuildSettings) -> None:
        """Keeps what differs from the defaults, so that the others follow them."""
        batch = Batch()
        batch.add(self._store.sql.people.keep_guild, {"p_id": guild, **self._written(settings)})
        await self._store.write.run(batch)
        self._guilds[guild] = settings

    async def rule_sets(self, guild: int) -> tuple[RuleSet, ...]:
        found = await self._store.rows(_RULES, {"guild": guild})
        return tuple(RuleSet(row.game, row.name, json.loads(row.rules)) for row in found)

    async def keep_rule_set(self, guild: int, rules: RuleSet) -> None:
        """New, or in place of the one of the same name. Tables that play it go on with their copy."""
        batch = Batch()
        this = {"p_guild": guild, "p_game": rules.game, "p_name": rules.name}
        batch.add(self._store.sql.people.keep_rules, {**this, "p_rules": compact(dict(rules.rules))})
        await self._store.write.run(batch)

    async def drop_rule_set(self, guild: int, game: str, name: str) -> None:
        batch = Batch()
        batch.add(self._store.sql.people.drop_rules, {"p_guild": guild, "p_game": game, "p_name": name})
        await self._store.write.run(batch)

    # -- private ---------------------------------------------------------------------------------------------------

    def _read(self, row: Row | None) -> GuildSettings:
        if row is None:
            return GuildSettings(house=self._defaults)
        known = {field.name for field in fields(HouseSettings)}
        house = {name: value for name, value in json.loads(row.house).items() if name in known}
        return GuildSettings(
            house=replace(self._defaults_for(row), **house),
            channels=tuple(json.loads(row.channels)),
            suits=Suits(row.suits),
            shown=Shown(row.shown),
            **{name: getattr(row, name) for name in _PLAIN},
        )

    def _defaults_for(self, ages: Row | GuildSettings) -> HouseSettings:
        """Return the defaults of a guild: where it asks for older accounts at the daily chips, gifts do so too."""
        return replace(
            self._defaults,
            gift_account_days=max(self._defaults.gift_account_days, ages.account_days),
            gift_server_days=max(self._defaults.gift_server_days, ages.server_days),
        )

    def _written(self, settings: GuildSettings) -> dict[str, Any]:
        names, defaults = [field.name for field in fields(HouseSettings)], self._defaults_for(settings)
        own = {name: getattr(settings.house, name) for name in names}
        house = {name: value for name, value in own.items() if value != getattr(defaults, name)}
        return {
            "p_house": compact(house),
            "p_channels": compact(list(settings.channels)),
            "p_suits": settings.suits,
            "p_shown": settings.shown,
            **{f"p_{name}": getattr(settings, name) for name in _PLAIN},
        }
