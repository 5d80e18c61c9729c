"""Words that are written down for ever and are not the words the code uses.

They stand in transfer keys, causes, job keys, documents of tables and tournaments, and in the buttons of messages that
are posted already. A transfer's key is what keeps it from being paid twice, and a posted button is known by its id
alone, so these words outlive the names in the code.
"""

from __future__ import annotations

from typing import Final

#: A tournament: in keys (``cup/900/prize/7``), causes, jobs, titles, its own document, custom ids (``cup:900:join``).
TOURNAMENT: Final = "cup"

#: The record of an elimination table, in the table's document.
ELIMINATION: Final = "contest"

#: Where the tables of a stage are, in a tournament's document.
CHANNELS: Final = "places"

#: Why an elimination table is closed that somebody has won, in the table's document.
DECIDED: Final = "the contest is decided"

#: A server's settings, in the custom ids of their forms, buttons and menus (``office:form:chips``).
SETTINGS: Final = "office"
