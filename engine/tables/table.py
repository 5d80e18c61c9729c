"""One table: a position, a lock, one timer.

Every press goes the same way: under the lock a draft of the table is changed and the bank commits it; only then does
the draft replace the table. What the bank refused has not happened. If nobody knows whether it was committed, the table
is read from the journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from engine.games.contract import AnyGame, Cents, Rules, Stakes
from engine.tables.alarm import Alarm
from engine.tables.cash import CashDraft
from engine.tables.draft import Draft, Given
from engine.tables.elimination import EliminationDraft
from engine.tables.house import GRACE_SECONDS, HouseSettings
from engine.tables.ports import BankError, OutcomeUnknown, Surroundings
from engine.tables.position import TablePosition, Turn, pause
from engine.tables.promises import NoPromise, PromisedChains
from engine.tables.rebuilt import position_of, record_of
from engine.tables.refused import REFUSALS, Reason, Refused
from engine.tables.snapshot import Snapshot, snapshot_of
from engine.tables.state import CloseReason, TablePhase
from engine.tables.values import Chain, Member

log = logging.getLogger(__name__)

#: Seconds after which a timer tries again what the bank could not take.
RETRY_SECONDS = 5.0

#: Seconds after which a table tries again to get a promise: twice as many each time, up to this many.
SEEK_SECONDS = 2.0
LONGEST_SEEK = 60.0

#: Seconds for which a computer player may think. After that it plays as it does without thinking.
THINKING_SECONDS = 10.0


class Table:
    """An open table. Its methods raise Refused if nothing was changed; `press` is the interaction's id, which counts
    once.
    """

    __slots__ = (
        "__weakref__", "_adrift", "_alarm", "_around", "_closed", "_house", "_lock", "_position",
        "_promises", "_rules", "_seeking", "_shown", "_sought", "game", "id", "state",
    )  # fmt: skip

    def __init__(
        self,
        position: TablePosition,
        game: AnyGame,
        rules: Rules,
        surroundings: Surroundings,
        promises: PromisedChains,
        closed: Callable[[Table], None],
    ) -> None:
        self.id = position.state.id
        self._position, self.state = position, position.state
        self._promises = promises
        self.game = game
        self._rules = rules
        self._around = surroundings
        self._closed = closed
        self._house = HouseSettings()
        self._shown: tuple[TablePosition, HouseSettings, Snapshot | None] = position, self._house, None
        self._lock = asyncio.Lock()
        self._adrift = False  # memory may differ from the journal: read it back first
        self._alarm = Alarm(f"table {position.state.id}")
        self._seeking = Alarm(f"promise of table {position.state.id}")
        self._sought = 0  # failed attempts to get a promise

    @classmethod
    async def opened(
        cls,
        draft: Draft,
        game: AnyGame,
        rules: Rules,
        around: Surroundings,
        promises: PromisedChains,
        closed: Callable[[Table], None],
        cause: str,
    ) -> Table:
        """Return a new table, once the bank has it."""
        table = cls(draft.position(), game, rules, around, promises, closed)
        await table._commit(draft, cause)
        await table._prepare()
        table._arm()
        return table

    def snapshot(self) -> Snapshot:
        """Return what everybody may see of the table: the same value until something changes."""
        position, house, snapshot = self._shown
        if snapshot is None or position is not self._position or house is not self._house:
            snapshot = snapshot_of(self._position, self.game, self._rules, self._house)
            self._shown = self._position, self._house, snapshot
        return snapshot

    def turn_of(self, user: int) -> Turn:
        """Return the question that this person is asked, for the coach. Refuse anybody else."""
        draft = self._draft()
        return draft.turn_of(user)

    # -- what people do --------------------------------------------------------------------------------------------

    async def posted(self, message: int) -> Snapshot:
        """Note the table's message: the first one, or one that replaces an old or deleted message."""
        return await self._do(f"{self.id}/posted/{message}", lambda draft: draft.posted(message))

    async def move(self, channel: int) -> Snapshot:
        """Move to another channel, where the message has yet to be posted."""
        self._sought = 0  # only the old channel refused a promise
        return await self._do(f"{self.id}/moved/{channel}", lambda draft: draft.moved(channel))

    async def join(self, member: Member, press: int) -> Snapshot:
        """Give this person a chair."""
        return await self._do(f"press/{press}/join", lambda draft: draft.sit(member))

    async def leave(self, user: int, press: int) -> Snapshot:
        """Let this person leave. In mid-hand the hands stand and the stake stays; the chair is free after the round."""
        return await self._do(f"press/{press}/leave", lambda draft: draft.leave(user))

    async def stake(
        self,
        user: int,
        stakes: Stakes | None,
        press: int,
        phrase: str = "",
        message: int | None = None,
        number: int | None = None,
        newcomer: Member | None = None,
        *,
        more: bool = True,
    ) -> Snapshot:
        """Stake for the round to come (None: the same as last time). Deals when all have staked.

        `message` may tell where the table is posted, which saves a new table its own `posted`.
        `number` is the round that the button was made for, so that a double click does not stake twice.
        `newcomer` sits down first, if not seated yet: both or neither.
        Where stakes may be added to (baccarat's spots), without `more` nobody adds to what already lies there.
        """

        def alter(draft: Draft) -> None:
            draft.refuse_old(number)
            if newcomer is not None and draft.state.chair_of(user) is None:
                draft.sit(newcomer)
            if message is not None:
                draft.state = replace(draft.state, message=message)
            chair = draft.state.chair_of(user)
            if not more and chair is not None and chair.staked:
                raise Refused(Reason.ALREADY_STAKED)
            draft.stake(user, stakes, str(press), phrase)

        try:
            await self._seal_if_needed()
            return await self._do(f"press/{press}/stake", alter, ask_balances=True)
        except Refused as refused:
            await self._explain_empty_purse(user, refused)
            raise

    async def deal(self, user: int, press: int, number: int | None = None) -> Snapshot:
        """End the betting window of round `number` early. At some games only the opener may (`Game.opener_deals`)."""

        def alter(draft: Draft) -> None:
            draft.refuse_old(number)
            if draft.state.phase is TablePhase.PLAYING:
                raise Refused(Reason.ROUND_RUNNING)
            if draft.state.chair_of(user) is None:
                raise Refused(Reason.NOT_SEATED)
            if self.game.opener_deals and draft.state.opener_stays and user != draft.state.opener:
                raise Refused(Reason.OPENER_DEALS)
            draft.deal()

        await self._seal_if_needed()
        return await self._do(f"press/{press}/deal", alter)

    async def act(self, user: int, action: str, number: int, turn: int, press: int) -> Snapshot:
        """Take an action in round `number` on question `turn`."""
        return await self._do(f"press/{press}/act", lambda draft: draft.act(user, action, number, turn))

    async def come_back(self, user: int, press: int) -> Snapshot:
        """Let an elimination table wait again for somebody who was absent."""

        def alter(draft: Draft) -> None:
            if isinstance(draft, EliminationDraft):
                draft.come_back(user)

        return await self._do(f"press/{press}/back", alter)

    async def invite(self, user: int, people: Sequence[int], press: int) -> Snapshot:
        """Let the opener name more people who may sit down."""
        return await self._do(f"press/{press}/invite", lambda draft: draft.invite(user, people))

    async def uninvite(self, user: int) -> None:
        """Take a person off the list of the invited, because they want to be forgotten."""
        await self._do(f"{self.id}/{self.state.version}/uninvited", lambda draft: draft.uninvite(user))

    async def free(self, user: int) -> None:
        """Let somebody who has taken a break leave between two hands, unless they have already staked."""
        chair = self.state.chair_of(user)
        in_a_hand = self.state.phase is TablePhase.PLAYING and self.state.seat_of(user) is not None
        if chair is not None and not chair.staked and not chair.leaving and not in_a_hand:
            await self._do(f"{self.id}/{self.state.version}/seat", lambda draft: draft.leave(user))

    async def close(self, press: int, reason: CloseReason = CloseReason.ADMIN) -> Snapshot:
        """Play out everything open as timed out, round by round, then close the table."""
        while True:
            cause = f"press/{press}/close/{self.id}/{self.state.version}"
            snapshot = await self._do(cause, lambda draft: draft.close(reason))
            if snapshot.phase is TablePhase.CLOSED:
                return snapshot

    # -- what time does --------------------------------------------------------------------------------------------

    async def resume(self, balances: Mapping[int, Cents]) -> None:
        """Extend whatever is open to at least a minute after an outage, and start the timer again.

        `balances` are those of at least this table's members.
        """
        self._arm(GRACE_SECONDS)  # even if the bank cannot write that down yet
        await self._prepare()
        mine = {member: balances[member] for member in self.state.members if member in balances}
        self._position = replace(self._position, balances=mine)
        if self._position.must_be_called_off:
            async with self._lock:
                await self._call_off()
        extended = self._draft()
        extended.extend()
        if extended.deadline() == self.state.deadline and self.state.phase is not TablePhase.CLOSED:
            self._arm()
        else:
            await self._do(f"{self.id}/{self.state.version}/resume", lambda draft: draft.extend())

    @property
    def promise(self) -> int | None:
        """The id of the channel's promise that covers its chain, or None."""
        chain = self._position.sealing.chain
        return chain.shared if chain is not None else None

    def read_back(self) -> None:
        """Read the table from the journal soon, because its chain has ended or ends with the open hand."""
        self._adrift = True
        self._seeking.set(0.0, self._found)

    def rest(self) -> None:
        """Stop both timers. The table stays open in the journal."""
        self._alarm.silence()
        self._seeking.silence()

    # -- private: changing -----------------------------------------------------------------------------------------

    async def _do(self, cause: str, alter: Callable[[Draft], None], *, ask_balances: bool = False) -> Snapshot:
        async with self._lock:
            await self._prepare()
            before = self.state.version
            try:
                if self._position.must_be_called_off:
                    await self._call_off()
                if ask_balances:
                    await self._ask_balances()
                draft = self._draft()
                alter(draft)
                await self._commit(draft, cause)
            except BaseException:
                if self.state.version != before:  # changes made before the press stand, and have timers of their own
                    self._make_known()
                raise
        self._make_known()
        return self.snapshot()

    def _draft(self) -> Draft:
        kind = CashDraft if self._position.elimination is None else EliminationDraft
        now, seed, shoe = self._around.clock.now(), self._around.seeds(), self._around.shoe
        return kind(self._position, Given(self.game, self._rules, self._house, now, seed, shoe))

    async def _prepare(self) -> None:
        try:
            self._house = await self._around.house(self.state.guild)
            if self._adrift:
                await self._reload()
        except REFUSALS as error:
            raise Refused.by(error) from error
        except OutcomeUnknown:
            raise Refused(Reason.BANK_UNAVAILABLE) from None

    async def _call_off(self) -> None:
        """Call off the open hand after a restore, before anything else."""
        try:
            stored = await self._around.bank.tables.stored(self.id)
        except REFUSALS as error:
            raise Refused.by(error) from error
        assert stored is not None
        (open_hand,) = [round for round in stored.rounds if round.number == self.state.round]
        draft = self._draft()
        draft.call_off(record_of(open_hand), open_hand.chain)
        await self._commit(draft, f"{self.id}/{self.state.version}/called off")

    async def _seal_if_needed(self) -> None:
        """Try to get a promise for the next round if it has none, because somebody stakes on it."""
        if self._adrift or self._position.must_be_called_off or self._position.lacks_promise:
            await self._seal_next()
            self._make_known()

    async def _seal_next(self) -> None:
        """Try to get a promise for the next round. The table is not locked while Discord posts it."""
        try:
            async with self._lock:
                await self._prepare()
                if self._position.must_be_called_off:
                    await self._call_off()
            if self._position.lacks_promise:
                state = self.state
                await self._go_on_from(
                    await self._promises.chain(state.chain_place, state.guild, state.channel, state.language)
                )
            self._seeking.stop()
            self._sought = 0
        except (NoPromise, BankError, OutcomeUnknown, Refused) as error:
            log.info("table %s: no promise yet: %s", self.id, error)
            self._sought += 1

    async def _go_on_from(self, chain: Chain) -> None:
        """Seal the next round from this chain, unless the table has moved or was sealed since it was asked for."""
        async with self._lock:
            await self._prepare()
            if self._position.lacks_promise and self.state.channel == chain.channel:
                draft = self._draft()
                draft.go_on_from(chain)
                await self._commit(draft, f"{self.id}/{self.state.version}/sealed")

    async def _found(self) -> None:
        try:
            await self._seal_next()
        except Exception:
            log.exception("table %s: the promise failed, trying again", self.id)
            self._sought += 1
        self._make_known()

    async def _ask_balances(self) -> None:
        try:
            balances = await self._around.bank.members.balances(self.state.members)
        except REFUSALS as error:
            raise Refused.by(error) from error
        self._position = replace(self._position, balances=balances)

    async def _commit(self, draft: Draft, cause: str) -> None:
        """Write the draft, which replaces the table once the bank has it."""
        change = draft.change(cause)
        try:
            await self._around.bank.tables.commit(change)
        except REFUSALS as error:
            refused = Refused.by(error)
            await self._learn_from(refused)
            raise refused from error
        except OutcomeUnknown:
            self._adrift = True
            await self._prepare()
            if self.state.version != change.table.version:
                raise Refused(Reason.BANK_UNAVAILABLE) from None
        except asyncio.CancelledError:
            self._adrift = True
            raise
        else:
            self._position = position = draft.position()
            self.state = position.state

    async def _learn_from(self, refused: Refused) -> None:
        """Update purses, or read the journal again, where a refusal shows that this table's memory is wrong."""
        if refused.reason is Reason.CANNOT_PAY:
            await self._ask_balances()
        elif refused.reason is Reason.OLD_BUTTON:
            self._adrift = True
            await self._prepare()

    async def _reload(self) -> None:
        stored = await self._around.bank.tables.stored(self.id)
        if stored is None:
            raise Refused(Reason.TABLE_CLOSED)
        balances = await self._around.bank.members.balances(self.state.members)
        self._position = position = replace(position_of(stored, self._around.shoe), balances=balances)
        self.state = position.state
        self._adrift = False
        self._make_known()

    def _make_known(self) -> None:
        watchers = self._around.watchers
        if self.state.phase is TablePhase.CLOSED:
            self._alarm.stop()
            self._seeking.stop()
            self._closed(self)
        else:
            self._arm()
        for watcher in watchers.always:
            watcher.changed(self)
        for watcher in watchers.between_hands if self.state.phase is not TablePhase.PLAYING else ():
            watcher.changed(self)

    async def _explain_empty_purse(self, user: int, refused: Refused) -> None:
        """Raise Refused(CHIPS_IN_PLAY) instead of CANNOT_PAY where the person has stakes in open rounds."""
        chair = self.state.chair_of(user)
        if refused.reason is Reason.CANNOT_PAY and chair is not None and chair.member is not None:
            in_play = await self._around.bank.members.in_play(chair.member)
            if in_play:
                raise Refused(Reason.CHIPS_IN_PLAY, staked=in_play, **refused.details) from refused

    # -- private: the timers ---------------------------------------------------------------------------------------

    def _arm(self, at_least: float = 0.0) -> None:
        """Set the alarm for the current question, or for a step that needs no person. If the table lacks a promise, set
        another one for the next attempt to get it, after a growing pause. `at_least` is the least delay of both.
        """
        if self._position.lacks_promise:
            seconds = min(SEEK_SECONDS * 2 ** min(self._sought, 9), LONGEST_SEEK) if self._sought else 0.0
            self._seeking.set(max(seconds, at_least), self._found)
        left = (self.state.deadline or 0.0) - self._around.clock.now()
        delay = pause(self._position, self._house) if self._position.runs_by_itself else left
        self._alarm.set(max(delay, at_least), partial(self._rung, self.state.version))

    async def _rung(self, version: int) -> None:
        """Act on the alarm of the state with this version. If the table has moved on, its own alarm is running."""
        thinking = self._position.runs_by_itself
        thought: str | None = None

        def alter(draft: Draft) -> None:
            if draft.state.version != version:
                raise Refused(Reason.OLD_BUTTON)
            if thinking:
                draft.computer_acts(thought)
            else:
                draft.time_out()

        try:
            thought = await self._thought() if thinking else None
            await self._do(f"{self.id}/{version}/{'computer' if thinking else 'clock'}", alter)
        except Refused as refused:
            if refused.reason is not Reason.OLD_BUTTON:
                log.warning("table %s: the clock was refused (%s), trying again", self.id, refused)
                self._arm(RETRY_SECONDS)
        except Exception:
            log.exception("table %s: the clock failed, trying again", self.id)
            self._arm(RETRY_SECONDS)

    async def _thought(self) -> str | None:
        """Return the action of a thinking computer player; None if none is asked or it thought for too long.

        The table is not locked while it thinks.
        """
        thinker = self._draft().thinker()
        if thinker is None or self._around.think is None:
            return None
        level, turn = thinker
        try:
            async with asyncio.timeout(THINKING_SECONDS):
                return await self._around.think(level, turn.round, turn.seat, turn.purse)
        except TimeoutError:
            log.warning("table %s: a %s player thought for too long", self.id, level)
            return None
