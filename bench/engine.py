"""`python -m bench engine`: rounds of blackjack a second on one core, compared with other engines in the same run."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import secrets
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bench._compiled import compiled
from bench._peers import PEERS, PlayRound
from bench._records import of_scheme_one, of_scheme_three, of_scheme_two
from engine import fairness
from engine.fairness import chain
from engine.fairness.record import Record, RecordTwo
from engine.fairness.replay import replay
from engine.fairness.verify import faults_of_kept
from engine.games.blackjack import GAME
from engine.games.blackjack.players import choose
from engine.games.cards import PACK, Card, Shoe
from engine.games.computer import Level

_SECONDS: Final = 0.4
_LAPS: Final = 5

_FROM_SOURCES: Final = """
import sys
from bench._compiled import Sources
sys.meta_path.insert(0, Sources())
from bench.engine import alone
print(alone())
"""


class _RandomShoe:
    """A freshly shuffled shoe, drawn card by card from Python's generator."""

    __slots__ = ("_cards", "_random", "_turned")

    def __init__(self, packs: list[Card], source: Callable[[], float]) -> None:
        self._cards = packs.copy()
        self._random = source
        self._turned = 0

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, place: int, /) -> Card:
        cards = self._cards
        while place >= self._turned:
            top = self._turned
            chosen = top + int(self._random() * (len(cards) - top))
            cards[top], cards[chosen] = cards[chosen], cards[top]
            self._turned += 1
        return cards[place]


def main() -> None:
    players: dict[str, PlayRound] = {
        "croupier": _player("vegas", Level.EXPERT, _random_shoes(6)),
        "croupier_hit_under_17": _player("vegas", Level.AMATEUR, _random_shoes(6)),
        "croupier_committed_shoe": _player("vegas", Level.EXPERT, _committed_shoes(6)),
        "croupier_from_a_chain": _player("vegas", Level.EXPERT, _chain_shoes(6)),
    }
    missing = []
    for name, make in PEERS.items():
        try:
            players[name] = make()
        except ImportError:
            missing.append(name)
    speeds = _speeds(players)
    if compiled():
        speeds["croupier_before_make_fast"] = _from_sources()
    print(json.dumps({"bench": "engine", "unit": "rounds/s on one core", **speeds, "not_installed": missing}))


def _from_sources() -> int:
    """Return the rounds a second of `croupier` in a process that leaves out what `make fast` compiled."""
    done = subprocess.run([sys.executable, "-c", _FROM_SOURCES], capture_output=True, text=True, check=True)
    return int(done.stdout)


def alone() -> int:
    """Return the rounds a second of `croupier`, with nobody beside it."""
    return _speeds({"croupier": _player("vegas", Level.EXPERT, _random_shoes(6))})["croupier"]


def dealt_and_played_again() -> dict[str, int]:
    """Return rounds a second, measured in turns: dealt from committed shoes, replayed from records, and records
    checked.
    """
    records = of_scheme_two(chain.LENGTH)
    return _speeds(
        {
            "dealt": _player("vegas", Level.EXPERT, _committed_shoes(6)),
            "again": _again(records),
            "scheme 1": _checker(of_scheme_one(chain.LENGTH)),
            "scheme 2": _checker(records),
            "scheme 3": _checker(of_scheme_three(chain.LENGTH)),
        }
    )


def _again(records: Sequence[RecordTwo]) -> PlayRound:
    """Return a function that only replays the next record: from the seed, by the steps, to the payments."""
    following = itertools.cycle(records)

    def play() -> object:
        record = next(following)
        lines = replay(record).settlement().lines
        assert lines == record.payments
        return lines

    return play


def _checker(records: Sequence[Record]) -> PlayRound:
    """Return a function that checks the next record as an audit does: it deals from the seed, plays, and compares
    everything.
    """
    following = itertools.cycle(records)

    def play() -> object:
        found = faults_of_kept(next(following))
        assert not found
        return found

    return play


def _player(rule_set: str, level: Level, shoes: Iterator[Shoe]) -> PlayRound:
    """Return a function that plays a round as tables do: deal, ask what is legal, choose, act with the step recorded,
    settle.
    """
    rules, stakes = GAME.rule_sets[rule_set], [{"main": 10_00}]

    def play() -> object:
        round = GAME.deal(rules, stakes, next(shoes))
        while round.asked:
            (seat,) = round.asked
            action = choose(level, round, seat)
            if action not in round.legal(seat):
                raise AssertionError(f"{level} chose {action}, which is not legal")
            round.apply(seat, action)
        return round.settlement(), round.steps

    return play


def _random_shoes(decks: int) -> Iterator[Shoe]:
    packs, source = list(PACK) * decks, random.Random().random
    while True:
        yield _RandomShoe(packs, source)


def _committed_shoes(decks: int) -> Iterator[Shoe]:
    while True:
        yield fairness.shoe(secrets.token_bytes(32), ("message", "press"), decks)


def _chain_shoes(decks: int) -> Iterator[Shoe]:
    """Yield shoes from a chain of seeds: each seed hashes to the one before it, and the promise is mixed in."""
    rules = GAME.rule_sets["vegas"].as_json()
    promise = chain.Promise("", 10**18, 10**18 + 1, 10**18 + 2)
    while True:
        seeds = [chain.seed_of(secrets.token_bytes(32), chain.LENGTH)]
        while len(seeds) < chain.LENGTH:
            seeds.append(hashlib.sha256(seeds[-1]).digest())
        for number, seed in enumerate(reversed(seeds), start=1):
            yield fairness.shoe(seed, chain.inputs(promise, number, "blackjack", rules), decks)


def _speeds(players: dict[str, PlayRound]) -> dict[str, int]:
    """Return the median rounds a second of each player. Their laps take turns, so that a busy machine slows all
    alike.
    """
    laps: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(_LAPS):
        for name, play in players.items():
            laps[name].append(_lap(play))
    return {name: round(statistics.median(speeds)) for name, speeds in laps.items()}


def _lap(play: PlayRound) -> float:
    """Return the rounds a second of a lap, by processor time, which leaves out other work of the machine."""
    rounds, start = 0, time.process_time()
    while (spent := time.process_time() - start) < _SECONDS:
        for _ in range(100):
            play()
        rounds += 100
    return rounds / spent
