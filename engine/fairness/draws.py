"""The cards that decided between equals at an elimination table (R7.4), as a file, and their check.

They can be checked when the table is over: then the root of its chain is shown, and it gives every deck.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from engine.fairness import reading
from engine.fairness.chain import Promise, folded, lots_deck, lots_of, tip_of
from engine.fairness.lots import Drawn, DrawPurpose, drawn_from
from engine.fairness.reading import BadRecord, each
from engine.fairness.record import card, place_under_promise
from engine.games.contract import Seat

#: The number of seats of an elimination table.
SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Drawing:
    """One draw: its number, its purpose, and each seat's cards in the order it drew them."""

    number: int
    wanted: DrawPurpose
    cards: Drawn


@dataclass(frozen=True, slots=True)
class Draws:
    """All draws of one table, with the promise and the root that decided them."""

    promise: Promise
    table: int  # the table's id
    root: bytes
    drawings: tuple[Drawing, ...]
    #: The slot and the path of the table's chain under its promise, as in `RecordThree`: 0 and empty where the promise
    #: covers no other chain.
    slot: int = 0
    path: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return compact JSON with its fields in a fixed order. It has version 3 if the promise covers many chains."""
        fields: dict[str, Any] = {
            "version": 3 if self.slot else 2,
            "tip": self.promise.tip,
            "guild": str(self.promise.guild),
            "channel": str(self.promise.channel),
            "message": str(self.promise.message),
            "table": str(self.table),
            "root": self.root.hex(),
            "draws": [_drawing_fields(drawing) for drawing in self.drawings],
        }
        if self.slot:
            fields |= {"slot": self.slot, "path": list(self.path)}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Read draws from a parsed object, or raise BadRecord."""
        get = reading.field
        version = get(fields, "version", reading.whole)
        if version not in _FIELDS:
            raise BadRecord(f"draws are of version {' or '.join(map(str, _FIELDS))}")
        reading.only(fields, _FIELDS[version])
        slot, path = place_under_promise(fields) if version == 3 else (0, ())
        if version == 3 and not slot:
            raise BadRecord("draws of version 3 have a slot")
        ids = [get(fields, name, reading.identity) for name in ("guild", "channel", "message")]
        drawings = get(fields, "draws", each(_drawing))
        if [drawing.number for drawing in drawings] != list(range(1, len(drawings) + 1)):
            raise BadRecord("draws are numbered 1, 2, 3 ...")
        return cls(
            Promise(get(fields, "tip", reading.digits(64)), *ids),
            get(fields, "table", reading.identity),
            bytes.fromhex(get(fields, "root", reading.digits(64))),
            drawings,
            slot,
            path,
        )


_SHARED: Final = ("version", "tip", "guild", "channel", "message", "table", "root", "draws")
_FIELDS: Final = {2: _SHARED, 3: (*_SHARED, "slot", "path")}


@dataclass(frozen=True, slots=True)
class DrawsFinding:
    """Draws as their file has them, and what `verify_draws` worked out for them."""

    draws: Draws
    tip: str  # worked out from the root, and from the path where there is one
    found: tuple[Drawn, ...]  # the cards that each draw's deck gives its seats

    @property
    def root_fits(self) -> bool:
        return self.tip == self.draws.promise.tip

    def fits(self, place: int) -> bool:
        """Return whether the draw at this place of the list (from 0) brought the cards that are written down."""
        return dict(self.found[place]) == dict(self.draws.drawings[place].cards)

    @property
    def holds(self) -> bool:
        return self.root_fits and all(self.fits(place) for place in range(len(self.found)))


def verify_draws(draws: Draws) -> DrawsFinding:
    """Make all draws of a table again from its root, and return them beside the recorded ones."""
    lots, promise = lots_of(draws.root), draws.promise.message
    found = [
        drawn_from(lots_deck(lots, promise, draws.table, drawing.number), drawing.cards, drawing.wanted)
        for drawing in draws.drawings
    ]
    return DrawsFinding(draws, folded(tip_of(draws.root), draws.slot, draws.path), tuple(found))


def _drawing_fields(drawing: Drawing) -> dict[str, Any]:
    cards = [[seat, *drawing.cards[seat]] for seat in sorted(drawing.cards)]
    return {"number": drawing.number, "wanted": drawing.wanted.value, "cards": cards}


def _drawing(value: Any) -> Drawing:
    fields = reading.mapping(lambda each: each)(value)
    reading.only(fields, ("number", "wanted", "cards"))
    number = reading.field(fields, "number", reading.whole)
    wanted = reading.field(fields, "wanted", reading.text)
    if wanted not in list(DrawPurpose):
        raise BadRecord(f"not a draw: {reading.shortened(value)}")
    seats = reading.field(fields, "cards", each(_seat_and_cards))
    order = [seat for seat, _ in seats]
    if len(order) < 2 or order != sorted(set(order)) or not set(order) <= set(range(SEATS)):
        raise BadRecord(f"not the seats of a draw: {order}")
    return Drawing(number, DrawPurpose(wanted), dict(seats))


def _seat_and_cards(value: Any) -> tuple[Seat, tuple[str, ...]]:
    if type(value) is not list or not value:
        raise BadRecord(f"not a seat with its cards: {reading.shortened(value)}")
    return reading.whole(value[0]), tuple(map(card, value[1:]))
