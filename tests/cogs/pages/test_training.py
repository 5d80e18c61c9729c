"""Texts of `/train`, in every language (`tests/golden/pages`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from discord import ui

from cogs.answers.panel import panel
from cogs.train import keys, texts
from cogs.train.standing import OwnTraining
from cogs.words import speaking
from data import Trained
from engine.games.blackjack.rule_sets import VEGAS
from engine.training.counting import COUNT, Count
from engine.training.drill import Drill, DrillKind
from engine.training.problems import Problem

from . import writing
from .languages import FOLDERS
from .test_golden import agrees

#: Sixteen against a ten, and a soft eighteen against a nine.
ENDS = {"17": 0.11, "18": 0.11, "19": 0.11, "20": 0.37, "21": 0.07, "bust": 0.23}
SIXTEEN = Problem(("Kh", "6d"), "Tc", {"hit": -0.5350, "stand": -0.5404, "surrender": -0.5}, 0.6176, ENDS)
SOFT = Problem(("As", "7h"), "9d", {"hit": -0.0988, "stand": -0.1831, "double": -0.2856}, 0.0, ENDS)


def counts() -> Iterator[tuple[str, Count]]:
    """An exercise from its first cards to its end; the running count is +3 before it and +5 after it."""
    cards = tuple("2s 3h Kd 7c 8d 5s As 6h 4c 9d Jc 2h Qs 7d 8c".split())  # noqa: SIM905
    count = Count(6, carried=3, halves=5, cards=cards, shown=1, places=(1, 2), row=3, best=8)
    yield "count: the first cards", count
    yield "count: the last cards", replace(count, shown=5)
    yield "count: the running count", replace(count, shown=6)
    yield "count: the true count", replace(count, shown=6).answered(count.running)
    yield "count: right", replace(count, shown=6).answered(count.running).answered(count.true)
    yield "count: wrong", replace(count, shown=6).answered(count.running + 1)


def drills() -> Iterator[tuple[str, Drill]]:
    run = replace(Drill(DrillKind.RUN, VEGAS, row=6, best=12).asking(SIXTEEN))
    yield "run: the first hand", replace(run, row=0)
    yield "run: right", run.answered("surrender").asking(SOFT)
    yield "run: right, the coach is silent", run.answered("surrender")
    yield "run: wrong", run.asking(SOFT).answered("double")
    yield "charts: a cell", Drill(DrillKind.CHARTS, VEGAS).asking(SOFT).answered("hit").asking(SIXTEEN)
    yield "five: a hand of the day", Drill(DrillKind.FIVE, VEGAS).asking(SIXTEEN)
    yield "weak spots: wrong", Drill(DrillKind.SPOTS, VEGAS).asking(SIXTEEN).answered("stand")


def scenes() -> Iterator[tuple[str, ui.LayoutView]]:
    yield "the choice", keys.home("vegas", [Trained("run", "vegas", 9, {"best": 12})])
    for scene, drill in drills():
        yield scene, keys.page(OwnTraining(Trained(drill.kind, "vegas", 4), drill))
    told = texts.why(Drill(DrillKind.RUN, VEGAS).asking(SOFT).answered("double"))
    yield "why", panel(told.heading, *told.blocks, small=told.small)
    for scene, count in counts():
        yield scene, keys.page(OwnTraining(Trained(COUNT, "vegas", 4), count))
    stop = keys.stopped(
        OwnTraining(Trained(DrillKind.CHARTS, "vegas", 4), Drill(DrillKind.CHARTS, VEGAS, row=2, best=5))
    )
    yield "stopped", stop


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_training_speaks_as_agreed(request: pytest.FixtureRequest, language: str, folder: str) -> None:
    with speaking(language):
        shown = [(scene, writing.message(view)) for scene, view in scenes()]
    agrees(request, f"{folder}/training.txt", [line for scene, page in shown for line in (f"== {scene}", *page, "")])
