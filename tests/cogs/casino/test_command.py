"""/casino: settings, rule sets, chips, closing, books; for managers only, at every step."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import discord
import pytest
import simcord
import sqlalchemy as sa
from simcord.enums import ComponentType

from cogs.answers.panel import BRASS, FELT
from cogs.casino import audit_text, server_settings
from cogs.casino.rule_values import choices, chosen, encoded, fields_of, pages_of, rules_of
from cogs.table.presentation import presentation
from cogs.words import LANGUAGES, _, speaking
from data import Championship, DayPost, GuildSettings, Length, Rest, RuleSet, Ware
from data.base.schema import transfers
from data.people.fingerprints import DAY
from engine.games.contract import CHIP
from engine.games.registry import GAMES
from engine.tables import open_tables
from engine.tables.snapshot import TablePhase

from .. import raw
from ..conftest import Casino, asked, keys, text_of


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


#: The edge of a message about something that is wrong.
RED = 0xB3392F
#: What an audit says while it goes on.
STEPS = ("Accounts so far: 2", "Transfers so far: 2", "Rounds played again so far: ", "Nearly done")

#: Discord's numbers of menus of roles and of channels.
CHOSEN_BY_DISCORD = (6, 8)

PAGES = ("tables", "language", "chips", "gifts", "messages")
#: The page of each form.
PLACE = {
    "Chips and stakes": "chips",
    "Gifts": "gifts",
    "New members": "gifts",
    "Time": "tables",
    "Time zone": "language",
}


async def settings(casino: Casino, boss: simcord.MemberActor, page: str) -> simcord.ResponseMessage:
    return await casino.ask("casino settings", boss, page=page)


# -- who may -----------------------------------------------------------------------------------------------------------


async def test_discord_hides_the_commands_from_members(casino: Casino) -> None:
    assert not [name for name in casino.alice.available_commands(casino.channel) if name.startswith("casino")]


async def test_a_member_who_is_shown_them_all_the_same_is_refused(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.grant(casino.bob, 10)
    before, balances = await casino.bot.bank.guilds.settings(casino.guild.id), casino.bot.bank.balances.of
    (shown,) = [each for each in await casino.bot.tree.fetch_commands() if each.name == "casino"]
    casino.guild.set_command_permissions(shown, {casino.alice: True})
    chips = {"member": casino.bob, "amount": 5, "reason": "mine"}
    file = ("chips.csv", f"user,chips\n{casino.alice.id},5000\n".encode())
    typed = {"grant": chips, "take": chips, "rules": {"name": "ours"}, "import": {"file": file}}
    for each in shown.options:
        answer = await casino.ask(f"casino {each.name}", casino.alice, **typed.get(each.name, {}))
        assert text_of(answer) == "You need the **Manage Server** permission for that.", each.name
        assert answer.ephemeral
        assert not answer.attachments
    assert len(shown.options) > 8
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before
    assert await balances(casino.guild.id) == [(casino.bob.id, 1_010 * CHIP)]


async def test_who_may_not_manage_the_server_any_more_changes_nothing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """The panels that they opened are still before them."""
    panels = [await settings(casino, boss, page) for page in PAGES]
    editor = await casino.ask("casino rules", boss, name="ours")
    save = next(p["custom_id"] for p in raw.components(editor) if p.get("label") == "Save")
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    dismissed(casino, boss)
    keys = {part["custom_id"]: panel for panel in panels for part in raw.components(panel) if "custom_id" in part}
    assert len(keys) > 12
    for custom_id, panel in keys.items():
        (answer,) = await raw.press(boss, panel, custom_id)
        assert "Manage Server" in said(answer), custom_id
    (answer,) = await raw.press(boss, editor, save)
    assert "Manage Server" in said(answer)
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before
    assert await casino.bot.bank.guilds.rule_sets(casino.guild.id) == ()


async def test_a_form_that_was_opened_before_the_role_was_lost_changes_nothing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    panel, editor = await settings(casino, boss, "chips"), await casino.ask("casino rules", boss, name="ours")
    places = {**PLACE, "Currency": "chips"}
    forms = [await boss.click(await settings(casino, boss, page), label=label) for label, page in places.items()]
    page = next(part["label"] for part in raw.components(editor) if part.get("custom_id", "").startswith("rules:page"))
    rules = await boss.click(editor, label=page)
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    dismissed(casino, boss)
    typed = {"smallest_stake": "5", "zone": "Europe/Paris", "one": "shell", "many": "shells"}
    for form in forms:
        assert form.modal is not None
        fields = {label["component"]["custom_id"]: "" for label in form.modal["components"]}
        answer = await raw.submit(boss, panel, form.modal["custom_id"], fields | typed)  # type: ignore[arg-type]
        assert said(answer) == "You need the **Manage Server** permission for that."
    assert rules.modal is not None
    assert "Manage Server" in said(await raw.submit_as(boss, editor, {**rules.modal, "components": []}))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_the_settings_are_leafed_through(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await settings(casino, boss, "tables")
    for page, words in (("chips", "Starting chips · "), ("gifts", "A gift leaves"), ("tables", "Turn time · ")):
        await boss.select(panel, [page], custom_id="office:page")
        assert words in text_of(panel)
        (menu,) = menus_of(panel, "office:page")
        assert [each["value"] for each in menu["options"] if each.get("default")] == [page]


async def test_a_page_of_the_settings_that_there_is_not_shows_the_first(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    panel = await settings(casino, boss, "chips")
    await raw.press(boss, panel, "office:page")
    assert "Turn time · " in text_of(panel)


# -- settings ----------------------------------------------------------------------------------------------------------


def filled(form: simcord.InteractionResult, **changes: str) -> dict[str, Any]:
    assert form.modal is not None
    fields = {label["component"]["custom_id"]: label["component"]["value"] for label in form.modal["components"]}
    return {**fields, **changes}


async def test_nobody_is_given_more_than_a_million_million_chips(casino: Casino, boss: simcord.MemberActor) -> None:
    for amount, refused in ((10**12 + 1, True), (10**12, False)):
        answer = await casino.ask("casino grant", boss, member=casino.bob, amount=amount, reason="so be it")
        assert ("1,000,000,000,000" in text_of(answer) and "Reason" not in text_of(answer)) is refused


async def test_limits_are_set_in_a_form_and_hold_at_once(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await settings(casino, boss, "chips")
    form = await boss.click(panel, label="Chips and stakes")
    await boss.submit_modal(form, filled(form, smallest_stake="5", largest_stake="1,000"))
    assert "Maximum stake · **1,000 chips**" in text_of(panel)
    assert "Stakes here are from 5 chips to 1,000 chips." in said(await casino.blackjack(bet=4))


@pytest.mark.parametrize(
    ("page", "changes", "words"),
    [
        ("Chips and stakes", {"smallest_stake": "0"}, "Minimum stake"),
        ("Chips and stakes", {"smallest_stake": "-5"}, "isn't a number"),
        ("Chips and stakes", {"largest_stake": "ten"}, "isn't a number"),
        ("Chips and stakes", {"smallest_stake": "50", "largest_stake": "10"}, "can't be above"),
        ("Chips and stakes", {"daily_chips": "9" * 12}, "must be 0 to 1,000,000,000 chips"),
        ("Time", {"turn_seconds": "4"}, "must be 5 to 3,600 seconds"),
        ("Time", {"turn_seconds": "1e3"}, "isn't a number"),
        ("Gifts", {"received_cap": "-1"}, "isn't a number"),
        ("Gifts", {"gift_hands": "10001"}, "must be 0 to 10,000 hands"),
        ("Chips and stakes", {"daily_hours": "0"}, "must be 1 to 168 hours"),
        ("New members", {"gift_account_days": "3651"}, "must be 0 to 3,650 days"),
        ("Time zone", {"zone": "Atlantis"}, "There is no time zone"),
        ("Time zone", {"zone": "Factory"}, "There is no time zone"),
        ("Time zone", {"zone": "localtime"}, "There is no time zone"),
        ("Time zone", {"zone": "posixrules"}, "There is no time zone **posixrules**. Write one like Europe/Paris."),
        ("New members", {"account_days": "99999"}, "must be 0 to 3,650 days"),
    ],
)
async def test_what_cannot_be_is_said_and_nothing_is_changed(
    casino: Casino, boss: simcord.MemberActor, page: str, changes: dict[str, str], words: str
) -> None:
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    form = await boss.click(await settings(casino, boss, PLACE[page]), label=page)
    assert words in said(await boss.submit_modal(form, filled(form, **changes)))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_every_form_can_be_sent_as_it_comes(casino: Casino, boss: simcord.MemberActor) -> None:
    before = await casino.bot.bank.guilds.settings(casino.guild.id)
    for form_name, page in PLACE.items():
        form = await boss.click(await settings(casino, boss, page), label=form_name)
        await boss.submit_modal(form, filled(form))
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_what_gifts_and_buy_ins_ask_for_is_set_in_two_forms(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await settings(casino, boss, "gifts")
    limits = {"gift_cap": "300", "received_cap": "200", "kept_chips": "50", "gift_hands": "5"}
    await boss.submit_modal(await boss.click(panel, label="Gifts"), limits)
    form = await boss.click(panel, label="New members")
    await boss.submit_modal(form, filled(form, gift_account_days="3", gift_server_days="2", account_days="1"))
    kept = await casino.bot.bank.guilds.settings(casino.guild.id)
    house = kept.house
    assert (house.gift_cap, house.received_cap, house.kept_chips) == (300 * CHIP, 200 * CHIP, 50 * CHIP)
    assert (house.gift_hands, house.gift_account_days, house.gift_server_days) == (5, 3, 2)
    assert (kept.account_days, kept.server_days) == (1, 0)
    for words in ("Received by one person a day, at most · **200 chips**", "gifts and buy-ins · **3 days**"):
        assert words in text_of(panel)


async def test_a_time_zone_is_typed_in_any_case_and_shown_with_its_name(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    panel = await settings(casino, boss, "language")
    await boss.submit_modal(await boss.click(panel, label="Time zone"), {"zone": "europe/PARIS"})
    assert "Time zone · **Europe/Paris** (Central European Time)\n" in text_of(panel)
    form = await boss.click(panel, label="Time zone")
    assert filled(form) == {"zone": "Europe/Paris"}


@pytest.mark.parametrize(
    ("page", "there", "then"),
    [
        ("tables", "Switch odds off", "Allow odds"),
        ("language", "Suits in four colours", "Suits in two colours"),
        ("language", "Text-only tables", "Tables with a picture"),
        ("chips", "Seasons of a quarter", "Seasons of a month"),
    ],
)
async def test_a_switch_says_what_it_would_change_and_a_second_press_changes_it_back(
    casino: Casino, boss: simcord.MemberActor, page: str, there: str, then: str
) -> None:
    panel = await settings(casino, boss, page)
    before, text = await casino.bot.bank.guilds.settings(casino.guild.id), text_of(panel)
    assert (there in keys(panel), then in keys(panel)) == (True, False)
    await boss.click(panel, label=there)
    assert (there in keys(panel), then in keys(panel)) == (False, True)
    assert text_of(panel) != text
    assert await casino.bot.bank.guilds.settings(casino.guild.id) != before
    await boss.click(panel, label=then)
    assert text_of(panel) == text
    assert await casino.bot.bank.guilds.settings(casino.guild.id) == before


async def test_a_menu_takes_one_choice_or_none_and_25_channels_for_tables(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    day = replace(await casino.bot.bank.guilds.settings(casino.guild.id), day_post=DayPost(casino.channel.id))
    await casino.bot.bank.guilds.keep_settings(casino.guild.id, day)
    panels = [await settings(casino, boss, page) for page in (*PAGES, "roles")]
    menus = [part for panel in panels for part in raw.components(panel) if part["type"] in CHOSEN_BY_DISCORD]
    taken = {menu["custom_id"]: (menu["min_values"], menu["max_values"]) for menu in menus}
    assert taken.pop("office:channels") == (0, 25)
    assert len(taken) == 6
    assert set(taken.values()) == {(0, 1)}


def test_an_hour_that_a_day_does_not_have_changes_nothing() -> None:
    before = GuildSettings(day_post=DayPost(5, hour=9))
    assert [server_settings._at_hour(hour, before) for hour in (0, 24, 99)] == [before] * 3
    hours = [server_settings._at_hour(hour, before).day_post for hour in (1, 23)]
    assert hours == [DayPost(5, hour=1), DayPost(5, hour=23)]
    assert server_settings._at_hour(9, GuildSettings()) == GuildSettings()


async def test_more_than_25_channels_are_kept_and_25_of_them_shown(casino: Casino, boss: simcord.MemberActor) -> None:
    channels = tuple(casino.guild.create_text_channel(f"room-{number}").id for number in range(26))
    guilds = casino.bot.bank.guilds
    await guilds.keep_settings(
        casino.guild.id, replace(await guilds.settings(casino.guild.id), channels=channels), None
    )
    (menu,) = menus_of(await settings(casino, boss, "tables"), "office:channels")
    assert [int(each["id"]) for each in menu["default_values"]] == list(channels[:25])


async def test_tables_are_kept_to_the_chosen_channels(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await casino.ask("casino settings", boss)
    elsewhere = casino.guild.create_text_channel("elsewhere")
    await boss.select(panel, [elsewhere], custom_id="office:channels")
    assert elsewhere.mention in said(await casino.blackjack())
    await casino.alice.slash(elsewhere, "blackjack", bet="5")
    assert len(casino.bot.registry.tables()) == 1


async def test_the_page_goes_on_without_a_channel_that_was_deleted(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await casino.ask("casino settings", boss)
    attic, cellar = (casino.guild.create_text_channel(name) for name in ("attic", "cellar"))
    await boss.select(panel, [attic, cellar], custom_id="office:channels")
    casino.env.backend.delete_channel(attic.id)
    panel = await casino.ask("casino settings", boss)
    (menu,) = menus_of(panel, "office:channels")
    assert [int(each["id"]) for each in menu["default_values"]] == [cellar.id]


async def test_what_is_chosen_stays_chosen_while_discord_does_not_describe_the_server(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """Else the next choice from the menu would leave out all that was chosen before."""
    hall = casino.guild.create_text_channel("hall")
    await boss.select(await casino.ask("casino settings", boss), [hall], custom_id="office:channels")
    with casino.undescribed():
        (menu,) = menus_of(await casino.ask("casino settings", boss), "office:channels")
    assert [int(each["id"]) for each in menu["default_values"]] == [hall.id]


@pytest.mark.parametrize("role", [None, 7])
def test_the_role_to_ping_stays_chosen_while_discord_does_not_describe_the_server(role: int | None) -> None:
    menu: Any = server_settings.CalledMenu.of(DayPost(5, role=role), None).item
    assert [each.id for each in menu.default_values] == ([] if role is None else [role])


async def test_a_text_channel_that_became_one_for_announcements_is_still_chosen(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """Discord would refuse a page whose menu shows a channel of a kind that it does not offer."""
    hall = casino.guild.create_text_channel("hall")
    await boss.select(await casino.ask("casino settings", boss), [hall], custom_id="office:channels")
    messages = await casino.ask("casino settings", boss, page="messages")
    await boss.select(messages, [hall], custom_id="office:log")
    found = casino.bot.get_channel(hall.id)
    assert isinstance(found, discord.TextChannel)
    found._type = discord.ChannelType.news.value
    for page, name in (("tables", "office:channels"), ("messages", "office:log")):
        (menu,) = menus_of(await casino.ask("casino settings", boss, page=page), name)
        assert [int(each["id"]) for each in menu["default_values"]] == [hall.id]
        kinds = {"text", "news"}
        if page == "tables":
            kinds |= {"voice", "stage_voice", "forum", "public_thread", "news_thread"}
        assert {discord.ChannelType(kind).name for kind in menu["channel_types"]} == kinds


async def test_posts_of_a_forum_are_places_for_tables(casino: Casino, boss: simcord.MemberActor) -> None:
    forum = casino.guild.create_forum_channel("ideas")
    await boss.select(await casino.ask("casino settings", boss), [forum], custom_id="office:channels")
    assert "On this server, tables are in" in said(await casino.blackjack())
    casino.env.backend.create_thread(forum.id, "play here", casino.alice.id)
    (thread,) = forum.threads
    await casino.alice.slash(thread, "blackjack", bet="5")
    assert casino.table.state.channel == thread.id


def menus_of(panel: Any, custom_id: str) -> list[dict[str, Any]]:
    return [part for part in raw.components(panel) if part.get("custom_id") == custom_id]


async def test_the_page_of_roles_says_what_each_of_them_opens(casino: Casino, boss: simcord.MemberActor) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    crown, gold, plain = [casino.guild.create_role(name) for name in ("crown", "gold", "plain")]
    seen = discord.PermissionOverwrite(view_channel=True)
    vip = casino.guild.create_text_channel("vip", overwrites={crown: seen})
    lounge = casino.guild.create_text_channel("lounge", overwrites={gold: seen})
    for role in (gold, plain):
        await bank.shop.offer(guild, Ware(role.id, CHIP))
    await bank.champions.choose(guild, Championship.WEEK, crown.id)
    page = await settings(casino, boss, "roles")
    assert text_of(page).splitlines()[1:7] == [
        f"Champion of the week · <@&{crown.id}>",
        "Champion of the season · **none**",
        "Champion of tournaments · **none**",
        f"For chips · <@&{gold.id}>, <@&{plain.id}>",
        f"-# <@&{crown.id}> opens <#{vip.id}>",
        f"-# <@&{gold.id}> opens <#{lounge.id}>",
    ]
    assert "opens" not in "".join(text_of(page).splitlines()[7:])
    (menu,) = menus_of(page, "office:champion:week")
    assert [int(each["id"]) for each in menu["default_values"]] == [crown.id]
    casino.env.backend.delete_role(guild, crown.id)
    (menu,) = menus_of(await settings(casino, boss, "roles"), "office:champion:week")
    assert not menu.get("default_values"), "Discord takes no menu with a role that is gone"


async def test_twelve_roles_for_sale_that_open_twenty_channels_each_fit_on_their_page(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    roles = [casino.guild.create_role(f"tier {number}") for number in range(12)]
    for role in roles:
        await casino.bot.bank.shop.offer(casino.guild.id, Ware(role.id, CHIP))
    overwrites = {role: discord.PermissionOverwrite(view_channel=True) for role in roles}
    for number in range(20):
        casino.guild.create_text_channel(f"room-{number}", overwrites=overwrites)
    page = text_of(await settings(casino, boss, "roles")).splitlines()
    assert page[4].count("<@&") == 12
    assert page[5].startswith(f"-# <@&{roles[0].id}> opens ")
    assert "…" in page


async def test_a_language_that_is_not_spoken_is_not_kept(casino: Casino, boss: simcord.MemberActor) -> None:
    panel = await settings(casino, boss, "language")
    for code, shown in (("fr", "Language · **Français**"), ("xx", "Language · **the server's**")):
        await raw.choose(boss, panel, "office:language", 3, [code])  # type: ignore[arg-type]
        assert shown in text_of(panel)
    assert (await casino.bot.bank.guilds.settings(casino.guild.id)).language is None


async def test_tables_speak_the_language_that_was_set(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.grant(casino.alice, 1_000)
    panel = await settings(casino, boss, "language")
    await boss.select(panel, ["fr"], custom_id="office:language")
    await casino.deal("9 5 / 7 T")
    assert ", à vous" in casino.text
    assert {"Tirer", "Rester"} <= set(casino.labels())
    await casino.click("Rester")
    assert "**14** · 1\u202f990" in casino.text


# -- rule sets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), [(game.name, name) for game in GAMES.values() for name in game.rule_sets])
def test_every_rule_set_is_a_word_and_the_word_is_the_rule_set(game: str, name: str) -> None:
    rules = GAMES[game].rule_sets[name]
    assert rules_of(game, encoded(game, rules)) == rules


async def choose(boss: simcord.MemberActor, editor: simcord.ResponseMessage, page: str, **values: str) -> None:
    """Open a page of the rules and choose these values in it; everything else stays."""
    form = await boss.click(editor, label=page)
    picked: dict[str, Any] = {}
    for field, label in questions(form).items():
        options = label["component"]["options"]
        (value,) = (
            option["value"]
            for option in options
            if (option["label"] == values[field] if field in values else option.get("default"))
        )
        picked[field] = [value] if label["component"]["type"] == ComponentType.STRING_SELECT else value
    await boss.submit_modal(form, picked)


def questions(form: simcord.InteractionResult) -> dict[str, dict[str, Any]]:
    """The form's fields: each with the label that stands over it."""
    assert form.modal is not None
    return {label["component"]["custom_id"]: label for label in form.modal["components"]}


async def test_a_rule_set_is_made_in_forms_and_played(casino: Casino, boss: simcord.MemberActor) -> None:
    editor = await casino.ask("casino rules", boss, name="Night Shift", like="classic")
    assert "night-shift · blackjack" in text_of(editor)
    await choose(boss, editor, "Blackjacks and aces", natural_pays="6:5")
    await choose(boss, editor, "Cards and dealer", decks="2 decks")
    assert "pays 6:5" in text_of(editor)
    await boss.click(editor, label="Save")
    await casino.blackjack(rules="night-shift", bet=5)
    assert "night-shift · 2 decks" in casino.text
    choices = await casino.alice.autocomplete(casino.channel, "blackjack", "rules", "night")
    assert [choice["value"] for choice in choices] == ["night-shift"]


async def test_a_contradiction_is_told_at_its_field_and_cannot_be_saved(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    editor = await casino.ask("casino rules", boss, name="odd")
    await choose(boss, editor, "Cards and dealer", dealer_looks="no")
    assert "⚠️ **Surrender · yes**\n-# Surrender needs a dealer who peeks" in text_of(editor)
    buttons = {part["label"]: part["style"] for part in raw.components(editor) if part.get("label")}
    assert [label for label, style in buttons.items() if style == discord.ButtonStyle.danger.value] == [
        "Insurance and turns"
    ]
    form = await boss.click(editor, label="Insurance and turns")
    told = {field: label.get("description") for field, label in questions(form).items()}
    assert told["surrender"] == "Surrender needs a dealer who peeks for blackjack first."
    assert told["insurance"] is None
    save = next(part for part in raw.components(editor) if part.get("label") == "Save")
    assert save["disabled"]
    assert raw.components(editor)[0]["accent_color"] == RED
    (answer,) = await raw.press(boss, editor, save["custom_id"])
    assert "Surrender needs a dealer who peeks" in said(answer)
    await choose(boss, editor, "Insurance and turns", surrender="no")
    assert raw.components(editor)[0]["accent_color"] == BRASS
    await boss.click(editor, label="Save")
    assert "odd is saved" in text_of(editor)
    assert raw.components(editor)[0]["accent_color"] == FELT


async def test_names_of_rule_sets_are_suggested_as_they_are_typed(casino: Casino, boss: simcord.MemberActor) -> None:
    async def suggested(option: str, typed: str, **filled: Any) -> list[str]:
        choices = await boss.autocomplete(casino.channel, "casino rules", option, typed, **filled)
        assert all(choice["name"] == choice["value"] for choice in choices)
        return [choice["value"] for choice in choices]

    for game, name in (("blackjack", "night"), ("blackjack", "noon"), ("war", "night"), ("war", "dawn")):
        await boss.click(await casino.ask("casino rules", boss, name=name, game=game), label="Save")
    assert sorted(await suggested("name", "")) == ["night", "noon"], "of blackjack, the game if none is named"
    assert await suggested("name", "NO") == ["noon"]
    assert sorted(await suggested("name", "", game="war")) == ["dawn", "night"]
    assert await suggested("like", "noo", name="x") == ["noon"]
    assert sorted(await suggested("like", "", name="x", game="war")) == ["casino", "ctrl-alt-bet", "dawn", "night"]


async def test_a_server_has_at_most_25_rule_sets_and_each_can_still_be_changed(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    guilds = casino.bot.bank.guilds
    rules = GAMES["war"].rule_sets["casino"].as_json()
    for place in range(24):
        await guilds.keep_rule_set(casino.guild.id, RuleSet("war", f"ours-{place}", rules), None)
    for name, answer in (
        *(("last", "last is saved"), ("last", "last is saved")),
        *(("one-more", "at most 25 rule sets"), ("ours-1", "at most 25 rule sets")),  # that one is a set of war
    ):
        editor = await casino.ask("casino rules", boss, name=name)
        result = await boss.click(editor, label="Save")
        assert answer in text_of(result.response or editor)
    assert len(await guilds.rule_sets(casino.guild.id)) == 25


async def test_a_form_made_up_for_another_game_is_refused(casino: Casino, boss: simcord.MemberActor) -> None:
    editor = await casino.ask("casino rules", boss, name="ours")
    answer = await raw.submit(boss, editor, "rules:form:poker:ours:000:0", {"decks": "1"})  # type: ignore[arg-type]
    assert said(answer) == "That game isn't played here."


async def test_a_menu_of_the_first_releases_editor_brings_the_present_one(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """And the key to a page that the present one does not have opens its last page."""
    editor = await casino.ask("casino rules", boss, name="ours")
    stored = casino.env.backend.get_message(editor.channel_id, editor.id)
    key = {"type": 2, "style": 1, "label": "More", "custom_id": "rules:page:war:ours:534:9"}
    stored.components[0]["components"] = [{"type": 1, "components": [key]}]
    form = await boss.click(editor, label="More")
    assert form.modal is not None
    assert form.modal["title"] == pages_of("war")[-1][0]
    menu: dict[str, Any] = {"type": 3, "custom_id": "rules:value:war:ours:534:0", "options": []}
    stored.components[0]["components"] = [{"type": 1, "components": [menu]}]
    await raw.press(boss, editor, menu["custom_id"])
    assert "ours · war" in text_of(editor)
    await boss.click(editor, label="Save")
    assert "Open a table with `/war rules:ours`." in text_of(editor)
    assert [each.game for each in await casino.bot.bank.guilds.rule_sets(casino.guild.id)] == ["war"]


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
    for name in ("vegas", " Four Seat ", "a b/c", "x" * 25, "**", "-x", " "):
        text = text_of(await casino.ask("casino rules", boss, name=name))
        assert "built-in" in text or "letters a to z" in text, name
    assert f"{'x' * 24} · blackjack" in text_of(await casino.ask("casino rules", boss, name="X" * 24))


@pytest.mark.parametrize("game", GAMES)
async def test_every_field_of_every_game_can_be_chosen(casino: Casino, boss: simcord.MemberActor, game: str) -> None:
    """On pages of at most five, as a form takes no more."""
    editor = await casino.ask("casino rules", boss, name="ours", game=game)
    offered: list[str] = []
    for title, fields in pages_of(game):
        form = await boss.click(editor, label=title)
        assert list(questions(form)) == [field.name for field in fields]
        for field, label in zip(fields, questions(form).values(), strict=True):
            assert [option["label"] for option in label["component"]["options"]] == list(map(field.shown, field.values))
        offered += questions(form)
    assert sorted(offered) == sorted(field.name for field in fields_of(game))


async def test_what_a_form_does_not_say_stays_as_it_was(casino: Casino, boss: simcord.MemberActor) -> None:
    word = encoded("blackjack", GAMES["blackjack"].rule_sets["kitchen"])
    for answers in ({}, {"decks": "8"}, {"decks": "99"}, {"decks": "-1"}, {"decks": "x"}, {"nothing": "1"}):
        assert chosen("blackjack", word, answers) == word
    assert choices("blackjack", chosen("blackjack", word, {"decks": "7"}))["decks"] == 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_a_form_is_cut(language: str) -> None:
    """A label has room for 45 letters, what is said of it or offered for 100 (Discord)."""
    with speaking(language):
        for game in GAMES:
            for title, fields in pages_of(game):
                assert len(_(title)) <= 45, title
                for field in fields:
                    assert len(_(field.label)) <= 45, field.label
                    assert max(len(field.shown(value)) for value in field.values) <= 100
            assert all(len(_(sentence)) <= 100 for sentence in presentation(game).faults.values())


@pytest.mark.parametrize("values", [[], ["99"], ["x"], None, [{"a": 1}]])
async def test_forged_choices_of_a_form_change_nothing(casino: Casino, boss: simcord.MemberActor, values: Any) -> None:
    editor = await casino.ask("casino rules", boss, name="ours")
    before = text_of(editor)
    button = next(part["custom_id"] for part in raw.components(editor) if part.get("label") == "Cards and dealer")
    field = {"type": 3, "custom_id": "decks", "values": values}
    form = {"custom_id": button.replace("page", "form"), "components": [{"type": 18, "component": field}]}
    answer = await raw.submit_as(boss, editor, form)
    assert answer.acknowledged
    assert text_of(editor) == before


@pytest.mark.parametrize(
    "forged", ["rules:page:poker:x:000:0", "rules:save:blackjack:vegas:000", "rules:page:blackjack:x:0:9"]
)
async def test_forged_pieces_of_the_editor_are_answered(casino: Casino, boss: simcord.MemberActor, forged: str) -> None:
    editor = await casino.ask("casino rules", boss, name="ours")
    (answer,) = await raw.press(boss, editor, forged)
    assert answer.acknowledged
    assert await casino.bot.bank.guilds.rule_sets(casino.guild.id) == ()


# -- chips and books ---------------------------------------------------------------------------------------------------


async def test_granting_and_taking_stay_in_the_books(casino: Casino, boss: simcord.MemberActor) -> None:
    given = await casino.ask("casino grant", boss, member=casino.alice, amount=500, reason="\0birth\u202eday ")
    taken = await casino.ask("casino take", boss, member=casino.alice, amount=300, reason="a bet lost")
    assert text_of(given).splitlines() == [
        "### Recorded",
        f"{casino.alice.mention} gets 500 chips and now has 1,500 chips.",
        "-# Reason: birthday",
        "-# Chips are play money. Selling or buying them is forbidden.",
    ]
    assert text_of(taken).splitlines() == [
        "### Recorded",
        f"{casino.alice.mention} loses 300 chips and now has 1,200 chips.",
        "-# Reason: a bet lost",
    ]
    for answer in (given, taken):
        assert answer.ephemeral
        assert raw.components(answer)[0]["accent_color"] == FELT
    manager = await casino.bot.bank.members.sign_in(casino.guild.id, boss.id)
    ordered = sa.select(transfers.c.reason).where(transfers.c.actor == manager.id).order_by(transfers.c.id)
    booked = [row.reason for row in await casino.bot.bank._store.rows(ordered)]
    assert booked == ["grant: birthday", "take: a bet lost"]


@pytest.mark.parametrize("deed", ["grant", "take"])
async def test_bots_hold_no_chips(casino: Casino, boss: simcord.MemberActor, deed: str) -> None:
    robot = casino.guild.add_member(casino.env.create_user("robot", bot=True))
    answer = await casino.ask(f"casino {deed}", boss, member=robot, amount=5, reason="x")
    assert text_of(answer) == "Bots can't hold chips."


@pytest.mark.parametrize("amount", [0, -5, 2**53 - 1])
async def test_no_amount_is_no_order(casino: Casino, boss: simcord.MemberActor, amount: int) -> None:
    text = text_of(await casino.ask("casino grant", boss, member=casino.alice, amount=amount, reason="x"))
    assert "Enter a number of chips from 1 to" in text


async def test_more_than_there_is_cannot_be_taken(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.ask("balance")
    text = text_of(await casino.ask("casino take", boss, member=casino.alice, amount=1_001, reason="x"))
    assert text == f"{casino.alice.mention} has 1,000 chips."
    await casino.ask("casino take", boss, member=casino.alice, amount=1_000, reason="x")
    assert await casino.balance(casino.alice) == 0


async def test_from_somebody_who_never_played_here_nothing_is_taken_and_no_account_opens(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    stranger = casino.env.create_user("stranger")
    for who in (casino.alice, stranger):
        answer = await casino.ask("casino take", boss, member=who, amount=1, reason="x")
        assert text_of(answer) == f"{who.mention} has not played here yet."
        assert await casino.bot.bank.members.known(casino.guild.id, who.id) is None


@pytest.mark.parametrize("reason", [" ", "\u200b\0", "x" * 201])
async def test_chips_are_not_granted_without_a_reason(casino: Casino, boss: simcord.MemberActor, reason: str) -> None:
    answer = await casino.ask("casino grant", boss, member=casino.alice, amount=500, reason=reason)
    assert text_of(answer) == "Give a reason of at most 200 characters: it stays in the records."
    assert await casino.balance(casino.alice) == 1_000
    await casino.ask("casino grant", boss, member=casino.alice, amount=1, reason="x" * 200)
    assert await casino.balance(casino.alice) == 1_001


async def test_tables_of_other_channels_stay_open(
    casino: Casino, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new process has loaded none of them yet."""
    other = casino.guild.create_text_channel("other")
    await casino.bob.slash(other, "blackjack", bet="10")
    await casino.blackjack(bet=10)
    monkeypatch.setattr(open_tables, "AT_ONCE", 0)
    monkeypatch.setattr(open_tables.OpenTables, "_take_up_others", lambda _tables: asyncio.sleep(0))
    await casino.restart()
    assert "1 table closed" in text_of(await casino.ask("casino close", boss))
    assert [table.state.channel for table in casino.bot.registry.tables()] == [other.id]


async def test_a_stuck_table_is_played_out_and_never_refunded(casino: Casino, boss: simcord.MemberActor) -> None:
    await casino.until(asked, bet=10)
    message = casino.message
    text = text_of(await casino.ask("casino close", boss))
    assert "1 table closed" in text
    assert casino.bot.registry.tables() == ()
    assert "Table closed by a manager of the server" in text_of(message)
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
    while await casino.bot.bank.leaves.bind():
        pass
    head = await casino.bot.bank.leaves.head(casino.guild.id)
    assert head is not None
    text = text_of(await casino.ask("casino audit", boss))
    assert "The books balance" in text
    assert f"This server's book: leaf {head.place}, head `{head.hash}`" in text
    assert f"{casino.alice.mention} → {casino.bob.mention} · **50 chips**" in text


async def test_the_audit_shows_a_server_its_own_faults_and_no_other_servers(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    await casino.blackjack(bet=10)
    bank, elsewhere = casino.bot.bank, casino.guild.id + (1 << 22)
    strangers = [await bank.members.sign_in(elsewhere, user) for user in range(1, 10)]
    ours = await bank.members.sign_in(casino.guild.id, casino.alice.id)
    for user in range(1, 11):  # more than one message shows
        await bank.members.sign_in(casino.guild.id, user)
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql("UPDATE members SET balance = balance + 1")
    try:
        answer = await casino.ask("casino audit", boss)
    finally:
        async with bank._store.rewriting() as connection:
            await connection.exec_driver_sql("UPDATE members SET balance = balance - 1")
    text = text_of(answer)
    wrong = "a balance is not the sum of its transfers"
    assert f"\n– {wrong}: `member/{ours.id}`: `99001`, not `99000`\n" in text
    assert text.count(wrong) == 10
    assert "\n– and more\n" in text
    assert not [each.id for each in strangers if f"member/{each.id}`" in text]
    assert raw.components(answer)[0]["accent_color"] == RED


async def test_the_audit_says_how_far_it_is_and_its_result_is_shown_again_for_a_minute(
    casino: Casino, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def asked_again() -> list[str]:
        """Return what is shown one after the other, the result last."""
        before, answer = len(casino.env.http_requests), await casino.ask("casino audit", boss)
        sent = [str(request.json) for request in casino.env.http_requests[before:]]
        return [step for step in STEPS if any(step in each for each in sent)] + [text_of(answer)]

    monkeypatch.setattr(audit_text, "_SHOWN_EVERY", 0.0)
    await casino.blackjack(bet=10)
    *steps, first = await asked_again()
    assert steps == list(STEPS)
    assert "Checked from the very first transfer: 2 accounts · 2 transfers · " in first
    await casino.ask("balance", casino.bob)
    casino.env.backend.advance_clock(59)
    assert await asked_again() == [first]
    casino.env.backend.advance_clock(1)
    assert "Checked from the very first transfer: 3 accounts · " in (await asked_again())[-1]


async def test_the_audit_tells_of_the_gifts_of_a_week(casino: Casino, boss: simcord.MemberActor) -> None:
    alice, bob = [await casino.bot.bank.members.sign_in(casino.guild.id, who.id) for who in (casino.alice, casino.bob)]
    await casino.bot.bank.chips.give(alice.id, bob.id, 20 * CHIP, press=1)
    casino.env.backend.advance_clock(7 * DAY - 60)
    assert "· **20 chips**" in text_of(await casino.ask("casino audit", boss))
    casino.env.backend.advance_clock(120)
    assert "No gifts or duels for chips in the last seven days." in text_of(await casino.ask("casino audit", boss))


async def test_r13_4_the_audit_says_that_a_break_was_changed_but_not_whose(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    bank = casino.bot.bank
    await bank.members.sign_in(casino.guild.id, casino.alice.id)
    await bank.breaks.begin(casino.alice.id, Rest.CHIPS, Length.YEAR)
    async with bank._store.rewriting() as connection:
        await connection.exec_driver_sql("UPDATE breaks SET until = until - 86400")
    try:
        assert "\n– a break is not as its person took it\n" in text_of(await casino.ask("casino audit", boss))
    finally:
        async with bank._store.rewriting() as connection:
            await connection.exec_driver_sql("UPDATE breaks SET until = until + 86400")


async def test_a_closed_house_takes_no_stakes_and_lets_open_hands_go_on(casino: Casino) -> None:
    await casino.until(asked)
    await casino.bot.bank.auditor.stop_stakes("a fault was found")
    await casino.click("Stand")
    await casino.play_on()
    assert casino.snapshot.phase is TablePhase.BETTING
    answer = await casino.click("Deal")
    assert answer.response is not None
    assert "New bets are paused" in answer.response.content
