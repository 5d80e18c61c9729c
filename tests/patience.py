"""simcord as the tests want it: as patient when a bot starts as it is later."""

from __future__ import annotations

from typing import Any

import simcord


class Env(simcord.Env):
    """Of its own accord it gives a bot that starts five seconds, which a busy machine may not keep."""

    async def _settle_internal(self, *, timeout: float | None = None, **asked: Any) -> None:  # noqa: ASYNC109
        patience = None if timeout is None else max(timeout, self.settle_timeout)
        await super()._settle_internal(timeout=patience, **asked)
