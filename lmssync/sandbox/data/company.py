"""What the company has configured: tags, ribbons, content types, custom fields."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from ..checks import Unplaced, Wrong, quote_value
from ..documents import Doc
from .kinds import WORDS
from .objects import Objects


class Company:
    """A look at the configuration, made for one request: what was read once stays."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: set[tuple[str, str]] = set()

    def require_configured(self, kind: str, ids: Iterable[str]) -> None:
        """Raise Wrong unless every id is one of `kind`."""
        for id_ in ids:
            if (kind, id_) in self._known:
                continue
            if not self._objects.has_object(kind, id_):
                raise Wrong(f"{quote_value(id_)} is not a {WORDS[kind]} of this company")
            self._known.add((kind, id_))

    def require_ribbon(self, slug: str) -> None:
        """Raise Wrong with the platform's own words (O14)."""
        if slug not in self.ribbon_slugs:
            available = ", ".join(self.ribbon_slugs)
            raise Unplaced(f"Invalid ribbon slug `{slug}`. Available ribbons: {available}")

    def require_content_type(self, label: str) -> None:
        if label not in self.content_types:
            known = ", ".join(self.content_types)
            raise Wrong(f"{quote_value(label)} is not allowed; it must be one of {known}")

    def require_custom(self, values: Doc, *, level: str) -> None:
        """Raise Wrong unless every slug is defined for `level` and every value fits."""
        definitions = self.group_fields if level == "group" else self.session_fields
        for slug, value in values.items():
            if slug not in definitions:
                raise Wrong(
                    f"{quote_value(slug)} is not a custom field; they are {', '.join(definitions)}"
                )
            if value is not None:
                _require_value(definitions[slug], value)

    @cached_property
    def ribbon_slugs(self) -> list[str]:
        return [doc["slug"] for doc in self._objects.list_objects("ribbons")]

    @cached_property
    def content_types(self) -> list[str]:
        return [doc["label"] for doc in self._objects.list_objects("contentTypes")]

    @cached_property
    def group_fields(self) -> dict[str, Doc]:
        return {doc["slug"]: doc for doc in self._objects.list_owned("customFields", "group")}

    @cached_property
    def session_fields(self) -> dict[str, Doc]:
        return {doc["slug"]: doc for doc in self._objects.list_owned("customFields", "session")}


def _require_value(definition: Doc, value: Any) -> None:
    """`type` of a definition is text, one (of `options`) or several (of `options`)."""
    slug, options = definition["slug"], definition.get("options") or []
    values = value if isinstance(value, list) else [value]
    if isinstance(value, list) and definition["type"] != "several":
        raise Wrong(f"{slug} takes one value, not a list")
    if definition["type"] == "text":
        return
    for option in values:
        if option not in options:
            raise Wrong(f"{slug} is {quote_value(option)}; its options are {', '.join(options)}")
