"""Changes the documents of open tables and tournaments when a bank was restored to an earlier moment.

Seeds that were secret at that moment may have been shown since, so nothing is dealt or drawn from them any more.
"""

from __future__ import annotations

import json
from dataclasses import replace

from engine import stored_words
from engine.elimination.elimination import Elimination
from engine.fairness.lots import Lots
from engine.tournament.state import TournamentState
from engine.tournament.tournament import VERSION, Tournament, TournamentPhase


def table(doc: str) -> str:
    """Return the document of an open table, changed so that its next rounds and lots wait for a new promise."""
    raw = {**json.loads(doc), "renewed": True}
    if raw.get(stored_words.ELIMINATION):
        elimination = Elimination.replay(raw[stored_words.ELIMINATION])
        elimination.draw_from(Lots(b""))
        raw[stored_words.ELIMINATION] = elimination.record()
    return json.dumps(raw, separators=(",", ":"), sort_keys=True)


def tournament(doc: str) -> str:
    """Return the document of an open tournament, changed so that it waits for a new promise.

    A tournament of version 1 in its sign-up becomes one of the current version.
    """
    state = replace(TournamentState.from_json(doc), tip="", promise=None, listing="")
    record = state.tournament
    if record["version"] == 1 and Tournament.replay(record).phase is TournamentPhase.SIGN_UP:
        return replace(state, tournament={**record, "version": VERSION, "seed": ""}).to_json()
    return replace(state, renewed=True).to_json()
