"""`python -m bench tournament`: whole tournaments, their cost and their requests to Discord.

One has sixteen people, one has five and computer players, through the bot on a simulated Discord whose start comes at
once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import discord
import simcord
from simcord.results import to_discord_message

from bot import CasinoBot, create_bot
from data.journal.leaves import Leaves
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from settings import Settings

#: Seconds in which Discord allows five edits of a message.
_WINDOW = 5.0


def main() -> None:
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        full = asyncio.run(_played(Path(folder) / "16.db", 16))
        mixed = asyncio.run(_played(Path(folder) / "5.db", 5, think_seconds=0.3))
    print(json.dumps({"bench": "tournament", "16 people": full, "5 people": mixed}))


# -- through the bot ---------------------------------------------------------------------------------------------------

#: Seconds that an hour of the simulation may take on a busy machine. A press has simcord's five, which are real
#: seconds, so a table's clock must not be part of them.
_PATIENCE: Final = 180.0


@dataclass
class TournamentEvening:
    """A tournament in which everybody presses something sensible."""

    env: simcord.Env
    people: dict[int, simcord.MemberActor]
    manager: simcord.MemberActor
    channel: simcord.ChannelHandle
    tables: dict[int, Table] = field(default_factory=dict)
    presses: int = 0
    seen: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    edits: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def bot(self) -> CasinoBot:
        assert isinstance(self.env.bot, CasinoBot)
        return self.env.bot

    async def begin(self) -> None:
        hour = (self.env.now() + timedelta(hours=1)).strftime("%H:%M")
        result = await self.manager.slash(self.channel, "tournament schedule", time=hour, buy_in=100)
        assert result.response is not None
        await self.manager.click(result.response, label="Confirm")
        for who in self.people.values():
            message = self.channel.last_message
            assert message is not None
            await who.click(message, label="Join")
        briefly, self.env.settle_timeout = self.env.settle_timeout, _PATIENCE
        await self.env.advance_time(3_601)
        self.env.settle_timeout = briefly
        self.count()

    async def play(self) -> None:
        while tables := self.bot.registry.tables():
            self.tables |= {table.id: table for table in tables}
            pressed = [await self._press_at(table) for table in tables]
            if not any(pressed):
                await self.env.advance_time(1)
            self.count()
        await self.env.advance_time(30)
        self.count()

    async def _press_at(self, table: Table) -> bool:
        now = table.snapshot()
        who = self._asked(now)
        if who is None or now.message is None or now.phase is TablePhase.CLOSED:
            return False
        stored = self.env.backend.get_message(now.channel, now.message)
        word = "Smallest" if now.phase is TablePhase.BETTING else "Stand"
        keys = [part for part in _parts(stored.components) if part.get("label", "").startswith(word)]
        if not keys or keys[0].get("disabled"):
            return False  # the message has yet to be drawn
        await who.click(to_discord_message(self.env, stored), label=keys[0]["label"])
        self.presses += 1
        self.count()
        return True

    def _asked(self, now: Snapshot) -> simcord.MemberActor | None:
        if now.phase is TablePhase.BETTING:
            seat = now.standings.asked
            return None if seat is None else self.people.get(now.players[seat].user or 0)
        sitters = [now.sitter_at(seat) for seat in now.dealt.asked]
        return next((self.people[s.user] for s in sitters if s is not None and s.user in self.people), None)

    def watch(self) -> None:
        """Note when a message is edited other than by the answer to a press."""
        send = self.bot.http.request

        async def watched(route: discord.http.Route, **more: Any) -> Any:
            if route.method == "PATCH" and "/messages/" in route.path:
                self.edits[route.url].append(self.env.now().timestamp())
            return await send(route, **more)

        self.bot.http.request = watched  # type: ignore[method-assign]

    def count(self) -> None:
        fresh = self.env.http_requests[self.seen :]
        self.seen += len(fresh)
        for request in fresh:
            answer = "/interactions/" in request.path or "/webhooks/" in request.path
            self.requests["answers" if answer else "others"] += 1


def _parts(tree: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in tree:
        yield part
        yield from _parts(part.get("components", []))


async def _played(file: Path, people: int, think_seconds: float = 0.0) -> dict[str, Any]:
    settings = Settings(
        database_url=f"sqlite:///{file}",
        think_seconds=think_seconds,
        presses_a_second=0,
        card_emoji=False,
        backup_hours=0,
    )
    Leaves.every = 86_400.0  # an hour passes at once here, and binding the book every few seconds would dominate
    env = simcord.Env(create_bot(settings))
    await env.start()
    evening = _invited(env, people)
    await evening.begin()
    evening.watch()
    wall, work = time.perf_counter(), time.process_time()
    await evening.play()
    wall, work = time.perf_counter() - wall, time.process_time() - work
    figures = await _figures(evening, wall, work)
    await evening.bot.close()
    await env.shutdown()
    return figures


def _invited(env: simcord.Env, people: int) -> TournamentEvening:
    guild = env.create_guild("Riverside")
    channel = guild.create_text_channel("casino")
    role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    manager = guild.add_member(env.create_user("mona"), roles=[role])
    invited = [guild.add_member(env.create_user(f"player{number}")) for number in range(people)]
    return TournamentEvening(env, {who.id: who for who in invited}, manager, channel)


async def _figures(evening: TournamentEvening, wall: float, work: float) -> dict[str, Any]:
    bank = evening.bot.bank
    assert (await bank.auditor.audit()).clean
    rounds = sum(table.state.round for table in evening.tables.values())
    requests, edits = evening.requests, sum(map(len, evening.edits.values()))
    return {
        "tables": len(evening.tables),
        "rounds": rounds,
        "presses": evening.presses,
        "seconds": round(wall, 1),
        "CPU ms a round": round(work / rounds * 1000, 1),
        "requests a round and table": round(requests.total() / rounds, 2),
        "edits a round and table": round(edits / rounds, 2),
        "most edits of a message in 5 s": max(_busiest(times) for times in evening.edits.values()),
    }


def _busiest(times: list[float]) -> int:
    return max(sum(begun <= moment < begun + _WINDOW for moment in times) for begun in times)
