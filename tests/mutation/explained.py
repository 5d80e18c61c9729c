"""Changes of the code that no test can notice, and why."""

from __future__ import annotations

_CHECKED_TWICE = "the table has the same check, and a refusal by either is BadChange"
_ANY_ORDER = "any order will do that is the same for every change, and it still is"
_NOUGHT = "what comes to nothing for an account is neither taken nor given"

#: The changes that no test can notice, by module, each with the reason.
EXPLAINED: dict[str, dict[str, str]] = {
    "data/ledger/ledger.py": {
        "_sound, 0 < transfer.amount <= MOST: swap 0": _CHECKED_TWICE,
        "_order, not is_member: without the sign": _ANY_ORDER,
        "_order, int(account.owner) if is_member else account.guild: never": _ANY_ORDER,
        "_in_turn, if change: unfiltered": _NOUGHT,
        "_touch_member, change < 0: swap 0": _NOUGHT,
        "_touch_member, 0: another constant": _NOUGHT,
        "_closed, 1: another constant": "an escrow is there before it is closed; were it not, the audit would say so",
    },
    "data/journal/reading.py": {
        "compact, False: another constant": "other letters for the same JSON",
    },
    "data/journal/tables.py": {
        "_batch, row.version - 1: swap": "the words of a message; where it counts, it is noticed",
        "_batch, 1: another constant": "the words of a message; where it counts, it is noticed",
        "brings_new_stakes, return False: nothing returned": "nothing is as false as False",
    },
}
