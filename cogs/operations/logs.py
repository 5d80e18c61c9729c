"""The log: text or JSON, with ids in its lines. The error number that a member saw leads to the line about that error.

Secrets are kept out: anything that looks like a token is masked, and libraries that log what they send are silenced.
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

#: The fields of a line beside its message: the interaction, the place, and the error number that the member saw.
IDS: Final = ("error", "press", "guild", "channel")

#: The minimum levels of libraries' logs. Below them libraries log every statement, or whole requests and rows with
#: seeds, tokens and names.
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
    r"|(?P<path>(?:webhooks|interactions)/\d+/)[\w-]{20,}"  # the token of an interaction
    r"|(?P<user>://[^:/@\s]*:)[^@\s]+(?=@)"  # the password of a database
    r"|(?P<option>[?&]password=)[^&\s]+"
)

#: The ids carried by every line logged in this task and in tasks that it starts.
ABOUT: Final[ContextVar[Mapping[str, int | None]]] = ContextVar("about", default=MappingProxyType({}))


def blotted(text: str) -> str:
    """Return the text with tokens and passwords masked."""
    return _SECRET.sub(lambda found: f"{found['path'] or found['user'] or found['option'] or ''}***", text)


class _Ids(logging.Filter):
    """A filter that adds the current ids to a log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in ABOUT.get().items():
            if value is not None and not hasattr(record, name):
                setattr(record, name, value)
        return True


def _ids(record: logging.LogRecord) -> dict[str, int | str]:
    return {name: getattr(record, name) for name in IDS if hasattr(record, name)}


class ReadableFormatter(logging.Formatter):
    """A formatter that writes a line of text: time, level, logger, message and, in brackets, the ids."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname:<7} {name}: {message}", "%Y-%m-%d %H:%M:%S", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:
        ids = " ".join(f"{name} {value}" for name, value in _ids(record).items())
        return super().formatMessage(record) + (f" [{ids}]" if ids else "")

    def format(self, record: logging.LogRecord) -> str:
        return blotted(super().format(record))


class JsonFormatter(logging.Formatter):
    """A formatter that writes a JSON object for each line: time, level, logger, message, ids, and any traceback."""

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
    """Write lines of this level and above to standard error, as text or as JSON.

    Libraries in `_AT_LEAST` write no lines below the level in that table, even if `level` is lower.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else ReadableFormatter())
    handler.addFilter(_Ids())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(level)
    for name, least in _AT_LEAST.items():
        logging.getLogger(name).setLevel(max(root.level, least))
