"""Where commands are offered, and what works in a direct message to the bot."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Casino, text_of

#: What needs no server.
IN_DMS = {"help", "privacy", "rules", "strategy"}


async def test_every_command_says_where_it_is_offered_and_is_installed_on_servers(casino: Casino) -> None:
    """Discord would offer what says nothing in direct messages, and to people who install the bot for themselves."""
    for command in casino.bot.tree.get_commands():
        body: dict[str, Any] = command.to_dict(casino.bot.tree)
        assert body["contexts"] == ([0, 1] if command.name in IN_DMS else [0]), command.name
        assert body["integration_types"] == [0], command.name


@pytest.mark.parametrize(
    ("command", "told"),
    [("help", "Croupier"), ("rules", "vegas"), ("strategy", "Best play"), ("privacy", "What is stored about you")],
)
async def test_what_needs_no_server_works_in_a_direct_message(casino: Casino, command: str, told: str) -> None:
    result = await casino.env.create_user("carol").slash(command)
    assert told in text_of(result.response)


async def test_keys_of_such_answers_work_there_too(casino: Casino) -> None:
    carol = casino.env.create_user("carol")
    answer = (await carol.slash("help")).response
    await carol.click(answer, label="Chips")
    assert "/daily" in text_of(answer)
