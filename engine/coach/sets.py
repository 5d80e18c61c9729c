"""The questions to the coach that prepare a set: which deals it has, and what their actions are worth."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from engine.fairness.sets import day_name, stream
from engine.sets.answers import Answers, worked_out
from engine.sets.choosing import SetDeal, chosen, chosen_freely
from engine.sets.prepared import Prepared
from engine.sets.programme import SetTerms, programme

#: A function that puts a question to the coach and returns its answer.
AskCoach = Callable[[Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class WhichDeals:
    """The question for the deals of a day's set."""

    terms: SetTerms
    seed: bytes = field(repr=False)
    name: str  # the day's; it goes into the shuffle beside the seed
    before: frozenset[str]  # the situations asked on the same weekday in the four weeks before

    def answer(self) -> tuple[SetDeal, ...]:
        return chosen(self.terms, stream(self.seed, self.name, self.terms.rules.decks), self.before)


@dataclass(frozen=True, slots=True)
class WhichFreeDeals:
    """The question for the deals of a duel, or of a tournament with the same cards for all."""

    terms: SetTerms
    seed: bytes = field(repr=False)
    name: str  # the set's; it goes into the shuffle beside the seed
    count: int

    def answer(self) -> tuple[SetDeal, ...]:
        return chosen_freely(self.terms, stream(self.seed, self.name, self.terms.rules.decks), self.count)


@dataclass(frozen=True, slots=True)
class WhatAreTheAnswers:
    """The question for the value of every action of one deal (`engine.sets.answers`)."""

    terms: SetTerms
    seed: bytes = field(repr=False)
    name: str  # the set's
    deal: int  # its number in the set's stream

    def answer(self) -> Answers:
        decks = self.terms.rules.decks
        return worked_out(self.terms.rules, stream(self.seed, self.name, decks)(self.deal))


async def prepare_day(ask: AskCoach, day: int, seed: bytes, before: frozenset[str]) -> Prepared:
    """Return the set of a day (counted from 1 January 1970) with its answers. Raises CoachGone, or UnknownRule.

    The coach is asked in several short questions, and answers other people between them. `before` are the situations
    asked on the same weekday in the four weeks before.
    """
    terms, name = programme(day), day_name(day)
    deals = await ask(WhichDeals(terms, seed, name, before))
    return await answered(ask, terms, seed, name, deals)


async def answered(ask: AskCoach, terms: SetTerms, seed: bytes, name: str, deals: tuple[SetDeal, ...]) -> Prepared:
    """Ask the coach for the answers of these deals, and return them as a set. Raises CoachGone, or UnknownRule."""
    answers = [await ask(WhatAreTheAnswers(terms, seed, name, deal.number)) for deal in deals]
    return Prepared(terms, deals, tuple(answers))
