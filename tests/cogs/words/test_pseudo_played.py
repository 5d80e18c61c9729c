"""Every command, played through in a language that nobody speaks: whatever Discord is told to show is translated."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from babel.messages.catalog import Catalog
from discord import app_commands
from simcord.http import router

from cogs.words import LANGUAGES, _, speaking
from cogs.words.catalogues import language
from engine.games.registry import GAMES

from .. import raw
from ..conftest import Casino, keys, priced
from . import pseudo
from .test_catalogues import found
from .test_pseudo import NAMED

BUTTON, MENU = 2, 3
#: The menus in which a language is chosen.
_MINE, _SERVERS = "settings:language", "office:language"
#: People and channels of the tests, languages and zones by their own names, and what is typed.
OTHERS = {"alice", "bob", "boss", "casino", "night-shift", "UTC"}
OTHERS |= {language(code).name for code in LANGUAGES}


def word(english: str) -> str:
    """Return the name of a thing in that language."""
    with speaking(pseudo.CODE):
        return _(english)


@dataclass
class Evening:
    """A casino that speaks the language to everybody; all that Discord was told to show, and who was asked for what."""

    casino: Casino
    boss: simcord.MemberActor
    heard: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    async def asks(
        self, command: str, who: simcord.MemberActor | None = None, **options: Any
    ) -> simcord.InteractionResult:
        self.asked.add(command)
        return await (who or self.casino.alice).slash(self.casino.channel, command, **options)

    async def looks_through(self, command: str, who: simcord.MemberActor | None = None, **options: Any) -> None:
        """A command, and everything that can be pressed, chosen and filled in on its answer."""
        guest = who or self.casino.alice
        answer = (await self.asks(command, guest, **options)).response
        assert answer is not None
        for part in raw.components(answer):
            if part["type"] == BUTTON and not part.get("disabled") and "custom_id" in part:
                (result,) = await raw.press(guest, answer, part["custom_id"])
                await self._fills_in(guest, result)
            elif part["type"] == MENU:
                await self._chooses(guest, answer, part)

    async def _fills_in(self, guest: simcord.MemberActor, form: simcord.InteractionResult) -> None:
        """Fill a form in with the first choices, and with text that cannot be read."""
        if form.modal is None:
            return
        boxes = [label["component"] for label in form.modal["components"]]
        await guest.submit_modal(form, {box["custom_id"]: _answer(box) for box in boxes})

    async def _chooses(self, guest: simcord.MemberActor, answer: simcord.ResponseMessage, menu: dict[str, Any]) -> None:
        values = [option["value"] for option in menu["options"] if not option.get("default")]
        if values and menu["custom_id"].split(":")[-1] != "language":
            await guest.select(answer, values[:1], custom_id=menu["custom_id"])

    async def presses(self, label: str, who: simcord.MemberActor | None = None) -> simcord.InteractionResult:
        message = self.casino.message
        return await (who or self.casino.alice).click(message, label=priced(message, word(label))["label"])

    def may_press(self, label: str) -> bool:
        pressable = self.casino.keys()
        return word(label) in pressable

    async def plays_out(self, *wishes: str) -> None:
        """Presses the first that may be pressed until none of them may."""
        for _press in range(200):
            wish = next((wish for wish in wishes if self.may_press(wish)), None)
            if wish is None:
                return
            await self.presses(wish)
        raise AssertionError("it does not end")

    @property
    def english(self) -> list[str]:
        """The texts that no catalogue had."""
        return [text for text in dict.fromkeys(self.heard) if pseudo.unmarked(text, NAMED | OTHERS)]


def _answer(box: dict[str, Any]) -> str | list[str]:
    first = next((option["value"] for option in box.get("options", [])), "?")
    return [first] if box["type"] == MENU else first


@pytest.fixture(scope="module")
def template() -> Catalog:
    return found()


@pytest.fixture
async def evening(
    template: Catalog, casino: Casino, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Evening]:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    evening = Evening(casino, boss)
    with pseudo.in_place_of_french(template, tmp_path / "locales"):
        for who in (casino.alice, casino.bob, boss):
            await who.select(await casino.ask("settings", who), [pseudo.CODE], custom_id=_MINE)
        panel = await casino.ask("casino settings", boss, page="language")
        await boss.select(panel, [pseudo.CODE], custom_id=_SERVERS)
        monkeypatch.setattr(router, "dispatch", _listening(evening.heard))
        yield evening


def _listening(heard: list[str]) -> Any:
    dispatch = router.dispatch

    def listen(backend: Any, method: str, path: str, **sent: Any) -> Any:
        heard.extend(pseudo.read(sent.get("json")))
        return dispatch(backend, method, path, **sent)

    return listen


@pytest.mark.slow
async def test_every_command_speaks_the_language_whatever_is_pressed(evening: Evening) -> None:
    casino = evening.casino
    played = (_plays_an_elimination_table, _plans_tournaments, _duels, _trains, _gives, _manages, _looks_around)
    for play in (*_plays(), *played):
        await play(evening)
        assert not evening.english, "\n".join((play.__name__, *evening.english))
    assert evening.asked == {
        command.qualified_name
        for command in casino.bot.tree.walk_commands(type=discord.AppCommandType.chat_input)
        if isinstance(command, app_commands.Command)
    }


def _plays() -> list[Callable[[Evening], Awaitable[None]]]:
    """An evening at every game."""
    wanted = [f"_plays_{name.replace('-', '_')}" for name in GAMES]
    missing = [name for name in wanted if name not in globals()]
    assert not missing, f"write {', '.join(missing)}: the game from its command to Leave, with every end and question"
    return [globals()[name] for name in wanted]


async def _plays_blackjack(evening: Evening) -> None:
    casino = evening.casino
    await evening.asks("blackjack", bet="100000")
    await evening.asks("blackjack", bet="10", ai=3, rules="four-seat")
    casino.cards.lay("8 8, 9 5, 9 7 / A 9 | 3 T T 9 5 5", "T 6, 9 5, 9 9 / 6 T | T 9 5")
    await evening.asks("blackjack", bet="10", ai=2, level="perfect")
    await evening.presses("Insure")
    await evening.asks("odds")
    await evening.asks("odds", casino.bob)
    await evening.presses("Hit", casino.bob)
    await evening.presses("Split")
    await evening.asks("blackjack", casino.bob, bet="5")
    await evening.asks("blackjack", casino.bob, bet="5", ai=2)
    await evening.asks("blackjack", casino.bob, rules="kitchen")
    await evening.plays_out("Double", "Stand")
    old = casino.custom_id(word("Deal"))
    await evening.presses("Deal")
    await raw.press(casino.alice, casino.message, old)
    await evening.presses("Leave", casino.bob)
    await evening.plays_out("Hit", "Stand")
    for text in ("?", "-3", "2.5", "9" * 30, "half"):
        await casino.alice.submit_modal(await evening.presses("Bet"), {"chips": text})
    await evening.plays_out("Insure", "Stand")
    for command in ("history", "verify", "stats"):
        await evening.looks_through(command)
    chart = (await evening.asks("strategy", rules="kitchen")).response  # which is worked out soonest
    await casino.alice.click(chart, label=word("As text"))
    await casino.alice.context_menu(casino.channel, "Verify", casino.message)
    await evening.presses("Leave")


async def _plays_baccarat(evening: Evening) -> None:
    casino = evening.casino
    await evening.asks("baccarat", bet="10", on="tie")
    await evening.asks("baccarat", casino.bob)
    form = await evening.presses("Banker", casino.bob)
    await casino.bob.submit_modal(form, {"chips": "7"})
    await evening.presses("Deal", casino.bob)
    await evening.presses("Deal")
    await evening.presses("Bet again")
    await casino.env.advance_time(casino.settings.betting_seconds + 1)
    await evening.presses("Leave", casino.bob)
    await evening.presses("Leave")


async def _plays_war(evening: Evening) -> None:
    casino = evening.casino
    for cards, answer in (("7 7 2 3 4 9 5", "Go to war"), ("8 8", "Surrender"), ("8 8", ""), ("K 2", "")):
        casino.cards.lay(cards)
        await evening.asks("war", bet="10")
        await evening.presses("Bet", casino.bob) if evening.may_press("Bet") else None
        if answer:
            await evening.presses(answer)
        await casino.env.advance_time(casino.settings.war_seconds + 1)
    await evening.looks_through("history")
    await casino.env.advance_time(casino.settings.idle_seconds + 1)


async def _plays_an_elimination_table(evening: Evening) -> None:
    casino = evening.casino
    await evening.asks("elimination", budget=100, level="amateur")
    await evening.asks("elimination")
    for text in ("?", "1000", "12"):
        await casino.alice.submit_modal(await evening.presses("Other"), {"chips": text})
    await evening.plays_out("Stand")
    await casino.env.advance_time(casino.settings.turn_seconds + 1)
    if evening.may_press("I'm back"):
        await evening.presses("I'm back")
    await evening.plays_out("All in", "Stand")
    await evening.plays_out("Leave")


async def _plans_tournaments(evening: Evening) -> None:
    casino, boss = evening.casino, evening.boss
    when = datetime.fromtimestamp(casino.bot.clock.now() + 3600, UTC).strftime("%H:%M")
    for wrong in ({"time": "?"}, {"time": "8", "day": "?"}, {"time": "8", "day": "2020-01-01"}):
        await evening.asks("tournament schedule", boss, **wrong)
    await evening.asks("tournament schedule", time=when)
    await evening.asks("tournament schedule", boss, time=when, buy_in=1_000_000)
    await casino.alice.autocomplete(casino.channel, "tournament schedule", "day", "")
    for options in ({"buy_in": 20, "every": "weekly", "odds": True, "budget": 10}, {"level": "perfect"}):
        await evening.looks_through("tournament schedule", boss, time=when, **options)
    await evening.asks("tournament join")
    await evening.asks("tournament join", casino.bob)
    await evening.asks("tournament join", casino.bob)
    await evening.asks("tournament leave", casino.bob)
    await evening.asks("tournament leave", casino.bob)
    await evening.asks("tournament list")
    await evening.asks("tournament join", casino.bob)
    first = (await casino.bot.director.views(casino.guild.id))[0]
    for moved in ("?", when, "23:59", when):
        await evening.asks("tournament move", boss, which=str(first.state.id), time=moved)
    await casino.env.advance_time(3_700)
    await evening.asks("tournament list")
    for _round in range(400):
        if not casino.bot.registry.tables():
            break
        await casino.env.advance_time(31)
    await casino.env.advance_time(5)
    await evening.asks("tournament standings")
    await evening.asks("tournament cancel", boss, which="?")
    for view in await casino.bot.director.views(casino.guild.id):
        await evening.asks("tournament cancel", boss, which=str(view.state.id))


async def _duels(evening: Evening) -> None:
    """Alice plays Bob, who declines another one; then she plays a computer player."""
    casino = evening.casino
    await evening.asks("duel")
    await evening.asks("duel", member=casino.alice)
    await evening.asks("duel", member=casino.bob, stake=10, hands=5)
    await evening.asks("duel", member=casino.bob, stake=10, hands=5)
    accept = next(label for label in casino.labels() if "10" in label)
    await casino.bob.click(casino.message, label=accept)
    message = casino.message
    for who in (casino.alice, casino.bob):
        page = (await who.click(message, label=word("Play my hands"))).response
        assert page is not None
        while word("How it stands") not in keys(page):
            label = next(word(key) for key in ("Next", "No insurance", "Stand") if word(key) in keys(page))
            await who.click(page, label=label)
        await who.click(page, label=word("How it stands"))
    for label in ("All hands", "Again"):
        await evening.presses(label)
    await evening.presses("No", casino.bob)
    await evening.asks("duel", level="expert", hands=5)


async def _trains(evening: Evening) -> None:
    await evening.asks("today")
    await evening.looks_through("train")
    for what in ("run", "spots", "charts", "count"):
        await evening.looks_through("train", what=what)
        await evening.looks_through("train", what=what)
    await evening.asks("train", what="run", rules="?")


async def _gives(evening: Evening) -> None:
    casino = evening.casino
    for amount in (0, 1, 10_000_000):
        await evening.looks_through("give", member=casino.bob, amount=amount)
    await evening.asks("give", member=casino.alice, amount=1)
    form = await casino.alice.context_menu(casino.channel, "Give", casino.bob)
    await evening._fills_in(casino.alice, form)
    await casino.alice.context_menu(casino.channel, "Balance", casino.bob)


async def _manages(evening: Evening) -> None:
    casino, boss = evening.casino, evening.boss
    for command in ("setup", "settings", "audit"):
        await evening.looks_through(f"casino {command}", boss)
    await evening.asks("casino export", boss)
    await evening.looks_through("shop", boss)
    await evening.asks("casino import", boss, file=("chips.csv", b"alice,5"))
    file = f"user,chips\n{casino.alice.id},5\n{casino.bob.id},500000\n".encode()
    await evening.looks_through("casino import", boss, file=("chips.csv", file))
    for game in GAMES:
        await evening.looks_through("casino rules", boss, name="night-shift", game=game)
    await evening.asks("casino rules", boss, name="vegas")
    await evening.asks("casino rules", boss, name="?")
    for command in ("grant", "take"):
        for amount in (0, 1, 100_000_000):
            await evening.asks(f"casino {command}", boss, member=casino.bob, amount=amount, reason="UTC")
    for chips in (0, 500):
        await evening.looks_through("casino reset", boss, chips=chips)
    await evening.asks("casino close", boss)
    await evening.asks("blackjack", bet="1")
    await evening.asks("casino close", boss)


async def _looks_around(evening: Evening) -> None:
    casino = evening.casino
    await casino.env.advance_time(casino.settings.idle_seconds + casino.settings.turn_seconds)
    assert not casino.bot.registry.tables(), "whose clocks would run out in the middle of an answer"
    for command in ("balance", "daily", "daily", "help", "settings", "leaderboard", "rules"):
        await evening.looks_through(command)
    for by in ("winnings", "win rate"):
        await evening.asks("leaderboard", by=by)
    for name in ("vegas", "punto-banco", "casino", "?"):
        await evening.asks("rules", name=name)
    await evening.asks("balance", member=casino.bob)
    await evening.asks("stats", member=casino.bob)
    await evening.looks_through("seed")
    await evening.asks("seed", phrase="UTC")
    await evening.asks("seed", phrase="-")
    await evening.asks("verify", round="?")
    await evening.looks_through("privacy")
    await casino.alice.autocomplete(casino.channel, "verify", "round", "")
