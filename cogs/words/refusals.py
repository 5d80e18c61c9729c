"""Every refusal as a sentence: what is wrong, and where possible what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from discord import app_commands

from cogs.words import N_, _, counted, exactly, number, safe, when
from data import (
    NEVER,
    AlreadyHeld,
    ChallengedBefore,
    DayClosed,
    DuelMoved,
    FieldClosed,
    Moved,
    MustKeep,
    NoSuchMember,
    NotBroke,
    NotInField,
    NotTaken,
    OutdatedTry,
    OverCap,
    OverDuelCap,
    OverReceived,
    PlayedBefore,
    ResetMoved,
    RoleInUse,
    ShopFull,
    StillDuelling,
    StillPlaying,
    TooFewHands,
    TooManyDuels,
    TooManySilenced,
    TooSoon,
    TooYoung,
    WareChanged,
)
from engine.games.contract import Refusal
from engine.tables.ports import (
    AlreadyDone,
    BankUnavailable,
    CannotPay,
    OnBreak,
    OutcomeUnknown,
    OverLimit,
    ResetAhead,
    Resetting,
    StakesStopped,
    StaleTable,
    StillSecret,
)
from engine.tables.refused import Reason, Refused

_REASONS: Final[Mapping[Reason, str]] = {
    Reason.OLD_BUTTON: N_("That button is out of date: the table has moved on. Nothing was changed."),
    Reason.NOT_SEATED: N_("You are not sitting at this table. **Join** gives you a seat for the next round."),
    Reason.NOT_YOUR_TURN: N_("It is not your turn."),
    Reason.ALREADY_DONE: N_("That press has already been counted, and it counts once."),
    Reason.NOT_WHOLE: N_("Stakes are whole chips."),
    Reason.BELOW_LIMIT: N_("Stakes here are from {smallest} to {largest}."),
    Reason.ABOVE_LIMIT: N_("Stakes here are from {smallest} to {largest}."),
    Reason.CANNOT_PAY: N_("You need {needed} but have {balance}."),
    Reason.CHIPS_IN_PLAY: N_(
        "You need {needed} but have {balance}. Your bet in another round ({staked}) is still in play."
    ),
    Reason.FIXED_STAKE: N_("The stake at this table is fixed: always {stake}."),
    Reason.UNKNOWN_SPOT: N_("Nobody can stake on that at this table."),
    Reason.ALREADY_STAKED: N_("You have already staked for this round."),
    Reason.ROUND_RUNNING: N_("A round is being played. You can stake when it is over."),
    Reason.OPENER_DEALS: N_(
        "Only the person who opened this table can deal early; otherwise the cards come when time is up."
    ),
    Reason.NOTHING_STAKED: N_("Nobody has staked yet."),
    Reason.NO_PROMISE: N_(
        "The next rounds could not be sealed in this channel yet, so nobody can bet. Nothing was "
        "changed: try again in a moment."
    ),
    Reason.ALREADY_SEATED: N_("You are already sitting at this table."),
    Reason.TABLE_FULL: N_("All seats of this table are taken."),
    Reason.TABLE_SOLO: N_("This table is for one player."),
    Reason.NOT_INVITED: N_("This table is by invitation. You can watch it, and open one of your own."),
    Reason.TABLE_STARTED: N_("This table has begun; everyone there plays to the end with the chips they brought."),
    Reason.TABLE_CLOSED: N_("This table is closed. The command opens a new one."),
    Reason.CHANNEL_CLOSED: N_(
        "Discord lets me answer you here, but not write a message of my own, and a table needs one. The thread may be "
        "locked, or AutoMod may stop me: a moderator of this server can help. Nothing was changed."
    ),
    Reason.TABLE_BUSY: N_("There is already a table of this game in this channel."),
    Reason.TABLES_OF_MEMBER: N_(
        "{most} tables that you opened are still open, the most one person can have. Try again when one has closed."
    ),
    Reason.TABLES_OF_CHANNEL: N_("This channel is full: {most} tables are open. Try another channel."),
    Reason.TABLES_OF_GUILD: N_("This server is full: {most} tables are open. Try again when one has closed."),
    Reason.TABLES_OF_PROCESS: N_("The casino is full: {most} tables are open. Try again in a while."),
    Reason.UNKNOWN_RULES: N_("There is no rule set called **{name}** here. `/rules` lists them."),
    Reason.SIGN_UP_OVER: N_("Sign-up for that tournament is over."),
    Reason.SIGNED_UP: N_("You have already signed up for that tournament."),
    Reason.NOT_SIGNED_UP: N_("You have not signed up for that tournament."),
    Reason.TOO_FEW: N_("A tournament takes two people or more."),
    Reason.TOURNAMENTS_OF_GUILD: N_(
        "This server already has {most} tournaments planned or in play, the most it can have. Cancel "
        "one, or wait until one is over."
    ),
    Reason.ENTRANTS_OF_TOURNAMENT: N_("That tournament is full: {most} people have signed up."),
    Reason.NO_SUCH_TOURNAMENT: N_("There's no tournament here for that. `/tournament list` shows them all."),
    Reason.STAKES_STOPPED: N_("New bets are paused while a problem is fixed. Open rounds go on."),
    Reason.FORGOTTEN: N_("You were forgotten here a moment ago. Nothing was changed: press again to start over."),
    Reason.ON_BREAK: N_(
        "You are taking a break {until}, as you decided in `/settings`. Nothing new is staked or given away until it "
        "ends; a hand that has begun goes on."
    ),
    Reason.OVER_LIMIT: N_(
        "That would go past a limit that you set yourself: `/settings` shows it. A hand that has begun goes on."
    ),
    Reason.RESET_AHEAD: N_(
        "No new buy-ins and no challenges for chips {until}: then everybody here gets the same number of chips."
    ),
    Reason.RESETTING: N_(
        "Everybody's chips here are being set to the same amount. Yours are next, as soon as what you have in "
        "play is over; then you can bet again."
    ),
    Reason.BANK_UNAVAILABLE: N_("The bank can't save anything right now. Nothing was changed: try again in a moment."),
}

_ILLEGAL: Final[Mapping[Refusal, str]] = {
    Refusal.ROUND_OVER: N_("This round is over."),
    Refusal.NOT_SEATED: N_("You are not in this round."),
    Refusal.NOT_YOUR_TURN: N_("It is not your turn."),
    Refusal.NOT_OFFERED: N_("The rules of this table don't allow that."),
    Refusal.FIRST_ACTION_ONLY: N_("That is only possible as the first action of a hand."),
    Refusal.TWO_CARDS_ONLY: N_("That is only possible on the first two cards."),
    Refusal.NOT_A_PAIR: N_("You need a pair for that."),
    Refusal.TOO_MANY_HANDS: N_("You have split as often as this table allows."),
    Refusal.NOT_AFTER_SWAP: N_("That is not possible after a swap."),
    Refusal.ALREADY_ANSWERED: N_("You have already answered."),
    Refusal.INSURANCE_FIRST: N_("First everyone says whether they want insurance."),
    Refusal.NOT_NOW: N_("That is not possible now."),
    Refusal.CANNOT_PAY: N_("You don't have the chips for that."),
}

#: The sentences for errors of discord.py about a command itself.
_COMMANDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (
        app_commands.TransformerError,
        N_("One of the options is not what Discord said it was. Choose it again from the list that Discord offers."),
    ),
    (
        app_commands.CommandNotFound,
        N_("That command is gone. Restart Discord (Ctrl-R on a computer) to see the current commands."),
    ),
    (
        app_commands.CommandSignatureMismatch,
        N_("That command has changed. Restart Discord (Ctrl-R on a computer) to see the current commands."),
    ),
)

#: The sentence of each exception, filled with its values. The first class that fits is used.
_BANK: Final[tuple[tuple[type[Exception], str], ...]] = (
    (CannotPay, N_("You don't have that many chips.")),
    (OnBreak, _REASONS[Reason.ON_BREAK]),
    (OverLimit, _REASONS[Reason.OVER_LIMIT]),
    (ResetAhead, _REASONS[Reason.RESET_AHEAD]),
    (Resetting, _REASONS[Reason.RESETTING]),
    (ResetMoved, N_("There is a reset already, or it has begun or was withdrawn: `/casino reset` shows it.")),
    (AlreadyDone, _REASONS[Reason.ALREADY_DONE]),
    (StaleTable, _REASONS[Reason.OLD_BUTTON]),
    (OverReceived, N_("That is more than one person may receive in a day. They can still be given {left}.")),
    (OverCap, N_("That's over the daily gift limit. You can still give {left}.")),
    (TooSoon, N_("You can do that again {again}.")),
    (TooYoung, N_("Your account is too new for that, or you joined this server too recently. Try again {again}.")),
    (TooFewHands, N_("You can give chips once you have finished {needed} hands on this server. So far: {finished}.")),
    (MustKeep, N_("A gift has to leave you at least {kept}.")),
    (WareChanged, N_("That is not sold like this any more. Nothing was changed: open `/shop` again.")),
    (
        RoleInUse,
        N_("That role already has another use: `/shop` sells it, a champion gets it, or a message pings it."),
    ),
    (ShopFull, N_("A server can sell at most {most} roles.")),
    (AlreadyHeld, N_("You have that role already. Nothing was changed.")),
    (Moved, N_("Those chips are moving this very moment. Try again.")),
    (NotBroke, N_("Help is for players who have next to nothing left.")),
    (NoSuchMember, N_("Nobody by that name plays here.")),
    (StillDuelling, N_("You have a duel that is not over. It ends within a day; `/duel` shows it.")),
    (
        StillPlaying,
        N_(
            "You are still on the list of an open table, or of a tournament that is not over. Leave it, or wait for "
            "its end, and ask again."
        ),
    ),
    (StillSecret, N_("That round is still being played: its seed is revealed when it is over.")),
    (DayClosed, N_("That day is closed: it can no longer be played for points.")),
    (OutdatedTry, N_("That button is out of date: your hand has moved on. Nothing was changed.")),
    (FieldClosed, N_("These cards can't be played now: they aren't dealt yet, or their time is over.")),
    (NotInField, N_("You haven't signed up for this tournament, so these cards aren't yours to play.")),
    (DuelMoved, N_("That duel has moved on. Nothing was changed: `/duel` shows your duels.")),
    (NotTaken, N_("They are not taking that challenge. Ask for a duel for fun, or ask somebody else.")),
    (
        ChallengedBefore,
        N_("There is an open challenge between you two already: `/duel` shows it, on the server where it was made."),
    ),
    (TooManyDuels, N_("Three open challenges and three running duels are the most that one person can have.")),
    (
        TooManySilenced,
        N_(
            "You have stopped the challenges and invitations of a hundred people, the most there can be. Nothing was "
            "changed: `/settings` can stop everybody's."
        ),
    ),
    (
        OverDuelCap,
        N_("For one of you, that is more than a person may give or receive in a day, gifts and duels together."),
    ),
    (PlayedBefore, N_("You asked to be forgotten today. You can play Today's five again from tomorrow.")),
    (StakesStopped, _REASONS[Reason.STAKES_STOPPED]),
    (BankUnavailable, _REASONS[Reason.BANK_UNAVAILABLE]),
    (
        OutcomeUnknown,
        N_("The bank didn't say whether that was saved. The table shows what counts; press again if need be."),
    ),
)


class Sorry(Exception):
    """Raised for something that cannot be done, with the (translated) sentence that says so."""


def sentence(error: BaseException) -> str | None:
    """Return the sentence for an error, or None if it is an unexpected one."""
    if isinstance(error, Sorry):
        return str(error)
    if isinstance(error, Refused):
        return _refused(error)
    return next((_(text, **_carried(error)) for kind, text in (*_BANK, *_COMMANDS) if isinstance(error, kind)), None)


def _carried(error: BaseException) -> dict[str, str]:
    if isinstance(error, OverCap):
        return {"left": counted(error.left)}
    if isinstance(error, ShopFull):
        return {"most": number(error.most)}
    if isinstance(error, MustKeep):
        return {"kept": counted(error.kept)}
    if isinstance(error, TooFewHands):
        return {"needed": number(error.needed), "finished": number(error.finished)}
    if isinstance(error, OnBreak | ResetAhead):
        return {"until": ends(error.until)}
    return {"again": when(error.again)} if isinstance(error, TooSoon | TooYoung) else {}


def _refused(error: Refused) -> str:
    if error.reason is Reason.ILLEGAL:
        refusal = error.details["refusal"]
        return _(_ILLEGAL[refusal])
    if error.reason is Reason.CANNOT_PAY and not error.details:
        return _(_ILLEGAL[Refusal.CANNOT_PAY])  # only the bank could know
    return _(_REASONS[error.reason], **{name: _shown(value) for name, value in error.details.items()})


def ends(until: float) -> str:
    """Return the words for how long a break or another pause lasts: until a moment, or for good (`NEVER`)."""
    return _("for good") if until == NEVER else _("until {moment}", moment=exactly(until))


def _shown(value: Any) -> str:
    """Return a value of a refusal as people read it: an int is an amount, a float a moment, anything else a text."""
    if isinstance(value, float):
        return ends(value)
    return counted(value) if isinstance(value, int) else safe(str(value))
