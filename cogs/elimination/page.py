"""The page of an elimination table: a blackjack table with stacks, rounds, and players in danger (R7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from cogs.elimination.again import AgainButton
from cogs.elimination.handlers import BACK, OFFERS, OTHER, absent
from cogs.pictures.bars import PodiumPicture, Stack, StacksPicture, Winner, render_podium, render_stacks
from cogs.pictures.blackjack import TablePicture, render
from cogs.pictures.lettering import can_write
from cogs.table import people
from cogs.table.keys import JOIN, LEAVE, ODDS, KeyRows, in_rows
from cogs.table.page import ALT_LIMIT, Accent, Key, Page, Picture, Sequel
from cogs.table.presentation import presentation
from cogs.words import (
    N_,
    READER,
    _,
    apart,
    chips,
    decimal,
    medal,
    mention,
    ngettext,
    ordinal,
    play_chips,
    robot,
    signed,
    written,
)
from engine.elimination.elimination import EliminationPhase, End, Fall
from engine.elimination.ranking import Why
from engine.elimination.standings import EliminationView, SeatStanding
from engine.fairness.lots import Draw, DrawPurpose
from engine.games.contract import Cents, Seat
from engine.tables.snapshot import CloseReason, Sitter, Snapshot, TablePhase

_WHY: Final[Mapping[Why, str]] = {
    Why.BANKRUPT: N_("no chips left"),
    Why.POOREST: N_("lowest stack"),
    Why.LEFT: N_("left the table"),
}


#: The reasons why players went out, with the round, for lists.
_FELL: Final[Mapping[Why, str]] = {
    Why.BANKRUPT: N_("out in round {round} (no chips left)"),
    Why.POOREST: N_("out in round {round} (lowest stack)"),
    Why.LEFT: N_("left in round {round}"),
}


def page_of(snapshot: Snapshot) -> Page:
    """Return the page of an elimination table: the page of its cards, with the standings and at the end the podium."""
    page = presentation(snapshot.game).page_of(replace(snapshot, deadline=None))
    return replace(
        page,
        accent=Accent.CLOSED if snapshot.phase is TablePhase.CLOSED else page.accent,
        title=_title(snapshot),
        headline=_headline(snapshot, page.headline),
        groups=_groups(snapshot, page.groups),
        rows=_rows(snapshot, page),
        picture=_picture(snapshot, page.picture),
        sequel=_sequel(snapshot) if snapshot.standings.winner is not None else None,
        onward=_onward(snapshot),
    )


def _onward(snapshot: Snapshot) -> tuple[AgainButton, ...]:
    """Return the button for another table, if this one is over and belongs to no tournament."""
    over = snapshot.phase is TablePhase.CLOSED and snapshot.standings.phase is EliminationPhase.OVER
    return (AgainButton.of(snapshot.table),) if over and not snapshot.solo else ()


def _title(snapshot: Snapshot) -> str:
    elimination = snapshot.standings
    values = {
        "rules": snapshot.rules_name,
        "budget": play_chips(elimination.budget),
    }
    if snapshot.solo:
        return _("**Tournament** · {rules} · {budget}", **values)
    return _("**Elimination** · {rules} · {budget}", **values)


def name(snapshot: Snapshot, seat: Seat) -> str:
    """Return a player's name for texts: a mention, or the name of a computer player."""
    who = snapshot.players[seat]
    if who.user is not None:
        return mention(who.user)
    return robot(who.computer or "")


# -- the headline ------------------------------------------------------------------------------------------------------


def _headline(snapshot: Snapshot, of_the_cards: str) -> str:
    elimination = snapshot.standings
    if snapshot.close_reason is CloseReason.CANCELLED:
        return _("The tournament is cancelled")
    if elimination.winner is not None:
        return _end(snapshot, elimination, elimination.winner)
    if snapshot.phase is not TablePhase.BETTING:
        return of_the_cards
    if elimination.asked is None:
        return _("Here come the cards")
    who = name(snapshot, elimination.asked)
    if _person_is_asked(elimination):
        return _("{name}, your stake", name=who)
    return _("{name} is choosing a stake", name=who)


def _end(snapshot: Snapshot, elimination: EliminationView, winner: Seat) -> str:
    """Return the headline at the end: the place of the only person at the table if they lost, otherwise the winner."""
    who, people = name(snapshot, winner), [standing for standing in elimination.seats if standing.entrant.person]
    if len(people) == 1 and people[0].seat != winner:
        place, count = ordinal(people[0].rank), len(snapshot.players)
        return _("{name} is out, {place} of {count}", name=name(snapshot, people[0].seat), place=place, count=count)
    if elimination.end is End.NO_PERSON_LEFT:
        return _("Only computer players are left. {name} wins.", name=who)
    return _("{name} wins the table", name=who)


def _person_is_asked(elimination: EliminationView) -> bool:
    """Return whether the table waits for a person's stake."""
    return elimination.asked is not None and elimination.seats[elimination.asked].entrant.person


# -- the lines ---------------------------------------------------------------------------------------------------------


def _groups(snapshot: Snapshot, of_the_cards: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of lines on the page, made from those of the blackjack table (`of_the_cards`).

    All hands are listed during play and once somebody has won. At other times the last round's hands are listed above
    the standings: all of them, or only the dealer's if a picture shows the others.
    """
    elimination, news = snapshot.standings, _news(snapshot, snapshot.standings)
    if snapshot.phase is TablePhase.PLAYING:
        alarm = (_progress(elimination), *_alarm(snapshot, elimination))
        return alarm, *of_the_cards, people.clock(snapshot, asked=any(snapshot.legal))
    hands = of_the_cards if snapshot.view is not None else ()
    if elimination.winner is not None:
        return *hands, news
    if READER.get().pictures:
        hands = hands[:1]  # the dealer's line: the picture shows all others
    standings = tuple(_standing(snapshot, standing) for standing in _ranked(elimination))
    if snapshot.phase is TablePhase.CLOSED:
        return *hands, news, standings
    clock = people.clock(snapshot, asked=True) if _person_is_asked(elimination) else ()
    return *hands, news, (_progress(elimination), *standings), clock


def _ranked(elimination: EliminationView) -> list[SeatStanding]:
    """Return all players, the best first."""
    return sorted(elimination.seats, key=lambda standing: standing.rank)


def _sequel(snapshot: Snapshot) -> Sequel:
    """Return the part below the cards at the end: the podium, everybody's place, and the title if it was won.

    If no card was dealt, this part has no picture, because the table's own picture then shows the podium.
    """
    elimination = snapshot.standings
    places = [_podium_line(snapshot, standing) for standing in _ranked(elimination)]
    shown = READER.get().pictures and snapshot.view is not None
    podium = _podium(snapshot, elimination) if shown else None
    return Sequel(podium, (*places, *_title_won(snapshot, elimination)))


def _alarm(snapshot: Snapshot, elimination: EliminationView) -> tuple[str, ...]:
    """Return a line with the players in danger and one with the absent players, where there are any.

    The first is left out if all players are in danger.
    """
    names = [
        _("{name} (needs {needed} more)", name=name(snapshot, seat.seat), needed=chips(seat.needed))
        for seat in elimination.seats
        if seat.danger and not _is_level(elimination)
    ]
    away = [name(snapshot, seat.seat) for seat in elimination.seats if seat.away and seat.fall is None]
    lines = [_("In danger: {names}", names=", ".join(names))] if names else []
    return (*lines, *([_("Away: {names}", names=", ".join(away))] if away else []))


def _progress(elimination: EliminationView) -> str:
    last = elimination.round + elimination.rounds_to_cut - 1
    values = {"round": elimination.round, "rounds": elimination.rounds, "last": last}
    if not elimination.to_go:
        return _("Round **{round}**/{rounds} · nobody is out after round {last}", **values)
    if elimination.rounds_to_cut == 1:
        return _("Round **{round}**/{rounds} · lowest stack is out after this one", **values)
    return _("Round **{round}**/{rounds} · lowest stack is out after round {last}", **values)


def _is_level(elimination: EliminationView) -> bool:
    """Return whether all players left are in danger, because their stacks are equal: naming them would say nothing."""
    return all(standing.danger for standing in elimination.seats if standing.fall is None)


def _standing(snapshot: Snapshot, standing: SeatStanding) -> str:
    """Return a player's line in the standings. Computer players are in small print, so that people stand out."""
    line = _standing_line(snapshot, standing)
    return line if standing.entrant.person else f"-# {line}"


def _standing_line(snapshot: Snapshot, standing: SeatStanding) -> str:
    head = name(snapshot, standing.seat)
    if not can_write(_called(snapshot, standing.seat)):
        head = _("{name} · seat {seat}", name=head, seat=standing.seat + 1)
    if standing.fall is not None:
        return _("{head} · {why}", head=head, why=_fell(standing.fall))
    line = _("{head} · **{stack}**", head=head, stack=chips(standing.stack))
    net = _net(snapshot, standing.seat)
    if net is not None and standing.staked is None:
        line = _("{line} ({net})", line=line, net=signed(net))
    if standing.staked is not None:
        line = _("{line} · stake {stake}", line=line, stake=chips(standing.staked))
    if snapshot.phase is TablePhase.CLOSED:
        return line
    if standing.danger and not _is_level(snapshot.standings):
        line = _("{line} · needs {needed} more", line=line, needed=chips(standing.needed))
    elif standing.lead:
        line = _("{line} · safe by {lead}", line=line, lead=chips(standing.lead))
    return _("{line} · away", line=line) if standing.away and snapshot.standings.winner is None else line


def _net(snapshot: Snapshot, seat: Seat) -> Cents | None:
    """Return a player's net result in the round on display, or None if they were not in it or it goes on."""
    sitter = next((sitter for sitter in snapshot.sitters if sitter.place == seat + 1 and sitter.seat is not None), None)
    if snapshot.settlement is None or sitter is None or sitter.seat is None:
        return None
    return snapshot.settlement.net(sitter.seat)


def _news(snapshot: Snapshot, elimination: EliminationView) -> tuple[str, ...]:
    """Return the lines about lots drawn in the round on display and, unless the table is over, about who went out."""
    counted = snapshot.round - elimination.called_off
    lots = [_lots_line(snapshot, draw) for draw in elimination.draws if draw.round == counted]
    if elimination.phase is EliminationPhase.OVER:
        return tuple(lots)
    fallen = [standing.fall for standing in elimination.seats if standing.fall is not None]
    return (*lots, *(_fall_line(snapshot, fall) for fall in fallen if fall.round == counted))


def _podium_line(snapshot: Snapshot, standing: SeatStanding) -> str:
    """Return a player's line in the list of all places at the end."""
    values = {
        "place": medal(standing.rank),
        "name": name(snapshot, standing.seat),
        "stack": play_chips(standing.stack),
    }
    if standing.fall is None:
        return _("{place} {name} · **{stack}**", **values)
    return _("{place} {name} · {why}", **values, why=_fell(standing.fall))


def _fell(fall: Fall) -> str:
    return _(_FELL[fall.why], round=fall.round)


def _title_won(snapshot: Snapshot, elimination: EliminationView) -> tuple[str, ...]:
    """Return a line about the title that a person won. A tournament's table and a computer player bring none."""
    winner = elimination.winner
    if winner is None or not elimination.seats[winner].entrant.person or snapshot.solo:
        return ()
    return (_("-# A title for {name}: `/tournament standings` counts them.", name=name(snapshot, winner)),)


_LOTS: Final = {
    DrawPurpose.LOWEST: N_("Tied on chips: each drew a card, and the lowest is out: {drawn}."),
    DrawPurpose.ORDER: N_("Tied on chips: each drew a card for the better place: {drawn}."),
    DrawPurpose.HIGHEST: N_("Tied on chips: each drew a card, and the highest wins: {drawn}."),
}


def _lots_line(snapshot: Snapshot, draw: Draw) -> str:
    drawn = ", ".join(
        _("{name} {cards}", name=name(snapshot, seat), cards=written(drawn).replace(" ", "\u00a0"))
        for seat, drawn in draw.cards
    )
    return _(_LOTS[draw.wanted or DrawPurpose.LOWEST], drawn=drawn)


def _fall_line(snapshot: Snapshot, fall: Fall) -> str:
    place = ordinal(snapshot.standings.seats[fall.seat].rank)
    values = {"name": name(snapshot, fall.seat), "why": _(_WHY[fall.why]), "place": place}
    return _("{name} is **out**, {place} of {count}: {why}.", **values, count=len(snapshot.players))


# -- the keys ----------------------------------------------------------------------------------------------------------


def _rows(snapshot: Snapshot, page: Page) -> tuple[tuple[Key, ...], ...]:
    if snapshot.phase is TablePhase.CLOSED:
        return ()
    if snapshot.phase is TablePhase.PLAYING:
        odds = (key for key in page.rows[-1] if key.cap is ODDS)
        return *page.rows[:-1], (*_seat_keys(snapshot), *odds)
    return *_stake_rows(snapshot), _seat_keys(snapshot)


def _stake_rows(snapshot: Snapshot) -> KeyRows:
    """Return the keys of the stakes, small ones above large ones.

    Each key keeps room for the amount that it shows in the first round, so that no key moves when amounts appear.
    """
    elimination = snapshot.standings
    asked = _person_is_asked(elimination)
    number, offers = snapshot.to_come, snapshot.offers if asked else {}
    keys = [
        Key(cap, number, amount=chips(offers[offer]) if offer in offers else "", enabled=offer in offers)
        for cap, offer in OFFERS.items()
    ]
    first = (elimination.smallest, 2 * elimination.smallest, elimination.budget // 2, elimination.budget)
    prices = {key.cap.word: chips(stake) for key, stake in zip(keys, first, strict=True)}
    return in_rows(keys[:2], (*keys[2:], Key(OTHER, number, enabled=asked)), prices=prices)


def _seat_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """Return the keys to join (before the first deal), to leave, and to come back (while a player is absent).

    At a tournament's table nobody joins or leaves.
    """
    elimination = snapshot.standings
    number = snapshot.to_come
    keys = () if snapshot.solo else (Key(LEAVE, number),)
    if not snapshot.solo and snapshot.round == 0:
        keys = (Key(JOIN, number, enabled=_has_free_seat(elimination)), *keys)
    return (*keys, Key(BACK, number)) if absent(snapshot) else keys


def _has_free_seat(elimination: EliminationView) -> bool:
    """Return whether a person may take a seat: during staking, that of a computer player who has not staked (R7.1)."""
    free = [seat for seat in elimination.seats if not seat.entrant.person and seat.staked is None]
    return elimination.phase is EliminationPhase.STAKING and bool(free)


# -- the picture -------------------------------------------------------------------------------------------------------


def _picture(snapshot: Snapshot, of_the_cards: Picture | None) -> Picture | None:
    elimination = snapshot.standings
    if not READER.get().pictures:
        return None
    if elimination.winner is not None and snapshot.view is None:
        return _podium(snapshot, elimination)
    asked = None if snapshot.phase is TablePhase.CLOSED else elimination.asked
    stacks = tuple(_stack(snapshot, standing, asked) for standing in elimination.seats)
    stay = sum(not stack.out for stack in stacks) - elimination.to_go
    alt = _alt(snapshot, elimination)
    if snapshot.view is None or of_the_cards is None or not isinstance(of_the_cards.key, TablePicture):
        shown = StacksPicture(stacks, stay, elimination.round, decimal=decimal())
        return Picture(shown, partial(render_stacks, shown), alt)
    table = replace(of_the_cards.key, stacks=stacks, stay=stay)
    return Picture(table, partial(render, table), _cut(f"{alt} {of_the_cards.alt}"))


def _stack(snapshot: Snapshot, standing: SeatStanding, asked: Seat | None) -> Stack:
    return Stack(
        standing.seat + 1,
        standing.stack,
        out=standing.fall is not None,
        computer=not standing.entrant.person,
        acting=standing.seat == asked,
        danger=standing.danger and not _is_level(snapshot.standings),
        name=_called(snapshot, standing.seat),
    )


def _called(snapshot: Snapshot, seat: Seat) -> str:
    """Return the name of a player for the picture, or an empty text if it is not known."""
    who = snapshot.players[seat]
    return who.computer or READER.get().names.get(who.user or 0, "")


#: The file name of the podium's picture, shown together with the table's.
_PODIUM: Final = "podium.png"


def _podium(snapshot: Snapshot, elimination: EliminationView) -> Picture:
    best = _ranked(elimination)[:3]
    winners = tuple(
        Winner(_called(snapshot, standing.seat), seat=standing.seat + 1, computer=not standing.entrant.person)
        for standing in best
    )
    podium = PodiumPicture(winners)
    places = [_podium_text(standing, winner.name) for standing, winner in zip(best, winners, strict=True)]
    return Picture(podium, partial(render_podium, podium), _("The podium. {places}.", places=apart(places)), _PODIUM)


def _podium_text(standing: SeatStanding, called: str) -> str:
    """Return the words for a place on the podium in the alt text, with the seat if the name (`called`) is empty."""
    label = called or _("seat {seat}", seat=standing.seat + 1)
    if not standing.entrant.person:
        label = _("{name} (computer)", name=called)
    return _("{place}: {name}", place=ordinal(standing.rank), name=label)


def _alt(snapshot: Snapshot, elimination: EliminationView) -> str:
    lines = [_("Round {round} of {rounds}.", round=elimination.round, rounds=elimination.rounds)]
    for standing in elimination.seats:
        who = snapshot.players[standing.seat]
        seat = people.seat_text(Sitter(standing.seat + 1, who.user, None, who.computer))
        lines.append(_(_alt_standing(snapshot, standing), seat=seat, stack=play_chips(standing.stack)))
    if elimination.to_go and snapshot.phase is not TablePhase.CLOSED:
        lines.append(ngettext("{count} has to go.", "{count} have to go.", elimination.to_go))
    return " ".join(lines)


def _alt_standing(snapshot: Snapshot, standing: SeatStanding) -> str:
    if standing.fall is not None:
        return N_("{seat} is out.")
    if snapshot.phase is TablePhase.CLOSED:
        return N_("{seat} has {stack}.")
    if standing.danger and not _is_level(snapshot.standings):
        return N_("{seat} has {stack} and is in danger.")
    if standing.seat == snapshot.standings.asked:
        return N_("{seat} has {stack} and is asked for a stake.")
    return N_("{seat} has {stack}.")


def _cut(text: str) -> str:
    return text if len(text) <= ALT_LIMIT else text[: ALT_LIMIT - 1] + "…"
