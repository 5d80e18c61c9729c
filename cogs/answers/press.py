"""Buttons and menus that remember nothing but their custom_id."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.custom_id import CustomId
from cogs.answers.door import Stands, refuse_elsewhere
from cogs.answers.forms import Form, submitted
from cogs.answers.reply import Reply
from cogs.answers.serving import TAKEN, serving
from cogs.words import _
from cogs.words.clean import clean
from cogs.words.refusals import Sorry

#: The most choices of a menu.
_MOST: Final = 25


class Press(ui.DynamicItem[ui.Item[Any]], template=r"(?!)"):
    """A button or a menu that remembers nothing but its custom_id.

    The named groups of the template are the values that it carries. They are written into its custom_id, and when
    somebody presses it, they are its attributes.

    discord.py logs or swallows what a DynamicItem raises, so subclasses do their work in `pressed`, inside `serving`.
    """

    #: The messages that such buttons may be on. A press on any other is refused.
    stands: ClassVar[Stands] = Stands.PRIVATELY
    #: Whether only the presser sees the message that answers.
    private: ClassVar[bool] = True

    carries: ClassVar[CustomId]

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__(template=template)
        cls.carries = CustomId(template)

    @classmethod
    def button(
        cls,
        label: str,
        *,
        enabled: bool = True,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        **carried: Any,
    ) -> Self:
        """Return a new button that carries these values."""
        return cls(ui.Button(label=label, custom_id=cls.carries.of(**carried), disabled=not enabled, style=style))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the button or menu that was pressed, with the values of its custom_id as attributes."""
        pressed = cls(item)
        vars(pressed).update(cls.carries.read(match))
        return pressed

    async def callback(self, interaction: Any) -> None:
        """Serve the press, or refuse it if it comes too fast or from a message that such buttons may not be on."""
        async with serving(interaction, private=self.private) as reply:
            refuse_elsewhere(interaction, self.stands)
            await self.pressed(interaction, reply)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        """Do what the button or menu is for, and answer by `reply`. Each kind defines this."""
        raise NotImplementedError


def chosen(interaction: Interaction) -> tuple[str, ...]:
    """Return the values chosen from a menu, at most as many as a menu can have. They may be forged."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return tuple(clean(str(value)) for value in values[:_MOST]) if isinstance(values, list) else ()


def choice(interaction: Interaction) -> str:
    """Return the value chosen from a menu, or an empty text if there is none. It may be forged."""
    return next(iter(chosen(interaction)), "")


def take_up(bot: Casino, *kinds: type[Press | Form]) -> None:
    """Serve presses and forms of these kinds from now on, even if another process posted them."""
    presses = [kind for kind in kinds if issubclass(kind, Press)]
    bot.add_dynamic_items(*presses)
    bot.presses += presses
    bot.forms += (kind for kind in kinds if issubclass(kind, Form))


async def what_is_left(interaction: Interaction) -> None:
    """Serve what discord.py hands to no button: forms, and presses that it dropped as unknown. Ignore the rest."""
    if interaction.type is discord.InteractionType.modal_submit:
        await submitted(interaction)
    elif interaction.type is discord.InteractionType.component and TAKEN not in interaction.extras:
        await _press_anyway(interaction)


async def _press_anyway(interaction: Interaction) -> None:
    custom_id = interaction.custom_id or ""
    for kind in interaction.client.presses:
        if match := kind.carries.pattern.fullmatch(custom_id):
            button = await kind.from_custom_id(interaction, ui.Button(custom_id=custom_id), match)
            await button.callback(interaction)
            return
    async with serving(interaction):
        raise Sorry(_("That button doesn't do anything here any more. Nothing was changed."))
