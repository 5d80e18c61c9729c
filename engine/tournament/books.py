"""The tournaments known to this process, changed one step at a time."""

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

#: The most attempts at a step while another process keeps changing the tournament.
ATTEMPTS: Final = 10


class TournamentBooks:
    """The tournaments that this process has in memory. Each of their changes is stored by `begin` or `change`."""

    def __init__(self, bank: TournamentBank, clock: Clock) -> None:
        self._bank = bank
        self._clock = clock
        self._known: dict[int, TournamentPosition] = {}
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def position(self, tournament: int) -> TournamentPosition:
        """Return the position of a tournament, from memory or else from the bank. Refuse one that does not exist."""
        known = self._known.get(tournament)
        return known if known is not None else await self._read(tournament)

    async def open_ones(self, guild: int) -> Sequence[TournamentPosition]:
        """Return the tournaments of a guild whose end is not announced yet, the earliest start first."""
        with refusing():
            rows = await self._bank.tournaments.still_open(guild)
        return [TournamentPosition.of(TournamentState.from_json(row.doc)) for row in rows]

    async def change(self, tournament: int, cause: str, alter: Callable[[TournamentDraft], None]) -> TournamentPosition:
        """Try a step on a draft, store its change, and return the new position.

        If another process has changed the tournament, `alter` is called again on a draft of the new state. Raise
        Refused if the step is refused. With BANK_UNAVAILABLE the change may still have been stored.
        """
        async with self._locks[tournament]:
            for _ in range(ATTEMPTS):
                with contextlib.suppress(StaleTable):
                    return await self._change(await self.position(tournament), cause, alter)
        raise Refused(Reason.BANK_UNAVAILABLE)

    async def begin(self, state: TournamentState, cause: str) -> TournamentPosition:
        """Store a new tournament, and return its position. Raise Refused like `change`."""
        return await self._change(TournamentPosition.of(state), cause, lambda draft: None)

    def forget(self, tournament: int) -> None:
        """Drop the tournament from memory, so that it is read from the bank the next time."""
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
        self._known.pop(change.row.id, None)  # memory may be wrong until the bank has answered
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
        return TournamentPosition.of(
            TournamentState.from_json(row.doc)
        )  # not kept: it may have changed in the meantime
