"""How a battle reads: one member against the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from cogs.pictures.war import WarPicture, render
from cogs.table import people
from cogs.table.keys import action_keys, betting_keys
from cogs.table.outcomes import outcome, result
from cogs.table.page import Key, Page, Picture
from cogs.words import N_, _, cards, chips, decks, mono, ngettext, signed, when
from engine.games.contract import Outcome
from engine.games.war import War, WarView
from engine.tables.snapshot import Sitter, Snapshot, TablePhase

_WHY: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("the higher card"),
    Outcome.LOSE: N_("the lower card"),
}


def face(snapshot: Snapshot) -> Page:
    return Page(
        accent=people.accent(snapshot),
        title=_title(snapshot),
        headline=_headline(snapshot),
        groups=_groups(snapshot),
        footer=people.small_print(snapshot),
        rows=_rows(snapshot),
        picture=_picture(snapshot),
    )


def _title(snapshot: Snapshot) -> str:
    return _("**Casino war** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks(snapshot.rules.decks))


def _headline(snapshot: Snapshot) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.phase is TablePhase.PLAYING:
        until = when(snapshot.deadline) if snapshot.deadline is not None else ""
        return _("Equal cards: war, or surrender? · ends {when}", when=until)
    if snapshot.settlement is None:
        return people.betting_headline(snapshot)
    return result(snapshot.settlement.net(0))


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    if snapshot.view is None:
        return (tuple(people.waiting_line(sitter) for sitter in snapshot.sitters),)
    view: WarView = snapshot.view
    dealer = _("**Dealer** · {cards}", cards=mono(cards(view.dealer)))
    mine = (line for sitter in people.in_round(snapshot) for line in _own_lines(sitter, view))
    return ((dealer, *mine),)


def _own_lines(sitter: Sitter, view: WarView) -> tuple[str, str]:
    row = _("{name} · {cards}", name=people.name(sitter), cards=mono(cards(view.player)))
    state = _state(view)
    if sitter.member is None:  # in a history
        return row, _("– {state}", state=state)
    if view.result is None:
        return row, _("– {state} · {balance} left", state=state, balance=chips(sitter.balance))
    return row, _("– {state} · {balance} chips", state=state, balance=chips(sitter.balance))


def _state(view: WarView) -> str:
    if view.result is None:
        return _("stake {stake}", stake=chips(view.stake))
    end = {"outcome": outcome(view.result.outcome, _WHY), "net": signed(view.result.net)}
    if view.burnt:
        return _("{burnt} · {outcome} · **{net}**", burnt=_burnt(view), **end)
    return _("{outcome} · **{net}**", **end)


def _burnt(view: WarView) -> str:
    return ngettext("{count} card burnt", "{count} cards burnt", view.burnt)


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: Snapshot) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.BETTING:
        return (betting_keys(snapshot, snapshot.rules.seating.most),)
    return (action_keys(snapshot, War.answers),)


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: Snapshot) -> Picture:
    staked = sum(sum(sitter.staked.values()) for sitter in snapshot.sitters if sitter.staked)
    shown = WarPicture(snapshot.view, staked or None)
    return Picture(shown, partial(render, shown), _alt(snapshot))


def _alt(snapshot: Snapshot) -> str:
    if snapshot.view is None:
        return _("A table for casino war, no cards yet.")
    view: WarView = snapshot.view
    told = [
        _("Dealer: {cards}.", cards=cards(view.dealer)),
        _("Player: {cards}, stake {stake}.", cards=cards(view.player), stake=chips(view.stake)),
    ]
    if view.burnt:
        told.append(_("{burnt}.", burnt=_burnt(view)))
    if view.result is not None:
        told.append(_("{outcome}: {net}.", outcome=outcome(view.result.outcome, _WHY), net=signed(view.result.net)))
    return " ".join(told)
