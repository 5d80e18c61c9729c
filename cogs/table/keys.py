"""The keys that all tables share, the stakes they offer, and how keys fit into rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import discord

from cogs.table.page import Cap, Key
from cogs.words import N_, _, chips, signed
from engine.games import registry as games
from engine.games.contract import CHIP, Cents, Stakes
from engine.tables.snapshot import Sitter, Snapshot, TablePhase

ButtonStyle = discord.ButtonStyle

JOIN: Final = Cap("join", N_("Join"), ButtonStyle.secondary)
LEAVE: Final = Cap("leave", N_("Leave"), ButtonStyle.secondary)
#: The key that stakes and deals. `CARDS` deals with the stakes that are on the table.
DEAL: Final = Cap("deal", N_("Deal"), ButtonStyle.success)
CARDS: Final = Cap("cards", N_("Deal"), ButtonStyle.success)
BET: Final = Cap("bet", N_("Bet"), ButtonStyle.primary)
AGAIN: Final = Cap("again", N_("Bet again"), ButtonStyle.secondary)
#: The keys of a lone player: the next hand for twice the stake, or half of it.
TWICE: Final = Cap("deal-twice", N_("x2"), ButtonStyle.secondary)
HALF: Final = Cap("deal-half", N_("1/2"), ButtonStyle.secondary)
#: The key of the odds, which answers only the presser and leaves the table as it is.
ODDS: Final = Cap("odds", N_("Odds"), ButtonStyle.secondary)

#: The stake offered to a newcomer, where the limits and the purse allow it.
USUAL: Final[Cents] = 10 * CHIP

#: The keys that any table may have. A game's own are in its presentation.
SHARED: Final = (JOIN, LEAVE, DEAL, CARDS, BET, AGAIN, TWICE, HALF, ODDS)

#: The sentences about what each key does, for `/help`.
SHARED_KEYS: Final = N_(
    "**Every table**\n"
    "**Deal**: same bet, next hand\n"
    "**x2**, **1/2**: double or half of your last bet, next hand\n"
    "**Bet**: choose how much\n"
    "**Bet again**: same bet, and the others are waited for\n"
    "**Join**, **Leave**: take or give up a seat"
)


def seat_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """Return the keys to join and to leave. While a round is in play, add the key to the odds if the table offers them.

    There is no key to join where only one person plays, unless they are leaving after the hand and may still stay.
    """
    number, seating = snapshot.to_come, snapshot.rules.seating
    keys = [Key(LEAVE, number)]
    playing = snapshot.phase is TablePhase.PLAYING
    stays = playing and any(sitter.leaving and sitter.member is not None for sitter in snapshot.sitters)
    if stays or (not snapshot.solo and seating.most > 1):
        taken = sum([sitter.member is not None or sitter.computer is not None for sitter in snapshot.sitters])
        begun = seating.stack and snapshot.round  # a table of stacks takes nobody in then (R5)
        keys.insert(0, Key(JOIN, number, enabled=stays or (taken < seating.most and not begun)))
    if snapshot.odds and playing:
        keys.append(Key(ODDS, snapshot.round, snapshot.turn, enabled=any(snapshot.legal)))
    return tuple(keys)


def offers_join(keys: Iterable[Key]) -> bool:
    """Return whether the key to join is among these keys and can be pressed."""
    return any(key.cap is JOIN and key.enabled for key in keys)


def alone(snapshot: Snapshot) -> Sitter | None:
    """Return the one person at the table, if there is just one."""
    people = [sitter for sitter in snapshot.sitters if sitter.member is not None]
    return people[0] if len(people) == 1 else None


def betting_keys(snapshot: Snapshot) -> tuple[Key, ...]:
    """Return the keys that stake on the next hand, with amounts where they are known.

    A lone player who has staked before also has keys for twice and half of that. A fixed stake has only one key. In all
    other cases the game must have just one spot.
    """
    number, lone = snapshot.to_come, alone(snapshot)
    if snapshot.rules.seating.fixed_stake:
        return (Key(DEAL, number, amount=chips(snapshot.rules.seating.fixed_stake)),)
    if lone is None or not lone.last_stakes:
        return Key(DEAL, number, amount=_everybodys(snapshot)), Key(BET, number)
    last = lone.last_stakes
    return (
        Key(DEAL, number, amount=chips(sum(last.values())), enabled=can_stake(snapshot, lone, last)),
        Key(TWICE, number, enabled=can_stake(snapshot, lone, times(last, 2))),
        Key(HALF, number, enabled=can_stake(snapshot, lone, times(last, 1 / 2))),
        Key(BET, number),
    )


def _everybodys(snapshot: Snapshot) -> str:
    """Return the amount that the key *Deal* stakes for people who have not staked yet; empty if the amounts differ.

    The game must have just one spot.
    """
    waiting = [sitter for sitter in snapshot.sitters if sitter.member is not None and not sitter.staked]
    (spot,) = games.game(snapshot.game).spots
    amounts = {usual(snapshot, sitter, spot) for sitter in waiting}
    return chips(amounts.pop()) if len(amounts) == 1 else ""


def usual(snapshot: Snapshot, sitter: Sitter, spot: str) -> Cents:
    """Return the usual stake on a spot: the player's stake on it in the last round that they staked on.

    If they had none on this spot, it is their highest stake of that round. If they never staked, it is `USUAL`, kept
    within the limits and the balance, but never below the smallest stake.
    """
    if sitter.last_stakes:
        return sitter.last_stakes.get(spot) or max(sitter.last_stakes.values())
    return max(snapshot.smallest, min(USUAL, snapshot.largest, sitter.balance) // CHIP * CHIP)


def times(stakes: Stakes, factor: float) -> Stakes:
    """Return each stake multiplied by the factor, rounded down to whole chips."""
    return {spot: int(cents // CHIP * factor) * CHIP for spot, cents in stakes.items()}


def can_stake(snapshot: Snapshot, sitter: Sitter, stakes: Stakes) -> bool:
    """Return whether the table's limits and the player's balance allow these stakes."""
    within = all(snapshot.smallest <= cents <= snapshot.largest for cents in stakes.values())
    return within and sum(stakes.values()) <= sitter.balance


def action_keys(snapshot: Snapshot, caps: Iterable[Cap], amounts: Mapping[str, str] | None = None) -> tuple[Key, ...]:
    """Return a key for each action (`caps`), enabled if any seat may take it now.

    Behind its label stands what the action costs, or its text in `amounts`.
    """
    may = {word for legal in snapshot.legal for word in legal}
    costs = {word: signed(cost) for word, cost in snapshot.costs.items()} | dict(amounts or {})
    return tuple(
        Key(cap, snapshot.round, snapshot.turn, amount=costs.get(cap.word, ""), enabled=cap.word in may) for cap in caps
    )


# -- rows of keys that no phone has to wrap ----------------------------------------------------------------------------

#: Widths on a phone of 390 points.
_ROOM: Final = 285  # a row
_ROUND_IT: Final = 28  # the part of a key around its label
_GAP: Final = 8  # between two keys
_LETTER: Final = 8  # most letters
_OTHER_LETTERS: Final = (
    dict.fromkeys("ijlI.,'’/| \u00a0\u202f", 4) | dict.fromkeys("frt", 6) | dict.fromkeys("mwMW", 12)
)

KeyRows = tuple[tuple[Key, ...], ...]


def in_rows(*meant: Iterable[Key], prices: Mapping[str, str] | None = None) -> KeyRows:
    """Return the keys in rows that a phone does not wrap. Keys that a row has no room for come below all others.

    Each argument is a row as it is meant. `prices` maps the word of a key's cap to an amount that the key shows only at
    times. Keys always keep room for these amounts, so that no key moves when one appears.
    """
    rows, below, to_place = list[list[Key]](), list[Key](), [list(row) for row in meant]
    while to_place:
        row, room, fit = to_place.pop(0), _ROOM + _GAP, 0
        for key in row:
            labels = {
                f"{_(key.cap.label)} {amount}".strip() for amount in (key.amount, (prices or {}).get(key.cap.word, ""))
            }
            widest = max(sum(_OTHER_LETTERS.get(letter, _LETTER) for letter in label) for label in labels)
            room -= _GAP + _ROUND_IT + widest
            if room < 0 and fit:
                break
            fit += 1
        rows.append(row[:fit])
        below += row[fit:]
        if below and not to_place:
            to_place, below = [below], []
    return tuple(tuple(row) for row in rows if row)
