"""Every column has a sentence that says what proves it, or why nothing need; and those that are proved are.

A bank with everything in it is changed by hand, one value of each such column, and the audit has to say so.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from data import Bank, Championship, Job, Length, LimitKind, Rest, Ware
from data.base.columns import KEPT, Proved
from data.base.schema import members, metadata, tournaments
from data.copies import dump
from data.ledger import resets
from data.people.fingerprints import DAY
from data.proofs.audit import MONEY, PAST, PLAY, Findings, go_through
from data.proofs.slices import Walk
from data.seasons import places
from engine.stored_words import TOURNAMENT
from engine.tables.house import HouseSettings
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament
from tests.data.by_hand import bind_all
from tests.data.crowd import one_of_each
from tests.data.dealer import GUILD, HandClock
from tests.data.fives import two_days
from tests.data.pairs import every_kind
from tests.data.seated import Seated
from tests.releases import Release

PAGE: Final = Path(__file__).parents[2] / "docs" / "columns.md"
#: The walks that play rounds again take longest: they come last.
WALKS: Final = sorted((*MONEY, *PLAY, *PAST), key=lambda walk: walk.what in ("rounds", "packs", "leaves"))
PROVED: Final = [
    (table, column, proof) for table, kept in KEPT.items() for column, proof, _ in kept.sentences if proof is not None
]


def test_every_column_has_its_sentence_once() -> None:
    for table in metadata.sorted_tables:
        said = [column for column, _, _ in KEPT[table.name].sentences]
        assert sorted(said) == sorted(table.columns.keys()), table.name
    assert KEPT.keys() == metadata.tables.keys()


def test_every_sentence_is_one() -> None:
    for kept in KEPT.values():
        for sentence in (kept.mine, kept.forget, kept.restored, kept.export, *(text for _, _, text in kept.sentences)):
            if " " in sentence:
                assert sentence[0].isupper(), sentence
                assert sentence.endswith("."), sentence


def test_the_page_says_the_same(request: pytest.FixtureRequest) -> None:
    """`make golden` writes it."""
    if request.config.getoption("--golden"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def page() -> str:
    return "\n\n".join([HEAD, *(section(name) for name in KEPT)]) + "\n"


def section(name: str) -> str:
    kept, by_sentence = KEPT[name], dict[tuple[bool, str], list[str]]()
    for column, proof, sentence in kept.sentences:
        by_sentence.setdefault((proof is not None, sentence), []).append(f"`{column}`")
    rows = [
        f"| {', '.join(columns)} | {'proved' if proved else 'not proved'} | {sentence} |"
        for (proved, sentence), columns in by_sentence.items()
    ]
    beside = [
        f"- {what}: {sentence}"
        for what, sentence in {
            "export": kept.export,
            "*Get mine*": kept.mine if " " in kept.mine else f"In `{kept.mine}`.",
            "*Forget me*": kept.forget,
            "restored": kept.restored,
        }.items()
    ]
    return "\n".join([f"## {name}", "", "| columns | | |", "|---|---|---|", *rows, "", *beside])


HEAD: Final = """# Every column of the bank

What the audit holds each column against, or why it need not ([bank.md](bank.md)). Below each table stands what becomes
of its rows in `python -m data export`, in *Get mine* and *Forget me* of `/privacy`, and when a backup is restored.
`data/base/columns.py` says it, and `make golden` writes this page. A test changes a value of each column that is
proved, and expects the audit to notice."""


async def test_get_mine_hands_out_every_table_that_says_so(bank: Bank) -> None:
    await bank.members.sign_in(GUILD, 1)
    export = await bank.privacy.export(GUILD, 1)
    assert export is not None
    assert {kept.mine for kept in KEPT.values() if " " not in kept.mine} == export.keys()


async def test_an_export_hides_what_it_is_said_to_hide(bank: Bank) -> None:
    for name, kept in KEPT.items():
        for column in kept.secret:
            assert column in metadata.tables[name].columns
    assert {name for name, kept in KEPT.items() if not kept.exported} == {
        *("keys", "forgotten", "breaks", "limits", "wishes")
    }
    async with bank._store.reading() as connection:
        assert [line async for line in dump.export(connection)] == []


# -- what is proved ----------------------------------------------------------------------------------------------------


class Hand:
    """Somebody who can write to the file past the program."""

    def __init__(self, file: Path, bank: Bank) -> None:
        self.file, self.bank = file, bank

    @contextlib.contextmanager
    def raw(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self.file)) as raw, raw:
            yield raw

    def change(self, table: str, column: str, proof: Proved) -> tuple[Any, Any, Any]:
        """One value of a row in the midst of those that are proved: which row, what it was, what it is now."""
        with self.raw() as raw:
            where = f"WHERE {proof.of}" if proof.of else ""
            key = _key(table)
            rows = raw.execute(f'SELECT {key}, "{column}" FROM {table} {where} ORDER BY {key}').fetchall()
            assert rows, f"no row of {table} to change {column} of"
            *found, was = rows[len(rows) // 2]
            others = _others(was, column, [row[-1] for row in rows])
            for now in (other for other in others if other != was):
                with contextlib.suppress(sqlite3.IntegrityError):
                    self._set(raw, table, column, found, now)
                    return found, was, now
        raise AssertionError(f"{table}.{column} cannot be changed")

    def put_back(self, table: str, column: str, found: Any, was: Any, now: Any) -> None:
        key = [
            now if name.strip('"') == column else value
            for name, value in zip(_key(table).split(", "), found, strict=True)
        ]
        with self.raw() as raw:
            self._set(raw, table, column, key, was)

    def _set(self, raw: sqlite3.Connection, table: str, column: str, key: Any, value: Any) -> None:
        this = " AND ".join(f"{name} IS ?" for name in _key(table).split(", "))
        assert raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE {this}', (value, *key)).rowcount == 1

    async def first_fault(self, table: str) -> str:
        """Return the first fault of an audit that begins with the walks through this table."""
        for walk in sorted(WALKS, key=lambda walk: _walked(walk) != table):
            findings = Findings()
            await go_through(walk, self.bank._store.slicing, findings)
            faults = findings.first_faults()
            if faults:
                return str(faults[0])
        return ""


def _walked(walk: Walk) -> str:
    table = walk.key[0].table
    return table.name if isinstance(table, sa.Table) else ""


def _key(table: str) -> str:
    return ", ".join(f'"{column.name}"' for column in metadata.tables[table].primary_key)


def _others(was: Any, column: str, all_of_them: list[Any]) -> Iterator[Any]:
    """Values of the same kind, the likeliest to be believed first: another row's, or nearly the same."""
    if column == "doc":
        yield json.dumps({**json.loads(was), "version": json.loads(was)["version"] + 1})
    elif isinstance(was, bytes):
        yield bytes([was[0] ^ 1]) + was[1:]
    elif isinstance(was, str):
        yield from (other for other in all_of_them if other is not None)
        yield re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit[0]) + 1) % 10), was)
        yield f"{was}x"
    elif isinstance(was, float):
        yield was + (10 * 365 if column == "due" else -1) * 86_400.0
    elif was in (0, 1, None):
        yield from (1 - (was or 0), 7_919)
    else:
        yield from (was + 1, was + 7_919)


@pytest.fixture
async def hand(tmp_path: Path) -> AsyncIterator[Hand]:
    """A bank of the second release with two tables and two days of this one, all bound but its last rounds."""
    release, file = Release("release_2"), tmp_path / "bank.db"
    with contextlib.closing(sqlite3.connect(file)) as raw:
        raw.executescript(release.text("sqlite.sql.gz"))
    clock = HandClock(release.was["now"])
    async with Bank.open(f"sqlite:///{file}", HouseSettings(), clock) as bank:
        for solo in (True, False):
            seated = await Seated(bank, clock).sit(solo=solo)
            for _ in range(2):
                await seated.stake()
                await seated.stand()
        await hand_out_roles(bank, clock)
        await a_reset(bank, clock)
        await take_breaks(bank, clock)
        await every_kind(bank, clock, GUILD + 1)
        await one_of_each(bank, clock, GUILD + 2)
        await two_days(bank, clock, GUILD)
        await a_podium(bank)
        await bind_all(bank)
        yield Hand(file, bank)


async def a_reset(bank: Bank, clock: HandClock) -> None:
    """Three people on a server of their own, whose chips were reset."""
    first, *_ = [await bank.members.sign_in(GUILD + 2, user) for user in (1, 2, 3)]
    await bank.chips.grant(first.id, 4_000_00, actor=first.id, reason="a lead", press=7_300)
    reset = await bank.resets.order(7_301, first, 70, 500_00, 0.0)
    await bank.resets.announced(reset.id, None)
    clock.time = reset.at
    assert await bank.resets.slice(await bank.resets.begin(reset)) == (3, 0)
    await bank.resets.end(reset.id)
    await bank.jobs.cancel(resets.key_of(reset.id))


async def a_podium(bank: Bank) -> None:
    """The points that a tournament of the release would bring today."""
    async with bank._store.reading() as connection:
        over = sa.select(tournaments).where(tournaments.c.phase == "over", tournaments.c.guild != GUILD + 2)
        row = (await connection.execute(over.order_by(tournaments.c.id).limit(1))).one()
    podium = Tournament.replay(TournamentState.from_json(row.doc).tournament).podium()
    batch = bank._store.batch()
    places.award(batch, row.guild, f"{TOURNAMENT}/{row.id}", [(int(key), won) for key, won in podium], row.starts)
    await bank._store.write.run(batch)


async def take_breaks(bank: Bank, clock: HandClock) -> None:
    """Breaks of a few people whom the release knew, one of whom asked to come back."""
    async with bank._store.reading() as connection:
        known = sa.select(members.c.user_id).where(members.c.user_id.is_not(None)).order_by(members.c.id).limit(3)
        first, second, third = (await connection.execute(known)).scalars()
    clock.time -= 366 * DAY
    await bank.breaks.begin(first, Rest.EVERYTHING, Length.FOR_GOOD)
    clock.time += 366 * DAY
    await bank.breaks.ask_to_end(first)
    await bank.breaks.begin(second, Rest.CHIPS, Length.MONTH)
    await bank.breaks.begin(third, Rest.EVERYTHING, Length.WEEK)
    for most in (500, 200, 800):  # set, cut, and to rise tomorrow
        await bank.limits.set(first, LimitKind.LOSS_DAY, most)
        await bank.limits.set(second, LimitKind.HANDS_DAY, most)


async def hand_out_roles(bank: Bank, clock: HandClock) -> None:
    """Roles for good and for a time, some of them over, refused or not given yet, and one that was won."""
    async with bank._store.reading() as connection:
        known = sa.select(members.c.guild, members.c.user_id).where(members.c.user_id.is_not(None))
        guild, user = (await connection.execute(known.order_by(members.c.id).limit(1))).one()
    somebody = await bank.members.sign_in(guild, user)
    await bank.chips.grant(somebody.id, 10_000_00, actor=somebody.id, reason="roles", press=7_000)
    for number, (seconds, deed) in enumerate(
        [(None, "give"), (DAY, "give"), (DAY, "end"), (None, "give"), (DAY, "refuse"), (7 * DAY, "give"), (DAY, "")]
    ):
        ware = Ware(900 + number, 1_00 + number, seconds)
        await bank.shop.offer(guild, ware)
        await role(bank, await bank.shop.buy(somebody, ware, 7_100 + number), deed, clock)
        clock.time += 60.0
    await bank.champions.choose(guild, Championship.WEEK, 990)
    await bank.champions.crown(somebody, Championship.WEEK, 990, 7_200)
    await bank.jobs.cancel(f"champions/{guild}")


async def role(bank: Bank, job: Job, deed: str, clock: HandClock) -> None:
    if not deed:
        return
    assert await bank.jobs.claim(job.key, "here", seconds=90)
    if deed == "refuse":
        await bank.shop.refund(job, "here")
        return
    await bank.shop.given(job, "here")
    if deed == "end":
        clock.time += DAY
        assert await bank.jobs.claim(job.key, "here", seconds=90)
        await bank.shop.ended(job, "here")


@pytest.mark.slow
async def test_whatever_is_said_to_be_proved_is_noticed_when_it_is_changed(hand: Hand) -> None:
    unnoticed = list[str]()
    for table, column, proof in PROVED:
        found, was, now = hand.change(table, column, proof)
        if not await hand.first_fault(table):
            unnoticed.append(f"{table}.{column}: {was!r} became {now!r}"[:300])
        hand.put_back(table, column, found, was, now)
    assert unnoticed == []
    assert await hand.first_fault("members") == ""


#: Rows that are missed when they are gone.
MISSED: Final = {
    "members": "id = 1",
    "pots": "balance > 0",
    "transfers": "id = 5",
    "tables": "open = 1",
    "causes": "of IS NOT NULL",
    "promises": "slots > 0",
    "chains": "used > 0",
    "packs": "id = 1",
    "rule_texts": "true",
    "rounds": "pack IS NULL AND finished_at IS NOT NULL",
    "leaves": "place = 1",
    "breaks": "ends IS NULL",
    "limits": "most = 200",
    "steps": "place = 0",
    "plays": "real = 1",
    "jobs": "done_at IS NULL AND kind = 'cup'",
    "tournaments": "open = 1 AND phase = 'sign-up'",
    "entries": "buy_in > 0",
    "holdings": "state = 'held'",
    "titles": "source LIKE '%'",
    "people": "id = 1",
    "streams": "id = 1",
    "sets": "leaf IS NOT NULL",
    "tries": "points IS NOT NULL",
    "member_days": "hands > 1",
    "season_points": "points = 3",
    "season_places": "board = 'five'",
    "duels": "state = 'ended'",
    "resets": "withdrawn = 0",
}


@pytest.mark.thinned(6)
@pytest.mark.parametrize("table", MISSED)
async def test_a_row_that_was_taken_out_is_missed(hand: Hand, table: str) -> None:
    """A file lets rows go that others hang on."""
    with hand.raw() as raw:
        key = _key(table)
        gone = raw.execute(
            f"DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {MISSED[table]} LIMIT 1)"
        )
        assert gone.rowcount == 1
    assert await hand.first_fault(table)
