"""A table being changed.

A draft is a fork of a table's position: whatever is done to it, the table itself stays as it was until the bank has
committed the draft's Change. Everything here is synchronous and deterministic; time and seeds come in from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from engine import fairness, record
from engine.games.blackjack import BlackjackRound
from engine.games.computer import DEFAULT_LEVEL, choose, fresh_names
from engine.games.contract import CHIP, By, Cents, Game, Round, Seat, Settlement, Stakes, Step
from engine.live.house import PATIENCE, HouseSettings
from engine.live.money import Till
from engine.live.ports import Change, Deal, Finish, Member, Seal, TableRow, Taken
from engine.live.refused import Reason, Refused
from engine.live.snapshot import CloseReason, TablePhase
from engine.live.state import Chair, Money, Seated, TableState


@dataclass(frozen=True, slots=True)
class Position:
    """All that a table is at one moment."""

    state: TableState
    next_seal: Seal | None  # None while a round runs: its successor is sealed when it ends
    seal: Seal | None = None  # of the round on display
    round: Round | None = None  # on display: running, or finished and waiting for the next
    balances: Mapping[int, Cents] | None = None  # of the seated members, as last heard


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a change depends on beside the table itself."""

    game: Game
    rules: Any
    house: HouseSettings
    now: float
    fresh_seed: bytes  # for the seal that a finished round shows next


class Draft:
    def __init__(self, position: Position, circumstances: Circumstances) -> None:
        self._at = circumstances
        self._till = Till(position.state, dict(position.balances or {}))
        self.round = position.round.fork() if position.round is not None else None
        self._seal, self._next_seal = position.seal, position.next_seal
        self._new_seal: Seal | None = position.next_seal if position.state.version == 0 else None
        self._deal: Deal | None = None
        self._taken: list[Taken] = []
        self._finish: Finish | None = None
        self._asked_before = self._asking
        self._had_stakes = self._has_stakes
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

    # -- chairs ----------------------------------------------------------------------------------------------------

    def sit(self, member: Member) -> Chair:
        self._refuse_if_closed()
        if self.state.chair_of(member.user) is not None:
            raise Refused(Reason.ALREADY_SEATED)
        if self.state.solo and self.state.people:
            raise Refused(Reason.TABLE_SOLO)
        if self.state.money is Money.STACK and self.state.round:
            raise Refused(Reason.TABLE_STARTED)
        if member.balance < self._least:
            raise Refused(Reason.CANNOT_PAY, balance=member.balance, needed=self._least)
        chair = Chair(self._free_place(), member.user, member.id)
        self._till.balances[member.id] = member.balance
        self.state = self.state.with_chair(chair)
        return chair

    def sit_computer(self, name: str, level: str) -> None:
        self.state = self.state.with_chair(Chair(self._free_place(), computer=name, level=level, stack=0))

    def leave(self, user: int) -> None:
        """At once if nothing of theirs is staked; else the hands stand (R0.5) and the chair is free after the round."""
        chair = self._chair(user)
        self.state = self.state.with_chair(replace(chair, leaving=True))
        if chair.staked is None and not self._is_in_round(chair):
            self._stand_up(chair.place)
        self._go_on()
        if self.state.phase is TablePhase.BETTING and self._all_staked:
            self.deal()
        self._close_if_deserted()

    def close(self, reason: CloseReason) -> None:
        """Play out what is open as out of time, then end the table. Never a refund."""
        if self.state.phase is TablePhase.BETTING and self._has_stakes:
            self.deal()
        while self.round is not None and not self.round.over:
            self._time_out_all()
        for chair in self.state.chairs:
            self._stand_up(chair.place)
        self._end(reason)

    # -- staking ---------------------------------------------------------------------------------------------------

    def stake(self, user: int, stakes: Stakes | None, press: str, phrase: str) -> None:
        self._refuse_if_closed()
        chair = self._chair(user)
        if self.state.phase is TablePhase.PLAYING:
            raise Refused(Reason.ROUND_RUNNING)
        if chair.staked is not None and not self._at.game.opener_deals:
            raise Refused(Reason.ALREADY_STAKED)
        wanted = self._checked(chair, stakes)
        self._place_stake(chair, wanted, press, phrase)
        if self._all_staked:
            self.deal()

    def deal(self) -> None:
        """Turn the stakes into a round. Who did not stake sits out, and after two rounds of that stands up."""
        if not self._has_stakes:
            raise Refused(Reason.NOTHING_STAKED)
        self._pass_over_idlers()
        self._fill_places()
        self._stake_for_computers()
        chairs = [chair for chair in self.state.chairs if chair.staked]
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
        self.state = replace(
            self.state,
            round=number,
            phase=TablePhase.PLAYING,
            seated=tuple(Seated(chair.place, chair.user, chair.computer) for chair in chairs),
        )
        for chair in chairs:
            self.state = self.state.with_chair(replace(chair, last=chair.staked, staked=None, sat_out=0))
        self._go_on()

    # -- playing ---------------------------------------------------------------------------------------------------

    def act(self, user: int, action: str, number: int, turn: int) -> None:
        chair = self._chair(user)
        round = self.round
        if round is None or self.state.phase is not TablePhase.PLAYING or (number, turn) != self._question:
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
        elif self._has_stakes:
            self.deal()
        else:
            self.close(CloseReason.IDLE)

    def extend(self, until: float) -> None:
        """After an outage."""
        self.state = replace(self.state, deadline=max(self.state.deadline or 0.0, until))
        self._extended = True

    # -- private: the round ----------------------------------------------------------------------------------------

    @property
    def _question(self) -> tuple[int, int]:
        return self.state.round, self.round.turn if self.round else -1

    @property
    def _asking(self) -> tuple[TablePhase, int, int]:
        return self.state.phase, self.round.turn if self.round else -1, self.state.round

    def _chair_in(self, seat: Seat) -> Chair:
        chair = self.state.chair_at(self.state.seated[seat].place)
        assert chair is not None, "chairs of a running round stay"
        return chair

    def _step(self, seat: Seat, action: str, by: By) -> None:
        round = self.round
        assert round is not None
        chair = self._chair_in(seat)
        refusal = round.refusal(seat, action, self._till.purse(chair))
        if by is not By.CLOCK and refusal is not None:
            raise Refused(Reason.ILLEGAL, refusal=refusal)
        place, cost = len(round.steps), round.cost(seat, action)
        if cost:
            self._till.stake(chair, cost, self.state.round, f"{self.state.id}/{self.state.round}/step/{place}")
        round.apply(seat, action, by)
        self._taken.append(Taken(self.state.round, place, Step(seat, action, by), self._at.now))

    def _go_on(self) -> None:
        """Let those act who keep nobody waiting, and settle when the round is over."""
        while self.round is not None and self.state.phase is TablePhase.PLAYING:
            if self.round.over:
                self._settle(self.round.settlement())
            elif not self._act_at_once(self.round):
                return

    def _act_at_once(self, round: Round) -> bool:
        together = len(round.asked) > 1
        for seat in round.asked:
            chair = self._chair_in(seat)
            if chair.is_person and chair.leaving:
                self._step(seat, round.timeout(seat), By.CLOCK)
                return True
            if not chair.is_person and (together or not self._at.house.think_seconds):
                self._step(seat, self._thought(seat), By.COMPUTER)
                return True
        return False

    def _thought(self, seat: Seat) -> str:
        chair = self._chair_in(seat)
        blackjack = cast(BlackjackRound, self.round)  # the only game with computer players
        return choose(chair.level or DEFAULT_LEVEL, blackjack, seat, self._till.purse(chair))

    def _time_out_all(self) -> None:
        assert self.round is not None
        for seat in self.round.asked:
            if seat in self.round.asked:
                self._step(seat, self.round.timeout(seat), By.CLOCK)
        self._go_on()

    def _settle(self, settlement: Settlement) -> None:
        assert self.round is not None
        number = self.state.round
        chairs = {seat: self._chair_in(seat) for seat in range(len(self.state.seated))}
        self._till.settle(settlement, number, chairs)
        self._finish = Finish(number, settlement.lines, record.outcome_hash(self.round), self._at.now)
        seed = self._at.fresh_seed
        self._next_seal = self._new_seal = Seal(number + 1, seed, fairness.commitment(seed))
        self.state = replace(self.state, phase=TablePhase.BETTING)
        for chair in self.state.people:
            if chair.leaving or self._is_bankrupt(chair):
                self._stand_up(chair.place)
        self._close_if_deserted()

    # -- private: stakes -------------------------------------------------------------------------------------------

    @property
    def _fixed(self) -> Cents | None:
        return getattr(self._at.rules, "fixed_stake", None) or None

    @property
    def _least(self) -> Cents:
        return getattr(self._at.rules, "stack", None) or self._fixed or self._at.house.smallest_stake

    @property
    def _all_staked(self) -> bool:
        state = self.state
        if self._at.game.opener_deals or state.phase is not TablePhase.BETTING:
            return False
        return not state.waiting_for and any(chair.staked for chair in state.people)

    def _checked(self, chair: Chair, stakes: Stakes | None) -> Stakes:
        if self._fixed is not None:
            wanted: Stakes = {self._at.game.spots[0]: self._fixed}
            if stakes is not None and dict(stakes) != wanted:
                raise Refused(Reason.FIXED_STAKE, stake=self._fixed)
            return wanted
        wanted = stakes if stakes is not None else chair.last or {}
        if not wanted:
            raise Refused(Reason.NOTHING_STAKED)
        for spot, amount in wanted.items():
            self._check_amount(spot, amount)
        return wanted

    def _check_amount(self, spot: str, amount: Cents) -> None:
        limits = {"smallest": self._at.house.smallest_stake, "largest": self._at.house.largest_stake}
        if spot not in self._at.game.spots:
            raise Refused(Reason.UNKNOWN_SPOT)
        if amount < limits["smallest"]:
            raise Refused(Reason.BELOW_LIMIT, **limits)
        if amount > limits["largest"]:
            raise Refused(Reason.ABOVE_LIMIT, **limits)
        if amount % CHIP:
            raise Refused(Reason.NOT_WHOLE)

    def _place_stake(self, chair: Chair, stakes: Stakes, press: str, phrase: str) -> None:
        stack = getattr(self._at.rules, "stack", None)
        if self.state.money is Money.STACK and chair.stack is None and stack:
            self._till.buy_in(chair, stack)
            chair = self.state.chair_at(chair.place) or chair
        key = f"{self.state.id}/{self.state.sealed}/stake/{chair.place}/{press}"
        self._till.stake(chair, sum(stakes.values()), self.state.sealed, key)
        chair = self.state.chair_at(chair.place) or chair
        both = dict(chair.staked or {})
        for spot, amount in stakes.items():
            both[spot] = both.get(spot, 0) + amount
        presses = ",".join(part for part in (chair.press if chair.staked else "", press) if part)
        self.state = self.state.with_chair(replace(chair, staked=both, press=presses, phrase=phrase))

    def _fill_places(self) -> None:
        """A fixed-stake table starts full (R5.1)."""
        if self.state.money is Money.STACK and not self.state.round:
            for name in fresh_names(self._most_seats, {chair.computer for chair in self.state.chairs}):
                if len(self.state.chairs) < self._most_seats:
                    self.sit_computer(name, DEFAULT_LEVEL)

    def _stake_for_computers(self) -> None:
        for chair in self.state.chairs:
            if chair.is_person:
                continue
            if self.state.money is Money.STACK and not self.state.round and not chair.stack:
                self._till.buy_in(chair, self._least)
            chair = self.state.chair_at(chair.place) or chair
            amount = self._fixed or self._at.house.smallest_stake
            if amount <= self._till.purse(chair):
                self._place_stake(chair, {self._at.game.spots[0]: amount}, "", "")

    def _pass_over_idlers(self) -> None:
        for chair in self.state.people:
            if chair.staked is None:
                self.state = self.state.with_chair(replace(chair, sat_out=chair.sat_out + 1))
                if chair.sat_out + 1 >= PATIENCE or chair.leaving:
                    self._stand_up(chair.place)

    # -- private: chairs -------------------------------------------------------------------------------------------

    def _refuse_if_closed(self) -> None:
        if self.state.phase is TablePhase.CLOSED:
            raise Refused(Reason.TABLE_CLOSED)

    def _chair(self, user: int) -> Chair:
        self._refuse_if_closed()
        chair = self.state.chair_of(user)
        if chair is None:
            raise Refused(Reason.NOT_SEATED)
        return chair

    @property
    def _most_seats(self) -> int:
        return min(self._at.game.most_seats, getattr(self._at.rules, "most_seats", self._at.game.most_seats))

    def _free_place(self) -> int:
        taken = {chair.place for chair in self.state.chairs}
        place = next((place for place in range(1, self._most_seats + 1) if place not in taken), None)
        if place is None:
            raise Refused(Reason.TABLE_FULL)
        return place

    def _is_in_round(self, chair: Chair) -> bool:
        return self.state.phase is TablePhase.PLAYING and self.state.seat_of(chair) is not None

    def _is_bankrupt(self, chair: Chair) -> bool:
        current = self.state.chair_at(chair.place) or chair
        return self.state.money is Money.STACK and (current.stack or 0) < (self._fixed or CHIP)

    def _stand_up(self, place: int) -> None:
        chair = self.state.chair_at(place)
        if chair is not None:
            self._till.cash_out(chair)
            self.state = self.state.without(place)

    def _close_if_deserted(self) -> None:
        if self.state.phase is TablePhase.BETTING and not self.state.people:
            for chair in self.state.chairs:
                self._stand_up(chair.place)
            self._end(CloseReason.LEFT)

    def _end(self, reason: CloseReason) -> None:
        self.state = replace(self.state, phase=TablePhase.CLOSED, close_reason=reason, deadline=None)

    # -- private: time ---------------------------------------------------------------------------------------------

    @property
    def _has_stakes(self) -> bool:
        return any(chair.staked for chair in self.state.people)

    def _set_deadline(self) -> None:
        if self.state.phase is TablePhase.CLOSED:
            self.state = replace(self.state, deadline=None)
        elif not self._keeps_deadline:
            self.state = replace(self.state, deadline=self._at.now + self._seconds)

    @property
    def _keeps_deadline(self) -> bool:
        """The same question goes on, or the same betting window; an idle table's time starts anew with every change."""
        if self._extended:
            return True
        if self.state.phase is TablePhase.PLAYING:
            return self._asking == self._asked_before
        return self._has_stakes and self._had_stakes

    @property
    def _seconds(self) -> float:
        if self.state.phase is TablePhase.PLAYING:
            return self._at.house.seconds_to_answer(self.state.game)
        return self._at.house.betting_seconds if self._has_stakes else self._at.house.idle_seconds
