"""How tables look: as the server says; to somebody alone at their own table, and in private, as they say."""

from __future__ import annotations

from dataclasses import replace

import simcord

from cogs.background.emoji_upload import CardUploader
from cogs.pictures.blackjack import TablePicture
from data import Appearance, Suits

from .. import raw
from ..conftest import Casino, played, text_of


async def server_wants(casino: Casino, suits: Suits = Suits.TWO, shown: Appearance = Appearance.PICTURES) -> None:
    settings = await casino.bot.bank.guilds.settings(casino.guild.id)
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, replace(settings, suits=suits, shown=shown))


async def wants(casino: Casino, who: simcord.MemberActor, choice: str) -> None:
    """Chosen from one of the menus of /settings."""
    panel = await casino.ask("settings", who)
    menus = [part for part in raw.components(panel) if part.get("options")]
    menu = next(menu for menu in menus if choice in [option["value"] for option in menu["options"]])
    await who.select(panel, [choice], custom_id=menu["custom_id"])


def has_picture(message: simcord.ResponseMessage | object) -> bool:
    return any(part["type"] == 12 for part in raw.components(message))  # type: ignore[arg-type]


def picture_key(casino: Casino) -> TablePicture:
    (key,) = casino.bot.presenter._displays[casino.table].pictures
    assert isinstance(key, TablePicture)
    return key


async def test_a_servers_tables_have_as_many_colours_as_it_says(casino: Casino) -> None:
    await casino.deal("T 6 / 6 ?")
    assert not picture_key(casino).four_colours
    await server_wants(casino, Suits.FOUR)
    await casino.click("Stand")
    assert picture_key(casino).four_colours


async def test_four_colours_are_in_the_text_too(casino: Casino) -> None:
    await CardUploader(casino.bot).provide()
    await server_wants(casino, Suits.FOUR)
    await casino.deal("Td 6c / 6 ?")
    emoji = casino.bot.emoji.written[Suits.FOUR]
    (hand,) = casino.snapshot.view.seats[0].hands
    assert "".join(emoji[card] for card in hand.cards) in casino.text


async def test_in_words_alone_a_table_has_no_picture_and_says_all(casino: Casino) -> None:
    await casino.deal("T 6 / 6 ?")
    assert has_picture(casino.message)
    await server_wants(casino, shown=Appearance.TEXT)
    await casino.click("Stand")
    assert not has_picture(casino.message)
    assert not casino.message.attachments
    await server_wants(casino)
    await casino.click("Deal")
    assert has_picture(casino.message)


async def test_who_plays_alone_sees_the_table_their_way_until_somebody_joins(casino: Casino) -> None:
    await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await wants(casino, casino.alice, Suits.FOUR)
    await casino.deal("T 6 / 6 ?")
    assert picture_key(casino).four_colours
    await casino.blackjack(casino.bob)
    await casino.play_on()
    assert not picture_key(casino).four_colours


async def test_a_table_where_one_person_plays_speaks_as_they_say_until_somebody_joins(casino: Casino) -> None:
    await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await wants(casino, casino.alice, "fr")
    await casino.deal("T 6 / 6 ?")
    assert casino.keys().count("Rester") == 1
    await casino.blackjack(casino.bob)
    assert casino.keys().count("Stand") == 1


async def test_with_computer_players_and_at_a_restart_a_table_speaks_as_its_one_person_says(casino: Casino) -> None:
    await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await wants(casino, casino.alice, "fr")
    await casino.deal("T 6 / 6 ?", ai=1)
    assert casino.keys().count("Rester") == 1
    await casino.bot.park()
    assert "Le casino redémarre" in casino.text


async def test_private_answers_look_as_their_reader_says(casino: Casino) -> None:
    code = await played(casino)
    await wants(casino, casino.alice, Appearance.TEXT)
    shown = await casino.alice.select(await casino.ask("history"), [code])
    assert shown.response is not None
    assert not has_picture(shown.response)
    assert "Dealer" in text_of(shown.response)


async def test_what_was_set_is_taken_back_to_the_servers_way(casino: Casino) -> None:
    await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    await wants(casino, casino.alice, Suits.FOUR)
    await casino.alice.select(await casino.ask("settings"), ["otherwise"], custom_id="settings:suits")
    member = await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)
    assert (await casino.bot.bank.members.settings(member.id)).suits is None
