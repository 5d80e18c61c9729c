"""How a baccarat table reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Final

from cogs.pictures.baccarat import BaccaratPicture, render
from cogs.table import people
from cogs.table.keys import to_come
from cogs.table.outcomes import result
from cogs.table.page import ALT_LIMIT, Key, Page, Picture
from cogs.words import N_, _, cards, chips, mono, ngettext
from engine.games.baccarat import BaccaratView, HandView, Spot
from engine.games.contract import Cents, Line, Stakes
from engine.live.snapshot import Sitter, Snapshot, TablePhase

SPOTS: Final[Mapping[str, str]] = {
    Spot.PLAYER.value: N_("Player"),
    Spot.BANKER.value: N_("Banker"),
    Spot.TIE.value: N_("Tie"),
}

#: The letters of the road.
_BEADS: Final[Mapping[str, str]] = {Spot.PLAYER.value: "P", Spot.BANKER.value: "B", Spot.TIE.value: "T"}


def face(snapshot: Snapshot) -> Page:
    return Page(
        accent=people.accent(snapshot),
        title=_title(snapshot),
        headline=_headline(snapshot),
        groups=_groups(snapshot),
        footer=(*_road(snapshot), *people.small_print(snapshot)),
        rows=_rows(snapshot),
        picture=_picture(snapshot),
    )


def _title(snapshot: Snapshot) -> str:
    decks = ngettext("{count} deck", "{count} decks", snapshot.rules.decks)
    return _("**Baccarat** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks)


def _headline(snapshot: Snapshot) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.settlement is None or people.is_calling(snapshot):
        return people.betting_headline(snapshot)
    people_in = people.in_round(snapshot)
    if len(people_in) == 1:
        return result(snapshot.settlement.net(0))
    return _result(snapshot.view)


def _result(view: BaccaratView) -> str:
    totals = {"player": view.player.total, "banker": view.banker.total}
    match view.result:
        case Spot.PLAYER:
            return _("Player wins, {player} to {banker}", **totals)
        case Spot.BANKER:
            return _("Banker wins, {banker} to {player}", **totals)
        case Spot.TIE:
            return _("A tie, {player} to {banker}", **totals)


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """Once somebody has staked for the next coup, its stakes are what counts."""
    calling = tuple(_waiting_line(sitter) for sitter in snapshot.sitters if sitter.member is not None)
    if snapshot.view is None:
        return (calling,)
    hands = (_hand_line(_("**Player**"), snapshot.view.player), _hand_line(_("**Banker**"), snapshot.view.banker))
    if people.is_calling(snapshot):
        return hands, calling
    settled = tuple(_settled_line(snapshot, sitter) for sitter in people.in_round(snapshot))
    beside = tuple(people.waiting_line(sitter) for sitter in people.beside_round(snapshot))
    return tuple(group for group in (hands, settled, beside) if group)


def _hand_line(name: str, hand: HandView) -> str:
    return _("{name} · {cards} · **{total}**", name=name, cards=mono(cards(hand.cards)), total=hand.total)


def _waiting_line(sitter: Sitter) -> str:
    if not sitter.staked:
        return people.waiting_line(sitter)
    return _(
        "{head} · {stakes} · {balance} left",
        head=people.heading(sitter),
        stakes=_stakes(sitter.staked),
        balance=chips(sitter.balance),
    )


def _stakes(stakes: Stakes) -> str:
    return " · ".join(_("{spot} {stake}", spot=_(SPOTS[spot]), stake=chips(stake)) for spot, stake in stakes.items())


def _settled_line(snapshot: Snapshot, sitter: Sitter) -> str:
    assert sitter.seat is not None
    lines: tuple[Line, ...] = snapshot.view.seats[sitter.seat]
    stakes = _stakes({line.what: line.staked for line in lines})
    line = people.settled_line(sitter, sum(line.net for line in lines))
    return _("{line} · on {stakes}", line=line, stakes=stakes)


def _road(snapshot: Snapshot) -> tuple[str, ...]:
    if not snapshot.road:
        return ()
    return (_("Road {beads}", beads=mono(" ".join(_BEADS[spot] for spot in snapshot.road))),)


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: Snapshot) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    number = to_come(snapshot)
    staked = any(sitter.staked for sitter in snapshot.sitters)
    spots = tuple(Key(spot, number) for spot in SPOTS)
    return ((*spots, Key("deal", number, enabled=staked), Key("leave", number)),)


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: Snapshot) -> Picture:
    calling = people.is_calling(snapshot)
    shown = BaccaratPicture(
        view=snapshot.view,
        stakes=tuple((Spot(spot), cents) for spot, cents in _lying(snapshot, calling=calling).items()),
        road=tuple(Spot(spot) for spot in snapshot.road),
    )
    return Picture(shown, partial(render, shown), _alt(snapshot, calling=calling))


def _lying(snapshot: Snapshot, *, calling: bool) -> dict[str, Cents]:
    """What lies on each spot: for the coup to come, or of the one on display."""
    lying: Counter[str] = Counter()
    if calling:
        for sitter in snapshot.sitters:
            lying.update(dict(sitter.staked or {}))
    elif snapshot.view is not None:
        for line in (line for lines in snapshot.view.seats for line in lines):
            lying[line.what] += line.staked
    return {spot: lying[spot] for spot in SPOTS if lying[spot]}


def _alt(snapshot: Snapshot, *, calling: bool) -> str:
    view: BaccaratView | None = snapshot.view
    told = [_("A baccarat table, no cards yet.")]
    if view is not None:
        told = [
            _("Player: {cards}, {total}.", cards=cards(view.player.cards), total=view.player.total),
            _("Banker: {cards}, {total}.", cards=cards(view.banker.cards), total=view.banker.total),
            _("{result}.", result=_result(view)),
        ]
    told += [
        _("{stake} on {spot}.", stake=chips(cents), spot=_(SPOTS[spot]))
        for spot, cents in _lying(snapshot, calling=calling).items()
    ]
    told += _road(snapshot)
    return " ".join(told)[:ALT_LIMIT]
