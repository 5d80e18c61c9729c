"""The draws of a tournament as a file, and their check: the order of its entrants, and its tables' promises.

They can be checked when the tournament is over or cancelled: then its root is shown, from which all of them follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from engine.fairness import reading
from engine.fairness.chain import by_lot, lots_of, table_root, tip_of
from engine.fairness.reading import BadRecord, each

#: The form of a name: a person's number in the list of entrants, or a computer player's stage, table and seat.
_NAME: Final = re.compile(r"[1-9][0-9]{0,5}(\.[1-9][0-9]{0,5}\.[1-4])?")


#: The most names: more cannot be shuffled fairly with two bytes a name.
_MOST_NAMES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Root:
    """A root of the tournament, with the tip that promised it and the id of the message that shows this tip.

    There are several roots if a promise was lost or deleted, or if a backup was restored.
    """

    tip: str
    message: str
    root: str


@dataclass(frozen=True, slots=True)
class Ordered:
    """The same names twice: as they were before lots were drawn, and in the order that the lots gave them."""

    promise: int  # the index in `TournamentLots.promises` of the one whose lots decided
    what: str  # the purpose of the order
    names: tuple[str, ...]
    drawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableTip:
    """A promise that was begun for a table. If `message` is empty, it is not known whether it was posted.

    Stages are counted from 1, tables and attempts from 0.
    """

    promise: int  # the index in `TournamentLots.promises` of the one from whose root this table's root follows
    stage: int
    table: int
    attempt: int
    tip: str
    message: str


@dataclass(frozen=True, slots=True)
class TournamentLots:
    """Everything that follows from the roots of one tournament. Ids are Discord's, as texts."""

    tournament: str
    guild: str
    channel: str
    entrants: str  # the message that lists who is in
    promises: tuple[Root, ...]
    orders: tuple[Ordered, ...]
    tables: tuple[TableTip, ...]

    def to_json(self) -> str:
        """Return compact JSON with its fields in a fixed order."""
        return json.dumps({"version": 2, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Read lots from a parsed object, or raise BadRecord."""
        get = reading.field
        reading.only(fields, ("version", *cls.__slots__))
        if get(fields, "version", reading.whole) != 2:
            raise BadRecord("the lots of a tournament are of version 2")
        found = cls(
            tournament=get(fields, "tournament", _id),
            guild=get(fields, "guild", _id),
            channel=get(fields, "channel", _id),
            entrants=get(fields, "entrants", _id),
            promises=get(fields, "promises", each(_root)),
            orders=get(fields, "orders", each(_order)),
            tables=get(fields, "tables", each(_table)),
        )
        used = [order.promise for order in found.orders] + [table.promise for table in found.tables]
        if any(promise >= len(found.promises) for promise in used):
            raise BadRecord("a promise that is not there")
        return found


@dataclass(frozen=True, slots=True)
class LotsCheck:
    """One value that was checked: as the file has it, and as the check worked it out."""

    what: str
    fits: bool
    found: str
    recorded: str


@dataclass(frozen=True, slots=True)
class LotsFinding:
    """The lots of a tournament, and all checks of them."""

    lots: TournamentLots
    checks: tuple[LotsCheck, ...]

    @property
    def holds(self) -> bool:
        return all(check.fits for check in self.checks)


def verify_lots(lots: TournamentLots) -> LotsFinding:
    """Check the lots of a tournament by drawing all of them again."""
    return LotsFinding(lots, (*_roots(lots), *_orders(lots), *_tables(lots)))


def _roots(lots: TournamentLots) -> Iterator[LotsCheck]:
    for number, promise in enumerate(lots.promises, start=1):
        tip = tip_of(bytes.fromhex(promise.root))
        yield LotsCheck(f"the root of promise {number} gives its tip", tip == promise.tip, tip, promise.tip)


def _orders(lots: TournamentLots) -> Iterator[LotsCheck]:
    """Yield a check for each order: whether the names were sorted first, and the lots then gave this order.

    Sorting leaves the house no choice: the order in which names enter a shuffle decides where they end.
    """
    for order in lots.orders:
        promise = lots.promises[order.promise]
        names = sorted(order.names, key=_entered)
        drawn = by_lot(lots_of(bytes.fromhex(promise.root)), promise.message, lots.entrants, order.what, names)
        found, recorded = (drawn, order.drawn) if tuple(names) == order.names else (names, order.names)
        yield LotsCheck(order.what, tuple(found) == recorded, " ".join(found), " ".join(recorded))


def _tables(lots: TournamentLots) -> Iterator[LotsCheck]:
    for table in lots.tables:
        root = bytes.fromhex(lots.promises[table.promise].root)
        tip = tip_of(table_root(root, table.stage, table.table, table.attempt))
        what = f"table {table.table + 1} of stage {table.stage}, promise {table.attempt + 1}"
        yield LotsCheck(what, tip == table.tip, tip, table.tip)


def _entered(name: str) -> tuple[int, ...]:
    """Return a sort key: people by their number in the list, then computer players by stage, table and seat."""
    parts = tuple(map(int, name.split(".")))
    return (len(parts), *parts)


# -- reading -----------------------------------------------------------------------------------------------------------


def _id(value: Any) -> str:
    return str(reading.identity(value))


def _parts(value: Any, *names: str) -> Mapping[str, Any]:
    fields = reading.mapping(lambda each: each)(value)
    reading.only(fields, names)
    return fields


def _natural(value: Any) -> int:
    found = reading.whole(value)
    if not 0 <= found < 1_000_000:
        raise BadRecord(f"not a number of these: {found}")
    return found


def _name(value: Any) -> str:
    if _NAME.fullmatch(reading.text(value)) is None:
        raise BadRecord(f"not a name: {reading.shortened(value)}")
    return str(value)


def _names(value: Any) -> tuple[str, ...]:
    names = each(_name)(value)
    if len(names) > _MOST_NAMES:
        raise BadRecord(f"{len(names)} names")
    return names


def _root(value: Any) -> Root:
    fields, get = _parts(value, "tip", "message", "root"), reading.field
    hex = reading.digits(64)
    return Root(get(fields, "tip", hex), get(fields, "message", _id), get(fields, "root", hex))


def _order(value: Any) -> Ordered:
    fields, get = _parts(value, "promise", "what", "names", "drawn"), reading.field
    names = [get(fields, name, _names) for name in ("names", "drawn")]
    return Ordered(get(fields, "promise", _natural), get(fields, "what", reading.text), *names)


def _table(value: Any) -> TableTip:
    fields, get = _parts(value, "promise", "stage", "table", "attempt", "tip", "message"), reading.field
    return TableTip(
        promise=get(fields, "promise", _natural),
        stage=get(fields, "stage", _natural),
        table=get(fields, "table", _natural),
        attempt=get(fields, "attempt", _natural),
        tip=get(fields, "tip", reading.digits(64)),
        message=get(fields, "message", lambda given: "" if given == "" else _id(given)),
    )
