"""Elimination tables as tests write them down: seats A to D, what each won or lost round by round, in chips."""

from __future__ import annotations

from random import Random

from engine.elimination.elimination import Elimination, EliminationPhase
from engine.elimination.stakes import computer_stake
from engine.elimination.terms import Entrant, Terms
from engine.fairness.lots import Lots
from engine.games.contract import CHIP, By

SEED = bytes(range(32))
NAMES = "ABCD"


def entrants(people: str = "A", level: str = "expert") -> list[Entrant]:
    return [Entrant(name, None if name in people else level) for name in NAMES]


def open_table(
    budget: int = 100, people: str = "A", *, lone: bool = True, level: str = "expert", seed: bytes = SEED
) -> Elimination:
    return Elimination(Terms(budget * CHIP, lone=lone), entrants(people, level), Lots(seed))


def all_stake(table: Elimination) -> None:
    while table.asked is not None:
        table.stake(table.asked, table.smallest(table.asked))


def play(table: Elimination, rounds: str) -> str:
    """Play ``0 10 -5.5 0 | ...``, a dot for a seat that is out, and tell who went."""
    for nets in rounds.split("|"):
        all_stake(table)
        table.played([0 if net == "." else round(float(net) * CHIP) for net in nets.split()])
    return story(table)


def story(table: Elimination) -> str:
    went = [f"{NAMES[fall.seat]} {fall.why} {fall.round}" for fall in table.falls]
    won = [f"{NAMES[table.winner]} wins: {table.end}"] if table.winner is not None else []
    return ", ".join(went + won)


def random_net(luck: Random, stake: int, stack: int) -> int:
    """Return a possible result of a round of blackjack, with doubles and swaps if the stack allows them."""
    risked = 2 * stake if 2 * stake <= stack and luck.random() < 0.2 else stake
    return luck.choices([-risked, 0, risked, stake * 3 // 2, -stake // 2], [48, 8, 39, 4, 1])[0]


def play_out(table: Elimination, luck: Random, *, wild: bool = False) -> Elimination:
    """Play to the end: computer players by their level, people at random."""
    while table.phase is not EliminationPhase.OVER:
        while (seat := table.asked) is not None:
            if table.entrants[seat].person or wild:
                chips = luck.randint(table.smallest(seat) // CHIP, table.all_in(seat) // CHIP)
                table.stake(seat, chips * CHIP, luck.choice([By.MEMBER, By.CLOCK]))
            else:
                table.stake(seat, computer_stake(table, seat), By.COMPUTER)
        stakes = table.staked
        table.played([random_net(luck, stakes[s], table.stacks[s]) if s in stakes else 0 for s in range(4)])
    return table
