"""A document: a JSON object, as it is kept, sent and answered."""

from collections.abc import Iterable, Mapping
from typing import Any

Doc = dict[str, Any]


def pick_fields(doc: Mapping[str, Any], names: Iterable[str]) -> Doc:
    """These fields of a document, null where it has none."""
    return {name: doc.get(name) for name in names}


def put_fields(doc: Doc, fields: Doc, *, defaults: Mapping[str, Any] | None = None) -> None:
    """Set what was sent; null gives a field its default back or takes it away (O2)."""
    for name, value in fields.items():
        if value is not None:
            doc[name] = value
        elif defaults and name in defaults:
            doc[name] = defaults[name]
        else:
            doc.pop(name, None)
