"""Pictures as files: the same view is drawn once."""

from __future__ import annotations

from cogs.table import components
from cogs.table.page import Picture


def picture(key: str, drawn: list[str]) -> Picture:
    def draw() -> bytes:
        drawn.append(key)
        return key.encode()

    return Picture(key, draw, f"alt of {key}")


async def test_the_same_picture_is_drawn_once_and_sent_as_often_as_it_is_wanted() -> None:
    drawn: list[str] = []
    sent = [await components.file_of(picture("one hand", drawn)) for _ in range(3)]
    assert drawn == ["one hand"]
    assert [file.fp.read() for file in sent] == [b"one hand"] * 3
    assert {file.description for file in sent} == {"alt of one hand"}
    once_more = components.anew(sent[0])
    assert (once_more.fp.read(), once_more.filename, once_more.description) == (
        b"one hand",
        sent[0].filename,
        "alt of one hand",
    )


async def test_only_so_many_are_kept_and_the_ones_last_wanted() -> None:
    drawn: list[str] = []
    await components.file_of(picture("often", drawn))
    for number in range(200):
        await components.file_of(picture(f"once {number}", drawn))
        await components.file_of(picture("often", drawn))
    assert drawn.count("often") == 1
    assert len(components._kept) == components._MOST
