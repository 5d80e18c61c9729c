"""Texts of a duel, in every language (`tests/golden/pages`)."""

from __future__ import annotations

import pytest

from cogs.words import DEFAULT, _, speaking
from data import GuildSettings

from ..conftest import Casino, keys, text_of
from .languages import FOLDERS
from .test_commands import answer, page
from .test_golden import agrees


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_a_duel_speaks_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """Alice challenges Bob; he only stands, and she hits once where she can."""
    alice, bob, bank = casino.alice, casino.bob, casino.bot.bank
    bank.challenges.chance = bytes  # the same cards, whatever else is drawn
    if language != DEFAULT:
        settings: GuildSettings = await bank.guilds.settings(casino.guild.id)
        await bank.guilds.keep_settings(casino.guild.id, _speaking(settings, language))
        for who in (alice, bob):
            await who.select(await casino.ask("settings", who), [language], custom_id="settings:language")
    shown = await casino.ask("duel", alice)
    lines = page("/duel", answer(shown))
    shown = await casino.ask("duel", alice, member=bob, stake=50, hands=5)
    lines += page("the answer to a challenge", answer(shown))

    def told(scene: str) -> None:
        lines.extend(page(scene, answer(casino.message)))

    told("the challenge")
    await bob.click(casino.message, label=word("Accept {chips}", language, chips=50))
    told("accepted")
    message = casino.message
    for who, wishes in ((alice, ("Hit", "Stand")), (bob, ("Stand",))):
        result = await who.click(message, label=word("Play my hands", language))
        shown = result.response
        assert shown is not None
        lines += page("the first hand", answer(shown))
        while word("How it stands", language) not in keys(shown):
            likely = ("Next", "No insurance", *wishes, "Stand")
            label = next(key for key in likely if word(key, language) in keys(shown))
            await who.click(shown, label=word(label, language))
        lines += page("the last hand", answer(shown))
        await who.click(shown, label=word("How it stands", language))
        lines += page("afterwards", answer(shown))
    told("the end")
    result = await bob.click(casino.message, label=word("All hands", language))
    lines += page("all hands", answer(result.response))
    result = await bob.click(casino.message, label=word("Picture", language))
    lines += page("the picture", answer(result.response))
    await bob.click(casino.message, label=word("Again", language))
    result = await alice.click(casino.message, label=word("No", language))
    told("declined")
    lines += [f"== {text_of(each)}" for each in result.followups]
    await casino.ask("duel", alice, member=bob, hands=5)
    told("a challenge for fun")
    for who in (alice, bob):
        lines += page(f"the open duels of {who.name}", answer(await casino.ask("duel", who)))
    agrees(request, f"{folder}/duel.txt", lines)


def _speaking(settings: GuildSettings, language: str) -> GuildSettings:
    from dataclasses import replace

    return replace(settings, language=language)


def word(label: str, language: str, **values: object) -> str:
    with speaking(language):
        return _(label, **values)
