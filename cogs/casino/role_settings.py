"""The page of a server's settings about roles: those of champions, those for sale, and the channels that they open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import here, server
from cogs.answers.press import choice
from cogs.answers.roles import fault_of, opens
from cogs.background import log
from cogs.background.roles import CHAMPIONS as NAMES
from cogs.casino import menus
from cogs.today.calling import refuse_called
from cogs.words import _, as_many, number
from cogs.words.refusals import Sorry
from data import ENOUGH, Championship, Ware

ChosenRoles = Mapping[Championship, int]

#: The most characters of the lines about channels; Discord takes 4,000 in a message.
_ROOM: Final = 2_500


def text(guild: discord.Guild, chosen: ChosenRoles, wares: Sequence[Ware]) -> str:
    """Return the text of the page: each champion's role, the roles for sale, and the channels that these roles open.

    Roles whose channels do not fit into a message are left out at the end.
    """
    used = [*chosen.values(), *(ware.role for ware in wares)]
    return "\n".join(filter(None, [*_champions(chosen), _sold(wares), as_many(_opened(guild, used), _ROOM)]))


def small() -> list[str]:
    """Return the small print of the page about roles."""
    return [
        _(
            "The champion of the week has won the most chips from Monday to Monday, in {count} hands or more."
            " People who are hidden from leaderboards do not count.",
            count=number(ENOUGH),
        ),
        _("The champion of the season leads its board of accuracy when it ends."),
        _("Managers sell roles, and take them off the shelf, with the menu in `/shop`."),
    ]


def _champions(chosen: ChosenRoles) -> Iterator[str]:
    for which, name in NAMES.items():
        role = f"<@&{chosen[which]}>" if which in chosen else _("**none**")
        yield _("{champion} · {role}", champion=_(name), role=role)


def _sold(wares: Sequence[Ware]) -> str:
    sold = ", ".join(f"<@&{ware.role}>" for ware in wares) or _("**none**")
    return _("For chips · {roles}", roles=sold)


def _opened(guild: discord.Guild, used: Sequence[int]) -> Iterator[str]:
    for role in filter(None, map(guild.get_role, used)):
        channels = opens(role)
        if channels:
            yield _("-# {role} opens {channels}", role=role.mention, channels=channels)


def menu(custom_id: str, which: Championship, chosen: ChosenRoles, guild: discord.Guild | None) -> ui.RoleSelect[Any]:
    """Return the menu in which a champion's role is chosen, with the present one. No choice means no role."""
    role = chosen.get(which)
    there = [role] if role is not None and (guild is None or guild.get_role(role)) else []
    return ui.RoleSelect(
        custom_id=custom_id, placeholder=_(NAMES[which]), min_values=0, max_values=1,
        default_values=menus.present(there, discord.SelectDefaultValueType.role),
    )  # fmt: skip


async def choose(interaction: Interaction, which: Championship) -> None:
    """Store the role chosen from the menu, or none, as this champion's, and write that into the server's log.

    Refuse a role that cannot be one.
    """
    role = menus.id_of(choice(interaction))
    if role is not None:
        guild = server(interaction)
        fault = fault_of(guild, guild.get_role(role))
        if fault:
            raise Sorry(fault)
        await refuse_called(interaction, role)
    line = await log.noted(interaction, lambda: _changed(which, role))
    await interaction.client.bank.champions.choose(here(interaction).guild, which, role, line)


def _changed(which: Championship, role: int | None) -> str:
    """Return the line of the log about the choice of a champion's role."""
    if role is None:
        return _("🎭 {actor} changed a role · {champion}: none", actor=log.ACTOR, champion=_(NAMES[which]))
    values = {"actor": log.ACTOR, "champion": _(NAMES[which]), "role": role}
    return _("🎭 {actor} changed a role · {champion}: <@&{role}>", **values)
