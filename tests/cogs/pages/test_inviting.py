"""Texts about a table by invitation besides its page, in every language (`tests/golden/pages`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.words import DEFAULT, _, speaking
from engine.tables.state import FreedFor

from ..conftest import Casino
from .languages import FOLDERS
from .test_commands import answer, page
from .test_golden import agrees


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_invitations_speak_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, language: str, folder: str
) -> None:
    """Alice invites Bob, who wants no more of that."""
    alice, bob = casino.alice, casino.bob
    if language != DEFAULT:
        bank, guild = casino.bot.bank, casino.guild.id
        await bank.guilds.keep_settings(guild, replace(await bank.guilds.settings(guild), language=language))
        for who in (alice, bob):
            await who.select(await casino.ask("settings", who), [language], custom_id="settings:language")
    result = await casino.blackjack(invite=FreedFor.EVERYBODY.value)
    question = result.followups[0]
    lines = page("whom to invite", answer(question))
    await alice.select(question, [bob])
    lines += page("afterwards", answer(question))
    call = casino.message
    lines += page("the call", answer(call))
    with speaking(language):
        never = _("Never again")
    pressed = await bob.click(call, label=never)
    lines += page("never again", answer(pressed.response))
    agrees(request, f"{folder}/inviting.txt", lines)
