"""The coach's process, `python -m engine.coach`: it reads questions and writes answers until the bot is gone."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import Any, BinaryIO, Final

from engine.coach.process import packed

#: The amount by which the priority of this process is lowered, because presses come first.
_NICE: Final = 5


def serve(asked: BinaryIO, answered: BinaryIO) -> None:
    """Read questions from `asked` and write their answers, or errors, to `answered`, until `asked` is closed.

    It is closed when the bot ends, in whatever way.
    """
    while head := asked.read(8):
        question = pickle.loads(asked.read(int.from_bytes(head, "big")))
        answered.write(packed(_answer(question)))
        answered.flush()


def _answer(question: Any) -> tuple[bool, Any]:
    try:
        return True, question.answer()
    except ValueError as fault:  # the solver says why there is no answer
        return False, fault
    except Exception as fault:
        return False, RuntimeError(f"{type(fault).__name__}: {fault}")


def main() -> None:
    """Answer the questions that arrive on standard input, at a lower priority than the bot.

    Answers go to standard output, so whatever else is printed goes to standard error. Ctrl-C is ignored, because it is
    meant for the bot.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which then closes this end
    if hasattr(os, "nice"):
        os.nice(_NICE)
    answered = sys.stdout.buffer
    sys.stdout = sys.stderr
    serve(sys.stdin.buffer, answered)


if __name__ == "__main__":
    main()
