"""The command `school`: courses and learners for the demo company."""

from collections.abc import Mapping
from typing import Any

from ..checks import checked
from ..demo.learners import open_school as opened
from ..platform import Platform
from ..serving.exchange import Answer

Doc = dict[str, Any]


def open_school(platform: Platform, body: Doc, _query: Mapping[str, list[str]]) -> Answer:
    """`{}`: adds six courses and what license holders did in them; returns how many of each."""
    checked(body, {}, place="body")
    with platform.store.change():
        return Answer(opened(platform))
