"""An elimination table: four players, three heats of three rounds, one winner (R7.1-R7.7)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

from engine.elimination.ranking import Ranking, Why
from engine.elimination.steps import IllegalStep, Misstep, check_version, require
from engine.elimination.terms import HEAT, MOST_LEFT, SEATS, Entrant, Terms
from engine.fairness.lots import Draw, Lots
from engine.games.contract import CHIP, By, Cents, Seat

#: The version of the rules for new tables; a table keeps the version under which it began. In version 1 each seat drew
#: lots from a deck of its own, and each round began one seat further on, even if that player was out. Before version 3
#: seats ranked the players who left a round that was called off.
VERSION: Final = 3


class EliminationPhase(StrEnum):
    """The phases of a table, by what it waits for."""

    STAKING = "staking"
    DEALING = "dealing"  # all have staked; the round's results come next
    OVER = "over"


class End(StrEnum):
    """The ways in which a table ends."""

    LAST_STANDING = "last one standing"
    ALL_FELL = "all fell"
    NO_PERSON_LEFT = "no person left"


@dataclass(frozen=True, slots=True)
class Fall:
    """A player who is out: after which round, why, and with how many chips."""

    seat: Seat
    round: int  # the last one that the player took part in; 0 if none
    why: Why
    #: The chips before that round, which rank those who fall together (R7.5). For a player who left between rounds, or
    #: during one that was called off: the chips at that moment.
    before: Cents
    heat_start: Cents  # chips at the start of the heat
    chips: Cents  # chips that were left


@dataclass(frozen=True, slots=True)
class Placing:
    """The result of a player at one table, by which tournaments rank the players of several tables."""

    key: str  # the player's, as in `Entrant`
    round: int | None  # the one after which the player was out; None for the winner, and others who were still in
    chips: Cents  # `Fall.before` of a player who fell, the stack at the end of any other
    heat_start: Cents  # chips at the start of the player's last heat


class Elimination:
    """The state of one elimination table.

    Change it only by `stake`, `played`, `leave`, `take`, `step_out`, `come_back`, `call_off` and `draw_from`. These
    steps are its record, and `replay` takes them again.
    """

    def __init__(self, terms: Terms, entrants: Sequence[Entrant], lots: Lots, version: int = VERSION) -> None:
        if len(entrants) != SEATS or len({who.key for who in entrants}) != SEATS:
            raise ValueError(f"an elimination table has {SEATS} contestants with names of their own")
        self.terms = terms
        self.opened_by = tuple(entrants)  # the players at the opening
        self.entrants = tuple(entrants)  # the players now: `take` replaces computer players
        self.opened_with = lots  # the lots at the opening
        self.lots = lots  # the lots now: `draw_from` replaces them
        self.version = version
        self.round = 1
        self.first: Seat = 0  # the seat that begins the round, or the next one still in
        self.stacks: tuple[Cents, ...] = (terms.budget,) * SEATS
        self.heat_start: tuple[Cents, ...] = self.stacks
        self.staked: Mapping[Seat, Cents] = {}
        self.falls: tuple[Fall, ...] = ()  # the earliest fall first
        self.draws: tuple[Draw, ...] = ()
        self.drawn_before = 0  # the number of these draws that were made from earlier lots than `lots`
        self.called_off = 0  # rounds that were dealt and do not count
        self.away: frozenset[Seat] = frozenset()
        self.leaving: frozenset[Seat] = frozenset()
        self.end: End | None = None
        self.placed: tuple[Seat, ...] = ()  # those who have not fallen, best first, once the table is over
        self.steps: tuple[tuple[Any, ...], ...] = ()

    # -- what is asked -------------------------------------------------------------------------------------------

    @property
    def in_play(self) -> tuple[Seat, ...]:
        gone = {fall.seat for fall in self.falls}
        return tuple(seat for seat in range(SEATS) if seat not in gone)

    @property
    def heat(self) -> int:
        return (self.round - 1) // HEAT + 1

    @property
    def phase(self) -> EliminationPhase:
        if self.end:
            return EliminationPhase.OVER
        return EliminationPhase.DEALING if len(self.staked) == len(self.in_play) else EliminationPhase.STAKING

    @property
    def order(self) -> tuple[Seat, ...]:
        """The seats in play in the order of dealing, staking and acting, clockwise from the one that begins (R7.6)."""
        return tuple(sorted(self.in_play, key=lambda seat: (seat - self.first) % SEATS))

    @property
    def asked(self) -> Seat | None:
        """The seat that must stake next, or None if no stake is awaited."""
        if self.phase is not EliminationPhase.STAKING:
            return None
        return next(seat for seat in self.order if seat not in self.staked)

    @property
    def winner(self) -> Seat | None:
        return self.placed[0] if self.end else None

    def all_in(self, seat: Seat) -> Cents:
        """Return the most that the seat may stake: all its whole chips, in cents."""
        return self.stacks[seat] // CHIP * CHIP

    def smallest(self, seat: Seat) -> Cents:
        """Return the least that the seat may stake, which a time-out stakes for it (R0.5).

        It is the smallest stake of the table, or all whole chips of a seat that has less (R7.3).
        """
        return min(self.terms.smallest, self.all_in(seat))

    def refusal(self, seat: Seat, cents: Cents) -> Misstep | None:
        """Return why the seat may not stake this amount now, or None if it may."""
        if self.phase is not EliminationPhase.STAKING:
            return Misstep.NOT_NOW
        if seat != self.asked:
            return Misstep.NOT_ASKED
        if type(cents) is not int or cents % CHIP:
            return Misstep.NOT_WHOLE
        if cents < self.smallest(seat):
            return Misstep.TOO_SMALL
        return Misstep.TOO_LARGE if cents > self.all_in(seat) else None

    def poorest_first(self, seats: Collection[Seat]) -> list[Seat]:
        """Return the seats, the poorest first: by chips, then by chips at the heat's start.

        No lots are drawn: of seats that are equal in both, the one with the higher number comes first.
        """
        return sorted(seats, key=lambda seat: (self.stacks[seat], self.heat_start[seat], -seat))

    # -- steps ---------------------------------------------------------------------------------------------------

    def stake(self, seat: Seat, cents: Cents, by: By = By.MEMBER) -> None:
        """Place the stake of the seat that is asked, or raise IllegalStep.

        A stake by the clock marks the player as absent, one by a member as present again.
        """
        refusal = self.refusal(seat, cents)
        if refusal:
            raise IllegalStep(refusal)
        self.staked = {**self.staked, seat: cents}
        if by is By.CLOCK:
            self.away |= {seat}
        elif by is By.MEMBER:
            self.away -= {seat}
        self._note("stake", seat, cents, by.value)

    def played(self, nets: Sequence[Cents]) -> None:
        """Take in the results of a round (what each of the four seats won or lost), or raise IllegalStep.

        Then players who are out are removed, and the table ends or its next round begins.
        """
        require(self.phase is EliminationPhase.DEALING, Misstep.NOT_NOW)
        require(len(nets) == SEATS, Misstep.WRONG_RESULT)
        stacks = tuple(stack + net for stack, net in zip(self.stacks, nets, strict=True))
        idle = [nets[fall.seat] for fall in self.falls]
        require(min(stacks) >= 0 and not any(idle), Misstep.WRONG_RESULT)
        self._note("played", *nets)
        began, before, self.stacks = self.order[0], self.stacks, stacks
        self._remove(before)
        self.staked, self.leaving = {}, frozenset()
        self._decide()
        if not self.end:
            self._next_round(began)

    def leave(self, seat: Seat) -> None:
        """Let a person leave, or raise IllegalStep.

        Before the round's first stake they are out at once, which may end the table. Later they are marked as absent,
        and are out when the round is over.
        """
        require(not self.end, Misstep.NOT_NOW)
        staying = seat in self.in_play and seat not in self.leaving
        require(staying and self.entrants[seat].person, Misstep.NOT_IN_PLAY)
        self._note("leave", seat)
        if self.staked:
            self.leaving |= {seat}
            self.away |= {seat}
        else:
            self._fell(seat, Why.LEFT, self.round - 1, self.stacks[seat])
            self._decide()

    def take(self, seat: Seat, key: str) -> None:
        """Give a computer player's seat to the person with this key, or raise IllegalStep.

        This is possible until the first card of a round that counts (R7.1).
        """
        require(self.round == 1 and self.phase is EliminationPhase.STAKING, Misstep.NOT_NOW)
        require(seat in self.in_play and not self.entrants[seat].person, Misstep.TAKEN)
        require(key not in {who.key for who in self.entrants}, Misstep.TAKEN)
        self._note("take", seat, key)
        self.entrants = (*self.entrants[:seat], Entrant(key), *self.entrants[seat + 1 :])

    def step_out(self, seat: Seat) -> None:
        """Mark a person as absent, so that nobody waits for them any more (R7.8), or raise IllegalStep."""
        require(seat in self.in_play, Misstep.NOT_IN_PLAY)
        self._note("step_out", seat)
        self.away |= {seat}

    def come_back(self, seat: Seat) -> None:
        """Mark a person as present again, or raise IllegalStep."""
        require(seat in self.in_play, Misstep.NOT_IN_PLAY)
        self._note("come_back", seat)
        self.away -= {seat}

    def call_off(self) -> None:
        """Take back the stakes of a round that cannot be played to its end after the bank was restored.

        Everybody then stakes again. Players who left during this round are out, the poorest first, which may end the
        table. Raises IllegalStep if not everybody has staked.
        """
        require(self.phase is EliminationPhase.DEALING, Misstep.NOT_NOW)
        self._note("call_off")
        left, self.staked, self.leaving = self.leaving, {}, frozenset()
        self.called_off += 1
        for seat in self.poorest_first(left) if self.version > 2 else sorted(left):
            self._fell(seat, Why.LEFT, self.round - 1, self.stacks[seat])
        self._decide()

    def draw_from(self, lots: Lots) -> None:
        """Draw cards from these lots from now on."""
        self._note("lots", lots.seed.hex(), *lots.inputs)
        self.lots, self.drawn_before = lots, len(self.draws)

    def fork(self) -> Self:
        """Return a copy that can be played on. Its parts are replaced, never mutated, so both can share them."""
        return copy(self)

    # -- the record ------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """Return the terms, the players, the lots and all steps as values for JSON, which `replay` reads."""
        return {
            "version": self.version,
            "budget": self.terms.budget,
            "lone": self.terms.lone,
            "contestants": [[who.key, who.level] for who in self.opened_by],
            "seed": self.opened_with.seed.hex(),
            "inputs": list(self.opened_with.inputs),
            "steps": [list(step) for step in self.steps],
        }

    @classmethod
    def replay(cls, record: Mapping[str, Any], steps: int | None = None) -> Self:
        """Return the table of a record after all its steps, or after the first `steps`.

        Raises ValueError if a later release wrote the record, and IllegalStep if a step is not possible.
        """
        check_version(record, VERSION)
        terms = Terms(record["budget"], lone=record["lone"])
        lots = Lots(bytes.fromhex(record["seed"]), tuple(record["inputs"]))
        table = cls(terms, [Entrant(*who) for who in record["contestants"]], lots, record["version"])
        for word, *details in record["steps"][:steps]:
            _STEPS[word](table, *details)
        return table

    def placings(self) -> tuple[Placing, ...]:
        """Return the results of all four players, best first, or raise IllegalStep if the table is not over."""
        require(self.end is not None, Misstep.NOT_NOW)
        still = [Placing(self._key(seat), None, self.stacks[seat], self.heat_start[seat]) for seat in self.placed]
        fell = [Placing(self._key(f.seat), f.round, f.before, f.heat_start) for f in reversed(self.falls)]
        return (*still, *fell)

    # -- who goes ----------------------------------------------------------------------------------------------------

    def _remove(self, before: Sequence[Cents]) -> None:
        """Remove those who go after this round, the lowest place first (R7.5).

        Leavers rank below the others. Within each group, the chips before the round decide.
        """
        ranking = self._ranking()
        gone = ranking.who_goes(self.in_play, self.stacks, self.leaving)
        left = [seat for seat, why in gone.items() if why is Why.LEFT]
        rest = [seat for seat in gone if seat not in left]
        for seat in (*ranking.worst_first(left, before), *ranking.worst_first(rest, before)):
            self._fell(seat, gone[seat], self.round, before[seat])
        self._keep(ranking)

    def _fell(self, seat: Seat, why: Why, completed: int, before: Cents) -> None:
        self.falls += (Fall(seat, completed, why, before, self.heat_start[seat], self.stacks[seat]),)

    def _decide(self) -> None:
        """End the table if at most one player is left, or, outside tournaments, if only computer players are left.

        If nobody is left, the player in the last entry of `falls` wins, and that entry is removed (R7.2, R7.5, R7.7).
        """
        if not self.in_play:
            self.falls, first = self.falls[:-1], self.falls[-1]
            self.end, self.placed = End.ALL_FELL, (first.seat,)
        elif len(self.in_play) == 1:
            self.end, self.placed = End.LAST_STANDING, self.in_play
        elif self.terms.lone and not any(self.entrants[seat].person for seat in self.in_play):
            ranking = self._ranking()
            self.end, self.placed = End.NO_PERSON_LEFT, tuple(ranking.leader_first(self.in_play, self.stacks))
            self._keep(ranking)

    def _next_round(self, began: Seat) -> None:
        if self.round in MOST_LEFT:
            self.heat_start = self.stacks
        self.first = (began + 1 if self.version > 1 else self.round) % SEATS
        self.round += 1

    def _ranking(self) -> Ranking:
        return Ranking(self.round, self.heat_start, self.lots, list(self.draws), self.version)

    def _keep(self, ranking: Ranking) -> None:
        self.draws = tuple(ranking.draws)

    # -- helpers -----------------------------------------------------------------------------------------------------

    def _key(self, seat: Seat) -> str:
        return self.entrants[seat].key

    def _note(self, *step: object) -> None:
        self.steps += (step,)


def _stake(table: Elimination, seat: Seat, cents: Cents, by: str) -> None:
    table.stake(seat, cents, By(by))


def _played(table: Elimination, *nets: Cents) -> None:
    table.played(nets)


def _lots(table: Elimination, seed: str, *inputs: str) -> None:
    table.draw_from(Lots(bytes.fromhex(seed), inputs))


_STEPS: Final[Mapping[str, Callable[..., None]]] = {
    "stake": _stake,
    "played": _played,
    "leave": Elimination.leave,
    "take": Elimination.take,
    "step_out": Elimination.step_out,
    "come_back": Elimination.come_back,
    "lots": _lots,
    "call_off": Elimination.call_off,
}
