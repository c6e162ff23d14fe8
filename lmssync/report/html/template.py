"""The templates of reports, and the one policy under which a browser shows them."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment

from ...support.pages import BODY_STYLE, OUTLINE_STYLE, environment
from ..changes import Parts, Reordered, Rewritten, Value, Whole

_HERE = Path(__file__).parent
_PIECE = 200
"""Pieces that are written at once."""


def pages(template: str, **context: Any) -> Iterator[bytes]:
    """A whole page, a piece at a time."""
    stream = _templates().get_template(template).stream(**context)
    stream.enable_buffering(_PIECE)
    return (piece.encode("utf-8", "replace") for piece in stream)


@cache
def _templates() -> Environment:
    made = environment(_HERE)
    style, script = OUTLINE_STYLE + _text("style.css"), _text("filter.js")
    policy = _policy([style, BODY_STYLE], [script])
    made.globals.update(STYLE=style, SCRIPT=script, POLICY=policy)
    for kind in (Value, Reordered, Rewritten, Whole, Parts):
        made.tests[kind.__name__.lower()] = lambda item, kind=kind: isinstance(item, kind)
    return made


def _text(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _policy(styles: list[str], scripts: list[str]) -> str:
    """Nothing is loaded; of styles and scripts only these very ones count."""
    named = {"style-src": styles, "script-src": scripts}
    sources = "; ".join(f"{name} {' '.join(map(_hash, texts))}" for name, texts in named.items())
    return f"default-src 'none'; {sources}; img-src data:; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
