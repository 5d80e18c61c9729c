"""`python -m bench edges`: the exact house edges of baccarat and war."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from fractions import Fraction

from engine.games import baccarat, war
from engine.solver.edges import baccarat_chances, baccarat_edges, keep_coups, war_edge


def main() -> None:
    start = time.perf_counter()
    line: dict[str, object] = {"bench": "edges", "unit": "percent of the stake"}
    for name, punto in baccarat.RULE_SETS.items():
        line[f"baccarat {name}"] = {spot.value: _percent(edge) for spot, edge in baccarat_edges(punto).items()}
        line[f"baccarat {name} chances"] = {spot.value: _six(odds) for spot, odds in baccarat_chances(punto).items()}
    for name, rules in war.RULE_SETS.items():
        line[f"war {name}"] = {answer: _percent(war_edge(rules, answer)) for answer in war.GAME.actions}
    line["seconds"] = round(time.perf_counter() - start, 2)
    line["s that the coach takes for own baccarat rules"] = _own_rules()
    print(json.dumps(line))


def _own_rules() -> dict[str, float]:
    """Return the processor seconds that the coach spends on all coups of own rules, on the longest slice of them, and
    on the same rules with other payouts.
    """
    rules, slices = baccarat.BaccaratRules(decks=7), list[float]()
    for first in range(10):
        start = time.process_time()
        keep_coups(rules, first)
        slices.append(time.process_time() - start)
    start = time.process_time()
    baccarat_edges(replace(rules, commission=4))
    again = time.process_time() - start
    return {"all of it": round(sum(slices), 3), "one slice": round(max(slices), 3), "other payouts": round(again, 4)}


def _percent(share: Fraction) -> float:
    return _six(100 * share)


def _six(number: Fraction) -> float:
    return round(float(number), 6)
