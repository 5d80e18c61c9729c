"""`python -m bench duels`: what people and the chore ask of a server with 10,000 running duels."""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench._crowd import copy, median
from bench._outside import SetClock, answered_here
from bench._server import postgres
from data import Bank, Challenge, StoredDuel
from data.proofs.audit import Findings, go_through
from data.proofs.duels import DUELS
from engine.coach.sets import WhichFreeDeals, answered
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.duels import RUNS_FOR, USUAL, terms_of
from engine.sets.tries import NEXT
from engine.tables.house import HouseSettings

_GUILD: Final = 1 << 22
_MOST: Final = 10_000
_FIRST: Final = 100  # the number of the first copy

_CROWD: Final = (
    "(WITH RECURSIVE c (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM c WHERE i < {people})"
    " SELECT {first} + i AS n FROM c) AS crowd"
)
#: The SQL that copies a running duel, each copy with a chain, deals and people of its own.
_COPIES: Final = (
    "INSERT INTO people (id, user_id) SELECT n, 1000000 + n FROM {both}",
    "INSERT INTO members (id, guild, user_id, balance) SELECT n, {guild}, 1000000 + n, 0 FROM {both}",
    "INSERT INTO streams (id, root, tip, began_at) SELECT n, root, tip || n, began_at FROM {crowd}, streams"
    " WHERE streams.id = 1",
    'INSERT INTO sets (id, kind, guild, stream, link, name, rules, width, "filter", valuation, deals, answers, opens,'
    ' closes) SELECT n, kind, guild, n, link, name, rules, width, "filter", valuation, deals, answers, opens, closes'
    " FROM {crowd}, sets WHERE sets.id = 1",
    'INSERT INTO duels (id, guild, channel, "set", state, offered, stake, challenger, challenged, first, second,'
    " made_at, accepted_at, deadline, version) SELECT n, guild, channel, n, state, 0, 0, n, {most} + n, n, {most} + n,"
    " made_at, accepted_at, deadline, 2 FROM {crowd}, duels WHERE duels.id = 1",
)


async def _challenge(bank: Bank, number: int, one: int, other: int, stake: int = 0) -> StoredDuel:
    """Prepare the deals and make a challenge as the command does, and return it."""
    draft, terms = bank.challenges.draft(), terms_of("vegas", VEGAS)
    deals = WhichFreeDeals(terms, draft.seed, draft.dealt_as, USUAL).answer()
    prepared = await answered(answered_here, terms, draft.seed, draft.dealt_as, deals)
    ada, ben = await bank.members.sign_in(_GUILD, one), await bank.members.sign_in(_GUILD, other)
    return await bank.challenges.make(Challenge(number, _GUILD, 1, ada, ben, None, stake * CHIP), draft, prepared)


async def _accept(bank: Bank, duel: StoredDuel) -> StoredDuel:
    other = await bank.members.sign_in(_GUILD, duel.sides[1].user or 0)
    return await bank.challenges.accept(duel.id, other, for_fun=False)


async def _fill(bank: Bank) -> None:
    crowd, both = (_CROWD.format(people=people, first=_FIRST) for people in (_MOST, 2 * _MOST))
    await copy(bank, (each.format(crowd=crowd, both=both, guild=_GUILD, most=_MOST) for each in _COPIES))


async def _looks(bank: Bank, clock: SetClock) -> dict[str, float]:
    """Return the milliseconds of each step of a duel, and of the chore's look for duels that are due."""
    numbers = itertools.count(1_000_000)
    made = list[StoredDuel]()

    async def challenge(look: int) -> None:
        made.append(await _challenge(bank, next(numbers), 10 + look, 50 + look, 5))

    async def accept(look: int) -> None:
        made[look] = await _accept(bank, made[look])

    async def first_hand(look: int) -> None:
        await bank.duels.begin(made[look], 10 + look)

    async def press(look: int) -> None:
        deals = await bank.duels.deals(made[look])
        stored = await bank.duels.begin(made[look], 10 + look)
        found = stored.on(deals)
        action = NEXT if found.round.over else found.legal[0]
        await bank.tries.press(stored, found.pressed(action, deals.shoes))

    async def end(look: int) -> None:
        await bank.duels.end(made[look].id)

    found = {"challenge, with its deals": await median(challenge), "accept": await median(accept)}
    found |= {"the first hand": await median(first_hand), "a press": await median(press)}
    found["one's open duels"] = await median(lambda look: bank.duels.open_of(1_000_000 + _FIRST + look))
    found["the look for duels that are due"] = await median(lambda look: bank.duels.due())
    clock.time += RUNS_FOR
    found["the end of a duel"] = await median(end)
    return found


async def _measure(url: str) -> dict[str, Any]:
    clock = SetClock()
    async with Bank.open(url, HouseSettings(gift_hands=0), clock) as bank:
        await _accept(bank, await _challenge(bank, 1, 1, 2))
        await _fill(bank)
        found: dict[str, Any] = await _looks(bank, clock)
        since, findings = time.perf_counter(), Findings()
        await go_through(DUELS, bank._store.slicing, findings)
        assert not findings.first_faults()
        return {**found, "the audit of all of them": round((time.perf_counter() - since) * 1_000)}


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "duels", "unit": f"ms, on a server with {_MOST:,} running duels"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
