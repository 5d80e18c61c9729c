"""Says what a blackjack table shows: headline, lines, buttons, picture, and the picture's alt text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from cogs.pictures.bars import Stack
from cogs.pictures.blackjack import TablePicture, render
from cogs.table import people
from cogs.table.keys import ButtonStyle, action_keys, betting_keys, in_rows, seat_keys
from cogs.table.page import ALT_LIMIT, TEXT_LIMIT, Cap, Key, Page, Picture
from cogs.words import N_, READER, _, apart, cards, chips, counted, decimal, decks, ranks, signed, written
from engine.games.blackjack import actions
from engine.games.blackjack.rules import BlackjackRules, Double, Split
from engine.games.blackjack.view import BlackjackView, DealerView, HandState, HandView, RoundPhase
from engine.games.cards import Card
from engine.games.contract import Seat
from engine.tables.snapshot import GameSnapshot, Sitter, TablePhase

#: A table of this game as everybody may see it.
BlackjackTable: TypeAlias = GameSnapshot[BlackjackRules, BlackjackView]

#: The most characters for the lines of the page: Discord's limit, less an allowance for all else in the message.
_ROOM: Final = TEXT_LIMIT - 700

#: A function that writes cards: in full, or short where seven seats of four hands have to fit.
Writing = Callable[[Iterable[Card | None]], str]
WRITINGS: Final[tuple[Writing, ...]] = (cards, ranks)

HIT: Final = Cap(actions.HIT, N_("Hit"), ButtonStyle.primary)
STAND: Final = Cap(actions.STAND, N_("Stand"), ButtonStyle.primary)
DOUBLE: Final = Cap(actions.DOUBLE, N_("Double"), ButtonStyle.secondary)
SPLIT: Final = Cap(actions.SPLIT, N_("Split"), ButtonStyle.secondary)
SWAP: Final = Cap(actions.SWAP, N_("Swap"), ButtonStyle.secondary)
SURRENDER: Final = Cap(actions.SURRENDER, N_("Surrender"), ButtonStyle.secondary)
INSURE: Final = Cap(actions.INSURE, N_("Insure"), ButtonStyle.secondary)
DECLINE: Final = Cap(actions.DECLINE, N_("No insurance"), ButtonStyle.primary)
CAPS: Final = (HIT, STAND, DOUBLE, SPLIT, SWAP, SURRENDER, INSURE, DECLINE)

#: Headlines of special wins, shown when only one person plays.
_BLACKJACK: Final = N_("BLACKJACK! {who} {net}")
_DOUBLED: Final = N_("Doubled! {who} {net}")
_SWAPPED: Final = N_("Swapped! {who} {net}")
_FIVE_CARDS: Final = N_("21 with five cards! {who} {net}")
_SIX_CARDS: Final = N_("21 with six cards! {who} {net}")
_MORE_CARDS: Final = N_("21 with a whole fan of cards! {who} {net}")


def page_of(snapshot: BlackjackTable) -> Page:
    """Return what the message of a blackjack table says, with a picture for readers who want pictures."""
    return Page(
        accent=people.accent(snapshot),
        title=_("**Blackjack** · {rules} · {decks}", rules=snapshot.rules_name, decks=decks(snapshot.rules.decks)),
        headline=_headline(snapshot),
        groups=_groups(snapshot),
        footer=people.small_print(snapshot),
        rows=_rows(snapshot),
        picture=_picture(snapshot) if READER.get().pictures else None,
    )


# -- the headline ------------------------------------------------------------------------------------------------------


def _headline(snapshot: BlackjackTable) -> str:
    if snapshot.phase is TablePhase.CLOSED:
        return people.closed_headline(snapshot)
    if snapshot.phase is TablePhase.BETTING:
        calling = people.is_calling(snapshot)
        return people.betting_headline() if calling else people.result_headline(snapshot, _highlights(snapshot))
    view = snapshot.dealt
    if view.phase is RoundPhase.INSURANCE:
        return _insurance_asked(snapshot)
    assert view.acting is not None
    sitter = snapshot.in_round[view.acting[0]]
    if sitter.computer is not None:
        return _("{name} plays", name=people.name(sitter))
    return _("{name}, your move", name=people.name(sitter))


def _insurance_asked(snapshot: BlackjackTable) -> str:
    """Return the question about insurance, with the name if it concerns only one person."""
    asked = [sitter for sitter in snapshot.in_round if sitter.member and snapshot.legal[sitter.seat or 0]]
    return _("{name}, insurance?", name=people.name(asked[0])) if len(asked) == 1 else _("Insurance?")


def _highlights(snapshot: BlackjackTable) -> Mapping[Seat, str]:
    """Return the special headlines of winning seats: for a natural, a 21 of five cards or more, a double, or a swap."""
    assert snapshot.settlement is not None
    found: dict[Seat, str] = {}
    for seat, seat_view in enumerate(snapshot.dealt.seats):
        if snapshot.settlement.net(seat) <= 0:
            continue
        for hand in seat_view.hands:
            if hand.result is None or hand.result.net <= 0:
                continue
            if hand.state is HandState.NATURAL:
                found[seat] = _BLACKJACK
            elif hand.total == 21 and len(hand.cards) >= 5:
                found[seat] = {5: _FIVE_CARDS, 6: _SIX_CARDS}.get(len(hand.cards), _MORE_CARDS)
            elif hand.doubled or hand.swapped:
                found.setdefault(seat, _DOUBLED if hand.doubled else _SWAPPED)
    return found


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: BlackjackTable) -> tuple[tuple[str, ...], ...]:
    """Return the lines in groups: the dealer, the players, the computer players in small print, those who wait, the
    clock. Without a round to show there are only people who wait, and the clock.

    Cards are written in full if there is room for that, and shorter otherwise.
    """
    if snapshot.view is None or (snapshot.phase is TablePhase.CLOSED and snapshot.settlement is None):
        return (*people.waiting(snapshot), people.clock(snapshot))
    playing = snapshot.in_round
    beside = tuple(people.waiting_line(sitter) for sitter in snapshot.sitters if sitter.seat is None)
    for write in (written, *WRITINGS):
        dealer = _dealer(snapshot.dealt.dealer, write)
        seats = tuple(_seat_line(snapshot, sitter, write) for sitter in playing if sitter.computer is None)
        computers_write = None if READER.get().pictures else write
        computers = [_computer(snapshot, sitter, computers_write) for sitter in playing if sitter.computer is not None]
        small = people.small(computers)
        groups = ((dealer,), seats, small, beside, people.clock(snapshot, asked=any(snapshot.legal)))
        if sum(len(line) + 1 for group in groups for line in group) <= _ROOM:
            break
    return tuple(group for group in groups if group)


def _dealer(dealer: DealerView, write: Writing) -> str:
    row, ended = _row(dealer, write), _dealer_ended(dealer)
    return _("Dealer · {hand} {why}", hand=row, why=_(ended.called)) if ended else _("Dealer · {hand}", hand=row)


class _DealerEnd(NamedTuple):
    """The words for how the dealer's hand ended: on the dealer's line, and beside a hand that lost to it."""

    called: str
    against: str = ""


def _dealer_ended(dealer: DealerView) -> _DealerEnd | None:
    """Return the words for a dealer who is bust or has a blackjack, or None for any other hand."""
    if dealer.natural:
        return _DealerEnd(N_("blackjack"), N_("against a blackjack"))
    return _DealerEnd(N_("bust")) if dealer.bust else None


def _row(hand: HandView | DealerView, write: Writing | None) -> str:
    """Return a hand's cards and total as text; if `write` is None, only the total.

    A soft hand under 21 has both totals.
    """
    if hand.soft and hand.total < 21:
        total = _("**{low}/{high}**", low=hand.total - 10, high=hand.total)
    else:
        total = _("**{total}**", total=hand.total)
    return _("{cards} {total}", cards=write(hand.cards), total=total) if write is not None else total


def _seat_line(snapshot: BlackjackTable, sitter: Sitter, write: Writing) -> str:
    assert sitter.seat is not None
    view = snapshot.dealt.seats[sitter.seat]
    hands = _hands(snapshot, sitter, write)
    single = people.is_alone(snapshot)
    if snapshot.settlement is not None:
        return people.settled_line(snapshot, sitter, hands, snapshot.settlement.net(sitter.seat), alone=single)
    more_to_tell = len(view.hands) > 1 or view.insurance or view.hands[0].late
    # The line has no more room, and the picture shows the stakes, where there is one.
    staked = None if more_to_tell and READER.get().pictures else sum(hand.stake for hand in view.hands)
    return people.playing_line(sitter, hands, staked, alone=single)


def _computer(snapshot: BlackjackTable, sitter: Sitter, write: Writing | None) -> str:
    """Return a computer player's name and hands, short enough for three players on one line of a phone.

    `write` returns cards as text; it is None if a picture shows the cards.
    """
    assert sitter.seat is not None
    return _("{name} {hands}", name=sitter.computer, hands=_hands(snapshot, sitter, write))


def _hands(snapshot: BlackjackTable, sitter: Sitter, write: Writing | None) -> str:
    """Return a seat's hands as text, each with the reason of its end, and the insurance.

    Results follow each hand where there are several, because one sum would not explain them. If `write` is None, hands
    have only their totals.
    """
    assert sitter.seat is not None
    view = snapshot.dealt.seats[sitter.seat]
    several = len(view.hands) + (view.insurance_result is not None) > 1
    parts = []
    for index, hand in enumerate(view.hands):
        row = _row(hand, write)
        for why in _why(snapshot, sitter, hand) if hand.state not in (HandState.WAITING, HandState.ACTING) else ():
            row = _("{hand} {why}", hand=row, why=why)
        if hand.result is not None and several:
            row = _("{hand} ({net})", hand=row, net=signed(hand.result.net))
        elif snapshot.dealt.acting == (sitter.seat, index) and len(view.hands) > 1:
            row = _("▸ {hand}", hand=row)
        parts.append(row)
    if view.insurance_result is not None:
        parts.append(_("insurance {net}", net=signed(view.insurance_result.net)))
    elif view.insurance:
        parts.append(_("insured for {stake}", stake=chips(view.insurance)))
    return " | ".join(parts)


#: The words for the ends of a hand that its line names.
_STATES: Final[Mapping[HandState, str]] = {
    HandState.NATURAL: N_("blackjack"),
    HandState.BUST: N_("bust"),
    HandState.SURRENDERED: N_("surrendered"),
}


def _why(snapshot: BlackjackTable, sitter: Sitter, hand: HandView) -> Iterator[str]:
    """Yield the words for what ended a hand, and for why it lost or tied where the totals do not show that.

    A blackjack in the headline is not repeated. No time-out is mentioned for a player who is leaving, because the clock
    plays for them.
    """
    dealer = snapshot.dealt.dealer
    highlight = hand.state is HandState.NATURAL and hand.result is not None and hand.result.net > 0
    if hand.state in _STATES and not (highlight and people.is_of_one(snapshot)):
        yield _(_STATES[hand.state])
    ended = _dealer_ended(dealer)
    if ended and ended.against and _is_surprising(hand, dealer):
        yield _(ended.against)
    if hand.late and not sitter.leaving:
        yield _("(timed out)")


def _is_surprising(hand: HandView, dealer: DealerView) -> bool:
    """Return whether a hand lost although its total was not the lower one, or pushed although it was the higher one."""
    if hand.result is None or hand.state in (HandState.BUST, HandState.SURRENDERED):
        return False
    ahead = 1 if dealer.bust else hand.total - dealer.total
    return hand.result.net < 0 <= ahead or hand.result.net == 0 < ahead


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: BlackjackTable) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.BETTING:
        return *in_rows(betting_keys(snapshot)), seat_keys(snapshot)
    return *action_rows(snapshot), seat_keys(snapshot)


def action_rows(snapshot: BlackjackTable) -> tuple[tuple[Key, ...], ...]:
    """Return the buttons: free actions above, actions that cost chips below.

    An action that the rules have keeps its button while hands are played, so that no button moves under a finger.
    While insurance is offered, there are only the two buttons for it.
    """
    if snapshot.dealt.phase is RoundPhase.INSURANCE:
        return in_rows(action_keys(snapshot, (INSURE, DECLINE)))
    rules = snapshot.rules
    had = {
        DOUBLE: rules.double is not Double.NO,
        SPLIT: rules.split is not Split.NO,
        SWAP: rules.swap,
        SURRENDER: rules.surrender,
    }
    first = (hand.stake // (1 + (hand.doubled or hand.swapped)) for seat in snapshot.dealt.seats for hand in seat.hands)
    stake = max(first)
    prices = dict.fromkeys(had, signed(stake)) | {SURRENDER: signed(-(stake // 2))}
    given_up: dict[str, str] = {}
    if snapshot.dealt.acting is not None and any(actions.SURRENDER in legal for legal in snapshot.legal):
        seat, index = snapshot.dealt.acting
        given_up[actions.SURRENDER] = signed(-(snapshot.dealt.seats[seat].hands[index].stake // 2))
    free, dear = (HIT, STAND, SURRENDER), (DOUBLE, SPLIT, SWAP)
    rows = (action_keys(snapshot, [cap for cap in row if had.get(cap, True)], given_up) for row in (free, dear))
    return in_rows(*rows, prices={cap.word: price for cap, price in prices.items()})


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: BlackjackTable) -> Picture:
    dealt, looks = snapshot.view is not None, READER.get()
    named = [(sitter.place, sitter.computer or looks.names.get(sitter.user or 0)) for sitter in snapshot.sitters]
    staked = [(sitter.place, sum(sitter.staked.values())) for sitter in snapshot.sitters if sitter.staked]
    shown = TablePicture(
        view=snapshot.view,
        numbers=tuple(sitter.place for sitter in snapshot.in_round),
        names=tuple([(place, name) for place, name in named if name]),
        computers=frozenset(sitter.place for sitter in snapshot.sitters if sitter.computer is not None),
        waiting=tuple(sitter.place for sitter in snapshot.sitters if sitter.seat is None),
        empty=() if dealt else _free_places(snapshot),
        staked=() if dealt else tuple(staked),
        stacks=_stacks(snapshot) if dealt and snapshot.rules.stack else (),
        four_colours=looks.four_colours,
        grand=_GRAND * snapshot.smallest,
        decimal=decimal(),
    )
    return Picture(shown, partial(render, shown), _alt(snapshot))


#: A stake of this many times the smallest one, or more, is drawn as a large one.
_GRAND: Final = 100


def _stacks(snapshot: BlackjackTable) -> tuple[Stack, ...]:
    """Return the chips of all players, for the picture of a table to which each player brings a stack (R5)."""
    return tuple(
        Stack(sitter.place, sitter.balance, computer=sitter.computer is not None)
        for sitter in snapshot.sitters
        if sitter.member is not None or sitter.computer is not None
    )


def _free_places(snapshot: BlackjackTable) -> tuple[int, ...]:
    if snapshot.solo:
        return ()
    taken = {sitter.place for sitter in snapshot.sitters}
    return tuple(place for place in range(1, snapshot.rules.most_seats + 1) if place not in taken)


def _alt(snapshot: BlackjackTable) -> str:
    """Return the alt text of the table.

    If it is too long, cards are written shorter. If it still is, players have only totals. What is still too long is
    cut off.
    """
    if snapshot.view is None:
        return " ".join(_alt_before(snapshot))[:ALT_LIMIT]
    dealer, playing, stacks = snapshot.dealt.dealer, snapshot.in_round, []
    if snapshot.rules.stack and snapshot.elimination is None:  # an elimination table has its own sentences about stacks
        stacks = [
            _("{seat} has {stack}.", seat=people.seat_text(sitter), stack=counted(sitter.balance))
            for sitter in snapshot.sitters
            if sitter.member is not None or sitter.computer is not None
        ]
    waiting = [sitter for sitter in snapshot.sitters if sitter.seat is None]
    stacks += [_("{seat} waits for the next round.", seat=people.seat_text(sitter)) for sitter in waiting]
    for write in (*WRITINGS, None):
        cards = _("Dealer: {cards}, {total}.", cards=(write or ranks)(dealer.cards), total=dealer.total)
        text = " ".join((cards, *(_alt_seat(snapshot, sitter, write) for sitter in playing), *stacks))
        if len(text) <= ALT_LIMIT:
            break
    return text[:ALT_LIMIT]


def _alt_before(snapshot: BlackjackTable) -> list[str]:
    """Return the sentences of the alt text while there are no cards on the table."""
    lines = [_("A blackjack table, no cards yet."), *(_alt_waiting(sitter) for sitter in snapshot.sitters)]
    free = ", ".join(map(str, _free_places(snapshot)))
    return [*lines, _("Free places: {places}.", places=free)] if free else lines


def _alt_waiting(sitter: Sitter) -> str:
    if sitter.staked:
        return _("{seat}: stake {stake}.", seat=people.seat_text(sitter), stake=chips(sum(sitter.staked.values())))
    return _("{seat}: no stake yet.", seat=people.seat_text(sitter))


def _alt_seat(snapshot: BlackjackTable, sitter: Sitter, write: Writing | None) -> str:
    """Return the alt text of a seat in the round: its hands, its insurance, and whether it is its turn.

    `write` returns cards as text; with None only the totals are said.
    """
    assert sitter.seat is not None
    view = snapshot.dealt.seats[sitter.seat]
    parts = []
    for hand in view.hands:
        worth = _("{net}", net=signed(hand.result.net)) if hand.result else _("stake {stake}", stake=chips(hand.stake))
        if write is None:
            parts.append(_("{total}, {worth}", total=hand.total, worth=worth))
        else:
            parts.append(_("{cards}, {total}, {worth}", cards=write(hand.cards), total=hand.total, worth=worth))
    if view.insurance_result is not None:
        parts.append(_("insurance {net}", net=signed(view.insurance_result.net)))
    elif view.insurance:
        parts.append(_("insured for {stake}", stake=chips(view.insurance)))
    if snapshot.dealt.acting is not None and snapshot.dealt.acting[0] == sitter.seat:
        parts.append(_("to play"))
    return _("{seat}: {hands}.", seat=people.seat_text(sitter), hands=apart(parts))
