"""The rules of blackjack in words: each field as `/rules` describes it and as the rule editor offers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.table.rule_fields import DECKS, RuleLine, choice, elsewhere, flag, number, page
from cogs.words import N_, _, counted, ngettext
from cogs.words import number as plain
from engine.games.blackjack.rules import (
    Ace,
    BlackjackRules,
    DealerCards,
    DealerDraws,
    Double,
    HandVerdict,
    Pays,
    RulesFault,
    Split,
    SplitAces,
    Turns,
)
from engine.games.contract import CHIP, Cents

_VERDICT: Final = {HandVerdict.WINS: N_("wins"), HandVerdict.PUSH: N_("push"), HandVerdict.LOSES: N_("loses")}

_STAKES: Final = tuple(amount * CHIP for amount in (0, 1, 2, 5, 10, 25, 50, 100, 500, 1000))
_STACKS: Final = tuple(amount * CHIP for amount in (0, 5, 10, 20, 50, 100, 250, 500, 1000, 10_000))


def _amount(cents: Cents) -> str:
    return counted(cents) if cents else _("none")


def _look(rules: BlackjackRules) -> str:
    if rules.dealer_looks:
        return _("under an ace or a ten, before anyone plays; a blackjack ends the round")
    if rules.double or rules.split or rules.swap:
        return _("no; if the dealer has a blackjack at the end, doubles and splits are lost as well")
    return _("no; only at the end")


def _split(rules: BlackjackRules) -> str:
    if rules.split is Split.NO:
        return ""
    hands = ngettext("{count} hand", "{count} hands", rules.split_hands)
    aces = _("aces get one card each") if rules.split_aces is SplitAces.ONCE else _("aces play on")
    if rules.split is Split.EQUAL_RANK:
        return _("equal ranks, to {hands}; {aces}", hands=hands, aces=aces)
    return _("equal values, to {hands}; {aces}", hands=hands, aces=aces)


def _turns(rules: BlackjackRules) -> str | None:
    rotating = rules.turns is Turns.ROTATING
    return _("one card or stand, then the next player, and so on") if rotating else None


def _aces(rules: BlackjackRules) -> str | None:
    falls = rules.ace is Ace.ONE_FALLS
    return _("count 11; in a hand over 21, exactly one of them drops to 1") if falls else None


def _dealer_cards(rules: BlackjackRules) -> str | None:
    far = rules.dealer_cards is DealerCards.FROM_FAR_END
    return _("from the far end of the shoe, so what you take never changes his") if far else None


def _seats(rules: BlackjackRules) -> str:
    seats = ngettext("{count} seat", "{count} seats", rules.most_seats)
    return _("{seats}; computer players take the free ones", seats=seats) if rules.computers_fill else seats


def _stake(rules: BlackjackRules) -> str | None:
    if not rules.fixed_stake:
        return None
    stake, stack = counted(rules.fixed_stake), counted(rules.stack)
    return _("always {stake}, from a stack of {stack} that you bring once", stake=stake, stack=stack)


#: The rules in reading order.
RULES: Final[tuple[RuleLine, ...]] = (
    page(N_("Cards and dealer")),
    DECKS,
    choice(
        "dealer_draws",
        N_("Dealer draws"),
        {
            DealerDraws.STANDS_ON_17: N_("draws to 17, stands on all 17s"),
            DealerDraws.HITS_SOFT_17: N_("draws to 17, hits soft 17"),
            DealerDraws.CHASES: N_("draws to match the highest hand still in, but never on 17 or more"),
        },
        heading=N_("Dealer"),
    ),
    flag("dealer_looks", N_("Dealer peeks for blackjack"), "", _look, heading=N_("Peeks for blackjack")),
    choice(
        "dealer_cards",
        N_("Dealer's cards"),
        {DealerCards.IN_ORDER: N_("in order"), DealerCards.FROM_FAR_END: N_("from the far end of the shoe")},
        _dealer_cards,
    ),
    page(N_("Blackjacks and aces")),
    choice(
        "natural_pays",
        N_("Blackjack pays"),
        {pays: pays.value for pays in Pays},
        lambda rules: _("21 in the first two cards; pays {odds}", odds=rules.natural_pays.value),
        heading=N_("Blackjack"),
    ),
    choice("natural_against_natural", N_("Blackjack against the dealer's"), _VERDICT),
    choice("natural_against_21", N_("Blackjack against another 21"), _VERDICT),
    choice("made_21_against_natural", N_("Another 21 against a blackjack"), _VERDICT),
    choice("ace", N_("Aces"), {Ace.NORMAL: N_("count 11 or 1"), Ace.ONE_FALLS: N_("one of them drops to 1")}, _aces),
    page(N_("Double and split")),
    choice(
        "double",
        N_("Double"),
        {
            Double.NO: N_("no"),
            Double.FIRST_ACTION: N_("double your bet, one more card, as a first action"),
            Double.FIRST_TWO_CARDS: N_("double your bet, one more card, on any two cards, also after a split"),
        },
    ),
    choice(
        "split",
        N_("Split"),
        {Split.NO: N_("no"), Split.EQUAL_RANK: N_("equal ranks"), Split.EQUAL_VALUE: N_("equal values")},
        _split,
    ),
    number("split_hands", N_("Hands by splitting"), range(2, 5), plain, elsewhere),
    choice(
        "split_aces",
        N_("Split aces"),
        {SplitAces.ONCE: N_("get one card each"), SplitAces.PLAY_ON: N_("play on")},
        elsewhere,
    ),
    flag(
        "swap",
        N_("Swap"),
        N_("as a first action with two cards of equal value: trade the second one, and double your bet"),
    ),
    page(N_("Insurance and turns")),
    flag("insurance", N_("Insurance"), N_("half your bet when the dealer shows an ace; pays 2:1 against a blackjack")),
    flag("surrender", N_("Surrender"), N_("as a first action; half your bet comes back")),
    choice(
        "turns",
        N_("Turns"),
        {Turns.SEAT_BY_SEAT: N_("seat by seat"), Turns.ROTATING: N_("one card or stand, round and round")},
        _turns,
    ),
    page(N_("Seats and stakes")),
    number("most_seats", N_("Seats"), range(1, 8), plain, _seats),
    flag("computers_fill", N_("Computer players take free seats"), "", elsewhere),
    number("fixed_stake", N_("Fixed stake"), _STAKES, _amount, _stake, heading=N_("Stake")),
    number("stack", N_("Stack to bring"), _STACKS, _amount, elsewhere),
)

#: Reasons why a rule set is impossible (R2.8).
FAULTS: Final[Mapping[str, str]] = {
    RulesFault.SURRENDER_WITHOUT_LOOK: N_("Surrender needs a dealer who peeks for blackjack first."),
    RulesFault.SWAP_WITH_SPLIT: N_("Swap and split can't be offered together."),
    RulesFault.SHOE_TOO_SMALL: N_("That many seats and hands could need more cards than these decks have."),
    RulesFault.FIXED_STAKE_WITHOUT_STACK: N_("A fixed stake needs a stack to bring."),
    RulesFault.STACK_WITHOUT_FIXED_STAKE: N_("A stack to bring needs a fixed stake."),
    RulesFault.STACK_UNDER_STAKE: N_("The stack must cover at least one bet."),
}
