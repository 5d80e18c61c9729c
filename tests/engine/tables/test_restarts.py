"""Killed before every single press: the same hands, the same shoe, the same chips, and nobody loses time."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.fairness.verify import verify
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.contract import CHIP
from engine.tables.rebuilt import whole_record_of
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.table import Table

from .conftest import ALICE, BOB, MESSAGE, Casino

ROUNDS = 6

#: The least seconds that a person has to answer after a restart, as people are told.
A_MINUTE = 60.0


def remembered(snapshot: Snapshot) -> Snapshot:
    """All that a restart must keep: everything, but that there is more time, and that this was written down."""
    return replace(snapshot, version=0, deadline=None)


async def killed(casino: Casino, table: Table) -> Table:
    """The process ends here and another one takes the table up."""
    before = table.snapshot()
    await casino.restart()
    again = casino.registry.get(table.id)
    assert again is not None
    after = again.snapshot()
    assert remembered(after) == remembered(before)
    assert before.deadline is not None
    assert after.deadline is not None
    assert after.deadline >= max(before.deadline, casino.clock.now() + A_MINUTE)
    return again


async def play(casino: Casino, table: Table, chance: random.Random) -> Table:
    """Let everybody who is asked do anything that is allowed, until the round is over."""
    while table.state.phase is TablePhase.PLAYING:
        table = await killed(casino, table)
        now = table.snapshot()
        seat = chance.choice([seat for seat, legal in enumerate(now.legal) if legal])
        sitter = now.sitter_at(seat)
        assert sitter is not None
        assert sitter.user is not None
        await casino.act(table, chance.choice(now.legal[seat]), sitter.user)
    return table


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
async def test_killed_before_every_press_a_table_goes_on_exactly_there(casino: Casino, rules: str) -> None:
    fixed = bool(RULE_SETS[rules].fixed_stake)
    chance = random.Random(rules)
    table = await casino.open(ALICE, rules=rules, computers=0 if fixed else 1)
    await table.join(await casino.member(BOB), casino.press())
    for _ in range(ROUNDS):
        for user in (ALICE, BOB):
            table = await killed(casino, table)
            stakes = None if fixed else {"main": chance.randrange(1, 40) * CHIP}
            await table.stake(user, stakes, casino.press(), phrase=f"{user} was here", message=MESSAGE)
        table = await play(casino, table, chance)
    assert table.state.round == ROUNDS
    for user in (ALICE, BOB):
        played = await casino.bank.records.history((await casino.member(user)).id)
        assert len(played.rounds) == ROUNDS
        for round in played.rounds:
            stored = await casino.bank.records.round(round.code, table.state.guild)
            assert stored is not None
            assert verify(whole_record_of(stored)).holds, "dealt from the shoe that was sealed, every card of it"
