"""/give"""

from __future__ import annotations

from dataclasses import replace

import pytest
import simcord

from cogs.answers.panel import FELT
from cogs.answers.time_limits import REQUEST
from data import GuildSettings
from data.people.fingerprints import DAY
from engine.tables.house import HouseSettings

from . import raw
from .conftest import Casino, keys, text_of
from .line import Line

MOST = 2**53 - 1
#: The field of the form as it comes back.
BOX = {"type": 4, "custom_id": "chips", "value": "5"}


async def test_a_gift_is_confirmed_and_then_told_to_everybody(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    assert question.ephemeral
    assert await casino.balance(casino.alice) == 1_000
    result = await casino.alice.click(question, label="Give")
    (public,) = result.followups
    assert not public.ephemeral
    assert public.content == f"{casino.alice.mention} gives {casino.bob.mention} **50 chips**."
    assert casino.called == [{casino.bob.id}]
    assert text_of(question) == f"### Sent\n{public.content}"
    assert (raw.components(question)[0]["accent_color"], keys(question)) == (FELT, [])
    assert await casino.balance(casino.alice) == 950
    assert await casino.balance(casino.bob) == 1_050


async def test_a_gift_whose_news_discord_never_takes_is_given_and_the_press_ends(casino: Casino, line: Line) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    line.hang("POST", "/webhooks/*/*")
    (give,) = (part["custom_id"] for part in raw.components(question) if part["type"] == 2)
    pressed = raw.dispatched_press(casino.alice, question, give)
    await casino.env.advance_time(REQUEST + 1)
    (told,) = simcord.InteractionResult(casino.env, pressed).followups
    assert "Discord didn't take my answer" in told.content
    assert await casino.balance(casino.bob) == 1_050


async def test_a_gift_confirmed_twice_is_given_once(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    (give,) = (part["custom_id"] for part in raw.components(question) if part["type"] == 2)
    await raw.press(casino.alice, question, give, times=2)
    await raw.press(casino.alice, question, give)
    assert await casino.balance(casino.alice) == 950


async def test_the_same_gift_is_made_as_often_as_it_is_asked_for(casino: Casino) -> None:
    for _ in range(2):
        await casino.alice.click(await casino.ask("give", member=casino.bob, amount=50), label="Give")
    assert await casino.balance(casino.bob) == 1_100


async def test_nobody_confirms_another_ones_gift(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    (give,) = (part["custom_id"] for part in raw.components(question) if part["type"] == 2)
    (answer,) = await raw.press(casino.bob, question, give)
    assert answer.response is not None
    assert "meant for somebody else" in answer.response.content
    other = await casino.ask("give", casino.bob, member=casino.alice, amount=1)
    (answer,) = await raw.press(casino.bob, other, give)
    assert answer.response is not None
    assert "doesn't belong here" in answer.response.content
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("forged", ["gift:1:{alice}:{bob}:-5", "gift:1:{alice}:{bob}:0", "gift:1:{alice}:{alice}:100"])
async def test_a_forged_gift_moves_nothing(casino: Casino, forged: str) -> None:
    await casino.ask("balance")
    question = await casino.ask("give", member=casino.bob, amount=50)
    press = forged.format(alice=casino.alice.id, bob=casino.bob.id)
    (answer,) = await raw.press(casino.alice, question, press)
    assert answer.response is not None
    assert answer.response.content
    assert await casino.balance(casino.alice) == 1_000


async def test_a_key_that_the_question_does_not_have_gives_nothing(casino: Casino) -> None:
    """Only what was asked about can be confirmed: not another amount, and not another person."""
    question = await casino.ask("give", member=casino.bob, amount=50)
    for to in (casino.bob.id, 987_654_321):
        (answer,) = await raw.press(casino.alice, question, f"gift:1:{casino.alice.id}:{to}:10000")
        assert answer.response is not None
        assert "doesn't belong here" in answer.response.content
    assert await casino.balance(casino.alice) == 1_000
    assert await casino.bot.bank.members.known(casino.guild.id, 987_654_321) is None


async def test_a_form_made_up_for_a_bot_or_a_stranger_asks_about_nothing(casino: Casino) -> None:
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    shown = await casino.ask("balance")
    for to, words in {robot.id: "Bots can't hold chips", 987_654_321: "isn't on this server"}.items():
        form = {"custom_id": f"give:{to}", "components": [{"type": 18, "component": BOX}]}
        answer = await raw.submit_as(casino.alice, shown, form)
        assert answer.response is not None
        assert words in text_of(answer.response)


async def test_somebody_who_left_the_server_meanwhile_gets_nothing(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    casino.guild.remove_member(casino.bob)
    answer = (await casino.alice.click(question, label="Give")).response
    assert answer is not None
    assert "isn't on this server" in text_of(answer)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_gift_of_chips_that_were_staked_meanwhile_says_what_is_lacking(casino: Casino) -> None:
    question = await casino.ask("give", member=casino.bob, amount=500)
    await casino.sealed_table()
    await casino.blackjack(bet=900)
    answer = (await casino.alice.click(question, label="Give")).response
    assert answer is not None
    assert "You need 500 chips but have" in text_of(answer)


async def test_a_bad_gift_gets_a_sentence(casino: Casino) -> None:
    few, many = "at least 1 chip", "but have 1,000 chips"
    for amount, words in {0: few, -5: few, -MOST: few, 1_001: many, MOST: many}.items():
        assert words in text_of(await casino.ask("give", member=casino.bob, amount=amount))


async def test_a_gift_to_oneself_or_to_a_bot_is_none(casino: Casino) -> None:
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    assert "chips to yourself" in text_of(await casino.ask("give", member=casino.alice, amount=5))
    assert "Bots can't hold chips" in text_of(await casino.ask("give", member=robot, amount=5))


async def test_gifts_stop_at_the_days_cap(casino: Casino) -> None:
    await casino.ask("daily")
    first = await casino.ask("give", member=casino.bob, amount=900)
    await casino.alice.click(first, label="Give")
    second = await casino.ask("give", member=casino.bob, amount=101)
    assert "You can still give 100 chips" in text_of(second)  # said before it is asked about
    assert await casino.balance(casino.alice) == 300


async def test_gifts_stop_at_what_one_person_may_receive(casino: Casino) -> None:
    await casino.alice.click(await casino.ask("give", member=casino.bob, amount=900), label="Give")
    carol = casino.person("carol")
    refused = await casino.ask("give", carol, member=casino.bob, amount=101)
    assert "They can still be given 100 chips" in text_of(refused)


async def test_a_gift_leaves_the_giver_a_hundred_chips(casino: Casino) -> None:
    assert "leave you at least 100 chips" in text_of(await casino.ask("give", member=casino.bob, amount=901))


async def test_where_the_house_lets_a_gift_leave_nothing_all_chips_can_be_given(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    await bank.guilds.keep_settings(guild, GuildSettings(replace(await bank.guilds.house(guild), kept_chips=0)))
    await casino.alice.click(await casino.ask("give", member=casino.bob, amount=1_000), label="Give")
    assert await casino.balance(casino.alice) == 0
    assert await casino.balance(casino.bob) == 2_000


async def test_a_second_account_gives_nothing_until_it_is_old_and_has_played(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    await bank.guilds.keep_settings(guild, GuildSettings())
    assert "too new" in text_of(await casino.ask("give", member=casino.bob, amount=5))
    strict = GuildSettings(HouseSettings(gift_account_days=0, gift_server_days=0))
    await bank.guilds.keep_settings(guild, strict)
    assert "50 hands on this server. So far: 0." in text_of(await casino.ask("give", member=casino.bob, amount=5))
    await bank.guilds.keep_settings(guild, GuildSettings(replace(strict.house, gift_hands=0)))
    question = await casino.ask("give", member=casino.bob, amount=5)
    await bank.guilds.keep_settings(guild, strict)
    answer = (await casino.alice.click(question, label="Give")).response
    assert answer is not None
    assert "50 hands" in text_of(answer), "the bank asks again when it is confirmed"
    assert await casino.balance(casino.alice) == 1_000


async def test_an_old_account_that_has_just_joined_the_server_gives_nothing(casino: Casino) -> None:
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, GuildSettings(HouseSettings(gift_hands=0)))
    old = casino.env.create_user("old")
    casino.env.backend.advance_clock(31 * DAY)
    newcomer = casino.guild.add_member(old)
    refused = await casino.ask("give", newcomer, member=casino.bob, amount=5)
    assert "you joined this server too recently" in text_of(refused)


async def test_a_right_click_asks_how_much_and_then_once_more(casino: Casino) -> None:
    asked = await casino.alice.context_menu(casino.channel, "Give", casino.bob)
    assert asked.modal is not None
    ((field,), title) = asked.modal["components"], asked.modal["title"]
    assert (title, field["description"]) == ("Give bob chips", "You have 1,000 chips.")
    question = await casino.alice.submit_modal(asked, {"chips": "900"})
    assert question.response is not None
    await casino.alice.click(question.response, label="Give")
    assert await casino.balance(casino.bob) == 1_900


@pytest.mark.parametrize(
    ("language", "typed", "answer"),
    [
        ("en", "900", "### Give 900 chips?"),
        ("en", " 1 100 ", "You need 1,100 chips but have 1,000 chips."),
        ("de", "1.100", "Du brauchst 1.100 Chips, hast aber 1.000 Chips."),
        ("en", "ten", "**ten** isn't a number of chips."),
        ("en", "-5", "**\\-5** isn't a number of chips."),
        ("en", "2.5", "**2.5** isn't a number of chips."),
        ("en", "9" * 16, f"**{'9' * 16}** isn't a number of chips."),
        ("en", "0", "Give at least 1 chip."),
    ],
)
async def test_chips_are_typed_into_the_form_as_in_ones_own_language(
    casino: Casino, language: str, typed: str, answer: str
) -> None:
    await casino.alice.select(await casino.ask("settings"), [language], custom_id="settings:language")
    asked = await casino.alice.context_menu(casino.channel, "Give", casino.bob)
    said = (await casino.alice.submit_modal(asked, {"chips": typed})).response
    assert said is not None
    assert text_of(said).splitlines()[0] == answer


async def test_a_right_click_on_oneself_a_bot_or_with_no_chips_asks_nothing(casino: Casino) -> None:
    async def refused(member: simcord.MemberActor) -> str:
        result = await casino.alice.context_menu(casino.channel, "Give", member)
        assert result.modal is None
        assert result.response is not None
        assert result.response.ephemeral
        return text_of(result.response)

    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    assert await refused(casino.alice) == "You can't give chips to yourself."
    assert await refused(robot) == "Bots can't hold chips."
    await casino.grant(casino.alice, -1_000)
    assert await refused(casino.bob) == "You need 1 chip but have 0 chips."
