"""A currency of the server's own: its name stands beside amounts, in every language and never in a picture."""

from __future__ import annotations

import discord
import pytest
import simcord

from cogs.casino.currency import typed
from cogs.words.refusals import Sorry
from data import Currency

from ..conftest import Casino, text_of


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


async def named(casino: Casino, boss: simcord.MemberActor, one: str, many: str, emoji: str = "") -> str:
    """Fill in the form for the currency, and return the panel and what was answered."""
    panel = await casino.ask("casino settings", boss, page="chips")
    form = await boss.click(panel, label="Currency")
    answer = await boss.submit_modal(form, {"one": one, "many": many, "emoji": emoji})
    said = text_of(answer.response) if answer.response is not None else ""
    return f"{text_of(panel)}\n{said}"


async def currency(casino: Casino) -> Currency | None:
    return (await casino.bot.bank.guilds.settings(casino.guild.id)).currency


async def test_r10_6_amounts_are_called_what_the_server_calls_them(casino: Casino, boss: simcord.MemberActor) -> None:
    told = await named(casino, boss, "shell", "shells", "🐚")
    assert "Currency · **shell · shells 🐚**" in told
    assert "Starting chips · **1,000 shells 🐚**" in told
    assert "1,000 shells 🐚" in text_of(await casino.ask("balance"))
    assert "from 1 shell 🐚 to 10,000 shells 🐚" in text_of((await casino.blackjack(bet=20_000)).response)


async def test_other_languages_take_the_same_words(casino: Casino, boss: simcord.MemberActor) -> None:
    await named(casino, boss, "shell", "shells", "🐚")
    await casino.alice.select(await casino.ask("settings"), ["fr"], custom_id="settings:language")
    assert "1\u202f000 shells 🐚" in text_of(await casino.ask("balance"))


async def test_an_empty_form_brings_the_chips_back(casino: Casino, boss: simcord.MemberActor) -> None:
    await named(casino, boss, "shell", "shells", "🐚")
    assert "Currency · **chips**" in await named(casino, boss, "", "", "")
    assert await currency(casino) is None
    assert "1,000 chips" in text_of(await casino.ask("balance"))


@pytest.mark.parametrize(
    ("one", "many", "emoji"),
    [
        ("clin d’œil", "clins d’œil", "👍🏽"),
        ("x" * 20, "y" * 20, "👨‍👩‍👧‍👦"),
        ("貝", "貝", ""),
        ("монета", "монеты", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("सिक्का", "सिक्के", "🪙"),
        ("sea-shell", "sea-shells", "♠️"),
        ("clin d'œil", "clins d'œil", "🐚" * 10),
    ],
)
async def test_a_name_is_kept_as_typed(
    casino: Casino, boss: simcord.MemberActor, one: str, many: str, emoji: str
) -> None:
    await named(casino, boss, one, many, emoji)
    assert await currency(casino) == Currency(one, many, emoji)


def test_r10_6_no_emoji_of_money_is_taken() -> None:
    for emoji in "💲💱💵💴💶💷💸":
        with pytest.raises(Sorry, match=f"^{emoji} is real money, and chips are never worth any"):
            typed({"one": "shell", "many": "shells", "emoji": emoji})


@pytest.mark.parametrize(
    "name",
    [
        "dollar's",
        "dollar’s",
        "dollarʼs",
        "'euro'",
        "𝐃ollar",
        "dοllar",
        "d\u03ccllar",
        "ΒITCOIN",
        "ВITCOIN",
        "Ԁollar",
        "bıtcoin",
    ],
)
def test_r10_6_no_money_is_taken_in_disguise(name: str) -> None:
    """With apostrophes, in letters for formulas, and with Greek, Cyrillic and Turkish letters."""
    with pytest.raises(Sorry, match=r"is real money, and chips are never worth any"):
        typed({"one": name, "many": "shells"})


async def test_the_form_has_the_name_in_it_and_the_page_shows_it_without_an_emoji(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    assert "Currency · **shell · shells**\n" in await named(casino, boss, "shell", "shells")
    await named(casino, boss, "shell", "shells", "🐚")
    form = await boss.click(await casino.ask("casino settings", boss, page="chips"), label="Currency")
    assert form.modal is not None
    boxes = [label["component"] for label in form.modal["components"]]
    assert {box["custom_id"]: box["value"] for box in boxes} == {"one": "shell", "many": "shells", "emoji": "🐚"}


async def test_what_nobody_sees_is_taken_out_of_a_name(casino: Casino, boss: simcord.MemberActor) -> None:
    await named(casino, boss, " sh\u202eell ", "sea \u200b shells", "🐚")
    assert await currency(casino) == Currency("shell", "sea shells", "🐚")


@pytest.mark.parametrize(
    ("one", "many", "emoji", "words"),
    [
        ("shell", "", "🐚", "a name for one and a name for several"),
        ("", "", "🐚", "a name for one and a name for several"),
        ("x" * 21, "shells", "", "letters and spaces only"),
        ("$hell", "shells", "", "letters and spaces only"),
        ("7", "sevens", "", "letters and spaces only"),
        ("-", "--", "", "letters and spaces only"),
        ("<@1>", "shells", "", "letters and spaces only"),
        ("**shell**", "shells", "", "letters and spaces only"),
        ("evil.example/x", "shells", "", "letters and spaces only"),
        ("shell", "gold DOLLARS", "", "real money"),
        ("Euro-shell", "shells", "", "real money"),
        ("dólar", "shells", "", "real money"),
        ("shell", "ｄｏｌｌａｒｓ", "", "real money"),
        ("shell", "d\u043ellars", "", "real money"),
        ("shell", "d\u0323o\u0323llars", "", "real money"),
        ("рубль", "shells", "", "real money"),
        ("金", "人民币", "", "real money"),
        ("ドル", "ドル", "", "real money"),
        ("\u3164", "\u3164", "", "letters and spaces only"),
        ("sh\u034fell", "shells", "", "letters and spaces only"),
        ("shell", "shells", "㌦", "real money"),
        ("shell", "shells", "💵", "real money"),
        ("shell", "shells", "x", "not one of Discord's own emoji"),
        ("shell", "shells", "<:shell:123>", "not one of Discord's own emoji"),
        ("shell", "shells", "🏽", "not one of Discord's own emoji"),
        ("shell", "shells", "🐚" * 11, "not one of Discord's own emoji"),
    ],
)
async def test_r10_6_what_could_be_money_a_link_or_a_mention_is_refused(
    casino: Casino, boss: simcord.MemberActor, one: str, many: str, emoji: str, words: str
) -> None:
    assert words in await named(casino, boss, one, many, emoji)
    assert await currency(casino) is None
