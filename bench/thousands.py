"""`python -m bench thousands`: whole tournaments and rounds in the engine alone, on one core and on all of them.

Every card of every table is dealt. The intermediate computer player plays for people.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Final

from engine import fairness
from engine.elimination.elimination import Elimination, EliminationPhase, Placing
from engine.elimination.stakes import computer_stake
from engine.elimination.terms import SEATS, Terms
from engine.fairness.lots import Lots
from engine.games import registry as games
from engine.games.blackjack import GAME
from engine.games.blackjack.players import choose
from engine.games.cards import PACK
from engine.games.computer import Level
from engine.games.contract import CHIP
from engine.tournament.tournament import Tournament, TournamentPhase, TournamentTerms

_TOURNAMENTS: Final = 40
_ROUNDS: Final = 40_000


def main() -> None:
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        figures = {
            "tournaments of 16 people": _rates(pool, cores, tournaments),
            "blackjack rounds": _rates(pool, cores, rounds),
        }
    print(json.dumps({"bench": "thousands", "unit": "a second", **figures, "4,096 people": _largest()}))


def _rates(pool: ProcessPoolExecutor, cores: int, play: Callable[[int], int]) -> dict[str, Any]:
    """Return how many tournaments or rounds run in a second: in one process, and in one for each core."""

    def rate(processes: int) -> float:
        started = time.perf_counter()
        done = sum(pool.map(play, range(processes)))
        return done / (time.perf_counter() - started)

    rate(cores)  # each process has started and is warm
    one, all_of_them = rate(1), rate(cores)
    return {"one core": round(one), f"{cores} cores": round(all_of_them), "times": round(all_of_them / one, 2)}


def tournaments(number: int) -> int:
    """Play some tournaments, different for each number, and return how many."""
    for each in range(_TOURNAMENTS):
        tournament(f"{number}/{each}", people=16)
    return _TOURNAMENTS


def rounds(number: int) -> int:
    """Play some rounds of blackjack, different for each number, and return how many."""
    dice, shoe, rules = random.Random(number), list(PACK) * 6, GAME.rule_sets["vegas"]
    for _ in range(_ROUNDS):
        round = GAME.deal(rules, [{"main": CHIP}], dice.sample(shoe, 26))
        while round.asked:
            round.apply(0, choose(Level.EXPERT, round, 0))
        round.settlement()
    return _ROUNDS


def _largest() -> dict[str, Any]:
    wall, work = time.perf_counter(), time.process_time()
    tables, played = tournament("tournament", people=4_096)
    wall, work = time.perf_counter() - wall, time.process_time() - work
    per_round = round(work / played * 1e6)
    return {"tables": tables, "rounds": played, "seconds": round(wall, 1), "CPU us a round": per_round}


def tournament(name: str, people: int) -> tuple[int, int]:
    """Play a whole tournament, from sign-up to payout, and return the numbers of its tables and rounds."""
    tournament = Tournament(TournamentTerms(1_000 * CHIP, 100 * CHIP))
    for person in range(people):
        tournament.join(str(person))
    tournament.close()
    tournament.draw_from(_seed(name), "33", "44")
    tournament.start()
    rounds = tables = 0
    while tournament.phase is TournamentPhase.PLAYING:
        for number in tournament.running:
            placings, played = _table(tournament, number, name)
            tournament.finished(number, placings)
            rounds, tables = rounds + played, tables + 1
    assert sum(tournament.payouts().values()) == tournament.pool
    return tables, rounds


def _table(tournament: Tournament, number: int, name: str) -> tuple[tuple[Placing, ...], int]:
    name = f"{name}/{tournament.stage}/{number}"
    elimination = Elimination(Terms(tournament.terms.budget, lone=False), tournament.tables[number], Lots(_seed(name)))
    while elimination.phase is not EliminationPhase.OVER:
        while (seat := elimination.asked) is not None:
            elimination.stake(seat, computer_stake(elimination, seat))
        elimination.played(_nets(elimination, f"{name}/{elimination.round}"))
    return elimination.placings(), elimination.round


def _nets(elimination: Elimination, name: str) -> list[int]:
    game = games.game("blackjack")
    rules, order = game.rule_sets["original"], elimination.order
    stakes = [{"main": elimination.staked[seat]} for seat in order]
    dealt = game.deal(rules, stakes, fairness.shoe(_seed(name), (), rules.decks))
    while not dealt.over:
        for at in dealt.asked:
            seat = order[at]
            purse = elimination.stacks[seat] - elimination.staked[seat]
            dealt.apply(at, choose(elimination.entrants[seat].level or "intermediate", dealt, at, purse))
            break
    nets = [0] * SEATS
    for at, seat in enumerate(order):
        nets[seat] = dealt.settlement().net(at)
    return nets


def _seed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()
