"""`python -m bench requests`: requests to Discord for each round, by kind.

The bot runs on a simulated Discord with a virtual clock. People deal as soon as they may, and stand; computer players
think as long as on a server. Every run deals the same hands, so the figures are the same. An answer to a press is free;
edits and other requests count against Discord's limits.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import random
import tempfile
from collections import Counter
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import discord
import simcord

from bot import CasinoBot, create_bot
from engine.games.cards import PACK, Card, Shoe
from engine.tables.snapshot import Snapshot, TablePhase
from settings import Settings

_ROUNDS: Final = 20
#: Seconds for which people look at a result.
_LOOK: Final = 3.0
#: The first words of the keys to press: the first one that is enabled is pressed.
_WISHES: Final = ("No insurance", "Stand", "Smallest")

_ANSWERS, _EDITS, _OTHERS = _KINDS = ("answers to presses", "edits", "other requests")

#: The figures of the same hands on the release before, at 9f3410c: rounds, and requests of each kind a round.
BEFORE: Final[Mapping[str, tuple[int, float, float, float]]] = {
    "a lone player": (20, 1.75, 0.0, 0.0),
    "5 people": (20, 9.8, 0.0, 0.0),
    "2 people, 3 computer players": (20, 4.0, 3.7, 0.0),
    "elimination, with 3 computer players": (6, 2.0, 3.67, 0.0),
}


@dataclass(frozen=True)
class Company:
    """The players, and the command that the first of them types."""

    people: int
    command: str = "blackjack"
    options: Mapping[str, Any] | None = None


COMPANIES: Final = {
    "a lone player": Company(1),
    "5 people": Company(5),
    "2 people, 3 computer players": Company(2, options={"ai": 3}),
    "elimination, with 3 computer players": Company(1, "elimination"),
}


def main() -> None:
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {"bench": "requests", "unit": "requests a round"}
    for name, company in COMPANIES.items():
        found[name] = asyncio.run(_counted(company))
        found[f"{name}, the release before"] = _named(*BEFORE[name])
    print(json.dumps(found))


class ListedShuffles:
    """The shuffles of a list, dealt in turn, whatever the seed is, so that every release deals the same hands."""

    def __init__(self) -> None:
        self._shoes: dict[bytes, tuple[Card, ...]] = {}

    def __call__(self, seed: bytes, inputs: Sequence[str], decks: int) -> Shoe:
        if seed not in self._shoes:
            cards = list(PACK * decks)
            random.Random(len(self._shoes)).shuffle(cards)
            self._shoes[seed] = tuple(cards)
        return self._shoes[seed]


@dataclass
class TableEvening:
    """Some people at one table."""

    env: simcord.Env
    channel: simcord.ChannelHandle
    people: Sequence[simcord.MemberActor]
    bot: CasinoBot

    def now(self) -> Snapshot:
        (table,) = self.bot.registry.tables()
        return table.snapshot()

    async def sit_down(self, company: Company) -> None:
        await self._done(self.people[0].slash(self.channel, company.command, **(company.options or {})))
        while self.now().phase is TablePhase.PLAYING:
            await self._move()
        for who in self.people[1:]:
            await self._press(who, "Join")

    async def play(self, rounds: int) -> int:
        """Play this many rounds, or until the table closes, and return how many there were."""
        first = last = self.now().round
        while last - first < rounds and self.bot.registry.tables():
            await self._move()
            last = self.now().round if self.bot.registry.tables() else last
        return last - first

    async def _move(self) -> None:
        """Press for the next person, or let a second pass if nobody has to or the message does not show it yet."""
        now = self.now()
        if now.phase is TablePhase.BETTING and now.elimination is None:
            await self._done(self.env.advance_time(_LOOK))
            for who in self.people:
                await self._press(who, "Deal")
            return
        asked, may = self._asked(now), [wish for wish in _WISHES if wish in self._keys()]
        if asked is not None and may:
            await self._press(asked, may[0])
        else:
            await self._done(self.env.advance_time(1.0))

    def _asked(self, now: Snapshot) -> simcord.MemberActor | None:
        asked = {sitter.user for seat, legal in enumerate(now.legal) if legal and (sitter := now.sitter_at(seat))}
        if now.elimination is not None and now.elimination.asked is not None:
            asked.add(now.players[now.elimination.asked].user)
        return next((who for who in self.people if who.id in asked), None)

    def _keys(self) -> dict[str, str]:
        """Return the enabled keys by the first words of their labels, without prices."""
        labels = (child.label for child in _buttons(self._message().components) if not child.disabled)
        return {word: label for label in labels if label for word in (*_WISHES, "Join", "Deal") if _is(label, word)}

    def _message(self) -> discord.Message:
        return next(message for message in self.channel.history() if message.id == self.now().message)

    async def _press(self, who: simcord.MemberActor, word: str) -> None:
        if word in (keys := self._keys()):
            await self._done(who.click(self._message(), label=keys[word]))

    async def _done(self, deed: Awaitable[object]) -> None:
        """Wait until a deed is done, however long a busy machine takes."""
        until_rest = itertools.chain((deed,), (self.env.settle() for _ in itertools.repeat(None)))
        for waited in until_rest:
            with suppress(TimeoutError):
                await waited
                return


def _is(label: str, word: str) -> bool:
    return label == word or label.startswith(f"{word} ")


def _buttons(components: Any) -> list[discord.Button]:
    found: list[discord.Button] = []
    for part in components:
        found += [part] if isinstance(part, discord.Button) else _buttons(getattr(part, "children", ()))
    return found


async def _counted(company: Company) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        settings = Settings(
            database_url=f"sqlite:///{Path(folder) / 'bank.db'}", presses_a_second=0, card_emoji=False, coach=False
        )
        bot = create_bot(settings)
        bot.shoe = ListedShuffles()
        async with simcord.run(bot) as env:
            guild = env.create_guild("Bench")
            people = [guild.add_member(env.create_user(f"player{number}")) for number in range(company.people)]
            evening = TableEvening(env, guild.create_text_channel("casino"), people, bot)
            await evening.sit_down(company)
            before = len(env.http_requests)
            rounds = await evening.play(_ROUNDS)
            kinds = Counter(map(_kind, env.http_requests[before:]))
            await bot.close()
    return _named(rounds, *(round(kinds[kind] / rounds, 2) for kind in _KINDS))


def _named(rounds: int, *each: float) -> dict[str, float]:
    return {"rounds": rounds, **dict(zip(_KINDS, each, strict=True))}


def _kind(request: Any) -> str:
    if "/interactions/" in request.path or "/webhooks/" in request.path:
        return _ANSWERS
    return _EDITS if request.method == "PATCH" and "/messages/" in request.path else _OTHERS
