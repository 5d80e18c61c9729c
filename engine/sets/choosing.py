"""The filter that picks the deals of a set from its stream (R11.3). It looks at open cards only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.games.blackjack.actions import DOUBLE, SURRENDER
from engine.games.blackjack.hand import NATURAL
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.cards import Shoe
from engine.sets import worths
from engine.sets.deals import SEAT, Stream, dealt, is_pair, is_soft, situation
from engine.sets.programme import UNIT, SetTerms
from engine.sets.worths import Worths

#: The version of this filter, which each set names.
FILTER: Final = 1

#: The number of deals of a day.
FIVE: Final = 5
#: The smallest difference that is asked for between the best two first plays of a deal: 0.3 % of the unit.
CLOSEST: Final = 3 * UNIT // 1_000
#: The number of weeks for which a weekday does not ask a situation again.
WEEKS: Final = 4
#: The number of deals after which a condition that none of them meets falls away.
PATIENCE: Final = 10_000


@dataclass(frozen=True, slots=True)
class SetDeal:
    """A deal of a set: its number in the stream, from 1, and its situation, such as `hard 16 v 10`."""

    number: int
    situation: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the conditions ask about a deal. All of it follows from the open cards."""

    situation: str
    pair: bool
    soft: bool
    #: The best two first plays, and how much they differ, in millionths of the unit.
    best: frozenset[str]
    gap: int

    @property
    def pair_or_double(self) -> bool:
        return self.pair or DOUBLE in self.best


#: A condition of the filter: (the facts of a deal, those of the deals already taken) -> whether it may come next.
Condition = Callable[[Facts, Sequence[Facts]], bool]


def chosen(terms: SetTerms, stream: Stream, before: Collection[str]) -> tuple[SetDeal, ...]:
    """Return the five deals of a day.

    `before` has the situations of the same weekday in the last four weeks, which are avoided while other deals can be
    found. Raises UnknownRule where the solver does not know the rules.
    """
    return _chosen(terms, stream, FIVE, _day_conditions(terms, before))


def chosen_freely(terms: SetTerms, stream: Stream, count: int) -> tuple[SetDeal, ...]:
    """Return the first `count` deals for a duel, or for a tournament whose people all play the same cards.

    The only condition is that the best two first plays differ enough to matter, and by no more than the width of the
    terms. It is dropped if `PATIENCE` deals do not meet it. Raises UnknownRule where the solver does not know the
    rules.
    """
    return _chosen(terms, stream, count, (partial(_is_open, terms.width),))


def _chosen(terms: SetTerms, stream: Stream, count: int, conditions: Sequence[Condition]) -> tuple[SetDeal, ...]:
    taken: list[tuple[int, Facts]] = []
    seen: dict[str, Worths] = {}
    for _ in range(count):
        after = taken[-1][0] if taken else 0
        offered = _offered(terms.rules, stream, range(after + 1, after + 1 + PATIENCE), seen)
        taken.append(_best_of(offered, [facts for _, facts in taken], conditions))
    return tuple(SetDeal(number, facts.situation) for number, facts in taken)


def _best_of(
    offered: Iterable[tuple[int, Facts]], taken: Sequence[Facts], conditions: Sequence[Condition]
) -> tuple[int, Facts]:
    """Return the number and the facts of the first deal offered that meets all conditions.

    If none does, conditions are dropped one after the other, in their order, until a deal meets the others. `taken` are
    the facts of the deals that the set already has. Raises ValueError if no deal is offered.
    """
    found, least = None, len(conditions) + 1
    for number, facts in offered:
        fallen = max((place for place, met in enumerate(conditions, 1) if not met(facts, taken)), default=0)
        if fallen < least:
            found, least = (number, facts), fallen
        if not least:
            break
    if found is None:
        raise ValueError("no deal of this stream asks anything")
    return found


# -- conditions --------------------------------------------------------------------------------------------------------


def _day_conditions(terms: SetTerms, before: Collection[str]) -> tuple[Condition, ...]:
    """Return the conditions for a deal of a day, in the order in which they are dropped if no deal meets all.

    `before` has the situations of the same weekday in the last four weeks.
    """
    return (
        partial(_is_of_its_kind, terms.rules),
        _has_few_surrenders,
        partial(_is_new_this_month, frozenset(before)),
        _is_new_today,
        partial(_is_open, terms.width),
    )


def _is_of_its_kind(rules: BlackjackRules, facts: Facts, taken: Sequence[Facts]) -> bool:
    """Return whether the kinds of hands that a day needs are among the deals already `taken` and this one (`facts`).

    With the fourth deal there must be a pair or a likely double, unless the rules have no splits, swaps and doubles.
    With the fifth deal there must be a soft hand. Any other deal fits.
    """
    if len(taken) == 3 and (rules.split or rules.swap or rules.double):
        return any(each.pair_or_double for each in (*taken, facts))
    return len(taken) != 4 or any(each.soft for each in (*taken, facts))


def _has_few_surrenders(facts: Facts, taken: Sequence[Facts]) -> bool:
    return SURRENDER not in facts.best or all(SURRENDER not in each.best for each in taken)


def _is_new_this_month(before: Collection[str], facts: Facts, taken: Sequence[Facts]) -> bool:
    return facts.situation not in before


def _is_new_today(facts: Facts, taken: Sequence[Facts]) -> bool:
    return all(facts.situation != each.situation for each in taken)


def _is_open(width: int, facts: Facts, taken: Sequence[Facts]) -> bool:
    """Return whether the best two first plays differ enough to matter, but by no more than `width`.

    `width` is in millionths of the unit. The deals already `taken` make no difference.
    """
    return CLOSEST <= facts.gap <= width


def gap_of(rules: BlackjackRules, shoe: Shoe) -> int:
    """Return by how much the best two first plays of a set's deal differ, in millionths of the unit."""
    return _facts(dealt(rules, shoe), {}).gap


# -- facts -------------------------------------------------------------------------------------------------------------


def _offered(
    rules: BlackjackRules, stream: Stream, numbers: Iterable[int], seen: dict[str, Worths]
) -> Iterable[tuple[int, Facts]]:
    """Yield the number and the facts of each of these deals that asks for a first play.

    `seen` caches the values of actions by the ranks of the open cards.
    """
    for number in numbers:
        round = dealt(rules, stream(number))
        if not round.over and round.hands[SEAT][0].state is not NATURAL:
            yield number, _facts(round, seen)


def _facts(round: BlackjackRound, seen: dict[str, Worths]) -> Facts:
    cards = "".join(card[0] for card in (*sorted(round.hands[SEAT][0].cards), round.up_card))
    if cards not in seen:
        seen[cards] = worths.of_plays(round)
    best, second, *_others = sorted(seen[cards], key=lambda action: -seen[cards][action])
    gap = seen[cards][best] - seen[cards][second]
    return Facts(situation(round), is_pair(round), is_soft(round), frozenset({best, second}), gap)
