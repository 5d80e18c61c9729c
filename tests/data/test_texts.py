"""A text is kept by both databases, and alike, or by neither."""

from __future__ import annotations

import io
from typing import Any

import pytest

from data import BadChange, Bank, MemberSettings, RuleSet
from engine.games.contract import CHIP
from engine.tables.house import HouseSettings
from tests.data.conftest import Join
from tests.data.dealer import GUILD, Dealer, HandClock, press

pytestmark = pytest.mark.usefixtures("no_migrations")

UNSTORABLE = ["a\0b", "half \ud83d of a face", "\udc00"]


@pytest.mark.parametrize("text", UNSTORABLE)
async def test_what_one_database_would_not_take_is_refused_by_both(bank: Bank, join: Join, text: str) -> None:
    alice, table = await join(), await Dealer(bank).open()
    before = await bank.privacy.export(GUILD, 1)
    for writing in (
        bank.members.keep_settings(alice.id, MemberSettings(phrase=text)),
        bank.chips.grant(alice.id, CHIP, actor=alice.id, reason=text, press=press()),
        bank.guilds.keep_rule_set(GUILD, RuleSet("war", text, {})),
        table.open(text),
        bank.archive.forget_causes(text),
    ):
        with pytest.raises(BadChange):
            await writing
    assert await bank.records.round(f"0123456{text}", GUILD) is None
    assert await bank.privacy.export(GUILD, 1) == before


@pytest.mark.parametrize("text", ["", "été ♥", "👨‍👩‍👧 \u202e \x01", "\ufffd\uffff", "x" * 10_000])
async def test_everything_else_is_kept_as_it_is(bank: Bank, join: Join, text: str) -> None:
    alice = await join()
    await bank.members.keep_settings(alice.id, MemberSettings(phrase=text))
    assert (await bank.members.settings(alice.id)).phrase == text


async def test_a_backup_with_a_nul_of_old_is_restored_without_it(url: str, clock: HandClock, tmp_path: Any) -> None:
    """SQLite banks of the first release may have one in a phrase or a reason."""
    backup = io.StringIO()
    async with Bank.open(f"sqlite:///{tmp_path / 'old.db'}", HouseSettings(), clock) as old:
        alice = await old.members.sign_in(GUILD, 1)
        await old.members.keep_settings(alice.id, MemberSettings(phrase="lucky NUL seven"))
        await old.chips.grant(alice.id, CHIP, actor=alice.id, reason="NUL", press=press())
        await old.copies.dump(backup)
    lines = backup.getvalue().replace("NUL", "\\u0000").splitlines(keepends=True)
    async with Bank.open(url, HouseSettings(), clock) as bank:
        assert (await bank.copies.restore(lines)).clean
        assert (await bank.members.settings(alice.id)).phrase == "lucky  seven"
