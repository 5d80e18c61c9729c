"""Everything that can happen: people press, type nonsense, come and go; the world breaks.

Each event is drawn from its own number.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Final

import discord

from cogs.answers.time_limits import LOST
from cogs.background.seats import SeatChore
from data import Bank, Length, LimitKind, Rest, StoredTry, Trained
from engine.games import registry as games
from engine.games.blackjack.rules import FROM_FAR_END
from engine.games.computer import fresh_names
from engine.games.contract import CHIP
from engine.sets.tries import NEXT
from engine.stored_words import TOURNAMENT
from engine.tables.orders import Contender, EliminationOrder, Order
from engine.tables.ports import AlreadyDone, BankError, OutcomeUnknown
from engine.tables.refused import Reason, Refused
from engine.tables.snapshot import Snapshot, TablePhase
from engine.tables.state import FreedFor
from engine.tables.table import Table
from engine.tables.values import Chain, Member
from engine.tournament.order import TournamentOrder
from engine.tournament.state import Every
from engine.training.counting import COUNT, Count
from tests.simulate import crowds, disk, grading, messages
from tests.simulate import duels as duelling
from tests.simulate import resets as resetting
from tests.simulate.house import Process
from tests.simulate.judge import Broken, Judge, Told
from tests.simulate.roles import WARES

#: Ids as large as Discord's: *Forget me* takes an id out of documents, where a small one could be any other number.
USERS: Final = tuple(300_000_000_000_000_000 + number for number in range(1, 13))
#: Those who also take breaks, and those who set limits.
RESTING: Final = USERS[-4:-2]
LIMITED: Final = USERS[-2:]
LEVELS: Final = ("amateur", "intermediate", "expert", "perfect")
CHANNELS: Final = (1, 2, 3)
NONSENSE: Final = ("fold", "", "hit\0", "HIT", "double split", "🂡")


@dataclass
class Scene:
    """One event, while it happens."""

    process: Process
    judge: Judge
    chance: random.Random
    number: int
    _presses: int = 0
    told: str = ""
    _guild: int = field(init=False)

    def __post_init__(self) -> None:
        self._guild = self.process.guild

    @property
    def bank(self) -> Bank:
        return self.process.bank

    def press(self) -> int:
        """The id of an interaction: of this event, whatever happened before."""
        self._presses += 1
        return self.number * 100 + self._presses

    async def member(self) -> Member:
        return await self.bank.members.sign_in(self._guild, self.chance.choice(USERS))

    def table(self) -> Table | None:
        tables = self.process.registry.tables()
        return self.chance.choice(tables) if tables else None

    async def pressed_at(self, table: Table, name: str, *work: Awaitable[Any]) -> None:
        """Press at a table, whose answer shows how it is then."""
        presenter = self.process.presenter
        answer: Any = messages.Answer(self.process.line, table.state.message)
        with presenter.held(table):
            if await self.pressed(name, *work):
                await presenter.answer(answer, table)

    async def pressed(
        self, name: str, *work: Awaitable[Any], of_ledger: bool = False, repeatable: bool = False
    ) -> bool:
        """Remember what the presser was told. A doubled press is one: it counts if either half of it did.

        What a later step may do under the same name is only remembered when it was done.
        """
        told = [word for word in await asyncio.gather(*map(self._heard, work)) if word is not Reason.ALREADY_DONE]
        if told and "unknown" not in told and ("done" in told or not repeatable):
            self.judge.told.append(Told(name, counted="done" in told, of_ledger=of_ledger))
        return "done" in told

    async def _heard(self, work: Awaitable[Any]) -> str:
        disk = self.process.life.disk
        unknown = disk.untold
        try:
            await work
            word = "done"
        except Refused as refused:
            word = refused.reason
        except OutcomeUnknown:
            word = "unknown"
        except BankError as error:
            word = Reason.ALREADY_DONE if isinstance(error, AlreadyDone) else type(error).__name__
        self.told += f" {word}"
        # the table tries to read back what it was not told; where it cannot do even that, nobody can know
        return "unknown" if word == Reason.BANK_UNAVAILABLE and disk.untold != unknown else word


Event = Callable[[Scene], Awaitable[None]]


# -- tables ------------------------------------------------------------------------------------------------------------


async def opens(scene: Scene) -> None:
    """Somebody opens a table and stakes."""
    game = scene.chance.choice(list(games.GAMES.values()))
    press, member = scene.press(), await scene.member()
    rules = scene.chance.choice(sorted(game.rule_sets))
    channel = scene.process.guild + scene.chance.choice(CHANNELS)
    computers = scene.chance.choice((0, 0, 1, 3)) if game.computers else 0
    order = Order(
        press, scene.process.guild, channel, game.name, rules, member,
        solo=scene.chance.random() < 0.2, computers=computers, level=scene.chance.choice(LEVELS),
    )  # fmt: skip
    if game.name == "blackjack" and scene.chance.random() < 0.3:
        own = replace(game.rule_sets[rules], dealer_cards=FROM_FAR_END)
        order, rules = replace(order, rules=own, rules_name="our own"), f"{rules}, from the far end"
    scene.told += f" {game.name} {rules}"
    await _opens(scene, order)


async def opens_by_invitation(scene: Scene) -> None:
    """Somebody opens a table for people of their choice, stakes and invites them."""
    game = scene.chance.choice([game for game in games.GAMES.values() if not game.own_table])
    rules = [name for name, each in game.rule_sets.items() if not each.seating.computers_fill]
    channel = scene.process.guild + scene.chance.choice(CHANNELS)
    freed_for = scene.chance.choice(list(FreedFor)) if game.computers else FreedFor.EVERYBODY
    order = Order(
        scene.press(), scene.process.guild, channel, game.name, scene.chance.choice(rules), await scene.member(),
        freed_for=freed_for,
    )  # fmt: skip
    scene.judge.guests[order.press] = {order.opener}
    await _opens(scene, order)
    await _invites(scene, order.press)


async def invites(scene: Scene) -> None:
    """An opener invites more people."""
    inviting = [table.id for table in scene.process.registry.tables() if table.state.invitation is not None]
    if inviting:
        await _invites(scene, scene.chance.choice(inviting))


async def _invites(scene: Scene, number: int) -> None:
    people, press = scene.chance.sample(USERS, scene.chance.choice((1, 2, 3))), scene.press()
    if (table := scene.process.registry.get(number)) is not None:
        scene.judge.guests[number] |= set(people)  # also where nobody can know whether they are invited
        await scene.pressed(f"press/{press}/invite", table.invite(table.state.opener, people, press))


async def _opens(scene: Scene, order: Order) -> None:
    press, member = order.press, order.member
    await scene.pressed(f"press/{press}/open", scene.process.registry.open(order))
    table = scene.process.registry.get(press)
    if table is not None:
        with contextlib.suppress(discord.HTTPException):
            await scene.process.presenter.put_up(table, ())
            if table.state.message is None:
                raise Broken(f"table {press} does not know where it is")
        await stake_at(scene, table, member.user)


async def opens_elimination(scene: Scene) -> None:
    """Somebody opens an elimination table."""
    press, member, level = scene.press(), await scene.member(), scene.chance.choice(("amateur", "expert"))
    others = [Contender(computer=name, level=level) for name in fresh_names(3, set())]
    order = EliminationOrder(
        press, scene.process.guild, scene.process.guild + 9, "original", 20 * CHIP, (Contender(member), *others),
        opener=member.user,
    )  # fmt: skip
    await scene.pressed(f"press/{press}/open", scene.process.registry.open_elimination(order))


async def stakes(scene: Scene) -> None:
    """Let somebody stake who has not staked yet, or sit down with a stake."""
    if (table := scene.table()) is not None:
        seated = [chair.user for chair in table.state.waiting_for if chair.user is not None]
        await stake_at(scene, table, scene.chance.choice(seated or USERS))


async def stake_at(scene: Scene, table: Table, user: int) -> None:
    now, press = table.snapshot(), scene.press()
    member = await scene.bank.members.sign_in(scene.process.guild, user)
    newcomer = member if scene.chance.random() < 0.5 else None
    stakes = {_spot(scene, now): amount} if (amount := _amount(scene, now)) is not None else None
    phrase = scene.chance.choice(("", "", "", "seven sevens"))
    work = table.stake(user, stakes, press, phrase, number=table.state.sealed, newcomer=newcomer)
    await scene.pressed_at(table, f"press/{press}/stake", work)


def _spot(scene: Scene, now: Snapshot) -> str:
    spots = games.game(now.game).spots
    return scene.chance.choice(spots) if scene.chance.random() < 0.98 else "roof"


def _amount(scene: Scene, now: Snapshot) -> int | None:
    if now.offers:
        return scene.chance.choice(list(now.offers.values()))
    if scene.chance.random() < 0.05:
        return scene.chance.choice((-100, 0, 1, 150, 2**60, 10**6))
    return scene.chance.choice((None, 1 * CHIP, 10 * CHIP, 100 * CHIP))


async def acts(scene: Scene) -> None:
    """Somebody who is asked does something that the rules allow."""
    asked = [
        (table, seat)
        for table in scene.process.registry.tables()
        if table.state.phase is TablePhase.PLAYING
        for seat, words in enumerate(table.snapshot().legal)
        if words
    ]
    if not asked:
        await stakes(scene)
        return
    table, seat = scene.chance.choice(asked)
    now, sitter, press = table.snapshot(), table.snapshot().sitter_at(seat), scene.press()
    if sitter is None or sitter.user is None:
        return
    word = scene.chance.choice(now.legal[seat])
    scene.told += f" {word}"
    work = [table.act(sitter.user, word, now.round, now.turn, press)]
    if scene.chance.random() < 0.15:  # the same interaction, doubled on its way
        work.append(table.act(sitter.user, word, now.round, now.turn, press))
    await scene.pressed_at(table, f"press/{press}/act", *work)


async def garbles(scene: Scene) -> None:
    """A press that somebody made up: another's button, an old turn, words that there are not."""
    if (table := scene.table()) is not None:
        press, now = scene.press(), table.snapshot()
        word = scene.chance.choice((*NONSENSE, "hit", "stand"))
        number, turn = now.round + scene.chance.choice((0, 0, -1, 1)), now.turn + scene.chance.choice((0, 0, -1, 1))
        user = scene.chance.choice((*USERS, 99))
        await scene.pressed_at(table, f"press/{press}/act", table.act(user, word, number, turn, press))


async def joins(scene: Scene) -> None:
    """Somebody sits down."""
    if (table := scene.table()) is not None:
        press, member = scene.press(), await scene.member()
        await scene.pressed_at(table, f"press/{press}/join", table.join(member, press))


async def leaves(scene: Scene) -> None:
    """Somebody stands up."""
    if (table := scene.table()) is not None:
        press = scene.press()
        await scene.pressed_at(table, f"press/{press}/leave", table.leave(scene.chance.choice(USERS), press))


async def deals(scene: Scene) -> None:
    """Somebody does not want to wait for the others."""
    if (table := scene.table()) is not None:
        press = scene.press()
        user = table.state.opener if scene.chance.random() < 0.7 else scene.chance.choice(USERS)
        await scene.pressed_at(table, f"press/{press}/deal", table.deal(user, press))


async def comes_back(scene: Scene) -> None:
    """Somebody who was absent presses something."""
    if (table := scene.table()) is not None:
        press = scene.press()
        await scene.pressed_at(table, f"press/{press}/back", table.come_back(scene.chance.choice(USERS), press))


async def closes(scene: Scene) -> None:
    """An admin closes a table, in mid-hand if there is a hand."""
    playing = [table for table in scene.process.registry.tables() if table.state.phase is TablePhase.PLAYING]
    table = scene.chance.choice(playing) if playing else scene.table()
    if table is not None:
        try:
            await table.close(scene.press())
        except (Refused, OutcomeUnknown) as refused:
            scene.told += f" {refused}"


# -- Today's five ------------------------------------------------------------------------------------------------------


async def plays_the_day(scene: Scene) -> None:
    """Somebody looks at the day's five and makes a press, sometimes doubled on its way."""
    user = scene.chance.choice(USERS)
    try:
        day = await scene.bank.days.today()
        stored = await scene.bank.tries.begin(day, user) if day is not None else None
        if day is None or stored is None:
            return
        await scene.bank.tries.stand(day, stored.person, scene.process.guild)
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"
        return
    found = stored.on(day)
    if found.over:
        return
    action = NEXT if found.round.over else scene.chance.choice(found.legal)
    scene.told += f" {action}"
    after = found.pressed(action, day.shoes)
    twice = scene.chance.random() < 0.15
    await asyncio.gather(*(_keeps(scene, scene.bank.tries.press(stored, after)) for _ in range(1 + twice)))


async def _keeps(scene: Scene, press: Awaitable[StoredTry]) -> None:
    """Remember a press that was acknowledged."""
    try:
        kept = await press
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"
    else:
        scene.judge.tries[kept.set, kept.person] = kept


# -- training ----------------------------------------------------------------------------------------------------------


async def trains(scene: Scene) -> None:
    """Somebody counts cards, sometimes with a doubled press; counting asks no solver."""
    user = scene.chance.choice(USERS)
    try:
        stored = await scene.bank.training.find(user, COUNT, "vegas") or Trained(COUNT, "vegas")
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"
        return
    count = Count.from_json(stored.doc) if stored.doc else Count(6)
    if count.over or not count.cards:
        count = count.dealt(scene.chance.randrange)
    else:
        count = count.turned() if count.asks is None else count.answered(scene.chance.choice(count.choices))
    twice = scene.chance.random() < 0.15
    keeping = [scene.bank.training.keep(user, stored, count.as_json()) for _ in range(1 + twice)]
    await asyncio.gather(*(_trains_on(scene, user, work) for work in keeping))


async def _trains_on(scene: Scene, user: int, press: Awaitable[Trained]) -> None:
    """Remember an answer that was acknowledged."""
    try:
        kept = await press
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"
    else:
        scene.judge.trained[user] = kept.version


# -- duels -------------------------------------------------------------------------------------------------------------


async def duels(scene: Scene) -> None:
    """Make one step of a duel: a challenge, an answer or some presses."""
    try:
        await duelling.step(scene, USERS)
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"


# -- seasons -----------------------------------------------------------------------------------------------------------


async def grades(scene: Scene) -> None:
    """Grade some finished rounds."""
    await _quietly(grading.step(scene))


async def resets(scene: Scene) -> None:
    """Order a reset to equal chips, or go on with one."""
    await _quietly(resetting.step(scene, scene.process._clock))


# -- chips -------------------------------------------------------------------------------------------------------------


async def earns(scene: Scene) -> None:
    """Somebody takes the daily chips, twice at once."""
    member, press = await scene.member(), scene.press()
    await scene.pressed(f"press/{press}/daily", scene.bank.chips.daily(member.id, press), of_ledger=True)
    await _quietly(scene.bank.chips.daily(member.id, scene.press()))


async def gives(scene: Scene) -> None:
    """A gift, sometimes of chips that are not there."""
    giver, receiver, press = await scene.member(), await scene.member(), scene.press()
    amount = scene.chance.choice((1, 50, 5_000)) * CHIP
    if giver.id != receiver.id:
        await scene.pressed(
            f"press/{press}/gift", scene.bank.chips.give(giver.id, receiver.id, amount, press), of_ledger=True
        )


async def orders(scene: Scene) -> None:
    """An admin grants or takes chips."""
    admin, member, press = await scene.member(), await scene.member(), scene.press()
    word = scene.chance.choice(("grant", "take"))
    order = scene.bank.chips.grant if word == "grant" else scene.bank.chips.take
    amount = scene.chance.choice((10, 300, 2_000)) * CHIP
    work = order(member.id, amount, actor=admin.id, reason="luck", press=press)
    await scene.pressed(f"press/{press}/{word}", work, of_ledger=True)


async def forgets(scene: Scene) -> None:
    """Somebody wants to be forgotten."""
    guild, user, server = scene.process.guild, scene.chance.choice(USERS), scene.process.line.server
    server.kept |= {who for who in server.roles if who[:2] == (guild, user)}
    for table in scene.process.registry.inviting(guild, user):
        await _quietly(table.uninvite(user))
    await _quietly(scene.bank.privacy.forget(guild, user))
    scene.judge.trained.pop(user, None)  # it goes with the person's last server


async def _quietly(work: Awaitable[Any]) -> None:
    try:
        await work
    except (BankError, OutcomeUnknown, Refused):
        return


# -- roles -------------------------------------------------------------------------------------------------------------


async def buys(scene: Scene) -> None:
    """Somebody buys a role, sometimes twice at once."""
    member, press, ware = await scene.member(), scene.press(), scene.chance.choice(WARES)
    work = [scene.bank.shop.buy(member, ware, press) for _ in range(scene.chance.choice((1, 1, 1, 2)))]
    await scene.pressed(f"press/{press}/role", *work, of_ledger=True)


async def hands_out_roles(scene: Scene) -> None:
    """The chores that give and take roles, and hand on those of champions, come round."""
    try:
        await scene.process.chores.do()
    except (*LOST, BankError, OutcomeUnknown) as error:
        scene.told += f" {type(error).__name__}"


# -- breaks and limits -------------------------------------------------------------------------------------------------


async def rests(scene: Scene) -> None:
    """Somebody takes a break, in a direct message, which any process may serve."""
    user, what = scene.chance.choice(RESTING), scene.chance.choice(list(Rest))
    length = scene.chance.choice((Length.DAY, Length.DAY, Length.FOR_GOOD))
    try:
        until = await scene.bank.breaks.begin(user, what, length)
    except (BankError, OutcomeUnknown) as refused:
        scene.told += f" {type(refused).__name__}"
    else:
        scene.judge.care.begun.append((user, until))


async def sets_a_limit(scene: Scene) -> None:
    """Somebody sets a limit, or wants a higher one."""
    user, kind = scene.chance.choice(LIMITED), scene.chance.choice((LimitKind.LOSS_DAY, LimitKind.HANDS_DAY))
    most = scene.chance.choice((0, 20 * CHIP, 500 * CHIP, None))
    await _quietly(scene.bank.limits.set(user, kind, most))


async def frees_seats(scene: Scene) -> None:
    """The chore that gives up the seats of people on a break comes round."""
    process: Any = scene.process
    here = SimpleNamespace(
        bank=scene.bank,
        registry=process.registry,
        director=process.director,
        takes_care_of=lambda guild: guild == process.guild,
    )
    casino: Any = here
    await _quietly(SeatChore(casino).do())


# -- tournaments -------------------------------------------------------------------------------------------------------


async def schedules(scene: Scene) -> None:
    """A tournament, a quarter of an hour from now at the latest; some sign up at once."""
    director, press, organiser = scene.process.director, scene.press(), await scene.member()
    rules = games.game("blackjack").rule_sets["original"].as_json()
    starts = scene.process._clock.now() + scene.chance.uniform(60, 900)
    order = TournamentOrder(
        press, scene.process.guild, scene.process.guild + 5, organiser, "original", rules, 20 * CHIP,
        scene.chance.choice((0, 10, 100)) * CHIP, "amateur", starts, Every.ONCE, "UTC", "one day",
    )  # fmt: skip
    await scene.pressed(f"press/{press}/{TOURNAMENT}", director.schedule(order))
    for _ in range(scene.chance.choice((0, 2, 4, 7))):
        await enters(scene)


async def enters(scene: Scene) -> None:
    """Somebody signs up, or off again."""
    views = await _open_tournaments(scene)
    if views:
        member, press, director = await scene.member(), scene.press(), scene.process.director
        do = director.join if scene.chance.random() < 0.85 else director.leave
        await scene.pressed(f"press/{press}/{TOURNAMENT}", do(scene.chance.choice(views), member, press))


async def schedules_the_same(scene: Scene) -> None:
    """Plan a tournament with the same cards for all, and sign several people up."""
    director, press, organiser = scene.process.director, scene.press(), await scene.member()
    rules = games.game("blackjack").rule_sets["vegas"].as_json()
    starts = scene.process._clock.now() + scene.chance.uniform(60, 300)
    order = TournamentOrder(
        press, scene.process.guild, scene.process.guild + 5, organiser, "vegas", rules, 20 * CHIP,
        scene.chance.choice((0, 5)) * CHIP, "amateur", starts, Every.ONCE, "UTC", "one day", hands=crowds.HANDS,
    )  # fmt: skip
    await scene.pressed(f"press/{press}/{TOURNAMENT}", director.schedule(order))
    for user in scene.chance.sample(USERS, 6):
        member, joins = await scene.bank.members.sign_in(scene.process.guild, user), scene.press()
        await scene.pressed(f"press/{joins}/{TOURNAMENT}", director.join(press, member, joins))


async def plays_the_same(scene: Scene) -> None:
    """Make some presses on the same cards, where somebody has signed up."""
    for tournament in await _open_tournaments(scene):
        await crowds.plays(scene, tournament, scene.chance.choice(USERS))


async def cancels(scene: Scene) -> None:
    """A manager cancels a tournament."""
    if (views := await _open_tournaments(scene)) and scene.chance.random() < 0.3:
        await _quietly(scene.process.director.cancel(scene.chance.choice(views), scene.press(), series=False))


async def _open_tournaments(scene: Scene) -> list[int]:
    try:
        return [position.state.id for position in await scene.process.director._around.books.open_ones(scene._guild)]
    except Refused:
        return []


# -- the world ---------------------------------------------------------------------------------------------------------


async def breaks_the_disk(scene: Scene) -> None:
    """Let one to five of the next statements meet a fault of the disk."""
    here = scene.process.life.disk.coming
    here += scene.chance.choices(disk.FAULTS, k=scene.chance.choice((1, 1, 2, 5)))
    scene.told += f" {here}"


async def breaks_discord(scene: Scene) -> None:
    """The next few requests fail."""
    here = scene.process.line.server.coming
    here += scene.chance.choices(messages.FAULTS, k=scene.chance.choice((1, 1, 2, 5)))
    scene.told += f" {here}"


async def deletes(scene: Scene) -> None:
    """A moderator deletes one of the last messages: a table's, a promise, whatever it is."""
    server = scene.process.line.server
    if server.shown:
        server.delete(scene.chance.choice(list(server.shown)[-20:]))


async def deletes_a_promise(scene: Scene) -> None:
    """A moderator deletes what a hand is dealt under, and somebody else opens a table there."""
    playing = [table for table in scene.process.registry.tables() if table.state.phase is TablePhase.PLAYING]
    table = scene.chance.choice(playing) if playing else None
    chain = await _chain_of(scene, table) if table is not None else None
    if table is None or chain is None or chain.message is None:
        return
    scene.process.line.server.delete(chain.message)
    press, member = scene.press(), await scene.member()
    order = Order(press, scene.process.guild, table.state.channel, "war", "casino", member)
    await scene.pressed(f"press/{press}/open", scene.process.registry.open(order))


async def _chain_of(scene: Scene, table: Table) -> Chain | None:
    try:
        return await scene.bank.chains.in_use(table.state.chain_place)
    except (BankError, OutcomeUnknown):
        return None


EVENTS: Final[dict[Event, float]] = {
    acts: 55, stakes: 12, opens: 4, opens_elimination: 0.4, opens_by_invitation: 0.7, invites: 0.7,
    garbles: 5, joins: 3, leaves: 2, deals: 3,
    comes_back: 0.5, closes: 0.5, earns: 0.7, gives: 1, orders: 1, forgets: 0.3, schedules: 0.15, enters: 0.6,
    cancels: 0.1, plays_the_day: 2, trains: 2, duels: 3, schedules_the_same: 0.4, plays_the_same: 3,
    deletes: 0.4, deletes_a_promise: 0.2,
    buys: 2, hands_out_roles: 2, grades: 2, resets: 1,
    rests: 0.8, sets_a_limit: 0.8, frees_seats: 1, breaks_the_disk: 1.5, breaks_discord: 1.5,
}  # fmt: skip
