"""Lines about who sits where, the same at every table."""

from __future__ import annotations

from cogs.table.page import Accent
from cogs.words import _, chips, mention, signed, when
from engine.games.contract import Cents, Seat
from engine.tables.snapshot import CloseReason, Sitter, Snapshot, TablePhase


def name(sitter: Sitter) -> str:
    if sitter.user is not None:
        return mention(sitter.user)
    if sitter.computer is None:
        return _("another player")
    return _("{name} (computer)", name=sitter.computer)


def heading(sitter: Sitter) -> str:
    return _("**{place}** · {name}", place=sitter.place, name=name(sitter))


def waiting_line(sitter: Sitter) -> str:
    """Of somebody between rounds, or who waits for the next one."""
    head = heading(sitter)
    if sitter.leaving:
        return _("{head} · leaving", head=head)
    if sitter.staked:
        return _(
            "{head} · stake {stake} · {balance} left",
            head=head,
            stake=chips(sum(sitter.staked.values())),
            balance=chips(sitter.balance),
        )
    if sitter.user is None:
        return head
    return _("{head} · {balance} chips", head=head, balance=chips(sitter.balance))


def playing_line(sitter: Sitter, staked: int) -> str:
    head = heading(sitter)
    if sitter.member is None:
        return _("{head} · stake {stake}", head=head, stake=chips(staked))
    return _("{head} · stake {stake} · {balance} left", head=head, stake=chips(staked), balance=chips(sitter.balance))


def settled_line(sitter: Sitter, net: Cents) -> str:
    head = heading(sitter)
    if sitter.member is None:
        return _("{head} · **{net}**", head=head, net=signed(net))
    values = {"head": head, "net": signed(net), "balance": chips(sitter.balance)}
    if sitter.staked:
        lying = chips(sum(sitter.staked.values()))
        return _("{head} · **{net}** · next stake {stake} · {balance} left", stake=lying, **values)
    return _("{head} · **{net}** · {balance} chips", **values)


def in_round(snapshot: Snapshot) -> list[Sitter]:
    return sorted((s for s in snapshot.sitters if s.seat is not None), key=lambda sitter: sitter.seat or 0)


def beside_round(snapshot: Snapshot) -> list[Sitter]:
    return [sitter for sitter in snapshot.sitters if sitter.seat is None]


def who(snapshot: Snapshot, seat: Seat) -> str:
    sitter = snapshot.sitter_at(seat)
    return name(sitter) if sitter is not None else ""


def betting_headline(snapshot: Snapshot) -> str:
    """The call for stakes, with the end of the window once somebody has staked."""
    if any(sitter.staked for sitter in snapshot.sitters) and snapshot.deadline is not None:
        return _("Place your bets · cards {when}", when=when(snapshot.deadline))
    return _("Place your bets")


def is_calling(snapshot: Snapshot) -> bool:
    """Whether stakes are what the table is about now: before the first round, and once somebody has staked."""
    return snapshot.settlement is None or any(sitter.staked for sitter in snapshot.sitters)


def closed_headline(snapshot: Snapshot) -> str:
    match snapshot.close_reason:
        case CloseReason.IDLE:
            return _("Table closed: nobody played")
        case CloseReason.BROKE:
            return _("Table closed: nobody has a stake left")
        case CloseReason.ADMIN:
            return _("Table closed by an admin")
        case _other:
            return _("Table closed: everyone left")


def small_print(snapshot: Snapshot) -> tuple[str, ...]:
    """The promises: what the cards on the table were sealed with, and the next ones."""
    if snapshot.commitment and snapshot.settlement is None:
        return (_sealed(snapshot.round, snapshot.commitment),)
    lines = []
    if snapshot.commitment:
        code = snapshot.commitment[:8]
        lines.append(_("Round {number} · `/verify {code}` shows how it was dealt", number=snapshot.round, code=code))
    if snapshot.phase is not TablePhase.CLOSED:
        lines.append(_sealed(snapshot.round + 1, snapshot.next_commitment))
    return tuple(lines)


def _sealed(number: int, commitment: str) -> str:
    return _("Round {number} is sealed: `{hash}`", number=number, hash=commitment)


def accent(snapshot: Snapshot) -> Accent:
    if snapshot.phase is TablePhase.CLOSED:
        return Accent.CLOSED
    if snapshot.phase is TablePhase.PLAYING:
        return Accent.PLAYING
    if snapshot.settlement is None or is_calling(snapshot):
        return Accent.OPEN
    people = [sitter.seat for sitter in in_round(snapshot) if sitter.user is not None and sitter.seat is not None]
    if len(people) != 1:
        return Accent.OPEN
    net = snapshot.settlement.net(people[0])
    return Accent.WON if net > 0 else Accent.LOST if net < 0 else Accent.EVEN
