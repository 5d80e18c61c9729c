"""The rules of a game in words: what `/rules` says of each, and what the rule editor lets people choose.

A game lists its lines in reading order. A line about something that rule sets decide is a field; the other lines are
the same under every rule set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cogs.words import N_, _, decks

#: A function that returns the text of a line for a rule set: "" if the rule set does not have what the heading names,
#: None if another line says it.
Sentence = Callable[[Any], str | None]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A line of `/rules`: a heading, and its sentence."""

    heading: str  # marked for translation, as all words here
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class RuleField(RuleLine):
    """A line of `/rules` about one field of the game's rules, which the editor can change."""

    name: str  # the attribute of the rules
    #: The field's name in the editor.
    label: str
    values: tuple[Any, ...]
    #: A function that returns the words for a value in the editor.
    shown: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class RulePage(RuleLine):
    """A heading that begins a page of the rule editor. The page has the fields up to the next `RulePage`."""


#: The most fields that Discord accepts in a form.
_MOST_FIELDS: Final = 5


def page(title: str) -> RulePage:
    """Return the heading that begins a page of the rule editor. `/rules` shows nothing of it."""
    return RulePage(title, elsewhere)


def pages(lines: Sequence[RuleLine]) -> list[tuple[str, list[RuleLine]]]:
    """Return the title and the lines of each page of the editor. Lines before the first `RulePage` are on a page Rules.

    A page with too many fields for a form is continued on another of the same title; one without fields is left out.
    """
    found: list[tuple[str, list[RuleLine]]] = [(_REST, [])]
    for line in lines:
        if isinstance(line, RulePage):
            found.append((line.heading, []))
            continue
        if isinstance(line, RuleField) and len(fields_among(found[-1][1])) == _MOST_FIELDS:
            found.append((found[-1][0], []))
        found[-1][1].append(line)
    return [(title, part) for title, part in found if fields_among(part)]


def fields_among(lines: Sequence[RuleLine]) -> list[RuleField]:
    """Return the lines about fields of the rules, without those that are the same under every rule set."""
    return [line for line in lines if isinstance(line, RuleField)]


#: The title of the page of the lines before the first `RulePage`: the only page of a game without any.
_REST: Final = N_("Rules")


def said(heading: str, sentence: str) -> RuleLine:
    """Return a line that is the same under every rule set."""
    return RuleLine(heading, lambda rules: _(sentence))


def number(
    name: str, label: str, values: Sequence[int], shown: Callable[[int], str], sentence: Sentence, *, heading: str = ""
) -> RuleField:
    """Return a field whose value is one of these numbers. `shown` writes a number in the editor.

    `/rules` shows `sentence` below `heading` or, if that is empty, below the `label`.
    """
    return RuleField(heading or label, sentence, name, label, tuple(values), shown)


def choice(
    name: str, label: str, words: Mapping[Any, str], own: Sentence | None = None, *, heading: str = ""
) -> RuleField:
    """Return a field whose value is one of the keys of `words`.

    `/rules` shows the value in these words, and a false value as not offered. With `own` it shows what that returns.
    The heading is `heading` or, if that is empty, the `label`.
    """

    def shown(value: Any) -> str:
        return _(words[value])

    def plainly(rules: Any) -> str:
        value = getattr(rules, name)
        return shown(value) if value else ""

    return RuleField(heading or label, own or plainly, name, label, tuple(words), shown)


def flag(name: str, label: str, sentence: str, own: Sentence | None = None, *, heading: str = "") -> RuleField:
    """Return a field whose value is yes or no.

    For yes, `/rules` shows `sentence`. For no, it names the heading among the things that are not offered. If `own` is
    given, `sentence` is not used: for both values `/rules` shows what `own` returns. The heading is `heading` or, if
    that is empty, the `label`.
    """

    def shown(value: Any) -> str:
        return _("yes") if value else _("no")

    def plainly(rules: Any) -> str:
        return _(sentence) if getattr(rules, name) else ""

    return RuleField(heading or label, own or plainly, name, label, (False, True), shown)


def elsewhere(rules: Any) -> None:
    """Return None, so that `/rules` leaves this line out.

    It is for fields that another line of `/rules` covers, and for headings that only the rule editor shows.
    """


#: The field of the number of decks, which every game has.
DECKS: Final = number(
    "decks",
    N_("Decks"),
    range(1, 9),
    decks,
    lambda rules: _("{decks}, freshly shuffled for every round", decks=decks(rules.decks)),
    heading=N_("Cards"),
)


def sentences(lines: Sequence[RuleLine], rules: Any) -> list[tuple[str, str]]:
    """Return the heading and the sentence of each line of `/rules`, in reading order.

    The headings of lines with an empty sentence come last, together in a line that says they are not offered. Lines
    whose sentence is None are left out.
    """
    said = [(_(line.heading), line.sentence(rules)) for line in lines]
    missing = [heading for heading, sentence in said if sentence == ""]
    present = [(heading, sentence) for heading, sentence in said if sentence]
    return [*present, (_("Not offered"), ", ".join(missing))] if missing else present
