"""Perfect computer players, checked by the solver where there is one (R6.4)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.fairness import chain, cli
from engine.fairness.chain import Promise
from engine.fairness.record import Player, RecordTwo
from engine.fairness.replay import sealed, shoe_of
from engine.fairness.thoughts import _loss, has_thinkers, losses
from engine.fairness.verify import What, verify
from engine.games import registry
from engine.games.blackjack.notation import round_of
from engine.games.blackjack.round import BlackjackRound
from engine.games.blackjack.rules import BlackjackRules
from engine.games.contract import BOTTOMLESS, CHIP, By, Step
from engine.solver import Position, decision

from . import made

BLACKJACK = registry.game("blackjack")
RULES = BLACKJACK.rule_sets["kitchen"]


def played(number: int, *, thinking: bool, rules: BlackjackRules = RULES) -> RecordTwo:
    """A perfect player alone, who thinks about every hand, or about none."""
    luck = Random(number)
    root = luck.randbytes(32)
    record = RecordTwo(
        promise=Promise(chain.tip_of(root), 1, 2, 3),
        number=1,
        game="blackjack",
        rules_name="kitchen",
        rules=rules.as_json(),
        stakes=({"main": 10 * CHIP},),
        seed=chain.seed_of(root, 1),
        players=(Player("perfect", 1),),
    )
    round = BLACKJACK.deal(rules, record.stakes, shoe_of(record))
    assert isinstance(round, BlackjackRound)
    while not round.over:
        best = decision(rules, Position.of_round(round, 0, BOTTOMLESS)).best
        action = best if thinking else BLACKJACK.policy("perfect")(round, 0, BOTTOMLESS)
        round.apply(0, action, By.COMPUTER)
    return sealed(replace(record, steps=tuple(round.steps), purses=(None,) * len(round.steps)))


def otherwise() -> int:
    """A shoe where the chart, which was made for other rules, is not the best play."""
    return next(
        number
        for number in range(200)
        if (record := played(number, thinking=False)).steps != played(number, thinking=True).steps and record.steps
    )


@pytest.mark.parametrize("number", range(4))
def test_what_the_solver_says_is_best_fits(number: int) -> None:
    record = played(number, thinking=True)
    assert has_thinkers(record)
    finding = verify(record, losses=losses(record))
    assert finding.holds
    assert (finding.unchecked, finding.by_chart) == ((), ())


def test_played_without_thinking_it_fits_and_is_named() -> None:
    record = played(otherwise(), thinking=False)
    finding = verify(record, losses=losses(record))
    assert finding.holds
    assert finding.by_chart


def test_anything_else_does_not_fit() -> None:
    """To stand where the best play and the chart's are to draw."""
    both = ((played(number, thinking=True), played(number, thinking=False)) for number in range(99))
    record = next(best for best, chart in both if len(best.steps) > 1 and len(chart.steps) > 1)
    worse = sealed(replace(record, steps=(Step(0, "stand", By.COMPUTER),), purses=(None,)))
    found = losses(worse)
    assert (found[0] or 0) > 0.001
    finding = verify(worse, losses=found)
    thoughts = finding.of(What.COMPUTERS)
    assert thoughts is not None
    assert not thoughts.fits
    assert "of its stake away" in thoughts.fault


def test_without_a_solver_it_is_said_that_nobody_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = next(record for number in range(50) if (record := played(number, thinking=True)).steps)
    path = tmp_path / "round.json"
    path.write_text(record.to_json(), encoding="utf-8")
    assert cli.main([str(path)]) == 0
    assert "not checked" not in capsys.readouterr().out
    monkeypatch.setattr(cli, "can_be_checked", lambda: False)
    assert cli.main([str(path)]) == 0
    assert "not checked" in capsys.readouterr().out


def test_what_cannot_be_played_again_has_no_losses() -> None:
    record = played(0, thinking=True)
    assert losses(made.one(1)) == {}
    assert losses(replace(record, steps=(Step(0, "fly", By.COMPUTER),), purses=(None,))) == {}


def test_only_players_who_think_have_losses() -> None:
    record = next(record for number in range(50) if (record := played(number, thinking=True)).steps)
    assert losses(record)
    for player in (Player(), Player("expert", 1)):
        assert losses(replace(record, players=(player,))) == {}


def test_insurance_costs_a_thinking_player_what_it_is_worth_less_than_none() -> None:
    """Half a stake at two to one, on a ten among the cards that nobody has seen."""
    classic = BLACKJACK.rule_sets["classic"]
    records = (played(number, thinking=False, rules=classic) for number in range(99))
    record = next(record for record in records if record.steps and record.steps[0].action == "decline")
    cards = shoe_of(record)
    tens = sum(cards[place][0] in "TJQK" for place in range(3))
    chance = (16 * classic.decks - tens) / (52 * classic.decks - 3)
    insured = replace(record, steps=(Step(0, "insure", By.COMPUTER),), purses=(None,))
    assert losses(insured)[0] == pytest.approx((1 - 3 * chance) / 2)
    assert losses(record)[0] == 0.0


@pytest.mark.parametrize(("chips", "loss"), [(5, (3 * 16 / 47 - 1) / 2), (4, 0.0)])
def test_declining_insurance_that_pays_costs_only_who_could_have_paid_it(chips: int, loss: float) -> None:
    """Five cards of one pack are seen, and none is a ten."""
    round = round_of("vegas decks=1 split=no most_seats=2  stake 10  |  2 3, 4 5 / A ?")
    assert _loss(round, 0, "decline", chips * CHIP) == pytest.approx(loss)
