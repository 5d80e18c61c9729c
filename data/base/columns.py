"""Describes every column: what proves it, or why nothing has to; and what becomes of each table's rows elsewhere.

`docs/columns.md` shows these tables. A test fails for a column without a sentence, and changes each that is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: A row as an export reads it.
_Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Proved:
    """The proof of a column: what the audit compares it with."""

    by: str
    #: The rows of which it is proved, as SQL; empty for all of them.
    of: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """One table: the sentences about its columns, and what becomes of its rows. Columns may share a sentence."""

    proved: Mapping[str, Proved | str]
    free: Mapping[str, str] = field(default_factory=dict)
    #: The part of the file of *Get mine* with the rows, or the reason why they are in none.
    mine: str = "Nothing: it is nobody's in particular."
    forget: str = "It names nobody."
    restored: str = "It stays as it was."
    #: The columns that an export hides, and when.
    secret: Mapping[str, Callable[[_Row], bool]] = field(default_factory=dict)
    exported: bool = True

    @property
    def sentences(self) -> Iterator[tuple[str, Proved | None, str]]:
        """Each column with its proof, if it has one, and its sentence."""
        for names, proof in self.proved.items():
            known = proof if isinstance(proof, Proved) else Proved(proof)
            yield from ((name, known, known.by) for name in names.split())
        for names, why in self.free.items():
            yield from ((name, None, why) for name in names.split())

    @property
    def export(self) -> str:
        """The sentence about what an export shows of the table."""
        if not self.exported:
            return "Nothing."
        return f"All but {', '.join(self.secret)} of what is not over." if self.secret else "All of it."


_FINISHED: Final = "finished_at IS NOT NULL"
_HERE: Final = f"{_FINISHED} AND pack IS NULL"
_BOUND: Final = "leaf IS NOT NULL"
_IN_A_LEAF: Final = "id <= (SELECT max(until) FROM leaves)"
_OPEN: Final = "open = 1"
_AGAIN: Final = "When the round is over it is dealt and played again, and comes to the same."
_LEAF: Final = "It is hashed in the leaf that the round is bound in."
_PLACES: Final = "A wrong one moves a place on a leaderboard, no chip."
_NUMBER: Final = "It stays, under a number that leads to nobody."

KEPT: Final[Mapping[str, Kept]] = {
    "members": Kept(
        {
            "id guild": "Transfers, results and titles name it.",
            "balance": "It is the sum of the account's transfers.",
            "winnings rounds won rate": "They are counted again from the results.",
            "tournaments_won tables_won first_title": "They are counted again from the titles.",
            "daily_at": Proved("No daily chips were booked after it, nor too often.", "daily_at IS NOT NULL"),
            "helped_at": Proved("No help was booked after it, nor too often.", "helped_at IS NOT NULL"),
        },
        {
            "user_id": "Seats at open tables must fit it; else nothing may tie a number to a person for ever.",
            "streak": "It makes the next daily chips a tenth more or less, and no others.",
            "language phrase warnings calls suits shown": "Their owner sees and sets it.",
            "counted_balance counted_winnings counted_rate stale": _PLACES,
        },
        mine="member",
        forget="The Discord id and all settings go; the number, balance and score stay.",
    ),
    "tallies": Kept(
        {},
        {"guild ladder level stretch people": _PLACES},
    ),
    "forgotten": Kept(
        {},
        {"guild fingerprint at": "One that is missing lets a person open with starting chips again."},
        mine="Nothing: nobody can tell whose it is.",
        forget="One is written, for thirty days.",
        exported=False,
    ),
    "keys": Kept(
        {},
        {"name value": "With another key nobody's fingerprint fits, as if it were missing."},
        exported=False,
    ),
    "guilds": Kept(
        {},
        {
            "id house language channels zone account_days server_days suits shown": (
                "Those who manage the server see and set it; rounds keep their own rules."
            )
        },
    ),
    "rule_sets": Kept(
        {},
        {"guild game name rules": "Those who manage the server see and set it; rounds keep their own rules."},
    ),
    "pots": Kept(
        {
            "guild name": "Transfers name it.",
            "balance": "It is the sum of its transfers, and belongs to an open round, table or tournament.",
            "closed": "An escrow is closed just when its round is over, and nothing else ever is.",
        },
        mine="Nothing: its transfers tell.",
        forget=_NUMBER,
    ),
    "transfers": Kept(
        {
            "guild source target amount": "They are the sums of both accounts.",
            "reason": "Chips move between two kinds of account for a few reasons, and for no other.",
            "actor": Proved("It names a member of the server.", "actor IS NOT NULL"),
            "id key at": Proved("It is hashed in a leaf, seconds after it was booked.", _IN_A_LEAF),
        },
        mine="transfers",
        forget=_NUMBER,
    ),
    "stops": Kept(
        {},
        {"id reason at": "It keeps stakes from being placed until an audit is clean; without it they are placed."},
    ),
    "tables": Kept(
        {
            "id": "Rounds and pots name it.",
            "guild channel game version": Proved("The document of an open table says the same.", _OPEN),
            "doc": Proved(
                "The chips of an open table lie in its accounts, and its round comes to what the document says.", _OPEN
            ),
            "open": "Its document says so, and no stake lies at a closed one.",
        },
        {
            "deadline": "A wrong one makes a clock run out early or late; after a start it is put right.",
            "causes_from": "It counts causes that are old enough to be forgotten.",
        },
        mine="tables",
        forget="The Discord id becomes 0 in documents of closed tables; open ones refuse it.",
        restored="Documents of open ones say so: open hands are called off, and new promises are made.",
        secret={"doc": lambda row: bool(row["open"])},
    ),
    "causes": Kept(
        {"of version": Proved("Each change of a table or tournament has one.", "of IS NOT NULL")},
        {"cause at": "A press that comes twice is stopped by the keys of its transfers and by the version, too."},
    ),
    "chains": Kept(
        {
            "id": Proved("Rounds name it.", "used > 0"),
            "root tip": "The tip is what the root hashes to.",
            "place": Proved(
                "The open table that uses it says the same, and an open tournament.",
                "ended_at IS NULL AND place IN (SELECT json_extract(doc, '$.chain_place') FROM tables WHERE open = 1)",
            ),
            "guild channel message": Proved("The hash of each of its rounds covers it.", "used > 0"),
            "used": "It is the number of its last round.",
            "finished": "It is the number of its last round that is over.",
            "last": "It is the hash of the last round that is over.",
        },
        {
            "began_at": "It only puts chains in order.",
            "ended_at why": "An ended chain is dealt from no more: a new promise is made.",
            "member": "The name of the place says the same, where it says anything.",
            "phrase": "It enters rounds to come; each round that was dealt keeps its own.",
        },
        restored="Every chain ends, and its root may be shown.",
        secret={"root": lambda row: row["ended_at"] is None},
    ),
    "packs": Kept(
        {
            "id guild rounds": "Just the rounds that are in it say so, of this server.",
            "content digest": "The content hashes to the digest, and its rounds to their leaves.",
        },
        mine="Nothing apart: the rounds in it are handed out as any others.",
        forget=_NUMBER,
    ),
    "rounds": Kept(
        {
            "table_id number guild": "Results, steps and the escrow name it.",
            "seed rules stakes members lines": Proved(_AGAIN, _HERE),
            "players phrase": Proved(_AGAIN, f"{_HERE} AND chain IS NOT NULL"),
            "inputs": Proved(_LEAF, f"{_HERE} AND {_BOUND}"),
            "commitment game outcome finished_at link previous hash": Proved(_AGAIN, _FINISHED),
            "code": Proved("It follows from the promise and the number in the chain.", _FINISHED),
            "chain": Proved("The tip of the chain is what was promised.", f"{_FINISHED} AND chain IS NOT NULL"),
            "version scheme rules_name dealt_at": Proved(_LEAF, _BOUND),
            "pack": Proved("The round is in the very pack that it names.", "pack IS NOT NULL"),
            "leaf": Proved("The leaf has just the rounds that name it.", _BOUND),
        },
        {"build": "The hash of a round of scheme 3 covers it; rounds of earlier schemes have none."},
        mine="rounds",
        forget=_NUMBER,
        restored="What was sealed and not dealt is sealed again.",
        secret={"seed": lambda row: row["finished_at"] is None},
    ),
    "leaves": Kept(
        {
            "number guild place since until": "Leaves of a server follow each other without a gap.",
            "transfers rounds": "They are counted again.",
            "head": "It is hashed again from all that is bound in it, and from the head before.",
        },
        {"at": "It only tells people when a head was made."},
    ),
    "steps": Kept(
        {
            "table_id number place seat action by": _AGAIN,
            "at purse": Proved(
                "It is hashed in the leaf that its round is bound in.",
                "EXISTS (SELECT 1 FROM rounds r WHERE r.table_id = steps.table_id AND r.number = steps.number"
                " AND r.leaf IS NOT NULL)",
            ),
        },
        mine="Nothing apart: it is in `rounds`.",
        forget=_NUMBER,
    ),
    "plays": Kept(
        {
            "table_id number member staked returned real": "It is what the round's lines and transfers say.",
            "at": "It is when the round ended.",
        },
        mine="Nothing apart: it is in `rounds`.",
        forget=_NUMBER,
    ),
    "grades": Kept(
        {},
        {
            "table_id number member at net expected given_away decisions right valuation": (
                "It follows from the journal: one that is deleted is graded again, and no chip hangs on it."
            )
        },
        mine="grades",
        forget="It goes.",
    ),
    "mistakes": Kept(
        {},
        {
            "table_id number place member at loss doc": "It follows from the journal, and no chip hangs on it.",
            "due streak": "It says when somebody is asked again.",
        },
        mine="mistakes",
        forget="It goes.",
    ),
    "marks": Kept(
        {},
        {"name at": "Once a day the audit looks at everything, whatever the marks say."},
    ),
    "jobs": Kept(
        {
            "key kind guild payload done_at": Proved(
                "Each open tournament has one that is not done.",
                "done_at IS NULL AND kind = 'cup'",
            ),
            "due": Proved(
                "While people sign up it is due by the start.",
                "payload IN (SELECT '{\"cup\":' || id || '}' FROM tournaments WHERE open = 1 AND phase = 'sign-up')",
            ),
        },
        {"claimed_by claimed_until": "A claim that is not renewed runs out in a minute and a half."},
        mine="Nothing: it names tournaments.",
        forget="The Discord id becomes 0 in work that is done; work that waits refuses it.",
    ),
    "tournaments": Kept(
        {
            "id": "Entries, pools, jobs and titles name it.",
            "guild channel organiser phase open starts version": "Its document says the same.",
            "doc": "It is played again from its record, and names those who entered, its promise and its winner.",
        },
        {"causes_from": "It counts causes that are old enough to be forgotten."},
        mine="Nothing apart: it is in `tournaments`, with what was paid.",
        forget="The Discord id becomes 0 in those that are over; others refuse it.",
        restored="Documents of open ones say so: later lots come from a new promise.",
        secret={"doc": lambda row: bool(row["open"])},
    ),
    "entries": Kept(
        {"tournament member buy_in": "The tournament names who entered and for how much, and its pool has just that."},
        mine="tournaments",
        forget=_NUMBER,
    ),
    "titles": Kept(
        {
            "source guild member": "The tournament or table is over, and was won by this member.",
            "at": "The member's first title is as old.",
        },
        mine="titles",
        forget=_NUMBER,
    ),
}
