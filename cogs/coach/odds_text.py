"""The odds of a hand: the value of each action, shown only to the player who has to act."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Final

import discord

from cogs.answers.client import Casino, Interaction
from cogs.answers.panel import panel
from cogs.answers.reply import Reply
from cogs.care.away import refuse_away
from cogs.coach.asking import ask, coach_of, why_not_exact
from cogs.pictures.coach import ActionBar, Chance, OddsPicture, render_odds
from cogs.table.presentation import presentation
from cogs.words import N_, READER, _, apart, chips, listed, ranks, share, signed, written
from cogs.words.refusals import Sorry
from engine.coach import Asker, WhatIsBest
from engine.games.blackjack.actions import DECLINE, INSURE
from engine.games.blackjack.hand import Hand
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.blackjack.worth import POINTS
from engine.games.cards import Card
from engine.solver import Decision, Position
from engine.tables.position import Turn
from engine.tables.refused import Reason, Refused
from engine.tables.table import Table

PICTURE: Final = "odds.png"

#: The names of those ends of the dealer's hand that are not a number.
_ENDS: Final[Mapping[str, str]] = {"bust": N_("bust"), "natural": N_("blackjack")}


@dataclass(frozen=True, slots=True)
class HandOdds:
    """A decision at a table, with the value of each action that is allowed."""

    round: BlackjackRound
    hand: Hand
    worths: Mapping[str, float]  # parts of the hand's stake
    best: str  # the action that is worth most
    decision: Decision  # the coach's whole answer

    def loss(self, action: str) -> float:
        """Return how much less an action is worth than the best one, as a part of the stake."""
        return max(self.worths.values()) - self.worths[action]

    def amount(self, action: str) -> str:
        """Return the value of an action in chips, as text."""
        return signed(round(self.worths[action] * self.hand.stake))


async def tell(interaction: Interaction, reply: Reply, table: Table) -> None:
    """Answer with the odds of the hand that this person has to play at this table, or raise Sorry."""
    coach_of(interaction.client)
    await refuse_away(interaction)
    if not table.snapshot().odds:
        raise Sorry(_("Odds are off at this table."))
    odds = await _odds(interaction.client, table, interaction.user.id)
    if not READER.get().pictures:
        await reply.show(panel(_hand(odds), *_blocks(odds), small=_small(odds)))
        return
    picture = _picture(odds)
    image = await asyncio.to_thread(partial(render_odds, picture))
    alt = _alt(picture)
    view = panel(_hand(odds), *_blocks(odds), small=_small(odds), picture=(PICTURE, alt))
    await reply.show(view, [discord.File(BytesIO(image), PICTURE, description=alt)])


async def _odds(casino: Casino, table: Table, user: int) -> HandOdds:
    try:
        turn = table.turn_of(user)
    except Refused as refused:
        if refused.reason in (Reason.NOT_YOUR_TURN, Reason.NOT_SEATED):
            raise Sorry(_("You can see the odds when it's your turn.")) from refused
        raise
    return await odds_of(casino, turn, Asker(table.state.guild, user))


async def odds_of(casino: Casino, turn: Turn, asker: Asker) -> HandOdds:
    """Return the odds of the decision that a turn asks for. Raises Sorry where there are none."""
    dealt = turn.round
    assert isinstance(dealt, BlackjackRound)
    decision = await ask(casino, WhatIsBest(dealt.rules, Position.of_round(dealt, turn.seat, turn.purse)), asker)
    hand = dealt.hands[turn.seat][dealt.acting[1] if dealt.acting else 0]
    if dealt.acting is None:
        assert decision.insurance is not None
        insured: dict[str, float] = {INSURE: decision.insurance, DECLINE: 0.0}
        affordable: dict[str, float] = {action: insured[action] for action in dealt.legal(turn.seat, turn.purse)}
        return HandOdds(dealt, hand, affordable, max(affordable, key=lambda action: affordable[action]), decision)
    return HandOdds(dealt, hand, decision.actions, decision.best, decision)


# -- in words ----------------------------------------------------------------------------------------------------------


def _hand(odds: HandOdds) -> str:
    worth = odds.hand.worth
    total = _("soft {total}", total=worth.total) if worth.soft and worth.total < 21 else str(worth.total)
    return _("Your {total} against {up}", total=total, up=ranks([odds.round.up_card]))


def _blocks(odds: HandOdds) -> Iterator[str]:
    yield _("{cards} · stake {stake}", cards=written(odds.hand.cards), stake=chips(odds.hand.stake))
    yield "\n".join(_line(odds, action) for action in _by_worth(odds.worths))
    if odds.round.acting is None:
        natural = (2 * odds.worths.get(INSURE, odds.decision.insurance or 0.0) + 1) / 3
        yield _("Chance of a ten under the ace: **{chance}**", chance=share(natural))
        return
    yield from chances(odds.decision.bust, odds.decision.dealer)


def chances(bust: float, dealer: Mapping[str, float]) -> Iterator[str]:
    """Yield lines with the chances that explain what a hand is worth: to bust, and each of the dealer's final
    totals.
    """
    yield _("Chance of busting with the next card: **{chance}**", chance=share(bust))
    ends = (_("{end}: {chance}", end=_end(end), chance=share(chance)) for end, chance in dealer.items())
    yield _("Dealer's final total if you stand: {ends}", ends=" · ".join(ends))


def _line(odds: HandOdds, action: str) -> str:
    values = {"action": _name(action), "chips": odds.amount(action), "share": share(odds.worths[action], sign=True)}
    if action == odds.best:
        return _("**{action} · {chips} · {share}** ← best", **values)
    return _("{action} · {chips} · {share}", **values)


#: The most actions whose values fit into one line on a phone.
_IN_A_LINE: Final = 3


def in_a_line(worths: Mapping[str, float], chosen: str) -> str:
    """Return the values of the three best actions as shares of the bet in one line, best first.

    If the action that was chosen is not among them, it takes the place of the third.
    """
    best = _by_worth(worths)
    if chosen in best[_IN_A_LINE:]:
        best[_IN_A_LINE - 1] = chosen
    shares = {action: share(worths[action], 1, sign=True) for action in best[:_IN_A_LINE]}
    return listed(_("{label} {amount}", label=_name(action), amount=shown) for action, shown in shares.items())


def _small(odds: HandOdds) -> Iterator[str]:
    yield _("Average result of each choice, in chips and as a share of your bet, given the unseen cards.")
    if odds.round.acting is not None:
        yield from checked(odds.round.rules, odds.round.up_card)
    yield from why_not_exact(odds.decision.why)


def checked(rules: BlackjackRules, up: Card) -> Iterator[str]:
    """Yield a line for a hand in play if the dealer has looked under this up card for a blackjack (R1.5)."""
    if rules.dealer_looks and POINTS[up] >= 10:
        yield _("The dealer has checked: no blackjack.")


def _name(action: str) -> str:
    return presentation("blackjack").step(action)


def _end(end: str) -> str:
    return _(_ENDS[end]) if end in _ENDS else end


def _by_worth(worths: Mapping[str, float]) -> list[str]:
    return sorted(worths, key=lambda action: -worths[action])


# -- as a picture ------------------------------------------------------------------------------------------------------


def _picture(odds: HandOdds) -> OddsPicture:
    return OddsPicture(
        heading=_hand(odds),
        actions=tuple(
            ActionBar(_name(action), odds.worths[action], odds.amount(action), best=action == odds.best)
            for action in _by_worth(odds.worths)
        ),
        dealer_heading=_dealer_heading(odds.round),
        dealer=tuple(Chance(_end(end), chance, share(chance, 0)) for end, chance in odds.decision.dealer.items()),
    )


def _dealer_heading(round: BlackjackRound) -> str:
    """Return the heading of the dealer's chances, which before the look leave out a blackjack."""
    before_the_look = round.acting is None and round.rules.dealer_looks
    return _("Dealer's final total without a blackjack") if before_the_look else _("Dealer's final total")


def _alt(picture: OddsPicture) -> str:
    worths = apart(f"{worth.name} {worth.label}" for worth in picture.actions)
    ends = apart(_("{end}: {chance}", end=chance.name, chance=chance.label) for chance in picture.dealer)
    return _(
        "{hand}. Average result in chips: {worths}. {heading}: {ends}.",
        hand=picture.heading,
        worths=worths,
        heading=picture.dealer_heading,
        ends=ends,
    )
