"""How a battle reads: one member against the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from cogs.pictures.war import WarPicture, render
from cogs.table import people
from cogs.table.keys import action_keys, betting_keys
from cogs.table.outcomes import result
from cogs.table.page import Key, Page, Picture
from cogs.words import N_, _, cards, chips, mono, ngettext, signed, when
from engine.games.contract import Outcome
from engine.games.war import GAME, WarView
from engine.live.snapshot import Sitter, Snapshot, TablePhase

_OUTCOMES: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("the higher card"),
    Outcome.LOSE: N_("the lower card"),
    Outcome.SURRENDER: N_("surrendered, half back"),
    Outcome.WAR_WON: N_("the war is won"),
    Outcome.WAR_TIED: N_("equal again, the war is won"),
    Outcome.WAR_LOST: N_("the war is lost"),
}


_STAKED: Final = N_("{name} · {cards} · stake {stake} · {balance} left")
_STAKED_ONCE: Final = N_("{name} · {cards} · stake {stake}")  # in a history


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
    decks = ngettext("{count} deck", "{count} decks", snapshot.rules.decks)
    return _("**Casino war** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks)


def _headline(snapshot: Snapshot) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.phase is TablePhase.PLAYING:
        until = when(snapshot.deadline) if snapshot.deadline is not None else ""
        return _("Equal cards: war? · surrender {when}", when=until)
    if snapshot.settlement is None:
        return people.betting_headline(snapshot)
    return result(snapshot.settlement.net(0))


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    if snapshot.view is None:
        return (tuple(people.waiting_line(sitter) for sitter in snapshot.sitters),)
    view: WarView = snapshot.view
    dealer = _("**Dealer** · {cards}", cards=mono(cards(view.dealer)))
    burnt = (_("– {burnt} in between", burnt=_burnt(view)),) if view.burnt else ()
    return ((dealer, *(_own_line(sitter, view) for sitter in people.in_round(snapshot)), *burnt),)


def _own_line(sitter: Sitter, view: WarView) -> str:
    row = {"name": people.name(sitter), "cards": mono(cards(view.player)), "balance": chips(sitter.balance)}
    if view.result is None:
        text = _STAKED if sitter.member is not None else _STAKED_ONCE
        return _(text, **row, stake=chips(view.stake))
    end = {"outcome": _(_OUTCOMES[view.result.outcome]), "net": signed(view.result.net)}
    if sitter.member is None:
        return _("{name} · {cards} · {outcome} · **{net}**", **row, **end)
    return _("{name} · {cards} · {outcome} · **{net}** · {balance} chips", **row, **end)


def _burnt(view: WarView) -> str:
    return ngettext("{count} card burnt", "{count} cards burnt", view.burnt)


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: Snapshot) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.BETTING:
        return (betting_keys(snapshot, GAME.most_seats),)
    return (action_keys(snapshot, GAME.actions),)


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
        told.append(_("{outcome}: {net}.", outcome=_(_OUTCOMES[view.result.outcome]), net=signed(view.result.net)))
    return " ".join(told)
