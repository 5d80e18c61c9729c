"""Tables and rounds: what was written is what is read, and a round is written in one order only."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data import BadChange, Bank
from engine.fairness.record import RecordOne
from engine.games.contract import CHIP, By, Step
from engine.tables.ports import StaleTable
from engine.tables.rebuilt import record_of
from engine.tables.values import Change, StoredRound, Taken
from tests.data.conftest import Join
from tests.data.dealer import GUILD, NOW, RULES, Dealer, press, seal


async def rounds(bank: Bank, table: Dealer) -> list[StoredRound]:
    stored = await bank.tables.stored(table.id)
    assert stored is not None
    return list(stored.rounds)


async def test_a_new_table_has_a_sealed_round(bank: Bank, table: Dealer) -> None:
    sealed = seal(table.id, 1)
    assert await rounds(bank, table) == [StoredRound(table.id, 1, sealed.seed, sealed.commitment)]


async def test_a_table_is_read_as_it_was_written(ledger_bank: Bank) -> None:
    table = Dealer(ledger_bank)
    row = replace(table.row('{"chairs":[]}', deadline=NOW + 60.5), channel=2**60)
    await table.commit(Change("open", row))
    stored = await ledger_bank.tables.stored(table.id)
    assert stored is not None
    assert stored.row == row


async def test_a_table_moves_to_another_channel_and_deadline(ledger_bank: Bank, table: Dealer) -> None:
    row = replace(table.row("[1]", deadline=None), channel=71)
    await table.commit(Change("move", row))
    stored = await ledger_bank.tables.stored(table.id)
    assert stored is not None
    assert stored.row == row


async def test_nobody_knows_a_table_that_never_was(bank: Bank) -> None:
    assert await bank.tables.stored(404) is None


async def test_a_round_is_read_as_it_was_played(bank: Bank, table: Dealer, join: Join) -> None:
    alice, bob = await join(1), await join(2)
    await table.stake(alice, 10)
    await table.stake(bob, 20)
    await table.deal(0, 40, play=["double"])
    assert table.last is not None
    dealing = table.last
    await table.act("double")
    finishing = table.finishing()
    assert finishing.finish is not None
    finish = replace(finishing.finish, at=finishing.finish.at + 60)
    await table.commit(replace(finishing, finish=finish))
    played, sealed = await rounds(bank, table)
    assert dealing.deal is not None
    assert played.record == RecordOne(
        game="blackjack",
        rules_name="vegas",
        rules=RULES.as_json(),
        stakes=({"main": 10 * CHIP}, {"main": 20 * CHIP}),
        seed=played.seed,
        inputs=tuple(dealing.deal.inputs),
        steps=(Step(0, "double"), Step(1, "time", By.CLOCK)),
        outcome=finish.outcome,
        commitment=played.commitment,
    )
    assert (played.members, played.dealt_at) == ((alice.id, bob.id), dealing.deal.at)
    assert (played.lines, played.finished_at) == (tuple(finish.lines), finish.at)
    assert (sealed.number, sealed.record, sealed.lines) == (2, None, None)


async def test_only_the_last_two_rounds_come_with_a_table(bank: Bank, table: Dealer, join: Join) -> None:
    alice = await join()
    for _ in range(3):
        await table.round({alice: 1}, 2)
    assert [stored.number for stored in await rounds(bank, table)] == [3, 4]


async def test_steps_stay_with_their_round(bank: Bank, table: Dealer, join: Join) -> None:
    alice, other = await join(), await Dealer(bank).open()
    await other.round({alice: 1}, 2)
    await table.stake(alice, 1)
    await table.deal(play=["split"])
    await table.act("split")
    tables = {stored.row.id: stored for stored in await bank.tables.still_open()}
    assert [record_of(stored).steps for stored in tables[table.id].rounds] == [(Step(0, "split"),)]
    assert [stored.record and stored.record.steps for stored in tables[other.id].rounds] == [
        (Step(0, "time", By.CLOCK),),
        None,
    ]


# -- which tables are open ---------------------------------------------------------------------------------------------


async def test_closed_tables_are_not_taken_up_again(bank: Bank, table: Dealer) -> None:
    await table.close()
    assert await bank.tables.still_open() == []
    stored = await bank.tables.stored(table.id)
    assert stored is not None
    assert not stored.row.open


async def test_each_process_takes_up_the_tables_of_its_shards(bank: Bank) -> None:
    tables = {shard: await Dealer(bank, (8 + shard) << 22 | 12_345).open() for shard in range(4)}
    for shards in ([0], [1, 3], [0, 1, 2, 3], []):
        found = await bank.tables.guilds_at_play(shards=shards, shard_count=4)
        assert found == [tables[shard].guild for shard in shards]


async def test_a_single_process_has_all_the_shards(bank: Bank) -> None:
    tables = [await Dealer(bank, shard << 22).open() for shard in (8, 9)]
    assert await bank.tables.guilds_at_play(shards=[0]) == [table.guild for table in tables]
    assert await bank.tables.guilds_at_play() == [table.guild for table in tables]


async def test_a_guild_is_at_play_once_however_many_tables_it_has_and_not_after_the_last(bank: Bank) -> None:
    tables = [await Dealer(bank).open() for _ in range(3)]
    assert await bank.tables.guilds_at_play() == [GUILD]
    for table in tables:
        await table.close()
    assert await bank.tables.guilds_at_play() == []


async def test_tables_of_some_guilds(bank: Bank) -> None:
    here, there = await Dealer(bank).open(), await Dealer(bank, GUILD * 2).open()
    assert [stored.row.id for stored in await bank.tables.still_open(guilds=[here.guild])] == [here.id]
    assert {stored.row.id for stored in await bank.tables.still_open(guilds=[here.guild, there.guild])} == {
        here.id,
        there.id,
    }


# -- one order only ----------------------------------------------------------------------------------------------------


async def test_a_round_is_sealed_once(table: Dealer) -> None:
    with pytest.raises(BadChange):
        await table.commit(Change("again", table.row(), seal=seal(table.id, 1)))


async def test_only_a_sealed_round_is_dealt(table: Dealer, join: Join) -> None:
    await join()
    table.number = 2
    with pytest.raises(BadChange):
        await table.deal()


async def test_a_round_is_dealt_once(table: Dealer, join: Join) -> None:
    await table.stake(await join(), 10)
    await table.deal()
    with pytest.raises(BadChange):
        await table.deal()
    await table.finish()


async def test_a_sealed_round_takes_no_steps(table: Dealer, join: Join) -> None:
    await table.stake(await join(), 10)
    with pytest.raises(BadChange):
        await table.act()


async def test_a_finished_round_takes_no_steps(table: Dealer, join: Join) -> None:
    await table.round({await join(): 10}, 0)
    with pytest.raises(BadChange):
        await table.commit(Change("late", table.row(), taken=[Taken(1, 1, Step(0, "hit"), NOW)]))


async def test_a_place_is_taken_once(table: Dealer, join: Join) -> None:
    await table.stake(await join(), 10)
    await table.deal(play=["hit", "hit"])
    again = table.acting()
    await table.act()
    with pytest.raises(BadChange):
        await table.commit(replace(again, table=table.row()))


async def test_a_table_does_not_change_its_guild(table: Dealer) -> None:
    with pytest.raises(StaleTable):
        await table.commit(Change("x", replace(table.row(), guild=GUILD * 2)))


async def test_a_press_that_does_everything_is_one_change(bank: Bank, table: Dealer, join: Join) -> None:
    """At a war both cards may settle it at once: stake, deal, end and next seal together."""
    alice = await join(chips=100)
    staking = table.staking(alice, 10)
    table.seats, table.staked = [alice], [10 * CHIP]
    dealing = table.dealing(back=[20])
    table.take_up(dealing)
    ending = table.finishing()
    together = replace(
        ending, cause=f"press/{press()}", transfers=[*staking.transfers, *ending.transfers], deal=dealing.deal
    )
    await table.commit(together)
    assert (await bank.members.balances([alice.id])) == {alice.id: 110 * CHIP}
    assert (await bank.records.history(alice.id)).rounds[0].net == 10 * CHIP
