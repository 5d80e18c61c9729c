"""Bugs planted on purpose: a simulation that does not find them proves nothing about the right code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any, Final

from cogs.table.poster import DiscordPoster
from cogs.table.presenter import Display, Presenter
from data.journal.tables import Tables
from engine import fairness
from engine.games.contract import By
from engine.tables.draft import Draft
from engine.tables.open_tables import OpenTables
from engine.tables.ports import OutcomeUnknown
from engine.tables.refused import Refused
from engine.tables.state import TablePhase
from engine.tables.table import Table
from engine.tables.till import Movement, Till
from engine.tournament.director import Director

Bug = Callable[[], AbstractContextManager[None]]


def _instead(owner: type, name: str, wrong: Callable[..., Any]) -> Bug:
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


async def _loses_a_table(right: Any, registry: OpenTables, *shards: Any) -> int:
    await right(registry, *shards)
    for table in registry.tables()[-1:]:
        table.rest()
        registry._forget(table)
    return len(registry.tables())


async def _says_yes_first(right: Any, tables: Tables, change: Any) -> None:
    task = asyncio.get_running_loop().create_task(right(tables, change))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


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
    """Where its new message is."""


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


def _looks_once(right: Any, director: Director, *_: Any) -> None:
    """And never again."""


async def _finishes_no_job(right: Any, director: Director, held: Any) -> None:
    director._held.pop(held.run.id, None)


#: Each with the number of events within which it must be found.
PLANTED: Final[dict[str, tuple[Bug, int]]] = {
    "table: swaps in what the bank refused": (_instead(Table, "_commit", _swaps_what_was_refused), 2_000),
    "table: takes an unknown commit for done": (_instead(Table, "_commit", _takes_unknown_for_done), 2_000),
    "table: sets no alarm in a round": (_instead(Table, "_arm", _sets_no_alarm), 2_000),
    "table: stakes without chips": (_instead(Till, "stake", _stakes_for_nothing), 2_000),
    "table: deals other cards than promised": (_instead(OpenTables, "__init__", _deals_other_cards), 500),
    "table: one is lost at a start": (_instead(OpenTables, "recover", _loses_a_table), 2_000),
    "table: has the clock play for computer players": (_instead(Draft, "_time_out_all", _books_the_clock), 8_000),
    "promise: is not posted": (_instead(DiscordPoster, "post", _posts_nothing), 500),
    "bank: says yes before it has written": (_instead(Tables, "commit", _says_yes_first), 500),
    "bank: writes another cause": (_instead(Tables, "commit", _writes_another_cause), 500),
    "bank: writes neither losses nor winnings": (_instead(Tables, "commit", _writes_no_winnings), 500),
    "bank: writes a table that is not the table": (_instead(Tables, "commit", _writes_an_old_table), 500),
    "presenter: keeps new messages to itself": (_instead(Presenter, "became", _tells_no_table), 500),
    "presenter: draws nothing": (_instead(Presenter, "_soon", _draws_nothing), 2_000),
    "director: looks once at each tournament": (_instead(Director, "_later", _looks_once), 4_000),
    "director: finishes no job": (_instead(Director, "_finish", _finishes_no_job), 4_000),
}
