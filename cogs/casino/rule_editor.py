"""A server's own rule sets: an editor of menus that shows at once what cannot be."""

from __future__ import annotations

import re
from typing import Any, Final, Self

import discord
from discord import ui

from cogs.answers.client import casino_of
from cogs.answers.managers import managers_only
from cogs.answers.panel import BRASS, FELT, panel
from cogs.answers.press import Interaction, Press, choice
from cogs.answers.serving import Reply
from cogs.casino import rule_values
from cogs.table.presentation import rules_told
from cogs.words import _, safe
from cogs.words.refusals import Sorry
from data import RuleSet
from engine.games import registry as games
from engine.games.contract import BadRules

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,23}")
_MOST_SETS: Final = 25
_ALARM: Final = 0xB3392F
_PLACE: Final = r"(?P<game>[a-z-]{1,20}):(?P<name>[a-z0-9-]{1,24}):(?P<word>[0-9a-z]{1,30})"


def proper_name(game: str, text: str) -> str:
    name = text.strip().casefold().replace(" ", "-")
    if not NAME.fullmatch(name):
        raise Sorry(_("A name has letters a to z, digits and dashes, 24 at most; {text} does not.", text=safe(text)))
    if name in games.game(game).rule_sets:
        raise Sorry(_("**{name}** is a built-in rule set; choose another name.", name=name))
    return name


def editor(game: str, name: str, word: str, open_field: int | None = None) -> ui.LayoutView:
    rows: list[list[ui.Item[Any]]] = [[FieldMenu.of(game, name, word, open_field)]]
    if open_field is not None:
        rows.append([ValueMenu.of(game, name, word, open_field)])
    try:
        rules = rule_values.rules_of(game, word)
    except BadRules as error:
        rows.append(_ends(game, name, word, enabled=False))
        heading = _("{name} · {game} cannot be", name=name, game=game)
        return panel(heading, rule_values.fault(game, error), rows=rows, colour=_ALARM)
    rows.append(_ends(game, name, word, enabled=True))
    lines = "\n".join(f"**{heading}** · {text}" for heading, text in rules_told(game, rules))
    return panel(_("{name} · {game}", name=name, game=game), lines, rows=rows, colour=BRASS)


def _ends(game: str, name: str, word: str, *, enabled: bool) -> list[ui.Item[Any]]:
    """Save, if such a rule set can be, and Delete."""
    carried: dict[str, Any] = {"game": game, "name": name, "word": word}
    save = SaveButton.button(_("Save"), enabled=enabled, style=discord.ButtonStyle.success, **carried)
    return [save, DropButton.button(_("Delete"), **carried)]


class _Part(Press, template=r"(?!)"):
    """A piece of the editor: it carries the whole rule set."""

    game: str
    name: str
    word: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        if self.game not in games.GAMES:
            raise Sorry(_("No such game is dealt here."))
        await self.taken(interaction, reply)

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        raise NotImplementedError


class FieldMenu(_Part, template=rf"rules:field:{_PLACE}"):
    @classmethod
    def of(cls, game: str, name: str, word: str, open_field: int | None) -> Self:
        values = rule_values.choices(game, word)
        options = [
            discord.SelectOption(
                label=_(field.label),
                description=field.shown(values[field.name]),
                value=str(place),
                default=place == open_field,
            )
            for place, field in enumerate(rule_values.fields_of(game))
        ]
        menu: ui.Select[Any] = ui.Select(
            custom_id=cls.id_of(game=game, name=name, word=word), options=options, placeholder=_("Change a rule")
        )
        return cls(menu)

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        place = _chosen(interaction, len(rule_values.fields_of(self.game)))
        await reply.redraw(editor(self.game, self.name, self.word, place))


class ValueMenu(_Part, template=rf"rules:value:{_PLACE}:(?P<place>\d{{1,2}})"):
    place: int

    @classmethod
    def of(cls, game: str, name: str, word: str, place: int) -> Self:
        field = rule_values.fields_of(game)[place]
        current = rule_values.choices(game, word)[field.name]
        options = [
            discord.SelectOption(label=field.shown(value), value=str(at), default=value == current)
            for at, value in enumerate(field.values)
        ]
        menu: ui.Select[Any] = ui.Select(
            custom_id=cls.id_of(game=game, name=name, word=word, place=place), options=options
        )
        return cls(menu)

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        fields = rule_values.fields_of(self.game)
        place = min(self.place, len(fields) - 1)
        word = rule_values.changed(self.word, place, _chosen(interaction, len(fields[place].values)))
        await reply.redraw(editor(self.game, self.name, word, place))


class SaveButton(_Part, template=rf"rules:save:{_PLACE}"):
    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        assert interaction.guild_id is not None
        name, bank = proper_name(self.game, self.name), casino_of(interaction).bank
        try:
            rules = rule_values.rules_of(self.game, self.word)
        except BadRules as error:
            raise Sorry(rule_values.fault(self.game, error)) from None
        own = await bank.guilds.rule_sets(interaction.guild_id)
        if len(own) >= _MOST_SETS and name not in {each.name for each in own}:
            raise Sorry(_("A server has at most {most} rule sets of its own.", most=_MOST_SETS))
        await bank.guilds.keep_rule_set(interaction.guild_id, RuleSet(self.game, name, rules.as_json()))
        text = _(
            "Open a table with `/{game} rules:{name}`. Tables that are open go on with the rules they have.",
            game=self.game,
            name=name,
        )
        await reply.redraw(panel(_("{name} is saved", name=name), text, colour=FELT))


class DropButton(_Part, template=rf"rules:drop:{_PLACE}"):
    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        assert interaction.guild_id is not None
        await casino_of(interaction).bank.guilds.drop_rule_set(interaction.guild_id, self.game, self.name)
        text = _("Tables that play it go on with their own copy.")
        await reply.redraw(panel(_("{name} is gone", name=self.name), text))


def _chosen(interaction: Interaction, most: int) -> int:
    """The choice in a menu; a forged one is the first."""
    text = choice(interaction)
    return int(text) if re.fullmatch(r"[0-9]{1,3}", text) and int(text) < most else 0
