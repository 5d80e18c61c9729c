"""Pages of a server with a currency, roles, a log and files (`tests/golden/pages`)."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
import simcord

from cogs.words import DEFAULT

from .. import raw
from ..conftest import Casino
from . import writing
from .languages import FOLDERS
from .test_commands import answer, asked, page, pressed
from .test_golden import agrees


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


class Club:
    """A server that has everything, and what people read there."""

    def __init__(self, casino: Casino, boss: simcord.MemberActor) -> None:
        self.casino, self.boss, self.lines = casino, boss, list[str]()
        guild = casino.guild
        self.log, self.gold, self.silver = guild.create_text_channel("log"), *map(guild.create_role, ("Gold", "Silver"))
        guild.create_text_channel("vip", overwrites={self.silver: discord.PermissionOverwrite(view_channel=True)})

    async def speak(self, language: str) -> None:
        if language != DEFAULT:
            for who in (self.casino.alice, self.boss):
                await who.select(await self.casino.ask("settings", who), [language], custom_id="settings:language")
            await self.boss.select(await self.settings("language"), [language], custom_id="office:language")

    async def settings(self, place: str) -> simcord.ResponseMessage:
        return await self.casino.ask("casino settings", self.boss, page=place)

    def keep(self, scene: str, message: Any) -> None:
        self.lines += page(scene, answer(message))

    async def set_up(self) -> None:
        form = await self.boss.click(await self.settings("chips"), custom_id="office:currency")
        await self.boss.submit_modal(form, {"one": "shell", "many": "shells", "emoji": "🐚"})
        await self.boss.select(await self.settings("messages"), [self.log], custom_id="office:log")
        self.lines += await asked(self.casino, self.casino.alice, "shop")

    async def sell(self) -> None:
        shop = await self.casino.ask("shop", self.boss)
        form = await self.boss.select(shop, [self.gold], custom_id="shop:sell")
        assert form.modal is not None
        self.lines += page("the form of a role for sale", writing.form(form.modal))
        await self.boss.submit_modal(form, {"price": "40", "days": "7"})
        self.keep("/shop, as a manager", shop)
        roles = await self.settings("roles")
        await self.boss.select(roles, [self.silver], custom_id="office:champion:week")
        self.keep("/casino settings page:roles, as a manager", roles)
        self.lines += await asked(self.casino, self.boss, "casino setup")

    async def buy(self) -> None:
        shop = await self.casino.ask("shop")
        await self.casino.alice.select(shop, [str(self.gold.id)], custom_id="shop:choose")
        self.keep("a role that is about to be bought", shop)
        key = next(part["custom_id"] for part in raw.components(shop) if part.get("custom_id", "").startswith("shop:b"))
        self.lines += await pressed(shop, self.casino.alice, "a role that was bought", key)
        self.lines += await asked(self.casino, self.casino.alice, "shop")

    async def import_a_file(self) -> None:
        people = (self.casino.alice.id, 960), (self.boss.id, 500), (self.casino.bob.id, 7)
        file = "".join(["user,chips\n", *(f"{who},{chips}\n" for who, chips in people)]).encode()
        self.keep("/casino export", await self.casino.ask("casino export", self.boss))
        preview = await self.casino.ask("casino import", self.boss, file=("shells.csv", file))
        self.keep("/casino import", preview)
        key = next(part["custom_id"] for part in raw.components(preview) if "custom_id" in part)
        self.lines += await pressed(preview, self.boss, "an import that was booked", key)

    async def reset(self) -> None:
        """Order a reset, and let a week pass."""
        page = await self.casino.ask("casino reset", self.boss, chips=500)
        self.keep("/casino reset", page)
        key = next(part["custom_id"] for part in raw.components(page) if "custom_id" in part)
        opened = await self.boss.click(page, custom_id=key)
        assert opened.modal is not None
        answer = await raw.submit(self.boss, page, opened.modal["custom_id"], {"sure": "reset"})
        self.keep("a reset that was ordered", answer.response or page)
        for seconds, what in ((0.0, "a reset is announced"), (8 * 86_400.0, "a reset is over")):
            self.casino.env.backend.advance_clock(seconds)
            chore: Any = self.casino.bot.get_cog("ResetChore")
            await chore.do()
            self.keep(what, self.casino.message)

    async def read_the_log(self) -> None:
        chore: Any = self.casino.bot.get_cog("ServerLogs")
        await chore.do()
        posts = reversed(self.log.history())
        self.lines += page("the log", [line for post in posts for line in post.content.splitlines()])


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_a_club_of_ones_own_looks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, boss: simcord.MemberActor, language: str, folder: str
) -> None:
    club = Club(casino, boss)
    await club.speak(language)
    await club.set_up()
    await club.sell()
    await club.buy()
    await club.import_a_file()
    await club.reset()
    await club.read_the_log()
    agrees(request, f"{folder}/club.txt", [re.sub(r"\d{15,}", "some-id", line) for line in club.lines])
