"""The folder that the bot works in, with `.env`, the bank and its backups."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_CODE: Final = Path(__file__).resolve().parents[2]


def home() -> Path:
    """Return the folder from which relative paths in settings start: CROUPIER_HOME, or else the current one."""
    return Path(os.environ.get("CROUPIER_HOME") or ".")


def env_file(code: Path = _CODE) -> Path:
    """Return the path of `.env`: in CROUPIER_HOME if that is set, else beside the code, else in the current folder.

    It is beside the `code` only if that is a clone, and not installed as a package.
    """
    is_clone = (code / "pyproject.toml").exists()
    return (code if is_clone and not os.environ.get("CROUPIER_HOME") else home()) / ".env"
