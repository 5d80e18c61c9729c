"""The state of a person's training: read from the bank, changed by a press, and stored before it is shown."""

from __future__ import annotations

import asyncio
import random
import secrets
from contextlib import suppress
from typing import Final, NamedTuple

from cogs.answers.client import Interaction
from cogs.care.away import refuse_away
from cogs.coach.asking import ask, asker_of
from cogs.table import rule_sets
from cogs.words import _
from cogs.words.refusals import Sorry
from data import Trained
from engine.coach import WhatToAsk
from engine.games.blackjack.rules import BlackjackRules
from engine.tables.ports import AlreadyDone
from engine.training.counting import COUNT, Count
from engine.training.deals import DealtHand
from engine.training.drill import Drill, DrillKind, Lost, lost_at, next_search

GAME: Final = "blackjack"
#: Seconds to wait for the next hand.
PATIENCE: Final = 10.0
#: The number of costliest mistakes that weak spots are chosen from.
_MISTAKES: Final = 200


class OwnTraining(NamedTuple):
    """A person's training, as it is stored and as the engine plays it."""

    stored: Trained
    state: Drill | Count

    @property
    def what(self) -> str:
        """The name of the drill, or of counting."""
        return self.stored.what

    @property
    def name(self) -> str:
        """The name of the rule set."""
        return self.stored.rules

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was asked yet."""
        state = self.state
        return not (state.cards if isinstance(state, Count) else state.asked or state.before)


async def load(interaction: Interaction, what: str, name: str) -> OwnTraining:
    """Return the person's training of a kind (`what`) by the rule set of this name.

    If the person never began it, or the rules have changed since, return a new one. A change of the rules does not end
    a training with situations of Today's five, and ends one of counting only if the number of decks has changed. Refuse
    people on a break from everything.
    """
    await refuse_away(interaction)
    stored = await interaction.client.bank.training.find(interaction.user.id, what, name) or Trained(what, name)
    rules: BlackjackRules = await rule_sets.find(interaction, GAME, name)
    return OwnTraining(stored, _state(stored, rules))


def _state(stored: Trained, rules: BlackjackRules) -> Drill | Count:
    if stored.what == COUNT:
        count = Count.from_json(stored.doc) if stored.doc else Count(rules.decks)
        return count if count.decks == rules.decks else Count(rules.decks)
    drill = Drill.from_json(DrillKind(stored.what), stored.doc) if stored.doc else Drill(DrillKind(stored.what), rules)
    return drill if drill.rules == rules or drill.kind is DrillKind.FIVE else Drill(drill.kind, rules)


async def load_five(interaction: Interaction, name: str, wanted: Drill) -> OwnTraining:
    """Return the person's stored training if it asks about the situations in `wanted`, else `wanted` as a new training.

    The new training is not stored yet. `name` is the name of the rule set.
    """
    training = await load(interaction, DrillKind.FIVE, name)
    state = training.state
    same = isinstance(state, Drill) and (state.rules, state.wanted) == (wanted.rules, wanted.wanted)
    return training if same else training._replace(state=wanted)


async def keep(interaction: Interaction, was: OwnTraining, state: Drill | Count) -> OwnTraining:
    """Store a training after a press, and return it. If another press was faster, return what that one stored."""
    try:
        stored = await interaction.client.bank.training.keep(interaction.user.id, was.stored, state.as_json())
    except AlreadyDone:
        return await load(interaction, was.what, was.name)
    return OwnTraining(stored, state)


async def begun(interaction: Interaction, training: OwnTraining) -> OwnTraining:
    """Return the training with a question to answer. If it has none, one is found and stored.

    Raise Sorry if the coach does not find one.
    """
    state = training.state
    if isinstance(state, Drill):
        return training if state.asked else await keep(interaction, training, await _asking(interaction, state))
    if state.cards and not state.over:
        return training
    return await keep(interaction, training, state.dealt(_chance().randrange))


async def answered(interaction: Interaction, training: OwnTraining, action: str) -> OwnTraining:
    """Store the drill after an answer, and return it. After a right answer it has a new hand, if the coach finds one.

    Nothing changes if no hand is asked, or if the action is not among its choices.
    """
    drill = training.state
    if not isinstance(drill, Drill) or drill.asked is None or action not in drill.asked.worths:
        return training
    drill = drill.answered(action)
    if drill.was_right:
        with suppress(Sorry):  # the answer counts without the coach, and a key asks again
            drill = await _asking(interaction, drill)
    return await keep(interaction, training, drill)


async def _asking(interaction: Interaction, drill: Drill) -> Drill:
    lost = await _lost(interaction, drill) if drill.kind is DrillKind.SPOTS else None
    question = WhatToAsk(next_search(drill, _chance().randrange, lost))
    try:
        async with asyncio.timeout(PATIENCE):
            return drill.asking(await ask(interaction.client, question, asker_of(interaction)))
    except TimeoutError:
        raise Sorry(_("The coach is busy. Press again in a moment.")) from None


async def _lost(interaction: Interaction, drill: Drill) -> Lost:
    """Return what the person's costliest mistakes on all servers lost at each cell of the chart, in cents.

    Insurance does not count, because no drill asks about it.
    """
    missed = await interaction.client.bank.mistakes.of_person(interaction.user.id, _MISTAKES)
    return lost_at(drill.rules, ((DealtHand(tuple(each.doc["hand"]), each.doc["up"]), each.loss) for each in missed))


def _chance() -> random.Random:
    return random.Random(secrets.token_bytes(16))
