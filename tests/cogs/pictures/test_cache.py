"""The cache of pictures takes no more room than it was given."""

from __future__ import annotations

from bench.picture import PLAY
from cogs.pictures import canvas
from cogs.pictures.blackjack import render
from cogs.pictures.cache import SizedCache


def test_what_was_made_is_kept_until_there_is_no_room_for_it() -> None:
    kept = SizedCache[str](10, len)
    assert kept.get(4) is None
    for of in (4, 5):
        kept.put(of, "x" * of)
    assert (kept.get(4), kept.bytes) == ("xxxx", 9)
    kept.put(6, "x" * 6)
    assert (kept.get(5), kept.bytes) == (None, 10)  # which was not asked for longest
    assert (kept.get(4), kept.get(6)) == ("xxxx", "x" * 6)


def test_what_another_thread_made_sooner_is_counted_once() -> None:
    kept = SizedCache[str](10, len)
    kept.put("row", "xxxx")
    kept.put("row", "xxxx")
    assert kept.bytes == 4


def test_what_is_larger_than_the_room_is_not_kept() -> None:
    kept = SizedCache[str](10, len)
    kept.put(11, "x" * 11)
    assert (kept.get(11), kept.bytes) == (None, 0)


def test_hands_that_nobody_has_seen_before_take_no_more_memory_than_there_is_room() -> None:
    for pictures in PLAY.values():
        for picture in pictures()[:150]:
            render(picture)
    assert 0 < canvas._kept_patches.bytes <= 24 * 2**20
    assert 0 < canvas._kept_strips.bytes <= 4 * 2**20
