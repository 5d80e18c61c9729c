"""A copy of a tournament on which a step is tried: it counts once the bank has accepted its change.

Like a table's draft it is synchronous and deterministic. A step and the chips it moves are one change. A step that is
not allowed raises Refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from engine.elimination.elimination import Placing
from engine.elimination.steps import IllegalStep, Misstep
from engine.fairness.chain import lots_of
from engine.games.computer import NAMES
from engine.games.contract import Cents
from engine.stored_words import TOURNAMENT
from engine.tables.refused import Reason, Refused
from engine.tables.values import Account, Chain, Kind, Member, Title, Transfer
from engine.tournament.field import Score
from engine.tournament.ports import Entry, FieldDeals, TournamentChange, TournamentRow
from engine.tournament.state import Every, TournamentState, WhyCancelled, awaits_promise, title_of
from engine.tournament.tournament import Tournament, TournamentPhase


@dataclass(frozen=True, slots=True)
class TournamentPosition:
    """The whole state of a tournament at one moment: what is stored, and the tournament that follows from it."""

    state: TournamentState
    tournament: Tournament

    @classmethod
    def of(cls, state: TournamentState) -> Self:
        """Return the position of a stored state, whose record is replayed."""
        return cls(state, Tournament.replay(state.tournament))


class TournamentDraft:
    """A tournament while it changes. A method that refuses its step raises Refused; the draft is then dropped."""

    def __init__(self, position: TournamentPosition, now: float) -> None:
        self.state = position.state
        self.tournament = position.tournament.fork()
        self._now = now
        self._transfers: list[Transfer] = []
        self._entered: list[Entry] = []
        self._withdrawn: list[int] = []
        self._titles: tuple[Title, ...] = ()
        self._deals: FieldDeals | None = None
        self._begun: int | None = None
        self._successor: TournamentRow | None = None
        self._urgent = False
        self._podium: tuple[tuple[int, int], ...] = ()

    def position(self) -> TournamentPosition:
        """Return the tournament as the draft leaves it."""
        return TournamentPosition(self.state, self.tournament)

    def change(self, cause: str) -> TournamentChange:
        """Give the state its next version, and return everything that was done, as one value for the bank."""
        self.state = replace(self.state, tournament=self.tournament.record(), version=self.state.version + 1)
        return TournamentChange(
            cause,
            self.state.row_of(self.tournament.phase),
            tuple(self._transfers),
            tuple(self._entered),
            tuple(self._withdrawn),
            self._titles,
            self._successor,
            self._urgent,
            self._podium,
            self._deals,
            self._begun,
        )

    # -- sign-up -------------------------------------------------------------------------------------------------------

    def join(self, member: Member, press: int) -> None:
        """Sign a person up; the buy-in leaves the wallet now (R7.9)."""
        key, buy_in = str(member.id), self.tournament.terms.buy_in
        self._try(lambda: self.tournament.join(key))
        if awaits_promise(self.state):
            raise Refused(Reason.NO_PROMISE)
        if buy_in > member.balance:
            raise Refused(Reason.CANNOT_PAY, balance=member.balance, needed=buy_in)
        self.state = replace(self.state, users={**self.state.users, key: member.user})
        self._entered.append(Entry(member.id, buy_in))
        self._move(f"press/{press}/join", self._wallet(key), self._share(key), buy_in, "tournament")

    def leave(self, member: Member, cause: str) -> None:
        """Sign a person off and give the buy-in back. The key of that transfer begins with `cause`."""
        key = str(member.id)
        self._try(lambda: self.tournament.leave(key))
        users = {other: user for other, user in self.state.users.items() if other != key}
        self.state = replace(self.state, users=users)
        self._withdrawn.append(member.id)
        self._move(f"{cause}/leave", self._share(key), self._wallet(key), self.tournament.terms.buy_in, "buy-in back")

    def move(self, starts: float, wall: str, zone: str, *, series: bool) -> None:
        """Move the start of the tournament, or of its whole series (`series`), while sign-up is open.

        `starts` is in seconds since 1970, `wall` the same moment as local time in `zone`.
        """
        if self.tournament.phase is not TournamentPhase.SIGN_UP:
            raise Refused(Reason.SIGN_UP_OVER)
        self._urgent, state = True, self.state
        alone = state.every is not Every.ONCE and not series
        self.state = replace(
            state,
            starts=starts,
            wall=wall,
            zone=zone,
            rhythm=(state.rhythm or state.wall) if alone else "",
            moved_from=state.starts if state.moved_from is None else state.moved_from,
        )

    def told_of_move(self, starts: float, *, reminded: bool) -> None:
        """Write down that people know the new start, or refuse if it was moved again and is no longer `starts`.

        `reminded` says whether the start is so near that they need no other reminder.
        """
        if self.state.starts != starts:
            raise Refused(Reason.OLD_BUTTON)
        self.state = replace(self.state, moved_from=None, reminded=reminded)

    def remind(self) -> None:
        """Write down that the reminder is being sent, so that there is no second one for this start."""
        self.state = replace(self.state, reminded=True)

    def cancel(self, why: WhyCancelled) -> None:
        """Cancel the tournament; every buy-in comes back (R7.10)."""
        self._try(self.tournament.cancel)
        self._urgent = True
        self.state = replace(self.state, why=why)
        self._give_back()

    # -- play ----------------------------------------------------------------------------------------------------------

    def promised(self, chain: Chain) -> None:
        """Note a promise that is posted. If play has begun, later lots come from it."""
        self.state = replace(self.state, tip=chain.tip, promise=chain.message)
        if self.tournament.phase is TournamentPhase.PLAYING:
            self._draw_from(chain)

    def close_sign_up(self) -> None:
        """Close the sign-up: nobody joins or leaves any more."""
        self._try(self.tournament.close)

    def begin(self) -> None:
        """Begin a tournament of version 1, whose lots depend on Discord's id of the sign-up message."""
        self._try(lambda: self.tournament.start(str(self.state.message or 0)))
        self._name_computers()

    def begin_with(self, chain: Chain, entrants: int) -> None:
        """Seat everybody by lots from the promised chain and from the id of the message that lists the entrants."""
        self.state = replace(self.state, entrants=entrants)
        self._draw_from(chain)
        self._try(self.tournament.start)
        self._name_computers()

    def _draw_from(self, chain: Chain) -> None:
        entrants = self.state.entrants or self.state.message  # tournaments of version 1 posted no list
        secret, promise = lots_of(chain.root), str(chain.message)
        self._try(lambda: self.tournament.draw_from(secret, promise, str(entrants)))

    def deal(self, deals: FieldDeals, ends: float) -> None:
        """Begin the same deals for everybody, which may be played until `ends`."""
        self._try(self.tournament.deal)
        self._deals = deals
        self.state = replace(self.state, ends=ends)

    def played(self, scores: Sequence[Score]) -> None:
        """Take in the scores of everybody who has begun the same deals, and award titles and points.

        The pool is paid, or every buy-in given back (`Tournament.comes_back`).
        """
        self._try(lambda: self.tournament.played(scores))
        self._begun = len(scores)
        self._pay()

    def placed(self, number: int, channel: int) -> None:
        """Write down the channel of table `number` of this stage."""
        self.state = replace(self.state, channels={**self.state.channels, str(number): channel})

    def finished(self, number: int, placings: Sequence[Placing], absent: Sequence[str]) -> None:
        """Take in the result of table `number` of this stage. After the final, award title and points and pay the pool.

        `absent` are the keys of people who were absent at its end. Tables of the next stage do not wait for them.
        """
        stage = self.tournament.stage
        self._try(lambda: self.tournament.finished(number, placings))
        here = {placing.key for placing in placings}
        kept = tuple(key for key in self.state.absent if key not in here)
        self.state = replace(self.state, absent=(*kept, *absent))
        if self.tournament.phase is TournamentPhase.OVER:
            self._pay()
        elif self.tournament.stage != stage:
            self.state = replace(self.state, channels={})
            self._name_computers()

    def succeed(self, next_one: TournamentRow) -> None:
        """Let this change also store the next tournament of the series."""
        self._successor = next_one

    def end_announced(self) -> None:
        """Write down that the end was announced: nothing is left to do."""
        self.state = replace(self.state, told=True)

    # -- private -------------------------------------------------------------------------------------------------------

    def _pay(self) -> None:
        self._award()
        if self.tournament.comes_back:
            self._give_back()
            return
        hub, tournament = self._account(str(self.state.id)), self.state.id
        for key in self.tournament.people:
            self._move(
                f"{TOURNAMENT}/{tournament}/pool/{key}", self._share(key), hub, self.tournament.terms.buy_in, "pool"
            )
        for key, amount in self.tournament.payouts().items():
            self._move(f"{TOURNAMENT}/{tournament}/prize/{key}", hub, self._wallet(key), amount, "prize")

    def _award(self) -> None:
        self._titles = tuple(
            Title(title_of(self.tournament, self.state.id, key), int(key), self._now)
            for key in self.tournament.winners()
        )
        self._podium = tuple((int(key), points) for key, points in self.tournament.podium())

    def _give_back(self) -> None:
        for key, amount in self.tournament.payouts().items():
            self._move(
                f"{TOURNAMENT}/{self.state.id}/back/{key}", self._share(key), self._wallet(key), amount, "buy-in back"
            )

    def _name_computers(self) -> None:
        """Name the computer players of this stage. No two in the whole tournament have the same name."""
        names = dict(self.state.names)
        for table in self.tournament.tables:
            for who in table:
                if not who.person and who.key not in names:
                    again, which = divmod(len(names), len(NAMES))
                    names[who.key] = f"{NAMES[which]} {again + 1}" if again else NAMES[which]
        self.state = replace(self.state, names=names)

    def _move(self, key: str, source: Account, target: Account, amount: Cents, reason: str) -> None:
        if amount:
            self._transfers.append(Transfer(key, source, target, amount, reason))

    def _wallet(self, key: str) -> Account:
        return Account(Kind.MEMBER, self.state.guild, key)

    def _share(self, key: str) -> Account:
        """Return the account of a person's buy-in. Each person has one, so that no sign-up waits for another."""
        return self._account(f"{self.state.id}/{key}")

    def _account(self, owner: str) -> Account:
        return Account(Kind.POOL, self.state.guild, owner)

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except IllegalStep as illegal:
            raise Refused(_REASONS[illegal.misstep]) from None


_REASONS: Final = {
    Misstep.NOT_NOW: Reason.SIGN_UP_OVER,
    Misstep.TAKEN: Reason.SIGNED_UP,
    Misstep.NOT_SIGNED_UP: Reason.NOT_SIGNED_UP,
    Misstep.TOO_FEW: Reason.TOO_FEW,
    Misstep.WRONG_RESULT: Reason.OLD_BUTTON,
}
