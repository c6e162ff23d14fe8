"""Where the field of a form stands in the document that it came from."""

from typing import Any

from ...kinds import part_names
from ...resource import Path


class Unpullable(Exception):
    """A value that cannot be written where it belongs; says why."""


class NoPlace(LookupError):
    """The document does not have what the field stands in."""


def steps(data: Any, path: str) -> Path:
    """`sections[start].title` as `("sections", 0, "title")`; parts may have no ids in a document.

    The last step may be a key that is not there. Raises `NoPlace`.
    """
    if isinstance(data, list):
        name, _, rest = path.removeprefix("[").partition("]")
        names = part_names(data)
        if name not in names:
            raise NoPlace(path)
        place = names.index(name)
        return (place, *steps(data[place], rest.removeprefix(".")))
    if not isinstance(data, dict):
        raise NoPlace(path)
    if not path or path in data:
        return (path,) if path else ()
    key = next((key for key in data if path.startswith((f"{key}.", f"{key}["))), None)
    if key is None:
        return (path,)
    return (key, *steps(data[key], path.removeprefix(key).removeprefix(".")))
