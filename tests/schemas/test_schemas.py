"""The JSON Schemas: those that stand in `schemas/` are those that the kinds give."""

import json
from pathlib import Path
from typing import Any

import pytest

from lmssync.cli.main import main
from lmssync.kinds import BY_RESOURCE, KINDS
from lmssync.manifests.schema import schemas, spelled

FOLDER = Path(__file__).parents[2] / "schemas"
EVERY = pytest.mark.parametrize("name", sorted(schemas()))


@EVERY
def test_schemas_are_current(name: str):
    """`make schemas` writes them anew."""
    assert spelled(schemas()[name]) == (FOLDER / name).read_text("utf-8")


def test_no_schema_is_left_behind():
    """One a kind, one for any manifest, one for the project file."""
    assert schemas().keys() == {file.name for file in FOLDER.iterdir()}
    assert {f"{word}.json" for word in BY_RESOURCE} | {"lmssync.json", "manifest.json"} == (
        schemas().keys()
    )


def test_the_command_writes_the_same_files(tmp_path: Path):
    """Byte for byte."""
    with pytest.raises(SystemExit):
        main(["schema", "--out", str(tmp_path)])
    for file in FOLDER.iterdir():
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


@EVERY
def test_references_inside_lead_somewhere(name: str):
    """To a definition of the same file, or to a file beside it."""
    schema = schemas()[name]
    for reference in _references(schema):
        file, _, place = reference.partition("#/$defs/")
        assert (file in schemas()) if file else (place in schema["$defs"])


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for item in value.values() for found in _references(item)]
    return (
        [found for item in value for found in _references(item)] if isinstance(value, list) else []
    )


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_each_kind_says_what_it_needs(kind: Any):
    """`resource` and `key`, and no field that the model does not have."""
    schema = json.loads(spelled(schemas()[f"{kind.resource}.json"]))
    assert {"resource", "key"} <= set(schema["required"])
    assert {"const": kind.resource} == schema["properties"]["resource"]
    nested = {short.field for short in kind.nested}
    assert set(kind.spec.model_fields) | nested == schema["properties"].keys()
    assert False is schema["additionalProperties"]
