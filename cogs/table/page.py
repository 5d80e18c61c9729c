"""Pages: what the message of a table says, before it becomes Discord components."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final, Protocol

import discord
from discord import ui

from engine.tables.snapshot import Snapshot

#: A group of lines of a page that belong together.
Lines = tuple[str, ...]


class Accent(IntEnum):
    """The colours of a message's edge, which show how the round stands."""

    OPEN = 0x7EC4F2  # bets are being placed
    PLAYING = 0x2F6FA8  # cards are being played
    WON = 0x3FA66B  # all people in the round won
    HIGHLIGHT = 0xF0C869  # a rare win
    LOST = 0xB03A3A  # all of them lost
    EVEN = 0x7A8088  # neither, or won by some and lost by others
    CLOSED = 0x3A3D42  # the table is closed


@dataclass(frozen=True, slots=True)
class Cap:
    """The label of a key, and the word that its presses carry."""

    word: str
    label: str  # marked for translation, translated when drawn
    style: discord.ButtonStyle


@dataclass(frozen=True, slots=True)
class Key:
    """A button as it is shown: its cap, and the round and turn that it was made for."""

    cap: Cap
    number: int  # the round's
    turn: int = 0
    #: The text after the label: an amount, if it is the same for everybody who may press now.
    amount: str = ""
    #: Whether the rules allow the key now. Disabled keys keep their place, so that no finger misses.
    enabled: bool = True


class Pressed(Protocol):
    """A pressed button as its custom id describes it. `word` names what the button does.

    People can make up custom ids, so there may be no button with this word.
    """

    word: str
    number: int
    turn: int


TABLE_FILE: Final = "table.png"


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of a table, not drawn yet."""

    #: The key of the picture: pictures with equal keys are the same picture.
    key: Hashable
    #: The function that makes the file, called off the event loop.
    draw: Callable[[], bytes]
    #: The alt text: the whole table in words, so that nothing is only in the picture.
    alt: str
    #: The name of the picture's file: an edit that brings no new picture finds the old one under it.
    file: str = TABLE_FILE


@dataclass(frozen=True, slots=True)
class Sequel:
    """The second part of a page, below the lines about the cards: a picture of its own, and its lines."""

    picture: Picture | None
    lines: Lines


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a table's message."""

    accent: Accent
    title: str
    #: The headline, in a few words.
    headline: str
    #: The lines in groups, which are set apart.
    groups: tuple[Lines, ...]
    #: The lines in small print.
    footer: tuple[str, ...]
    rows: tuple[tuple[Key, ...], ...]
    picture: Picture | None = None
    sequel: Sequel | None = None
    #: Buttons that lead to other tables or pages and do not act at this table.
    onward: tuple[ui.Item[Any], ...] = ()


class PageOf(Protocol):
    """A function that makes the page of a game's table from nothing but its snapshot and the current reader."""

    def __call__(self, snapshot: Snapshot) -> Page: ...


ALT_LIMIT: Final = 1024
TEXT_LIMIT: Final = 4000
