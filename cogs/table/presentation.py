"""Presentations: everything people see of one game, as one value in the module of `cogs` that has the game's name.

The list of games is the engine's registry. No other list of them exists.
"""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from cogs.table.keys import BET, SHARED, offers_join, seat_keys
from cogs.table.page import Cap, PageOf, Pressed
from cogs.table.rule_fields import RuleField, RuleLine, sentences
from cogs.words import _
from cogs.words.refusals import Sorry, sentence
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot

if TYPE_CHECKING:
    from cogs.answers.client import Interaction
    from cogs.answers.reply import Reply
    from engine.tables.table import Table

#: A function that carries out a press on a key that is no action of a round.
Handler = Callable[["Interaction", "Table", Pressed], Awaitable[None]]

#: A function that may answer a press in private before the table does, and returns whether it did.
Aside = Callable[["Interaction", "Reply", "Table", Pressed], Awaitable[bool]]

#: A function that returns a greeting, or "", for a table, a person's Discord id and a press's interaction id.
Greeting = Callable[["Table", int, int], Awaitable[str]]

#: The module that presents elimination tables, whichever game is played there.
_ELIMINATION = "elimination"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in rule set as `/rules` sums it up in a line."""

    what: str  # a description, marked for translation
    #: The house edge under best play, as a part of the first stake. A test compares it with the solver.
    edge: float
    #: The spot or the answer that has this house edge, in games where people choose one.
    best: str = ""


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """Everything people see of one game. All texts are marked for translation and translated where they are shown."""

    #: The command's description: Discord and `/help` show it.
    help: str
    page_of: PageOf
    #: The keys that only this game has, with labels.
    caps: tuple[Cap, ...] = ()
    #: The sentences about what each of these keys does, for `/help`.
    keys_text: str = ""
    #: The words for those actions of its rounds that have no key.
    steps: Mapping[str, str] = field(default_factory=dict)
    #: The lines of `/rules` in reading order, among them each field of its rules.
    rules: tuple[RuleLine, ...] = ()
    #: A description of each built-in rule set.
    sets: Mapping[str, BuiltIn] = field(default_factory=dict)
    #: The sentences about impossible rule sets, by `BadRules.fault`.
    faults: Mapping[str, str] = field(default_factory=dict)
    #: The answer to somebody who presses but does not sit there, if Join is of no use.
    stranger: str = ""
    #: The answer to somebody who presses or wants to sit down at a table that belongs to another player.
    owned: str = ""
    #: The sentence that says how to open a table of one's own if the channel's table has no room.
    alone: str = ""
    #: A private explanation of the keys with a member's first hand on this server.
    first_hand: str = ""
    #: The name of the game's answer time among the server's settings, if it has one of its own.
    answer_time: str = ""
    #: The keys that ask for a stake in a form.
    asking: frozenset[str] = frozenset({BET.word})
    #: The handlers of the game's own keys that are not actions of a round.
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    #: A function that is called before each press. At elimination tables a press brings an absent player back: then it
    #: returns the greeting, which they see if the press itself is refused.
    greet: Greeting | None = None

    def cap(self, word: str) -> Cap | None:
        """Return the cap of the key with that word, or None if the game has no such key."""
        return next((cap for cap in (*self.caps, *SHARED) if cap.word == word), None)

    def step(self, action: str) -> str:
        """Return the words for an action in the steps of a finished round."""
        cap = self.cap(action)
        return _(self.steps[action] if cap is None else cap.label)

    def explain(self, refused: Refused, snapshot: Snapshot, user: int) -> Exception:
        """Return a refusal in words that fit this game and this table, or the refusal itself if its usual words fit."""
        if self.owned and snapshot.solo and refused.reason in (Reason.NOT_SEATED, Reason.TABLE_SOLO):
            return Sorry(_(self.owned))
        if self.stranger and refused.reason is Reason.NOT_SEATED:
            return Sorry(_(self.stranger))
        if refused.reason is Reason.NOT_SEATED and not offers_join(seat_keys(snapshot)):
            begun = snapshot.rules.seating.stack and snapshot.round
            refused = Refused(Reason.TABLE_STARTED if begun else Reason.TABLE_FULL)
        if self.alone and refused.reason in (Reason.TABLE_FULL, Reason.TABLE_STARTED):
            return Sorry(f"{sentence(refused)} {_(self.alone)}")
        return refused

    @property
    def fields(self) -> Mapping[str, RuleField]:
        """The fields of the game's rules, by name."""
        return {line.name: line for line in self.rules if isinstance(line, RuleField)}


@cache
def presentation(game: str) -> Presentation:
    """Return the presentation of the game of that name."""
    module: Any = importlib.import_module(f"cogs.{game.replace('-', '_')}")
    return cast(Presentation, module.PRESENTATION)


def rules_text(game: str, rules: Any) -> list[tuple[str, str]]:
    """Return the heading and the sentence of each line of `/rules` about these rules."""
    return sentences(presentation(game).rules, rules)


def presented(snapshot: Snapshot) -> Presentation:
    """Return the presentation of this table: that of its game, or that of elimination tables."""
    return presentation(_ELIMINATION if snapshot.elimination is not None else snapshot.game)
