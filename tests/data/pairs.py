"""Duels for tests of the bank: Ada challenges Ben, and every duel has the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from data import Bank, Challenge, StoredDuel
from data.base.duels import DuelDraft
from data.base.sets import DealtSet, StoredTry
from data.base.values import UNSAID, Ages
from engine.coach.sets import WhichFreeDeals, answered
from engine.fairness.chain import seed_of, tip_of
from engine.fairness.sets import duel_name
from engine.games.blackjack.rule_sets import VEGAS
from engine.games.contract import CHIP
from engine.sets.answers import ACTIONS
from engine.sets.duels import LINK, terms_of
from engine.sets.levels import played_by
from engine.sets.prepared import Prepared
from engine.sets.tries import NEXT, Try
from engine.tables.values import Member
from tests.data.dealer import GUILD, LENIENT, HandClock, press
from tests.data.fives import one_root

ADA, BEN, CLEO = 1, 2, 3
HANDS = 5


@cache
def deals_of(seed: bytes, name: str) -> Prepared:
    """The same few deals of vegas for everybody who names this seed."""

    async def ask(question: Any) -> Any:
        return question.answer()

    terms = terms_of("vegas", VEGAS)
    deals = WhichFreeDeals(terms, seed, name, HANDS).answer()
    coroutine = answered(ask, terms, seed, name, deals)
    try:
        coroutine.send(None)
    except StopIteration as done:
        found: Prepared = done.value
        return found
    raise AssertionError("the answers are there at once")


def prepared(draft: DuelDraft) -> Prepared:
    return deals_of(draft.seed, draft.dealt_as)


def draft_of(root: bytes) -> DuelDraft:
    """The chain of a duel with this root."""
    tip = tip_of(root)
    return DuelDraft(root, tip, seed_of(root, LINK), duel_name(tip))


async def challenge(
    bank: Bank,
    ada: Member,
    ben: Member | None,
    stake: int = 50,
    *,
    level: str | None = None,
    since: Ages = UNSAID,
    id: int | None = None,
) -> StoredDuel:
    bank.challenges.chance = one_root
    draft = bank.challenges.draft()
    asked = Challenge(id or press(), ada.guild, 70, ada, ben, level, stake * CHIP)
    return await bank.challenges.make(asked, draft, prepared(draft), since)


async def running(bank: Bank, ada: Member, ben: Member, stake: int = 50) -> StoredDuel:
    duel = await challenge(bank, ada, ben, stake)
    return await bank.challenges.accept(duel.id, ben, for_fun=False)


async def play(bank: Bank, duel: StoredDuel, user: int, letters: Sequence[str]) -> StoredTry:
    """Play on with these presses."""
    deals = await bank.duels.deals(duel)
    stored = await bank.duels.begin(duel, user)
    for action in letters:
        stored = await bank.tries.press(stored, stored.on(deals).pressed(action, deals.shoes))
    return stored


async def play_out(bank: Bank, duel: StoredDuel, user: int, *, worst: bool = False) -> StoredTry:
    """Play all hands as well as can be, or as badly."""
    return await play(bank, duel, user, presses(await bank.duels.deals(duel), worst=worst))


def presses(deals: DealtSet, *, worst: bool = False) -> list[str]:
    """The presses of the best try, or of the worst."""
    found, pressed = StoredTry(deals.id, 0, 0, "", 0.0).on(deals), list[str]()
    while not found.over:
        pressed.append(_next(found, worst=worst))
        found = found.pressed(pressed[-1], deals.shoes)
    return pressed


def _next(found: Try, *, worst: bool) -> str:
    if found.round.over:
        return NEXT
    answers = found.prepared.answers[found.place][found.letters[-1]]
    return ACTIONS[(min if worst else max)(answers, key=answers.__getitem__)]


def by_level(deals: DealtSet, level: str) -> list[str]:
    """The presses of a computer player."""
    return [ACTIONS.get(letter, letter) for letter in played_by(level, deals.prepared, deals.shoes).steps]


async def two(bank: Bank) -> tuple[Member, Member]:
    """Ada and Ben."""
    return await bank.members.sign_in(GUILD, ADA), await bank.members.sign_in(GUILD, BEN)


async def every_kind(bank: Bank, clock: HandClock, guild: int) -> StoredDuel:
    """A server with a duel that was played for chips and is bound, one that goes on, and an open challenge.

    Return the one that goes on.
    """
    settings = await bank.guilds.settings(guild)
    await bank.guilds.keep_settings(guild, replace(settings, house=LENIENT))
    ada, ben, cleo = [await bank.members.sign_in(guild, user) for user in (ADA, BEN, CLEO)]
    for worst in (ADA, BEN):
        played = await running(bank, ada, ben)
        for user in (ADA, BEN):
            await play_out(bank, played, user, worst=user == worst)
        await bank.duels.end(played.id)
    declined = await challenge(bank, cleo, ben)
    await bank.challenges.refuse(declined.id, ben.id)
    clock.time += 7_200
    while await bank.leaves.bind():
        pass
    for level in ("amateur", "expert"):
        await play(bank, await challenge(bank, cleo, None, 0, level=level), CLEO, [])
    goes_on = await running(bank, ada, ben)
    await play_out(bank, goes_on, ADA)
    await play(bank, goes_on, BEN, presses(await bank.duels.deals(goes_on))[:3])
    await challenge(bank, ben, cleo)
    return goes_on
