"""An evening at the casino, for the gallery: what commands answer, what is refused, what forms ask, what comes unasked.

Everything is asked of the bot itself, in a channel of its own for each page of the gallery.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import discord
import simcord

from cogs.words import _, speaking
from engine.tables.snapshot import TablePhase
from engine.tables.table import Table
from tests.cogs import raw
from tests.cogs.conftest import Casino, is_promise, priced


@dataclass
class Corner:
    """A channel where one person asks for things, and what each message in it is."""

    casino: Casino
    channel: simcord.ChannelHandle
    who: simcord.MemberActor
    language: str
    names: dict[int, str] = field(default_factory=dict)

    async def asks(self, command: str, called: str = "", **options: Any) -> simcord.ResponseMessage:
        """The answer to a command."""
        people = self.casino.people
        given = {key: people.get(value, value) if key == "member" else value for key, value in options.items()}
        told = called or " ".join([f"/{command}", *(f"{key}:{value}" for key, value in options.items())])
        return self.keeps(await self.who.slash(self.channel, command, **given), told)

    def keeps(self, result: simcord.InteractionResult, name: str) -> simcord.ResponseMessage:
        assert result.response is not None, name
        self.names.setdefault(result.response.id, name)
        return result.response

    async def presses(
        self, where: Any, english: str, name: str = "", by: simcord.MemberActor | None = None
    ) -> simcord.InteractionResult:
        """A button by what it is called in English; what comes of it is kept where a name is given."""
        with speaking(self.language):
            label = priced(where, _(english))["label"]
        result = await (by or self.who).click(where, label=label)
        if name:
            self.keeps(result, name)
        return result

    @property
    def last(self) -> discord.Message:
        """The newest message of a table."""
        return next(message for message in reversed(self.channel.history()) if raw.components(message))

    @property
    def table(self) -> Table:
        """The one whose message that is."""
        return next(each for each in self.casino.bot.registry.tables() if each.state.message == self.last.id)

    def names_what_came(self) -> None:
        """Name the tables and promises that came without being asked for."""
        for message in self.channel.history():
            told = "the table" if raw.components(message) else "a promise" if is_promise(message) else "a call"
            self.names.setdefault(message.id, told)


async def some_rounds(casino: Casino) -> None:
    """Enough hands, good and bad, that there is something to tell."""
    ada, ben = casino.people["Ada"], casino.people["Ben"]
    await casino.blackjack(ada, bet=50)
    for number in range(8):
        while casino.snapshot.phase is TablePhase.PLAYING:
            wanted, pressable = ("No insurance", "Hit" if number % 2 else "Stand", "Stand"), casino.keys()
            await casino.click(next(key for key in wanted if key in pressable), ada)
        await casino.click("Deal", ada)
    await ben.slash(casino.channel, "daily")
    await ben.slash(casino.channel, "war", bet="20")


# -- what commands answer ----------------------------------------------------------------------------------------------

_COMMANDS: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {} for name in ("help", "balance", "daily", "leaderboard", "rules", "strategy", "stats", "history")},
    **{name: {} for name in ("verify", "seed", "settings", "privacy")},
}
_MANAGING: Final[Mapping[str, Mapping[str, Any]]] = {
    "help": {},
    "casino settings": {},
    "casino rules": {"name": "ours"},
    "casino grant": {"member": "Ben", "amount": 100, "reason": "birthday"},
    "casino take": {"member": "Ben", "amount": 100, "reason": "a mistake"},
    "casino audit": {},
    "casino close": {},
    "tournament schedule": {"time": "20:30", "buy_in": 100},
    "tournament list": {},
    "tournament standings": {},
    "balance": {"member": "Ada"},
}


async def players_pages(corner: Corner) -> None:
    for command, options in _COMMANDS.items():
        await corner.asks(command, **options)
    await corner.asks("leaderboard", by="winnings")
    await corner.asks("stats", member="Ben")
    await corner.asks("give", member="Ben", amount=25)
    given = await corner.asks("give", "given", member="Ben", amount=10)
    await corner.presses(given, "Give")
    tried = await corner.asks("stats", "a hand to try again")
    await corner.presses(tried, "Try again")
    answered = await corner.asks("stats", "a hand tried again")
    question = await corner.presses(answered, "Try again")
    key = next(part for part in raw.components(question.response or answered) if part["type"] == 2)
    await corner.who.click(question.response or answered, custom_id=key["custom_id"])


async def managers_pages(corner: Corner) -> None:
    for command, options in _MANAGING.items():
        await corner.asks(command, **options)


async def steps_of_a_round(corner: Corner) -> None:
    """/history, from the list into a round and on."""
    listed = await corner.asks("history", "one's rounds")
    menu = next(part for part in raw.components(listed) if part["type"] == 3)
    for name, further in (("the deal", 0), ("its first step", 1), ("its second step", 2)):
        for option in menu["options"]:
            page = await corner.asks("history")
            result = await corner.who.select(page, [option["value"]], custom_id=menu["custom_id"])
            if await _steps(corner, result, further):
                corner.names[page.id] = name
                break
            del corner.names[page.id]
    ben = corner.casino.people["Ben"]
    await corner.asks("war", bet="10")
    if corner.table.state.phase is TablePhase.PLAYING:
        await corner.presses(corner.last, "Surrender")
    corner.names_what_came()
    corner.keeps(await corner.who.context_menu(corner.channel, "Balance", ben), "right click on Ben: Balance")
    corner.keeps(await corner.who.context_menu(corner.channel, "Verify", corner.last), "right click on a table")


async def _steps(corner: Corner, result: simcord.InteractionResult, further: int) -> bool:
    """Take this many steps, or as many as there are."""
    for _step in range(further):
        assert result.response is not None
        with speaking(corner.language):
            if priced(result.response, _("Next")).get("disabled"):
                return False
        result = await corner.presses(result.response, "Next")
    return True


# -- the odds, and what comes unasked ----------------------------------------------------------------------------------


async def odds(corner: Corner) -> None:
    await corner.asks("blackjack", bet="25")
    await corner.asks("odds")
    corner.names_what_came()


async def a_call(corner: Corner) -> None:
    """Ada is called, for Ben waits."""
    casino = corner.casino
    ben = casino.people["Ben"]
    settings = await corner.asks("settings", "calls, wanted from now on")
    if _pressable(corner, settings, "Ping me when it's my turn"):  # it stays so from one language to the next
        await corner.presses(settings, "Ping me when it's my turn")
    await corner.asks("blackjack", bet="10")
    while corner.table.state.phase is TablePhase.PLAYING:
        keys = [part["label"] for part in raw.components(corner.last) if part["type"] == 2 and not part.get("disabled")]
        with speaking(corner.language):
            wish = next(word for word in ("No insurance", "Stand") if _(word) in keys)
        await corner.presses(corner.last, wish)
    await corner.presses(corner.last, "Join", by=ben)
    await corner.presses(corner.last, "Deal")
    await corner.presses(corner.last, "Deal", by=ben)
    await casino.env.advance_time(casino.settings.turn_seconds / 2 + 1)
    corner.names_what_came()


# -- what cannot be ----------------------------------------------------------------------------------------------------

_REFUSED: Final[Sequence[tuple[str, Mapping[str, Any]]]] = (
    ("blackjack", {"bet": "0"}),
    ("blackjack", {"bet": "-5"}),
    ("blackjack", {"bet": "1000000"}),
    ("blackjack", {"rules": "nonsense"}),
    ("baccarat", {"bet": "9999"}),
    ("elimination", {"rules": "nonsense"}),
    ("daily", {}),
    ("give", {"member": "Ada", "amount": 5}),
    ("give", {"member": "Ben", "amount": 1_000_000}),
    ("odds", {}),
    ("verify", {"round": "nonsense"}),
    ("rules", {"name": "nonsense"}),
    ("tournament join", {}),
    ("tournament schedule", {"time": "20:30"}),
)


async def refusals(corner: Corner) -> None:
    """Bad input, somebody else's turn, what one may not do."""
    for command, options in _REFUSED:
        await corner.asks(command, **options)
    ben = corner.casino.people["Ben"]
    await ben.slash(corner.channel, "war", bet="10")
    table = corner.last
    await corner.presses(table, "Deal" if _pressable(corner, table, "Deal") else "Go to war", "somebody else's table")
    await ben.slash(corner.channel, "blackjack", bet="10")
    if corner.table.state.phase is TablePhase.PLAYING:
        key = next(part for part in raw.components(corner.last) if part["type"] == 2 and not part.get("disabled"))
        corner.keeps(await corner.who.click(corner.last, custom_id=key["custom_id"]), "somebody else's turn")


def _pressable(corner: Corner, message: discord.Message | simcord.ResponseMessage, english: str) -> bool:
    with speaking(corner.language):
        return any(part.get("label", "").startswith(_(english)) for part in raw.components(message))


# -- what forms ask ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asking:
    """A command, and the buttons of its answer that open a form each."""

    who: str
    command: str
    options: Mapping[str, Any]
    labels: Sequence[str]


FORMS: Final = (
    Asking("Ada", "baccarat", {}, ("Banker",)),
    Asking(
        "Mona",
        "casino rules",
        {"name": "ours"},
        (
            "Cards and dealer",
            "Blackjacks and aces",
            "Double and split",
            "Insurance and turns",
            "Seats and stakes",
        ),
    ),
    Asking("Mona", "casino settings", {}, ("Time",)),
    Asking("Mona", "casino settings", {"page": "chips"}, ("Chips and stakes", "Currency")),
    Asking("Mona", "casino settings", {"page": "messages"}, ()),
)

#: The person who walks through a page, and the walk, by the name of the page.
PAGES: Final[Mapping[str, tuple[str, Callable[[Corner], Awaitable[None]]]]] = {
    "pages": ("Ada", players_pages),
    "managing": ("Mona", managers_pages),
    "history": ("Ada", steps_of_a_round),
    "odds": ("Ada", odds),
    "calls": ("Ada", a_call),
    "refused": ("Ada", refusals),
}
