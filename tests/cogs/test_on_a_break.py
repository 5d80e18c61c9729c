"""Somebody on a break types every command and presses every button of the running bot, and nothing begins for them.

A command or a kind of button that is new fails here until somebody says what a person on a break does with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import discord
import pytest
import simcord
from discord import app_commands
from sqlalchemy import text

from cogs.answers.client import Casino as Client
from cogs.table.presentation import presentation
from data import Length, LimitKind, Rest, Ware
from data.ledger import ledger
from data.people import breaks
from engine.games.contract import CHIP
from engine.games.registry import GAMES

from . import raw
from .conftest import Casino
from .tournament.test_tournament import plan

BUTTON, MENU = 2, 3

#: The options with which each command is typed: those that would stake, give, sign up or ask.
TYPED: Final[dict[str, list[dict[str, Any]]]] = {
    "baccarat": [{"bet": "10"}, {"bet": "10", "on": "tie"}, {"invite": "everybody"}, {}],
    "balance": [{}],
    "blackjack": [
        *({"bet": "10"}, {"bet": "10", "solo": True}, {"bet": "10", "ai": 2}),
        *({"rules": "four-seat"}, {"bet": "10", "rules": "four-seat", "solo": True}, {}),
        {"bet": "10", "invite": "computer players"},
    ],
    "casino audit": [{}],
    "casino close": [],  # an order about tables, which would end the others' hands
    **{
        name: [] for name in ("casino export", "casino import", "casino reset", "casino setup")
    },  # orders about settings
    "casino grant": [{"member": "bob", "amount": 5, "reason": "why"}],
    "casino rules": [{"name": "vegas"}],
    "casino take": [{"member": "bob", "amount": 5, "reason": "why"}],
    "daily": [{}],
    "duel": [{}, {"member": "bob", "stake": 10}, {"member": "bob"}, {"level": "expert"}],
    "elimination": [{}, {"budget": 10}],
    "give": [{"member": "bob", "amount": 10}],
    "help": [{}],
    "history": [{}],
    "leaderboard": [{}],
    "odds": [{}],
    "privacy": [],  # which leads to Forget me; tests/data/test_breaks.py has that
    "rules": [{}],
    "seed": [{}, {"phrase": "hello"}],
    "settings": [{}],
    "shop": [{}],
    "stats": [{}],
    "strategy": [{"rules": "kitchen"}],
    "today": [{}],
    "tournament cancel": [],  # an order
    "tournament join": [{}],
    "tournament leave": [{}],
    "tournament list": [{}],
    "tournament move": [],  # an order
    "tournament schedule": [],  # an order; one's own entry is refused as anybody's
    "tournament standings": [{}],
    "train": [{}, {"what": "run"}, {"what": "count"}],
    "verify": [{}],
    "war": [{"bet": "10"}, {}],
    # last: they forbid new accounts the daily chips
    "casino settings": [{"page": page} for page in ("tables", "language", "chips", "gifts", "messages", "roles")],
}

#: The most times that a command is typed, and a button pressed, to reach what is behind it.
_AGAIN: Final = 4

#: Kinds of buttons and forms that are not met on this walk, and why none of them begins anything.
NOT_MET: Final[dict[str, str]] = {
    **dict.fromkeys(("GiftButton", "GiftForm"), "They give as `/give` does, which is refused before it asks."),
    "AgainButton": "It opens a table as `/elimination` does: the bank refuses the seat.",
    "SureButton": "It plays a hand that has begun, after a warning.",
    **dict.fromkeys(("TryButton", "AnswerButton"), "They ask of past hands; `refuse_away` stands in front of both."),
    **dict.fromkeys(
        ("AnswerKey", "CountKey", "StopKey", "NextCardsKey", "WhyKey"),
        "They belong to a training that does not begin.",
    ),
    "InviteMenu": "It names guests of a table, which nobody on a break can open.",
    "NeverKey": "It takes no more calls of a person.",
    "AskKey": "It asks for a break for good to end, which tests/cogs/test_care.py does.",
    "ForGoodForm": "It begins a break.",
    **dict.fromkeys(
        (
            "EveningKey",
            "ListButton",
            "MotionKey",
            "PageButton",
            "PageKey",
            "RoundChoice",
            "SeasonMenu",
            "ShowKey",
            "StepButton",
        ),
        "They show what is past.",
    ),
    "HearKey": "It lets challenges through again, which a break still refuses.",
    **dict.fromkeys(("ListButton", "PageButton", "PageKey", "RoundChoice", "StepButton"), "They show past rounds."),
    **dict.fromkeys(("PlayKey", "ReplayKey"), "They begin a try, and `refuse_away` stands in front of that."),
    **dict.fromkeys(
        (
            "ActKey",
            "BoardKey",
            "DayMotionKey",
            "HandsKey",
            "OpenBoardKey",
            "OpenKey",
            "PastKey",
            "PastMenu",
            "RulesKey",
            "ShareKey",
            "TrainKey",
            "TurnKey",
        ),
        "They belong to a try that has begun or is over, or show boards.",
    ),
    "TellKey": "It gives a role that is called, and `refuse_away` stands in front of that.",
    "DayProofKey": "It hands out a past day.",
    **dict.fromkeys(
        (
            "AcceptKey",
            "AgainKey",
            "DealsKey",
            "DuelMotionMenu",
            "DuelActKey",
            "DuelForm",
            "DuelHandsKey",
            "PictureKey",
            "RefuseKey",
            "ShowDuelKey",
            "SilenceKey",
        ),
        "They belong to a challenge or a duel; tests/data/test_duels.py has what a break refuses there.",
    ),
    **dict.fromkeys(
        ("ActFieldKey", "FieldDealsKey", "FieldPlacesKey", "PlayFieldKey"),
        "They belong to a sign-up; tests/data/test_same_cards.py has what a break refuses there.",
    ),
    "DailyKey": "It takes free chips, which arrive.",
    "PrivacyButton": "It exports and forgets.",
    **dict.fromkeys(
        (
            "CalledMenu",
            "ClearKey",
            "ConfirmKey",
            "DropButton",
            "EarlierMenu",
            "FormButton",
            "HourMenu",
            "ImportButton",
            "OrderForm",
            "OrderKey",
            "RulesForm",
            "SaveButton",
            "SellForm",
            "SetupButton",
            "WithdrawKey",
        ),
        "Orders of managers.",
    ),
}


@dataclass
class Walk:
    casino: Casino
    who: simcord.MemberActor
    pressed: Counter[str] = field(default_factory=Counter)

    async def types(self, command: str, **options: Any) -> None:
        """A command, again and again until no button of its answers is left that was not pressed."""
        named = {name: self.casino.bob if value == "bob" else value for name, value in options.items()}
        for _ in range(_AGAIN):
            before = len(self.pressed)
            result = await self.who.slash(self.casino.channel, command, **named)
            for answer in (result.response, *result.followups):
                if answer is not None:
                    await self.presses_all(answer)
            if len(self.pressed) == before:
                return

    async def presses_all(self, message: Any) -> None:
        """Every button, menu and form of a message, and of what it becomes."""
        while parts := [part for part in raw.components(message) if self._is_pressed_again(part)]:
            await self.presses(message, min(parts, key=lambda part: self.pressed[part["custom_id"]]))

    def _is_pressed_again(self, part: dict[str, Any]) -> bool:
        """Keys that lead from page to page are pressed a few times, or others would never be reached."""
        word = part.get("custom_id")
        return word is not None and not part.get("disabled") and self.pressed[word] < _AGAIN

    async def presses(self, message: Any, part: dict[str, Any]) -> None:
        word = part["custom_id"]
        self.pressed[word] += 1
        if part["type"] == MENU:
            values = [option["value"] for option in part["options"]][-1:]
            await self.who.select(message, values, custom_id=word)
        elif part["type"] == BUTTON:
            (result,) = await raw.press(self.who, message, word)
            if result.modal is not None:
                await self.fills_in(message, result.modal)

    async def fills_in(self, message: Any, modal: dict[str, Any]) -> None:
        self.pressed[modal["custom_id"]] += 1
        boxes = [label["component"] for label in modal["components"]]
        await raw.submit(self.who, message, modal["custom_id"], {box["custom_id"]: "10" for box in boxes})

    async def presses_every_word(self) -> None:
        """Press every button that a table can have, on every table, even where it is not shown."""
        for table in self.casino.bot.registry.tables():
            snapshot, shown = table.snapshot(), presentation(table.snapshot().game)
            words = {*shown.handlers, *shown.asking, *table.game.actions, *table.game.spots, *_SHARED}
            message = next(each for each in self.casino.channel.history() if each.id == table.state.message)
            for word in sorted(words):
                for number in {snapshot.round, snapshot.to_come}:
                    custom_id = f"t:{table.id}:{number}:{snapshot.turn}:{word}"
                    self.pressed[custom_id] += 1
                    (result,) = await raw.press(self.who, message, custom_id)
                    if result.modal is not None:
                        await self.fills_in(message, result.modal)


_SHARED: Final = ("deal", "again", "twice", "half", "bet", "join", "stake", "x2", "minimum", "all-in", "other", "back")


async def begun(casino: Casino, user: int) -> list[str]:
    """Return what a person has begun: chips that left their wallets, sign-ups, seats."""
    member = (await casino.bot.bank.members.sign_in(casino.guild.id, user)).id
    async with casino.bot.bank._store.reading() as connection:
        paid = await connection.execute(
            text(f"SELECT reason FROM transfers WHERE source = 'member/{member}' OR source LIKE 'stack/%/{member}'")
        )
        duels = await connection.execute(text(f"SELECT id FROM duels WHERE {member} IN (challenger, challenged)"))
        entered = await connection.execute(text(f"SELECT tournament FROM entries WHERE member = {member}"))
        found = [*(row[0] for row in paid), *(f"tournament {row[0]}" for row in entered)]
        found += [f"duel {row[0]}" for row in duels]
    seats = casino.bot.registry.tables_of(casino.guild.id, user)
    return found + [f"a seat at {table.id}" for table in seats]


@pytest.fixture
async def evening(casino: Casino) -> Walk:
    """Bob has opened one table of everything, and a tournament takes people in."""
    role = casino.guild.create_role("Staff", permissions=discord.Permissions(manage_guild=True))
    carol = casino.guild.add_member(casino.env.create_user("carol"), roles=[role])
    await plan(casino, buy_in=20)
    await plan(casino)
    for game in GAMES:
        await casino.bob.slash(casino.channel, game)
    await casino.bob.slash(casino.channel, "elimination")
    await casino.bob.slash(casino.channel, "blackjack", rules="four-seat", solo=True)
    await carol.slash(casino.channel, "balance")
    await casino.bot.bank.shop.offer(casino.guild.id, Ware(casino.guild.create_role("Gold").id, 10 * CHIP))
    return Walk(casino, carol)


async def test_r13_4_nothing_begins_for_somebody_on_a_break_whatever_they_type_and_press(evening: Walk) -> None:
    casino, carol = evening.casino, evening.who
    await casino.bot.bank.breaks.begin(carol.id, Rest.EVERYTHING, Length.DAY)
    known = {
        command.qualified_name
        for command in casino.bot.tree.walk_commands(type=discord.AppCommandType.chat_input)
        if isinstance(command, app_commands.Command)
    }
    assert known == TYPED.keys(), "say what somebody on a break types there"
    for command, typed in TYPED.items():
        for options in typed:
            await evening.types(command, **options)
            assert await begun(casino, carol.id) == [], (command, options)
    for menu in casino.bot.tree.get_commands(type=discord.AppCommandType.user):
        await carol.context_menu(casino.channel, menu.name, casino.bob)
    for message in [each for each in casino.channel.history() if raw.components(each)]:
        await evening.presses_all(message)
        assert await begun(casino, carol.id) == [], message.id
    await evening.presses_every_word()
    assert await begun(casino, carol.id) == []
    _all_met(casino.bot, evening.pressed)


def _all_met(bot: Client, pressed: Iterable[str]) -> None:
    kinds = ((kind.__name__, kind.carries.pattern) for kind in (*bot.presses, *bot.forms))
    unmet = {name for name, pattern in kinds if not any(pattern.fullmatch(word) for word in pressed)}
    assert (sorted(unmet - NOT_MET.keys()), sorted(NOT_MET.keys() - unmet)) == ([], []), (
        "say why a kind begins nothing in a break"
    )


@pytest.mark.parametrize("limit", [None, LimitKind.LOSS_DAY, LimitKind.HANDS_DAY])
async def test_the_walk_would_notice_what_begins(evening: Walk, limit: LimitKind | None) -> None:
    """Without a break the same person stakes at once; a limit of nothing stops the stakes alone."""
    casino, carol = evening.casino, evening.who
    if limit is not None:
        await casino.bot.bank.limits.set(carol.id, limit, 0)
    await carol.slash(casino.channel, "war", bet="10")
    found = await begun(casino, carol.id)
    assert ("stake" in found) is (limit is None)


async def test_the_walk_would_notice_a_door_that_was_left_open(evening: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted bug: the bank debits without asking for a break, and lets people on one sit down."""
    monkeypatch.setattr(ledger, "DEBIT_MEMBER", ledger.DEBIT_BY_ORDER)
    monkeypatch.setattr(breaks, "_MAY_STAKE", breaks._MAY_PLAY)
    casino, carol = evening.casino, evening.who
    await casino.bot.bank.breaks.begin(carol.id, Rest.CHIPS, Length.DAY)
    await carol.slash(casino.channel, "war", bet="10")
    assert "stake" in await begun(casino, carol.id)
