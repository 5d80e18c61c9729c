"""/strategy: the best play of a rule set, its house edge, and the value of each of its rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from io import BytesIO
from typing import ClassVar, Final, Self, TypeAlias

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.answers.anywhere import anywhere
from cogs.answers.client import Casino, Interaction
from cogs.answers.door import Stands
from cogs.answers.options import Suggested
from cogs.answers.panel import panel
from cogs.answers.press import Press, choice, take_up
from cogs.answers.reply import Reply
from cogs.answers.sections import Section, shown_in
from cogs.answers.serving import serving
from cogs.coach import strategy_text
from cogs.coach.asking import ask, asker_of, coach_of, why_not_exact
from cogs.pictures.coach import render_chart
from cogs.table import rule_sets
from cogs.words import _
from cogs.words.refusals import Sorry
from engine.coach import WhatIsTheGame, WhatRulesAreWorth
from engine.games.blackjack.rules import BlackjackRules
from engine.solver import SolvedGame, fields_to_weigh, known_worths

_GAME: Final = "blackjack"
_PICTURE: Final = "strategy.png"
_NAME: Final = r"(?P<name>.{1,40})"


#: The option with the name of a rule set, for which names are suggested.
RulesOption: TypeAlias = app_commands.Transform[str, Suggested(rule_sets.suggested(_GAME))]


class StrategyCommand(commands.Cog):
    """The command /strategy."""

    @app_commands.command(
        description="The best play of any rule set, the house edge, and what each rule is worth",
        extras=shown_in(Section.SKILL),
    )
    @app_commands.describe(rules="A rule set of blackjack")
    @anywhere
    async def strategy(self, interaction: Interaction, rules: RulesOption | None = None) -> None:
        """Show the best play of a rule set, the house edge, and the value of each rule."""
        async with serving(interaction) as reply:
            coach_of(interaction.client)
            await _show(interaction, reply, rules or rule_sets.default(_GAME), fresh=True)


async def _show(interaction: Interaction, reply: Reply, name: str, *, fresh: bool = False) -> None:
    """Show the chart as soon as it is known, then add what each rule is worth.

    `fresh` sends a new message; otherwise the message whose menu was used is edited.
    """
    rules: BlackjackRules = await rule_sets.find(interaction, _GAME, name)
    game = await ask(interaction.client, WhatIsTheGame(rules), asker_of(interaction))
    image = await asyncio.to_thread(partial(render_chart, strategy_text.chart(name, game)))
    file = discord.File(BytesIO(image), _PICTURE, description=_alt(name))
    view = partial(_view, name, await rule_sets.names(interaction, _GAME), game)
    worths = dict(known_worths(rules) or {})
    first = view(strategy_text.worths(rules, worths), waiting=not worths)
    await (reply.show(first, [file]) if fresh else reply.redraw(first, [file]))
    if not worths:
        await _weigh(interaction, reply, rules, view)


async def _weigh(
    interaction: Interaction, reply: Reply, rules: BlackjackRules, view: Callable[..., ui.LayoutView]
) -> None:
    """Show what each rule is worth, some rules at a time, because the coach has to solve about twenty games for it.

    If the coach cannot answer, show why, and stop.
    """
    worths: dict[str, Mapping[str, float]] = {}
    left = fields_to_weigh(rules)
    while left:
        try:
            question = WhatRulesAreWorth(rules, left.pop(0))
            worths |= await ask(interaction.client, question, asker_of(interaction))
        except Sorry as sorry:
            await reply.redraw(view(strategy_text.worths(rules, worths), str(sorry)))
            return
        await reply.redraw(view(strategy_text.worths(rules, worths), waiting=bool(left)))


def _view(name: str, names: list[str], game: SolvedGame, *worths: str, waiting: bool = False) -> ui.LayoutView:
    still = [_("Calculating what each rule is worth…")] if waiting else []
    return panel(
        _("Best play · {rules}", rules=name),
        strategy_text.edge(game),
        "\n".join(filter(None, (*worths, *still))),
        strategy_text.odd_hands(game),
        small=[
            _("Dh: double if allowed, otherwise hit. The small letter is always the second choice."),
            *why_not_exact(game.why),
        ],
        rows=[[StrategyMenu.of(names, name)], [TextButton.button(_("As text"), name=name)]],
        picture=(_PICTURE, _alt(name)),
        divided=True,
    )


def _alt(name: str) -> str:
    return _("The chart of best play for {rules}. The button below gives it as text.", rules=name)


class StrategyMenu(Press, template=r"strategy:choose"):
    """The menu of rule sets (the first 25), which shows the chart of the chosen one."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    @classmethod
    def of(cls, names: list[str], shown: str) -> Self:
        options = [discord.SelectOption(label=name, value=name, default=name == shown) for name in names[:25]]
        return cls(ui.Select(custom_id=cls.carries.of(), options=options))

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        await _show(interaction, reply, choice(interaction))


class TextButton(Press, template=rf"strategy:text:{_NAME}"):
    """The button that shows the chart as text."""

    stands: ClassVar[Stands] = Stands.PERSONALLY

    name: str

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        rules = await rule_sets.find(interaction, _GAME, self.name)
        game = await ask(interaction.client, WhatIsTheGame(rules), asker_of(interaction))
        await reply.say(strategy_text.as_text(game))


async def setup(bot: Casino) -> None:
    take_up(bot, StrategyMenu, TextButton)
    await bot.add_cog(StrategyCommand())
