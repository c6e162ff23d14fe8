"""Examples: whole manifests of each kind, and values that a field may have.

A value is taken as the field is marked, as a manifest has it, or as the type allows.
"""

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ....kinds import BY_RESOURCE
from ..yaml import load_yaml
from .field_descriptions import Field, json_type, model_schemas, references_in, values_of, words_of
from .schema_builders import Schema


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
    """The examples of each kind as documents, by its word under `resource:`."""
    return {
        word: [load_yaml(text.encode())[0] for text in known]
        for word, known in example_texts().items()
    }


def of_file(word: str) -> str:
    """The example of a file that holds no resources: `lmssync` or `policy`."""
    return Path(__file__).with_name(f"{word}.yaml").read_text("utf-8")


_PLAIN = {"string": "...", "integer": 1, "boolean": True, "number": 1.5, "": "..."}


def sample_value(field: Field) -> Any:
    """A value that a field could have, for an example."""
    marked = _marked_examples(field.schema)
    return marked[0] if marked else next(_in_examples(field), None) or of_schema(field.schema)


def _marked_examples(schema: Schema) -> list[Any]:
    items = schema.get("items", {}).get("examples", ())
    return schema.get("examples") or [[example] for example in items]


def _in_examples(field: Field) -> Iterator[Any]:
    word, *names = field.path
    for data in example_documents().get(word) or load_yaml(of_file(word).encode()):
        here: Any = data
        for name, above in zip(names, ({}, *field.way), strict=False):
            here = _first_of(here, above)
            here = here.get(name) if isinstance(here, dict) else None
        if here is not None:
            yield here


def _first_of(value: Any, schema: Schema) -> Any:
    """The first of several, where a field holds several."""
    if isinstance(value, list) and value:
        return value[0]
    return next(iter(value.values())) if value and values_of(schema) else value


def of_schema(schema: Schema) -> Any:
    """A value by a type alone: of a mapping the fields that it needs, or the first one."""
    marked, words = _marked_examples(schema), words_of(schema)
    if marked:
        return marked[0]
    if "items" in schema:
        return [of_schema(schema["items"])]
    if "additionalProperties" in schema:
        return {"NAME": of_schema(values_of(schema))}
    if model := next(map(model_schemas().__getitem__, references_in(schema)), None):
        properties = model["properties"]
        names = model.get("required") or list(properties)[:1]
        return {name: of_schema(properties[name]) for name in properties if name in names}
    if "anyOf" in schema:
        return of_schema(schema["anyOf"][0])
    return schema.get("const", words[0] if words else _PLAIN[json_type(schema)])
