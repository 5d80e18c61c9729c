"""The numbers among a server's settings: read as people of each language write them, and within their limits."""

from __future__ import annotations

import pytest

from cogs.casino.numbers import FORMS, Setting, changed
from cogs.words import LANGUAGES, number, speaking
from cogs.words.refusals import Sorry
from data import GuildSettings

SETTINGS = {name: setting for form in FORMS.values() for name, setting in form.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_is_read_as_its_form_shows_it_and_up_to_its_limits(language: str) -> None:
    with speaking(language):
        for setting in SETTINGS.values():
            for bound in (setting.least, setting.most):
                shown = number(setting.typed(bound * setting.scale))
                assert setting.read(shown) == bound * setting.scale, shown
            for beyond in (setting.least - 1, setting.most + 1):
                with pytest.raises(Sorry):
                    setting.read(number(int(beyond)))


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "1,000", 1_000),
        ("en", "1 000", 1_000),
        ("en", "1_000", 1_000),
        ("en", "1'000", 1_000),
        ("en", "2.5", 2.5),
        ("en", "2,5", 2.5),
        ("en", "2.125", 2.125),
        ("fr", "1\u202f000", 1_000),
        ("fr", "2,125", 2.125),
        ("de", "1.000", 1_000),
        ("de", "2,125", 2.125),
        ("de", "2.5", 2.5),
        ("es", "1.000", 1_000),
        ("pt", "1.000", 1_000),
    ],
)
def test_thousands_and_parts_of_a_second_are_typed_as_in_the_persons_language(
    language: str, text: str, read: float
) -> None:
    seconds = Setting("Turn time", 0, 86_400, SETTINGS["turn_seconds"].unit)
    with speaking(language):
        assert seconds.read(text) == read


@pytest.mark.parametrize("name", ["starting_chips", "gift_hands", "account_days"])
@pytest.mark.parametrize("text", ["2.5", "2,5", "1,00", "1e2", "9" * 13, "ten", "", "-1"])
def test_chips_hands_and_days_are_whole_numbers(name: str, text: str) -> None:
    with pytest.raises(Sorry, match=r"isn't a number\.$"):
        SETTINGS[name].read(text)


def test_daily_chips_may_come_again_after_half_an_hour_more() -> None:
    hours = SETTINGS["daily_hours"]
    assert (hours.read("20.5"), hours.shown(20.5)) == (20.5, "20.5 hours")


def test_a_whole_number_that_was_typed_with_a_fraction_is_shown_without_it() -> None:
    hours = SETTINGS["daily_hours"]
    assert hours.shown(hours.read("20.0")) == "20 hours"


def test_the_smallest_stake_may_be_the_largest() -> None:
    typed = {name: number(setting.typed(setting.most)) for name, setting in FORMS["chips"].items()}
    house = changed("chips", typed | {"smallest_stake": "50", "largest_stake": "50"}, GuildSettings()).house
    assert house.smallest_stake == house.largest_stake == 5_000
    with pytest.raises(Sorry, match=r"^The smallest stake can't be above the largest\.$"):
        changed("chips", typed | {"smallest_stake": "51", "largest_stake": "50"}, GuildSettings())
