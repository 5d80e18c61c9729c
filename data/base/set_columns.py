"""The part of data.base.columns about the tables of sets: Today's five, duels, and what both are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data.base.table_facts import BOUND, NUMBER, ExportedRow, Proved, TableFacts

_HASHED: Final = "It is hashed in the leaf of the house's book that the day is bound in."
_HAS_SETS: Final = "id IN (SELECT stream FROM sets)"
_OF_A_DAY: Final = "archive = 0 AND \"set\" IN (SELECT id FROM sets WHERE kind = 'day')"
_OF_A_TOLD_SET: Final = f'"set" IN (SELECT id FROM sets WHERE {BOUND})'


def _not_told(row: ExportedRow) -> bool:
    return row["leaf"] is None


SETS: Final[Mapping[str, TableFacts]] = {
    "people": TableFacts(
        {"id": Proved("Tries and places name it.", "id IN (SELECT person FROM tries)")},
        {"user_id": "Nothing may tie a number to a person permanently."},
        mine="Nothing: `today` and `boards` are what stands under it.",
        forget="The Discord id goes with the last server; the number stays.",
    ),
    "streams": TableFacts(
        {
            "id": Proved("Sets name it.", _HAS_SETS),
            "root tip": "The tip is what the root hashes to.",
            "first_day": Proved("The seed of each day is as many days from it.", _HAS_SETS),
        },
        {
            "began_at": "It only tells people when it was made.",
            "ended_at why": "From an ended chain no day is prepared, and no duel is dealt: a new one begins.",
        },
        restored="Every chain ends, and its root may be shown.",
        secret={"root": lambda row: row["ended_at"] is None},
    ),
    "sets": TableFacts(
        {
            "id": Proved("Tries name it.", 'id IN (SELECT "set" FROM tries)'),
            "kind guild day stream link rules width opens closes": (
                "They follow from the day and from its chain, from the duel or from the tournament."
            ),
            "name": Proved("It follows from the day, or is hashed with a duel that is over.", f"day >= 0 OR {BOUND}"),
            "tournament": Proved("The tournament has its deals, and no other set does.", "tournament IS NOT NULL"),
            "deals": "What they ask follows from the cards that the chain deals.",
            "filter valuation answers void": Proved(_HASHED, BOUND),
            "leaf": Proved("The leaf has just the days that name it.", BOUND),
        },
        restored="Days that are not told become void, and duels and tournaments that are not over.",
        secret={"deals": _not_told, "answers": _not_told},
    ),
    "tries": TableFacts(
        {
            "set person": "Places on boards, duels or tournaments name them, and the deals allow the steps.",
            "archive version steps points": "The steps are played again, and come to these points.",
            "began_at": Proved("It is within the time of the day, or hashed with a duel that is over.", _OF_A_DAY),
            "finished_at": Proved("It is there just when the steps end the try, and hashed with it.", _OF_A_TOLD_SET),
        },
        {"shown_at": "A wrong one lets a hand of a duel stand early or late."},
        mine="today",
        forget=NUMBER,
        restored="Those of the running day bring nothing.",
        shown=_OF_A_TOLD_SET,
    ),
    "standings": TableFacts(
        {"points": "They are those of the try."},
        {"set person guild": "A wrong one adds or takes a place on a board, no chip."},
        mine="boards",
        forget="It goes.",
        shown=_OF_A_TOLD_SET,
    ),
    "duels": TableFacts(
        {
            "id guild stake offered challenger challenged": Proved(
                "The transfers of its account are those of its stakes, from the challenge on.", "offered > 0"
            ),
            "set first second": "Its deals and tries name them.",
            "state made_at ended_at": "Each state has its times, and its deals close with it.",
            "accepted_at": Proved("The duel runs until a day after it.", "ended_at IS NULL"),
            "done": "It is the number of its tries that are finished.",
            "ending winner": Proved("Both tries are played again, and this is how they compare.", "state = 'ended'"),
            "deadline": "It follows from when the duel was made or accepted, or is when it ended.",
            "told": Proved("Nothing is told of a duel that is not over.", "ended_at IS NULL"),
        },
        {
            "channel message called": "It is where the duel was posted, and whether somebody was called to its end.",
            "level": "The player sees it, and no chip hangs on it.",
            "version": "It keeps two steps from being taken at once.",
        },
        mine="duels",
        forget="It stays, under numbers that lead to nobody after the last server; forgetting waits until it is over.",
        restored="Those that are not over are called off, and the stakes go back.",
    ),
    "outages": TableFacts(
        {},
        {"began_at ended_at": "It makes days neutral for streaks, which bring nothing, and duels a little longer."},
    ),
}
