"""The benches' lines of JSON as a page of tables."""

from __future__ import annotations

import importlib
import inspect
import os
import platform
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

_HOW: Final = (
    "`make bench` measures them all again and writes this page. What stands below *Remarks* was written by hand, and "
    "stays."
)

Figures = Mapping[str, Any]

#: What the whole bench took.
TOOK: Final = "seconds of the bench"


#: What stands below it in the part of a bench is written by hand, and stays.
REMARKS: Final = "**Remarks**"


def page(found: Mapping[str, Figures], before: str = "") -> str:
    """All benches, each with what it measures, and the machine that it was measured on. `before`: the page as it was;
    its remarks stay, and so does what was not measured now."""
    parts = dict(_parts(before))
    for name, figures in found.items():
        parts[name] = _part(name, figures, parts.get(name, "").partition(REMARKS)[2].strip())
    return f"# Figures\n\n{_machine()}\n\n{_HOW}\n" + "".join(f"\n## {name}\n{parts[name]}" for name in sorted(parts))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """What a page has of each bench."""
    _, *found = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    return zip(found[::2], (part.rstrip("\n") + "\n" for part in found[1::2]), strict=True)


def _part(name: str, figures: Figures, remarks: str) -> str:
    told = _tables(figures) if figures else ["It could not be measured here.\n"]
    about = inspect.cleandoc(importlib.import_module(f"bench.{name}").__doc__ or "")
    return "\n".join(["", f"{about}\n", *told, *([f"{REMARKS}\n", f"{remarks}\n"] if remarks else [])])


def _machine() -> str:
    """What the figures hang on."""
    models = [line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    processor = f"{os.cpu_count()} x {models[0] if models else platform.machine()}"
    libraries = ", ".join(f"{name} {version(name)}" for name in ("discord.py", "SQLAlchemy", "asyncpg", "pillow"))
    return f"{processor}, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}; {libraries}."


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _tables(figures: Figures) -> Iterator[str]:
    """First what stands alone, then each group of figures that has parts of its own."""
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
    """Groups with the same figures share a table."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, group in groups.items():
        found.setdefault(tuple(group), []).append(name)
    return found


def _grid(columns: tuple[str, ...], groups: Mapping[str, Figures]) -> str:
    """A row for each group; a lone group stands upright."""
    if len(groups) == 1:
        ((name, group),) = groups.items()
        return _table((name, ""), [(column, _shown(value)) for column, value in group.items()])
    return _table(("", *columns), [(name, *(_shown(group[key]) for key in columns)) for name, group in groups.items()])


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [" | ".join(head), " | ".join(["---"] + ["---:"] * (len(head) - 1)), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    return str(value)
