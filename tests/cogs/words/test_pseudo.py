"""Played in a language that nobody speaks, no text is left in English and no limit is broken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import discord
import pytest

from cogs.table import components
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT
from cogs.table.presentation import presented, rules_text
from cogs.words import refusals, speaking
from cogs.words.catalogues import language
from cogs.words.commands import CommandTranslator
from cogs.words.messages import command_tree
from engine.games.computer import NAMES
from engine.games.contract import Refusal
from engine.games.registry import GAMES
from engine.tables.refused import Reason, Refused
from tests.contract import rules

from ..pages import tournament
from ..pages.test_golden import TABLES
from . import pseudo
from .test_catalogues import LONGEST, NAME, found, parts

#: The names of rule sets and computer players, which are the same in every language.
NAMES_OF_OURS = {*(name for game in GAMES.values() for name in game.rule_sets), *NAMES, "Dot", "Bit", "Computer"}
#: The words that come from Babel and not from a catalogue.
FROM_TABLES = {*language(pseudo.CODE).days, "janvier", "heure", "d", "Europe", "centrale"}
NAMED = frozenset(NAMES_OF_OURS | FROM_TABLES)


@pytest.fixture
def nobodys(tmp_path: Path) -> Iterator[None]:
    with pseudo.in_place_of_french(found(), tmp_path / "locales"), speaking(pseudo.CODE):
        yield


def test_every_letter_has_a_mark_and_every_text_is_a_third_longer() -> None:
    said = pseudo.pseudo("Give {chips} to **somebody** with `/give`")
    assert said == "Ĝìṽè {chips} ţò **śòḿèƀòđỳ** ŵìţĥ `/give` òùś èẋţŕ"
    assert pseudo.unmarked(said, ()) == "chips"
    assert pseudo.unmarked("Ńò, Dot, or K♠", ["Dot"]) == "or"


@pytest.mark.parametrize("kind", TABLES)
def test_every_phase_of_every_table_is_translated_and_fits(nobodys: None, kind: str) -> None:
    for scene, seen in TABLES[kind].items():
        page = presented(seen).page_of(seen)
        view = components.build(page, seen)
        assert english(view) == [], scene
        assert view.content_length() <= TEXT_LIMIT
        assert page.picture is None or len(page.picture.alt) <= ALT_LIMIT


def test_every_message_of_a_tournament_is_translated_and_fits(nobodys: None) -> None:
    for scene, view in tournament.scenes().items():
        assert english(view) == [], scene
        assert view.content_length() <= TEXT_LIMIT


def english(view: discord.ui.LayoutView) -> list[str]:
    return [text for text in pseudo.read(view.to_components()) if pseudo.unmarked(text, NAMED)]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_rule_set_are_translated(nobodys: None, game: str) -> None:
    texts = [
        text for rule_set in GAMES[game].rule_sets.values() for line in rules_text(game, rule_set) for text in line
    ]
    assert [text for text in texts if pseudo.unmarked(text, NAMED)] == []


def test_every_no_is_translated(nobodys: None) -> None:
    details = {
        "smallest": 1,
        "largest": 1,
        "balance": 1,
        "needed": 1,
        "staked": 1,
        "stake": 1,
        "name": "vegas",
        "most": "1",
        "until": 1_800_000_000.0,
    }
    noes = [Refused(reason, **details) for reason in Reason if reason is not Reason.ILLEGAL]
    noes += [Refused(Reason.ILLEGAL, refusal=refusal) for refusal in Refusal]
    for no in noes:
        text = refusals.sentence(no)
        assert text
        assert not pseudo.unmarked(text, NAMED), text


async def test_discord_takes_the_commands_however_long_their_words_are(nobodys: None) -> None:
    tree, translator = await command_tree(), CommandTranslator()
    told = [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
    assert rules.mistakes("PUT /applications/{application_id}/commands", told) == []
    for part in (part for payload in told for part in parts(payload)):
        for text in (part, *part.get("choices", [])):
            for kind in ("name", "description"):
                said = text.get(f"{kind}_localizations", {}).get(pseudo.CODE)
                assert said is None or (1 <= len(said) <= LONGEST and not pseudo.unmarked(said, NAMED)), said
        names = [option["name_localizations"][pseudo.CODE] for option in part.get("options", []) if option["type"] > 2]
        assert all(NAME.fullmatch(name) and name == name.lower() for name in names), names
