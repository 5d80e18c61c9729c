"""The boards of Today's five on a server, of a day or of a week, and the keys between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from discord import ui

from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.here import here
from cogs.answers.panel import Rows, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.today import playing, texts
from cogs.today.proof import proof_key
from cogs.words import _, day_text, mention, ngettext, number, rank_text, when
from cogs.words.refusals import Sorry
from data import Board, Placed, StoredSet
from engine.sets.calendar import closes, day_at, public_from, week_of

_PAGE: Final = r"(?P<what>day|week):(?P<day>\d{1,6}):(?P<page>\d{1,4})"


async def board(interaction: Interaction, what: str, day: int, page: int = 0) -> ui.LayoutView:
    """Return a page (from 0) of this server's board of a day or, if `what` is "week", of the week that the day is in.

    While the day is open, a person who has begun it joins this server's board before the page is made. Raise Sorry for
    results that the person must not see yet (R11.7), and for a day without hands.
    """
    casino, guild = interaction.client, here(interaction).guild
    stored = await casino.bank.days.on(day)
    if stored is None:
        raise Sorry(_("There is no board for that day."))
    if not await _may_see(interaction, stored):
        raise _not_yet(casino, day)
    person = await casino.bank.tries.known(interaction.user.id)
    boards = casino.bank.boards
    if what == "week":
        found, late = await boards.of_week(guild, day, page, interaction.user.id), tuple[int, ...]()
        heading = _("The week of {day}", day=day_text(texts.date_of(week_of(day))))
    else:
        found = await boards.of_day(guild, stored, page, person)
        ends = casino.clock.now() >= public_from(day) and found.page == found.pages - 1
        late = await boards.unfinished(guild, stored) if ends else ()
        heading = texts.name_of(stored)
    lines = [*_lines(found, interaction.user.id, by_week=what == "week"), *map(_unfinished, late)]
    small = [ngettext("{count} player", "{count} players", found.people)]
    if streak := (await boards.server_streak(guild)).days:
        small.append(_("Server streak: {days}", days=number(streak)))
    names = "\n".join(lines) or _("Nobody is on this list yet.")
    rows = _rows(what, day, found)
    if what == "day" and casino.clock.now() >= public_from(day):
        rows.append([proof_key(day)])
    return panel(heading, names, small=small, rows=rows)


async def _may_see(interaction: Interaction, day: StoredSet) -> bool:
    """Return whether the person may see the board of a day: they have finished it, or it is over for everybody.

    If the day is still open and the person has begun it, put them on this server's board.
    """
    now = interaction.client.clock.now()
    if now >= public_from(day.day):
        return True
    found = await (playing.look if now < closes(day.day) else playing.find)(interaction, day)
    return found is not None and found.found.over


def _not_yet(casino: Casino, day: int) -> Sorry:
    """Return the refusal for somebody who must not see the board of a day yet, which says when they may."""
    if casino.clock.now() < closes(day):
        return Sorry(_("You can see the board once your own five hands are over."))
    return Sorry(_("Some may still finish that day. Its board opens {when}.", when=when(public_from(day))))


def _lines(found: Board, viewer: int, *, by_week: bool) -> Iterator[str]:
    yield from (_line(each, viewer, by_week=by_week) for each in found.rows)
    if found.own is not None and viewer not in {each.user for each in found.rows}:
        yield _line(found.own, viewer, by_week=by_week)


def _line(placed: Placed, viewer: int, *, by_week: bool) -> str:
    values = {
        "place": rank_text(placed.place),
        "name": mention(placed.user) if placed.user else _("somebody"),
        "value": texts.points(placed.points),
    }
    line = (
        _("{place} · {name} · **{value}** ◂", **values)
        if placed.user == viewer
        else _("{place} · {name} · {value}", **values)
    )
    return f"{line} · {ngettext('{count} day', '{count} days', placed.days)}" if by_week else line


def _unfinished(user: int) -> str:
    return _("{name} · not finished", name=mention(user))


def _rows(what: str, day: int, found: Board) -> Rows:
    kinds: list[ui.Item[Any]] = [
        BoardKey.button(_("Day"), enabled=what != "day", what="day", day=day, page=0),
        BoardKey.button(_("Week"), enabled=what != "week", what="week", day=day, page=0),
        BoardKey.button(_("Day before"), enabled=what == "day", what="day", day=day - 1, page=0),
    ]
    if found.pages == 1:
        return [kinds]
    earlier, later = max(found.page - 1, 0), min(found.page + 1, found.pages - 1)
    pages: list[ui.Item[Any]] = [
        TurnKey.button(_("Previous"), enabled=found.page > 0, what=what, day=day, page=earlier),
        TurnKey.button(_("Next"), enabled=found.page < later, what=what, day=day, page=later),
    ]
    return [kinds, pages]


class BoardKey(Press, template=rf"today:board:{_PAGE}"):
    """The key that redraws its message as a page of a board."""

    what: str
    day: int
    page: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await board(interaction, self.what, self.day, self.page), [])


class TurnKey(BoardKey, template=rf"today:turn:{_PAGE}"):
    """The key that turns the page of a board.

    Its custom id differs from that of a `BoardKey`, because one message may have both keys and no custom id twice.
    """


class OpenBoardKey(Press, template=r"today:boards:(?P<day>\d{1,6})"):
    """The key that shows the board of a day to the presser only. Day 0 stands for today."""

    stands: ClassVar[Stands] = Stands.OPENLY

    day: int

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.show(await board(interaction, "day", self.day or day_at(interaction.client.clock.now())))
