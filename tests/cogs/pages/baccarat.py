"""Baccarat in every phase."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from engine.games.baccarat import GAME, Baccarat
from engine.games.contract import CHIP
from engine.tables.snapshot import CloseReason, Sitter, Snapshot

from .scenes import BEN, CHLOE, DEADLINE, WAITS, at, before, closed, person, stakes

RULES: Final = GAME.rule_sets["punto-banco"]
#: The cards in dealing order: Player, Banker, Player, Banker, then the third cards.
NINE_SEVEN = ("2s", "Kh", "2d", "7c", "5s")
COUPS: Final = {
    "Player wins": NINE_SEVEN,
    "Player wins with a natural": ("9s", "Kh", "Qd", "7c"),
    "Banker wins": ("2s", "2h", "4d", "3c", "4h"),
    "Banker wins with a natural": ("2s", "8h", "4d", "Kc"),
    "a tie": ("Ks", "Kh", "7d", "7c"),
    "a tie of naturals": ("Ks", "Kh", "9d", "9c"),
}


def coup(cards: tuple[str, ...], *sitters: Sitter, commission: int = 5, **more: Any) -> Snapshot:
    """The first sitter staked ten on Player and one on a tie, the others twenty on Banker."""
    dealt = [sitter for sitter in sitters or (person(),) if sitter.seat != WAITS]
    lying = [{"player": 10 * CHIP, "tie": 1 * CHIP}, *({"banker": 20 * CHIP} for _ in dealt[1:])]
    rules = replace(RULES, commission=commission)
    return replace(
        at("baccarat", "punto-banco", Baccarat(rules, lying, cards), *sitters, placed=lying, **more), rules=rules
    )


CALLING = (person(staked=stakes(10, "banker")), person(BEN, 2), person(CHLOE, 3, seat=WAITS))

SCENES: Final = {
    "a new table": before("baccarat", "punto-banco"),
    "a new table without a commission": replace(before("baccarat", "punto-banco"), rules=replace(RULES, commission=0)),
    "the first stakes lie": before(
        "baccarat", "punto-banco", person(staked={**stakes(10, "player"), **stakes(1, "tie")}), person(BEN, 2),
        deadline=DEADLINE,
    ),
    **{name: coup(cards, road=("tie", "banker", "player")) for name, cards in COUPS.items()},
    "no commission on Banker": coup(COUPS["Banker wins"], person(), person(BEN, 2), commission=0),
    "company": coup(NINE_SEVEN, person(), person(BEN, 2), person(CHLOE, 3, seat=WAITS)),
    "more people than a headline lists": coup(
        COUPS["a tie"], person(), *(person(user, place) for place, user in enumerate((BEN, CHLOE, 104, 105), 2))
    ),
    "the next stakes lie": coup(NINE_SEVEN, *CALLING, road=("player",), deadline=DEADLINE),
    "the next stakes lie, and one has left": coup(
        NINE_SEVEN, person(staked=stakes(10, "banker")), Sitter(2, BEN, None, leaving=True), deadline=DEADLINE
    ),
    "somebody leaves who has staked": coup(
        NINE_SEVEN, person(staked=stakes(5, "tie"), leaving=True), deadline=DEADLINE
    ),
    "closed": closed(coup(NINE_SEVEN), CloseReason.LEFT),
}  # fmt: skip
