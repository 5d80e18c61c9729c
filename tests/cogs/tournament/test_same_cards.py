"""The same cards for all as a server meets them: planned, played privately, a board that fills, and the places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord

from cogs.answers.panel import panel
from cogs.tournament import field_pages
from cogs.tournament.playing import PlayFieldKey, places_page
from data.base.sets import StoredField
from engine.coach import CoachGone
from engine.sets.duels import HAND, RUNS_FOR
from engine.tournament.field import Score
from engine.tournament.run import GLANCE, STANDINGS
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import Standing

from ..conftest import Casino, keys, text_of
from ..pages.tournament import same_cards
from ..today.conftest import LABELS
from .test_tournament import HOUR, ask, manager, people, plan, told, views

HANDS = 3


class Field:
    """A tournament with the same cards on a server, and its people."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino

    @property
    def bank(self) -> Any:
        return self.casino.bot.bank

    async def starts(self, count: int, **options: Any) -> list[simcord.MemberActor]:
        """Plan it, sign up, and let it begin."""
        await plan(self.casino, cards="same", **options)
        everybody = people(self.casino, count)
        for one in everybody:
            await told(self.casino, one, "join")
        await self.casino.sleep(HOUR)
        await self.casino.env.settle()
        return everybody

    @property
    async def id(self) -> int:
        (view,) = await views(self.casino)
        return view.state.id

    def message(self, word: str) -> discord.Message:
        """The newest message of the channel with this text."""
        return next(one for one in reversed(self.casino.channel.history()) if word in text_of(one))

    @property
    def board(self) -> Any:
        return self.message("Done: ")

    async def opens(self, who: simcord.MemberActor) -> Any:
        """Open one's own hands, and return the private page."""
        result = await who.click(self.board, label="Play my hands")
        assert result.response is not None
        return result.response

    async def plays(self, who: simcord.MemberActor, *, choose: Callable[..., Any] = max, hands: int = 99) -> Any:
        """Play some hands: with `max` the best of every decision, with `min` the worst."""
        answer = await self.opens(who)
        field: StoredField = await self.bank.fields.known(await self.id)
        while True:
            found = (await self.bank.fields.find(field, who.id)).on(field.deals)
            if found.over or (found.round.over and found.place + 1 >= hands):
                return answer
            if found.round.over:
                await who.click(answer, label="Next")
            else:
                worths = found.prepared.answers[found.place][found.letters[-1]]
                await who.click(answer, label=LABELS[choose(worths, key=worths.__getitem__)])

    async def looks(self) -> None:
        """Let the director look at it, and show what is new."""
        await self.casino.sleep(GLANCE + STANDINGS)
        await self.casino.env.settle()


@pytest.fixture
def field(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> Field:
    monkeypatch.setattr("engine.tournament.field.HANDS", HANDS)
    return Field(casino)


async def test_a_plan_says_what_is_played(field: Field) -> None:
    result = await ask(field.casino, manager(field.casino), "schedule", time="20:30", cards="same")
    assert result.response is not None
    text = text_of(result.response)
    assert "The same 3 hands of vegas for everybody, each alone, within 24 hours" in text
    assert "computer players" not in text


async def test_r12_8_from_sign_up_to_the_podium(field: Field) -> None:
    everybody = await field.starts(4, buy_in=100)
    board = text_of(field.board)
    assert "Done: 0 of 4" in board
    assert "Not started (4)" in board
    assert field.casino.called == [{one.id for one in everybody}]
    for one in everybody:
        await field.plays(one, choose=min if one is everybody[3] else max)
    await field.looks()
    end = text_of(field.casino.message)
    assert "share the title" in end
    assert "The pool of 400 chips goes to the best three places, 50, 30 and 20%; equals share." in end
    assert (await told(field.casino, everybody[0], "standings")).count("1 title with the same cards") == 3


async def test_r12_6_the_board_and_the_private_page_tell_nothing_of_the_others(field: Field) -> None:
    alice, bob, *_ = await field.starts(2)
    before = text_of(field.board)
    page = text_of(await field.opens(bob))
    assert "Hand 1 of 3" in page
    await field.plays(alice, hands=2)
    await field.looks()
    board = text_of(field.board)
    assert "Done: 0 of 2" in board
    assert "Playing (2)" in board
    assert "Not started (2)" in before
    await field.plays(alice)
    await field.looks()
    assert "Done: 1 of 2" in text_of(field.board)
    assert "gave away" not in text_of(field.board)


async def test_r12_3_who_comes_back_too_late_sees_how_the_last_hand_stood(field: Field) -> None:
    alice, *_ = await field.starts(2)
    page = await field.plays(alice, hands=HANDS - 1)
    await alice.click(page, label="Next")
    field.casino.env.backend.advance_clock(HAND)
    page = await field.opens(alice)
    assert "Ten minutes were over, so the hand stood." in text_of(page)
    assert keys(page) == ["How it stands"]
    await alice.click(page, label="How it stands")
    assert "You are done." in text_of(page)


async def test_a_deleted_board_is_posted_again_and_calls_nobody_again(field: Field) -> None:
    everybody = await field.starts(2)
    board = field.board
    result = await everybody[0].click(board, label="Play my hands")
    field.casino.env.backend.delete_message(field.casino.channel.id, board.id)
    await field.looks()
    assert result.ephemeral
    assert "Playing (1)" in text_of(field.board)
    assert field.board.id != board.id
    assert field.casino.called == [{one.id for one in everybody}]


async def test_who_has_not_signed_up_is_told_so_and_who_is_done_reads_when_it_ends(field: Field) -> None:
    alice, _ = await field.starts(2)
    carol = field.casino.person("carol")
    assert "You haven't signed up" in text_of(await field.opens(carol))
    await field.plays(alice)
    assert "You are done" in text_of(await field.opens(alice))


async def test_r12_8_with_fewer_than_four_the_end_says_that_buy_ins_are_back(field: Field) -> None:
    for one in await field.starts(2, buy_in=100):
        await field.plays(one)
    await field.looks()
    assert "Fewer than four took part, so every buy-in is back." in text_of(field.casino.message)
    assert await field.casino.balance(field.casino.person("alice")) == 1_000


async def test_after_24_hours_it_ends_and_all_deals_are_shown(field: Field) -> None:
    alice, bob, *_ = await field.starts(4, buy_in=100)
    await field.plays(alice)
    page = await field.plays(bob, hands=2, choose=min)
    await field.casino.sleep(RUNS_FOR)
    await field.looks()
    await bob.click(page, label=next(key for key in ("Next", "Stand") if key in keys(page)))
    assert text_of(page).startswith("### All hands\n")
    end = field.casino.message
    assert f"## 🏆 <@{alice.id}> wins the title" in text_of(end)
    result = await bob.click(end, label="All hands")
    assert result.response is not None
    text = text_of(result.response)
    assert "Hand 3" in text
    assert "everybody: " in text
    assert "You · " in text
    assert "Seed" in text


async def test_all_places_are_shown_to_who_asks_where_the_end_does_not_name_all(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field_pages, "MOST_LINES", 1)
    alice, bob = await field.starts(2)
    for one in (alice, bob):
        await field.plays(one)
    await field.looks()
    result = await bob.click(field.casino.message, label="All places")
    assert result.ephemeral
    assert result.response is not None
    text = text_of(result.response)
    assert text.startswith(f"### All places\n🥇 {alice.mention} · 0% · ")
    assert f"\n🥇 {bob.mention} · 0% · " in text
    assert "\n-# 2 players\n" in text
    assert keys(result.response) == [], "there is one page"


async def test_a_key_of_another_server_shows_nothing(field: Field) -> None:
    await field.starts(2)
    guild = field.casino.env.create_guild("Elsewhere")
    mallory, channel = guild.add_member(field.casino.env.create_user("mallory")), guild.create_text_channel("casino")
    copy = panel("Elsewhere", rows=[[PlayFieldKey.of(await field.id, "Play my hands")]])
    await field.casino.bot.get_partial_messageable(channel.id, guild_id=guild.id).send(view=copy)
    assert channel.last_message is not None
    result = await mallory.click(channel.last_message, label="Play my hands")
    assert text_of(result.response) == "That button doesn't belong here. Nothing was changed."  # type: ignore[arg-type]


async def test_while_the_coach_is_away_nothing_is_dealt_and_then_it_begins(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is switched off at first, and dies while it is asked later."""

    async def dies(*_: object, **__: object) -> None:
        raise CoachGone("dead")

    casino = field.casino
    await plan(casino, cards="same")
    for one in people(casino, 2):
        await told(casino, one, "join")
    casino.bot.coach, coach = None, casino.bot.coach
    await casino.env.advance_time(HOUR + 1)
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.CLOSED
    casino.bot.coach = coach
    with monkeypatch.context() as patched:
        patched.setattr(coach, "ask", dies)
        await casino.env.advance_time(HOUR / 4)
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.CLOSED
    await casino.env.advance_time(HOUR / 4)
    await casino.env.settle()
    (view,) = await views(casino)
    assert view.phase is TournamentPhase.PLAYING
    assert "Done: 0 of 2" in text_of(field.board)


async def test_nobody_played(field: Field) -> None:
    await field.starts(2, buy_in=100)
    await field.casino.sleep(RUNS_FOR)
    await field.looks()
    assert "Nobody played." in text_of(field.casino.message)
    assert await field.casino.balance(field.casino.person("alice")) == 1_000


async def test_cancelled_in_play_its_board_says_so_and_has_no_key_any_more(field: Field) -> None:
    await field.starts(2)
    board = field.board
    (view,) = await views(field.casino)
    await ask(field.casino, manager(field.casino), "cancel", which=str(view.state.id))
    await field.casino.env.settle()
    (shown,) = [message for message in field.casino.channel.history() if message.id == board.id]
    assert "is cancelled" in text_of(shown)
    assert keys(shown) == []


async def test_cancelled_in_play_every_buy_in_is_back_and_nobody_plays_on(field: Field) -> None:
    """The board could not be edited, so its key is still there."""
    alice, *_ = await field.starts(2, buy_in=100)
    board = field.board
    (view,) = await views(field.casino)
    field.casino.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50035, times=None)
    await ask(field.casino, manager(field.casino), "cancel", which=str(view.state.id))
    await field.casino.env.settle()
    assert "Every buy-in was returned." in text_of(field.casino.message)
    await field.looks()
    result = await alice.click(board, label="Play my hands")
    assert result.response is not None
    assert "Hand 1 of" not in text_of(result.response)


async def test_cancelled_in_play_its_deals_are_shown_with_the_hands_that_somebody_had_finished(field: Field) -> None:
    alice, *_ = await field.starts(2)
    page = await field.plays(alice, hands=1)
    await alice.click(page, label="Next")
    await ask(field.casino, manager(field.casino), "cancel", which=str(await field.id))
    await alice.click(page, label=next(key for key in ("No insurance", "Stand") if key in keys(page)))
    _head, *hands = text_of(page).split("**Hand ")
    assert ["everybody: " in hand for hand in hands] == [True, True, True]
    assert ["You · " in hand for hand in hands] == [True, False, False]


async def test_without_a_coach_it_is_not_planned(field: Field) -> None:
    field.casino.bot.coach, coach = None, field.casino.bot.coach
    try:
        text = await told(field.casino, manager(field.casino), "schedule", time="20:30", cards="same")
    finally:
        field.casino.bot.coach = coach
    assert "The coach is switched off here." in text


async def test_a_series_opens_its_next_sign_up_with_the_same_terms(field: Field) -> None:
    await field.starts(2, every="daily")
    planned = [view for view in await views(field.casino) if view.phase is TournamentPhase.SIGN_UP]
    assert [view.hands for view in planned] == [HANDS]


async def test_a_board_of_more_people_than_a_message_holds_has_pages(field: Field) -> None:
    await field.starts(2)
    (view,) = await views(field.casino)
    lines = tuple(
        Standing(str(one), one, "", 0, 0, None, out=False, place=one, score=Score(str(one), one * 1_000, -100))
        for one in range(1, 26)
    )
    page = str(places_page(replace(view, lines=lines), 1, 25).to_components())
    assert ("<@11>" in page, "<@20>" in page, "<@21>" in page, "<@25>" in page) == (True, True, False, True)
    own = str(places_page(replace(view, lines=lines), 1, 12).to_components())
    assert own.count("<@12>") == 1, "it is on this page already"


@pytest.mark.parametrize(("places", "pictured"), [((1, 2, 3, 4), True), ((1, 2, 3, 3), False), ((1, 1, 3, 4), False)])
def test_no_podium_shows_one_of_two_who_share_a_place(places: tuple[int, ...], *, pictured: bool) -> None:
    end = same_cards(len(places))
    lines = tuple(replace(line, place=place) for line, place in zip(end.lines, places, strict=True))
    assert field_pages.has_picture(replace(end, lines=lines)) is pictured
