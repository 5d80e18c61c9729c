"""Every no has a sentence, with every number in it."""

from __future__ import annotations

import pytest

from cogs.words.refusals import Sorry, sentence
from data import (
    NEVER,
    DayClosed,
    MustKeep,
    NoSuchMember,
    NotBroke,
    OutdatedTry,
    OverCap,
    OverReceived,
    PlayedBefore,
    ShopFull,
    StillDuelling,
    StillPlaying,
    TooFewHands,
    TooSoon,
    TooYoung,
)
from engine.games.contract import Refusal
from engine.tables.ports import (
    AlreadyDone,
    BankError,
    BankUnavailable,
    CannotPay,
    OnBreak,
    OutcomeUnknown,
    ResetAhead,
    StakesStopped,
    StillSecret,
)
from engine.tables.refused import REFUSALS, Reason, Refused
from engine.tables.values import Account, Kind

#: Values that a refusal can carry.
DETAILS = {
    "smallest": 100,
    "largest": 1_000_000,
    "balance": 300,
    "needed": 500,
    "staked": 700,
    "stake": 100,
    "name": "x",
    "most": "10",
    "until": 1_800_000_000.0,
}


@pytest.mark.parametrize("reason", [reason for reason in Reason if reason is not Reason.ILLEGAL])
def test_every_reason_has_a_sentence(reason: Reason) -> None:
    text = sentence(Refused(reason, **DETAILS))
    assert text
    assert text.endswith(".")
    assert "{" not in text


@pytest.mark.parametrize("refusal", list(Refusal))
def test_every_refused_action_has_a_sentence(refusal: Refusal) -> None:
    text = sentence(Refused(Reason.ILLEGAL, refusal=refusal))
    assert text
    assert text.endswith(".")


def test_the_numbers_are_chips() -> None:
    assert sentence(Refused(Reason.CANNOT_PAY, balance=99_000, needed=100_000)) == (
        "You need 1,000 chips but have 990 chips."
    )


def test_when_only_the_bank_knew_the_sentence_has_no_numbers() -> None:
    assert sentence(Refused(Reason.CANNOT_PAY)) == "You don't have the chips for that."


@pytest.mark.parametrize("kind", REFUSALS)
def test_every_refusal_by_the_bank_has_a_sentence_with_no_more_than_the_bank_says(kind: type[BankError]) -> None:
    carried = {CannotPay: Account(Kind.MEMBER, 1, "1"), OnBreak: 1_800_000_000.0, ResetAhead: 1_800_000_000.0}
    text = sentence(Refused.by(kind(*[carried[kind]] if kind in carried else [])))
    assert text
    assert "{" not in text


@pytest.mark.parametrize(
    "fault",
    [
        CannotPay(Account(Kind.MEMBER, 1, "1")),
        AlreadyDone(),
        StakesStopped(),
        BankUnavailable(),
        OutcomeUnknown(),
        Sorry("No."),
        OverCap(12_300),
        TooSoon(1_800_000_000.0),
        TooYoung(1_800_000_000.0),
        NotBroke("1"),
        NoSuchMember("1"),
        StillPlaying("1"),
        StillSecret("abcdef01"),
        DayClosed("20000"),
        OutdatedTry("1"),
        PlayedBefore("20000"),
    ],
)
def test_the_banks_faults_have_sentences(fault: Exception) -> None:
    assert sentence(fault)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (ShopFull(1_025), "A server can sell at most 1,025 roles."),
        (OverCap(12_350), "That's over the daily gift limit. You can still give 123.50 chips."),
        (
            OverReceived(100),
            "That is more than one person may receive in a day. They can still be given 1 chip.",
        ),
        (MustKeep(150_000), "A gift has to leave you at least 1,500 chips."),
        (
            TooFewHands(1_050, 7),
            "You can give chips once you have finished 1,050 hands on this server. So far: 7.",
        ),
        (TooSoon(1_800_000_000.9), "You can do that again <t:1800000000:R>."),
        (
            TooYoung(1_800_000_000.9),
            "Your account is too new for that, or you joined this server too recently. Try again <t:1800000000:R>.",
        ),
        (
            OnBreak(1_800_000_000.0),
            "You are taking a break until <t:1800000000:F>, as you decided in `/settings`. Nothing new is staked or "
            "given away until it ends; a hand that has begun goes on.",
        ),
        (
            OnBreak(NEVER),
            "You are taking a break for good, as you decided in `/settings`. Nothing new is staked or "
            "given away until it ends; a hand that has begun goes on.",
        ),
        (
            ResetAhead(1_800_000_000.0),
            "No new buy-ins and no challenges for chips until <t:1800000000:F>: then everybody here gets the same "
            "number of chips.",
        ),
        (StillDuelling("1"), "You have a duel that is not over. It ends within a day; `/duel` shows it."),
        (
            StillPlaying("1"),
            "You are still on the list of an open table, or of a tournament that is not over. Leave it, or wait for "
            "its end, and ask again.",
        ),
    ],
)
def test_a_sentence_says_what_its_fault_carries(fault: Exception, said: str) -> None:
    assert sentence(fault) == said


def test_what_nobody_foresaw_has_none() -> None:
    assert sentence(ZeroDivisionError()) is None
