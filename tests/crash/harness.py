"""Kills a casino over and over, and proves after each time that no chip and no acknowledged press was lost."""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from data import Bank
from engine.tables.ports import BankUnavailable, OutcomeUnknown
from engine.tables.refused import Refused
from tests.crash import play
from tests.crash.books import Books

#: The most answered presses before the kill. They are counted so that a slow machine does as much work.
LONGEST_LIFE: Final = 300
#: The same where a bank is broken: the sooner it is killed, the sooner it is caught.
SHORT_LIFE: Final = 60
#: The most seconds after that until the kill, so that it also falls between two answers.
A_MOMENT: Final = 0.01
#: The most seconds before the kill while a bank is opened or read, because nobody presses then.
LOOKING_BACK: Final = 0.08
#: A life that says nothing for so long hangs.
PATIENCE: Final = 60.0


class Lost(AssertionError):
    """Chips or presses are missing."""


@dataclass
class Score:
    kills: int = 0
    presses: int = 0
    refused: int = 0
    seconds: float = 0.0
    played: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Score) -> Score:
        return Score(
            self.kills + other.kills, self.presses + other.presses, self.refused + other.refused,
            self.seconds + other.seconds, self.played + other.played,
        )  # fmt: skip

    def __str__(self) -> str:
        told = f"{self.kills} kills, {self.presses} acknowledged presses, {self.refused} refused ones"
        rounds = ", ".join(f"{game} {count}" for game, count in sorted(self.played.items()))
        return f"{told}, nothing lost, {self.seconds:.1f} s; rounds played: {rounds}"


@dataclass
class Harness:
    """One bank, killed again and again, then played out."""

    url: str
    kind: type[Bank] = Bank
    seed: int = 1
    longest_life: int = LONGEST_LIFE
    #: Strikes the world shortly before the casino is killed.
    strike: Callable[[], None] | None = None
    acknowledged: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    score: Score = field(default_factory=Score)
    ended: bool = False

    def run(self, kills: int, *, first: int = 1) -> Score:
        begun, chance = time.monotonic(), random.Random(self.seed)
        self._books = Books(self.url)
        for life in range(first, first + kills):
            self._live(life, self._plug(chance))
            self.score.kills += 1
            self._look_back()
        self._live(first + kills, None)
        self._look_back()
        if not self.ended:
            raise Lost("the last life did not end its hands")
        self.score.seconds, self.score.played = time.monotonic() - begun, self._books.played
        return self.score

    # -- private ---------------------------------------------------------------------------------------------------

    def _plug(self, chance: random.Random) -> Plug:
        """Most lives end in play; some while they still look back, or open."""
        since = chance.choices([play.READY, play.CLEAN, ""], [8, 1, 1])[0]
        if since == play.READY:
            answers, rest = chance.randint(0, self.longest_life), A_MOMENT
        else:
            answers, rest = 0, LOOKING_BACK
        struck = LOOKING_BACK if self.strike else 0.0  # how long it lives on when its world was struck
        return Plug(since, answers, chance.uniform(0, rest), chance.uniform(0, struck))

    def _look_back(self) -> None:
        """Before the next life changes anything."""
        faults = self._books.faults(self.acknowledged, self.refused)
        if faults:
            raise Lost("; ".join(faults))

    def _live(self, life: int, plug: Plug | None) -> None:
        """One life; without a plug it is the last one, which ends by itself."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self._be_casino(life, writer, last=plug is None)
        os.close(writer)
        try:
            self._listen(reader, child, plug or Plug(play.DONE))
        finally:
            os.close(reader)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)

    def _be_casino(self, life: int, writer: int, *, last: bool) -> None:
        wire = play.Wire(writer)
        try:
            asyncio.run(play.live(self.kind, self.url, life, wire, last=last))
        except (BankUnavailable, OutcomeUnknown, Refused):
            pass  # its connections were cut while it looked back: it goes down, and the next life looks again
        except BaseException:
            wire.say(play.FAULT, traceback.format_exc())
        os._exit(0)

    def _listen(self, reader: int, child: int, plug: Plug) -> None:
        rest, heard_at = b"", time.monotonic()
        plug.hear("")
        while True:
            ready, _, _ = select.select([reader], [], [], plug.wait())
            said = os.read(reader, 1 << 16) if ready else b""
            heard_at = time.monotonic() if said else heard_at
            *lines, rest = (rest + said).split(b"\n")
            for line in lines:
                self._hear(line.decode(), plug)
            if ready and not said:
                return
            plug.pull(child, self.strike)
            if time.monotonic() > heard_at + PATIENCE:
                raise Lost("the casino hangs")

    def _hear(self, line: str, plug: Plug) -> None:
        word, _, more = line.partition(" ")
        if word == play.FAULT:
            raise Lost(more)
        if word in (play.CLEAN, play.READY, play.DONE):
            self.ended = word == play.DONE
            plug.hear(word)
            return
        if word == play.REFUSED:
            self.refused.add(more)
            self.score.refused += 1
        else:
            self.acknowledged.add(word)
            self.score.presses += 1
        plug.count()


@dataclass
class Plug:
    """The plug, which strikes the world and kills the casino, this many answers and seconds after a word."""

    since: str
    answers: int = 0
    strike_after: float = 0.0
    kill_after: float = 0.0
    _next: float | None = None
    _heard: bool = False
    _struck: bool = False

    def hear(self, word: str) -> None:
        if word == self.since and word != play.DONE:
            self._heard = True
            self._arm()

    def count(self) -> None:
        """One more answer."""
        if self._heard and self.answers:
            self.answers -= 1
            self._arm()

    def wait(self) -> float:
        return 1.0 if self._next is None else max(0.0, self._next - time.monotonic())

    def pull(self, child: int, strike: Callable[[], None] | None) -> None:
        if self._next is None or time.monotonic() < self._next:
            return
        if strike is not None and not self._struck:
            strike()
            self._struck, self._next = True, time.monotonic() + self.kill_after
        else:
            os.kill(child, signal.SIGKILL)
            self._next = None

    def _arm(self) -> None:
        if not self.answers:
            self._next = time.monotonic() + self.strike_after
