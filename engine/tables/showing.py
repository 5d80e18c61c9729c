"""From a table's position to what people see of it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.elimination import standings
from engine.elimination.stakes import suggestions
from engine.games.contract import AnyGame, Cents, Rules, Seat
from engine.tables.draft import Position
from engine.tables.house import HouseSettings
from engine.tables.snapshot import Sitter, Snapshot, TablePhase
from engine.tables.state import Chair
from engine.tables.till import Till


def snapshot(at: Position, game: AnyGame, rules: Rules, house: HouseSettings) -> Snapshot:
    state, round = at.state, at.round
    till = Till(state, dict(at.balances or {}))
    over = round is not None and round.over
    return Snapshot(
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
        phase=state.phase,
        round=state.round,
        sitters=_sitters(at, till),
        view=round.view() if round is not None else None,
        legal=_legal(at, till),
        turn=round.turn if round is not None else 0,
        deadline=state.deadline,
        settlement=round.settlement() if round is not None and over else None,
        commitment=at.seal.commitment if at.seal else "",
        next_commitment=at.next_seal.commitment if at.next_seal else "",
        revealed_seed=at.seal.seed.hex() if at.seal and over else "",
        smallest=_limits(at, house)[0],
        largest=_limits(at, house)[1],
        close_reason=state.close_reason,
        road=state.road,
        elimination=standings.view(at.elimination) if at.elimination is not None else None,
        offers=_offers(at),
        players=state.players,
    )


def _limits(at: Position, house: HouseSettings) -> tuple[Cents, Cents]:
    """Of a first stake; at an elimination table those of the seat that is asked."""
    elimination = at.elimination
    if elimination is None or elimination.asked is None:
        return house.smallest_stake, house.largest_stake
    return elimination.smallest(elimination.asked), elimination.all_in(elimination.asked)


def _offers(at: Position) -> Mapping[str, Cents]:
    elimination = at.elimination
    if elimination is None or elimination.asked is None or at.state.phase is not TablePhase.BETTING:
        return {}
    return suggestions(elimination, elimination.asked)


def _legal(at: Position, till: Till) -> tuple[tuple[str, ...], ...]:
    if at.round is None or at.state.phase is not TablePhase.PLAYING:
        return ()
    return tuple(_legal_for(at, till, seat) for seat in range(len(at.state.seated)))


def _legal_for(at: Position, till: Till, seat: Seat) -> tuple[str, ...]:
    assert at.round is not None
    chair = at.state.chair_at(at.state.seated[seat].place)
    if chair is None or not chair.is_person or seat not in at.round.asked:
        return ()
    return at.round.legal(seat, till.purse(chair))


def _sitters(at: Position, till: Till) -> tuple[Sitter, ...]:
    here = [_sitter(chair, at, till) for chair in at.state.chairs]
    shown = {sitter.seat for sitter in here}
    gone = [
        Sitter(seated.place, seated.user, None, seated.computer, seat=seat, leaving=True)
        for seat, seated in enumerate(at.state.seated)
        if seat not in shown
    ]
    return tuple(sorted(here + gone, key=lambda sitter: (sitter.place, sitter.leaving)))


def _sitter(chair: Chair, at: Position, till: Till) -> Sitter:
    return Sitter(
        place=chair.place,
        user=chair.user,
        member=chair.member,
        computer=chair.computer,
        level=chair.level,
        balance=till.purse(chair) if chair.is_person else chair.stack or 0,
        last_stakes=chair.last,
        staked=chair.staked,
        seat=at.state.seat_of(chair),
        leaving=chair.leaving,
    )
