"""A server tournament: sign-up, then stages of tables and a final (R7.8-R7.10), or the same cards for all (R12.8).

A step that is not possible now raises IllegalStep. People and computer players are known by their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict, astuple, dataclass
from enum import StrEnum
from typing import Any, Final, Self

from engine.elimination.elimination import Placing
from engine.elimination.steps import Misstep, check_version, require
from engine.elimination.terms import ROUNDS, SEATS, Entrant, Terms
from engine.fairness.chain import by_lot
from engine.fairness.lots import Lots
from engine.games.contract import CHIP, BadRules, Cents
from engine.tournament.field import Score, ranked, shares
from engine.tournament.prizes import FEWEST_FOR_SHARES, PODIUM, prizes

#: The current version of tournaments, and of their tables (`engine.elimination.elimination`). In version 1 lots had a
#: seed of their own. From version 2 on they follow from the promise, and are drawn once sign-up has closed. Version 3
#: changed only the tables.
VERSION: Final = 3
FEWEST: Final = 2  # people


class TournamentPhase(StrEnum):
    """The phases of a tournament."""

    SIGN_UP = "sign-up"
    CLOSED = "sign-up closed"  # nobody joins or leaves any more; lots or deals are awaited
    PLAYING = "playing"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """The terms that everybody agrees on. Parts of a chip, a budget of 0, and negative amounts raise BadRules."""

    budget: Cents  # the play chips of each player at a table
    buy_in: Cents = 0
    level: str = "intermediate"  # the level of the computer players in empty seats
    #: The number of hands of the same cards for all (R12.8). 0: a tournament at tables of four instead.
    hands: int = 0

    def __post_init__(self) -> None:
        Terms(self.budget)
        if self.buy_in < 0 or self.buy_in % CHIP:
            raise BadRules("must be whole chips", "buy_in")


#: The four entrants at one table, by seat.
TableSeats = tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """The keys of entrants before and after lots put them in order. `lots` is an index of `Tournament.lots`."""

    what: str  # the purpose of the order
    names: tuple[str, ...]
    drawn: tuple[str, ...]
    lots: int


class Tournament:
    """A tournament. Its state follows from its steps, which `record` keeps and `replay` takes again.

    The steps are `join`, `leave`, `cancel` and `close`; then `draw_from`, `start` and `finished`, or with the same
    cards for all `deal` and `played`. A step that is not possible now raises IllegalStep. Each table is an
    `Elimination` of its own, and `finished` takes in its result. `seed` is the source of lots in version 1.
    """

    def __init__(self, terms: TournamentTerms, seed: bytes = b"", version: int = VERSION) -> None:
        self.terms = terms
        self.version = version
        self.seed = seed
        self.lots: tuple[Lots, ...] = ()  # the last is in use; inputs: the ids of the promise and the list of entrants
        self.orders: tuple[DrawnOrder, ...] = ()  # the orders drawn, from version 2 on
        self.sizes: tuple[int, ...] = ()  # the number of tables in each stage
        self.placed: tuple[str, ...] = ()  # all who played, best first, once it is over
        self.phase = TournamentPhase.SIGN_UP
        self.people: tuple[str, ...] = ()  # ordered by sign-up
        self.stage = 0
        self.tables: tuple[TableSeats, ...] = ()  # this stage's
        self.results: Mapping[int, tuple[Placing, ...]] = {}  # this stage's, by table
        self.best: Mapping[str, tuple[int, Placing]] = {}  # the last stage of each entrant, and the result there
        self.scores: tuple[Score, ...] = ()  # everybody's at the same cards, in order of sign-up
        self.steps: tuple[tuple[Any, ...], ...] = ()

    # -- steps ---------------------------------------------------------------------------------------------------

    def join(self, key: str) -> None:
        """Sign a person up."""
        require(self.phase is TournamentPhase.SIGN_UP, Misstep.NOT_NOW)
        require(key not in self.people, Misstep.TAKEN)
        self._note("join", key)
        self.people += (key,)

    def leave(self, key: str) -> None:
        """Sign a person off."""
        require(self.phase is TournamentPhase.SIGN_UP, Misstep.NOT_NOW)
        require(key in self.people, Misstep.NOT_SIGNED_UP)
        self._note("leave", key)
        self.people = tuple(person for person in self.people if person != key)

    def cancel(self) -> None:
        """Cancel the tournament (R7.10)."""
        require(self.phase not in (TournamentPhase.OVER, TournamentPhase.CANCELLED), Misstep.NOT_NOW)
        self._note("cancel")
        self.phase = TournamentPhase.CANCELLED

    def close(self) -> None:
        """Close the sign-up, for which at least two people are needed. Version 1 has no such step."""
        require(self.phase is TournamentPhase.SIGN_UP and self.version > 1, Misstep.NOT_NOW)
        require(len(self.people) >= FEWEST, Misstep.TOO_FEW)
        self._note("close")
        self.phase = TournamentPhase.CLOSED

    def draw_from(self, secret: bytes, promise: str, entrants: str) -> None:
        """Draw lots from now on by this secret and the ids of two messages: the promise, and the list of entrants."""
        require(self.phase in (TournamentPhase.CLOSED, TournamentPhase.PLAYING), Misstep.NOT_NOW)
        self._note("lots", secret.hex(), promise, entrants)
        self.lots += (Lots(secret, (promise, entrants)),)

    def start(self, *inputs: str) -> None:
        """Seat everybody for the first stage.

        In version 1, `inputs` are mixed into the lots, because the house could not choose them. From version 2 on there
        are none.
        """
        before = TournamentPhase.CLOSED if self.version > 1 else TournamentPhase.SIGN_UP
        require(self.phase is before and not self.terms.hands, Misstep.NOT_NOW)
        require(len(self.people) >= FEWEST, Misstep.TOO_FEW)
        require(self.version == 1 or (bool(self.lots) and not inputs), Misstep.NOT_NOW)
        self._note("start", *inputs)
        if self.version == 1:
            self.lots = (Lots(self.seed, inputs),)
        self.phase = TournamentPhase.PLAYING
        self._seat(map(Entrant, self.people))

    def finished(self, table: int, placings: Sequence[Placing]) -> None:
        """Take in the result of a table of this stage, best first.

        The last table ends the stage: seat the winners for the next stage or, if this was the final, rank everybody.
        """
        require(self.phase is TournamentPhase.PLAYING and table not in self.results, Misstep.NOT_NOW)
        require(0 <= table < len(self.tables), Misstep.WRONG_RESULT)
        require(_complete(self.tables[table], placings), Misstep.WRONG_RESULT)
        self._note("finished", table, *(list(astuple(placing)) for placing in placings))
        self.results = {**self.results, table: tuple(placings)}
        self.best = {**self.best, **{placing.key: (self.stage, placing) for placing in placings}}
        if len(self.results) == len(self.tables):
            self._close_stage()

    def deal(self) -> None:
        """Begin the play: from now on everybody may play the same deals."""
        require(self.phase is TournamentPhase.CLOSED and bool(self.terms.hands), Misstep.NOT_NOW)
        self._note("deal")
        self.phase = TournamentPhase.PLAYING

    def played(self, scores: Sequence[Score]) -> None:
        """Take in the scores of everybody who has begun the deals, rank these people, and end the tournament."""
        require(self.phase is TournamentPhase.PLAYING and bool(self.terms.hands), Misstep.NOT_NOW)
        found = {score.key: score for score in scores}
        require(len(found) == len(scores) and found.keys() <= set(self.people), Misstep.WRONG_RESULT)
        self.scores = tuple(found[key] for key in self.people if key in found)
        self._note("played", *(list(score) for score in self.scores))
        self.placed = tuple(score.key for group in self.groups() for score in group)
        self.phase = TournamentPhase.OVER

    def fork(self) -> Self:
        """Return a copy that can be played on without changing this one."""
        return copy(self)

    # -- queries -------------------------------------------------------------------------------------------------

    @property
    def final(self) -> bool:
        """Whether this stage is the last one, with a single table."""
        return len(self.tables) == 1

    @property
    def running(self) -> tuple[int, ...]:
        """The numbers (from 0) of this stage's tables that are not over. Empty unless the tournament is in play."""
        if self.phase is not TournamentPhase.PLAYING:
            return ()
        return tuple(number for number in range(len(self.tables)) if number not in self.results)

    @property
    def pool(self) -> Cents:
        """The buy-ins of all who have signed up."""
        return self.terms.buy_in * len(self.people)

    @property
    def comes_back(self) -> bool:
        """Whether every buy-in comes back.

        It does after a cancellation. With the same cards for all it also does if fewer than four people take part or
        none has a score.
        """
        if self.phase is TournamentPhase.CANCELLED:
            return True
        return bool(self.terms.hands) and (len(self.people) < FEWEST_FOR_SHARES or not self.scores)

    def winner(self) -> str:
        """Return the key of the winner, who may be a computer player; prizes still go to people."""
        return self.ranking()[0]

    def groups(self) -> tuple[tuple[Score, ...], ...]:
        """Return the scores of those who played the same cards, best first; equals stand in one group (R12.5)."""
        return ranked(self.scores)

    def winners(self) -> tuple[str, ...]:
        """Return the people who win a title: the winner, unless that is a computer player.

        At the same cards for all, equals share the first place. Before the end there are none.
        """
        best = [score.key for score in self.groups()[0]] if self.scores else self.placed[:1]
        return tuple(key for key in best if key in self.people)

    def ranking(self) -> tuple[str, ...]:
        """Return the keys of all who played, best first (R7.9, or R12.5 at the same cards for all).

        At tables they are ordered by the last stage that they reached, then by the round in which they went out, by
        their chips before that round, by their chips at the start of that round's heat, and by lots. Raise IllegalStep
        before the end.
        """
        require(self.phase is TournamentPhase.OVER, Misstep.NOT_NOW)
        return self.placed

    def ranked_people(self) -> tuple[str, ...]:
        """Return the ranking without computer players. Raise IllegalStep before the end."""
        people = set(self.people)
        return tuple(key for key in self.ranking() if key in people)

    def payouts(self) -> dict[str, Cents]:
        """Return what each person (by their key) gets from the pool: a prize, or the buy-in back (R7.9, R7.10, R12.8).

        Raise IllegalStep before the tournament is over or cancelled.
        """
        require(self.phase in (TournamentPhase.OVER, TournamentPhase.CANCELLED), Misstep.NOT_NOW)
        if self.comes_back:
            return dict.fromkeys(self.people, self.terms.buy_in)
        if self.terms.hands:
            return shares(self.pool, self.groups())
        return prizes(self.pool, self.ranked_people())

    def podium(self) -> tuple[tuple[str, int], ...]:
        """Return the best three people with their points for the season; nobody if too few take part.

        Computer players ahead of them do not count. With the same cards for all, equals share a place and each get its
        points, so there may be more than three. At tables, raise IllegalStep before the end.
        """
        if len(self.people) < FEWEST_FOR_SHARES:
            return ()
        if self.terms.hands:
            return tuple((key, PODIUM[place - 1]) for key, place in self.places().items() if place <= len(PODIUM))
        return tuple(zip(self.ranked_people(), PODIUM, strict=False))

    def places(self) -> dict[str, int]:
        """Return the place, from 1, of everybody who has played the same cards. Equals share one."""
        found = dict[str, int]()
        for group in self.groups():
            place = len(found) + 1
            found |= {score.key: place for score in group}
        return found

    # -- the record ----------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """Return plain JSON from which `replay` makes the tournament again."""
        return {
            "version": self.version,
            "terms": {name: value for name, value in asdict(self.terms).items() if name != "hands" or value},
            "seed": self.seed.hex(),
            "steps": [list(step) for step in self.steps],
        }

    @classmethod
    def replay(cls, record: Mapping[str, Any], steps: int | None = None) -> Self:
        """Return the tournament of a record, after all its steps or the first `steps`."""
        check_version(record, VERSION)
        tournament = cls(TournamentTerms(**record["terms"]), bytes.fromhex(record["seed"]), record["version"])
        for word, *details in record["steps"][:steps]:
            _STEPS[word](tournament, *details)
        return tournament

    # -- stages --------------------------------------------------------------------------------------------------

    def _close_stage(self) -> None:
        if self.final:
            self.placed = self._ranked()
            self.phase = TournamentPhase.OVER
            return
        winners = {placings[0].key for placings in self.results.values()}
        self._seat([who for table in self.tables for who in table if who.key in winners])

    def _seat(self, entrants: Iterable[Entrant]) -> None:
        """Begin a stage: seat everybody, in an order drawn by lots, at as few tables as possible.

        People are seated first, so that they are spread evenly. New computer players take the seats that are left.
        """
        self.stage += 1
        people, computers = _parted(entrants)
        everyone = self._drawn(people, f"people of stage {self.stage}", "seat", self.stage)
        everyone += self._drawn(computers, f"computer players of stage {self.stage}", "seat", self.stage)
        known = {who.key: who for who in (*people.values(), *computers.values())}
        tables = -(-len(everyone) // SEATS)
        seated = [[known[key] for key in everyone[number::tables]] for number in range(tables)]
        self.sizes += (tables,)
        self.tables = tuple(self._filled(number, table) for number, table in enumerate(seated))
        self.results = {}

    def _filled(self, number: int, seated: Sequence[Entrant]) -> TableSeats:
        empty = range(len(seated), SEATS)
        computers = [Entrant(f"{_COMPUTER}{self.stage}.{number + 1}.{seat + 1}", self.terms.level) for seat in empty]
        return (*seated, *computers)

    def _ranked(self) -> tuple[str, ...]:
        groups: dict[tuple[int, ...], list[str]] = {}
        for key, (stage, placing) in self.best.items():
            groups.setdefault(_merit(stage, placing), []).append(key)
        ranked = list[str]()
        for merit in sorted(groups, reverse=True):
            ranked += self._drawn(groups[merit], f"place {'/'.join(map(str, merit))}", "place")
        return tuple(ranked)

    def _drawn(self, keys: Iterable[str], what: str, *old: object) -> list[str]:
        """Return these entrants (by their keys) in an order that lots decide, and note it in `orders`.

        The lots are drawn for the purpose `what`. Version 1 uses `old` instead, and notes nothing. A single entrant is
        returned without lots.
        """
        names, lots = list(keys), self.lots[-1]
        if len(names) < 2:
            return names
        if self.version == 1:
            return sorted(names, key=lambda key: lots.strength(*old, key), reverse=True)
        names.sort(key=self._entered())
        promise, entrants = lots.inputs
        drawn = by_lot(lots.seed, promise, entrants, what, names)
        self.orders += (DrawnOrder(what, tuple(names), tuple(drawn), len(self.lots) - 1),)
        return drawn

    def _entered(self) -> Callable[[str], tuple[int, ...]]:
        """Return a sort key: people in the order of sign-up, then computer players by stage, table and seat."""
        people = {key: index for index, key in enumerate(self.people)}

        def entered(key: str) -> tuple[int, ...]:
            return (people[key],) if key in people else (len(people), *map(int, key.removeprefix(_COMPUTER).split(".")))

        return entered

    def _note(self, *step: object) -> None:
        self.steps += (step,)


#: The beginning of a computer player's key, before stage, table and seat.
_COMPUTER: Final = "computer "


def paper_names(people: Sequence[str], keys: Iterable[str]) -> tuple[str, ...]:
    """Return the names of entrants in a file: a person's number in `people`, from 1.

    A computer player's name is the stage, table and seat where it came in, as in `1.2.3`.
    """
    numbers = {key: str(index + 1) for index, key in enumerate(people)}
    return tuple(numbers.get(key) or key.removeprefix(_COMPUTER) for key in keys)


def _parted(entrants: Iterable[Entrant]) -> tuple[dict[str, Entrant], dict[str, Entrant]]:
    people: dict[str, Entrant] = {}
    computers: dict[str, Entrant] = {}
    for who in entrants:
        (people if who.person else computers)[who.key] = who
    return people, computers


def _complete(table: TableSeats, placings: Sequence[Placing]) -> bool:
    """Return whether each player at the table has one placing, and all but the first one, the winner, have gone out."""
    same = sorted(placing.key for placing in placings) == sorted(who.key for who in table)
    return same and [place for place, placing in enumerate(placings) if placing.round is None] == [0]


def _merit(stage: int, placing: Placing) -> tuple[int, ...]:
    fell = ROUNDS + 1 if placing.round is None else placing.round
    return stage, fell, placing.chips, placing.heat_start


def _finished(tournament: Tournament, table: int, *placings: Sequence[Any]) -> None:
    tournament.finished(table, [Placing(*placing) for placing in placings])


def _lots(tournament: Tournament, secret: str, promise: str, entrants: str) -> None:
    tournament.draw_from(bytes.fromhex(secret), promise, entrants)


def _played(tournament: Tournament, *scores: Sequence[Any]) -> None:
    tournament.played([Score(*score) for score in scores])


_STEPS: Final[Mapping[str, Callable[..., None]]] = {
    "join": Tournament.join,
    "leave": Tournament.leave,
    "cancel": Tournament.cancel,
    "close": Tournament.close,
    "lots": _lots,
    "start": Tournament.start,
    "finished": _finished,
    "deal": Tournament.deal,
    "played": _played,
}
