"""One open table: a position, a lock, and timers.

Every press goes the same way: under the lock a draft of the table is changed and the bank commits it; only then does
the draft replace the table. If the bank refuses, nothing has happened. If nobody knows whether it was committed, the
table is read from the journal. What the rules or the bank forbid raises Refused.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from engine.games.contract import AnyGame, Cents, Rules, Stakes
from engine.tables.alarm import Alarm, seek_pause
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
from engine.tables.state import UNSTORED, Chair, CloseReason, TablePhase
from engine.tables.values import Chain, Member

log = logging.getLogger(__name__)

#: Seconds after which a timer tries again, if the step that it was set for failed.
RETRY_SECONDS = 5.0

#: Seconds for which a computer player may think. After that it plays as it does without thinking.
THINKING_SECONDS = 10.0


class Table:
    """An open table. Its methods raise Refused where the rules or the bank forbid something.

    `press` is the id of an interaction, so that a press that arrives twice counts once.
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
        """Write a new table into the bank, start its timers and return it.

        `cause` is the unique name of this change. `closed` is called when the table has closed.
        """
        table = cls(draft.position(), game, rules, around, promises, closed)
        await table._prepare()
        await table._commit(draft, cause)
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
        """Return what the coach has to know of the question that this person is asked. Refuse anybody else."""
        draft = self._draft()
        return draft.turn_of(user)

    # -- what people do --------------------------------------------------------------------------------------------

    async def posted(self, message: int) -> Snapshot:
        """Note the id of the table's message: the first one, or one that replaces an old or deleted message."""
        return await self._do(f"{self.id}/posted/{message}", lambda draft: draft.posted(message))

    async def move(self, channel: int) -> Snapshot:
        """Move to another channel, where the message has yet to be posted. The next round needs a promise there."""
        self._sought = 0  # only the old channel refused a promise
        return await self._do(f"{self.id}/moved/{channel}", lambda draft: draft.moved(channel))

    async def join(self, member: Member, press: int) -> Snapshot:
        """Give this person a chair (a computer player's at an elimination table), or let one who was leaving stay."""
        return await self._do(f"press/{press}/join", lambda draft: draft.sit(member))

    async def leave(self, user: int, press: int) -> Snapshot:
        """Let this person leave: at once, or after the round if they are part of it. Their hands then stand."""
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
        """Stake for the round to come, and deal it when nobody is left who may still stake.

        This first tries to get a promise for that round if it lacks one.

        `stakes` None: the fixed stake or, without one, the same as last time; at an elimination table the smallest.
        `phrase` is mixed into the shuffle under scheme 1.
        `message` is the id of the table's message: a new table then needs no call of `posted`.
        `number` is the round that the button was made for, so that a double click does not stake twice.
        `newcomer` sits down first if they have no chair yet. If the stake is refused, they do not sit down either.
        `more` allows a stake on top of an earlier one, at games that take several (baccarat).
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
            await self._explain_empty_purse(user, newcomer, refused)
            raise

    async def deal(self, user: int, press: int, number: int | None = None) -> Snapshot:
        """Deal the next round without waiting longer for stakes. `number` is the round of the button (None: any).

        At some games only the opener may do so (`Game.opener_deals`), unless the opener has left. Elimination tables
        refuse: they deal by themselves.
        """

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
        """Take this person's action in round `number`, in answer to question `turn` (`Round.turn`)."""
        return await self._do(f"press/{press}/act", lambda draft: draft.act(user, action, number, turn))

    async def come_back(self, user: int, press: int) -> Snapshot:
        """Let an elimination table wait again for somebody who was absent. Other tables ignore it."""

        def alter(draft: Draft) -> None:
            if isinstance(draft, EliminationDraft):
                draft.come_back(user)

        return await self._do(f"press/{press}/back", alter)

    async def invite(self, user: int, people: Sequence[int], press: int) -> Snapshot:
        """Let the opener name more people who may sit down. For some minutes, free seats are kept for them (R14.4)."""
        return await self._do(f"press/{press}/invite", lambda draft: draft.invite(user, people))

    async def uninvite(self, user: int) -> None:
        """Take a person off the list of the invited, because they want to be forgotten."""
        await self._do(f"{self.id}/{self.state.version}/uninvited", lambda draft: draft.uninvite(user))

    async def free(self, user: int) -> None:
        """Let somebody who has taken a break leave. If they are in a hand or have staked, do nothing."""
        chair = self.state.chair_of(user)
        in_a_hand = self.state.phase is TablePhase.PLAYING and self.state.seat_of(user) is not None
        if chair is not None and not chair.staked and not chair.leaving and not in_a_hand:
            await self._do(f"{self.id}/{self.state.version}/seat", lambda draft: draft.leave(user))

    async def close(self, press: int, reason: CloseReason = CloseReason.ADMIN) -> Snapshot:
        """Close the table. Before that, whatever is open is played as if the time of all players had run out.

        An elimination table plays all its rounds to come in this way. Without a promise no round is dealt: stakes come
        back, and an elimination table ends at once as if all people had left (R7.7). A closed table stays as it is.
        """

        def alter(draft: Draft) -> None:
            if draft.state.phase is not TablePhase.CLOSED:
                draft.close(reason)

        while self.state.phase is not TablePhase.CLOSED:
            await self._do(f"press/{press}/close/{self.id}/{self.state.version}", alter)
        return self.snapshot()

    # -- what time does --------------------------------------------------------------------------------------------

    async def resume(self, balances: Mapping[int, Cents]) -> None:
        """Start the timers of a table loaded from the journal. An open turn or betting window gets a minute at least.

        Call off the open round if the bank was restored and people may know how the round ends. `balances` has the
        wallets of at least this table's members.
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
        """The id of the channel's promise that covers the table's chain, or None."""
        chain = self._position.sealing.chain
        return chain.shared if chain is not None else None

    def read_back(self) -> None:
        """Read the table from the journal again soon, because its chain has ended or will end with the open hand."""
        self._adrift = True
        self._seeking.set(0.0, self._found)

    def rest(self) -> None:
        """Stop both timers and the steps that they have begun. The table stays open in the journal."""
        self._alarm.silence()
        self._seeking.silence()

    # -- private: changing -----------------------------------------------------------------------------------------

    async def _do(self, cause: str, alter: Callable[[Draft], None], *, ask_balances: bool = False) -> Snapshot:
        """Alter a draft under the lock, commit it as `cause`, tell the watchers, and return the new snapshot."""
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
        """Read the server's settings, and the table too if memory may differ from the journal, or raise Refused."""
        try:
            self._house = await self._around.house(self.state.guild)
            if self._adrift:
                await self._reload()
        except REFUSALS as error:
            raise Refused.by(error) from error
        except OutcomeUnknown:
            raise Refused(Reason.BANK_UNAVAILABLE) from None

    async def _call_off(self) -> None:
        """Call off the open hand, because people may know its end since a restore. Its stakes come back."""
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
        """Read the table again, call off its open hand or get a promise, where a stake or a deal needs that first.

        If this fails, nothing is raised.
        """
        if self._adrift or self._position.must_be_called_off or self._position.lacks_promise:
            await self._seal_next()
            self._make_known()

    async def _seal_next(self) -> None:
        """Try to get a promise for the next round, and count the attempts that fail: a failure does not raise.

        If the table has to be read again, or its open hand called off, do that first. The table is not locked while
        Discord posts the promise.
        """
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
        """Seal the next round from this chain, unless the table has moved or got a seal while the chain was fetched."""
        async with self._lock:
            await self._prepare()
            if self._position.lacks_promise and self.state.channel == chain.channel:
                draft = self._draft()
                draft.go_on_from(chain)
                await self._commit(draft, f"{self.id}/{self.state.version}/sealed")

    async def _found(self) -> None:
        """Run `_seal_next` when its timer goes off, and tell the watchers. Without a promise, set that timer again."""
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
        """Write the draft's change. The draft replaces the table once the bank has it; otherwise raise Refused.

        If nobody knows whether the bank has it, the table is read from the journal, now or before its next change.
        """
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
        """Read balances or the whole table again where the bank's refusal shows that this table's memory is wrong."""
        if refused.reason is Reason.CANNOT_PAY:
            await self._ask_balances()
        elif refused.reason is Reason.OLD_BUTTON:
            self._adrift = True
            await self._prepare()

    async def _reload(self) -> None:
        stored = await self._around.bank.tables.stored(self.id)
        if stored is None:
            raise Refused(Reason.BANK_UNAVAILABLE if self.state.version == UNSTORED else Reason.TABLE_CLOSED)
        position = position_of(stored, self._around.shoe)
        balances = await self._around.bank.members.balances(position.state.members)
        self._position, self.state = replace(position, balances=balances), position.state
        self._adrift = False
        self._make_known()

    def _make_known(self) -> None:
        """Set the timers or, if the table has closed, stop them and call `closed`. Tell the watchers of the change."""
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

    async def _explain_empty_purse(self, user: int, newcomer: Member | None, refused: Refused) -> None:
        """Raise Refused(CHIPS_IN_PLAY) if a wallet could not pay a stake and other rounds hold chips of its owner."""
        chair = self.state.chair_of(user) or (Chair(0, user, newcomer.id) if newcomer is not None else None)
        amounts = refused.details if refused.reason is Reason.CANNOT_PAY else {}
        if amounts and chair is not None and chair.member is not None and chair.stack is None:
            in_play = await self._around.bank.members.in_play(chair.member) - sum((chair.staked or {}).values())
            if in_play > 0:
                raise Refused(Reason.CHIPS_IN_PLAY, staked=in_play, **amounts) from refused

    # -- private: the timers ---------------------------------------------------------------------------------------

    def _arm(self, at_least: float = 0.0) -> None:
        """Set the alarm for the end of the open question or window, or for a step that needs no person.

        If the table lacks a promise, set the other timer too, for the next attempt to get one: at once, or after a
        pause that grows with each failure. Neither rings before `at_least` seconds.
        """
        if self._position.lacks_promise:
            seconds = seek_pause(self._sought) if self._sought else 0.0
            self._seeking.set(max(seconds, at_least), self._found)
        left = (self.state.deadline or 0.0) - self._around.clock.now()
        delay = pause(self._position, self._house) if self._position.runs_by_itself else left
        self._alarm.set(max(delay, at_least), partial(self._rung, self.state.version))

    async def _rung(self, version: int) -> None:
        """Take the step that the alarm was set for: a computer player's, or a time-out.

        If the state no longer has this version, do nothing: the change has set the alarm again. After a failure, set
        the alarm to try again.
        """
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
        """Return a thinking computer player's action; None if no such player is asked, or no answer comes in time.

        The table is not locked while the player thinks.
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
