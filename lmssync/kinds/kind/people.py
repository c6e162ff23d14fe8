"""Where a resource names people."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ...persons import Swap
from ...resource import Form
from ...source import Path, Place
from .authoring import Json


class Listed(NamedTuple):
    """An identifier of somebody, and where it stands."""

    text: Json
    """The node that stands for it, where the form is concealed."""
    spot: Place | Path
    """A line of a table, or a path in the document."""


class Concealed(NamedTuple):
    """How what identifies people is taken out of a kind's forms, and put in again."""

    form: Callable[[Form, Swap], Form]
    """The form with each identifier swapped, in its canonical order."""
    answer: Callable[[Json, Swap], Json]
    """The answer of a call with each identifier in it swapped."""
    listed: Callable[[Form, Mapping[str, Json]], Iterator[Listed]]
    """Of a form and its facts: every identifier that it names, nodes too."""
    remedy: str
    """What to do where a call is about somebody whom no list names any more."""
