"""The pages of Today's five and their keys."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, Self

import discord
from discord import ButtonStyle, ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.panel import BRASS, Rows, panel
from cogs.answers.press import Press, choice
from cogs.answers.reply import Reply
from cogs.care.away import refuse_away
from cogs.care.sittings import note
from cogs.table.motion import expect_pause, show
from cogs.today import playing, texts
from cogs.today.boards import OpenBoardKey
from cogs.today.daily_chips import daily_keys
from cogs.today.hand import PageWithFiles, action_rows, hand
from cogs.today.motion import moments
from cogs.today.playing import Playing
from cogs.today.proof import proof_key
from cogs.today.sharing import share
from cogs.train.keys import begun_five
from cogs.words import _, day_text
from cogs.words.refusals import Sorry
from data import ArchivedDay, StoredSet
from engine.sets.calendar import day_at, public_from
from engine.sets.choosing import FIVE
from engine.sets.scoring import Mark
from engine.training.drill import five

_SET: Final = r"(?P<set>\d{1,12})"
_ARCHIVE: Final = r"(?P<archive>[01])"
_PLACE: Final = r"(?P<place>\d)"


async def home(interaction: Interaction) -> PageWithFiles:
    """Return the page that `/today` opens with: the introduction, the hand that is being played, or the result.

    While the person can still finish yesterday's five, it is a page where they choose between both days. Somebody who
    has begun today's is put on this server's board. Raise Sorry if today's five cannot be had, and for somebody on a
    break from everything who has not begun today's and cannot finish yesterday's.
    """
    day = await playing.open_day(interaction.client)
    found = await playing.look(interaction, day)
    late = await playing.unfinished_yesterday(interaction)
    if late is None:
        if found is not None:
            return await page(interaction, found)
        await refuse_away(interaction)
    play = _("Your result") if found is not None and found.found.over else _("Play")
    return PageWithFiles(_intro(day, play, late, _board_before(interaction, day), await daily_keys(interaction)))


def _board_before(interaction: Interaction, day: StoredSet) -> list[ui.Item[Any]]:
    """Return a list with the key of yesterday's board, empty on the first day and outside of a server.

    Today's board is not offered here: people see it only after their own result.
    """
    has_board = interaction.guild_id is not None and day.number > 1
    return [OpenBoardKey.button(_("Yesterday"), day=day.day - 1)] if has_board else []


def _intro(
    day: StoredSet, play: str, late: Playing | None, board: list[ui.Item[Any]], daily: list[ui.Item[Any]]
) -> ui.LayoutView:
    style = ButtonStyle.primary if late is None else ButtonStyle.secondary
    keys: list[ui.Item[Any]] = [
        PlayKey.button(play, style=style, set=day.id, archive=0),
        RulesKey.button(_("Rules"), set=day.id),
        *board,
    ]
    below = [PastKey.button(_("Past days"), before=0), *daily]
    if late is not None:
        finish = _("Finish yesterday's")
        below.insert(0, PlayKey.button(finish, style=ButtonStyle.primary, set=late.day.id, archive=0))
    lines = [*texts.intro(day), *([texts.unfinished(late.day)] if late is not None else [])]
    return panel(texts.name_of(day), *lines, rows=[keys, below], colour=BRASS)


async def page(interaction: Interaction, found: Playing) -> PageWithFiles:
    """Return the page of the hand that is being played or was just played, or the result after all five."""
    return await _final(interaction, found) if found.found.over else await _hand(found)


# -- a hand ------------------------------------------------------------------------------------------------------------


async def _hand(playing_: Playing) -> PageWithFiles:
    return await hand(playing_.found, playing_.day.shoes, _hand_rows(playing_))


def _hand_rows(playing_: Playing) -> Rows:
    stored, found = playing_.stored, playing_.found
    at: dict[str, Any] = {"set": stored.set, "archive": int(stored.archive)}
    if found.over:
        return [[PlayKey.button(_("Your result"), style=ButtonStyle.primary, **at)]]
    at["version"] = stored.version
    primary = ButtonStyle.primary
    return action_rows(found, lambda label, action: ActKey.button(label, style=primary, action=action, **at))


# -- the end -----------------------------------------------------------------------------------------------------------


async def _final(interaction: Interaction, found: Playing) -> PageWithFiles:
    told = await playing.result(interaction, found)
    own = told.board.own if told.board is not None else None
    line = texts.standing(
        [
            texts.place(own.place, told.board.people) if own is not None and told.board is not None else "",
            texts.levels(found.day),
            "" if found.stored.archive else texts.streak(told.streak.days, paused=told.streak.paused),
        ]
    )
    lines = "\n".join(texts.mistakes(found.day, found.found, told.counts))
    blocks = [f"## {texts.score(found.found)}", line, lines]
    *above, last = _final_rows(found, with_board=told.board is not None)
    rows = [*above, [*last, *await daily_keys(interaction)]]
    return PageWithFiles(panel(texts.name_of(found.day), *blocks, rows=rows, colour=BRASS))


def _final_rows(found: Playing, *, with_board: bool) -> Rows:
    at: dict[str, Any] = {"set": found.day.id, "archive": int(found.stored.archive)}
    hands = HandsKey.button(_("Hands"), place=0, **at)
    train = TrainKey.button(_("Train these"), **at)
    past = PastKey.button(_("Past days"), before=0)
    if found.stored.archive:
        again = ReplayKey.button(_("Again"), set=found.day.id, version=found.stored.version)
        return [[hands, train, again], [past, proof_key(found.day.day)]]
    share = ShareKey.button(_("Share"), style=ButtonStyle.primary, set=found.day.id)
    board = [OpenBoardKey.button(_("Board"), day=found.day.day)] if with_board else []
    return [[share, hands, *board], [train, past]]


# -- the keys ----------------------------------------------------------------------------------------------------------


class OfASet(Press, template=r"(?!)"):
    """A key about a person's try of a day. Its custom id has the number of the day's set."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    set: int

    async def day(self, interaction: Interaction) -> StoredSet:
        """Return the day of the key. Raise Sorry if there is none, or a restored backup has made it void."""
        day = await interaction.client.bank.days.get(self.set)
        if day is None or day.void:
            raise Sorry(_("That day does not count any more: the casino was restored from a backup."))
        return day

    async def found(self, interaction: Interaction, archive: str) -> Playing:
        """Return the person's try of the day (`archive` "1": the one without points). Raise Sorry if there is none."""
        found = await playing.find(interaction, await self.day(interaction), archive=archive == "1")
        if found is None:
            raise Sorry(_("You have not played that day. `/today` opens the one of today."))
        return found


class PlayKey(OfASet, template=rf"today:play:{_ARCHIVE}:{_SET}"):
    """The key that begins the presser's try, goes on with it, or shows its result."""

    archive: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        day = await self.day(interaction)
        view, files = await page(interaction, await playing.begin(interaction, day, archive=self.archive == "1"))
        await reply.redraw(view, files)


class ActKey(OfASet, template=rf"today:act:{_ARCHIVE}:{_SET}:(?P<version>\d{{1,6}}):(?P<action>[a-z]{{1,12}}|/)"):
    """The key of an action of a hand, or of the next hand.

    What a press changes is stored before it is shown. An outdated press changes nothing.
    """

    archive: str
    version: int
    action: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        found = await self.found(interaction, self.archive)
        after = await playing.press(interaction, found, self.version, self.action)
        view, files = await (page(interaction, after) if after is found else _hand(after))
        await reply.redraw(view, files)
        await note(interaction, reply)


class ReplayKey(OfASet, template=rf"today:again:{_SET}:(?P<version>\d{{1,6}})"):
    """The key that starts the presser's try of a past day over (R11.9)."""

    version: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        again = await playing.again(interaction, await self.found(interaction, "1"), self.version)
        view, files = await page(interaction, again)
        await reply.redraw(view, files)


class RulesKey(OfASet, template=rf"today:rules:{_SET}"):
    """The key that shows how the day is scored, and by which rules it is played."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        day = await self.day(interaction)
        rows: Rows = [[BackKey.button(_("Back"))]]
        told = texts.how_it_works(day)
        await reply.redraw(panel(texts.name_of(day), *told, small=texts.rules_small(), rows=rows), [])


class BackKey(Press, template=r"today:home"):
    """The key that leads back to the page that `/today` opens with."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        view, files = await home(interaction)
        await reply.redraw(view, files)


class HandsKey(OfASet, template=rf"today:hands:{_ARCHIVE}:{_SET}:{_PLACE}"):
    """The key that shows one of the five hands, decision by decision, once all are over."""

    archive: str
    place: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        found = await self.found(interaction, self.archive)
        if not found.found.over:
            raise Sorry(_("You can look back at your hands once all five are over."))
        counts = await interaction.client.bank.boards.shares(found.day)
        place = min(self.place, FIVE - 1)
        heading = _("Hand {number} {sign}", number=place + 1, sign=texts.sign_of(found.found, place))
        blocks = texts.looked_back(found.day, found.found, place, counts)
        small = [_("Average result of each choice, as a share of your bet, given the unseen cards.")]
        rows = _looked_back_rows(self.set, self.archive, place)
        if _is_public(interaction, found.day):
            rows[-1].append(DayMotionKey.button(_("Animation"), set=self.set, archive=self.archive, place=place))
        await reply.redraw(panel(heading, *blocks, small=small, rows=rows, divided=True), [])


def _looked_back_rows(number: int, archive: str, place: int | None) -> Rows:
    at: dict[str, Any] = {"set": number, "archive": archive}
    hands: list[ui.Item[Any]] = [
        HandsKey.button(str(each + 1), enabled=each != place, place=each, **at) for each in range(FIVE)
    ]
    return [hands, [PlayKey.button(_("Back"), **at)]]


def _is_public(interaction: Interaction, day: StoredSet) -> bool:
    """Return whether nobody can play the day for points any more."""
    return interaction.client.clock.now() >= public_from(day.day)


class DayMotionKey(OfASet, template=rf"today:motion:{_ARCHIVE}:{_SET}:{_PLACE}"):
    """The key that shows one of the five hands as an animation, once the day is over for everybody."""

    archive: str
    place: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        found = await self.found(interaction, self.archive)
        if not found.found.over or not _is_public(interaction, found.day):
            raise Sorry(_("A hand can be seen in motion once its day is over for everybody."))
        expect_pause(interaction)
        place = min(self.place, FIVE - 1)
        heading = _("Hand {number} {sign}", number=place + 1, sign=texts.sign_of(found.found, place))
        hand = moments(found.found, found.day.shoes, place)
        await show(interaction, reply, heading, hand, _looked_back_rows(self.set, self.archive, None))


class TrainKey(OfASet, template=rf"today:train:{_ARCHIVE}:{_SET}"):
    """The key that begins a training with the hands of the day that had a mistake, or with all five if none had."""

    archive: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        found = await self.found(interaction, self.archive)
        if not found.found.over:
            raise Sorry(_("You can train these hands once all five are over."))
        situations, terms = found.day.prepared.situations, found.day.prepared.terms
        graded = zip(situations, found.found.grades, strict=True)
        missed = [situation for situation, grade in graded if grade.mark is not Mark.RIGHT] or situations
        await reply.show(await begun_five(interaction, terms.name, five(terms.rules, missed)))


class ShareKey(OfASet, template=rf"today:share:{_SET}"):
    """The key that posts the presser's result in the channel, or shows a text to copy if the bot cannot post there."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        found = await self.found(interaction, "0")
        if not found.found.over:
            raise Sorry(_("You can share your result once all five hands are over."))
        await share(interaction, reply, found, OpenKey.of)


class OpenKey(Press, template=r"today:open"):
    """The key that opens today's hands in private for the presser, whichever message it is on."""

    stands: ClassVar[Stands] = Stands.OPENLY

    @classmethod
    def of(cls) -> Self:
        """Return the key with its label."""
        return cls.button(_("Play"), style=ButtonStyle.primary)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        view, files = await home(interaction)
        await reply.show(view, files)


# -- past days ---------------------------------------------------------------------------------------------------------


async def _past(interaction: Interaction, before: int) -> ui.LayoutView:
    """Return the page with the menu of public days before `before`, the latest first. Raise Sorry if there are none.

    Playing them brings no points (R11.9).
    """
    bank = interaction.client.bank
    found = await bank.boards.archive(await bank.tries.known(interaction.user.id), before)
    if not found:
        raise Sorry(_("There is no earlier day to play."))
    told = _("Play any day again, or for the first time. It brings no points and no streak.")
    keys: list[ui.Item[Any]] = [
        PastKey.button(_("Earlier"), enabled=found[-1].number > 1, before=found[-1].day),
        BackKey.button(_("Back")),
    ]
    return panel(_("Past days"), told, rows=[[PastMenu.of(found)], keys])


class PastKey(Press, template=r"today:past:(?P<before>\d{1,6})"):
    """The key that shows the menu of days before `before`, or of the latest ones if that is 0."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    before: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        today = day_at(interaction.client.clock.now())
        await reply.redraw(await _past(interaction, self.before or today), [])


class PastMenu(Press, template=r"today:later"):
    """The menu of past days. A choice begins or shows the presser's try of that day, which brings no points."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls, days: tuple[ArchivedDay, ...]) -> Self:
        """Return the menu of these days."""
        options = [
            discord.SelectOption(
                label=day_text(texts.date_of(day.day)), description=texts.archived(day), value=str(day.set)
            )
            for day in days
        ]
        return cls(ui.Select(custom_id=cls.carries.of(), options=options, placeholder=_("Choose a day")))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        chosen = choice(interaction)
        day = await interaction.client.bank.days.get(int(chosen)) if re.fullmatch(r"[0-9]{1,12}", chosen) else None
        if day is None or day.void:
            raise Sorry(_("There is no earlier day to play."))
        view, files = await page(interaction, await playing.begin(interaction, day, archive=True))
        await reply.redraw(view, files)
