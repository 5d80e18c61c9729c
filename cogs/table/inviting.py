"""Tables by invitation: the opener chooses who may sit, and they are pinged (R14.4).

The message names all of them, but pings only those who take invitations: the opener cannot tell who has chosen what in
`/settings`.
"""

from __future__ import annotations

import logging
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands, misplaced
from cogs.answers.here import here
from cogs.answers.panel import panel
from cogs.answers.preferences import reader_of
from cogs.answers.press import Press, chosen
from cogs.answers.reply import Reply
from cogs.answers.time_limits import LOST
from cogs.table.door import link
from cogs.words import _, at, mention, reading
from cogs.words.refusals import Sorry
from engine.tables.house import KEPT_SECONDS
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot
from engine.tables.table import Table

log = logging.getLogger(__name__)

#: The most people that a menu of Discord takes.
_MOST: Final = 25


# -- whom to invite ----------------------------------------------------------------------------------------------------


async def ask(reply: Reply, table: Table) -> None:
    """Ask the opener in private whom to invite, once the command is answered. A failure of Discord is only logged."""
    try:
        await reply.add(_page(table.snapshot()), private=True)
    except LOST as error:  # the command asks again
        log.info("table %d: nobody is asked whom to invite: %s", table.id, error)


def _page(snapshot: Snapshot) -> ui.LayoutView:
    invitation = snapshot.invitation
    people = invitation.people if invitation is not None else ()
    text = _("Choose who may sit here. Those who accept invitations are pinged once, and find **Join** on the table.")
    if people:
        text = _("Invited: {names}. You can add more.", names=", ".join(map(mention, people)))
    return panel(_("Your guests"), text, rows=[[InviteMenu.of(snapshot)]])


class InviteMenu(Press, template=r"invite:(?P<table>\d{1,20})"):
    """The menu that invites people to a table and pings the new ones. Those who were chosen before stay invited."""

    table: int

    @classmethod
    def of(cls, snapshot: Snapshot) -> Self:
        menu: ui.UserSelect[Any] = ui.UserSelect(
            custom_id=cls.carries.of(table=snapshot.table),
            placeholder=_("Invite"),
            max_values=min(snapshot.rules.seating.most - 1, _MOST),
        )
        return cls(menu)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        table = await interaction.client.registry.reach(here(interaction).guild, self.table)
        if table is None:
            raise Refused(Reason.TABLE_CLOSED)
        if table.state.guild != here(interaction).guild:
            raise misplaced()
        people, before = _people(interaction), table.state.invitation
        try:
            now = await table.invite(interaction.user.id, people, interaction.id)
        except Refused as refused:
            if refused.reason is not Reason.TABLE_FULL:
                raise
            raise Sorry(_("This table has too few seats for everybody whom you name.")) from refused
        await reply.redraw(_page(now))
        await _call(interaction, reply, table, [user for user in people if before is None or user not in before.people])


def _people(interaction: Interaction) -> list[int]:
    """Return the members who were chosen, without bots and the presser: Discord lets people choose these too.

    Raises Sorry if nobody is left.
    """
    data: Any = interaction.data or {}
    users, members = (data.get("resolved", {}).get(kind, {}) for kind in ("users", "members"))
    found = [user for user in chosen(interaction) if user in members and not users.get(user, {}).get("bot")]
    people = [int(user) for user in found if int(user) != interaction.user.id]
    if not people:
        raise Sorry(_("Choose other members of this server; bots don't take a seat."))
    return people


# -- calling them ------------------------------------------------------------------------------------------------------

#: When a host last pinged a person from this process, by the ids of both. For as long as seats are kept, the same host
#: does not ping that person again.
_called: Final[WeakKeyDictionary[Casino, dict[tuple[int, int], float]]] = WeakKeyDictionary()


async def _call(interaction: Interaction, reply: Reply, table: Table, people: list[int]) -> None:
    """Post a message that names these people, and ping those whom `_takes` admits.

    Without people, or once no seats are kept any more, post none. A failure of Discord is only logged.
    """
    casino, state, host = interaction.client, table.state, interaction.user
    if not people or state.invitation is None or state.invitation.until is None:
        return
    takers = [user for user in people if await _takes(casino, user, host.id)]
    with reading(await reader_of(casino, state.guild, opened_in=state.language)):
        values = {"host": mention(host.id), "names": ", ".join(map(mention, people)), "link": link(state)}
        text = _(
            "{names}: {host} keeps seats for you at [this table]({link}) until {time}.",
            **values,
            time=at(state.invitation.until),
        )
        view = panel(_("By invitation"), text, rows=[[NeverKey.button(_("Never again"), host=host.id)]])
    try:
        await reply.add(view, called=takers)
    except LOST as error:
        log.info("table %d: the invited are not called: %s", table.id, error)


async def _takes(casino: Casino, user: int, host: int) -> bool:
    """Return whether to ping a person, and if so, note it (R14.4).

    They must take invitations from this host, be on no break from chips, and not have been pinged for this host in the
    last `KEPT_SECONDS`.
    """
    bank = casino.bank
    return (
        await bank.wishes.hears(user, host)
        and (await bank.breaks.of(user)).chips is None
        and _is_first(casino, user, host)
    )


def _is_first(casino: Casino, user: int, host: int) -> bool:
    """Return whether this host has not pinged this person in the last `KEPT_SECONDS`, and if so, note a ping now."""
    now = casino.clock.now()
    recent = {pair: time for pair, time in _called.get(casino, {}).items() if now - time < KEPT_SECONDS}
    _called[casino] = {(user, host): now} | recent
    return (user, host) not in recent


class NeverKey(Press, template=r"invite:never:(?P<host>\d{1,20})"):
    """The key that stops challenges and invitations from this host to the presser. The host does not learn of it."""

    stands: ClassVar[Stands] = Stands.OPENLY

    host: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        if self.host == interaction.user.id:
            raise Sorry(_("That is your own invitation."))
        await interaction.client.bank.wishes.silence(interaction.user.id, self.host)
        text = _(
            "{name} can't invite you to duels or tables any more, and is not told. You can undo that in `/settings`.",
            name=mention(self.host),
        )
        await reply.show(panel(_("Never again"), text))
