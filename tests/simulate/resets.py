"""Resets to equal chips in a story: an order is a week old when it is given, because no story lasts so long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from data import Bank, Reset
from data.ledger.resets import NOTICE, Resets, key_of
from engine.games.contract import CHIP
from engine.tables.ports import Clock

if TYPE_CHECKING:
    from tests.simulate.events import Scene

_HOUR: Final = 3_600.0


async def step(scene: Scene, clock: Clock) -> None:
    """Order a reset, withdraw it, or go on with it."""
    coming = await scene.bank.resets.coming(scene.process.guild)
    if coming is None:
        await _order(scene, clock)
    elif not coming.began and scene.chance.random() < 0.1:
        await scene.bank.resets.withdraw(coming.id, coming.guild)
    else:
        await go_on(scene.bank, coming, clock)


async def finish(bank: Bank, guild: int, clock: Clock) -> None:
    """Bring the reset of a server to its end, when nobody plays any more."""
    coming = await bank.resets.coming(guild)
    if coming is not None:
        await go_on(bank, coming, clock)


async def go_on(bank: Bank, reset: Reset, clock: Clock) -> None:
    """Do what the chore does once its moment has come."""
    if not reset.announced or reset.at > clock.now():
        return
    reset = await bank.resets.begin(reset)
    after, left = await bank.resets.slice(reset)
    while after is not None:
        after, more = await bank.resets.slice(reset, after)
        left += more
    if not left:
        await bank.resets.end(reset.id)
        await bank.jobs.cancel(key_of(reset.id))


async def _order(scene: Scene, clock: Clock) -> None:
    actor, press = await scene.member(), scene.press()
    a_week_ago: Any = SimpleNamespace(now=lambda: clock.now() - NOTICE - _HOUR)
    resets = Resets(scene.bank._store, a_week_ago)
    amount = scene.chance.choice((100, 500, 2_000)) * CHIP
    reset = await resets.order(press, actor, scene.process.guild + 1, amount, 0.0)
    await resets.announced(reset.id, None)
