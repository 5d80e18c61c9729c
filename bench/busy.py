"""`python -m bench busy`: how late a turn is shown in a busy channel, in seconds of Discord's time.

Each person plays at a table of their own with three computer players; all tables are in one channel. The bot runs on a
simulated Discord with a virtual clock. Edits beyond Discord's limits are counted: five of a channel's messages in five
seconds, and as many through the token of one press. People press two seconds after their turn is shown. Every run deals
the same hands.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import secrets
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import simcord
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

from bot import create_bot
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from settings import Settings

_TABLES: Final = (1, 2, 10)
#: Seconds that an evening lasts, that a step takes, and that people look before they press.
_PLAYED, _STEP, _LOOK = 120.0, 0.2, 2.0
#: Real seconds within which the simulation waits for timers after a press, and while its clock is moved.
_AT_ONCE, _PATIENCE = 0.02, 30.0
#: Discord's limit: this many edits in this many seconds.
_EDITS, _WINDOW = 5, 5.0
#: The words of the keys to press: the first one that is enabled is pressed.
_WISHES: Final = ("no-insurance", "stand", "deal")

#: The figures of the same evening by the number of tables at e76a8ab, before edits went through the tokens of presses
#: and waited in turn.
BEFORE: Final[Mapping[int, Mapping[str, float]]] = {
    2: {"turns": 39, "p50, s": 0.0, "p90, s": 1.6, "worst, s": 2.4, "edits beyond Discord's limits": 0},
    10: {"turns": 149, "p50, s": 0.2, "p90, s": 3.8, "worst, s": 5.0, "edits beyond Discord's limits": 37},
}


class EditLimits:
    """A count of the edits beyond Discord's limits, which Discord would hold back."""

    def __init__(self) -> None:
        self._sent: defaultdict[str, deque[float]] = defaultdict(deque)
        self.beyond = 0

    def count(self, method: str, path: str) -> None:
        if method != "PATCH" or "/messages/" not in path:
            return
        sent, now = self._sent[path.partition("/messages/")[0]], time.monotonic()
        while sent and now - sent[0] >= _WINDOW:
            sent.popleft()
        self.beyond += len(sent) >= _EDITS
        sent.append(now)


@contextmanager
def limited(limits: EditLimits) -> Iterator[None]:
    """Count every request of the bot in the block."""
    plain = {transport: transport.request for transport in (FakeHTTPClient, FakeWebhookAdapter)}

    def over(request: Any) -> Any:
        async def asked(self: Any, route: Any, *rest: Any, **sent: Any) -> Any:
            limits.count(route.method, route.url.split("?")[0])
            return await request(self, route, *rest, **sent)

        return asked

    for transport, request in plain.items():
        transport.request = over(request)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for transport, request in plain.items():
            transport.request = request  # type: ignore[method-assign]


@dataclass
class BusyPlayer:
    """A person at a table of their own, and the turns that were shown to them."""

    who: simcord.MemberActor
    table: Table
    #: The turn that is theirs now, when it began, and when it was shown.
    turn: tuple[int, int] | None = None
    since: float = 0.0
    seen: float | None = None
    late: list[float] = field(default_factory=list)

    def look(self, now: float, keys: Mapping[str, str]) -> str | None:
        """Look at the message and return the custom id to press, if there is one and it is time."""
        snapshot = self.table.snapshot()
        turn = _asks(snapshot)
        if turn != self.turn:
            self.turn, self.since, self.seen = turn, now, None
        if turn is None:
            return None
        if self.seen is None and (pressable := _key(keys, turn)) is not None:
            self.seen = now
            self.late.append(now - self.since)
        pressable = _key(keys, turn)
        return pressable if self.seen is not None and now - self.seen >= _LOOK else None


def _asks(snapshot: Snapshot) -> tuple[int, int] | None:
    """Return the round and the turn that the buttons carry, if a person is asked for an action or for the next
    stake.
    """
    if snapshot.phase is TablePhase.PLAYING:
        return (snapshot.round, snapshot.turn) if any(snapshot.legal) else None
    return (snapshot.to_come, 0) if snapshot.phase is TablePhase.BETTING else None


def _key(keys: Mapping[str, str], turn: tuple[int, int]) -> str | None:
    """Return the custom id of the first key of `_WISHES` that the message has for this turn."""
    fitting = {word: custom_id for word, custom_id in keys.items() if custom_id.split(":")[2:4] == [*map(str, turn)]}
    return next((fitting[wish] for wish in _WISHES if wish in fitting), None)


def _keys(components: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the custom ids of a message's enabled buttons, by their words."""
    found: dict[str, str] = {}
    for part in components:
        if part["type"] == 2 and not part.get("disabled") and part.get("custom_id", "").startswith("t:"):
            found[part["custom_id"].rpartition(":")[2]] = part["custom_id"]
        found |= _keys(part.get("components", ()))
    return found


def _count_seeds() -> None:
    """Make seeds predictable, so that every evening deals the same hands."""
    numbers = itertools.count(1)
    secrets.token_bytes = lambda nbytes=32: hashlib.sha256(str(next(numbers)).encode()).digest()[:nbytes]


async def _evening(tables: int) -> dict[str, float]:
    _count_seeds()
    limits = EditLimits()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, limited(limits):
        settings = Settings(
            database_url=f"sqlite:///{Path(folder) / 'bank.db'}", presses_a_second=0, card_emoji=False, coach=False
        )
        settings = replace(settings, backup_hours=0)
        bot = create_bot(settings)
        async with simcord.run(bot) as env:
            guild = env.create_guild("Bench")
            channel = guild.create_text_channel("casino")
            players: list[BusyPlayer] = []
            for number in range(tables):
                who = guild.add_member(env.create_user(f"player{number}"))
                await who.slash(channel, "blackjack", bet="10", ai=3, solo=True)
                (mine,) = [table for table in bot.registry.tables() if table.state.opener == who.id]
                players.append(BusyPlayer(who, mine))
            await _play(env, channel, players)
            await bot.close()
    late = sorted(seconds for player in players for seconds in player.late)
    return {
        "turns": len(late),
        "p50, s": round(median(late), 2),
        "p90, s": round(quantiles(late, n=10)[8], 2),
        "worst, s": round(late[-1], 2),
        "edits beyond Discord's limits": limits.beyond,
    }


async def _play(env: simcord.Env, channel: simcord.ChannelHandle, players: Sequence[BusyPlayer]) -> None:
    for _step in range(round(_PLAYED / _STEP)):
        with suppress(TimeoutError):  # a busy machine
            await env.advance_time(_STEP)
        for player in players:
            state = player.table.state
            if state.message is None:
                continue
            message = env.backend.get_message(state.channel, state.message)
            if custom_id := player.look(env.now().timestamp(), _keys(message.components)):
                shown = next(each for each in channel.history() if each.id == state.message)
                env.settle_timeout = _AT_ONCE
                with suppress(TimeoutError):
                    await player.who.click(shown, custom_id=custom_id)
                env.settle_timeout = _PATIENCE


def main() -> None:
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {"bench": "busy", "unit": "seconds from the beginning of a turn until it is shown"}
    for tables in _TABLES:
        found[f"tables in a channel: {tables}"] = asyncio.run(_evening(tables))
        if tables in BEFORE:
            found[f"tables in a channel: {tables}, the release before"] = BEFORE[tables]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
