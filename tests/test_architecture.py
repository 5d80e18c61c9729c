"""The drawing in docs/architecture.md stays true: who imports whom, what an import may do, how long things get."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "architecture.md"
FLOORS = ("bot.py", "settings.py", "engine", "data", "cogs")
SQL = {"sqlalchemy", "alembic", "aiosqlite", "asyncpg", "sqlite3"}


# -- reading the project -----------------------------------------------------------------------------------------------


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the product by its dotted name."""
    paths = [path for floor in FLOORS for path in ([ROOT / floor] if floor.endswith(".py") else _python(ROOT / floor))]
    return {_dotted(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def _python(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(name: str) -> set[str]:
    """What a module imports, wherever in it: ``from a.b import c`` counts as ``a.b`` and, if that is one, ``a.b.c``."""
    found: set[str] = set()
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            assert node.module is not None
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules())
            found |= submodules or {node.module}
    return found


def within(floor: str) -> list[str]:
    return [name for name in modules() if name == floor or name.startswith(f"{floor}.")]


def roots(name: str) -> set[str]:
    return {imported.partition(".")[0] for imported in imports(name)}


def cogs() -> set[str]:
    """The modules that the bot loads: those with `async def setup`."""
    return {
        name
        for name in within("cogs")
        if any(isinstance(node, ast.AsyncFunctionDef) and node.name == "setup" for node in modules()[name].body)
    }


def functions() -> Iterator[tuple[str, int]]:
    """Every function and its length in lines, without its docstring. A migration is written once and never changed."""
    for module, tree in modules().items():
        if module.startswith("data.migrations.versions"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body
                assert node.end_lineno is not None
                yield f"{module}.{node.name}", node.end_lineno - body[0].lineno + 2


# -- who may import whom -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", within("engine"))
def test_the_engine_stands_on_the_standard_library_alone(name: str) -> None:
    beyond = {"numpy"} if name.startswith("engine.solver") else set()
    assert roots(name) <= set(sys.stdlib_module_names) | {"engine"} | beyond


@pytest.mark.parametrize("name", within("engine"))
def test_the_engine_has_no_clock_and_no_chance_of_its_own(name: str) -> None:
    assert not roots(name) & {"random", "secrets", "time", "datetime", "sqlite3"}


@pytest.mark.parametrize("name", [*within("engine.games"), *within("engine.fairness"), *within("engine.solver")])
def test_games_and_fairness_do_not_know_the_tables(name: str) -> None:
    assert not [imported for imported in imports(name) if imported.startswith("engine.tables")]
    assert "asyncio" not in roots(name)


def package(name: str) -> str:
    """The package of `engine` that a module lies in; its own name for one that lies in none."""
    return ".".join(name.split(".")[:2])


def tower() -> list[str]:
    """The packages of `engine` from the top, as docs/architecture.md draws them, and the words that all may know."""
    drawn = re.findall(r"^\| \[\w+/\]\(\.\./engine/(\w+)\)", ARCHITECTURE.read_text(encoding="utf-8"), re.MULTILINE)
    return [*(f"engine.{name}" for name in drawn), "engine.stored_words"]


def test_the_packages_of_the_engine_are_those_that_are_drawn() -> None:
    assert sorted(tower()) == sorted({package(name) for name in within("engine")} - {"engine"})


@pytest.mark.parametrize("name", [name for name in within("engine") if name != "engine"])
def test_the_packages_of_the_engine_form_a_tower(name: str) -> None:
    mine = tower().index(package(name))
    ours = {package(imported) for imported in imports(name) if imported.startswith("engine.")}
    assert all(tower().index(theirs) >= mine for theirs in ours)


@pytest.mark.parametrize("name", within("data"))
def test_the_bank_knows_neither_discord_nor_cogs(name: str) -> None:
    assert not roots(name) & {"discord", "cogs", "bot", "settings", "simcord"}


@pytest.mark.parametrize("name", within("data"))
def test_the_bank_knows_only_the_ports_and_values_of_the_engine(name: str) -> None:
    known = (
        "engine.games",
        "engine.tables.ports",
        "engine.tables.places",
        "engine.tables.values",
        "engine.tournament.ports",
        "engine.tournament.tournament",
        "engine.tables.house",
        "engine.tables.refused",
        "engine.fairness",
        "engine.stored_words",
        "engine.tournament.restored",
    )
    if name.startswith("data.proofs"):  # which takes tables and rounds up again, as a start does
        known += ("engine.tables.rebuilt", "engine.tables.position", "engine.tables.state")
        known += ("engine.tournament.state", "engine.elimination.steps")
    ours = {imported for imported in imports(name) if imported.startswith("engine")}
    assert all(imported.startswith(known) for imported in ours)


@pytest.mark.parametrize("name", within("cogs"))
def test_cogs_write_no_sql_and_see_only_the_front_of_the_bank(name: str) -> None:
    assert not roots(name) & SQL
    assert not [imported for imported in imports(name) if imported.startswith("data.")]
    assert not roots(name) & {"bot", "settings"}


@pytest.mark.parametrize("name", within("cogs"))
def test_no_cog_imports_another(name: str) -> None:
    assert not imports(name) & cogs()


@pytest.mark.parametrize("name", sorted(set(modules()) - {"bot"}))
def test_only_the_playground_knows_simcord(name: str) -> None:
    if not name.startswith("cogs.playground"):
        assert "simcord" not in roots(name)


def test_there_are_cogs() -> None:
    assert cogs()


# -- what an import may do ---------------------------------------------------------------------------------------------


def test_importing_the_bot_does_nothing(tmp_path: Path) -> None:
    look = (
        "import sys, threading, bot; "
        "heavy = {'sqlalchemy', 'alembic', 'PIL', 'simcord', 'numpy', 'dotenv', 'babel'} & set(sys.modules); "
        "print(sorted(heavy), threading.active_count(), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", look],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": "not a token", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("[] 1", "", 0)
    assert not list(tmp_path.iterdir())


# -- how long things may get -------------------------------------------------------------------------------------------


def length_of(name: str) -> int:
    path = ROOT / Path(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", sorted(modules()))
def test_modules_are_about_one_thing(name: str) -> None:
    assert length_of(name) <= 500 or name.startswith("data.migrations.versions")


def test_functions_are_small() -> None:
    lengths = sorted(length for _, length in functions())
    assert statistics.median(lengths) <= 10
    assert lengths[int(len(lengths) * 0.9)] <= 30


def test_no_function_fills_more_than_a_screen() -> None:
    assert [name for name, length in functions() if length > 60] == []


# -- what is said of it ------------------------------------------------------------------------------------------------

#: Where a promise is written once, for all who keep it.
PROMISED = {
    "engine.games.contract": ("Round", "Rules"),
    "engine.tables.draft": ("Draft",),
}


def promised() -> set[str]:
    """Names of methods that some contract describes."""
    classes = [
        node
        for module, names in PROMISED.items()
        for node in modules()[module].body
        if isinstance(node, ast.ClassDef) and node.name in names
    ]
    return {each.name for node in classes for each in node.body if _is_function(each) and ast.get_docstring(each)}  # type: ignore[attr-defined, arg-type]


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_silent(node: ast.stmt) -> bool:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    values = [each.id for each in node.decorator_list if isinstance(each, ast.Name)]
    return not node.name.startswith("_") and "property" not in values and ast.get_docstring(node) is None


@pytest.mark.parametrize(
    "name",
    [name for floor in ("games", "tables", "elimination", "tournament") for name in within(f"engine.{floor}")],
)
def test_whatever_is_public_in_the_engine_says_what_it_promises(name: str) -> None:
    outer = [node for node in modules()[name].body if _is_function(node) or isinstance(node, ast.ClassDef)]
    inner = [
        each
        for node in outer
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        for each in node.body
        if _is_function(each) and each.name not in promised()  # type: ignore[attr-defined]
    ]
    assert [node.name for node in (*outer, *inner) if _is_silent(node)] == []  # type: ignore[attr-defined]
