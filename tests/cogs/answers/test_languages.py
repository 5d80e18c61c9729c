"""One person is answered in their own language, everybody in the server's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord
import pytest
import simcord

from cogs.answers import preferences
from cogs.answers.preferences import reader_of, set_preferences
from cogs.tournament import pages
from cogs.words import speaking
from data import Appearance, GuildSettings, MemberSettings, Suits
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.values import Member

from .. import raw
from ..conftest import Casino, text_of
from ..tournament.test_tournament import plan, views


async def speaks(casino: Casino, who: simcord.MemberActor, language: str) -> None:
    await who.select(await casino.ask("settings", who), [language], custom_id="settings:language")


async def tables_speak(casino: Casino, language: str) -> None:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    casino.people["boss"] = boss
    await boss.select(
        await casino.ask("casino settings", boss, page="language"), [language], custom_id="office:language"
    )


def said(result: simcord.InteractionResult) -> str:
    assert result.response is not None
    return text_of(result.response)


def clients_speak(monkeypatch: pytest.MonkeyPatch, **languages: str) -> None:
    """Let Discord's clients of these people be in these languages."""
    read = discord.Interaction._from_data

    def told(interaction: discord.Interaction[Any], data: Any) -> None:
        name = data["member"]["user"]["username"]
        read(interaction, {**data, "locale": languages.get(name, "en-US")})

    monkeypatch.setattr(discord.Interaction, "_from_data", told)


def make_community(casino: Casino) -> None:
    """Discord lets communities choose their language; this one keeps English."""
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    server.features.append("COMMUNITY")


async def test_a_table_speaks_its_openers_language_where_the_server_has_chosen_none(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is not a community is English at Discord, whatever its people speak."""
    clients_speak(monkeypatch, alice="fr")
    await casino.deal("9 5 / 7 ?")
    await casino.click("Rejoindre", casino.bob)
    assert "à vous" in casino.text
    await casino.bot.park()
    assert "Le casino redémarre" in casino.text
    await casino.restart()
    await casino.click("Rester")
    assert "Jouer" in set(casino.keys())


async def test_a_promise_and_a_gift_speak_the_language_of_the_person_they_come_from_there(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients_speak(monkeypatch, alice="fr")
    await casino.deal("9 5 / 7 ?")
    assert "sont scellés" in casino.promises[0].content
    await casino.alice.click(await casino.ask("give", member=casino.bob, amount=1), label="Donner")
    assert casino.text == f"{casino.alice.mention} donne **1 jeton** à {casino.bob.mention}."


async def test_a_tournament_speaks_its_organisers_language_where_the_server_has_chosen_none(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So do its promise, its list of entrants and its tables, which nobody opens."""
    clients_speak(monkeypatch, boss="fr")
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    answer = await boss.slash(casino.channel, "tournament schedule", time="23:00")
    await boss.click(answer.response, label="Confirmer")
    assert "Personne ne s’est encore inscrit." in casino.text
    assert "tournoi" in casino.promises[0].content
    await casino.restart()
    for who in (casino.alice, casino.bob):
        await who.click(casino.message, label="Rejoindre")
    (view,) = await casino.bot.director.views(casino.guild.id)
    await casino.sleep(view.state.starts - casino.bot.clock.now() - 60)
    await casino.env.advance_time(120)
    assert {table.state.language for table in casino.bot.registry.tables()} == {"fr"}
    assert [each for each in casino.channel.history() if "Y participent, dans cet ordre" in each.content]


async def test_a_table_speaks_the_language_of_a_community_once_others_sit_there(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients_speak(monkeypatch, alice="fr")
    make_community(casino)
    await casino.deal("9 5 / 7 ?")
    assert "Rester" in set(casino.keys()), "alone one reads one's own language"
    await casino.click("Rejoindre", casino.bob)
    assert "Stand" in set(casino.keys())


async def test_what_a_manager_chose_comes_before_the_openers_language(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tables_speak(casino, "en")
    clients_speak(monkeypatch, alice="fr")
    await casino.deal("9 5 / 7 ?")
    assert "Stand" in set(casino.keys())


async def test_a_manager_is_told_once_why_tables_speak_different_languages(casino: Casino) -> None:
    hint = "Each table here speaks the language of the person who opens it."
    for game in ("blackjack", "war"):
        heard = (await casino.alice.slash(casino.channel, game)).followups
        assert hint not in str([text_of(each) for each in heard]), "no manager"
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    boss = casino.guild.add_member(casino.env.create_user("boss"), roles=[role])
    other, answers = casino.guild.create_text_channel("other"), list[simcord.ResponseMessage]()
    first = (await boss.slash(other, "blackjack")).followups
    assert "Your first hand here" in str(texts := [text_of(each) for each in first])
    assert hint not in str(texts), "one explanation at a time"
    for channel in (other, casino.channel):
        for game in ("war", "baccarat"):
            answers += (await boss.slash(channel, game)).followups
    (told,) = [answer for answer in answers if hint in answer.content]
    assert told.ephemeral


@pytest.mark.parametrize("chosen", ["by Discord", "by a manager"])
async def test_no_manager_is_told_so_where_a_language_was_chosen(casino: Casino, chosen: str) -> None:
    if chosen == "by Discord":
        make_community(casino)
    else:
        await tables_speak(casino, "en")
    role = casino.guild.create_role("Bosses", permissions=discord.Permissions(manage_guild=True))
    other = casino.guild.add_member(casino.env.create_user("other"), roles=[role])
    told = [await other.slash(casino.channel, game) for game in ("blackjack", "war", "baccarat")]
    assert "Each table here speaks" not in str([text_of(each) for answer in told for each in answer.followups])


@pytest.fixture
async def guest(casino: Casino) -> simcord.MemberActor:
    """Somebody who speaks French on a server that speaks English."""
    await speaks(casino, casino.alice, "fr")
    return casino.alice


async def test_a_private_answer_and_a_refusal_speak_the_members_language(
    casino: Casino, guest: simcord.MemberActor
) -> None:
    assert "1 000 jetons".replace(" ", "\u202f", 1) in text_of(await casino.ask("balance"))
    assert "Les mises vont ici" in said(await casino.blackjack(bet=0))
    assert "Vous n’avez encore terminé" in text_of(await casino.ask("verify"))


async def test_a_table_speaks_the_servers_and_a_press_on_it_is_answered_in_the_members(
    casino: Casino, guest: simcord.MemberActor
) -> None:
    await casino.deal("9 5 / 7 ?", who=casino.bob)
    await casino.click("Join", guest)
    assert "your move" in casino.text
    old = casino.custom_id("Stand")
    await casino.play_on(casino.bob)
    (stale,) = await raw.press(guest, casino.message, old)
    assert "Ce bouton n’est plus à jour" in said(stale)
    form = await casino.click("Bet", guest)
    assert form.modal is not None
    assert form.modal["title"] == "Votre mise"
    assert "n’est pas un nombre de jetons" in said(await guest.submit_modal(form, {"chips": "?"}))


async def test_the_other_way_round(casino: Casino) -> None:
    await tables_speak(casino, "fr")
    await casino.deal("9 5 / 7 ?")
    assert ", à vous" in casino.text
    (refused,) = await raw.press(casino.bob, casino.message, casino.custom_id("Tirer"))
    assert "You are not sitting at this table" in said(refused)


async def test_what_all_see_of_a_gift_and_of_the_leaderboard_speaks_the_servers_language(
    casino: Casino, guest: simcord.MemberActor
) -> None:
    question = await casino.ask("give", member=casino.bob, amount=1)
    await guest.click(question, label="Donner")
    assert casino.text == f"{guest.mention} gives {casino.bob.mention} **1 chip**."
    board = await casino.ask("leaderboard")
    assert text_of(board).startswith("### Leaderboard · Chips")
    await guest.click(board, label="Winnings")
    assert text_of(board).startswith("### Leaderboard · Winnings")


async def test_ones_own_copy_of_a_leaderboard_speaks_ones_own_language(
    casino: Casino, guest: simcord.MemberActor
) -> None:
    board = await casino.ask("leaderboard", casino.bob)
    copy = await guest.click(board, label="Winnings")
    assert said(copy).startswith("### Classement · Gains")


async def test_context_menus_and_what_is_offered_while_typing_speak_the_members_language(
    casino: Casino, guest: simcord.MemberActor
) -> None:
    form = await guest.context_menu(casino.channel, "Give", casino.bob)
    assert form.modal is not None
    assert form.modal["title"] == "Donner des jetons à bob"
    await casino.blackjack(casino.bob, bet=1)
    await casino.play_on(casino.bob)
    checked = said(await guest.context_menu(casino.channel, "Verify", casino.message))
    assert "a été distribuée telle que scellée" in checked
    days = await guest.autocomplete(casino.channel, "tournament schedule", "day", "")
    assert [day["name"] for day in days] == ["aujourd’hui", "demain"]
    await plan(casino)
    (view,) = await views(casino)
    with speaking("fr"):
        named = pages.day_and_hour(view.state)
    (tournament,) = await guest.autocomplete(casino.channel, "tournament join", "which", named)
    assert tournament["name"].startswith(named)


async def test_what_a_manager_chose_is_spoken_to_people_whose_own_language_the_bot_does_not_know(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    await tables_speak(casino, "fr")
    clients_speak(monkeypatch, alice="ja")
    assert "1 000 jetons".replace(" ", "\u202f", 1) in text_of(await casino.ask("balance"))


async def test_back_to_discords_language_it_is_the_clients(casino: Casino, guest: simcord.MemberActor) -> None:
    answer = await casino.ask("settings")
    await guest.select(answer, ["otherwise"], custom_id="settings:language")
    assert text_of(answer).startswith("### Your settings")


async def test_a_sign_up_speaks_the_servers_language_whoever_presses_it(casino: Casino) -> None:
    await tables_speak(casino, "fr")
    boss = casino.people["boss"]
    plan = await casino.ask("tournament schedule", boss, time="23:00")
    await boss.click(plan, label="Confirm")
    assert "Personne ne s’est encore inscrit." in casino.text
    await casino.alice.click(casino.message, label="Rejoindre")
    assert "Inscriptions (1)" in casino.text


async def test_where_the_bank_does_not_answer_texts_have_the_servers_language_at_discord(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object) -> None:
        raise BankUnavailable

    await tables_speak(casino, "fr")
    assert (await reader_of(casino.bot, casino.guild.id)).language == "fr"
    monkeypatch.setattr(casino.bot.bank.members, "known", silent)
    reader = await reader_of(casino.bot, casino.guild.id, casino.alice.id)
    assert (reader.language, reader.pictures, reader.four_colours) == ("en", True, False)


async def test_what_a_member_chose_comes_before_what_the_server_did(casino: Casino) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    theirs = GuildSettings(suits=Suits.FOUR, shown=Appearance.TEXT)
    await bank.guilds.keep_settings(guild, theirs)
    chosen = MemberSettings(suits=Suits.TWO, shown=Appearance.PICTURES)
    await set_preferences(bank, guild, casino.alice.id, chosen)
    for user, looks in ((None, (True, False)), (casino.bob.id, (True, False)), (casino.alice.id, (False, True))):
        reader = await reader_of(casino.bot, guild, user)
        assert (reader.four_colours, reader.pictures) == looks
    assert await bank.members.balance(guild, casino.bob.id) is None, "a look opens no account"


async def test_a_look_at_the_settings_of_somebody_who_is_forgotten_at_that_moment_opens_no_account(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    await bank.members.sign_in(guild, casino.alice.id)
    known = bank.members.known

    async def then_forgotten(guild: int, user: int) -> Member | None:
        monkeypatch.setattr(bank.members, "known", known)
        found = await known(guild, user)
        await bank.privacy.forget(guild, user)
        return found

    monkeypatch.setattr(bank.members, "known", then_forgotten)
    assert await preferences.preferences(bank, guild, casino.alice.id) == MemberSettings()
    assert await bank.members.balance(guild, casino.alice.id) is None


async def test_a_choice_that_is_stored_while_somebody_else_is_forgotten_counts(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank, guild = casino.bot.bank, casino.guild.id
    await chosen_french_then_german(casino, monkeypatch, lambda: preferences.forget(bank, guild, casino.bob.id))
    assert (await reader_of(casino.bot, guild, casino.alice.id)).language == "de"


async def chosen_french_then_german(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, stored: Callable[[], None]
) -> None:
    """Let Alice choose French and then German, and call `stored` as soon as German is stored."""
    bank, guild, alice = casino.bot.bank, casino.guild.id, casino.alice.id
    await set_preferences(bank, guild, alice, MemberSettings(language="fr"))
    keep = bank.members.keep_settings

    async def kept(member: int, settings: MemberSettings) -> None:
        await keep(member, settings)
        stored()

    monkeypatch.setattr(bank.members, "keep_settings", kept)
    await set_preferences(bank, guild, alice, MemberSettings(language="de"))


async def test_a_choice_of_which_nobody_knows_whether_it_is_stored_is_read_again(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost() -> None:
        raise OutcomeUnknown

    with pytest.raises(OutcomeUnknown):
        await chosen_french_then_german(casino, monkeypatch, lost)
    assert (await reader_of(casino.bot, casino.guild.id, casino.alice.id)).language == "de"


async def test_a_press_tells_the_name_of_its_person_and_a_community_has_chosen_its_language(casino: Casino) -> None:
    await casino.ask("balance")
    assert casino.bot.names.met[casino.guild.id] == {casino.alice.id: "alice"}
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    assert not preferences.chooses_language(server)
    make_community(casino)
    assert preferences.chooses_language(server)


def test_the_names_of_those_who_pressed_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (preferences.MOST_NAMES, preferences.MOST) == (20_000, 10_000)
    monkeypatch.setattr(preferences, "MOST_NAMES", 2)
    names = preferences.Names()
    for guild, user, name in ((1, 1, "alice"), (1, 2, "bob"), (1, 1, "alice the great"), (7, 3, "carol")):
        names.learn(guild, user, name)
    assert names.met == {1: {1: "alice the great"}, 7: {3: "carol"}}
    names.forget(3)
    assert names.met == {1: {1: "alice the great"}}


def test_the_settings_of_those_who_were_read_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "MOST", 2)
    kept: dict[tuple[int, int], MemberSettings] = {}
    for user, language in ((1, "de"), (2, "fr"), (1, "es"), (3, "pt")):
        preferences._remember(kept, 7, user, MemberSettings(language=language))
    assert {user: settings.language for (_guild, user), settings in kept.items()} == {1: "es", 3: "pt"}
