"""The page of games for one player that ask at most one question in a round, such as war."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from cogs.table import people
from cogs.table.keys import betting_keys, in_rows, seat_keys
from cogs.table.page import Accent, Key, Lines, Page, Picture
from cogs.words import READER, _, chips, decimal
from engine.tables.snapshot import Snapshot, TablePhase

#: The type of the snapshots of one game's tables.
S = TypeVar("S", bound=Snapshot)


def page(
    snapshot: S,
    *,
    title: str,
    asks: Callable[[S], str],
    lines: Callable[[S], Lines],
    answers: Callable[[S], tuple[Key, ...]],
    picture: Picture | None,
    highlight: str = "",
) -> Page:
    """Return the table's page: bets, the open question, or the result.

    `asks` returns the question, `answers` the keys that answer it, and `lines` the lines about the cards. `highlight`
    is the headline of a special result, marked for translation, with the placeholders `who` and `net`. A win with such
    a headline also gives the message's edge the colour of a highlight.
    """
    accent = people.accent(snapshot)
    return Page(
        accent=Accent.HIGHLIGHT if highlight and accent is Accent.WON else accent,
        title=title,
        headline=_headline(snapshot, asks, highlight),
        groups=_groups(snapshot, lines),
        footer=people.small_print(snapshot),
        rows=_rows(snapshot, answers),
        picture=picture,
    )


def _headline(snapshot: S, asks: Callable[[S], str], highlight: str) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.phase is TablePhase.PLAYING:
        return asks(snapshot)
    if snapshot.settlement is None:
        return people.betting_headline()
    return people.result_headline(snapshot, {0: highlight} if highlight else None)


def _groups(snapshot: S, lines: Callable[[S], Lines]) -> tuple[Lines, ...]:
    if snapshot.view is None:
        return (*people.waiting(snapshot), people.clock(snapshot))
    return ((*lines(snapshot), *people.clock(snapshot, asked=any(snapshot.legal))),)


def _rows(snapshot: S, answers: Callable[[S], tuple[Key, ...]]) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.BETTING:
        return *in_rows(betting_keys(snapshot)), seat_keys(snapshot)
    return in_rows(answers(snapshot))


def picture(
    snapshot: S, shows: Callable[..., Any], render: Callable[[Any], bytes], alt: Callable[[S], str]
) -> Picture | None:
    """Return the picture of the round, or of the table before the deal; None for readers who want no pictures.

    `shows` makes the picture's content from the round's view and the stake, `render` makes the file from that content,
    and `alt` returns the table in words.
    """
    reader = READER.get()
    if not reader.pictures:
        return None
    staked = sum(sum(sitter.staked.values()) for sitter in snapshot.sitters if sitter.staked)
    shown = shows(snapshot.view, staked or None, four_colours=reader.four_colours, decimal=decimal())
    told = alt(snapshot)
    if snapshot.view is None and staked:
        told = " ".join((told, _("Stake {stake}.", stake=chips(staked))))
    return Picture(shown, partial(render, shown), told)
