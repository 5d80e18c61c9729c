"""simcord's page as a place to play, with our style sheet and script.

simcord's private server is used here; its exact version is pinned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import discord

from cogs.playground.direct import directs_of
from cogs.playground.replaced import LINES, replaced
from cogs.words import N_, _, language_of, speaking

if TYPE_CHECKING:
    from simcord import Preview

_HERE: Final = Path(__file__).parent
_OURS: Final = {"/playground.js": ("page.js", "text/javascript"), "/playground.css": ("page.css", "text/css")}
#: The tag after which our texts are inserted.
_CHARSET: Final = '<meta charset="utf-8">'
_TITLE: Final = "Croupier · playground"
#: The texts of the page by the names that the script uses.
_SAID: Final[Mapping[str, str]] = {
    "welcome": N_(
        "Nobody is playing here yet.\n"
        "\n"
        "Type /blackjack into the box below, choose the command, and press Send.\n"
        "Then just press buttons.\n"
        "\n"
        "/help shows the rest."
    ),
    "alone": N_(
        "This is your direct message with Croupier.\n"
        "\n"
        "Type /today into the box below, choose the command, and press Send.\n"
        "\n"
        "/help shows what else works here."
    ),
    "direct": N_("Direct message"),
    "gone": N_("The playground has stopped. Start it again: this page goes on by itself."),
    "other": N_("This address is an earlier playground's. Open the one that the terminal shows."),
    "dark": N_("Dark"),
    "light": N_("Light"),
    "sending": N_("Sending…"),
    "missed": N_("That was not taken, because something had just changed. Press again."),
    "silent": N_("Croupier has not answered. Try again."),
    "earlier": N_("That message is of an earlier run, and gone."),
    "elsewhere": N_("That is on Discord only."),
    "apps": N_("Apps"),
    "looking": N_("Looking…"),
    "unknown": N_("Nothing by that name yet"),
    "none": N_("Nothing to choose from yet"),
}
#: simcord's texts, and our replacements.
_REWORDED: Final = {
    "<title>SimCord Preview</title>": f"<title>{_TITLE}</title>",
    '<span class="brand-mark" aria-hidden="true">S</span>': '<span class="brand-mark" aria-hidden="true">C</span>',
    "<strong>SimCord</strong>": "<strong>Croupier</strong>",
    "</head>": '<link rel="stylesheet" href="/playground.css">\n<script src="/playground.js"></script>\n</head>',
}


def dress(preview: Preview) -> None:
    """Make the preview's server serve our page. It must not have started."""
    server: Any = preview._server
    plain = server._static

    async def served(request: Any) -> Any:
        if request.path in _OURS:
            return _file(server, request)
        answer = await plain(request)
        if request.path == "/":
            with speaking(_language_of(request)):
                answer.text = _reworded(answer.text, {"menus": _menus(preview), "directs": _directs(preview)})
        elif request.path in LINES:
            answer.text = replaced(request.path, answer.text)
        return answer

    picture = server._asset

    async def pictured(request: Any) -> Any:
        """Answer *no content* for a picture that has been replaced, because browsers would log an error for a 404."""
        from aiohttp import web

        answer = await picture(request)
        return web.Response(status=204, headers=server._SECURITY_HEADERS) if answer.status == 404 else answer

    plain_dispatch = preview._on_dispatch

    def dispatched(interaction: Any) -> None:
        """Show the full name of a command above its answer, because simcord shows only the first word."""
        plain_dispatch(interaction)
        action = preview._active_action
        if action is not None and action.command is not None:
            interaction.command_name = action.command["invocation"]

    preview._on_dispatch = dispatched  # type: ignore[method-assign]
    server._STATIC_FILES = {**server._STATIC_FILES, **{path: path for path in _OURS}}
    server._static, server._asset = served, pictured


def _file(server: Any, request: Any) -> Any:
    from aiohttp import web

    if request.headers.get("Host", "") not in server._allowed_hosts():
        raise web.HTTPForbidden
    name, kind = _OURS[request.path]
    text = (_HERE / name).read_text(encoding="utf-8")
    return web.Response(text=text, content_type=kind, headers=server._SECURITY_HEADERS)


def _language_of(request: Any) -> str:
    """Return the first of the browser's languages that the bot speaks, else English."""
    wanted = request.headers.get("Accept-Language", "").split(",")
    return language_of(*(each.partition(";")[0].strip() for each in wanted))


def _menus(preview: Preview) -> str:
    """Return the names of the right-click commands for people and messages, as JSON for the script."""
    bot: Any = preview.env.bot
    of = {"user": discord.AppCommandType.user, "message": discord.AppCommandType.message}
    return json.dumps({target: [menu.name for menu in bot.tree.get_commands(type=kind)] for target, kind in of.items()})


def _directs(preview: Preview) -> str:
    """Return the id of each person's direct messages as JSON. Ids are texts: JavaScript's numbers cannot hold them."""
    return json.dumps({str(person): str(channel) for person, channel in directs_of(preview).items()})


def _reworded(html: str, facts: Mapping[str, str]) -> str:
    texts = {**facts, **{name: _(text) for name, text in _SAID.items()}}
    said = "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in texts.items())
    for theirs, ours in {**_REWORDED, _CHARSET: f"{_CHARSET}\n{said}"}.items():
        html = html.replace(theirs, ours, 1)
    return html
