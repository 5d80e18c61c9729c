"""Honest records of all games and both schemes, as many as one likes: the same number, the same record."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields, replace
from enum import Enum
from random import Random
from typing import Any, Final

from engine.fairness import chain, commitment
from engine.fairness.chain import Promise
from engine.fairness.draws import Drawing, Draws
from engine.fairness.lots import DrawPurpose, drawn_from
from engine.fairness.record import Player, RecordOne, RecordThree, RecordTwo
from engine.fairness.replay import lines_hash, outcome_hash, replay, sealed, sealed_as_called_off, stakes_back
from engine.fairness.tournaments import Ordered, Root, TableTip, TournamentLots
from engine.games import registry
from engine.games.blackjack.rules import (
    Ace,
    BlackjackRules,
    DealerCards,
    DealerDraws,
    Double,
    HandVerdict,
    Pays,
    Split,
    SplitAces,
    Turns,
)
from engine.games.cards import PACK
from engine.games.computer import LEVEL_VERSION
from engine.games.contract import BOTTOMLESS, CHIP, BadRules, By, Cents, Step

COMPUTERS = registry.game("blackjack").computers
#: The games of the first release: no other has a record of scheme 1, which is too weak for shorter ones.
FIRST = ("blackjack", "baccarat", "war")
LEVELS = ("amateur", "intermediate", "expert")
PHRASES = ("", "", "seven sevens", "rot-weiß", '🂡 and "quotes" \\ \t', "line\u2028end")


def three(number: int) -> RecordThree:
    """A sealed round of scheme 3: of a chain with a message of its own, or of one of many under a promise."""
    luck = Random(f"three {number}")
    slot = luck.choice([0, luck.randint(1, chain.SLOTS)])
    path = tuple(luck.randbytes(32).hex() for _ in range(chain.DEPTH)) if slot else ()
    root = luck.randbytes(32)
    before = _begun(luck, root)
    tip = chain.folded(chain.tip_of(root), slot, path)
    values = {field.name: getattr(before, field.name) for field in fields(before) if field.init}
    record = RecordThree(**(values | {"promise": replace(before.promise, tip=tip), "slot": slot, "path": path}))
    return sealed(_played(luck, record))  # type: ignore[return-value]


def two(number: int, *, root: bytes | None = None) -> RecordTwo:
    """A sealed round of scheme 2."""
    luck = Random(f"two {number}")
    return sealed(_played(luck, _begun(luck, root)))


def _begun(luck: Random, root: bytes | None = None) -> RecordTwo:
    """A round of scheme 2 before its first step."""
    game, rules_name, rules = _rules(luck, registry.GAMES)
    root = luck.randbytes(32) if root is None else root
    place = luck.randint(1, chain.LENGTH)
    ids = [luck.randrange(1 << 60, 1 << 63) for _ in range(3)]
    stakes = _stakes(luck, game, rules)
    players = tuple(_player(luck, game) for _ in stakes)
    alone = sum(player.person for player in players) == 1
    return RecordTwo(
        promise=Promise(chain.tip_of(root), *ids),
        number=place,
        game=game,
        rules_name=rules_name,
        rules=rules.as_json(),
        phrase=luck.choice(PHRASES) if alone else "",
        seed=chain.seed_of(root, place),
        players=players,
        stakes=stakes,
        previous=luck.choice(["", luck.randbytes(32).hex()]),
        root=luck.choice(["", root.hex()]),
    )


def one(number: int) -> RecordOne:
    """A finished round of scheme 1."""
    luck = Random(f"one {number}")
    game, rules_name, rules = _rules(luck, FIRST)
    seed = luck.randbytes(32)
    record = RecordOne(
        game=game,
        rules_name=rules_name,
        rules=rules.as_json(),
        seed=seed,
        stakes=_stakes(luck, game, rules),
        inputs=tuple(luck.choice([str(luck.getrandbits(60)), *PHRASES]) for _ in range(luck.randint(0, 5))),
        commitment=commitment(seed),
    )
    record = _played(luck, record)
    return replace(record, outcome=outcome_hash(replay(record)))


def _rules(luck: Random, games: Iterable[str]) -> tuple[str, str, Any]:
    """A built-in rule set, or some of one's own."""
    game = luck.choice(["blackjack", "blackjack", *games])
    known = registry.game(game).rule_sets
    if game == "blackjack" and luck.random() < 0.5:
        return game, "our own", _own_rules(luck)
    name = luck.choice(list(known))
    return game, name, known[name]


#: Fields of the rules that came after records were first made like this.
_NAMES: Final = [field.name for field in fields(BlackjackRules)]
_LATER: Final = fields(BlackjackRules)[_NAMES.index("dealer_cards") + 1 :]


def _own_rules(luck: Random) -> BlackjackRules:
    """Draw rules. Later fields have chance of their own, so that the other records stay as they are."""
    later = Random(repr(luck.getstate()[1][:2]))
    while True:
        try:
            return BlackjackRules(
                **{field.name: later.choice(_choices(field.default)) for field in _LATER},
                decks=luck.randint(1, 8),
                natural_pays=luck.choice(list(Pays)),
                natural_against_natural=luck.choice(list(HandVerdict)),
                natural_against_21=luck.choice(list(HandVerdict)),
                made_21_against_natural=luck.choice(list(HandVerdict)),
                dealer_looks=luck.random() < 0.5,
                dealer_draws=luck.choice(list(DealerDraws)),
                ace=luck.choice(list(Ace)),
                double=luck.choice(list(Double)),
                split=luck.choice(list(Split)),
                split_hands=luck.randint(2, 4),
                split_aces=luck.choice(list(SplitAces)),
                swap=luck.random() < 0.3,
                insurance=luck.random() < 0.5,
                surrender=luck.random() < 0.5,
                turns=luck.choice(list(Turns)),
                most_seats=luck.randint(1, 7),
                dealer_cards=list(DealerCards)[luck.getstate()[1][0] % 2],
            )
        except BadRules:
            pass


def _choices(usual: object) -> list[Any]:
    return [False, True] if isinstance(usual, bool) else list(type(usual)) if isinstance(usual, Enum) else [usual]


def _stakes(luck: Random, game: str, rules: Any) -> tuple[dict[str, Cents], ...]:
    spots, seating = registry.game(game).spots, rules.seating
    if len(spots) > 1:
        return tuple(
            {spot: luck.randint(1, 99) * CHIP for spot in luck.sample(spots, luck.randint(1, len(spots)))}
            for _ in range(luck.randint(1, min(6, seating.most)))
        )
    seats = range(luck.randint(1, seating.most))
    return tuple({"main": seating.fixed_stake or luck.randint(1, 99) * CHIP} for _ in seats)


def _player(luck: Random, game: str) -> Player:
    if game != "blackjack" or luck.random() < 0.5:
        return Player()
    return Player(luck.choice(LEVELS), LEVEL_VERSION)


def _played(luck: Random, record: Any) -> Any:
    """Return the round after steps that bring it to its end."""
    again = replay(record, 0)
    purses: list[Cents | None] = []
    while not again.over:
        seat = luck.choice(again.asked)
        step, purse = _step(luck, record, again, seat)
        again.apply(step.seat, step.action, step.by)
        purses.append(purse)
    record = replace(record, steps=tuple(again.steps))
    return replace(record, purses=tuple(purses)) if isinstance(record, RecordTwo) else record


def _step(luck: Random, record: Any, again: Any, seat: int) -> tuple[Step, Cents | None]:
    if isinstance(record, RecordTwo) and not record.players[seat].person:
        purse = luck.choice([None, 0, luck.randint(0, 120) * CHIP])
        thought = COMPUTERS[record.players[seat].level](again, seat, BOTTOMLESS if purse is None else purse)
        return Step(seat, thought, By.COMPUTER), purse
    if luck.random() < 0.1:
        return Step(seat, again.timeout(seat), By.CLOCK), None
    return Step(seat, luck.choice(again.legal(seat)), By.MEMBER), None


def called_off(number: int) -> RecordOne | RecordTwo:
    """A round that was open when a backup was made that was restored later."""
    luck = Random(f"called off {number}")
    kinds = (one, two, two, three)
    while not (record := luck.choice(kinds)(luck.randrange(1 << 30))).steps:
        pass
    left = luck.randrange(len(record.steps))
    if isinstance(record, RecordOne):
        begun = replace(record, steps=record.steps[:left])
        return replace(begun, outcome=lines_hash(stakes_back(begun)))
    return sealed_as_called_off(replace(record, steps=record.steps[:left], purses=record.purses[:left]))


# -- dishonest ones ----------------------------------------------------------------------------------------------------


#: The forgeries, by the remainder of the number of a dishonest record.
KINDS = (one, two, three, three)


def spoilt(number: int) -> str:
    """The text of a record that was tampered with: a character, a field, or a field with the hash recomputed."""
    luck = Random(f"spoilt {number}")
    record = KINDS[number % 4](number)
    how = luck.choice([_other_character, _other_field, _other_field_resealed, _forged, _forged])
    return how(luck, record)


def _other_character(luck: Random, record: Any) -> str:
    text = record.to_json()
    place = luck.randrange(len(text))
    return text[:place] + luck.choice(["", text[place] * 2, *'[]{}",:0e-.\\ 1a']) + text[place + 1 :]


def _other_field(luck: Random, record: Any) -> str:
    """Any value anywhere, replaced by another record's, or by one that nobody expects."""
    fields = json.loads(record.to_json())
    at, path = fields, luck.choice(list(fields))
    while isinstance(at[path], dict | list) and at[path] and luck.random() < 0.7:
        at = at[path]
        path = luck.choice(list(at)) if isinstance(at, dict) else luck.randrange(len(at))
    other = json.loads({1: one, 2: two, 3: three}[record.version](luck.randrange(1000)).to_json())
    nasty = [None, True, 0, -1, 1, 7, 100, 2**53, "", "x", [], {}, other.get(path) if isinstance(path, str) else 1]
    at[path] = luck.choice(nasty)
    return json.dumps(fields, ensure_ascii=False)


def _other_field_resealed(luck: Random, record: Any) -> str:
    """The same by somebody who knows how a record is hashed, whatever the field has become."""
    fields = json.loads(_other_field(luck, record))
    if "hash" in fields:
        hashed = {name: value for name, value in fields.items() if name not in ("hash", "root", "path")}
        fields["hash"] = hashlib.sha256(chain.canonical(hashed).encode()).hexdigest()
    return json.dumps(fields, ensure_ascii=False)


def _forged(luck: Random, record: Any) -> str:
    """A record that agrees with its own hash, and with less else."""
    if isinstance(record, RecordOne):
        return replace(record, inputs=(*record.inputs, "one more")).to_json()
    steps, purses, players = record.steps, record.purses, record.players
    other = two(luck.randrange(1000))
    forged = replace(
        record,
        **luck.choice(
            [
                {"cards": record.cards[::-1]},
                {"payments": record.payments[:-1]},
                {"payments": tuple(line._replace(returned=line.staked) for line in record.payments)},
                {"payments": stakes_back(record)},
                {"payments": stakes_back(record), "steps": steps[:-1], "purses": purses[:-1]},
                {"promise": replace(record.promise, message=luck.getrandbits(62))},
                {"phrase": "another"},
                {"previous": "ab" * 32},
                {"rules": {**record.rules, "decks": luck.randint(1, 8)}},
                {"steps": steps[:-1], "purses": purses[:-1]},
                {"steps": (*steps, Step(0, "stand")), "purses": (*purses, None)},
                {"seed": other.seed, "number": other.number, "promise": other.promise, "root": ""},
                {"players": tuple(replace(who, level="amateur") if who.level else who for who in players)},
                {"players": tuple(replace(who, version=2) if who.level else who for who in players)},
                {"players": (Player("perfect", 1), *players[1:])},
                {"purses": tuple(0 if step.by is By.COMPUTER else None for step in steps)},
                {"root": "00" * 32},
                *(_other_place(record) if isinstance(record, RecordThree) else ()),
            ]
        ),
    )
    return replace(forged, hash=forged.hashed()).to_json()


def _other_place(record: RecordThree) -> list[dict[str, Any]]:
    """Another place under the promise."""
    path = record.path or ("ab" * 32,) * chain.DEPTH
    return [
        {"slot": record.slot % chain.SLOTS + 1, "path": path},
        {"slot": record.slot or 1, "path": (path[1], path[0], *path[2:])},
        {"slot": record.slot or 1, "path": ("ab" * 32, *path[1:])},
    ]


# -- draws -------------------------------------------------------------------------------------------------------------


def draws(number: int) -> Draws:
    """All that was drawn at an elimination table that is over."""
    luck = Random(f"draws {number}")
    root, table = luck.randbytes(32), luck.randrange(1 << 62)
    slot = luck.choice([0, luck.randint(1, chain.SLOTS)])
    path = tuple(luck.randbytes(32).hex() for _ in range(chain.DEPTH)) if slot else ()
    tip = chain.folded(chain.tip_of(root), slot, path)
    promise = Promise(tip, *(luck.randrange(1 << 60, 1 << 63) for _ in range(3)))
    drawings = []
    for draw in range(1, luck.randint(1, 30)):
        seats, wanted = luck.sample(range(4), luck.randint(2, 4)), luck.choice(list(DrawPurpose))
        deck = chain.lots_deck(chain.lots_of(root), promise.message, table, draw)
        drawings.append(Drawing(draw, wanted, drawn_from(deck, seats, wanted)))
    return Draws(promise, table, root, tuple(drawings), slot, path)


def lots(number: int) -> TournamentLots:
    """Return everything that the roots of a tournament decided."""
    luck = Random(f"lots {number}")
    roots = [luck.randbytes(32) for _ in range(luck.randint(1, 2))]
    ids = [str(luck.randrange(1 << 60, 1 << 63)) for _ in range(4 + len(roots))]
    orders, tables = [], []
    for stage in range(1, luck.randint(2, 4)):
        at = luck.randrange(len(roots))
        names = [str(name) for name in sorted(luck.sample(range(1, 40), luck.randint(2, 30)))]
        names += [f"{stage}.{table}.4" for table in range(1, luck.randint(1, 12))]
        what = f"people of stage {stage}"
        drawn = chain.by_lot(chain.lots_of(roots[at]), ids[4 + at], ids[3], what, names)
        orders.append(Ordered(at, what, tuple(names), tuple(drawn)))
        for table in range(luck.randint(1, 3)):
            attempt = luck.randint(0, 2)
            tip = chain.tip_of(chain.table_root(roots[at], stage, table, attempt))
            tables.append(TableTip(at, stage, table, attempt, tip, luck.choice(["", ids[0]])))
    promises = tuple(Root(chain.tip_of(root), ids[4 + at], root.hex()) for at, root in enumerate(roots))
    return TournamentLots(*ids[:4], promises, tuple(orders), tuple(tables))


def spoilt_lots(number: int) -> str:
    """The same, tampered with."""
    luck = Random(f"spoilt lots {number}")
    found = lots(number)
    if luck.random() < 0.3:
        return _other_character(luck, found)
    fields = json.loads(found.to_json())
    order, table, promise = fields["orders"][0], luck.choice(fields["tables"]), fields["promises"][0]
    change = luck.choice(["names", "drawn", "what", "entrants", "message", "root", "attempt", "tip", "promise"])
    if change in ("names", "drawn"):
        order[change].reverse()
    elif change == "what":
        order["what"] = "people of stage 9"
    elif change == "entrants":
        fields["entrants"] = "7"
    elif change == "attempt":
        table["attempt"] += 1
    elif change == "promise":
        table["promise"] = 2
    else:
        (table if change == "tip" else promise)[change] = "7" if change == "message" else "ab" * 32
    return json.dumps(fields)


def spoilt_draws(number: int) -> str:
    """The same, tampered with."""
    luck = Random(f"spoilt draws {number}")
    found = draws(number)
    if luck.random() < 0.5:
        return _other_character(luck, found)
    fields = json.loads(found.to_json())
    if not fields["draws"] or luck.random() < 0.3:
        fields[luck.choice(["root", "tip"])] = luck.randbytes(32).hex()
    elif found.slot and luck.random() < 0.4:
        other = {"slot": found.slot % chain.SLOTS + 1, "path": [found.path[1], found.path[0], *found.path[2:]]}
        what = luck.choice(["slot", "path", "version", "no slot"])
        fields |= {"slot": 0, "path": []} if what == "no slot" else {what: other.get(what, 2)}
    else:
        drawing = luck.choice(fields["draws"])
        change = luck.choice(["number", "wanted", "cards", "seat"])
        if change == "number":
            drawing["number"] += 1
        elif change == "wanted":
            drawing["wanted"] = luck.choice(list(DrawPurpose)).value
        elif change == "cards":
            drawing["cards"][0][1] = luck.choice(PACK)
        else:
            drawing["cards"].pop()
    return json.dumps(fields)
