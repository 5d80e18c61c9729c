"""Deals blackjack straight against the bank, as the tables do: real cards, from a seed that was sealed before.

A test that needs a certain result gets it as a cheat would under the first release's shuffle: by trying one id of a
press after the other, until the cards fall that way.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from data import Bank
from engine.fairness.record import RecordOne
from engine.fairness.replay import outcome_hash, replay
from engine.games import registry
from engine.games.blackjack.actions import INSURE
from engine.games.contract import CHIP, By, Cents, Line, Outcome, Round, Step
from engine.tables.house import HouseSettings
from engine.tables.ports import BankError
from engine.tables.state import Chair, Seated, TablePhase, TableState
from engine.tables.values import Account, Change, Deal, Finish, Kind, Member, Seal, TableRow, Taken, Transfer

GUILD = 7 << 22
ELSEWHERE = GUILD + 1
NOW = 1_800_000_000.0
#: A house in which a gift needs no finished hands.
LENIENT = HouseSettings(gift_hands=0)
RULES = registry.game("blackjack").rule_sets["vegas"]

#: The first id of each test: the cards depend on ids.
FIRST = 1_000
numbers = itertools.count(FIRST)


def press() -> int:
    """The id of an interaction: never the same twice in a test."""
    return next(numbers)


async def refused(attempt: Awaitable[object]) -> type[Exception] | None:
    """Return what the bank refuses an attempt with, or None if it goes through."""
    try:
        await attempt
    except BankError as error:
        return type(error)
    return None


@dataclass
class HandClock:
    time: float = NOW

    def now(self) -> float:
        return self.time


def seal(table: int, number: int) -> Seal:
    seed = hashlib.sha256(f"{table}/{number}".encode()).digest()
    return Seal(number, seed, hashlib.sha256(seed).hexdigest())


def account(member: Member) -> Account:
    return Account(Kind.MEMBER, member.guild, str(member.id))


def line(seat: int, staked: Cents, returned: Cents) -> Line:
    return Line(seat, "main", staked, returned, Outcome.WIN if returned > staked else Outcome.LOSE)


@dataclass
class Dealer:
    """A table of its own. Each method makes one change and commits it; `last` is the last one, to be sent again."""

    bank: Bank
    guild: int = GUILD
    id: int = field(default_factory=press)
    version: int = 0
    number: int = 0
    seats: list[Member] = field(default_factory=list)
    staked: list[Cents] = field(default_factory=list)
    #: The round that is being played.
    live: Round | None = None
    #: The chips that each seat got back from the last round.
    paid: list[Cents] = field(default_factory=list)
    last: Change | None = None
    phrases: Sequence[str] = ()

    # -- accounts --------------------------------------------------------------------------------------------------

    @property
    def escrow(self) -> Account:
        return Account(Kind.ESCROW, self.guild, f"{self.id}/{self.number}")

    @property
    def house(self) -> Account:
        return Account(Kind.HOUSE, self.guild)

    # -- changes ---------------------------------------------------------------------------------------------------

    def row(self, doc: str = "", *, is_open: bool = True, deadline: float | None = None) -> TableRow:
        """The table's next state; what is at stake is in its document."""
        return self._row(doc or self._doc(), is_open=is_open, deadline=deadline)

    def _row(self, doc: str, *, is_open: bool = True, deadline: float | None = None) -> TableRow:
        return TableRow(self.id, self.guild, 70, "blackjack", doc, self.version + 1, is_open, deadline)

    def _doc(self, phase: TablePhase | None = None, seats: Sequence[Member] = (), staked: Sequence[Cents] = ()) -> str:
        playing = self.live is not None if phase is None else phase is TablePhase.PLAYING
        seats, staked = seats or self.seats, staked or self.staked
        places = list(enumerate(zip(seats, staked, strict=False), 1))
        state = TableState(
            self.id, self.guild, 70, "blackjack", "vegas", RULES.as_json(), opener=1, version=self.version + 1
        )
        chairs = [
            Chair(place, member.user, member.id, staked=None if playing else {"main": cents})
            for place, (member, cents) in places
        ]
        seated = [Seated(place, member.user) for place, (member, _) in places] if playing else []
        return replace(
            state,
            phase=TablePhase.PLAYING if playing else TablePhase.BETTING,
            round=self.number if playing else self.number - 1,
            chairs=tuple(chairs),
            seated=tuple(seated),
        ).to_json()

    async def commit(self, change: Change) -> Change:
        self.last = change
        await self.bank.tables.commit(change)
        self.version = change.table.version
        return change

    async def open(self, doc: str = "") -> Dealer:
        self.number = 1
        await self.commit(Change(f"press/{press()}", self.row(doc), seal=seal(self.id, 1)))
        return self

    def staking(self, member: Member, chips: int, *, cause: str = "") -> Change:
        cause = cause or f"press/{press()}"
        stake = Transfer(f"{cause}/stake", account(member), self.escrow, chips * CHIP, "stake")
        doc = self._doc(seats=[*self.seats, member], staked=[*self.staked, chips * CHIP])
        return Change(cause, self._row(doc), [stake])

    async def stake(self, member: Member, chips: int) -> None:
        await self.commit(self.staking(member, chips))
        self.seats.append(member)
        self.staked.append(chips * CHIP)

    def dealing(self, *transfers: Transfer, back: Sequence[float] = (), play: Sequence[str] = ()) -> Change:
        """Deal cards that bring `back` chips by seat, if the first seat plays these actions and all others stand."""
        stakes = [{"main": cents} for cents in self.staked]
        members = [member.id for member in self.seats]
        inputs = self._inputs([round(chips * CHIP) for chips in back], play)
        deal = Deal(self.number, "blackjack", "vegas", RULES.as_json(), stakes, members, inputs, NOW)
        return Change(f"press/{press()}", self._row(self._doc(TablePhase.PLAYING)), transfers, deal=deal)

    def take_up(self, dealing: Change) -> None:
        """The round of that deal is the one being played."""
        assert dealing.deal is not None
        if self.seats:
            self.live = replay(self._record(dealing.deal.inputs))

    async def deal(self, *back: float, play: Sequence[str] = ()) -> None:
        self.take_up(await self.commit(self.dealing(back=back, play=play)))

    def acting(self, action: str = "hit", *, seat: int = 0, by: By = By.MEMBER) -> Change:
        cause, live = f"press/{press()}", self.live
        place = len(live.steps) if live is not None else 0
        taken = [Taken(self.number, place, Step(seat, action, by), NOW)]
        more = live.cost(seat, action) if live is not None else 0
        stake = Transfer(f"{cause}/stake", account(self.seats[seat]), self.escrow, more, "stake") if more else None
        return Change(cause, self.row(), [stake] if stake else [], taken=taken)

    async def act(self, action: str = "hit", *, seat: int = 0, by: By = By.MEMBER) -> None:
        cost = self.live.cost(seat, action) if self.live is not None else 0
        await self.commit(self.acting(action, seat=seat, by=by))
        assert self.live is not None
        self.live.apply(seat, action, by)
        self.staked[seat] += cost

    def finishing(self) -> Change:
        """Let everybody who is still asked stand, and pay everybody."""
        assert self.live is not None
        live = self.live.fork()
        taken = [Taken(self.number, len(live.steps) - 1, step, NOW) for step in _stand(live)]
        lines = live.settlement().lines
        back = [live.settlement().returned(seat) for seat in range(len(self.seats))]
        key = f"{self.id}/{self.number}/pay"
        owed = sum(back) - sum(self.staked)
        house = (self.house, self.escrow) if owed > 0 else (self.escrow, self.house)
        moves = [Transfer(f"{key}/house", *house, abs(owed), "winnings" if owed > 0 else "losses")] if owed else []
        moves += [
            Transfer(f"{key}/{seat}", self.escrow, account(member), back[seat], "returned")
            for seat, member in enumerate(self.seats)
            if back[seat]
        ]
        finish = Finish(self.number, lines, outcome_hash(live), NOW)
        state = TableState.from_json(self._doc(TablePhase.BETTING))
        doc = replace(state, round=self.number, chairs=()).to_json()
        coming = seal(self.id, self.number + 1)
        return Change(f"press/{press()}", self._row(doc), moves, seal=coming, taken=taken, finish=finish)

    async def finish(self) -> None:
        change = await self.commit(self.finishing())
        assert change.finish is not None
        self.paid = [
            sum(line.returned for line in change.finish.lines if line.seat == seat) for seat in range(len(self.seats))
        ]
        self.number += 1
        self.seats, self.staked, self.live = [], [], None

    async def round(self, stakes: Mapping[Member, int], *back: float) -> None:
        """A whole round: everybody stakes, the cards are dealt, everybody stands and is paid."""
        for member, chips in stakes.items():
            await self.stake(member, chips)
        await self.deal(*back)
        await self.finish()

    async def close(self) -> None:
        await self.commit(Change(f"press/{press()}", replace(self.row(), open=False)))

    # -- private ---------------------------------------------------------------------------------------------------

    def _phrase(self, seat: int) -> str:
        return self.phrases[seat] if seat < len(self.phrases) else ""

    def _record(self, inputs: Sequence[str]) -> RecordOne:
        stakes = tuple({"main": cents} for cents in self.staked)
        seed = seal(self.id, self.number).seed
        return RecordOne(
            game="blackjack", rules_name="vegas", rules=RULES.as_json(), stakes=stakes, seed=seed, inputs=tuple(inputs)
        )

    def _inputs(self, back: Sequence[Cents], play: Sequence[str]) -> list[str]:
        for tried in itertools.count():
            inputs = [
                "70",
                *(part for seat in range(len(self.seats)) for part in (f"{tried}/{seat}", self._phrase(seat))),
            ]
            if not self.seats or _falls(replay(self._record(inputs)), back, play):
                return inputs
        raise AssertionError


def _stand(live: Round) -> Iterator[Step]:
    """The rest of a round in which nobody takes another card."""
    while not live.over:
        seat = live.asked[0]
        live.apply(seat, live.timeout(seat), By.CLOCK)
        yield live.steps[-1]


def _falls(live: Round, back: Sequence[Cents], play: Sequence[str]) -> bool:
    """Whether these cards allow that play, and bring that back; insurance is asked of those only who answer it, and a
    dealer natural leaves nobody without a step."""
    if (INSURE in live.legal(0) and INSURE not in play) or (live.over and live.view().dealer.natural):
        return False
    for action in play:
        if live.over or 0 not in live.asked or live.refusal(0, action) is not None:
            return False
        live.apply(0, action)
    if not back:
        return not live.over
    list(_stand(live))
    return all(live.settlement().returned(seat) == cents for seat, cents in enumerate(back))
