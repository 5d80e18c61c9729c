"""Every no has a sentence, with every number in it."""

from __future__ import annotations

import pytest

from cogs.words.refusals import Sorry, sentence
from data import (
    DayClosed,
    NoSuchMember,
    NotBroke,
    OutdatedTry,
    OverCap,
    PlayedBefore,
    StillPlaying,
    TooSoon,
    TooYoung,
)
from engine.games.contract import Refusal
from engine.tables.ports import AlreadyDone, BankUnavailable, CannotPay, OutcomeUnknown, StakesStopped, StillSecret
from engine.tables.refused import Reason, Refused
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


def test_what_nobody_foresaw_has_none() -> None:
    assert sentence(ZeroDivisionError()) is None
