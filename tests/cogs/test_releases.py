"""Buttons, menus and forms of earlier releases: their messages are still in channels and go on working."""

from __future__ import annotations

from typing import Any

import pytest
import simcord

from tests.releases import Release

from . import raw
from .conftest import Casino, text_of


async def used(casino: Casino, control: dict[str, Any]) -> simcord.InteractionResult:
    """Press a button of an old message, as somebody does who finds it."""
    custom_id, message = control["custom_id"], casino.message
    if control["kind"] == "form":
        return await raw.submit(casino.alice, message, custom_id, dict.fromkeys(control["fields"], "5"))
    if control["kind"] == "select":
        return await raw.choose(casino.alice, message, custom_id, control["type"], control["values"])
    (result,) = await raw.press(casino.alice, message, custom_id)
    return result


def told(result: simcord.InteractionResult) -> str:
    answers = [result.response] if result.response is not None else result.followups
    return "\n".join(map(text_of, answers))


UNKNOWN = {
    "button": {"kind": "button", "custom_id": "nobody:knows:1"},
    "select": {"kind": "select", "custom_id": "nobody:knows:1", "type": 3, "values": ["1"]},
    "form": {"kind": "form", "custom_id": "nobody:knows:1", "fields": ["chips"]},
}


@pytest.mark.thinned
@pytest.mark.parametrize("kind", UNKNOWN)
async def test_whoever_finds_an_old_message_is_served(casino: Casino, kind: str, release: Release) -> None:
    """They may be refused, but never told that nobody knows the button any more."""
    await casino.sealed_table()
    nobody_knows = told(await used(casino, UNKNOWN[kind]))
    assert nobody_knows
    for control in release.controls:
        if control["kind"] == kind:
            result = await used(casino, control)
            assert result.acknowledged, control
            assert told(result) != nobody_knows, control
