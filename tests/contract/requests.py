"""Every request that the bot makes in the tests, and whether Discord would take it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simcord.http import router

from . import facts, rules

#: Set by `make contract`: where each distinct request is written down, for the whole document to judge.
FOLDER = "CONTRACT_REQUESTS"

_judged: dict[str, list[str]] = {}


class Recorder:
    """A recorder in front of simcord's router, which every request of discord.py passes: it remembers what is wrong."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []
        self._dispatch: Any = router.dispatch

    def __call__(self, backend: Any, method: str, path: str, **sent: Any) -> Any:
        names = [str(file.filename) for file in sent.get("files") or ()]
        self.mistakes += judge(method, path, sent.get("json"), sent.get("params"), names)
        return self._dispatch(backend, method, path, **sent)


def judge(
    method: str, path: str, body: Any = None, params: dict[str, Any] | None = None, files: Sequence[str] = ()
) -> list[str]:
    """Return what Discord would refuse of a request, in sentences. Equal bodies are judged once."""
    route = facts.route_of(method, path)
    if route is None:
        return [f"{method} {path}: no such route is among the facts; document.mjs says how it comes there"]
    query = frozenset(params or ())
    key = json.dumps([route, body, sorted(query), list(files)])
    if key not in _judged:
        sent = with_snowflakes(json.loads(json.dumps(body)))
        found = facts.mistakes(route, sent, query) or rules.mistakes(route, sent, files)
        _judged[key] = [f"{route}: {mistake}" for mistake in found]
        _write_down(route, sent)
    return _judged[key]


def with_snowflakes(value: Any) -> Any:
    """Words for the numbers that discord.py sends as ids in four places, which Discord takes beside its document."""
    if isinstance(value, list):
        return [with_snowflakes(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {key: with_snowflakes(item) for key, item in value.items()}
    for key in ("attachments", "default_values"):
        for item in told.get(key) or ():
            if "id" in item:
                item["id"] = _word(item["id"])
    if isinstance(allowed := told.get("allowed_mentions"), dict):
        for kind in ("users", "roles"):
            if allowed.get(kind):
                allowed[kind] = [_word(each) for each in allowed[kind]]
    return told


def _word(snowflake: Any) -> Any:
    return str(snowflake) if type(snowflake) is int else snowflake


def _write_down(route: str, body: Any) -> None:
    if body is not None and (folder := os.environ.get(FOLDER)):
        file = Path(folder) / f"{os.getpid()}.jsonl"
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps([route, body]) + "\n")
