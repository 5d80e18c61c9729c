"""The messages of tournaments with the same cards for all: the board during play, and the end."""

from __future__ import annotations

from collections.abc import Collection

from discord import ButtonStyle, ui

from cogs.answers.panel import BRASS, FELT, panel
from cogs.pictures.bars import has_steps
from cogs.tournament import field as texts
from cogs.tournament.pages import MOST_LINES, PICTURE, again_key, again_text, checked, day_and_hour, podium_alt, rest
from cogs.tournament.playing import FieldDealsKey, FieldPlacesKey, PlayFieldKey
from cogs.words import READER, _
from engine.tournament.view import TournamentView


def board(view: TournamentView) -> ui.LayoutView:
    """Return the standings: who has begun and who is done while the cards are played, and at the end the places."""
    title = _("Tournament · {name} · standings", name=day_and_hour(view.state))
    if view.field is None:
        lines = "\n".join(texts.placed(view, line) for line in view.lines[:MOST_LINES])
        return panel(title, lines or _("Nobody played."), small=[*rest(view), *texts.legend(view)], colour=FELT)
    play = PlayFieldKey.of(view.state.id, _("Play my hands"))
    blocks = (texts.progress(view, view.field), *texts.board(view.field))
    return panel(title, *blocks, small=[texts.secret()], rows=[[play]], colour=FELT)


def has_picture(view: TournamentView) -> bool:
    """Return whether the end has a picture: the reader wants pictures, somebody played, and the podium has no ties."""
    return READER.get().pictures and has_steps([line.place for line in view.lines[:4]])


def podium(view: TournamentView, gone: Collection[int], following: TournamentView | None = None) -> ui.LayoutView:
    """Return the message at a tournament's end: who won, the places, the pool, and keys to all hands and places.

    `gone` are prize winners who have left the server; `following` is the next tournament of the series.
    """
    title = _("Tournament · {name} is over", name=day_and_hour(view.state))
    deals = FieldDealsKey.button(_("All hands"), style=ButtonStyle.primary, tournament=view.state.id, page=0)
    places = FieldPlacesKey.button(_("All places"), tournament=view.state.id, page=0)
    again = [] if following is None else [again_key(view, following)]
    lines = "\n".join(texts.placed(view, line, gone) for line in view.lines[:MOST_LINES])
    return panel(
        title,
        texts.winners(view),
        lines,
        texts.pool_went(view),
        *([again_text(following)] if following is not None else []),
        small=[*rest(view), *texts.legend(view), *checked(view.state)],
        rows=[[deals, *([places] if len(view.lines) > MOST_LINES else []), *again]],
        picture=(PICTURE, podium_alt(view)) if has_picture(view) else None,
        colour=BRASS,
    )
