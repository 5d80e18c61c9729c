"""`python -m bench start`: seconds until the bot is there, and until a hand is dealt; medians of fresh processes.

Installation is left out: on a fresh machine it is nearly all of the time until `make run` shows its address.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

_TIMES = 5
_HAND = "import asyncio; from bench.start import first_hand; asyncio.run(first_hand({!r}))"


def main() -> None:
    figures = {
        "python alone": _measured(lambda folder: _run("pass")),
        "import discord": _measured(lambda folder: _run("import discord")),
        "import bot": _measured(lambda folder: _run("import bot")),
        "make run, to the address": _measured(_to_the_address),
        "a hand dealt and drawn, on an empty bank": _measured(lambda folder: _run(_HAND.format(str(folder)))),
    }
    print(json.dumps({"bench": "start", "unit": "s", **figures}))


def _measured(start: Callable[[Path], None]) -> dict[str, float]:
    walls, works = [], []
    for _ in range(_TIMES):
        with tempfile.TemporaryDirectory() as folder:
            before, started = os.times(), time.perf_counter()
            start(Path(folder))
            walls.append(time.perf_counter() - started)
            after = os.times()
        works.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return {"s": round(median(walls), 2), "CPU s": round(median(works), 2)}


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def _to_the_address(folder: Path) -> None:
    """Start the playground and wait for the line with its address, then stop it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = {"DISCORD_TOKEN": "", "PLAYGROUND_PORT": str(port), "DATABASE_URL": f"sqlite:///{folder / 'bank.db'}"}
    command = [sys.executable, "bot.py"]
    with subprocess.Popen(command, env=os.environ | asked, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        try:
            next(line for line in running.stdout if "http://" in line)
        finally:
            running.terminate()
            running.communicate()


async def first_hand(folder: str) -> None:
    """Start a bot on a simulated Discord, sit down at a new table, and stop when the first hand is dealt."""
    import simcord

    from bot import create_bot
    from settings import Settings

    bot = create_bot(Settings(database_url=f"sqlite:///{folder}/bank.db"))
    async with simcord.run(bot) as env:
        guild = env.create_guild("Bench")
        channel = guild.create_text_channel("casino")
        alice = guild.add_member(env.create_user("alice"))
        await alice.slash(channel, "blackjack", bet="1")
        (table,) = bot.registry.tables()
        assert table.state.round == 1
        assert channel.last_message is not None
        os._exit(0)
