"""Compile the rounds of blackjack with mypyc: `make fast` runs this, and `make plain` removes what it made."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_ROOT: Final = Path(__file__).resolve().parent.parent
_FOLDER: Final = Path("engine", "games", "blackjack")

#: The modules to compile. Classes in them are copied, and tests inherit from some. mypyc allows neither without a
#: decorator, which is added only to what is compiled: the engine itself imports nothing of mypyc.
MODULES: Final = ("dealer", "events", "hand", "players", "round", "settling", "worth")
_CLASS: Final = re.compile(r"^class (?:Hand|Felt|BlackjackRound)\b", re.MULTILINE)
_MARK: Final = "@mypyc_attr(allow_interpreted_subclasses=True)\n"
_IMPORT: Final = re.compile(r"^from __future__ import annotations\n", re.MULTILINE)


def compiled() -> list[Path]:
    """Return the files that were compiled, if any."""
    return [*_ROOT.glob("*__mypyc.*"), *(_ROOT / _FOLDER).glob("*.so"), *(_ROOT / _FOLDER).glob("*.pyd")]


class Sources(MetaPathFinder):
    """The finder of the sources of what is compiled, so that both can be measured.

    It goes to the front of `sys.meta_path`.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        file = _ROOT.joinpath(*name.split(".")).with_suffix(".py")
        return spec_from_file_location(name, file) if file.parent == _ROOT / _FOLDER and file.exists() else None


def main() -> None:
    """Compile a copy of the engine, and put the compiled modules beside the sources, where Python prefers them."""
    for file in compiled():
        file.unlink()
    with TemporaryDirectory(prefix="fast-") as name:
        folder = Path(name)
        shutil.copytree(_ROOT / "engine", folder / "engine", ignore=shutil.ignore_patterns("__pycache__"))
        sources = [_FOLDER / f"{module}.py" for module in MODULES]
        for source in sources:
            text = _CLASS.sub(_MARK + r"\g<0>", (folder / source).read_text(encoding="utf-8"))
            if _MARK in text:
                text = _IMPORT.sub(r"\g<0>from mypy_extensions import mypyc_attr\n", text, count=1)
            (folder / source).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [Path(sys.executable).with_name("mypyc"), *sources], cwd=folder, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{done.stdout}{done.stderr}\nNothing is compiled; everything runs as before.")
        for made in (*folder.glob("*__mypyc.*"), *(folder / _FOLDER).glob("*.so"), *(folder / _FOLDER).glob("*.pyd")):
            shutil.copy(made, _ROOT / made.relative_to(folder))
    print(f"compiled: {', '.join(MODULES)}")


if __name__ == "__main__":
    main()
