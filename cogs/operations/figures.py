"""The metrics at /metrics: some counted as they happen, others looked up when they are asked for.

Nothing here is about a person: labels are kinds, routes and states, never ids.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import aiohttp
import discord
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from data import SECONDS

if TYPE_CHECKING:
    from cogs.coach.grader import Grader
    from data import Bank
    from engine.coach import Coach
    from engine.tables.open_tables import OpenTables

PRESSES: Final = Histogram(
    "croupier_press_seconds",
    "From an interaction's arrival until it was answered and the table drawn.",
    ["kind"],
    buckets=SECONDS,
)
MISHAPS: Final = Counter("croupier_mishaps", "Interactions that were answered with an error number.")
REQUESTS: Final = Counter("croupier_discord_requests", "Requests to Discord.", ["method", "route", "status"])
REQUEST_SECONDS: Final = Histogram(
    "croupier_discord_request_seconds", "How long Discord took to answer.", ["method"], buckets=SECONDS
)
GRADED: Final = Counter("croupier_graded_rounds", "Rounds whose play was graded.")
AUDITED: Final = Gauge("croupier_audit_timestamp_seconds", "When the last audit ended.")
AUDIT_SECONDS: Final = Gauge("croupier_audit_seconds", "How long the last audit took.")
AUDIT_FAULTS: Final = Gauge("croupier_audit_faults", "What the last audit found wrong.")
LAG: Final = Histogram("croupier_loop_lag_seconds", "How late the event loop came to what was due.", buckets=SECONDS)

_TOKEN: Final = re.compile(r"((?:webhooks|interactions)/[^/]+)/[^/]+")
_ID: Final = re.compile(r"(?<=/)\d{3,}(?=/|$)")
_EMOJI: Final = re.compile(r"(reactions)/[^/]+")
_FILE: Final = re.compile(r"(attachments/[^/]+/[^/]+)/.+")  # somebody's own words


async def measure_lag(every: float = 1.0) -> None:
    """Measure every `every` seconds, until cancelled, how late the event loop is: a late loop delays everybody."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + every
        await asyncio.sleep(every)
        LAG.observe(max(loop.time() - due, 0.0))


# -- requests to Discord -----------------------------------------------------------------------------------------------


def route_of(path: str) -> str:
    """Return a request's path without the API's version, and with placeholders for ids, tokens, emoji and files."""
    path = _FILE.sub(r"\1/:file", re.sub(r"^/api(/v\d+)?", "", path))
    return _ID.sub(":id", _EMOJI.sub(r"\1/:emoji", _TOKEN.sub(r"\1/:token", path)))


def request_trace() -> aiohttp.TraceConfig:
    """Return a trace that counts and times every request of discord.py, including those without an answer."""
    trace = aiohttp.TraceConfig()

    async def began(_: Any, context: Any, __: Any) -> None:
        context.began = asyncio.get_running_loop().time()

    async def ended(_: Any, context: Any, ending: aiohttp.TraceRequestEndParams) -> None:
        _count(context, ending.method, ending.url.path, str(ending.response.status))

    async def failed(_: Any, context: Any, failure: aiohttp.TraceRequestExceptionParams) -> None:
        _count(context, failure.method, failure.url.path, "none")

    trace.on_request_start.append(began)
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


def _count(context: Any, method: str, path: str, status: str) -> None:
    if ("/gateway" in path and status == "101") or path == "/":
        return  # the gateway's connection, which is no request
    REQUESTS.labels(method, route_of(path), status).inc()
    REQUEST_SECONDS.labels(method).observe(asyncio.get_running_loop().time() - context.began)


# -- looked up ---------------------------------------------------------------------------------------------------------


class Watched(Protocol):
    """The parts of the bot that metrics and health checks read. Bank and tables exist once it has signed in."""

    bank: Bank
    registry: OpenTables
    stopping: bool
    coach: Coach | None
    grader: Grader | None

    def is_ready(self) -> bool: ...

    @property
    def guilds(self) -> Sequence[discord.Guild]: ...

    @property
    def shards(self) -> Mapping[int, discord.ShardInfo]: ...

    @property
    def latencies(self) -> list[tuple[int, float]]: ...


class _BotState(Collector):
    """A collector of the bot's state at the moment when metrics are asked for."""

    def __init__(self, bot: Watched) -> None:
        self._bot = bot

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _gauge("croupier_tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        yield _gauge("croupier_guilds", "Servers that this process serves.", len(self._bot.guilds))
        yield self._latencies()
        if self._bot.coach is not None:
            yield _gauge("croupier_coach_waiting", "Questions that the coach has not begun.", self._bot.coach.waiting)
        if self._bot.grader is not None:
            yield _gauge(
                "croupier_ungraded_rounds", "Rounds just played that are to be graded.", self._bot.grader.waiting
            )
        if hasattr(self._bot, "registry"):
            yield self._tables()

    def _latencies(self) -> GaugeMetricFamily:
        family = GaugeMetricFamily(
            "croupier_gateway_latency_seconds", "Heartbeat of each shard that is connected.", labels=["shard"]
        )
        for shard, latency in self._bot.latencies:
            if math.isfinite(latency):
                family.add_metric([str(shard)], latency)
        return family

    def _tables(self) -> GaugeMetricFamily:
        states = [table.state for table in self._bot.registry.tables()]
        family = GaugeMetricFamily("croupier_open_tables", "Tables in this process.", labels=["game", "phase"])
        for (game, phase), count in sorted(Tally((state.game, state.phase.name.lower()) for state in states).items()):
            family.add_metric([game, phase], count)
        return family


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=value)


def exposition(bot: Watched) -> bytes:
    """Return all metrics in Prometheus' text format."""
    own = CollectorRegistry()
    own.register(_BotState(bot))
    return generate_latest(REGISTRY) + generate_latest(own)
