"""Games that were made wrong on purpose: each is found out by a promise that holds for all games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engine.games.blackjack import GAME as BLACKJACK
from engine.games.blackjack import BlackjackRound, BlackjackRules
from engine.games.cards import RANKS, Card, height
from engine.games.contract import BOTTOMLESS, CHIP, Cents, Line, Outcome, Refusal, Seat
from engine.games.war import GAME as WAR
from engine.games.war import Answer, War, WarRules

from . import promises


class ShowsTheHoleCard(BlackjackRound):
    __slots__ = ()

    @property
    def hint(self) -> Card:
        return self._shoe[self._hole]


class ShowsTheNextCard(BlackjackRound):
    __slots__ = ()

    def view(self, seat: Seat | None = None) -> Any:
        return super().view(seat), self._shoe[len(self.taken)]


class ForbidsBusting(BlackjackRound):
    """It knows what would come."""

    __slots__ = ()

    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        if self.acting == (seat, 0) and action == "hit" and len(self.hands[seat][0].cards) == 2:
            worth = self.hands[seat][0].worth.plus.get(self._shoe[len(self.taken)])
            if worth is None or worth.total > 21:
                return Refusal.NOT_NOW
        return super().refusal(seat, action, purse)

    def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
        return tuple(word for word in super().legal(seat, purse) if self.refusal(seat, word, purse) is None)


class SaysMoreIsOpen(BlackjackRound):
    """Nothing would be shuffled when it is dealt again."""

    __slots__ = ()

    @property
    def open_cards(self) -> tuple[int, ...]:
        return tuple(range(52))


class Generous(War):
    def lines(self) -> tuple[Line, ...]:
        (line,) = super().lines()
        return (line._replace(returned=line.returned * 2),)


class AnyoneActs(War):
    def refusal(self, seat: Seat, action: str, purse: Cents = BOTTOMLESS) -> Refusal | None:
        return super().refusal(int(seat) if isinstance(seat, float) else seat, action, purse)


class HalfDone(BlackjackRound):
    """A game in which a failed action stays half done."""

    __slots__ = ()

    def _go_back_to(self, steps: Any) -> None:
        pass


@dataclass(frozen=True, slots=True)
class IdleField(WarRules):
    five_card_trick: bool = False


@pytest.mark.parametrize("wrong", [ShowsTheHoleCard, ShowsTheNextCard, ForbidsBusting, SaysMoreIsOpen])
def test_a_game_that_shows_what_nobody_may_know_is_found_out(wrong: type[BlackjackRound]) -> None:
    game = replace(BLACKJACK, deal=wrong)
    with pytest.raises(AssertionError):
        promises.hides_what_is_hidden(game, BlackjackRules())


def test_a_war_that_lets_the_player_peek_is_found_out() -> None:
    class Peeking(War):
        def legal(self, seat: Seat, purse: Cents = BOTTOMLESS) -> tuple[str, ...]:
            better = height(self.card(5)) >= height(self.card(6))
            return super().legal(seat, purse) if better else super().legal(seat, purse)[1:]

    with pytest.raises(AssertionError):
        promises.hides_what_is_hidden(replace(WAR, deal=Peeking), WarRules())


def test_a_card_that_is_seen_at_one_pair_of_ranks_only_is_found_out() -> None:
    class PeeksAtSevens(War):
        def view(self, seat: Seat | None = None) -> Any:
            return super().view(seat), self.card(5) if self.card(0)[0] == self.card(1)[0] == "7" else ""

    with pytest.raises(AssertionError, match="what lies open"):
        promises.hides_what_is_hidden(replace(WAR, deal=PeeksAtSevens), WarRules())


def test_a_price_that_hangs_on_a_card_face_down_is_found_out() -> None:
    """Prices are printed on the keys."""

    class KnowsWhatItWillCost(War):
        def cost(self, seat: Seat, action: str) -> Cents:
            cost = super().cost(seat, action)
            return cost + CHIP if cost > 10 * CHIP and height(self.card(5)) > height(self.card(6)) else cost

    with pytest.raises(AssertionError, match="what can be seen hangs on a card"):
        promises.hides_what_is_hidden(replace(WAR, deal=KnowsWhatItWillCost), WarRules())


def test_a_game_that_pays_beyond_its_bound_is_found_out() -> None:
    with pytest.raises(AssertionError, match="more comes back"):
        promises.pays_within_its_bound(replace(WAR, deal=Generous), WarRules())


@pytest.mark.parametrize("opening", ["A2", "7T"])
def test_too_much_that_is_paid_at_one_pair_of_ranks_only_is_found_out(opening: str) -> None:
    class Favours(War):
        def lines(self) -> tuple[Line, ...]:
            (line,), lie = super().lines(), self.card(0)[0] + self.card(1)[0]
            return (line._replace(returned=line.staked * 9) if lie == opening else line,)

    with pytest.raises(AssertionError, match="more comes back"):
        promises.pays_within_its_bound(replace(WAR, deal=Favours), WarRules())


class ForgetsInsuredNaturals(BlackjackRules):
    """A natural that wins against the dealer's, with an insurance beside it: two fields of the rules must meet."""

    def _most_insured(self, natural: Cents) -> Cents:
        return CHIP


def test_too_much_that_is_paid_where_two_fields_meet_is_found_out() -> None:
    """By no rules that differ in one field from those of the house."""
    blackjack = [rules for rules in BLACKJACK.rule_sets.values() if not rules.insurance]
    known = [ForgetsInsuredNaturals(**{name: getattr(rules, name) for name in rules.as_json()}) for rules in blackjack]
    _each_within_its_bound(other for rules in known for _, other in promises.variants(rules))
    with pytest.raises(AssertionError, match="more comes back"):
        _each_within_its_bound(other for rules in known for other in promises.scant(rules))


def _each_within_its_bound(all_rules: Iterable[BlackjackRules]) -> None:
    for number, rules in enumerate(all_rules):
        promises.pays_within_its_bound(BLACKJACK, rules, work=100, first=1_000 * number)


def test_a_field_that_does_nothing_is_found_out() -> None:
    game = replace(WAR, rule_sets={"idle": IdleField()})
    assert promises.unused_fields(game) == {"five_card_trick"}


def test_an_action_that_fails_half_way_is_found_out() -> None:
    with pytest.raises(AssertionError, match="left something behind"):
        promises.survives_an_ending_shoe(replace(BLACKJACK, deal=HalfDone), BlackjackRules())


def test_an_answer_that_brings_no_card_cannot_fail_for_want_of_one() -> None:
    class OnlyGivesUp(War):
        answers = (Answer.SURRENDER,)

    assert promises.survives_an_ending_shoe(replace(WAR, deal=OnlyGivesUp), WarRules()) == 0
    assert promises.survives_an_ending_shoe(WAR, WarRules()) > 0


def test_a_game_that_goes_on_without_the_cards_it_says_it_took_is_found_out() -> None:
    class TakesNothing(War):
        taken = tuple(range(9))

        def lines(self) -> tuple[Line, ...]:
            return super().lines() if not self.steps else (Line(0, "main", self.stake, 0, Outcome.LOSE),)

    with pytest.raises(AssertionError, match="none failed when the shoe had no more"):
        promises.survives_an_ending_shoe(replace(WAR, deal=TakesNothing), WarRules())


def test_a_number_that_is_no_seat_is_found_out() -> None:
    with pytest.raises(AssertionError):
        promises.refuses_who_is_no_seat(replace(WAR, deal=AnyoneActs), WarRules(decks=1))


class TwoPayments(War):
    """A war whose two stakes are settled one by one."""

    def lines(self) -> tuple[Line, ...]:
        (line,) = super().lines()
        if not self.took(Answer.WAR):
            return (line,)
        first = line._replace(what="first", staked=self.stake, returned=line.returned - line.returned // 2)
        return first, line._replace(what="second", staked=self.stake, returned=line.returned // 2)


def test_a_game_that_settles_in_several_payments_only_says_which() -> None:
    battle = replace(WAR, deal=TwoPayments)
    assert promises.pays_within_its_bound(battle, WarRules()) == WarRules().most_returned
    assert promises.survives_an_ending_shoe(battle, WarRules()) > 0
    fought = TwoPayments(WarRules(), [{"main": 10 * CHIP}], ("Ts", "Td", "2h", "3h", "4h", "Kh", "9c"))
    fought.apply(0, Answer.WAR)
    assert [line.what for line in fought.settlement().lines] == ["first", "second"]
    assert fought.settlement().net(0) == 15 * CHIP


def test_words_for_how_a_stake_ended_that_are_exchanged_are_found_out() -> None:
    class Exchanged(War):
        def lines(self) -> tuple[Line, ...]:
            (line,) = super().lines()
            other = {Outcome.WIN: Outcome.LOSE, Outcome.LOSE: Outcome.WIN}
            return (line._replace(outcome=other.get(line.outcome, line.outcome)),)

    promises.names_its_ends(WAR, WarRules())
    with pytest.raises(AssertionError, match=" for "):
        promises.names_its_ends(replace(WAR, deal=Exchanged), WarRules())


def test_poor_shoes_have_three_neighbours_of_one_suit_for_whoever_is_dealt_first() -> None:
    """One after the other, and in turns with somebody else."""
    shoes = [promises.poor_shoe(number)[:6] for number in range(64)]
    for hands in ([shoe[:3] for shoe in shoes], [shoe[::2] for shoe in shoes]):
        runs = {"".join(sorted(f"{RANKS.index(card[0]):x}" for card in hand)) for hand in hands
                if len({card[1] for card in hand}) == 1}  # fmt: skip
        assert any(run in "0123456789abc" for run in runs)
