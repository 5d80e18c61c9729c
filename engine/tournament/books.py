"""The tournaments as this process knows them, changed one step at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from engine.tables.ports import Clock, OutcomeUnknown, StaleTable
from engine.tables.refused import Reason, Refused, refusing
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.ports import TournamentBank
from engine.tournament.state import TournamentState

#: So often a step is done again on what another process has made of the tournament meanwhile.
ATTEMPTS: Final = 10


class TournamentBooks:
    """Another process may change a tournament too: then the step is done again on what is true now."""

    def __init__(self, bank: TournamentBank, clock: Clock) -> None:
        self._bank = bank
        self._clock = clock
        self._known: dict[int, TournamentPosition] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def position(self, tournament: int) -> TournamentPosition:
        """Where the tournament stands, or Refused(NO_SUCH_TOURNAMENT)."""
        known = self._known.get(tournament)
        return known if known is not None else await self._read(tournament)

    async def open_ones(self, guild: int) -> Sequence[TournamentPosition]:
        """As the bank has them."""
        with refusing():
            rows = await self._bank.tournaments.still_open(guild)
        return [TournamentPosition.of(TournamentState.from_json(row.doc)) for row in rows]

    async def change(self, tournament: int, cause: str, alter: Callable[[TournamentDraft], None]) -> TournamentPosition:
        """Refused, and nothing has changed; or it is recorded."""
        async with self._locks[tournament]:
            for _ in range(ATTEMPTS):
                with contextlib.suppress(StaleTable):
                    return await self._change(await self.position(tournament), cause, alter)
        raise Refused(Reason.BANK_UNAVAILABLE)

    async def begin(self, state: TournamentState, cause: str) -> TournamentPosition:
        """A new tournament."""
        return await self._change(TournamentPosition.of(state), cause, lambda draft: None)

    def forget(self, tournament: int) -> None:
        """Read it from the bank the next time."""
        self._known.pop(tournament, None)
        if tournament in self._locks and not self._locks[tournament].locked():
            del self._locks[tournament]

    # -- private -------------------------------------------------------------------------------------------------------

    async def _change(
        self, position: TournamentPosition, cause: str, alter: Callable[[TournamentDraft], None]
    ) -> TournamentPosition:
        draft = TournamentDraft(position, self._clock.now())
        alter(draft)
        change = draft.change(cause)
        self._known.pop(change.row.id, None)  # until the bank has answered, memory is not believed
        try:
            await self._bank.tournaments.commit(change)
        except StaleTable:
            raise
        except OutcomeUnknown:
            raise Refused(Reason.BANK_UNAVAILABLE) from None
        except Exception:
            with refusing():
                raise
        self._known[change.row.id] = draft.position()
        return draft.position()

    async def _read(self, tournament: int) -> TournamentPosition:
        with refusing():
            row = await self._bank.tournaments.stored(tournament)
        if row is None:
            raise Refused(Reason.NO_SUCH_TOURNAMENT)
        return TournamentPosition.of(TournamentState.from_json(row.doc))  # not kept: meanwhile it may have been changed
