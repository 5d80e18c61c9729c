"""A soak: thousands of presses and every command with garbage, through the real bot, while things fail around it.

What must hold: nobody's error goes unhandled, nobody is left without an answer unless Discord itself refused it, and
neither tasks nor objects grow with what was done.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import discord
import simcord
from simcord.enums import ComponentType, InteractionType
from simcord.interactions import resolve_handle

from bot import CasinoBot, create_bot
from engine.tables.ports import BankUnavailable, Change, OutcomeUnknown
from settings import Settings
from tests.cogs import raw

#: What somebody might type, or send with a client of their own.
TEXTS: Final = (
    "", " ", "0", "-1", "100", "1e9", "²", "١٠", "9" * 400, "NaN", "half", "@everyone", "<@1>", "`" * 9, "\0", "\u202e",
    "🂡" * 50, "'; DROP TABLE members; --", "vegas", "blackjack", "amateur", "fr", "2026-13-45 25:61", "tomorrow 9pm",
)  # fmt: skip
NUMBERS: Final = (0, 1, -1, 10, 100, 10_000, 2**53 - 1, -(2**53) + 1, 2**63, 0.5)
#: Buttons that were never made.
BUTTONS: Final = ("t:1:1:1:hit", "t:", "t:0:0:0:", "x", "t:99999999999999999999:1:1:stand", "t:1:1:1:💥", "p:1:2:3")
#: What Discord answers, and to which requests. Promises arrive: the pauses before they are tried again would be waited
#: for in real time, and `make simulate` loses enough of them.
REFUSALS: Final = ((500, 0), (503, 0), (404, 10008), (404, 10062), (404, 50027), (403, 50001), (403, 50013))
REQUESTS: Final = (
    ("PATCH", "/channels/*/messages/*"),
    ("POST", "/interactions/*"),
    ("PATCH", "/webhooks/*"),
    ("POST", "/webhooks/*"),
)


#: Seconds in which a press is answered on a busy machine. Timers that are due later are not waited for.
SETTLING: Final = 1.0


class Ears(logging.Handler):
    """Hears every error that was logged."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        cause = record.exc_info[1] if record.exc_info else None
        self.heard.append(f"{record.name}: {record.getMessage()}: {cause!r}")


@dataclass
class Soak:
    """`steps` presses and commands, each drawn from the seed."""

    env: simcord.Env
    steps: int
    seed: str = "21"
    done: Counter[str] = field(default_factory=Counter)
    unanswered: list[str] = field(default_factory=list)
    refused: int = 0  # answers that Discord itself did not take
    broken: Counter[str] = field(default_factory=Counter)
    #: Tasks and objects of ours, half of the way and at the end.
    sizes: list[tuple[int, Counter[str]]] = field(default_factory=list)
    _sent: list[tuple[str, simcord.InteractionResult, bool]] = field(default_factory=list)

    async def run(self) -> None:
        self._chance = random.Random(self.seed)
        guild = self.env.create_guild("Riverside")
        self._channels = [guild.create_text_channel(name) for name in ("casino", "annexe")]
        self._people = [guild.add_member(self.env.create_user(name)) for name in ("alice", "bob", "carol", "dave")]
        role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self._people.append(guild.add_member(self.env.create_user("mona"), roles=[role]))
        self._make_the_bank_unreliable()
        commands = list(self._commands())
        for step in range(self.steps):
            self._break_something()
            who, channel = self._chance.choice(self._people), self._chance.choice(self._channels)
            if step % 3 == 0:
                await self._command(who, channel, commands[step // 3 % len(commands)])
            else:
                await self._press(who, channel)
            await self._mend()
            if step in (self.steps // 2, self.steps - 1):
                self.sizes.append(await self._sizes())

    # -- what people send ------------------------------------------------------------------------------------------

    def _commands(self) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
        """Every command with every path into it."""
        for (name, kind), known in sorted(self.env.backend.commands[None].items()):
            if kind != 1:
                continue
            inner = [option for option in known.get("options") or () if option["type"] in (1, 2)]
            if not inner:
                yield name, known, []
            for option in inner:
                yield f"{name} {option['name']}", known, [option]

    async def _command(
        self, who: simcord.MemberActor, channel: simcord.ChannelHandle, told: tuple[str, dict[str, Any], list[Any]]
    ) -> None:
        name, known, path = told
        leaf = path[-1] if path else known
        resolved: dict[str, Any] = {}
        options = [
            {"name": option["name"], "type": option["type"], "value": self._value(option, resolved, channel)}
            for option in leaf.get("options") or ()
            if option["type"] in (3, 4, 5, 6, 10) and (option.get("required") or self._chance.random() < 0.5)
        ]
        for option in path:
            options = [{"name": option["name"], "type": option["type"], "options": options}]
        data = {"id": known["id"], "name": known["name"], "type": 1, "options": options, "resolved": resolved}
        await self._send(f"/{name} {options}", who, channel, InteractionType.APPLICATION_COMMAND, data, times=(1, 1, 2))

    async def _send(
        self, what: str, who: simcord.MemberActor, where: raw.Where, kind: InteractionType, data: dict[str, Any],
        times: tuple[int, ...],
    ) -> None:  # fmt: skip
        env: Any = self.env
        env._begin_operation("soak")
        try:
            sent = [raw._dispatch(who, where, kind, data) for _ in range(self._chance.choice(times))]
            with suppress(TimeoutError):  # it is judged later
                await env._settle_internal(dispatch="INTERACTION_CREATE")
        finally:
            env._end_operation()
        self.done[what.split()[0]] += len(sent)
        self._sent += [(what, simcord.InteractionResult(env, record), self._refused_now()) for record in sent]

    def _value(self, option: dict[str, Any], resolved: dict[str, Any], channel: simcord.ChannelHandle) -> Any:
        choices = [choice["value"] for choice in option.get("choices") or ()]
        if choices:  # Discord itself takes no other
            return self._chance.choice(choices)
        if option["type"] == 6:
            person = self._chance.choice(self._people)
            resolve_handle(person, person, resolved, channel_id=channel.id)
            return str(person.id)
        if option["type"] == 5:
            return self._chance.random() < 0.5
        if option["type"] == 4:
            return int(self._chance.choice(NUMBERS))
        return self._chance.choice(NUMBERS if option["type"] == 10 else TEXTS)

    async def _press(self, who: simcord.MemberActor, channel: simcord.ChannelHandle) -> None:
        """A button of one of the last messages, sometimes twice, sometimes one that there is not."""
        messages = [message for message in channel.history()[-12:] if _buttons(message)]
        if not messages:
            await self._command(who, channel, next(told for told in self._commands() if told[0] == "blackjack"))
            return
        message = self._chance.choice(messages[-3:])
        named = self._chance.choice(_buttons(message))
        if self._chance.random() < 0.1:
            named = self._chance.choice(BUTTONS)
        button = {"custom_id": named, "component_type": ComponentType.BUTTON}
        kind = InteractionType.MESSAGE_COMPONENT
        await self._send(f"button {named}", who, message, kind, button, times=(1, 1, 1, 2, 3))

    def _judge(self) -> None:
        for what, result, refused in self._sent:
            if not result.acknowledged and refused:
                self.refused += 1
            elif not result.acknowledged:
                self.unanswered.append(what)
        self._sent.clear()

    # -- what fails ------------------------------------------------------------------------------------------------

    def _break_something(self) -> None:
        if self._chance.random() < 0.15:
            (method, path), (status, code) = self._chance.choice(REQUESTS), self._chance.choice(REFUSALS)
            self.env.inject_error(method, path, status=status, code=code, times=self._chance.choice((1, 2)))
        self._planned = sum(fault["times"] for fault in self.env.backend.faults)

    def _refused_now(self) -> bool:
        return sum(fault["times"] for fault in self.env.backend.faults) < self._planned

    async def _mend(self) -> None:
        for fault in ("Discord",) * self._refused_now():
            self.broken[fault] += 1
        self.env.backend.faults.clear()
        self.env.backend.http_requests.clear()
        self.env.backend.transcript.clear()
        if self._chance.random() < 0.1:
            await self._pass_time(self._chance.choice((1, 20, 90, 400)))

    def _make_the_bank_unreliable(self) -> None:
        assert isinstance(self.env.bot, CasinoBot)
        tables = self.env.bot.bank.tables
        right = tables.commit

        async def commit(change: Change) -> None:
            fate = self._chance.random()
            if fate < 0.01:
                self.broken["bank: unavailable"] += 1
                raise BankUnavailable
            await right(change)
            if fate < 0.02:
                self.broken["bank: kept, not told"] += 1
                raise OutcomeUnknown

        tables.commit = commit  # type: ignore[method-assign]

    async def _pass_time(self, seconds: float) -> None:
        with suppress(TimeoutError):  # timers that were due in real time were waited for, and it is not that late yet
            await self.env.advance_time(seconds)

    # -- what it weighs --------------------------------------------------------------------------------------------

    async def _sizes(self) -> tuple[int, Counter[str]]:
        """When all tables have come to rest."""
        for _ in range(40):
            await self._pass_time(300)
        self._judge()
        gc.collect()
        kinds = Counter(f"{type(thing).__module__}.{type(thing).__name__}" for thing in gc.get_objects())
        ours = {kind: count for kind, count in kinds.items() if kind.startswith(("engine.", "cogs.", "data."))}
        kept = {kind: count for kind, count in ours.items() if not kind.startswith("cogs.pictures.")}  # sprites fill up
        return len(asyncio.all_tasks()), Counter(kept)


def _buttons(message: discord.Message) -> list[str]:
    return [part["custom_id"] for part in raw.components(message) if part["type"] == 2 and "custom_id" in part]


async def soaked(file: Path, steps: int, seed: str = "21") -> tuple[Soak, Ears]:
    """A whole bot on a bank in this file, for so many steps."""
    settings = Settings(
        database_url=f"sqlite:///{file}", think_seconds=0, presses_a_second=0, card_emoji=False, coach=False
    )
    ears, root = Ears(), logging.getLogger()
    root.addHandler(ears)
    env = simcord.Env(create_bot(settings), settle_timeout=SETTLING)
    await env.start()
    try:
        soak = Soak(env, steps, seed)
        await soak.run()
        faults = (await env.bot.bank.auditor.audit()).faults  # type: ignore[union-attr]
        ears.heard += map(str, faults)
    finally:
        await env.bot.close()
        await env.shutdown()
        root.removeHandler(ears)
    env.raise_errors()
    return soak, ears
