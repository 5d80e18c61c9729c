"""Golden playthroughs of blackjack (tests/golden/blackjack.txt).

A line that is not indented is a round in the notation of `engine.games.blackjack.notation`; the indented ones below it
tell how it goes, question by question. To add a playthrough, write its line; to write all of them again after an
intended change, run

    python -m tests.golden.blackjack

and read the difference before committing it.
"""

from __future__ import annotations

from pathlib import Path

from engine.games.blackjack.notation import positions, summary
from engine.games.contract import CHIP, Line

FILE = Path(__file__).with_suffix(".txt")


def story(line: str) -> list[str]:
    """The round told from its deal to its end."""
    moves = [part.strip() for part in line.split("|")[2:]]
    lines = []
    for place, round in enumerate(positions(line)):
        if place:
            lines.append(f"  {moves[place - 1]}")
        lines.append(f"    {summary(round)}")
    return [*lines, *map(_end, round.settlement().lines)]


def _end(line: Line) -> str:
    return (
        f"  = seat {line.seat + 1} {line.what}: {_chips(line.staked)} -> {_chips(line.returned)}, {line.outcome.value}"
    )


def _chips(cents: int) -> str:
    return f"{cents / CHIP:g}"


def rounds(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]


def retold(text: str) -> str:
    comments = [line for line in text.splitlines() if line.startswith("#")]
    stories = ["\n".join([line, *story(line)]) for line in rounds(text)]
    return "\n\n".join(["\n".join(comments), *stories]) + "\n"


if __name__ == "__main__":
    FILE.write_text(retold(FILE.read_text(encoding="utf-8")), encoding="utf-8")
