"""`/blackjack`: its command, its table's page, its rules in words."""

from __future__ import annotations

from typing import Final

from cogs.blackjack.page import CAPS, page_of
from cogs.blackjack.rules_text import FAULTS, RULES
from cogs.table.presentation import BuiltIn, Presentation
from cogs.words import N_
from engine.games.blackjack import actions

PRESENTATION: Final = Presentation(
    help=N_("Sit down at this channel's blackjack table, or open one"),
    page_of=page_of,
    caps=CAPS,
    keys_text=N_(
        "**Blackjack**\n"
        "**Hit**: one more card\n"
        "**Stand**: no more cards\n"
        "**Double**: double your bet and take exactly one card\n"
        "**Split**: play a pair as two hands, with a second bet\n"
        "**Swap**: trade the second card of a pair for a new one; this doubles your bet\n"
        "**Surrender**: give up the hand and get half your bet back\n"
        "**Insure**: half your bet more, which pays 2:1 if the dealer has a blackjack; or **No insurance**\n"
        "**Odds**: what each choice is worth, for your eyes only"
    ),
    steps={actions.TIME: N_("Out of time")},
    rules=RULES,
    sets={
        "vegas": BuiltIn(N_("the casino game: split, double, insure or surrender"), 0.003303),
        "original": BuiltIn(
            N_("no splits: swap a card of a pair instead; the dealer checks for blackjack only at the end"), 0.001346
        ),
        "classic": BuiltIn(N_("one split, no surrender; the dealer checks for blackjack only at the end"), 0.003871),
        "kitchen": BuiltIn(
            N_("among friends: hit or stand, one deck, and the dealer chases the highest hand"), 0.065875
        ),
        "four-seat": BuiltIn(N_("a full table, one card each in turn; always 1 chip, from a stack of 10"), 0.019284),
        "ctrl-alt-bet": BuiltIn(N_("hit or stand, nothing else; any 21 ties with a blackjack"), 0.025012),
    },
    faults=FAULTS,
    first_hand=N_(
        "👋 **Your first hand here!** Come closer to 21 than the dealer without going over. **Hit** takes another "
        "card, **Stand** keeps what you have; keys with a price, like **Double +10**, put more chips at stake. "
        "**Odds** shows what each choice is worth, and `/help` the rest. Good luck!"
    ),
    owned=N_("This is somebody else's table. `/blackjack` with `solo` opens one of your own."),
    alone=N_("With `solo` the command opens a table for you alone."),
)
