"""The languages and looks of tables and the lengths of seasons, in the words of the menus and keys that choose them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import ui

from cogs.words import LANGUAGES, N_, listed, share
from cogs.words.catalogues import language, translated
from data import Appearance, Span, Suits

SUITS: Final[Mapping[Suits, str]] = {
    Suits.TWO: N_("Suits in two colours"),
    Suits.FOUR: N_("Suits in four colours"),
}
SHOWN: Final[Mapping[Appearance, str]] = {
    Appearance.PICTURES: N_("Tables with a picture"),
    Appearance.TEXT: N_("Text-only tables"),
}
#: The lines about the length of seasons in `/casino settings`, and the texts of the keys that change it.
SEASONS: Final[Mapping[Span, str]] = {
    Span.MONTH: N_("Season of the leaderboards · **a month**"),
    Span.QUARTER: N_("Season of the leaderboards · **a quarter**"),
}
TO_SEASONS: Final[Mapping[Span, str]] = {
    Span.MONTH: N_("Seasons of a month"),
    Span.QUARTER: N_("Seasons of a quarter"),
}
#: The value of a menu's first option, which stands for the default.
_OTHERWISE: Final = "otherwise"


#: The percentage of a language in which nothing is missing.
_WHOLE: Final = 100


def languages() -> dict[str, str]:
    """Return the languages by code, each under its own name. Incomplete ones also say how much is translated."""
    return {code: _name(code) for code in LANGUAGES}


def _name(code: str) -> str:
    """Return a language's own name, followed by the share of texts that are translated if that is not all of them."""
    part = translated(code)
    return language(code).name if part == _WHOLE else listed((language(code).name, share(part / _WHOLE, 0)))


def menu(custom_id: str, otherwise: str, words: Mapping[str, str], now: str | None) -> ui.Select[Any]:
    """Return a menu of the default, called `otherwise`, and these options (texts by value).

    `now` is the value that is selected, or None for the default.
    """
    return ui.Select(
        custom_id=custom_id,
        options=[
            discord.SelectOption(label=text, value=key, default=key == (now or _OTHERWISE))
            for key, text in {_OTHERWISE: otherwise, **words}.items()
        ],
    )
