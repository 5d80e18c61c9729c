"""Discord: commands, buttons, pictures, words."""

from typing import Final

#: The packages whose modules need a bot that is signed in.
LIVE: Final = ("cogs.background.", "cogs.startup.")
