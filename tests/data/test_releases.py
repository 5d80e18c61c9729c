"""Banks of earlier releases, opened by this one: nothing is lost, and everything goes on where it stood.

tests/fixtures says what was in them. Its folders stay as they are, wherever other code moves.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from data import ROLE, Bank, Ladder, SeasonBoard, Span, season_at, season_named
from data.base.schema import HEAD
from data.proofs.report import Wrong
from data.seasons.calendar import Week
from engine.fairness.verify import verify
from engine.games import registry as games
from engine.sets.calendar import week_of
from engine.tables.house import HouseSettings
from engine.tables.places import tournament_place
from engine.tables.rebuilt import whole_record_of
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.values import StoredRound
from engine.tournament.state import successor_id
from engine.tournament.view import TournamentView
from tests.data import fives, pairs
from tests.data.by_hand import bind_all, by_hand
from tests.data.dealer import HandClock, press
from tests.data.left_behind import as_file
from tests.data.releases import House, asked
from tests.releases import RULE_SETS, Release

pytestmark = pytest.mark.thinned(7)  # the oldest on SQLite, the newest on PostgreSQL

first_release = pytest.mark.parametrize("release", ["release_1"], indirect=True)
second_release = pytest.mark.parametrize("release", ["release_2"], indirect=True)
fourth_release = pytest.mark.parametrize("release", ["release_4"], indirect=True)
#: Those that had chains, each under a message of its own.
with_chains = pytest.mark.parametrize("release", ["release_2", "release_3"], indirect=True)

# -- nothing is lost ---------------------------------------------------------------------------------------------------


async def test_all_that_was_booked_is_still_there(house: House, release: Release) -> None:
    report = await house.bank.auditor.audit()
    assert report.clean, report.faults
    assert {name: getattr(report, name) for name in release.was["audit"]} == release.was["audit"]


async def test_everybody_has_their_chips_their_settings_and_their_history(house: House, release: Release) -> None:
    for was in release.was["members"]:
        member = await house.bank.members.sign_in(was["guild"], was["user"])
        settings, kept = asdict(await house.bank.members.settings(member.id)), release.settings_of(was)
        assert (member.id, member.balance) == (was["member"], was["balance"])
        assert await house.bank.members.in_play(member.id) == was["in_play"]
        assert {name: settings[name] for name in kept} == kept
        assert await house.history(member.id) == (was["rounds"], was["net"])


async def test_servers_keep_what_they_set(house: House, release: Release) -> None:
    for was in release.was["guilds"]:
        now = asdict(await house.bank.guilds.settings(was["guild"]))
        assert list(now["channels"]) == was["channels"]
        assert {name: now["house"][name] for name in was["house"]} == was["house"]
        plain = was.keys() & {"language", "zone", "account_days", "server_days", "suits", "shown"}
        assert {name: now[name] for name in plain} == {name: was[name] for name in plain}
    rules = await house.bank.guilds.rule_sets(release.was["guilds"][0]["guild"])
    assert [[own.game, own.name] for own in rules] == [[own["game"], own["name"]] for own in release.was["rule_sets"]]
    for own, kept in zip(rules, release.was["rule_sets"], strict=True):
        assert games.game(own.game).rules_from_json(own.rules) == games.game(own.game).rules_from_json(kept["rules"])


async def test_the_leaderboards_are_in_the_same_order(house: House, release: Release) -> None:
    boards = release.was["leaderboards"]
    for was in boards:
        board = await house.bank.ladders.leaderboard(was["guild"], Ladder(was["by"]))
        assert [[row.place, row.user, row.value] for row in board.rows] == was["rows"]
        assert board.people == was["people"]
    guilds = dict.fromkeys(was["guild"] for was in boards)
    champions = [asdict(best) for guild in guilds for best in await house.bank.titles.champions(guild)]
    assert champions == [{**one, "cards": 0} for one in release.was["champions"]]


def test_every_record_of_the_release_still_verifies(release: Release) -> None:
    kept = release.records
    assert len(kept) == release.was["finished_rounds"]
    assert {record.rules_name for record in kept} >= RULE_SETS
    for record in kept:
        finding = verify(record)
        assert finding.holds, (record, finding.fault)


async def test_every_round_in_the_bank_is_the_record_that_was_written_down(house: House, release: Release) -> None:
    kept = {record.seed: record for record in release.records}
    found, looked_at = set(), set()
    for was in release.was["members"]:
        page = await house.bank.records.history(was["member"], size=1_000)
        for played in page.rounds:
            if played.code in looked_at:
                continue
            looked_at.add(played.code)
            stored = await house.bank.records.round(played.code, was["guild"])
            assert stored is not None
            assert whole_record_of(stored) == kept[stored.seed]
            found.add(stored.seed)
    assert len(found) > 150


async def test_its_whole_past_is_bound_once_and_shows_from_then_on_what_is_changed(house: House) -> None:
    bank = house.bank
    before = await bank.leaves.loose()
    assert min(before) > 30
    assert await bind_all(bank) == sum(before)
    assert (await bank.leaves.loose(), await bind_all(bank)) == ((0, 0), 0)
    assert (await bank.auditor.audit()).clean
    await by_hand(bank, "UPDATE transfers SET at = at - 60 WHERE id = (SELECT min(id) FROM transfers)")
    assert {fault.wrong for fault in (await bank.auditor.audit()).faults} == {Wrong.LEAF}
    await by_hand(bank, "UPDATE transfers SET at = at + 60 WHERE id = (SELECT min(id) FROM transfers)")


async def test_its_backup_is_restored_whole(url: str, release: Release) -> None:
    clock = HandClock(release.was["now"])
    async with Bank.open(url, HouseSettings(), clock) as bank:
        found = await bank.copies.restore(release.text("backup.jsonl.gz").splitlines())
        assert found.clean, found.faults
        assert {name: getattr(found, name) for name in release.was["audit"]} == release.was["audit"]
    async with Bank.open(url, HouseSettings(), clock, upgrade=False) as bank:
        for was in release.was["members"]:
            member = await bank.members.sign_in(was["guild"], was["user"])
            assert (member.id, member.balance) == (was["member"], was["balance"])


@second_release
async def test_how_well_everybody_played_and_what_they_have_learned_stays(house: House, release: Release) -> None:
    learned = 0
    for was in release.was["members"]:
        skill = asdict(await house.bank.grades.skill(was["member"], valuation=2))
        assert skill.pop("outdated") == was["skill"]["hands"]  # all of the first valuation
        assert skill == pytest.approx(was["skill"])
        found = await house.bank.mistakes.costliest(was["member"], 1_000)
        assert [[one.table, one.number, one.place, one.due, one.streak] for one in found] == was["mistakes"]
        learned += sum(one.due is None for one in found)
    assert learned == 1


@second_release
async def test_the_books_go_on_from_the_heads_that_people_wrote_down(house: House, release: Release) -> None:
    for was in release.was["heads"]:
        head = await house.bank.leaves.find(was["hash"])
        assert head is not None
        assert asdict(head) == was
    assert await bind_all(house.bank) > 0
    before = {was["guild"]: was["place"] for was in release.was["heads"]}
    after = {head.guild: head.place for head in await house.bank.leaves.heads()}
    assert sum(after.values()) > sum(before.values())
    assert all(after[guild] >= place for guild, place in before.items())


# -- tables ------------------------------------------------------------------------------------------------------------


async def test_open_tables_are_taken_up_just_as_they_were(house: House, release: Release) -> None:
    rows = {stored.row.id: stored.row for stored in await house.bank.tables.still_open()}
    assert {number: row.deadline for number, row in rows.items()} == {
        was["id"]: was["deadline"] for was in release.was["tables"]
    }
    for was in release.was["tables"]:
        if was["name"] == "its promise is awaited":  # there is somebody to promise it again, and it is done at once
            house.poster.shut.add(was["channel"])
    await house.registry.recover()
    for was in release.was["tables"]:
        table = house.registry.get(was["id"])
        assert table is not None
        told = _told(table.snapshot())
        assert {name: told[name] for name in told if name in was} == {name: was[name] for name in told if name in was}


def _told(now: Snapshot) -> dict[str, Any]:
    seats = now.elimination.seats if now.elimination is not None else None
    return {
        "guild": now.guild,
        "channel": now.channel,
        "message": now.message,
        "game": now.game,
        "rules": now.rules_name,
        "opener": now.opener,
        "solo": now.solo,
        "phase": now.phase.value,
        "round": now.round,
        "turn": now.turn,
        "asked": asked(now),
        "legal": [list(words) for words in now.legal],
        "users": [sitter.user for sitter in now.sitters if sitter.member is not None],
        "staked": [dict(sitter.staked or {}) for sitter in now.sitters],
        "commitment": now.seals.commitment,
        "next_commitment": now.seals.next_commitment,
        "code": now.seals.code,
        "next_code": now.seals.next_code,
        "promise": now.seals.promise,
        "hash": now.seals.hash,
        "road": list(now.road),
        "stacks": [seat.stack for seat in seats] if seats is not None else None,
        "fallen": sum(seat.fall is not None for seat in seats) if seats is not None else None,
    }


#: The tables that were left in the middle of a round, with somebody to ask.
IN_MID_HAND = ("in mid-hand, split", "stacks in play", "war, in its question")


async def test_a_hand_is_played_on_from_the_shoe_it_began_with(house: House, release: Release) -> None:
    await house.registry.recover()
    for name in [name for name in (*IN_MID_HAND, "alone, in mid-hand") if name in release.left_open]:
        over, was = await house.play(house.table(name)), release.left_open[name]
        assert over.settlement is not None
        assert (over.round, over.seals.code) == (was["round"], was.get("code", over.seals.code))
        assert verify(whole_record_of(await _round(house, over))).holds
        if was["commitment"]:
            assert hashlib.sha256(bytes.fromhex(over.seals.revealed_seed)).hexdigest() == was["commitment"]


async def _round(house: House, now: Snapshot) -> StoredRound:
    stored = await house.bank.records.round(now.seals.code, now.guild)
    assert stored is not None
    return stored


async def test_the_next_round_has_the_seed_that_was_sealed_before_its_stakes(house: House, release: Release) -> None:
    await house.registry.recover()
    baccarat, blackjack = house.table("baccarat, stakes placed"), await house.stake_at("between rounds")
    await baccarat.deal(baccarat.state.opener, press(), number=baccarat.state.sealed)
    for table, name in ((blackjack, "between rounds"), (baccarat, "baccarat, stakes placed")):
        now, was = table.snapshot(), release.left_open[name]
        assert (now.round, now.seals.commitment) == (was["round"] + 1, was["next_commitment"])
        assert now.seals.code == was.get("next_code", now.seals.commitment[:8])


async def test_when_all_have_played_on_and_left_every_chip_is_back_where_it_belongs(
    house: House, release: Release
) -> None:
    await house.registry.recover()
    for name, was in release.left_open.items():
        table = house.table(name)
        if was["stacks"] is not None:
            await house.play_elimination(table)
            assert table.snapshot().close_reason is CloseReason.WON
            continue
        if name == "baccarat, stakes placed":
            await table.deal(was["opener"], press())
        await house.play(table)
        await house.empty(table)
        assert table.snapshot().close_reason is CloseReason.LEFT, name
    for was in release.was["members"]:
        if was["guild"] != release.club:
            assert await house.bank.members.in_play(was["member"]) == 0
            won_since = (await house.history(was["member"]))[1] - was["net"]
            assert await house.balance(was["guild"], was["user"]) == was["balance"] + was["in_play"] + won_since


@first_release
async def test_after_the_round_that_was_sealed_a_table_goes_on_under_the_new_scheme(house: House) -> None:
    await house.registry.recover()
    for name in ("between rounds", "in mid-hand, split"):
        await house.play(house.table(name))
        first = await house.play(await house.stake_at(name))
        second = await house.play(table := await house.stake_at(name))
        assert (first.seals.commitment != "", second.seals.commitment) == (name == "between rounds", "")
        chain = await house.bank.chains.in_use(table.state.chain_place)
        assert chain is not None
        assert second.seals.code == chain.mark(chain.used)
        promised = [message for message, (each, _) in house.poster.messages.items() if each.channel == chain.channel]
        assert promised == [chain.message], "one message for all places of the channel"


@first_release
async def test_an_elimination_table_keeps_its_scheme_to_its_end(house: House, release: Release) -> None:
    await house.registry.recover()
    (name,) = [name for name, was in release.left_open.items() if was["fallen"]]
    table = house.table(name)
    begun = release.left_open[name]["round"]
    await house.play_elimination(table)
    assert table.state.round > begun
    assert table.state.elimination is not None
    assert table.state.elimination["version"] == 1
    assert {stored.scheme for stored in await _rounds_of(house, table.id)} == {"1"}
    assert house.poster.messages == {}


@with_chains
async def test_a_chain_in_use_is_used_on_under_the_promise_that_stands(house: House, release: Release) -> None:
    await house.registry.recover()
    chains = {was["place"]: was for was in release.was["chains"]}
    for name in ("between rounds", "in mid-hand, split", "alone, in mid-hand"):
        table = house.table(name)
        was = chains[table.state.chain_place]
        await house.play(table)
        over = await house.play(await house.stake_at(name))
        assert over.seals.code == f"{was['tip'][:8]}-{was['used'] + 1}"
        chain = await house.bank.chains.in_use(was["place"])
        assert chain is not None
        assert (chain.tip, chain.message, chain.used) == (was["tip"], was["message"], was["used"] + 1)
        assert chain.shared is None
        assert not [each for each, _ in house.poster.messages.values() if each.channel == chain.channel]


@fourth_release
async def test_the_chains_of_a_channel_are_used_on_under_the_promise_that_they_share(
    house: House, release: Release
) -> None:
    await house.registry.recover()
    chains = {was["place"]: was for was in release.was["chains"]}
    for name in ("between rounds", "alone, in mid-hand"):
        table = house.table(name)
        was, before = chains[table.state.chain_place], await house.bank.chains.in_use(table.state.chain_place)
        await house.play(table)
        over = await house.play(await house.stake_at(name))
        chain = await house.bank.chains.in_use(table.state.chain_place)
        assert before is not None
        assert chain is not None
        assert (over.seals.code, chain.used) == (chain.mark(was["used"] + 1), was["used"] + 1)
        assert (chain.tip, chain.shared, chain.message) == (was["tip"], before.shared, before.message)
        assert chain.shared is not None
    awaited = release.left_open["its promise is awaited"]["channel"]

    def posted() -> set[int]:
        return {promised.channel for promised, _ in house.poster.messages.values()}

    async def all_promised() -> bool:
        return awaited in posted()

    await house.until(all_promised)
    assert posted() == {awaited}


async def _rounds_of(house: House, table: int) -> Sequence[StoredRound]:
    stored = await house.bank.tables.stored(table)
    assert stored is not None
    return stored.rounds


# -- tournaments -------------------------------------------------------------------------------------------------------


async def test_tournaments_stand_where_they_stood(house: House, release: Release) -> None:
    await house.registry.recover()
    for name, was in release.tournaments.items():
        now = await house.tournament(name)
        state = now.state
        assert (now.phase.value, list(now.people), now.pool, now.buy_in) == (
            was["phase"], was["people"], was["pool"], was["buy_in"],
        ), name  # fmt: skip
        assert (now.stage, now.tables, now.running) == (was["stage"], was["tables"], was["running"])
        kept = was.keys() & {"channel", "message", "starts", "told", "tip", "promise", "entrants", "root"}
        assert {field: getattr(state, field) for field in kept} == {field: was[field] for field in kept}
        assert dict(now.prizes) == was["prizes"]
        if was["ranking"]:
            assert [line.key for line in now.lines] == was["ranking"]


async def test_people_sign_up_and_leave_and_it_is_played_for_the_whole_pool(house: House, release: Release) -> None:
    await house.registry.recover()
    was = release.tournaments["sign-up"]
    first, *_others = was["people"]
    newcomer = next(each["user"] for each in release.was["members"] if each["user"] not in was["people"])
    before = await house.wallets([first, newcomer])
    await house.director.leave(was["id"], await house.bank.members.sign_in(release.club, first), press())
    await house.director.join(was["id"], await house.bank.members.sign_in(release.club, newcomer), press())
    buy_in = was["buy_in"]
    assert await house.wallets([first, newcomer]) == {
        first: before[first] + buy_in,
        newcomer: before[newcomer] - buy_in,
    }
    house.clock.time = was["starts"]
    _kept_its_scheme(house, await house.play_tournament("sign-up"), was)


async def test_a_tournament_in_play_is_played_to_its_end(house: House, release: Release) -> None:
    await house.registry.recover()
    _kept_its_scheme(house, await house.play_tournament("playing"), release.tournaments["playing"])


def _kept_its_scheme(house: House, end: TournamentView, was: dict[str, Any]) -> None:
    if house.release.name == "release_1":
        assert end.state.tournament["version"] == 1
        assert len(house.poster.messages) == len(house.poster.of(tournament_place(_successor(end))))
    else:
        assert (end.state.tip, end.state.promise) == (was["tip"], was["promise"])
        assert not house.poster.of(tournament_place(end.state.id))


def _successor(view: TournamentView) -> int:
    return successor_id(view.state.id)


@second_release
async def test_one_whose_entrants_were_being_listed_is_promised_again_and_played(house: House) -> None:
    """Nobody knows whether the list was posted, so there might be two to choose from."""
    await house.registry.recover()
    name = "sign-up closed, nobody seated"
    end = await house.play_tournament(name)
    ((message, chain),) = house.poster.of(tournament_place(end.state.id))
    assert (end.state.tip, end.state.promise) == (chain.tip, message)
    assert end.state.tip != house.release.tournaments[name]["tip"]


@second_release
async def test_one_whose_promise_is_awaited_takes_people_in_once_it_stands(house: House, release: Release) -> None:
    was = release.tournaments["its promise is awaited"]
    member = await house.bank.members.sign_in(release.club, release.was["members"][0]["user"])
    view = await house.director.join(was["id"], member, press())
    ((message, chain),) = house.poster.of(tournament_place(was["id"]))
    assert (list(view.people), view.state.tip, view.state.promise) == ([member.user], chain.tip, message)


async def test_the_way_back_is_the_bank_as_that_release_left_it(old: str, release: Release, tmp_path: Path) -> None:
    """SQLite's file is copied before the schema is changed; a server's backups are its keeper's."""
    if not old.startswith("sqlite"):
        pytest.skip("a server is not copied")
    if release.was["schema"] == HEAD:
        pytest.skip("the schema is today's")

    def told(file: Path) -> list[str]:
        with contextlib.closing(sqlite3.connect(file)) as raw:
            return list(raw.iterdump())

    before = told(tmp_path / "bank.db")
    async with Bank.open(old, HouseSettings(), HandClock(release.was["now"])):
        pass
    copies = [told(copy) for copy in sorted(tmp_path.glob("bank.schema-*.db"))]  # noqa: ASYNC240
    assert copies == [before]
    assert told(tmp_path / "bank.db") != before


async def test_put_back_by_hand_it_goes_on_under_new_promises_only(old: str, release: Release) -> None:
    """Open hands are called off, and no seed or lot of that release is used any more: it may have been shown since."""
    clock = HandClock(release.was["now"])
    async with Bank.open(old, HouseSettings(think_seconds=0), clock) as bank:
        assert await bank.copies.restored() > 5
        house = House(release, bank, clock)
        await house.registry.recover()
        for name in IN_MID_HAND:
            now = house.table(name).snapshot()
            assert (now.phase, now.called_off, now.seals.commitment) == (TablePhase.BETTING, True, ""), name
        (name,) = [name for name, was in release.left_open.items() if was["fallen"]]
        table = house.table(name)
        await house.play_elimination(table)
        assert {stored.scheme for stored in await _rounds_of(house, table.id)} == {"3"}
        end = await house.play_tournament("playing")
        assert end.state.root
        (_, chain) = house.poster.of(tournament_place(end.state.id))[-1]
        assert chain.root.hex() == end.state.root
        sign_up = await house.tournament("sign-up")
        assert sign_up.state.tournament["version"] > 1
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []


async def test_what_a_killed_process_left_undone_is_done_once(house: House, release: Release) -> None:
    """Decided and not paid; paid and not told; cancelled with tables still open: and then this one is restarted too."""
    cancelled = "cancelled in play, tables open"
    mine = ("decided, not paid", "paid, not told", "paid, its root not shown", cancelled, "refunded", "over")
    names = [name for name in mine if name in release.tournaments]
    users = sorted({user for name in names for user in release.tournaments[name]["people"]})
    before = await house.wallets(users)
    await house.restart()
    for _ in range(2):
        await house.until(lambda: _all_told(house, names))
        assert {table.id for table in house.registry.tables()}.isdisjoint(release.tables_of(cancelled))
        owed = await house.tournament("decided, not paid")
        prizes = {line.user: owed.prizes[line.key] for line in owed.lines if line.key in owed.prizes}
        assert sum(prizes.values()) == release.tournaments["decided, not paid"]["pool"]
        after = await house.wallets(users)
        assert {user: after[user] - before[user] for user in users} == {user: prizes.get(user, 0) for user in users}
        await house.restart()


async def _all_told(house: House, names: Iterable[str]) -> bool:
    return all([(await house.tournament(name)).state.told for name in names])


async def test_put_back_by_hand_its_books_are_sound_before_it_is_started(old: str, release: Release) -> None:
    """Stakes lie on a coup that was sealed under a promise of before: they stay where they are."""
    clock = HandClock(release.was["now"])
    async with Bank.open(old, HouseSettings(think_seconds=0), clock) as bank:
        await bank.copies.restored()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
        house = House(release, bank, clock)
        await house.registry.recover()
        was = release.left_open["baccarat, stakes placed"]
        table = house.table("baccarat, stakes placed")
        over = await table.deal(was["opener"], press())
        assert (over.round, over.seals.commitment) == (was["round"] + 1, "")
        assert over.seals.code.endswith("-1")
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []


# -- days, duels and care of the fourth release ------------------------------------------------------------------------


@fourth_release
async def test_boards_of_todays_five_stand_as_they_stood_and_so_do_those_of_its_week(
    house: House, release: Release
) -> None:
    bank = house.bank
    for was in release.was["days"]:
        day = await bank.days.on(was["day"])
        assert day is not None
        board = await bank.boards.of_day(was["guild"], day)
        assert [[row.place, row.user, row.points] for row in board.rows] == was["rows"]
        week = await bank.seasons.board(was["guild"], Week(week_of(was["day"])), SeasonBoard.FIVE)
        assert [[row.place, row.user, row.value] for row in week.rows] == was["week"]


@fourth_release
async def test_r12_10_boards_of_seasons_stand_as_they_stood_and_duels_have_brought_points_since(
    house: House, release: Release
) -> None:
    """Alice beat Bob, who beat her later that day; Carol and Dave drew."""
    duelled, alice, _bob, carol, dave = release.was["guilds"][0]["guild"], *release.people[:4]
    for was in release.was["seasons"]:
        season = season_named(was["season"])
        assert season is not None
        page = await house.bank.seasons.board(was["guild"], season, SeasonBoard(was["by"]))
        rows = [[row.place, row.user, row.value, row.amount] for row in page.rows]
        if (was["guild"], was["by"]) == (duelled, "points"):
            assert (was["rows"], rows) == ([], [[1, alice, 2, 1], [2, carol, 1, 1], [2, dave, 1, 1]])
        else:
            assert (page.people, rows) == (was["people"], was["rows"])


class PressedLater(Release):
    """A release whose first duel has a later press than the second, for which the deals took longer."""

    def text(self, file: str) -> str:
        first, second = [was["id"] for was in self.was["duels"]][:2]
        return super().text(file).replace(str(first), str(second + 1))


@fourth_release
async def test_r12_10_of_old_duels_the_one_accepted_first_brings_the_points(release: Release, tmp_path: Path) -> None:
    """Alice won the one that they accepted first, Bob the one that they asked for first."""
    guild, alice, carol, dave = release.was["guilds"][0]["guild"], release.people[0], *release.people[2:4]
    clock = HandClock(release.was["now"])
    old = as_file(PressedLater(release.name), tmp_path / "bank.db")
    async with Bank.open(old, HouseSettings(), clock) as bank:
        page = await bank.seasons.board(guild, season_at(clock.now(), Span.MONTH), SeasonBoard.POINTS)
        assert [(row.user, row.value) for row in page.rows] == [(alice, 2), (carol, 1), (dave, 1)]
        assert Wrong.DUEL not in {fault.wrong for fault in (await bank.auditor.audit()).faults}


@fourth_release
async def test_a_day_that_was_begun_is_played_to_its_end(house: House, release: Release) -> None:
    bank, day = house.bank, await fives.today(house.bank)
    tries = {
        was["user"]: await bank.tries.find_in(day.id, await _person(bank, was["user"])) for was in release.was["tries"]
    }
    for was in release.was["tries"]:
        stored = tries[was["user"]]
        assert stored is not None
        assert [stored.steps, stored.version, stored.on(day).over] == [was["letters"], was["version"], was["over"]]
        for action in fives.perfect(day)[stored.version :] if not was["over"] else ():
            stored = await fives.press(bank, day, stored, action)
        assert stored.on(day).over
    board = await bank.boards.of_day(release.was["guilds"][0]["guild"], day)
    assert [row.user for row in board.rows if row.place == 1] == [release.people[1], release.people[2]]


async def _person(bank: Bank, user: int) -> int:
    person = await bank.tries.known(user)
    assert person is not None
    return person


@fourth_release
async def test_duels_are_played_on_for_the_stakes_that_were_laid(house: House, release: Release) -> None:
    bank, guild = house.bank, release.was["guilds"][0]["guild"]
    for was in release.was["duels"]:
        duel = await bank.duels.known(was["id"])
        assert [duel.state, duel.ending, duel.winner, duel.deadline] == [
            was["state"], was["ending"], was["winner"], was["deadline"],
        ]  # fmt: skip
        assert [[side.user, side.done] for side in duel.sides] == [
            list(side) for side in zip(was["users"], was["done"], strict=True)
        ]
    running, against, asked = [was for was in release.was["duels"] if was["state"] != "ended"]
    winner, loser = running["users"]
    before = await house.balance(guild, winner)
    await _finish(bank, running["id"], loser, worst=True)
    await _finish(bank, against["id"], against["users"][0])
    assert await house.balance(guild, winner) == before + 2 * running["stake"]
    both = [await bank.members.sign_in(guild, user) for user in asked["users"]]
    accepted = await bank.challenges.accept(asked["id"], both[1], for_fun=False)
    assert accepted.stake == asked["offered"]
    month = season_at(house.clock.now(), Span.MONTH)
    points = await bank.seasons.board(guild, month, SeasonBoard.POINTS, user=winner)
    assert points.own is not None
    assert points.own.value == 2


async def _finish(bank: Bank, number: int, user: int, *, worst: bool = False) -> None:
    duel = await bank.duels.known(number)
    stored, deals = await bank.duels.begin(duel, user), await bank.duels.deals(duel)
    for action in pairs.presses(deals, worst=worst)[stored.version :]:
        stored = await bank.tries.press(stored, stored.on(deals).pressed(action, deals.shoes))
    assert await bank.duels.end(number) is not None


@fourth_release
async def test_breaks_limits_wishes_and_roles_hold_on(house: House, release: Release) -> None:
    bank, guild = house.bank, release.was["guilds"][0]["guild"]
    for was in release.was["care"]:
        limits = {kind.value: asdict(limit) for kind, limit in (await bank.limits.of(was["user"])).items()}
        assert [asdict(await bank.breaks.of(was["user"])), limits] == [was["breaks"], was["limits"]]
        assert asdict(await bank.wishes.of(was["user"])) == was["wishes"]
    assert sum(was["breaks"]["everything"] is not None for was in release.was["care"]) == 1
    for was in release.was["holdings"]:
        found = {held.role: held for held in await bank.shop.held_by(was["member"])}[was["role"]]
        assert [found.state, found.until] == [was["state"], was["until"]]
    (job,) = await bank.jobs.due(ROLE)  # paid, not given
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    await bank.shop.given(job, "here")
    settings = await bank.guilds.settings(guild)
    assert settings.currency is not None
    assert asdict(settings.currency) == release.was["guilds"][0]["currency"]
