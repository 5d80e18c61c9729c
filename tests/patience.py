"""simcord as the tests want it: patient with a busy machine."""

from __future__ import annotations

from typing import Any, Final

import simcord

#: Further times of `settle_timeout` that a bot may take to come to rest.
_MORE: Final = 4


class Env(simcord.Env):
    """A Discord that gives a bot as long to start as later on, and waits on where the machine is busy.

    `settle_timeout` also says which timers are waited for, so it cannot just be longer.
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
