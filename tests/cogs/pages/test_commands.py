"""Answers of the commands that are not games, and the forms behind their buttons (`tests/golden/pages`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import simcord

from cogs.words import DEFAULT, _, refusals, speaking
from engine.games.contract import Refusal
from engine.tables.refused import Reason

from .. import raw
from ..conftest import Casino
from . import writing
from .languages import FOLDERS
from .test_golden import agrees


def lasting(line: str) -> str:
    """Return the text without ids, moments and seals, which differ in each run."""
    line = re.sub(r"<@\d+>", "<@somebody>", line)
    line = re.sub(r"<@&\d+>", "<@&role>", line)
    line = re.sub(r"<#\d+>", "<#channel>", line)
    line = re.sub(r"https://cdn\.\S+/", "", line)
    line = re.sub(r"<t:\d+:(\w)>", r"<t:then:\1>", line)
    line = re.sub(r"https://discord\.com/channels/[\d/]+", "link to a message", line)
    line = re.sub(r"</([\w -]+):\d+>", r"</\1:id>", line)
    line = re.sub(r"\d+ (account|compte|transfer|mouvement)s?\b", r"some \1s", line)  # the auditor looks by itself too
    return re.sub(r"\b[0-9a-f]{64}\b", "the seal", line)


def page(scene: str, lines: list[str]) -> list[str]:
    return [f"== {scene}", *map(lasting, lines), ""]


def answer(message: simcord.ResponseMessage) -> list[str]:
    return writing.boxed(raw.components(message)[0])


async def asked(casino: Casino, who: simcord.MemberActor, command: str, **options: Any) -> list[str]:
    scene = " ".join([f"/{command}", *options]) if who.name == "alice" else f"/{command}, as a manager"
    return page(scene, answer(await casino.ask(command, who, **options)))


async def pressed(where: simcord.ResponseMessage, who: simcord.MemberActor, scene: str, custom_id: str) -> list[str]:
    await who.click(where, custom_id=custom_id)
    return page(scene, answer(where))


async def opened(where: Any, who: simcord.MemberActor, label: str, language: str) -> list[str]:
    with speaking(language):
        result = await who.click(where, label=_(label))
    assert result.modal is not None
    return page(f"the form of {label}", writing.form(result.modal))


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
async def test_every_command_answers_as_agreed(
    request: pytest.FixtureRequest, casino: Casino, boss: simcord.MemberActor, language: str, folder: str
) -> None:
    if language != DEFAULT:
        for who in (casino.alice, boss):
            await who.select(await casino.ask("settings", who), [language], custom_id="settings:language")
        await boss.select(
            await casino.ask("casino settings", boss, page="language"), [language], custom_id="office:language"
        )
    lines: list[str] = []
    for command in ("help", "rules", "balance", "daily", "history", "leaderboard", "seed", "settings", "privacy"):
        lines += await asked(casino, casino.alice, command)
    first = await casino.ask("help")
    for name in ("play", "chips", "skill", "trust", "buttons"):
        lines += await pressed(first, casino.alice, f"/help: {name}", f"help:{name}")
    lines += await asked(casino, casino.alice, "balance", member=casino.alice)
    lines += await asked(casino, casino.alice, "give", member=boss, amount=5)
    lines += await asked(casino, boss, "casino setup")
    for place, labels in (
        ("tables", ["Time"]),
        ("language", ["Time zone"]),
        ("chips", ["Chips and stakes", "Currency"]),
        ("gifts", ["New members"]),
        ("messages", list[str]()),
        ("roles", list[str]()),
    ):
        panel = await casino.ask("casino settings", boss, page=place)
        lines += page(f"/casino settings page:{place}, as a manager", answer(panel))
        for label in labels:
            lines += await opened(panel, boss, label, language)
    lines += await asked(casino, boss, "casino rules", name="ours")
    own = await casino.ask("casino rules", boss, name="ours")
    for label in (
        "Cards and dealer",
        "Blackjacks and aces",
        "Double and split",
        "Insurance and turns",
        "Seats and stakes",
    ):
        lines += await opened(own, boss, label, language)
    lines += await asked(casino, boss, "casino audit")
    await casino.alice.slash(casino.channel, "baccarat")
    lines += await opened(casino.message, casino.alice, "Banker", language)
    if language == DEFAULT:
        for command in ("help", "rules", "settings"):
            elsewhere = (await casino.alice.user.slash(command)).response
            assert elsewhere is not None
            lines += page(f"/{command} in a direct message", answer(elsewhere))
    agrees(request, f"{folder}/commands.txt", lines)


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_every_no_is_said_as_agreed(request: pytest.FixtureRequest, language: str, folder: str) -> None:
    nos = [(reason.value, refusals._REASONS[reason]) for reason in Reason if reason is not Reason.ILLEGAL]
    nos += [(refusal.value, refusals._ILLEGAL[refusal]) for refusal in Refusal]
    nos += [(kind.__name__, text) for kind, text in refusals._BANK]
    with speaking(language):
        agrees(request, f"{folder}/refusals.txt", [*(f"{no}: {_(said)}" for no, said in nos), ""])


def typed(command: dict[str, Any], before: str = "/") -> Iterator[str]:
    """A command as Discord is told of it: each option with its kind, its limits and its choices."""
    name, options = f"{before}{command['name']}", command.get("options", [])
    within = [option for option in options if option["type"] <= discord.AppCommandOptionType.subcommand_group.value]
    for option in within:
        yield from typed(option, f"{name} ")
    if within:
        return
    yield f"{name} · {command.get('description', 'a menu')}"
    for option in options:
        limits = [f"{key} {option[key]}" for key in ("min_value", "max_value", "max_length") if key in option]
        choices = [choice["name"] for choice in option.get("choices", [])]
        kind = discord.AppCommandOptionType(option["type"]).name
        yield " · ".join([f"    {option['name']}: {kind}", option["description"], *limits, *choices])


async def test_every_command_is_offered_as_agreed(request: pytest.FixtureRequest, casino: Casino) -> None:
    tree = casino.bot.tree
    told = sorted((command.to_dict(tree) for command in tree.get_commands()), key=lambda one: one["name"])
    told += [menu.to_dict(tree) for kind in (2, 3) for menu in tree.get_commands(type=discord.AppCommandType(kind))]
    agrees(request, "pages/typed.txt", [*(line for command in told for line in typed(command)), ""])
