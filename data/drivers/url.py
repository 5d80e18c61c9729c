"""Turns the address of a bank (DATABASE_URL) into SQLAlchemy's URL with an asynchronous driver."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from data.base.errors import BadAddress
from data.base.home import home

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}

#: The name of the TLS option in libpq, which people write, and in asyncpg.
_SSL = ("sslmode", "ssl")
#: The options that an address of PostgreSQL may end with: those of the driver that can be written as texts.
_OPTIONS = {
    *(*_SSL, "host", "port", "user", "password", "passfile", "service", "servicefile", "krbsrvname", "gsslib"),
    *("target_session_attrs", "prepared_statement_cache_size", "direct_tls", "command_timeout", "timeout"),
}


def address(plain: str) -> URL:
    """Return ``sqlite:///file`` or ``postgresql://...`` as a URL for the async engine, or raise BadAddress.

    A relative path starts in the folder `home()`.
    """
    try:
        url = make_url(plain)
        driver = _DRIVERS[url.get_backend_name()]
    except (ArgumentError, KeyError, ValueError):
        raise BadAddress(
            "DATABASE_URL must look like sqlite:///file or postgresql://user:password@host/name."
        ) from None
    if driver.startswith("sqlite"):
        if not url.database or url.database == ":memory:":
            raise BadAddress("The bank needs a file: DATABASE_URL=sqlite:///casino.db, for instance.")
        return url.set(drivername=driver, database=str(home() / url.database))
    if find_spec("asyncpg") is None:
        raise BadAddress("PostgreSQL needs its driver, which is not installed: install the extra `postgres` too.")
    if unknown := url.query.keys() - _OPTIONS:
        raise BadAddress(f"DATABASE_URL has an option that the driver does not know: leave out `{min(unknown)}`.")
    return _spoken(url.set(drivername=driver))


def file_of(url: URL) -> Path | None:
    """Return the SQLite file of the address, or None for a server."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def _spoken(url: URL) -> URL:
    theirs, ours = _SSL
    mode = url.query.get(theirs)
    if not isinstance(mode, str):
        return url
    return url.difference_update_query([theirs]).update_query_dict({ours: mode})
