"""Discord: commands, buttons, pictures, words."""

from typing import Final

#: The beginnings of the names of modules that need a bot that is signed in.
LIVE: Final = ("cogs.background.", "cogs.startup.")
