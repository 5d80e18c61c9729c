"""The pages of training and their keys.

The key of an answer has the version of its training. An outdated key answers nothing: it shows the training as it is
now, or begins a new training if there is none.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from discord import ButtonStyle, ui

from cogs.answers.client import Interaction
from cogs.answers.door import Stands
from cogs.answers.panel import FELT, Rows, in_rows, panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.coach.asking import coach_of
from cogs.coach.stats_text import called
from cogs.table.page import Accent
from cogs.train import standing, texts
from cogs.train.standing import OwnTraining
from cogs.train.texts import DRILLS, Told
from cogs.words import _
from cogs.words.refusals import Sorry
from data import Trained
from engine.games.blackjack.actions import ACTIONS
from engine.training.counting import COUNT, Count
from engine.training.drill import Drill, DrillKind
from engine.training.problems import Problem

_WHAT: Final = r"(?P<what>run|spots|charts|count|five)"
_NAME: Final = r"(?P<name>.{1,40})"
_VERSION: Final = r"(?P<version>\d{1,9})"


def home(name: str, trained: list[Trained]) -> ui.LayoutView:
    """Return the page where a person chooses what to train."""
    run, spots, charts, count = [BeginKey.of(_(label), what, name) for what, (label, _told) in DRILLS.items()]
    return _panel(texts.home(name, trained), [[run, spots], [charts, count]])


async def begun(interaction: Interaction, what: str, name: str) -> ui.LayoutView:
    """Continue a training, or begin it, and return its page.

    `what` is the kind of training, `name` the rule set. Raise Refused if there are no such rules. Raise Sorry during a
    break from everything and, except for counting, if there is no coach or it does not answer.
    """
    if what != COUNT:
        coach_of(interaction.client)
    return page(await standing.begun(interaction, await standing.load(interaction, what, name)))


async def begun_five(interaction: Interaction, name: str, wanted: Drill) -> ui.LayoutView:
    """Continue the training of the situations in `wanted`, or begin it, and return its page.

    `name` is the name of the rule set. A training of other situations under these rules is replaced, with its longest
    row. Raise Refused if there are no such rules, and Sorry during a break from everything, or if there is no coach or
    it does not answer.
    """
    coach_of(interaction.client)
    return page(await standing.begun(interaction, await standing.load_five(interaction, name, wanted)))


def page(training: OwnTraining) -> ui.LayoutView:
    """Return the page of a training that has begun: the cards to count, a question, or the verdict on the last answer.

    In a drill, the verdict on a right answer can stand above the next question.
    """
    name, state = training.name, training.state
    if isinstance(state, Count):
        edge = _edge(asks=not state.over, right=state.is_right)
        return _panel(texts.counted(name, state), _count_rows(training, state), edge)
    edge = _edge(asks=state.asked is not None, right=state.was_right)
    return _panel(texts.drilled(name, state), _drill_rows(training, state), edge)


def _edge(*, asks: bool, right: bool) -> int:
    """Return the colour of the page's edge: for a question, a right answer, or a wrong one."""
    return FELT if asks else Accent.WON if right else Accent.LOST


def stopped(training: OwnTraining) -> ui.LayoutView:
    """Return the page of a training that was stopped, with its current and its best run."""
    told = texts.stopped(training.what, training.name, training.state)
    return _panel(told, [[BeginKey.of(_("Go on"), training.what, training.name)]])


def _panel(told: Told, rows: Rows, edge: int = FELT) -> ui.LayoutView:
    return panel(told.heading, *told.blocks, small=told.small, rows=rows, colour=edge)


# -- which keys --------------------------------------------------------------------------------------------------------


def _drill_rows(training: OwnTraining, drill: Drill) -> Rows:
    told = drill.asked is None or drill.was_right  # else the page does not show the hand that it explains
    why = [WhyKey.button(_("Why"), what=training.what, name=training.name)] if told and drill.before is not None else []
    below = [*why, _stop(training)]
    if drill.asked is not None:
        return [*_answers(training, drill.asked), below]
    label = _("Again") if drill.kind is DrillKind.RUN and not drill.was_right else _("Next")
    return [[BeginKey.of(label, training.what, training.name), *below]]


def _answers(training: OwnTraining, problem: Problem) -> Rows:
    offered: list[ui.Item[Any]] = [
        AnswerKey.button(
            called(action),
            style=ButtonStyle.primary,
            what=training.what,
            version=training.stored.version,
            action=str(action),
            name=training.name,
        )
        for action in ACTIONS
        if action in problem.worths
    ]
    return in_rows(offered)


def _count_rows(training: OwnTraining, count: Count) -> Rows:
    if count.over:
        return [[BeginKey.of(_("Again"), COUNT, training.name), _stop(training)]]
    at: dict[str, Any] = {"style": ButtonStyle.primary, "version": training.stored.version, "name": training.name}
    if count.asks is None:
        return [[NextCardsKey.button(_("Next cards") if count.left else _("I have counted"), **at), _stop(training)]]
    choices = [CountKey.button(texts.signed(choice), given=choice, **at) for choice in count.choices]
    return [[*choices], [_stop(training)]]


def _stop(training: OwnTraining) -> ui.Item[Any]:
    return StopKey.button(_("Stop"), what=training.what, name=training.name)


# -- the keys ----------------------------------------------------------------------------------------------------------


class BeginKey(Press, template=rf"train:begin:{_WHAT}:{_NAME}"):
    """The key that begins a training, goes on with it, or asks for its next question."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    name: str

    @classmethod
    def of(cls, label: str, what: str, name: str) -> ui.Item[Any]:
        return cls.button(label, style=ButtonStyle.primary, what=what, name=name)

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(await begun(interaction, self.what, self.name), [])


class AnswerKey(Press, template=rf"train:play:{_WHAT}:{_VERSION}:(?P<action>[a-z]{{1,12}}):{_NAME}"):
    """The key of an answer to a hand.

    An old press only shows where the training is now, or begins one if there is none under these rules.
    """

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    version: int
    action: str
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        training = await standing.load(interaction, self.what, self.name)
        if training.stored.version == self.version:
            training = await standing.answered(interaction, training, self.action)
        if training.is_fresh:
            training = await standing.begun(interaction, training)
        await reply.redraw(page(training))


class WhyKey(Press, template=rf"train:why:{_WHAT}:{_NAME}"):
    """The key that shows what each choice was worth in the hand that was answered last."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        state = (await standing.load(interaction, self.what, self.name)).state
        if not isinstance(state, Drill) or state.before is None:
            raise Sorry(_("There is nothing to explain yet."))
        told = texts.why(state)
        await reply.show(panel(told.heading, *told.blocks, small=told.small))


class StopKey(Press, template=rf"train:stop:{_WHAT}:{_NAME}"):
    """The key that stops a training and shows its runs. The training can go on from there at any time."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    what: str
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await reply.redraw(stopped(await standing.load(interaction, self.what, self.name)))


class NextCardsKey(Press, template=rf"train:turn:{_VERSION}:{_NAME}"):
    """The key that shows the next cards to count, or the question after the last ones.

    An old press only shows where the exercise is now, or begins one if there is none under these rules.
    """

    stands: ClassVar[Stands] = Stands.PERSONALLY

    version: int
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        training = await standing.load(interaction, COUNT, self.name)
        count = training.state
        if isinstance(count, Count) and training.stored.version == self.version and not training.is_fresh:
            training = await standing.keep(interaction, training, count.turned())
        await reply.redraw(page(await standing.begun(interaction, training) if training.is_fresh else training))


class CountKey(Press, template=rf"train:count:{_VERSION}:(?P<given>-?\d{{1,3}}):{_NAME}"):
    """The key of an answer to the running count or the true count.

    An old press only shows where the exercise is now, or begins one if there is none under these rules.
    """

    stands: ClassVar[Stands] = Stands.PERSONALLY

    version: int
    given: int
    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        training = await standing.load(interaction, COUNT, self.name)
        count = training.state
        if isinstance(count, Count) and count.asks is not None and training.stored.version == self.version:
            training = await standing.keep(interaction, training, count.answered(self.given))
        await reply.redraw(page(await standing.begun(interaction, training) if training.is_fresh else training))
