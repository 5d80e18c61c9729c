"""Collects everything that a tournament's roots decided, for anybody who wants to draw it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.fairness.chain import table_root
from engine.fairness.tournaments import Ordered, Root, TableTip, TournamentLots
from engine.tables.places import place_in_tournament, tournament_place, tournament_table
from engine.tables.ports import Chains
from engine.tables.values import Chain
from engine.tournament.ports import TournamentBank
from engine.tournament.state import TournamentState
from engine.tournament.tournament import Tournament, paper_names


async def lots_of_table(bank: TournamentBank, place: str) -> TournamentLots | None:
    """Return the lots of the tournament whose table has its chain at this place.

    Return None for any other place, before the end is announced, and if no lots were drawn from a promise.
    """
    table = tournament_table(place)
    row = await bank.tournaments.stored(table.tournament) if table is not None else None
    if row is None or row.open:
        return None
    state = TournamentState.from_json(row.doc)
    return await _lots(bank.chains, state) if state.root and state.entrants is not None else None


async def _lots(bank: Chains, state: TournamentState) -> TournamentLots:
    tournament = Tournament.replay(state.tournament)
    stood = [chain for chain in await bank.all_of(tournament_place(state.id)) if chain.message is not None]
    places = {
        place_in_tournament(state.id, stage, table): (stage, table)
        for stage, size in enumerate(tournament.sizes, start=1)
        for table in range(size)
    }
    begun = await bank.all_of(*places) if places else ()
    return TournamentLots(
        str(state.id),
        str(state.guild),
        str(state.channel),
        str(state.entrants),
        tuple(Root(chain.tip, str(chain.message), chain.root.hex()) for chain in stood),
        tuple(_orders(tournament, stood)),
        tuple(tip for chain in begun for tip in _tips(chain, *places[chain.place], stood, len(begun))),
    )


def _orders(tournament: Tournament, stood: Sequence[Chain]) -> Iterator[Ordered]:
    by_message = {str(chain.message): index for index, chain in enumerate(stood)}
    for order in tournament.orders:
        promise = by_message[tournament.lots[order.lots].inputs[0]]
        names = (paper_names(tournament.people, keys) for keys in (order.names, order.drawn))
        yield Ordered(promise, order.what, *names)


def _tips(chain: Chain, stage: int, table: int, stood: Sequence[Chain], attempts: int) -> Iterator[TableTip]:
    """Yield the tip of a table's chain, with the promise and the attempt that the chain's root follows from.

    `stood` are the tournament's chains whose promises were posted. They are tried with the attempts from 0 to
    `attempts - 1`. Yield nothing if the root follows from no chain in `stood`.
    """
    for promise, above in enumerate(stood):
        for attempt in range(attempts):
            if table_root(above.root, stage, table, attempt) == chain.root:
                yield TableTip(promise, stage, table, attempt, chain.tip, str(chain.message or ""))
                return
