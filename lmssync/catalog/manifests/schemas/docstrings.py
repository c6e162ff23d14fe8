"""What the source says of models and their fields: docstrings, and the sentence beneath a field.

It is read when it is asked for: pydantic can do it at import, which every command would wait for.
"""

import ast
import inspect
import sys
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel


def summary_of(model: type[Any]) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(model) or "").split("\n\n")[0].split())


@cache
def field_sentences(model: type[BaseModel]) -> Mapping[str, str]:
    """What stands beneath each field; of two, that of the nearest class."""
    texts: dict[str, str] = {}
    for one in reversed(model.__mro__):
        if issubclass(one, BaseModel) and one is not BaseModel:
            texts |= _own_sentences(one)
    return texts


def _own_sentences(model: type[BaseModel]) -> dict[str, str]:
    body = _parse_classes(model.__module__)[model.__name__].body
    texts = {}
    for field, after in pairwise(body):
        match field, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                texts[name] = " ".join(text.split())
    return texts


@cache
def _parse_classes(module: str) -> Mapping[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
