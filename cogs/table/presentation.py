"""What people see of a game: one value, in the module of `cogs` that has the game's name.

Whatever needs to know all games walks the engine's registry and asks for these: nothing here or elsewhere lists them.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from cogs.table.keys import BET, SHARED
from cogs.table.page import Cap, PageOf, Pressed
from cogs.table.rule_fields import Field, RuleLine, told
from cogs.words import _
from cogs.words.refusals import Sorry, sentence
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot

if TYPE_CHECKING:
    from cogs.answers.client import Interaction
    from engine.tables.table import Table

#: What a key does that only some tables have.
Handler = Callable[["Interaction", "Table", Pressed], Awaitable[None]]

#: Of a table, a person and a press.
Greeting = Callable[["Table", int, int], Awaitable[str]]

#: The module that presents elimination tables: they look like themselves, whatever game their cards are of.
_ELIMINATION = "elimination"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in rule set in a line."""

    what: str
    #: What the house keeps of a bet under best play. A test compares it with the solver.
    edge: float
    #: The spot or the answer that keeps it so low, in games where people choose one.
    best: str = ""


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """All texts are marked for translation and translated where they are shown."""

    #: What the command does, in a line: Discord and `/help` show it.
    help: str
    page_of: PageOf
    #: The keys that only this game has, and what they do, each by its label.
    caps: tuple[Cap, ...] = ()
    keys_text: str = ""
    #: Steps of its rounds that no key stands for.
    steps: Mapping[str, str] = field(default_factory=dict)
    #: What `/rules` says, in reading order; among it each field of its rules.
    rules: tuple[RuleLine, ...] = ()
    #: What each built-in rule set is, in a line.
    sets: Mapping[str, BuiltIn] = field(default_factory=dict)
    #: Why a rule set cannot be.
    faults: Mapping[str, str] = field(default_factory=dict)
    #: What somebody is told who presses and does not sit there, where Join is no answer.
    stranger: str = ""
    #: The same at a table that is somebody's own.
    owned: str = ""
    #: How the command opens a table of one's own, where there is no room at the channel's.
    alone: str = ""
    #: What a member is told with their first hand on this server, in private: its keys.
    first_hand: str = ""
    #: What its answer time is called among the server's settings, if it has one of its own.
    answer_time: str = ""
    #: The keys that ask for a stake in a form.
    asking: frozenset[str] = frozenset({BET.word})
    #: Handlers of its own keys that are no actions of a round.
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    #: Before any press is served: what somebody is told for whom it was enough to press anything at all.
    greet: Greeting | None = None

    def cap(self, word: str) -> Cap | None:
        """What is printed on the key of that word."""
        return next((cap for cap in (*self.caps, *SHARED) if cap.word == word), None)

    def step(self, action: str) -> str:
        """An action of a finished round in words."""
        cap = self.cap(action)
        return _(self.steps[action] if cap is None else cap.label)

    def explain(self, refused: Refused, snapshot: Snapshot, user: int) -> Exception:
        """Return the same refusal in words that fit this table."""
        if self.owned and snapshot.solo and refused.reason in (Reason.NOT_SEATED, Reason.TABLE_SOLO):
            return Sorry(_(self.owned))
        if self.stranger and refused.reason is Reason.NOT_SEATED:
            return Sorry(_(self.stranger))
        if self.alone and refused.reason in (Reason.TABLE_FULL, Reason.TABLE_STARTED):
            return Sorry(f"{sentence(refused)} {_(self.alone)}")
        return refused

    @property
    def fields(self) -> Mapping[str, Field]:
        """Each field of its rules, by name."""
        return {line.name: line for line in self.rules if isinstance(line, Field)}


@cache
def presentation(game: str) -> Presentation:
    """Of the game of that name."""
    return cast(Presentation, _module(game).PRESENTATION)


def rules_text(game: str, rules: Any) -> list[tuple[str, str]]:
    """Any rule set in words, built in or a server's own: heading and sentence of each line."""
    return told(presentation(game).rules, rules)


def presented(snapshot: Snapshot) -> Presentation:
    """Of what is played there."""
    return presentation(_ELIMINATION if snapshot.elimination is not None else snapshot.game)


def _module(game: str) -> Any:
    return importlib.import_module(f"cogs.{game.replace('-', '_')}")
