"""The tournaments as this process knows them, changed one step at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.live.cup_draft import CupDraft, CupPosition
from engine.live.cup_ports import CupBank
from engine.live.cup_state import CupState
from engine.live.ports import Clock, OutcomeUnknown, StaleTable
from engine.live.refused import Reason, Refused
from engine.live.refusing import refusing

#: So often a step is done again on what another process has made of the tournament meanwhile.
ATTEMPTS: Final = 10


class CupBooks:
    """Another process may change a tournament too: then the step is done again on what is true now."""

    def __init__(self, bank: CupBank, clock: Clock) -> None:
        self._bank = bank
        self._clock = clock
        self._known: dict[int, CupPosition] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def position(self, cup: int) -> CupPosition:
        known = self._known.get(cup)
        return known if known is not None else await self._read(cup)

    async def open_ones(self, guild: int) -> Sequence[CupPosition]:
        """As the bank has them."""
        with refusing():
            rows = await self._bank.open_cups(guild)
        return [CupPosition.of(CupState.from_json(row.doc)) for row in rows]

    async def change(self, cup: int, cause: str, alter: Callable[[CupDraft], Any]) -> CupPosition:
        """Refused, and nothing has changed; or it is recorded."""
        async with self._locks[cup]:
            for _ in range(ATTEMPTS):
                with contextlib.suppress(StaleTable):
                    return await self._change(await self.position(cup), cause, alter)
        raise Refused(Reason.BANK_UNAVAILABLE)

    async def begin(self, state: CupState, cause: str) -> CupPosition:
        """A new tournament."""
        return await self._change(CupPosition.of(state), cause, lambda draft: None)

    def forget(self, cup: int) -> None:
        self._known.pop(cup, None)
        if cup in self._locks and not self._locks[cup].locked():
            del self._locks[cup]

    # -- private -------------------------------------------------------------------------------------------------------

    async def _change(self, position: CupPosition, cause: str, alter: Callable[[CupDraft], Any]) -> CupPosition:
        draft = CupDraft(position, self._clock.now())
        alter(draft)
        change = draft.change(cause)
        self._known.pop(change.row.id, None)  # until the bank has answered, memory is not believed
        try:
            await self._bank.commit_cup(change)
        except StaleTable:
            raise
        except OutcomeUnknown:
            raise Refused(Reason.BANK_UNAVAILABLE) from None
        except Exception:
            with refusing():
                raise
        self._known[change.row.id] = draft.position()
        return draft.position()

    async def _read(self, cup: int) -> CupPosition:
        with refusing():
            row = await self._bank.stored_cup(cup)
        if row is None:
            raise Refused(Reason.NO_SUCH_CUP)
        return CupPosition.of(CupState.from_json(row.doc))  # not kept: meanwhile it may have been changed
