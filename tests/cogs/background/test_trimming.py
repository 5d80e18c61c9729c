"""Memory that nobody needs any more goes back to the system each hour, where the C library can do that."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from cogs.background import trimming
from cogs.background.chore import Chore

from ..conftest import Casino

HOUR = 3600.0


async def test_free_memory_is_given_back_each_hour(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    given_back = list[int]()

    class Glibc:
        malloc_trim = staticmethod(given_back.append)

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Glibc)
    await casino.restart()
    chore = casino.bot.get_cog("Trimming")
    assert isinstance(chore, Chore)
    assert (chore.first, chore.every) == (HOUR, HOUR)
    assert await chore.do()
    assert given_back == [0]


@pytest.mark.parametrize("library", [object(), OSError(), TypeError()])
def test_another_c_library_keeps_what_it_has(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(name: str | None) -> Any:
        if isinstance(library, Exception):
            raise library
        return library

    monkeypatch.setattr(ctypes, "CDLL", opened)
    assert trimming.trim() is None
