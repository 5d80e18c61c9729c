"""Numbers, names and languages as people read them."""

from __future__ import annotations

from datetime import UTC, datetime

import discord
import pytest

from cogs.words import (
    Reader,
    _,
    apart,
    as_many,
    at,
    cards,
    chips,
    counted,
    day_and_time,
    exactly,
    language_of,
    listed,
    medal,
    mention,
    ngettext,
    number,
    ordinal,
    percent,
    play_chips,
    quoted,
    rank_text,
    ranks,
    reading,
    robot,
    safe,
    share,
    signed,
    speaking,
    weekday,
    when,
    zone_name,
)
from cogs.words.typed import whole_number
from data import Currency


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0"),
        (100, "1"),
        (750, "7.50"),
        (705, "7.05"),
        (100_000, "1,000"),
        (-1050, "−10.50"),
        (10**14, "1,000,000,000,000"),
    ],
)
def test_chips_are_whole_unless_they_are_not(cents: int, text: str) -> None:
    assert chips(cents) == text


def test_a_gain_or_loss_carries_its_sign() -> None:
    assert [signed(1500), signed(-750), signed(0)] == ["+15", "−7.50", "±0"]


def test_a_currency_of_the_servers_own_stands_beside_amounts_in_every_language_as_typed() -> None:
    shells = Currency("shell", "shells", "🐚")
    with reading(Reader(currency=shells)):
        assert [counted(100), counted(750), counted(1500, sign=True)] == [
            "1 shell 🐚",
            "7.50 shells 🐚",
            "+15 shells 🐚",
        ]
        assert [play_chips(100), chips(100)] == ["1 play chip", "1"]
    with reading(Reader("fr", currency=Currency("shell", "shells"))):
        assert [counted(0), counted(150), counted(200)] == ["0 shell", "1,50 shell", "2 shells"]


def test_shares_have_one_decimal() -> None:
    assert [percent(1, 3), percent(2, 2), percent(0, 0)] == ["33.3%", "100.0%", "0.0%"]


def test_french_numbers_are_written_the_french_way() -> None:
    with speaking("fr"):
        assert chips(123_450) == "1\u202f234,50"
    assert chips(123_450) == "1,234.50"


def test_the_first_language_that_we_speak_wins() -> None:
    assert language_of(None, discord.Locale.italian, discord.Locale.french, "en-US") == "fr"
    assert language_of("en-GB", discord.Locale.french) == "en"
    assert language_of(None, "ja") == "en"


def test_an_unknown_language_is_answered_in_english() -> None:
    with speaking(language_of("tlh")):
        assert _("Hit") == "Hit"


def test_places_in_a_sentence_are_filled() -> None:
    assert _("{a} and {b}", a=1, b="{a}") == "1 and {a}"
    assert [ngettext("{count} deck", "{count} decks", n) for n in (1, 6)] == ["1 deck", "6 decks"]
    assert number(1_234_567) == "1,234,567"


def test_cards_are_read_with_their_suits_and_without() -> None:
    assert cards(("Th", None, "As")) == "10♥ ░░ A♠"
    assert ranks(("Th", None, "As")) == "10 ░ A"


def test_a_name_cannot_bring_markup_or_mentions() -> None:
    assert "**" not in safe("**bold**").replace("\\*", "")
    assert safe("@everyone") != "@everyone"
    assert len(safe("x" * 500)) == 32


def test_what_is_quoted_in_even_letters_is_as_it_was_written() -> None:
    assert quoted('{"computers_fill":false}', 40) == '`{"computers_fill":false}`'
    assert quoted("a`b", 40) == "`a´b`"
    assert quoted("x" * 500, 40) == f"`{'x' * 39}…`"


def test_places_are_said_as_people_say_them() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111, 1_003)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "101st", "111th", "1,003rd",
    ]  # fmt: skip
    with speaking("fr"):
        assert [ordinal(place) for place in (1, 2, 21)] == ["1er", "2e", "21e"]
    assert [medal(place) for place in (1, 2, 3, 4)] == ["🥇", "🥈", "🥉", "**4.**"]
    assert [rank_text(place) for place in (1, 2, 3, 4, 1_003)] == ["🥇", "🥈", "🥉", "**4**", "**1,003**"]


def test_a_name_is_cut_only_where_it_is_too_long() -> None:
    assert safe("x" * 32) == "x" * 32
    assert safe("x" * 33) == "x" * 31 + "…"


def test_a_moment_is_a_countdown_a_time_of_day_or_a_date_by_each_readers_clock() -> None:
    assert [when(1.9), at(1.9), exactly(1.9)] == ["<t:1:R>", "<t:1:t>", "<t:1:F>"]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "December 4, 2026, 20:05 Friday"), ("de", "4. Dezember 2026, 20:05 Freitag")],
)
def test_a_date_is_said_in_words(language: str, said: str) -> None:
    moment = datetime(2026, 12, 4, 20, 5, tzinfo=UTC)
    with speaking(language):
        assert f"{day_and_time(moment)} {weekday(moment)}" == said


def test_a_time_zone_of_a_country_has_a_name_and_others_are_their_own() -> None:
    own = ["UTC", "Etc/UTC", "Etc/GMT+5", "US/Eastern"]
    assert [zone_name(zone) for zone in ("Europe/Paris", *own)] == ["Central European Time", *own]
    with speaking("fr"):
        assert zone_name("Europe/Paris") == "heure d’Europe centrale"


def test_a_fraction_is_a_percentage_with_a_sign_where_one_is_wanted() -> None:
    assert [share(0.3834), share(-0.0125, 2), share(0.01), share(0.0)] == ["38.3%", "−1.25%", "1.0%", "0.0%"]
    assert [share(part, sign=True) for part in (0.01, -0.01, 0.0004, -0.0004)] == ["+1.0%", "−1.0%", "0.0%", "0.0%"]
    assert [percent(1, 8), percent(999, 1_000), percent(1, 1_000)] == ["12.5%", "99.9%", "0.1%"]


def test_parts_are_listed_with_dots_and_parts_of_a_sentence_set_apart() -> None:
    assert (listed(["a", "b, c"]), apart(["a", "b, c"])) == ("a · b, c", "a; b, c")


def test_lines_are_shown_as_far_as_there_is_room() -> None:
    assert as_many(["abc", "def"], 8) == "abc\ndef"
    assert as_many(["abc", "def"], 7) == "abc\n…"


def test_a_person_is_mentioned_unless_the_reader_wants_names_and_knows_theirs() -> None:
    assert mention(5) == "<@5>"
    with reading(Reader(names={5: "*Al*"})):
        assert mention(5) == "<@5>"
    with reading(Reader(names={5: "*Al*"}, plain_names=True)):
        assert [mention(5), mention(6), robot("Dot")] == ["\\*Al\\*", "<@6>", "🤖 Dot"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("1,000", 1_000), ("1.000", 1_000), ("1’000’000", 1_000_000), ("٥٠", 50), (" 7 ", 7)),
        *(("9" * 15, int("9" * 15)), ("9" * 16, None), ("1,00", None), ("1,0000", None), ("-5", None), ("", None)),
    ],
)
def test_a_whole_number_is_read_in_groups_of_three_up_to_fifteen_digits(text: str, number: int | None) -> None:
    assert whole_number(text) == number
