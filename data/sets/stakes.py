"""The stakes of duels: what moves with each step, and what nobody may stake (R12.2, R12.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.base import accounts
from data.base.duels import StoredDuel
from data.base.errors import MustKeep, OverDuelCap, TooFewHands
from data.drivers.batch import Batch
from data.drivers.statement import Row
from data.ledger import ledger
from data.ledger.caps import GIVEN_WITHIN, RECEIVED_WITHIN
from data.ledger.chips import HAS_PLAYED, KEEPS
from data.people.fingerprints import DAY
from engine.games.contract import Cents
from engine.sets.duels import DuelState
from engine.tables.house import HouseSettings
from engine.tables.values import Account, Kind, Transfer


def pay(batch: Batch, moves: Sequence[Transfer], now: float) -> None:
    """Add the transfers of a step of a duel to its batch, if there are any."""
    if moves:
        ledger.move(batch, moves, now)


def staking(duel: int, guild: int, member: int, stake: Cents) -> Transfer:
    """Return the transfer of a member's stake from the wallet to the duel."""
    return Transfer(f"duel/{duel}/stake/{member}", _wallet(guild, member), _pot(duel, guild), stake, "duel")


def giving_back(duel: StoredDuel, member: int, stake: Cents) -> Transfer:
    """Return the transfer of a member's stake from the duel back to the wallet."""
    key = f"duel/{duel.id}/back/{member}"
    return Transfer(key, _pot(duel.id, duel.guild), _wallet(duel.guild, member), stake, "duel back")


def paid_out(duel: StoredDuel, winner: int | None) -> Iterator[Transfer]:
    """Yield the transfers at the end of a duel: all stakes go to the winner, or back to those who have paid them.

    `winner` is the winner's number as a member; None: nobody has won.
    """
    if not duel.stake:
        return
    if winner is not None:
        key, wallet = f"duel/{duel.id}/won/{winner}", _wallet(duel.guild, winner)
        yield Transfer(key, _pot(duel.id, duel.guild), wallet, 2 * duel.stake, "duel won")
        return
    paid = duel.sides if duel.state is DuelState.RUNNING else duel.sides[:1]
    yield from (giving_back(duel, side.member, duel.stake) for side in paid if side.member is not None)


def expect_able(batch: Batch, member: Row, house: HouseSettings) -> None:
    """Make the batch raise TooFewHands or MustKeep if the member may not give away the stake booked in it (R10.4)."""
    played = {"member": member.id, "hands": house.gift_hands}
    batch.must(HAS_PLAYED, played, TooFewHands(house.gift_hands, member.rounds))
    batch.must(KEEPS, {"member": member.id, "kept": house.kept_chips}, MustKeep(house.kept_chips))


def expect_within_caps(
    batch: Batch, guild: int, member: int, house: HouseSettings, now: float, *, more: Cents = 0
) -> None:
    """Make the batch raise OverDuelCap if a member's stakes go past their caps on gifts given and received (R12.9).

    `more` is a stake that does not count yet, because its duel is not accepted.
    """
    values = {"guild": guild, "member": member, "name": accounts.member(member), "since": now - DAY, "more": more}
    fault = OverDuelCap(str(member))
    batch.must(GIVEN_WITHIN, {**values, "cap": house.gift_cap}, fault)
    batch.must(RECEIVED_WITHIN, {**values, "cap": house.received_cap}, fault)


def _wallet(guild: int, member: int) -> Account:
    return Account(Kind.MEMBER, guild, str(member))


def _pot(duel: int, guild: int) -> Account:
    return Account(Kind.DUEL, guild, str(duel))
