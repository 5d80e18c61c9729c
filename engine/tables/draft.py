"""A table being changed.

A draft is a fork of a table's position: whatever is done to it, the table itself stays as it was until the bank has
committed the draft's Change. Everything here is synchronous and deterministic; time and seeds come in from outside.

What all tables share is here: acting, time, settling. Who may sit, who stakes and when it is dealt depends on the
kind of table: `cash` (chips of the ledger) and `elimination` (play chips).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import fairness
from engine.elimination.elimination import Elimination
from engine.fairness.replay import outcome_hash
from engine.games.computer import DEFAULT_LEVEL
from engine.games.contract import AnyGame, By, Cents, Round, Rules, Seat, Settlement, Stakes, Step
from engine.tables.house import ROAD, HouseSettings
from engine.tables.ports import Change, Deal, Finish, Member, Seal, TableRow, Taken
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, TablePhase
from engine.tables.state import UNSTORED, Chair, Seated, TableState
from engine.tables.till import Till


@dataclass(frozen=True, slots=True)
class Position:
    """All that a table is at one moment."""

    state: TableState
    next_seal: Seal | None  # None while a round runs: its successor is sealed when it ends
    seal: Seal | None = None  # of the round on display
    round: Round | None = None  # on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # of the seated members, as last heard
    elimination: Elimination | None = None  # of an elimination table


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a change depends on beside the table itself."""

    game: AnyGame
    rules: Rules
    house: HouseSettings
    now: float
    fresh_seed: bytes  # for the seal that a finished round shows next


class Draft:
    def __init__(self, position: Position, circumstances: Circumstances) -> None:
        self._at = circumstances
        self._till = Till(position.state, dict(position.balances or {}))
        self.round = position.round.fork() if position.round is not None else None
        self._seal, self._next_seal = position.seal, position.next_seal
        self._new_seal: Seal | None = position.next_seal if position.state.version == UNSTORED else None
        self._deal: Deal | None = None
        self._taken: list[Taken] = []
        self._finish: Finish | None = None
        self._extended = False

    # -- the result ------------------------------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        return self._till.state

    @state.setter
    def state(self, state: TableState) -> None:
        self._till.state = state

    def position(self) -> Position:
        return Position(self.state, self._next_seal, self._seal, self.round, self._till.balances)

    def change(self, cause: str) -> Change:
        """Number the new state and put everything that was done into one value for the bank."""
        self._set_deadline()
        self.state = state = replace(self.state, version=self.state.version + 1)
        is_open = state.phase is not TablePhase.CLOSED
        row = TableRow(
            state.id, state.guild, state.channel, state.game, state.to_json(), state.version, is_open, state.deadline
        )
        transfers = tuple(self._till.transfers)
        return Change(cause, row, transfers, self._new_seal, self._deal, tuple(self._taken), self._finish)

    def note(self, **where: Any) -> None:
        """Where the table's message is."""
        self.state = replace(self.state, **where)

    # -- what people do, each kind of table in its way -------------------------------------------------------------

    def sit(self, member: Member) -> None:
        raise NotImplementedError

    def leave(self, user: int) -> None:
        raise NotImplementedError

    def stake(self, user: int, stakes: Stakes | None, press: str, phrase: str) -> None:
        raise NotImplementedError

    def deal(self) -> None:
        """Turn the stakes into a round."""
        raise NotImplementedError

    def close(self, reason: CloseReason) -> None:
        """Play out what is open as out of time, then end the table. Never a refund."""
        raise NotImplementedError

    def refuse_old(self, number: int | None) -> None:
        """Of a press that was made for the betting window of that round (None: for whichever is open)."""
        if number is not None and number != self.state.sealed:
            raise Refused(Reason.OLD_BUTTON)

    # -- playing ---------------------------------------------------------------------------------------------------

    def act(self, user: int, action: str, number: int, turn: int) -> None:
        chair = self._chair(user)
        if self.round is None or self.state.phase is not TablePhase.PLAYING:
            raise Refused(Reason.OLD_BUTTON)
        if (number, turn) != (self.state.round, self.round.turn):
            raise Refused(Reason.OLD_BUTTON)
        seat = self.state.seat_of(chair)
        if seat is None:
            raise Refused(Reason.NOT_SEATED)
        self._step(seat, action, By.MEMBER)
        self._go_on()

    def computer_acts(self) -> None:
        """One thought of one computer player, when it is asked."""
        assert self.round is not None
        for seat in self.round.asked:
            if not self._chair_in(seat).is_person:
                self._step(seat, self._thought(seat), By.COMPUTER)
                break
        self._go_on()

    def time_out(self) -> None:
        """The deadline has passed: turns stand, betting windows end, idle tables close."""
        if self.state.phase is TablePhase.PLAYING:
            self._time_out_all()
            self._go_on()
        elif self.state.phase is TablePhase.BETTING:
            self._time_out_stakes()

    def extend(self, until: float) -> None:
        """After an outage."""
        self.state = replace(self.state, deadline=max(self.state.deadline or 0.0, until))
        self._extended = True

    # -- for the kinds of table: rounds -----------------------------------------------------------------------------

    def _begin(self, chairs: Sequence[Chair]) -> None:
        """Deal the sealed round to these chairs, in this order."""
        number, seal = self.state.sealed, self._next_seal
        assert seal is not None, "a round is sealed before anybody stakes"
        inputs = [str(self.state.message or 0)]
        for chair in chairs:
            inputs += [chair.press, chair.phrase]
        stakes = [dict(chair.staked or {}) for chair in chairs]
        shoe = fairness.shoe(seal.seed, inputs, self._at.rules.decks)
        self.round = self._at.game.deal(self._at.rules, stakes, shoe)
        self._deal = Deal(
            number, self.state.game, self.state.rules_name, self._at.rules.as_json(), stakes,
            [chair.member for chair in chairs], inputs, self._at.now,
        )  # fmt: skip
        self._seal, self._next_seal = seal, None
        seated = tuple(Seated(chair.place, chair.user, chair.computer) for chair in chairs)
        self.state = replace(self.state, round=number, phase=TablePhase.PLAYING, seated=seated)
        for chair in chairs:
            self.state = self.state.with_chair(replace(chair, last=chair.staked, staked=None, sat_out=0))

    def _go_on(self) -> None:
        """Let those act who keep nobody waiting, and settle when the round is over."""
        while self.round is not None and self.state.phase is TablePhase.PLAYING:
            if self.round.over:
                self._settle(self.round.settlement())
            elif not self._act_at_once(self.round):
                return

    def _after_round(self, settlement: Settlement) -> None:
        """The chips are paid and the next round is sealed: who stays?"""
        raise NotImplementedError

    def _time_out_stakes(self) -> None:
        raise NotImplementedError

    def _time_out_all(self) -> None:
        assert self.round is not None
        for seat in self.round.asked:
            if seat in self.round.asked:
                self._step(seat, self.round.timeout(seat), By.CLOCK)

    def _is_absent(self, chair: Chair) -> bool:
        """Nobody waits for this person."""
        return chair.leaving

    def _chair_in(self, seat: Seat) -> Chair:
        chair = self.state.chair_at(self.state.seated[seat].place)
        assert chair is not None, "chairs of a running round stay"
        return chair

    # -- for the kinds of table: chairs ------------------------------------------------------------------------------

    def _chair(self, user: int) -> Chair:
        self._refuse_if_closed()
        chair = self.state.chair_of(user)
        if chair is None:
            raise Refused(Reason.NOT_SEATED)
        return chair

    def _refuse_if_closed(self) -> None:
        if self.state.phase is TablePhase.CLOSED:
            raise Refused(Reason.TABLE_CLOSED)

    def _end(self, reason: CloseReason) -> None:
        self.state = replace(self.state, phase=TablePhase.CLOSED, close_reason=reason)

    # -- for the kinds of table: time --------------------------------------------------------------------------------

    def _keeps_deadline(self) -> bool:
        """Whether what people are asked now was asked before this change."""
        raise NotImplementedError

    def _seconds(self) -> float:
        """How long people have for what they are asked now."""
        raise NotImplementedError

    # -- private ----------------------------------------------------------------------------------------------------

    def _step(self, seat: Seat, action: str, by: By) -> None:
        round = self.round
        assert round is not None
        chair = self._chair_in(seat)
        refusal = round.refusal(seat, action, self._till.purse(chair))
        if refusal is not None:
            raise Refused(Reason.ILLEGAL, refusal=refusal)
        place, cost = len(round.steps), round.cost(seat, action)
        if cost:
            self._till.stake(chair, cost, self.state.round, f"{self.state.id}/{self.state.round}/step/{place}")
        round.apply(seat, action, by)
        self._taken.append(Taken(self.state.round, place, Step(seat, action, by), self._at.now))

    def _act_at_once(self, round: Round) -> bool:
        together = len(round.asked) > 1
        for seat in round.asked:
            chair = self._chair_in(seat)
            if chair.is_person and self._is_absent(chair):
                self._step(seat, round.timeout(seat), By.CLOCK)
                return True
            if not chair.is_person and (together or not self._at.house.think_seconds):
                self._step(seat, self._thought(seat), By.COMPUTER)
                return True
        return False

    def _thought(self, seat: Seat) -> str:
        chair = self._chair_in(seat)
        policy = self._at.game.computers[chair.level or DEFAULT_LEVEL]
        return policy(self.round, seat, self._till.purse(chair))

    def _settle(self, settlement: Settlement) -> None:
        assert self.round is not None
        number = self.state.round
        chairs = {seat: self._chair_in(seat) for seat in range(len(self.state.seated))}
        self._till.settle(settlement, number, chairs)
        self._finish = Finish(number, settlement.lines, outcome_hash(self.round), self._at.now)
        seed = self._at.fresh_seed
        self._next_seal = self._new_seal = Seal(number + 1, seed, fairness.commitment(seed))
        self.state = replace(self.state, phase=TablePhase.BETTING, road=self._road())
        self._after_round(settlement)

    def _road(self) -> tuple[str, ...]:
        bead = self._at.game.bead
        if bead is None or self.round is None:
            return self.state.road
        return (*self.state.road, bead(self.round.view()))[-ROAD:]

    def _set_deadline(self) -> None:
        if self.state.phase is TablePhase.CLOSED:
            self.state = replace(self.state, deadline=None)
        elif not (self._extended or self._keeps_deadline()):
            self.state = replace(self.state, deadline=self._at.now + self._seconds())
