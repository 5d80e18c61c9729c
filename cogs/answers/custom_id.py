"""Custom ids: the only memory of a button, a menu or a form."""

from __future__ import annotations

import re
from typing import Any, Final

#: A named group in the template of a custom_id.
_CARRIED: Final = re.compile(r"\(\?P<(?P<name>\w+)>(?P<digits>-?\??\\d)?[^()]*\)")

#: The largest number that a column of the database takes.
_LARGEST: Final = 2**63 - 1


class CustomId:
    r"""A kind of custom_id, made from a pattern whose named groups are the values that such a custom_id carries.

    A group that begins with `\d` or `-?\d` is a number, any other a text.
    """

    def __init__(self, template: str) -> None:
        self.pattern: Final = re.compile(template)
        self._format = _CARRIED.sub(r"{\g<name>}", template)
        self._numbers = frozenset(group["name"] for group in _CARRIED.finditer(template) if group["digits"])

    def of(self, **carried: Any) -> str:
        """Return the custom_id that carries these values."""
        return self._format.format(**carried)

    def read(self, match: re.Match[str]) -> dict[str, Any]:
        """Return the values of a custom_id that has matched. They fit its pattern; anybody may have made them up.

        A number that is too large for the database is replaced by the largest that fits.
        """
        words = match.groupdict()
        return {name: min(int(word), _LARGEST) if name in self._numbers else word for name, word in words.items()}
