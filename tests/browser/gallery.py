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
from cogs.playground import START, _be_patient, _hand_out_cards, _OpenPreview, _pictures_of_cards
from cogs.playground.page import dress
from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import LANGUAGES, Reader, _, reading, speaking
from data import Suits
from settings import Settings
from tests.browser import evening
from tests.browser.driving import FLAGS
from tests.cogs.conftest import Casino
from tests.cogs.pages import scenes, tournament
from tests.cogs.pages.test_golden import TABLES

#: The width of the page on each sheet, and whether it is dark or light.
DEVICES: Final[Mapping[str, tuple[int, Any]]] = {
    "phone-dark": (390, "dark"),
    "phone-light": (390, "light"),
    "desk-dark": (1280, "dark"),
    "desk-light": (1280, "light"),
}
#: The number of messages that a channel shows at once.
AT_ONCE: Final = 40
COLUMNS: Final = {390: 5, 1280: 3}
TALLEST_MESSAGE: Final = 2_400
GAP: Final = 14
#: The number of people whom one page serves.
MOST_VIEWERS: Final = 4
#: The topic of the playground's channel.
TOPIC: Final = "Start with /blackjack; /help shows the rest"
#: Names in the order of the scenes' numbers, as many as a tournament has.
PEOPLE: Final = (
    *(
        "Ada",
        "Ben",
        "Chloe",
        "Mona",
        "Emil",
        "Fatou",
        "Gus",
        "Hana",
        "Ivo",
        "Jun",
        "Kofi",
        "Lena",
        "Milo",
        "Nora",
        "Omar",
    ),
    *("Pia", "Quinn", "Rosa", "Sven", "Tara", "Uma", "Vito", "Wren", "Xena", "Yara", "Zeno", "Alba", "Bo", "Cleo"),
)
#: Seconds to wait: forty pictures take their time.
PATIENCE: Final = 60.0


@dataclass(frozen=True)
class Scene:
    name: str
    view: ui.LayoutView
    pictures: tuple[Callable[[], bytes], ...] = ()


Photograph = tuple[str, Image.Image]

# -- what there is to see ----------------------------------------------------------------------------------------------


def tables(kind: str, reader: Reader) -> Iterator[Scene]:
    """Every phase of a game."""
    with reading(reader):
        for name, seen in TABLES[kind].items():
            page = presented(seen).page_of(seen)
            shown = (page.picture, page.sequel.picture if page.sequel is not None else None)
            drawn = tuple(picture.draw for picture in shown if picture is not None)
            yield Scene(name, components.build(page, seen), drawn)


def tournaments(reader: Reader) -> Iterator[Scene]:
    """Every message of one, in the language that is spoken."""
    with reading(reader):
        pictures = tournament.pictures()
        for name, view in tournament.scenes().items():
            kind = name.split(",")[0].split(" ")[0]
            yield Scene(name, view, (pictures[kind].draw,) if kind in pictures else ())


# -- the stage ---------------------------------------------------------------------------------------------------------


#: Shortly before the deadlines of the scenes.
_NOW: Final = scenes.DEADLINE - 45


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[Casino]:
    """A casino of one evening: Ada, Ben, Chloe, who may manage it, and as many as a tournament takes."""
    settings = Settings(database_url=f"sqlite:///{folder / 'gallery.db'}", think_seconds=0, presses_a_second=0)
    bot = create_bot(settings)
    env = simcord.Env(bot, check_errors=False, settle_timeout=START)
    _be_patient(env)
    env.backend.clock.advance(_NOW - env.now().timestamp())
    _hand_out_cards(env)
    guild = env.create_guild("The gallery")
    casino = Casino(env, settings, guild, guild.create_text_channel("casino"))
    role = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    for name in PEOPLE:
        user = env.create_user(name.lower(), global_name=name)
        casino.people[name] = guild.add_member(user, roles=[role] if name == "Mona" else [])
    await env.start()
    env.settle_timeout = 5.0
    try:
        yield casino
    finally:
        await bot.close()
        await env.shutdown()


class Photographer:
    def __init__(self, casino: Casino, browser: Browser, folder: Path) -> None:
        self.casino, self.browser, self.folder = casino, browser, folder
        #: The sheets that show no scene.
        self.others = {"pages": self.pages, "forms": self.forms, "first": self.first_sight}

    @asynccontextmanager
    async def page(self, channel: simcord.ChannelHandle, viewer: str, device: str) -> AsyncIterator[Page]:
        """The channel as this person has it on such a device."""
        env, people = self.casino.env, self.casino.people
        viewers = [people[viewer], *(who for name, who in people.items() if name != viewer)]
        preview = env.preview(channel, viewers=viewers[:MOST_VIEWERS], layout="channel", assets=_pictures_of_cards(env))
        dress(preview)
        width, scheme = DEVICES[device]
        async with preview:
            _OpenPreview(env, preview)
            page = await self.browser.new_page(
                viewport={"width": width, "height": TALLEST_MESSAGE}, color_scheme=scheme
            )
            page.set_default_timeout(PATIENCE * 1000)
            await page.goto(preview.url)
            yield page
            await page.close()

    async def photographs(
        self, kind: str, language: str, channel: simcord.ChannelHandle, names: Mapping[int, str], viewer: str = "Ada"
    ) -> None:
        """The named messages of the channel, on a sheet for each device."""
        for device in DEVICES:
            async with self.page(channel, viewer, device) as page:
                self.hang(kind, language, device, await _taken(page, names))

    def hang(self, kind: str, language: str, device: str, taken: Sequence[Photograph]) -> None:
        sheet(taken, COLUMNS[DEVICES[device][0]]).save(self.folder / f"{language}-{device}-{kind}.png", optimize=True)

    async def scenes(self, kind: str, language: str, shown: Sequence[Scene]) -> None:
        """Posted to a channel of their own, as many as it shows at once."""
        for start in range(0, len(shown), AT_ONCE):
            part = shown[start : start + AT_ONCE]
            channel = self.casino.guild.create_text_channel(f"{kind}-{language}-{start}")
            place = self.casino.bot.get_partial_messageable(channel.id)
            names = {}
            for scene in part:
                names[(await place.send(view=self._named(scene.view), files=list(_files(scene)))).id] = scene.name
            name = kind if len(shown) <= AT_ONCE else f"{kind}-{start // AT_ONCE + 1}"
            await self.photographs(name, language, channel, names)

    def _named(self, view: ui.LayoutView) -> ui.LayoutView:
        """The people of the scenes are the people of this house."""
        for item in view.walk_children():
            if isinstance(item, ui.TextDisplay):
                for number, person in enumerate(self.casino.people.values(), scenes.ADA):
                    item.content = item.content.replace(f"<@{number}>", person.mention)
        view.stop()
        return view

    def corner(self, name: str, who: str, language: str) -> evening.Corner:
        channel = self.casino.guild.create_text_channel(f"{name}-{language}")
        return evening.Corner(self.casino, channel, self.casino.people[who], language)

    async def pages(self, language: str) -> None:
        """Photograph what is asked for, what is refused, and what comes by itself."""
        for name, (who, asks) in evening.PAGES.items():
            corner = self.corner(name, who, language)
            await asks(corner)
            await self.photographs(name, language, corner.channel, corner.names, who)

    async def forms(self, language: str) -> None:
        """Photograph the forms that open over the page when their buttons are pressed."""
        for device in DEVICES:
            taken: list[Photograph] = []
            for asking in evening.FORMS:
                corner = self.corner(f"forms-{device}", asking.who, language)
                await corner.asks(asking.command, **asking.options)
                async with self.page(corner.channel, asking.who, device) as page:
                    taken += [await _form(page, label, language) for label in asking.labels]
            self.hang("forms", language, device, taken)

    async def first_sight(self, language: str) -> None:
        """The playground before anything was typed."""
        channel = self.casino.guild.create_text_channel(f"empty-{language}", topic=TOPIC)
        for device in DEVICES:
            async with self.page(channel, "Ada", device) as page:
                await page.set_viewport_size({"width": DEVICES[device][0], "height": 844})
                await page.locator("#channel-timeline").wait_for()
                self.hang("first", language, device, [("the first page", _opened(await page.screenshot()))])


def _files(scene: Scene) -> Iterator[discord.File]:
    """Draw the pictures, each under the name by which the message asks for it."""
    galleries = [item for item in scene.view.walk_children() if isinstance(item, ui.MediaGallery)]
    for gallery, draw in zip(galleries, scene.pictures, strict=False):
        yield discord.File(BytesIO(draw()), gallery.items[0].media.url.removeprefix("attachment://"))


# -- sheets ------------------------------------------------------------------------------------------------------------


async def _taken(page: Page, names: Mapping[int, str]) -> list[Photograph]:
    for number in names:
        await page.locator(f'article[data-message-id="{number}"]').wait_for()
    await page.wait_for_function(
        "() => simcordPreview.ready && [...document.images].every((image) => image.complete && image.naturalWidth)"
    )
    await page.locator("#channel-timeline").dispatch_event("wheel")  # as somebody does who scrolls away by hand
    taken = []
    for number, name in names.items():
        taken.append((name, _opened(await page.locator(f'article[data-message-id="{number}"]').screenshot())))
    return taken


async def _form(page: Page, english: str, language: str) -> Photograph:
    with speaking(language):
        label = _(english)
    await page.get_by_role("article").last.get_by_role("button", name=label, exact=True).click()
    form = page.get_by_role("dialog")
    await form.wait_for()
    taken = _opened(await form.screenshot())
    await page.keyboard.press("Escape")
    await form.wait_for(state="hidden")
    return label, taken


def _opened(photograph: bytes) -> Image.Image:
    return Image.open(BytesIO(photograph)).convert("RGB")


def sheet(photographs: Sequence[Photograph], columns: int) -> Image.Image:
    """One below the other in columns of even height, each under its name."""
    font = ImageFont.load_default(18)
    wide = max(image.width for _, image in photographs)
    tall = [image.height + 30 + GAP for _, image in photographs]
    height = max(max(tall), math.ceil(sum(tall) / columns))
    hung: list[list[Photograph]] = [[]]
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
            await evening.some_rounds(casino)
            names = dict(enumerate(casino.people, scenes.ADA))
            for language in LANGUAGES:
                await _speak(casino, language)
                reader = Reader(language, names, cards=casino.bot.emoji.written[Suits.TWO])
                with speaking(language):
                    shown = {kind: list(tables(kind, reader)) for kind in TABLES}
                    shown["tournament"] = list(tournaments(reader))
                for kind, each in shown.items():
                    if not wanted or kind in wanted:
                        with speaking(language):
                            await photographer.scenes(kind, language, each)
                for name, hangs in photographer.others.items():
                    if not wanted or name in wanted:
                        await hangs(language)
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
