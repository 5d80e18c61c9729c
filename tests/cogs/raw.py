"""Sends what no client would send: stale, doubled and forged requests. Only it goes behind simcord's actors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import discord
import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.enums import ComponentType, InteractionType

#: The owners that the app is installed for, as Discord sends them with each interaction: 0 a server, 1 a person.
_owners: dict[str, str] = {}

#: The place that something is sent from: a message, or a channel without a message.
Where = discord.Message | simcord.ResponseMessage | simcord.ChannelHandle


async def press(
    actor: simcord.MemberActor, where: Where, custom_id: str, times: int = 1
) -> list[simcord.InteractionResult]:
    """Press the same button this many times before the bot has answered once."""
    button = {"custom_id": custom_id, "component_type": ComponentType.BUTTON}
    return await _send(actor, where, InteractionType.MESSAGE_COMPONENT, button, times)


@contextmanager
def installed_for(user: int, server: int | None = None) -> Iterator[None]:
    """Inside the block, the app is installed for this person, and for a server only if one is given."""
    _owners["1"] = str(user)
    if server is not None:
        _owners["0"] = str(server)
    try:
        yield
    finally:
        _owners.clear()


def dispatched_press(actor: simcord.MemberActor, where: Where, custom_id: str) -> Any:
    """A button pressed while something else goes on; nobody waits for the answer."""
    button = {"custom_id": custom_id, "component_type": ComponentType.BUTTON}
    return _dispatch(actor, where, InteractionType.MESSAGE_COMPONENT, button)


async def choose(
    actor: simcord.MemberActor, message: Where, custom_id: str, kind: int, values: Any, **more: Any
) -> simcord.InteractionResult:
    """Something picked from a menu."""
    menu = {"custom_id": custom_id, "component_type": kind, "values": values, **more}
    (result,) = await _send(actor, message, InteractionType.MESSAGE_COMPONENT, menu)
    return result


async def submit(
    actor: simcord.MemberActor, message: discord.Message, custom_id: str, fields: Mapping[str, str]
) -> simcord.InteractionResult:
    """Send a form back, no matter who has opened it."""
    boxes = [{"type": ComponentType.TEXT_INPUT, "custom_id": name, "value": value} for name, value in fields.items()]
    form = {"custom_id": custom_id, "components": [{"type": ComponentType.LABEL, "component": box} for box in boxes]}
    return await submit_as(actor, message, form)


async def submit_as(
    actor: simcord.MemberActor, message: discord.Message | simcord.ResponseMessage, form: dict[str, Any]
) -> simcord.InteractionResult:
    """A form whose fields may be anything."""
    (result,) = await _send(actor, message, InteractionType.MODAL_SUBMIT, form)
    return result


async def command(
    actor: simcord.MemberActor, channel: simcord.ChannelHandle, words: str, /, **texts: str
) -> simcord.InteractionResult:
    """A command with texts that nobody can type."""
    (result,) = await commands(actor, channel, words, 1, **texts)
    return result


async def commands(
    actor: simcord.MemberActor, channel: simcord.ChannelHandle, words: str, times: int, /, **texts: str
) -> list[simcord.InteractionResult]:
    """Type the same command this many times before the bot has answered once."""
    env: Any = actor._env
    word, *rest = words.split()
    options: list[dict[str, Any]] = [{"name": key, "type": 3, "value": text} for key, text in texts.items()]
    for inner in reversed(rest):
        options = [{"name": inner, "type": 1, "options": options}]
    known = env.backend.commands[None][word, 1]
    data = {"id": known["id"], "name": word, "type": 1, "options": options}
    return await _send(actor, channel, InteractionType.APPLICATION_COMMAND, data, times)


async def _send(
    actor: simcord.MemberActor,
    where: Where,
    kind: InteractionType,
    data: dict[str, Any],
    times: int = 1,
) -> list[simcord.InteractionResult]:
    env: Any = actor._env
    env._begin_operation("raw press")
    try:
        sent = [_dispatch(actor, where, kind, data) for _ in range(times)]
        await env._settle_internal(dispatch="INTERACTION_CREATE")
    finally:
        env._end_operation()
    return [simcord.InteractionResult(env, record) for record in sent]


def _dispatch(
    actor: simcord.MemberActor,
    where: Where,
    kind: InteractionType,
    data: dict[str, Any],
) -> Any:
    env: Any = actor._env
    channel = where.id if isinstance(where, simcord.ChannelHandle) else _channel_of(where)
    record, payload = interactions.base_payload(
        env.backend,
        type=kind,
        channel_id=channel,
        guild_id=env.backend.get_channel(channel).guild_id,
        user_id=actor.id,
        data=data,
    )
    payload["authorizing_integration_owners"] = dict(_owners)
    if not isinstance(where, simcord.ChannelHandle):
        stored = env.backend.get_message(channel, where.id)
        payload["message"] = dict(serializers.message_payload(env.backend, stored))
        record.source_message_id = stored.id
    env.backend.emit("INTERACTION_CREATE", payload)
    return record


def _channel_of(message: discord.Message | simcord.ResponseMessage) -> int:
    return message.channel_id if isinstance(message, simcord.ResponseMessage) else message.channel.id


def components(message: discord.Message | simcord.ResponseMessage) -> list[dict[str, Any]]:
    """Every component of a message, nested ones too, as Discord has it."""
    if isinstance(message, simcord.ResponseMessage):
        return list(_walk(message.components))
    stored = message._state.http.backend.get_message(message.channel.id, message.id)  # type: ignore[attr-defined]
    return list(_walk(stored.components))


def _walk(tree: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in tree:
        yield component
        yield from _walk(component.get("components", []))
