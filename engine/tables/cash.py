"""Tables that play for chips of the ledger: from the wallet, or from a stack bought in once (R5)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.computer import fresh_names
from engine.games.contract import CHIP, Cents, Settlement, Stakes
from engine.tables.draft import Draft
from engine.tables.house import PATIENCE
from engine.tables.refused import Reason, Refused
from engine.tables.state import Chair, CloseReason, FreedFor, Money, TablePhase
from engine.tables.values import Member


class CashDraft(Draft):
    """A table that plays for chips of the ledger, while it changes."""

    # -- chairs ----------------------------------------------------------------------------------------------------

    def sit(self, member: Member) -> None:
        """Give a chair to a person who has enough chips to play, or let one who was leaving stay (R0.4)."""
        self._refuse_if_closed()
        chair = self.state.chair_of(member.user)
        if chair is not None and not chair.leaving:
            raise Refused(Reason.ALREADY_SEATED)
        if chair is not None:
            self.state = self.state.with_chair(replace(chair, leaving=False))
            return
        if self.state.solo and self.state.people:  # R2.7
            raise Refused(Reason.TABLE_SOLO)
        self._refuse_uninvited(member.user)
        if self._plays_from_stacks and self.state.round:
            raise Refused(Reason.TABLE_STARTED)
        if member.balance < self._least:
            raise Refused(Reason.CANNOT_PAY, balance=member.balance, needed=self._least)
        self.balances[member.id] = member.balance
        self.state = self.state.with_chair(Chair(self._free_place(), member.user, member.id))
        self._entering.add(member.id)

    def sit_computer(self, name: str, level: str) -> None:
        """Give a free place to a computer player."""
        self.state = self.state.with_chair(Chair(self._free_place(), computer=name, level=level, stack=0))

    def leave(self, user: int) -> None:
        """Free the chair: at once if nothing is staked, else after the round, in which its hands stand (R0.5).

        If nobody is left to wait for (`_all_staked`), deal the round, unless it lacks a promise. If no person is left,
        close the table.
        """
        chair = replace(self._chair(user), leaving=True)
        self.state = self.state.with_chair(chair)
        playing = self.state.phase is TablePhase.PLAYING and self.state.seat_of(user) is not None
        if chair.staked is None and not playing:
            self._stand_up(chair.place)
        self._go_on()
        if self._all_staked and not self._lacks_promise:
            self.deal()
        self._close_if_deserted()

    def close(self, reason: CloseReason) -> None:
        """Deal the round if there are stakes, time out everybody, pay winnings and stacks, and end.

        If the next round has no promise, it is not dealt: its stakes are given back.
        """
        if self._lacks_promise:
            self._hand_stakes_back()
        elif self.state.phase is TablePhase.BETTING and self._has_stakes:
            self.deal()
        while self.round is not None and not self.round.over:
            self._time_out_all()
        self._go_on()
        for chair in self.state.chairs:
            self._stand_up(chair.place)
        self._end(reason)

    # -- staking ---------------------------------------------------------------------------------------------------

    def stake(self, user: int, stakes: Stakes | None, press: str, phrase: str) -> None:
        chair = self._chair(user)
        if self.state.phase is TablePhase.PLAYING:
            raise Refused(Reason.ROUND_RUNNING)
        if chair.staked is not None and (stakes is None or not self.given.game.opener_deals):
            raise Refused(Reason.ALREADY_STAKED)
        if self.sealing.next is None:
            raise Refused(Reason.NO_PROMISE)
        self._place_stake(chair, self._checked(chair, stakes), press, phrase)
        if self._all_staked:
            self.deal()

    def deal(self) -> None:
        """Deal the round to all who have staked, computer players included, and play on as far as that leads.

        People without a stake sit out, and stand up at the second round in a row. Before the cards are dealt, computer
        players take free places where the rules or the invitation say so.
        """
        if not self._has_stakes:
            raise Refused(Reason.NOTHING_STAKED)
        if self._lacks_promise:
            raise Refused(Reason.NO_PROMISE)
        self._pass_over_idlers()
        self._fill_places()
        self._free_kept_seats()
        self._stake_for_computers()
        self._begin([chair for chair in self.state.chairs if chair.staked])
        self._go_on()

    # -- rounds ----------------------------------------------------------------------------------------------------

    def _after_call_off(self) -> None:
        for chair in self.state.people:
            if chair.leaving:
                self._stand_up(chair.place)
        self._close_if_deserted()

    def _after_round(self, settlement: Settlement) -> None:
        broke = [chair for chair in self.state.people if self._is_bankrupt(chair)]
        for chair in self.state.people:
            if chair.leaving or chair in broke:
                self._stand_up(chair.place)
        self._close_if_deserted(CloseReason.BROKE if broke else CloseReason.LEFT)

    def _hand_stakes_back(self) -> None:
        """Give the stakes back at a table that closes while its next round has no promise, perhaps after a restore."""
        for chair in self.state.chairs:
            if chair.staked:
                back = self._till.hand_back(chair, sum(chair.staked.values()), self.state.sealed)
                self._book(replace(back, chair=replace(back.chair, staked=None)))

    def _time_out_stakes(self) -> None:
        if self._has_stakes and not self._lacks_promise:
            self.deal()
        else:
            self.close(CloseReason.IDLE)

    # -- stakes ----------------------------------------------------------------------------------------------------

    @property
    def _plays_from_stacks(self) -> bool:
        return self.state.money is Money.STACK

    @property
    def _fixed(self) -> Cents:
        """The stake of every seat if the rules fix it (R5.1), else 0."""
        return self.given.rules.seating.fixed_stake

    @property
    def _stack(self) -> Cents:
        return self.given.rules.seating.stack

    @property
    def _least(self) -> Cents:
        """The fewest chips with which a person may sit down."""
        return self._stack or self._fixed or self.given.house.smallest_stake

    @property
    def _has_stakes(self) -> bool:
        return any(chair.staked for chair in self.state.people)

    @property
    def _all_staked(self) -> bool:
        """Whether the round can be dealt now: somebody has staked, and nobody else is waited for.

        In games where the opener deals, it is true only if all people are leaving: until then anybody may stake more.
        """
        if not self._has_stakes or self.state.phase is not TablePhase.BETTING:
            return False
        if self.given.game.opener_deals:
            return all(chair.leaving for chair in self.state.people)
        return not self.state.waiting_for

    def _checked(self, chair: Chair, stakes: Stakes | None) -> Stakes:
        """Return the stakes to place: the fixed one, else `stakes`, or for None the chair's last. Refuse bad ones."""
        if self._fixed:
            fixed: Stakes = {self.given.game.spots[0]: self._fixed}
            if stakes is not None and dict(stakes) != fixed:
                raise Refused(Reason.FIXED_STAKE, stake=self._fixed)
            return fixed
        wanted = stakes if stakes is not None else chair.last
        if not wanted:
            raise Refused(Reason.NOTHING_STAKED)
        lying = chair.staked or {}
        for spot, amount in wanted.items():
            self._check_amount(spot, amount, lying.get(spot, 0))
        return wanted

    def _check_amount(self, spot: str, amount: Cents, lying: Cents) -> None:
        """Refuse a stake outside the limits (R0.4), on an unknown spot, or not in whole chips.

        `lying` is what already lies on the spot, which counts towards the largest stake.
        """
        if type(amount) is not int:
            raise Refused(Reason.NOT_WHOLE)
        limits = {"smallest": self.given.house.smallest_stake, "largest": self.given.house.largest_stake}
        if spot not in self.given.game.spots:
            raise Refused(Reason.UNKNOWN_SPOT)
        if amount < limits["smallest"]:
            raise Refused(Reason.BELOW_LIMIT, **limits)
        if amount + lying > limits["largest"]:
            raise Refused(Reason.ABOVE_LIMIT, **limits)
        if amount % CHIP:
            raise Refused(Reason.NOT_WHOLE)

    def _place_stake(self, chair: Chair, stakes: Stakes, press: str, phrase: str) -> None:
        """Take the stakes from the purse (R10.2), and add them to those that the chair has on the same or other spots.

        The press and the phrase are kept for the shuffle. At a table with stacks the first stake also buys the stack.
        A player who was leaving stays.
        """
        if self._plays_from_stacks and chair.stack is None:
            chair = self._buy_in(chair)
        key = f"{self.state.id}/{self.state.sealed}/stake/{chair.place}/{press}"
        chair = self._stake(chair, sum(stakes.values()), self.state.sealed, key)
        both = dict(chair.staked or {})
        for spot, amount in stakes.items():
            both[spot] = both.get(spot, 0) + amount
        presses = ",".join(part for part in (chair.press if chair.staked else "", press) if part)
        self.state = self.state.with_chair(replace(chair, staked=both, press=presses, phrase=phrase, leaving=False))

    def _buy_in(self, chair: Chair) -> Chair:
        return self._book(self._till.buy_in(chair, self.state.purse(chair, self.balances), self._stack))

    # -- tables by invitation (R14.4) --------------------------------------------------------------------------------

    def _refuse_uninvited(self, user: int) -> None:
        """Refuse a person who is not invited to a table by invitation, after freeing kept seats whose time is up."""
        if not self.state.admits(user) and self.state.phase is TablePhase.BETTING:
            self._free_kept_seats()
        if not self.state.admits(user):
            raise Refused(Reason.NOT_INVITED)

    def _free_kept_seats(self) -> None:
        """Free the seats that the invited have not taken, if their time is up. Call this between rounds only.

        The invitation ends, so that everybody may sit down, or computer players take these seats at once. At a table
        with stacks, computer players do so before the first round only: after it, empty seats stay empty (R5.1).
        """
        invitation = self.state.invitation
        if invitation is None or invitation.until is None or self.given.now < invitation.until:
            return
        if invitation.freed_for is FreedFor.EVERYBODY:
            self.state = replace(self.state, invitation=None)
            return
        absent = [user for user in invitation.people if self.state.chair_of(user) is None]
        if not (self._plays_from_stacks and self.state.round):
            self._seat_computers(min(len(absent), self._most_seats - len(self.state.chairs)))
        self.state = replace(self.state, invitation=replace(invitation, until=None))

    def _seat_computers(self, count: int) -> None:
        for name in fresh_names(count, {chair.computer for chair in self.state.chairs}):
            self.sit_computer(name, self.state.level)

    # -- computer players and idlers -------------------------------------------------------------------------------

    def _fill_places(self) -> None:
        """Fill the free places with computer players before the first round, if the rules ask for it (R5.1)."""
        if not self.given.rules.seating.computers_fill or self.state.round:
            return
        self._seat_computers(self._most_seats - len(self.state.chairs))

    def _stake_for_computers(self) -> None:
        """Stake for the computer players that can pay: the smallest stake of the house (R6.5), or the fixed one.

        Where they play from stacks, they buy their stacks before the first round.
        """
        for chair in self.state.chairs:
            if chair.is_person:
                continue
            if self._plays_from_stacks and not self.state.round:
                chair = self._buy_in(chair)
            amount = self._fixed or self.given.house.smallest_stake
            if amount <= self.state.purse(chair, self.balances):
                self._place_stake(chair, {self.given.game.spots[0]: amount}, "", "")

    def _pass_over_idlers(self) -> None:
        for chair in self.state.people:
            if chair.staked is None:
                self.state = self.state.with_chair(replace(chair, sat_out=chair.sat_out + 1))
                if chair.sat_out + 1 >= PATIENCE:
                    self._stand_up(chair.place)

    # -- places ----------------------------------------------------------------------------------------------------

    @property
    def _most_seats(self) -> int:
        return self.given.rules.seating.most

    def _free_place(self) -> int:
        taken = {chair.place for chair in self.state.chairs}
        place = next((place for place in range(1, self._most_seats + 1) if place not in taken), None)
        if place is None:
            raise Refused(Reason.TABLE_FULL)
        return place

    def _is_bankrupt(self, chair: Chair) -> bool:
        """Return whether the stack is smaller than the stake (R5.2)."""
        return self._plays_from_stacks and chair.stack is not None and chair.stack < self._fixed

    def _stand_up(self, place: int) -> None:
        """Take the chair at this place away, and return its stack to the owner. Without a chair, do nothing."""
        chair = self.state.chair_at(place)
        if chair is not None:
            self._book(self._till.cash_out(chair, self.state.round))
            self.state = self.state.without(place)

    def _close_if_deserted(self, reason: CloseReason = CloseReason.LEFT) -> None:
        if self.state.phase is TablePhase.BETTING and not self.state.people:
            for chair in self.state.chairs:
                self._stand_up(chair.place)
            self._end(reason)

    # -- time ------------------------------------------------------------------------------------------------------

    def _keeps_window(self) -> bool:
        """Return whether the betting window keeps its end: people had stakes before this change, and have some now.

        As long as nobody has staked, every change restarts the time.
        """
        return self._has_stakes and any(chair.staked for chair in self._before.state.people)

    def _window(self) -> float:
        waits = self._has_stakes and not self._lacks_promise
        return self.given.house.betting_seconds if waits else self.given.house.idle_seconds
