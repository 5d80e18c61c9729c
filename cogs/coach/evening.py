"""Shows what best play would have made of the cards of a member's last evening."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from discord import ui

from cogs.answers.client import Interaction
from cogs.answers.here import member_of
from cogs.answers.panel import panel
from cogs.answers.press import Press
from cogs.answers.reply import Reply
from cogs.coach.asking import ask, asker_of, coach_of
from cogs.words import _, counted, ngettext, number
from cogs.words.refusals import Sorry
from data import Bank, Played
from engine.coach.best_play import BestEnd, HowWouldBestPlayEnd
from engine.fairness.record import rules_of
from engine.fairness.replay import is_called_off
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import BOTTOMLESS, Cents
from engine.tables.ports import Shuffle
from engine.tables.rebuilt import record_of
from engine.tables.values import Member

#: The game whose best play is known.
GAME: Final = "blackjack"
#: The longest pause within an evening, in seconds. After a longer one, another evening begins.
APART: Final = 3 * 3_600.0
#: The most rounds of an evening.
MOST: Final = 50


class HandResult(NamedTuple):
    """A member's net result of a round, and how best play would have ended it."""

    net: Cents
    best: BestEnd


def evening_of(played: Sequence[Played]) -> tuple[Played, ...]:
    """Return the blackjack rounds with real chips of the last evening: from the newest back to the first long pause.

    `played` has the newest round first.
    """
    gaps = [place for place, (later, earlier) in enumerate(pairwise(played), 1) if later.at - earlier.at > APART]
    return tuple(each for each in played[: gaps[0] if gaps else None] if each.real and each.game == GAME)


class EveningKey(Press, template=r"history:best"):
    """The key that asks what best play would have made of one's last evening."""

    async def pressed(self, interaction: Interaction, reply: Reply) -> None:
        coach_of(interaction.client)
        me, bank = await member_of(interaction), interaction.client.bank
        played = evening_of((await bank.records.history(me.id, MOST)).rounds)
        found = [hand async for hand in _hands(interaction, me, played)]
        if not found:
            raise Sorry(_("There is no hand of blackjack here whose best play is known."))
        await reply.show(_page(found))


async def _hands(interaction: Interaction, me: Member, played: Sequence[Played]) -> AsyncIterator[HandResult]:
    """Yield the result of each round, with that of best play.

    A round is left out if it was called off or is not stored, or if the coach does not know its best play.
    """
    casino, asker = interaction.client, asker_of(interaction)
    for each in played:
        question = await _question(casino.bank, casino.shoe, me, each)
        best = await ask(casino, question, asker) if question is not None else None
        if best is not None:
            yield HandResult(each.net, best)


async def _question(bank: Bank, shuffle: Shuffle, me: Member, played: Played) -> HowWouldBestPlayEnd | None:
    """Return the question to the coach about a round; None for one that was called off or is not stored."""
    stored = await bank.grades.finished_round(played.table, played.number)
    if stored is None or stored.lines is None or is_called_off(stored.lines):
        return None
    record, seat = record_of(stored), stored.members.index(me.id)
    purses = [purse for purse in await bank.grades.purses(me.guild, stored, seat) if purse is not None]
    rules = rules_of(record)
    assert isinstance(rules, BlackjackRules)
    shoe = shuffle(record.seed, record.mixed_in, rules.decks)
    cards = tuple(shoe[place] for place in range(len(shoe)))
    return HowWouldBestPlayEnd(rules, record.stakes, record.steps, cards, seat, purses[0] if purses else BOTTOMLESS)


def _page(found: Sequence[HandResult]) -> ui.LayoutView:
    net, best = sum(hand.net for hand in found), sum(hand.best.net for hand in found)
    hands = ngettext("{count} hand", "{count} hands", len(found))
    values = {"net": counted(net, sign=True), "best": counted(best, sign=True), "hands": hands}
    made = _("You made **{net}** in {hands}. Best play would have made **{best}** of the same cards.", **values)
    luck = _(
        "One evening is mostly luck: with bad cards best play loses, too, and a worse play can win. "
        "`/stats` says what your plays are worth."
    )
    counts = _(
        "All your blackjack since you last paused for {hours} hours, at most {most} rounds. "
        "The others at your tables play as they did.",
        hours=number(int(APART // 3_600)),
        most=number(MOST),
    )
    return panel(_("Your last evening with best play"), made, _otherwise(found), luck, small=[counts])


def _otherwise(found: Sequence[HandResult]) -> str:
    """Return the sentence about the hands in which best play would have done something else, and what came of it."""
    other = [hand.best.net - hand.net for hand in found if hand.best.differs]
    if not other:
        return _("You played every hand as best play would.")
    return ngettext(
        "It would have played {count} hand differently: {better} with a better result, {worse} with a worse one.",
        "It would have played {count} hands differently: {better} with a better result, {worse} with a worse one.",
        len(other),
        better=number(sum(gain > 0 for gain in other)),
        worse=number(sum(gain < 0 for gain in other)),
    )
