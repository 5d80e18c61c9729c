"""Challenges to a duel: made, accepted, declined or withdrawn (R12.2, R12.7).

Each step is an update that fails if another step came first, and its chips move in the same transaction.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import Final

import sqlalchemy as sa

from data.base.duels import Challenge, DuelDraft, StoredDuel
from data.base.errors import ChallengedBefore, DuelMoved, NotTaken, TooManyDuels
from data.base.schema import wishes
from data.base.set_tables import DUEL_SET, OPEN_DUEL, duels, people
from data.base.values import UNSAID, Ages, Challenges
from data.drivers.batch import Batch
from data.drivers.part import Part
from data.drivers.statement import ONE, Statement, columns_of, insert, param
from data.drivers.store import Store
from data.journal.tables import no_stop
from data.ledger import door
from data.ledger.chips import Chips
from data.ledger.limits import expect_within
from data.people.breaks import expect_awake
from data.people.fingerprints import HOUSE, Fingerprints, fingerprint_of
from data.people.guilds import Guilds
from data.people.members import Members, still_known
from data.sets.chained import ITS_SET, add_set
from data.sets.duel_rows import COUNTS, IS_CHALLENGE, IS_RUNNING, NEXT_VERSION, THIS, word
from data.sets.duels import Duels
from data.sets.stakes import expect_able, expect_within_caps, giving_back, pay, staking
from data.sets.tries import Tries
from engine.fairness.chain import seed_of, tip_of
from engine.fairness.sets import duel_name
from engine.sets.duels import LINK, MOST_OPEN, MOST_RUNNING, OPEN_FOR, RUNS_FOR, DuelState, Ending
from engine.sets.prepared import Prepared
from engine.tables.house import HouseSettings
from engine.tables.ports import AlreadyDone, Clock, MemberGone
from engine.tables.values import Member

_duel_values = columns_of(duels, but=("set", "message", "ending", "ended_at", "winner", "done", "called", "told"))
_NEW: Final = Statement(insert(duels).values(**_duel_values, set=ITS_SET).on_conflict_do_nothing())
_POSTED: Final = Statement(sa.update(duels).values(message=param("message", sa.BigInteger())).where(THIS))
_ACCEPT: Final = Statement(
    sa.update(duels)
    .values(
        state=DuelState.RUNNING.value,
        stake=param("stake", sa.BigInteger()),
        accepted_at=param("now", sa.Double()),
        deadline=param("deadline", sa.Double()),
        version=NEXT_VERSION,
    )
    .where(
        *(THIS, IS_CHALLENGE, COUNTS, duels.c.version == param("was", sa.Integer())),
        duels.c.challenged == param("member", sa.BigInteger()),
    )
)

# -- what may keep people from it --------------------------------------------------------------------------------------

_person = param("person", sa.BigInteger())
#: Locks a person: a second step of the same people waits, and nobody is forgotten until the first is written.
_TAKE_TURNS: Final = Statement(
    sa.select(people.c.id).where(people.c.id == _person, people.c.user_id.is_not(None)).with_for_update()
)
_wished = sa.select(wishes.c.challenges).where(wishes.c.user_id == people.c.user_id).scalar_subquery()
_silenced = sa.select(wishes.c.user_id).where(
    wishes.c.user_id == people.c.user_id, wishes.c.silenced.like(param("silenced", sa.Text()))
)
_for_fun = param("stake", sa.BigInteger()) == sa.literal_column("0")
_TAKES: Final = Statement(
    sa.select(people.c.id).where(
        people.c.id == _person,
        sa.or_(
            _wished.is_(None),
            _wished == word(Challenges.EVERYBODY),
            sa.and_(_wished == word(Challenges.FOR_FUN), _for_fun),
        ),
        ~sa.exists(_silenced),
    )
)
_BETWEEN: Final = Statement(
    sa.select(duels.c.id).where(
        *(OPEN_DUEL, IS_CHALLENGE),
        sa.or_(
            sa.and_(duels.c.first == param("first"), duels.c.second == param("second")),
            sa.and_(duels.c.first == param("second"), duels.c.second == param("first")),
        ),
    )
)


def _fewer(most: int, *which: sa.ColumnElement[bool]) -> Statement:
    """Return a query that finds one row if fewer open duels than `most` meet these conditions."""
    count = sa.select(sa.func.count()).select_from(duels).where(OPEN_DUEL, *which).scalar_subquery()
    return Statement(sa.select(ONE).where(count < sa.literal_column(str(most))))


_plays = sa.or_(duels.c.first == _person, duels.c.second == _person)
_MAY_CHALLENGE: Final = _fewer(MOST_OPEN, duels.c.first == _person, IS_CHALLENGE)
_MAY_BE_CHALLENGED: Final = _fewer(MOST_OPEN, duels.c.second == _person, IS_CHALLENGE)
_MAY_BEGIN: Final = _fewer(MOST_RUNNING, _plays, IS_RUNNING)
#: Asks whether a person has no more running duels than allowed, once the one that begins is among them.
_MAY_HAVE_BEGUN: Final = _fewer(MOST_RUNNING + 1, _plays, IS_RUNNING)


class AllChallenges(Part):
    """Makes, accepts and refuses challenges, on all servers."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        guilds: Guilds,
        members: Members,
        chips: Chips,
        tries: Tries,
        duels: Duels,
        fingerprints: Fingerprints,
    ) -> None:
        super().__init__(store, clock)
        self._guilds, self._members, self._chips = guilds, members, chips
        self._tries, self._duels, self._fingerprints = tries, duels, fingerprints
        #: The source of random bytes for roots.
        self.chance: Callable[[int], bytes] = secrets.token_bytes

    def draft(self) -> DuelDraft:
        """Return a new chain of seeds, not stored yet, from which the deals of a duel can be prepared."""
        root = self.chance(32)
        tip = tip_of(root)
        return DuelDraft(root, tip, seed_of(root, LINK), duel_name(tip))

    async def make(self, asked: Challenge, draft: DuelDraft, prepared: Prepared, since: Ages = UNSAID) -> StoredDuel:
        """Store a challenge and take the challenger's stake, or let the duel against a computer player begin.

        Raises OnBreak, OverLimit, TooManyDuels or ChallengedBefore; NotTaken if the other person takes no such
        challenge, for whatever reason; MemberGone if one of the two was forgotten; AlreadyDone for a duel that is
        stored. For a stake also CannotPay, StakesStopped, ResetAhead, Resetting, TooFewHands, MustKeep or OverDuelCap,
        and TooYoung if the ages of the challenger's account (`since`) are too low.
        """
        now, first = self._clock.now(), await self._tries.sign_in(asked.challenger.user)
        second = await self._tries.sign_in(asked.challenged.user) if asked.challenged is not None else None
        batch = self._store.batch()
        _take_turns(batch, (first, second))
        still_known(batch, [one.id for one in (asked.challenger, asked.challenged) if one is not None])
        expect_awake(batch, [asked.challenger.id], now, for_chips=asked.stake > 0)
        if second is None:
            batch.must(_MAY_BEGIN, {"person": first}, TooManyDuels(str(first)))
        else:
            fingerprint = fingerprint_of(await self._fingerprints.key(), HOUSE, asked.challenger.user)
            _expect_taken(batch, asked, (first, second), fingerprint, now)
        _add(batch, asked, draft, prepared, (first, second), now)
        if asked.stake:
            house = await self._stake(batch, asked.id, asked.challenger, asked.stake, since)
            expect_within_caps(batch, asked.guild, asked.challenger.id, house, now, more=asked.stake)
        expect_within(batch, asked.guild, asked.challenger.id, now, more=len(prepared.deals))
        await door.write(self._store, batch, now)
        return await self._duels.known(asked.id)

    async def posted(self, duel: int, message: int) -> None:
        """Store the id of the Discord message that shows a duel."""
        await self._store.change(_POSTED, {"id": duel, "message": message})

    async def accept(self, number: int, member: Member, since: Ages = UNSAID, *, for_fun: bool) -> StoredDuel:
        """Let a duel begin, and return it. Take the member's stake or, if `for_fun`, give back the challenger's.

        Raises DuelMoved if the challenge is over, is not for this member, or comes from somebody on a break. Raises
        TooManyDuels or OverDuelCap if either of the two is past that limit. The other exceptions are those that `make`
        raises about the challenger; here they are about the member.
        """
        now, duel, moved = self._clock.now(), await self._duels.known(number), DuelMoved(str(number))
        if duel.state is not DuelState.CHALLENGED or await self._duels.is_past(duel):
            raise moved
        stake, challenger = 0 if for_fun else duel.offered, duel.sides[0].member
        assert challenger is not None
        batch = self._store.batch()
        _take_turns(batch, [side.person for side in duel.sides])
        values = {"id": number, "member": member.id, "stake": stake, "now": now, "was": duel.version}
        batch.must(_ACCEPT, {**values, "deadline": now + RUNS_FOR}, moved)
        still_known(batch, [member.id])
        expect_awake(batch, [challenger], now, for_chips=stake > 0, fault=moved)
        expect_awake(batch, [member.id], now, for_chips=stake > 0)
        for side in duel.sides:
            batch.must(_MAY_HAVE_BEGUN, {"person": side.person}, TooManyDuels(str(side.person)))
        if stake:
            house = await self._stake(batch, number, member, stake, since)
            for one in (challenger, member.id):
                expect_within_caps(batch, duel.guild, one, house, now)
        elif duel.offered:
            pay(batch, [giving_back(duel, challenger, duel.offered)], now)
        hands = len((await self._duels.deals(duel)).prepared.deals)
        expect_within(batch, duel.guild, member.id, now, more=hands)
        await door.write(self._store, batch, now)
        return await self._duels.known(number)

    async def refuse(self, number: int, member: int) -> StoredDuel:
        """Decline a challenge, or withdraw one's own, give the stake back, and return the ended duel.

        Raises DuelMoved if the challenge is not open for this member.
        """
        duel = await self._duels.known(number)
        challenger, challenged = (side.member for side in duel.sides)
        if duel.state is not DuelState.CHALLENGED or member not in (challenger, challenged):
            raise DuelMoved(str(number))
        ended = await self._duels.end(number, Ending.WITHDRAWN if member == challenger else Ending.DECLINED)
        if ended is None:
            raise DuelMoved(str(number))
        return ended

    # -- private -----------------------------------------------------------------------------------------------------

    async def _stake(self, batch: Batch, duel: int, member: Member, stake: int, since: Ages) -> HouseSettings:
        """Add to a batch a member's stake and the checks that they may give it away; return the casino's settings.

        Raises TooYoung or StakesStopped at once.
        """
        house, now = await self._guilds.house(member.guild), self._clock.now()
        await self._chips.expect_age(member.guild, since)
        no_stop(batch, self._store)
        pay(batch, [staking(duel, member.guild, member.id, stake)], now)
        expect_able(batch, await self._members.row(member.id), house)
        return house


def _take_turns(batch: Batch, persons: Iterable[int | None]) -> None:
    for person in sorted(person for person in persons if person is not None):
        batch.must(_TAKE_TURNS, {"person": person}, MemberGone(str(person)))


def _expect_taken(batch: Batch, asked: Challenge, both: tuple[int, int], fingerprint: str, now: float) -> None:
    """Make the batch raise NotTaken if the other person cannot be challenged like this.

    The reasons are that person's wishes, a break, or too many open challenges to them. The batch also raises
    TooManyDuels if the challenger has too many open challenges, and ChallengedBefore if one between the two is open.
    """
    assert asked.challenged is not None
    first, second = both
    batch.must(_MAY_CHALLENGE, {"person": first}, TooManyDuels(str(first)))
    batch.must(_BETWEEN, {"first": first, "second": second}, ChallengedBefore(str(second)), rows=0)
    refused = NotTaken(str(second))
    batch.must(_TAKES, {"person": second, "stake": asked.stake, "silenced": f"%{fingerprint}%"}, refused)
    batch.must(_MAY_BE_CHALLENGED, {"person": second}, refused)
    expect_awake(batch, [asked.challenged.id], now, for_chips=asked.stake > 0, fault=refused)


def _add(
    batch: Batch,
    asked: Challenge,
    draft: DuelDraft,
    prepared: Prepared,
    persons: tuple[int, int | None],
    now: float,
) -> None:
    """Add to a batch the chain, the deals and the row of a duel.

    The batch raises AlreadyDone if they are stored already.
    """
    done, runs = AlreadyDone(f"duel {asked.id}"), asked.challenged is None
    add_set(batch, DUEL_SET, asked.guild, draft.root, prepared, now, done)
    times = {"made_at": now, "accepted_at": now if runs else None, "deadline": now + (RUNS_FOR if runs else OPEN_FOR)}
    who = {"challenger": asked.challenger.id, "first": persons[0], "second": persons[1], "level": asked.level}
    who["challenged"] = asked.challenged.id if asked.challenged is not None else None
    row = {"id": asked.id, "guild": asked.guild, "channel": asked.channel, "version": 1, "tip": draft.tip, **who}
    state = (DuelState.RUNNING if runs else DuelState.CHALLENGED).value
    batch.must(_NEW, {**row, **times, "state": state, "offered": asked.stake, "stake": asked.stake}, done)
