"""When servers get the message about Today's five."""

from __future__ import annotations

from data import DAY_POST, Bank, DayPost, GuildSettings
from data.jobs.day_posts import moment, next_moment
from tests.data.dealer import GUILD, LENIENT, HandClock

HOUR = 3_600.0


def test_the_messages_of_all_servers_are_spread_over_ten_minutes() -> None:
    moments = {moment(number << 22, 1, 0) for number in range(5_000)}
    assert (min(moments), max(moments)) == (HOUR + 300, HOUR + 300 + 599)
    assert len(moments) == 600


def test_the_next_message_is_today_until_its_moment() -> None:
    assert next_moment(0, 1, HOUR) == HOUR + 300
    assert next_moment(0, 1, HOUR + 300) == 25 * HOUR + 300


async def test_a_chosen_hour_moves_the_job_and_other_settings_do_not(bank: Bank, clock: HandClock) -> None:
    for hour in (1, 5):
        await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT, day_post=DayPost(77, hour)))
        (job,) = await bank.jobs.waiting(DAY_POST)
        assert job.due == next_moment(GUILD, hour, clock.now())
    clock.time = job.due + 1
    await bank.guilds.keep_settings(GUILD, GuildSettings(LENIENT, zone="Europe/Paris", day_post=DayPost(77, 5)))
    assert await bank.jobs.due(DAY_POST) == (job,)
