"""The languages and looks of tables, in the words of the menus that choose them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import ui

from cogs.words import LANGUAGES, N_
from cogs.words.catalogues import language
from data import Shown, Suits

SUITS: Final[Mapping[Suits, str]] = {
    Suits.TWO: N_("Suits in two colours"),
    Suits.FOUR: N_("Suits in four colours"),
}
SHOWN: Final[Mapping[Shown, str]] = {
    Shown.PICTURES: N_("Tables with a picture"),
    Shown.TEXT: N_("Text-only tables"),
}
#: The value of a menu's default.
_OTHERWISE: Final = "otherwise"


def languages() -> dict[str, str]:
    """Return the languages, each by its own name."""
    return {code: language(code).name for code in LANGUAGES}


def menu(custom_id: str, otherwise: str, words: Mapping[str, str], now: str | None) -> ui.Select[Any]:
    """Return the choices of a menu: first the default, then the others."""
    return ui.Select(
        custom_id=custom_id,
        options=[
            discord.SelectOption(label=text, value=key, default=key == (now or _OTHERWISE))
            for key, text in {_OTHERWISE: otherwise, **words}.items()
        ],
    )
