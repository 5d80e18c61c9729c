"""A finished round, shown again: the table after each step."""

from __future__ import annotations

from collections.abc import Iterator

from cogs.table.page import Page
from cogs.table.presentation import presentation
from cogs.words import _, play_chips, signed
from data import Played
from engine.fairness.record import RecordTwo, rules_of
from engine.fairness.replay import replay
from engine.games.contract import BOTTOMLESS, By, Step
from engine.tables.position import Turn
from engine.tables.rebuilt import record_of
from engine.tables.snapshot import GameSnapshot, SealsShown, Sitter, Snapshot, TablePhase
from engine.tables.values import Member, StoredRound


def page(stored: StoredRound, step: int, me: Member) -> Page:
    """Return the page of the table after `step` steps, as everybody saw it then, but without the names of others."""
    snapshot = _snapshot(stored, step, me)
    return presentation(snapshot.game).page_of(snapshot)


def steps(stored: StoredRound) -> int:
    return len(record_of(stored).steps)


def net(played: Played) -> str:
    """Return what a member won or lost in a finished round; play chips are named."""
    return signed(played.net) if played.real else play_chips(played.net, sign=True)


def step_taken(stored: StoredRound, step: int) -> str:
    """Return in words the step of this number; 0 is the deal."""
    if step == 0:
        return _("The deal")
    record = record_of(stored)
    return step_text(record.game, record.steps[step - 1])


def step_text(game: str, step: Step) -> str:
    """Return the sentence that says which seat did what. It also says if the seat was out of time."""
    texts = presentation(game)
    action = texts.step(step.action)
    if step.by is By.CLOCK and texts.cap(step.action) is not None:
        return _("Seat {seat}: {action}, out of time", seat=step.seat + 1, action=action)
    return _("Seat {seat}: {action}", seat=step.seat + 1, action=action)


def questions(stored: StoredRound, me: Member) -> Iterator[tuple[int, Turn]]:
    """Yield each question to a member in a round of blackjack, with the number of the step that answered it.

    The first step has the number 1; a time-out is a step too. In other games there are no questions.
    """
    record = record_of(stored)
    purses = stored.purses or [None] * len(record.steps)
    for number, (step, purse) in enumerate(zip(record.steps, purses, strict=True), 1):
        if stored.members[step.seat] == me.id and record.game == "blackjack":
            yield number, Turn(replay(record, number - 1), step.seat, BOTTOMLESS if purse is None else purse)


def _snapshot(stored: StoredRound, step: int, me: Member) -> Snapshot:
    record = record_of(stored)
    again = replay(record, step)
    sitters = (  # other players are seats without names, because a history is private
        Sitter(place=seat + 1, user=me.user if member == me.id else None, member=None, seat=seat)
        for seat, member in enumerate(stored.members)
    )
    return GameSnapshot(
        table=stored.table,
        guild=me.guild,
        channel=0,
        message=None,
        version=0,
        game=record.game,
        rules_name=record.rules_name,
        rules=rules_of(record),
        solo=True,
        opener=me.user,
        phase=TablePhase.BETTING if again.over else TablePhase.PLAYING,
        round=stored.number,
        sitters=tuple(sitters),
        view=again.view(),
        turn=again.turn,
        settlement=again.settlement() if again.over else None,
        seals=SealsShown(
            code=stored.code,
            hash=record.hash if isinstance(record, RecordTwo) and again.over else "",
            promise=stored.chain.promise.address if stored.chain is not None else "",
            commitment="" if stored.chain is not None else stored.commitment,
        ),
    )
