"""The pins: what pyproject.toml asks for, and the files that `make pins` writes from it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest

from settings import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS, GROUPS = PROJECT["project"]["optional-dependencies"], PROJECT["dependency-groups"]
BOT = [*PROJECT["project"]["dependencies"], *EXTRAS["postgres"]]

#: The requirements in pyproject.toml that each file must contain.
ASKED = {
    "requirements.txt": BOT,
    "requirements-playground.txt": [*BOT, *EXTRAS["playground"]],
    "requirements-dev.txt": [*BOT, *EXTRAS["playground"], *GROUPS["dev"]],
    "requirements-bench.txt": [*BOT, *EXTRAS["playground"], *GROUPS["dev"], *GROUPS["bench"]],
    "requirements-pins.txt": GROUPS["pins"],
}


def pins(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the name, the version and the number of hashes of each requirement."""
    for lines in re.split(r"\n(?=\S)", "\n".join(line for line in text.splitlines() if line.strip()[:1] != "#")):
        name, version = re.match(r"([\w.-]+)==([^\s\\]+)", lines).groups()  # type: ignore[union-attr]
        yield name, version, lines.count("--hash=sha256:")


def pin(asked: str) -> tuple[str, str]:
    """Return the name and version that an entry of pyproject.toml asks for, as the files write them."""
    name, version = re.match(r"([\w.-]+)(?:\[\w+\])?==([^\s;]+)", asked).groups()  # type: ignore[union-attr]
    return re.sub(r"[-_.]+", "-", name).lower(), version


def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def test_every_file_is_known() -> None:
    assert {file.name for file in ROOT.glob("requirements*.txt")} == set(ASKED)


@pytest.mark.parametrize("file", ASKED)
def test_a_file_has_what_the_project_asks_for(file: str) -> None:
    there = {(name, version) for name, version, _ in pins(text_of(file))}
    assert {pin(asked) for asked in ASKED[file]} - there == set()


@pytest.mark.parametrize("file", ASKED)
def test_every_pin_has_hashes_and_no_registry_is_named(file: str) -> None:
    text = text_of(file)
    assert [name for name, _, hashes in pins(text) if hashes == 0] == []
    assert "://" not in text
    assert "--index-url" not in text


def test_a_package_has_one_version_in_all_files() -> None:
    versions: dict[str, set[str]] = {}
    for file in ASKED:
        for name, version, _ in pins(text_of(file)):
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_what_builds_the_package_is_pinned_as_in_the_tests() -> None:
    assert set(PROJECT["build-system"]["requires"]) <= set(GROUPS["dev"])
