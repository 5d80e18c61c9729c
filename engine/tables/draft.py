"""A table being changed.

A draft is a fork of a table's position: whatever is done to it, the table itself stays as it was until the bank has
committed the draft's Change. Everything here is synchronous and deterministic; time and seeds come in from outside.

What all tables share is here: acting, time, settling. Who may sit, who stakes and when a round is dealt depends on the
kind of table: `cash` (chips of the ledger) and `elimination` (play chips).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine import fairness
from engine.fairness.record import Player, Record
from engine.fairness.replay import lines_hash, outcome_hash, stakes_back
from engine.games.cards import Shoe
from engine.games.computer import DEFAULT_LEVEL, LEVEL_VERSION
from engine.games.contract import (
    BOTTOMLESS,
    AnyGame,
    By,
    Cents,
    IllegalAction,
    Refusal,
    Rules,
    Seat,
    Settlement,
    Stakes,
    Step,
)
from engine.tables.house import GRACE_SECONDS, KEPT_SECONDS, ROAD, HouseSettings
from engine.tables.ports import Shuffle
from engine.tables.position import TablePosition, Turn, lacks_promise
from engine.tables.refused import Reason, Refused
from engine.tables.state import UNSTORED, Chair, CloseReason, Money, Seated, TablePhase
from engine.tables.till import Movement, Till
from engine.tables.values import Chain, Change, Deal, Finish, Member, TableRow, Taken, Transfer


@dataclass(frozen=True, slots=True)
class Given:
    """The circumstances that a change depends on, apart from the table."""

    game: AnyGame
    rules: Rules
    house: HouseSettings
    now: float
    fresh_seed: bytes = field(repr=False)  # the seed of the next round of a table of scheme 1
    shoe: Shuffle = fairness.shoe


class Draft:
    """A table while it changes. Each method raises Refused where the table refuses; the draft is then dropped."""

    def __init__(self, position: TablePosition, given: Given) -> None:
        self.given = given
        self._before = position
        self.state = position.state
        self.balances = dict(position.balances or {})
        self._till = Till(self.state.id, self.state.guild, self.state.money)
        self._transfers: list[Transfer] = []
        self.round = position.round.fork() if position.round is not None else None
        self.sealing = position.sealing
        self._place_over: str | None = None
        self._deal: Deal | None = None
        self._taken: list[Taken] = []
        self._finish: Finish | None = None
        self._extended = False
        self._entering: set[int] = set()

    # -- the result ------------------------------------------------------------------------------------------------

    def position(self) -> TablePosition:
        """Return the table as the draft leaves it."""
        return TablePosition(self.state, self.sealing, self.round, self.balances)

    def change(self, cause: str) -> Change:
        """Return everything that was done as one value for the bank, and give the table its next version and deadline.

        `cause` is unique to what was asked for, so the bank refuses to do it twice.
        """
        self.state = state = replace(self.state, version=self.state.version + 1, deadline=self.deadline())
        is_open = state.phase is not TablePhase.CLOSED
        row = TableRow(
            state.id, state.guild, state.channel, state.game, state.to_json(), state.version, is_open, state.deadline
        )
        before, seated = self._before.state, set[int]()
        if state.chairs is not before.chairs or before.version == UNSTORED:
            seated = set(state.members) - set(before.members if before.version != UNSTORED else ())
        sealed_already = before.version != UNSTORED and self.sealing.next is self._before.sealing.next
        seal = self.sealing.next if not sealed_already else None
        written = tuple(self._transfers), seal, self._deal, tuple(self._taken), self._finish
        return Change(
            cause,
            row,
            *written,
            seated=sorted(seated),
            entering=sorted(self._entering),
            for_chips=state.money is not Money.PLAY,
            place_over=self._place_over,
        )

    def deadline(self) -> float | None:
        """Return the moment at which the current question or betting window ends; None for a closed table.

        A question that was open before this change keeps its deadline; `_keeps_window` says when a window does. After
        an outage (`extend`) both last at least another minute. Even if the clock was wrong, the time left from now is
        at most the whole time for an answer or for the window, or a minute if that is longer.
        """
        was, state, now = self._before, self.state, self.given.now
        if state.phase is TablePhase.CLOSED:
            return None
        if state.phase is TablePhase.PLAYING and self.round is not None:
            seconds = float(getattr(self.given.house, self.given.game.answer_time))
            before = (was.state.round, was.round.turn) if was.round is not None else None
            keeps = was.state.phase is TablePhase.PLAYING and before == (state.round, self.round.turn)
        else:
            seconds, keeps = self._window(), self._keeps_window()
        ends = state.deadline if keeps and state.deadline is not None else now + seconds
        if self._extended:
            ends = max(state.deadline or 0.0, now + GRACE_SECONDS)
        return min(ends, now + max(seconds, GRACE_SECONDS))

    def posted(self, message: int) -> None:
        """Note the id of the table's message."""
        self.state = replace(self.state, message=message)

    def moved(self, channel: int) -> None:
        """Move the table to another channel, where it has no message yet.

        A chain that was promised in the old channel is not used any more. Between rounds, drop it now; during a round,
        `Sealing.seal_next` drops it when the round is over.
        """
        self.state = replace(self.state, channel=channel, message=None, stranded=False)
        if self.state.phase is TablePhase.BETTING and self.sealing.chains:
            self.sealing = self.sealing.give_up_chain()

    @property
    def _lacks_promise(self) -> bool:
        return lacks_promise(self.state, self.sealing)

    def go_on_from(self, chain: Chain) -> None:
        """Seal the next round from this chain, whose promise is posted."""
        self.sealing = self.sealing.go_on_from(chain, self.state.sealed)
        self.state = replace(self.state, stranded=False)

    # -- what people do, each kind of table in its way -------------------------------------------------------------

    def sit(self, member: Member) -> None:
        """Give a person a chair."""
        raise NotImplementedError

    def leave(self, user: int) -> None:
        """Take a person's chair back, at once or when the round is over. Hands that they have in play stand now.

        This may deal the round, because nobody else is waited for, settle it, or end the table.
        """
        raise NotImplementedError

    def stake(self, user: int, stakes: Stakes | None, press: str, phrase: str) -> None:
        """Stake for the next round, and deal it if nobody is left to wait for.

        If `stakes` is None, it is the fixed stake or, without one, the chair's last stakes; at an elimination table the
        smallest stake. `press` and `phrase` may enter the shuffle.
        """
        raise NotImplementedError

    def deal(self) -> None:
        """Deal the next round from the stakes, and play on as far as that leads.

        Refuse if there are no stakes or no promise for the round; elimination tables always refuse.
        """
        raise NotImplementedError

    def close(self, reason: CloseReason) -> None:
        """End the table. If a round is open or has stakes, play it first, and time out everybody in it.

        An elimination table plays one round in each call: call again until the table is closed.
        """
        raise NotImplementedError

    def invite(self, user: int, people: Sequence[int]) -> None:
        """Let more people sit at a table by invitation, and keep its free seats for another `KEPT_SECONDS` (R14.4).

        Only the opener may do so. There must be a seat for everybody who is invited, beside the opener and the computer
        players.
        """
        self._refuse_if_closed()
        invitation = self.state.invitation
        if invitation is None or user != self.state.opener:
            raise Refused(Reason.OLD_BUTTON)
        named = tuple(dict.fromkeys([*invitation.people, *(other for other in people if other != user)]))
        computers = sum(not chair.is_person for chair in self.state.chairs)
        if len(named) + computers >= self.given.rules.seating.most:
            raise Refused(Reason.TABLE_FULL)
        until = self.given.now + KEPT_SECONDS
        self.state = replace(self.state, invitation=replace(invitation, people=named, until=until))

    def uninvite(self, user: int) -> None:
        """Take a person off the list of the invited."""
        if (invitation := self.state.invitation) is not None:
            people = tuple(other for other in invitation.people if other != user)
            self.state = replace(self.state, invitation=replace(invitation, people=people))

    def refuse_old(self, number: int | None) -> None:
        """Refuse a press on a button that was made for round `number` if that is not the next one. None: any round."""
        if number is not None and number != self.state.sealed:
            raise Refused(Reason.OLD_BUTTON)

    # -- playing ---------------------------------------------------------------------------------------------------

    def act(self, user: int, action: str, number: int, turn: int) -> None:
        """Take a person's action, in answer to question `turn` of round `number`, and play on as far as that leads."""
        chair = self._chair(user)  # that the table is closed, or that this person does not sit there, is said first
        round = self.round if self.state.phase is TablePhase.PLAYING else None
        if round is None or (number, turn) != (self.state.round, round.turn):
            raise Refused(Reason.OLD_BUTTON)
        seat = self.state.seat_of(user)
        if seat is None:
            raise Refused(Reason.ILLEGAL, refusal=Refusal.NOT_SEATED)
        self._step(chair, seat, action, By.MEMBER)
        self._go_on()

    def turn_of(self, user: int) -> Turn:
        """Return the question that this person is asked now, or refuse a person who is not asked."""
        chair = self._chair(user)
        seat = self.state.seat_of(user)
        if self.round is None or seat is None or seat not in self.round.asked:
            raise Refused(Reason.NOT_YOUR_TURN)
        return Turn(self.round, seat, self.state.purse(chair, self.balances))

    def thinker(self) -> tuple[str, Turn] | None:
        """Return level and question of the computer player that is asked now, if its level is one of `Game.thinkers`.

        Return None for any other level, and if no computer player is asked.
        """
        if self.round is None or self.state.phase is not TablePhase.PLAYING:
            return None
        chairs = ((seat, self.state.chair_in(seat)) for seat in self.round.asked)
        seat, chair = next(((seat, chair) for seat, chair in chairs if not chair.is_person), (0, None))
        if chair is None or chair.level is None or chair.level not in self.given.game.thinkers:
            return None
        return chair.level, Turn(self.round, seat, self.state.purse(chair, self.balances))

    def computer_acts(self, thought: str | None = None) -> None:
        """Make one move of the first computer player that is asked: `thought` if allowed, else that of its level.

        Then make the moves that need no pause, and settle a round that is over.
        """
        assert self.round is not None
        for seat in self.round.asked:
            chair = self.state.chair_in(seat)
            if not chair.is_person:
                self._step(chair, seat, self._move(chair, seat, thought), By.COMPUTER)
                break
        self._go_on()

    def time_out(self) -> None:
        """Act on the passed deadline: people who are asked are timed out, betting windows end, idle tables close."""
        if self.state.phase is TablePhase.PLAYING:
            self._time_out_all()
            self._go_on()
        elif self.state.phase is TablePhase.BETTING:
            self._time_out_stakes()

    def extend(self) -> None:
        """Give at least another minute to whatever is open, after an outage."""
        self._extended = True

    # -- for the kinds of table: rounds -----------------------------------------------------------------------------

    def _begin(self, chairs: Sequence[Chair]) -> None:
        """Deal the sealed round to these chairs, in this order, from a shoe of its own (R0.2)."""
        number = self.state.sealed
        self.sealing, self._deal = self.sealing.deal(self._deal_to(chairs, number))
        stakes = self._deal.stakes
        self.round = self.given.game.deal(self._rules_to_deal_by, stakes, self._shoe_of(self._deal))
        seated = tuple(Seated(chair.place, chair.user, chair.computer) for chair in chairs)
        self.state = replace(self.state, round=number, phase=TablePhase.PLAYING, seated=seated, called_off=False)
        for chair in chairs:
            self.state = self.state.with_chair(replace(chair, last=chair.staked, staked=None, sat_out=0))

    @property
    def _rules_to_deal_by(self) -> Rules:
        rules: Rules = self.given.rules
        return rules

    def _deal_to(self, chairs: Sequence[Chair], number: int) -> Deal:
        """Return the deal of round `number` to these chairs, with all that any scheme mixes into the shuffle."""
        return Deal(
            number=number,
            game=self.state.game,
            rules_name=self.state.rules_name,
            rules=self.state.rules,
            stakes=[dict(chair.staked or {}) for chair in chairs],
            members=[chair.member for chair in chairs],
            inputs=_mixed_in_one(self.state.message, chairs),
            at=self.given.now,
            players=[
                Player() if chair.is_person else Player(chair.level or DEFAULT_LEVEL, LEVEL_VERSION) for chair in chairs
            ],
            build=self.given.game.build,
        )

    def _shoe_of(self, deal: Deal) -> Shoe:
        """Return the shoe of the round that this deal began, shuffled from its seed."""
        record, seal = self.sealing.record, self.sealing.shown
        assert seal is not None
        mixed_in = record.mixed_in if record is not None else deal.inputs
        return self.given.shoe(seal.seed, mixed_in, self.given.rules.decks)

    def _go_on(self) -> None:
        """Make the moves that need no pause, of computer players and absent people, and settle a round that is over."""
        while self.round is not None and self.state.phase is TablePhase.PLAYING:
            round, together = self.round, len(self.round.asked) > 1
            if not round.asked:
                self._settle(round.settlement())
                continue
            for seat in round.asked:
                chair = self.state.chair_in(seat)
                if chair.computer is not None and (together or not self._takes_time(chair)):
                    self._step(chair, seat, self._move(chair, seat), By.COMPUTER)
                    break
                if chair.computer is None and self._is_absent(chair):
                    self._step(chair, seat, round.timeout(seat), By.CLOCK)
                    break
            else:
                return

    def call_off(self, record: Record, chain: Chain | None) -> None:
        """Give the stakes of the open round back, because a backup was restored. This is an exception to R0.5.

        People may have seen how the round ended. `record` is the round's record, `chain` the chain that it was dealt
        from (None: scheme 1). The next round waits for a new promise.
        """
        shoe = self.given.shoe(record.seed, record.mixed_in, self.given.rules.decks)
        lines, number = stakes_back(record, shoe), self.state.round
        for line in lines:
            self._book(self._till.pay(self.state.chair_in(line.seat), line.seat, line.returned, number))
        finish = Finish(number, lines, lines_hash(lines), self.given.now)
        self.sealing, self._finish = self.sealing.call_off(finish, record, chain, shoe)
        self.round = None
        self.state = replace(self.state, phase=TablePhase.BETTING, seated=(), called_off=True)
        self._after_call_off()

    def _after_call_off(self) -> None:
        """Decide who stays once the stakes are back."""
        raise NotImplementedError

    def _after_round(self, settlement: Settlement) -> None:
        """Decide who stays once the chips are paid and the next round is sealed."""
        raise NotImplementedError

    def _time_out_stakes(self) -> None:
        """Act on the passed deadline of a betting window."""
        raise NotImplementedError

    def _time_out_all(self) -> None:
        """Time out all people who are asked. Computer players who are asked make the move of their level instead."""
        assert self.round is not None
        for seat in self.round.asked:
            if seat not in self.round.asked:
                continue
            chair = self.state.chair_in(seat)
            if chair.is_person:
                self._step(chair, seat, self.round.timeout(seat), By.CLOCK)
            else:
                self._step(chair, seat, self._move(chair, seat), By.COMPUTER)

    def _is_absent(self, chair: Chair) -> bool:
        """Return whether the table does not wait for this person, because they are leaving."""
        return chair.leaving

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

    # -- for the kinds of table: chips -------------------------------------------------------------------------------

    def _stake(self, chair: Chair, amount: Cents, number: int, key: str) -> Chair:
        """Move a stake from the chair's purse to round `number`, and return the chair as it is afterwards.

        `key` is the key of the transfer. Raise Refused(CANNOT_PAY) if the purse has less than `amount`.
        """
        return self._book(self._till.stake(chair, self.state.purse(chair, self.balances), amount, number, key))

    def _book(self, movement: Movement) -> Chair:
        """Take moved chips into the draft: the chair, its member's wallet and the transfers. Return the chair."""
        chair = movement.chair
        self.state = self.state.with_chair(chair)
        if chair.member is not None:
            self.balances[chair.member] = self.balances.get(chair.member, 0) + movement.wallet
        self._transfers += movement.transfers
        return chair

    def _end(self, reason: CloseReason) -> None:
        if self.state.elimination is not None and self.sealing.chains:
            self._place_over = self.state.chain_place  # its place ends with it: no other table goes on from its chain
        self.state = replace(self.state, phase=TablePhase.CLOSED, close_reason=reason, invitation=None)

    # -- for the kinds of table: time between rounds -----------------------------------------------------------------

    def _keeps_window(self) -> bool:
        """Return whether the betting window keeps the deadline that it had before this change."""
        raise NotImplementedError

    def _window(self) -> float:
        """Return for how many seconds a betting window is open."""
        raise NotImplementedError

    # -- private ----------------------------------------------------------------------------------------------------

    def _step(self, chair: Chair, seat: Seat, action: str, by: By) -> None:
        """Apply an action to the round, stake what it costs, and note it for the journal. Refuse an illegal one."""
        round = self.round
        assert round is not None
        number, place, cost = self.state.round, len(round.steps), round.cost(seat, action)
        purse = self.state.purse(chair, self.balances)
        try:
            round.apply(seat, action, by, purse)
        except IllegalAction as illegal:
            raise Refused(Reason.ILLEGAL, refusal=illegal.refusal) from None
        if cost:
            self._stake(chair, cost, number, f"{self.state.id}/{number}/step/{place}")
        noted = purse if purse < BOTTOMLESS else None
        self._taken.append(Taken(number, place, Step(seat, action, by), self.given.now, noted))
        self.sealing = self.sealing.step(noted if by is By.COMPUTER else None)

    def _takes_time(self, chair: Chair) -> bool:
        return bool(self.given.house.think_seconds) or chair.level in self.given.game.thinkers

    def _move(self, chair: Chair, seat: Seat, thought: str | None = None) -> str:
        round = self.round
        assert round is not None
        purse = self.state.purse(chair, self.balances)
        if thought is not None and round.refusal(seat, thought, purse) is None:
            return thought
        return self.given.game.policy(chair.level or DEFAULT_LEVEL)(round, seat, purse)

    def _settle(self, settlement: Settlement) -> None:
        """Pay a round that is over, seal the next one, and let the kind of table decide who stays."""
        assert self.round is not None
        number = self.state.round
        self._transfers += self._till.settle(settlement, number)
        for seat in range(len(self.state.seated)):
            self._book(self._till.pay(self.state.chair_in(seat), seat, settlement.returned(seat), number))
        finish = Finish(number, settlement.lines, outcome_hash(self.round), self.given.now)
        shoe, decks = self.given.shoe, self.given.rules.decks
        sealing, self._finish = self.sealing.settle(finish, self.round.steps, shoe, decks)
        self.sealing = sealing.seal_next(number + 1, self.state.channel, self.given.fresh_seed)
        self.state = replace(self.state, phase=TablePhase.BETTING, road=self._road())
        self._after_round(settlement)

    def _road(self) -> tuple[str, ...]:
        bead = self.given.game.bead
        if bead is None or self.round is None:
            return self.state.road
        return (*self.state.road, bead(self.round.view()))[-ROAD:]


def _mixed_in_one(message: int | None, chairs: Sequence[Chair]) -> tuple[str, ...]:
    """Return what scheme 1 mixes into the shuffle: the message's id, and the presses and phrase of each chair.

    0 stands for no message. Presses are ids, joined by commas; they and the phrase may be empty.
    """
    return (str(message or 0), *(part for chair in chairs for part in (chair.press, chair.phrase)))
