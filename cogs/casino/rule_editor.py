"""The editor of a server's own rule sets. A choice that makes the rules impossible is explained at its field."""

from __future__ import annotations

import re
from typing import Any, Final, Self

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import managers_only
from cogs.answers.forms import Form, FormValues
from cogs.answers.here import here
from cogs.answers.panel import BRASS, FELT, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.background import log
from cogs.casino import rule_values
from cogs.table.rule_fields import RuleField
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
    """Return the name of a rule set in its stored form. Raises Sorry for an invalid name, and for a built-in one."""
    name = text.strip().casefold().replace(" ", "-")
    if not NAME.fullmatch(name):
        raise Sorry(
            _(
                "A name can have letters a to z, digits and dashes, at most 24 of them. {text} doesn't fit.",
                text=safe(text),
            )
        )
    if name in games.game(game).rule_sets:
        raise Sorry(_("**{name}** is a built-in rule set; choose another name.", name=name))
    return name


# -- showing -----------------------------------------------------------------------------------------------------------


def editor(game: str, name: str, word: str) -> ui.LayoutView:
    """Return the editor: the rules in words, with a button below each page that changes it.

    `word` is the rule set as a short word (`rule_values`). For impossible rules the editor lists the choices instead,
    and says what is wrong with them.
    """
    carried: dict[str, Any] = {"game": game, "name": name, "word": word}
    try:
        texts = rule_values.pages_text(game, rule_values.rules_of(game, word))
    except BadRules as error:
        heading = _("{name} · {game} won't work", name=name, game=_(game))
        return _editor(heading, _choices_text(game, word, error), carried, error)
    return _editor(_("{name} · {game}", name=name, game=_(game)), texts, carried)


def _editor(heading: str, texts: list[str], carried: dict[str, Any], error: BadRules | None = None) -> ui.LayoutView:
    """Return the editor's message. With an error, the button of its page is red and the rules cannot be saved."""
    blocks: list[str | ui.ActionRow[Any]] = []
    for page, (title, fields) in enumerate(rule_values.pages_of(carried["game"])):
        key = FormButton.button(_(title), style=_style(fields, error), **carried, page=page)
        blocks += [texts[page], ui.ActionRow(key)]
    save = SaveButton.button(_("Save"), enabled=error is None, style=discord.ButtonStyle.success, **carried)
    last = [save, DropButton.button(_("Delete"), **carried)]
    return panel(heading, *blocks, rows=[last], colour=BRASS if error is None else _ALARM, divided=True)


def _choices_text(game: str, word: str, error: BadRules) -> list[str]:
    """Return a text for each page of the editor: the choice in each field of that page, with the error at its field.

    `word` encodes all choices (`rule_values`).
    """
    values = rule_values.choices(game, word)
    return [
        "\n".join(_line(field, values[field.name], error, game) for field in fields)
        for _title, fields in rule_values.pages_of(game)
    ]


def _line(field: RuleField, value: Any, error: BadRules, game: str) -> str:
    text = _("{field} · {value}", field=_(field.label), value=field.shown(value))
    if field.name != error.field:
        return text
    return f"⚠️ **{text}**\n-# {rule_values.fault(game, error)}"


def _style(fields: list[RuleField], error: BadRules | None) -> discord.ButtonStyle:
    to_blame = error is not None and error.field in {field.name for field in fields}
    return discord.ButtonStyle.danger if to_blame else discord.ButtonStyle.secondary


class RulesForm(Form, template=rf"rules:form:{_PLACE}:(?P<page>\d)"):
    """The form in which the choices of one page of rules are made."""

    game: str
    name: str
    word: str
    page: int

    @classmethod
    def of(cls, game: str, name: str, word: str, page: int) -> Self:
        """Return the form of a page with the present choices, which `word` encodes (`rule_values`).

        If the rules are impossible, the field to blame says why. Raise Sorry for a word of another release that cannot
        be read.
        """
        title, fields = rule_values.pages_of(game)[page]
        values, blamed = rule_values.choices(game, word), _blamed(game, word)
        form = cls(_(title), game=game, name=name, word=word, page=page)
        for field in fields:
            shown = [field.shown(value) for value in field.values]
            form.offer(
                field.name, _(field.label), blamed.get(field.name, ""), shown, field.values.index(values[field.name])
            )
        return form

    async def filled_in(self, interaction: Interaction, reply: Reply, answers: FormValues) -> None:
        managers_only(interaction)
        _refuse_unknown(self.game)
        await reply.redraw(editor(self.game, self.name, rule_values.chosen(self.game, self.word, answers)))


def _blamed(game: str, word: str) -> dict[str, str]:
    """Return the reason why the rules are impossible, by the field that makes them so; nothing for possible rules."""
    try:
        rule_values.rules_of(game, word)
    except BadRules as error:
        return {error.field: rule_values.fault(game, error)}
    return {}


# -- pressing ----------------------------------------------------------------------------------------------------------


def _refuse_unknown(game: str) -> None:
    if game not in games.GAMES:
        raise Sorry(_("That game isn't played here."))


class _EditorButton(Press, template=r"(?!)"):
    """A button of the editor, for managers only. Its custom id carries the whole rule set."""

    game: str
    name: str
    word: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        _refuse_unknown(self.game)
        await self.taken(interaction, reply)

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        raise NotImplementedError


class FormButton(_EditorButton, template=rf"rules:page:{_PLACE}:(?P<page>\d)"):
    """The button that opens the form of a page of rules."""

    page: int

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        last = len(rule_values.pages_of(self.game)) - 1
        await reply.ask(RulesForm.of(self.game, self.name, self.word, min(self.page, last)))


class EarlierMenu(_EditorButton, template=rf"rules:(?P<menu>field|value):{_PLACE}(?P<rest>:?\d{{0,2}})"):
    """A menu of the first release's editor. Using it replaces that editor with the present one."""

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(editor(self.game, self.name, self.word))


async def _own_sets(interaction: Interaction) -> set[tuple[str, str]]:
    """Return the game and the name of each rule set of the server."""
    found = await interaction.client.bank.guilds.rule_sets(here(interaction).guild)
    return {(each.game, each.name) for each in found}


class SaveButton(_EditorButton, template=rf"rules:save:{_PLACE}"):
    """The button that saves the rule set."""

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        name, bank = proper_name(self.game, self.name), interaction.client.bank
        try:
            rules = rule_values.rules_of(self.game, self.word)
        except BadRules as error:
            raise Sorry(rule_values.fault(self.game, error)) from None
        own = await _own_sets(interaction)
        if len(own) >= _MOST_SETS and (self.game, name) not in own:
            raise Sorry(_("A server can have at most {most} rule sets of its own.", most=_MOST_SETS))
        values = {"actor": log.ACTOR, "name": name, "game": self.game}
        line = await log.noted(interaction, lambda: _("📜 {actor} saved the rules **{name}** of {game}", **values))
        await bank.guilds.keep_rule_set(here(interaction).guild, RuleSet(self.game, name, rules.as_json()), line)
        text = _(
            "Open a table with `/{game} rules:{name}`. Open tables keep the rules they have.",
            game=self.game,
            name=name,
        )
        await reply.redraw(panel(_("{name} is saved", name=name), text, colour=FELT))


class DropButton(_EditorButton, template=rf"rules:drop:{_PLACE}"):
    """The button that deletes the rule set."""

    async def taken(self, interaction: Interaction, reply: Reply) -> None:
        guilds, values = interaction.client.bank.guilds, {"actor": log.ACTOR, "name": self.name, "game": self.game}
        if (self.game, self.name) in await _own_sets(interaction):
            line = await log.noted(
                interaction, lambda: _("📜 {actor} deleted the rules **{name}** of {game}", **values)
            )
            await guilds.drop_rule_set(here(interaction).guild, self.game, self.name, line)
        text = _("Tables that are using it keep their own copy.")
        await reply.redraw(panel(_("{name} is deleted", name=self.name), text))
