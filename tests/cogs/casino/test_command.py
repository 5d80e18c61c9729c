"""/casino: settings, rule sets, chips, closing, books; for managers only, at every step."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from cogs.casino.rule_values import choices, encoded, fields_of, rules_of
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.tables.snapshot import TablePhase

from .. import raw
from ..conftest import Casino, asked, text_of


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


def dismissed(casino: Casino, who: simcord.MemberActor) -> None:
    """They lose the role that lets them manage the server."""
    (role,) = (role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, who.id, role.id)


def said(result: simcord.InteractionResult) -> str:
    assert result.response is not None
    return text_of(result.response)


# -- who may -----------------------------------------------------------------------------------------------------------


async def test_discord_hides_the_commands_from_members(casino: Casino) -> None:
    assert not [name for name in casino.alice.available_commands(casino.channel) if name.startswith("casino")]


async def test_a_member_who_is_shown_them_all_the_same_is_refused(casino: Casino, boss: simcord.MemberActor) -> None:
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    for command in ("casino settings", "casino close", "casino audit"):
        assert "Manage Server" in said(await raw.command(casino.alice, casino.channel, command))
    assert "Manage Server" in said(await raw.command(casino.alice, casino.channel, "casino rules", name="ours"))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_who_may_not_manage_the_server_any_more_changes_nothing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """The panels that they opened are still before them."""
    panel = await casino.ask("casino settings", boss)
    editor = await casino.ask("casino rules", boss, name="ours")
    save = next(p["custom_id"] for p in raw.components(editor) if p.get("label") == "Save")
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    dismissed(casino, boss)
    for custom_id in ("office:form:chips", "office:channels", "office:language"):
        (answer,) = await raw.press(boss, panel, custom_id)
        assert "Manage Server" in said(answer)
    (answer,) = await raw.press(boss, editor, save)
    assert "Manage Server" in said(answer)
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before
    assert await casino.bot.bank.guilds.rule_sets(casino.guild.id) == ()


# -- settings ----------------------------------------------------------------------------------------------------------


def filled(form: simcord.InteractionResult, **changes: str) -> dict[str, Any]:
    assert form.modal is not None
    fields = {label["component"]["custom_id"]: label["component"]["value"] for label in form.modal["components"]}
    return {**fields, **changes}


async def test_limits_are_set_in_a_form_and_hold_at_once(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await casino.ask("casino settings", boss)
    form = await boss.click(panel, label="Chips and stakes")
    await boss.submit_modal(form, filled(form, smallest_stake="5", largest_stake="1,000"))
    assert "Largest stake · **1,000** chips" in text_of(panel)
    assert "The stake here is 5 to 1,000 chips." in said(await casino.blackjack(bet=4))


@pytest.mark.parametrize(
    ("page", "changes", "words"),
    [
        ("Chips and stakes", {"smallest_stake": "0"}, "Smallest stake"),
        ("Chips and stakes", {"smallest_stake": "-5"}, "is not a number"),
        ("Chips and stakes", {"largest_stake": "ten"}, "is not a number"),
        ("Chips and stakes", {"smallest_stake": "50", "largest_stake": "10"}, "must not be above"),
        ("Chips and stakes", {"daily_chips": "9" * 12}, "must be 0 to 1,000,000,000"),
        ("Time", {"turn_seconds": "4"}, "must be 5 to 3,600"),
        ("Time", {"turn_seconds": "1e3"}, "is not a number"),
        ("Guests and clock", {"zone": "Atlantis"}, "There is no time zone"),
        ("Guests and clock", {"zone": "Factory"}, "There is no time zone"),
        ("Guests and clock", {"zone": "localtime"}, "There is no time zone"),
        ("Guests and clock", {"account_days": "99999"}, "must be 0 to 3,650"),
    ],
)
async def test_what_cannot_be_is_said_and_nothing_is_changed(
    casino: Casino, boss: simcord.MemberActor, page: str, changes: dict[str, str], words: str
) -> None:
    panel = await casino.ask("casino settings", boss)
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    form = await boss.click(panel, label=page)
    assert words in said(await boss.submit_modal(form, filled(form, **changes)))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_every_form_can_be_sent_as_it_comes(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await casino.ask("casino settings", boss)
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    for page in ("Chips and stakes", "Time", "Guests and clock"):
        form = await boss.click(panel, label=page)
        await boss.submit_modal(form, filled(form))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_tables_are_kept_to_the_chosen_channels(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await casino.ask("casino settings", boss)
    elsewhere = casino.guild.create_text_channel("elsewhere")
    await boss.select(panel, [elsewhere], custom_id="office:channels")
    assert elsewhere.mention in said(await casino.blackjack())
    await casino.alice.slash(elsewhere, "blackjack", bet=5)
    assert len(casino.bot.registry.tables()) == 1


async def test_tables_speak_the_language_that_was_set(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.grant(casino.alice, 1_000)
    panel = await casino.ask("casino settings", boss)
    await boss.select(panel, ["fr"], custom_id="office:language")
    await casino.deal("9 5 / 7 ?")
    assert ", à vous" in casino.text
    assert "1\u202f990" in casino.text
    assert {"Tirer", "Rester"} <= set(casino.labels())


# -- rule sets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), [(game.name, name) for game in GAMES.values() for name in game.rule_sets])
def test_every_rule_set_is_a_word_and_the_word_is_the_rule_set(game: str, name: str) -> None:
    rules = GAMES[game].rule_sets[name]
    assert rules_of(game, encoded(game, rules)) == rules


@pytest.mark.parametrize("word", ["", "zzz", "z" * 20, "0" * 40])
def test_a_word_that_is_none_stands_for_the_default(word: str) -> None:
    assert rules_of("blackjack", encoded("blackjack", GAMES["blackjack"].rule_sets["vegas"])) == rules_of(
        "blackjack", "".join(encoded("blackjack", type("Any", (), choices("blackjack", word))()))
    )


async def choose(boss: simcord.MemberActor, editor: simcord.ResponseMessage, field: str, value: str) -> None:
    """A rule, and then what it shall be."""
    menus = [part for part in raw.components(editor) if part["type"] == 3]
    (place,) = (option["value"] for option in menus[0]["options"] if option["label"] == field)
    await boss.select(editor, [place], custom_id=menus[0]["custom_id"])
    menu = [part for part in raw.components(editor) if part["type"] == 3][1]
    (choice,) = (option["value"] for option in menu["options"] if option["label"] == value)
    await boss.select(editor, [choice], custom_id=menu["custom_id"])


async def test_a_rule_set_is_made_in_menus_and_played(casino: Casino, boss: simcord.MemberActor) -> None:
    editor = await casino.ask("casino rules", boss, name="Night Shift", like="classic")
    assert "night-shift · blackjack" in text_of(editor)
    await choose(boss, editor, "Naturals pay", "6:5")
    await choose(boss, editor, "Decks", "2 decks")
    assert "pay 6:5" in text_of(editor)
    await boss.click(editor, label="Save")
    await casino.blackjack(rules="night-shift", bet=5)
    assert "night-shift · 2 decks" in casino.text
    choices = await casino.alice.autocomplete(casino.channel, "blackjack", "rules", "night")
    assert [choice["value"] for choice in choices] == ["night-shift"]


async def test_a_contradiction_is_told_and_cannot_be_saved(casino: Casino, boss: simcord.MemberActor) -> None:
    editor = await casino.ask("casino rules", boss, name="odd")
    await choose(boss, editor, "Dealer looks for a natural", "no")
    assert "Surrender needs a dealer who looks" in text_of(editor)
    save = next(part for part in raw.components(editor) if part.get("label") == "Save")
    assert save["disabled"]
    (answer,) = await raw.press(boss, editor, save["custom_id"])
    assert "Surrender needs a dealer who looks" in said(answer)
    await choose(boss, editor, "Surrender", "no")
    await boss.click(editor, label="Save")
    assert "odd is saved" in text_of(editor)


async def test_a_table_goes_on_with_the_rules_it_was_opened_with(casino: Casino, boss: simcord.MemberActor) -> None:
    editor = await casino.ask("casino rules", boss, name="ours")
    await boss.click(editor, label="Save")
    await casino.blackjack(rules="ours", bet=5)
    await casino.play_on()
    editor = await casino.ask("casino rules", boss, name="ours")
    await boss.click(editor, label="Delete")
    await casino.restart()
    await casino.click("Deal")
    assert casino.snapshot.rules_name == "ours"
    assert (
        "There is no rule set" in said(await casino.blackjack(casino.bob, rules="ours"))
        or len(casino.bot.registry.tables()) == 1
    )


async def test_a_name_that_cannot_be_is_refused(casino: Casino, boss: simcord.MemberActor) -> None:
    for name in ("vegas", "a b/c", "x" * 25, "**", "-x", " "):
        text = text_of(await casino.ask("casino rules", boss, name=name))
        assert "built-in" in text or "letters a to z" in text, name


@pytest.mark.parametrize("game", GAMES)
async def test_every_field_of_every_game_can_be_chosen(casino: Casino, boss: simcord.MemberActor, game: str) -> None:
    editor = await casino.ask("casino rules", boss, name="ours", game=game)
    (menu,) = (part for part in raw.components(editor) if part["type"] == 3)
    assert len(menu["options"]) == len(fields_of(game))
    for option in menu["options"]:
        await boss.select(editor, [option["value"]], custom_id=menu["custom_id"])
        values = [part for part in raw.components(editor) if part["type"] == 3][1]
        assert 2 <= len(values["options"]) <= 25


@pytest.mark.parametrize(
    "forged", ["rules:field:poker:x:000", "rules:save:blackjack:vegas:000", "rules:value:blackjack:x:0:99"]
)
async def test_forged_pieces_of_the_editor_are_answered(casino: Casino, boss: simcord.MemberActor, forged: str) -> None:
    editor = await casino.ask("casino rules", boss, name="ours")
    (answer,) = await raw.press(boss, editor, forged)
    assert answer.acknowledged
    assert await casino.bot.bank.guilds.rule_sets(casino.guild.id) == ()


# -- chips and books ---------------------------------------------------------------------------------------------------


async def test_granting_and_taking_stay_in_the_books(casino: Casino, boss: simcord.MemberActor) -> None:
    text = text_of(await casino.ask("casino grant", boss, member=casino.alice, amount=500, reason="\0birth\u202eday "))
    assert "gets 500 chips and has 1,500" in text
    assert "birthday" in text
    text = text_of(await casino.ask("casino take", boss, member=casino.alice, amount=300, reason="a bet lost"))
    assert "loses 300 chips and has 1,200" in text


@pytest.mark.parametrize("amount", [0, -5, 2**53 - 1])
async def test_no_amount_is_no_order(casino: Casino, boss: simcord.MemberActor, amount: int) -> None:
    text = text_of(await casino.ask("casino grant", boss, member=casino.alice, amount=amount, reason="x"))
    assert "That is no amount of chips" in text


async def test_more_than_there_is_cannot_be_taken(casino: Casino, boss: simcord.MemberActor) -> None:
    text = text_of(await casino.ask("casino take", boss, member=casino.alice, amount=1_001, reason="x"))
    assert "has 1,000 chips" in text
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("reason", [" ", "\u200b\0", "x" * 201])
async def test_chips_are_not_granted_without_a_reason(casino: Casino, boss: simcord.MemberActor, reason: str) -> None:
    answer = await casino.ask("casino grant", boss, member=casino.alice, amount=500, reason=reason)
    assert "Say why, in 200 characters at most" in text_of(answer)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_stuck_table_is_played_out_and_never_refunded(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.until(asked, bet=10)
    message = casino.message
    text = text_of(await casino.ask("casino close", boss))
    assert "1 table closed" in text
    assert casino.bot.registry.tables() == ()
    assert "Table closed by an admin" in text_of(message)
    assert "No table is open" in text_of(await casino.ask("casino close", boss))
    history = await casino.bot.bank.records.history(
        (await casino.bot.bank.members.sign_in(casino.guild.id, casino.alice.id)).id
    )
    assert history.rounds[0].staked == 10 * CHIP


async def test_the_audit_says_that_the_books_balance_and_who_feeds_whom(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    question = await casino.ask("give", member=casino.bob, amount=50)
    await casino.alice.click(question, label="Give")
    text = text_of(await casino.ask("casino audit", boss))
    assert "The books balance" in text
    assert f"{casino.alice.mention} → {casino.bob.mention} · **50**" in text


async def test_a_closed_house_takes_no_stakes_and_lets_open_hands_go_on(casino: Casino) -> None:
    await casino.until(asked)
    await casino.bot.bank.auditor.stop_stakes("a fault was found")
    await casino.click("Stand")
    await casino.play_on()
    assert casino.snapshot.phase is TablePhase.BETTING
    answer = await casino.click("Deal")
    assert answer.response is not None
    assert "No new stakes are taken" in answer.response.content
