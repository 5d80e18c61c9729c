"""Tables, hands and standings as pictures: pure functions from what may be seen to the bytes of a file.

Nothing here knows Discord. Words and names come in ready to draw, in the reader's language. Each function that renders
a picture may be called in any thread, and the same input always gives the same bytes.

Pictures are most of the processor time of a press. So what two pictures share is drawn and compressed once (`canvas`,
`png`, `rims`): a hand in play takes 1.6 ms instead of 4.2. A server with a few tables would not need this,
but a processor that serves hundreds of presses a second does.
"""

from __future__ import annotations

from typing import Final

from cogs.pictures.blackjack import TablePicture
from cogs.pictures.palette import FORMAT, SIZE

#: The name of a table's picture as a file of a message.
FILE_NAME: Final = f"table.{FORMAT}"

__all__ = ["FILE_NAME", "FORMAT", "SIZE", "TablePicture"]
