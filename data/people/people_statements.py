"""What the bank writes of people, and asks of them at every press."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Dialect

from data.drivers.batch import Statement
from data.drivers.statement import Maker, all_of, p
from data.schema import chains, forgotten, guilds, keys, members, rule_sets, tallies, transfers

#: What a member sets.
MEMBER_SETTINGS: Final = ("language", "warnings", "phrase", "calls", "suits", "shown")


class PeopleStatements(Maker):
    """Members, what they and their guilds have set, ladders, fingerprints."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self._people()
        self._settings()
        self._questions()

    def _people(self) -> None:
        me = members.c.id == p("member")
        self.open_member = self._make(
            self._insert(members)
            .values({name: p(name) for name in ("guild", "user_id", "balance", "daily_at", "helped_at")})
            .on_conflict_do_nothing()
        )
        nobody = {"user_id": None, "language": None, "warnings": 0, "phrase": "", "stale": 1}
        nobody |= {"calls": 0, "suits": None, "shown": None}
        nobody |= {"daily_at": None, "helped_at": None, "streak": 0}
        self.forget_member = self._make(
            sa.update(members).values(**nobody).where(me, members.c.user_id == p("user_id"))
        )
        known = sa.and_(me, members.c.user_id.is_not(None))
        self.still_known = self._make(sa.select(members.c.id).where(known).with_for_update(key_share=True))
        self.remember = self._kept(forgotten)
        self.forget_phrases = self._make(
            sa.update(chains).values(phrase="").where(chains.c.member == p("member"), chains.c.phrase != "")
        )
        self.forget_fingerprints = self._make(sa.delete(forgotten).where(forgotten.c.at <= p("at")))
        self.make_key = self._once(keys)
        self.key = self._make(sa.select(keys.c.value).where(keys.c.name == p("name")))
        one = sa.and_(forgotten.c.guild == p("guild"), forgotten.c.fingerprint == p("fingerprint"))
        self.forgotten_at = self._make(sa.select(forgotten.c.at).where(one))
        self.open_with_chips = self._make(
            sa.insert(transfers).from_select(
                ["key", "guild", "source", "target", "amount", "reason", "at"],
                sa.select(
                    sa.literal("open/", sa.Text) + sa.cast(members.c.id, sa.Text),
                    members.c.guild,
                    sa.literal("mint", sa.Text),
                    sa.literal("member/", sa.Text) + sa.cast(members.c.id, sa.Text),
                    members.c.balance,
                    sa.literal("opening", sa.Text),
                    p("at", sa.Double()),
                ).where(members.c.guild == p("guild"), members.c.user_id == p("user_id")),
            )
        )
        self.daily = self._make(
            sa.update(members)
            .values(daily_at=p("at"), streak=p("streak"))
            .where(me, members.c.daily_at.is_not_distinct_from(p("seen", sa.Double())))
        )
        self.helped = self._make(
            sa.update(members)
            .values(helped_at=p("at"))
            .where(me, members.c.balance < p("poor"), members.c.helped_at.is_not_distinct_from(p("seen", sa.Double())))
        )
        counted = ("counted_balance", "counted_winnings", "counted_rate")
        seen = [
            members.c[name].is_not_distinct_from(p(f"seen_{name}", sa.BigInteger()))
            for name in ("balance", "winnings", "rounds", "rate", "user_id", *counted)
        ]
        self.counted = self._make(
            sa.update(members).values(**{name: p(name) for name in counted}, stale=0).where(me, *seen)
        )
        self.member_settings = self._make(
            sa.update(members).values({name: p(name) for name in MEMBER_SETTINGS}).where(known)
        )

    def _settings(self) -> None:
        self.keep_rules = self._kept(rule_sets)
        self.keep_guild = self._kept(guilds)
        which = (rule_sets.c.guild == p("guild"), rule_sets.c.game == p("game"), rule_sets.c.name == p("name"))
        self.drop_rules = self._make(sa.delete(rule_sets).where(*which))
        tally = self._insert(tallies).values(**all_of(tallies))
        self.tally = self._make(
            tally.on_conflict_do_update(
                index_elements=list(tallies.primary_key.columns),
                set_={"people": tallies.c.people + tally.excluded.people},
            )
        )

    def _questions(self) -> None:
        """What every press asks."""
        known = sa.and_(members.c.guild == p("guild"), members.c.user_id == p("user_id"))
        self.find_member = self._make(sa.select(members.c.id, members.c.balance).where(known))
        self.guild = self._make(sa.select(guilds).where(guilds.c.id == p("guild")))
        self._balances: dict[int, Statement] = {}

    def balances(self, people: int) -> Statement:
        """Of so many members, called ``p_0``, ``p_1`` ..."""
        if people not in self._balances:
            these = members.c.id.in_([p(str(number), sa.BigInteger()) for number in range(people)])
            self._balances[people] = self._make(sa.select(members.c.id, members.c.balance).where(these))
        return self._balances[people]
