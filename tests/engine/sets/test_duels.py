"""The rules of a duel (R12): what stands, who wins, and which deal decided."""

from __future__ import annotations

from functools import cache

import pytest

from engine.fairness.chain import seed_of
from engine.fairness.sets import stream
from engine.games.blackjack.rule_sets import RULE_SETS, VEGAS
from engine.sets.answers import ACTIONS, worked_out
from engine.sets.choosing import CLOSEST, chosen_freely, gap_of
from engine.sets.deals import Stream
from engine.sets.duels import DuelVerdict, Ending, all_stood, decided_by, net, stood, terms_of, verdict
from engine.sets.levels import played_by
from engine.sets.prepared import Prepared
from engine.sets.programme import PERCENT
from engine.sets.tries import NEXT, Try, begun

HANDS = 10


@cache
def dealt(name: str = "vegas", root: int = 1) -> tuple[Prepared, Stream]:
    terms = terms_of(name, RULE_SETS[name])
    shoes = stream(seed_of(bytes([root] * 32), 1), "duel/test", terms.rules.decks)
    deals = chosen_freely(terms, shoes, HANDS)
    return Prepared(terms, deals, tuple(worked_out(terms.rules, shoes(deal.number)) for deal in deals)), shoes


def tried(*, worst: bool = False, name: str = "vegas") -> Try:
    prepared, shoes = dealt(name)
    found = begun(prepared, shoes)
    while not found.over:
        if found.round.over:
            found = found.pressed(NEXT, shoes)
            continue
        answers = found.prepared.answers[found.place][found.letters[-1]]
        found = found.pressed(ACTIONS[(min if worst else max)(answers, key=answers.__getitem__)], shoes)
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_r12_1_each_deal_of_a_duel_has_a_real_decision(name: str) -> None:
    prepared, shoes = dealt(name)
    assert len(prepared.deals) == HANDS
    gaps = [gap_of(prepared.terms.rules, shoes(deal.number)) for deal in prepared.deals]
    assert all(CLOSEST <= gap <= 15 * PERCENT for gap in gaps)


def test_r12_1_of_the_rules_only_what_decides_a_hand_counts() -> None:
    rules = terms_of("vegas", VEGAS).rules
    assert (rules.most_seats, rules.computers_fill, rules.stack) == (1, False, 0)


def test_r12_3_a_hand_that_stands_asks_nothing_more() -> None:
    prepared, shoes = dealt()
    found = stood(begun(prepared, shoes), shoes)
    assert found.round.over
    assert set(found.steps) <= {"s", "n"}
    assert stood(found, shoes) == found


def test_r12_4_everything_unplayed_stands() -> None:
    prepared, shoes = dealt()
    found = all_stood(begun(prepared, shoes), shoes)
    assert found.over
    assert found.steps.count(NEXT) == HANDS - 1


def test_r12_4_who_began_wins_against_who_did_not() -> None:
    one = tried(worst=True)
    assert verdict(one, None) == DuelVerdict(Ending.ONE_BEGAN, 0)
    assert verdict(None, one) == DuelVerdict(Ending.ONE_BEGAN, 1)
    assert verdict(None, None) == verdict(None, one, "expert") == DuelVerdict(Ending.NOBODY_BEGAN)


def test_r12_5_the_smaller_loss_wins_then_the_higher_net_then_nobody() -> None:
    best, worst = tried(), tried(worst=True)
    assert best.losses == 0
    assert verdict(best, worst) == DuelVerdict(Ending.DECISIONS, 0)
    assert verdict(worst, best) == DuelVerdict(Ending.DECISIONS, 1)
    assert verdict(best, best) == DuelVerdict(Ending.EQUAL)


class Netted(Try):
    """A try whose deals have won something else."""

    def net(self, place: int) -> int:
        return 100


def test_r12_5_equal_decisions_leave_it_to_the_nets() -> None:
    best = tried()
    lucky = Netted(best.prepared, best.letters, best.rounds)
    assert net(lucky) == 100 * HANDS > net(best)
    assert verdict(best, lucky) == DuelVerdict(Ending.NETS, 1)
    assert verdict(lucky, best) == DuelVerdict(Ending.NETS, 0)


def test_r12_1_against_perfect_the_nets_decide_whatever_was_given_away() -> None:
    prepared, shoes = dealt()
    perfect = played_by("perfect", prepared, shoes)
    assert perfect.losses == 0
    worst = tried(worst=True)
    lucky = Netted(worst.prepared, worst.letters, worst.rounds)
    assert verdict(lucky, perfect, "perfect") == DuelVerdict(Ending.NETS, 0)
    assert verdict(lucky, perfect) == DuelVerdict(Ending.DECISIONS, 1)


def test_r12_5_the_deal_that_decided_is_the_one_with_the_largest_difference() -> None:
    best, worst = tried(), tried(worst=True)
    place = decided_by(best, worst)
    assert place is not None
    assert worst.grades[place].loss == max(grade.loss for grade in worst.grades)
    assert decided_by(best, best) is None
