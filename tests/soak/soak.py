"""A soak: thousands of presses and every command with garbage, through the real bot, while things fail around it.

What must hold: nobody's error goes unhandled, nobody is left without an answer unless Discord itself refused it, and
neither tasks nor objects nor memory grow with what was done.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import itertools
import logging
import random
import secrets
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import discord
import simcord
import sqlalchemy as sa
from simcord.enums import ComponentType, InteractionType
from simcord.http import router
from simcord.interactions import resolve_handle

from bot import CasinoBot, create_bot
from cogs.pictures import canvas
from cogs.table import components, presenter
from cogs.tournament import announcer
from data.base.schema import grades
from data.journal.leaves import Leaves
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.values import Change
from settings import Settings
from tests.cogs import raw
from tests.ears import Ears

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


#: Seconds in which a press is answered. What takes longer goes on beside the next ones, and is judged at the next look.
SOON: Final = 0.2
#: Seconds in which hours pass, also where the machine has much else to do.
PATIENCE: Final = 300.0
#: After so long without a press a table closes.
IDLE: Final = 60.0
#: So often it is looked whether the bot has come to rest.
LOOKING: Final = 0.002
#: Whose objects are counted.
OURS: Final = ("engine.", "cogs.", "data.", "discord.")
#: Caches fill: of one kind of objects so many more may be there in the end, and one more for so many steps.
MORE: Final = 60
STEPS: Final = 20
#: And so much more memory, in bytes a step.
BYTES: Final = 500


class Env(simcord.Env):
    """Hours pass in it within moments."""

    async def _settle_internal(self, **asked: Any) -> None:
        await super()._settle_internal(**asked | {"idle": LOOKING})


@dataclass(frozen=True, slots=True)
class Size:
    """What there is when everything has come to rest."""

    steps: int
    tasks: int
    objects: Counter[str]  # of ours, by their kind
    traced: Counter[str]  # bytes by the file that asked for them, if memory is traced

    def __str__(self) -> str:
        memory = f", {self.traced.total() / 2**20:.2f} MiB" if self.traced else ""
        return f"after {self.steps} steps: {self.tasks} tasks, {self.objects.total()} objects of ours{memory}"


@dataclass
class Soak:
    """`steps` presses and commands, each drawn from the seed."""

    env: simcord.Env
    steps: int
    seed: str
    #: So often it is looked what there is.
    looks: int = 2
    #: The commands that are sent: all of them, unless some are named.
    only: tuple[str, ...] = ()
    done: Counter[str] = field(default_factory=Counter)
    unanswered: list[str] = field(default_factory=list)
    graded: int = 0  # hands that the coach has judged
    refused: int = 0  # answers that Discord itself did not take
    broken: Counter[str] = field(default_factory=Counter)
    sizes: list[Size] = field(default_factory=list)
    _sent: list[tuple[str, Any]] = field(default_factory=list)
    _untaken: set[str] = field(default_factory=set)  # what names the interactions whose answers those were

    async def run(self) -> None:
        self._chance = random.Random(self.seed)
        guild = self.env.create_guild("Riverside")
        self._channels = [guild.create_text_channel(name) for name in ("casino", "annexe")]
        self._people = [guild.add_member(self.env.create_user(name)) for name in ("alice", "bob", "carol", "dave")]
        role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self._people.append(guild.add_member(self.env.create_user("mona"), roles=[role]))
        self._make_the_bank_unreliable()
        with patch.object(router, "dispatch", self._noting_refusals(router.dispatch)):
            await self._live()

    async def _live(self) -> None:
        commands = list(self._commands())
        looks = {self.steps * look // self.looks for look in range(1, self.looks + 1)}
        for step in range(self.steps):
            self._break_something()
            who, channel = self._chance.choice(self._people), self._chance.choice(self._channels)
            if step % 3 == 0:
                await self._command(who, channel, commands[step // 3 % len(commands)])
            else:
                await self._press(who, channel)
            await self._mend()
            if step + 1 in looks:
                self.sizes.append(await self._size(step + 1))

    # -- what people send ------------------------------------------------------------------------------------------

    def _commands(self) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
        """Every command with every path into it."""
        for (name, kind), known in sorted(self.env.backend.commands[None].items()):
            if kind != 1 or (self.only and name not in self.only):
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
                await env._settle_internal(timeout=SOON, dispatch="INTERACTION_CREATE")
        finally:
            env._end_operation()
        self.done[what.split()[0]] += len(sent)
        self._sent += [(what, record) for record in sent]

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
        for what, record in self._sent:
            if not record.responded and record.token in self._untaken:
                self.refused += 1
            elif not record.responded:
                self.unanswered.append(what)
        self._sent.clear()
        self._untaken.clear()

    # -- what fails ------------------------------------------------------------------------------------------------

    def _break_something(self) -> None:
        if self._chance.random() < 0.15:
            (method, path), (status, code) = self._chance.choice(REQUESTS), self._chance.choice(REFUSALS)
            self.env.inject_error(method, path, status=status, code=code, times=self._chance.choice((1, 2)))

    def _noting_refusals(self, dispatch: Callable[..., Any]) -> Callable[..., Any]:
        """An answer may come, and be refused, long after its press: the address says which one it was for."""

        def noted(backend: Any, method: str, path: str, **sent: Any) -> Any:
            planned = _planned(backend)
            try:
                return dispatch(backend, method, path, **sent)
            finally:
                if _planned(backend) < planned:
                    self.broken["Discord"] += 1
                    self._untaken.update(path.split("/"))

        return noted

    async def _mend(self) -> None:
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
        await self.env.advance_time(seconds)

    # -- what it weighs --------------------------------------------------------------------------------------------

    async def _size(self, steps: int) -> Size:
        """When all tables have closed, and nothing is left to be done."""
        bot = self.env.bot
        assert isinstance(bot, CasinoBot)
        for _ in range(40):
            await self._pass_time(2 * IDLE)
            if not bot.registry.tables():
                break
        await self._pass_time(60)
        self._judge()
        self._forget()
        gc.collect()
        kinds = Counter(f"{type(thing).__module__}.{type(thing).__name__}" for thing in gc.get_objects())
        ours = {kind: count for kind, count in kinds.items() if kind.startswith(OURS)}
        return Size(steps, len(asyncio.all_tasks()), Counter(ours), _traced())

    def _forget(self) -> None:
        """What the simulated Discord keeps is no memory of the bot's. What has a bound of its own fills up to it, and
        would pass for a leak until then; what has none stays, and is weighed."""
        for kept in (canvas._kept_patches, canvas._kept_strips, components._kept):
            kept.clear()
        for function in _with_a_bound():
            function.cache_clear()
        backend = self.env.backend
        for said in (*backend.messages.values(), backend.interactions, backend.interaction_tokens, backend.cdn._blobs):
            said.clear()  # type: ignore[attr-defined]

    @property
    def warm(self) -> Size:
        """When half of all was done: everything had been tried, and caches were full."""
        return self.sizes[(len(self.sizes) - 1) // 2]

    def problems(self) -> Iterator[str]:
        """What has not held, in a sentence each."""
        yield from (f"no answer to {what}" for what in self.unanswered)
        first, last = self.warm, self.sizes[-1]
        steps = last.steps - first.steps
        if last.tasks > first.tasks:
            yield f"{last.tasks - first.tasks} tasks are left"
        for kind, more in (last.objects - first.objects).items():
            if more > MORE + steps / STEPS:
                yield f"{more} more of {kind} in {steps} steps"
        more = last.traced.total() - first.traced.total()
        if more > BYTES * steps:
            yield f"{more} more bytes in {steps} steps"


def _with_a_bound() -> Iterator[Any]:
    """Every function of ours that remembers so many of its results, and no more."""
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS[:3]):
            for kept in vars(module).values():
                if hasattr(kept, "cache_parameters") and kept.cache_parameters()["maxsize"] is not None:
                    yield kept


#: What asks for memory for the simulated Discord, and for this.
_NOT_OURS: Final = [tracemalloc.Filter(False, f"*/{path}/*") for path in ("simcord", "tests", "json")]  # noqa: FBT003


def _traced() -> Counter[str]:
    """What the bot and its libraries hold."""
    if not tracemalloc.is_tracing():
        return Counter()
    by_file = tracemalloc.take_snapshot().filter_traces(_NOT_OURS).statistics("filename")
    return Counter({kept.traceback[0].filename: kept.size for kept in by_file})


def _planned(backend: Any) -> int:
    """How many answers are still to be refused."""
    return sum(fault["times"] for fault in backend.faults)


def _buttons(message: discord.Message) -> list[str]:
    return [part["custom_id"] for part in raw.components(message) if part["type"] == 2 and "custom_id" in part]


@contextmanager
def _prepared(seed: str) -> Iterator[None]:
    """The casino's own chance, the same in every run of a seed; and no pauses that save edits, for nobody looks on."""
    numbers = itertools.count()
    with ExitStack() as stack:
        for module, name, value in (
            (secrets, "token_bytes", lambda size=32: _drawn(f"{seed}/{next(numbers)}")[:size]),
            (presenter, "FOLD", 0.01),
            (announcer, "FOLD", 0.05),
            (Leaves, "every", IDLE),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield


def _drawn(text: str) -> bytes:
    return hashlib.sha512(text.encode()).digest()


async def soaked(
    file: Path,
    steps: int,
    seed: str,
    looks: int = 2,
    only: tuple[str, ...] = (),
    plant: Callable[[CasinoBot], None] = lambda _: None,
) -> tuple[Soak, list[str]]:
    """A whole bot on a bank in this file, for so many steps; and what was wrong, in a sentence each."""
    settings = Settings(
        database_url=f"sqlite:///{file}", think_seconds=0, presses_a_second=0, card_emoji=False, backup_hours=0,
        idle_seconds=IDLE,
    )  # fmt: skip
    ears, root = Ears(), logging.getLogger()
    root.addHandler(ears)
    bot = create_bot(settings)
    env = Env(bot, settle_timeout=PATIENCE)
    with _prepared(seed):
        await env.start()
        try:
            plant(bot)
            soak = Soak(env, steps, seed, looks, only)
            await soak.run()
            soak.graded = await bot.bank._store.value(sa.select(sa.func.count()).select_from(grades))
            faults = (await bot.bank.auditor.audit()).faults
        finally:
            await bot.close()
            await env.shutdown()
            root.removeHandler(ears)
    unhandled = [f"unhandled: {error!r}" for error in env.errors]
    return soak, [*ears.heard, *unhandled, *map(str, faults), *soak.problems()]
