"""Prints texts and JSON documents."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ..errors import WrongUse
from .safe_output import copyable, exact_output


def echo_pieces(pieces: Iterable[bytes]) -> None:
    """Prints a JSON document piece by piece; no piece ends inside a string."""
    from ..support.visible import in_json

    for piece in pieces:
        click.echo(in_json(piece.decode()).encode(), nl=False)


def put(pieces: Iterable[bytes], out: Path | None) -> None:
    """Prints the pieces exactly, or writes them whole to a file that only its owner can read."""
    if out is not None:
        write(out, pieces)
        return
    for piece in pieces:
        print_exactly(piece)


def print_exactly(document: bytes) -> None:
    """Prints a part of a document of which every byte counts, or an order to a build server."""
    with exact_output():
        click.echo(document, nl=False)


def write(file: Path, pieces: Iterable[bytes], *, private: bool = True) -> None:
    """Writes a file whole, for its owner alone if it is `private`; raises `WrongUse` where that is
    not possible."""
    from ..support.writing import write_whole

    try:
        write_whole(file, pieces, private=private)
    except OSError as error:
        raise WrongUse(f"{file} cannot be written: {error.strerror}") from None


def echo(view: Any) -> None:
    """Prints a text, with commands that can be copied, and any other value as a JSON document."""
    from ..report.value_words import json_document

    click.echo(copyable(view) if isinstance(view, str) else json_document(view), nl=False)
