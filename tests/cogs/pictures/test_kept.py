"""What is kept of pictures takes no more room than it was given."""

from __future__ import annotations

from bench.picture import PLAY
from cogs.pictures import canvas
from cogs.pictures.blackjack import render
from cogs.pictures.kept import kept


def test_what_was_made_is_made_once_until_there_is_no_room_for_it() -> None:
    made: list[int] = []

    @kept(10, len)
    def rows(of: int) -> str:
        made.append(of)
        return "x" * of

    assert [rows(4), rows(5), rows(4)] == ["xxxx", "xxxxx", "xxxx"]
    assert made == [4, 5]
    assert (rows(6), rows.bytes) == ("xxxxxx", 10)  # five, which was not asked for longest, went
    assert (rows(4), rows.bytes, made) == ("xxxx", 10, [4, 5, 6])


def test_what_is_larger_than_the_room_is_made_and_not_kept() -> None:
    @kept(10, len)
    def rows(of: int) -> str:
        return "x" * of

    assert (rows(11), rows.bytes) == ("x" * 11, 0)


def test_hands_that_nobody_has_seen_before_take_no_more_memory_than_there_is_room() -> None:
    for pictures in PLAY.values():
        for picture in pictures()[:150]:
            render(picture)
    assert 0 < canvas._patch.bytes <= 40 * 2**20
    assert 0 < canvas._strip.bytes <= 4 * 2**20
