"""simcord's page as a place to play: our style sheet and script are served with it.

What is private in simcord's server is touched here alone; its exact version is pinned.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simcord import Preview

_HERE: Final = Path(__file__).parent
_OURS: Final = {"/playground.js": ("page.js", "text/javascript"), "/playground.css": ("page.css", "text/css")}
_TITLE: Final = "Croupier · playground"
#: Read where no message has been written yet.
_WELCOME: Final = (
    "Nobody plays here yet.\n\nType /blackjack into the box below, choose the command, and press Send.\n"
    "Then the cards are dealt, and everything is a button.\n\n/help says what else there is."
)
#: simcord's words, and ours in their place.
_REWORDED: Final = {
    "<title>SimCord Preview</title>": f"<title>{_TITLE}</title>",
    '<span class="brand-mark" aria-hidden="true">S</span>': '<span class="brand-mark" aria-hidden="true">C</span>',
    "<strong>SimCord</strong>": "<strong>Croupier</strong>",
    "</head>": f'<meta name="welcome" content="{escape(_WELCOME)}">\n'
    '<link rel="stylesheet" href="/playground.css">\n<script src="/playground.js"></script>\n</head>',
}


def dress(preview: Preview) -> None:
    """Before its server starts: from now on it serves our page."""
    server: Any = preview._server
    plain = server._static

    async def served(request: Any) -> Any:
        if request.path in _OURS:
            return _file(server, request)
        answer = await plain(request)
        if request.path == "/":
            answer.text = _reworded(answer.text)
        return answer

    server._STATIC_FILES = {**server._STATIC_FILES, **{path: path for path in _OURS}}
    server._static = served


def _file(server: Any, request: Any) -> Any:
    from aiohttp import web

    if request.headers.get("Host", "") not in server._allowed_hosts():
        raise web.HTTPForbidden
    name, kind = _OURS[request.path]
    text = (_HERE / name).read_text(encoding="utf-8")
    return web.Response(text=text, content_type=kind, headers=server._SECURITY_HEADERS)


def _reworded(html: str) -> str:
    for theirs, ours in _REWORDED.items():
        html = html.replace(theirs, ours, 1)
    return html
