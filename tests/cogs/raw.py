"""Presses that no client would send: stale, doubled, forged. The one place that goes behind simcord's actors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import discord
import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.enums import ComponentType, InteractionType


async def press(
    actor: simcord.MemberActor, message: discord.Message | simcord.ResponseMessage, custom_id: str, times: int = 1
) -> list[simcord.InteractionResult]:
    """The same button pressed so many times before the bot has answered once."""
    env: Any = actor._env
    env._begin_operation("raw press")
    try:
        sent = [_dispatch(actor, message, custom_id) for _ in range(times)]
        await env._settle_internal(dispatch="INTERACTION_CREATE")
    finally:
        env._end_operation()
    return [simcord.InteractionResult(env, record) for record in sent]


def _dispatch(actor: simcord.MemberActor, message: discord.Message | simcord.ResponseMessage, custom_id: str) -> Any:
    env: Any = actor._env
    stored = env.backend.get_message(_channel_of(message), message.id)
    record, payload = interactions.base_payload(
        env.backend,
        type=InteractionType.MESSAGE_COMPONENT,
        channel_id=stored.channel_id,
        guild_id=actor.guild.id,
        user_id=actor.id,
        data={"custom_id": custom_id, "component_type": ComponentType.BUTTON},
    )
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
