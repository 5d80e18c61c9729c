"""Bugs planted on purpose: a simulation that does not find them proves nothing about the right code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa

from cogs.table.poster import DiscordPoster
from cogs.table.presenter import Display, Presenter
from data import Job, Limit, TakenOver
from data.base import schema
from data.base.sets import StoredTry
from data.base.values import Trained
from data.drivers.statement import Statement, param
from data.jobs import jobs
from data.journal.promises import Promises
from data.journal.tables import Tables
from data.ledger import ledger
from data.ledger import resets as in_resets
from data.ledger.resets import Resets
from data.ledger.shop import Shop
from data.people import limits
from data.people.training import Training
from data.seasons import member_days, places
from data.sets import duels as in_duels
from data.sets.challenges import AllChallenges
from data.sets.tries import Tries
from engine import fairness
from engine.fairness.chain import SLOTS
from engine.games.blackjack.rules import FROM_FAR_END, DealerCards
from engine.games.contract import By
from engine.sets.duels import DuelVerdict
from engine.sets.tries import Try
from engine.tables import promises as in_promises
from engine.tables.cash import CashDraft
from engine.tables.draft import Draft
from engine.tables.open_tables import OpenTables
from engine.tables.ports import OutcomeUnknown
from engine.tables.refused import Refused
from engine.tables.state import TablePhase
from engine.tables.table import Table
from engine.tables.till import Movement, Till
from engine.tables.values import Transfer
from engine.tournament import field as in_fields
from engine.tournament.director import Director
from engine.tournament.field import Score

Bug = Callable[[], AbstractContextManager[None]]


def _instead(owner: Any, name: str, wrong: Callable[..., Any]) -> Bug:
    """`wrong` is called with the right one, and whatever that would have been called with."""

    @contextmanager
    def planted() -> Iterator[None]:
        right = getattr(owner, name)

        def called(*args: Any, **more: Any) -> Any:
            return wrong(right, *args, **more)

        setattr(owner, name, called)
        try:
            yield
        finally:
            setattr(owner, name, right)

    return planted


def _stand(table: Table, draft: Draft) -> None:
    table._position = draft.position()
    table.state = draft.state


async def _swaps_what_was_refused(right: Any, table: Table, draft: Draft, cause: str) -> None:
    try:
        await right(table, draft, cause)
    except Refused:
        _stand(table, draft)


async def _takes_unknown_for_done(right: Any, table: Table, draft: Draft, cause: str) -> None:
    before = draft.state
    try:
        await table._around.bank.tables.commit(draft.change(cause))
    except OutcomeUnknown:
        _stand(table, draft)
    except Exception:
        draft.state = before
        await right(table, draft, cause)
    else:
        _stand(table, draft)


def _sets_no_alarm(right: Any, table: Table, *more: Any) -> None:
    if table.state.phase is not TablePhase.PLAYING:
        right(table, *more)


def _stakes_for_nothing(right: Any, till: Till, *asked: Any) -> Movement:
    return replace(right(till, *asked), transfers=())


def _deals_other_cards(right: Any, registry: OpenTables, around: Any) -> None:
    right(registry, replace(around, shoe=lambda seed, inputs, decks: fairness.shoe(seed, inputs[:-1], decks)))


def _asks_for_no_invitation(right: Any, *_: Any) -> None:
    """Let anybody sit down."""


async def _loses_a_table(right: Any, registry: OpenTables, *shards: Any) -> int:
    await right(registry, *shards)
    for table in registry.tables()[-1:]:
        table.rest()
        registry._forget(table)
    return len(registry.tables())


async def _says_yes_first(right: Any, tables: Tables, change: Any) -> None:
    task = asyncio.get_running_loop().create_task(right(tables, change))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _keeps_no_rules(right: Any, tables: Tables, deal: Any) -> None:
    """Name a text of rules that was never written."""


async def _keeps_no_press(right: Any, tries: Tries, stored: StoredTry, after: Try) -> StoredTry:
    """Keep nothing of a press, and answer as if it was kept."""
    return replace(stored, version=stored.version + 1, steps=after.steps)


async def _keeps_no_answer(right: Any, training: Training, user: int, was: Trained, doc: Any) -> Trained:
    """It says what it would have kept, and keeps nothing."""
    return Trained(was.what, was.rules, was.version + 1, doc)


def _pays_one_stake(right: Any, duel: Any, winner: int | None) -> Iterator[Transfer]:
    """Give the winner of a duel back their own stake, and nothing of the other one."""
    for move in right(duel, winner):
        yield replace(move, amount=duel.stake)


async def _stakes_nothing(right: Any, challenges: AllChallenges, *asked: Any) -> Any:
    """Let a duel begin without taking anybody's stake."""
    return await challenges._guilds.house(asked[2].guild)


async def _keeps_no_acceptance(right: Any, challenges: Any, number: int, *who: Any, **how: Any) -> Any:
    """Leave a challenge open that was accepted."""
    return await challenges._duels.known(number)


def _lets_the_worse_win(right: Any, one: Any, other: Any, level: str | None = None) -> DuelVerdict:
    found: DuelVerdict = right(one, other, level)
    return found if found.winner is None else replace(found, winner=1 - found.winner)


def _brings_no_points(right: Any, *ending: Any) -> Iterator[tuple[int, int]]:
    """Let a duel end without its points of the season."""
    return iter(())


def _ranks_the_worst_first(right: Any, score: Score) -> tuple[int, int]:
    """Rank the largest loss first."""
    losses, net = right(score)
    return -losses, -net


async def _writes_another_cause(right: Any, tables: Tables, change: Any) -> None:
    await right(tables, replace(change, cause=f"{change.cause}!"))


async def _writes_no_winnings(right: Any, tables: Tables, change: Any) -> None:
    kept = [move for move in change.transfers if move.reason not in ("losses", "winnings")]
    await right(tables, replace(change, transfers=kept))


async def _writes_an_old_table(right: Any, tables: Tables, change: Any) -> None:
    await right(
        tables, replace(change, table=replace(change.table, doc=change.table.doc.replace('"road":[', '"road": [')))
    )


async def _tells_no_table(right: Any, presenter: Presenter, table: Table, message: int) -> None:
    """Do not tell a table where its new message is."""


async def _posts_nothing(right: Any, poster: DiscordPoster, *_: Any) -> int:
    return 4_711


def _books_the_clock(right: Any, draft: Draft) -> None:
    """Computer players have none; their moves must be in the record as theirs."""
    assert draft.round is not None
    for seat in draft.round.asked:
        if seat in draft.round.asked:
            draft._step(draft.state.chair_in(seat), seat, draft.round.timeout(seat), By.CLOCK)


def _draws_nothing(right: Any, presenter: Presenter, display: Display) -> None:
    """It is never edited."""


def _takes_another_slot(right: Any, root: bytes, slot: int) -> bytes:
    """The chain is one of the promise, and not the one that its path leads from."""
    return right(root, slot % SLOTS + 1)


async def _waits_for_no_hand(right: Any, promises: Promises, channel: int) -> bool:
    """A promise that was deleted ends, and its root is shown, whatever is dealt from it."""
    given_up = sa.and_(schema.promises.c.why.is_not(None), schema.OPEN_PROMISE)
    here = schema.promises.c.channel == param("channel")
    await promises._store.change(
        Statement(sa.update(schema.promises).values(ended_at=1.0).where(given_up, here)), {"channel": channel}
    )
    return bool(await right(promises, channel) and False)


def _deals_from_the_front(right: Any, draft: Draft, *dealt: Any) -> None:
    """The dealer's cards, too, whatever the rules say."""
    rules = draft.given.rules
    if getattr(rules, "dealer_cards", None) is FROM_FAR_END:
        draft.given = replace(draft.given, rules=replace(rules, dealer_cards=DealerCards.IN_ORDER))
    right(draft, *dealt)


def _looks_once(right: Any, director: Director, *_: Any) -> None:
    """And never again."""


async def _finishes_no_job(right: Any, director: Director, held: Any) -> None:
    director._held.pop(held.run.id, None)


def _swapped(owner: Any, name: str, wrong: Any) -> Bug:
    """`wrong` stands where something else should."""

    @contextmanager
    def planted() -> Iterator[None]:
        right = getattr(owner, name)
        setattr(owner, name, wrong)
        try:
            yield
        finally:
            setattr(owner, name, right)

    return planted


async def _pays_back_what_was_given(right: Any, part: Shop, job: Job, by: str) -> None:
    await part.refund(job, by)


async def _gives_without_a_note(right: Any, part: Shop, job: Job, by: str) -> None:
    """The role is given, and its job is finished."""
    await part._store.change(jobs.FINISH, {"key": job.key, "by": by, "at": 1.0}, TakenOver(job.key))


def _asks_for_no_limit(right: Any, *_: Any, **__: Any) -> None:
    """Let everybody stake, whatever they have lost."""


def _rises_at_once(right: Any, was: Limit, most: int | None, now: float) -> Limit:
    return Limit(was.kind, most)


async def _finds_nobody_playing(right: Any, part: Resets, guild: int) -> set[int]:
    """Reset those too whose chips are in play."""
    return set()


def _books_too_little(right: Any, *asked: Any) -> Transfer:
    move: Transfer = right(*asked)
    return replace(move, amount=max(1, move.amount // 2))


def _counts_twice(right: Any, batch: Any, grade: Any) -> None:
    """Add a hand to its day two times."""
    right(batch, grade)
    right(batch, grade)


def _leaves_places(right: Any, *_: Any, **__: Any) -> None:
    """Leave standings as they were, whatever has happened."""


#: Each with the number of events within which it must be found.
PLANTED: Final[dict[str, tuple[Bug, int]]] = {
    "table: swaps in what the bank refused": (_instead(Table, "_commit", _swaps_what_was_refused), 2_000),
    "table: takes an unknown commit for done": (_instead(Table, "_commit", _takes_unknown_for_done), 2_000),
    "table: sets no alarm in a round": (_instead(Table, "_arm", _sets_no_alarm), 2_000),
    "table: stakes without chips": (_instead(Till, "stake", _stakes_for_nothing), 2_000),
    "table: deals other cards than promised": (_instead(OpenTables, "__init__", _deals_other_cards), 500),
    "table: one is lost at a start": (_instead(OpenTables, "recover", _loses_a_table), 2_000),
    "table: lets anybody sit who is not invited": (
        _instead(CashDraft, "_refuse_uninvited", _asks_for_no_invitation),
        2_000,
    ),
    "table: has the clock play for computer players": (_instead(Draft, "_time_out_all", _books_the_clock), 8_000),
    "promise: is not posted": (_instead(DiscordPoster, "post", _posts_nothing), 500),
    "promise: covers another chain": (_instead(in_promises, "slot_root", _takes_another_slot), 500),
    "promise: waits for no hand": (_instead(Promises, "end_over", _waits_for_no_hand), 12_000),
    "far end: deals from the front": (_instead(Draft, "_begin", _deals_from_the_front), 2_000),
    "bank: says yes before it has written": (_instead(Tables, "commit", _says_yes_first), 500),
    "bank: writes another cause": (_instead(Tables, "commit", _writes_another_cause), 500),
    "bank: writes neither losses nor winnings": (_instead(Tables, "commit", _writes_no_winnings), 500),
    "bank: writes a table that is not the table": (_instead(Tables, "commit", _writes_an_old_table), 500),
    "bank: names rules that it does not keep": (_instead(Tables, "_keep_rules", _keeps_no_rules), 500),
    "today: says yes and keeps no press": (_instead(Tries, "press", _keeps_no_press), 500),
    "training: says yes and keeps no answer": (_instead(Training, "keep", _keeps_no_answer), 500),
    "care: a door is left open": (_swapped(ledger, "DEBIT_MEMBER", ledger.DEBIT_BY_ORDER), 2_000),
    "care: no limit is asked for": (_instead(ledger, "expect_within", _asks_for_no_limit), 2_000),
    "care: a limit rises at once": (_instead(limits, "changed", _rises_at_once), 2_000),
    "roles: pays back what was given": (_instead(Shop, "given", _pays_back_what_was_given), 2_000),
    "roles: gives without a note": (_instead(Shop, "given", _gives_without_a_note), 2_000),
    "duel: pays the winner one stake": (_instead(in_duels, "paid_out", _pays_one_stake), 16_000),
    "duel: says yes and keeps no acceptance": (_instead(AllChallenges, "accept", _keeps_no_acceptance), 2_000),
    "duel: lets the worse win": (_instead(in_duels, "verdict", _lets_the_worse_win), 4_000),
    "duel: brings no points": (_instead(in_duels, "points_of", _brings_no_points), 4_000),
    "duel: accepts without a stake": (_instead(AllChallenges, "_stake", _stakes_nothing), 2_000),
    "reset: takes from those who play": (_instead(Resets, "_in_play", _finds_nobody_playing), 4_000),
    "reset: books too little": (_instead(in_resets, "_booked", _books_too_little), 2_000),
    "season: counts a hand twice": (_instead(member_days, "count", _counts_twice), 500),
    "season: leaves a place as it was": (_instead(places, "graded", _leaves_places), 500),
    "season: brings no points": (_instead(places, "award", _leaves_places), 4_000),
    "the same cards: rank the worst first": (_instead(in_fields, "_merit", _ranks_the_worst_first), 8_000),
    "presenter: keeps new messages to itself": (_instead(Presenter, "became", _tells_no_table), 500),
    "presenter: draws nothing": (_instead(Presenter, "_soon", _draws_nothing), 2_000),
    "director: looks once at each tournament": (_instead(Director, "_later", _looks_once), 4_000),
    "director: finishes no job": (_instead(Director, "_finish", _finishes_no_job), 4_000),
}
