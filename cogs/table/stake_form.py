"""Typed stakes: how they are read, and the form that asks for one."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from cogs.answers.forms import Form
from cogs.table.keys import usual
from cogs.table.presentation import presentation
from cogs.words import N_, _, chips, number, safe
from cogs.words.refusals import Sorry
from engine.games.contract import CHIP, Cents
from engine.tables.snapshot import Sitter, Snapshot

#: Digits, plain or in groups of three.
_WHOLE: Final = re.compile(r"\d+|\d{1,3}(?:[ ,.'’_]\d{3})+")
_FRACTION: Final = re.compile(r"[+-]?\d+[.,]\d+")
_MOST_DIGITS: Final = 15

#: The words for all and half in every language of the bot, whichever the player's own is.
_ALL: Final = frozenset({"all", "max", "tout", "tapis"})
_HALF: Final = frozenset({"half", "moitié", "moitie"})

#: The custom_id of the form.
FORM: Final = re.compile(r"stake:(?P<table>\d{1,20}):(?P<number>\d{1,12}):(?P<spot>[a-z-]{1,20})")


def typed(text: str, balance: Cents, largest: Cents) -> Cents:
    """Read ``1,000``, ``٥٠``, ``all``, ``moitié`` ... as cents, or raise Sorry."""
    word = _plain(text)
    if word in _ALL:
        return _whole(min(balance, largest))
    if word in _HALF:
        return _whole(min(balance // 2, largest))
    digits = re.sub(r"\D", "", word)
    if not _WHOLE.fullmatch(word) or len(digits) > _MOST_DIGITS:
        raise Sorry(_complaint(text, word))
    return int(digits) * CHIP


def _plain(text: str) -> str:
    """Return the text with digits of any script as ours and signs of any width, without spaces around."""
    folded = unicodedata.normalize("NFKC", text).strip().casefold().replace("\u2212", "-")
    return "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in folded)


def _whole(cents: Cents) -> Cents:
    return cents - cents % CHIP


def _complaint(text: str, word: str) -> str:
    if not word:
        return _("Write a number of chips like {example}, or `half`, or `all`.", example=chips(100000))
    if _FRACTION.fullmatch(word):
        return _("Bets are whole chips; **{text}** isn't a whole number.", text=safe(text))
    if re.fullmatch(r"-\s*\d[\d ,.]*", word):
        return _("A bet must be positive.")
    if re.fullmatch(r"[\d ,.'’_]+", word):
        return _(
            "Nobody has that many chips. Yours are on the table: try a number like {example}.", example=chips(100000)
        )
    return _(
        "**{text}** isn't a number of chips. Write one like {example}, or `half`, or `all`.",
        text=safe(text),
        example=chips(100000),
    )


# -- the form ----------------------------------------------------------------------------------------------------------


def stake_form(snapshot: Snapshot, sitter: Sitter, spot: str) -> Form:
    cap = presentation(snapshot.game).cap(spot)
    title = _("Your bet on {spot}", spot=_(cap.label)) if cap is not None else _("Your bet")
    form = Form(title, f"stake:{snapshot.table}:{snapshot.to_come}:{spot}")
    return form.ask(
        "chips", _("Chips"), _hint(snapshot, sitter, spot), value=number(usual(snapshot, sitter, spot) // CHIP)
    )


def _hint(snapshot: Snapshot, sitter: Sitter, spot: str) -> str:
    """Return the limits, the balance and the words for a number; with several spots also the stake that lies there."""
    values = {
        "smallest": chips(snapshot.smallest),
        "largest": chips(snapshot.largest),
        "balance": chips(sitter.balance),
    }
    in_words = _whole(sitter.balance // 2) >= snapshot.smallest
    lying = (sitter.staked or {}).get(spot)
    if lying:
        if in_words:
            text = N_("{lying} staked there, {largest} at most, or half, or all; you have {balance}")
        else:
            text = N_("{lying} staked there, {largest} at most; you have {balance}")
        return _(text, **values, lying=chips(lying))
    if in_words:
        return _("{smallest} to {largest}, or half, or all; you have {balance}", **values)
    return _("{smallest} to {largest}; you have {balance}", **values)
