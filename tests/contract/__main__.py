"""``python -m tests.contract``: do the tests' facts still say what Discord's newest document says, and nothing else?

The facts are extracted again and compared. Then each distinct request of the tests, and many that are spoilt on
purpose, go through the whole document as well as through our own check: both must come to the same verdict. Needs npm
and node.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import facts
from .requests import FOLDER
from .spoilt import spoilt

SCRIPT = Path(__file__).with_name("document.mjs")
PACKAGES = ("discord-api-spec@latest", "zod@4")
#: The tests in which the bot speaks to Discord.
TESTS = ("tests/cogs", "tests/test_bot.py")

Request = tuple[str, Any]


class Document:
    """Discord's newest document, installed in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._script = shutil.copy(SCRIPT, folder)
        asked = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
        subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)

    def facts(self) -> str:
        return self._run("facts")

    def judge(self, requests: list[Request]) -> list[str]:
        """Return what the document refuses of each request: nothing, if it is valid."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        return [json.loads(line) for line in self._run("judge", lines).splitlines()]

    def _run(self, what: str, text: str = "") -> str:
        asked = ["node", self._script, what]
        return subprocess.run(asked, check=True, input=text, stdout=subprocess.PIPE, encoding="utf-8").stdout


def recorded(folder: Path) -> list[Request]:
    """Each distinct request that has a body, from a run of the tests."""
    environment = {**os.environ, FOLDER: str(folder)}
    asked = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--hypothesis-seed=21", *TESTS]
    subprocess.run(asked, check=True, env=environment)
    lines = {line for file in folder.glob("*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()}
    return [(route, body) for route, body in map(json.loads, sorted(lines))]


def quarrels(document: Document, requests: list[Request]) -> Iterator[str]:
    """Requests of which our check and the document think differently. We are stricter on purpose with unknown keys."""
    for (route, body), theirs in zip(requests, document.judge(requests), strict=True):
        ours = list(filter(facts.refused, facts.mistakes(route, body)))
        if bool(ours) is not bool(theirs):
            yield f"{route} {json.dumps(body)[:300]}\n  we say: {ours or 'fine'}\n  the document: {theirs or 'fine'}"


def difference(newest: str) -> list[str]:
    ours = facts.FILE.read_text(encoding="utf-8").splitlines()
    return list(
        difflib.unified_diff(ours, newest.splitlines(), "tests/contract/facts.json", "newest", n=0, lineterm="")
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.contract", description=__doc__)
    parser.add_argument("--adopt", action="store_true", help="write the newest document's facts down")
    adopt = parser.parse_args().adopt
    if not (shutil.which("npm") and shutil.which("node")):
        print("Discord's document comes from npm: npm and node are needed.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        document = Document(Path(temporary))
        newest = document.facts()
        if adopt:
            facts.FILE.write_text(newest, encoding="utf-8")
            print(f"Written down: {json.loads(newest)['document']}.")
            return 0
        changes = difference(newest)
        print("\n".join(changes) or f"The facts are those of {facts.TOLD['document']}, the newest.")
        return 1 if _compared(document, Path(temporary)) or changes else 0


def _compared(document: Document, folder: Path) -> int:
    """How often our check and the whole document disagree."""
    sent = recorded(folder)
    wrong = list(spoilt(sent))
    found = [*quarrels(document, sent), *quarrels(document, wrong)]
    print(f"{len(sent)} distinct requests and {len(wrong)} spoilt ones: {len(found)} judged otherwise by the document.")
    print("\n".join(found))
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
