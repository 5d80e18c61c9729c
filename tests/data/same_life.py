"""One life of a process with a tournament of the same cards: `python -m tests.data.same_life`, until it is killed.

It says how many steps the bank has taken, after each of them.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from data import Bank
from engine.fairness.chain import tip_of
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.duels import RUNS_FOR
from engine.tables.places import tournament_place
from engine.tables.ports import Clock
from engine.tables.values import Chain
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, TournamentTerms
from tests.data.crowd import BUY_IN, ROOT, Crowd
from tests.data.dealer import GUILD, LENIENT, HandClock
from tests.data.pairs import HANDS, presses

ID, PEOPLE, PRESSES = 77, 4, 2
#: Versions of the tournament once it is dealt, and steps until it is over.
DEALT = 1 + PEOPLE + 2
STEPS = DEALT + 1 + PRESSES + 2
#: Steps after which a life waits for the kill.
MOST = 3


async def taken(bank: Bank) -> int:
    """Return how many steps the bank has taken."""
    row = await bank.tournaments.stored(ID)
    version = row.version if row is not None else 0
    if version < DEALT:
        return version
    stored = await bank.fields.find(await bank.fields.known(ID), 1)
    if version == DEALT:  # what is left to stand before the end is no step
        return version + (0 if stored is None else 1 + min(stored.version, PRESSES))
    return version + 1 + PRESSES


async def crowd_of(bank: Bank, clock: HandClock) -> Crowd:
    crowd, row = Crowd(bank, clock), await bank.tournaments.stored(ID)
    if row is not None:
        crowd.position = TournamentPosition.of(TournamentState.from_json(row.doc))
    return crowd


async def step(bank: Bank, clock: HandClock, number: int) -> None:
    """Take one step, as after a restart."""
    crowd = await crowd_of(bank, clock)
    cause = f"step/{number}"
    members = [await bank.members.sign_in(GUILD, user) for user in range(1, PEOPLE + 1)]
    if number == 0:
        tournament = Tournament(TournamentTerms(1_000 * CHIP, BUY_IN * CHIP, hands=HANDS))
        await _promised(bank, clock)
        crowd.position = _planned(clock, members[0].id, tournament)
        await crowd.do(lambda draft: None, cause)
    elif number <= PEOPLE:
        await crowd.do(lambda draft: draft.join(members[number - 1], 10_000 + number), cause)
    elif number == PEOPLE + 1:
        await crowd.do(TournamentDraft.close_sign_up, cause)
    elif number == PEOPLE + 2:
        await crowd.do(lambda draft: draft.deal(crowd.deals(), clock.now() + RUNS_FOR), cause)
    elif number <= DEALT + PRESSES:
        field = await bank.fields.known(ID)
        await crowd.play(1, presses(field.deals)[number - DEALT - 1 : number - DEALT] if number > DEALT else [])
    else:
        clock.time += RUNS_FOR
        await (crowd.compare() if number == STEPS - 2 else crowd.announced())


def _planned(clock: Clock, organiser: int, tournament: Tournament) -> TournamentPosition:
    state = TournamentState(ID, GUILD, 70, organiser, "vegas", VEGAS.as_json(), clock.now(), tournament.record())
    return TournamentPosition.of(replace(state, tip=tip_of(ROOT), promise=33))


async def _promised(bank: Bank, clock: Clock) -> None:
    if await bank.chains.in_use(tournament_place(ID)) is None:
        await bank.chains.begin(Chain(ID, tournament_place(ID), GUILD, 70, ROOT, tip_of(ROOT)))
    chain = await bank.chains.in_use(tournament_place(ID))
    if chain is not None and chain.message is None:
        await bank.chains.promised(ID, 33)


async def live(url: str, now: float) -> None:
    clock = HandClock(now)
    async with Bank.open(url, LENIENT, clock) as bank:
        first = await taken(bank)
        print(first, flush=True)
        for number in range(first, min(first + MOST, STEPS)):
            await step(bank, clock, number)
            print(number + 1, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(live(sys.argv[1], float(sys.argv[2])))
