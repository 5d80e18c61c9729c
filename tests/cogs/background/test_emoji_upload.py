"""Cards among the application's emoji: put there once, found again, and never waited for."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from simcord.backend import errors

from cogs.background import emoji_upload
from cogs.background.emoji_upload import AGAIN, CardUploader
from cogs.doctor import discord_side
from cogs.table.emoji import CardEmoji, images, is_ours, wanted
from data import Suits
from engine.games.cards import PACK

from .. import raw
from ..conftest import Casino, text_of


def uploads(casino: Casino) -> int:
    return sum(request.method == "POST" and request.path.endswith("/emojis") for request in casino.env.http_requests)


def names(casino: Casino) -> list[str]:
    return sorted(emoji.name for emoji in casino.env.backend.application_emojis.values())


async def test_all_cards_are_uploaded_once_and_found_by_name_after_a_restart(casino: Casino) -> None:
    assert await CardUploader(casino.bot).provide()
    assert names(casino) == sorted(wanted())
    before = uploads(casino)
    await casino.restart()
    assert await CardUploader(casino.bot).provide()
    assert uploads(casino) == before == 79
    assert casino.bot.emoji.written[Suits.TWO].keys() == {*PACK, None}


async def test_a_table_writes_its_cards_as_emoji_and_the_picture_is_told_in_letters(casino: Casino) -> None:
    await CardUploader(casino.bot).provide()
    await casino.deal("T 6 / 6 ?")
    emoji = casino.bot.emoji.written[Suits.TWO]
    (hand,) = casino.snapshot.view.seats[0].hands
    assert "".join(emoji[card] for card in hand.cards) in casino.text
    assert emoji[None] in casino.text
    (picture,) = [part for part in raw.components(casino.message) if part["type"] == 12]
    assert "<:" not in picture["items"][0]["description"]


async def test_where_there_are_none_cards_are_written_in_letters(casino: Casino) -> None:
    await casino.deal("T 6 / 6 ?")
    assert "<:" not in casino.text
    assert "░░`" in casino.text


async def test_until_all_are_there_none_is_used() -> None:
    class One:
        def __init__(self, name: str) -> None:
            self.name = name

        def __str__(self) -> str:
            return f"<:{self.name}:1>"

    known, all_names = CardEmoji(), [name for name, _image in images(Suits.TWO).values()]
    known.learn(One(name) for name in all_names[1:])
    assert not known.written[Suits.TWO]
    known.learn(One(name) for name in all_names)
    assert known.written[Suits.TWO]["As"].startswith("<:A_spades_")
    assert not known.written[Suits.FOUR]


async def test_a_card_that_was_drawn_otherwise_is_replaced_and_other_emoji_stay(casino: Casino) -> None:
    for name in ("A_spades_000000", "card_back_000000", "A_spades", "party"):
        casino.env.backend.create_application_emoji(name)
    assert await CardUploader(casino.bot).provide()
    assert names(casino) == sorted([*wanted(), "A_spades", "party"])


async def test_what_discord_does_not_delete_keeps_no_card_from_use_and_is_deleted_next_time(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise errors.missing_access()

    casino.env.backend.create_application_emoji("A_spades_000000")
    with monkeypatch.context() as patch:
        patch.setattr(casino.env.backend, "delete_application_emoji", refused)
        with pytest.raises(discord.Forbidden):
            await CardUploader(casino.bot).provide()
    assert casino.bot.emoji.written[Suits.TWO].keys() == {*PACK, None}
    assert await CardUploader(casino.bot).provide()
    assert names(casino) == sorted(wanted())


async def test_of_two_processes_one_uploads(casino: Casino) -> None:
    one, other = CardUploader(casino.bot), CardUploader(casino.bot)
    assert any(await asyncio.gather(one.provide(), other.provide()))
    assert await other.provide()
    assert uploads(casino) == 79


async def test_two_processes_may_delete_the_same_cards_at_once(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    await CardUploader(casino.bot).provide()
    casino.env.backend.create_application_emoji("A_spades_000000")
    stale = await casino.bot.fetch_application_emojis()
    assert await CardUploader(casino.bot).provide()

    async def as_before() -> list[discord.Emoji]:
        return stale

    monkeypatch.setattr(casino.bot, "fetch_application_emojis", as_before)
    assert await CardUploader(casino.bot).provide()
    assert names(casino) == sorted(wanted())


async def test_an_upload_that_takes_an_hour_keeps_its_claim(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    create, taken = casino.bot.create_application_emoji, list[bool]()

    async def slowly(**sent: Any) -> discord.Emoji:
        casino.env.backend.clock.advance(AGAIN - 1)
        taken.append(await casino.bot.bank.jobs.lock("emoji", "another process", seconds=AGAIN))
        return await create(**sent)

    monkeypatch.setattr(casino.bot, "create_application_emoji", slowly)
    monkeypatch.setattr(emoji_upload, "wanted", lambda: dict(list(wanted().items())[:4]))
    assert await CardUploader(casino.bot).provide()
    assert taken == [False] * 4


async def test_what_discord_refuses_leaves_the_claim_to_others(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise errors.invalid_form_body("Maximum number of emojis reached")

    with monkeypatch.context() as patch:
        patch.setattr(casino.env.backend, "create_application_emoji", full)
        with pytest.raises(Exception, match="Maximum"):
            await CardUploader(casino.bot).provide()
    assert await CardUploader(casino.bot).provide()


def test_every_name_is_one_that_discord_takes_and_that_is_known_again() -> None:
    assert all(is_ours(name) and len(name) <= 32 for name in wanted())
    assert all(len(image) < 256 * 1024 for image in wanted().values())
    assert not is_ours("A_spades")


async def test_the_doctor_says_how_many_are_there(casino: Casino) -> None:
    assert (await discord_side.card_emoji(casino.bot)).sentence.startswith("0 of 79 card emoji are there")
    await CardUploader(casino.bot).provide()
    assert (await discord_side.card_emoji(casino.bot)).sentence == "all 79 card emoji are there"


async def test_a_bot_with_the_setting_puts_them_there_by_itself(casino: Casino) -> None:
    assert "CardUploader" not in casino.bot.cogs
    uploader = CardUploader(casino.bot)
    await casino.bot.add_cog(uploader)
    work = uploader._come_round.get_task()
    assert work is not None
    await asyncio.wait_for(work, 10)
    assert casino.bot.emoji.written[Suits.FOUR]
    assert text_of(await casino.ask("help"))
