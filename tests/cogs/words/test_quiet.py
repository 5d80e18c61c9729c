"""Nothing that anybody reads encourages them to keep betting after a loss (docs/care.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from cogs.table.keys import betting_keys
from cogs.table.page import Key
from engine.tables.snapshot import Snapshot

from ..conftest import Casino, asked
from .test_catalogues import found

#: The words of casinos that do not want people to leave.
LOUD = re.compile(
    r"so close|near miss|almost (had|won)|nearly (had|won)|win (it|them) back|better luck|bad beat|unlucky|"
    r"double (up|down) (now|again)|go again|one more (hand|try)|don.t (stop|leave|give up)|keep (going|playing)|"
    r"come back,|your streak ends|losing streak|in a row lost|feeling lucky|last chance|hurry|get you going",
    re.IGNORECASE,
)


def test_r13_5_no_text_encourages_anybody_to_bet_on() -> None:
    texts = [str(part) for message in found() if message.id for part in _forms(message.id)]
    assert len(texts) > 500
    assert [text for text in texts if LOUD.search(text)] == []
    assert LOUD.search("So close! One more hand?")


def _forms(words: str | Sequence[str]) -> Sequence[str]:
    return [words] if isinstance(words, str) else words


async def keys_after(casino: Casino, cards: str) -> tuple[Key, ...]:
    """The keys for the next hand once this one is over."""
    await casino.deal(cards)
    while asked(casino.snapshot):
        await casino.click("Stand")
    snapshot: Snapshot = casino.snapshot
    return tuple(Key(key.cap, 0, key.turn, key.enabled, key.amount) for key in betting_keys(snapshot))


@pytest.mark.parametrize("lost", ["T 6 / T 9"])
async def test_r13_5_the_keys_after_a_loss_are_those_after_a_win(casino: Casino, lost: str) -> None:
    """No higher bet is offered first, larger or in another colour because somebody has just lost."""
    after_a_loss = await keys_after(casino, lost)
    after_a_win = await keys_after(casino, "T T / T 8")
    assert after_a_loss == after_a_win
    styles = {key.cap.word: key.cap.style for key in after_a_loss}
    assert styles["deal-twice"] is styles["deal-half"]
    words = [key.cap.word for key in after_a_loss]
    assert words.index("deal") < words.index("deal-twice")
