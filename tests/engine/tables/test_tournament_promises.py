"""Tournaments under scheme 2: one promise at sign-up gives every seat, tie and shuffle, and is shown at the end."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator

import pytest

from data.proofs.report import Wrong
from engine.fairness.chain import by_lot, lots_of, table_root, tip_of
from engine.fairness.record import RecordTwo
from engine.fairness.tournaments import verify_lots
from engine.fairness.verify import verify
from engine.tables import open_tables
from engine.tables.open_tables import OpenTables
from engine.tables.places import place_in_tournament, tournament_place
from engine.tables.ports import NotPosted, OtherChain, StillSecret
from engine.tables.promises import NoPromise
from engine.tables.rebuilt import whole_record_of
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import CloseReason, TablePhase
from engine.tables.values import Chain
from engine.tournament.draft import TournamentDraft, TournamentPosition
from engine.tournament.paper import lots_of_table
from engine.tournament.run import TournamentRun
from engine.tournament.state import TournamentState, WhyCancelled
from engine.tournament.tournament import TournamentPhase
from engine.tournament.view import TournamentView
from tests.data.by_hand import by_hand

from .conftest import ALICE, CHANNEL, GUILD, Casino
from .theatre import Crier, Theatre

SOON = 0.01


@pytest.fixture
async def theatre(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Theatre]:
    """Pauses that grow, from a hundredth of a second."""
    for seconds in ("engine.tournament.director.RETRY", "engine.tables.alarm.SEEK_SECONDS"):
        monkeypatch.setattr(seconds, SOON)
    theatre = Theatre(casino)
    yield theatre
    await theatre.close()


async def in_sign_up(theatre: Theatre, people: int = 5) -> int:
    tournament = await theatre.schedule()
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, people)
    return tournament


async def playing(theatre: Theatre, people: int = 5) -> int:
    tournament = await in_sign_up(theatre, people)
    await theatre.pass_time(3_600)
    await theatre.said("standings")

    async def every_table_has_its_chain() -> bool:
        chains = theatre.casino.bank.chains
        places = [table.state.chain_place for table in theatre.casino.registry.tables()]
        all_there = len(places) == (await theatre.director.view(tournament)).tables
        return all_there and all([await chains.in_use(place) is not None for place in places])

    await theatre.until(every_table_has_its_chain)
    return tournament


async def kept(theatre: Theatre, tournament: int) -> TournamentPosition:
    row = await theatre.casino.bank.tournaments.stored(tournament)
    assert row is not None
    return TournamentPosition.of(TournamentState.from_json(row.doc))


def promises(theatre: Theatre, tournament: int) -> list[tuple[int, Chain]]:
    return theatre.casino.poster.of(tournament_place(tournament))


async def told(theatre: Theatre, tournament: int) -> TournamentView:
    async def over() -> bool:
        return (await theatre.director.view(tournament)).state.told

    await theatre.until(over)
    return await theatre.director.view(tournament)


# -- sign-up -----------------------------------------------------------------------------------------------------------


async def test_its_promise_comes_with_its_sign_up(theatre: Theatre) -> None:
    tournament = await in_sign_up(theatre)
    ((message, chain),) = promises(theatre, tournament)
    state = (await kept(theatre, tournament)).state
    assert (state.tip, state.promise) == (chain.tip, message)
    assert tip_of(chain.root) == chain.tip
    assert chain.root.hex() not in state.to_json()


async def test_before_its_promise_stands_nobody_signs_up_and_a_press_tries_again_at_once(theatre: Theatre) -> None:
    poster = theatre.casino.poster
    poster.closed = True
    tournament = await theatre.schedule()
    with pytest.raises(Refused) as refused:
        await theatre.sign_up(tournament, 1)
    assert refused.value.reason is Reason.NO_PROMISE
    assert await theatre.balances(1) == [1_000]
    poster.closed = False
    await theatre.sign_up(tournament, 1)
    assert await theatre.balances(1) == [900]


async def test_a_promise_that_could_not_be_posted_is_tried_again_by_itself(theatre: Theatre) -> None:
    theatre.casino.poster.closed = True
    tournament = await theatre.schedule()
    await asyncio.sleep(3 * SOON)
    assert "sign-up sign-up" not in theatre.crier.said
    theatre.casino.poster.closed = False
    theatre.casino.clock.time += 60
    await theatre.said("sign-up")
    assert len(promises(theatre, tournament)) == 1


async def test_where_nothing_can_be_posted_it_is_cancelled(theatre: Theatre) -> None:
    theatre.casino.poster.shut.add(CHANNEL)
    view = await told(theatre, await theatre.schedule())
    assert (view.phase, view.state.why) == (TournamentPhase.CANCELLED, WhyCancelled.CHANNEL_GONE)


async def test_a_promise_that_was_deleted_before_the_start_is_shown_and_made_anew(theatre: Theatre) -> None:
    tournament = await in_sign_up(theatre)
    ((message, first),) = promises(theatre, tournament)
    theatre.casino.poster.deleted.add(message)
    await theatre.pass_time(3_600)
    await theatre.said("standings")
    (_, (second_message, second)) = promises(theatre, tournament)
    assert theatre.casino.poster.messages[second_message][1].root == first.root  # type: ignore[union-attr]
    assert (await kept(theatre, tournament)).tournament.lots[-1].seed == lots_of(second.root)


# -- when sign-up closes -----------------------------------------------------------------------------------------------


async def test_seats_hang_on_the_message_that_lists_who_is_in(theatre: Theatre) -> None:
    tournament = await playing(theatre, 6)
    position = await kept(theatre, tournament)
    ((promise, chain),) = promises(theatre, tournament)
    assert theatre.crier.said.count("entrants") == 1
    people = list(position.tournament.people)
    (first, *_) = position.tournament.orders
    entrants = str(position.state.entrants)
    assert list(first.names) == people
    assert list(first.drawn) == by_lot(lots_of(chain.root), str(promise), entrants, "people of stage 1", people)
    assert [who.key for who in position.tournament.tables[0][:3]] == list(first.drawn[::2])


class Listing(Crier):
    """A crier whose list of entrants goes wrong."""

    def __init__(self, fault: Exception) -> None:
        super().__init__()
        self.fault: Exception | None = fault

    async def entrants(self, view: TournamentView) -> int:
        entrants = await super().entrants(view)
        if self.fault is not None:
            raise self.fault
        return entrants


def with_listing(theatre: Theatre, fault: Exception) -> Listing:
    listing = Listing(fault)
    theatre.crier = theatre.announcer = listing
    theatre._compose()
    return listing


async def test_while_the_list_cannot_be_posted_nobody_joins_or_leaves_any_more(theatre: Theatre) -> None:
    listing = with_listing(theatre, NotPosted("Discord is not there"))
    tournament = await in_sign_up(theatre, 3)
    await theatre.pass_time(3_600)
    await theatre.said("entrants")
    assert [view.phase for view in await theatre.director.views(GUILD)] == [TournamentPhase.CLOSED]
    for user, step in ((4, theatre.director.join), (ALICE, theatre.director.leave)):
        with pytest.raises(Refused) as refused:
            await step(tournament, await theatre.casino.member(user), theatre.casino.press())
        assert refused.value.reason is Reason.SIGN_UP_OVER
    listing.fault = None
    theatre.casino.clock.time += 60
    await theatre.said("standings")
    assert len(promises(theatre, tournament)) == 1
    assert len((await kept(theatre, tournament)).tournament.people) == 3


async def test_nobody_may_choose_between_two_lists_so_a_lost_answer_ends_the_promise(theatre: Theatre) -> None:
    listing = with_listing(theatre, TimeoutError())
    tournament = await in_sign_up(theatre, 3)
    await theatre.pass_time(3_600)
    await theatre.said("entrants")
    listing.fault = None
    theatre.casino.clock.time += 60
    await theatre.said("standings")
    chains = [chain for _, chain in promises(theatre, tournament)]
    assert len(chains) >= 2
    assert len(chains) == listing.said.count("entrants")
    assert (await kept(theatre, tournament)).tournament.lots[-1].seed == lots_of(chains[-1].root)


# -- its tables --------------------------------------------------------------------------------------------------------


async def test_at_its_end_its_root_gives_every_table_and_every_round(theatre: Theatre) -> None:
    """Its message is deleted while it is played, and no root may be shown then."""
    tournament = await playing(theatre, 9)
    ((message, promised),) = promises(theatre, tournament)
    theatre.casino.poster.deleted.add(message)
    open_root = promised.root.hex()
    export = io.StringIO()
    await theatre.casino.bank.copies.export(export)
    assert open_root not in export.getvalue()
    view = await theatre.play_on(tournament)
    await told(theatre, tournament)
    root = bytes.fromhex((await kept(theatre, tournament)).state.root)
    assert root.hex() == open_root
    assert view.stage == 2
    for stage, tables in ((1, 3), (2, 1)):
        for number in range(tables):
            ((_, chain),) = theatre.casino.poster.of(place_in_tournament(tournament, stage, number))
            assert chain.root == table_root(root, stage, number, 0)
            stored = await theatre.casino.bank.records.round(f"{chain.tip[:8]}-1", GUILD)
            assert stored is not None
            record = whole_record_of(stored)
            assert isinstance(record, RecordTwo)
            assert record.root == chain.root.hex()
            assert verify(record).holds


async def test_what_its_root_decided_is_handed_out_when_it_is_over_and_not_before(theatre: Theatre) -> None:
    tournament = await playing(theatre, 9)
    place, bank = place_in_tournament(tournament, 1, 0), theatre.casino.bank
    assert await lots_of_table(bank, place) is None
    await theatre.play_on(tournament)
    await told(theatre, tournament)
    lots = await lots_of_table(bank, place)
    assert lots is not None
    assert verify_lots(lots).holds
    assert lots.orders[0].what == "people of stage 1"
    assert lots.orders[0].names == tuple(str(number) for number in range(1, 10))
    assert {(table.stage, table.table) for table in lots.tables} == {(1, 0), (1, 1), (1, 2), (2, 0)}
    assert await lots_of_table(bank, "70/blackjack") is None


async def test_a_promise_of_which_nobody_knows_whether_it_was_posted_is_not_among_what_is_handed_out(
    theatre: Theatre,
) -> None:
    poster = theatre.casino.poster
    poster.lost = True
    tournament = await theatre.schedule()
    await theatre.until(lambda: bool(poster.messages))
    poster.lost = False
    await theatre.said("sign-up")
    await theatre.sign_up(tournament, 2)
    await theatre.pass_time(3_600)
    await theatre.play_on(tournament)
    await told(theatre, tournament)
    lots = await lots_of_table(theatre.casino.bank, place_in_tournament(tournament, 1, 0))
    assert lots is not None
    assert len(promises(theatre, tournament)) >= 2
    assert [root.message for root in lots.promises] == [str(promises(theatre, tournament)[-1][0])]


async def test_a_table_whose_thread_takes_no_promise_moves_to_the_channel(theatre: Theatre) -> None:
    theatre.casino.set_house(idle_seconds=0.4)
    theatre.casino.poster.shut.update(range(5_000_000, 5_000_100))
    tournament = await playing(theatre, 3)
    (table,) = theatre.casino.registry.tables()
    await theatre.until(lambda: table.state.channel == CHANNEL and bool(table.snapshot().seals.next_code))
    theatre.casino.set_house(idle_seconds=300)
    ((_, chain),) = theatre.casino.poster.of(place_in_tournament(tournament, 1, 0))
    assert chain.channel == CHANNEL
    assert (await theatre.play_on(tournament)).phase is TournamentPhase.OVER
    root = bytes.fromhex((await told(theatre, tournament)).state.root)
    attempts = {each.root for each in await theatre.casino.bank.chains.all_of(chain.place)}
    assert attempts == {table_root(root, 1, 0, attempt) for attempt in range(2)}
    lots = await lots_of_table(theatre.casino.bank, chain.place)
    assert lots is not None
    assert {(table.attempt, table.message != "") for table in lots.tables} == {(0, False), (1, True)}


async def test_where_the_channel_takes_no_promise_either_every_buy_in_comes_back(theatre: Theatre) -> None:
    theatre.casino.set_house(idle_seconds=0.05)
    tournament = await in_sign_up(theatre, 3)
    shut = theatre.casino.poster.shut
    shut.update({*range(5_000_000, 5_000_100)})
    await theatre.pass_time(3_600)
    await theatre.said("table")
    shut.add(CHANNEL)
    view = await told(theatre, tournament)
    assert (view.phase, view.state.why) == (TournamentPhase.CANCELLED, WhyCancelled.CHANNEL_GONE)
    assert await theatre.balances(3) == [1_000] * 3
    assert theatre.casino.registry.tables() == ()
    assert bytes.fromhex(view.state.root) == promises(theatre, tournament)[-1][1].root


async def test_a_table_that_was_moved_in_mid_hand_promises_anew_where_it_is(theatre: Theatre) -> None:
    tournament = await playing(theatre, 3)
    (table,) = theatre.casino.registry.tables()

    async def in_mid_hand() -> bool:
        await theatre.press_everywhere()
        return table.snapshot().phase is TablePhase.PLAYING

    await theatre.until(in_mid_hand)
    thread = table.state.channel
    theatre.crier.gone.add(thread)
    await theatre.director.channel_gone(GUILD, thread)
    assert (await theatre.play_on(tournament)).phase is TournamentPhase.OVER
    assert table.snapshot().standings.called_off == 0, "the hand was played to its end"
    (_, first), (message, second) = theatre.casino.poster.of(place_in_tournament(tournament, 1, 0))
    assert (first.channel, second.channel) == (thread, CHANNEL)
    assert theatre.casino.poster.messages[message][1].root == first.root  # type: ignore[union-attr]


async def test_a_moved_table_whose_process_is_killed_does_not_go_back_to_its_old_promise(theatre: Theatre) -> None:
    tournament = await playing(theatre, 3)
    (table,) = theatre.casino.registry.tables()
    theatre.casino.poster.shut.add(CHANNEL)
    await table.move(CHANNEL)
    await theatre.crash()
    (again,) = theatre.casino.registry.tables()
    assert again.snapshot().seals.next_code == ""
    theatre.casino.poster.shut.clear()
    theatre.casino.clock.time += 60
    await theatre.until(lambda: bool(again.snapshot().seals.next_code))
    assert len(theatre.casino.poster.of(place_in_tournament(tournament, 1, 0))) == 2


async def not_yet(_: OpenTables) -> None:
    """Take up no table of the servers that are still to come."""


async def cancelled_and_killed(theatre: Theatre, tournament: int) -> None:
    """Write down a manager's cancel, and let the process die before it can do anything about it."""
    draft = TournamentDraft(await kept(theatre, tournament), theatre.casino.clock.now())
    draft.cancel(WhyCancelled.MANAGER)
    await theatre.casino.bank.tournaments.commit(draft.change("press/7/tournament"))


async def test_cancelled_just_before_a_restart_its_tables_are_closed_before_its_root_is_shown(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await playing(theatre, 9)
    await theatre.press_everywhere()
    tables = [table.id for table in theatre.casino.registry.tables()]
    await cancelled_and_killed(theatre, tournament)
    monkeypatch.setattr(open_tables, "AT_ONCE", 0)  # a large casino takes this server up later
    monkeypatch.setattr(OpenTables, "_take_up_others", not_yet)
    await theatre.crash()
    view = await told(theatre, tournament)
    assert (view.phase, view.state.root != "") == (TournamentPhase.CANCELLED, True)
    for table in tables:
        stored = await theatre.casino.bank.tables.stored(table)
        assert stored is not None
        assert not stored.row.open
    assert theatre.casino.registry.tables() == ()


async def test_a_chain_whose_table_was_never_opened_does_not_keep_its_root_secret(
    theatre: Theatre, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await playing(theatre, 3)
    (table,) = theatre.casino.registry.tables()
    root, bank = promises(theatre, tournament)[0][1].root, theatre.casino.bank
    cancelled, advance = asyncio.Event(), TournamentRun.advance

    async def once_cancelled(run: TournamentRun) -> float | None:
        """Keep the director from taking in the closed table as one that was played."""
        await cancelled.wait()
        return await advance(run)

    monkeypatch.setattr(TournamentRun, "advance", once_cancelled)
    await table.close(table.id, CloseReason.CANCELLED)
    again = table_root(root, 1, 0, 1)
    place = place_in_tournament(tournament, 1, 0)
    await bank.chains.begin(Chain(5, place, GUILD, CHANNEL, again, tip_of(again)))
    await theatre.director.cancel(tournament, theatre.casino.press(), series=True)
    cancelled.set()
    assert (await told(theatre, tournament)).state.root == root.hex()
    assert await bank.chains.in_use(place) is None


async def test_the_bank_ends_no_chain_that_a_table_s_root_follows_from(theatre: Theatre) -> None:
    tournament = await playing(theatre, 3)
    ((_, chain),) = promises(theatre, tournament)
    with pytest.raises(StillSecret):
        await theatre.casino.bank.chains.end(chain.id, "a bug")
    assert await theatre.casino.bank.chains.in_use(chain.place) is not None


async def test_no_table_begins_a_chain_whose_tournament_s_root_may_be_shown(theatre: Theatre) -> None:
    tournament = await in_sign_up(theatre, 1)
    ((_, chain),) = promises(theatre, tournament)
    bank, root = theatre.casino.bank, table_root(chain.root, 1, 0, 0)
    await bank.chains.end(chain.id, "its promise was deleted")
    begun = Chain(5, place_in_tournament(tournament, 1, 0), GUILD, CHANNEL, root, tip_of(root))
    with pytest.raises(OtherChain):
        await bank.chains.begin(begun)


async def test_no_table_begins_a_chain_before_the_promise_of_its_tournament_is_posted(theatre: Theatre) -> None:
    theatre.casino.poster.closed = True
    tournament, bank = await theatre.schedule(), theatre.casino.bank

    async def has_a_chain() -> bool:
        return await bank.chains.in_use(tournament_place(tournament)) is not None

    await theatre.until(has_a_chain)
    place = place_in_tournament(tournament, 1, 0)
    with pytest.raises(NoPromise):
        await theatre.casino.registry.promises.chain(place, GUILD, CHANNEL, "fr")
    assert not await bank.chains.all_of(place)


async def test_the_audit_tells_of_a_table_whose_tournament_s_root_was_shown(theatre: Theatre) -> None:
    tournament = await playing(theatre, 3)
    (table,) = theatre.casino.registry.tables()
    bank = theatre.casino.bank
    ((_, chain),) = promises(theatre, tournament)
    await by_hand(bank, f"UPDATE chains SET ended_at = 1 WHERE id = {chain.id}")
    faults = (await bank.auditor.audit()).faults
    assert [(fault.wrong, fault.where) for fault in faults] == [(Wrong.SHOWN, f"table/{table.id}")]
    await by_hand(bank, f"UPDATE chains SET ended_at = NULL WHERE id = {chain.id}")


async def test_no_representation_of_it_or_of_its_tables_has_a_secret(theatre: Theatre) -> None:
    position = await kept(theatre, await playing(theatre, 3))
    (table,) = theatre.casino.registry.tables()
    assert table.state.elimination is not None
    secret, lots = position.tournament.lots[-1].seed.hex(), table.state.elimination["steps"]
    assert secret in position.state.to_json()
    assert secret not in repr(position)
    (drawn,) = [step for step in lots if step[0] == "lots"]
    assert drawn[1] not in repr(table.state)
