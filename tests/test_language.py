"""Docstrings and comments are plain English: a stranger understands each at first reading.

A program can only hold the floor: how sentences begin, and that something is said at all.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator

import pytest

from settings import ROOT

#: The packages, and the folder of `bot.py`, `croupier.py` and `settings.py`.
PACKAGES = [
    ".",
    *sorted(
        {
            str(path.parent.relative_to(ROOT))
            for floor in ("engine", "data", "cogs", "bench")
            for path in (ROOT / floor).rglob("*.py")
        }
    ),
]

#: No sentence begins like this: it would have no verb, or keep the reader waiting for its noun.
NO_BEGINNING = re.compile(
    r"(of|so|by|for|from|in|on|at|to|with|without|until|where|what|who|whose|whoever|whatever|how|as|than|beside|among)\b",
    re.I,
)
#: Nor does the sentence about a function, which says what it does: "Return...", "Refuse...", "Load...".
NO_VERB = re.compile(
    r"(the|an?|its?|this|that|these|those|they|s?he|all|any|every|each|not?|nothing|nobody|one|some|more|most|only|whether|how"
    r"|why|when|if|two|both|same)\b",
    re.I,
)

ODD = re.compile(
    r"\b(anew|mend(s|ed|ing)?|for ever|whoever|so (many|much|often)|all the same|nobody's|meanwhile|shall)\b",
    re.I,
)

ONLY_A_RULE = re.compile(r"R\d+\.\d+\.?")


def said_in(package: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each docstring and comment, where it stands, and whether it says what a function does."""
    for path in sorted((ROOT / package).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    name = f"{path.relative_to(ROOT)}:{getattr(node, 'name', 'module')}"
                    yield name, " ".join(text.split()), says_what_it_does(node)
    for path in sorted((ROOT / package).glob("*.py")):
        notes = re.finditer(r"(?:^ *#: .*\n)+", path.read_text(encoding="utf-8"), re.MULTILINE)
        for note in notes:
            text = " ".join(line.strip().removeprefix("#: ") for line in note[0].splitlines())
            yield f"{path.relative_to(ROOT)}: #: {text[:20]}", text, False
        for token in tokenize.generate_tokens(path.open(encoding="utf-8").readline):
            if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip():
                text = token.string.lstrip("# ")
                if ONLY_A_RULE.fullmatch(text):
                    continue  # the line says the rest
                yield f"{path.relative_to(ROOT)}: # {text[:20]}", text, False


def is_odd(text: str, *, of_a_function: bool) -> bool:
    if ODD.search(text) or ONLY_A_RULE.fullmatch(text) or NO_BEGINNING.match(text):
        return True
    return of_a_function and NO_VERB.match(text) is not None


def says_what_it_does(node: ast.AST) -> bool:
    """Return whether it is a function. A property may name the thing that it is."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return not {"property", "cached_property"} & {getattr(each, "id", "") for each in node.decorator_list}


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_said_of_the_code_is_plain_english(package: str) -> None:
    odd = [f"{name}: {text}" for name, text, doing in said_in(package) if is_odd(text, of_a_function=doing)]
    assert odd == []
