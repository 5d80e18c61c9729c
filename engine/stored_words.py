"""Words in stored data that differ from the words of the code.

They stand in transfer keys, causes, job keys, documents of tables and tournaments, and in the buttons of posted
messages. A transfer's key prevents a second payment, and a posted button is known only by its id, so these words
outlive the names in the code.
"""

from __future__ import annotations

from typing import Final

#: A tournament: in keys (``cup/900/prize/7``), causes, jobs, titles, its own document, custom ids (``cup:900:join``).
TOURNAMENT: Final = "cup"

#: The same cards for all: in titles (``same/900/7``) and custom ids (``same:play:900``).
SAME_CARDS: Final = "same"

#: The record of an elimination table, in the table's document.
ELIMINATION: Final = "contest"

#: The channels of a stage's tables, in a tournament's document.
CHANNELS: Final = "places"

#: The reason for closing an elimination table that somebody has won, in the table's document.
DECIDED: Final = "the contest is decided"

#: A server's settings, in the custom ids of their forms, buttons and menus (``office:form:chips``).
SETTINGS: Final = "office"
