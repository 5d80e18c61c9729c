"""The one base of every button: whatever goes wrong behind it, the person who pressed gets an answer."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, Self

import discord
from discord import ui
from discord.ext import commands

from cogs.answers.door import Stands, refuse_elsewhere
from cogs.answers.serving import Reply, serving
from cogs.words import _
from cogs.words.clean import clean
from cogs.words.refusals import Sorry

Interaction = discord.Interaction[Any]

#: A menu has so many choices.
_MOST: Final = 25


#: A named group of a template.
_CARRIED: Final = re.compile(r"\(\?P<(?P<name>\w+)>(?P<digits>-?\??\\d)?[^()]*\)")


class Press(ui.DynamicItem[ui.Item[Any]], template=r"(?!)"):
    """A button or a menu that remembers nothing but its custom_id.

    What it carries is declared once, by the named groups of its template: they make its custom_id, and they are its
    attributes when somebody presses it. What is of digits (`\\d`) is a number, all else a text.

    discord.py logs or swallows what a DynamicItem raises, so what a press does is done in `pressed`, inside `serving`.
    """

    #: On which messages such buttons stand; pressed on any other they do nothing.
    stands: ClassVar[Stands] = Stands.PRIVATELY
    #: Whether a message that answers is for the presser alone.
    private: ClassVar[bool] = True

    pattern: ClassVar[re.Pattern[str]]
    _format: ClassVar[str]
    _numbers: ClassVar[frozenset[str]]

    def __init_subclass__(cls, *, template: str) -> None:
        super().__init_subclass__(template=template)
        cls.pattern = re.compile(template)
        cls._format = _CARRIED.sub(r"{\g<name>}", template)
        cls._numbers = frozenset(group["name"] for group in _CARRIED.finditer(template) if group["digits"])

    def __init__(self, item: ui.Item[Any], **carried: Any) -> None:
        super().__init__(item)
        vars(self).update(carried)

    @classmethod
    def id_of(cls, **carried: Any) -> str:
        """The custom_id of the one that carries this."""
        return cls._format.format(**carried)

    @classmethod
    def button(
        cls,
        label: str,
        *,
        enabled: bool = True,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        **carried: Any,
    ) -> Self:
        """A new one that carries this, to be put on a message."""
        custom_id = cls.id_of(**carried)
        return cls(ui.Button(label=label, custom_id=custom_id, disabled=not enabled, style=style), **carried)

    @classmethod
    async def from_custom_id(cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /) -> Self:
        return cls.read(item, match)

    @classmethod
    def read(cls, item: ui.Item[Any], match: re.Match[str]) -> Self:
        """The one that the pattern was found on. Whatever the pattern lets through must do."""
        found = match.groupdict().items()
        return cls(item, **{name: int(word) if name in cls._numbers else word for name, word in found})

    async def callback(self, interaction: Interaction) -> None:
        async with serving(interaction, private=self.private) as reply:
            await self.take(interaction, reply)

    async def take(self, interaction: Interaction, reply: Reply) -> None:
        """Serve the press, if it comes from where such buttons stand."""
        refuse_elsewhere(interaction, self.stands)
        await self.pressed(interaction, reply)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        raise NotImplementedError


def chosen(interaction: Interaction) -> tuple[str, ...]:
    """What was chosen from a menu, at most as much as a menu has."""
    data: Any = interaction.data or {}
    values = data.get("values")
    return tuple(clean(str(value)) for value in values[:_MOST]) if isinstance(values, list) else ()


def choice(interaction: Interaction) -> str:
    """The one thing chosen from a menu; empty, if somebody made it up that there is one."""
    return next(iter(chosen(interaction)), "")


_kinds: list[type[Press]] = []


def take_up(bot: commands.Bot | commands.AutoShardedBot, *kinds: type[Press]) -> None:
    """From now on presses of these kinds are served, whichever process posted them."""
    bot.add_dynamic_items(*kinds)
    _kinds.extend(kind for kind in kinds if kind not in _kinds)


async def missed(interaction: Interaction) -> None:
    """A press that discord.py dropped: its message does not have that button (any more), or nobody knows the button."""
    async with serving(interaction) as reply:
        button = _read(interaction.custom_id or "")
        if button is None:
            raise Sorry(_("That button no longer does anything here. Nothing was changed."))
        await button.take(interaction, reply)


def _read(custom_id: str) -> Press | None:
    for kind in _kinds:
        if match := kind.pattern.fullmatch(custom_id):
            return kind.read(ui.Button(custom_id=custom_id), match)
    return None
