"""Prints texts and JSON documents."""

from collections.abc import Iterable
from typing import Any

import click


def echo_pieces(pieces: Iterable[bytes]) -> None:
    """Prints a JSON document piece by piece; no piece ends inside a string."""
    from ..visible import in_json

    for piece in pieces:
        click.echo(in_json(piece.decode()).encode(), nl=False)


def echo(view: Any) -> None:
    """Prints a text as it is, and any other value as a JSON document."""
    click.echo(view if isinstance(view, str) else as_text(view), nl=False)


def as_text(document: Any) -> str:
    """A JSON document as it is printed."""
    import orjson

    from ..visible import in_json

    return in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()) + "\n"
