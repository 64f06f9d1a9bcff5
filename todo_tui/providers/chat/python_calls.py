"""Calls in the syntax of Python, as Gemma, Llama and OLMo print them; nothing of it is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

_JSON_NAMES = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class PythonCall:
    """`name(…)` with its arguments, which are literals of Python."""

    name: str
    positional: tuple[object, ...]
    named: dict[str, object]


def python_calls(text: str) -> tuple[PythonCall, ...]:
    """The calls that the text consists of; empty where it holds anything else."""
    try:
        with warnings.catch_warnings():
            # An odd escape in somebody's words is no business of the terminal.
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip())
        return tuple(call for statement in tree.body for call in _of_statement(statement))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _of_statement(statement: ast.stmt) -> Iterator[PythonCall]:
    if not isinstance(statement, ast.Expr):
        raise ValueError("no call")
    value = statement.value
    for each in value.elts if isinstance(value, ast.List) else [value]:
        yield _call(each)


def _call(node: ast.expr) -> PythonCall:
    if not isinstance(node, ast.Call):
        raise ValueError("no call")
    name = _name(node.func)
    if name == "print" and len(node.args) == 1:
        return _call(node.args[0])
    positional = tuple(_literal(argument) for argument in node.args)
    named = {str(each.arg): _literal(each.value) for each in node.keywords if each.arg}
    if len(named) < len(node.keywords):
        raise ValueError("arguments that are not written out")
    return PythonCall(name, positional, named)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        # Llama's own tools are called as `name.call(…)`, Gemma's as `default_api.name(…)`.
        case ast.Attribute(value=ast.Name(id=name), attr="call"):
            return name
        case ast.Attribute(attr=name):
            return name
        case _:
            raise ValueError("no name")


def _literal(node: ast.expr) -> object:
    if isinstance(node, ast.Name) and node.id in _JSON_NAMES:
        return _JSON_NAMES[node.id]
    if isinstance(node, ast.List):
        return [_literal(each) for each in node.elts]
    value: object = ast.literal_eval(node)
    return value
