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
from data import Bank, Championship, Ware
from data.base.schema import breaks, grades, holdings, limits
from data.base.set_tables import COUNTED, DAY_SET, duels, sets, tries
from data.journal.leaves import Leaves
from engine.games.contract import CHIP
from engine.sets.duels import DuelState
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.values import Change
from settings import Settings
from tests.cogs import raw
from tests.data.dealer import HandClock
from tests.ears import Ears

#: Texts that somebody might type, or send with a client of their own.
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
    ("PUT", "/guilds/*/members/*/roles/*"),
)


#: Steps after which somebody walks through the pages of breaks and limits, and the presses of that walk.
CARE_EVERY: Final = 30
CARE_PRESSES: Final = 8
#: The number of steps after which somebody buys a role, which lasts a day.
SHOP_EVERY: Final = 20
#: Steps after which two people play a duel, and after which somebody plays Today's five.
DUEL_EVERY: Final = 80
DAY_EVERY: Final = 50
#: The most presses of a person in hands like those, and the seconds in which an answer comes.
HAND_PRESSES: Final = 40
HAND_SOON: Final = 10.0
#: Seconds in which a press is answered. What takes longer goes on beside the next ones, and is judged at the next look.
SOON: Final = 0.2
#: Seconds in which hours pass, even where the machine has much else to do.
PATIENCE: Final = 300.0
#: After so long without a press a table closes.
IDLE: Final = 60.0
#: Seconds between looks whether the bot has come to rest.
LOOKING: Final = 0.002
#: The packages whose objects are counted.
OURS: Final = ("engine.", "cogs.", "data.", "discord.")
#: The context of each timer holds one, and cancelled timers are kept until their time, which hardly passes here.
OF_TIMERS: Final = ("cogs.words.Reader",)
#: Objects of one kind that there may be more in the end, since caches fill, and steps for one more.
MORE: Final = 60
STEPS: Final = 20
#: Bytes of memory that a step may add.
BYTES: Final = 500


#: A command: its name, what Discord knows of it, and the path of subcommands into it.
Told = tuple[str, dict[str, Any], list[dict[str, Any]]]


class Env(simcord.Env):
    """Hours pass in it within moments."""

    async def _settle_internal(self, **asked: Any) -> None:
        await super()._settle_internal(**asked | {"idle": LOOKING})


@dataclass(frozen=True, slots=True)
class Size:
    """The number of objects when everything has come to rest."""

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
    #: Steps between two counts.
    looks: int = 2
    #: The commands that are sent: all of them, unless some are named.
    only: tuple[str, ...] = ()
    done: Counter[str] = field(default_factory=Counter)
    unanswered: list[str] = field(default_factory=list)
    graded: int = 0  # hands that the coach has judged
    decided: int = 0  # breaks and limits
    bought: int = 0  # roles
    duelled: int = 0  # duels that both have played
    fives: int = 0  # tries of Today's five that were finished
    faults: list[str] = field(default_factory=list)  # that the last audit has found
    refused: int = 0  # answers that Discord itself did not take
    broken: Counter[str] = field(default_factory=Counter)
    sizes: list[Size] = field(default_factory=list)
    _sent: list[tuple[str, Any]] = field(default_factory=list)
    _walked: Counter[str] = field(default_factory=Counter)  # the keys of breaks and limits
    _untaken: set[str] = field(default_factory=set)  # what names the interactions whose answers those were

    async def run(self) -> None:
        self._chance = random.Random(self.seed)
        guild = self.env.create_guild("Riverside")
        self._channels = [guild.create_text_channel(name) for name in ("casino", "annexe")]
        self._people = [guild.add_member(self.env.create_user(name)) for name in ("alice", "bob", "carol", "dave")]
        role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self._people.append(guild.add_member(self.env.create_user("mona"), roles=[role]))
        self._careful = guild.add_member(self.env.create_user("rita"))
        self._people.append(self._careful)
        await self._open_a_shop(guild)
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
            if step % CARE_EVERY == 0:
                await self._walk_through_care(channel)
            if step % SHOP_EVERY == 0:
                await self._walk_through_shop(who, channel)
            if step % DUEL_EVERY == 0:
                await self._walk_through_duel(channel)
            if step % DAY_EVERY == 0:
                await self._walk_through_today(channel)
            await self._mend()
            if step + 1 in looks:
                self.sizes.append(await self._size(step + 1))

    # -- what people send ------------------------------------------------------------------------------------------

    def _commands(self) -> Iterator[Told]:
        """Every command with every path into it."""
        for (name, kind), known in sorted(self.env.backend.commands[None].items()):
            if kind != 1 or (self.only and name not in self.only):
                continue
            inner = [option for option in known.get("options") or () if option["type"] in (1, 2)]
            if not inner:
                yield name, known, []
            for option in inner:
                yield f"{name} {option['name']}", known, [option]

    def _named(self, name: str) -> Told | None:
        """Return the command of this name, or None if it is not sent."""
        return next((told for told in self._commands() if told[0] == name), None)

    async def _command(self, who: simcord.MemberActor, channel: simcord.ChannelHandle, told: Told) -> None:
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
            told = self._named("blackjack")
            assert told is not None
            await self._command(who, channel, told)
            return
        message = self._chance.choice(messages[-3:])
        named = self._chance.choice(_buttons(message))
        if self._chance.random() < 0.1:
            named = self._chance.choice(BUTTONS)
        button = {"custom_id": named, "component_type": ComponentType.BUTTON}
        kind = InteractionType.MESSAGE_COMPONENT
        await self._send(f"button {named}", who, message, kind, button, times=(1, 1, 1, 2, 3))

    async def _walk_through_care(self, channel: simcord.ChannelHandle) -> None:
        """Rita takes breaks and sets limits, and plays or is refused with the others; sometimes a press comes twice."""
        told = self._named("settings")
        if told is None:
            return
        env: Any = self.env
        await self._command(self._careful, channel, told)
        answer = simcord.InteractionResult(env, self._sent[-1][1]).response
        for _ in range(CARE_PRESSES):
            keys = [key for key in _buttons(answer) if key.startswith("care:")] if answer is not None else []
            if answer is None or not keys:
                return
            named = min(keys, key=lambda key: (self._walked[key], self._chance.random()))
            self._walked[named] += 1
            button = {"custom_id": named, "component_type": ComponentType.BUTTON}
            kind, times = InteractionType.MESSAGE_COMPONENT, (1, 1, 2)
            await self._send(f"button {named}", self._careful, answer, kind, button, times)
            form = simcord.InteractionResult(env, self._sent[-1][1]).modal
            if form is not None:
                await self._fill_in(answer, form)

    async def _open_a_shop(self, guild: simcord.GuildHandle) -> None:
        """Sell a role for a day, and have one for the champion of the week."""
        assert isinstance(self.env.bot, CasinoBot)
        bank, (self._gold, won) = self.env.bot.bank, [guild.create_role(name) for name in ("Gold", "Champion")]
        await bank.shop.offer(guild.id, Ware(self._gold.id, CHIP, 86_400.0))
        await bank.champions.choose(guild.id, Championship.WEEK, won.id)

    async def _walk_through_shop(self, who: simcord.MemberActor, channel: simcord.ChannelHandle) -> None:
        """Open the shop, choose its role, and buy it, sometimes twice at once."""
        told = self._named("shop")
        if told is None:
            return
        await self._command(who, channel, told)
        env: Any = self.env
        answer = simcord.InteractionResult(env, self._sent[-1][1]).response
        if answer is None:
            return
        menu = {
            "custom_id": "shop:choose",
            "component_type": ComponentType.STRING_SELECT,
            "values": [str(self._gold.id)],
        }
        await self._send("menu shop:choose", who, answer, InteractionType.MESSAGE_COMPONENT, menu, (1,))
        button = {"custom_id": f"shop:buy:{self._gold.id}:{CHIP}:1", "component_type": ComponentType.BUTTON}
        await self._send("button shop:buy", who, answer, InteractionType.MESSAGE_COMPONENT, button, (1, 1, 2))

    async def _walk_through_duel(self, channel: simcord.ChannelHandle) -> None:
        """Somebody challenges somebody, who accepts; both play at random, and sometimes a press comes twice."""
        told = self._named("duel")
        if told is None:
            return
        name, known, _path = told
        ada, ben = self._chance.sample(self._people, 2)
        resolved: dict[str, Any] = {}
        resolve_handle(ben, ben, resolved, channel_id=channel.id)
        options = [{"name": "member", "type": 6, "value": str(ben.id)}, {"name": "hands", "type": 4, "value": 5}]
        data = {"id": known["id"], "name": name, "type": 1, "options": options, "resolved": resolved}
        await self._send(f"/{name}", ada, channel, InteractionType.APPLICATION_COMMAND, data, (1, 1, 2))
        await self._answered()
        for who, wanted in ((ben, "duel:accept:"), (ada, "duel:play:"), (ben, "duel:play:")):
            message, named = next(_with_button(channel, wanted), (None, ""))
            if message is not None:
                await self._play_duel(who, message, named)

    async def _play_duel(self, who: simcord.MemberActor, message: discord.Message, named: str) -> None:
        """Press a key of a duel's message, and play the hands that it opens."""
        button = {"custom_id": named, "component_type": ComponentType.BUTTON}
        await self._send(f"button {named}", who, message, InteractionType.MESSAGE_COMPONENT, button, (1, 1, 2))
        await self._play_on(who, await self._answered(), "duel:act:")

    async def _walk_through_today(self, channel: simcord.ChannelHandle) -> None:
        """Somebody plays the five hands of the day at random, or goes on with them, and shares what came of it."""
        told = self._named("today")
        if told is None:
            return
        name, known, _path = told
        who, data = self._chance.choice(self._people), {"id": known["id"], "name": name, "type": 1, "options": []}
        await self._send(f"/{name}", who, channel, InteractionType.APPLICATION_COMMAND, data, (1, 1, 2))
        answer = await self._answered()
        await self._play_on(who, answer, "today:play:", 1)
        await self._play_on(who, answer, "today:act:")
        await self._play_on(who, answer, "today:play:", 1)
        await self._play_on(who, answer, "today:share:", 1)

    async def _play_on(
        self, who: simcord.MemberActor, answer: simcord.ResponseMessage | None, wanted: str, most: int = HAND_PRESSES
    ) -> None:
        """Press keys whose custom id begins like this, sometimes twice, as long as the message has any."""
        for _ in range(most):
            keys = [key for key in _buttons(answer) if key.startswith(wanted)] if answer is not None else []
            if answer is None or not keys:
                return
            button = {"custom_id": self._chance.choice(keys), "component_type": ComponentType.BUTTON}
            kind = InteractionType.MESSAGE_COMPONENT
            await self._send(f"button {wanted[:-1]}", who, answer, kind, button, (1, 1, 1, 2))
            await self._answered()

    async def _answered(self) -> simcord.ResponseMessage | None:
        """Return the answer to what was sent last, even where a slow machine takes its time."""
        env: Any = self.env
        with suppress(TimeoutError):
            await env._settle_internal(timeout=HAND_SOON, dispatch="INTERACTION_CREATE")
        return simcord.InteractionResult(env, self._sent[-1][1]).response

    async def _fill_in(self, answer: simcord.ResponseMessage, form: dict[str, Any]) -> None:
        texts = (*TEXTS, "20", "5,000", "for good")
        boxes = [{**label["component"], "value": self._chance.choice(texts)[:20]} for label in form["components"]]
        data = {
            "custom_id": form["custom_id"],
            "components": [{"type": ComponentType.LABEL, "component": box} for box in boxes],
        }
        what = f"form {form['custom_id']}"
        await self._send(what, self._careful, answer, InteractionType.MODAL_SUBMIT, data, (1,))

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
        """Count what there is when all tables have closed, nothing is left to be done, and the books were audited.

        The bot itself audits them once a day, and SQLAlchemy keeps a megabyte in the statements of the first audit.
        """
        bot = self.env.bot
        assert isinstance(bot, CasinoBot)
        for _ in range(40):
            await self._pass_time(2 * IDLE)
            if not bot.registry.tables():
                break
        await self._pass_time(60)
        self._judge()
        self.faults = [str(fault) for fault in (await bot.bank.auditor.audit()).faults]
        self._forget()
        gc.collect()
        kinds = Counter(f"{type(thing).__module__}.{type(thing).__name__}" for thing in gc.get_objects())
        ours = {kind: count for kind, count in kinds.items() if kind.startswith(OURS) and kind not in OF_TIMERS}
        return Size(steps, len(asyncio.all_tasks()), Counter(ours), _traced())

    def _forget(self) -> None:
        """Forget what the simulated Discord keeps, which is not the bot's memory.

        Things with a bound fill up to it, and would look like a leak until then; things without one are weighed.
        """
        for kept in (canvas._kept_patches, canvas._kept_strips, components._kept):
            kept.clear()
        for function in _with_a_bound():
            function.cache_clear()
        assert isinstance(self.env.bot, CasinoBot)
        self.env.bot.presenter._queue._forget_idle()
        for compiled in _compiled(self.env.bot.bank._store.engine.sync_engine):
            compiled.clear()
        backend = self.env.backend
        for said in (*backend.messages.values(), backend.interactions, backend.interaction_tokens, backend.cdn._blobs):
            said.clear()  # type: ignore[attr-defined]

    @property
    def warm(self) -> Size:
        """When half of all was done: everything had been tried, and caches were full."""
        return self.sizes[(len(self.sizes) - 1) // 2]

    def problems(self) -> Iterator[str]:
        """Yield what has not held, in a sentence each."""
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
    """Yield every function of ours that remembers a limited number of results."""
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS[:3]):
            for kept in vars(module).values():
                if hasattr(kept, "cache_parameters") and kept.cache_parameters()["maxsize"] is not None:
                    yield kept


def _compiled(engine: sa.Engine) -> Iterator[Any]:
    """Yield what SQLAlchemy keeps of compiled statements, which is bounded, and what all banks of the tests share."""
    yield engine._compiled_cache
    shared = engine.get_execution_options().get("compiled_cache")
    if shared is not None:
        yield shared


#: The modules that need memory for the simulated Discord, and for this count.
_NOT_OURS: Final = [
    tracemalloc.Filter(False, path)  # noqa: FBT003
    for path in ("*/simcord/*", "*/tests/*", "*/json/*", tracemalloc.__file__)
]


def _traced() -> Counter[str]:
    """Return the memory that the bot and its libraries hold."""
    if not tracemalloc.is_tracing():
        return Counter()
    by_file = tracemalloc.take_snapshot().filter_traces(_NOT_OURS).statistics("filename")
    return Counter({kept.traceback[0].filename: kept.size for kept in by_file})


def _planned(backend: Any) -> int:
    """How many answers are still to be refused."""
    return sum(fault["times"] for fault in backend.faults)


def _buttons(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    return [part["custom_id"] for part in raw.components(message) if part["type"] == 2 and "custom_id" in part]


def _with_button(channel: simcord.ChannelHandle, beginning: str) -> Iterator[tuple[discord.Message, str]]:
    """Yield the newest messages with a button whose custom id begins like this, and that id."""
    for message in reversed(channel.history()[-12:]):
        yield from ((message, key) for key in _buttons(message) if key.startswith(beginning))


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
    """Run a whole bot on a bank in this file for this many steps, and return what was wrong, in a sentence each."""
    settings = Settings(
        database_url=f"sqlite:///{file}", think_seconds=0, presses_a_second=0, card_emoji=False, backup_hours=0,
        idle_seconds=IDLE,
    )  # fmt: skip
    ears, root = Ears(), logging.getLogger()
    root.addHandler(ears)
    bot = create_bot(settings)
    env = Env(bot, settle_timeout=PATIENCE)
    with _prepared(seed):
        bank = await Bank.open(settings.database_url, settings.house, HandClock(env.now().timestamp()))
        await bank.days.begin_today()  # before the bot begins its days with tomorrow
        await bank.close()
        await env.start()
        try:
            plant(bot)
            soak = Soak(env, steps, seed, looks, only)
            await soak.run()
            soak.graded = await bot.bank._store.value(sa.select(sa.func.count()).select_from(grades))
            for table in (breaks, limits):
                soak.decided += await bot.bank._store.value(sa.select(sa.func.count()).select_from(table))
            both_played = sa.select(sa.func.count()).where(duels.c.done == 2)
            soak.duelled = await bot.bank._store.value(both_played.where(duels.c.state == DuelState.ENDED))
            days = sa.select(sa.func.count()).select_from(tries).join(sets, sets.c.id == tries.c.set)
            soak.fives = await bot.bank._store.value(days.where(sets.c.kind == DAY_SET, COUNTED))
            soak.bought = await bot.bank._store.value(sa.select(sa.func.count()).select_from(holdings))
        finally:
            await bot.close()
            await env.shutdown()
            root.removeHandler(ears)
    unhandled = [f"unhandled: {error!r}" for error in env.errors]
    return soak, [*ears.heard, *unhandled, *soak.faults, *soak.problems()]
