"""The log: lines for people, or JSON for machines, with the ids that lead from a member's error sentence to its line.

No secret gets in: what looks like a token is blotted out, and libraries that write down what they send are kept quiet.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

#: What a line may say besides its message: which interaction, where, and the number that the member was told.
IDS: Final = ("error", "press", "guild", "channel")

#: What libraries say at least, whatever the level: below it they write whole requests and rows, in which seeds, tokens
#: and names are, or every statement.
_AT_LEAST: Final = {
    "discord": logging.INFO,
    "aiosqlite": logging.INFO,
    "asyncpg": logging.INFO,
    "asyncio": logging.INFO,
    "aiohttp": logging.INFO,
    "PIL": logging.INFO,
    "sqlalchemy": logging.WARNING,
    "alembic.runtime.plugins": logging.WARNING,
}

_SECRET: Final = re.compile(
    r"(?P<token>[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,})"  # a bot's
    r"|(?P<path>(?:webhooks|interactions)/\d+/)[\w-]{20,}"  # an interaction's
    r"|(?P<user>://[^:/@\s]*:)[^@/\s]+(?=@)"  # a database's
)

#: The ids that every line carries which is written in this task, and in what is begun there.
ABOUT: Final[ContextVar[Mapping[str, int | None]]] = ContextVar("about", default=MappingProxyType({}))


def blotted(text: str) -> str:
    """The text without tokens and passwords."""
    return _SECRET.sub(lambda found: f"{found['path'] or found['user'] or ''}***", text)


class _Ids(logging.Filter):
    """Puts on a record what it is about."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in ABOUT.get().items():
            if value is not None and not hasattr(record, name):
                setattr(record, name, value)
        return True


def _ids(record: logging.LogRecord) -> dict[str, int | str]:
    return {name: getattr(record, name) for name in IDS if hasattr(record, name)}


class ReadableFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("{asctime} {levelname:<7} {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:
        ids = " ".join(f"{name} {value}" for name, value in _ids(record).items())
        return super().formatMessage(record) + (f" [{ids}]" if ids else "")

    def format(self, record: logging.LogRecord) -> str:
        return blotted(super().format(record))


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, the ids, and the trace of an exception."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, int | str] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": blotted(record.getMessage()),
            **_ids(record),
        }
        if record.exc_info:
            line["exception"] = blotted(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def set_up(level: str, *, as_json: bool) -> None:
    """Everything goes to standard error, in one of the two forms."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else ReadableFormatter())
    handler.addFilter(_Ids())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    for name, least in _AT_LEAST.items():
        logging.getLogger(name).setLevel(max(root.level, least))
