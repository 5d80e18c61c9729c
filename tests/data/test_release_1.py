"""A bank of the first release, opened by this one: nothing is lost, and everything goes on where it stood.

What was in it is told in tests/fixtures/release_1; whoever moves things about in the project leaves that folder alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from data import Bank, Ladder
from data.proofs.report import Wrong
from engine.fairness.record import Record, RecordOne
from engine.fairness.verify import verify
from engine.games import registry as games
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.places import tournament_place
from engine.tables.ports import Surroundings, Watchers
from engine.tables.rebuilt import record_of
from engine.tables.refused import Refused
from engine.tables.snapshot import CloseReason, Snapshot, TablePhase
from engine.tables.table import Table
from engine.tables.values import StoredRound
from engine.tournament.books import TournamentBooks
from engine.tournament.director import Director
from engine.tournament.run import TournamentSurroundings
from engine.tournament.state import successor_id
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView
from tests.data.by_hand import bind_all, by_hand
from tests.data.dealer import HandClock, press
from tests.data.servers import Server
from tests.engine.tables.conftest import CountedSeeds
from tests.engine.tables.theatre import Crier, Days
from tests.posted import Posted

FOLDER = Path(__file__).parents[1] / "fixtures" / "release_1"
WAS: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
#: Of that release; a later one may have more.
RULE_SETS = {"vegas", "original", "classic", "kitchen", "four-seat", "ctrl-alt-bet", "punto-banco", "casino"}
LEFT_OPEN = {table["name"]: table for table in WAS["tables"] if table["name"] != "of a tournament"}
TOURNAMENTS = {each["name"]: each for each in WAS["tournaments"]}


def text(name: str) -> str:
    return gzip.decompress((FOLDER / name).read_bytes()).decode()


def records() -> list[RecordOne]:
    kept = [Record.from_json(line) for line in text("records.jsonl.gz").splitlines()]
    return [record for record in kept if isinstance(record, RecordOne)]


def asked(now: Snapshot) -> list[int]:
    """The seats that may answer something now."""
    return [seat for seat, words in enumerate(now.legal) if words] if now.phase is TablePhase.PLAYING else []


class House:
    """This release on the old bank, as one process."""

    def __init__(self, bank: Bank, clock: HandClock) -> None:
        self.bank, self.clock = bank, clock
        self._start()

    def _start(self) -> None:
        watchers, seeds = Watchers(self), CountedSeeds()
        self.crier = Crier()
        self.poster = Posted()
        house = self.bank.guilds.house
        self.registry = OpenTables(Surroundings(self.bank, self.clock, seeds, watchers, house, self.poster))
        books = TournamentBooks(self.bank, self.clock)
        shared = TournamentSurroundings(self.bank, books, self.registry, self.crier, Days(), self.clock)
        self.director = Director(shared, WAS["process"], lambda guild: True)
        watchers.between_hands.append(self.director)

    def changed(self, table: Table) -> None:
        """Nobody looks on."""

    async def restart(self) -> None:
        await self.rest()
        self._start()
        await self.registry.recover()
        self.director.wake()

    async def rest(self) -> None:
        await self.director.shutdown()
        await self.registry.shutdown()
        ringing = [task for task in asyncio.all_tasks() if task.get_name().startswith(("tournament", "table"))]
        await asyncio.gather(*ringing, return_exceptions=True)

    # -- looking -------------------------------------------------------------------------------------------------------

    def table(self, name: str) -> Table:
        found = self.registry.get(LEFT_OPEN[name]["id"])
        assert found is not None, f"the table {name} was not taken up"
        return found

    async def tournament(self, name: str) -> TournamentView:
        return await self.director.view(TOURNAMENTS[name]["id"])

    async def balance(self, guild: int, user: int) -> int:
        found = await self.bank.members.balance(guild, user)
        assert found is not None
        return found

    async def wallets(self, users: Iterable[int]) -> dict[int, int]:
        """Of the guild where the tournaments are."""
        return {user: await self.balance(CLUB, user) for user in users}

    async def until(self, done: Callable[[], Awaitable[bool]]) -> None:
        async with asyncio.timeout(60):
            while True:
                if await done():
                    return
                await asyncio.sleep(0.002)

    # -- playing -------------------------------------------------------------------------------------------------------

    async def play(self, table: Table) -> Snapshot:
        """The round to its end: nobody takes another card."""
        async with asyncio.timeout(60):
            while (now := table.snapshot()).phase is TablePhase.PLAYING:
                await self._answer(table, now)
                await asyncio.sleep(0)
        return table.snapshot()

    async def play_eliminations(self) -> None:
        for table in self.registry.tables():
            now = table.snapshot()
            if now.elimination is None:
                continue
            with contextlib.suppress(Refused):  # its clock or its computer players were quicker
                asked = now.elimination.asked if now.phase is TablePhase.BETTING else None
                user = now.players[asked].user if asked is not None else None
                if user is not None:
                    await table.stake(user, {"main": now.offers["smallest"]}, press())
                else:
                    await self._answer(table, now)

    async def _answer(self, table: Table, now: Snapshot) -> None:
        for seat in asked(now):
            sitter = now.sitter_at(seat)
            if sitter is not None and sitter.user is not None:
                quiet = next(word for word in ("stand", "decline", "surrender") if word in now.legal[seat])
                await table.act(sitter.user, quiet, now.round, now.turn, press())
                return

    async def empty(self, table: Table) -> None:
        for chair in table.state.people:
            with contextlib.suppress(Refused):
                await table.leave(chair.user, press())


CLUB: int = next(table["guild"] for table in WAS["tables"] if table["name"] == "of a tournament")


@pytest.fixture
async def old(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The address of the old bank, as it was when its process was killed."""
    if kind == "sqlite":
        file = tmp_path / "bank.db"
        with contextlib.closing(sqlite3.connect(file)) as raw:
            raw.executescript(text("sqlite.sql.gz"))
        yield f"sqlite:///{file}"
    else:
        server: Server = request.getfixturevalue("server")
        address = await server.empty()
        raw = await asyncpg.connect(address)
        await raw.execute(text("postgresql.sql.gz"))
        await raw.close()
        yield address
        await server.drop(address)


@pytest.fixture
async def house(old: str) -> AsyncIterator[House]:
    clock = HandClock(WAS["now"])
    async with Bank.open(old, HouseSettings(think_seconds=0), clock) as bank:
        house = House(bank, clock)
        yield house
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []


# -- nothing is lost ---------------------------------------------------------------------------------------------------


async def test_all_that_was_booked_is_still_there(house: House) -> None:
    report = await house.bank.auditor.audit()
    assert report.clean, report.faults
    assert {name: getattr(report, name) for name in WAS["audit"]} == WAS["audit"]


async def test_everybody_has_their_chips_their_settings_and_their_history(house: House) -> None:
    for was in WAS["members"]:
        member = await house.bank.members.sign_in(was["guild"], was["user"])
        settings = await house.bank.members.settings(member.id)
        assert (member.id, member.balance) == (was["member"], was["balance"])
        assert await house.bank.members.in_play(member.id) == was["in_play"]
        assert [settings.language, settings.phrase] == [was[name] for name in ("language", "phrase")]
        assert settings.warnings is False  # nobody had asked to be warned
        assert await _history(house, member.id) == (was["rounds"], was["net"])


async def test_servers_keep_what_they_set(house: House) -> None:
    for was in WAS["guilds"]:
        now = asdict(await house.bank.guilds.settings(was["guild"]))
        assert list(now["channels"]) == was["channels"]
        assert {name: now["house"][name] for name in was["house"]} == was["house"]
        plain = ("language", "zone", "account_days", "server_days")
        assert [now[name] for name in plain] == [was[name] for name in plain]
    rules = await house.bank.guilds.rule_sets(WAS["guilds"][0]["guild"])
    assert [[own.game, own.name] for own in rules] == [[own["game"], own["name"]] for own in WAS["rule_sets"]]
    for own, kept in zip(rules, WAS["rule_sets"], strict=True):
        assert games.game(own.game).rules_from_json(own.rules) == games.game(own.game).rules_from_json(kept["rules"])


async def test_the_leaderboards_are_in_the_same_order(house: House) -> None:
    for was in WAS["leaderboards"]:
        board = await house.bank.ladders.leaderboard(was["guild"], Ladder(was["by"]))
        assert [[row.place, row.user, row.value] for row in board.rows] == was["rows"]
        assert board.people == was["people"]
    guilds = dict.fromkeys(was["guild"] for was in WAS["leaderboards"])
    assert [asdict(best) for guild in guilds for best in await house.bank.titles.champions(guild)] == WAS["champions"]


def test_every_record_of_the_release_still_verifies() -> None:
    kept = records()
    assert len(kept) == WAS["finished_rounds"]
    assert {record.rules_name for record in kept} >= RULE_SETS
    for record in kept:
        finding = verify(record)
        assert finding.holds, (record, finding.fault)


async def test_every_round_in_the_bank_is_the_record_that_was_written_down(house: House) -> None:
    kept = {record.commitment: record for record in records()}
    found = set()
    for was in WAS["members"]:
        page = await house.bank.records.history(was["member"], size=1_000)
        for played in page.rounds:
            stored = await house.bank.records.round(played.code, was["guild"])
            assert stored is not None
            assert record_of(stored) == kept[stored.commitment]
            found.add(stored.commitment)
    assert len(found) > 150


async def test_its_whole_past_is_bound_once_and_shows_from_then_on_what_is_changed(house: House) -> None:
    bank = house.bank
    before = await bank.leaves.loose()
    assert min(before) > 150
    assert await bind_all(bank) == sum(before)
    assert (await bank.leaves.loose(), await bind_all(bank)) == ((0, 0), 0)
    assert (await bank.auditor.audit()).clean
    await by_hand(bank, "UPDATE transfers SET at = at - 60 WHERE id = (SELECT min(id) FROM transfers)")
    assert {fault.wrong for fault in (await bank.auditor.audit()).faults} == {Wrong.LEAF}
    await by_hand(bank, "UPDATE transfers SET at = at + 60 WHERE id = (SELECT min(id) FROM transfers)")


async def test_its_backup_is_restored_whole(url: str) -> None:
    async with Bank.open(url, HouseSettings(), HandClock(WAS["now"])) as bank:
        found = await bank.copies.restore(text("backup.jsonl.gz").splitlines())
        assert found.clean, found.faults
        assert {name: getattr(found, name) for name in WAS["audit"]} == WAS["audit"]
    async with Bank.open(url, HouseSettings(), HandClock(WAS["now"]), upgrade=False) as bank:
        for was in WAS["members"]:
            member = await bank.members.sign_in(was["guild"], was["user"])
            assert (member.id, member.balance) == (was["member"], was["balance"])


# -- tables ------------------------------------------------------------------------------------------------------------


async def test_open_tables_are_taken_up_just_as_they_were(house: House) -> None:
    rows = {stored.row.id: stored.row for stored in await house.bank.tables.still_open()}
    assert {number: row.deadline for number, row in rows.items()} == {
        was["id"]: was["deadline"] for was in WAS["tables"]
    }
    await house.registry.recover()
    for was in WAS["tables"]:
        table = house.registry.get(was["id"])
        assert table is not None
        assert _told(table.snapshot()) == {name: was[name] for name in _told(table.snapshot())}, was["name"]


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
        "commitment": now.commitment,
        "next_commitment": now.next_commitment,
        "road": list(now.road),
        "stacks": [seat.stack for seat in seats] if seats is not None else None,
        "fallen": sum(seat.fall is not None for seat in seats) if seats is not None else None,
    }


async def test_a_hand_is_played_on_from_the_shoe_it_began_with(house: House) -> None:
    await house.registry.recover()
    for name in ("in mid-hand, split", "stacks in play", "war, in its question"):
        over, was = await house.play(house.table(name)), LEFT_OPEN[name]
        assert over.settlement is not None
        assert over.round == was["round"]
        assert hashlib.sha256(bytes.fromhex(over.revealed_seed)).hexdigest() == was["commitment"]


async def test_the_next_round_has_the_seed_that_was_sealed_before_its_stakes(house: House) -> None:
    await house.registry.recover()
    blackjack, baccarat = house.table("between rounds"), house.table("baccarat, stakes placed")
    for user in LEFT_OPEN["between rounds"]["users"]:
        await blackjack.stake(user, {"main": 5 * CHIP}, press(), number=blackjack.state.sealed)
    await baccarat.deal(LEFT_OPEN["baccarat, stakes placed"]["opener"], press(), number=baccarat.state.sealed)
    for table, was in ((blackjack, LEFT_OPEN["between rounds"]), (baccarat, LEFT_OPEN["baccarat, stakes placed"])):
        now = table.snapshot()
        assert (now.round, now.commitment) == (was["round"] + 1, was["next_commitment"])


async def test_when_all_have_played_on_and_left_every_chip_is_back_where_it_belongs(house: House) -> None:
    await house.registry.recover()
    for name, was in LEFT_OPEN.items():
        table = house.table(name)
        if was["stacks"] is not None:
            await _play_elimination(house, table)
            continue
        if name == "baccarat, stakes placed":
            await table.deal(was["opener"], press())
        await house.play(table)
        await house.empty(table)
        assert table.snapshot().close_reason is CloseReason.LEFT, name
    for was in WAS["members"]:
        if was["guild"] != CLUB:
            assert await house.bank.members.in_play(was["member"]) == 0
            won_since = (await _history(house, was["member"]))[1] - was["net"]
            assert await house.balance(was["guild"], was["user"]) == was["balance"] + was["in_play"] + won_since


async def _play_elimination(house: House, table: Table) -> None:
    async def over() -> bool:
        await house.play_eliminations()
        return table.snapshot().phase is TablePhase.CLOSED

    await house.until(over)
    assert table.snapshot().close_reason is CloseReason.WON


async def _history(house: House, member: int) -> tuple[int, int]:
    """How many rounds, and what came of those for real chips."""
    page = await house.bank.records.history(member, size=1_000)
    return len(page.rounds), sum(played.net for played in page.rounds if played.real)


async def test_after_the_round_that_was_sealed_a_table_goes_on_under_the_new_scheme(house: House) -> None:
    await house.registry.recover()
    for name in ("between rounds", "in mid-hand, split"):
        table, was = house.table(name), LEFT_OPEN[name]
        await house.play(table)
        for user in was["users"]:
            await table.stake(user, {"main": 5 * CHIP}, press(), number=table.state.sealed)
        first = await house.play(table)
        for user in was["users"]:
            await table.stake(user, {"main": 5 * CHIP}, press(), number=table.state.sealed)
        second = await house.play(table)
        assert (first.commitment != "", second.commitment) == (name == "between rounds", "")
        assert [each.place for each, _ in house.poster.messages.values()].count(table.state.chain_place) == 1


async def test_an_elimination_table_keeps_its_scheme_to_its_end(house: House) -> None:
    await house.registry.recover()
    (name,) = [name for name, was in LEFT_OPEN.items() if was["fallen"]]
    table = house.table(name)
    begun = LEFT_OPEN[name]["round"]
    await _play_elimination(house, table)
    assert table.state.round > begun
    assert table.state.elimination is not None
    assert table.state.elimination["version"] == 1
    assert {stored.scheme for stored in await _rounds_of(house, table.id)} == {"1"}
    assert house.poster.messages == {}


async def _rounds_of(house: House, table: int) -> Sequence[StoredRound]:
    stored = await house.bank.tables.stored(table)
    assert stored is not None
    return stored.rounds


# -- tournaments -------------------------------------------------------------------------------------------------------


async def test_tournaments_stand_where_they_stood(house: House) -> None:
    await house.registry.recover()
    for name, was in TOURNAMENTS.items():
        now = await house.tournament(name)
        state = now.state
        assert (now.phase.value, list(now.people), now.pool, now.buy_in) == (
            was["phase"], was["people"], was["pool"], was["buy_in"],
        ), name  # fmt: skip
        assert (now.stage, now.tables, now.running) == (was["stage"], was["tables"], was["running"])
        assert (state.channel, state.message, state.starts, state.told) == (
            was["channel"], was["message"], was["starts"], was["told"],
        )  # fmt: skip
        assert dict(now.prizes) == was["prizes"]
        if was["ranking"]:
            assert [line.key for line in now.lines] == was["ranking"]


async def test_people_sign_up_and_leave_and_it_is_played_for_the_whole_pool(house: House) -> None:
    await house.registry.recover()
    was = TOURNAMENTS["sign-up"]
    first, *_others = was["people"]
    newcomer = next(each["user"] for each in WAS["members"] if each["user"] not in was["people"])
    before = await house.wallets([first, newcomer])
    await house.director.leave(was["id"], await house.bank.members.sign_in(CLUB, first), press())
    await house.director.join(was["id"], await house.bank.members.sign_in(CLUB, newcomer), press())
    buy_in = was["buy_in"]
    assert await house.wallets([first, newcomer]) == {
        first: before[first] + buy_in,
        newcomer: before[newcomer] - buy_in,
    }
    house.clock.time = was["starts"]
    await _played_to_its_end(house, "sign-up", was["pool"])
    await _kept_its_scheme(house, "sign-up")


async def test_a_tournament_in_play_is_played_to_its_end(house: House) -> None:
    await house.registry.recover()
    await _played_to_its_end(house, "playing", TOURNAMENTS["playing"]["pool"])
    await _kept_its_scheme(house, "playing")


async def _kept_its_scheme(house: House, name: str) -> None:
    end = await house.tournament(name)
    assert end.state.tournament["version"] == 1
    assert {chain.place for chain, _ in house.poster.messages.values()} <= {_successor(end)}


async def _played_to_its_end(house: House, name: str, pool: int) -> None:
    async def over() -> bool:
        await house.play_eliminations()
        return (await house.tournament(name)).state.told

    house.director.wake()
    await house.until(over)
    end = await house.tournament(name)
    assert end.phase is TournamentPhase.OVER
    assert sum(end.prizes.values()) == pool


async def test_the_way_back_is_the_bank_as_that_release_left_it(old: str, tmp_path: Path) -> None:
    """SQLite's file is copied before the schema is changed; a server's backups are its keeper's."""
    if not old.startswith("sqlite"):
        pytest.skip("a server is not copied")

    def told(file: Path) -> list[str]:
        with contextlib.closing(sqlite3.connect(file)) as raw:
            return list(raw.iterdump())

    before = told(tmp_path / "bank.db")
    async with Bank.open(old, HouseSettings(), HandClock(WAS["now"])):
        pass
    copies = [told(copy) for copy in sorted(tmp_path.glob("bank.schema-*.db"))]  # noqa: ASYNC240
    assert copies == [before]
    assert told(tmp_path / "bank.db") != before


async def test_put_back_by_hand_it_goes_on_under_the_new_scheme_only(old: str) -> None:
    """Open hands are called off, and no seed or lot of that release is used any more: it may have been shown since."""
    async with Bank.open(old, HouseSettings(think_seconds=0), HandClock(WAS["now"])) as bank:
        assert await bank.copies.restored() > 5
        house = House(bank, HandClock(WAS["now"]))
        await house.registry.recover()
        for name in ("in mid-hand, split", "stacks in play", "war, in its question"):
            now = house.table(name).snapshot()
            assert (now.phase, now.called_off, now.commitment) == (TablePhase.BETTING, True, ""), name
        (name,) = [name for name, was in LEFT_OPEN.items() if was["fallen"]]
        table = house.table(name)
        await _play_elimination(house, table)
        assert {stored.scheme for stored in await _rounds_of(house, table.id)} == {"2"}
        playing = TOURNAMENTS["playing"]
        await _played_to_its_end(house, "playing", playing["pool"])
        end = await house.tournament("playing")
        assert end.state.root
        (_, chain) = house.poster.of(tournament_place(playing["id"]))[-1]
        assert chain.root.hex() == end.state.root
        sign_up = await house.tournament("sign-up")
        assert sign_up.state.tournament["version"] == 2
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []


def _successor(view: TournamentView) -> str:
    return tournament_place(successor_id(view.state.id))


async def test_what_a_killed_process_left_undone_is_done_once(house: House) -> None:
    """Decided and not paid; paid and not told; cancelled with tables still open: and then this one is restarted too."""
    names = ("decided, not paid", "paid, not told", "cancelled in play, tables open", "refunded", "over")
    users = sorted({user for name in names for user in TOURNAMENTS[name]["people"]})
    before = await house.wallets(users)
    await house.restart()
    for _ in range(2):
        await house.until(lambda: _all_told(house, names))
        assert {table.id for table in house.registry.tables()}.isdisjoint(_tables_of_the_cancelled())
        owed = await house.tournament("decided, not paid")
        prizes = {line.user: owed.prizes[line.key] for line in owed.lines if line.key in owed.prizes}
        assert sum(prizes.values()) == TOURNAMENTS["decided, not paid"]["pool"]
        after = await house.wallets(users)
        assert {user: after[user] - before[user] for user in users} == {user: prizes.get(user, 0) for user in users}
        await house.restart()


def _tables_of_the_cancelled() -> set[int]:
    return set(TOURNAMENTS["cancelled in play, tables open"]["tables_open"])


async def _all_told(house: House, names: Iterable[str]) -> bool:
    return all([(await house.tournament(name)).state.told for name in names])


async def test_put_back_by_hand_its_books_are_sound_before_it_is_started(old: str) -> None:
    """Stakes lie on a coup that was sealed under the old scheme: they stay where they are."""
    async with Bank.open(old, HouseSettings(think_seconds=0), HandClock(WAS["now"])) as bank:
        await bank.copies.restored()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
        house = House(bank, HandClock(WAS["now"]))
        await house.registry.recover()
        was = LEFT_OPEN["baccarat, stakes placed"]
        table = house.table("baccarat, stakes placed")
        over = await table.deal(was["opener"], press())
        assert (over.round, over.commitment) == (was["round"] + 1, "")
        assert over.code.endswith("-1")
        await house.rest()
        assert [str(fault) for fault in (await bank.auditor.audit()).faults] == []
