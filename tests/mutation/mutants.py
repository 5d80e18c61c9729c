"""Small wrongs in right code: every place where a module's meaning could slip, one at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Mutant:
    place: str  # function or constant, and line: the text before the change, which stays readable when lines move
    change: str
    source: str

    def __str__(self) -> str:
        return f"{self.place}: {self.change}"


def mutants(source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    for part in (*_functions(tree), *_statements(tree)):
        for index, node in enumerate(ast.walk(part)):
            for change in _changes(node):
                yield _made(tree, part, index, change)


def slips(source: str) -> Iterator[Mutant]:
    """As `mutants`, and anywhere in the module, with words and measures, which what people see is made of."""
    tree = ast.parse(source)
    quiet = {id(node) for silent in _silent(tree) for node in ast.walk(silent)}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) not in quiet:
            for change in (*_changes(node), *_slips(node)):
                yield _made(tree, tree, index, change)


def _slips(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and type(node.value) is float:
        yield "another constant"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield "other words"


def _silent(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the parts that mean nothing to people: docstrings, annotations, imports, sizes of caches."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            yield node
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from filter(None, (node.returns, *node.decorator_list))


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _statements(tree: ast.Module) -> list[ast.Assign | ast.AnnAssign]:
    """The constants of a module that are made by a call, above all its statements of SQL."""
    return [
        node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
    ]


def _name_of(part: ast.AST) -> str:
    target = part.targets[0] if isinstance(part, ast.Assign) else getattr(part, "target", None)
    return getattr(part, "name", "") if target is None else ast.unparse(target)


def _changes(node: ast.AST) -> Iterator[str]:
    """The names of what can be done to a node; `_apply` does it."""
    if isinstance(node, ast.Compare):
        yield from (f"swap {index}" for index in range(len(node.ops)) if type(node.ops[index]) in _SWAPS)
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in _SWAPS:
        if not _is_type(node):
            yield "swap"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "without the sign"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        yield "another constant"
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield from ("always", "never")
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "left out"
    elif isinstance(node, ast.Return) and node.value is not None:
        yield "nothing returned"
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield "unfiltered"


def _is_type(node: ast.AST) -> bool:
    """``int | None``: words about the code, which mean nothing when it runs."""
    return isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant) and node.right.value is None


def _made(tree: ast.Module, function: ast.AST, index: int, change: str) -> Mutant:
    """A copy of the whole, changed in one place."""
    number = list(ast.walk(tree)).index(function)
    changed = copy.deepcopy(tree)
    twin = list(ast.walk(changed))[number]
    node = list(ast.walk(twin))[index]
    line = f"line {getattr(node, 'lineno', 0)}" if function is tree else _name_of(function)
    place = f"{line}, {_shown(node)}"
    _apply(node, change)
    return Mutant(place, change, ast.unparse(ast.fix_missing_locations(changed)))


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"if {ast.unparse(node.test)}"
    if isinstance(node, ast.comprehension):
        return " ".join(f"if {ast.unparse(test)}" for test in node.ifs)
    return ast.unparse(node).splitlines()[0]


def _apply(node: ast.AST, change: str) -> None:
    match node, change.partition(" ")[0]:
        case ast.Compare(), "swap":
            place = int(change.partition(" ")[2])
            node.ops[place] = _SWAPS[type(node.ops[place])]()  # type: ignore[call-overload]
        case _, "swap":
            node.op = _SWAPS[type(node.op)]()  # type: ignore[attr-defined]
        case ast.UnaryOp(op=ast.Not()), _:
            node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)
        case ast.UnaryOp(), _:
            node.op = ast.UAdd()
        case ast.Constant(), "other":
            node.value = f"{node.value}~"
        case ast.Constant(), _:
            node.value = not node.value if isinstance(node.value, bool) else node.value + 1  # type: ignore[operator]
        case ((ast.If() | ast.IfExp() | ast.While()), "always"):
            node.test = ast.Constant(value=True)
        case ((ast.If() | ast.IfExp() | ast.While()), "never"):
            node.test = ast.Constant(value=False)
        case ast.Expr(), _:
            node.value = ast.Constant(value=None)
        case ast.Return(), _:
            node.value = ast.Constant(value=None)
        case ast.comprehension(), _:
            node.ifs = []
