"""Where each value of a file stands: by libyaml where it counts as ruamel.yaml does.

Both are imported once a place is wanted.
"""

from typing import TYPE_CHECKING, TypeVar

from ....resource import Path
from .plain import Exotic

if TYPE_CHECKING:
    from .events import ValueOf

Spot = tuple[int, int]
"""Line and column, from 1."""
Places = dict[Path, Spot]
T = TypeVar("T")


def find_marks(data: bytes) -> list[Places]:
    """Where each key and item of each document stands; empty where the file has no structure."""
    return map_values(data, lambda mark, _: (mark.line + 1, mark.column + 1))


def find_scalars(data: bytes) -> list[dict[Path, str]]:
    """What stands in the file for each value without quotes: `00123`, where the value is 123."""
    from .events import is_plain

    return map_values(data, lambda _, event: event.value if is_plain(event) else None)


def map_values(data: bytes, value_of: "ValueOf[T]") -> list[dict[Path, T]]:
    """What `value_of` says of the values of each document; nothing where the file is no YAML."""
    from . import fast
    from .events import map_events

    try:
        return map_events(fast.libyaml_events(data), value_of)
    except Exotic:
        from . import slow

        return map_events(slow.parser_events(data), value_of)
