"""Cards as the application's own emoji: how they are called, and which of them are there."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Protocol

from data import Suits
from engine.games.cards import PACK, Card

#: As screen readers and notifications tell them, with the beginning of the image's hash: what is drawn otherwise is
#: another emoji.
_SUITS: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_OURS: Final = re.compile(r"(?:card_back|(?:[2-9AJQK]|10)_(?:spades|hearts|diamonds|clubs))_[0-9a-f]{6}")

Written = Mapping[Card | None, str]


class Emoji(Protocol):
    """What Discord says of one."""

    name: str

    def __str__(self) -> str: ...


@cache
def images(suits: Suits) -> Mapping[Card | None, tuple[str, bytes]]:
    """By card: the name of its emoji, and the image."""
    from cogs.pictures.card_emoji import render_emoji

    found = {card: render_emoji(card, four_colours=suits is Suits.FOUR) for card in (*PACK, None)}
    return {card: (f"{_called(card)}_{hashlib.sha256(image).hexdigest()[:6]}", image) for card, image in found.items()}


def wanted() -> dict[str, bytes]:
    """All that a complete application has; what looks alike in two and in four colours is one."""
    return {name: image for suits in Suits for name, image in images(suits).values()}


def is_ours(name: str) -> bool:
    """Whether an emoji is a card of this release or an earlier one."""
    return _OURS.fullmatch(name) is not None


def _called(card: Card | None) -> str:
    if card is None:
        return "card_back"
    return f"{'10' if card[0] == 'T' else card[0]}_{_SUITS[card[1]]}"


class CardEmoji:
    """Those of the application. Until all cards of a kind are there, none of them is used: a hand is not mixed."""

    def __init__(self) -> None:
        #: How each card is written; nothing where they are not to be had.
        self.written: dict[Suits, Written] = dict.fromkeys(Suits, MappingProxyType({}))

    def learn(self, there: Iterable[Emoji]) -> None:
        """What the application has now."""
        tags = {emoji.name: str(emoji) for emoji in there}
        for suits in Suits:
            names = {card: name for card, (name, _image) in images(suits).items()}
            if tags.keys() >= set(names.values()):
                self.written[suits] = {card: tags[name] for card, name in names.items()}
