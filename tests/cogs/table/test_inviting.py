"""Tables by invitation: who may sit, who is called, and what the opener learns (R14.4, R12.7)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import discord
import pytest
import simcord

from data import Challenges, Length, Rest, Wishes
from engine.games.blackjack.rules import Split
from engine.tables import open_tables
from engine.tables.house import KEPT_SECONDS
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.state import FreedFor
from engine.tables.table import Table

from .. import raw
from ..conftest import Casino, keys, priced, text_of
from ..line import Line
from .test_opening import keep

CALL = "By invitation"


async def opened(casino: Casino, freed_for: FreedFor = FreedFor.EVERYBODY, **options: Any) -> simcord.ResponseMessage:
    """Alice opens a table by invitation. Return the question whom to invite."""
    result = await casino.blackjack(invite=freed_for.value, **{"bet": 10, **options})
    (question,) = [each for each in result.followups if each.ephemeral and "Your guests" in text_of(each)]
    return question


async def invited(casino: Casino, *people: simcord.MemberActor, **options: Any) -> simcord.ResponseMessage:
    question = await opened(casino, **options)
    await casino.alice.select(question, people or [casino.bob])
    return question


def calls(casino: Casino) -> list[discord.Message]:
    return [message for message in casino.channel.history() if text_of(message).startswith(f"### {CALL}")]


def board(casino: Casino) -> discord.Message:
    """The message of the table."""
    return next(message for message in casino.channel.history() if message.id == casino.table.state.message)


async def presses(casino: Casino, label: str, who: simcord.MemberActor) -> str:
    """Press a key of the table, and return what is said to the presser."""
    result = await who.click(board(casino), label=label)
    return "".join(text_of(each) for each in (result.response, *result.followups) if each is not None)


async def over(casino: Casino) -> None:
    """Alice stands until the round is over."""
    while casino.snapshot.phase is TablePhase.PLAYING:
        await casino.alice.click(
            board(casino), label="No insurance" if "No insurance" in keys(board(casino)) else "Stand"
        )


async def test_r14_4_the_opener_chooses_who_may_sit_and_they_are_called_once(casino: Casino) -> None:
    question = await invited(casino)
    assert casino.bob.mention in text_of(question)
    (menu,) = (part for part in raw.components(question) if part.get("custom_id", "").startswith("invite:"))
    assert menu["max_values"] == 6, "a seat is the opener's"
    (call,) = calls(casino)
    assert f"{casino.bob.mention}: {casino.alice.mention} keeps seats for you" in text_of(call)
    assert str(board(casino).id) in text_of(call)
    assert casino.called == [{casino.bob.id}]
    assert f"By invitation: {casino.bob.mention}. After" in text_of(board(casino))
    assert "free seats are for everybody" in text_of(board(casino))
    assert "This table is by invitation." in await presses(casino, "Join", casino.person("carol"))
    await presses(casino, "Join", casino.bob)
    assert [chair.user for chair in casino.table.state.people] == [casino.alice.id, casino.bob.id]


async def joined_by_carol(casino: Casino) -> None:
    """Alice's seats are kept for ten minutes, and then Carol takes one without an invitation."""
    await invited(casino)
    await over(casino)
    await casino.blackjack(bet=10)
    await casino.sleep(KEPT_SECONDS)
    await over(casino)
    await presses(casino, "Join", casino.person("carol"))


async def test_r14_4_after_ten_minutes_anybody_joins(casino: Casino) -> None:
    await joined_by_carol(casino)
    assert casino.person("carol").id in {chair.user for chair in casino.table.state.people}
    assert "By invitation" not in text_of(board(casino))


async def test_r14_4_more_people_are_invited_later_and_nobody_is_called_twice(casino: Casino) -> None:
    carol = casino.person("carol")
    question = await invited(casino)
    await casino.alice.select(question, [casino.bob, carol])
    assert casino.called == [{casino.bob.id}, {carol.id}]
    await casino.alice.select(question, [carol])
    assert len(calls(casino)) == 2, "she was invited before"
    result = await casino.blackjack(invite=FreedFor.EVERYBODY.value)
    assert result.response is not None
    assert result.response.ephemeral, "the question is the answer to the command"
    assert carol.mention in text_of(result.response)


async def test_r14_4_the_table_of_the_channel_stays_free_for_others(casino: Casino) -> None:
    carol = casino.person("carol")
    await invited(casino)
    await casino.blackjack(carol, bet=10)
    guests, shared = casino.bot.registry.tables()
    assert shared.state.invitation is None
    assert [chair.user for chair in shared.state.people] == [carol.id]
    assert [chair.user for chair in guests.state.people] == [casino.alice.id]


async def test_r14_4_a_guest_who_types_the_command_stays_where_they_sit(casino: Casino) -> None:
    await invited(casino)
    await over(casino)
    await presses(casino, "Join", casino.bob)
    await casino.blackjack(casino.bob, bet=20)
    assert casino.table.state.chair_of(casino.bob.id) is not None, "there is one table still"
    refused = text_of(await casino.ask("blackjack", casino.bob, invite=FreedFor.EVERYBODY.value))
    assert "here, and `invite` is for a new one. **Leave** that table first." in refused, "the opener invites"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"solo": True}, "Choose `solo` or `invite`, not both."),
        ({"rules": "four-seat"}, "computer players take all free seats: leave `invite` out"),
        ({"rules": "lonely"}, "the only seat is yours: leave `invite` out"),
        ({"rules": "for-four", "ai": 3}, "At **for-four** that leaves no seat for a guest: choose fewer with `ai`."),
    ],
)
async def test_r14_4_what_does_not_go_with_an_invitation_is_refused(
    casino: Casino, options: dict[str, Any], why: str
) -> None:
    await keep(casino, "lonely", most_seats=1, split=Split.NO)
    await keep(casino, "for-four", most_seats=4)
    answer = await casino.ask("blackjack", invite=FreedFor.COMPUTERS.value, **options)
    assert why in text_of(answer)
    assert casino.bot.registry.tables() == ()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ai": 2, "solo": True}, "Your guests still play at [your table]({}). Leave `ai` out to sit down there."),
        (
            {"rules": "kitchen"},
            "Your guests still play at [your table of **vegas**]({}). Leave `rules` out to sit down there.",
        ),
    ],
)
async def test_r14_4_an_opener_who_left_learns_that_the_guests_still_play(
    casino: Casino, options: dict[str, Any], told: str
) -> None:
    await invited(casino)
    await over(casino)
    await presses(casino, "Join", casino.bob)
    await presses(casino, "Leave", casino.alice)
    assert casino.table.state.chair_of(casino.alice.id) is None
    assert (await casino.ask("blackjack", **options)).content == told.format(board(casino).jump_url)


async def test_r14_4_an_opener_who_left_and_types_the_command_sits_at_the_own_table_again(casino: Casino) -> None:
    await invited(casino)
    await over(casino)
    await presses(casino, "Join", casino.bob)
    await presses(casino, "Leave", casino.alice)
    told = (await casino.ask("blackjack")).content
    assert told == f"You are at [the table]({board(casino).jump_url})."
    assert casino.table.state.chair_of(casino.alice.id) is not None


@pytest.mark.parametrize("option", [{"ai": 2}, {"rules": "kitchen"}, {"invite": FreedFor.EVERYBODY.value}])
async def test_r14_4_an_opener_who_left_need_not_leave_again_once_the_seats_are_for_everybody(
    casino: Casino, option: dict[str, Any]
) -> None:
    await joined_by_carol(casino)
    await presses(casino, "Leave", casino.alice)
    told = (await casino.ask("blackjack", **option)).content
    assert told.startswith("Your guests still play at [your table")
    assert told.endswith(f"Leave `{next(iter(option))}` out to sit down there.")


async def test_r14_4_at_ones_own_table_by_invitation_solo_opens_no_other(casino: Casino) -> None:
    await invited(casino)
    told = (await casino.ask("blackjack", ai=2)).content
    assert told.endswith("and `ai` is for a new one. **Leave** that table first.")


async def test_r14_4_the_invited_sit_down_beside_computer_players_and_beside_the_channels_table(casino: Casino) -> None:
    await casino.blackjack(casino.person("carol"), bet=10)
    await invited(casino, ai=1)
    table = casino.bot.registry.table_in(casino.channel.id, "blackjack", casino.alice.id)
    assert table is not None
    message = next(each for each in casino.channel.history() if each.id == table.state.message)
    await casino.bob.click(message, label="Join")
    assert [chair.user for chair in table.state.people] == [casino.alice.id, casino.bob.id]


async def test_r14_4_an_invitation_is_for_a_new_table(casino: Casino) -> None:
    await casino.blackjack(bet=10)
    answer = await casino.ask("blackjack", invite=FreedFor.EVERYBODY.value)
    assert "`invite` is for a new one" in text_of(answer)


async def test_r14_4_baccarat_takes_bets_of_the_invited_only(casino: Casino) -> None:
    result = await casino.alice.slash(casino.channel, "baccarat", invite=FreedFor.EVERYBODY.value)
    (question,) = [each for each in result.followups if "Your guests" in text_of(each)]
    await casino.alice.select(question, [casino.bob])
    form = await casino.person("carol").click(board(casino), label="Tie")
    refused = await casino.person("carol").submit_modal(form, {"chips": "10"})
    assert refused.response is not None
    assert "by invitation" in text_of(refused.response)


async def test_r14_4_more_guests_than_seats_are_refused_as_such(casino: Casino) -> None:
    question = await opened(casino, ai=3)
    answer = await casino.alice.select(question, [casino.person(name) for name in ("bob", "carol", "dave", "erin")])
    assert text_of(answer.response) == "This table has too few seats for everybody whom you name."  # type: ignore[arg-type]
    assert calls(casino) == []


async def test_r14_4_once_the_table_is_closed_its_menu_invites_nobody(casino: Casino) -> None:
    question = await opened(casino)
    await over(casino)
    await presses(casino, "Leave", casino.alice)
    answer = await casino.alice.select(question, [casino.bob])
    assert text_of(answer.response) == "This table is closed. The command opens a new one."  # type: ignore[arg-type]
    assert calls(casino) == []


async def test_r14_4_nobody_is_called_to_a_table_that_closes_while_its_guests_are_chosen(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, table, invite = await opened(casino), casino.table, Table.invite
    await over(casino)

    async def and_leave(table: Table, user: int, people: Sequence[int], press: int) -> Snapshot:
        invited = await invite(table, user, people, press)
        await table.leave(user, press)
        return invited

    monkeypatch.setattr(Table, "invite", and_leave)
    await casino.alice.select(question, [casino.bob])
    assert (table.state.phase, calls(casino)) == (TablePhase.CLOSED, [])


async def test_r14_4_where_the_call_or_the_question_is_lost_the_table_goes_on_and_the_command_asks_again(
    casino: Casino, line: Line
) -> None:
    line.cut("POST", "/webhooks/*")
    result = await casino.blackjack(invite=FreedFor.EVERYBODY.value, bet=10)
    assert (line.lost, "Your guests" in str([text_of(each) for each in result.followups])) == (1, False)
    question = (await casino.blackjack(invite=FreedFor.EVERYBODY.value)).response
    assert question is not None
    line.cut("POST", "/webhooks/*")
    await casino.alice.select(question, [casino.bob])
    assert (line.lost, calls(casino)) == (2, [])
    assert casino.table.state.invitation.people == (casino.bob.id,)  # type: ignore[union-attr]


async def test_r14_4_bots_and_oneself_are_nobodys_guests(casino: Casino) -> None:
    question = await opened(casino)
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    answer = await casino.alice.select(question, [robot, casino.alice])
    assert answer.response is not None
    assert "Choose other members" in text_of(answer.response)
    assert (calls(casino), casino.called) == ([], [])


async def test_r14_4_nobody_is_a_guest_who_is_not_on_the_server(casino: Casino) -> None:
    """Discord's menu finds people by their id too."""
    question, stranger = await opened(casino), casino.env.create_user("stranger")
    (menu,) = (part for part in raw.components(question) if part.get("custom_id", "").startswith("invite:"))
    somebody = {"id": str(stranger.id), "username": "stranger", "discriminator": "0", "avatar": None}
    resolved = {"users": {somebody["id"]: somebody}, "members": {}}
    answer = await raw.choose(
        casino.alice, question, menu["custom_id"], menu["type"], [somebody["id"]], resolved=resolved
    )
    assert answer.response is not None
    assert "Choose other members" in text_of(answer.response)
    assert (calls(casino), casino.called) == ([], [])


# -- people who do not want to be called (R12.7) -----------------------------------------------------------------------


async def wishes_nothing(casino: Casino) -> None:
    """Bob has chosen nothing."""


async def takes_no_challenges(casino: Casino) -> None:
    await casino.bot.bank.wishes.keep(casino.bob.id, Wishes(challenges=Challenges.NOBODY))


async def takes_them_for_fun(casino: Casino) -> None:
    await casino.bot.bank.wishes.keep(casino.bob.id, Wishes(challenges=Challenges.FOR_FUN))


async def has_silenced_alice(casino: Casino) -> None:
    await casino.bot.bank.wishes.silence(casino.bob.id, casino.alice.id)


async def takes_a_break(casino: Casino) -> None:
    await casino.bot.bank.breaks.begin(casino.bob.id, Rest.CHIPS, Length.DAY)


SILENT = (takes_no_challenges, takes_them_for_fun, has_silenced_alice, takes_a_break)


async def seen(casino: Casino) -> str:
    """Return all that anybody but Bob can see of an invitation."""
    question = await invited(casino)
    (call,) = calls(casino)
    shown = [raw.components(question), raw.components(call), text_of(board(casino))]
    (table,) = (str(casino.table.id),)
    return json.dumps(shown).replace(table, "TABLE")


@pytest.mark.parametrize("chosen", SILENT)
async def test_r12_7_who_takes_no_invitations_is_not_called_and_the_opener_learns_nothing(
    casino: Casino, chosen: Any
) -> None:
    await chosen(casino)
    shown = await seen(casino)
    assert casino.called == []
    assert (await casino.balance(casino.bob), casino.bob.mention in shown) == (1_000, True)
    assert "keeps seats for you" in shown
    (call,) = calls(casino)
    assert text_of(call).count(casino.bob.mention) == 1


async def test_r12_7_somebody_who_wants_no_more_invitations_says_so_on_the_call(casino: Casino) -> None:
    await invited(casino)
    (call,) = calls(casino)
    answer = (await casino.bob.click(call, label="Never again")).response
    assert answer is not None
    assert answer.ephemeral
    assert (await casino.bot.bank.wishes.of(casino.bob.id)).silenced == 1
    assert not await casino.bot.bank.wishes.hears(casino.bob.id, casino.alice.id)
    own = (await casino.alice.click(call, label="Never again")).response
    assert own is not None
    assert "your own invitation" in text_of(own)


async def test_r12_7_nobody_is_called_again_by_the_same_person_within_ten_minutes(casino: Casino) -> None:
    await invited(casino)
    await over(casino)
    await presses(casino, "Leave", casino.alice)
    await invited(casino)
    assert casino.called == [{casino.bob.id}]
    assert len(calls(casino)) == 2


async def test_a_guest_asks_for_the_odds_of_the_own_hand_by_command(casino: Casino) -> None:
    await invited(casino)
    await presses(casino, "Join", casino.bob)
    await over(casino)
    casino.cards.lay("T 8, 9 7 / 6 ?")
    for who in (casino.alice, casino.bob):
        await presses(casino, priced(board(casino), "Deal")["label"], who)
    await presses(casino, "Stand", casino.alice)
    assert casino.snapshot.asked == [casino.bob.id]
    assert text_of(await casino.ask("odds", casino.bob)).startswith("### Your 16 against 6")


# -- forgetting --------------------------------------------------------------------------------------------------------


async def test_a_guest_who_is_forgotten_is_on_no_list_any_more(casino: Casino) -> None:
    await casino.ask("balance", casino.bob)
    await invited(casino)
    page = await casino.ask("privacy", casino.bob)
    await casino.bob.click(page, label="Forget me")
    await casino.bob.click(page, label="Forget me for good")
    assert "You are forgotten here." in text_of(page)
    invitation = casino.table.state.invitation
    assert invitation is not None
    assert invitation.people == ()
    assert "By invitation: nobody yet." in text_of(board(casino))


async def test_a_guest_is_forgotten_although_the_new_process_has_not_loaded_the_table_yet(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await casino.ask("balance", casino.bob)
    await invited(casino)
    monkeypatch.setattr(open_tables, "AT_ONCE", 0)
    monkeypatch.setattr(open_tables.OpenTables, "_take_up_others", lambda _tables: asyncio.sleep(0))
    await casino.restart()
    page = await casino.ask("privacy", casino.bob)
    await casino.bob.click(page, label="Forget me")
    result = await casino.bob.click(page, label="Forget me for good")
    assert result.response is None or "open table" not in text_of(result.response)
    assert "You are forgotten here." in text_of(page)


async def test_a_closed_table_names_no_guests(casino: Casino) -> None:
    await invited(casino)
    await over(casino)
    number = casino.table.id
    await presses(casino, "Leave", casino.alice)
    stored = await casino.bot.bank.tables.stored(number)
    assert stored is not None
    assert str(casino.bob.id) not in stored.row.doc


async def test_a_forged_menu_invites_nobody(casino: Casino) -> None:
    question = await invited(casino)
    (answer,) = await raw.press(casino.bob, question, f"invite:{casino.table.id}")
    assert answer.response is not None
    assert keys(answer.response) == []
    invitation = casino.table.state.invitation
    assert invitation is not None
    assert invitation.people == (casino.bob.id,)
