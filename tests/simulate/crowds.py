"""The same cards for all in a story: somebody plays some of them, and the judge remembers what the answers promised."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any, Final

from data import FieldClosed, NotInField
from engine.coach.sets import WhichFreeDeals, answered
from engine.sets.prepared import Prepared
from engine.sets.programme import SetTerms
from engine.sets.tries import NEXT
from engine.tables.ports import BankError, OutcomeUnknown

if TYPE_CHECKING:
    from tests.simulate.events import Scene

#: The deals of such a tournament, and the presses that one event makes.
HANDS: Final = 2
_PRESSES: Final = 12

#: What everybody has paid in and was paid, with the steps of their tries, of each tournament that is over.
_PAID: Final = (
    'SELECT s.tournament, t.steps, coalesce(p.amount, 0) FROM sets s JOIN tries t ON t."set" = s.id'
    " JOIN tournaments c ON c.id = s.tournament AND c.phase = 'over'"
    " JOIN entries e ON e.tournament = c.id AND e.person = t.person"
    " LEFT JOIN transfers p ON p.\"key\" = 'cup/' || c.id || '/prize/' || e.member"
)


async def deal(terms: SetTerms, seed: bytes, name: str, hands: int) -> Prepared:
    """Work the deals out at once."""

    async def ask(question: Any) -> Any:
        return question.answer()

    return await answered(ask, terms, seed, name, WhichFreeDeals(terms, seed, name, hands).answer())


async def plays(scene: Scene, tournament: int, user: int) -> None:
    """Make some presses of somebody who has signed up."""
    bank = scene.bank
    try:
        field = await bank.fields.known(tournament)
        stored = await bank.fields.begin(field, user)
        for _ in range(_PRESSES):
            stored = await bank.duels.in_time(stored, field.deals)
            found = stored.on(field.deals)
            if found.over:
                break
            action = NEXT if found.round.over else scene.chance.choice(found.legal)
            stored = await bank.tries.press(stored, found.pressed(action, field.deals.shoes))
            scene.judge.tries[stored.set, stored.person] = stored
    except (FieldClosed, NotInField, BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"


async def wrong_prize(bank: Any, sql: sqlite3.Connection) -> int | None:
    """Return a tournament in which somebody has a larger prize than somebody who gave less away."""
    rows: dict[int, list[tuple[str, int]]] = {}
    for tournament, steps, prize in sql.execute(_PAID):
        rows.setdefault(tournament, []).append((steps, prize))
    for tournament, played in rows.items():
        deals = (await bank.fields.known(tournament)).deals
        letters = deals.prepared.answers
        losses = [
            sum(
                max(worths.values()) - worths[letter]
                for place, hand in enumerate(steps.split(NEXT))
                for end, letter in enumerate(hand)
                for worths in [letters[place][hand[:end]]]
            )
            for steps, _ in played
        ]
        prizes = [prize for _, prize in played]
        if any(
            losses[one] < losses[two] and prizes[one] < prizes[two]
            for one in range(len(played))
            for two in range(len(played))
        ):
            return tournament
    return None
