"""The command `school`: courses and learners for the demo company."""

from collections.abc import Mapping

from ..composition import Sandbox
from ..demo.learners import open_school as opened
from ..documents import Doc
from ..http import Answer
from .body import body_fields


def open_school(sandbox: Sandbox, body: Doc, _query: Mapping[str, list[str]]) -> Answer:
    """`{}`: adds six courses and what license holders did in them; returns how many of each."""
    body_fields(body, {})
    with sandbox.platform.store.change():
        return Answer(opened(sandbox.platform))
