"""The codes that the domain's sources can raise or report, read from their syntax trees."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from domain.games import GAMES

ROOT = Path(__file__).parents[3]
_FINDINGS = {"Finding", "wrong", "_found"}


def _first(call: ast.Call, function: str) -> ast.expr | None:
    if not call.args:
        return None
    position = 1 if function == "_found" else 0  # after the version
    return call.args[position] if len(call.args) > position else None


def _assigned(tree: ast.AST, name: str) -> Iterator[str]:
    """Every string that a variable of this name is given, alone or as the same item of a tuple."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Name) and target.id == name:
                yield from _codes(node.value, tree)
            elif isinstance(target, ast.Tuple):
                for index, item in enumerate(target.elts):
                    if isinstance(item, ast.Name) and item.id == name:
                        for value in _branches(node.value):
                            assert isinstance(value, ast.Tuple)
                            yield from _codes(value.elts[index], tree)


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _codes(node: ast.expr, tree: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(code)):
            yield code
        case ast.IfExp(body=body, orelse=orelse):
            yield from _codes(body, tree)
            yield from _codes(orelse, tree)
        case ast.JoinedStr():  # `need_{fewest}_players`, of the games that have so many seats and no others
            fewest_and_most = [rules.seats for rules in GAMES.values()]
            yield from (f"need_{fewest}_players" for fewest, most in fewest_and_most if fewest == most)
        case ast.Name(id=name):
            yield from _assigned(tree, name)
        case ast.Attribute(attr="code"):
            return  # passed on from another refusal
        case _:
            raise AssertionError(f"a code that this test cannot read: {ast.dump(node)}")


def _in(folder: Path, functions: set[str]) -> set[str]:
    found: set[str] = set()
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if name not in functions:
                continue
            code = _first(node, name)
            if code is not None:
                found |= set(_codes(code, tree))
    return found


@functools.cache
def refusals() -> frozenset[str]:
    """Every code of a refusal; of those that come with a word's verdict a game says itself which there are."""
    of_games = (rules.open_refusals for rules in GAMES.values())
    of_the_service = _in(ROOT / "service" / "operating.py", {"Refused"})  # who may not take a seat (`Engine.door`)
    return frozenset(_in(ROOT / "domain", {"Rejected", "malformed"})).union(of_the_service, *of_games)


@functools.cache
def findings() -> frozenset[str]:
    """Every code of an audit's finding, beside refusals that it passes on."""
    return frozenset(_in(ROOT / "domain", _FINDINGS))
