"""What a restored backup changes in open tables and tournaments: their next lots come from a new promise."""

from __future__ import annotations

from engine.elimination.elimination import Elimination
from engine.fairness.lots import Lots
from engine.games.contract import CHIP
from engine.tables.state import TableState
from engine.tournament import restored
from engine.tournament.state import TournamentState, awaits_promise
from engine.tournament.tournament import Tournament, TournamentTerms
from tests.engine.elimination.elimination import open_table


def test_an_elimination_table_draws_no_more_from_lots_that_people_may_know() -> None:
    state = TableState(1, 7, 70, "blackjack", "original", {}, 1, elimination=open_table().record())
    again = TableState.from_json(restored.table(state.to_json()))
    assert again.renewed
    assert again.elimination is not None
    assert Elimination.replay(again.elimination).lots == Lots(b"")


def test_a_tournament_of_version_1_in_play_waits_for_a_promise() -> None:
    tournament = Tournament(TournamentTerms(100 * CHIP), bytes(range(32)), version=1)
    for key in ("1", "2"):
        tournament.join(key)
    tournament.start()
    state = TournamentState(1, 7, 70, 1, "original", {}, 0.0, tournament.record())
    assert not awaits_promise(state)
    again = TournamentState.from_json(restored.tournament(state.to_json()))
    assert again.tournament["version"] == 1
    assert awaits_promise(again)
