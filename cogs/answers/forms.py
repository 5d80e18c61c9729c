"""Forms that people fill in. The custom_id says all about a form, so one opened before a restart still works."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands, refuse_elsewhere
from cogs.answers.serving import Reply, serving
from cogs.words import _
from cogs.words.clean import clean
from cogs.words.refusals import Sorry

Answers = Mapping[str, str]

#: The function that serves a form: its interaction, its reply, the match of the custom_id, the answers by field.
Taker = Callable[[Interaction, Reply, re.Match[str], Answers], Awaitable[None]]

#: The most choices shown as radio buttons; more become a menu.
_SEEN_AT_ONCE: Final = 3

_takers: dict[re.Pattern[str], tuple[Taker, Stands]] = {}


class Form(ui.Modal):
    """A form that is shown and forgotten: `submitted` reads its answers, so discord.py has nothing to keep."""

    def __init__(self, title: str, custom_id: str) -> None:
        super().__init__(title=title[:45], custom_id=custom_id, timeout=None)
        self.stop()

    def ask(self, field: str, label: str, hint: str = "", *, value: str = "", required: bool = True) -> Form:
        box: ui.TextInput[Any] = ui.TextInput(custom_id=field, default=value or None, required=required, max_length=100)
        return self._add(label, hint, box)

    def offer(self, field: str, label: str, hint: str, choices: Sequence[str], chosen: int) -> Form:
        """Ask for one of these choices, answered by its index: radio buttons for a few, else a menu."""
        if len(choices) <= _SEEN_AT_ONCE:
            seen = [
                discord.RadioGroupOption(label=text[:100], value=str(index), default=index == chosen)
                for index, text in enumerate(choices)
            ]
            return self._add(label, hint, ui.RadioGroup[Any](custom_id=field, options=seen))
        listed = [
            discord.SelectOption(label=text[:100], value=str(index), default=index == chosen)
            for index, text in enumerate(choices)
        ]
        return self._add(label, hint, ui.Select[Any](custom_id=field, options=listed))

    def _add(self, label: str, hint: str, asked: ui.Item[Any]) -> Form:
        self.add_item(ui.Label(text=label[:45], description=hint[:100] or None, component=asked))
        return self


def taken_by(pattern: re.Pattern[str], taker: Taker, stands: Stands) -> None:
    """Serve forms of this pattern from now on. `stands` says where the buttons are that open them."""
    _takers[pattern] = taker, stands


async def submitted(interaction: Interaction) -> None:
    """Serve every form that comes back, even if another process sent it out."""
    async with serving(interaction) as reply:
        for pattern, (taker, stands) in _takers.items():
            if match := pattern.fullmatch(interaction.custom_id or ""):
                refuse_elsewhere(interaction, stands)
                await taker(interaction, reply, match, _answers(interaction))
                return
        raise Sorry(_("That form is no longer in use. Nothing was changed."))


def _answers(interaction: Interaction) -> Answers:
    data: Any = interaction.data or {}
    return dict(_fields(data.get("components")))


def _fields(components: Any) -> Iterator[tuple[str, str]]:
    """Yield each field, one level down in labels or rows, and its value; of a menu the first choice counts."""
    for component in components if isinstance(components, list) else ():
        if isinstance(component, dict):
            yield from _fields(component.get("components"))
            yield from _fields([component.get("component")])
            name, text = component.get("custom_id"), component.get("value")
            if isinstance(picked := component.get("values"), list):
                text = next(iter(picked), None)
            if isinstance(name, str) and isinstance(text, str):
                yield name, clean(text)
