"""Knows which account a chair plays from, and makes the transfers that move its chips.

The till keeps nothing: it is handed a chair and returns it as it is after chips have moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.games.contract import BOTTOMLESS, Cents, Seat, Settlement
from engine.tables.house import BANKROLL
from engine.tables.refused import Reason, Refused
from engine.tables.state import Chair, Money
from engine.tables.values import Account, Kind, Transfer


@dataclass(frozen=True, slots=True)
class Movement:
    """Chips moved: the chair as it is afterwards, what its owner's wallet changes by, and the bank's transfers."""

    chair: Chair
    wallet: Cents = 0
    transfers: tuple[Transfer, ...] = ()


@dataclass(frozen=True, slots=True)
class Till:
    """The cashier of one table. It moves chips between players, the escrow of a round (its stakes) and the house."""

    table: int
    guild: int
    money: Money

    def stake(self, chair: Chair, purse: Cents, amount: Cents, number: int, key: str) -> Movement:
        """Return the movement of a stake from the chair to round `number`, or raise Refused(CANNOT_PAY).

        Where stakes come from wallets, the house lends a computer player what it lacks, at least `BANKROLL`. `purse` is
        what the chair can pay, `key` the key of the transfer.
        """
        if amount > purse:
            raise Refused(Reason.CANNOT_PAY, balance=purse, needed=amount)
        refill: tuple[Transfer, ...] = ()
        if purse == BOTTOMLESS and amount > (chair.stack or 0):
            lent = max(amount - (chair.stack or 0), BANKROLL)
            refill = self._moved(f"{key}/refill", self._house, self._account(chair), lent, "refill")
            chair = replace(chair, stack=(chair.stack or 0) + lent)
        staked = self._moved(key, self._account(chair), self._escrow(number), amount, "stake")
        return self._booked(chair, -amount, (*refill, *staked))

    def settle(self, settlement: Settlement, number: int) -> tuple[Transfer, ...]:
        """Return the transfer by which the house gets what all seats together lose in a round, or pays what they win.

        It must be made before the transfers of `pay`. The tuple is empty if the sum is 0, and for play chips.
        """
        won = sum(line.net for line in settlement.lines)
        key, escrow = f"{self.table}/{number}/pay/house", self._escrow(number)
        if won > 0:
            return self._moved(key, self._house, escrow, won, "winnings")
        return self._moved(key, escrow, self._house, -won, "losses")

    def pay(self, chair: Chair, seat: Seat, amount: Cents, number: int) -> Movement:
        """Return the movement that pays a seat what round `number` returns to it."""
        key = f"{self.table}/{number}/pay/{seat}"
        return self._booked(
            chair, amount, self._moved(key, self._escrow(number), self._account(chair), amount, "returned")
        )

    def hand_back(self, chair: Chair, amount: Cents, number: int) -> Movement:
        """Return the movement that gives back the stakes of round `number`, which is never dealt."""
        key = f"{self.table}/{number}/back/{chair.place}"
        moved = self._moved(key, self._escrow(number), self._account(chair), amount, "returned")
        return self._booked(chair, amount, moved)

    def buy_in(self, chair: Chair, wallet: Cents, amount: Cents) -> Movement:
        """Return the movement that fills a stack: a person's from the wallet, a computer player's from the house.

        Raise Refused(CANNOT_PAY) if the wallet is too small.
        """
        if chair.is_person and amount > wallet:
            raise Refused(Reason.CANNOT_PAY, balance=wallet, needed=amount)
        key = f"{self.table}/buy-in/{chair.holder}"
        moved = self._moved(key, self._home(chair), self._account(chair), amount, "buy-in")
        return Movement(replace(chair, stack=amount), -amount, moved)

    def cash_out(self, chair: Chair, number: int) -> Movement:
        """Return the movement of all chips of a stack to its owner: a person's wallet, or the house.

        `number` is the last round. Play chips stay where they are.
        """
        if not chair.stack or self.money is Money.PLAY:
            return Movement(chair)
        key = f"{self.table}/{number}/cash-out/{chair.holder}"
        moved = self._moved(key, self._account(chair), self._home(chair), chair.stack, "cash-out")
        return Movement(replace(chair, stack=0), chair.stack, moved)

    # -- private ---------------------------------------------------------------------------------------------------

    def _booked(self, chair: Chair, amount: Cents, transfers: tuple[Transfer, ...]) -> Movement:
        if chair.stack is not None:
            return Movement(replace(chair, stack=chair.stack + amount), 0, transfers)
        return Movement(chair, amount, transfers)

    def _moved(self, key: str, source: Account, target: Account, amount: Cents, reason: str) -> tuple[Transfer, ...]:
        """Return the transfer, or none for an amount of 0 and for play chips, which the ledger does not know."""
        return (Transfer(key, source, target, amount, reason),) if amount and self.money is not Money.PLAY else ()

    def _account(self, chair: Chair) -> Account:
        if not chair.is_person:
            return Account(Kind.COMPUTER, self.guild, f"{self.table}/{chair.holder}")
        if self.money is Money.STACK:
            return Account(Kind.STACK, self.guild, f"{self.table}/{chair.holder}")
        return self._home(chair)

    def _home(self, chair: Chair) -> Account:
        return Account(Kind.MEMBER, self.guild, str(chair.member)) if chair.is_person else self._house

    @property
    def _house(self) -> Account:
        return Account(Kind.HOUSE, self.guild)

    def _escrow(self, number: int) -> Account:
        return Account(Kind.ESCROW, self.guild, f"{self.table}/{number}")
