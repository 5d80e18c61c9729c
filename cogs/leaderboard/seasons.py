"""The boards of the running season and of seasons that have ended: their pages, lines and buttons (R14.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import ClassVar, Final, Self

import discord
from babel.dates import format_skeleton
from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.here import here
from cogs.answers.panel import Rows, in_rows, panel
from cogs.answers.press import Press, choice
from cogs.answers.reply import Reply
from cogs.leaderboard.ladders import NAMES as LADDERS
from cogs.leaderboard.ladders import LadderButton, everybody
from cogs.today import texts
from cogs.words import N_, READER, _, mention, ngettext, number, percent, rank_text, reading
from cogs.words.refusals import Sorry
from data import (
    PROVISIONAL,
    Ladder,
    Season,
    SeasonBoard,
    SeasonPage,
    SeasonStanding,
    Span,
    season_at,
    season_named,
)

NAMES: Final[Mapping[SeasonBoard, str]] = {
    SeasonBoard.ACCURACY: N_("Accuracy"),
    SeasonBoard.FIVE: N_("Today's five"),
    SeasonBoard.BLACKJACK: N_("Blackjack"),
    SeasonBoard.POINTS: N_("Points"),
}
#: The explanation below each board.
_SAYS: Final[Mapping[SeasonBoard, str]] = {
    SeasonBoard.ACCURACY: N_(
        "Close decisions played right: the two best plays are 0.3 to 15% of the stake apart. "
        "Ranked from 200 on, provisionally from 50 on."
    ),
    SeasonBoard.FIVE: N_("The points of your best days. A missed day is worth nothing."),
    SeasonBoard.BLACKJACK: N_(
        "Stakes won per hundred hands of blackjack. Ranked from 200 hands on, provisionally from 50 on."
    ),
    SeasonBoard.POINTS: N_(
        "A duel won brings 2 points and a draw 1, but only the first duel of a day between the same two people. "
        "A tournament of four people or more brings its first three 5, 3 and 2."
    ),
}
_BOARDS: Final = tuple(SeasonBoard)
_SPANS: Final = tuple(Span)
_MILLION: Final = 1_000_000
_HUNDRED: Final = 100
#: The number of people on a page.
_PAGE: Final = 10


async def running(interaction: Interaction) -> Season:
    """Return this server's running season."""
    casino = interaction.client
    settings = await casino.bank.guilds.settings(here(interaction).guild)
    return season_at(casino.clock.now(), settings.season)


async def first_with_people(interaction: Interaction) -> SeasonBoard | None:
    """Return the running season's first board that anybody has a place on, or None."""
    season, guild = await running(interaction), here(interaction).guild
    for board in SeasonBoard:
        if (await interaction.client.bank.seasons.board(guild, season, board, 0, 1)).people:
            return board
    return None


async def key_to_running(interaction: Interaction) -> SeasonKey:
    """Return the key that leads from a board of all time to the running season's first board with people.

    If no board has people, it leads to the board of accuracy.
    """
    board, season = await first_with_people(interaction) or SeasonBoard.ACCURACY, await running(interaction)
    return SeasonKey.of(interaction.user.id, board, season, 0, season_text(season), "b", enabled=True)


async def view_of(
    interaction: Interaction, board: SeasonBoard, season: Season | None = None, page: int = 0
) -> ui.LayoutView:
    """Return a page (from 0) of a board of a season, by default the running one.

    The member who asks comes last if they have a place on another page.
    """
    boards, guild, user = interaction.client.bank.seasons, here(interaction).guild, interaction.user.id
    now = await running(interaction)
    season = season or now
    found = await boards.board(guild, season, board, page, _PAGE, user=user)
    listed = {each.name: each for each in (now, season, *await boards.ended(guild, now))}
    rows = _keys(user, board, season, found)
    if len(listed) > 1:
        rows.append([SeasonMenu.of(user, board, list(listed.values()), season)])
    return panel(
        _("Leaderboard · {ladder} · {season}", ladder=_(NAMES[board]), season=season_text(season)),
        "\n".join(_lines(board, found, user)) or _("Nobody is on this list yet."),
        small=[_(_SAYS[board]), *_small(found, user)],
        rows=rows,
    )


def _keys(viewer: int, board: SeasonBoard, season: Season, found: SeasonPage) -> Rows:
    boards = [
        SeasonKey.of(viewer, each, season, 0, _(NAMES[each]), "b", enabled=each is not board) for each in SeasonBoard
    ]
    chips = LadderButton.of(viewer, Ladder.CHIPS, 0, _(LADDERS[Ladder.CHIPS]), "l", enabled=True)
    rows = in_rows([*boards, chips])
    if found.pages > 1:
        back = SeasonKey.of(viewer, board, season, found.page - 1, _("Previous"), "p", enabled=found.page > 0)
        forth = SeasonKey.of(
            viewer, board, season, found.page + 1, _("Next"), "n", enabled=found.page + 1 < found.pages
        )
        rows.append([back, forth])
    return rows


def season_text(season: Season) -> str:
    """Return the name of a season in the reader's language: ``November 2026`` or ``4th quarter 2026``."""
    language = READER.get().language
    if season.span is Span.MONTH:
        return str(format_skeleton("yMMMM", date(season.year, season.number, 1), locale=language))
    return str(format_skeleton("yQQQQ", date(season.year, 3 * season.number, 1), locale=language))


def _lines(board: SeasonBoard, found: SeasonPage, viewer: int) -> Iterator[str]:
    yield from (line(board, each, viewer) for each in found.rows)
    if found.own is not None and all(each.user != viewer for each in found.rows):
        yield line(board, found.own, viewer)


def line(board: SeasonBoard, standing: SeasonStanding, viewer: int = 0) -> str:
    """Return the line of a member on a board. That of `viewer` is marked, and its value is bold."""
    values = {
        "place": rank_text(standing.place),
        "name": mention(standing.user) if standing.user is not None else _("a former player"),
        "value": _value(board, standing),
    }
    own = standing.user == viewer
    told = _("{place} · {name} · **{value}** ◂", **values) if own else _("{place} · {name} · {value}", **values)
    return _("{line} · provisional", line=told) if standing.provisional else told


def _value(board: SeasonBoard, standing: SeasonStanding) -> str:
    match board:
        case SeasonBoard.ACCURACY:
            decisions = ngettext("{count} decision", "{count} decisions", standing.amount)
            return _("{accuracy} of {decisions}", accuracy=percent(standing.value, _MILLION), decisions=decisions)
        case SeasonBoard.FIVE:
            days = ngettext("{count} day", "{count} days", standing.amount)
            return _("{points} in {days}", points=texts.points(standing.value), days=days)
        case SeasonBoard.BLACKJACK:
            hands = ngettext("{count} hand", "{count} hands", standing.amount)
            return _("{net} in {hands}", net=_stakes(standing.value), hands=hands)
        case SeasonBoard.POINTS:
            return ngettext("{count} point", "{count} points", standing.value)


def _stakes(millionths: int) -> str:
    """Return a net result, in millionths of a stake for each hand, as stakes per hundred hands: ``+3.2``."""
    a_hundred = (Decimal(millionths) * _HUNDRED / _MILLION).quantize(Decimal("0.1"))
    sign = "−" if a_hundred < 0 else "+" if a_hundred > 0 else ""
    return f"{sign}{number(abs(a_hundred))}"


def _small(found: SeasonPage, viewer: int) -> Iterator[str]:
    """Yield the number of people on the board.

    If the member who asks (`viewer`) has hands or decisions, but too few for a place, also yield how many they have and
    how many it takes.
    """
    yield ngettext("{count} player", "{count} players", found.people)
    if 0 < found.too_few < PROVISIONAL:
        values = {"name": mention(viewer), "count": number(found.too_few), "enough": number(PROVISIONAL)}
        yield _("{name} has {count} of {enough}.", **values)


async def _answer(
    interaction: Interaction, reply: Reply, viewer: int, board: SeasonBoard, season: Season, page: int
) -> None:
    if interaction.user.id != viewer:
        await reply.show(await view_of(interaction, board, season, page))
        return
    with reading(await everybody(interaction)):
        view = await view_of(interaction, board, season, page)
    await reply.redraw(view, strangers=True)


class SeasonKey(
    Press,
    template=r"season:(?P<viewer>\d{1,20}):(?P<board>\d):(?P<span>\d):(?P<year>\d{4}):(?P<number>\d{1,2}):(?P<page>-?\d{1,4}):(?P<what>[bpn])",
):
    """The button that shows a page of a board: in the same message for the member who asked for it (`viewer`), to
    anybody else in a message of their own.
    """

    stands: ClassVar[Stands] = Stands.OPENLY

    viewer: int
    board: int
    span: int
    year: int
    number: int
    page: int

    @classmethod
    def of(
        cls, viewer: int, board: SeasonBoard, season: Season, page: int, label: str, what: str, *, enabled: bool
    ) -> Self:
        """Return a button for a page; `what` tells apart two buttons that lead to the same page."""
        return cls.button(
            label,
            enabled=enabled,
            viewer=viewer,
            board=_BOARDS.index(board),
            span=_SPANS.index(season.span),
            year=season.year,
            number=season.number,
            page=page,
            what=what,
        )

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        season = Season(_SPANS[self.span % len(_SPANS)], self.year, self.number)
        if season_named(season.name) is None:
            raise Sorry(_("There is no such season."))
        await _answer(interaction, reply, self.viewer, _BOARDS[self.board % len(_BOARDS)], season, max(0, self.page))


class SeasonMenu(Press, template=r"season:menu:(?P<viewer>\d{1,20}):(?P<board>\d)"):
    """The menu that shows the same board for another season.

    It does so in the same message for the member who asked for the board (`viewer`), and to anybody else in a message
    of their own.
    """

    stands: ClassVar[Stands] = Stands.OPENLY

    viewer: int
    board: int

    @classmethod
    def of(cls, viewer: int, board: SeasonBoard, seasons: list[Season], shown: Season) -> Self:
        """Return the menu of the first 25 of these seasons, with the one on display (`shown`) chosen."""
        options = [
            discord.SelectOption(label=season_text(each), value=each.name, default=each == shown) for each in seasons
        ]
        return cls(ui.Select(custom_id=cls.carries.of(viewer=viewer, board=_BOARDS.index(board)), options=options[:25]))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        season = season_named(choice(interaction))
        if season is None:
            raise Sorry(_("There is no such season."))
        await _answer(interaction, reply, self.viewer, _BOARDS[self.board % len(_BOARDS)], season, 0)
