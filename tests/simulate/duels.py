"""Duels in a story: each event makes one step, and the judge remembers what the answer promised."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Final

from data import Bank, Challenge, DuelMoved, StoredDuel
from engine.games.contract import CHIP
from engine.sets.duels import DuelState
from engine.sets.tries import NEXT
from engine.tables.ports import AlreadyDone, BankError, OutcomeUnknown
from engine.tables.values import Member
from tests.data.pairs import prepared

if TYPE_CHECKING:
    from tests.simulate.events import Scene

#: The presses of a hand that one event makes.
_PRESSES: Final = 6


async def step(scene: Scene, users: Sequence[int]) -> None:
    """Make one step of a duel that goes on, or a challenge."""
    first, other = scene.chance.sample(users, 2)
    if scene.chance.random() < 0.75:
        for user in scene.chance.sample(users, len(users)):
            me = await scene.bank.members.sign_in(scene.process.guild, user)
            found = [duel for duel in await scene.bank.duels.open_of(user) if duel.guild == me.guild]
            if found:
                duel = scene.chance.choice(found)
                scene.told += f" {duel.state.value}"
                await (_answer if duel.state is DuelState.CHALLENGED else _play)(scene, duel, me)
                return
    await _challenge(scene, await scene.bank.members.sign_in(scene.process.guild, first), other)


async def ended(bank: Bank) -> None:
    """End every duel whose time is over, and mark its end as posted."""
    for number, _guild in await bank.duels.due():
        await bank.duels.end(number)
        await bank.duels.mark_posted(number)


async def _challenge(scene: Scene, me: Member, user: int) -> None:
    other, press = await scene.bank.members.sign_in(me.guild, user), scene.press()
    stake, draft = scene.chance.choice((0, 5, 20, 5_000)), scene.bank.challenges.draft()
    asked = Challenge(press, me.guild, me.guild + 1, me, other, None, stake * CHIP)
    work = scene.bank.challenges.make(asked, draft, prepared(draft))
    if stake:
        await scene.pressed(f"duel/{press}/stake/{me.id}", work, of_ledger=True)
    else:
        await work


async def _answer(scene: Scene, duel: StoredDuel, me: Member) -> None:
    challenger = duel.sides[0].member
    if me.id == challenger or scene.chance.random() < 0.2:
        key, work = f"back/{challenger}", scene.bank.challenges.refuse(duel.id, me.id)
    else:
        key, work = f"stake/{me.id}", _accept(scene, duel, me)
    if duel.offered:
        await scene.pressed(f"duel/{duel.id}/{key}", _once(work), of_ledger=True, repeatable=True)
    else:
        await _once(work)


async def _accept(scene: Scene, duel: StoredDuel, me: Member) -> None:
    """Accept a challenge, and let the judge remember that the duel began."""
    await scene.bank.challenges.accept(duel.id, me, for_fun=False)
    scene.judge.begun.add(duel.id)


async def _once(work: Awaitable[Any]) -> None:
    """Report a step that came too late as done already: an earlier one of the same kind may stand."""
    try:
        await work
    except DuelMoved as moved:
        raise AlreadyDone(str(moved)) from moved


async def _play(scene: Scene, duel: StoredDuel, me: Member) -> None:
    deals = await scene.bank.duels.deals(duel)
    for _ in range(_PRESSES):
        stored = await scene.bank.duels.in_time(await scene.bank.duels.begin(duel, me.user), deals)
        found = stored.on(deals)
        if found.over:
            break
        action = NEXT if found.round.over else scene.chance.choice(found.legal)
        try:
            kept = await scene.bank.tries.press(stored, found.pressed(action, deals.shoes))
        except (BankError, OutcomeUnknown) as refused:
            scene.told += f" {type(refused).__name__}"
            return
        scene.judge.tries[kept.set, kept.person] = kept
    await scene.bank.duels.end(duel.id)
