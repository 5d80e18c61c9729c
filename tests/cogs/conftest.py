"""The bot itself on a Discord of its own, with a real bank on disk. Nothing of Discord is mocked."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from discord import app_commands

from bot import CasinoBot, create_bot
from cogs.answers import serving
from cogs.background import binder
from cogs.background.chore import Chore
from cogs.coach import caution, grader
from cogs.table import display, presenter
from cogs.tournament import announcer
from cogs.train import standing
from cogs.words import catalogues
from data import Report
from data.jobs.notices import Notices
from data.journal.leaves import Leaves
from data.ledger.champions import Champions
from data.ledger.resets import Resets
from data.ledger.shop import Shop as BankShop
from data.people.breaks import Breaks
from data.proofs.auditor import Auditor
from data.sets.days import Days
from data.sets.duels import Duels
from engine.coach import process
from engine.games.contract import CHIP
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table
from settings import Settings
from tests.cards import LaidOut
from tests.coaching import Lending
from tests.conftest import NewBank
from tests.patience import Env

from . import raw
from .line import Line, laid

#: Seconds for which timers are waited for, in real time. Later ones ring when a test moves the clock.
PATIENCE = 4.0
#: Seconds after which a press is late, or the coach is not waited for: nothing is, however busy the machine.
NEVER_LATE = 300.0


#: What Discord is told of each command, in all languages.
_payloads: dict[str, dict[str, Any]] = {}


def _translated_once(kind: Any) -> None:
    """Translate each command once in a process: every bot that starts has the same, and each took 15 milliseconds."""
    translate = kind.get_translated_payload

    async def payload(self: Any, tree: Any, translator: app_commands.Translator) -> dict[str, Any]:
        said = json.dumps([kind.__name__, self.to_dict(tree), str(catalogues.FOLDER)])
        if said not in _payloads:
            _payloads[said] = await translate(self, tree, translator)
        return _payloads[said]

    kind.get_translated_payload = payload


for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
    _translated_once(kind)


@dataclass
class Casino:
    env: simcord.Env
    settings: Settings
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    cards: LaidOut = field(default_factory=LaidOut)
    people: dict[str, simcord.MemberActor] = field(default_factory=dict)
    _presses: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def bot(self) -> CasinoBot:
        assert isinstance(self.env.bot, CasinoBot)
        return self.env.bot

    def person(self, name: str) -> simcord.MemberActor:
        if name not in self.people:
            self.people[name] = self.guild.add_member(self.env.create_user(name))
        return self.people[name]

    @property
    def alice(self) -> simcord.MemberActor:
        return self.person("alice")

    @property
    def bob(self) -> simcord.MemberActor:
        return self.person("bob")

    # -- what is there -------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        (table,) = self.bot.registry.tables()
        return table

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot()

    @property
    def message(self) -> discord.Message:
        """The last one in the channel that is no promise, as everybody sees it now."""
        return next(message for message in reversed(self.channel.history()) if not is_promise(message))

    @property
    def promises(self) -> list[discord.Message]:
        """Those that stand in the channel, the first one first."""
        return [message for message in self.channel.history() if is_promise(message)]

    @property
    def text(self) -> str:
        return text_of(self.message)

    def labels(self, *, enabled: bool = True) -> list[str]:
        """Return the labels of the buttons that can (or cannot) be pressed, with their prices."""
        buttons = [part for part in raw.components(self.message) if part["type"] == 2]
        return [button["label"] for button in buttons if bool(button.get("disabled")) is not enabled]

    def keys(self, *, enabled: bool = True) -> list[str]:
        """The same without the prices."""
        return [unpriced(label) for label in self.labels(enabled=enabled)]

    def custom_id(self, label: str) -> str:
        """Return the custom id of the button whose label begins with these words: a price may follow."""
        return priced(self.message, label)["custom_id"]

    async def balance(self, who: simcord.MemberActor) -> float:
        return (await self.bot.bank.members.sign_in(self.guild.id, who.id)).balance / CHIP

    async def grant(self, who: simcord.MemberActor, chips: int) -> None:
        """Chips out of nothing, or back into it."""
        member = await self.bot.bank.members.sign_in(self.guild.id, who.id)
        deed = self.bot.bank.chips.grant if chips > 0 else self.bot.bank.chips.take
        await deed(member.id, abs(chips) * CHIP, actor=1, reason="test", press=next(self._presses))

    def edits(self) -> int:
        """Edits of messages that were not answers to a press."""
        return sum(request.method == "PATCH" and "/messages/" in request.path for request in self.env.http_requests)

    @property
    def called(self) -> list[set[int]]:
        """The people whom each message in a channel was allowed to call, of those that called anybody."""
        bodies = [request.json for request in self.env.http_requests if request.method == "POST"]
        allowed = [set(map(int, (body or {}).get("allowed_mentions", {}).get("users", ()))) for body in bodies]
        return [people for people in allowed if people]

    # -- what people do ------------------------------------------------------------------------------------------------

    async def blackjack(self, who: simcord.MemberActor | None = None, **options: Any) -> simcord.InteractionResult:
        return await (who or self.alice).slash(self.channel, "blackjack", **as_typed(options))

    async def ask(
        self, command: str, who: simcord.MemberActor | None = None, **options: Any
    ) -> simcord.ResponseMessage:
        """A command's answer."""
        result = await (who or self.alice).slash(self.channel, command, **as_typed(options))
        assert result.response is not None
        return result.response

    async def click(self, label: str, who: simcord.MemberActor | None = None) -> simcord.InteractionResult:
        written = priced(self.message, label)["label"]
        return await (who or self.alice).click(self.message, label=written)

    async def deal(
        self, cards: str, bet: int | str = 10, who: simcord.MemberActor | None = None, **options: Any
    ) -> Snapshot:
        """A hand of blackjack with these cards: `casino.deal("A 6 / 9 ?")`, as `tests.cards` writes them."""
        self.cards.lay(cards)
        await self.blackjack(who, bet=bet, **options)
        return self.snapshot

    async def sealed_table(self) -> None:
        """A fresh table at which nobody has staked."""
        await self.blackjack(bet=1)
        await self.play_on()

    @contextmanager
    def undescribed(self) -> Iterator[None]:
        """Let the bot know of the server only its id, as after each sign-in and during an outage of Discord."""
        state = self.bot._connection
        described = state._get_guild(self.guild.id)
        assert described is not None
        state._add_guild_from_data({"id": str(self.guild.id), "unavailable": True})  # type: ignore[typeddict-item]
        yield
        state._add_guild(described)

    def deletes_nothing(self) -> None:
        """Discord deletes no message from now on, so the bot leaves old ones behind."""
        self.env.inject_error("DELETE", "/channels/*/messages/*", status=500, times=None)

    async def play_on(self, who: simcord.MemberActor | None = None) -> None:
        """Stand until the round is over."""
        while self.snapshot.phase is TablePhase.PLAYING:
            await self.play_one(who)

    async def play_one(self, who: simcord.MemberActor | None = None) -> None:
        await self.click("No insurance" if "No insurance" in self.keys() else "Stand", who)

    async def until(self, wanted: Callable[[Snapshot], bool], bet: int = 10) -> Snapshot:
        """Deal until a hand begins as wanted. Seeds are counted, so it is the same hand every time."""
        if not self.bot.registry.tables():
            await self.blackjack(bet=bet)
        for _ in range(100):
            if wanted(self.snapshot):
                return self.snapshot
            await self.play_on()
            await self.click("Deal")
        raise AssertionError("no such hand in 100 rounds")

    async def sleep(self, seconds: float) -> None:
        """Let time pass while no process is there, so that no chore has to catch up with it."""
        await self.bot.close()
        self.env.backend.advance_clock(seconds)
        await self.restart()

    async def restart(self, *, restored: bool = False) -> None:
        """The process ends and another one begins on the same bank; or on a backup of it, which was restored."""
        if restored:
            await self.bot.bank.copies.restored()
        await self.bot.close()
        bot = create_bot(self.settings)
        bot.shoe = self.cards
        await self.env.restart_bot(bot)


def is_promise(message: discord.Message) -> bool:
    return message.content.startswith("-# ")


def text_of(message: discord.Message | simcord.ResponseMessage) -> str:
    if message.content:
        return message.content
    return "\n".join(part["content"] for part in raw.components(message) if part["type"] == 10)


PRICE = re.compile(r" [+−]?[\d,.]+$")


def unpriced(label: str) -> str:
    return PRICE.sub("", label)


def priced(message: discord.Message | simcord.ResponseMessage, label: str) -> dict[str, Any]:
    """The button of that label, whatever it costs."""
    buttons = [part for part in raw.components(message) if part["type"] == 2]
    found = [button for button in buttons if button["label"] == label or unpriced(button["label"]) == label]
    assert len(found) == 1, f"{label} among {[button['label'] for button in buttons]}"
    return found[0]


def keys(message: discord.Message | simcord.ResponseMessage) -> list[str]:
    """Labels of the buttons of a message that can be pressed."""
    return [
        unpriced(part["label"]) for part in raw.components(message) if part["type"] == 2 and not part.get("disabled")
    ]


async def played(casino: Casino, rounds: int = 1) -> str:
    """Play this many rounds of blackjack, and return the code of the last one."""
    await casino.until(asked)
    for more in range(rounds):
        await casino.play_on()
        if more + 1 < rounds:
            await casino.click("Deal")
    return casino.snapshot.seals.code


def as_typed(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a command with the bet as text, as people type it."""
    return options | ({"bet": str(options["bet"])} if "bet" in options else {})


def asked(snapshot: Snapshot) -> bool:
    return snapshot.phase is TablePhase.PLAYING and "stand" in snapshot.legal[0]


@pytest.fixture
def settings(tmp_path: Path, new_bank: NewBank) -> Settings:
    return Settings(
        database_url=new_bank(tmp_path / "casino.db"),
        think_seconds=0,
        presses_a_second=0,
        card_emoji=False,
        backup_hours=0,
        gift_hands=0,
        gift_account_days=0,
        gift_server_days=0,
    )


@pytest.fixture
def counted_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The casino's chance, the same in every run."""
    numbers = itertools.count(1)
    monkeypatch.setattr(
        secrets, "token_bytes", lambda size: hashlib.sha256(str(next(numbers)).encode()).digest()[:size]
    )


@pytest.fixture
def at_its_own_pace() -> type[Any] | None:
    """The part of the bank whose chore comes round as often as in a casino. All others wait for a day, because hours
    pass in some tests.
    """
    return None


@pytest.fixture
def chores_at_once() -> bool:
    """Whether chores come round as soon as the first bot starts.

    An empty bank has nothing for them, and their questions were half of the start: elsewhere they come round when their
    time is up, and after a restart.
    """
    return False


async def later(chore: Chore) -> None:
    """Stand in for `Chore._wait`."""
    await asyncio.sleep(chore.first or chore.every)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    """Return the line that every request passes."""
    return laid(monkeypatch)


@pytest.fixture(scope="session")
def lending() -> Iterator[Lending]:
    """The coach's process of all tests here."""
    lending = Lending()
    yield lending
    lending.end()


@pytest.fixture
async def env(
    settings: Settings,
    counted_seeds: None,
    monkeypatch: pytest.MonkeyPatch,
    at_its_own_pace: type[Any] | None,
    chores_at_once: bool,  # noqa: FBT001
    line: Line,
    lending: Lending,
) -> AsyncIterator[simcord.Env]:
    """Not `simcord.run`: fixtures are set up and torn down in contexts of their own, and its clock is one's own."""
    for part in (Leaves, Breaks, Notices, BankShop, Champions, Days, Duels, Resets):
        if part is not at_its_own_pace:
            monkeypatch.setattr(part, "every", 86_400.0)
    for module, seconds in (
        (presenter, 0.01),
        (announcer, 0.05),
    ):  # nobody looks on, so changes need not be awaited long
        monkeypatch.setattr(module, "FOLD", seconds)
    monkeypatch.setattr(display, "PICTURE_PAUSE", 0.0)
    for module in (
        serving,
        grader,
        caution,
        standing,
    ):  # what is late is answered otherwise, which tests of their own try
        monkeypatch.setattr(module, "PATIENCE", NEVER_LATE)
    monkeypatch.setattr(process, "_started", lending.start)
    monkeypatch.setattr(binder, "PAUSE", 0.0)
    monkeypatch.setattr(grader, "SHARE", 1.0)  # it would rest for four times as long as the coach needs to start
    bot = create_bot(settings)
    bot.shoe = cards = LaidOut()
    audit = Auditor.audit_since

    async def audit_since(auditor: Auditor, mark: Any, progress: Any) -> Report:
        """No seed gives laid-out cards again: where there are some, the chips alone are proved."""
        return await auditor.audit(replay=False) if cards.used else await audit(auditor, mark, progress)

    monkeypatch.setattr(Auditor, "audit_since", audit_since)
    env = Env(bot, settle_timeout=PATIENCE)
    with monkeypatch.context() as beginning:
        if not chores_at_once:
            beginning.setattr(Chore._come_round, "_before_loop", later)
        await env.start()
    yield env
    await env.bot.close()
    await env.shutdown()
    env.raise_errors()


@pytest.fixture
async def casino(env: simcord.Env, settings: Settings, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Casino]:
    guild = env.create_guild("Riverside")
    casino = Casino(env, settings, guild, guild.create_text_channel("casino"), env.bot.shoe)  # type: ignore[union-attr]
    yield casino
    faults = (await casino.bot.bank.auditor.audit(replay=not casino.cards.used)).faults
    assert not faults
    mishaps = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not mishaps, [record.getMessage() for record in mishaps]
