"""The JSON Schemas: those that stand in `schemas/` are those that the kinds give."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests.model_fields import fields_of
from lmssync.catalog.manifests.schemas.json_schema import FILES, make_schema, spell_schema
from lmssync.cli.main import main
from lmssync.kinds import BY_RESOURCE, KINDS

from .kept import FOLDER, KEPT

EVERY = pytest.mark.parametrize("name", sorted(FILES))


@EVERY
def test_schemas_are_current(name: str):
    """`make schemas` writes them anew."""
    assert spell_schema(make_schema(name)) == (FOLDER / name).read_text("utf-8")


def test_no_schema_is_left_behind():
    """One a kind, one for any manifest, one for each other kind of file."""
    assert FILES.keys() == {file.name for file in FOLDER.iterdir()}
    others = {"lmssync.json", "manifest.json", "overlay.json", "policy.json"}
    others |= {"release.json", "story.json"}
    assert {f"{word}.json" for word in BY_RESOURCE} | others == FILES.keys()


def test_the_command_writes_the_same_files(tmp_path: Path):
    """Byte for byte."""
    with pytest.raises(SystemExit):
        main(["schema", "--out", str(tmp_path)])
    for file in FOLDER.iterdir():
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


@EVERY
def test_references_inside_lead_somewhere(name: str):
    """To a definition of the same file, or to a file beside it."""
    schema = KEPT[name]
    for reference in _references(schema):
        file, _, place = reference.partition("#/$defs/")
        assert (file in KEPT) if file else (place in schema["$defs"])


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
    schema = KEPT[f"{kind.resource}.json"]
    assert {"resource", "key"} <= set(schema["required"])
    assert kind.resource == schema["properties"]["resource"]["const"]
    nested = {short.field for short in kind.authoring.nested}
    assert fields_of(kind.spec).keys() | nested == _all_properties(schema).keys()


def _all_properties(schema: Any) -> dict[str, Any]:
    """Wherever a condition has put them."""
    branches = [branch["then"].get("properties", {}) for branch in schema.get("allOf", ())]
    return {name: one for part in (schema["properties"], *branches) for name, one in part.items()}


@EVERY
def test_no_mapping_is_open(name: str):
    """Wherever fields are named, others are mistakes: at once, or in each branch of a word."""
    assert [] == [
        title
        for title, model in _models(KEPT[name])
        if model.get("properties")
        if model.get("additionalProperties", True) is True
        and not any("additionalProperties" in branch["then"] for branch in model.get("allOf", ()))
        and not any("$ref" in branch["then"] for branch in model.get("allOf", ()))
    ]


def _models(schema: Any) -> Iterator[tuple[str, Any]]:
    yield schema["title"], schema
    yield from schema.get("$defs", {}).items()


@EVERY
def test_it_names_its_dialect_and_itself(name: str):
    """Programs need the first, and the second tells copies from each other."""
    schema = KEPT[name]
    assert ("https://json-schema.org/draft/2020-12/schema", name) == (
        schema["$schema"],
        schema["$id"],
    )


@EVERY
def test_no_default_is_null(name: str):
    """A field that is left out is not managed; null would clear it."""
    assert '"default": null' not in spell_schema(KEPT[name])


@pytest.mark.slow
def test_it_is_the_same_in_every_process():
    """No set decides an order: the files would change from run to run."""
    code = (
        "from lmssync.catalog.manifests.schemas import json_schema; "
        "print(*map(json_schema.spell_schema, json_schema.all_schemas().values()))"
    )
    first, second = (_run(code, seed) for seed in ("1", "2"))
    assert first == second


def _run(code: str, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout


@EVERY
def test_it_is_a_json_schema(name: str, tmp_path: Path):
    """By the definition of the dialect itself."""
    (tmp_path / name).write_text(spell_schema(KEPT[name]), "utf-8")
    assert 0 == check_jsonschema(["--check-metaschema", str(tmp_path / name)])


def test_the_example_project_fits():
    """The project file of the example catalog, by another program than ours."""
    schema, file = FOLDER / "lmssync.json", FOLDER.parent / "examples/catalog/lmssync.yaml"
    assert 0 == check_jsonschema(["--schemafile", str(schema), str(file)])


def check_jsonschema(arguments: list[str]) -> int | str | None:
    """The exit code of `check-jsonschema`."""
    from check_jsonschema import main as command

    with pytest.raises(SystemExit) as end:
        command(arguments)
    return end.value.code
