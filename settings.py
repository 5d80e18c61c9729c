"""The operator's settings, read from the environment and `.env`, each refused in one sentence where it is wrong.

`.env.example` explains every one of them; `tests/test_settings.py` keeps the two the same.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from engine.games.contract import CHIP, Cents
from engine.tables.house import HouseSettings

ROOT: Final = Path(__file__).resolve().parent


class BadSettings(Exception):
    """Raised for a setting that is not valid, with one sentence: which variable, and what is expected."""


@dataclass(frozen=True, slots=True)
class _VariableReader:
    """The reader of a variable.

    `parse` turns its text into a value, or raises ValueError for a text that is not what `expects` says.
    """

    expects: str
    parse: Callable[[str], Any]


def _whole(smallest: int, largest: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not smallest <= number <= largest:
            raise ValueError
        return number

    return parse


def _number(smallest: float, largest: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = float(text)
        if not smallest <= number <= largest:
            raise ValueError
        return number

    return parse


def _seconds(smallest: float, largest: float) -> _VariableReader:
    return _VariableReader(f"a number of seconds from {smallest:g} to {largest:g}", _number(smallest, largest))


def _chips(smallest: int, largest: int = 10**9) -> _VariableReader:
    whole = _whole(smallest, largest)
    return _VariableReader(f"a whole number of chips from {smallest} to {largest:,}", lambda text: whole(text) * CHIP)


def _one_of(*words: str) -> _VariableReader:
    known = {word.lower(): word for word in words}

    def parse(text: str) -> str:
        if text.lower() not in known:
            raise ValueError
        return known[text.lower()]

    return _VariableReader("one of " + ", ".join(words), parse)


def _matching(expects: str, pattern: str) -> _VariableReader:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError
        return text

    return _VariableReader(expects, parse)


def _shard_ids(text: str) -> tuple[int, ...]:
    return tuple(sorted({_whole(0, 2**16)(part) for part in text.split(",")}))


def _host_and_port(text: str) -> tuple[str, int] | None:
    if text.lower() == "off":
        return None
    host, _, port = text.rpartition(":")
    if not host:
        raise ValueError
    return host.strip("[]"), _whole(0, 65535)(port)


def _share(text: str) -> tuple[int, int]:
    number, processes = (_whole(0, 2**16)(part) for part in text.split("/"))
    if number >= processes:
        raise ValueError
    return number, processes


_DATABASE: Final = _matching(
    "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME", r"sqlite:///[^?]*[^?/.]|postgresql://.+"
)
_TOKEN: Final = _matching(
    "the token from the Bot page of Discord's developer portal", r"[\w-]{10,}\.[\w-]+\.[\w-]{10,}"
)
_PORT: Final = _VariableReader("a port number from 0 to 65535 (0 takes any free one)", _whole(0, 65535))
_MONITOR: Final = _VariableReader("HOST:PORT, or off", _host_and_port)
_SWITCH: Final = _VariableReader("on or off", lambda text: bool(("off", "on").index(text.lower())))
_LINK: Final = _matching("an address that begins with https://", r"https://\S{1,500}")
_SHARD_COUNT: Final = _VariableReader("a whole number from 1 to 65536", _whole(1, 2**16))
_SHARD_IDS: Final = _VariableReader("shard numbers with commas between them, such as 0,1,2", _shard_ids)
_SHARE: Final = _VariableReader("NUMBER/PROCESSES, such as 0/4 to 3/4 for four processes", _share)
_DAYS: Final = _VariableReader("a number of days from 0 to 3650", _whole(0, 3650))
_HOUSE: Final = HouseSettings()


def _setting(reader: _VariableReader, default: Any, *, secret: bool = False) -> Any:
    return field(default=default, repr=not secret, metadata={"reader": reader, "secret": secret})


@dataclass(frozen=True, slots=True)
class Shards:
    """The number of shards (None: as many as Discord says), and those of this process (None: all)."""

    count: int | None
    mine: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The operator's settings: one field for each variable, which has the field's name in capitals."""

    discord_token: str | None = _setting(_TOKEN, None, secret=True)
    database_url: str = _setting(_DATABASE, "sqlite:///var/casino.db", secret=True)
    log_level: str = _setting(_one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = _setting(_one_of("text", "json"), "text")
    monitor: tuple[str, int] | None = _setting(_MONITOR, ("127.0.0.1", 8766))

    presses_a_second: float = _setting(
        _VariableReader("a number from 0 to 100; 0 lets everybody press on", _number(0, 100)), 5.0
    )

    starting_chips: Cents = _setting(_chips(0), _HOUSE.starting_chips)
    daily_chips: Cents = _setting(_chips(0), _HOUSE.daily_chips)
    daily_hours: float = _setting(
        _VariableReader("a number of hours from 1 to 168", _number(1, 168)), _HOUSE.daily_hours
    )
    gift_cap: Cents = _setting(_chips(0), _HOUSE.gift_cap)
    received_cap: Cents = _setting(_chips(0), _HOUSE.received_cap)
    kept_chips: Cents = _setting(_chips(0), _HOUSE.kept_chips)
    gift_hands: int = _setting(_VariableReader("a whole number from 0 to 10000", _whole(0, 10_000)), _HOUSE.gift_hands)
    gift_account_days: int = _setting(_DAYS, _HOUSE.gift_account_days)
    gift_server_days: int = _setting(_DAYS, _HOUSE.gift_server_days)
    smallest_stake: Cents = _setting(_chips(1), _HOUSE.smallest_stake)
    largest_stake: Cents = _setting(_chips(1), _HOUSE.largest_stake)

    turn_seconds: float = _setting(_seconds(5, 3600), _HOUSE.turn_seconds)
    betting_seconds: float = _setting(_seconds(5, 3600), _HOUSE.betting_seconds)
    war_seconds: float = _setting(_seconds(5, 3600), _HOUSE.war_seconds)
    idle_seconds: float = _setting(_seconds(30, 86400), _HOUSE.idle_seconds)
    think_seconds: float = _setting(_seconds(0, 30), _HOUSE.think_seconds)

    coach: bool = _setting(_SWITCH, default=True)
    card_emoji: bool = _setting(_SWITCH, default=True)
    policy_url: str | None = _setting(_LINK, default=None)
    support_url: str | None = _setting(_LINK, default=None)
    age_restricted: bool = _setting(_SWITCH, default=False)

    archive_days: int = _setting(_VariableReader("a number of days from 0 (never) to 36500", _whole(0, 36500)), 90)

    forget_servers_days: int = _setting(_DAYS, 90)

    backup_hours: int = _setting(_VariableReader("a number of hours from 0 (no backups) to 8760", _whole(0, 8760)), 24)
    backups_kept: int = _setting(_VariableReader("a whole number from 1 to 1000", _whole(1, 1000)), 7)
    backup_folder: str = _setting(_VariableReader("a folder", str), "var/backups")

    shard_count: int | None = _setting(_SHARD_COUNT, None)
    shard_ids: tuple[int, ...] | None = _setting(_SHARD_IDS, None)
    shard_of: tuple[int, int] | None = _setting(_SHARE, None)

    playground_port: int = _setting(_PORT, 8765)
    playground_database_url: str = _setting(_DATABASE, "sqlite:///var/playground.db", secret=True)

    def __post_init__(self) -> None:
        if self.smallest_stake > self.largest_stake:
            raise BadSettings("SMALLEST_STAKE must not be above LARGEST_STAKE.")
        if self.shard_ids is not None and (self.shard_count is None or self.shard_ids[-1] >= self.shard_count):
            raise BadSettings("SHARD_IDS must come with a SHARD_COUNT that is above each of them.")
        if self.shard_of is not None and self.shard_ids is not None:
            raise BadSettings("SHARD_IDS and SHARD_OF both say which shards are this process's: leave one of them out.")
        if self.shard_of is not None and (self.shard_count or self.shard_of[1]) < self.shard_of[1]:
            raise BadSettings("SHARD_COUNT must not be below the processes of SHARD_OF: one would have no shard.")

    @property
    def shards(self) -> Shards:
        """The shards that SHARD_COUNT, SHARD_IDS and SHARD_OF describe."""
        if self.shard_of is None:
            return Shards(self.shard_count, self.shard_ids)
        number, processes = self.shard_of
        count = self.shard_count or processes
        return Shards(count, tuple(range(number, count, processes)))

    @property
    def house(self) -> HouseSettings:
        """The house settings that every guild begins with.

        In the playground new accounts may give chips at once, because all accounts are new.
        """
        named = {item.name for item in fields(HouseSettings)} & {item.name for item in fields(self)}
        house = HouseSettings(odds=self.coach, **{name: getattr(self, name) for name in named})
        if self.database_url == self.playground_database_url:
            return replace(house, gift_hands=0, gift_account_days=0, gift_server_days=0)
        return house

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, file: Path | None = None) -> Settings:
        """Read each setting from the environment or, if it is not there, from the file (`.env`).

        A variable that is missing or empty has its default. Raise BadSettings if a setting is not valid, if settings
        contradict each other, or if the file cannot be read.
        """
        return cls(**{item.name: _value(item, text) for item, text in cls._given(environment, file).items()})

    @classmethod
    def read_what_is_valid(
        cls, environment: Mapping[str, str] | None = None, file: Path | None = None
    ) -> tuple[Settings, Mapping[str, str]]:
        """Return the valid settings, with defaults for the rest, and a sentence for each wrong one, by its field.

        If settings contradict each other, only those in `_EXAMINED` are kept; if the file cannot be read, none are. In
        both cases the sentence has the key "settings".
        """
        values, wrong = dict[str, Any](), dict[str, str]()
        try:
            for item, text in cls._given(environment, file).items():
                try:
                    values[item.name] = _value(item, text)
                except BadSettings as error:
                    wrong[item.name] = str(error)
            return cls(**values), wrong
        except BadSettings as error:  # the file, or settings that contradict each other
            wrong["settings"] = str(error)
            return cls(**{name: values[name] for name in _EXAMINED if name in values}), wrong

    @classmethod
    def _given(cls, environment: Mapping[str, str] | None, file: Path | None) -> Mapping[Any, str]:
        """Return the texts of variables that are not empty, by field. The environment comes before the file.

        None stands for the environment of the process, and for the file that `env_file` names. Raise BadSettings if the
        file cannot be read.
        """
        from data.base.home import env_file  # here, because importing the settings loads no database

        given = {**_file(file or env_file()), **(os.environ if environment is None else environment)}
        texts = {item: given.get(item.name.upper(), "").strip() for item in fields(cls)}
        return {item: text for item, text in texts.items() if text}


def _value(item: Any, text: str) -> Any:
    reader: _VariableReader = item.metadata["reader"]
    try:
        return reader.parse(text)
    except ValueError:
        shown = "is not valid: it" if item.metadata["secret"] else f"is {text!r}, but"
        raise BadSettings(f"{item.name.upper()} {shown} must be {reader.expects}.") from None


#: The settings with which the doctor goes on where some settings contradict each other.
_EXAMINED: Final = ("discord_token", "database_url")


def _file(path: Path) -> dict[str, str]:
    from dotenv.parser import parse_stream

    try:
        if not path.exists():
            return {}
        with path.open(encoding="utf-8") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadSettings(f"{path.name} cannot be read: {reason}.") from None
    found: dict[str, str] = {}
    for binding in bindings:
        if binding.error or (binding.key and binding.value is None):
            text = binding.original.string
            line = binding.original.line + text[: len(text) - len(text.lstrip())].count("\n")
            raise BadSettings(f"Line {line} of {path.name} must be NAME=value.")
        if binding.key:
            _known(binding.key, path)
            found[binding.key] = binding.value or ""
    return found


def _known(name: str, path: Path) -> None:
    """Refuse a name in the file that is close to a setting's, since a misspelt setting would be ignored in silence."""
    names = [item.name.upper() for item in fields(Settings)]
    close = difflib.get_close_matches(name.upper(), names, 1, cutoff=0.85)
    if name not in names and close:
        raise BadSettings(f"{name} in {path.name} is not a setting; {close[0]} is.")
