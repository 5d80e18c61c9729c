"""`python -m bench field`: what people and the director ask of the same cards with 10,000 people in one tournament."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from bench._crowd import copy, median
from bench._outside import SetClock, answered_here
from bench._server import postgres
from data import Bank
from engine.coach.sets import WhichFreeDeals, answered
from engine.fairness.chain import seed_of, table_root, tip_of
from engine.fairness.sets import same_name
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.duels import LINK, RUNS_FOR, terms_of
from engine.sets.levels import played_by
from engine.sets.tries import NEXT
from engine.tables.house import HouseSettings
from engine.tables.places import tournament_place
from engine.tables.values import Chain
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.field import HANDS
from engine.tournament.ports import FieldDeals
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentTerms

_GUILD: Final = 1 << 22
_MOST: Final = 10_000
_FIRST: Final = 100  # the number of the first of the crowd
_ROOT: Final = bytes(32)

_CROWD: Final = (
    "(WITH RECURSIVE c (i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM c WHERE i < {people})"
    " SELECT {first} + i AS n FROM c) AS crowd"
)
#: The SQL that copies people who have signed up: a third is done, a third plays, and a third has not begun.
_COPIES: Final = (
    "INSERT INTO people (id, user_id) SELECT n, 1000000 + n FROM {crowd}",
    "INSERT INTO members (id, guild, user_id, balance) SELECT n, {guild}, 1000000 + n, 0 FROM {crowd}",
    "INSERT INTO entries (tournament, member, buy_in, person)"
    " SELECT 1, n, 0, CASE WHEN n % 3 < 2 THEN n END FROM {crowd}",
    'INSERT INTO tries ("set", person, archive, version, steps, began_at, finished_at, points, shown_at)'
    " SELECT sets.id, n, 0, CASE WHEN n % 3 = 0 THEN {length} ELSE 0 END,"
    " CASE WHEN n % 3 = 0 THEN '{steps}' ELSE '' END,"
    " opens + n, CASE WHEN n % 3 = 0 THEN opens + n END, CASE WHEN n % 3 = 0 THEN {points} END, opens + n"
    " FROM {crowd}, sets WHERE sets.tournament = 1 AND n % 3 < 2",
)


async def _begin(bank: Bank, clock: SetClock) -> FieldDeals:
    """Sign two people up, deal as the director does, and return the deals."""
    ada, ben = [await bank.members.sign_in(_GUILD, user) for user in (1, 2)]
    tournament = Tournament(TournamentTerms(1_000 * CHIP, 0, hands=HANDS))
    state = TournamentState(1, _GUILD, 1, ada.id, "vegas", VEGAS.as_json(), clock.time, tournament.record())
    chain = Chain(1, tournament_place(1), _GUILD, 1, _ROOT, tip_of(_ROOT))
    await bank.chains.begin(chain)
    await bank.chains.promised(chain.id, 33)
    position = TournamentPosition.of(TournamentState(**{**_fields(state), "tip": chain.tip, "promise": 33}))
    root = table_root(_ROOT, 1, 0, 0)
    terms, seed, name = terms_of("vegas", VEGAS), seed_of(root, LINK), same_name(tip_of(root))
    prepared = await answered(answered_here, terms, seed, name, WhichFreeDeals(terms, seed, name, HANDS).answer())
    deals = FieldDeals(root, prepared)
    steps: tuple[Callable[[TournamentDraft], None], ...] = (
        lambda draft: None,
        lambda draft: draft.join(ada, 2),
        lambda draft: draft.join(ben, 3),
        TournamentDraft.close_sign_up,
        lambda draft: draft.deal(deals, clock.time + RUNS_FOR),
    )
    for number, alter in enumerate(steps):
        draft = TournamentDraft(position, clock.time)
        alter(draft)
        await bank.tournaments.commit(draft.change(f"bench/{number}"))
        position = draft.position()
    return deals


def _fields(state: TournamentState) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.__slots__}


async def _fill(bank: Bank) -> None:
    field = await bank.fields.known(1)
    best = played_by("perfect", field.deals.prepared, field.deals.shoes)
    values = {"guild": _GUILD, "length": len(best.steps), "steps": best.steps, "points": best.points}
    crowd = _CROWD.format(people=_MOST, first=_FIRST)
    await copy(bank, (each.format(crowd=crowd, **values) for each in _COPIES))


async def _measure(url: str) -> dict[str, Any]:
    clock = SetClock()
    async with Bank.open(url, HouseSettings(), clock) as bank:
        since = time.perf_counter()
        await _begin(bank, clock)
        found: dict[str, Any] = {"20 deals, and their answers": round((time.perf_counter() - since) * 1_000)}
        await _fill(bank)
        field = await bank.fields.known(1)

        async def press(look: int) -> None:
            stored = await bank.fields.begin(field, 1)
            seen = stored.on(field.deals)
            action = NEXT if seen.round.over else seen.legal[0]
            await bank.tries.press(stored, seen.pressed(action, field.deals.shoes))

        async def first_hand(look: int) -> None:
            await bank.fields.begin(field, 1_000_000 + _FIRST + 3 * look + 2)

        found["a look at the board"] = await median(lambda look: bank.fields.standing(1))
        found["the first hand"] = await median(first_hand)
        found["a press"] = await median(press)
        clock.time += 2 * RUNS_FOR
        since = time.perf_counter()
        scores = await bank.fields.scores(1)
        found["seconds until all are compared"] = round(time.perf_counter() - since, 1)
        assert len(scores) > _MOST // 2
        return found


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        found: dict[str, Any] = {"bench": "field", "unit": f"ms, with {_MOST:,} people in one tournament"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{folder / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
