"""Forms that people fill in. The custom_id says all about a form, so one opened before a restart still works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.custom_id import CustomId
from cogs.answers.door import Stands, refuse_elsewhere
from cogs.answers.reply import Reply
from cogs.answers.serving import serving
from cogs.words import _
from cogs.words.clean import clean
from cogs.words.refusals import Sorry

#: The texts that were filled in, by the name of the field.
FormValues = Mapping[str, str]

#: The most choices shown as radio buttons; more become a menu.
_SEEN_AT_ONCE: Final = 3


class Form(ui.Modal):
    """The base class of forms. The bot remembers no open form: its custom_id carries all that `filled_in` needs.

    The named groups of the template become attributes, both when the form is shown and when it comes back.
    """

    #: The messages whose buttons may open the form.
    stands: ClassVar[Stands] = Stands.PRIVATELY

    carries: ClassVar[CustomId]

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__()
        cls.carries = CustomId(template)

    def __init__(self, title: str = "", **carried: Any) -> None:
        super().__init__(title=title[:45], custom_id=self.carries.of(**carried), timeout=None)
        vars(self).update(carried)
        self.stop()  # discord.py need not keep it

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        """Act on the answers that a person filled in, and answer by `reply`. Each kind of form defines this."""
        raise NotImplementedError

    def ask(self, field: str, label: str, hint: str = "", *, value: str = "", required: bool = True) -> Self:
        """Add a field for a text of up to a hundred characters, which begins with `value`, and return the form."""
        box: ui.TextInput[Any] = ui.TextInput(custom_id=field, default=value or None, required=required, max_length=100)
        return self._add(label, hint, box)

    def offer(self, field: str, label: str, hint: str, choices: Sequence[str], chosen: int) -> Self:
        """Add a field with these choices, of which the one at index `chosen` is preselected, and return the form.

        A few choices are radio buttons, more are a menu. What is filled in is the index of a choice, as a text.
        """
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

    def _add(self, label: str, hint: str, asked: ui.Item[Any]) -> Self:
        self.add_item(ui.Label(text=label[:45], description=hint[:100] or None, component=asked))
        return self


async def submitted(interaction: Interaction) -> None:
    """Serve a form that was filled in, even if another process showed it.

    Refuse a form that comes from elsewhere, and one that is no longer in use.
    """
    async with serving(interaction) as reply:
        for kind in interaction.client.forms:
            if match := kind.carries.pattern.fullmatch(interaction.custom_id or ""):
                refuse_elsewhere(interaction, kind.stands)
                data: Any = interaction.data or {}
                answers = dict(_fields(data.get("components")))
                await kind(**kind.carries.read(match)).filled_in(interaction, reply, answers)
                return
        raise Sorry(_("That form is no longer in use. Nothing was changed."))


def _fields(components: Any) -> Iterator[tuple[str, str]]:
    """Yield the name and the cleaned text of each field, also of those within labels or rows. Of a menu only the first
    choice counts. Ill-formed data, which anybody can send, is left out.
    """
    for component in components if isinstance(components, list) else ():
        if isinstance(component, dict):
            yield from _fields(component.get("components"))
            yield from _fields([component.get("component")])
            name, text = component.get("custom_id"), component.get("value")
            if isinstance(picked := component.get("values"), list):
                text = next(iter(picked), None)
            if isinstance(name, str) and isinstance(text, str):
                yield name, clean(text)
