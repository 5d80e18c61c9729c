"""/shop: roles for chips, given at once, and chips back where Discord refuses."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from cogs.background import roles
from data import MOST_WARES, ROLE, Sold, Ware
from engine.games.contract import CHIP
from engine.tables.ports import BankUnavailable

from . import raw
from .conftest import Casino, keys, text_of
from .line import Line

DAY = 86_400.0
ROLES = "/guilds/*/members/*/roles/*"


@pytest.fixture
def boss(casino: Casino) -> simcord.MemberActor:
    role = casino.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return casino.guild.add_member(casino.env.create_user("boss"), roles=[role])


def role_of(casino: Casino, name: str, permissions: int = 0) -> Any:
    """A role below the bot's own."""
    return casino.guild.create_role(name, permissions=discord.Permissions(permissions))


async def sold(casino: Casino, boss: simcord.MemberActor, role: Any, price: str = "40", days: str = "7") -> str:
    """Put a role up for sale, and return what is said."""
    page = await casino.ask("shop", boss)
    form = await boss.select(page, [role], custom_id="shop:sell")
    if form.modal is None:
        assert form.response is not None
        return text_of(form.response)
    answer = await boss.submit_modal(form, {"price": price, "days": days})
    return "\n".join([text_of(page), *(text_of(each) for each in (answer.response, *answer.followups) if each)])


async def bought(casino: Casino, role: Any) -> str:
    """Alice buys it; return what she reads."""
    page = await casino.ask("shop")
    await casino.alice.select(page, [str(role.id)], custom_id="shop:choose")
    answer = await casino.alice.click(page, label="Buy for 40 chips")
    return "\n".join(text_of(each) for each in (answer.response, page) if each)


def has(casino: Casino, role: Any) -> bool:
    return role.id in casino.env.backend.get_member(casino.guild.id, casino.alice.id).role_ids


async def settled(casino: Casino) -> None:
    chore: Any = casino.bot.get_cog("RoleChore")
    await chore.do()


def reasons(casino: Casino) -> list[str | None]:
    """Return the server's reasons, as in its audit log, for each role that the bot gave or took."""
    return [request.reason for request in casino.env.http_requests if "/roles/" in request.path]


async def logged(casino: Casino, boss: simcord.MemberActor) -> Any:
    """Return the server's log, which a manager has just chosen."""
    log = casino.guild.create_text_channel("log")
    await boss.select(await casino.ask("casino settings", boss, page="messages"), [log], custom_id="office:log")
    return log


async def posted(casino: Casino, log: Any) -> str:
    logs: Any = casino.bot.get_cog("ServerLogs")
    await logs.do()
    return "\n".join(post.content for post in log.history())


async def test_a_role_is_bought_and_taken_back_when_its_time_is_over(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    assert f"<@&{gold.id}> · **40 chips** · for 1 day" in await sold(casino, boss, gold, days="1")
    assert "is yours" in await bought(casino, gold)
    assert has(casino, gold)
    assert await casino.balance(casino.alice) == 960
    assert "You have" in text_of(await casino.ask("shop"))
    await casino.sleep(DAY)
    await settled(casino)
    assert not has(casino, gold)
    assert reasons(casino) == ["bought with chips", "it has expired"]


async def test_the_longest_name_of_a_role_stands_whole_in_the_menu(casino: Casino, boss: simcord.MemberActor) -> None:
    await sold(casino, boss, role_of(casino, "R" * 100))
    options = [option for part in raw.components(await casino.ask("shop")) for option in part.get("options", ())]
    assert [option["label"] for option in options] == ["R" * 100]


async def test_a_manager_who_changes_a_sale_finds_its_price_and_days_in_the_form(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, price="40", days="7")
    form = await boss.select(await casino.ask("shop", boss), [gold], custom_id="shop:sell")
    assert form.modal is not None
    assert [field["component"]["value"] for field in form.modal["components"]] == ["40", "7"]


@pytest.mark.parametrize(
    ("price", "days", "most"), [("0", "7", "1,000,000,000"), ("1000000001", "7", "1,000,000,000"), ("40", "0", "365")]
)
async def test_a_price_or_a_time_that_cannot_be_is_refused(
    casino: Casino, boss: simcord.MemberActor, price: str, days: str, most: str
) -> None:
    gold = role_of(casino, "Gold")
    assert f"Enter a number from 1 to {most}." in await sold(casino, boss, gold, price, days)
    assert await casino.bot.bank.shop.wares(casino.guild.id) == ()


async def test_a_role_that_became_powerful_is_taken_off_the_shelf(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    casino.env.backend.edit_role(casino.guild.id, gold.id, {"permissions": discord.Permissions.all().value})
    assert "This server sells no roles." in await sold(casino, boss, gold, price="")


@pytest.mark.parametrize("name", ["managed", "powerful", "moderator", "caller", "high", "default"])
async def test_r10_7_roles_that_must_not_be_sold_are_refused(
    casino: Casino, boss: simcord.MemberActor, name: str
) -> None:
    if name == "powerful":
        role: Any = role_of(casino, name, discord.Permissions(manage_messages=True).value)
    elif name in ("moderator", "caller"):
        role = role_of(casino, name)
        may = discord.PermissionOverwrite(manage_messages=name == "moderator", mention_everyone=name == "caller")
        casino.guild.create_text_channel("one-channel", overwrites={role: may})
    elif name == "default":
        role = casino.guild.default_role
    else:
        mine = casino.env.backend.get_member(casino.guild.id, casino.bot.user.id).role_ids  # type: ignore[union-attr]
        role = next(each for each in casino.guild.roles.values() if each.id in mine)
    told = await sold(casino, boss, role)
    assert "for 7 days" not in told
    assert await casino.bot.bank.shop.wares(casino.guild.id) == ()


async def test_a_role_that_a_message_pings_is_not_sold_because_anybody_takes_it_for_free(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    five = casino.guild.create_role("Five", mentionable=True)
    page = await casino.ask("shop", boss)
    form = await boss.select(page, [five], custom_id="shop:sell")  # before the message pings it
    settings = await casino.ask("casino settings", boss, page="messages")
    await boss.select(settings, [casino.channel], custom_id="office:day")
    await boss.select(settings, [five], custom_id="office:called")
    assert f"pings <@&{five.id}>" in text_of(settings)
    assert "or a message pings it." in await sold(casino, boss, five)
    filled = await boss.submit_modal(form, {"price": "40", "days": "7"})
    assert filled.response is not None
    assert "or a message pings it." in text_of(filled.response)
    assert await casino.bot.bank.shop.wares(casino.guild.id) == ()


async def test_r10_7_a_role_as_high_as_the_bots_own_is_not_sold(casino: Casino, boss: simcord.MemberActor) -> None:
    high, backend = role_of(casino, "High"), casino.env.backend
    backend.edit_role(casino.guild.id, high.id, {"position": 50})
    backend.add_member_role(casino.guild.id, casino.bot.user.id, high.id)  # type: ignore[union-attr]
    await casino.restart()
    assert "stands above my own role" in await sold(casino, boss, high)
    assert await casino.bot.bank.shop.wares(casino.guild.id) == ()


async def test_whoever_has_a_role_from_elsewhere_does_not_pay_for_it(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    casino.env.backend.add_member_role(casino.guild.id, casino.alice.id, gold.id)
    assert "You have that role already" in await bought(casino, gold)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_role_that_was_deleted_in_between_is_not_bought(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    page = await casino.ask("shop")
    await casino.alice.select(page, [str(gold.id)], custom_id="shop:choose")
    casino.env.backend.delete_role(casino.guild.id, gold.id)
    answer = await casino.alice.click(page, label="Buy for 40 chips")
    assert answer.response is not None
    assert "That role is gone." in text_of(answer.response)
    assert await casino.balance(casino.alice) == 1_000


async def test_a_deleted_role_is_offered_to_nobody_and_a_manager_takes_it_off_the_shelf(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """Discord's own menu of roles, with which managers choose, has it no more."""
    gold, silver = role_of(casino, "Gold"), role_of(casino, "Silver")
    for role in (gold, silver):
        await sold(casino, boss, role)
    await bought(casino, gold)
    casino.env.backend.delete_role(casino.guild.id, gold.id)
    page = await casino.ask("shop")
    assert str(gold.id) not in str(raw.components(page)) + text_of(page)
    assert "Remove deleted roles" not in keys(page)
    page = await casino.ask("shop", boss)
    assert f"<@&{gold.id}>" in text_of(page)
    await boss.click(page, label="Remove deleted roles")
    assert f"<@&{gold.id}>" not in text_of(page)
    assert "Remove deleted roles" not in keys(page)
    assert [ware.role for ware in await casino.bot.bank.shop.wares(casino.guild.id)] == [silver.id]


async def test_chips_come_back_if_the_role_goes_before_it_is_given(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES)
    assert "it comes in a minute" in await bought(casino, gold)
    assert await casino.balance(casino.alice) == 960
    casino.env.backend.delete_role(casino.guild.id, gold.id)
    await casino.env.advance_time(61)
    await settled(casino)
    assert await casino.balance(casino.alice) == 1_000


@pytest.mark.parametrize("arrives", [False, True])
async def test_a_role_whose_answer_was_lost_is_given_once(
    casino: Casino,
    boss: simcord.MemberActor,
    line: Line,
    arrives: bool,  # noqa: FBT001
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES, arrives=arrives)
    assert "it comes in a minute" in await bought(casino, gold)
    await casino.env.advance_time(61)
    await settled(casino)
    assert has(casino, gold)
    assert await casino.balance(casino.alice) == 960


async def test_a_kill_between_paying_and_giving_gives_the_role_later(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES)
    await bought(casino, gold)
    await casino.restart()
    await casino.env.advance_time(91)
    await settled(casino)
    assert has(casino, gold)


async def test_nobody_who_has_paid_reads_that_nothing_was_changed_where_the_bank_fails_after_that(
    casino: Casino, boss: simcord.MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object, **__: object) -> bool:
        raise BankUnavailable

    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    with monkeypatch.context() as patched:
        patched.setattr(casino.bot.bank.jobs, "claim", fails)
        told = await bought(casino, gold)
    assert f"You have paid for <@&{gold.id}>: it comes in a minute" in told
    assert "Nothing was changed" not in told
    await settled(casino)
    assert has(casino, gold)


async def test_a_role_that_was_just_given_is_not_taken_back_by_the_chore_that_found_it_waiting(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    """The chore comes to it after other roles, and the buyer's own press has been faster."""
    gold, bank = role_of(casino, "Gold"), casino.bot.bank
    await sold(casino, boss, gold)
    alice = await bank.members.sign_in(casino.guild.id, casino.alice.id)
    (ware,) = await bank.shop.wares(casino.guild.id)
    await bank.shop.buy(alice, ware, 1)
    (found,) = await bank.jobs.due(ROLE)
    assert await roles.settle(casino.bot, found, "the press") is Sold.HELD
    await roles.settle(casino.bot, found, "the chore")
    assert has(casino, gold)
    await casino.sleep(8 * DAY)
    await settled(casino)
    assert not has(casino, gold)


async def test_what_a_manager_sells_no_more_is_not_bought(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    page = await casino.ask("shop")
    await casino.alice.select(page, [str(gold.id)], custom_id="shop:choose")
    assert "This server sells no roles." in await sold(casino, boss, gold, price="")
    answer = await casino.alice.click(page, label="Buy for 40 chips")
    assert answer.response is not None
    assert "not sold like this any more" in text_of(answer.response)


async def test_an_empty_price_for_a_role_that_is_not_sold_changes_nothing(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    log = await logged(casino, boss)
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, price="")
    await sold(casino, boss, gold)
    await sold(casino, boss, gold, price="")
    assert (await posted(casino, log)).count("no more") == 1


async def back_with_gold_bought(casino: Casino, boss: simcord.MemberActor) -> Any:
    """Alice has bought the role, left the server and is there again a minute later."""
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    await bought(casino, gold)
    casino.guild.remove_member(casino.alice)
    await casino.env.advance_time(60)
    casino.people["alice"] = casino.guild.add_member(casino.alice.user)
    return gold


async def test_somebody_who_left_and_came_back_gets_their_role_again(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = await back_with_gold_bought(casino, boss)
    assert not has(casino, gold)
    await casino.ask("balance")
    assert has(casino, gold)


async def test_a_lost_role_that_did_not_reach_discord_is_given_at_the_next_press(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold = await back_with_gold_bought(casino, boss)
    line.cut("PUT", ROLES)
    await casino.ask("balance")
    assert not has(casino, gold)
    await casino.ask("balance")
    assert has(casino, gold)


async def test_a_press_before_discord_has_described_the_server_is_not_the_one_that_brings_a_role_back(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = await back_with_gold_bought(casino, boss)
    with casino.undescribed():
        await casino.ask("balance")
        assert not has(casino, gold)
    await casino.ask("balance")
    assert has(casino, gold)


async def test_a_role_whose_time_is_over_is_not_given_to_somebody_who_came_back(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, days="1")
    await bought(casino, gold)
    casino.guild.remove_member(casino.alice)
    await casino.sleep(DAY)
    casino.people["alice"] = casino.guild.add_member(casino.alice.user)
    await casino.ask("balance")
    assert not has(casino, gold)


async def test_a_role_that_became_powerful_is_not_given_to_somebody_who_came_back(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    await bought(casino, gold)
    casino.guild.remove_member(casino.alice)
    casino.env.backend.edit_role(casino.guild.id, gold.id, {"permissions": discord.Permissions.all().value})
    await casino.env.advance_time(60)
    casino.people["alice"] = casino.guild.add_member(casino.alice.user)
    await casino.ask("balance")
    assert not has(casino, gold)


async def test_what_becomes_of_a_purchase_is_in_the_log(casino: Casino, boss: simcord.MemberActor, line: Line) -> None:
    gold, log = role_of(casino, "Gold"), await logged(casino, boss)
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES)
    await bought(casino, gold)
    casino.env.backend.delete_role(casino.guild.id, gold.id)
    await casino.env.advance_time(61)
    await settled(casino)
    told = await posted(casino, log)
    assert f"🎭 <@{casino.alice.id}> bought <@&{gold.id}> for 40 chips" in told
    assert f"⚠️ <@{casino.alice.id}> has 40 chips back instead of <@&{gold.id}>. That role is gone." in told


async def test_a_bot_that_was_demoted_after_the_sale_gives_the_chips_back(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold, backend, guild = role_of(casino, "Gold"), casino.env.backend, casino.guild.id
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES)
    assert "it comes in a minute" in await bought(casino, gold)
    for number in list(backend.get_member(guild, casino.bot.user.id).role_ids):  # type: ignore[union-attr]
        backend.remove_member_role(guild, casino.bot.user.id, number)  # type: ignore[union-attr]
    await casino.env.advance_time(61)
    await settled(casino)
    assert await casino.balance(casino.alice) == 1_000
    assert not has(casino, gold)


async def test_a_manager_sees_that_a_role_can_no_longer_be_given(casino: Casino, boss: simcord.MemberActor) -> None:
    assert "➖ **Roles** · none for sale, none for champions" in text_of(await casino.ask("casino setup", boss))
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    assert "✅ **Roles** · 1 for sale · 0 for champions" in text_of(await casino.ask("casino setup", boss))
    casino.env.backend.delete_role(casino.guild.id, gold.id)
    assert "⚠️ **Roles** · That role is gone." in text_of(await casino.ask("casino setup", boss))


async def test_only_managers_sell(casino: Casino, boss: simcord.MemberActor) -> None:
    gold, page = role_of(casino, "Gold"), await casino.ask("shop", boss)
    form = await boss.select(page, [gold], custom_id="shop:sell")
    lost = role_of(casino, "Lost")
    await sold(casino, boss, lost)
    casino.env.backend.delete_role(casino.guild.id, lost.id)
    shelf = await casino.ask("shop", boss)
    role = next(role for role in casino.guild.roles.values() if role.name == "Managers")
    casino.env.backend.remove_member_role(casino.guild.id, boss.id, role.id)
    for answer in (
        await boss.submit_modal(form, {"price": "40", "days": "7"}),
        await boss.select(page, [gold], custom_id="shop:sell"),
        await boss.click(shelf, label="Remove deleted roles"),
    ):
        assert answer.response is not None
        assert "Manage Server" in text_of(answer.response)
    assert [ware.role for ware in await casino.bot.bank.shop.wares(casino.guild.id)] == [lost.id]


async def test_a_manager_reads_which_channels_a_role_opens(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    closed = discord.PermissionOverwrite(view_channel=False)
    vip = casino.guild.create_text_channel(
        "vip", overwrites={casino.guild.default_role: closed, gold: discord.PermissionOverwrite(view_channel=True)}
    )
    assert f"<#{vip.id}>" in await sold(casino, boss, gold)


@pytest.mark.parametrize(("days", "stays"), [("7", False), ("", True)])
async def test_r10_7_a_role_for_some_days_goes_with_its_owner_who_is_forgotten(
    casino: Casino,
    boss: simcord.MemberActor,
    days: str,
    stays: bool,  # noqa: FBT001
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, days=days)
    await bought(casino, gold)
    await forgotten(casino)
    assert has(casino, gold) is stays
    assert ("it has expired" in reasons(casino)) is not stays


async def forgotten(casino: Casino) -> None:
    """Alice has herself forgotten on this server."""
    page = await casino.ask("privacy")
    await casino.alice.click(page, label="Forget me")
    await casino.alice.click(page, label="Forget me for good")
    assert await casino.bot.bank.members.known(casino.guild.id, casino.alice.id) is None


async def test_before_discord_has_described_the_server_the_role_of_a_forgotten_person_goes_too(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    await bought(casino, gold)
    with casino.undescribed():
        await forgotten(casino)
    assert not has(casino, gold)


async def test_the_role_of_a_forgotten_person_goes_on_a_server_of_another_process_too(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, days="7")
    await bought(casino, gold)
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    casino.bot._connection._remove_guild(server)
    who: Any = casino.alice.user
    page = (await who.slash("privacy")).response
    await who.click(page, label="Forget me")
    await who.click(page, label="Forget me for good")
    assert await casino.bot.bank.privacy.servers(who.id) == []
    assert not has(casino, gold)


@pytest.mark.parametrize("refused", [0, 1])
async def test_a_role_that_discord_does_not_take_from_a_forgotten_person_stops_no_other(
    casino: Casino, boss: simcord.MemberActor, refused: int
) -> None:
    lent = [role_of(casino, "Gold"), role_of(casino, "Silver")]
    for role in lent:
        await sold(casino, boss, role)
        await bought(casino, role)
    casino.env.inject_error("DELETE", f"/guilds/*/members/*/roles/{lent[refused].id}", status=403, times=None)
    await forgotten(casino)
    assert [has(casino, role) for role in lent] == [refused == 0, refused == 1]


async def test_a_role_that_discord_refuses_to_give_costs_nothing(casino: Casino, boss: simcord.MemberActor) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    casino.env.inject_error("PUT", ROLES, status=403)
    assert f"Discord refused to give you <@&{gold.id}>, so your chips are back." in await bought(casino, gold)
    assert await casino.balance(casino.alice) == 1_000


async def test_somebody_who_left_before_a_role_was_given_has_the_chips_back(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold, log = role_of(casino, "Gold"), await logged(casino, boss)
    await sold(casino, boss, gold)
    line.cut("PUT", ROLES)
    await bought(casino, gold)
    casino.guild.remove_member(casino.alice)
    await casino.env.advance_time(61)
    await settled(casino)
    assert await casino.balance(casino.alice) == 1_000
    assert "instead of" in await posted(casino, log)
    assert "They are not on this server any more." in await posted(casino, log)


async def test_nobody_is_taken_for_gone_while_discord_cannot_tell_who_is_there(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold)
    casino.env.inject_error("GET", "/guilds/*/members/*", status=503)
    await bought(casino, gold)
    assert (has(casino, gold), await casino.balance(casino.alice)) == (False, 960)
    await casino.env.advance_time(61)
    await settled(casino)
    assert (has(casino, gold), await casino.balance(casino.alice)) == (True, 960)


async def test_the_log_says_that_an_expired_role_cannot_be_taken_back(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold, log = role_of(casino, "Gold"), await logged(casino, boss)
    await sold(casino, boss, gold, days="1")
    await bought(casino, gold)
    casino.env.inject_error("DELETE", ROLES, status=403, message="Missing Permissions")
    await casino.sleep(DAY)
    await settled(casino)
    assert has(casino, gold)
    told = await posted(casino, log)
    assert f"⚠️ <@&{gold.id}> has expired, but I can't take it back from <@{casino.alice.id}>." in told
    await settled(casino)
    assert has(casino, gold)  # it is a manager's now: nobody asks Discord again


async def test_a_lost_answer_while_a_role_is_taken_back_is_asked_again_after_a_minute(
    casino: Casino, boss: simcord.MemberActor, line: Line
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, days="1")
    await bought(casino, gold)
    line.cut("DELETE", ROLES)
    await casino.sleep(DAY)
    await settled(casino)
    assert has(casino, gold)
    await casino.env.advance_time(61)
    await settled(casino)
    assert not has(casino, gold)


async def test_a_server_sells_a_role_only_while_the_bot_may_manage_roles(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold, backend = role_of(casino, "Gold"), casino.env.backend
    (mine,) = backend.get_member(casino.guild.id, casino.bot.user.id).role_ids  # type: ignore[union-attr]
    backend.edit_role(casino.guild.id, mine, {"permissions": discord.Permissions(view_channel=True).value})
    assert "I need the **Manage Roles** permission for that." in await sold(casino, boss, gold)


async def test_r10_7_a_full_shop_takes_no_other_role_but_changes_those_it_has(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    roles = [role_of(casino, f"Role {number}") for number in range(MOST_WARES + 1)]
    for role in roles[:-1]:
        await casino.bot.bank.shop.offer(casino.guild.id, Ware(role.id, 40 * CHIP, None), None)
    assert f"A server can sell at most {MOST_WARES} roles." in await sold(casino, boss, roles[-1])
    assert f"<@&{roles[0].id}> · **50 chips**" in await sold(casino, boss, roles[0], price="50")


async def test_a_choice_in_a_menu_of_yesterday_is_told_that_the_role_is_not_sold_any_more(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    gold, silver = role_of(casino, "Gold"), role_of(casino, "Silver")
    for role in (gold, silver):
        await sold(casino, boss, role)
    page = await casino.ask("shop")
    await sold(casino, boss, gold, price="")
    answer = await casino.alice.select(page, [str(gold.id)], custom_id="shop:choose")
    assert answer.response is not None
    assert "That is not sold like this any more." in text_of(answer.response)


async def test_before_discord_has_described_the_server_nothing_is_sold(
    casino: Casino, boss: simcord.MemberActor
) -> None:
    server = casino.bot.get_guild(casino.guild.id)
    assert server is not None
    server.unavailable = True
    told = await casino.ask("shop", boss)
    assert text_of(told) == "Discord doesn't tell me about this server yet. Try again in a moment."
    assert told.ephemeral


@pytest.mark.parametrize("given", [False, True])
async def test_a_role_waits_until_discord_has_described_the_server(
    casino: Casino,
    boss: simcord.MemberActor,
    line: Line,
    given: bool,  # noqa: FBT001
) -> None:
    gold = role_of(casino, "Gold")
    await sold(casino, boss, gold, days="1")
    if given:
        await bought(casino, gold)
        line.cut("DELETE", ROLES)  # the next process cannot take it back at once
        await casino.sleep(DAY)
        await casino.env.advance_time(61)
    else:
        line.cut("PUT", ROLES)
        await bought(casino, gold)
        await casino.env.advance_time(61)
    assert has(casino, gold) is given
    with casino.undescribed():
        await settled(casino)
        assert has(casino, gold) is given
    await settled(casino)
    assert has(casino, gold) is not given
    assert await casino.balance(casino.alice) == 960
