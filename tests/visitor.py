"""A browser at the playground, through the protocol of its pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any, Self

import aiohttp


class Visitor:
    """One person's open page."""

    def __init__(self, url: str, viewer: str | None = None) -> None:
        """Visit as the first of the people if no `viewer` is given."""
        address, _, capability = url.partition("/#")
        self._viewer = viewer
        self._session = aiohttp.ClientSession(address, headers={"X-Simcord-Capability": capability})
        self._presses = 0

    async def __aenter__(self) -> Self:
        async with self._session.post("/api/pages", json={"viewer_id": self._viewer}) as answer:
            self.page: dict[str, Any] = await answer.json()
        self._session.headers["X-Simcord-Context"] = self.page["context"]["id"]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def look(self) -> dict[str, Any]:
        async with self._session.get("/api/state") as answer:
            self.page = await answer.json()
        return self.page

    async def acts(self, kind: str, **body: Any) -> dict[str, Any]:
        """Act on the page that was last looked at, and return the receipt."""
        self._presses += 1
        envelope = {
            "protocol_version": 3,
            "sequence": self._presses,
            "request_id": f"r{self._presses}",
            "generation": self.page["context"]["generation"],
            "bot_generation": self.page["botGeneration"],
            "published_revision": self.page["publishedRevision"],
        }
        async with self._session.post("/api/action", json={**envelope, "kind": kind, **body}) as answer:
            receipt: dict[str, Any] = await answer.json()
        self._presses = receipt["expectedSequence"]
        return receipt

    async def commands(self) -> list[dict[str, Any]]:
        """Return the commands that the page offers."""
        async with self._session.get("/api/commands") as answer:
            entries: list[dict[str, Any]] = (await answer.json())["entries"]
            return entries

    async def types(self, *path: str, **options: str) -> dict[str, Any]:
        entry = next(entry for entry in await self.commands() if entry["path"] == [*path])
        chosen = {"command_id": entry["commandId"], "path": [*path], "schema_fingerprint": entry["schemaFingerprint"]}
        return await self.acts("run_command", **chosen, options=options)

    def loses_the_answer(self) -> None:
        """Make the next request the last one again."""
        self._presses -= 1

    async def status(self, path: str) -> int:
        async with self._session.get(path) as answer:
            return answer.status

    async def answers(self, path: str, **headers: str) -> aiohttp.ClientResponse:
        """Return the answer to a request for a file, without its content."""
        async with self._session.get(path, headers=headers) as answer:
            return answer

    async def reads(self, path: str, languages: str = "") -> str:
        """Return a file of the page, for a browser that asks for these languages."""
        async with self._session.get(path, headers={"Accept-Language": languages}) as answer:
            return await answer.text()

    async def shows(self, text: str, seconds: float = 60.0) -> bool:
        """Return whether the page comes to show the text by itself."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if text in str((await self.look())["messages"]):
                return True
            await asyncio.sleep(0.05)
        return False

    async def keys(self) -> dict[str, tuple[str, str]]:
        """Return where each button is: its message and its key in the page, by what is written on it."""
        found: dict[str, tuple[str, str]] = {}
        for number, message in (await self.look())["messages"].items():
            found |= {part["label"]: (number, part["control_key"]) for part in _parts(message) if "control_key" in part}
        return found

    async def finds(self, *labels: str, seconds: float = 60.0) -> str:
        """Return the first of these labels that a button comes to have."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            keys = await self.keys()
            if found := next((label for label in labels if label in keys), None):
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(f"no button says {' or '.join(labels)}, only {', '.join(keys)}")

    async def presses(self, label: str) -> dict[str, Any]:
        """Press the newest button with that label, and return the receipt."""
        message, key = (await self.keys())[label]
        return await self.acts("click", target_id=message, control_key=key)


def _parts(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every part of a message that has a label."""
    if isinstance(node, dict):
        if node.get("label"):
            yield node
        for inside in node.values():
            yield from _parts(inside)
    elif isinstance(node, list):
        for inside in node:
            yield from _parts(inside)
