"""`python -m bench guard`: microseconds of a stake with the guard of breaks and limits, beside the same stake without.

A stake is one durable commit: the table's new state, the cause, the chips that move, and two transfers, because the
stake comes back at once, as that of a hand that is over. The guard is the condition of the debit, and the two questions
about limits. It is measured in one run for people who set nothing, for people with three limits, and for people with
limits who have staked a thousand times within the seven days; medians of many short laps, in turns, so that a busy
machine slows all alike.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from bench._server import postgres
from data import Bank, LimitKind
from data.__main__ import SystemClock
from data.ledger import ledger
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from engine.tables.values import Account, Change, Kind, TableRow, Transfer

_GUILD: Final = 5 << 22
_LAPS: Final = 41
#: Stakes in each lap.
_STAKES: Final = 12
_MANY: Final = 1_000
#: A limit that nobody reaches here, in cents and in hands.
_FAR: Final = 10**8

WITHOUT, WITH, LIMITS, PLAYED = "without", "with it", "with three limits", "and a thousand stakes this week"


class Staker:
    """A member who stakes a chip on one round after the other, at a table of their own."""

    def __init__(self, bank: Bank, member: int) -> None:
        self._bank, self._member, self._version = bank, member, 0
        self._wallet = Account(Kind.MEMBER, _GUILD, str(member))

    async def stake(self, times: int) -> float:
        """Stake this many times, and return the microseconds of a stake."""
        begun = time.perf_counter()
        for _ in range(times):
            await self._bank.tables.commit(self._change())
        return (time.perf_counter() - begun) / times * 1e6

    def _change(self) -> Change:
        self._version += 1
        cause, escrow = f"stake/{self._member}/{self._version}", f"{self._member}/{self._version}"
        row = TableRow(self._member, _GUILD, 70, "war", "{}" * 400, self._version, open=True, deadline=time.time())
        pot = Account(Kind.ESCROW, _GUILD, escrow)
        paid = Transfer(f"{cause}/stake", self._wallet, pot, CHIP, "stake")
        back = Transfer(f"{cause}/returned", pot, self._wallet, CHIP, "returned")
        return Change(cause, row, [paid, back])


@contextmanager
def _unguarded() -> Iterator[None]:
    """Move chips in the block as if there were neither breaks nor limits."""
    with patch.object(ledger, "DEBIT_MEMBER", ledger.DEBIT_BY_ORDER), patch.object(ledger, "expect_within"):
        yield


async def _measure(url: str) -> dict[str, Any]:
    async with Bank.open(url, HouseSettings(), SystemClock()) as bank:
        stakers = {name: await _staker(bank, user) for user, name in enumerate((WITHOUT, WITH, LIMITS, PLAYED), 1)}
        for user in (3, 4):
            for kind in LimitKind:
                await bank.limits.set(user, kind, _FAR)
        await stakers[PLAYED].stake(_MANY)
        laps: dict[str, list[float]] = {name: [] for name in stakers}
        for _ in range(_LAPS):
            for name, staker in stakers.items():
                with _unguarded() if name == WITHOUT else ExitStack():
                    laps[name].append(await staker.stake(_STAKES))
    return {name: round(statistics.median(found)) for name, found in laps.items()}


async def _staker(bank: Bank, user: int) -> Staker:
    member = await bank.members.sign_in(_GUILD, user)
    await bank.chips.grant(member.id, 10**9, actor=member.id, reason="bench", press=user)
    return Staker(bank, member.id)


def main() -> dict[str, Any]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        found: dict[str, Any] = {"bench": "guard", "unit": "microseconds of a stake"}
        found["sqlite"] = asyncio.run(_measure(f"sqlite:///{Path(folder) / 'bank.db'}"))
        found["postgresql"] = asyncio.run(_measure(next(stack.enter_context(postgres()))))
    print(json.dumps(found))
    return found
