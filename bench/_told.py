"""Turns the benchmarks' lines of JSON into a page of tables."""

from __future__ import annotations

import importlib
import inspect
import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

_HOW: Final = (
    "`make bench` measures them all again and writes this page. What stands below *Remarks* was written by hand, and "
    "stays."
)

Figures = Mapping[str, Any]

#: The heading of the time that the whole run took.
TOOK: Final = "seconds of the bench"


#: The line below which remarks are written by hand and kept.
REMARKS: Final = "**Remarks**"


#: The figures that people ask for first, each with its counterpart in the same run, by benchmark and path.
_SHORT: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("a press, ms of processor time", "press/CPU ms", "of an empty button", "press/CPU ms of an empty button"),
    ("a press, ms until its answer", "press/p50 ms", "one in a hundred", "press/p99 ms"),
    (
        "a picture of one hand, ms",
        "picture/in play/one hand/CPU ms",
        "before",
        "picture/in play/one hand/CPU ms before",
    ),
    ("durable presses/s, SQLite", "bank/sqlite/bank/64 at once", "aiosqlite", "bank/sqlite/aiosqlite/64 at once"),
    ("the same, PostgreSQL", "bank/postgresql/bank/64 at once", "asyncpg", "bank/postgresql/asyncpg/64 at once"),
    ("blackjack rounds/s on one core", "engine/croupier", "blackjack21", "engine/blackjack21"),
    ("a six-deck game solved exactly, s", "solver/whole six-deck game, cold, s", "MiB it takes", "solver/peak MiB"),
    ("KiB of an open table", "tables/KiB a table", "open at once", "tables/open tables"),
    (
        "after a kill, s until a press is answered",
        "tables/seconds after a kill/first press answered",
        "all tables back",
        "tables/seconds after a kill/all back",
    ),
    ("importing the bot, s", "start/import bot/s", "discord.py alone", "start/import discord/s"),
)


def page(found: Mapping[str, Figures], before: str = "") -> str:
    """Return the page with the machine and every benchmark's figures.

    `before` is the earlier page: its remarks stay, and so do figures that were not measured now.
    """
    parts = dict(_parts(before))
    for name, figures in found.items():
        parts[name] = _part(name, figures, parts.get(name, "").partition(REMARKS)[2].strip())
    head, *_ = before.partition("\n## ")
    if not before or found.keys() >= parts.keys():
        head = f"# Figures\n\n{_machine()}\n\n{_HOW}\n\n{_short(found)}"
    return head + "".join(f"\n## {name}\n{parts[name]}" for name in sorted(parts))


def _short(found: Mapping[str, Figures]) -> str:
    """Return the table of the figures that people ask for first, without those that were not measured."""
    told = [(what, _at(found, where), beside, _at(found, other)) for what, where, beside, other in _SHORT]
    rows = [
        (what, _shown(one), f"{beside}: {_shown(two)}") for what, one, beside, two in told if None not in (one, two)
    ]
    return _table(("", "", "beside it"), rows)


def _at(found: Mapping[str, Any], where: str) -> Any:
    """Return the figure at a path of names, such as `press/CPU ms`, or None."""
    value: Any = found
    for name in where.split("/"):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Return each benchmark's name and its part of the page."""
    _, *found = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    return zip(found[::2], (part.rstrip("\n") + "\n" for part in found[1::2]), strict=True)


def _part(name: str, figures: Figures, remarks: str) -> str:
    told = _tables(figures) if figures else ["It could not be measured here.\n"]
    about = inspect.cleandoc(importlib.import_module(f"bench.{name}").__doc__ or "")
    return "\n".join(["", f"{about}\n", *told, *([f"{REMARKS}\n", f"{remarks}\n"] if remarks else [])])


def _machine() -> str:
    """Return a description of the machine, on which the figures depend."""
    models = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    processor = f"{os.cpu_count()} x {models[0] if models else platform.machine()}"
    libraries = ", ".join(f"{name} {version(name)}" for name in ("discord.py", "SQLAlchemy", "asyncpg", "pillow"))
    return f"{processor}, {_memory()}{platform.system()}, Python {platform.python_version()}; {libraries}."


def _memory() -> str:
    if sys.platform == "win32":
        return ""
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB, "


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _tables(figures: Figures) -> Iterator[str]:
    """Yield the tables: one of the single figures first, then those of the groups. Groups with the same figures share
    one.
    """
    alone = {name: value for name, value in figures.items() if not isinstance(value, dict) and name != "bench"}
    groups = {name: value for name, value in figures.items() if isinstance(value, dict)}
    if alone:
        yield _table(("", ""), [(name, _shown(value)) for name, value in alone.items()])
    rows = {name: group for name, group in groups.items() if not any(isinstance(part, dict) for part in group.values())}
    for columns, names in _alike(rows).items():
        yield _grid(columns, {name: rows[name] for name in names})
    for name, group in groups.items():
        if name not in rows:
            yield f"**{name}**\n"
            yield from _tables(group)


def _alike(groups: Mapping[str, Figures]) -> dict[tuple[str, ...], list[str]]:
    """Return the names of groups by their figures: groups with the same figures share a table."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, group in groups.items():
        found.setdefault(tuple(group), []).append(name)
    return found


def _grid(columns: tuple[str, ...], groups: Mapping[str, Figures]) -> str:
    """Return a table with a row for each group; a single group gets a row for each figure."""
    if len(groups) == 1:
        ((name, group),) = groups.items()
        return _table((name, ""), [(column, _shown(value)) for column, value in group.items()])
    return _table(("", *columns), [(name, *(_shown(group[key]) for key in columns)) for name, group in groups.items()])


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [" | ".join(head), " | ".join(["---"] + ["---:"] * (len(head) - 1)), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return str(value)
