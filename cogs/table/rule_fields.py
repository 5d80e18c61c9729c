"""The rules of a game in words: what `/rules` says of each, and what the rule editor lets people choose.

A game lists its lines in reading order. A line that a rule set can change is a field; one that none can is just said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cogs.words import N_, _, decks

#: What `/rules` says of a rule set: "" where its tables do not have the thing, None where another line says it.
Told = Callable[[Any], str | None]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A heading of `/rules`, and what it says."""

    heading: str  # marked for translation, as all words here
    told: Told


@dataclass(frozen=True, slots=True)
class Field(RuleLine):
    """A line that is one field of the game's rules."""

    name: str
    #: What it is called in the editor.
    label: str
    values: tuple[Any, ...]
    #: How a value reads in the editor.
    shown: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class RulePage(RuleLine):
    """The fields below it, as far as the next one, are a page of the rule editor."""


#: Discord takes no more in a form.
_MOST_FIELDS: Final = 5


def page(title: str) -> RulePage:
    """`/rules` says nothing of it."""
    return RulePage(title, elsewhere)


def pages(lines: Sequence[RuleLine]) -> list[tuple[str, list[RuleLine]]]:
    """The title and the lines of each page of the editor; those above the first page have none to themselves. A page
    that is full of fields goes on in another one of its title; one without a field is left to `/rules`."""
    found: list[tuple[str, list[RuleLine]]] = [(_REST, [])]
    for line in lines:
        if isinstance(line, RulePage):
            found.append((line.heading, []))
            continue
        if isinstance(line, Field) and len(fields_among(found[-1][1])) == _MOST_FIELDS:
            found.append((found[-1][0], []))
        found[-1][1].append(line)
    return [(title, part) for title, part in found if fields_among(part)]


def fields_among(lines: Sequence[RuleLine]) -> list[Field]:
    """What a rule set can change of them."""
    return [line for line in lines if isinstance(line, Field)]


#: The page of a game that needs no more than one.
_REST: Final = N_("Rules")


def said(heading: str, sentence: str) -> RuleLine:
    """What is the same under every rule set."""
    return RuleLine(heading, lambda rules: _(sentence))


def number(
    name: str, label: str, values: Sequence[int], shown: Callable[[int], str], told: Told, *, heading: str = ""
) -> Field:
    """One of these numbers."""
    return Field(heading or label, told, name, label, tuple(values), shown)


def choice(name: str, label: str, words: Mapping[Any, str], told: Told | None = None, *, heading: str = "") -> Field:
    """One of these values; the words for it are what `/rules` says, unless it has something better to say."""

    def shown(value: Any) -> str:
        return _(words[value])

    def plainly(rules: Any) -> str:
        value = getattr(rules, name)
        return shown(value) if value else ""

    return Field(heading or label, told or plainly, name, label, tuple(words), shown)


def flag(name: str, label: str, sentence: str, told: Told | None = None, *, heading: str = "") -> Field:
    """Yes or no. `sentence` is what `/rules` says where it is yes."""

    def shown(value: Any) -> str:
        return _("yes") if value else _("no")

    def plainly(rules: Any) -> str:
        return _(sentence) if getattr(rules, name) else ""

    return Field(heading or label, told or plainly, name, label, (False, True), shown)


def elsewhere(rules: Any) -> None:
    """Of a field that another line tells as well."""


#: Every game is dealt from some decks.
DECKS: Final = number(
    "decks",
    N_("Decks"),
    range(1, 9),
    decks,
    lambda rules: _("{decks}, freshly shuffled for every round", decks=decks(rules.decks)),
    heading=N_("Cards"),
)


def told(lines: Sequence[RuleLine], rules: Any) -> list[tuple[str, str]]:
    """Heading and sentence of every line, in reading order; what these tables do not have comes last, in one line."""
    sentences = [(_(line.heading), line.told(rules)) for line in lines]
    missing = [heading for heading, sentence in sentences if sentence == ""]
    present = [(heading, sentence) for heading, sentence in sentences if sentence]
    return [*present, (_("Not offered"), ", ".join(missing))] if missing else present
