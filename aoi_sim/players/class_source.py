"""The source of a class or function that a program gives as a heuristic, also when it was typed into a notebook."""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterator
from typing import Any


def source_of(maker: Callable[..., Any]) -> str | None:
    """Source of a class with its base classes, or of a function; None if some of it is not at hand.

    What it uses besides, functions and values of its module, is not looked for.
    """
    if not inspect.isclass(maker):
        return _source(maker)
    parts = [_source(one) for one in maker.__mro__ if one.__module__ != "builtins"]
    return None if None in parts else "\n".join(part for part in parts if part is not None)


def _source(thing: Any) -> str | None:
    try:
        return textwrap.dedent(inspect.getsource(thing))
    except (OSError, TypeError):
        return _typed_in(thing) if inspect.isclass(thing) else None


def _typed_in(made: type) -> str | None:
    """Source of a class of a notebook's cell: a class has no file there, but its methods have."""
    for code in _codes(made):
        lines = linecache.getlines(code.co_filename)
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:  # a cell with magics
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.ClassDef) or node.name != made.__name__ or node.end_lineno is None:
                continue
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= code.co_firstlineno <= node.end_lineno:
                return textwrap.dedent("".join(lines[first - 1 : node.end_lineno]))
    return None


def _codes(made: type) -> Iterator[Any]:
    for value in vars(made).values():
        code = getattr(inspect.unwrap(value) if callable(value) else value, "__code__", None)
        if code is not None:
            yield code
