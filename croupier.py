"""The command `croupier` of an installed bot, which first makes sure that Python has found the bot's own packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

#: The modules and packages of the bot, whose names other projects could have too.
OWN: Final = ("bot", "settings", "engine", "data", "cogs")


def main() -> int:
    """Run the bot, or what the command line asks for, and return the exit code.

    If Python would import another project's module instead of the bot's, print that and return 2.
    """
    for sentence in strangers(Path(__file__).resolve().parent):
        print(sentence, file=sys.stderr)
        return 2
    import bot

    return bot.main()


def strangers(folder: Path) -> Iterator[str]:
    """Yield a sentence for each of the bot's own modules that Python would not import from this folder."""
    for name in OWN:
        spec = find_spec(name)
        found = Path(spec.origin).resolve() if spec is not None and spec.origin is not None else None
        if found is None or not found.is_relative_to(folder):
            where = f"would be imported from {found}" if found is not None else "cannot be imported"
            yield f"Croupier's own `{name}` {where}: unset PYTHONPATH, and give Croupier an environment of its own."


if __name__ == "__main__":
    sys.exit(main())
