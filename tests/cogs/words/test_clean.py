"""Text from people: what nobody can see is not kept, and what they wrote stays."""

from __future__ import annotations

import pytest

from cogs.words import safe
from cogs.words.clean import clean


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("seven red", "seven red"),
        ("  seven \t\n red\u2028 ", "seven red"),
        ("a\0b\x07c\x7f\x9f", "abc"),
        ("half\ud800 a pair\udfff", "half a pair"),
        ("\u202egnorw\u202c \u2066x\u2069\u200f", "gnorw x"),
        ("\u200b\ufeff\u00ad\u2060", ""),
        ("non\u00a0breaking\u3000wide", "non breaking wide"),
        # what writing needs stays
        ("Zoë 東京 שלום عربى", "Zoë 東京 שלום عربى"),
        ("👩\u200d🚀 🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f", "👩\u200d🚀 🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_what_nobody_can_see_goes_and_what_was_written_stays(typed: str, kept: str) -> None:
    assert clean(typed) == kept
    assert clean(kept) == kept


def test_what_was_kept_by_an_earlier_release_is_clean_where_it_is_shown() -> None:
    assert safe("\u202etsaf\0 *bold*") == "tsaf \\*bold\\*"
