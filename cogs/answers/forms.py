"""Forms that people fill in. A form is known by its custom_id alone: one opened before a restart still works."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import discord
from discord import ui

from cogs.answers.serving import Reply, serving
from cogs.words import _

Interaction = discord.Interaction[Any]
Answers = Mapping[str, str]

#: What takes up a form: the interaction, its reply, the match of the custom_id, what was filled in by field.
Taker = Callable[[Interaction, Reply, re.Match[str], Answers], Awaitable[None]]

_takers: dict[re.Pattern[str], Taker] = {}


class Form(ui.Modal):
    """Shown and forgotten: `submitted` reads what comes back."""

    def __init__(self, title: str, custom_id: str) -> None:
        super().__init__(title=title[:45], custom_id=custom_id, timeout=15 * 60)

    def ask(self, field: str, label: str, hint: str = "", *, value: str = "", required: bool = True) -> Form:
        box: ui.TextInput[Any] = ui.TextInput(custom_id=field, default=value or None, required=required, max_length=100)
        self.add_item(ui.Label(text=label[:45], description=hint[:100] or None, component=box))
        return self

    async def on_submit(self, interaction: Interaction, /) -> None:
        """`submitted` answers."""


def taken_by(pattern: re.Pattern[str], taker: Taker) -> None:
    _takers[pattern] = taker


async def submitted(interaction: Interaction) -> None:
    """Every form that comes back, whichever process sent it out."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return
    async with serving(interaction) as reply:
        for pattern, taker in _takers.items():
            if match := pattern.fullmatch(interaction.custom_id or ""):
                await taker(interaction, reply, match, _answers(interaction))
                return
        await reply.say(_("That form is not in use any more. Nothing was changed."))


def _answers(interaction: Interaction) -> Answers:
    data: Any = interaction.data or {}
    return dict(_fields(data.get("components", [])))


def _fields(components: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Text fields lie one level down, in labels or rows."""
    found: list[tuple[str, str]] = []
    for component in components:
        inner = [component["component"]] if "component" in component else component.get("components", [])
        found += _fields(inner)
        if isinstance(component.get("value"), str):
            found.append((component["custom_id"], component["value"]))
    return found
