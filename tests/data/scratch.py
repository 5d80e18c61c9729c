"""Where test banks live: in memory where there is some, for no test pulls the plug and a disk is slow to sync."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")
_ENOUGH: Final = 160 * 2**20


def scratch(enough: int = _ENOUGH) -> str | None:
    """Return the folder in memory if it has room enough, in bytes. None stands for where temporary files go."""
    usable = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > enough
    return str(_MEMORY) if usable else None
