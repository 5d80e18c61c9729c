"""/casino reset (R14.2): ordered by typing, announced, on the calendar, withdrawn, and carried out by its chore."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import discord
import pytest
import simcord

from cogs.answers.panel import FELT
from cogs.background.resets import setup
from data import RESETS, Reset, Span, season_at
from data.ledger import resets
from engine.games.contract import CHIP

from .. import raw
from ..conftest import Casino, keys, text_of
from ..duel.conftest import Duelling
from ..line import Line
from ..tournament.test_server_events import CANCELLED, COMPLETED, SCHEDULED, calendar, without_the_right
from ..tournament.test_tournament import plan

HOUR = 3_600.0
#: What the log says of a manager who orders a reset, and of one who withdraws it.
DEEDS = ("ordered a reset to 500 chips each.", "withdrew the reset.")
DAY = 24 * HOUR


class Order:
    """A manager who orders a reset, and the chore that carries it out."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        staff = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        self.boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[staff])

    async def page(self, **options: Any) -> simcord.ResponseMessage:
        return await self.casino.ask("casino reset", self.boss, **options)

    async def orders(self, typed: str = "reset", label: str = "In a week", **options: Any) -> simcord.ResponseMessage:
        page = await self.page(**options)
        opened = await self.boss.click(page, label=label)
        assert opened.modal is not None
        answer = await raw.submit(self.boss, page, opened.modal["custom_id"], {"sure": typed})
        return answer.response or page

    async def look(self) -> None:
        chore: Any = self.casino.bot.get_cog("ResetChore")
        await chore.do()

    async def reset(self) -> Reset:
        reset = await self.casino.bot.bank.resets.coming(self.casino.guild.id)
        assert reset is not None
        return reset

    async def until(self, moment: float) -> None:
        """Let time pass up to this moment."""
        await self.casino.sleep(moment - self.casino.bot.clock.now() + 1.0)


@pytest.fixture
def order(casino: Casino) -> Order:
    return Order(casino)


async def test_r14_2_it_is_confirmed_by_typing_and_announced_in_the_channel(order: Order) -> None:
    page = await order.page(chips=500)
    assert "everybody here will have **500 chips**" in text_of(page)
    refused = await order.orders("yes", chips=500)
    assert "Nothing was ordered." in text_of(refused)
    assert keys(await order.orders(chips=500)) == ["Withdraw"]
    await order.look()
    announced = order.casino.text
    assert "Reset to equal chips" in announced
    reset = await order.reset()
    assert f"<t:{int(reset.at)}:F>" in announced
    assert f"From <t:{int(reset.closes)}:F> on" in announced
    assert reset.at - order.casino.bot.clock.now() > 7 * DAY - 60
    (event,) = calendar(order.casino)
    assert (event.name, event.status, event.id) == ("Reset to equal chips", SCHEDULED, reset.event)
    assert event.description == "Everybody here will have 500 chips."
    begins, ends = map(discord.utils.parse_time, (event.scheduled_start_time, event.scheduled_end_time))
    assert (begins.timestamp(), (ends - begins).total_seconds()) == (reset.at, 1_800)
    await order.look()
    assert len(calendar(order.casino)) == 1


@pytest.mark.parametrize("chips", [1, 1_000_000])
async def test_r14_2_everybody_gets_from_one_chip_to_a_million(order: Order, chips: int) -> None:
    beyond = 0 if chips == 1 else chips + 1
    assert text_of(await order.page(chips=beyond)) == "Enter a number of chips from 1 to 1,000,000."
    page = await order.page(chips=chips)
    assert f"everybody here will have **{chips:,} chip" in text_of(page)
    made_up = f"reset:form:{9_999_999 if chips > 1 else 0}:{int(order.casino.bot.clock.now() + 8 * DAY)}"
    await raw.submit(order.boss, page, made_up, {"sure": " Reset "})  # type: ignore[arg-type]
    assert (await order.reset()).amount == chips * CHIP


@pytest.mark.parametrize("word", ["reset", "Égaliser"])
async def test_r14_2_it_may_be_confirmed_in_ones_own_language_and_in_english(order: Order, word: str) -> None:
    settings = await order.casino.ask("settings", order.boss)
    await order.boss.select(settings, ["fr"], custom_id="settings:language")
    await order.orders(word, label="Dans 7 jours")
    assert await order.casino.bot.bank.resets.coming(order.casino.guild.id) is not None


async def test_r14_2_it_is_ordered_where_it_can_be_announced(order: Order) -> None:
    order.casino.env.backend.create_thread(order.casino.channel.id, "talk", order.boss.id)
    (thread,) = order.casino.channel.threads
    answer = (await order.boss.slash(thread, "casino reset")).response
    assert text_of(answer) == "A reset is announced where it is ordered. Order it in a text channel."  # type: ignore[arg-type]


async def test_r14_2_no_reset_is_ordered_for_a_moment_that_no_calendar_has(order: Order) -> None:
    made_up = f"reset:form:500:{10**11}"
    answer = await raw.submit(order.boss, await order.page(), made_up, {"sure": "reset"})
    assert answer.response is not None
    assert "Nothing was changed." in text_of(answer.response)
    assert await order.casino.bot.bank.resets.coming(order.casino.guild.id) is None


async def test_r14_2_only_managers_order_it_and_withdraw_it(order: Order) -> None:
    page, other, waiting = await order.page(), await order.page(), await order.page()
    opened = await order.boss.click(page, label="In a week")
    backend, guild = order.casino.env.backend, order.casino.guild.id
    assert opened.modal is not None
    form, key = opened.modal["custom_id"], next(key for key in customs(other) if key.startswith("reset:order"))
    await raw.submit(order.boss, waiting, form, {"sure": "reset"})  # type: ignore[arg-type]
    reset, (withdraw,) = await order.reset(), customs(waiting)
    backend.get_member(guild, order.boss.id).role_ids.clear()
    sent = await raw.submit(order.boss, page, form, {"sure": "reset"})  # type: ignore[arg-type]
    (pressed,), (withdrawn,) = [await raw.press(order.boss, *at) for at in ((other, key), (waiting, withdraw))]
    for answer in (sent, pressed, withdrawn):
        assert answer.modal is None
        assert answer.response is not None
        assert text_of(answer.response) == "You need the **Manage Server** permission for that."
    assert await order.reset() == reset


async def test_r14_2_the_order_and_the_withdrawal_are_in_the_log(order: Order) -> None:
    casino = order.casino
    log = casino.guild.create_text_channel("log")
    settings = await casino.ask("casino settings", order.boss, page="messages")
    await order.boss.select(settings, [log], custom_id="office:log")
    page = await order.orders(chips=500)
    (key,) = [part for part in raw.components(page) if part["type"] == 2]
    assert key["style"] == discord.ButtonStyle.danger.value
    await order.boss.click(page, label="Withdraw")
    chore: Any = casino.bot.get_cog("ServerLogs")
    await chore.do()
    told = [line.partition("> ")[2] for line in log.history()[-1].content.splitlines()]
    assert told[-2:] == [f"🪙 <@{order.boss.id}> {what}" for what in DEEDS]


def customs(message: simcord.ResponseMessage) -> list[str]:
    return [part["custom_id"] for part in raw.components(message) if part["type"] == 2]


async def test_r14_2_it_can_wait_for_the_new_season(order: Order) -> None:
    guild = order.casino.guild.id
    while "With the new season" not in keys(page := await order.page()):
        await order.casino.sleep(5 * DAY)
    assert "The new season begins" in text_of(page)
    await order.orders(label="With the new season")
    reset = await order.casino.bot.bank.resets.coming(guild)
    assert reset is not None
    assert reset.amount == (await order.casino.bot.bank.guilds.house(guild)).starting_chips


async def test_r14_2_where_the_new_season_begins_in_a_week_one_key_orders_it(order: Order) -> None:
    season = season_at(order.casino.bot.clock.now(), Span.MONTH)
    await order.until(season.ends_at - 7 * DAY - HOUR / 2)
    page = await order.page()
    assert keys(page) == ["In a week"]
    assert "The new season begins" in text_of(page)


async def test_r14_2_everybody_has_the_same_when_its_moment_comes(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resets, "_NEXT", resets._NEXT.limit(1))  # many members are set slice by slice
    casino = order.casino
    await casino.grant(casino.alice, 4_000)
    await casino.ask("balance", casino.bob)
    await order.orders(chips=500)
    await order.look()
    await order.until((await order.reset()).at)
    await order.look()
    assert [await casino.balance(who) for who in (casino.alice, casino.bob, order.boss)] == [500, 500, 500]
    assert casino.text == "### A fresh start\nEverybody here has been set to **500 chips**. Good luck!"
    (box,) = [part for part in raw.components(casino.message) if part["type"] == 17]
    assert box["accent_color"] == FELT
    assert [event.status for event in calendar(casino)] == [COMPLETED]
    assert await casino.bot.bank.resets.coming(casino.guild.id) is None
    posts = len(casino.channel.history())
    await order.look()
    assert len(casino.channel.history()) == posts


async def test_r14_2_it_is_withdrawn_until_it_begins(order: Order) -> None:
    casino = order.casino
    await casino.grant(casino.alice, 4_000)
    await order.orders(chips=500)
    await order.look()
    reset, page, other = await order.reset(), await order.page(), await order.page()
    await order.boss.click(page, label="Withdraw")
    await order.look()
    off = "Everybody keeps their chips. A new one would be announced a week before."
    assert casino.text == f"### The reset is off\n{off}"
    assert [event.status for event in calendar(casino)] == [CANCELLED]
    again = await order.boss.click(other, label="Withdraw")
    assert again.response is not None
    assert "There is a reset already, or it has begun or was withdrawn" in text_of(again.response)
    await order.until(reset.at)
    await order.look()
    assert await casino.balance(casino.alice) == 5_000


async def test_r14_2_one_that_is_withdrawn_before_it_is_announced_is_never_spoken_of(order: Order) -> None:
    casino = order.casino
    await casino.bot.remove_cog("ResetChore")
    page = await order.orders(chips=500)
    await order.boss.click(page, label="Withdraw")
    assert await casino.bot.bank.resets.coming(casino.guild.id) is None
    before = len(casino.channel.history())
    await setup(casino.bot)
    await order.look()
    assert len(casino.channel.history()) == before
    assert calendar(casino) == []


async def test_r14_2_one_that_is_withdrawn_while_it_is_announced_is_called_off_where_people_read_of_it(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    await order.orders(chips=500)
    resets = order.casino.bot.bank.resets
    announced = resets.announced

    async def after_the_withdrawal(number: int, event: int | None) -> None:
        await resets.withdraw(number, order.casino.guild.id)
        await announced(number, event)

    monkeypatch.setattr(resets, "announced", after_the_withdrawal)
    await order.look()
    assert "The reset is off" in order.casino.text
    assert [event.status for event in calendar(order.casino)] == [CANCELLED]
    assert await order.casino.bot.bank.jobs.due(RESETS) == ()


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (400, 160005)], ids=str)
async def test_r14_2_one_that_cannot_be_announced_is_off(order: Order, status: int, code: int) -> None:
    casino = order.casino
    await order.orders()
    casino.env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=None)
    await order.look()
    assert await casino.bot.bank.resets.coming(casino.guild.id) is None
    await order.look()
    assert calendar(casino) == []


async def test_r14_2_without_the_right_there_is_no_event_and_all_else_goes_on(order: Order) -> None:
    without_the_right(order.casino)
    await order.orders(chips=700)
    await order.look()
    await order.until((await order.reset()).at)
    await order.look()
    assert calendar(order.casino) == []
    assert await order.casino.balance(order.boss) == 700


async def test_r14_2_open_challenges_and_buy_ins_come_back_a_day_before(order: Order) -> None:
    casino, duels = order.casino, Duelling(order.casino)
    for who in (duels.ada, duels.ben, casino.alice):
        await casino.grant(who, 1_000)
    await order.orders(chips=500)
    await order.look()
    closes = (await order.reset()).closes
    await order.until(closes - HOUR)
    await duels.challenges(stake=50)
    await plan(casino, buy_in=100, time="10:00", day=(casino.env.now() + timedelta(days=3)).strftime("%Y-%m-%d"))
    await casino.click("Join", casino.alice)
    assert await casino.balance(casino.alice) == 1_900
    await order.until(closes)
    await order.look()
    assert await casino.balance(duels.ada) == 2_000
    assert await casino.balance(casino.alice) == 2_000
    (job,) = await casino.bot.bank.jobs.waiting(RESETS)
    assert job.due <= casino.bot.clock.now() + HOUR, "what could not come back is tried again each hour"
    late = await duels.challenges(stake=50)
    assert "No new buy-ins and no challenges for chips until" in text_of(late)


async def test_r14_2_chips_at_a_table_are_reset_as_they_return(order: Order) -> None:
    casino = order.casino
    await order.orders(chips=500)
    await order.look()
    await order.until((await order.reset()).at - 10.0)
    await casino.deal("9 8 / 9 ?", bet=10)
    casino.env.backend.advance_clock(10.0)
    await order.look()
    assert await casino.balance(casino.alice) == 990
    assert await casino.balance(order.boss) == 500
    assert (text_of(await order.page()).splitlines()[0], keys(await order.page())) == ("### Reset to equal chips", [])
    await casino.play_on()
    refused = await casino.click("Deal")
    assert refused.response is not None
    assert "Everybody's chips here are being set to the same amount." in text_of(refused.response)
    casino.env.backend.advance_clock(10.0)
    await order.look()
    assert await casino.balance(casino.alice) == 500


async def test_r14_2_it_is_announced_once_discord_has_described_the_server(order: Order) -> None:
    await order.orders(chips=500)
    posts = len(order.casino.channel.history())
    with order.casino.undescribed():
        await order.look()
        assert len(order.casino.channel.history()) == posts
    await order.look()
    assert len(order.casino.channel.history()) == posts + 1
    assert (await order.reset()).announced


async def test_r14_2_an_announcement_that_was_lost_comes_a_minute_later(order: Order, line: Line) -> None:
    await order.orders(chips=500)
    line.cut("POST", "/channels/*/messages")
    for seconds in (0, 58):
        await order.casino.env.advance_time(seconds)
        await order.look()
        assert not (await order.reset()).announced
    await order.casino.env.advance_time(3)
    await order.look()
    assert (await order.reset()).announced
    assert "Reset to equal chips" in order.casino.text
    assert len(calendar(order.casino)) == 1


async def test_r14_2_its_end_is_posted_by_the_next_process_if_the_first_one_is_killed_before(order: Order) -> None:
    await order.orders(chips=500)
    await order.look()
    reset = await order.reset()
    bank, casino = order.casino.bot.bank.resets, order.casino
    casino.env.backend.advance_clock(reset.at - casino.bot.clock.now())
    await bank.slice(await bank.begin(reset))
    await bank.end(reset.id)
    await order.look()
    assert "Everybody here has been set to **500 chips**." in casino.text
    assert [event.status for event in calendar(casino)] == [COMPLETED]
