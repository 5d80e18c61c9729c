"""`python -m bench edges`: the exact house edges of baccarat and war."""

from __future__ import annotations

import json
import time
from fractions import Fraction

from engine.games import baccarat, war
from engine.solver.edges import baccarat_chances, baccarat_edges, war_edge


def main() -> None:
    start = time.perf_counter()
    line: dict[str, object] = {"bench": "edges", "unit": "percent of the stake"}
    for name, punto in baccarat.RULE_SETS.items():
        line[f"baccarat {name}"] = {spot.value: _percent(edge) for spot, edge in baccarat_edges(punto).items()}
        line[f"baccarat {name} chances"] = {spot.value: _six(odds) for spot, odds in baccarat_chances(punto).items()}
    for name, rules in war.RULE_SETS.items():
        line[f"war {name}"] = {answer: _percent(war_edge(rules, answer)) for answer in war.GAME.actions}
    line["seconds"] = round(time.perf_counter() - start, 2)
    print(json.dumps(line))


def _percent(share: Fraction) -> float:
    return _six(100 * share)


def _six(number: Fraction) -> float:
    return round(float(number), 6)
