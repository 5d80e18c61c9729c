"""The best play of a rule set as a picture and as letters, the house edge, and the value of each rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from cogs.pictures.coach import ChartPicture, ChartRow
from cogs.table.presentation import presentation
from cogs.words import N_, _, apart, ngettext, share
from engine.games.blackjack.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, SWAP
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import SolvedGame
from engine.solver.known import SOLVED
from engine.solver.words import word

#: The letter that stands for each play.
_LETTERS: Final[Mapping[str, str]] = {
    HIT: N_("H"),
    STAND: N_("S"),
    DOUBLE: N_("D"),
    SPLIT: N_("P"),
    SWAP: N_("W"),
    SURRENDER: N_("R"),
}
#: The plays whose cells show in a second, small letter what to do where they are not allowed.
_WITH_SECOND: Final = frozenset({DOUBLE, SURRENDER})

_PARTS: Final = {"hard": N_("Hard"), "soft": N_("Soft"), "": N_("Pairs")}

#: The most exceptions to the chart that are listed.
_MOST_ODD: Final = 12

#: The smallest difference between two rules that counts, as a part of the stake.
_TOLERANCE: Final = 5e-6

#: The rules in the order in which they are shown.
_ORDER: Final = tuple(SOLVED)


def letters(cell: str) -> str:
    """Return a play as letters: `D` with a small `h` for double, or hit where that is not allowed."""
    first, _slash, second = cell.partition("/")
    letter = _(_LETTERS[first])
    return letter + _(_LETTERS[second]).lower() if first in _WITH_SECOND else letter


def chart(name: str, game: SolvedGame) -> ChartPicture:
    """Return all that the picture of a rule set's chart shows, for drawing it."""
    heading = _("Best play · {rules} · house edge {edge}", rules=name, edge=share(game.edge, 2))
    return ChartPicture(heading, _columns(game), tuple(_parts(game)), tuple(_legend(game)))


def _legend(game: SolvedGame) -> Iterator[tuple[str, str, str]]:
    """Return each play of the chart with its letter and its name."""
    plays = {cell.partition("/")[0] for row in game.chart.values() for cell in row.values()}
    return ((play, _(letter), _name(play)) for play, letter in _LETTERS.items() if play in plays)


def _parts(game: SolvedGame) -> Iterator[tuple[str, tuple[ChartRow, ...]]]:
    """Yield the name and the rows of each part of the chart: hard hands, soft hands and pairs."""
    parts: dict[str, list[ChartRow]] = defaultdict(list)
    for row, cells in game.chart.items():
        kind, _space, hand = row.rpartition(" ")
        plays = tuple((cell.partition("/")[0], letters(cell)) for cell in cells.values())
        parts[kind].append(ChartRow(hand, plays))
    for kind, rows in parts.items():
        yield _(_PARTS[kind]), tuple(rows)


def as_text(game: SolvedGame) -> str:
    """Return the chart in letters after a key of them, a line for each row, for readers who cannot see the picture."""
    lines = []
    for part, rows in _parts(game):
        lines.append(f"{part:<8}" + " ".join(f"{column:>2}" for column in _columns(game)))
        lines += (f"{row.name:<8}" + " ".join(f"{text:>2}" for _play, text in row.cells) for row in rows)
    key = apart(f"{letter} = {name}" for _play, letter, name in _legend(game))
    return f"{key}\n```\n" + "\n".join(lines) + "\n```"


def edge(game: SolvedGame) -> str:
    """Return the sentence about the house edge under best play."""
    values = {"edge": share(abs(game.edge), 3), "of": share(1, 0)}
    if game.edge < 0:
        return _("With best play **the player** wins {edge} of the first stake on average.", **values)
    return _("House edge: **{edge}** of the first stake, with best play.", **values)


def odd_hands(game: SolvedGame) -> str:
    """Return the sentence about two-card hands that are best played differently from their row, or an empty text."""
    hands = [_("{hand} against {up}: {play}", hand=odd.hand, up=odd.up, play=_name(odd.play)) for odd in game.off_chart]
    if not hands:
        return ""
    more = len(hands) - _MOST_ODD
    rest = [ngettext("and {count} more", "and {count} more", more)] if more > 0 else []
    return _("Exceptions to the chart: {hands}.", hands=apart(hands[:_MOST_ODD] + rest))


def worths(rules: BlackjackRules, worths: Mapping[str, Mapping[str, float]]) -> str:
    """Return the text about the value of each rule to the player, in the order of the rules; empty without values.

    `worths` has, by the rule's field and another choice for it, how much more the choice in `rules` is worth, as a part
    of the stake.
    """
    lines = []
    for name, against in sorted(worths.items(), key=lambda item: _ORDER.index(item[0])):
        field = presentation("blackjack").fields[name]
        shown = {word(value): field.shown(value) for value in field.values}
        others = ", ".join(_against(shown[choice], worth) for choice, worth in against.items())
        mine = field.shown(getattr(rules, name))
        lines.append(_("**{rule}** · {mine}\n-# against {others}", rule=_(field.label), mine=mine, others=others))
    return "\n".join((_("**What each rule gives you**, of the stake:"), *lines)) if lines else ""


def _against(choice: str, worth: float) -> str:
    if abs(worth) < _TOLERANCE:
        return _("{choice} (no difference)", choice=choice)
    return _("{choice} {worth}", choice=choice, worth=share(worth, 3, sign=True))


def _columns(game: SolvedGame) -> tuple[str, ...]:
    return tuple(next(iter(game.chart.values())))


def _name(play: str) -> str:
    return presentation("blackjack").step(play)
