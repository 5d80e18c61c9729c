"""The coach's own process, `python -m engine.coach`: reads questions and writes answers, until the bot is gone."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from typing import Any, BinaryIO, Final

from engine.coach.process import packed

#: Whoever presses a button comes first.
_NICE: Final = 5


def serve(asked: BinaryIO, answered: BinaryIO) -> None:
    """Until the other end is closed, which it is when the bot is gone, however it went."""
    while head := asked.read(8):
        question = pickle.loads(asked.read(int.from_bytes(head, "big")))
        answered.write(packed(_answer(question)))
        answered.flush()


def _answer(question: Any) -> tuple[bool, Any]:
    try:
        return True, question.answer()
    except ValueError as fault:  # no answer to this question: the solver says why
        return False, fault
    except Exception as fault:
        return False, RuntimeError(f"{type(fault).__name__}: {fault}")


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the bot, which closes this end
    if hasattr(os, "nice"):
        os.nice(_NICE)
    answered = sys.stdout.buffer
    sys.stdout = sys.stderr
    serve(sys.stdin.buffer, answered)


if __name__ == "__main__":
    main()
