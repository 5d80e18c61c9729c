"""Elimination tables (R7): four stacks of play chips, nine rounds, the poorest out after every third.

`Elimination` decides who is asked to stake, who falls and who wins; this module deals its rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.elimination.elimination import Elimination, EliminationPhase
from engine.elimination.stakes import computer_stake
from engine.elimination.steps import IllegalStep, Misstep
from engine.elimination.terms import Entrant, Terms
from engine.fairness.chain import lots_of
from engine.fairness.lots import Lots
from engine.games.contract import By, Cents, Rules, Seat, Settlement, Stakes
from engine.tables.draft import Draft, Given
from engine.tables.orders import Contender, EliminationOrder
from engine.tables.position import TablePosition, thought
from engine.tables.refused import Reason, Refused
from engine.tables.state import Chair, CloseReason, Money, Seated, TablePhase, TableState
from engine.tables.values import Chain, Change, Member, Title

_SPOT = "main"


def place_of(seat: Seat) -> int:
    """Return the place that people see, from 1, of a seat counted from 0."""
    return seat + 1


class EliminationDraft(Draft):
    """An elimination table while it changes: its chairs, stacks and cards."""

    def __init__(self, position: TablePosition, given: Given) -> None:
        assert position.elimination is not None
        house = replace(given.house, think_seconds=thought(position.elimination, given.house))
        super().__init__(position, replace(given, house=house))
        self.elimination: Elimination = position.elimination.fork()
        self._over_before = position.elimination.end
        self._closing = False
        self._asked_before = self._asking

    def position(self) -> TablePosition:
        return replace(super().position(), elimination=self.elimination)

    def change(self, cause: str) -> Change:
        self.state = replace(self.state, elimination=self.elimination.record())
        return replace(super().change(cause), title=self._title())

    def go_on_from(self, chain: Chain) -> None:
        super().go_on_from(chain)
        self.elimination.draw_from(Lots(lots_of(chain.root), (str(chain.message), str(self.state.id))))

    @property
    def _rules_to_deal_by(self) -> Rules:
        """The rules without a fixed stake, because elimination has stakes of its own (R7.6)."""
        rules: Rules = self.given.game.any_stake(self.given.rules)
        return rules

    # -- what people do --------------------------------------------------------------------------------------------

    def sit(self, member: Member) -> None:
        """Give a computer player's place to a person, before the first card (R7.1)."""
        self._refuse_if_closed()
        chair = self.state.chair_of(member.user)
        if chair is not None:  # a player who is leaving is out when the round is over
            raise Refused(Reason.NOT_SEATED if chair.leaving else Reason.ALREADY_SEATED)
        if self.state.solo:
            raise Refused(Reason.TABLE_SOLO)
        computer = next((chair for chair in self.state.chairs if not chair.is_person and not chair.staked), None)
        if computer is None:
            raise Refused(Reason.TABLE_FULL)
        seat = computer.place - 1
        self._try(lambda: self.elimination.take(seat, str(member.id)))
        self.state = self.state.with_chair(Chair(computer.place, member.user, member.id, stack=computer.stack))
        self._enters(member.id)
        players = (*self.state.players[:seat], Seated(computer.place, member.user), *self.state.players[seat + 1 :])
        self.state = replace(self.state, players=players)

    def leave(self, user: int) -> None:
        chair = self._chair(user)
        self._try(lambda: self.elimination.leave(chair.place - 1))
        self.state = self.state.with_chair(replace(chair, leaving=True))
        self._remove_the_fallen()
        self._go_on()

    def opened_by(self, order: EliminationOrder) -> None:
        """Note that the people of the order enter by their own choice, which the bank refuses during a break.

        At a tournament's table nothing is noted.
        """
        for player in order.players:
            self._enters(player.member.id if player.member is not None else None)

    def come_back(self, user: int) -> None:
        """Let the table wait again for a person who asks for it, unless they are leaving.

        Except at a tournament's table, the bank refuses this during a break.
        """
        self._enters(self._chair(user).member)
        self.return_to(user)

    def _enters(self, member: int | None) -> None:
        """Note that a member enters by their own choice, which the bank refuses during a break.

        Nothing is noted for a computer player (None), nor at a tournament's table, where the tournament seats people.
        """
        if member is not None and self.elimination.terms.lone:
            self._entering.add(member)

    def return_to(self, user: int) -> None:
        """Let the table wait again for a person who was absent (R7.8), unless they are leaving."""
        chair = self._chair(user)
        seat = chair.place - 1
        if seat in self.elimination.away and not chair.leaving:
            self.elimination.come_back(seat)

    def stake(self, user: int, stakes: Stakes | None, press: str, phrase: str) -> None:
        chair = self._chair(user)
        if self.state.phase is TablePhase.PLAYING:
            raise Refused(Reason.ROUND_RUNNING)
        if self.sealing.next is None:
            raise Refused(Reason.NO_PROMISE)
        self._enters(chair.member)
        seat = chair.place - 1
        amount = (stakes or {}).get(_SPOT, self.elimination.smallest(seat))
        self._stake_of(seat, amount, By.MEMBER, press, phrase)
        self._go_on()

    def act(self, user: int, action: str, number: int, turn: int) -> None:
        """Let the table wait again for this person, then take the action and play on."""
        self.return_to(user)
        super().act(user, action, number, turn)

    def deal(self) -> None:
        """Refuse, because the round is dealt when all have staked, and not before."""
        raise Refused(Reason.NOTHING_STAKED)

    def close(self, reason: CloseReason) -> None:
        """Time out everybody until one round is over. Without a promise, end the table at once.

        A change deals no second round, so call it again until the table is closed.
        """
        self._closing = True
        if self._lacks_promise and self.state.phase is not TablePhase.CLOSED:
            self._abandon(reason)
        self._go_on()
        if self.state.phase is TablePhase.CLOSED:
            self.state = replace(self.state, close_reason=reason)

    def _abandon(self, reason: CloseReason) -> None:
        """End a table that cannot deal because it has no promise: all people leave, so somebody may win (R7.7)."""
        for seat in self.elimination.poorest_first([chair.place - 1 for chair in self.state.people]):
            if self.elimination.end is None and seat in self.elimination.in_play:
                self.elimination.leave(seat)
        self._remove_the_fallen()
        if self.elimination.end is None:
            self._end(reason)

    # -- rounds ----------------------------------------------------------------------------------------------------

    def computer_acts(self, thought: str | None = None) -> None:
        """Act for the players whom nobody waits for: play one turn, or place their stakes.

        Stakes are placed until a person is asked. Once all have staked, the round is dealt. `thought` is the action
        that a thinking computer player has found, or None.
        """
        if self.state.phase is TablePhase.PLAYING:
            self._play_turn(thought)
            return
        while (seat := self.elimination.asked) is not None and self._keeps_nobody_waiting(seat):
            self._stake_by_itself(seat)
        self._go_on()

    def _play_turn(self, thought: str | None) -> None:
        """Play a computer player's turn to its end, or until it has to think again.

        `thought` is as in `computer_acts`.
        """
        assert self.round is not None
        number, asked = self.state.round, self.round.asked
        assert any(not self.state.chair_in(seat).is_person for seat in asked), "people are waited for"
        while self.state.phase is TablePhase.PLAYING and (self.state.round, self.round.asked) == (number, asked):
            super().computer_acts(thought)
            if self.thinker() is not None:
                return

    def _go_on(self) -> None:
        """Play on until a person is asked, a computer player takes time, or a promise is missing.

        A change in which a round ends does not deal the next one. A table that is closing waits for nobody.
        """
        while self.state.phase is not TablePhase.CLOSED:
            super()._go_on()
            if self.state.phase is TablePhase.PLAYING:
                if not self._closing:
                    return
                self._time_out_all()
            elif not self._between_rounds():
                return

    def _between_rounds(self) -> bool:
        """Take one step between two rounds (end, deal or stake), and return whether there was one to take."""
        if self.elimination.phase is EliminationPhase.OVER:
            self._end(CloseReason.WON)
        elif self._lacks_promise:
            return False
        elif self.elimination.phase is EliminationPhase.DEALING:
            if self._finish is not None:
                return False
            chairs = [self.state.chair_at(place_of(seat)) for seat in self.elimination.order]
            self._begin([chair for chair in chairs if chair is not None])
        else:
            return self._stake_at_once()
        return True

    def _after_call_off(self) -> None:
        self.elimination.call_off()
        for chair in self.state.chairs:
            self.state = self.state.with_chair(replace(chair, staked=None))
        self._remove_the_fallen()
        self._go_on()

    def _after_round(self, settlement: Settlement) -> None:
        nets: list[Cents] = [0] * len(self.elimination.entrants)
        for seat, seated in enumerate(self.state.seated):
            nets[seated.place - 1] = settlement.net(seat)
        self.elimination.played(nets)
        self._remove_the_fallen()

    def _remove_the_fallen(self) -> None:
        for fall in self.elimination.falls:
            self.state = self.state.without(place_of(fall.seat))

    def _title(self) -> Title | None:
        """Return the title of a person who has won the table with this change, or None.

        A tournament's table has none: tournaments award their own.
        """
        elimination, winner = self.elimination, self.elimination.winner
        if winner is None or self._over_before is not None:
            return None
        if not elimination.terms.lone or not elimination.entrants[winner].person:
            return None
        return Title(f"table/{self.state.id}", int(elimination.entrants[winner].key), self.given.now)

    # -- stakes ----------------------------------------------------------------------------------------------------

    def _stake_at_once(self) -> bool:
        """Place the stake of an absent person or a computer player, if it is due, and return whether it was placed.

        Computer players that take time to think are left to `computer_acts`, unless the table is closing.
        """
        seat = self.elimination.asked
        if seat is None or not self._keeps_nobody_waiting(seat):
            return False
        if not self.elimination.entrants[seat].person and self.given.house.think_seconds and not self._closing:
            return False
        self._stake_by_itself(seat)
        return True

    def _keeps_nobody_waiting(self, seat: Seat) -> bool:
        chair = self.state.chair_at(place_of(seat))
        return chair is not None and (not chair.is_person or self._is_absent(chair))

    def _stake_by_itself(self, seat: Seat) -> None:
        if self.elimination.entrants[seat].person:
            self._stake_of(seat, self.elimination.smallest(seat), By.CLOCK)
        else:
            self._stake_of(seat, computer_stake(self.elimination, seat), By.COMPUTER)

    def _time_out_stakes(self) -> None:
        if self._lacks_promise:
            self._give_up_waiting()
            return
        seat = self.elimination.asked
        if seat is not None:
            self._stake_of(seat, self.elimination.smallest(seat), By.CLOCK)
        self._go_on()

    def _give_up_waiting(self) -> None:
        """Close a table that could get no promise, or mark a tournament's table as stranded: then it has to move."""
        if self.elimination.terms.lone:
            self.close(CloseReason.IDLE)
        else:
            self.state = replace(self.state, stranded=True, deadline=None)  # it waits for as long again

    def _stake_of(self, seat: Seat, amount: Cents, by: By, press: str = "", phrase: str = "") -> None:
        chair = self.state.chair_at(place_of(seat))
        assert chair is not None
        refusal = self.elimination.refusal(seat, amount)
        if refusal is not None:
            raise self._refused(refusal, seat, amount)
        self.elimination.stake(seat, amount, by)
        number = self.state.sealed
        chair = self._stake(chair, amount, number, f"{self.state.id}/{number}/stake/{chair.place}")
        self.state = self.state.with_chair(replace(chair, staked={_SPOT: amount}, press=press, phrase=phrase))

    def _refused(self, misstep: Misstep, seat: Seat, amount: Cents) -> Refused:
        if misstep is Misstep.TOO_LARGE:
            return Refused(Reason.CANNOT_PAY, balance=self.elimination.all_in(seat), needed=amount)
        limits = {"smallest": self.elimination.smallest(seat), "largest": self.elimination.all_in(seat)}
        return Refused(_REASONS[misstep], **(limits if misstep is Misstep.TOO_SMALL else {}))

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except IllegalStep as illegal:
            raise Refused(_REASONS[illegal.misstep]) from None

    # -- time ------------------------------------------------------------------------------------------------------

    def _is_absent(self, chair: Chair) -> bool:
        """Return whether this person is not waited for: they are absent or leaving, or the table is closing."""
        return self._closing or chair.leaving or chair.place - 1 in self.elimination.away

    @property
    def _asking(self) -> tuple[TablePhase, int, Seat | None, bool]:
        return self.state.phase, self.state.round, self.elimination.asked, self._lacks_promise

    def _keeps_window(self) -> bool:
        return self._asking == self._asked_before

    def _window(self) -> float:
        house = self.given.house
        return house.idle_seconds if self._lacks_promise else float(getattr(house, self.given.game.answer_time))


# -- a new table -----------------------------------------------------------------------------------------------------


def new_elimination(order: EliminationOrder, seed: bytes) -> Elimination:
    """Return the elimination of a new table, before its first stake.

    In version 1 its lots come from `seed`; from version 2 on they come from its promise (`go_on_from`).
    """
    entrants = [Entrant(_key(who), who.level) for who in order.players]
    lots = Lots(seed, (str(order.press),)) if order.version == 1 else Lots(b"")
    table = Elimination(Terms(order.budget, lone=order.lone), entrants, lots, order.version)
    for seat in sorted(order.away):
        table.step_out(seat)
    return table


def seated(order: EliminationOrder, state: TableState, begun: Elimination) -> TableState:
    """Return the new table's state with the players of the order in their chairs, each with the budget as a stack."""
    chairs = tuple(_chair(seat, who, order.budget) for seat, who in enumerate(order.players))
    players = tuple(Seated(chair.place, chair.user, chair.computer) for chair in chairs)
    return replace(
        state,
        money=Money.PLAY,
        solo=not order.lone,
        odds=order.odds,
        chairs=chairs,
        players=players,
        elimination=begun.record(),
    )


def _key(who: Contender) -> str:
    """Return the key of a contender: the member's id for a person; a name, or a tournament's key, for a computer."""
    return who.key or (str(who.member.id) if who.member is not None else str(who.computer))


def _chair(seat: Seat, who: Contender, budget: Cents) -> Chair:
    return Chair(
        place_of(seat),
        user=who.member.user if who.member else None,
        member=who.member.id if who.member else None,
        computer=who.computer,
        level=who.level,
        stack=budget,
    )


_REASONS = {
    Misstep.NOT_NOW: Reason.TABLE_STARTED,
    Misstep.NOT_ASKED: Reason.NOT_YOUR_TURN,
    Misstep.NOT_IN_PLAY: Reason.NOT_SEATED,
    Misstep.NOT_WHOLE: Reason.NOT_WHOLE,
    Misstep.TOO_SMALL: Reason.BELOW_LIMIT,
    Misstep.TAKEN: Reason.TABLE_FULL,
}
