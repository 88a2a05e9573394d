"""Finds a function in a module's text, whatever its line, and alters it."""

from __future__ import annotations

import ast

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Unfit(ValueError):
    """A mutant that cannot be put in; the text says why, to stand after its name."""


def mutated(text: str, function: str, old: str, new: str) -> str:
    """The module's text with `old` replaced in that function. Raises Unfit.

    `function`: as its __qualname__, without "<locals>".
    """
    found = [node for name, node in functions(text) if name == function]
    if len(found) != 1:
        raise Unfit(
            f"there is no function {function}" if not found else f"{function} is there twice"
        )
    begin, end = _span(text, found[0])
    body = text[begin:end]
    if (times := body.count(old)) != 1:
        raise Unfit(f"{function} has {old!r} {times} times, not once")
    altered = text[:begin] + body.replace(old, new) + text[end:]
    try:
        compile(altered, function, "exec")
    except SyntaxError as error:
        raise Unfit(f"{new!r} makes no Python in {function}: {error.msg}") from None
    if ast.dump(ast.parse(altered)) == ast.dump(ast.parse(text)):
        raise Unfit(f"{new!r} changes nothing in {function}")
    return altered


def functions(text: str) -> list[tuple[str, ast.stmt]]:
    """Every function of a module, with its qualified name."""
    found: list[tuple[str, ast.stmt]] = []

    def walk(node: ast.AST, within: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*_FUNCTIONS, ast.ClassDef)):
                name = within + child.name
                if isinstance(child, _FUNCTIONS):
                    found.append((name, child))
                walk(child, f"{name}.")
            else:
                walk(child, within)

    walk(ast.parse(text), "")
    return found


def _span(text: str, node: ast.stmt) -> tuple[int, int]:
    """From where to where it stands, its decorators left out."""
    lines = [f"{line}\n" for line in text.split("\n")]
    begin = sum(len(line) for line in lines[: node.lineno - 1])
    return begin, begin + sum(len(line) for line in lines[node.lineno - 1 : node.end_lineno])
