"""Nothing asks anybody to go on after a loss: no word, no key that stands out, no reminder (docs/care.md)."""

from __future__ import annotations

import re
from typing import Any, Final

from babel.messages.pofile import read_po

from cogs.words.catalogues import file_of
from engine.tables.snapshot import TablePhase

from . import raw
from .conftest import Casino
from .test_care import quietly

#: Words with which games of chance call people back, or let a loss look like nearly a win.
LOUD: Final = re.compile(
    r"so close|almost|nearly (won|there)|unlucky|better luck|next time!|win (it|them) back|double or nothing|"
    r"chips are waiting|don't (stop|lose)|keep (going|playing)|on a roll|hot (hand|streak)|play (now|tomorrow)|"
    r"hurry|last chance|streak (ends|is at risk)",
    re.IGNORECASE,
)


def test_no_text_calls_anybody_back_or_makes_a_loss_look_like_nearly_a_win() -> None:
    with file_of("fr").open("rb") as file:  # which has every text of the bot
        texts = [str(message.id) for message in read_po(file) if message.id]
    assert len(texts) > 1_000
    assert [text for text in texts if LOUD.search(text)] == []


def shown(message: Any) -> list[tuple[str, int]]:
    """The keys below a hand, without amounts, and how each looks."""
    keys = [part for part in raw.components(message) if part["type"] == 2]
    return [(re.sub(r"[\d,. ]+$", "", part.get("label", "")), part["style"]) for part in keys]


async def test_the_keys_after_a_loss_are_those_after_a_win(casino: Casino) -> None:
    await casino.sealed_table()
    after = dict[bool, list[tuple[str, int]]]()
    for _ in range(30):
        await casino.click("Deal")
        while casino.snapshot.phase is TablePhase.PLAYING:
            await casino.click(quietly(casino))
        assert casino.snapshot.settlement is not None
        net = casino.snapshot.settlement.net(0)
        if net:
            after[net > 0] = shown(casino.message)
        if len(after) == 2:
            break
    assert after[True] == after[False]
