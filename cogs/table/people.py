"""The parts of a page that are alike in all games: names, lines about people, headlines, small print, colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cogs.table.page import Accent
from cogs.words import N_, READER, _, at, chips, counted, listed, mention, number, play_chips, robot, signed, when
from engine.fairness.chain import SHOWN_HASH
from engine.games.contract import Cents, Outcome, Seat, Settlement
from engine.tables.snapshot import CloseReason, Sitter, Snapshot, TablePhase
from engine.tables.state import FreedFor

# -- names -------------------------------------------------------------------------------------------------------------


def name(sitter: Sitter, *, numbered: bool = False) -> str:
    """Return a player's name for a message. `numbered` puts the number of the place before it."""
    if sitter.user is not None:
        who = mention(sitter.user)
    elif sitter.computer is not None:
        who = robot(sitter.computer)
    else:
        who = _("another player")
    return _("**{place}** · {name}", place=sitter.place, name=who) if numbered else who


def seat_text(sitter: Sitter) -> str:
    """Return the words for a seat in an alt text: its number and, if it is known, the name that is in the picture."""
    if sitter.computer is not None:
        return _("Seat {place}, {name} (computer)", place=sitter.place, name=sitter.computer)
    called = READER.get().names.get(sitter.user or 0, "")
    if not called:
        return _("Seat {place}", place=sitter.place)
    return _("Seat {place}, {name}", place=sitter.place, name=called)


# -- lines -------------------------------------------------------------------------------------------------------------


def is_alone(snapshot: Snapshot) -> bool:
    """Return whether at most one person is at the table besides computer players. Then lines need no numbers."""
    return sum(sitter.computer is None for sitter in snapshot.sitters) <= 1


def waiting(snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """Return two groups for a table without cards: a line for each person, and a line with all computer players."""
    single = is_alone(snapshot)
    lines = (waiting_line(sitter, alone=single) for sitter in snapshot.sitters if sitter.computer is None)
    return tuple(lines), small([sitter.computer for sitter in snapshot.sitters if sitter.computer is not None])


def small(computers: Sequence[str]) -> tuple[str, ...]:
    """Return a group with one small line that names these computer players, or an empty group if there are none."""
    return (f"-# {robot(listed(computers))}",) if computers else ()


def waiting_line(sitter: Sitter, *, alone: bool = False) -> str:
    """Return the line of a person who is in no round now.

    It has their name, and either their stake and balance or a note that they are leaving. `alone` leaves out the number
    of their place at the table.
    """
    head = name(sitter, numbered=not alone)
    if sitter.leaving:
        return _("{head} · leaving", head=head)
    if sitter.staked:
        lying = chips(sum(sitter.staked.values()))
        return _("{head} · stake {stake} · {left}", head=head, stake=lying, left=left(sitter))
    if sitter.user is None:
        return head
    return _("{head} · {balance}", head=head, balance=balance(sitter))


def amount(snapshot: Snapshot, cents: Cents) -> str:
    """Return an amount of the chips that this table plays for, with its unit."""
    return counted(cents) if snapshot.elimination is None else play_chips(cents)


def left(sitter: Sitter) -> str:
    """Return the words for the balance that is left while a stake lies on the table."""
    return balance(sitter) if sitter.stacked else _("{balance} left", balance=chips(sitter.balance))


def balance(sitter: Sitter) -> str:
    """Return what a person can still stake as text: the wallet's balance, or at some tables their stack."""
    return _("stack {chips}", chips=chips(sitter.balance)) if sitter.stacked else counted(sitter.balance)


def playing_line(sitter: Sitter, hands: str, staked: Cents | None, *, alone: bool) -> str:
    """Return the line of a person in a round.

    It has their name, hands and stake, and a note if they leave after the round. If `staked` is None, it has no stake,
    because the picture shows it. `alone` leaves out the number of their place at the table.
    """
    values = {"head": name(sitter, numbered=not alone), "hands": hands}
    if staked is not None:
        values["hands"] = _("{hands} · stake {stake}", hands=hands, stake=chips(staked))
    if sitter.leaving and sitter.member is not None:
        return _("{head} · {hands} · leaves after this hand", **values)
    return _("{head} · {hands}", **values)


def settled_line(snapshot: Snapshot, sitter: Sitter, hands: str, net: Cents, *, alone: bool) -> str:
    """Return the line of somebody whose round is over, short enough for a phone.

    It has the hands, the result unless the headline has it, and the balance of a person who is still here. If that
    person has staked on the next round, the line has that stake instead of the result. It then leaves out the hands for
    readers with pictures, and the balance for others. `alone` leaves out the person's number at the table.
    """
    values = {"head": name(sitter, numbered=not alone), "hands": hands, "net": signed(net)}
    headlined = len(_headlined(snapshot)) in range(1, _LISTED + 1)
    if sitter.member is None:
        return _("{head} · {hands}", **values) if headlined else _("{head} · {hands} · **{net}**", **values)
    if headlined:
        return _("{head} · {hands} · {balance}", **values, balance=balance(sitter))
    if sitter.staked:
        values["stake"] = chips(sum(sitter.staked.values()))
        if READER.get().pictures:  # the picture has the hand
            return _("{head} · next stake {stake} · {left}", **values, left=left(sitter))
        return _("{head} · {hands} · next stake {stake}", **values)
    return _("{head} · {hands} · **{net}** · {balance}", **values, balance=balance(sitter))


def clock(snapshot: Snapshot, *, asked: bool = False) -> tuple[str, ...]:
    """Return the lines about the deadline, which Discord counts down; none if there is no deadline to show.

    With `asked` they say when the turn ends. If only one player is asked, they also say how many chips that player has
    left. Without `asked`, the line says when the cards are dealt, once somebody has staked.
    """
    if snapshot.deadline is None:
        return ()
    if asked:
        playing = [sitter for sitter in snapshot.in_round if snapshot.legal and snapshot.legal[sitter.seat or 0]]
        until = _("-# Your turn ends {when}", when=when(snapshot.deadline))
        if len(playing) != 1:
            return (until,)
        has = chips(playing[0].balance)
        return (_("-# Stack: {chips}", chips=has) if playing[0].stacked else _("-# Left: {chips}", chips=has)), until
    if snapshot.phase is TablePhase.BETTING and any(sitter.staked for sitter in snapshot.sitters):
        return (_("-# Dealing {when}", when=when(snapshot.deadline)),)
    return ()


# -- headlines ---------------------------------------------------------------------------------------------------------

#: The most people whose results a headline lists. With more, it says how many won and how many lost.
_LISTED = 4


def betting_headline() -> str:
    return _("Place your bets")


def result_headline(snapshot: Snapshot, highlights: Mapping[Seat, str] | None = None) -> str:
    """Return the headline about what the round brought to the people in it.

    `highlights` are headlines of special ends by seat, marked for translation, with the placeholders `{who}` and
    `{net}`. They are used where one person played.
    """
    assert snapshot.settlement is not None
    nets = _nets(snapshot)
    if len(nets) == 1:
        sitter, net = nets[0]
        highlight = (highlights or {}).get(sitter.seat or 0)
        staked = sum(line.staked for line in snapshot.settlement.lines if line.seat == sitter.seat)
        values = {"who": name(sitter), "net": signed(net), "stake": chips(staked)}
        return _(highlight or one_result(snapshot.settlement, sitter.seat or 0), **values)
    if len(nets) <= _LISTED:
        return listed(_("{who} {net}", who=name(sitter), net=signed(net)) for sitter, net in nets)
    won, lost = sum(net > 0 for _sitter, net in nets), sum(net < 0 for _sitter, net in nets)
    return _("{won} won, {lost} lost", won=number(won), lost=number(lost))


def _nets(snapshot: Snapshot) -> list[tuple[Sitter, Cents]]:
    """Return each person in a finished round with their net result."""
    assert snapshot.settlement is not None
    people = [sitter for sitter in snapshot.in_round if sitter.computer is None]
    return [(sitter, snapshot.settlement.net(sitter.seat or 0)) for sitter in people]


def _headlined(snapshot: Snapshot) -> list[tuple[Sitter, Cents]]:
    """Return the people whose results the headline is about, with these results; empty if it is about no result."""
    return [] if snapshot.phase is not TablePhase.BETTING or is_calling(snapshot) else _nets(snapshot)


def is_of_one(snapshot: Snapshot) -> bool:
    """Return whether the headline is about one person's result."""
    return len(_headlined(snapshot)) == 1


def one_result(settlement: Settlement, seat: Seat) -> str:
    """Return the headline of one person's result, marked for translation.

    It is a push only if every stake came back, not if one of their stakes won what another lost.
    """
    pushed = all(line.outcome is Outcome.PUSH for line in settlement.lines if line.seat == seat)
    return N_("Push · {who} gets {stake} back") if pushed else N_("{who} {net}")


def is_calling(snapshot: Snapshot) -> bool:
    """Return whether the page asks for stakes, rather than showing the last round's result.

    It does so while there is no result, and once anybody has staked on the next round.
    """
    return snapshot.settlement is None or any(sitter.staked for sitter in snapshot.sitters)


def closed_headline(snapshot: Snapshot) -> str:
    match snapshot.close_reason:
        case CloseReason.IDLE if snapshot.round:
            return _("Table closed: nobody played for a while")
        case CloseReason.IDLE:
            return _("Table closed: nobody played")
        case CloseReason.BROKE:
            return _("Table closed: nobody can afford a bet any more")
        case CloseReason.ADMIN:
            return _("Table closed by a manager of the server")
        case _other:
            return _("Table closed: everyone left")


# -- the rest of a page ------------------------------------------------------------------------------------------------

#: The line about a table by invitation while seats are kept, by who may have them afterwards.
_KEPT: Final[Mapping[FreedFor, str]] = {
    FreedFor.EVERYBODY: N_("By invitation: {names}. After {time}, free seats are for everybody."),
    FreedFor.COMPUTERS: N_("By invitation: {names}. After {time}, computer players take the free seats."),
}


def _invitation(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the line about who may sit at a table by invitation, and until when their seats are kept; else nothing."""
    invitation = snapshot.invitation
    if invitation is None:
        return ()
    names = ", ".join(map(mention, invitation.people)) or _("nobody yet")
    if invitation.until is None:
        return (_("By invitation: {names}.", names=names),)
    return (_(_KEPT[invitation.freed_for], names=names, time=at(invitation.until)),)


def small_print(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the lines of small print: who is invited, whether a hand was called off, how the rounds are sealed.

    Beside the link to the promise are the codes of the rounds (`_codes`), hidden until somebody taps them.
    """
    lines, playing = [*_invitation(snapshot)], bool(snapshot.seals.code and snapshot.settlement is None)
    if snapshot.called_off:
        lines.append(
            _(
                "The open hand was called off, and every stake is back: the casino was restored from a backup, and how "
                "that hand ended may have been seen."
            )
        )
    if codes := " · ".join(f"`{code}`" for code in _codes(snapshot, playing=playing) if code):
        link = snapshot.seals.promise
        sealed = _("[Sealed before the deal]({link})", link=link) if link else _("Sealed before the deal")
        lines.append(f"🔒 {sealed} ||{codes}||")
    next_one = playing or snapshot.seals.next_code or snapshot.seals.next_commitment
    if not next_one and snapshot.phase is not TablePhase.CLOSED:
        lines.append(_("The next rounds are not sealed yet."))
    return tuple(lines)


def _codes(snapshot: Snapshot, *, playing: bool) -> Iterator[str]:
    """Yield the codes in the small print, some of which may be empty.

    For a round that is over, these are its `/verify` command and the start of its record's hash. Otherwise it is the
    code of the round in play or, while the table is open, of the one to come. In scheme 1 each round had a commitment,
    which is shown in place of the code. Below a round that is over, the commitment of the next one is shown too.
    """
    seals, over = snapshot.seals, bool(snapshot.seals.code) and not playing
    if over:
        yield f"/verify {seals.code}"
        yield seals.hash[:SHOWN_HASH]
    if snapshot.phase is TablePhase.CLOSED and not playing:
        return
    yield seals.commitment if playing else seals.next_commitment
    if not over and not (seals.commitment if playing else seals.next_commitment):
        yield seals.code if playing else seals.next_code


def accent(snapshot: Snapshot) -> Accent:
    """Return the colour of the message's edge: how the round stands, or what it brought to the people in it."""
    if snapshot.phase is TablePhase.CLOSED:
        return Accent.CLOSED
    if snapshot.phase is TablePhase.PLAYING:
        return Accent.PLAYING
    if snapshot.settlement is None or is_calling(snapshot):
        return Accent.OPEN
    people = [sitter.seat for sitter in snapshot.in_round if sitter.user is not None and sitter.seat is not None]
    nets = [snapshot.settlement.net(seat) for seat in people]
    if not nets:
        return Accent.OPEN
    if min(nets) > 0:
        natural = any(line.outcome is Outcome.NATURAL and line.seat in people for line in snapshot.settlement.lines)
        return Accent.HIGHLIGHT if natural else Accent.WON
    return Accent.LOST if max(nets) < 0 else Accent.EVEN
