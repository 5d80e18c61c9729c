"""/verify: the proof that the cards of a round were dealt as promised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.client import Casino, Interaction
from cogs.answers.here import here
from cogs.answers.panel import FELT, panel
from cogs.answers.preferences import speak_to
from cogs.answers.press import Press, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach.asking import asker_of
from cogs.table import finished
from cogs.words import _, as_many, cards, mono, ngettext, quoted, safe, written
from cogs.words.refusals import Sorry
from data import Played
from engine.coach import CoachGone, WhatWasGivenAway
from engine.fairness.chain import SHORT, SHOWN_HASH
from engine.fairness.draws import Drawing, DrawsFinding, verify_draws
from engine.fairness.page import filled_in
from engine.fairness.record import Record, RecordOne, RecordThree, RecordTwo
from engine.fairness.thoughts import Losses, has_thinkers
from engine.fairness.tournaments import LotsFinding, verify_lots
from engine.fairness.verify import Finding, What, verify
from engine.games.cards import Card
from engine.tables.rebuilt import draws_of, whole_record_of
from engine.tables.state import TableState
from engine.tables.values import StoredRound
from engine.tournament.paper import lots_of_table

_MOST_INPUTS: Final = 20
_ALARM: Final = 0xB3392F


class VerifyCommand(commands.Cog):
    """The cog of `/verify`, which checks finished rounds."""

    @app_commands.command(
        description="Check that a finished round was dealt as it was sealed", extras=shown_in(Section.TRUST)
    )
    @app_commands.describe(round="The round's code; your last one if left out")
    @app_commands.guild_only()
    async def verify(self, interaction: Interaction, round: str | None = None) -> None:
        """Check that a finished round, by default the member's last one, was dealt as promised."""
        async with serving(interaction) as reply:
            await _check(interaction, reply, round)

    @verify.autocomplete("round")
    async def _recent(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        await speak_to(interaction)
        found = await _recent_rounds(interaction)
        names = {played.code: f"{played.code} · {finished.net(played)} · {_(played.game)}" for played in found}
        return [app_commands.Choice(name=names[code], value=code) for code in names if code.startswith(typed.lower())]


async def _recent_rounds(interaction: Interaction) -> Sequence[Played]:
    """Return the person's last finished rounds, the newest first; asking opens no account."""
    bank = interaction.client.bank
    member = await bank.members.known(here(interaction).guild, interaction.user.id)
    return () if member is None else (await bank.records.history(member.id, 25)).rounds


async def _round(interaction: Interaction, code: str | None) -> StoredRound:
    if code is None:
        played = await _recent_rounds(interaction)
        if not played:
            raise Sorry(_("You haven't finished a round yet."))
        code = played[0].code
    stored: StoredRound | None = await interaction.client.bank.records.round(code, here(interaction).guild)
    if stored is None:
        raise Sorry(_("There is no finished round **{code}** here.", code=safe(code)))
    return stored


async def _check(interaction: Interaction, reply: Reply, code: str | None) -> None:
    """Verify the round with this code (None: the person's last), and show the findings with files to check it again."""
    stored = await _round(interaction, code)
    record = whole_record_of(stored)
    table = await interaction.client.bank.tables.stored(stored.table)
    draws = draws_of(table) if table is not None else None
    place = TableState.from_json(table.row.doc).chain_place if table is not None else ""
    series = await lots_of_table(interaction.client.bank, place)
    files = {f"round-{stored.code}.json": record.to_json()}
    if draws is not None:
        files[f"draws-{draws.promise.tip[:SHORT]}.json"] = draws.to_json()
    if series is not None:
        files[f"tournament-{series.promises[-1].tip[:SHORT]}.json"] = series.to_json()
    lots = verify_draws(draws) if draws is not None else None
    seats = verify_lots(series) if series is not None else None
    finding = verify(record, losses=await _losses(interaction, record))
    view = _findings(stored.code, finding, lots, seats, tuple(files))
    await reply.show(view, [discord.File(BytesIO(text.encode()), name) for name, text in files.items()])


async def _losses(interaction: Interaction, record: Record) -> Losses:
    """Ask the coach what each choice of thinking computer players cost, and return that.

    The result is empty if the round had no such players. It is also empty if there is no coach or it does not answer;
    the message then says so.
    """
    coach = interaction.client.coach
    if coach is None or not has_thinkers(record):
        return {}
    try:
        return await coach.ask(WhatWasGivenAway(record), asker=asker_of(interaction))
    except CoachGone:
        return {}


def _findings(
    code: str, finding: Finding, lots: DrawsFinding | None, seats: LotsFinding | None, files: Sequence[str]
) -> ui.LayoutView:
    holds = finding.holds and (lots is None or lots.holds) and (seats is None or seats.holds)
    heading = (
        _("Round {code} was dealt as sealed", code=code)
        if holds
        else _("Round {code} does not fit its seal", code=code)
    )
    small = [
        _(
            "Without us: **Check it yourself**, or save the file and run `python -m engine.fairness round-{code}.json`",
            code=code,
        ),
        _("What this proves, and what it does not: docs/fairness.md"),
    ]
    return panel(
        heading,
        *_told(finding),
        *_lots(lots),
        *_seats(seats),
        rows=[[PageKey.button(_("Check it yourself"), code=code)]],
        small=small,
        files=files,
        colour=FELT if holds else _ALARM,
    )


def _told(finding: Finding) -> Iterator[str]:
    record = finding.record
    yield _promise(finding) if isinstance(record, RecordTwo) else _seal(finding)
    yield _("**2 · Mixed in after that**\n{inputs}", inputs=_inputs(record.mixed_in))
    if finding.fault:
        yield _(
            "**3 · Played again**\nThe recorded steps cannot be played: {fault}", fault=_program_says(finding.fault)
        )
        return
    yield _("**3 · The cards**, in dealing order\n{cards}", cards=_dealt(finding.cards))
    taken = as_many((finished.step_text(record.game, step) for step in record.steps), 600)
    yield _("**4 · What was done**\n{steps}", steps=taken or _("there was nothing to decide"))
    if finding.called_off:
        yield _("Then it was called off, after a backup was restored: every stake came back.")
    yield from _computers(finding)
    yield _record(finding, record) if isinstance(record, RecordTwo) else _outcome(finding)


def _seal(finding: Finding) -> str:
    """Return the line about the seal of a round of scheme 1."""
    record, seed = finding.record, finding.of(What.SEED)
    assert isinstance(record, RecordOne)
    assert seed is not None
    return _(
        "**1 · The seal**, shown before the bets\n`{commitment}`\nSHA-256 of the seed `{seed}`: {fits}.",
        commitment=record.commitment,
        seed=record.seed.hex(),
        fits=_same() if seed.fits else _other(),
    )


def _promise(finding: Finding) -> str:
    """Return the line about the promise of a round of scheme 2 or 3."""
    record, seed = finding.record, finding.of(What.SEED)
    assert isinstance(record, RecordTwo)
    assert seed is not None
    told = _in_the_promise(record, _same() if seed.fits else _other())
    root = finding.of(What.ROOT)
    if root is None:
        return told
    fits = _same() if root.fits else _other()
    return (
        told
        + "\n"
        + _("These seals have ended. Their root `{root}` gives the digits above: {fits}.", root=record.root, fits=fits)
    )


def _in_the_promise(record: RecordTwo, fits: str) -> str:
    """Return the line that says how hashing the seed leads to the digits of the promise. `fits` says if they match."""
    shown = {"link": record.promise.address, "tip": record.promise.tip, "seed": record.seed.hex(), "fits": fits}
    if isinstance(record, RecordThree) and record.slot:
        return ngettext(
            "**1 · The [seal]({link})**, posted before the bets\n`{tip}`\nThis round's seed is in it: `{seed}`, hashed "
            "{count} time, then joined with the {hashes} hashes of its path: {fits}.",
            "**1 · The [seal]({link})**, posted before the bets\n`{tip}`\nThis round's seed is in it: `{seed}`, hashed "
            "{count} times, then joined with the {hashes} hashes of its path: {fits}.",
            record.number,
            hashes=len(record.path),
            **shown,
        )
    return ngettext(
        "**1 · The [seal]({link})**, posted before the bets\n`{tip}`\nThe seed `{seed}`, hashed {count} time: {fits}.",
        "**1 · The [seal]({link})**, posted before the bets\n`{tip}`\nThe seed `{seed}`, hashed {count} times: {fits}.",
        record.number,
        **shown,
    )


#: The most cards that are written as emoji; more would fill the message, and are written in letters.
_MOST_EMOJI: Final = 30


def _dealt(dealt: Sequence[Card]) -> str:
    return written(dealt) if len(dealt) <= _MOST_EMOJI else mono(cards(dealt))


def _computers(finding: Finding) -> Iterator[str]:
    thoughts = finding.of(What.COMPUTERS)
    if thoughts is not None and not thoughts.fits:
        yield _("A computer player did **not** do what its level does: {fault}", fault=_program_says(thoughts.fault))
    if finding.by_chart:
        yield ngettext(
            "{count} step of a perfect computer player was played without thinking, by the chart.",
            "{count} steps of perfect computer players were played without thinking, by the chart.",
            len(finding.by_chart),
        )
    for level in finding.unchecked:
        yield _("How the {level} computer player plays was not checked.", level=_(level))


def _program_says(fault: str) -> str:
    """Return a fault in English, as the programs outside of Discord print it."""
    return quoted(fault, 200)


def _outcome(finding: Finding) -> str:
    """Return the line about the outcome of a round of scheme 1."""
    paid = finding.of(What.PAYMENTS)
    assert paid is not None
    fits = _("as recorded") if paid.fits else _("**not** as recorded")
    return _("**5 · The outcome** `{outcome}…`: {fits}.", outcome=paid.found[:SHOWN_HASH], fits=fits)


def _record(finding: Finding, record: RecordTwo) -> str:
    """Return the lines about the record of a round of scheme 2 or 3, and about the round before it."""
    whats = (What.PHRASE, What.CARDS, What.PAYMENTS, What.HASH)
    fits = all(check.fits for check in finding.checks if check.what in whats)
    told = _(
        "**5 · Cards, payments and the whole record** `{hash}…`: {fits}.",
        hash=record.hash[:SHOWN_HASH],
        fits=_("as recorded") if fits else _("**not** as recorded"),
    )
    before = _("The round before it here: `{hash}…`", hash=record.previous[:SHOWN_HASH]) if record.previous else ""
    return f"{told}\n{before}" if before else told


def _same() -> str:
    return _("✓ matches")


def _other() -> str:
    return _("✗ **does not match**")


def _lots(lots: DrawsFinding | None) -> Iterator[str]:
    """Yield the line with the cards drawn as lots at the round's elimination table, if they can be checked."""
    if lots is None:
        return
    drawn = lots.draws.drawings
    told = as_many((_("{number}: {cards}", number=each.number, cards=_drawn(each)) for each in drawn), 900)
    fits = _("as recorded") if lots.holds else _("**not** as recorded")
    yield _("**6 · Lots drawn at this table**, from its root: {fits}\n{draws}", fits=fits, draws=told)


def _seats(seats: LotsFinding | None) -> Iterator[str]:
    """Yield the line about the seatings, placings and tables' promises that follow from the tournament's root.

    Yield nothing without `seats`: at a table of no tournament, or while the tournament is not over.
    """
    if seats is None:
        return
    fits = _("as recorded") if seats.holds else _("**not** as recorded")
    orders, tables = len(seats.lots.orders), len(seats.lots.tables)
    yield _(
        "**7 · The tournament**, from its root: {orders}, {tables}, {fits}",
        orders=ngettext("{count} seating or placing", "{count} seatings and placings", orders),
        tables=ngettext("{count} promise of a table", "{count} promises of tables", tables),
        fits=fits,
    )


def _drawn(drawing: Drawing) -> str:
    seats = sorted(drawing.cards.items())
    return ", ".join(_("seat {seat} {cards}", seat=seat + 1, cards=written(drawn)) for seat, drawn in seats)


def _inputs(inputs: tuple[str, ...]) -> str:
    """Return the inputs as text, without empty ones and each cut at 40 letters, or `nothing` if there are none.

    A round of baccarat may have those of two dozen people: `…` stands for all after the first `_MOST_INPUTS`.
    """
    shown = [quoted(text, 40) for text in inputs if text]
    if len(shown) > _MOST_INPUTS:
        shown = [*shown[:_MOST_INPUTS], "…"]
    return " · ".join(shown) or _("nothing")


# -- without us --------------------------------------------------------------------------------------------------------


class PageKey(Press, template=r"verify:page:(?P<code>[0-9a-f-]{8,17})"):
    """The key that sends a page with the round's record, which checks the round in any browser, without the bot."""

    code: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        record = whole_record_of(await _round(interaction, self.code))
        name = f"verify-{self.code}.html"
        told = _(
            "Open this file in any browser, offline if you like: it deals round {code} again without us. Compare what "
            "it shows with what you saw at the table.",
            code=self.code,
        )
        file = discord.File(BytesIO(filled_in(record.to_json()).encode()), name)
        await reply.show(panel(_("Check it yourself"), told, files=[name]), [file])


# -- from a table's message --------------------------------------------------------------------------------------------

#: The pattern of the last round's mark in a table's message.
_CODE: Final = re.compile(r"/verify ([0-9a-f]{8}(?:-[0-9]{1,4}){0,2})")


@app_commands.guild_only()
async def verify_table(interaction: Interaction, message: discord.Message) -> None:
    """Check the last finished round of a table. This is the entry `Verify` in the menu of the table's message."""
    async with serving(interaction) as reply:
        me = interaction.client.user
        found = _CODE.search(_text(message.components)) if me is not None and message.author.id == me.id else None
        if found is None:
            raise Sorry(_("There is no finished round on that message."))
        await _check(interaction, reply, found[1])


def _text(components: Sequence[Any]) -> str:
    """Return all texts of a message, joined."""
    told = (f"{getattr(part, 'content', '')}\n{_text(getattr(part, 'children', ()))}" for part in components)
    return "\n".join(told)


async def setup(bot: Casino) -> None:
    take_up(bot, PageKey)
    bot.tree.add_command(app_commands.ContextMenu(name="Verify", callback=verify_table))
    await bot.add_cog(VerifyCommand())
