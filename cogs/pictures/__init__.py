"""Tables, hands and standings as pictures: pure functions from what may be seen to the bytes of a file.

Nothing here knows Discord. Pictures hold no words and no names, only numbers and signs: seats carry the numbers that
the text beside the picture uses. `render` of each module may be called in any thread.
"""

from __future__ import annotations

from typing import Final

from cogs.pictures.blackjack import TablePicture
from cogs.pictures.palette import FORMAT, SIZE

#: What the file is called on a message.
FILE_NAME: Final = f"table.{FORMAT}"

__all__ = ["FILE_NAME", "FORMAT", "SIZE", "TablePicture"]
