"""Messages and pictures written down so that a person can check them.

A message is its edge, its text as Discord is sent it, its buttons and menus; what cannot be pressed is in (brackets).
A picture is the list of what is drawn where, in the order of drawing: later things lie on earlier ones.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from itertools import groupby
from typing import Any, Final

import pytest
from discord import ButtonStyle, ui
from PIL import Image

import cogs.pictures
from cogs.answers.panel import BRASS, FELT
from cogs.pictures import palette
from cogs.pictures.badges import Pill
from cogs.pictures.canvas import Canvas
from cogs.table.page import Accent, Picture

# -- messages ----------------------------------------------------------------------------------------------------------

_BUTTON: Final = 2
_LINE: Final = 14
_MENUS: Final = {3: "menu", 6: "menu of roles", 8: "menu of channels"}
_CLOSED: Final = {True: "({})", False: "[{}]"}


def message(view: ui.LayoutView) -> list[str]:
    """Everything that people see of a message and can press, from top to bottom."""
    return boxed(*view.to_components())


def boxed(box: Mapping[str, Any]) -> list[str]:
    """The same of a message that Discord was sent."""
    lines = [f"edge #{box['accent_color']:06X} {_EDGES[box['accent_color']]}"]
    for part in box["components"]:
        lines += _part(part)
    return lines


_EDGES: Final = {
    BRASS: "gold",
    FELT: "green",
    Accent.OPEN: "light blue",
    Accent.PLAYING: "blue",
    Accent.WON: "green",
    Accent.HIGHLIGHT: "gold",
    Accent.LOST: "red",
    Accent.EVEN: "light grey",
    Accent.CLOSED: "dark grey",
    0xB3392F: "red",
}


def form(modal: Mapping[str, Any]) -> list[str]:
    """A form's fields, what is said of each, and what stands in it or is chosen."""
    lines = [f"form: {modal['title']}"]
    for label in modal["components"]:
        field = label["component"]
        lines.append(f"  {label['label']} ({label.get('description') or ''}): {field.get('value') or ''}".rstrip())
        lines += [
            f"    {'> ' if option.get('default') else '  '}{option['label']}" for option in field.get("options", ())
        ]
    return lines


def _part(part: Mapping[str, Any]) -> Iterator[str]:
    if "content" in part:
        yield from part["content"].splitlines()
    for item in part.get("items", []):
        yield f"picture: {item['description']}"
    if part["type"] == _LINE:
        yield "----"
    if "file" in part:
        yield f"file: {part['file']['url']}"
    children = part.get("components", [])
    buttons = [child for child in children if child["type"] == _BUTTON]
    if buttons:
        yield "keys: " + " ".join(map(_button, buttons))
    for menu in children:
        if menu["type"] in _MENUS:
            yield from _menu(menu)


def _button(button: Mapping[str, Any]) -> str:
    style = ButtonStyle(button["style"]).name
    return _CLOSED[bool(button.get("disabled"))].format(f"{button['label']}: {style}")


def _menu(menu: Mapping[str, Any]) -> Iterator[str]:
    yield f"{_MENUS[menu['type']]}: {menu.get('placeholder', '')}".rstrip(": ")
    for option in menu.get("options", []):
        chosen = "> " if option.get("default") else "  "
        yield f"{chosen}{option['label']}{' · ' + option['description'] if option.get('description') else ''}"


# -- pictures ----------------------------------------------------------------------------------------------------------


def drawn(picture: Picture) -> list[str]:
    """Return what is drawn on the felt, and the middle of each thing; a stack of chips is one thing."""
    with pytest.MonkeyPatch.context() as patch, _named_sprites(patch) as names:
        things: list[tuple[int, int, str]] = []
        lay = Canvas.lay

        def note(table: Canvas, what: Any, mask: Image.Image, x: int, y: int) -> None:
            name = names.get(id(what)) or names.get(id(mask)) or "something nameless"
            things.append((x + mask.width // 2, y + mask.height // 2, name))
            lay(table, what, mask, x, y)

        patch.setattr(Canvas, "lay", note)
        picture.draw()
        return list(_listed(things))


def _listed(things: list[tuple[int, int, str]]) -> Iterator[str]:
    """Chips that stand on one another are counted."""
    for (x, name), alike in groupby(things, key=lambda thing: (thing[0], thing[2])):
        ys = [y for _, y, _ in alike]
        yield f"{x:4} {ys[0]:4}  {name}{f' ({len(ys)}, up to {ys[-1]})' if len(ys) > 1 else ''}"


@contextmanager
def _named_sprites(patch: pytest.MonkeyPatch) -> Iterator[dict[int, str]]:
    """Every function of the pictures that makes a sprite is followed, and what it made is remembered by name."""
    names: dict[int, str] = {}
    kept: list[Image.Image] = []  # so that no later sprite gets an earlier one's id

    def follow(make: Callable[..., Image.Image]) -> Callable[..., Image.Image]:
        @wraps(make)
        def made(*args: Any, **more: Any) -> Image.Image:
            sprite = make(*args, **more)
            names[id(sprite)] = _named(make.__name__, args, more)
            kept.append(sprite)
            return sprite

        return made

    for found in pkgutil.iter_modules(cogs.pictures.__path__, "cogs.pictures."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).copy().items():
            if _makes_a_sprite(value):
                patch.setattr(module, name, follow(value))
    yield names


def _named(maker: str, args: tuple[Any, ...], more: Mapping[str, Any]) -> str:
    """Return the words for a sprite: its maker and what it was made of."""
    if maker == "sprite":
        return f"card {'face down' if args[0] is None else args[0]}, {args[1]} high"
    if maker == "chip_from_the_side":
        args = args[:-1]  # how it is turned
    lit = [word.replace("_", " ") for word, value in more.items() if value is True]
    return " ".join([maker.strip("_"), *filter(None, map(_said, args)), *lit])


def _makes_a_sprite(value: object) -> bool:
    ours = str(getattr(value, "__module__", "")).startswith("cogs.pictures")
    return ours and callable(value) and not inspect.isclass(value) and _returns(value) in {"Image.Image", Image.Image}


def _returns(value: object) -> object:
    annotations = getattr(value, "__annotations__", {})
    return annotations.get("return")


_COLOURS: Final = {
    value: name.lower()
    for name, value in vars(palette).items()
    if name.isupper() and isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, int) for part in value)
}


def _said(value: object) -> str:
    match value:
        case Pill():
            return " ".join(filter(None, [repr(value.text) if value.text else "", value.sign, _on(value)]))
        case tuple() if value in _COLOURS:
            return _COLOURS[value]
        case None:
            return "nothing"
        case _:
            return str(value)


def _on(label: Pill) -> str:
    paint = _COLOURS.get(label.paint, str(label.paint)) if label.paint is not None else "nothing"
    return f"{_COLOURS.get(label.ink, str(label.ink))} on {paint}"
