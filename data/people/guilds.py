"""The settings of guilds, and their own rule sets. A `line` goes to the guild's log."""

from __future__ import annotations

import json
from dataclasses import astuple, fields, replace
from typing import Any, Final

import sqlalchemy as sa

from data.base.json_text import compact
from data.base.schema import guilds, rule_sets
from data.base.values import Appearance, Currency, DayPost, GuildSettings, LogLine, RuleSet, Span, Suits
from data.drivers.part import Part
from data.drivers.statement import Row, Statement, insert_or_replace, param, rows_of
from data.drivers.store import Store
from data.jobs import day_posts, notices
from data.people.fingerprints import DAY
from engine.tables.house import HouseSettings
from engine.tables.ports import Clock, OutcomeUnknown

_SETTINGS: Final = Statement(sa.select(guilds).where(guilds.c.id == param("guild")))
_KEEP_SETTINGS: Final = insert_or_replace(guilds)
_KEEP_RULES: Final = insert_or_replace(rule_sets)
_DROP_RULES: Final = Statement(
    sa.delete(rule_sets).where(
        rule_sets.c.guild == param("guild"), rule_sets.c.game == param("game"), rule_sets.c.name == param("name")
    )
)
_RULES: Final = sa.select(rule_sets).where(rule_sets.c.guild == sa.bindparam("guild")).order_by(rule_sets.c.name)
_PLAIN: Final = ("language", "zone", "account_days", "server_days", "log_channel")


class Guilds(Part):
    """The settings of guilds. One process serves a guild, so its settings are read once and kept in memory."""

    def __init__(self, store: Store, clock: Clock, defaults: HouseSettings) -> None:
        super().__init__(store, clock)
        self._defaults = defaults
        self._guilds: dict[int, GuildSettings] = {}

    async def house(self, guild: int) -> HouseSettings:
        """Return the casino's part of the guild's settings, such as starting chips, with defaults for the rest."""
        return (await self.settings(guild)).house

    async def settings(self, guild: int) -> GuildSettings:
        """Return the guild's settings, with the defaults for what it has not set."""
        known = self._guilds.get(guild)
        if known is None:
            found = await self._store.fetch(_SETTINGS, {"guild": guild})
            read = self._read(next(iter(rows_of(guilds, found)), None))
            known = self._guilds.setdefault(guild, read)  # settings that were stored since then are newer
        return known

    async def keep_settings(self, guild: int, settings: GuildSettings, line: LogLine | None = None) -> None:
        """Store a guild's settings. Those of the casino that equal the defaults are left out, to follow the defaults.

        If the guild has a channel for its log, also begin the job that posts the log. If a daily message is ordered or
        changed, also begin the job that posts that message.
        """
        batch, now = self._store.batch(), self._clock.now()
        batch.add(_KEEP_SETTINGS, {"id": guild, **self._written(settings)})
        if settings.log_channel is not None:
            notices.begin(batch, guild, now + DAY)
        if settings.day_post is not None and settings.day_post != (await self.settings(guild)).day_post:
            day_posts.begin(batch, guild, settings.day_post, now)
        notices.log(batch, guild, line, now)
        try:
            await self._store.write.run(batch)
        except OutcomeUnknown:
            self._guilds.pop(guild, None)  # they are read again
            raise
        self._guilds[guild] = settings

    async def rule_sets(self, guild: int) -> tuple[RuleSet, ...]:
        """Return the guild's own rule sets, ordered by name."""
        found = await self._store.rows(_RULES, {"guild": guild})
        return tuple(RuleSet(row.game, row.name, json.loads(row.rules)) for row in found)

    async def keep_rule_set(self, guild: int, rules: RuleSet, line: LogLine | None = None) -> None:
        """Store a rule set in place of one of the same name. Tables that play the old one go on with their copy."""
        this = {"guild": guild, "game": rules.game, "name": rules.name}
        await self._change(guild, _KEEP_RULES, {**this, "rules": compact(dict(rules.rules))}, line)

    async def drop_rule_set(self, guild: int, game: str, name: str, line: LogLine | None = None) -> None:
        """Delete a rule set. Tables that play it go on with their copy."""
        await self._change(guild, _DROP_RULES, {"guild": guild, "game": game, "name": name}, line)

    # -- private ---------------------------------------------------------------------------------------------------

    async def _change(self, guild: int, statement: Statement, values: dict[str, Any], line: LogLine | None) -> None:
        batch = self._store.batch()
        batch.add(statement, values)
        notices.log(batch, guild, line, self._clock.now())
        await self._store.write.run(batch)

    def _read(self, row: Row | None) -> GuildSettings:
        if row is None:
            return GuildSettings(house=self._defaults)
        known = {field.name for field in fields(HouseSettings)}
        house = {name: value for name, value in json.loads(row.house).items() if name in known}
        return GuildSettings(
            house=replace(self._defaults_for(row), **house),
            channels=tuple(json.loads(row.channels)),
            suits=Suits(row.suits),
            shown=Appearance(row.shown),
            season=Span(row.season),
            currency=Currency(*json.loads(row.currency)) if row.currency else None,
            day_post=DayPost(*json.loads(row.day_post)) if row.day_post else None,
            **{name: getattr(row, name) for name in _PLAIN},
        )

    def _defaults_for(self, ages: Row | GuildSettings) -> HouseSettings:
        """Return the defaults of a guild. `ages` has the account ages that the guild requires for daily chips.

        Gifts require at least these ages.
        """
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
            "house": compact(house),
            "channels": compact(list(settings.channels)),
            "suits": settings.suits,
            "shown": settings.shown,
            "season": settings.season,
            "currency": compact(list(astuple(settings.currency))) if settings.currency is not None else None,
            "day_post": compact(list(astuple(settings.day_post))) if settings.day_post is not None else None,
            **{name: getattr(settings, name) for name in _PLAIN},
        }
