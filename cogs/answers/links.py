"""The operator's own links: the privacy policy, and the place to ask and to report errors."""

from __future__ import annotations

from typing import Any

from discord import ui

from cogs.answers.client import Casino
from cogs.answers.panel import Rows
from cogs.words import _


def links(casino: Casino) -> Rows:
    """Return one row with the links as buttons, or no row if the operator has set none."""
    urls = {_("Privacy policy"): casino.policy_url, _("Support"): casino.support_url}
    row: list[ui.Item[Any]] = [ui.Button(label=label, url=url) for label, url in urls.items() if url is not None]
    return [row] if row else []
