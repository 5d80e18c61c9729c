"""A button declares once what it carries: its custom_id is made from that, and read back to the same."""

from __future__ import annotations

from typing import Any

import pytest
from discord import ui

from cogs.answers.panel import in_rows, panel
from cogs.answers.press import Press
from cogs.shop import SellForm
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


# -- what Discord takes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", [14, 15, 28])
async def test_a_hand_with_very_many_decisions_fits_into_a_message(decisions: int) -> None:
    """Somebody who splits a pair into four hands decides often, and looks back at it."""
    keys = [ui.Button[Any](label=str(number), custom_id=str(number)) for number in range(7)]
    view = panel("Hand 3", *["stand"] * decisions, small=["shares"], rows=[keys[:5], keys[5:]], divided=True)
    assert view.total_children_count <= 40


def test_a_form_cuts_what_is_longer_than_discord_takes_and_shows_few_choices_at_once() -> None:
    form = SellForm("t" * 60, role=1).ask("price", "l" * 60, "h" * 120, value="5", required=False).ask("days", "Days")
    form.offer("few", "Which?", "", ["c" * 120, "d", "e"], 1).offer("many", "Which?", "", ["c" * 120, *"def"], 2)
    sent = form.to_dict()
    price, days, few, many = sent["components"]
    assert (sent["title"], sent["custom_id"]) == ("t" * 45, "shop:sell:1")
    assert (price["label"], price["description"]) == ("l" * 45, "h" * 100)
    assert (price["component"]["value"], price["component"]["required"]) == ("5", False)
    assert (days["component"]["required"], days["component"]["max_length"]) == (True, 100)
    assert [few["component"]["type"], many["component"]["type"]] == [21, 3], "radio buttons, and a menu"
    for asked, chosen in ((few, 1), (many, 2)):
        options = asked["component"]["options"]
        assert options[0]["label"] == "c" * 100
        assert [option["value"] for option in options if option.get("default")] == [str(chosen)]


def test_keys_stand_three_abreast() -> None:
    keys = [ui.Button[Any](label=str(number)) for number in range(7)]
    assert [len(row) for row in in_rows(keys)] == [3, 3, 1]
