"""The gravest promises of a game, as checks that any game can be held against: wrong ones are found without tests of
their own (`test_promises.py` shows that with games made wrong on purpose)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from itertools import count as numbers
from typing import Any

from engine.fairness import shoe
from engine.games.cards import RANKS, SUITS, Card, Shoe
from engine.games.contract import CHIP, AnyGame, BadRules, Cents, IllegalAction, Outcome, Refusal, Round, Seat, Stakes

CARD = re.compile(rf"[{RANKS}][{SUITS}]")


# -- playing at random -------------------------------------------------------------------------------------------------


@dataclass
class Walk:
    """A round that somebody with a purse without end plays at random."""

    game: AnyGame
    rules: Any
    stakes: list[Stakes]
    cards: Shoe
    chance: random.Random
    #: Moves that are taken wherever they are allowed, the first of them first. All other moves are chosen by chance.
    likes: Sequence[str] = ()
    #: How much there was to do so far: seats that were dealt to, and at each step once more.
    work: int = 0

    def deal(self, cards: Shoe | None = None) -> Round:
        self.work += len(self.stakes)
        round: Round = self.game.deal(self.rules, self.stakes, self.cards if cards is None else cards)
        return round

    def moves(self, round: Round) -> Iterator[tuple[Seat, str]]:
        while not round.over:
            seat = self.chance.choice(round.asked)
            words = [*round.legal(seat), round.timeout(seat)]
            liked = next((word for word in self.likes if word in words), None)
            self.work += len(self.stakes)
            yield seat, liked or self.chance.choice(words)


def walks(game: AnyGame, rules: Any, work: int, name: str = "") -> Iterator[Walk]:
    """Play rounds until enough is done: of a game with short rounds, more of them. Every other shoe is a poor one."""
    number = 0
    while work > 0:
        chance = random.Random(f"{game.name} {name} {number}")
        stakes = [_stakes(game, rules, chance) for _ in range(chance.randint(1, rules.seating.most))]
        cards = poor_shoe(number // 2) if number % 2 else shoe(chance.randbytes(32), (), rules.decks)
        walk = Walk(game, rules, stakes, cards, chance)
        yield walk
        work -= 1 + walk.work
        number += 1


def _stakes(game: AnyGame, rules: Any, chance: random.Random) -> Stakes:
    spots = chance.sample(game.spots, chance.randint(1, len(game.spots)))
    return {spot: stake(rules, chance.randint(1, 100)) for spot in spots}


def stake(rules: Any, chips: int) -> Cents:
    """Return this many chips, unless the rules fix the stake."""
    fixed: Cents = rules.seating.fixed_stake
    return fixed or chips * CHIP


def poor_shoe(number: int) -> tuple[Card, ...]:
    """Of few ranks: whatever is rare elsewhere happens here all the time. Every other one has only the highest and the
    lowest, every fourth begins with the next of all pairs of ranks, so that none is left out, and every eighth with
    neighbours of one suit."""
    chance = random.Random(number)
    ranks = "AK2" if number % 2 else chance.sample(RANKS, chance.randint(2, 5))
    cards = chance.choices([rank + suit for rank in ranks for suit in SUITS], k=52)
    if number % 4 == 0:
        first, second = divmod(number // 4 % len(RANKS) ** 2, len(RANKS))
        cards[:2] = RANKS[first] + chance.choice(SUITS), RANKS[second] + chance.choice(SUITS)
    if number % 8 == 7:
        cards[:6] = _neighbours(chance)
    return tuple(cards) * 8


def _neighbours(chance: random.Random) -> list[Card]:
    """Return two runs of three cards of a suit, one after the other or dealt in turns."""
    runs = [
        [RANKS[(start + step) % len(RANKS)] + suit for step in range(3)]
        for start, suit in ((chance.randrange(len(RANKS)), chance.choice(SUITS)) for _ in range(2))
    ]
    in_turns = [card for pair in zip(*runs, strict=True) for card in pair]
    return in_turns if chance.random() < 0.5 else runs[0] + runs[1]


# -- what a round shows ------------------------------------------------------------------------------------------------


def shown(round: Round, seats: int) -> dict[str, Any]:
    """All that a round shows of itself: views, questions, legal actions, and whatever else has a public name."""
    everyone = range(-1, seats + 1)
    found = {name: plain(getattr(round, name)) for name in _public(round)}
    found["refusals"] = [[round.refusal(seat, word, purse) for word in _words(round)]
                         for seat in everyone for purse in (0, 10 * CHIP)]  # fmt: skip
    found["legal"] = [round.legal(seat) for seat in everyone]
    found["costs"] = [[round.cost(seat, word) for word in round.legal(seat)] for seat in range(seats)]
    found["view"] = [plain(round.view(seat)) for seat in (None, *range(seats))]
    found["ends"] = plain(round.settlement()) if round.over else None
    return found


def _public(round: Round) -> list[str]:
    names = [name for name in dir(round) if not name.startswith("_")]
    return [name for name in names if name not in ("rules", "open_cards") and not callable(getattr(round, name))]


def _words(round: Round) -> list[str]:
    return ["", *(word for seat in round.asked for word in (*round.legal(seat), round.timeout(seat)))]


def plain(thing: Any) -> Any:
    """The value as numbers, words and tuples, so that it can be compared and searched."""
    if is_dataclass(thing) and not isinstance(thing, type):
        return type(thing).__name__, tuple(plain(getattr(thing, field.name)) for field in fields(thing))
    if isinstance(thing, Mapping):
        return tuple((plain(key), plain(value)) for key, value in thing.items())
    if isinstance(thing, list | tuple | set | frozenset):
        return tuple(map(plain, thing))
    if thing is None or isinstance(thing, int | str | Enum) or type(thing).__repr__ is not object.__repr__:
        return thing if isinstance(thing, int | str | None) else repr(thing)
    kind = type(thing)  # a class that `make fast` compiled has another list of its attributes
    names = getattr(kind, "__slots__", None) or getattr(kind, "__mypyc_attrs__", None) or vars(thing)
    return tuple((name, plain(getattr(thing, name))) for name in names if not name.startswith("_"))


def cards_in(thing: Any) -> set[Card]:
    if isinstance(thing, str):
        return {thing} if CARD.fullmatch(thing) else set()
    if isinstance(thing, dict):
        return set().union(*map(cards_in, thing.values()))
    return set().union(*map(cards_in, thing)) if isinstance(thing, tuple | list) else set()


# -- nobody sees what lies face down -----------------------------------------------------------------------------------


def hides_what_is_hidden(game: AnyGame, rules: Any, work: int = 1_000) -> None:
    """Every round is dealt again with all cards in other places but those that lie open. As long as the same cards
    are opened by the same steps, everything must look the same: before that, nobody could know any better."""
    tried = compared = 0
    for walk in walks(game, rules, work, "hides"):
        round = walk.deal()
        past = [_Moment.of(round, walk)]
        for move in walk.moves(round):
            round.apply(*move)
            past.append(_Moment.of(round, walk, move))
        for length in range(1, len(past) + 1):
            tried += 1
            compared += _looks_the_same(walk, past[:length])
    assert compared * 2 >= tried, f"{game.name}: {compared} of {tried} rounds could be dealt in another way"


@dataclass
class _Moment:
    move: tuple[Seat, str] | None
    open_cards: tuple[int, ...]
    shown: dict[str, Any]

    @classmethod
    def of(cls, round: Round, walk: Walk, move: tuple[Seat, str] | None = None) -> _Moment:
        seen = shown(round, len(walk.stakes))
        open_cards = {walk.cards[place] for place in round.open_cards}
        assert cards_in(seen) == open_cards, "what lies open is what can be seen"
        return cls(move, round.open_cards, seen)


def _looks_the_same(walk: Walk, past: Sequence[_Moment]) -> bool:
    """Whether another shoe opens the same cards up to here; if it does, everything else is the same too."""
    again = walk.deal(_permuted(walk, past[-1].open_cards))
    walk.work += len(past) * len(walk.stakes)
    for moment in past:
        if moment.move is not None:
            assert again.refusal(*moment.move) is None, "what may be done hangs on a card that nobody can see"
            again.apply(*moment.move)
        if again.open_cards != moment.open_cards:
            return False
        assert shown(again, len(walk.stakes)) == moment.shown, "what can be seen hangs on a card that lies face down"
    return True


def _permuted(walk: Walk, open_cards: Sequence[int]) -> tuple[Card, ...]:
    cards = [walk.cards[place] for place in range(len(walk.cards))]
    hidden = [place for place in range(len(cards)) if place not in set(open_cards)]
    others = [cards[place] for place in hidden]
    walk.chance.shuffle(others)
    for place, card in zip(hidden, others, strict=True):
        cards[place] = card
    return tuple(cards)


# -- nobody gets more than the game says -------------------------------------------------------------------------------


def pays_within_its_bound(game: AnyGame, rules: Any, work: int = 1_500, first: int = 0) -> float:
    """Return the most that came back for a chip of stake, in cents. More than the rules say is never paid.

    The shoes are numbered from `first`.
    """
    most = 0.0
    for number in numbers(first):
        if work <= 0:
            break
        for spot in game.spots:
            chance = random.Random(number)
            likes = chance.sample(game.actions, len(game.actions)) if number % 4 else ()
            walk = Walk(game, rules, [{spot: stake(rules, 2)}], poor_shoe(number), chance, likes)
            round = walk.deal()
            staked = stake(rules, 2)
            for seat, action in walk.moves(round):
                staked += round.cost(seat, action)
                round.apply(seat, action)
            settlement = round.settlement()
            assert settlement.staked(0) == staked, "what was staked is settled, to the cent"
            assert settlement.returned(0) * CHIP <= staked * rules.most_returned, "more comes back than the rules say"
            most = max(most, settlement.returned(0) * CHIP / staked)
            work -= walk.work
    return most


# -- every field of the rules does something ---------------------------------------------------------------------------


def variants(rules: Any) -> Iterator[tuple[str, Any]]:
    """Yield pairs of a field and rules that differ only there, where such rules are possible."""
    for field in fields(rules):
        for value in _others(getattr(rules, field.name)):
            try:
                yield field.name, replace(rules, **{field.name: value})
            except BadRules:
                continue


def scant(rules: Any, tries: int = 450) -> list[Any]:
    """Of rules drawn at random those that promise the least: too much is paid there soonest."""
    return sorted((_drawn(rules, random.Random(number)) for number in range(tries)), key=_promised)[: tries // 3]


def _promised(rules: Any) -> Cents:
    most: Cents = rules.most_returned
    return most


def _drawn(rules: Any, chance: random.Random) -> Any:
    """A third of the fields have another value, where such rules are possible."""
    for field in chance.sample(fields(rules), len(fields(rules))):
        if chance.random() < 1 / 3:
            try:
                rules = replace(rules, **{field.name: chance.choice(_others(getattr(rules, field.name)))})
            except BadRules:
                continue
    return rules


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [other for other in type(value) if other is not value]
    return [number for number in (0, 1, value - 1, value + 1, value // 2, value * 2, 500) if number != value]


def unused_fields(game: AnyGame, count: int = 150) -> set[str]:
    """Fields that can be changed without anything being different."""
    unused = {field.name for rules in game.rule_sets.values() for field in fields(rules)}
    for rules in game.rule_sets.values():
        told = cache(partial(_told, game, rules))
        for name, other in variants(rules):
            alike = (rules.seating, rules.decks) == (other.seating, other.decks)
            if name in unused and not (alike and all(told(n) == _told(game, other, n) for n in range(count))):
                unused.discard(name)
    return unused


def _told(game: AnyGame, rules: Any, number: int) -> list[Any]:
    stakes: list[Stakes] = [dict.fromkeys(game.spots, stake(rules, 2))] * min(2, rules.seating.most)
    walk = Walk(game, rules, stakes, poor_shoe(number), random.Random(number))
    round = walk.deal()
    story: list[Any] = [shown(round, len(stakes))]
    for move in walk.moves(round):
        round.apply(*move)
        story.append(shown(round, len(stakes)))
    return story


# -- what is refused or fails has not happened -------------------------------------------------------------------------


class EndingShoe:
    """A shoe that can be told to have no more cards than were asked for so far."""

    def __init__(self, cards: Shoe) -> None:
        self._cards = cards
        #: The places of the cards that were looked at.
        self.asked: frozenset[int] = frozenset()
        self.ends = False

    def __len__(self) -> int:
        return len(self._cards)

    def __getitem__(self, place: int, /) -> Card:
        if self.ends and place not in self.asked:
            raise IndexError(place)
        self.asked |= {place}
        return self._cards[place]


def survives_an_ending_shoe(game: AnyGame, rules: Any, work: int = 500) -> int:
    """How many actions failed for want of a card; after each the round was as before. None need to, where no answer
    brings a card."""
    failed = drew = 0
    for walk in walks(game, rules, work, "ends"):
        cards = EndingShoe(walk.cards)
        round, seats = walk.deal(cards), len(walk.stakes)
        assert cards.asked.issubset(round.taken), "a card was dealt that was not taken"
        for move in walk.moves(round):
            before, asked = shown(round, seats), cards.asked
            cards.ends = True
            try:
                round.apply(*move)
            except IndexError:
                failed += 1
                cards.ends = False
                assert shown(round, seats) == before, "an action that failed left something behind"
                round.apply(*move)
            cards.ends = False
            drew += not asked.issuperset(round.taken)
            assert cards.asked.issubset(round.taken), "a card was asked for that was not taken"
    assert failed or not drew, f"{game.name}: {drew} answers brought cards, and none failed when the shoe had no more"
    return failed


def names_its_ends(game: AnyGame, rules: Any, work: int = 1_500) -> None:
    """A stake that won, lost or came back is called so, and no other word stands for a gain here and a loss there."""
    signs = {Outcome.WIN: 1, Outcome.PUSH: 0, Outcome.LOSE: -1}
    for walk in walks(game, rules, work, "ends named"):
        round = walk.deal()
        for move in walk.moves(round):
            round.apply(*move)
        for line in round.settlement().lines:
            sign = (line.net > 0) - (line.net < 0)
            assert signs.setdefault(line.outcome, sign) == sign, f"{line.outcome} for {line.net}"


def refuses_who_is_no_seat(game: AnyGame, rules: Any) -> None:
    for walk in walks(game, rules, 40, "seats"):
        round = walk.deal()
        before = shown(round, len(walk.stakes))
        for seat in (True, False, 0.0, 1.0, "0", None, -1, len(walk.stakes)):
            for word in _words(round):
                assert round.refusal(seat, word) in (Refusal.NOT_SEATED, Refusal.ROUND_OVER)  # type: ignore[arg-type]
                try:
                    round.apply(seat, word)  # type: ignore[arg-type]
                except IllegalAction:
                    continue
                raise AssertionError(f"{seat!r} is no seat, and acted")
        assert shown(round, len(walk.stakes)) == before


#: Amounts that are not a stake.
NO_STAKES: tuple[Any, ...] = (0, -CHIP, CHIP // 2, CHIP + 1, float(CHIP), True, "100", None, float("nan"))


def bad_stakes(game: AnyGame, rules: Any) -> Iterator[list[Any]]:
    spot = game.spots[0]
    yield []
    yield [{}]
    yield [{"nowhere": CHIP}]
    yield [{spot: CHIP, "nowhere": CHIP}]
    yield [{spot: CHIP}] * (rules.seating.most + 1)
    for amount in NO_STAKES:
        yield [{spot: amount}]
    if fixed := rules.seating.fixed_stake:
        yield [{spot: 2 * fixed}]
        yield [{spot: fixed}, {spot: fixed + CHIP}]
