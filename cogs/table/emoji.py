"""Cards as emoji of the application: their names, and which of them exist."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Protocol

from data import Suits
from engine.games.cards import PACK, Card

#: The parts of an emoji's name, which screen readers read. The name ends with the beginning of the image's hash: a new
#: drawing is a new emoji.
_SUITS: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_OURS: Final = re.compile(r"(?:card_back|(?:[2-9AJQK]|10)_(?:spades|hearts|diamonds|clubs))_[0-9a-f]{6}")

EmojiOfCards = Mapping[Card | None, str]


class Emoji(Protocol):
    """An emoji as Discord describes it."""

    name: str

    def __str__(self) -> str: ...


@cache
def images(suits: Suits) -> Mapping[Card | None, tuple[str, bytes]]:
    """Return the name and the image of the emoji of each card, and of a card face down (None)."""
    from cogs.pictures.card_emoji import render_emoji

    found = {card: render_emoji(card, four_colours=suits is Suits.FOUR) for card in (*PACK, None)}
    return {card: (f"{_called(card)}_{hashlib.sha256(image).hexdigest()[:6]}", image) for card, image in found.items()}


def wanted() -> dict[str, bytes]:
    """Return the names and images of all card emoji. Cards that look the same in two and in four colours share one."""
    return {name: image for suits in Suits for name, image in images(suits).values()}


def is_ours(name: str) -> bool:
    """Return whether an emoji is a card of this release or an earlier one."""
    return _OURS.fullmatch(name) is not None


def _called(card: Card | None) -> str:
    if card is None:
        return "card_back"
    return f"{'10' if card[0] == 'T' else card[0]}_{_SUITS[card[1]]}"


class CardEmoji:
    """The card emoji of the application, in two colours and in four. Each of these sets is used once it is complete."""

    def __init__(self) -> None:
        #: The text that shows the emoji of each card; no cards until all of these emoji have been found.
        self.written: dict[Suits, EmojiOfCards] = dict.fromkeys(Suits, MappingProxyType({}))

    def learn(self, there: Iterable[Emoji]) -> None:
        """Learn the application's emoji. Each set of cards, in two or in four colours, is used if it is complete."""
        tags = {emoji.name: str(emoji) for emoji in there}
        for suits in Suits:
            names = {card: name for card, (name, _image) in images(suits).items()}
            if tags.keys() >= set(names.values()):
                self.written[suits] = {card: tags[name] for card, name in names.items()}
