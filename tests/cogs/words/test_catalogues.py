"""The catalogues have every message that people can read, and say it so that it can be shown."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

import cogs
from cogs.table import components
from cogs.table.presentation import presented
from cogs.words import LANGUAGES, ngettext, percent, speaking
from cogs.words.catalogues import SOURCE, file_of, language
from cogs.words.commands import CommandTranslator
from cogs.words.messages import command_tree, renewed, template

from ..pages import writing
from ..pages.test_golden import TABLES

TRANSLATED = [code for code in LANGUAGES if code != SOURCE]

#: What Discord takes as an option's name.
NAME = re.compile(r"[-_'\w]{1,32}")
#: What a description or a choice may have.
LONGEST = 100
#: Discord's numbers for a command, a command of a group, and a group; options have others.
COMMANDS = (1, 2)
#: What makes another word of a word in one language only.
CHANGES = ("capitalize", "title", "upper", "replace", "removesuffix", "removeprefix", "strip", "rstrip")
#: Three buttons with prices stand beside each other on a phone.
BUTTON = 20


def messages(code: str) -> list[Message]:
    with file_of(code).open("rb") as text:
        return [message for message in read_po(text, locale=code) if message.id]


def pairs(message: Message) -> Iterator[tuple[str, str]]:
    """Each form of the translation with the source's form of it."""
    if isinstance(message.id, str):
        yield message.id, str(message.string)
    else:
        for form in message.string:
            yield message.id[-1], form


def places(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}", text))


@cache
def found() -> Catalog:
    return asyncio.run(template())


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_has_every_message_of_the_code_and_the_commands_and_no_others(code: str) -> None:
    """`make messages` would change nothing."""
    assert renewed(code, found()).decode() == file_of(code).read_text(encoding="utf-8")


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated_for_good(code: str) -> None:
    unsaid = [
        message.id for message in messages(code) if message.fuzzy or not all(said for _source, said in pairs(message))
    ]
    assert unsaid == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_places_of_its_message(code: str) -> None:
    for message in messages(code):
        for source, said in pairs(message):
            assert places(said) == places(source), said


@pytest.mark.parametrize("code", TRANSLATED)
def test_marks_commands_and_lines_are_those_of_the_message(code: str) -> None:
    for message in messages(code):
        for source, said in pairs(message):
            assert [said.count(mark) for mark in ("**", "`", "\n")] == [source.count(m) for m in ("**", "`", "\n")] or (
                "half" in source  # explained in brackets
            ), said
            assert re.findall(r"`/\w+", said) == re.findall(r"`/\w+", source)


def test_french_signs_stand_off_by_a_space_that_does_not_break() -> None:
    for message in messages("fr"):
        for _source, said in pairs(message):
            prose = re.sub(r"`[^`]*`", "", said)
            assert not re.search(r"\w[;!?](\s|$)| [:;!?%»]|« |'", prose) or prose == "aujourd'hui", said
            assert not re.search(r"\w:(\s|$)", prose), said


def sources() -> Iterator[tuple[str, ast.AST]]:
    for file in sorted(Path(cogs.__path__[0]).rglob("*.py")):
        yield from (
            (f"{file.name}:{getattr(node, 'lineno', 0)}", node) for node in ast.walk(ast.parse(file.read_text()))
        )


def is_message(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext")


def has_letters(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and any(map(str.isalpha, str(node.value)))


def test_no_sentence_is_glued_from_pieces() -> None:
    """Beside a message stand markup and line ends, never words; and no message is made larger or smaller."""
    for where, node in sources():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            pieces: list[ast.AST] = [node.left, node.right]
        elif isinstance(node, ast.JoinedStr):
            pieces = [piece.value if isinstance(piece, ast.FormattedValue) else piece for piece in node.values]
        else:
            changed = isinstance(node, ast.Attribute) and is_message(node.value) and node.attr in CHANGES
            assert not changed, where
            continue
        if any(map(is_message, pieces)):
            assert not any(map(has_letters, pieces)), where


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("kind", TABLES)
def test_what_stands_on_the_buttons_of_a_table_is_short(code: str, kind: str) -> None:
    with speaking(code):
        for seen in TABLES[kind].values():
            for line in writing.message(components.build(presented(seen).page_of(seen), seen)):
                if line.startswith("keys: "):
                    for label in re.findall(r"[\[(]([^\])]*): \w+[\])]", line):
                        assert len(label) <= BUTTON, label


@cache
def payloads() -> list[dict[str, Any]]:
    """The commands as Discord is told of them, groups before what they hold."""

    async def told() -> list[dict[str, Any]]:
        tree, translator = await command_tree(), CommandTranslator()
        commands = tree.get_commands(type=discord.AppCommandType.chat_input)
        return [await command.get_translated_payload(tree, translator) for command in commands]

    return [part for payload in asyncio.run(told()) for part in parts(payload)]


def parts(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield payload
    for option in payload.get("options", []):
        yield from parts(option)


@pytest.mark.parametrize("code", TRANSLATED)
def test_discord_takes_the_descriptions_and_choices_of_the_commands(code: str) -> None:
    for part in payloads():
        texts = [part, *part.get("choices", [])]
        said = [text.get(f"{kind}_localizations", {}).get(code) for text in texts for kind in ("name", "description")]
        assert all(1 <= len(text) <= LONGEST for text in said if text is not None), part
        assert part["description_localizations"][code] != part["description"]


@pytest.mark.parametrize("code", TRANSLATED)
def test_discord_takes_the_names_of_the_options(code: str) -> None:
    for part in payloads():
        names = [option.get("name_localizations", {}).get(code, option["name"]) for option in part.get("options", [])]
        assert all(NAME.fullmatch(name) and name == name.lower() for name in names), names
        assert len(set(names)) == len(names)


def test_commands_that_are_typed_have_one_name_in_all_languages() -> None:
    for part in payloads():
        if part["type"] in COMMANDS:
            assert not part.get("name_localizations")


@pytest.mark.parametrize(
    ("code", "name", "group", "decimal"), [("en", "English", ",", "."), ("fr", "Français", "\u202f", ",")]
)
def test_a_language_writes_its_name_and_numbers_its_own_way(code: str, name: str, group: str, decimal: str) -> None:
    assert (language(code).name, language(code).group, language(code).decimal) == (name, group, decimal)


def test_french_counts_nothing_in_the_singular() -> None:
    with speaking("fr"):
        said = [ngettext("{count} chip", "{count} chips", count) for count in (0, 1, 2, 1055)]
        assert said == ["0 jeton", "1 jeton", "2 jetons", "1\u202f055 jetons"]
        assert percent(7, 200) == "3,5\u202f%"


#: A sentence that denies something, in both languages; `ne ... que` is no denial but the word for "only".
DENIED = re.compile(r"\b(no|not|never|nobody|nothing|none|neither|without|cannot|\w+n['’]t)\b", re.IGNORECASE)
DENIED_IN_FRENCH = re.compile(r"\b(ne|pas|jamais|rien|sans|aucune?|non)\b|\bn[’']", re.IGNORECASE)
#: What one language denies and the other one says in a word of its own.
WITHOUT_A_NO = re.compile(
    r"\b(gone|off|offline|only|alone|leave it out|left|most|any|once|more than|too)\b", re.IGNORECASE
)
WITHOUT_A_NO_IN_FRENCH = re.compile(r"\b(approchée|à sec|irréversible|personne|hors)\b", re.IGNORECASE)
NO_DENIAL = re.compile(r"\bpas à pas\b|\bne (\w+ ){1,2}que\b")


def is_contrary(source: str, said: str) -> bool:
    """Return whether only one of both denies something."""
    said = NO_DENIAL.sub("", said)
    if DENIED.search(source):
        return not (DENIED_IN_FRENCH.search(said) or WITHOUT_A_NO_IN_FRENCH.search(said))
    return bool(DENIED_IN_FRENCH.search(said)) and not WITHOUT_A_NO.search(source)


def test_french_denies_what_english_denies() -> None:
    """A sentence that is turned into its contrary promises what nobody keeps."""
    assert [said for message in messages("fr") for source, said in pairs(message) if is_contrary(source, said)] == []
    assert is_contrary("Nothing was changed.", "Tout a été modifié.")
    assert is_contrary("Your chips are safe.", "Vos jetons ne sont pas en sécurité.")
