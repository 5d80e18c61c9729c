"""The package: what is in it, and that it plays where nothing else of this project is."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import croupier
from bot import VERSION
from settings import ROOT
from tests.visitor import Visitor

#: Seconds for a process to open the playground on a machine that has much else to do.
PATIENCE = 60.0
#: Folders that are packages of the wheel as they are.
PACKAGES = ("engine", "data", "cogs", "bench")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with nothing but the wheel, which finds what it needs where the tests have it."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = next(path for path in (folder / "bin/python", folder / "Scripts/python.exe") if path.exists())
    alone = ("--no-index", "--no-deps", "--no-compile", "--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", *alone, str(wheel)], check=True)
    (packages,) = [path for path in folder.rglob("site-packages") if path.is_dir()]
    (packages / "needs.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python.parent


def environment(**more: str) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT", "TEMP", "HOME")}
    return {**kept, "PYTHONUTF8": "1", "PLAYGROUND_PORT": "0", **more}


def run(installed: Path, folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a folder that has nothing of this project."""
    return subprocess.run(
        [str(installed / "croupier"), *words],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


# -- what is in it -----------------------------------------------------------------------------------------------------


def test_the_wheel_has_every_file_of_the_bot_and_no_other(wheel: Path) -> None:
    ours = {"croupier.py", "bot.py", "settings.py"} | {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        assert {name for name in archive.namelist() if ".dist-info/" not in name} == ours


def test_the_wheel_has_the_version_of_the_bot(wheel: Path) -> None:
    assert wheel.name == f"croupier-{VERSION}-py3-none-any.whl"


def test_a_release_has_its_own_part_of_the_changelog() -> None:
    newest = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[0]
    assert newest == ("Unreleased" if "dev" in VERSION else VERSION)


# -- what it does ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_has_every_program(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "--version").stdout == f"croupier {VERSION}\n"
    for program in ("data", "solver", "verify", "bench"):
        assert run(installed, tmp_path, program, "--help").stdout.startswith(f"usage: croupier {program}"), program
    solved = run(installed, tmp_path, "solver", "vegas", "--hand", "A,7", "--up", "9")
    assert "best" in solved.stdout


@pytest.mark.slow
def test_its_bank_is_in_the_folder_that_it_is_started_in(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "data", "new").returncode == 0
    assert (tmp_path / "var/casino.db").exists()


@pytest.mark.slow
def test_with_croupier_home_settings_and_bank_are_there(installed: Path, tmp_path: Path) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    home.mkdir()
    (home / ".env").write_text("DATABASE_URL=sqlite:///chips.db\n", encoding="utf-8")
    assert run(installed, here, "data", "new", CROUPIER_HOME=str(home)).returncode == 0
    assert (home / "chips.db").exists()
    assert list(here.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["data", "engine", "cogs"])
def test_it_does_not_start_with_the_package_of_another_project(installed: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    refused = run(installed, tmp_path, PYTHONPATH=str(tmp_path))
    assert refused.stderr == (
        f"Croupier's own `{name}` would be imported from {tmp_path / name / '__init__.py'}: "
        "unset PYTHONPATH, and give Croupier an environment of its own.\n"
    )
    assert refused.returncode == 2


@asynccontextmanager
async def playground(installed: Path, folder: Path) -> AsyncIterator[str]:
    """Open the installed playground, yield its address, and stop it as Ctrl-C does."""
    croupier = await asyncio.create_subprocess_exec(
        str(installed / "croupier"), cwd=folder, env=environment(), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert croupier.stdout is not None
        async with asyncio.timeout(PATIENCE):
            said = (await croupier.stdout.readuntil(b"#") + await croupier.stdout.readline()).decode()
        yield said.partition("Play at ")[2].strip()
    finally:
        croupier.terminate()
        await croupier.communicate()
    assert croupier.returncode == (0 if os.name == "posix" else 1)


@pytest.mark.slow
async def test_a_hand_is_played_where_only_the_wheel_is_installed(installed: Path, tmp_path: Path) -> None:
    async with playground(installed, tmp_path) as url, Visitor(url) as ada:
        await ada.types("blackjack", bet="25")
        while (asked := await ada.finds("No insurance", "Stand", "Deal 25")) != "Deal 25":
            await ada.presses(asked)
        await ada.types("history")
        assert await ada.shows("Your rounds")
        assert "haven't finished a round yet" not in str(ada.page["messages"]), "the hand is in the bank"
        await ada.types("strategy", rules="vegas")
        assert await ada.shows("strategy.png"), "the coach's process has found the engine"


def test_the_project_is_not_installed_where_the_tests_run() -> None:
    """Otherwise the wheel would be tried with the project's own files."""
    assert not (Path(sysconfig.get_path("purelib")) / "cogs").exists()


@pytest.mark.slow
def test_a_part_of_the_bot_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(croupier, "OWN", ("engine", "no_such_part"))
    (sentence,) = croupier.strangers(ROOT)
    assert "`no_such_part` cannot be imported" in sentence
