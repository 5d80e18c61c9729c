"""Casino war in every phase."""

from __future__ import annotations

from typing import Any, Final

from engine.games.contract import By
from engine.games.war import GAME, War
from engine.tables.snapshot import CloseReason, Sitter, Snapshot

from .scenes import DEADLINE, at, before, closed, person, stakes

EQUAL = ("Ts", "Td", "2h", "3h", "4h")


def battle(
    cards: tuple[str, ...],
    *answers: str,
    rules: str = "ctrl-alt-bet",
    by: By = By.MEMBER,
    who: Sitter | None = None,
    **more: Any,
) -> Snapshot:
    fought_for = [stakes(10)]
    fought = War(GAME.rule_sets[rules], fought_for, cards)
    for answer in answers:
        fought.apply(0, answer, by)
    return at("war", rules, fought, who or person(), placed=fought_for, **more)


SCENES: Final = {
    "a new table": before("war", "ctrl-alt-bet"),
    "a stake lies": before("war", "casino", person(staked=stakes(10)), deadline=DEADLINE),
    "the higher card": battle(("Ks", "9d")),
    "the lower card": battle(("2s", "9d")),
    "equal cards": battle(EQUAL),
    "surrendered": battle(EQUAL, "surrender"),
    "out of time": battle(EQUAL, "surrender", by=By.CLOCK),
    "out of time after leaving": battle(EQUAL, "surrender", by=By.CLOCK, who=person(leaving=True)),
    "the war is won": battle((*EQUAL, "Kh", "9c"), "war"),
    "the war is tied": battle((*EQUAL, "Kh", "Kc"), "war"),
    "the war is lost": battle((*EQUAL, "2c", "9c"), "war"),
    "the war is won at the casino's": battle((*EQUAL, "Kh", "9c"), "war", rules="casino"),
    "called off after a restore": before("war", "ctrl-alt-bet", round=3, called_off=True),
    "closed after a war that was won": closed(battle((*EQUAL, "Kh", "9c"), "war"), CloseReason.IDLE),
}
