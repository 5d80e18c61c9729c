"""The public state of a table, as one frozen value from which `cogs` makes the table's message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar

from engine.elimination import standings
from engine.elimination.stakes import suggestions
from engine.elimination.standings import EliminationView
from engine.games.contract import AnyGame, Cents, Round, Rules, Seat, Settlement, Stakes
from engine.tables.house import HouseSettings
from engine.tables.position import TablePosition
from engine.tables.sealing import Sealing
from engine.tables.state import CloseReason, Invitation, Seated, TablePhase

__all__ = ["CloseReason", "GameSnapshot", "SealsShown", "Sitter", "Snapshot", "TablePhase", "snapshot_of"]


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody at the table, person or computer player. `place` is the number people see, from 1."""

    place: int
    user: int | None  # Discord id of a person; None: a computer player
    member: int | None  # a person's id in the bank; None too for a person who has left the chair
    computer: str | None = None  # a computer player's name
    level: str | None = None  # a computer player's level
    balance: Cents = 0
    #: Whether the balance is a stack on this table, and not the wallet.
    stacked: bool = False
    last_stakes: Stakes | None = None
    #: The stakes for the round to come; None once it is dealt.
    staked: Stakes | None = None
    #: The seat in the round on display; None: sits out, or joined after the deal.
    seat: Seat | None = None
    leaving: bool = False


R = TypeVar("R")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class SealsShown:
    """The public facts about the seeds of the round on display and of the next one."""

    #: The marks of both rounds, as people call them; the next round has none while its promise is awaited.
    code: str = ""
    next_code: str = ""
    #: Schemes 2 and 3: the address of the promise of the next round, and the hash of the finished round's record.
    promise: str = ""
    hash: str = ""
    #: Scheme 1: SHA-256 of both rounds' seeds.
    commitment: str = ""
    next_commitment: str = ""
    #: The seed of the round on display, once that is over.
    revealed_seed: str = ""


@dataclass(frozen=True, slots=True)  # made without [R, V]: Python 3.11 cannot set `__orig_class__` with slots
class GameSnapshot(Generic[R, V]):
    """A table as everybody may see it. `R` and `V` are the rules and the view of the game that is played there."""

    table: int
    guild: int
    channel: int
    message: int | None
    version: int
    game: str
    rules_name: str
    rules: R
    solo: bool
    opener: int  # Discord id
    phase: TablePhase
    #: The number of the round on display; 0 before the first deal.
    round: int
    sitters: tuple[Sitter, ...]
    #: The opener's language, as Discord writes it.
    language: str = ""
    #: The opener, if they are the only person to be seen at the table.
    owner: int | None = None
    #: The dealt round's public view; None before the first deal and after a round was called off.
    view: V | None = None
    #: The actions that each seat of the round may take and pay for; none for computer players. Empty between rounds.
    legal: tuple[tuple[str, ...], ...] = ()
    #: The cost of each action now, if it costs something and the same for everybody who may take it.
    costs: Mapping[str, Cents] = field(default_factory=dict)
    turn: int = 0
    #: Whether the people who are asked may ask for the odds of their hands.
    odds: bool = False
    #: When the open question, the betting window or the idle table ends (seconds since 1970).
    deadline: float | None = None
    #: The results of the round on display; None until it is over.
    settlement: Settlement | None = None
    seals: SealsShown = SealsShown()
    #: The limits of a stake: the server's, or at an elimination table those of the seat that is asked.
    smallest: Cents = 100
    largest: Cents = 1_000_000
    close_reason: CloseReason | None = None
    #: Whether the last round was called off after a restore.
    called_off: bool = False
    #: The table's last results, oldest first, where the game keeps a road of them.
    road: tuple[str, ...] = ()
    #: Elimination tables only: the view, and the stakes of its buttons for the seat that is asked (`smallest`, `half`,
    #: `double`, `all in`).
    elimination: EliminationView | None = None
    offers: Mapping[str, Cents] = field(default_factory=dict)
    #: All who take part in the elimination, by its seats, the fallen too.
    players: tuple[Seated, ...] = ()
    #: The people who may sit down, if that is not everybody.
    invitation: Invitation | None = None
    #: The number of the round that stakes are for.
    to_come: int = field(init=False)
    #: The players of the round on display, by seat.
    in_round: tuple[Sitter, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "to_come", self.round + 1)
        dealt = [sitter for sitter in self.sitters if sitter.seat is not None]
        object.__setattr__(self, "in_round", tuple(sorted(dealt, key=attrgetter("seat"))))

    @property
    def dealt(self) -> V:
        """The dealt round's public view, for callers that know that there is one (`view` may be None)."""
        assert self.view is not None
        return self.view

    @property
    def standings(self) -> EliminationView:
        """The standings of an elimination table, for callers that know that it is one (`elimination` may be None)."""
        assert self.elimination is not None
        return self.elimination

    @property
    def asked(self) -> list[int]:
        """The Discord ids of the people whose turn it is: to play a hand, or at an elimination table to stake."""
        if self.phase is TablePhase.PLAYING:
            sitters = [self.sitter_at(seat) for seat, legal in enumerate(self.legal) if legal]
            return [sitter.user for sitter in sitters if sitter is not None and sitter.user is not None]
        if self.elimination is not None and self.elimination.asked is not None:
            user = self.players[self.elimination.asked].user
            return [user] if user is not None else []
        return []

    def sitter_of(self, user: int) -> Sitter | None:
        """Return the sitter with this Discord id, or None.

        If the person has a chair and their last hand lies at another place, return the sitter in the chair.
        """
        found = [sitter for sitter in self.sitters if sitter.user == user]
        return max(found, key=lambda sitter: sitter.member is not None, default=None)

    def sitter_at(self, seat: Seat) -> Sitter | None:
        """Return the sitter who plays this seat of the round on display, or None."""
        return next((sitter for sitter in self.in_round if sitter.seat == seat), None)


#: A snapshot of a table of any game.
Snapshot: TypeAlias = GameSnapshot[Any, Any]


# -- from a table's position to what people see of it -----------------------------------------------------------------


def snapshot_of(position: TablePosition, game: AnyGame, rules: Rules, house: HouseSettings) -> Snapshot:
    """Return what everybody may see of the table: no hole card, no undealt shoe."""
    state, round = position.state, position.round
    over = round is not None and not round.asked
    sitters = _sitters(position)
    playing = round if state.phase is TablePhase.PLAYING else None
    legal, costs = offered(playing, sitters) if playing is not None else ((), {})
    users = {sitter.user for sitter in sitters} | {seat.user for seat in state.players}
    smallest, largest, offers = house.smallest_stake, house.largest_stake, dict[str, Cents]()
    elimination = position.elimination
    if elimination is not None and elimination.asked is not None:
        smallest, largest = elimination.smallest(elimination.asked), elimination.all_in(elimination.asked)
        if state.phase is TablePhase.BETTING:
            offers = suggestions(elimination, elimination.asked)
    return GameSnapshot(
        table=state.id,
        guild=state.guild,
        channel=state.channel,
        message=state.message,
        version=state.version,
        game=state.game,
        rules_name=state.rules_name,
        rules=rules,
        solo=state.solo,
        opener=state.opener,
        language=state.language,
        owner=state.opener if users - {None} == {state.opener} else None,
        phase=state.phase,
        round=state.round,
        sitters=sitters,
        view=round.view() if round is not None else None,
        legal=legal,
        costs=costs,
        turn=round.turn if round is not None else 0,
        odds=game.has_odds and house.odds and state.odds,
        deadline=state.deadline,
        settlement=round.settlement() if round is not None and over else None,
        seals=_seals(position.sealing, over=over),
        smallest=smallest,
        largest=largest,
        close_reason=state.close_reason,
        called_off=state.called_off,
        road=state.road,
        elimination=standings.view(elimination) if elimination is not None else None,
        offers=offers,
        players=state.players,
        invitation=state.invitation,
    )


def _seals(sealing: Sealing, *, over: bool) -> SealsShown:
    shown, coming, chain, record = sealing.shown, sealing.next, sealing.chain, sealing.record
    return SealsShown(
        code=shown.code if shown else "",
        next_code=coming.code if coming else "",
        promise=chain.address if chain else "",
        hash=record.hash if record and over else "",
        commitment=shown.commitment if shown and not shown.link else "",
        next_commitment=coming.commitment if coming and not coming.link else "",
        revealed_seed=shown.seed.hex() if shown and over else "",
    )


def offered(round: Round, sitters: Sequence[Sitter]) -> tuple[tuple[tuple[str, ...], ...], Mapping[str, Cents]]:
    """Return the actions that each seat may take now, none for computer players, and the costs of actions.

    An action that costs nothing is not among the costs, nor one that costs different amounts at different seats.
    """
    legal: list[tuple[str, ...]] = [()] * sum(sitter.seat is not None for sitter in sitters)
    costs: dict[str, set[Cents]] = {}
    for sitter in sitters:
        if sitter.seat is not None and sitter.user is not None:
            legal[sitter.seat] = round.legal(sitter.seat, sitter.balance)
            for word in legal[sitter.seat]:
                costs.setdefault(word, set()).add(round.cost(sitter.seat, word))
    same = {word: cost for word, all_costs in costs.items() if len(all_costs) == 1 for cost in all_costs if cost}
    return tuple(legal), same


def _sitters(position: TablePosition) -> tuple[Sitter, ...]:
    """Return, by place, the players in their chairs, and those who have left theirs but whose hands are on display."""
    state, sitters = position.state, list[Sitter]()
    seats = {seated: seat for seat, seated in enumerate(state.seated)}
    for chair in state.chairs:
        has = chair.stack or 0
        if chair.user is not None:
            has = state.purse(chair, position.balances or {})
        sitters.append(
            Sitter(
                place=chair.place,
                user=chair.user,
                member=chair.member,
                computer=chair.computer,
                level=chair.level,
                balance=has,
                stacked=chair.stack is not None,
                last_stakes=chair.last,
                staked=chair.staked,
                seat=seats.pop(Seated(chair.place, chair.user, chair.computer), None),
                leaving=chair.leaving,
            )
        )
    for seated, seat in seats.items():
        sitters.append(Sitter(seated.place, seated.user, None, seated.computer, seat=seat, leaving=True))
    return tuple(sorted(sitters, key=lambda sitter: (sitter.place, sitter.leaving)))
