"""The catalogues have every message that people can read, and say it so that it can be shown."""

from __future__ import annotations

import ast
import asyncio
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

import cogs
from cogs.table import choices, components
from cogs.table.presentation import presented
from cogs.table.stake_form import typed
from cogs.words import LANGUAGES, catalogues, ngettext, number, percent, speaking
from cogs.words import messages as words
from cogs.words.catalogues import SOURCE, begun, catalogue, file_of, language, translated
from cogs.words.commands import OPTION, CommandTranslator
from cogs.words.messages import command_tree, new, renewed, template
from cogs.words.messages import translated as share_of

from ..pages import writing
from ..pages.languages import WHOLE
from ..pages.test_golden import TABLES

TRANSLATED = [code for code in LANGUAGES if code != SOURCE]

#: The names that Discord accepts for an option.
NAME = re.compile(r"[-_'\w]{1,32}")
#: Discord's locales of each language: one catalogue serves Spain and Latin America.
LOCALES = {
    code: [locale.value for locale in discord.Locale if locale.value.partition("-")[0] == code] for code in LANGUAGES
}
#: The most letters of a description or a choice.
LONGEST = 100
#: Discord's numbers for a command, a command of a group, and a group; options have others.
COMMANDS = (1, 2)
#: The methods that change a word in a way that fits only one language.
CHANGES = ("capitalize", "title", "upper", "replace", "removesuffix", "removeprefix", "strip", "rstrip")
#: What Discord makes of a text: bold and slanted, code, lines, small lines, headings, roles and channels.
MARKS = ("**", "*", "`", "\n", "-# ", "## ", "<@&", "<#", "<@")
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


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w*\}", text))


def links(text: str) -> list[str]:
    return sorted(re.findall(r"\[[^\]]+\]\(([^)]*)\)", text))


@cache
def found() -> Catalog:
    return asyncio.run(template())


@pytest.mark.parametrize("code", begun())
def test_a_catalogue_has_every_message_of_the_code_and_the_commands_and_no_others(code: str) -> None:
    """`make messages` would change nothing."""
    assert renewed(code, found()).decode() == file_of(code).read_text(encoding="utf-8")


def test_no_text_is_missed_because_of_where_it_stands() -> None:
    """The extractor does not look into a call among the arguments of a call among those of a text."""
    marked = {text for path in sorted(Path(*cogs.__path__).rglob("*.py")) for text in _marked(path)}
    extracted = {text for each in found() for text in ((each.id,) if isinstance(each.id, str) else each.id)}
    assert len(marked) > 1_000
    assert sorted(marked - extracted) == []


def _marked(path: Path) -> Iterator[str]:
    """Yield the texts of a module that are marked for translation."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        if isinstance(node, ast.Call) and called in ("_", "N_", "ngettext") and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value)


@pytest.mark.parametrize("code", WHOLE)
def test_every_message_is_translated(code: str) -> None:
    assert code in TRANSLATED
    unsaid = [
        message.id for message in messages(code) if message.fuzzy or not all(said for _source, said in pairs(message))
    ]
    assert unsaid == []


@pytest.mark.parametrize("told", [{}, {"string": "nouveau", "flags": ["fuzzy"]}])
def test_a_message_that_is_new_or_uncertain_counts_as_not_translated(told: dict[str, Any]) -> None:
    catalogue = Catalog(locale="fr")
    catalogue.add("new here", **told)
    assert share_of(catalogue) == 0


@pytest.mark.parametrize("code", begun())
def test_a_head_says_how_much_is_translated_and_who_reviewed_it(code: str) -> None:
    with file_of(code).open("rb") as text:
        catalogue = read_po(text, locale=code)
    assert translated(code) == share_of(catalogue)
    assert re.search(r"^Reviewed by: \S", catalogue.header_comment.replace("# ", ""), re.MULTILINE)


def test_a_language_is_offered_from_95_percent_on_and_says_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    languages = {"it": 94, "nl": 95, "sv": 100}
    for code, part in languages.items():
        file = tmp_path / code / catalogues.CATALOGUE
        file.parent.mkdir()
        head = new(code, found()).decode().replace("Translated: 0 %", f"Translated: {part} %")
        file.write_text(head, encoding="utf-8")
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    for module in (catalogues, choices):  # without what is remembered of the real catalogues
        monkeypatch.setattr(module, "translated", translated.__wrapped__)
    assert catalogues.codes.__wrapped__() == ("en", "nl", "sv")
    monkeypatch.setattr(choices, "LANGUAGES", ("en", "nl", "sv"))
    assert choices.languages() == {"en": "English", "nl": "Nederlands · 95%", "sv": "Svenska"}


def test_a_new_catalogue_has_every_message_and_no_translation() -> None:
    catalogue = read_po(BytesIO(new("it", found())), locale="it")
    assert len(catalogue) == len(found())
    assert share_of(catalogue) == 0
    assert "# Translated: 0 %" in new("it", found()).decode()
    assert catalogue.plural_expr == "(n != 1)"


def test_make_messages_begins_a_language_and_brings_the_others_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, folder = file_of("fr").read_bytes(), tmp_path / "cogs" / "words" / "locales"
    old = read_po(BytesIO(whole), locale="fr")
    old.add("gone", "parti")
    old.delete("Hit")

    async def known() -> Catalog:
        return found()

    for module in (catalogues, words):
        monkeypatch.setattr(module, "FOLDER", folder)
    monkeypatch.setattr(words, "template", known)
    monkeypatch.setattr(sys, "argv", ["messages", "it", "fr"])
    (folder / "fr").mkdir(parents=True)
    file_of("fr").write_bytes(words.in_file(old))
    words.main()
    assert capsys.readouterr().out.splitlines() == [f"cogs/words/locales/{code}/croupier.po" for code in ("fr", "it")]
    assert file_of("it").read_bytes() == new("it", found())
    renewed_one = read_po(BytesIO(file_of("fr").read_bytes()), locale="fr")
    assert "gone" not in renewed_one
    assert renewed_one["Hit"].string == ""
    assert renewed_one["Stand"].string == "Rester"
    assert "# Translated: 99 %" in file_of("fr").read_text(encoding="utf-8")


def test_one_missing_message_is_less_than_100_percent() -> None:
    with file_of("fr").open("rb") as text:
        catalogue = read_po(text, locale="fr")
    next(message for message in catalogue if message.id).string = ""
    assert share_of(catalogue) == 99


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_each_place_and_each_link_of_its_message_once(code: str) -> None:
    for message in messages(code):
        for source, said in pairs(message):
            assert places(said) == places(source), said
            assert links(said) == links(source), said


@pytest.mark.parametrize("code", TRANSLATED)
def test_marks_commands_and_lines_are_those_of_the_message(code: str) -> None:
    for message in messages(code):
        for source, said in pairs(message):
            assert [said.count(mark) for mark in MARKS] == [source.count(mark) for mark in MARKS], said
            assert re.findall(r"`/\w+", said) == re.findall(r"`/\w+", source)


@pytest.mark.parametrize("code", WHOLE)
def test_a_sentence_names_keys_and_options_as_they_are_called_in_its_language(code: str) -> None:
    """A key is bold, an option stands between backticks or before the colon of a command."""
    keys = {message.id: message.string for message in messages(code) if not message.context}
    options = {message.id: message.string for message in messages(code) if message.context == OPTION}
    named = 0
    for message in messages(code):
        for source, said in pairs(message):
            bold = {f"**{keys[key]}**" for key in re.findall(r"\*\*([A-Z][^*{}]*)\*\*", source) if key in keys}
            plain = {f"`{options[name]}`" for name in re.findall(r"`(\w+)`", source) if name in options}
            typed = {f" {options[name]}:" for name in re.findall(r"`/\S+ (\w+):", source) if name in options}
            named += len(bold | plain | typed)
            assert all(name in said for name in bold | plain | typed), said
    assert named > 50


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_stake_may_be_typed_in_the_words_that_a_language_offers(code: str) -> None:
    offer = "Write a number of chips like {example}, or `half`, or `all`."
    with speaking(code):
        half, everything = re.findall(r"`(\S+)`", catalogue(code).gettext(offer) if code != SOURCE else offer)
    assert (typed(half, 10_000, 10_000), typed(everything, 10_000, 10_000)) == (5_000, 10_000)


def test_french_signs_stand_off_by_a_space_that_does_not_break() -> None:
    for message in messages("fr"):
        for _source, said in pairs(message):
            prose = re.sub(r"`[^`]*`", "", said)
            assert not re.search(r"\w[;!?](\s|$)| [:;!?%»]|« |'", prose) or prose == "aujourd'hui", said
            assert not re.search(r"\w:(\s|$)", prose), said


def test_french_puts_no_de_before_the_name_of_a_rule_set() -> None:
    for message in messages("fr"):
        for _source, said in pairs(message):
            assert not re.search(r"\bde (\*\*)?\{rules\}", said), said


def test_spanish_opens_what_it_asks_and_exclaims() -> None:
    for message in messages("es"):
        for _source, said in pairs(message):
            assert (said.count("¿"), said.count("¡")) == (said.count("?"), said.count("!")), said


def test_german_and_spanish_keep_a_percent_sign_with_its_number_and_portuguese_writes_none_between() -> None:
    for code, before in (("de", "\u00a0"), ("es", "\u00a0"), ("pt", "")):
        with speaking(code):
            assert percent(7, 200) == f"3,5{before}%"
        for message in messages(code):
            for _source, said in pairs(message):
                assert not re.search(r"[\w}] %", said), said


def test_german_quotes_as_german_does() -> None:
    for message in messages("de"):
        for _source, said in pairs(message):
            assert said.count("„") == said.count("“"), said
            assert not re.search(r"[\"”«»]", said), said


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
        said = [
            text.get(f"{kind}_localizations", {}).get(locale)
            for text in texts
            for kind in ("name", "description")
            for locale in LOCALES[code]
        ]
        assert all(1 <= len(text) <= LONGEST for text in said if text is not None), part
        assert all(part["description_localizations"][locale] != part["description"] for locale in LOCALES[code])


@pytest.mark.parametrize("code", TRANSLATED)
def test_discord_takes_the_names_of_the_options(code: str) -> None:
    for part in payloads():
        for locale in LOCALES[code]:
            options = part.get("options", [])
            names = [option.get("name_localizations", {}).get(locale, option["name"]) for option in options]
            assert all(NAME.fullmatch(name) and name == name.lower() for name in names), names
            assert len(set(names)) == len(names)


def test_commands_that_are_typed_have_one_name_in_all_languages() -> None:
    for part in payloads():
        if part["type"] in COMMANDS:
            assert not part.get("name_localizations")


@pytest.mark.parametrize(
    ("code", "name", "thousand", "many"),
    [
        ("en", "English", "1,234.5", "12,345"),
        ("fr", "Français", "1\u202f234,5", "12\u202f345"),
        ("de", "Deutsch", "1.234,5", "12.345"),
        ("es", "Español", "1234,5", "12.345"),
        ("pt", "Português", "1.234,5", "12.345"),
    ],
)
def test_a_language_writes_its_name_and_numbers_its_own_way(code: str, name: str, thousand: str, many: str) -> None:
    with speaking(code):
        assert (language(code).name, number(Decimal("1234.5")), number(12_345)) == (name, thousand, many)


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_counts_as_unicodes_tables_do(code: str) -> None:
    """Amounts take the form of the tables, everything else that of the catalogue's head."""
    singular, _plural = (catalogue(code).ngettext("{count} chip", "{count} chips", count) for count in (1, 2))
    for count in (0, 1, 2, 5, 11, 21, 101):
        form = catalogue(code).ngettext("{count} chip", "{count} chips", count)
        assert (form == singular) is language(code).is_one(Decimal(count)), count


def test_french_counts_nothing_in_the_singular() -> None:
    with speaking("fr"):
        said = [ngettext("{count} chip", "{count} chips", count) for count in (0, 1, 2, 1055)]
        assert said == ["0 jeton", "1 jeton", "2 jetons", "1\u202f055 jetons"]
        assert percent(7, 200) == "3,5\u202f%"


@dataclass(frozen=True)
class Denial:
    """How a language denies, and where its words for it deny nothing."""

    said: str
    #: The word that a language has where English denies.
    instead: str
    #: Turns that only look like a denial.
    none: str

    def is_in(self, text: str) -> bool:
        return bool(re.search(self.said, re.sub(self.none, "", text, flags=re.IGNORECASE), re.IGNORECASE))


#: A sentence that denies something in English.
DENIED = re.compile(r"\b(no|not|never|nobody|nothing|none|neither|without|cannot|\w+n['’]t)\b", re.IGNORECASE)
#: English words for what other languages deny.
WITHOUT_A_NO = re.compile(
    r"\b(gone|off|offline|only|alone|leave (it|`\w+`) out|left|most|any|once|more than|too|refus\w+|even"
    r"|hidden|unseen|idle|before anyone|fewer|you are out)\b",
    re.IGNORECASE,
)
DENIALS = {
    "de": Denial(
        r"\b(nicht|nichts|kein\w*|nie|niemand\w*|ohne|weder|nirgends|nein)\b",
        r"\b(weg|unberührt|veraltet)\b",
        r"\bnicht mehr als\b",
    ),
    "es": Denial(
        r"\b(no|nunca|nadie|nada|ning\w+|sin|ni|tampoco|ya no)\b",
        r"\b(fuera|desactivad\w+|cerrad\w+)\b",
        r"\bsi no\b(?! puede)",
    ),
    "fr": Denial(
        r"\b(ne|pas|jamais|rien|sans|aucune?|non)\b|\bn[’']",
        r"\b(approchée|à sec|irréversible|personne|hors)\b",
        r"\bpas à pas\b|\bne (\w+ ){1,2}que\b",
    ),
    "pt": Denial(
        r"\b(não|nunca|ninguém|nada|nenhum\w*|sem|nem|jamais)\b",
        r"\b(fora|deslig\w+|fechad\w+)\b",
        r"\bse não\b(?! puder)",
    ),
}


def is_contrary(denial: Denial, source: str, said: str) -> bool:
    """Return whether only one of both denies something."""
    if DENIED.search(source):
        return not (denial.is_in(said) or re.search(denial.instead, said, re.IGNORECASE))
    return denial.is_in(said) and not WITHOUT_A_NO.search(source)


@pytest.mark.parametrize("code", WHOLE)
def test_a_language_denies_what_english_denies(code: str) -> None:
    """A sentence that is turned into its contrary promises what nobody keeps."""
    turned = [
        (source, said)
        for message in messages(code)
        for source, said in pairs(message)
        if is_contrary(DENIALS[code], source, said)
    ]
    assert turned == []


#: How each language says *at most* and *at least*.
BOUNDS = {
    "en": ("at most", "at least"),
    "de": ("höchstens", "mindestens"),
    "es": ("como mucho", "al menos"),
    "fr": ("au plus", "au moins"),
    "pt": ("no máximo", "pelo menos"),
}


@pytest.mark.parametrize("code", WHOLE)
def test_no_bound_is_turned_round(code: str) -> None:
    for message in messages(code):
        for source, said in pairs(message):
            for bound, other in (BOUNDS["en"], BOUNDS["en"][::-1]):
                if bound in source and other not in source:
                    wrong = BOUNDS[code][BOUNDS["en"].index(other)]
                    assert not re.search(rf"\b{wrong}\b", said), said


@pytest.mark.parametrize(
    ("code", "source", "said"),
    [
        ("de", "Nothing was changed.", "Alles wurde geändert."),
        ("de", "Your chips are safe.", "Deine Chips sind nicht sicher."),
        ("es", "Nothing was changed.", "Todo ha cambiado."),
        ("es", "Your chips are safe.", "Tus fichas no están a salvo."),
        ("fr", "Nothing was changed.", "Tout a été modifié."),
        ("fr", "Your chips are safe.", "Vos jetons ne sont pas en sécurité."),
        ("pt", "Nothing was changed.", "Tudo mudou."),
        ("pt", "Your chips are safe.", "Suas fichas não estão a salvo."),
    ],
)
def test_a_contrary_is_seen(code: str, source: str, said: str) -> None:
    assert is_contrary(DENIALS[code], source, said)
