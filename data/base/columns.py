"""The facts about every column, and about every table.

A column has a sentence that says how the audit proves it, or why it needs no proof. A table has sentences about its
rows in an export, when a person is forgotten, and when a backup is restored. `docs/columns.md` shows them all. A test
fails for a column without a sentence; another changes each proved column and expects the audit to find that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data.base.set_columns import SETS
from data.base.table_facts import BOUND, NUMBER, TableFacts
from data.base.table_facts import Proved as Proved

_FINISHED: Final = "finished_at IS NOT NULL"
_HERE: Final = f"{_FINISHED} AND pack IS NULL"
_IN_A_LEAF: Final = "id <= (SELECT max(until) FROM leaves)"
_OPEN: Final = "open = 1"
_AGAIN: Final = "When the round is over it is dealt and played again, and comes to the same."
_LEAF: Final = "It is hashed in the leaf that the round is bound in."
_PLACES: Final = "A wrong one moves a place on a leaderboard, no chip."
_MANAGED: Final = "Those who manage the server see and set it; rounds keep their own rules."
_GIVES: Final = (
    "ended_at IS NULL AND EXISTS (SELECT 1 FROM chains WHERE chains.promise = promises.id AND chains.ended_at IS NULL)"
)

KEPT: Final[Mapping[str, TableFacts]] = {
    "members": TableFacts(
        {
            "id guild": "Transfers, results and titles name it.",
            "balance": "It is the sum of the account's transfers.",
            "winnings rounds won rate": "They are counted again from the results.",
            "tournaments_won tables_won cards_won first_title": "They are counted again from the titles.",
            "daily_at": Proved("No daily chips were booked after it, nor too often.", "daily_at IS NOT NULL"),
            "helped_at": Proved("No help was booked after it, nor too often.", "helped_at IS NOT NULL"),
            "resting_until away_until": "They are the ends of the person's breaks.",
            "reset": "That reset had begun when the member was there; one that is over has left nobody out.",
        },
        {
            "user_id": "Seats at open tables must fit it; else nothing may ever tie a number to a person.",
            "streak": "It only decides how many daily chips come next: up to twice the usual number.",
            "language phrase warnings calls suits shown hidden": "Their owner sees and sets it.",
            "counted_balance counted_winnings counted_rate stale": _PLACES,
        },
        mine="member",
        forget="The Discord id and all settings go; the number, balance and score stay.",
        secret=dict.fromkeys(("resting_until", "away_until", "hidden"), lambda _: True),
    ),
    "tallies": TableFacts(
        {},
        {"guild ladder level stretch people": _PLACES},
    ),
    "forgotten": TableFacts(
        {},
        {"guild fingerprint at": "One that is missing lets a person have new starting chips, or return with a backup."},
        mine="Nothing: it holds a keyed hash, and no id.",
        forget="One is written, for thirty days.",
        exported=False,
    ),
    "breaks": TableFacts(
        {
            "id fingerprint what began_at until": Proved(
                "It is hashed in a leaf of the house's book, seconds after it was written.", BOUND
            ),
            "ends": Proved("It is hashed with the rest, and ends a break for good that was a year old.", BOUND),
            "leaf": Proved("The leaf has just the breaks that name it.", BOUND),
            "user_id": Proved(
                "The fingerprint is that person's, whose rows of `members` have the same ends.", "user_id IS NOT NULL"
            ),
        },
        mine="breaks",
        forget="The Discord id goes with the last server; the fingerprint stays, and with it the break.",
        exported=False,
    ),
    "limits": TableFacts(
        {
            "id fingerprint kind at most later later_at": Proved(
                "It is hashed in a leaf of the house's book, and follows from the row before it.",
                BOUND,
            ),
            "leaf": Proved("The leaf has just the limits that name it.", BOUND),
            "user_id": Proved("The fingerprint is that person's.", "user_id IS NOT NULL"),
        },
        mine="limits",
        forget="The Discord id goes with the last server; the fingerprint stays, and with it the limit.",
        exported=False,
    ),
    "wishes": TableFacts(
        {},
        {"user_id hidden challenges silenced": "Their owner sees and sets it."},
        mine="wishes",
        forget="It goes with the last server.",
        exported=False,
    ),
    "keys": TableFacts(
        {},
        {"name value": "With another key nobody's fingerprint fits, as if it were missing."},
        exported=False,
    ),
    "guilds": TableFacts(
        {},
        {
            "id house language channels zone account_days server_days suits shown": _MANAGED,
            "currency log_channel day_post season": _MANAGED,
        },
    ),
    "wares": TableFacts(
        {},
        {
            "guild role price seconds championship": (
                "Those who manage the server see and set it; a purchase keeps its own price."
            )
        },
    ),
    "holdings": TableFacts(
        {
            "id guild member price": Proved(
                "The payment has this number, this wallet and this amount; a role that was won has none."
            ),
            "at": Proved("It is the time of the payment.", "championship IS NULL"),
            "until": Proved("It is no sooner than was paid for, and a job waits for it.", "championship IS NULL"),
            "state championship": "It says whether there is a payment, a refund, and a job.",
        },
        {
            "role": "A wrong one gives or takes another role, and no chip.",
            "seconds": "Pages show it; a time that is longer than what was given is a fault.",
        },
        mine="roles",
        forget="It stays, under a number that leads to nobody; a role that is not for good is taken back before.",
        restored="It stays as it was: a role that was paid since the backup is no longer known.",
    ),
    "notices": TableFacts(
        {},
        {"id guild at text actor member": "It goes once it is posted; what it is about is proved elsewhere."},
        mine="notices",
        forget=NUMBER,
        restored="It stays as it was, so what was posted since the backup is posted again.",
    ),
    "rule_sets": TableFacts(
        {},
        {"guild game name rules": "Those who manage the server see and set it; rounds keep their own rules."},
    ),
    "pots": TableFacts(
        {
            "guild name": "Transfers name it.",
            "balance": "It is the sum of its transfers, and belongs to an open round, table or tournament.",
            "closed": "An escrow is closed just when its round is over, and nothing else ever is.",
        },
        mine="Nothing: its transfers tell.",
        forget=NUMBER,
    ),
    "transfers": TableFacts(
        {
            "guild source target amount": "They are the sums of both accounts.",
            "reason": "Chips move between two kinds of account for a few reasons, and for no other.",
            "actor": Proved("It names a member of the server.", "actor IS NOT NULL"),
            "id key at": Proved("It is hashed in a leaf, seconds after it was booked.", _IN_A_LEAF),
        },
        mine="transfers",
        forget=NUMBER,
    ),
    "resets": TableFacts(
        {
            "id guild": "Everybody's wallet names the last one that it went through, and so does each transfer.",
            "at began_at": Proved("It began after a week's notice, not before its time.", "began_at IS NOT NULL"),
            "amount": Proved("Everybody had it right after their transfer.", "began_at IS NOT NULL"),
            "ended_at withdrawn": Proved("It ended after it had begun, and left nobody out.", "began_at IS NOT NULL"),
        },
        {
            "actor channel event": "Those who manage the server see and set it, and it is announced to all.",
            "announced_at": "An earlier one only says that there was more time.",
            "last": "Members who came later keep what they have.",
        },
        forget=NUMBER,
        restored="It stays as it was: one that is due begins, one that has begun goes on.",
    ),
    "stops": TableFacts(
        {},
        {"id reason at": "It keeps stakes from being placed until an audit is clean; without it they are placed."},
    ),
    "tables": TableFacts(
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
    "causes": TableFacts(
        {"of version": Proved("Each change of a table or tournament has one.", "of IS NOT NULL")},
        {"cause at": "A press that comes twice is stopped by the keys of its transfers and by the version, too."},
    ),
    "promises": TableFacts(
        {
            "id guild channel message": Proved("Its chains say the same.", "slots > 0"),
            "root": "The tip of its newest chain follows from it, and of the one to come.",
            "tip tips": "The tip is the top of the tree over the tips of its chains.",
            "slots": "It is the number of chains that name it.",
            "ended_at": Proved("No chain of it is in use.", _GIVES),
        },
        {
            "began_at": "It only says when.",
            "why": "No place takes a chain of one that was given up: a new promise is made.",
        },
        restored="Every promise ends, and its root may be shown.",
        secret={"root": lambda row: row["ended_at"] is None},
    ),
    "chains": TableFacts(
        {
            "id": Proved("Rounds name it.", "used > 0"),
            "root tip": "The tip is what the root hashes to.",
            "place": Proved(
                "The open table that uses it says the same, and an open tournament.",
                "ended_at IS NULL AND place IN (SELECT json_extract(doc, '$.chain_place') FROM tables WHERE open = 1)",
            ),
            "guild channel message": Proved("The hash of each of its rounds that is over covers it.", "finished > 0"),
            "used": "It is the number of its last round.",
            "finished": "It is the number of its last round that is over.",
            "last": "It is the hash of the last round that is over.",
            "path": Proved("It leads from the tip to what the promise shows.", "promise > 0"),
            "promise slot": Proved("Its root follows from the root of that promise and the slot.", "promise > 0"),
        },
        {
            "began_at": "It only puts chains in order.",
            "ended_at why": "An ended chain is dealt from no more: a new promise is made.",
            "member": "The name of the place says the same, where it says anything.",
            "phrase": "It enters rounds to come; each round that was dealt keeps its own.",
        },
        mine="Nothing apart: its phrase is in `rounds`.",
        forget="The phrase goes; the chain stays, under a number that leads to nobody.",
        restored="Every chain ends, and its root may be shown.",
        secret={"root": lambda row: row["ended_at"] is None},
    ),
    "packs": TableFacts(
        {
            "id guild rounds": "Just the rounds that are in it say so, of this server.",
            "content digest": "The content hashes to the digest, and its rounds to their leaves.",
        },
        mine="Nothing apart: the rounds in it are handed out as any others.",
        forget=NUMBER,
    ),
    "rule_texts": TableFacts(
        {"hash text": "The text has this hash, and the rounds that name it are played by it again."},
    ),
    "rounds": TableFacts(
        {
            "table_id number guild": "Results, steps and the escrow name it.",
            "seed stakes members lines": Proved(_AGAIN, _HERE),
            "rules": Proved(_AGAIN, f"{_HERE} AND rules IS NOT NULL"),
            "rules_hash": Proved(_AGAIN, f"{_HERE} AND rules IS NULL"),
            "players phrase": Proved(_AGAIN, f"{_HERE} AND chain IS NOT NULL"),
            "inputs": Proved(_LEAF, f"{_HERE} AND {BOUND}"),
            "commitment": Proved(
                "It is that of the seed, or the tip of the chain, which an empty one stands for.",
                f"{_FINISHED} AND commitment <> ''",
            ),
            "game outcome finished_at link previous hash": Proved(_AGAIN, _FINISHED),
            "code": Proved("It follows from the promise and the number in the chain.", _FINISHED),
            "chain": Proved("The tip of the chain is what was promised.", f"{_FINISHED} AND chain IS NOT NULL"),
            "version scheme rules_name dealt_at": Proved(_LEAF, BOUND),
            "pack": Proved("The round is in the very pack that it names.", "pack IS NOT NULL"),
            "leaf": Proved("The leaf has just the rounds that name it.", BOUND),
        },
        {"build": "The hash of a round of scheme 3 covers it; rounds of earlier schemes have none."},
        mine="rounds",
        forget=NUMBER,
        restored="What was sealed and not dealt is sealed again.",
        secret={"seed": lambda row: row["finished_at"] is None},
    ),
    "leaves": TableFacts(
        {
            "number guild place since until": "Leaves of a server follow each other without a gap.",
            "transfers rounds breaks limits sets": "They are counted again.",
            "head": "It is hashed again from all that is bound in it, and from the head before.",
        },
        {"at": "It only tells people when a head was made."},
        secret=dict.fromkeys(("breaks", "limits"), lambda _: True),
    ),
    "steps": TableFacts(
        {
            "table_id number place seat action by": _AGAIN,
            "at purse": Proved(
                "It is hashed in the leaf that its round is bound in.",
                "EXISTS (SELECT 1 FROM rounds r WHERE r.table_id = steps.table_id AND r.number = steps.number"
                " AND r.leaf IS NOT NULL)",
            ),
        },
        mine="Nothing apart: it is in `rounds`.",
        forget=NUMBER,
    ),
    "plays": TableFacts(
        {
            "table_id number member staked returned real": "It is what the round's lines and transfers say.",
            "at": "It is when the round ended.",
        },
        mine="Nothing apart: it is in `rounds`.",
        forget=NUMBER,
    ),
    "grades": TableFacts(
        {"at net": "It is the member's result in the round."},
        {
            "table_id number member expected given_away decisions right valuation close close_right units": (
                "It follows from the journal: one that is deleted is graded again, and no chip hangs on it."
            )
        },
        mine="grades",
        forget="It goes.",
    ),
    "member_days": TableFacts(
        {
            "member day valuation": "The grades of that day are counted again.",
            "hands known net measured expected given_away decisions right best worst": (
                "It is counted again from the grades of the day."
            ),
            "close close_right blackjack units": "It is counted again from the grades of the day, too.",
        },
        mine="days",
        forget="It goes.",
    ),
    "season_points": TableFacts(
        {
            "member points": "The tournament or the duel, played again, brings them.",
            "guild": "They add up to a place on its board.",
        },
        {
            "at": "They add up to a place in the season of that moment.",
            "source": "Points of a source that nobody knows add up to a place, too.",
        },
        mine="points",
        forget=NUMBER,
    ),
    "season_places": TableFacts(
        {
            "guild season board who": "Somebody's days, points or tries of that season lead to it.",
            "rank value amount": "It is worked out again from them, unless they were graded again since.",
        },
        {"valuation": "It says which grades it follows from; others follow from newer ones."},
        mine="seasons",
        forget="It stays as a former player's, except on the board of Today's five.",
        restored="It is worked out again without the day that becomes void.",
    ),
    "mistakes": TableFacts(
        {},
        {
            "table_id number place member at loss doc": "It follows from the journal, and no chip hangs on it.",
            "due streak": "It says when somebody is asked again.",
        },
        mine="mistakes",
        forget="It goes.",
    ),
    "training": TableFacts(
        {},
        {"user_id what rules version doc at": "Only its owner sees it, and no chip hangs on it."},
        mine="training",
        forget="It goes with the last server.",
    ),
    "marks": TableFacts(
        {},
        {"name at": "Once a day the audit looks at everything, whatever the marks say."},
    ),
    "jobs": TableFacts(
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
        {"claimed_by claimed_until": "A claim that is not renewed runs out in five minutes at most."},
        mine="Nothing: it is work for tournaments, resets, roles and messages.",
        forget="The Discord id becomes 0 in work that is done; work that waits refuses it.",
    ),
    "tournaments": TableFacts(
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
    "entries": TableFacts(
        {
            "tournament member buy_in": "The tournament names who entered for how much, and its pool has just that.",
            "person": Proved(
                "The try of this person comes to the score that the tournament says.", "person IS NOT NULL"
            ),
        },
        mine="tournaments",
        forget=NUMBER,
    ),
    "titles": TableFacts(
        {
            "source guild member": "The tournament or table is over, and was won by this member.",
            "at": "The member's first title is as old.",
        },
        mine="titles",
        forget=NUMBER,
    ),
    **SETS,
}
