"""/duel from the challenge to the end (R12), as two people and a bystander see it."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import discord
import pytest
import simcord
from prometheus_client import REGISTRY, generate_latest
from sqlalchemy import text

from cogs.background.chore import Chore
from cogs.care import sittings
from cogs.duel import texts
from cogs.duel.asking import wanted
from cogs.duel.keys import drawn
from cogs.duel.picture import picture_of
from cogs.words.refusals import Sorry
from data import Challenges, Currency, Length, MemberSettings, Rest, Wishes
from data.people.wishes import MOST_SILENCED
from engine.games.blackjack.rule_sets import VEGAS
from engine.sets.duels import CALLED, HAND, OPEN_FOR, RUNS_FOR, Ending
from engine.tables.ports import BankUnavailable
from tests.data.by_hand import by_hand

from .. import raw
from ..conftest import Casino, keys, text_of
from ..line import Line
from ..test_strategy import own_set
from .conftest import LABELS, Duelling

#: Discord's number of an answer that edits the message that was pressed on.
_UPDATES = 7
#: Discord's number of a component that shows files.
_GALLERY = 12


def told(duelling: Duelling, message: Any) -> list[str]:
    """The lines of a message, with people by their names."""
    shown = text_of(message)
    for name in ("ada", "ben", "cleo"):
        shown = shown.replace(f"<@{getattr(duelling, name).id}>", name.capitalize())
    shown = re.sub(r"</duel:\d+>", "`/duel`", shown)
    return re.sub(r"<t:\d+:R>", "SOON", shown).splitlines()


def called(casino: Casino, who: simcord.MemberActor) -> int:
    """The number of new messages that called somebody: edits notify nobody."""
    posted = [request.json for request in casino.env.http_requests if request.method == "POST" and request.json]
    bodies = [body.get("data", body) for body in posted if body.get("type") != _UPDATES]
    return sum(str(who.id) in map(str, body.get("allowed_mentions", {}).get("users", ())) for body in bodies)


# -- the challenge -----------------------------------------------------------------------------------------------------


async def test_a_challenge_says_what_is_played_and_calls_the_other(duelling: Duelling, casino: Casino) -> None:
    answer = await duelling.challenges(stake=50)
    assert told(duelling, answer) == [
        "### Challenge sent",
        "Ben has a day to answer. `/duel` shows your duels. The bank keeps 50 chips for it until then.",
    ]
    tip = (await duelling.duel()).tip[:16]
    assert told(duelling, casino.message) == [
        "### Ada challenges Ben",
        "5 hands of vegas, the same cards, 50 chips each. **The better decisions win, not the luckier cards.**",
        "Expires SOON",
        f"-# The cards were sealed before the challenge: `{tip}`",
    ]
    assert casino.labels() == ["Accept 50", "For fun", "No", "Withdraw"]
    assert [called(casino, who) for who in (duelling.ada, duelling.ben)] == [0, 1]
    assert [await casino.balance(who) for who in (duelling.ada, duelling.ben)] == [950, 1000]


async def test_a_challenge_for_fun_has_one_key_to_accept_it(duelling: Duelling, casino: Casino) -> None:
    await duelling.challenges(hands=None)
    assert casino.labels() == ["Accept", "No", "Withdraw"]
    assert "10 hands of vegas, the same cards, for fun. " in casino.text


async def test_a_challenge_for_chips_that_is_accepted_for_fun_is_told_as_one_for_fun(
    duelling: Duelling, casino: Casino
) -> None:
    await duelling.challenges(stake=50)
    await duelling.ben.click(casino.message, label="For fun")
    assert "5 hands of vegas, the same cards, for fun." in casino.text
    assert [await casino.balance(who) for who in (duelling.ada, duelling.ben)] == [1000, 1000]


async def test_accepted_it_says_who_has_begun_and_nothing_else(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted(stake=50)
    assert told(duelling, casino.message)[2] == "Ada has not started · Ben has not started · ends SOON"
    assert keys(casino.message) == ["Play my hands"]
    page = await duelling.opens(duelling.ada, message)
    assert told(duelling, casino.message)[2] == "Ada is playing · Ben has not started · ends SOON"
    shown = text_of(casino.message)
    await duelling.plays(duelling.ada, page, hands=3)
    assert text_of(casino.message) == shown
    assert casino.edits() == 1


@pytest.mark.parametrize(("label", "who"), [("No", "ben"), ("Withdraw", "ada")])
async def test_declined_or_withdrawn_it_says_the_same(duelling: Duelling, casino: Casino, label: str, who: str) -> None:
    await duelling.challenges(stake=50)
    await getattr(duelling, who).click(casino.message, label=label)
    assert told(duelling, casino.message) == [
        "### Ada against Ben",
        "5 hands of vegas, the same cards, 50 chips each",
        "This challenge is over. Nothing was played, and no chips are at stake.",
    ]
    assert await casino.balance(duelling.ada) == 1000
    edits = casino.edits()
    await casino.restart()
    await casino.env.settle()
    assert casino.edits() == edits, "that was its end"


@pytest.mark.parametrize(
    ("who", "label", "answer"),
    [
        ("ada", "Accept 50", "That button is for <@{ben}>."),
        ("ben", "Withdraw", "That button is for <@{ada}>."),
        ("cleo", "Accept 50", "This is between <@{ada}> and <@{ben}>."),
        ("cleo", "No", "This is between <@{ada}> and <@{ben}>."),
    ],
)
async def test_each_key_is_for_the_one_whom_it_concerns(
    duelling: Duelling, casino: Casino, who: str, label: str, answer: str
) -> None:
    await duelling.challenges(stake=50)
    result = await getattr(duelling, who).click(casino.message, label=label)
    assert answer.format(ada=duelling.ada.id, ben=duelling.ben.id) in result.response.content
    assert casino.labels() == ["Accept 50", "For fun", "No", "Withdraw"]


async def test_who_declines_may_ask_to_hear_no_more(duelling: Duelling, casino: Casino) -> None:
    await duelling.challenges()
    result = await duelling.ben.click(casino.message, label="No")
    (private,) = result.followups
    (silence,) = [part["custom_id"] for part in raw.components(private) if part["type"] == 2]
    (others,) = await raw.press(duelling.ada, private, silence)
    assert "meant for somebody else" in text_of(others.response)  # type: ignore[arg-type]
    await duelling.ben.click(private, label="Never again")
    assert "can't invite you to duels or tables any more, and is not told." in text_of(private)
    assert "They are not taking that challenge." in (await duelling.challenges()).content
    page = await casino.ask("settings", duelling.ben)
    await duelling.ben.click(page, label="Breaks and limits")
    await duelling.ben.click(page, label="Hear from everybody again (1)")
    assert "Challenge sent" in text_of(await duelling.challenges())


async def test_nobody_is_told_that_they_hear_no_more_where_it_was_not_stored(
    duelling: Duelling, casino: Casino
) -> None:
    await duelling.challenges()
    (private,) = (await duelling.ben.click(casino.message, label="No")).followups
    await duelling.bank.wishes.silence(duelling.ben.id, duelling.cleo.id)
    await by_hand(duelling.bank, f"UPDATE wishes SET silenced = '{'0' * 64 * MOST_SILENCED}'")
    full = (await duelling.ben.click(private, label="Never again")).response
    assert full is not None
    assert "You have stopped the challenges and invitations of a hundred people" in full.content
    await duelling.bank.wishes.hear_all(duelling.ben.id)
    await duelling.bank.privacy.forget(casino.guild.id, duelling.ada.id)
    unknown = (await duelling.ben.click(private, label="Never again")).response
    assert unknown is not None
    assert unknown.content == "That person is no longer known here. Nothing was changed."


# -- what is refused ---------------------------------------------------------------------------------------------------


async def a_break(duelling: Duelling) -> None:
    await duelling.bank.breaks.begin(duelling.ben.id, Rest.CHIPS, Length.DAY)


async def fun_only(duelling: Duelling) -> None:
    await duelling.bank.wishes.keep(duelling.ben.id, Wishes(challenges=Challenges.FOR_FUN))


async def nobody(duelling: Duelling) -> None:
    await duelling.bank.wishes.keep(duelling.ben.id, Wishes(challenges=Challenges.NOBODY))


async def silenced(duelling: Duelling) -> None:
    await duelling.bank.wishes.silence(duelling.ben.id, duelling.ada.id)


@pytest.mark.parametrize("reason", [a_break, fun_only, nobody, silenced])
async def test_r12_7_one_sentence_whatever_the_reason(
    duelling: Duelling, casino: Casino, reason: Callable[[Duelling], Awaitable[None]]
) -> None:
    await casino.balance(duelling.ben)
    await reason(duelling)
    answer = await duelling.challenges(stake=50)
    assert answer.content == "They are not taking that challenge. Ask for a duel for fun, or ask somebody else."
    assert await casino.balance(duelling.ada) == 1000


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({"stake": 901}, "The stake has to leave you at least 100 chips."),
        ({"stake": 1000}, "The stake has to leave you at least 100 chips."),
        ({"stake": 1001}, "You need 1,001 chips but have 1,000 chips."),
        ({"stake": -1}, "Stake whole chips, or none for fun."),
        ({"rules": "nonsense"}, "There is no rule set called **nonsense** here."),
        ({"level": "expert"}, "Choose a member or a level, not both."),
        ({"member": None, "level": "expert", "stake": 10}, "Computer players play for fun only."),
    ],
)
async def test_what_cannot_be_asked_for(duelling: Duelling, options: dict[str, Any], answer: str) -> None:
    assert answer in (await duelling.challenges(**options)).content
    assert await duelling.bank.duels.open_of(duelling.ada.id) == ()


@pytest.mark.parametrize("hands", [4, 21, 10**15])
def test_r12_1_a_duel_has_five_to_twenty_hands_also_past_discords_own_check(hands: int) -> None:
    with pytest.raises(Sorry, match="A duel has 5 to 20 hands"):
        wanted("vegas", VEGAS, 1, None, 0, hands)


async def test_nobody_challenges_themselves_or_a_bot(duelling: Duelling, casino: Casino) -> None:
    assert "You can't challenge yourself" in (await duelling.challenges(member=duelling.ada)).content
    bot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    assert "Bots don't play duels" in (await duelling.challenges(member=bot)).content
    for who, words in {bot: "Bots don't play duels", duelling.ada: "You can't challenge yourself"}.items():
        refused = (await duelling.ada.context_menu(casino.channel, "Duel", who)).response
        assert refused is not None, "there is no form to fill in"
        assert words in refused.content


async def test_r12_9_who_accepts_must_keep_something_too(duelling: Duelling, casino: Casino) -> None:
    await casino.grant(duelling.ben, -851)
    await duelling.challenges(stake=50)
    answer = (await duelling.ben.click(casino.message, label="Accept 50")).response
    assert told(duelling, answer) == ["The stake has to leave you at least 100 chips."]
    await casino.grant(duelling.ben, 1)
    await duelling.ben.click(casino.message, label="Accept 50")
    assert keys(casino.message) == ["Play my hands"]
    assert await casino.balance(duelling.ben) == 100


async def test_r12_9_for_chips_both_have_finished_some_hands_here(duelling: Duelling, casino: Casino) -> None:
    settings = await duelling.bank.guilds.settings(casino.guild.id)
    strict = replace(settings, house=replace(settings.house, gift_hands=3))
    await duelling.bank.guilds.keep_settings(casino.guild.id, strict)
    refused = [
        "You can play duels for chips once you have finished 3 hands on this server. So far: 0. "
        "Duels for fun are open to you."
    ]
    assert told(duelling, await duelling.challenges(stake=50)) == refused
    await duelling.bank.guilds.keep_settings(casino.guild.id, settings)
    await duelling.challenges(stake=50)
    await duelling.bank.guilds.keep_settings(casino.guild.id, strict)
    assert told(duelling, (await duelling.ben.click(casino.message, label="Accept 50")).response) == refused
    await duelling.ben.click(casino.message, label="For fun")
    assert keys(casino.message) == ["Play my hands"]


async def test_r12_9_above_what_may_change_hands_it_says_so(duelling: Duelling, casino: Casino) -> None:
    await casino.grant(duelling.ada, 3_000)
    answer = await duelling.challenges(stake=1_001)
    assert (
        answer.content
        == "For one of you, that is more than a person may give or receive in a day, gifts and duels together."
    )


async def test_r13_4_on_a_break_nothing_is_challenged_or_begun(duelling: Duelling) -> None:
    await duelling.bank.breaks.begin(duelling.ada.id, Rest.EVERYTHING, Length.DAY)
    for options in ({}, {"stake": 10}, {"member": None, "level": "expert"}):
        assert "You are taking a break" in (await duelling.challenges(**options)).content


# -- playing -----------------------------------------------------------------------------------------------------------


async def test_a_hand_looks_as_in_todays_five(duelling: Duelling) -> None:
    page = await duelling.opens(duelling.ada, await duelling.accepted())
    duel = await duelling.duel()
    found = (await duelling.bank.duels.find(duel, duelling.ada.id)).on(await duelling.bank.duels.deals(duel))
    assert told(duelling, page)[0] == "### Hand 1 of 5 ▫️▫️▫️▫️▫️"
    assert told(duelling, page)[-1] == "-# Ten minutes for each hand, from **Next** on. Then it stands."
    assert keys(page) == [LABELS[letter] for letter in "hsdpwrin" if LABELS[letter].lower() in found.legal]
    assert page.ephemeral


async def test_an_old_key_changes_nothing(duelling: Duelling) -> None:
    page = await duelling.opens(duelling.ada, await duelling.accepted())
    old = next(part["custom_id"] for part in raw.components(page) if part["type"] == 2)
    await duelling.plays(duelling.ada, page, hands=1)
    duel = await duelling.duel()
    before = await duelling.bank.duels.find(duel, duelling.ada.id)
    again = await duelling.opens(duelling.ada, duelling.casino.message)
    await raw.press(duelling.ada, again, old)
    assert await duelling.bank.duels.find(duel, duelling.ada.id) == before


async def test_a_key_that_was_pressed_twice_is_one_action(duelling: Duelling) -> None:
    page = await duelling.opens(duelling.ada, await duelling.accepted())
    duel = await duelling.duel()
    deals = await duelling.bank.duels.deals(duel)
    while True:  # until a hit leaves another question
        before = await duelling.bank.duels.find(duel, duelling.ada.id)
        hit = next(part["custom_id"] for part in raw.components(page) if part.get("label") == "Hit")
        await raw.press(duelling.ada, page, hit, times=3)
        after = await duelling.bank.duels.find(duel, duelling.ada.id)
        assert after.version == before.version + 1
        if not after.on(deals).round.over:
            break
        await duelling.ada.click(page, label="Next")


async def test_r12_3_after_ten_minutes_the_hand_stands(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted()
    page = await duelling.opens(duelling.ada, message)
    casino.env.backend.advance_clock(HAND)
    await duelling.ada.click(page, label="Stand")
    assert "Ten minutes were over, so the hand stood." in text_of(page)
    assert keys(page) == ["Next"]


@pytest.mark.parametrize("again", [True, False])
async def test_r12_3_it_is_said_that_the_last_hand_stood_too(
    duelling: Duelling,
    casino: Casino,
    again: bool,  # noqa: FBT001
) -> None:
    """To somebody who opens it again, and to somebody who goes on where they were."""
    message = await duelling.accepted()
    page = await duelling.opens(duelling.ada, message)
    await duelling.plays(duelling.ada, page, hands=4)
    await duelling.ada.click(page, label="Next")
    casino.env.backend.advance_clock(HAND)
    if again:
        page = await duelling.opens(duelling.ada, message)
    else:
        await duelling.ada.click(page, label=keys(page)[0])
    assert "Ten minutes were over, so the hand stood." in text_of(page)
    assert keys(page) == ["How it stands"]
    assert "Ada is done" in "\n".join(told(duelling, casino.message))


async def test_the_end_calls_both_and_says_whose_decisions_and_whose_cards_were_better(
    duelling: Duelling, casino: Casino
) -> None:
    message = await duelling.accepted(stake=50)
    page = await duelling.opens(duelling.ada, message)
    await duelling.plays(duelling.ada, page)
    await duelling.ada.click(page, label="How it stands")
    assert told(duelling, page)[1] == "You are done. The result is posted as soon as both of you are."
    assert called(casino, duelling.ada) == 0
    page = await duelling.opens(duelling.ben, message)
    await duelling.plays(duelling.ben, page, choose=min)
    lines = told(duelling, casino.message)
    assert lines[:2] == ["### Ada against Ben", "**Ada wins 100 chips.**"]
    assert re.fullmatch(r"Mistakes cost Ada 0\.0%, Ben \d+\.\d% of a bet\.", lines[2])
    assert re.fullmatch(r"(Ada|Ben) had the better cards: \S+ against \S+\.", lines[3])
    assert re.fullmatch(r"Decided by hand \d: Ben \w+ (on )?\d+( soft)? against \w+\.", lines[4])
    assert lines[5:] == ["-# Ada gets 2 points for the season."]
    assert keys(casino.message) == ["All hands", "Picture", "Again"]
    assert [called(casino, who) for who in (duelling.ada, duelling.ben)] == [1, 2]
    assert [await casino.balance(who) for who in (duelling.ada, duelling.ben)] == [1050, 950]
    first = next(each for each in casino.channel.history() if each.id == message.id)
    assert told(duelling, first)[-1] == "This duel is over."
    assert keys(first) == []


async def test_a_result_that_could_not_be_read_is_posted_later(
    duelling: Duelling, casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await duelling.accepted()
    pages = {who: await duelling.opens(who, message) for who in (duelling.ada, duelling.ben)}
    await duelling.plays(duelling.ada, pages[duelling.ada])
    number = (await duelling.duel()).id
    with monkeypatch.context() as patched:
        patched.setattr(duelling.bank.duels, "result", failing)
        await duelling.plays(duelling.ben, pages[duelling.ben])
    assert "Again" not in keys(casino.message)
    await drawn(casino.bot, await duelling.bank.duels.known(number))
    assert "Again" in keys(casino.message)


async def failing(*_: Any) -> Any:
    raise BankUnavailable


async def test_r12_6_afterwards_both_see_all_deals_beside_each_other_and_the_seed(
    duelling: Duelling, casino: Casino
) -> None:
    message = await duelling.accepted()
    for who, choose in ((duelling.ada, max), (duelling.ben, min)):
        await duelling.plays(who, await duelling.opens(who, message), choose=choose)
    result = await duelling.ada.click(casino.message, label="All hands")
    assert result.response is not None
    assert result.response.ephemeral
    lines = told(duelling, result.response)
    assert [line for line in lines if line.startswith("**Hand")] != []
    assert len([line for line in lines if line.startswith(("Ada · ", "Ben · "))]) == 10
    assert lines[-1].startswith("-# Seed ")
    assert keys(result.response) == []  # five hands need no second page
    stranger = await duelling.cleo.click(casino.message, label="All hands")
    assert stranger.response is not None
    assert "This is between" in stranger.response.content


async def test_ones_own_hands_of_a_duel_that_is_over_move(duelling: Duelling, casino: Casino) -> None:
    await played(duelling)
    page = (await duelling.ben.click(casino.message, label="All hands")).response
    assert page is not None
    await duelling.ben.select(page, ["1"])
    assert text_of(page).startswith("### Hand 2 ")
    (file,) = page.attachments
    assert file.filename == "hand.gif"
    assert keys(page) == ["Back"]
    await duelling.ben.click(page, label="Back")
    assert page.attachments == []
    assert "Seed" in text_of(page)
    menu = next(part["custom_id"] for part in raw.components(page) if part["type"] == 3)
    forged = await raw.choose(duelling.ben, page, menu, 3, ["77"])
    assert "doesn't belong here" in text_of(forged.response)
    again = await duelling.ben.select(page, ["1"])
    assert "One animation a minute" in text_of(again.response)


async def test_more_than_five_hands_are_on_pages_of_five(duelling: Duelling) -> None:
    page = await duelling.challenges(member=None, level="expert", hands=7)
    duel = await duelling.duel()
    await duelling.plays(duelling.ada, page)
    await duelling.ada.click(page, label="How it stands")
    await duelling.ada.click(page, label="All hands")
    for numbers, enabled in ((range(1, 6), ["Next"]), (range(6, 8), ["Back"])):
        hands = [line.partition(" · ")[0] for line in told(duelling, page) if line.startswith("**Hand")]
        assert hands == [f"**Hand {number}**" for number in numbers]
        assert keys(page) == enabled
        (menu,) = [part for part in raw.components(page) if part["type"] == 3]
        assert [option["label"] for option in menu["options"]] == [f"Hand {number}" for number in numbers]
        if enabled == ["Next"]:
            await duelling.ada.click(page, label="Next")
    result = await duelling.bank.duels.result(await duelling.bank.duels.known(duel.id))
    assert [each.computer for each in picture_of(result, ("ada", "Expert")).sides] == [False, True]


async def played(duelling: Duelling, **options: Any) -> None:
    """A duel that Ada wins."""
    await played_out(duelling, await duelling.accepted(**options))


async def played_out(duelling: Duelling, message: discord.Message) -> None:
    for who, choose in ((duelling.ada, max), (duelling.ben, min)):
        await duelling.plays(who, await duelling.opens(who, message), choose=choose)


def pictured(message: Any) -> tuple[str, str]:
    """The file of a message and its words for those who do not see it."""
    (gallery,) = [part for part in raw.components(message) if part["type"] == _GALLERY]
    (item,) = gallery["items"]
    (file,) = message.attachments
    assert item["media"]["url"].endswith(file.filename)
    return file.filename, item["description"]


async def test_a_picture_of_the_result_for_one_of_both_who_may_show_it_once(duelling: Duelling, casino: Casino) -> None:
    """In every channel where one of them asks for it."""
    message, hall = await duelling.accepted(stake=50), casino.guild.create_text_channel("hall")
    elsewhere = (await duelling.ben.slash(hall, "duel")).response
    assert elsewhere is not None
    await played_out(duelling, message)
    result, lines = casino.message, told(duelling, casino.message)
    private = (await duelling.ben.click(result, label="Picture")).response
    assert private is not None
    assert private.ephemeral
    name, words = pictured(private)
    assert name == "duel.png"
    assert words.splitlines() == [
        "ada against ben",
        "5 hands of vegas, the same cards, 50 chips each",
        *(re.sub(r"\b(Ada|Ben)\b", lambda who: who[0].lower(), line.replace("*", "")) for line in lines[1:5]),
    ]
    await duelling.ben.click(private, label="Show")
    shown = casino.message
    assert shown.id != result.id
    assert pictured(shown) == (name, words)
    assert keys(shown) == []
    also = (await duelling.ada.click(result, label="Picture")).response
    for who, picture in ((duelling.ben, private), (duelling.ada, also)):
        again = await who.click(picture, label="Show")
        assert again.response is not None
        assert "This result has already been shared here." in again.response.content
    assert casino.message.id == shown.id
    await duelling.ben.click(elsewhere, label="Play")
    private = (await duelling.ben.click(elsewhere, label="Picture")).response
    assert private is not None
    await duelling.ben.click(private, label="Show")
    assert hall.last_message is not None
    assert pictured(hall.last_message) == (name, words)


async def test_a_picture_has_the_suits_of_who_sees_it_and_shown_it_speaks_the_servers_language(
    duelling: Duelling, casino: Casino
) -> None:
    """It has the name of the server's chips and not their emoji, which no picture can show."""
    settings = await duelling.bank.guilds.settings(casino.guild.id)
    shells = Currency("shell", "shells", "🐚")
    await duelling.bank.guilds.keep_settings(casino.guild.id, replace(settings, currency=shells))
    await played(duelling, stake=50)
    assert "🐚" in casino.text
    result = casino.message
    private = (await duelling.ben.click(result, label="Picture")).response
    words = pictured(private)[1]
    assert "the same cards, 50 shells each" in words
    assert "🐚" not in words
    await duelling.ben.select(await casino.ask("settings", duelling.ben), ["four"], custom_id="settings:suits")
    colourful = (await duelling.ben.click(result, label="Picture")).response
    assert private is not None
    assert colourful is not None
    assert await private.attachments[0].read() != await colourful.attachments[0].read()
    german = replace(settings, currency=shells, language="de")
    await duelling.bank.guilds.keep_settings(casino.guild.id, german)
    await duelling.ben.click(private, label="Show")
    assert pictured(casino.message)[1].startswith("ada gegen ben\n")
    await duelling.challenges()
    assert told(duelling, casino.message)[0] == "### Ada fordert Ben heraus"


async def test_a_picture_is_for_the_two_who_played(duelling: Duelling, casino: Casino) -> None:
    await played(duelling)
    result = await duelling.cleo.click(casino.message, label="Picture")
    assert result.response is not None
    assert "This is between" in result.response.content


async def test_no_picture_of_a_running_duel_is_drawn(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted()
    result = await raw.press(duelling.ada, message, f"duel:picture:{(await duelling.duel()).id}")
    assert "duel.png" not in str(result)
    assert await duelling.bank.duels.open_of(duelling.ada.id) != ()


async def test_a_picture_names_who_has_left_the_server_or_was_not_met_since_the_start(
    duelling: Duelling, casino: Casino
) -> None:
    await played(duelling)
    await casino.restart()
    private = (await duelling.ada.click(casino.message, label="Picture")).response
    assert pictured(private)[1].splitlines()[0] == "ada against ben"
    casino.guild.remove_member(duelling.ben)
    await casino.restart()
    private = (await duelling.ada.click(casino.message, label="Picture")).response
    assert pictured(private)[1].splitlines()[0] == "ada against a former player"


async def test_a_picture_is_drawn_without_a_name_that_discord_does_not_tell(
    duelling: Duelling, casino: Casino, line: Line
) -> None:
    await played(duelling)
    await casino.restart()
    line.cut("GET", f"/guilds/{casino.guild.id}/members/{duelling.ben.id}")
    private = (await duelling.ada.click(casino.message, label="Picture")).response
    assert pictured(private)[1].splitlines()[0] == "ada against a former player"


async def test_again_challenges_the_other_for_the_same(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted(stake=50)
    for who, choose in ((duelling.ada, max), (duelling.ben, min)):
        await duelling.plays(who, await duelling.opens(who, message), choose=choose)
    await duelling.ben.click(casino.message, label="Again")
    assert told(duelling, casino.message)[:2] == [
        "### Ben challenges Ada",
        "5 hands of vegas, the same cards, 50 chips each. **The better decisions win, not the luckier cards.**",
    ]


async def test_again_after_a_challenge_that_was_accepted_for_fun_is_for_fun(duelling: Duelling, casino: Casino) -> None:
    await duelling.challenges(stake=50)
    await duelling.ben.click(casino.message, label="For fun")
    await duelling.opens(duelling.ben, casino.message)
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    await duelling.ben.click(casino.message, label="Again")
    assert casino.labels() == ["Accept", "No", "Withdraw"]


async def test_r12_1_again_takes_the_rules_as_they_are_at_the_new_challenge(duelling: Duelling, casino: Casino) -> None:
    await own_set(casino, "ours", decks=2)
    await played(duelling, rules="ours")
    await own_set(casino, "ours", decks=3)
    await duelling.ben.click(casino.message, label="Again")
    assert (await duelling.bank.duels.deals(await duelling.duel())).prepared.terms.rules.decks == 3


async def test_again_is_refused_once_the_server_has_no_such_rules(duelling: Duelling, casino: Casino) -> None:
    await own_set(casino, "ours", decks=2)
    await played(duelling, rules="ours")
    await casino.bot.bank.guilds.drop_rule_set(casino.guild.id, "blackjack", "ours")
    answer = (await duelling.ben.click(casino.message, label="Again")).response
    assert told(duelling, answer)[0].startswith("There is no rule set called **ours** here.")


async def test_again_challenges_nobody_who_has_left_the_server(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted(stake=50)
    for who, choose in ((duelling.ada, max), (duelling.ben, min)):
        await duelling.plays(who, await duelling.opens(who, message), choose=choose)
    casino.guild.remove_member(duelling.ben)
    answer = (await duelling.ada.click(casino.message, label="Again")).response
    assert told(duelling, answer) == ["That person isn't on this server. Nobody was challenged."]
    assert await casino.balance(duelling.ada) == 1050


async def test_who_was_forgotten_is_a_former_player_whom_nobody_challenges(duelling: Duelling, casino: Casino) -> None:
    await played(duelling)
    await duelling.bank.privacy.forget(casino.guild.id, duelling.ben.id)
    page = (await duelling.ada.click(casino.message, label="All hands")).response
    assert told(duelling, page)[0] == "### Ada against a former player"
    private = (await duelling.ada.click(casino.message, label="Picture")).response
    assert pictured(private)[1].splitlines()[0] == "ada against a former player"
    answer = (await duelling.ada.click(casino.message, label="Again")).response
    assert told(duelling, answer) == ["That person isn't on this server. Nobody was challenged."]


async def test_r14_3_a_duel_won_with_the_worse_cards_is_a_milestone(duelling: Duelling, casino: Casino) -> None:
    duelling.bank.challenges.chance = lambda size: bytes([4]) * size
    await played(duelling)
    assert told(duelling, casino.message)[3].startswith("Ben had the better cards")
    await casino.deal("T T / 9 T", who=duelling.ada)
    await casino.play_on(duelling.ada)
    page = await casino.ask("stats", duelling.ada)
    shown = (await duelling.ada.click(page, label="Milestones")).response
    assert "🧗 **Uphill** · a duel won with the worse cards" in told(duelling, shown)
    assert "-# 💯 Perfect day · 100 points in Today's five" in told(duelling, shown), "those 100 were a duel's"


# -- one's open ones, and levels ---------------------------------------------------------------------------------------


async def test_duel_alone_lists_the_open_ones_with_their_keys(duelling: Duelling, casino: Casino) -> None:
    assert "You have no open duel here." in text_of(await casino.ask("duel", duelling.ada))
    await duelling.challenges(stake=50)
    assert keys(await casino.ask("duel", duelling.ada)) == ["Withdraw"]
    elsewhere = casino.env.create_guild("Elsewhere")
    there = await elsewhere.add_member(duelling.ada.user).slash(elsewhere.create_text_channel("hall"), "duel")
    assert "You have no open duel here." in text_of(there.response)  # type: ignore[arg-type]
    page = await casino.ask("duel", duelling.ben)
    assert keys(page) == ["Accept", "For fun", "No"]
    await duelling.ben.click(page, label="Accept 50")
    assert keys(page) == ["Play"]
    assert "Ada has not started" in "".join(told(duelling, casino.message))
    await duelling.ben.click(page, label="Play")
    assert told(duelling, page)[0].startswith("### Hand 1 of 5")


async def test_r12_1_against_a_level_it_begins_at_once_and_nobody_else_sees_it(
    duelling: Duelling, casino: Casino
) -> None:
    before = casino.channel.history()
    page = await duelling.challenges(member=None, level="expert")
    assert told(duelling, page)[0].startswith("### Hand 1 of 5")
    await duelling.plays(duelling.ada, page, choose=min)
    await duelling.ada.click(page, label="How it stands")
    assert told(duelling, page)[1] == "**🤖 Expert wins.**"
    assert keys(page) == ["All hands", "Picture", "Again"]
    assert casino.channel.history() == before
    private = (await duelling.ada.click(page, label="Picture")).response
    assert pictured(private)[1].splitlines()[0] == "ada against Expert"
    await duelling.ada.click(page, label="All hands")
    assert "🤖 Expert · " in text_of(page)


async def test_r13_5_two_hours_of_play_end_in_a_duel_with_the_same_quiet_line(
    duelling: Duelling, casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await duelling.challenges(member=None, level="expert")
    now = casino.bot.clock.now()
    since = {duelling.ada.id: sittings._Sitting(now - sittings.LONG, now - 60)}
    monkeypatch.setitem(sittings._sittings, casino.bot, since)
    (line,) = (await duelling.ada.click(page, label=keys(page)[0])).followups
    assert line.ephemeral
    assert "playing for two hours" in line.content
    assert (await duelling.ada.click(page, label=keys(page)[0])).followups == []


async def test_r12_1_against_perfect_it_is_said_that_this_is_luck(duelling: Duelling) -> None:
    """A mistake decides nothing here, so none is named."""
    duelling.bank.challenges.chance = bytes
    page = await duelling.challenges(member=None, level="perfect")
    number = (await duelling.duel()).id
    await duelling.plays(duelling.ada, page, choose=min)
    await duelling.ada.click(page, label="How it stands")
    lines = told(duelling, page)
    assert lines[1] == "**🤖 Perfect wins.**"
    assert lines[-1].endswith("here only the cards win, and that is luck.")
    assert "Decided by" not in text_of(page)
    result = await duelling.bank.duels.result(await duelling.bank.duels.known(number))
    drawn = replace(result, duel=replace(result.duel, ending=Ending.EQUAL))
    assert "that is luck" not in "".join(texts.ended(drawn)), "nothing has won"


async def test_a_right_click_asks_for_the_chips(duelling: Duelling, casino: Casino) -> None:
    asked = await duelling.ada.context_menu(casino.channel, "Duel", duelling.ben)
    refused = await duelling.ada.submit_modal(asked, {"chips": "**many**"})
    assert refused.response is not None
    assert refused.response.content == r"**\*\*many\*\*** isn't a number of chips."
    asked = await duelling.ada.context_menu(casino.channel, "Duel", duelling.ben)
    await duelling.ada.submit_modal(asked, {"chips": "20"})
    assert casino.labels() == ["Accept 20", "For fun", "No", "Withdraw"]
    asked = await duelling.ada.context_menu(casino.channel, "Duel", duelling.cleo)
    await duelling.ada.submit_modal(asked, {})
    assert casino.labels() == ["Accept", "No", "Withdraw"]


async def test_a_form_made_up_for_a_bot_or_oneself_challenges_nobody(duelling: Duelling, casino: Casino) -> None:
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    shown = await casino.ask("duel", duelling.ada)
    for to, words in {robot.id: "Bots don't play duels", duelling.ada.id: "You can't challenge yourself"}.items():
        answer = await raw.submit(duelling.ada, shown, f"duel:to:{to}", {"chips": ""})
        assert answer.response is not None
        assert words in text_of(answer.response)


# -- time --------------------------------------------------------------------------------------------------------------


async def test_r12_4_a_deadline_while_the_process_was_gone_ends_it_at_the_start(
    duelling: Duelling, casino: Casino
) -> None:
    message = await duelling.accepted(stake=50)
    await duelling.opens(duelling.ben, message)
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    assert told(duelling, casino.message)[1] == "**Ben wins 100 chips**, because Ada never began."
    assert await casino.balance(duelling.ben) == 1050


async def test_r12_4_who_never_began_lets_the_other_win_in_portuguese_too(duelling: Duelling, casino: Casino) -> None:
    settings = await duelling.bank.guilds.settings(casino.guild.id)
    await duelling.bank.guilds.keep_settings(casino.guild.id, replace(settings, language="pt"))
    await duelling.challenges(stake=50)
    await duelling.ben.click(casino.message, label="Aceitar 50")
    await duelling.ben.click(casino.message, label="Jogar minhas mãos")
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    assert told(duelling, casino.message)[1] == "**Ben ganha 100 fichas**, porque Ada nunca começou."


async def test_r12_4_nobody_began_and_nobody_is_called(duelling: Duelling, casino: Casino) -> None:
    await duelling.accepted(stake=50)
    before = len(casino.channel.history())
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    assert told(duelling, casino.message)[-1] == "This duel is over without a result. Stakes are back."
    assert len(casino.channel.history()) == before
    assert await casino.balance(duelling.ada) == 1000


async def test_an_old_key_of_a_duel_that_is_over_says_how_it_ended(duelling: Duelling, casino: Casino) -> None:
    await duelling.accepted(stake=50)
    page = await casino.ask("duel", duelling.ben)
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    await duelling.ben.click(page, label="Play")
    assert told(duelling, page) == ["### Ada against Ben", "This duel is over without a result. Stakes are back."]
    assert keys(page) == []
    await duelling.accepted()
    page = await casino.ask("duel", duelling.ben)
    await duelling.ben.click(page, label="Play")
    await casino.sleep(RUNS_FOR)
    await casino.env.settle()
    await duelling.ben.click(page, label=keys(page)[0])
    assert told(duelling, page)[1] == "**Ben wins**, because Ada never began."
    assert keys(page) == ["All hands", "Again"], "there are no two sides to picture"


async def test_the_end_is_posted_once_though_two_processes_draw_it(duelling: Duelling, casino: Casino) -> None:
    await duelling.accepted()
    duel = await duelling.duel()
    await played_out(duelling, casino.message)
    posts, edits = len(casino.channel.history()), casino.edits()
    await drawn(casino.bot, await duelling.bank.duels.known(duel.id))
    assert (len(casino.channel.history()), casino.edits()) == (posts, edits)


@pytest.mark.parametrize("done", [True, False])
async def test_two_hours_before_the_end_those_who_wish_and_are_not_done_are_called_once(
    duelling: Duelling, casino: Casino, *, done: bool
) -> None:
    """Ben is done, or does not wish it."""
    message = await duelling.accepted()
    for who in (duelling.ada, duelling.ben) if done else (duelling.ada,):
        member = await duelling.bank.members.sign_in(casino.guild.id, who.id)
        await duelling.bank.members.keep_settings(member.id, MemberSettings(calls=True))
    await duelling.opens(duelling.ada, message)
    if done:
        await duelling.plays(duelling.ben, await duelling.opens(duelling.ben, message))
    await casino.sleep(RUNS_FOR - CALLED)
    await casino.restart()
    await casino.env.settle()
    assert told(duelling, casino.message)[1] == "Ada Your duel ends SOON. Hands that aren't played by then stand."
    assert [called(casino, who) for who in (duelling.ada, duelling.ben)] == [1, 1]


async def test_a_restore_gives_stakes_back(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted(stake=50)
    await duelling.plays(duelling.ada, await duelling.opens(duelling.ada, message), hands=2)
    await casino.restart(restored=True)
    await casino.env.settle()
    assert told(duelling, casino.message)[-1] == "This duel is over without a result. Stakes are back."
    assert [await casino.balance(who) for who in (duelling.ada, duelling.ben)] == [1000, 1000]


async def test_a_message_that_is_gone_holds_nothing_up(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted()
    pages = [await duelling.opens(who, message) for who in (duelling.ada, duelling.ben)]
    casino.env.inject_error("PATCH", "/channels/*/messages/*", status=404, times=None)
    for who, page in zip((duelling.ada, duelling.ben), pages, strict=True):
        await duelling.plays(who, page)
    lines = told(duelling, casino.message)
    assert (lines[1], lines[-1]) == ("**A draw.**", "-# Each gets 1 point for the season.")


async def test_two_who_made_the_same_mistakes_are_told_what_they_cost(duelling: Duelling, casino: Casino) -> None:
    message = await duelling.accepted()
    for who in (duelling.ada, duelling.ben):
        await duelling.plays(who, await duelling.opens(who, message), choose=min)
    lines = told(duelling, casino.message)
    cost = re.fullmatch(r"Mistakes cost Ada ([\d.]+%), Ben ([\d.]+%) of a bet\.", lines[2])
    assert lines[1] == "**A draw.**"
    assert cost is not None
    assert cost[1] == cost[2] != "0.0%"


async def test_nobodys_plays_are_logged(duelling: Duelling, casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    message = await duelling.accepted()
    await duelling.plays(duelling.ada, await duelling.opens(duelling.ada, message), hands=3)
    duel = await duelling.duel()
    async with duelling.bank._store.reading() as connection:
        steps = (await connection.execute(text("SELECT steps FROM tries"))).scalar_one()
    shown = "\n".join(record.getMessage() for record in caplog.records)
    assert steps not in shown
    assert (await duelling.bank.duels.deals(duel)).seed.hex() not in shown


async def test_forgetting_waits_and_says_so(duelling: Duelling, casino: Casino) -> None:
    await duelling.accepted()
    page = await casino.ask("privacy", duelling.ada)
    await duelling.ada.click(page, label="Forget me")
    answers = [text_of(page)]
    if keys(page):
        result = await duelling.ada.click(page, label=keys(page)[0])
        answers.append(text_of(page))
        answers += [result.response.content] if result.response is not None else []
    assert any("You have a duel that is not over." in answer for answer in answers), answers


# -- what nobody learns (R12.6) ----------------------------------------------------------------------------------------

#: What changes something, opens a table or begins something of one's own, and tells nothing of others.
_DOES: Final = frozenset(
    [
        *("baccarat", "blackjack", "daily", "elimination", "give", "odds", "seed", "shop", "strategy"),
        *("today", "tournament", "train", "verify", "war"),
    ]
)
#: The loggers of this program.
_OURS: Final = ("bot", "cogs", "data", "engine")
#: What else is asked by somebody who wants to know how far Ada is.
_ASKED: Final = ("balance", "duel", "help", "history", "leaderboard", "privacy", "rules", "settings", "stats")
_MANAGED: Final = ("casino audit", "casino export", "casino settings", "casino setup")


async def learned(duelling: Duelling, boss: simcord.MemberActor) -> list[str]:
    """Everything that Ben and a manager get to see, the files of it too."""
    casino, ada = duelling.casino, {"member": duelling.ada}
    answers = [await casino.ask(name, duelling.ben) for name in _ASKED]
    answers += [await casino.ask(name, duelling.ben, **ada) for name in ("balance", "stats")]
    answers += [await casino.ask(name, boss) for name in _MANAGED]
    duel = await duelling.duel(duelling.ben)
    for key in (f"duel:deals:{duel.id}:0", f"duel:picture:{duel.id}", f"duel:show:{duel.id}"):
        (result,) = await raw.press(duelling.ben, casino.message, key)
        assert result.response is not None
        answers.append(result.response)
    files = [str(await file.read()) for each in answers for file in each.attachments]
    mine = await duelling.bank.privacy.export(casino.guild.id, duelling.ben.id)
    return [*map(text_of, answers), *files, str(mine)]


async def test_r12_6_nobody_learns_from_anything_how_far_somebody_is(
    duelling: Duelling, casino: Casino, caplog: pytest.LogCaptureFixture
) -> None:
    """Every command, list, file, key and message is the same before Ada plays and after her fourth hand."""
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    commands = {name for name, kind in casino.env.backend.commands[None] if kind == 1}
    assert commands == _DOES | {*_ASKED, *(name.split()[0] for name in _MANAGED)}
    page = await duelling.opens(duelling.ada, await duelling.accepted())
    before = await learned(duelling, boss)
    caplog.clear()
    for ours in _OURS:
        caplog.set_level(logging.DEBUG, logger=ours)
    shown = [text_of(message) for message in casino.channel.history()]
    await duelling.plays(duelling.ada, page, hands=4)
    assert [text_of(message) for message in casino.channel.history()] == shown
    logged = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith(_OURS))
    assert await learned(duelling, boss) == before
    duel, deals = await duelling.duel(), await duelling.bank.duels.deals(await duelling.duel())
    assert deals.seed.hex() not in "\n".join([*before, logged])
    metrics = generate_latest(REGISTRY).decode()
    for told in (logged, metrics):
        assert str(duel.id) not in told
        assert str(duelling.ada.id) not in told


# -- what comes in between ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accepted", [False, True])
async def test_who_leaves_the_server_in_between_holds_nothing_up(
    duelling: Duelling, casino: Casino, *, accepted: bool
) -> None:
    await duelling.challenges(stake=50)
    if accepted:
        await duelling.ben.click(casino.message, label="Accept 50")
        await duelling.opens(duelling.ada, casino.message)
    casino.guild.remove_member(duelling.ben)
    await casino.sleep(max(OPEN_FOR, RUNS_FOR))
    await casino.env.settle()
    over = "**Ada wins 100 chips**, because Ben never began." if accepted else "This challenge is over."
    assert over in "\n".join(told(duelling, casino.message))
    assert await casino.balance(duelling.ada) == (1050 if accepted else 1000)


async def test_accepted_and_withdrawn_at_once_one_of_both_counts(duelling: Duelling, casino: Casino) -> None:
    await duelling.challenges(stake=50)
    accept, withdraw = casino.custom_id("Accept"), casino.custom_id("Withdraw")
    for who, key in ((duelling.ben, accept), (duelling.ada, withdraw)):
        raw.dispatched_press(who, casino.message, key)
    await casino.env.settle()
    running = "Play my hands" in keys(casino.message)
    assert await casino.balance(duelling.ada) == (950 if running else 1000)
    assert await casino.balance(duelling.ben) == (950 if running else 1000)


async def test_accepted_twice_at_once_the_stake_is_paid_once(duelling: Duelling, casino: Casino) -> None:
    await duelling.challenges(stake=50)
    first, second = await raw.press(duelling.ben, casino.message, casino.custom_id("Accept"), times=2)
    assert await casino.balance(duelling.ben) == 950
    assert keys(casino.message) == ["Play my hands"]
    told_of = [result.response.content for result in (first, second) if result.response is not None]
    assert any("That duel has moved on." in content for content in told_of)


async def test_duels_are_ended_and_called_by_the_process_of_their_server(
    duelling: Duelling, casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, chore = list[int](), casino.bot.get_cog("DuelEnds")
    assert isinstance(chore, Chore)

    async def noted(_: object, number: int) -> None:
        calls.append(number)

    monkeypatch.setattr("cogs.background.duels.called", noted)
    await duelling.accepted()
    number = (await duelling.duel()).id
    theirs, everybodys = [1 - (casino.guild.id >> 22) % 2], [0, 1]
    casino.bot.shard_count = 2
    for passes, shards, found in (
        (RUNS_FOR - CALLED, theirs, (0, 1)),
        (0, everybodys, (1, 1)),
        (CALLED, theirs, (1, 1)),
        (0, everybodys, (1, 0)),
    ):
        casino.env.backend.clock.advance(passes)
        casino.bot.shard_ids = shards
        await chore.do()
        assert (calls.count(number), len(await duelling.bank.duels.open_of(duelling.ada.id))) == found
