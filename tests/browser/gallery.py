"""Everything people see, photographed on a phone and on a desk, in every language, for somebody to look through.

``python -m tests.browser.gallery FOLDER`` writes a sheet of each kind of thing. The scenes are those of
``tests/cogs/pages``; what commands answer is asked of the bot itself.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import discord
import simcord
from discord import ui
from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import Browser, Page, async_playwright

from bot import create_bot
from cogs.playground import START, _be_patient, _hand_out_cards, _pictures_of_cards, _Stage
from cogs.playground.page import dress
from cogs.table import components
from cogs.table.presentation import presented
from cogs.table.style import Style, styled
from cogs.words import LANGUAGES, speaking
from data import Suits
from engine.tables.snapshot import Snapshot
from settings import Settings
from tests.browser.driving import FLAGS
from tests.cogs.conftest import Casino
from tests.cogs.pages import baccarat, blackjack, elimination, scenes, tournament, war

WIDTHS: Final = {"phone": 390, "desk": 1280}
SCHEMES: Final[Mapping[str, Any]] = {"phone": "dark", "desk": "light"}
TABLES: Final[Mapping[str, Mapping[str, Snapshot]]] = {
    "blackjack": blackjack.SCENES,
    "baccarat": baccarat.SCENES,
    "war": war.SCENES,
    "elimination": elimination.SCENES,
}
#: So many messages a channel shows at once.
AT_ONCE: Final = 40
#: Wide, tall and the gap between two photographs of a sheet.
COLUMNS: Final = {"phone": 5, "desk": 3}
TALLEST_MESSAGE: Final = 2_400
GAP: Final = 14
#: In seconds: forty pictures take their time.
PATIENCE: Final = 120.0


@dataclass(frozen=True)
class Scene:
    name: str
    view: ui.LayoutView
    picture: Callable[[], bytes] | None = None


# -- what there is to see ----------------------------------------------------------------------------------------------


def tables(kind: str, style: Style) -> Iterator[Scene]:
    """Every phase of a game."""
    with styled(style):
        for name, seen in TABLES[kind].items():
            page = presented(seen).face(seen)
            draw = page.picture.draw if page.picture is not None else None
            yield Scene(name, components.build(page, seen), draw)


def tournaments() -> Iterator[Scene]:
    """Every message of one, in the language that is spoken."""
    for name, view in tournament.scenes().items():
        kind = name.split(",")[0].split(" ")[0]
        yield Scene(name, view, tournament.PICTURES[kind].draw if kind in tournament.PICTURES else None)


# -- the stage ---------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[Casino]:
    """A casino of one evening, with Ada, Ben and Chloe."""
    settings = Settings(database_url=f"sqlite:///{folder / 'gallery.db'}", think_seconds=0, presses_a_second=0)
    bot = create_bot(settings)
    env = simcord.Env(bot, check_errors=False, settle_timeout=START)
    _be_patient(env)
    _hand_out_cards(env)
    await env.start()
    env.settle_timeout = 5.0
    guild = env.create_guild("The gallery")
    casino = Casino(env, settings, guild, guild.create_text_channel("casino"))
    for name in ("Ada", "Ben", "Chloe"):
        casino.people[name] = guild.add_member(env.create_user(name.lower(), global_name=name))
    role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    casino.people["Mona"] = guild.add_member(env.create_user("mona", global_name="Mona"), roles=[role])
    try:
        yield casino
    finally:
        await bot.close()
        await env.shutdown()


class Photographer:
    def __init__(self, casino: Casino, browser: Browser, folder: Path) -> None:
        self.casino, self.browser, self.folder = casino, browser, folder

    async def photographs(self, kind: str, language: str, channel: simcord.ChannelHandle, names: Sequence[str]) -> None:
        """The last messages of the channel, on a sheet for each width."""
        env, viewers = self.casino.env, list(self.casino.people.values())
        preview = env.preview(channel, viewers=viewers, layout="channel", assets=_pictures_of_cards(env))
        dress(preview)
        async with preview:
            _Stage(env, preview)
            for device, width in WIDTHS.items():
                page = await self.browser.new_page(
                    viewport={"width": width, "height": TALLEST_MESSAGE},
                    color_scheme="light" if device == "desk" else "dark",
                )
                page.set_default_timeout(PATIENCE * 1000)
                await page.goto(preview.url)
                sheet(await _taken(page, names), COLUMNS[device]).save(
                    self.folder / f"{language}-{device}-{kind}.png", optimize=True
                )
                await page.close()

    async def scenes(self, kind: str, language: str, shown: Sequence[Scene]) -> None:
        """Posted to a channel of their own, as many as it shows at once."""
        for start in range(0, len(shown), AT_ONCE):
            part = shown[start : start + AT_ONCE]
            channel = self.casino.guild.create_text_channel(f"{kind}-{language}-{start}")
            place = self.casino.bot.get_partial_messageable(channel.id)
            for scene in part:
                await place.send(view=self._named(scene.view), files=list(_files(scene)))
            name = kind if len(shown) <= AT_ONCE else f"{kind}-{start // AT_ONCE + 1}"
            await self.photographs(name, language, channel, [scene.name for scene in part])

    def _named(self, view: ui.LayoutView) -> ui.LayoutView:
        """The people of the scenes are the people of this house."""
        known = dict(zip((scenes.ADA, scenes.BEN, scenes.CHLOE), self.casino.people.values(), strict=False))
        for item in view.walk_children():
            if isinstance(item, ui.TextDisplay):
                for number, person in known.items():
                    item.content = item.content.replace(f"<@{number}>", f"<@{person.id}>")
        view.stop()
        return view

    async def answers(self, language: str) -> None:
        """What commands answer: to Ada, and to Mona, who manages the server."""
        for who, commands in (("Ada", PLAYERS), ("Mona", MANAGERS)):
            channel = self.casino.guild.create_text_channel(f"pages-{who.lower()}-{language}")
            person = self.casino.people[who]
            for command, options in commands.items():
                named = {key: self.casino.people.get(value, value) for key, value in options.items()}
                await person.slash(channel, command, **named)
            first = self.casino.people.pop(who)
            self.casino.people = {who: first, **self.casino.people}
            await self.photographs(f"pages-{who.lower()}", language, channel, [f"/{name}" for name in commands])


def _files(scene: Scene) -> Iterator[discord.File]:
    """The picture, under the name by which the message asks for it."""
    for item in scene.view.walk_children():
        if isinstance(item, ui.MediaGallery) and scene.picture is not None:
            name = item.items[0].media.url.removeprefix("attachment://")
            yield discord.File(BytesIO(scene.picture()), name)


PLAYERS: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {} for name in ("help", "balance", "daily", "history", "leaderboard", "rules", "stats", "strategy")},
    **{name: {} for name in ("verify", "seed", "settings", "privacy")},
    "give": {"member": "Ben", "amount": 25},
}
MANAGERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "casino settings": {},
    "casino rules": {"name": "ours"},
    "casino grant": {"member": "Ben", "amount": 100, "reason": "birthday"},
    "casino audit": {},
    "tournament list": {},
    "balance": {"member": "Ada"},
}


async def evening(casino: Casino) -> None:
    """Enough hands that there is something to tell."""
    ada, ben = casino.people["Ada"], casino.people["Ben"]
    await casino.blackjack(ada, bet=50)
    for _ in range(5):
        for key in ("Deal", "No insurance", "Hit", "Stand", "Stand"):
            if key in set(casino.keys()):
                await casino.click(key, ada)
    await ben.slash(casino.channel, "daily")
    await ben.slash(casino.channel, "war", bet=20)


# -- sheets ------------------------------------------------------------------------------------------------------------


async def _taken(page: Page, names: Sequence[str]) -> list[tuple[str, Image.Image]]:
    messages = page.locator("article[data-message-id]")
    await messages.nth(len(names) - 1).wait_for()
    await page.wait_for_function(
        "() => simcordPreview.ready && [...document.images].every((image) => image.complete && image.naturalWidth)"
    )
    await page.locator("#channel-timeline").dispatch_event("wheel")  # as somebody does who scrolls away by hand
    found = await messages.all()
    taken = []
    for name, message in zip(names, found[-len(names) :], strict=True):
        taken.append((name, Image.open(BytesIO(await message.screenshot())).convert("RGB")))
    return taken


def sheet(photographs: Sequence[tuple[str, Image.Image]], columns: int) -> Image.Image:
    """One below the other in columns of even height, each under its name."""
    font = ImageFont.load_default(18)
    wide = max(image.width for _, image in photographs)
    tall = [image.height + 30 + GAP for _, image in photographs]
    height = max(max(tall), math.ceil(sum(tall) / columns))
    hung: list[list[tuple[str, Image.Image]]] = [[]]
    filled = [0]
    for photograph, needed in zip(photographs, tall, strict=True):
        if filled[-1] and filled[-1] + needed // 2 > height and len(hung) < columns:
            hung.append([])
            filled.append(0)
        hung[-1].append(photograph)
        filled[-1] += needed
    made = Image.new("RGB", (len(hung) * (wide + GAP), max(filled)), "#777")
    draw = ImageDraw.Draw(made)
    for column, below in enumerate(hung):
        x, y = column * (wide + GAP), 0
        for name, image in below:
            draw.text((x + 6, y + 5), name, fill="white", font=font)
            made.paste(image, (x, y + 30))
            y += image.height + 30 + GAP
    return made


async def hang(folder: Path, wanted: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as kept:
        async with house(Path(kept)) as casino, async_playwright() as driver:
            executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
            browser = await driver.chromium.launch(executable_path=executable, args=list(FLAGS))
            photographer = Photographer(casino, browser, folder)
            await evening(casino)
            names = dict(zip((scenes.ADA, scenes.BEN, scenes.CHLOE), casino.people, strict=False))
            style = Style(names=names, cards=casino.bot.emoji.written[Suits.TWO])
            for language in LANGUAGES:
                await _speak(casino, language)
                for kind in TABLES:
                    if not wanted or kind in wanted:
                        with speaking(language):
                            shown = list(tables(kind, style))
                            await photographer.scenes(kind, language, shown)
                if not wanted or "tournament" in wanted:
                    with speaking(language):
                        await photographer.scenes("tournament", language, list(tournaments()))
                if not wanted or "pages" in wanted:
                    await photographer.answers(language)
            await browser.close()


async def _speak(casino: Casino, language: str) -> None:
    """Everybody here, and the server."""
    bank = casino.bot.bank
    for person in casino.people.values():
        await person.select(
            (await person.slash(casino.channel, "settings")).response, [language], custom_id="settings:language"
        )
    settings = await bank.guilds.settings(casino.guild.id)
    await bank.guilds.keep_settings(casino.guild.id, replace(settings, language=language))


def main(folder: Path, wanted: Sequence[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(hang(folder, wanted))
    print(f"{len(list(folder.glob('*.png')))} sheets are in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
