"""The bank: ledger, journal and everything else that must outlive the process."""

from data.audit import Fault, Report
from data.bank import Bank
from data.faults import (
    BadAddress,
    BadChange,
    NewerSchema,
    NoSuchMember,
    NotBroke,
    OverCap,
    StillPlaying,
    StillSecret,
    TakenOver,
    TooSoon,
    TooYoung,
)
from data.values import (
    Feeding,
    GuildSettings,
    Handout,
    HistoryPage,
    Job,
    Ladder,
    Leaderboard,
    MemberSettings,
    Played,
    RuleSet,
    Standing,
)

__all__ = [
    "BadAddress",
    "BadChange",
    "Bank",
    "Fault",
    "Feeding",
    "GuildSettings",
    "Handout",
    "HistoryPage",
    "Job",
    "Ladder",
    "Leaderboard",
    "MemberSettings",
    "NewerSchema",
    "NoSuchMember",
    "NotBroke",
    "OverCap",
    "Played",
    "Report",
    "RuleSet",
    "Standing",
    "StillPlaying",
    "StillSecret",
    "TakenOver",
    "TooSoon",
    "TooYoung",
]
