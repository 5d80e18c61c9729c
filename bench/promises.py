"""`python -m bench promises`: what a round costs under scheme 3, beside scheme 2, and how many promises are posted.

The evening is one channel with a table of blackjack and one of baccarat, twenty people at casino war, five private
tables and twelve elimination tables. Under scheme 2 each place posted a message for its chain.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench._outside import CountingPoster, Unwatched
from bench._records import of_scheme_three, of_scheme_two
from data import Bank
from data.__main__ import SystemClock
from engine import fairness
from engine.fairness import chain
from engine.fairness.record import Record, RecordTwo
from engine.fairness.replay import replay, sealed
from engine.fairness.verify import faults_of_kept
from engine.games import registry
from engine.games.computer import fresh_names
from engine.games.contract import CHIP
from engine.tables.house import Caps, HouseSettings
from engine.tables.open_tables import OpenTables
from engine.tables.orders import Contender, EliminationOrder, Order
from engine.tables.ports import Surroundings, Watchers

_LAPS: Final = 9
_RECORDS: Final = 500
_WAR, _PRIVATE, _ELIMINATION = 20, 5, 12
_GUILD, _CHANNEL = 1, 70
_MANY: Final = 1_000
_PROMISES: Final = 20


def _dealt(records: Sequence[RecordTwo]) -> None:
    """Shuffle, deal the first cards, and seal the record, as a table does."""
    for record in records:
        shoe = fairness.shoe(record.seed, record.mixed_in, 6)
        replay(record, cards=shoe)
        sealed(record, shoe)


def _checked(records: Sequence[Record]) -> None:
    for record in records:
        assert not faults_of_kept(record)


def _a_second(schemes: dict[str, list[RecordTwo]], work: Any) -> dict[str, int]:
    """Return the median rounds a second of each scheme. Their laps take turns, so that a busy machine slows all
    alike.
    """
    laps: dict[str, list[float]] = {name: [] for name in schemes}
    for _ in range(_LAPS):
        for name, records in schemes.items():
            began = time.process_time()
            work(records)
            laps[name].append(len(records) / (time.process_time() - began))
    return {name: round(statistics.median(found)) for name, found in laps.items()}


def _bytes(records: Sequence[RecordTwo]) -> int:
    """Return the median bytes of a record as `/verify` hands it out."""
    whole = (sealed(record) for record in records)
    return round(statistics.median(len(record.to_json().encode()) for record in whole))


def _a_promise() -> dict[str, float]:
    """Return the milliseconds of working out a promise: all of it, the longest piece in which nobody else has a turn,
    and one further chain.
    """
    took, pieces, further = list[float](), list[float](), list[float]()
    for _ in range(_PROMISES):
        root, began = secrets.token_bytes(32), time.perf_counter()
        marks = [(time.perf_counter(), tip) for tip in chain.slot_tips(root)]
        tips = b"".join(tip for _, tip in marks)
        top = chain.top_of(tips)
        took.append(time.perf_counter() - began)
        pieces += [after[0] - before[0] for before, after in itertools.pairwise(marks)]
        chain._levels.cache_clear()
        again = time.perf_counter()
        tip = chain.tip_of(chain.slot_root(root, 7))
        assert chain.folded(tip, 7, chain.path_to(tips, 7)) == top
        further.append(time.perf_counter() - again)
    return {
        "ms to work it out": round(statistics.median(took) * 1000, 1),
        "ms of the longest piece in the median": round(statistics.median(pieces) * 1000, 2),
        "ms of a further chain": round(statistics.median(further) * 1000, 2),
    }


async def _evening() -> dict[str, int]:
    """Return how many promises are posted in an evening, and how many chains they cover."""
    presses: Iterator[int] = itertools.count(1)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'bank'}.db"
        async with Bank.open(url, HouseSettings(think_seconds=0), SystemClock()) as bank:
            poster, seeds = CountingPoster(), partial(secrets.token_bytes, 32)
            around = Surroundings(
                bank, SystemClock(), seeds, Watchers(Unwatched()), bank.guilds.house, poster,
                caps=Caps(_MANY, _MANY, _MANY, _MANY),
            )  # fmt: skip
            tables = OpenTables(around)
            people = [await bank.members.sign_in(_GUILD, user) for user in range(1, _WAR + 1)]
            asked = [("blackjack", people[0], False), ("baccarat", people[0], False)]
            asked += [("war", member, False) for member in people]
            asked += [("blackjack", member, True) for member in people[:_PRIVATE]]
            for game, member, solo in asked:
                rules = next(iter(registry.game(game).rule_sets))
                await tables.open(Order(next(presses), _GUILD, _CHANNEL, game, rules, member, solo=solo))
            for member in people[:_ELIMINATION]:
                others = [Contender(computer=name, level="amateur") for name in fresh_names(3, set())]
                who = (Contender(member), *others)
                order = EliminationOrder(
                    next(presses), _GUILD, _CHANNEL, "original", 20 * CHIP, who, opener=member.user
                )
                await tables.open_elimination(order)
            places = {table.state.chain_place for table in tables.tables()}
            await tables.shutdown()
    return {"scheme 2": len(places), "scheme 3": poster.posted}


def main() -> None:
    schemes: dict[str, list[RecordTwo]] = {
        "scheme 2": list(of_scheme_two(_RECORDS)),
        "scheme 3": list(of_scheme_three(_RECORDS)),
    }
    dealt, checked = _a_second(schemes, _dealt), _a_second(schemes, _checked)
    evening = asyncio.run(_evening())
    figures = {
        name: {
            "rounds dealt and sealed a second": dealt[name],
            "records checked a second": checked[name],
            "bytes of a record": _bytes(records[:50]),
            "promises posted in an evening": evening[name],
        }
        for name, records in schemes.items()
    }
    print(json.dumps({"bench": "promises", **figures, "a promise of 256 chains": _a_promise()}))
