"""Blackjack in every phase, each scene in the notation of `engine.games.blackjack.notation`."""

from __future__ import annotations

from typing import Any, Final

from engine.games.blackjack.notation import round_of
from engine.games.contract import CHIP
from engine.tables.snapshot import CloseReason, Sitter, Snapshot
from engine.tables.state import FreedFor, Invitation

from .scenes import BEN, CHLOE, DEADLINE, WAITS, at, before, closed, computer, person, stakes


def dealt(line: str, *sitters: Sitter, **more: Any) -> Snapshot:
    head = line.partition("|")[0].split("stake")[1]
    each = [stakes(int(amount)) for amount in head.split(",")]
    played = round_of(line)
    placed = each * len(played.view().seats) if len(each) == 1 else each
    return at("blackjack", line.split()[0], played, *sitters, placed=placed, **more)


ONE_WON = "vegas stake 10 | T Q / 9 8 | stand | dealer 9 8"
COMPANY = "vegas stake 10 | T 6, 9 9, 5 6 / 6 ?"

#: Why a table closes that is not an elimination table.
WHYS: Final = (CloseReason.LEFT, CloseReason.BROKE, CloseReason.IDLE, CloseReason.ADMIN)

SCENES: Final = {
    # before the first deal
    "a new table": before("blackjack", "vegas"),
    "a new table for one alone": before("blackjack", "vegas", solo=True),
    "one has staked, one has not": before(
        "blackjack", "vegas", person(staked=stakes(10)), person(BEN, 3), deadline=DEADLINE
    ),
    "computer players sit there too": before("blackjack", "kitchen", person(), computer(), computer("Bit", 3)),
    "a full table": before("blackjack", "vegas", *(person(101 + place, place) for place in range(1, 8))),
    "by invitation, nobody is invited yet": before(
        "blackjack", "vegas", invitation=Invitation(FreedFor.EVERYBODY, DEADLINE)
    ),
    "by invitation, then for everybody": before(
        "blackjack", "vegas", person(), person(BEN, 2),
        invitation=Invitation(FreedFor.EVERYBODY, DEADLINE, (BEN, CHLOE)),
    ),
    "by invitation, then for computer players": before(
        "blackjack", "vegas", invitation=Invitation(FreedFor.COMPUTERS, DEADLINE, (BEN,))
    ),
    "by invitation, computer players sit there": before(
        "blackjack", "vegas", person(), computer(), invitation=Invitation(FreedFor.COMPUTERS, None, (BEN,))
    ),
    "a table of fixed stakes": before("blackjack", "four-seat", person(balance=10)),
    # questions
    "the first two cards": dealt("vegas stake 10 | T 6 / 6 ?"),
    "a soft hand": dealt("vegas stake 10 | A 6 / T 6"),
    "a pair that may be split": dealt("vegas stake 10 | 8 8 / 6 ?"),
    "a pair that the purse does not split": dealt("vegas stake 10 | 8 8 / 6 ?", person(balance=15)),
    "after a hit": dealt("vegas stake 10 | 5 6 / 6 ? | hit 2"),
    "the second of two hands": dealt("vegas stake 10 | 8 8 / 6 ? | split 3 | stand T"),
    "a swap is offered": dealt("original stake 10 | 8 8 / 6 ?"),
    "after a swap": dealt("original stake 10 | 8 8 / 6 ? | swap 3"),
    "an ace, and insurance": dealt("vegas stake 10 | T 6 / A 6"),
    "an ace, and insurance for two": dealt("vegas stake 10 | T 6, 9 9 / A 6", person(), person(BEN, 2)),
    "insured, and the hand goes on": dealt("vegas stake 10 | T 6 / A 6 | insure"),
    "not insured": dealt("vegas stake 10 | T 6 / A 6 | decline"),
    "kitchen: one ace falls": dealt("kitchen stake 10 | A A / 6 T | hit 8"),
    "four-seat: asked in turn": dealt(
        "four-seat stake 1 | T 6, 9 5, 5 6, 2 3 / 6 ? | hit 2",
        person(balance=10, stacked=True), person(BEN, 2, 9, stacked=True), computer("Dot", 3), computer("Bit", 4),
    ),
    "four-seat: the round is over": dealt(
        "four-seat stake 1 | T 6, 9 5, 5 6, 2 3 / 6 T | stand | stand | stand | stand | dealer 6 T 2",
        person(balance=10, stacked=True), person(BEN, 2, 9, stacked=True), computer("Dot", 3), computer("Bit", 4),
    ),
    "company, the first is asked": dealt(COMPANY, person(), person(BEN, 2), computer("Dot", 4)),
    "company, a computer player is asked": dealt(
        f"{COMPANY} | stand | stand", person(), person(BEN, 2, leaving=True), computer("Dot", 4)
    ),
    "somebody waits for the next round": dealt(
        "vegas stake 10 | T 6 / 6 ?", person(), person(BEN, 2, seat=WAITS, staked=None), person(CHLOE, 5, seat=WAITS)
    ),
    # ends
    "won alone": dealt(ONE_WON),
    "lost alone": dealt("vegas stake 10 | T 7 / 9 T | stand | dealer 9 T"),
    "push": dealt("vegas stake 10 | T 9 / 9 T | stand | dealer 9 T"),
    "over 21": dealt("vegas stake 10 | T 6 / 6 T | hit T"),
    "a natural": dealt("vegas stake 10 | A K / 6 T"),
    "the dealer has a natural": dealt("vegas stake 10 | T 9 / A K | decline"),
    "insurance pays": dealt("vegas stake 10 | T 9 / A K | insure"),
    "insurance is lost": dealt("vegas stake 10 | T 9 / A 6 | insure | stand | dealer A 6"),
    "doubled and won": dealt("vegas stake 10 | 5 6 / 6 T | double T | dealer 6 T 9"),
    "surrendered": dealt("vegas stake 5 | T 6 / T 8 | surrender"),
    "split into two, one wins": dealt("vegas stake 10 | 8 8 / 6 T | split 3 | double T T | stand | dealer 6 T 4"),
    "split and doubled twice, one wins what the other loses": dealt(
        "vegas stake 10 | 8 8 / 6 T | split 3 | double T 3 | double 5 | dealer 6 T 4"
    ),
    "swapped and lost": dealt("original stake 10 | 8 8 / 6 T | swap 3 | stand | dealer 6 T 2"),
    "kitchen: level with the dealer": dealt("kitchen stake 10 | T 6 / T 6 | stand | dealer T 6"),
    "company, the dealer is over 21": dealt(
        "vegas stake 10, 20 | T Q, 9 9 / 6 T | stand | stand | dealer 6 T 9", person(), person(BEN, 2)
    ),
    "one person beside computer players, lost": dealt(
        "vegas stake 10 | T 6, 9 9, 5 6 / 6 ? | stand | stand | hit T | dealer 6 T 4",
        person(balance=990), computer("Dot", 2), computer("Bit", 3),
    ),
    "company, the next stake lies": dealt(
        "vegas stake 10, 20 | T Q, 9 9 / 6 T | stand | stand | dealer 6 T 5",
        person(staked=stakes(10)), person(BEN, 2), deadline=DEADLINE,
    ),
    "company, one has left": dealt(
        "vegas stake 10, 20 | T Q, 9 9 / 6 T | stand | stand | dealer 6 T 2",
        person(), Sitter(2, BEN, None, leaving=True),
    ),
    "company, the larger win is drawn as a large one": dealt(
        "vegas stake 99, 100 | T Q, 9 9 / 6 T | stand | stand | dealer 6 T 9", person(), person(BEN, 2)
    ),
    "company, one is out of time": dealt(
        "vegas stake 10 | T 6, 9 5 / 6 ? | time", person(), person(BEN, 2)
    ),
    "company, one has left, and the clock plays": dealt(
        "vegas stake 10 | T 6, 9 5 / 6 ? | time", person(leaving=True), person(BEN, 2)
    ),
    "company, one was out of time and lost": dealt(
        "vegas stake 10 | T 6, A 7 / 6 T | time | stand | dealer 6 T 4", person(), person(BEN, 2)
    ),
    "out of time alone": dealt("vegas stake 10 | A 8 / 6 T | time | dealer 6 T 4"),
    "21 of five cards": dealt("vegas stake 10 | 2 3 / 6 T | hit 4 | hit 5 | hit 7 | dealer 6 T 4"),
    "21 of six cards": dealt("vegas stake 10 | 2 3 / 6 T | hit 4 | hit 5 | hit 3 | hit 4 | dealer 6 T 4"),
    "21 of seven cards": dealt("vegas stake 10 | 2 2 / 6 T | hit 2 | hit 3 | hit 3 | hit 4 | hit 5 | dealer 6 T 4"),
    "21 of five cards, and the other hand doubled": dealt(
        "vegas stake 10 | 8 8 / 6 T | split 2 | hit 2 | hit 3 | hit 6 3 | double T | dealer 6 T 4"
    ),
    "swapped and won": dealt("original stake 10 | 8 8 / 6 T | swap J | stand | dealer 6 T K"),
    "another player was erased from the bank": before(
        "blackjack", "vegas", person(), Sitter(2, None, 7, balance=5 * CHIP)
    ),
    "a natural in company": dealt("vegas stake 10 | A K, T 9 / 6 T | stand | dealer 6 T 4", person(), person(BEN, 2)),
    # the table's end
    **{f"closed: {why.value}": closed(dealt(ONE_WON), why) for why in WHYS},
    "closed before a card was dealt": closed(before("blackjack", "vegas"), CloseReason.IDLE),
}  # fmt: skip
