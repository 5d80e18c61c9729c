"""What goes wrong is told to the log, and the log is read by more people than the seeds are meant for."""

from __future__ import annotations

import traceback

import pytest
import sqlalchemy as sa

from data.store import make_engine
from data.url import address

SEED = b"the seed of an open round".ljust(32)


async def test_a_failed_statement_does_not_tell_its_values(url: str) -> None:
    engine = make_engine(address(url))
    wrong = sa.text("INSERT INTO nowhere VALUES (:seed)").bindparams(sa.bindparam("seed", SEED, sa.LargeBinary()))
    with pytest.raises(sa.exc.DBAPIError) as failed:
        async with engine.begin() as connection:
            await connection.execute(wrong)
    told = "".join(traceback.format_exception(failed.value))
    assert "nowhere" in told
    assert "open round" not in told
    assert SEED.hex() not in told
    await engine.dispose()
