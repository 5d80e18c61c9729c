"""Which deals become Today's five (R11.2, R11.3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.coach.sets import WhichDeals
from engine.fairness.chain import seed_of
from engine.fairness.sets import day_name
from engine.fairness.shuffle import shoe
from engine.games.blackjack.rules import BlackjackRules, DealerCards, Double, Split
from engine.games.cards import PACK, Shoe
from engine.sets import worths
from engine.sets.calendar import SUNDAY, WEEK
from engine.sets.choosing import CLOSEST, FIVE, PATIENCE, Facts, _is_of_its_kind, chosen, chosen_freely, gap_of
from engine.sets.deals import SEAT, dealt, is_pair, is_soft, situation
from engine.sets.programme import PROGRAMME, programme

from .prepared import MONDAY, prepared, seed, shoes

WEEKDAYS = range(MONDAY, MONDAY + WEEK)


def test_r11_2_the_week_has_its_rule_sets_for_one_seat_without_chips() -> None:
    assert [terms.name for terms in PROGRAMME] == [
        *("vegas", "ctrl-alt-bet", "classic", "four-seat", "original", "kitchen", "vegas")
    ]
    for terms in PROGRAMME:
        rules = terms.rules
        assert (rules.most_seats, rules.fixed_stake, rules.stack, rules.computers_fill) == (1, 0, 0, False)
        assert rules.dealer_cards is DealerCards.FROM_FAR_END
    sunday = PROGRAMME[SUNDAY].rules
    assert (sunday.decks, sunday.dealer_draws) == (1, "hits soft 17")


def test_r11_3_each_weekday_has_its_width() -> None:
    assert [terms.width for terms in PROGRAMME] == [150_000, 150_000, 120_000, 150_000, 80_000, 150_000, 40_000]


@pytest.mark.parametrize("day", WEEKDAYS)
def test_r11_3_five_deals_in_the_order_of_the_stream_ask_five_different_things(day: int) -> None:
    deals = prepared(day).deals
    assert len(deals) == FIVE
    assert [deal.number for deal in deals] == sorted({deal.number for deal in deals})
    assert len(set(prepared(day).situations)) == FIVE
    assert [situation(dealt(programme(day).rules, shoes(day)(deal.number))) for deal in deals] == [
        deal.situation for deal in deals
    ]


@pytest.mark.parametrize("day", WEEKDAYS)
def test_r11_3_the_best_two_first_plays_differ_by_more_than_nothing_and_at_most_the_width(day: int) -> None:
    for deal in prepared(day).deals:
        assert CLOSEST <= gap_of(programme(day).rules, shoes(day)(deal.number)) <= programme(day).width


@pytest.mark.parametrize(("second", "is_one"), [("Ah", False), ("7h", True)])
def test_r11_3_two_aces_are_no_soft_hand(second: str, *, is_one: bool) -> None:
    laid = ("As", second, "6d", "Kd")
    rules = programme(MONDAY).rules
    rest = [card for card in PACK * rules.decks if card not in laid]
    assert is_soft(dealt(rules, (*laid, *rest))) is is_one


@pytest.mark.parametrize("day", WEEKDAYS)
def test_r11_3_there_is_a_pair_or_a_double_among_four_and_a_soft_hand_among_five(day: int) -> None:
    rules = programme(day).rules
    rounds = [dealt(rules, shoes(day)(deal.number)) for deal in prepared(day).deals]
    assert any(map(is_soft, rounds))
    if rules.split or rules.swap or rules.double:
        best = [sorted(worths.of_plays(round).items(), key=lambda each: -each[1])[:2] for round in rounds[:4]]
        assert any(is_pair(round) for round in rounds[:4]) or any("double" in dict(two) for two in best)


@pytest.mark.parametrize("more", [{}, {"split": Split.EQUAL_RANK}, {"swap": True}, {"double": Double.FIRST_ACTION}])
def test_r11_3_the_fourth_deal_asks_for_a_pair_or_a_double_only_where_the_rules_have_any(more: dict[str, Any]) -> None:
    rules = BlackjackRules(**{"split": Split.NO, "double": Double.NO, **more})
    plain = Facts("hard 16 v 10", pair=False, soft=False, best=frozenset({"hit", "stand"}), gap=CLOSEST)
    assert _is_of_its_kind(rules, plain, [plain] * 3) is not bool(more)
    assert _is_of_its_kind(rules, replace(plain, pair=True), [plain] * 3)


def test_r11_3_at_most_one_of_five_is_about_surrender() -> None:
    for day in range(MONDAY, MONDAY + 8 * WEEK, WEEK):
        rounds = [dealt(programme(day).rules, shoes(day)(deal.number)) for deal in prepared(day).deals]
        best = [sorted(worths.of_plays(round).items(), key=lambda each: -each[1])[:2] for round in rounds]
        assert sum("surrender" in dict(two) for two in best) <= 1


def test_r11_3_what_the_weekday_asked_in_the_last_weeks_does_not_come_again() -> None:
    first = chosen(programme(MONDAY), shoes(MONDAY), ())
    asked = {deal.situation for deal in first}
    second = WhichDeals(programme(MONDAY), seed(MONDAY), day_name(MONDAY), frozenset(asked)).answer()
    assert not asked & {deal.situation for deal in second}


def test_r11_3_only_open_cards_decide() -> None:
    """Everything that lies face down is exchanged: hole card, the dealer's draws, and all cards of the shoe between."""
    day = MONDAY

    def other(number: int) -> Shoe:
        cards = list(shoes(day)(number))
        hidden = cards[2:-1]
        return (*cards[:2], *reversed(hidden), cards[-1])

    rules = programme(day).rules
    looked = [
        number for number in range(1, 60) if dealt(rules, shoes(day)(number)).over is dealt(rules, other(number)).over
    ]
    for number in looked:
        if not dealt(rules, shoes(day)(number)).over:
            assert gap_of(rules, shoes(day)(number)) == gap_of(rules, other(number))


def test_r11_3_a_deal_that_the_look_ends_is_skipped_and_one_that_asks_for_insurance_is_not() -> None:
    rules = programme(MONDAY).rules
    rest = [card for card in PACK * 6 if card not in ("As", "Ks", "9h", "6h")]

    def only(up: str, hole: str) -> tuple[str, ...]:
        return ("9h", "6h", *rest, hole, up)

    assert dealt(rules, only("Ks", "As")).over
    assert not dealt(rules, only("As", "Ks")).over

    def looked_at_first(number: int) -> Shoe:
        return only("Ks", "As") if number == 1 else shoes(MONDAY)(number)

    assert chosen(programme(MONDAY), looked_at_first, ())[0].number > 1

    def insured_first(number: int) -> Shoe:
        return only("As", "Ks") if number == 1 else shoes(MONDAY)(number)

    assert chosen(programme(MONDAY), insured_first, ())[0].number == 1
    assert dealt(rules, insured_first(1)).legal(SEAT) == ("insure", "decline")


def test_r11_3_a_condition_that_no_deal_meets_falls_away_and_the_others_stay() -> None:
    """A stream of two deals, over and over: neither is soft, and after four nothing is new."""
    terms = programme(MONDAY)
    useful = [shoes(MONDAY)(number) for number in range(1, 200) if _is_open(number)][:4]

    def few(number: int) -> Shoe:
        return useful[number % len(useful)]

    deals = chosen(terms, few, ())
    asked = Counter(deal.situation for deal in deals)
    assert len(asked) == len({situation(dealt(terms.rules, few(number))) for number in range(4)})
    assert deals[-1].number <= deals[-2].number + 4 <= PATIENCE


def _is_open(number: int) -> bool:
    round = dealt(programme(MONDAY).rules, shoes(MONDAY)(number))
    if round.over or round.hands[SEAT][0].worth.total == 21 or is_soft(round):
        return False
    return CLOSEST <= gap_of(round.rules, shoes(MONDAY)(number)) <= programme(MONDAY).width


def test_r11_3_no_weekday_repeats_a_handful_of_situations() -> None:
    """A year of the hardest weekday: with four weeks kept apart, at least thirty situations come."""
    friday = MONDAY + 4
    asked: list[tuple[str, ...]] = []
    for week in range(12):
        terms = programme(friday)
        seed = seed_of(bytes(32), week + 1)
        deals = chosen(
            terms,
            lambda number, seed=seed: shoe(seed, (str(number),), 6),
            {each for five in asked[-4:] for each in five},
        )
        asked.append(tuple(deal.situation for deal in deals))
    assert len({each for five in asked for each in five}) >= 30
    for week, five in enumerate(asked):
        assert not {each for before in asked[max(0, week - 4) : week] for each in before} & set(five)


def test_a_duels_deals_have_only_to_be_worth_deciding() -> None:
    deals = chosen_freely(programme(MONDAY), shoes(MONDAY), 20)
    assert len(deals) == 20
    assert len({deal.situation for deal in deals}) < 20
