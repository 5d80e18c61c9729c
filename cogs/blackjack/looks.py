"""How a blackjack table reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from cogs.pictures.blackjack import TablePicture, render
from cogs.table import people
from cogs.table.keys import Style, action_keys, betting_keys, seat_keys
from cogs.table.outcomes import outcome, result
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT, Cap, Key, Page, Picture
from cogs.words import N_, _, cards, chips, decks, mono, ranks, signed, when
from engine.games.blackjack import actions
from engine.games.blackjack.rules import Double, Rules, Split
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, Phase, SeatView
from engine.games.cards import Card
from engine.games.contract import Cents, Line, Outcome, Seat
from engine.tables.snapshot import Sitter, Snapshot, TablePhase

#: What the small print, titles and Discord's own counting need of a message's text.
_ROOM: Final = TEXT_LIMIT - 700

#: How cards are written: in full, and short where seven seats of four hands must fit.
Writing = Callable[[Iterable[Card | None]], str]
WRITINGS: Final[tuple[Writing, ...]] = (cards, ranks)

HIT: Final = Cap(actions.HIT, N_("Hit"), Style.primary)
STAND: Final = Cap(actions.STAND, N_("Stand"), Style.primary)
DOUBLE: Final = Cap(actions.DOUBLE, N_("Double"), Style.secondary)
SPLIT: Final = Cap(actions.SPLIT, N_("Split"), Style.secondary)
SWAP: Final = Cap(actions.SWAP, N_("Swap"), Style.secondary)
SURRENDER: Final = Cap(actions.SURRENDER, N_("Surrender"), Style.secondary)
INSURE: Final = Cap(actions.INSURE, N_("Insurance"), Style.primary)
DECLINE: Final = Cap(actions.DECLINE, N_("No insurance"), Style.secondary)
CAPS: Final = (HIT, STAND, DOUBLE, SPLIT, SWAP, SURRENDER, INSURE, DECLINE)

ENDS: Final[Mapping[Outcome, str]] = {
    Outcome.WIN: N_("beats the dealer"),
    Outcome.NATURAL: N_("natural"),
    Outcome.DEALER_BUST: N_("dealer over 21"),
    Outcome.LOSE: N_("dealer is higher"),
    Outcome.BUST: N_("over 21"),
    Outcome.DEALER_NATURAL: N_("dealer has a natural"),
    Outcome.INSURANCE_WON: N_("insurance pays 2:1"),
    Outcome.INSURANCE_LOST: N_("insurance lost"),
}

_STATES: Final[Mapping[HandState, str]] = {
    HandState.STANDING: N_("stands"),
    HandState.BUST: N_("over 21"),
    HandState.NATURAL: N_("natural"),
    HandState.SURRENDERED: N_("surrendered"),
}


def face(snapshot: Snapshot) -> Page:
    return Page(
        accent=people.accent(snapshot),
        title=title(snapshot),
        headline=_headline(snapshot),
        groups=_groups(snapshot),
        footer=people.small_print(snapshot),
        rows=_rows(snapshot),
        picture=_picture(snapshot),
    )


def title(snapshot: Snapshot) -> str:
    return _("**Blackjack** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks(snapshot.rules.decks))


# -- the headline ------------------------------------------------------------------------------------------------------


def _headline(snapshot: Snapshot) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.phase is TablePhase.PLAYING:
        return _question(snapshot)
    if people.is_calling(snapshot):
        return people.betting_headline(snapshot)
    return _result(snapshot)


def _question(snapshot: Snapshot) -> str:
    view: BlackjackView = snapshot.view
    until = when(snapshot.deadline) if snapshot.deadline is not None else ""
    if view.phase is Phase.INSURANCE:
        return _("Insurance? · ends {when}", when=until)
    if view.acting is None:
        return _("The dealer plays")
    seat = view.acting[0]
    sitter = snapshot.sitter_at(seat)
    if sitter is not None and sitter.computer is not None:
        return _("{name} plays", name=people.name(sitter))
    return _("{name}, your move · ends {when}", name=people.who(snapshot, seat), when=until)


def _result(snapshot: Snapshot) -> str:
    """For a lone player what it brought, for company what the dealer had."""
    assert snapshot.settlement is not None
    seats = people.in_round(snapshot)
    if len(seats) != 1 or seats[0].seat is None:
        return _dealer_result(snapshot.view.dealer)
    return result(snapshot.settlement, seats[0].seat)


def _dealer_result(dealer: DealerView) -> str:
    if dealer.natural:
        return _("The dealer has a natural")
    if dealer.bust:
        return _("The dealer is over 21")
    return _("The dealer has {total}", total=dealer.total)


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """In full if there is room for it, else in the short form."""
    if snapshot.view is None or (snapshot.phase is TablePhase.CLOSED and snapshot.settlement is None):
        return (tuple(people.waiting_line(sitter) for sitter in snapshot.sitters),)
    for write in WRITINGS:
        groups = _round_groups(snapshot, write)
        if sum(len(line) + 1 for group in groups for line in group) <= _ROOM:
            break
    return groups


def _round_groups(snapshot: Snapshot, write: Writing) -> tuple[tuple[str, ...], ...]:
    view: BlackjackView = snapshot.view
    seats = tuple(
        line
        for sitter in people.in_round(snapshot)
        if sitter.seat is not None
        for line in _seat_lines(snapshot, sitter, sitter.seat, write)
    )
    beside = tuple(people.waiting_line(sitter) for sitter in people.beside_round(snapshot))
    return tuple(group for group in ((_dealer_line(view.dealer, write),), seats, beside) if group)


def _dealer_line(dealer: DealerView, write: Writing) -> str:
    line = _("**Dealer** · {cards} · {total}", cards=mono(write(dealer.cards)), total=_total(dealer.total, dealer.soft))
    if dealer.natural:
        return _("{line} · natural", line=line)
    return _("{line} · over 21", line=line) if dealer.bust else line


def _seat_lines(snapshot: Snapshot, sitter: Sitter, seat: Seat, write: Writing) -> list[str]:
    seat_view = snapshot.view.seats[seat]
    lines = [_seat_line(snapshot, sitter, seat, seat_view)]
    lines += [_hand_line(snapshot, hand, (seat, index), write) for index, hand in enumerate(seat_view.hands)]
    if seat_view.insurance_result is not None:
        lines.append(_("– {outcome} · **{net}**", **_end(seat_view.insurance_result)))
    elif seat_view.insurance:
        lines.append(_("– insured for {stake}", stake=chips(seat_view.insurance)))
    return lines


def _seat_line(snapshot: Snapshot, sitter: Sitter, seat: Seat, view: SeatView) -> str:
    if snapshot.settlement is None:
        return people.playing_line(sitter, sum(hand.stake for hand in view.hands) + (view.insurance or 0))
    return people.settled_line(sitter, snapshot.settlement.net(seat))


def _hand_line(snapshot: Snapshot, hand: HandView, place: tuple[Seat, int], write: Writing) -> str:
    view: BlackjackView = snapshot.view
    row = _("{cards} · {total}", cards=mono(write(hand.cards)), total=_total(hand.total, hand.soft))
    if hand.doubled:
        row = _("{row} · doubled", row=row)
    if hand.swapped:
        row = _("{row} · swapped", row=row)
    if hand.result is not None:
        text = (
            N_("– {row} · {outcome} · **{net}**") if len(view.seats[place[0]].hands) > 1 else N_("– {row} · {outcome}")
        )
        return _(text, row=row, **_end(hand.result))
    if view.acting == place:
        return _("▸ {row}", row=row)
    if hand.state in _STATES:
        return _("– {row} · {state}", row=row, state=_(_STATES[hand.state]))
    return _("– {row}", row=row)


def _total(total: int, soft: bool) -> str:  # noqa: FBT001
    return _("**{total}** soft", total=total) if soft and total < 21 else _("**{total}**", total=total)


def _end(line: Line) -> dict[str, Any]:
    return {"outcome": outcome(line.outcome, ENDS), "net": signed(line.net)}


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: Snapshot) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.BETTING:
        return (betting_keys(snapshot),)
    return _action_rows(snapshot), seat_keys(snapshot)


def _action_rows(snapshot: Snapshot) -> tuple[Key, ...]:
    """What the rules have at all keeps its key through the whole round, so that no key ever moves under a finger."""
    if snapshot.view.phase is Phase.INSURANCE:
        return action_keys(snapshot, (INSURE, DECLINE))
    rules: Rules = snapshot.rules
    had = {
        DOUBLE: rules.double is not Double.NO,
        SPLIT: rules.split is not Split.NO,
        SWAP: rules.swap,
        SURRENDER: rules.surrender,
    }
    return action_keys(snapshot, (HIT, STAND, *(cap for cap, has in had.items() if has)))


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: Snapshot) -> Picture:
    shown = TablePicture(
        view=snapshot.view,
        numbers=tuple(sitter.place for sitter in people.in_round(snapshot)),
        waiting=tuple(sitter.place for sitter in people.beside_round(snapshot)),
        empty=_free_places(snapshot),
        staked=_staked(snapshot),
    )
    return Picture(shown, partial(render, shown), _alt(snapshot))


def _staked(snapshot: Snapshot) -> tuple[tuple[int, Cents], ...]:
    if snapshot.view is not None:
        return ()
    return tuple((sitter.place, sum(sitter.staked.values())) for sitter in snapshot.sitters if sitter.staked)


def _free_places(snapshot: Snapshot) -> tuple[int, ...]:
    if snapshot.solo or snapshot.view is not None:
        return ()
    taken = {sitter.place for sitter in snapshot.sitters}
    return tuple(place for place in range(1, snapshot.rules.seating.most + 1) if place not in taken)


def _alt(snapshot: Snapshot) -> str:
    """The table in words; with very many cards, in short words, and at last in totals."""
    for write in (*WRITINGS, None):
        text = " ".join(_alt_lines(snapshot, write))
        if len(text) <= ALT_LIMIT:
            break
    return text[:ALT_LIMIT]


def _alt_lines(snapshot: Snapshot, write: Writing | None) -> list[str]:
    if snapshot.view is None:
        return [_("A blackjack table, no cards yet."), *(_alt_waiting(sitter) for sitter in snapshot.sitters)]
    dealer = snapshot.view.dealer
    lines = [_("Dealer: {cards}, {total}.", cards=(write or ranks)(dealer.cards), total=dealer.total)]
    for sitter in people.in_round(snapshot):
        if sitter.seat is not None:
            hands = "; ".join(_alt_hand(hand, write) for hand in snapshot.view.seats[sitter.seat].hands)
            lines.append(_("Seat {place}: {hands}.", place=sitter.place, hands=hands))
    return lines


def _alt_waiting(sitter: Sitter) -> str:
    if sitter.staked:
        return _("Seat {place} stakes {stake}.", place=sitter.place, stake=chips(sum(sitter.staked.values())))
    return _("Seat {place} is taken.", place=sitter.place)


def _alt_hand(hand: HandView, write: Writing | None) -> str:
    worth = _("{net}", net=signed(hand.result.net)) if hand.result else _("stake {stake}", stake=chips(hand.stake))
    if write is None:
        return _("{total}, {worth}", total=hand.total, worth=worth)
    return _("{cards}, {total}, {worth}", cards=write(hand.cards), total=hand.total, worth=worth)
