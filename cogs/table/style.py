"""How a table is to look for those who see it, beside the language: like that, it holds for the task that draws."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from cogs.words import cards, mono
from engine.games.cards import Card

#: So many names are remembered; whoever pressed nothing for the longest time is forgotten first.
MOST_NAMES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Style:
    #: What people are called on this server, by Discord's ids, as far as they have been met.
    names: Mapping[int, str] = field(default_factory=dict)
    #: Each suit in a colour of its own.
    four_colours: bool = False
    #: Whether there is a picture, or all is said in words.
    pictures: bool = True
    #: How cards are written, where the application has emoji of them.
    cards: Mapping[Card | None, str] = field(default_factory=dict)


_USUAL: Final = Style()
#: What this task shows looks like this, and what it begins.
STYLE: Final[ContextVar[Style]] = ContextVar("style", default=_USUAL)


def style() -> Style:
    return STYLE.get()


def written(row: Iterable[Card | None]) -> str:
    """Cards in a text: as emoji, else in even letters, because Discord would make dark pictures of the suits."""
    known, row = style().cards, tuple(row)
    return "".join(known[card] for card in row) if known else mono(cards(row))


@contextmanager
def styled(wanted: Style) -> Iterator[None]:
    """For a while tables look like this."""
    before = STYLE.set(wanted)
    try:
        yield
    finally:
        STYLE.reset(before)


class Names:
    """What people are called, learnt from their presses: a bot without privileged intents hears of nobody else."""

    def __init__(self) -> None:
        self._heard: OrderedDict[tuple[int, int], None] = OrderedDict()  # by guild and user, those heard of last behind
        self._names: dict[int, dict[int, str]] = {}

    def learn(self, guild: int, user: int, name: str) -> None:
        self._names.setdefault(guild, {})[user] = name
        self._heard[guild, user] = None
        self._heard.move_to_end((guild, user))
        if len(self._heard) > MOST_NAMES:
            self._drop(*next(iter(self._heard)))

    def of(self, guild: int) -> Mapping[int, str]:
        """By Discord's ids: those who have been met on this server."""
        return self._names.get(guild, {})

    def forget(self, user: int) -> None:
        """On all servers."""
        for guild in [guild for guild, known in self._names.items() if user in known]:
            self._drop(guild, user)

    def _drop(self, guild: int, user: int) -> None:
        del self._heard[guild, user]
        del self._names[guild][user]
        if not self._names[guild]:
            del self._names[guild]
