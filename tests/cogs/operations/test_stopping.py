"""A signal stops the bot on every system, even where event loops do not hear it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import pytest

from cogs.operations.stopping import until_told_to_stop


class DeafLoop(asyncio.SelectorEventLoop):
    """A loop as on Windows."""

    def add_signal_handler(self, sig: int, callback: Callable[..., Any], *args: Any) -> None:
        raise NotImplementedError


async def told_by(number: signal.Signals) -> bool:
    before = signal.getsignal(number)
    async with until_told_to_stop() as told:
        signal.raise_signal(number)
        async with asyncio.timeout(10):
            await told.wait()
        again = signal.getsignal(number)
    return again in (before, signal.SIG_DFL, signal.default_int_handler) and signal.getsignal(number) == again


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("loop", [asyncio.SelectorEventLoop, DeafLoop])
def test_a_signal_is_heard_once_and_the_second_ends_the_process(
    loop: type[asyncio.SelectorEventLoop], number: signal.Signals
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(told_by(number))
