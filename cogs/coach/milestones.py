"""Milestones: what somebody has reached. Nobody else sees them, unless that person shows them (R14.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from cogs.answers.client import Interaction
from cogs.answers.here import member_of
from cogs.answers.panel import panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.words import N_, _, mention
from cogs.words.refusals import Sorry
from data import Milestone
from engine.tables.values import Member

#: The picture, the name and the condition of each milestone.
_WORDS: Final[Mapping[Milestone, tuple[str, str, str]]] = {
    Milestone.CLEAN_DAY: ("🎯", N_("Clean day"), N_("20 close decisions in one day, all of them right")),
    Milestone.CLEAN_MARATHON: ("🏹", N_("Clean marathon"), N_("50 close decisions in one day, all of them right")),
    Milestone.HUNDRED: ("💎", N_("A hundred in a row"), N_("100 close decisions in a row, all of them right")),
    Milestone.SHARP: ("🔪", N_("Sharp"), N_("a season's accuracy of 90% or more")),
    Milestone.RAZOR_SHARP: ("🗡️", N_("Razor-sharp"), N_("a season's accuracy of 97% or more")),
    Milestone.PERFECT_DAY: ("💯", N_("Perfect day"), N_("100 points in Today's five")),
    Milestone.PERFECT_SUNDAY: ("🌞", N_("Perfect Sunday"), N_("100 points on a Sunday, the hardest day")),
    Milestone.PERFECT_WEEK: ("🌈", N_("All seven"), N_("100 points on each day of the week")),
    Milestone.MASTER: ("🎓", N_("Master of the five"), N_("the 20 best days of a month with 95 points on average")),
    Milestone.UPHILL: ("🧗", N_("Uphill"), N_("a duel won with the worse cards")),
    Milestone.TABLE: ("🪑", N_("Last one standing"), N_("an elimination table won")),
    Milestone.PODIUM: ("🥉", N_("On the podium"), N_("among the first three of a tournament of four people or more")),
    Milestone.TOURNAMENT: ("🏆", N_("Champion"), N_("a tournament won")),
}


class MilestonesKey(Press, template=r"stats:milestones"):
    """The key that shows all milestones, those that the presser has reached first."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        _me, reached = await _reached(interaction)
        coming = [milestone for milestone in Milestone if milestone not in reached]
        show = ShowKey.button(_("Show"), enabled=bool(reached))
        small = [_("A day and a season count once they are over.")]
        await reply.show(panel(_("Milestones"), _listed(reached), _ahead(coming), small=small, rows=[[show]]))


class ShowKey(Press, template=r"stats:milestones:show"):
    """The key with which somebody shows their milestones to everybody in the channel."""

    private: ClassVar[bool] = False

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        me, reached = await _reached(interaction)
        if not reached:
            raise Sorry(_("There is nothing to show yet."))
        await reply.show(panel(_("Milestones"), mention(me.user), _listed(reached)))


async def _reached(interaction: Interaction) -> tuple[Member, tuple[Milestone, ...]]:
    me, bank = await member_of(interaction), interaction.client.bank
    found = set(await bank.grades.milestones(me.guild, me.id, me.user))
    if await bank.duels.won_uphill(me.id):
        found.add(Milestone.UPHILL)
    return me, tuple(milestone for milestone in Milestone if milestone in found)


def _listed(reached: tuple[Milestone, ...]) -> str:
    return "\n".join(map(_line, reached)) or _("None yet. You earn them by how you play, and past hands count too.")


def _line(milestone: Milestone) -> str:
    picture, name, condition = _WORDS[milestone]
    return _("{picture} **{name}** · {condition}", picture=picture, name=_(name), condition=_(condition))


def _ahead(coming: list[Milestone]) -> str:
    return "\n".join(f"-# {_line(milestone).replace('**', '')}" for milestone in coming)
