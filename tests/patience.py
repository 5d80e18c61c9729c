"""simcord as the tests want it: patient with a busy machine."""

from __future__ import annotations

from typing import Any, Final

import simcord

#: Further times of `settle_timeout` that a bot may take to come to rest, or to get to a later hour.
_MORE: Final = 24


class Env(simcord.Env):
    """A Discord that gives a bot as long to start as later on, and waits on where the machine is busy.

    `settle_timeout` also says which timers are waited for, and those in real time. So it is short, and granted often.
    """

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109
        _deadline: float | None = None,
        **asked: Any,
    ) -> None:
        patience = None if timeout is None else max(timeout, self.settle_timeout)
        for _ in range(0 if _deadline is not None else _MORE):
            try:
                return await super()._settle_internal(timeout=patience, **asked)
            except TimeoutError:
                continue
        return await super()._settle_internal(timeout=patience, _deadline=_deadline, **asked)

    async def _advance_to(self, target: float, deadline: float) -> None:
        for _ in range(_MORE):
            assert self._loop is not None
            try:
                return await super()._advance_to(target, self._loop.time() + self.settle_timeout)
            except TimeoutError:
                continue
        return await super()._advance_to(target, deadline)
