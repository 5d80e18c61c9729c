"""/casino export and import: all balances as a file, and a file that sets balances."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any, Final
from weakref import WeakKeyDictionary

import discord
from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import managers_only
from cogs.answers.here import here, member_of
from cogs.answers.panel import FELT, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.background import log
from cogs.words import N_, _, counted, ngettext, number, safe
from cogs.words.refusals import Sorry
from data import ImportPlan, Moved
from engine.games.contract import CHIP, Cents
from engine.tables.ports import BankUnavailable, OutcomeUnknown

#: The most bytes and people in a file.
MOST_BYTES: Final = 2_000_000
MOST_PEOPLE: Final = 10_000
_MOST_CHIPS: Final = 10**12
#: The most files that wait for their key to be pressed.
_MOST_WAITING: Final = 20

_FORMAT: Final = "croupier balances"
_USER: Final = re.compile(r"[0-9]{15,20}")
_LAST_USER: Final = 2**63 - 1
_AMOUNT: Final = re.compile(r"[0-9]{1,13}(\.[0-9]{1,2})?")

NewBalances = Mapping[int, Cents]

#: The files that were previewed and not booked yet, by the server and the id of the command that brought them. A
#: restart forgets them.
_waiting: Final[WeakKeyDictionary[Casino, dict[tuple[int, int], NewBalances]]] = WeakKeyDictionary()


# -- out ---------------------------------------------------------------------------------------------------------------


async def exported(interaction: Interaction, form: str) -> tuple[ui.LayoutView, discord.File]:
    """Return a message about all balances, and the file with them in this form: `csv` or `json`."""
    found = await interaction.client.bank.balances.of(here(interaction).guild)
    written = _as_json(found) if form == "json" else _as_csv(found)
    name = f"balances-{here(interaction).guild}.{form}"
    text = ngettext("The balance of {count} person.", "The balances of {count} people.", len(found))
    small = [_("`/casino import` sets balances from such a file.")]
    return panel(_("All balances"), text, files=[name], small=small, colour=FELT), discord.File(
        BytesIO(written.encode()), name
    )


def _as_csv(found: Sequence[tuple[int, Cents]]) -> str:
    return "\n".join(("user,chips", *(f"{user},{_typed(cents)}" for user, cents in found), ""))


def _as_json(found: Sequence[tuple[int, Cents]]) -> str:
    rows = [{"user": str(user), "chips": _typed(cents)} for user, cents in found]
    return json.dumps({"format": _FORMAT, "balances": rows}, indent=1)


def _typed(cents: Cents) -> str:
    whole, part = divmod(cents, CHIP)
    return f"{whole}.{part:02}" if part else str(whole)


# -- in ----------------------------------------------------------------------------------------------------------------


async def previewed(interaction: Interaction, file: discord.Attachment) -> ui.LayoutView:
    """Read a file, keep it for its key, and return a preview of what it would do. Nothing is booked.

    Only the newest files are kept (`_MOST_WAITING`), until a restart. Raises Sorry for a file that is too large, or
    that `read` refuses.
    """
    if file.size > MOST_BYTES:
        raise Sorry(_("That file is too large: at most {most} bytes.", most=number(MOST_BYTES)))
    wanted = read(await file.read())
    guild = here(interaction).guild
    plan = await interaction.client.bank.balances.plan(guild, wanted)
    waiting = _waiting.setdefault(interaction.client, {})
    while len(waiting) >= _MOST_WAITING:
        del waiting[next(iter(waiting))]
    waiting[guild, interaction.id] = wanted
    changes = len(plan.more) + len(plan.less)
    key = ImportButton.button(_("Set these balances"), enabled=changes > 0, file=interaction.id)
    return panel(_("Preview: nothing is booked yet"), "\n".join(_lines(plan)), rows=[[key]])


def _lines(plan: ImportPlan) -> Iterator[str]:
    for changes, text in (
        (plan.more, N_("Gain chips: {people} · {chips}")),
        (plan.less, N_("Lose chips: {people} · {chips}")),
    ):
        yield _(text, people=number(len(changes)), chips=counted(sum(changes)))
    yield _("Stay as they are: {people}", people=number(plan.same))
    if plan.new:
        yield _("New here, an account is opened: {people}", people=number(plan.new))
    if plan.forgotten:
        yield _("Asked to be forgotten, skipped: {people}", people=number(plan.forgotten))


class ImportButton(Press, template=r"balances:import:(?P<file>\d{1,20})"):
    """The key that sets the balances that a preview showed."""

    file: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        managers_only(interaction)
        guild = here(interaction).guild
        wanted = _waiting.get(interaction.client, {}).get((guild, self.file))
        if wanted is None:
            raise Sorry(_("I don't have that file any more. Run `/casino import` with it again. Nothing was changed."))
        await reply.acknowledge()
        actor = await member_of(interaction)
        line = await log.noted(
            interaction,
            lambda: _("📥 {actor} set balances from a file: {people}", actor=log.ACTOR, people=number(len(wanted))),
        )
        bank = interaction.client.bank
        try:
            changed = await bank.balances.bring_to(guild, wanted, actor=actor.id, press=interaction.id, line=line)
        except (BankUnavailable, OutcomeUnknown, Moved) as error:  # each balance is set by itself
            text = _("Not all balances are set: the bank failed in between. Press again, and I'll set the rest.")
            raise Sorry(text) from error
        _waiting[interaction.client].pop((guild, self.file), None)
        text = ngettext("{count} balance was changed.", "{count} balances were changed.", changed)
        await reply.redraw(panel(_("The balances are set"), text, colour=FELT))


def read(content: bytes) -> NewBalances:
    """Return the balance that a CSV or JSON file gives each person, by Discord's id. Raises Sorry if it cannot be read,
    has too many people or one of them twice, or an entry makes no sense.
    """
    try:
        text = content.decode("utf-8-sig")
        rows = list(_in_json(text) if text.lstrip().startswith("{") else _in_csv(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, csv.Error):
        raise Sorry(_("I can't read that file. It must be CSV or JSON like the one of `/casino export`.")) from None
    if len(rows) > MOST_PEOPLE:
        raise Sorry(_("That file has too many people: at most {most}.", most=number(MOST_PEOPLE)))
    wanted = dict[int, Cents]()
    for place, (user, chips) in enumerate(rows, 1):
        if not (_is_user(user) and _AMOUNT.fullmatch(chips) and Decimal(chips) <= _MOST_CHIPS):
            values = {"place": number(place), "user": safe(user), "chips": safe(chips)}
            raise Sorry(_("Entry {place} makes no sense: {user}, {chips}. Nothing was changed.", **values))
        if int(user) in wanted:
            raise Sorry(_("{user} is in that file twice. Nothing was changed.", user=user))
        wanted[int(user)] = int(Decimal(chips) * CHIP)
    return wanted


def _is_user(text: str) -> bool:
    return _USER.fullmatch(text) is not None and int(text) <= _LAST_USER


def _in_json(text: str) -> Iterator[tuple[str, str]]:
    document: Any = json.loads(text)
    for row in document["balances"]:
        yield str(row["user"]), str(row["chips"])


def _in_csv(text: str) -> Iterator[tuple[str, str]]:
    for row in csv.reader(StringIO(text)):
        if row and row[0].strip().lower() != "user":
            user, chips, *_others = row
            yield user.strip(), chips.strip()
