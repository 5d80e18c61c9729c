"""Tournaments in the bank: a step and its chips together, pools proved, titles kept. On both databases."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlalchemy as sa

from data import Bank
from data.base.errors import StillPlaying
from data.base.schema import entries, pots
from data.proofs.report import Wrong
from engine.elimination.elimination import Placing
from engine.fairness.chain import tip_of
from engine.games.contract import CHIP
from engine.stored_words import TOURNAMENT
from engine.tables.places import tournament_place
from engine.tables.ports import AlreadyDone, CannotPay, MemberGone, StakesStopped, StaleTable
from engine.tables.values import Chain, Member
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.state import TournamentState, WhyCancelled, successor_id
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms
from tests.data.by_hand import bind_all, by_hand, would_find
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, HandClock, press

BUY_IN = 150
ALICE = 424_242_424_242


class Organiser:
    """One tournament, step by step, straight on the bank."""

    def __init__(self, bank: Bank) -> None:
        self.bank = bank
        self.steps = itertools.count(1)

    async def open(self, organiser: Member, buy_in: int = BUY_IN, starts: float = NOW + 3_600) -> Organiser:
        tournament = Tournament(TournamentTerms(1_000 * CHIP, buy_in * CHIP))
        state = TournamentState(press(), GUILD, 70, organiser.id, "original", {}, starts, tournament.record())
        root, place = b"s" * 32, tournament_place(state.id)
        chain = Chain(state.id, place, GUILD, 70, root, tip_of(root))
        await self.bank.chains.begin(chain)
        await self.bank.chains.promised(chain.id, 33)
        self.chain = replace(chain, message=33)
        self.position = TournamentPosition.of(replace(state, tip=chain.tip, promise=33))
        await self.do(lambda draft: None)
        return self

    async def do(self, alter: Callable[[TournamentDraft], None], cause: str = "") -> None:
        draft = TournamentDraft(self.position, NOW)
        alter(draft)
        await self.bank.tournaments.commit(draft.change(cause or f"cup/{self.position.state.id}/{next(self.steps)}"))
        self.position = draft.position()

    async def play(self) -> None:
        """Play to the end: the first in key order wins every table."""
        await self.do(TournamentDraft.close_sign_up)
        await self.do(lambda draft: draft.begin_with(self.chain, 44))
        while self.position.tournament.phase is TournamentPhase.PLAYING:
            number = self.position.tournament.running[0]
            people = sorted(self.position.tournament.tables[number], key=lambda who: (not who.person, who.key))
            ends = [Placing(who.key, 9 - place if place else None, 100, 100) for place, who in enumerate(people)]
            await self.do(lambda draft, at=number, ends=ends: draft.finished(at, ends, ()))  # type: ignore[misc]


@pytest.fixture
def organiser(unsound_bank: Bank) -> Organiser:
    return Organiser(unsound_bank)


async def balance(bank: Bank, user: int) -> float:
    return (await bank.members.sign_in(GUILD, user)).balance / CHIP


async def test_r7_9_a_buy_in_leaves_the_wallet_at_sign_up(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    await organiser.do(lambda draft: draft.join(bob, press()))
    assert (await balance(bank, 1), await balance(bank, 2)) == (850, 850)
    await organiser.do(lambda draft: draft.leave(bob, f"press/{press()}"))
    assert await balance(bank, 2) == 1_000


async def test_the_next_one_to_start_comes_first(bank: Bank, join: Join) -> None:
    alice = await join(1)
    ids = [(await Organiser(bank).open(alice, starts=NOW + hours)).position.state.id for hours in (3, 1, 2)]
    assert [row.id for row in await bank.tournaments.still_open(GUILD)] == [ids[1], ids[2], ids[0]]


@pytest.mark.parametrize(
    "change",
    [
        lambda draft: draft.cancel(WhyCancelled.MANAGER),
        lambda draft: draft.move(NOW + 7_200, "2027-01-15T10:00", "UTC", series=False),
    ],
    ids=["cancelled", "moved"],
)
async def test_people_are_told_at_once_that_a_tournament_is_cancelled_or_moved(
    bank: Bank, organiser: Organiser, join: Join, change: Callable[[TournamentDraft], None]
) -> None:
    await organiser.open(await join(1))
    (job,) = await bank.jobs.due(TOURNAMENT)
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    await bank.jobs.rest(job, "here", job.payload, due=NOW + 600)
    assert await bank.jobs.due(TOURNAMENT) == ()
    await organiser.do(change)
    assert [again.key for again in await bank.jobs.due(TOURNAMENT)] == [job.key]


async def test_who_left_may_sign_up_again(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice = await join(1)
    await organiser.open(alice)
    for step in (TournamentDraft.join, TournamentDraft.leave, TournamentDraft.join):
        await organiser.do(lambda draft, step=step: step(draft, alice, press()))  # type: ignore[misc]
    assert await balance(bank, 1) == 850


async def test_who_is_forgotten_before_signing_up_does_not_sign_up(
    bank: Bank, organiser: Organiser, join: Join
) -> None:
    alice, bob = await join(ALICE), await join(2)
    await organiser.open(bob)
    await bank.privacy.forget(GUILD, ALICE)
    with pytest.raises(MemberGone):
        await organiser.do(lambda draft: draft.join(alice, press()))
    assert organiser.position.tournament.pool == 0
    assert await bank.members.balance(GUILD, ALICE) is None


async def test_r7_9_the_pool_is_paid_out_to_the_cent(bank: Bank, organiser: Organiser, join: Join) -> None:
    people = [await join(user) for user in range(1, 6)]
    await organiser.open(people[0], buy_in=151)
    for member in people:
        await organiser.do(lambda draft, member=member: draft.join(member, press()))  # type: ignore[misc]
    await organiser.play()
    balances = [await balance(bank, user) for user in range(1, 6)]
    assert sum(balances) == 5_000
    assert sorted(balances, reverse=True)[:3] == [849 + 377.5, 849 + 226.5, 849 + 151]
    (champion,) = await bank.titles.champions(GUILD)
    assert (champion.tournaments, champion.tables) == (1, 0)


async def test_r7_10_a_cancelled_tournament_returns_every_buy_in(bank: Bank, organiser: Organiser, join: Join) -> None:
    people = [await join(user) for user in range(1, 4)]
    await organiser.open(people[0])
    for member in people:
        await organiser.do(lambda draft, member=member: draft.join(member, press()))  # type: ignore[misc]
    await organiser.do(TournamentDraft.close_sign_up)
    await organiser.do(lambda draft: draft.cancel(WhyCancelled.MANAGER))
    assert [await balance(bank, user) for user in (1, 2, 3)] == [1_000, 1_000, 1_000]


async def test_the_same_step_twice_is_refused_and_moves_nothing(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice = await join(1)
    await organiser.open(alice)
    before = organiser.position
    await organiser.do(lambda draft: draft.join(alice, 5), "press/5/join")
    organiser.position = before
    with pytest.raises(AlreadyDone):
        await organiser.do(lambda draft: draft.join(alice, 5), "press/5/join")
    with pytest.raises(StaleTable):
        await organiser.do(lambda draft: draft.join(alice, 6), "press/6/join")
    assert await balance(bank, 1) == 850


async def test_chips_that_are_gone_meanwhile_cannot_buy_in(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await bank.chips.take(alice.id, 900 * CHIP, actor=alice.id, reason="the test wants it", press=press())
    with pytest.raises(CannotPay):
        await organiser.do(lambda draft: draft.join(alice, press()))
    assert (await bank.tournaments.stored(organiser.position.state.id)).version == 1  # type: ignore[union-attr]


async def test_nobody_buys_in_while_stakes_are_stopped(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await bank.auditor.stop_stakes("the test wants it")
    with pytest.raises(StakesStopped):
        await organiser.do(lambda draft: draft.join(alice, press()))
    await organiser.do(lambda draft: draft.cancel(WhyCancelled.MANAGER))


async def test_a_tournament_is_read_back_as_it_was_kept(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    (row,) = await bank.tournaments.still_open(GUILD)
    assert TournamentState.from_json(row.doc) == organiser.position.state
    assert row == await bank.tournaments.stored(row.id)
    assert await bank.tournaments.still_open(GUILD + 1) == []


async def test_a_new_tournament_has_a_job_and_brings_its_successor_one(
    bank: Bank, organiser: Organiser, join: Join, clock: HandClock
) -> None:
    alice = await join(1)
    await organiser.open(alice)
    state = organiser.position.state
    successor = replace(state, id=successor_id(state.id), version=1, tip="", promise=None).row()
    await organiser.do(lambda draft: draft.succeed(successor))
    jobs = await bank.jobs.waiting("cup")
    assert {job.payload["cup"] for job in jobs} == {state.id, successor.id}
    assert await bank.jobs.claim(jobs[0].key, "me", seconds=60)
    assert not await bank.jobs.claim(jobs[0].key, "somebody else", seconds=60)
    clock.time += 61
    assert await bank.jobs.claim(jobs[0].key, "somebody else", seconds=60)


async def test_the_audit_finds_a_pool_that_is_not_its_buy_ins(
    unsound_bank: Bank, organiser: Organiser, join: Join
) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    store = unsound_bank._store
    async with store.rewriting() as connection:
        await connection.execute(sa.update(entries).values(buy_in=entries.c.buy_in + 1))
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.POOL, Wrong.TOURNAMENT}
    async with store.rewriting() as connection:
        await connection.execute(sa.delete(entries))
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.POOL, Wrong.TOURNAMENT}


@pytest.mark.parametrize(
    "change",
    [
        "doc = '{}'",
        'doc = replace(doc, \'["join","1"]\', \'["join","2"]\')',
        'doc = replace(doc, \'["join","1"]\', \'["leave","1"]\')',
        f"doc = replace(doc, '{ALICE}', '{ALICE + 1}')",
        "doc = replace(doc, '\"told\":false', '\"told\":true')",
        "starts = starts + 60",
        "channel = channel + 1",
        "organiser = 2",
        "phase = 'playing'",
    ],
)
async def test_the_audit_finds_a_tournament_that_claims_what_is_not_so(
    unsound_bank: Bank, organiser: Organiser, join: Join, change: str
) -> None:
    alice, bob = await join(ALICE), await join(2)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    await organiser.do(lambda draft: draft.join(bob, press()))
    await organiser.do(lambda draft: draft.leave(bob, f"press/{press()}"))
    assert (await unsound_bank.auditor.audit()).clean
    async with unsound_bank._store.rewriting() as connection:
        await connection.execute(sa.text(f"UPDATE tournaments SET {change.replace(':', chr(92) + ':')}"))
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.TOURNAMENT}


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE tournaments SET starts = starts + 60",
        "UPDATE pots SET balance = balance + 100 WHERE name LIKE 'pool/%'",
    ],
)
async def test_what_is_open_is_proved_each_hour(
    unsound_bank: Bank, organiser: Organiser, join: Join, command: str
) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    await bind_all(unsound_bank)
    assert (await unsound_bank.auditor.look_in(86_400.0)).clean
    await by_hand(unsound_bank, command)
    assert not (await unsound_bank.auditor.look_in(86_400.0)).clean


async def test_buy_ins_lie_in_their_pools_between_the_sign_up_and_the_first_cards(
    bank: Bank, organiser: Organiser, join: Join
) -> None:
    people = [await join(user) for user in range(1, 5)]
    await organiser.open(people[0])
    for member in people:
        await organiser.do(lambda draft, member=member: draft.join(member, press()))  # type: ignore[misc]
    await organiser.do(TournamentDraft.close_sign_up)
    assert (await bank.auditor.audit()).clean


async def test_the_audit_finds_chips_left_in_a_pool_that_is_over(
    unsound_bank: Bank, organiser: Organiser, join: Join
) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    await organiser.do(lambda draft: draft.cancel(WhyCancelled.TOO_FEW))
    assert (await unsound_bank.auditor.audit()).clean
    async with unsound_bank._store.rewriting() as connection:
        await connection.execute(sa.update(pots).values(balance=1).where(pots.c.name.like("pool/%")))
    assert Wrong.POOL in {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults}


async def test_nobody_is_forgotten_who_is_in_a_tournament(bank: Bank, organiser: Organiser, join: Join) -> None:
    alice, bob = await join(1_000_001), await join(1_000_002)
    await organiser.open(alice, buy_in=0)
    await organiser.do(lambda draft: draft.join(bob, press()))
    with pytest.raises(StillPlaying):
        await bank.privacy.forget(GUILD, bob.user)
    await organiser.do(lambda draft: (draft.cancel(WhyCancelled.MANAGER), draft.end_announced())[1])
    assert await bank.privacy.forget(GUILD, bob.user)
    row = await bank.tournaments.stored(organiser.position.state.id)
    assert row is not None
    assert str(bob.user) not in row.doc
    assert TournamentState.from_json(row.doc).tournament == organiser.position.state.tournament
    found = await would_find(bank, "UPDATE entries SET buy_in = 100")
    assert {wrong for wrong, _ in found} == {Wrong.TOURNAMENT}, "a buy-in is proved after that, too"


async def test_what_is_stored_of_somebody_tells_their_tournaments_and_titles(
    bank: Bank, organiser: Organiser, join: Join
) -> None:
    alice, bob = await join(1), await join(2)
    await organiser.open(alice)
    for member in (alice, bob):
        await organiser.do(lambda draft, member=member: draft.join(member, press()))  # type: ignore[misc]
    await organiser.play()
    stored = await bank.privacy.export(GUILD, alice.user)
    assert stored is not None
    assert stored["tournaments"] == [{"tournament": organiser.position.state.id, "member": alice.id, "buy_in": 15_000}]
    assert [title["source"] for title in stored["titles"]] == [f"cup/{organiser.position.state.id}"]


#: Each would leave the buy-ins where they are for good, or draw other lots than were promised.
STRANDED = {
    "closed": ("UPDATE tournaments SET open = 0", {Wrong.POOL, Wrong.TOURNAMENT}),
    "called off": ("UPDATE tournaments SET phase = 'cancelled'", {Wrong.POOL, Wrong.TOURNAMENT}),
    "put off": ("UPDATE tournaments SET starts = starts + 86400", {Wrong.TOURNAMENT}),
    "its job gone": ("DELETE FROM jobs", {Wrong.JOB}),
    "its job done": ("UPDATE jobs SET done_at = 1", {Wrong.JOB}),
    "its job put off": ("UPDATE jobs SET due = due + 31536000", {Wrong.JOB}),
    "its job for another": ("UPDATE jobs SET payload = '{\"cup\":7}'", {Wrong.JOB}),
    "its job no job": ("UPDATE jobs SET payload = '['", {Wrong.JOB}),
    "another tip": ("UPDATE chains SET tip = replace(tip, 'f', 'e')", {Wrong.CHAIN, Wrong.TOURNAMENT}),
    "another promise": ("UPDATE chains SET message = 34", {Wrong.TOURNAMENT}),
    "another place": ("UPDATE chains SET place = 'tournament/7'", {Wrong.TOURNAMENT}),
    "another end": ("UPDATE chains SET last = 'ab'", {Wrong.CHAIN}),
    "seeds left out": ("UPDATE chains SET used = 5", {Wrong.CHAIN}),
    "a title": (
        "INSERT INTO titles SELECT 'cup/' || id, guild, 1, 1 FROM tournaments",
        {Wrong.TITLES, Wrong.TOURNAMENT},
    ),
    "a title of nothing": (f"INSERT INTO titles VALUES ('cup/404', {GUILD}, 1, 1)", {Wrong.TITLES}),
}


@pytest.mark.thinned
@pytest.mark.parametrize("what", STRANDED)
async def test_a_tournament_in_sign_up_is_not_changed_by_hand(
    unsound_bank: Bank, organiser: Organiser, join: Join, what: str
) -> None:
    alice = await join(1)
    await organiser.open(alice)
    await organiser.do(lambda draft: draft.join(alice, press()))
    assert (await unsound_bank.auditor.audit()).clean
    command, wrong = STRANDED[what]
    await by_hand(unsound_bank, command)
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == wrong


async def test_an_invented_title_with_a_count_to_match_is_noticed(
    unsound_bank: Bank, organiser: Organiser, join: Join
) -> None:
    await join(1)
    await by_hand(
        unsound_bank,
        f"INSERT INTO titles VALUES ('table/404', {GUILD}, 1, {NOW})",
        f"UPDATE members SET tables_won = 1, first_title = {NOW} WHERE id = 1",
    )
    assert {fault.wrong for fault in (await unsound_bank.auditor.audit()).faults} == {Wrong.TITLES}
