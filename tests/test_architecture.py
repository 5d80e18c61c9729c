"""The drawing in docs/architecture.md stays true: who imports whom, what an import may do, how long things get."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "architecture.md"
FLOORS = ("croupier.py", "bot.py", "settings.py", "engine", "data", "cogs")
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


@cache
def imports(name: str) -> frozenset[str]:
    """Return what a module imports: ``from a.b import c`` counts as ``a.b.c`` if that is a module, else as ``a.b``."""
    found: set[str] = set()
    for node in ast.walk(modules()[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            assert node.module is not None
            submodules = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules())
            found |= submodules or {node.module}
    return frozenset(found)


def within(floor: str) -> list[str]:
    return [name for name in modules() if name == floor or name.startswith(f"{floor}.")]


def roots(name: str) -> set[str]:
    return {imported.partition(".")[0] for imported in imports(name)}


@cache
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


def offenders(names: Iterable[str], forbidden: Callable[[str], object]) -> list[str]:
    """Return the modules that do what none of them may."""
    return [name for name in names if forbidden(name)]


def test_the_engine_needs_only_the_standard_library() -> None:
    def beyond(name: str) -> set[str]:
        numpy = {"numpy"} if name.startswith("engine.solver") else set()
        return roots(name) - set(sys.stdlib_module_names) - {"engine"} - numpy

    assert offenders(within("engine"), beyond) == []


def test_the_engine_has_no_clock_and_no_chance_of_its_own() -> None:
    own = {"random", "secrets", "time", "datetime", "sqlite3"}
    assert offenders(within("engine"), lambda name: roots(name) & own) == []


def test_games_fairness_and_solver_run_without_asyncio() -> None:
    pure = [*within("engine.games"), *within("engine.fairness"), *within("engine.solver")]
    assert offenders(pure, lambda name: "asyncio" in roots(name)) == []


def package(name: str) -> str:
    """Return the package that a module is in, or the floor if it is in none."""
    floor, _, rest = name.partition(".")
    inside = rest.partition(".")[0]
    return f"{floor}.{inside}" if inside and (ROOT / floor / inside).is_dir() else floor


def tower(floor: str) -> list[str]:
    """Return the packages of a floor from the top, as docs/architecture.md draws them, with its own modules: those of
    `engine` are words below all packages, those of `data` and `cogs` are the front and the commands above them."""
    drawn = re.findall(rf"\[\w+/\]\(\.\./({floor}/\w+)\)", ARCHITECTURE.read_text(encoding="utf-8"))
    packages = [name.replace("/", ".") for name in drawn]
    return [*packages, floor] if floor == "engine" else [floor, *packages]


#: The bot's class and its metrics name the parts of the bot, but only for the type checker.
NAMES_FOR_TYPES = {"cogs.answers.client", "cogs.operations.figures"}


@pytest.mark.parametrize("floor", ["engine", "data", "cogs"])
def test_the_packages_of_a_floor_are_those_that_are_drawn(floor: str) -> None:
    assert sorted(tower(floor)) == sorted({package(name) for name in within(floor)})


@pytest.mark.parametrize("floor", ["engine", "data", "cogs"])
def test_the_packages_of_a_floor_form_a_tower(floor: str) -> None:
    floors = tower(floor)

    def looks_up(name: str) -> bool:
        theirs = {package(each) for each in imports(name) if each.startswith(f"{floor}.")}
        return any(floors.index(each) < floors.index(package(name)) for each in theirs)

    assert offenders((name for name in within(floor) if name not in NAMES_FOR_TYPES), looks_up) == []


def test_the_bank_knows_neither_discord_nor_cogs() -> None:
    above = {"discord", "cogs", "bot", "settings", "simcord"}
    assert offenders(within("data"), lambda name: roots(name) & above) == []


#: The part of the engine that the bank may know, and what its proofs need to rebuild tables and rounds as a start does.
KNOWN_TO_THE_BANK = (
    "engine.games",
    "engine.tables.ports",
    "engine.tables.places",
    "engine.tables.values",
    "engine.tournament.ports",
    "engine.tournament.tournament",
    "engine.tournament.field",
    "engine.tables.house",
    "engine.tables.refused",
    "engine.fairness",
    "engine.sets",
    "engine.stored_words",
    "engine.tournament.restored",
)
KNOWN_TO_THE_PROOFS = (
    "engine.tables.rebuilt",
    "engine.tables.position",
    "engine.tables.state",
    "engine.tournament.state",
    "engine.elimination.steps",
)


def test_the_bank_knows_only_the_ports_and_values_of_the_engine() -> None:
    def knows_more(name: str) -> bool:
        known = KNOWN_TO_THE_BANK + (KNOWN_TO_THE_PROOFS if name.startswith("data.proofs") else ())
        return not all(each.startswith(known) for each in imports(name) if each.startswith("engine"))

    assert offenders(within("data"), knows_more) == []


def test_cogs_write_no_sql_and_see_only_the_front_of_the_bank() -> None:
    def sees_more(name: str) -> bool:
        return bool(roots(name) & (SQL | {"bot", "settings"})) or any(
            each.startswith("data.") for each in imports(name)
        )

    assert offenders(within("cogs"), sees_more) == []


def test_no_cog_imports_another() -> None:
    assert offenders(within("cogs"), lambda name: imports(name) & cogs()) == []


def test_only_the_playground_knows_simcord() -> None:
    others = [name for name in modules() if name != "bot" and not name.startswith("cogs.playground")]
    assert offenders(others, lambda name: "simcord" in roots(name)) == []


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


# -- names -------------------------------------------------------------------------------------------------------------


#: A part of the bank has the name of the port by which the engine sees it: both mean the same thing.
PORTS = {"engine.tables.ports", "engine.tournament.ports"}
#: The options of the commands in a module: the type of `rules`, say, differs with the command's game.
OPTION = "Option"


def types_of(tree: ast.Module) -> Iterator[str]:
    """Yield the names of classes and aliases of types, without the leading underscore of a private one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_")
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id.lstrip("_") for each in targets if isinstance(each, ast.Name)]
            yield from (name for name in names if re.match("[A-Z][a-z]", name) and not name.endswith(OPTION))


def places_of_types() -> dict[str, set[str]]:
    """Return the modules of each name of a type. Benchmarks count, migrations do not: nobody edits them any more."""
    bench = {_dotted(path): ast.parse(path.read_text(encoding="utf-8")) for path in _python(ROOT / "bench")}
    found: dict[str, set[str]] = {}
    for module, tree in {**modules(), **bench}.items():
        if not module.startswith("data.migrations.versions"):
            for name in types_of(tree):
                found.setdefault(name, set()).add(module)
    return found


def is_a_part_behind_its_port(found: set[str]) -> bool:
    return len(found) == 2 and bool(found & PORTS) and any(module.startswith("data.") for module in found)


def test_no_name_of_a_type_has_two_meanings() -> None:
    places = places_of_types()
    assert len(places) > 800
    double = {name: found for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in double.items() if not is_a_part_behind_its_port(found)} == {}


# -- how long things may get -------------------------------------------------------------------------------------------


def length_of(name: str) -> int:
    path = ROOT / Path(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(path.read_text(encoding="utf-8").splitlines())


def test_modules_are_about_one_thing() -> None:
    written = (name for name in modules() if not name.startswith("data.migrations.versions"))
    assert offenders(written, lambda name: length_of(name) > 500) == []


def test_functions_are_small() -> None:
    lengths = sorted(length for _, length in functions())
    assert statistics.median(lengths) <= 10
    assert lengths[int(len(lengths) * 0.9)] <= 30


def test_no_function_fills_more_than_a_screen() -> None:
    assert [name for name, length in functions() if length > 60] == []


# -- what is said of it ------------------------------------------------------------------------------------------------

#: The modules where a protocol is written once, for all who keep it.
PROMISED = {
    "engine.games.contract": ("Round", "Rules"),
    "engine.tables.draft": ("Draft",),
    "engine.solver.styles": ("Style",),
    "engine.coach.questions": ("Question", "LongQuestion"),
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


def silent(name: str) -> list[str]:
    """Return the public names of a module that have no docstring, nor a contract that describes them."""
    outer = [node for node in modules()[name].body if _is_function(node) or isinstance(node, ast.ClassDef)]
    inner = [
        each
        for node in outer
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        for each in node.body
        if _is_function(each) and each.name not in promised()  # type: ignore[attr-defined]
    ]
    return [f"{name}.{node.name}" for node in (*outer, *inner) if _is_silent(node)]  # type: ignore[attr-defined]


def test_everything_public_in_the_bank_says_what_it_does() -> None:
    written = (name for name in within("data") if not name.startswith("data.migrations.versions"))
    assert [each for name in written for each in silent(name)] == []


def test_everything_public_in_the_engine_says_what_it_does() -> None:
    packages = ("games", "tables", "elimination", "tournament", "coach", "solver")
    assert [each for floor in packages for name in within(f"engine.{floor}") for each in silent(name)] == []


def _is_cog_or_command(node: ast.AST) -> bool:
    if isinstance(node, ast.ClassDef):
        return any(ast.unparse(base).endswith(("Cog", "Chore")) for base in node.bases)
    return _is_function(node) and any(
        "app_commands.command(" in ast.unparse(each)
        for each in node.decorator_list  # type: ignore[attr-defined]
    )


def test_every_cog_and_command_says_what_it_is_for() -> None:
    found = [(name, node) for name in within("cogs") for node in ast.walk(modules()[name]) if _is_cog_or_command(node)]
    assert len(found) > 50
    assert [f"{name}.{node.name}" for name, node in found if ast.get_docstring(node) is None] == []  # type: ignore[attr-defined, arg-type]
