"""The smallest manifests that still show what a kind is for: `examples.yaml` in its room.

Editors offer them and `explain` shows them. They name things that no catalog has to have.
"""

import inspect
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ....kinds import BY_RESOURCE
from ..yaml import load_yaml


@cache
def example_texts() -> Mapping[str, list[str]]:
    """The examples of each kind as YAML, by its word under `resource:`."""
    rooms = {word: Path(inspect.getfile(kind.spec)).parent for word, kind in BY_RESOURCE.items()}
    return {
        word: (room / "examples.yaml").read_text("utf-8").split("---\n")
        for word, room in rooms.items()
    }


@cache
def example_documents() -> Mapping[str, list[dict[str, Any]]]:
    """The same as documents."""
    return {
        word: [load_yaml(text.encode())[0] for text in known]
        for word, known in example_texts().items()
    }


def of_file(word: str) -> str:
    """The example of a file that holds no resources: `lmssync` or `policy`."""
    return Path(__file__).with_name(f"{word}.yaml").read_text("utf-8")
