"""A set as it is stored: what is played, which deals of its stream, and what every action is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from engine.games.blackjack.rules import BlackjackRules
from engine.sets.answers import Answers
from engine.sets.choosing import FILTER, SetDeal
from engine.sets.programme import SetTerms
from engine.sets.worths import VALUATION


@dataclass(frozen=True, slots=True)
class Prepared:
    """A set that can be played. Its answers show which cards come, so they stay secret until the set is over."""

    terms: SetTerms
    deals: tuple[SetDeal, ...] = field(repr=False)
    answers: tuple[Answers, ...] = field(repr=False)
    filter: int = FILTER  # the version of the filter that chose the deals
    valuation: int = VALUATION  # the version of the worths in the answers

    @property
    def situations(self) -> tuple[str, ...]:
        """The first question of each deal, such as `hard 16 v 10`."""
        return tuple(deal.situation for deal in self.deals)

    def deals_as_json(self) -> str:
        """Return the numbers and situations of the deals as JSON text."""
        return _compact([[deal.number, deal.situation] for deal in self.deals])

    def answers_as_json(self) -> str:
        """Return the answers of all deals as JSON text."""
        return _compact(self.answers)

    @classmethod
    def from_json(cls, terms: SetTerms, deals: str, answers: str, filter: int, valuation: int) -> Self:
        """Return a set from its terms, the JSON texts of its deals and answers, and its versions as stored."""
        return cls(terms, deals_from(json.loads(deals)), tuple(json.loads(answers)), filter, valuation)


def deals_from(pairs: Sequence[Any]) -> tuple[SetDeal, ...]:
    """Return the deals from their pairs of number and situation, as read from JSON."""
    return tuple(SetDeal(number, situation) for number, situation in pairs)


def terms_from(name: str, rules: Mapping[str, Any], width: int) -> SetTerms:
    """Return terms from their stored fields, with the rules as read from JSON. Raises BadRules."""
    return SetTerms(name, BlackjackRules.from_json(rules), width)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
