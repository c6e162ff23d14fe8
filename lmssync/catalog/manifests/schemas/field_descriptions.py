"""Every field of every kind of resource and of file, by its path, found in the schemas.

Types, limits and meanings are put into words here.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import orjson
import pydantic
from pydantic import BaseModel

from ....kind import Kind
from ....kinds import BY_RESOURCE, KINDS
from ....resource import PROJECT_FILE
from ....settings import Project
from ....support.cache_folder import find_program_file
from ....support.declared_values import checks_of
from ....support.remembered_files import recall_content, remember_content
from ..policies import PolicyFile
from ..release_documents import ReleaseFile
from ..story_documents import StoryFile
from .schema_builders import Schema, short_form, short_list, short_name

_PLAIN = {
    "string": "text",
    "integer": "whole number",
    "boolean": "true or false",
    "number": "number",
    "": "anything",
}


def type_of(schema: Schema, named: Callable[[Schema], str]) -> str:
    """A type as people call it; `named` is asked for models and for enums."""
    if "x-type" in schema:
        return str(schema["x-type"])
    if "$ref" in schema or "enum" in schema:
        return named(schema)
    if "anyOf" in schema:
        branches = [branch for branch in schema["anyOf"] if branch != {"type": "null"}]
        return " or ".join(type_of(branch, named) for branch in branches)
    if "items" in schema:
        return f"list of {type_of(schema['items'], named)}"
    if "additionalProperties" in schema:
        return f"mapping of name to {type_of(values_of(schema), named)}"
    return quote_choices(schema["const"]) if "const" in schema else _PLAIN[json_type(schema)]


def values_of(schema: Schema) -> Schema:
    """The schema of what stands under any name in a mapping; of anything, an empty one."""
    inside = schema.get("additionalProperties")
    return inside if isinstance(inside, dict) else {}


def quote_choices(*words: Any) -> str:
    """Words as alternatives: `a` or `b`."""
    return " or ".join(f"`{word}`" for word in words)


def json_type(schema: Schema) -> str:
    """The type as JSON Schema calls it, null aside; nothing where any will do."""
    declared = schema.get("type", "")
    return declared if isinstance(declared, str) else next(t for t in declared if t != "null")


def words_of(schema: Schema) -> list[str]:
    """The words that a value may be; of a list, those of its items."""
    if "items" in schema:
        return words_of(schema["items"])
    words = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return [str(word) for word in words if word is not None]


def meanings_of(schema: Schema) -> dict[str, str]:
    """The words that a value may be, each with its meaning where one is declared."""
    words = words_of(schema)
    meanings = schema.get("items", schema).get("enumDescriptions", [""] * len(words))
    return dict(zip(words, meanings, strict=False))


def range_of(schema: Schema) -> str:
    """The range of a number in words, such as `1 to 100`; nothing where a number has no limits."""
    least, most = schema.get("minimum"), schema.get("maximum")
    if most is not None:
        return f"{least or 0:,} to {most:,}"
    return f"{least:,} or more" if least is not None else ""


def length_of(schema: Schema) -> str:
    """The limit of a length in words, such as `at most 200 characters`; nothing where the length
    has no limit."""
    if "maxItems" in schema:
        return f"at most {schema['maxItems']:,} items"
    return f"at most {schema['maxLength']:,} characters" if "maxLength" in schema else ""


def pattern_of(schema: Schema) -> str:
    """The pattern of a text, unless the name of the type or a rule of its own says more."""
    own = schema.keys() & {"x-type", "x-rule"}
    return f"matches `{schema['pattern']}`" if "pattern" in schema and not own else ""


def limits_of(schema: Schema) -> list[str]:
    """All limits that a schema declares, in words: of range, length and pattern."""
    return [limit for limit in (range_of(schema), length_of(schema), pattern_of(schema)) if limit]


def references_in(schema: Schema) -> Iterator[str]:
    """The names of the models inside a value."""
    if "$ref" in schema:
        yield schema["$ref"].removeprefix("#/$defs/")
    inside = [schema[key] for key in ("items", "additionalProperties") if key in schema]
    for below in (*schema.get("anyOf", ()), *inside):
        if isinstance(below, dict):
            yield from references_in(below)


FILES: Mapping[str, type[BaseModel]] = {
    PROJECT_FILE.removesuffix(".yaml"): checks_of(Project),
    "policy": PolicyFile,
    "story": StoryFile,
    "release": ReleaseFile,
}
"""Files without resources, by the first word of their paths."""
_POSITION = re.compile(r"\[[^\]]*\]")
_NESTED = {short_name(one): one for kind in KINDS.values() for one in kind.authoring.nested}


class Field(NamedTuple):
    """A field and the way to it from the top of a manifest, without positions in lists."""

    path: tuple[str, ...]
    """Begins with the word of the kind."""
    way: tuple[Schema, ...]
    """The schema of each step after that word; the last is that of the field itself."""
    model: str
    """Declares the field, or inherits it."""
    kind: Kind | None
    """The innermost on the way; nothing for a file that holds no resources."""
    own: tuple[str, ...] = ()
    """The end of the path that is inside that kind."""
    required: bool = False
    parts: int = 0
    """How many steps of `own` lead to the innermost part that the field is in."""

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def schema(self) -> Schema:
        return self.way[-1]

    def __str__(self) -> str:
        return ".".join(self.path)


@cache
def model_schemas() -> Mapping[str, Schema]:
    """The schemas of all models by name, each with every field among its properties."""
    schemas = _recall_definitions()
    for kind in KINDS.values():
        top = schemas[kind.spec.__name__]
        lists = {nested.field: short_list(nested) for nested in kind.authoring.nested}
        schemas[kind.spec.__name__] = top | {"properties": top["properties"] | lists}
    for name, nested in _NESTED.items():
        spec = BY_RESOURCE[nested.resource].spec
        schemas[name] = short_form(nested, schemas[spec.__name__])
    return schemas


def _recall_definitions() -> dict[str, Schema]:
    """What the models say, which is made once for each version of the program: it takes as long as
    all else that an explanation does."""
    file, about = find_program_file("schemas"), pydantic.VERSION.encode()
    kept = recall_content(file, about)
    if kept is not None:
        recalled: dict[str, Schema] = orjson.loads(kept)
        return recalled
    from .model_schema import model_definitions  # its packages too are for making schemas only

    made = model_definitions([*(kind.spec for kind in KINDS.values()), *FILES.values()])
    remember_content(file, about, orjson.dumps(made))
    return made


@cache
def all_fields() -> Sequence[Field]:
    """Every field of every kind, the outermost first within each kind."""
    tops = {word: (kind.spec, kind) for word, kind in BY_RESOURCE.items()}
    files = {word: (model, None) for word, model in FILES.items()}
    return [
        field
        for word, (model, kind) in (tops | files).items()
        for field in _fields_below(Field((word,), (), "", kind), model.__name__)
    ]


def _fields_below(above: Field, name: str) -> Iterator[Field]:
    """The fields of a model and of those inside it; `above` is where the model stands."""
    model = model_schemas()[name]
    if name in _NESTED:
        kind = BY_RESOURCE[_NESTED[name].resource]
        above, name = above._replace(kind=kind, own=(), parts=0), kind.spec.__name__
    elif above.own and "id" in model["properties"]:
        above = above._replace(parts=len(above.own))
    for field, schema in model["properties"].items():
        here = above._replace(
            path=(*above.path, field),
            way=(*above.way, schema),
            model=name,
            required=field in model.get("required", ()),
            own=(*above.own, field),
        )
        yield here
        for inside in references_in(schema):
            yield from _fields_below(here, inside)


def find_fields(name: str) -> list[Field]:
    """The fields that a name means, each once: a whole path, or the end of one.

    Positions may stand in it, and names that the author made, as in `environments.live.baseUrl`.
    """
    steps = tuple(_POSITION.sub("", name).split("."))
    head = KINDS[steps[0]].resource if steps[0] in KINDS else steps[0]
    if not all(steps):
        return []
    whole = (head, *steps[1:])
    exact = [field for field in all_fields() if field.path == whole]
    ends = [field for field in all_fields() if field.path[-len(steps) :] == steps]
    return (
        exact
        or without_longer_ways(ends)
        or [field for field in all_fields() if _leads_to(whole, field.path)]
    )


def without_longer_ways(several: Sequence[Field]) -> list[Field]:
    """The fields without longer ways that lead to the same field of the same model again."""
    known: dict[tuple[Any, ...], Field] = {}
    for field in sorted(several, key=lambda field: len(field.path)):
        known.setdefault((field.kind and field.kind.name, field.model, field.name), field)
    return [field for field in several if field in known.values()]


def _leads_to(steps: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """True if `steps` is `path` with names of the author's own between."""
    start = path.index(steps[0]) if steps[0] in path else len(path)
    wanted, rest = path[start:], iter(steps)
    longer = len(steps) > len(wanted) > 1 and steps[-1] == path[-1]
    return longer and all(step in rest for step in wanted)
