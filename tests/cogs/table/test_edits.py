"""The queue of edits: nobody waits twice as long as others, and tables where somebody must act go first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from cogs.table import edits
from cogs.table.edits import HEAD_START, MOST_EDITS, WINDOW, EditQueue

CHANNEL = 1


@dataclass(eq=False)
class Waiting:
    """A table as the queue knows it."""

    name: str
    asked: tuple[int, ...] = ()
    waits_for: int | str | None = None

    @property
    def table(self) -> Waiting:
        return self

    def snapshot(self) -> Waiting:
        return self


@dataclass
class Channel:
    """A queue whose clock the test moves."""

    now: float = 0.0
    drawn: list[str] = field(default_factory=list)
    queue: EditQueue = field(init=False)

    def __post_init__(self) -> None:
        self.queue = EditQueue(lambda display: self.drawn.append(display.name), lambda _: True)  # type: ignore[attr-defined]

    def joins(self, waiting: Any, way: int | str = CHANNEL) -> None:
        self.queue.join(way, waiting)

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.queue._wake(CHANNEL)


@pytest.fixture
async def channel(monkeypatch: pytest.MonkeyPatch) -> Channel:
    channel = Channel()
    monkeypatch.setattr(edits, "_now", lambda: channel.now)
    return channel


async def test_as_many_edits_as_discord_takes_leave_at_once_and_the_others_in_turn(channel: Channel) -> None:
    for number in range(2 * MOST_EDITS + 1):
        channel.joins(Waiting(str(number)))
        channel.now += 0.01
    assert channel.drawn == ["0", "1", "2", "3"]
    channel.later(WINDOW)
    assert channel.drawn == ["0", "1", "2", "3", "4", "5", "6", "7"]
    channel.later(WINDOW)
    assert channel.drawn[-1] == "8"


async def test_a_table_where_somebody_must_act_goes_first_but_for_ever_before_nobody(channel: Channel) -> None:
    for number in range(MOST_EDITS):
        channel.joins(Waiting(str(number)))
    channel.joins(Waiting("patient"))
    channel.now += 1
    channel.joins(Waiting("asked", asked=(7,)))
    channel.now += HEAD_START
    channel.joins(Waiting("asked much later", asked=(7,)))
    channel.later(0)
    assert channel.drawn[MOST_EDITS:] == ["asked", "patient", "asked much later"]


async def test_a_table_that_changes_again_while_it_waits_keeps_its_turn(channel: Channel) -> None:
    for number in range(MOST_EDITS):
        channel.joins(Waiting(str(number)))
    changing = Waiting("changing")
    for waiting in (changing, Waiting("later"), changing):
        channel.now += 0.01
        channel.joins(waiting)
    channel.later(WINDOW)
    assert channel.drawn[MOST_EDITS:] == ["changing", "later"]


async def test_a_table_whose_way_is_free_again_leaves_the_line_of_the_other(channel: Channel) -> None:
    for number in range(MOST_EDITS):
        channel.joins(Waiting(str(number)))
    pressed = Waiting("pressed")
    channel.joins(pressed)
    assert "pressed" not in channel.drawn
    channel.joins(pressed, "the token of a press")
    assert channel.drawn[-1] == "pressed"
    channel.later(WINDOW)
    assert channel.drawn.count("pressed") == 1
