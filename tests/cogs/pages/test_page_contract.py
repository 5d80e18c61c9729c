"""Promises of every game's page, held against the scenes of every game: no game writes these tests for itself."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from cogs.pictures.blackjack import TablePicture
from cogs.table.page import Accent, Cap, Page
from cogs.table.presentation import presentation, presented
from cogs.words import Reader, reading, signed
from engine.games.blackjack.rule_sets import RULE_SETS
from engine.games.contract import Cents
from engine.games.registry import GAMES
from engine.tables.snapshot import Snapshot, TablePhase
from tests.engine.games.promises import Walk, poor_shoe, stake

from .blackjack import COMPANY, dealt
from .scenes import ADA, BEN, WAITS, at, computer, person
from .tables import TABLES

#: Keys whose label does not say the word that a press of them sends. Compare both when you add one here.
OTHERWISE = {"decline": "No insurance", "smallest": "Minimum", "twice": "2x minimum"}

#: Words for a gain and for a loss. A win of the other side is a loss.
OTHERS_WIN = r"\b(dealer|banker) wins\b"
GAIN = re.compile(r"\b(won|wins?|higher)\b|!", re.IGNORECASE)
LOSS = re.compile(rf"\b(lost|loses?|lower|surrendered)\b|{OTHERS_WIN}", re.IGNORECASE)

#: Scenes in which a part of the stakes ended otherwise than their sum.
MIXED = {"insurance is lost", "split into two, one wins", "insurance pays"}


def caps(game: str) -> Iterator[Cap]:
    yield from presentation(game).caps


def face(seen: Snapshot) -> Page:
    return presented(seen).page_of(seen)


def ended(game: str) -> list[tuple[str, Page, Cents]]:
    """Return the scenes of one person whose round is over: name, page, and what it brought."""
    scenes = [(name, seen) for name, seen in TABLES[game].items() if is_of_one_and_over(seen)]
    return [(name, face(seen), seen.settlement.net(0)) for name, seen in scenes if seen.settlement]


def is_of_one_and_over(seen: Snapshot) -> bool:
    alone = len(seen.sitters) == 1 and not seen.sitters[0].staked
    return alone and seen.phase is TablePhase.BETTING and seen.settlement is not None


def read(page: Page) -> str:
    """Return what the page says in words, the picture's alt text included."""
    alt = page.picture.alt if page.picture else ""
    return "\n".join((page.headline, *(line for group in page.groups for line in group), alt))


@pytest.mark.parametrize("game", [*GAMES, "elimination"])
def test_a_key_says_what_it_does(game: str) -> None:
    """If the labels of two keys were exchanged, somebody who wants to play on would give a hand up."""
    said = {cap.word: cap.label for cap in caps(game)}
    unlike = {word: label for word, label in said.items() if word.split("-")[0] not in label.lower()}
    assert unlike.items() <= OTHERWISE.items()
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("game", TABLES)
def test_a_key_on_a_page_is_the_one_of_its_word(game: str) -> None:
    """The label of a key and its name in /help and /history come from one table."""
    shown = [(seen, key.cap) for seen in TABLES[game].values() for row in face(seen).rows for key in row]
    assert shown
    for seen, cap in shown:
        of_the_table = presented(seen).cap(cap.word) or presentation(seen.game).cap(cap.word)
        assert cap is of_the_table


@pytest.mark.parametrize("game", GAMES)
def test_the_edge_and_the_sum_tell_a_gain_from_a_loss(game: str) -> None:
    kinds = {1: {Accent.WON, Accent.HIGHLIGHT}, 0: {Accent.EVEN}, -1: {Accent.LOST}}
    scenes = ended(game)
    assert {net > 0 for _name, _page, net in scenes} == {True, False}, "a scene of each end, please"
    for name, page, net in scenes:
        assert page.accent in kinds[(net > 0) - (net < 0)], name
        assert net == 0 or signed(net) in read(page), name
        assert net == 0 or name in MIXED or signed(-net) not in read(page), name


@pytest.mark.parametrize("game", GAMES)
def test_no_gain_is_told_as_a_loss_and_no_loss_as_a_gain(game: str) -> None:
    for name, page, net in ended(game):
        if name in MIXED or not net:
            continue
        text = read(page)
        lost = LOSS.search(text)
        assert not (net > 0 and lost), f"{name}: {lost}"
        won = GAIN.search(re.sub(OTHERS_WIN, "", text, flags=re.IGNORECASE))
        assert not (net < 0 and won), f"{name}: {won}"


@pytest.mark.parametrize("game", GAMES)
def test_the_alt_text_says_how_a_round_ended(game: str) -> None:
    """It is not the same after a gain and after a loss but for the cards and amounts."""
    told = {True: set[str](), False: set[str]()}
    for _name, page, net in ended(game):
        assert page.picture is not None
        if net:
            told[net > 0].add(re.sub(r"\w*\d\S*|[AKQJ][♠♥♦♣],?", "", page.picture.alt))
    assert told[True].isdisjoint(told[False])


def test_the_headline_names_who_is_asked_though_somebody_waits_at_a_lower_seat() -> None:
    seen = dealt("vegas stake 10 | T 6 / 6 ?", person(BEN, 1, seat=WAITS), person(ADA, 2))
    assert face(seen).headline == f"<@{ADA}>, your move"


def test_the_picture_names_computer_players_and_those_people_whose_names_are_known() -> None:
    with reading(Reader(names={ADA: "Ada"})):
        picture = face(dealt(COMPANY, person(), person(BEN, 2), computer("Dot", 4))).picture
    assert picture is not None
    assert isinstance(picture.key, TablePicture)
    assert picture.key.names == ((1, "Ada"), (4, "Dot"))


def test_the_edge_is_golden_for_a_persons_blackjack_and_not_for_a_computer_players() -> None:
    line = "vegas stake 10 | T 9, A K / 6 T | stand | dealer 6 T 2"
    accents = [face(dealt(line, person(), other)).accent for other in (person(BEN, 2), computer("Dot", 2))]
    assert accents == [Accent.HIGHLIGHT, Accent.WON]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_dealers_line_and_the_reason_beside_a_hand_name_the_same_end(rules: str) -> None:
    """A hand that lost although it is as high as the dealer's says against what, and his line says so too."""
    game, said = GAMES["blackjack"], set[str]()
    for number in range(300):
        chance, stakes = random.Random(number), [{"main": stake(RULE_SETS[rules], 10)}]
        walk = Walk(game, RULE_SETS[rules], stakes, poor_shoe(number), chance, ("hit", "decline"))
        round = walk.deal()
        for move in walk.moves(round):
            round.apply(*move)
        seen = at("blackjack", rules, round)
        lines = [line for group in face(seen).groups for line in group]
        (hand,), dealer = seen.view.seats[0].hands, seen.view.dealer
        reason = re.search(r"against an? (\w+)", lines[1])
        beaten = hand.total <= 21 and hand.result.net < 0 and (dealer.bust or hand.total >= dealer.total)
        assert bool(reason) == beaten, lines
        assert reason is None or lines[0].endswith(f"** {reason[1]}"), lines
        said.update(word for word in ("bust", "blackjack", "against") if word in "".join(lines))
    assert said >= ({"bust", "blackjack", "against"} if rules == "classic" else set())
