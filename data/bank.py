"""The bank: one part for each kind of thing that is stored, and how it opens and closes."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.engine import URL

from data.coach.grades import Grades, Mistakes
from data.copies.copies import Copies
from data.drivers.file import is_there, make_room, mark
from data.drivers.sqlite import unavailable
from data.drivers.store import Store, told
from data.drivers.url import address, file_of
from data.jobs.jobs import Jobs
from data.jobs.lease import Lease
from data.jobs.notes import Notes
from data.jobs.notices import Notices
from data.journal.archive import Archive
from data.journal.chains import Chains
from data.journal.leaves import Leaves
from data.journal.promises import Promises
from data.journal.records import Records
from data.journal.tables import Tables
from data.ledger.balances import Balances
from data.ledger.champions import Champions
from data.ledger.chips import Chips
from data.ledger.resets import Resets
from data.ledger.shop import Shop
from data.migrations.migrate import expect_todays, migrate
from data.people.breaks import Breaks
from data.people.fingerprints import Fingerprints
from data.people.guilds import Guilds
from data.people.ladder import Ladders
from data.people.limits import Limits
from data.people.members import Members
from data.people.titles import Titles
from data.people.training import Training
from data.people.wishes import AllWishes
from data.privacy.forgetting import Privacy
from data.proofs.auditor import Auditor
from data.seasons.places import Seasons
from data.sets.boards import Boards
from data.sets.challenges import AllChallenges
from data.sets.days import Days
from data.sets.duels import Duels
from data.sets.fields import Fields
from data.sets.outages import Outages
from data.sets.tries import Tries
from data.tournaments.tournaments import Tournaments
from engine.tables.house import HouseSettings
from engine.tables.ports import BankUnavailable, Clock


class Bank:
    """The bank, made by `open`. Any number of tasks of one event loop may use it.

    Its methods are those of its parts: `await bank.chips.give(...)`.
    """

    def __init__(self, store: Store, defaults: HouseSettings, clock: Clock) -> None:
        self._store = store
        self.fingerprints = Fingerprints(store, clock)
        self.limits = Limits(store, clock, self.fingerprints)
        self.wishes = AllWishes(store, clock, self.fingerprints)
        self.breaks = Breaks(store, clock, self.fingerprints)
        self.guilds = Guilds(store, clock, defaults)
        self.members = Members(store, clock, self.guilds, self.fingerprints)
        self.chips = Chips(store, clock, self.members, self.guilds, self.breaks)
        self.shop = Shop(store, clock)
        self.champions = Champions(store, clock)
        self.balances = Balances(store, clock, self.members, self.fingerprints)
        self.resets = Resets(store, clock)
        self.privacy = Privacy(store, clock, self.members, self.fingerprints)
        self.tables = Tables(store, clock)
        self.chains = Chains(store, clock)
        self.promises = Promises(store, clock)
        self.records = Records(store, clock)
        self.leaves = Leaves(store, clock)
        self.archive = Archive(store, clock)
        self.ladders = Ladders(store, clock)
        self.grades = Grades(store, clock)
        self.mistakes = Mistakes(store, clock)
        self.tournaments = Tournaments(store, clock)
        self.titles = Titles(store, clock)
        self.training = Training(store, clock)
        self.seasons = Seasons(store, clock)
        self.days = Days(store, clock)
        self.tries = Tries(store, clock, self.fingerprints)
        self.outages = Outages(store, clock)
        self.duels = Duels(store, clock, self.members, self.tries, self.outages)
        self.challenges = AllChallenges(
            store, clock, self.guilds, self.members, self.chips, self.tries, self.duels, self.fingerprints
        )
        self.fields = Fields(store, clock, self.tries, self.outages)
        self.boards = Boards(store, clock, self.days, self.seasons)
        self.jobs = Jobs(store, clock)
        self.notes = Notes(store, clock)
        self.notices = Notices(store, clock)
        self.lease = Lease(store, clock, self.jobs)
        self.auditor = Auditor(store, clock)
        self.copies = Copies(store, clock)

    @classmethod
    def open(
        cls, url: str, defaults: HouseSettings, clock: Clock, *, upgrade: bool = True, fresh: bool = False
    ) -> Opening:
        """Open a bank: ``await Bank.open(...)`` and ``close()``, or ``async with Bank.open(...) as bank``.

        Opening makes a missing file, or the tables of an empty database. It brings an older bank to the current schema;
        a file is copied before that. Without `upgrade` it does none of this. If a file is missing or empty although the
        note beside it says that there was a bank, a new one is made only with `fresh`. Raises BankUnavailable, which
        says in one sentence why the bank cannot be opened.
        """
        return Opening(cls, url, defaults, clock, upgrade=upgrade, fresh=fresh)

    async def close(self) -> None:
        """Give up the lease, so that another process can have it; finish the writes that have begun; disconnect."""
        await self.lease.give_up()
        await self._store.close()


class Opening:
    """A bank that `await` opens, or that `async with` opens and closes."""

    def __init__(
        self, kind: type[Bank], url: str, defaults: HouseSettings, clock: Clock, *, upgrade: bool, fresh: bool
    ) -> None:
        self._kind = kind
        self._url = url
        self._defaults = defaults
        self._clock = clock
        self._upgrade = upgrade
        self._fresh = fresh
        self._bank: Bank | None = None

    def __await__(self) -> Generator[Any, None, Bank]:
        return self._open().__await__()

    async def __aenter__(self) -> Bank:
        self._bank = await self._open()
        return self._bank

    async def __aexit__(self, *_: object) -> None:
        assert self._bank is not None
        await self._bank.close()

    async def _open(self) -> Bank:
        url = address(self._url)
        file = file_of(url)
        if file is not None:
            if not self._upgrade and not is_there(file):
                raise BankUnavailable(f"There is no {file}.")
            make_room(file, fresh=self._fresh)
            _try_file(url)
        store = Store(url)
        stamp = datetime.fromtimestamp(self._clock.now(), UTC).strftime("%Y%m%d-%H%M%S")
        try:
            await store.write.open()
            await migrate(store, file, stamp, upgrade=self._upgrade, fresh=self._fresh)
            if file is not None:
                mark(file)
            else:
                with told(is_file=False):
                    await store.alive.enter()
                await expect_todays(store)
        except BaseException:
            await store.close()
            raise
        return self._kind(store, self._defaults, self._clock)


def _try_file(url: URL) -> None:
    """Raise BankUnavailable if plain SQLite cannot open the file.

    If aiosqlite were the first to fail, its thread might report that to an event loop which is closed already.
    """
    assert url.database is not None
    try:
        sqlite3.connect(url.database, uri="uri" in url.query).close()
    except sqlite3.Error as error:
        raise unavailable(error) from error
