"""A simulated Discord in the browser, with the unchanged bot and a few people to play as.

simcord stands in for Discord, and its preview shows one channel. Above all, the playground adds:

- A page can also show a person's direct message with the bot (`direct.py`).
- simcord's clock, which otherwise stands still between presses, follows the real one, so that time-outs come.
- All open pages show what the bot does without a press on them (a time-out, a computer player, another person's press).
- Commands of people and messages can be chosen with a right click.

In the bot only this package uses simcord's private parts, and simcord's exact version is pinned.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import discord

from cogs.answers.client import Casino
from cogs.playground.direct import open_directs
from cogs.playground.light import lighten
from cogs.playground.page import dress
from cogs.table.emoji import wanted
from data import Bank, Note

if TYPE_CHECKING:
    from simcord import ChannelHandle, Env, MemberActor, Preview

log = logging.getLogger(__name__)

#: Seconds between checks for what the bot does by itself. The page asks for news every half second.
GLANCE: Final = 0.25
#: Seconds to wait for the bot to come to rest after a press. A longer pause (of a computer player) is not waited for.
REST: Final = 1.0
#: Seconds to wait for the bot's start, which checks every round that was ever played here.
START: Final = 300.0
#: Seconds that one check whether the bot has come to rest may take, during the start.
LOOK: Final = 5.0
#: The actions that are typed, which a change of the page does not affect. A click is aimed at what was shown.
TYPED: Final = frozenset({"run_command", "autocomplete_command", "send_message", "modal_submit"})
#: The number of ports that are tried before giving up.
PORTS: Final = 10

PEOPLE: Final = ("Ada", "Ben", "Chloe")
MANAGER: Final = "Mona (manager)"
#: The names of roles that can be sold and won in the playground.
ROLES: Final = ("High roller", "Champion")


#: The kind of the note that stores the key at the end of the address, so that an open page survives a restart.
_KEY: Final = "playground"


class NoPort(Exception):
    """Raised when no port is free. The message tells the operator what to do."""


class _WorldClock:
    """A clock for simcord that follows the real one. It never goes back, even if the machine's clock does."""

    _EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

    def __init__(self) -> None:
        self._reached = 0.0

    @property
    def elapsed(self) -> float:
        self._reached = max(self._reached, time.time() - self._EPOCH.timestamp())
        return self._reached

    def now(self) -> datetime:
        return self._EPOCH + timedelta(seconds=self.elapsed)

    def advance(self, seconds: float) -> None:
        self._reached = self.elapsed + seconds


def _furnish(env: Env) -> tuple[ChannelHandle, Sequence[MemberActor]]:
    """Create the guild, its channel and its people, and return the channel and the people.

    simcord makes its ids from its clock. All this is created while the clock stands at its beginning, always in the
    same order and before the bot signs in, so the ids, and with them everybody's chips, are the same after a restart.
    Then the clock is set to the present, so that no message or press gets an id that was used in an earlier run.
    """
    env.backend.edit_bot_profile("Croupier")
    people = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
    manager = env.create_user("mona", global_name=MANAGER)
    guild = env.create_guild("The playground")
    in_the_channel = discord.PermissionOverwrite(create_public_threads=False)  # the page shows no threads
    topic = "Start with /blackjack; /help shows the rest"
    channel = guild.create_text_channel("casino", topic=topic, overwrites={guild.default_role: in_the_channel})
    managers = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    viewers = [guild.add_member(person) for person in people]
    viewers.append(guild.add_member(manager, roles=[managers]))
    _hand_out_cards(env)
    for name in ROLES:
        guild.create_role(name)
    for viewer in viewers:
        env.backend.get_dm_channel(viewer.id)
    env.backend.clock = _WorldClock()  # type: ignore[assignment]
    return channel, viewers


def _hand_out_cards(env: Env) -> None:
    """Create the card emoji of the application. If the bot uploaded them, simcord would not keep their pictures."""
    for name in wanted():
        env.backend.create_application_emoji(name)


def _pictures_of_cards(env: Env) -> dict[str, tuple[str, bytes]]:
    from simcord.backend.cdn import CDN_BASE

    there, images = env.backend.application_emojis.values(), wanted()
    cards = [emoji for emoji in there if emoji.name in images]
    return {f"{CDN_BASE}/emojis/{card.id}.png": (f"{card.name}.png", images[card.name]) for card in cards}


async def _post_anew(casino: Casino, viewers: Sequence[MemberActor]) -> None:
    """Post the open tables again, because the messages of an earlier run are gone.

    First learn the names for their pictures, which the bot otherwise learns from presses.
    """
    for name, viewer in zip((*PEOPLE, MANAGER), viewers, strict=True):
        casino.names.learn(viewer.guild.id, viewer.id, name)
    await casino.registry.recovered()
    for table in casino.registry.tables():
        casino.presenter.changed(table)


def _be_patient(env: Env) -> None:
    """Change how long simcord waits for the bot to come to rest.

    During the start, simcord checks again and again, for up to `START` seconds. Each check is short: it waits for all
    timers that are due before the check ends, and it should not wait for the timers of open tables. After the start, a
    press counts as taken even if the bot is still busy.
    """
    settle = env._settle_internal

    async def come_to_rest(*, timeout: float | None = None, dispatch: str | None = None, **more: Any) -> None:  # noqa: ASYNC109
        loop, starting = asyncio.get_running_loop(), env.settle_timeout == START
        limit = timeout or (LOOK if starting else env.settle_timeout)
        until = loop.time() + (START if starting else 0.0)
        while True:
            try:
                async with asyncio.timeout(limit + REST):
                    await settle(timeout=limit, dispatch=dispatch, **more)
                return
            except TimeoutError:
                if dispatch is not None:
                    return
                if loop.time() >= until:
                    raise

    env._settle_internal = come_to_rest  # type: ignore[method-assign]


class _OpenPreview:
    """An open preview. The browser's actions and our updates take turns, because simcord breaks when they overlap."""

    def __init__(self, env: Env, preview: Preview) -> None:
        self._env = env
        self._preview = preview
        self._turn = asyncio.Lock()
        self._act, self._payload = preview._action, preview._page_payload
        preview._action = self._browser_acts  # type: ignore[method-assign, assignment]
        preview._page_payload = self._page_shown  # type: ignore[method-assign]
        preview._publish_message_pages = self._publish_all  # type: ignore[method-assign]
        self._prepare = preview._prepare_action
        preview._prepare_action = self._prepared  # type: ignore[method-assign]
        self._picture = preview._authorize_asset
        preview._authorize_asset = self._picture_shown

    async def _browser_acts(self, context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with self._turn:
            page = self._preview._get_page(context)
            if (taken := page.latest_action) is not None and taken.request_id == body.get("request_id"):
                return self._preview._replay_response(page, taken)  # its answer was lost on the way
            self._publish_news()  # a click on something that is gone must be seen to be late
            self._preview._advance_presentation_time()
            if body.get("kind") in TYPED:
                body = {**body, "published_revision": page.revision}
            receipt = await self._act(context, body)
            self._publish_news()  # others look at the same table
            return receipt

    def _prepared(self, page: Any, kind: str, body: Mapping[str, Any]) -> Any:
        """Return the function that carries out an action of the page. We add right-click commands, which
        simcord lacks.
        """
        if "menu" not in body:
            return self._prepare(page, kind, body)
        (name,), target = body["path"], self._pointed_at(page, body["menu"], body["target"])

        async def carry_out(action: Any, cursor: int) -> dict[str, Any]:
            chosen = page.viewer.context_menu(self._preview.channel, name, target)
            return await self._preview._run_interaction_action(page, action, cursor, chosen, republish_all=True)

        return carry_out

    def _pointed_at(self, page: Any, menu: str, target: str) -> Any:
        from simcord.results import ResponseMessage

        if menu == "user":
            return self._preview._viewer(target)
        return ResponseMessage(self._env, self._preview._target_message(page, int(target)))

    def _page_shown(self, page: Any) -> dict[str, Any]:
        """Return the page for its browser, which asks twice a second.

        Before that, show in all browsers what the bot has changed, unless an action is under way.
        """
        if not self._turn.locked():
            self._publish_news()
        return self._payload(page)

    def _picture_shown(self, page: Any, asset: str, *, content: bool = True) -> Any:
        """Return a picture of the page, even if simcord withholds it because the picture's message has changed since.

        `content` says that its bytes are needed. Raises SetupError for a picture that the page does not have, or
        without the bytes that are needed.
        """
        from simcord import SetupError

        try:
            return self._picture(page, asset, content=content)
        except SetupError:
            kept = page.assets.get(asset)
            if kept is None or (content and not kept.available):
                raise
            return kept

    def _publish_news(self) -> None:
        """Publish all pages, if the bot has asked anything of Discord since the last time."""
        if self._env.http_requests:
            self._preview._advance_presentation_time()
            self._publish_all()

    def _publish_all(self, *, reason: Any = "action") -> None:
        """Publish each browser's page, and drop the bot's recorded requests, which hold its pictures."""
        self._env.http_requests.clear()
        self._env.backend.transcript.clear()
        for page in [page for page in self._preview._pages.values() if page is not self._preview._python]:
            self._preview._publish(page, reason=reason)

    async def keep_current(self) -> None:
        """Run discord.py's timers until cancelled, because simcord runs them only while it is asked to settle."""
        while True:
            await asyncio.sleep(GLANCE)
            async with self._turn:
                try:
                    await self._env.settle(timeout=GLANCE)
                except TimeoutError as error:  # still busy: try again
                    log.debug("%s", error)
                except Exception:
                    log.exception("the bot's timers could not be rung")


async def _key(bank: Bank) -> str:
    """Return the secret at the end of the playground's address. The first time, choose it at random and store it."""
    kept = await bank.notes.of(_KEY)
    if kept:
        return str(kept[0].values["key"])
    key = secrets.token_urlsafe(24)
    await bank.notes.keep(Note(_KEY, "address", {"key": key}))
    return key


@asynccontextmanager
async def _open_port(
    env: Env, channel: ChannelHandle, viewers: Sequence[MemberActor], port: int, key: str
) -> AsyncIterator[Preview]:
    from simcord import SetupError

    cards = _pictures_of_cards(env)
    candidates = range(port, min(port + PORTS, 65536)) if port else range(1)
    for candidate in candidates:
        preview = env.preview(channel, viewers=viewers, layout="channel", port=candidate, assets=cards)
        preview.capability = key
        dress(preview)
        lighten(preview)
        open_directs(preview)
        try:
            await preview.__aenter__()
        except SetupError:
            continue
        try:
            yield preview
        finally:
            await preview.close()
        return
    raise NoPort(f"No port from {port} to {candidates[-1]} is free. Set PLAYGROUND_PORT to another.")


@asynccontextmanager
async def open_playground(bot: Casino, port: int) -> AsyncIterator[Preview]:
    """Run the bot in the playground while the block runs, and yield the preview once its address can be opened.

    Raises NoPort if neither this port nor one of the next is free.
    """
    logging.getLogger("discord.state").setLevel(logging.ERROR)  # simcord tries a client without intents
    from simcord import Env

    env = Env(bot, check_errors=False, settle_timeout=START)
    _be_patient(env)
    channel, viewers = _furnish(env)
    await env.start()
    env.settle_timeout = REST
    await _post_anew(bot, viewers)
    try:
        key = await _key(bot.bank)
        async with _open_port(env, channel, viewers, port, key) as preview:
            keeper = asyncio.create_task(_OpenPreview(env, preview).keep_current())
            try:
                yield preview
            finally:
                keeper.cancel()
    finally:
        await env.shutdown()
