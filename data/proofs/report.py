"""The result of an audit: what was read, and the faults that were found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Wrong(StrEnum):
    """The kinds of fault, each with the sentence that reports it."""

    BALANCE = "a balance is not the sum of its transfers"
    NO_ACCOUNT = "transfers name an account that does not exist"
    NEGATIVE = "a balance is below zero"
    SUM = "a guild's accounts do not sum to zero"
    TRANSFER = "a transfer moves nothing, or nowhere, or for no reason"
    STRAY_STAKE = "a stake belongs to no open round"
    UNSETTLED = "a finished round's escrow is not empty and closed"
    RESULT = "a result is not what was staked and paid"
    STRANGER = "chips of somebody who was not in the round"
    OUTCOME = "a round's results are not those of its lines"
    LEFT = "a round was left before it ended"
    EARLY = "chips came out of a round before it ended"
    STEPS = "a round's steps have gaps"
    SCORE = "a member's score is not the sum of their rounds"
    TITLES = "a member's titles are not counted as they were won"
    POOL = "a tournament's pool is not what was bought in to it"
    REPLAY = "a round does not come out of its record"
    RULES = "the text of rules is not that of its hash"
    ACTOR = "who ordered a transfer is nobody here"
    DOCUMENT = "an open table claims what is not so"
    TOURNAMENT = "a tournament claims what is not so"
    CHAIN = "a promise is not that of its chain"
    JOB = "nobody is to look after an open tournament"
    HANDOUT = "daily chips or help were handed out too often"
    SHOWN = "a tournament's root was shown while one of its tables is open"
    BREAK = "a break is not as its person took it"
    LIMIT = "a limit is not as its person set it"
    ROLE = "a role is not as it was paid for or won"
    DAY = "cards that several people play do not follow from their chain"
    TRY = "a try does not come to what is stored of it"
    GRADES = "a day of a member is not the sum of its grades"
    SEASON = "a place in a season is not what its days come to"
    RESET = "a reset to equal chips is not as it was announced, or left somebody out"
    DUEL = "a duel is not what its stakes and its tries make of it"
    LEAF = "what was bound in a guild's book was changed since"
    CAUSE = "not every change of a table or tournament has its cause"
    PACK = "an old round is not as it was put away"
    NONSENSE = "what is stored cannot even be read"


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference between what is stored and what the transfers and the journal say it must be."""

    wrong: Wrong
    where: str  # the account, round or member
    guild: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.wrong.value}: {self.where} of guild {self.guild}: {self.found}, not {self.expected}"


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of rows that an audit has read, and the first faults that it found of each kind."""

    at: float
    accounts: int
    transfers: int
    rounds: int
    faults: tuple[Fault, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.faults
