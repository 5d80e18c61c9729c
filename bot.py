"""The composition root: settings, the bot made from them, and how it starts and stops. Importing it does nothing."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import functools
import importlib
import importlib.util
import logging
import pkgutil
import secrets
import sys
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands
from discord.ext import commands

import cogs
from cogs.answers.client import Casino
from cogs.operations import logs
from cogs.operations.stopping import first_of, until_told_to_stop
from engine import fairness
from settings import BadSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from cogs.coach.grader import Grader
    from cogs.operations.sign_in import SignIns
    from engine.coach import Coach
    from engine.tables.house import HouseSettings
    from engine.tables.ports import Shuffle
    from engine.tournament.director import Director

log = logging.getLogger("croupier")

#: The release, as `croupier --version` and the package say it.
VERSION = "1.1.dev0"

#: The gateway intents that the bot needs, none of them privileged.
INTENTS: Final = discord.Intents(guilds=True)


#: Seconds for telling tables of a stop, and for saying goodbye to Discord. A supervisor kills the process after ten.
_PARKING: Final = 6.0
_GOODBYE: Final = 2.0


class CannotStart(Exception):
    """Raised where the bot cannot start, with one sentence for the operator and the exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


class DiscordClock:
    """The clock of discord.py: the machine's time, or a virtual one where Discord is simulated."""

    def now(self) -> float:
        return discord.utils.utcnow().timestamp()


class CasinoBot(Casino):
    """The bot. The bank, and the parts that need it, are made by `setup_hook`, once the bot has signed in."""

    settings: Settings

    def __init__(self, settings: Settings) -> None:
        from cogs.answers.clickable import CommandLinks
        from cogs.answers.command_tree import CommandTree
        from cogs.answers.door import Pace
        from cogs.answers.preferences import Names
        from cogs.answers.reply import Uploads
        from cogs.answers.time_limits import THROTTLED
        from cogs.operations.figures import request_trace
        from cogs.table.emoji import CardEmoji

        shards: dict[str, Any] = {"shard_count": settings.shards.count}
        if settings.shards.mine is not None:
            shards["shard_ids"] = list(settings.shards.mine)
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            max_ratelimit_timeout=THROTTLED,
            http_trace=request_trace(),
            **shards,
        )
        self.settings = settings
        self.clock = DiscordClock()
        self.names = Names()
        self.command_links = CommandLinks()
        self.pace = Pace(settings.presses_a_second)
        self.emoji = CardEmoji()
        self.uploads = Uploads()
        self.presses, self.forms, self.asides = [], [], ()
        self.shoe: Shuffle = fairness.shoe
        self.coach = self._coach() if settings.coach else None
        self.grader = None
        self.policy_url, self.support_url = settings.policy_url, settings.support_url
        self.stopping = False
        self._ready_shards = set[int]()
        self._sign_ins: SignIns | None = None

    def _coach(self) -> Coach:
        from engine.coach import Coach

        return Coach()

    async def _house_without_odds(self, guild: int) -> HouseSettings:
        """Return a server's house settings without odds, because without a coach there are none."""
        return dataclasses.replace(await self.bank.guilds.house(guild), odds=False)

    async def setup_hook(self) -> None:
        """Open the bank and start the bot's parts, once it is signed in and before any event.

        Raise CannotStart if the bank cannot be used.
        """
        from data import BadAddress
        from engine.tables.ports import BankUnavailable, OutcomeUnknown

        try:
            await self._open_the_house()
        except (BankUnavailable, OutcomeUnknown) as error:
            database = self.settings.database_url
            where = database if database.startswith("sqlite") else "DATABASE_URL"
            raise CannotStart(f"{error} ({where})", 2 if isinstance(error, BadAddress) else 3) from error

    async def _open_the_house(self) -> None:
        """Open the bank, make the parts of the bot, recover the tables as they stood, and register the commands."""
        from cogs.answers.serving import wire
        from cogs.answers.time_limits import limit_requests
        from cogs.startup.command_list import restrict_to_adults, tell_discord
        from cogs.table.caller import Caller
        from cogs.table.poster import DiscordPoster
        from cogs.table.presenter import Presenter
        from cogs.tournament.announcer import DiscordAnnouncer
        from data import Bank
        from engine.coach import Thinker
        from engine.tables.open_tables import OpenTables
        from engine.tables.ports import Surroundings, Watchers

        wire(self)
        limit_requests(self)
        url = self.settings.database_url
        playing = url == self.settings.playground_database_url  # its file may be deleted to start afresh
        self.bank = await Bank.open(url, self.settings.house, self.clock, fresh=playing)
        if playing:
            await self.bank.days.begin_today()  # somebody who tries the bot does not come back tomorrow for its day 1
        self.presenter = Presenter(self, self.clock)
        seeds = functools.partial(secrets.token_bytes, 32)
        self.caller = Caller(self, self.bank, self.clock)
        watchers = Watchers(self.presenter, self.caller)
        house = self.bank.guilds.house if self.coach is not None else self._house_without_odds
        think = Thinker(self.coach) if self.coach is not None else None
        poster = DiscordPoster(self)
        around = Surroundings(self.bank, self.clock, seeds, watchers, house, poster, self.shoe, think=think)
        self.registry = OpenTables(around)
        self.announcer = DiscordAnnouncer(self, self.bank, self.presenter)
        self.director = self._director()
        watchers.between_hands.append(self.director)
        if self.coach is not None:
            self.grader = self._grader(self.coach)
            watchers.between_hands.append(self.grader)
        for name in extensions():
            await importlib.import_module(name).setup(self)
        if self.settings.age_restricted:
            restrict_to_adults(self.tree)
        to_come = await self.registry.recover(self.shard_ids, self.shard_count or 1)
        log.info("%d open tables taken up again, %d servers to come", len(self.registry.tables()), to_come)
        if self.shard_ids is None or 0 in self.shard_ids:
            await tell_discord(self.tree, self.bank, self.clock)

    def _grader(self, coach: Coach) -> Grader:
        from cogs.coach.grader import GradedShards, Grader

        mine = None if self.settings.shards.mine is None else tuple(self.shard_ids or ())
        grader = Grader(self.bank, coach, self.clock, self.shoe, GradedShards(mine, self.shard_count or 1))
        grader.start()
        return grader

    def _director(self) -> Director:
        from cogs.tournament.dealing import CoachDeals
        from cogs.tournament.hours import WallCalendar
        from engine.tournament.books import TournamentBooks
        from engine.tournament.director import Director
        from engine.tournament.run import TournamentSurroundings

        books = TournamentBooks(self.bank, self.clock)
        calendar, dealer = WallCalendar(), CoachDeals(self)
        around = TournamentSurroundings(
            self.bank, books, self.registry, self.announcer, calendar, self.clock, dealer=dealer
        )
        name = "the only process" if self.settings.shards.mine is None else secrets.token_hex(8)
        return Director(around, name, lambda guild: self.takes_care_of(guild) and self.reaches(guild))

    def reaches(self, guild: int) -> bool:
        """Return whether messages on this guild can be drawn: its shard is ready, even if others are not."""
        return (guild >> 22) % (self.shard_count or 1) in self._ready_shards

    async def on_shard_ready(self, shard: int) -> None:
        self._ready_shards.add(shard)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this shard's turn to sign in, where several processes share Discord's limits."""
        if self.settings.shards.mine is None:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        from cogs.operations.sign_in import SignIns

        if self._sign_ins is None:
            self._sign_ins = SignIns(self.bank.jobs, secrets.token_hex(8), await self._sign_ins_at_once())
        await self._sign_ins.turn(shard_id or 0)

    async def _sign_ins_at_once(self) -> int:
        """Return how many shards Discord lets sign in together, or 1 if it does not say."""
        from cogs.answers.time_limits import LOST

        try:
            told = await self.http.request(discord.http.Route("GET", "/gateway/bot"))
        except LOST as error:
            log.warning("Discord does not say how many may sign in at a time: %s", error)
            return 1
        return int(told["session_start_limit"]["max_concurrency"])

    async def park(self) -> None:
        """Begin to stop: timers stop, and tables in mid-hand say that they will go on.

        Presses are still served; a press sets the timers of its table again.
        """
        self.stopping = True
        await self._rest()
        if self.is_ready():
            from cogs.table.parking import tell_tables

            await tell_tables(self, self.registry.tables(), within=_PARKING)

    async def close(self) -> None:
        """Stop the timers and leave Discord; then stop grading and the coach, and close the bank.

        This order lets presses under way use the coach and the bank.
        """
        self.stopping = True
        await self._rest()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await super().close()
        if self.grader is not None:
            await self.grader.rest()
        if self.coach is not None:
            await self.coach.close()
        if hasattr(self, "bank"):
            await self.bank.close()

    async def _rest(self) -> None:
        if hasattr(self, "director"):
            self.announcer.rest()
            await self.director.shutdown()
        if hasattr(self, "registry"):
            await self.registry.shutdown()


@functools.cache
def extensions() -> tuple[str, ...]:
    """Return the names of all modules of `cogs` that have a `setup`: a command is added by adding its file."""
    names = [module.name for module in pkgutil.walk_packages(cogs.__path__, "cogs.")]
    return tuple(name for name in names if hasattr(importlib.import_module(name), "setup"))


def create_bot(settings: Settings) -> CasinoBot:
    """Return a bot that is ready to sign in, with one shard unless the settings say more."""
    if settings.shards.count is None:
        settings = dataclasses.replace(settings, shard_count=1)
    return CasinoBot(settings)


# -- running -----------------------------------------------------------------------------------------------------------


async def _on_discord(settings: Settings, token: str) -> None:
    from cogs.answers.time_limits import LOST
    from cogs.operations.monitor import monitored
    from cogs.operations.sweeping import short_sweeps

    if settings.shards.mine is not None and settings.database_url.startswith("sqlite"):
        raise CannotStart("Several processes share one PostgreSQL: set DATABASE_URL to it, or leave out the shards.", 2)
    bot = CasinoBot(settings)
    try:
        async with until_told_to_stop() as told, monitored(bot, bot.settings.monitor):
            with short_sweeps():
                await first_of(bot.start(token), told.wait())
            await bot.park()
    except discord.LoginFailure:
        raise CannotStart(
            "Discord does not know this DISCORD_TOKEN. Copy it again from the developer portal.", 4
        ) from None
    except (*LOST, OSError, discord.GatewayNotFound, discord.ConnectionClosed) as error:
        raise CannotStart(f"Discord cannot be reached: {str(error) or 'it does not answer in time'}.", 4) from error
    finally:
        await bot.close()


async def _in_playground(settings: Settings) -> None:
    if importlib.util.find_spec("simcord") is None:
        raise CannotStart(
            "Set DISCORD_TOKEN, or install the extra `playground` too (in a clone, make run does it).",
            2,
        )
    from cogs.playground import NoPort, open_playground

    print("No DISCORD_TOKEN is set, so the casino opens in your browser instead.", flush=True)
    bot = create_bot(dataclasses.replace(settings, database_url=settings.playground_database_url))
    try:
        async with until_told_to_stop() as told, open_playground(bot, settings.playground_port) as preview:
            print(
                f"\n    Play at {preview.url}\n\nCtrl-C stops it; the chips stay, and an open page goes on.", flush=True
            )
            await first_of(preview.wait_closed(), told.wait())
    except NoPort as error:
        raise CannotStart(str(error), 5) from None
    finally:
        await bot.close()


# -- examining ---------------------------------------------------------------------------------------------------------


class _Examined(CasinoBot):
    """The bot as the doctor examines it: it knows its commands, but has no bank and no tables."""

    async def setup_hook(self) -> None:
        from cogs.answers.time_limits import limit_requests

        limit_requests(self)
        for name in extensions():
            if not name.startswith(cogs.LIVE):
                await importlib.import_module(name).setup(self)


async def _examine(server: int | None, channel: int | None) -> int:
    """Print what the doctor finds, even if settings are not valid, and return the exit code: 0 if all is fine, else 1.

    `server` is the only server to check, or None for all. If a `channel` is given, post a message with a picture there,
    edit it and delete it.
    """
    from cogs.doctor.examination import Patient, examine
    from cogs.doctor.results import summary

    settings, wrong = Settings.read_what_is_valid()
    async with _Examined(settings) as bot:
        patient = Patient(
            bot, bot.clock, settings.discord_token, settings.database_url, settings.shards.count, server, channel, wrong
        )
        results = []
        async for result in examine(patient):
            print(result, flush=True)
            results.append(result)
    print(summary(results))
    return int(not all(result.fine for result in results))


# -- the command line --------------------------------------------------------------------------------------------------


def _set_up_logging(settings: Settings) -> None:
    """Set up logging at the chosen level.

    The playground leaves out the usual level (INFO), which is for operators, and shows only warnings.
    """
    at_play = settings.discord_token is None and settings.log_level == "INFO"
    logs.set_up("WARNING" if at_play else settings.log_level, as_json=settings.log_format == "json")
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here


#: Programs that the command line can start instead of the bot: each one's module, and what it does.
_PROGRAMS: Final = {
    "data": ("data.__main__", "audit, back up, restore or export the bank"),
    "solver": ("engine.solver.__main__", "solve a rule set of blackjack, or one decision"),
    "verify": ("engine.fairness.cli", "check the record of a round without the bot"),
    "bench": ("bench.__main__", "measure speed and memory on this machine"),
}


def _arguments() -> tuple[argparse.Namespace, list[str]]:
    """Return the typed arguments and, if they name one of `_PROGRAMS`, the words after its name, which are for it."""
    parser = argparse.ArgumentParser(description="Croupier: on Discord with a DISCORD_TOKEN, in the browser without.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="")
    doctor = verbs.add_parser("doctor", help="check everything that the bot depends on, and say how to fix it")
    doctor.add_argument("--server", type=int, metavar="ID", help="check only the channels of this server")
    doctor.add_argument("--channel", type=int, metavar="ID", help="try a message with a picture in this channel")
    for name, (module, what) in _PROGRAMS.items():
        if importlib.util.find_spec(module.partition(".")[0]) is not None:  # an image has no benchmarks
            verbs.add_parser(name, help=what, add_help=False)
    if sys.argv[1:] and sys.argv[1] in _PROGRAMS.keys() & verbs.choices.keys():
        return argparse.Namespace(verb=sys.argv[1]), sys.argv[2:]
    return parser.parse_args(), []


def _run(arguments: argparse.Namespace, rest: list[str]) -> int:
    if arguments.verb in _PROGRAMS:
        main: Callable[[list[str], str], int] = importlib.import_module(_PROGRAMS[arguments.verb][0]).main
        return main(rest, f"croupier {arguments.verb}")
    if arguments.verb == "doctor":
        logs.set_up("ERROR", as_json=False)
        return asyncio.run(_examine(arguments.server, arguments.channel))
    settings = Settings.read()
    _set_up_logging(settings)
    if settings.discord_token is not None:
        asyncio.run(_on_discord(settings, settings.discord_token))
    else:
        asyncio.run(_in_playground(settings))
    return 0


def main() -> int:
    """Run the bot, the playground if there is no token, or what the command line names, and return the exit code."""
    try:
        return _run(*_arguments())
    except BadSettings as error:
        print(error, file=sys.stderr)
        return 2
    except CannotStart as error:
        print(error, file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
