"""Makes a challenge: checks what is asked for, and prepares the deals."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import discord

from cogs.answers.client import Interaction, Someone
from cogs.answers.here import ages_of, here, member_of
from cogs.care.away import refuse_away
from cogs.coach.asking import ask, asker_of
from cogs.words import _, counted, number
from cogs.words.refusals import Sorry
from data import Challenge, DuelDraft, MustKeep, StoredDuel, TooFewHands
from engine.coach.sets import WhichFreeDeals, answered
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import CHIP, Cents
from engine.sets.duels import FEWEST, MOST, terms_of
from engine.sets.prepared import Prepared
from engine.sets.programme import SetTerms

#: The game of all duels.
GAME = "blackjack"


class ChallengeRequest(NamedTuple):
    """The terms of a challenge: the opponent or a level, the stake, and the deals."""

    opponent: int | None  # Discord's id
    level: str | None  # a computer player instead
    stake: Cents
    hands: int
    terms: SetTerms  # the rules


def wanted(
    name: str, rules: BlackjackRules, opponent: int | None, level: str | None, chips: int, hands: int
) -> ChallengeRequest:
    """Return the request for a duel on these terms, or raise Sorry if such a duel cannot be played.

    `name` is that of the rules. The other player is the person with the Discord id `opponent` or, if that is None, a
    computer player of this `level`. `chips` is the stake in whole chips, 0 for fun.
    """
    if chips < 0:
        raise Sorry(_("Stake whole chips, or none for fun."))
    if not FEWEST <= hands <= MOST:  # Discord's own check can be bypassed
        raise Sorry(_("A duel has {fewest} to {most} hands.", fewest=FEWEST, most=MOST))
    if level is not None and chips:
        raise Sorry(_("Computer players play for fun only."))
    return ChallengeRequest(opponent, level, chips * CHIP, hands, terms_of(name, rules))


def refuse_no_opponent(interaction: Interaction, who: Someone) -> None:
    """Refuse bots, oneself, and people who are not on this server: Discord lets members choose them by their id."""
    if who.bot:
        raise Sorry(_("Bots don't play duels. To play against a computer player, choose a level in `/duel`."))
    if who.id == interaction.user.id:
        raise Sorry(_("You can't challenge yourself. To play alone, choose a level in `/duel`."))
    if isinstance(who, discord.User):
        raise stranger()


async def met(interaction: Interaction, user: int) -> discord.Member:
    """Return a member of this server. Raises Sorry if they have left it."""
    assert interaction.guild is not None
    try:
        return await interaction.guild.fetch_member(user)
    except discord.NotFound as missing:
        raise stranger() from missing


def stranger() -> Sorry:
    return Sorry(_("That person isn't on this server. Nobody was challenged."))


async def challenge(interaction: Interaction, asked: ChallengeRequest) -> StoredDuel:
    """Prepare, store and return a challenge, or a duel against a computer player, which begins at once.

    Both people get accounts. Raises Sorry if the coach has no answer, and for a challenger who is on a break from
    everything or may not stake this much. Other exceptions are those of `AllChallenges.make`.
    """
    await refuse_away(interaction)
    bank, where, challenger = interaction.client.bank, here(interaction), await member_of(interaction)
    if asked.stake > challenger.balance:
        values = {"needed": counted(asked.stake), "balance": counted(challenger.balance)}
        raise Sorry(_("You need {needed} but have {balance}.", **values))
    draft = bank.challenges.draft()
    prepared = await _prepared(interaction, draft, asked)
    other = await bank.members.sign_in(where.guild, asked.opponent) if asked.opponent is not None else None
    made = Challenge(interaction.id, where.guild, where.channel, challenger, other, asked.level, asked.stake)
    try:
        return await bank.challenges.make(made, draft, prepared, ages_of(interaction))
    except (MustKeep, TooFewHands) as error:
        raise not_for_chips(error) from error


def not_for_chips(error: MustKeep | TooFewHands) -> Sorry:
    """Return the refusal for somebody who may not stake chips in duels yet, or not this many."""
    if isinstance(error, MustKeep):
        return Sorry(_("The stake has to leave you at least {kept}.", kept=counted(error.kept)))
    values = {"needed": number(error.needed), "finished": number(error.finished)}
    return Sorry(
        _(
            "You can play duels for chips once you have finished {needed} hands on this server. So far: {finished}. "
            "Duels for fun are open to you.",
            **values,
        )
    )


async def _prepared(interaction: Interaction, draft: DuelDraft, asked: ChallengeRequest) -> Prepared:
    """Have the coach choose the deals of a duel and work out the value of every answer, and return them."""
    put: Any = partial(ask, interaction.client, asker=asker_of(interaction))
    deals = await put(WhichFreeDeals(asked.terms, draft.seed, draft.dealt_as, asked.hands))
    return await answered(put, asked.terms, draft.seed, draft.dealt_as, deals)
