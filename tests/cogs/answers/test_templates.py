"""A button declares once what it carries: its custom_id is made from that, and read back to the same."""

from __future__ import annotations

import pytest
from discord import ui

from cogs.answers.press import Press
from tests.releases import Release

from ..conftest import Casino


class Parcel(Press, template=r"parcel:(?P<to>\d{1,20}):(?P<step>-?\d{1,4}):(?P<word>[a-z-]{1,20}):(?P<fast>|fast)"):
    to: int
    step: int
    word: str
    fast: str


@pytest.mark.parametrize("carried", [{"to": 7, "step": -1, "word": "all-in", "fast": ""},
                                     {"to": 8, "step": 12, "word": "x", "fast": "fast"}])  # fmt: skip
async def test_what_is_put_in_comes_out_again(carried: dict[str, object]) -> None:
    custom_id = Parcel.carries.of(**carried)
    match = Parcel.carries.pattern.fullmatch(custom_id)
    assert match is not None
    parcel = await Parcel.from_custom_id(None, ui.Button(custom_id=custom_id), match)
    assert {name: getattr(parcel, name) for name in carried} == carried


async def test_buttons_of_earlier_releases_are_written_today_as_they_were_then(
    casino: Casino, release: Release
) -> None:
    ids = {control["custom_id"] for control in release.controls if control["kind"] != "form"}
    known = set()
    for custom_id in sorted(ids):
        for kind in casino.bot.presses:
            if match := kind.carries.pattern.fullmatch(custom_id):
                known.add(custom_id)
                assert kind.carries.of(**match.groupdict()) == custom_id
    assert known == ids
