"""What `/verify` says of honest rounds and of others, in every language (`tests/golden/pages`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from cogs.table.page import TEXT_LIMIT
from cogs.verify import _findings as findings
from cogs.words import speaking
from engine.fairness.draws import verify_draws
from engine.fairness.record import Player, Record, RecordTwo
from engine.fairness.replay import sealed, sealed_as_called_off
from engine.fairness.thoughts import Losses
from engine.fairness.tournaments import verify_lots
from engine.fairness.verify import verify
from engine.games.contract import By
from tests.engine.fairness import made
from tests.releases import Release

from . import writing
from .languages import FOLDERS
from .test_golden import agrees

ZEROES = "00" * 32


def kept(release: int, game: str, by: By = By.MEMBER) -> Any:
    """Return the first round of a game, with a step by a computer player if that is wanted, that a release left."""
    return next(
        record
        for record in Release(f"release_{release}").records
        if record.game == game and (by is By.MEMBER or by in {step.by for step in record.steps})
    )


def among(record: Any, level: str) -> RecordTwo:
    """Return the same round as if its computer players had played at this level."""
    players = (player if player.person else Player(level, 1) for player in record.players)
    return sealed(replace(record, players=tuple(players)))


def page(record: Record, losses: Losses | None = None) -> ui.LayoutView:
    return findings("1a2b3c4d-1-23", verify(record, losses=losses or {}), None, None, ("round-1a2b3c4d-1-23.json",))


def scenes() -> Iterator[tuple[str, ui.LayoutView]]:
    one, two, three = kept(1, "blackjack"), kept(2, "blackjack"), kept(4, "baccarat")
    for scheme, record in (("1", one), ("2", two), ("3", three)):
        yield f"scheme {scheme}", page(record)
    yield "scheme 1, another seal and outcome", page(replace(one, commitment=ZEROES, outcome=ZEROES))
    yield "scheme 2, another root", page(replace(two, root=ZEROES))
    yield "scheme 3, another promise", page(replace(three, promise=replace(three.promise, tip=ZEROES)))
    yield "scheme 3, another hash", page(replace(three, hash=ZEROES))
    yield "steps are missing", page(replace(two, steps=(), purses=()))
    yield "called off", page(sealed_as_called_off(replace(two, steps=(), purses=())))
    yield "a computer player did otherwise", page(among(Release("release_3").records[9], "amateur"))
    perfect = among(kept(4, "blackjack", By.COMPUTER), "perfect")
    yield "perfect play that was not checked", page(perfect)
    for loss, said in ((0.0, "costs nothing"), (0.5, "costs half a stake, by the chart")):
        yield f"perfect play that {said}", page(perfect, dict.fromkeys(range(len(perfect.steps)), loss))
    lots, seats = verify_draws(made.draws(0)), verify_lots(made.lots(0))
    files = "round-1a2b3c4d.json", "draws-1a2b3c4d.json", "tournament-1a2b3c4d.json"
    yield "of a tournament", findings("1a2b3c4d", verify(three), lots, seats, files)
    others = tuple(replace(promise, root=ZEROES) for promise in made.lots(0).promises)
    places = verify_lots(replace(made.lots(0), promises=others))
    yield "of another tournament", findings("1a2b3c4d", verify(three), None, places, files[::2])


def test_a_round_of_very_many_steps_fits_into_one_message() -> None:
    found = verify(kept(4, "blackjack", By.COMPUTER), losses={})
    long = replace(found, record=replace(found.record, steps=found.record.steps * 500))
    assert findings("1a2b3c4d-1-23", long, None, None, ()).content_length() <= TEXT_LIMIT


@pytest.mark.parametrize(("language", "folder"), FOLDERS)
def test_every_finding_reads_as_agreed(request: pytest.FixtureRequest, language: str, folder: str) -> None:
    with speaking(language):
        lines = [line for scene, view in scenes() for line in (f"== {scene}", *writing.message(view), "")]
    agrees(request, f"{folder}/verify.txt", lines)
