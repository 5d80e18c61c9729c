"""Any rule set in words, made from its fields: built-in ones and those that a server's admins made read the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from cogs.words import N_, _, chips, decks, ngettext
from engine.games.baccarat import BaccaratRules
from engine.games.blackjack.rules import (
    Ace,
    DealerDraws,
    Double,
    Rules,
    Split,
    SplitAces,
    Turns,
    Verdict,
)
from engine.games.war import WarRules

#: (heading, sentence), in reading order.
Told = Iterator[tuple[str, str]]


def told(game: str, rules: Any) -> list[tuple[str, str]]:
    return list(_TELLERS[game](rules))


def _decks(rules: Any) -> tuple[str, str]:
    return _("Cards"), _("{decks}, freshly shuffled for every round", decks=decks(rules.decks))


# -- blackjack ---------------------------------------------------------------------------------------------------------


def _blackjack(rules: Rules) -> Told:
    yield _decks(rules)
    yield _("Dealer"), _(_DEALER[rules.dealer_draws])
    yield _("Looks"), _look(rules)
    yield _("Naturals"), _("21 in the first two cards; they pay {odds}", odds=rules.natural_pays.value)
    yield _("Natural against the dealer's"), _(_VERDICT[rules.natural_against_natural])
    yield _("Natural against another 21"), _(_VERDICT[rules.natural_against_21])
    yield _("Another 21 against a natural"), _(_VERDICT[rules.made_21_against_natural])
    if rules.ace is Ace.ONE_FALLS:
        yield _("Aces"), _("count 11; in a hand over 21 exactly one of them falls to 1")
    yield from _extras(rules)
    yield from _seats(rules)


_DEALER: Final[Mapping[DealerDraws, str]] = {
    DealerDraws.STANDS_ON_17: N_("draws to 17, stands on all 17s"),
    DealerDraws.HITS_SOFT_17: N_("draws to 17, hits soft 17"),
    DealerDraws.CHASES: N_("draws until level with the highest hand that stands, and never on 17 or more"),
}

_VERDICT: Final[Mapping[Verdict, str]] = {
    Verdict.WINS: N_("wins"),
    Verdict.PUSH: N_("push"),
    Verdict.LOSES: N_("loses"),
}

_DOUBLE: Final[Mapping[Double, str]] = {
    Double.FIRST_ACTION: N_("stake doubles, one more card, as a first action"),
    Double.FIRST_TWO_CARDS: N_("stake doubles, one more card, on any two cards, also after a split"),
}

_SWAP: Final = N_("as a first action, of two equal values the second card is replaced, and the stake doubles")
_INSURANCE: Final = N_("half the stake when he shows an ace, pays 2:1 if he has a natural")


def _look(rules: Rules) -> str:
    if rules.dealer_looks:
        return _("under an ace or a ten, before anyone plays; a natural ends the round")
    if rules.double or rules.split or rules.swap:
        return _("no, only at the end: what beats you then takes doubled and second stakes too")
    return _("no, only at the end")


def _extras(rules: Rules) -> Told:
    """What a table may offer; what it does not is said in one line."""
    offers = [
        (_("Double"), _(_DOUBLE.get(rules.double, ""))),
        (_("Split"), _split(rules)),
        (_("Swap"), _(_SWAP) if rules.swap else ""),
        (_("Insurance"), _(_INSURANCE) if rules.insurance else ""),
        (_("Surrender"), _("as a first action, half the stake comes back") if rules.surrender else ""),
    ]
    yield from ((name, text) for name, text in offers if text)
    missing = [name for name, text in offers if not text]
    if missing:
        yield _("Not here"), ", ".join(missing)


def _split(rules: Rules) -> str:
    if rules.split is Split.NO:
        return ""
    hands = ngettext("{count} hand", "{count} hands", rules.split_hands)
    aces = _("aces get one card each") if rules.split_aces is SplitAces.ONCE else _("aces play on")
    if rules.split is Split.EQUAL_RANK:
        return _("equal ranks, to {hands}; {aces}", hands=hands, aces=aces)
    return _("equal values, to {hands}; {aces}", hands=hands, aces=aces)


def _seats(rules: Rules) -> Told:
    if rules.turns is Turns.ROTATING:
        yield _("Turns"), _("one card or stand, then the next player, round and round")
    seats = ngettext("{count} seat", "{count} seats", rules.most_seats)
    yield _("Seats"), _("{seats}; computer players take the free ones", seats=seats) if rules.computers_fill else seats
    if rules.fixed_stake:
        stake, stack = chips(rules.fixed_stake), chips(rules.stack)
        yield _("Stake"), _("always {stake}, from a stack of {stack} that you bring once", stake=stake, stack=stack)


# -- baccarat and war --------------------------------------------------------------------------------------------------


def _baccarat(rules: BaccaratRules) -> Told:
    yield _decks(rules)
    yield _("Values"), _("ace 1, tens and pictures 0; only the last digit of the sum counts")
    if rules.naturals:
        yield _("Naturals"), _("8 or 9 with two cards on either side ends the coup")
    yield _("Third card"), _("Player draws below 6; Banker by the usual table")
    yield _("Player"), _("pays 1:1")
    yield _("Banker"), _("pays 1:1, less {commission} %", commission=rules.commission)
    yield _("Tie"), _("pays {odds}:1; stakes on Player and Banker come back then", odds=rules.tie_pays)


def _war(rules: WarRules) -> Told:
    yield _decks(rules)
    yield _("Battle"), _("a card each, aces high; the higher one wins 1:1")
    yield _("Equal cards"), _("surrender half the stake, or go to war with a second one and three cards burnt")
    yield _("War won"), _("both stakes back, and {percent} % of the first", percent=rules.won_pays)
    yield _("Equal again"), _("both stakes back, and {percent} % of the first", percent=rules.tied_pays)
    yield _("War lost"), _("both stakes are lost")


_TELLERS: Final[Mapping[str, Callable[[Any], Told]]] = {"blackjack": _blackjack, "baccarat": _baccarat, "war": _war}
