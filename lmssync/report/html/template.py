"""The templates of reports, and the one policy under which a browser shows them."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from ..changes import Parts, Reordered, Rewritten, Value, Whole
from .bodies import SIZES, size

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
    made = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=lambda value: "" if value is None else value,
    )
    style, script, body = (_text(name) for name in ("style.css", "filter.js", "body.css"))
    style += "".join(f".size-{n}{{height:{n * 2.1 + 1.6:.1f}rem}}" for n in range(1, SIZES + 1))
    made.globals.update(STYLE=style, SCRIPT=script, POLICY=_policy([style, body], [script]))
    made.filters.update(size=size, frame=lambda html: f"<style>{body}</style>{html}")
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
