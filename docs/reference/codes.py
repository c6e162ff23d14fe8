"""Every code of a problem that the package can raise, read from its source.

A code is the first argument of a call that makes a problem. Most are written out. A code made
of a field's name (`f"{...}-range"`) stands for a family, by its ending. A code that arrives in
a parameter is followed to the calls of that function in the same module.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import lmssync

PACKAGE = Path(lmssync.__file__).parent
SANDBOX = PACKAGE / "sandbox"
MAKERS = frozenset({"Finding", "Problem", "YamlMistake", "mistake", "NoFile"})


class Codes(NamedTuple):
    """What the source raises."""

    single: frozenset[str]
    families: frozenset[str]
    """Endings: `-range`."""
    warnings: frozenset[str]
    """Those that never stop a plan."""


def raised() -> Codes:
    """The codes of the whole package but the sandbox, which has none."""
    files = [file for file in PACKAGE.rglob("*.py") if not file.is_relative_to(SANDBOX)]
    found = {made for file in files for made in _in_module(ast.parse(file.read_text("utf-8")))}
    families = frozenset(code for code, _ in found if code.startswith("-"))
    warnings = frozenset(code for code, warns in found if warns)
    return Codes(frozenset(code for code, _ in found) - families, families, warnings)


def _in_module(module: ast.Module) -> Iterator[tuple[str, bool]]:
    """Each code that a module raises, and whether as a warning."""
    for function in _functions(module):
        for call in _calls(function):
            if _name(call.func) in MAKERS and call.args:
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                warns = any(_is_warning(argument) for argument in given)
                yield from ((code, warns) for code in _spelled(call.args[0], function, module))


def _is_warning(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Attribute) and argument.attr == "WARNING"


def _functions(module: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]


def _calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(function) if isinstance(node, ast.Call))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _spelled(code: ast.expr, function: ast.FunctionDef, module: ast.Module) -> Iterator[str]:
    """The codes that an expression can be; nothing for one that only passes another's on."""
    match code:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=[*_, ast.Constant(value=str() as ending)]):
            yield ending
        case ast.IfExp(body=one, orelse=other):
            yield from _spelled(one, function, module)
            yield from _spelled(other, function, module)
        case ast.Name(id=name):
            yield from _assigned(name, function)
            yield from _passed(name, function, module)


def _assigned(name: str, function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=str() as text)):
                if target == name:
                    yield text


def _passed(name: str, function: ast.FunctionDef, module: ast.Module) -> Iterator[str]:
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    if name not in names:
        return
    position = names.index(name)
    for caller in _functions(module):
        for call in _calls(caller):
            if _name(call.func) == function.name and len(call.args) > position:
                yield from _spelled(call.args[position], caller, module)
