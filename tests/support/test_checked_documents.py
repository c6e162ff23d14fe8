"""A document that passed the checks of a model is not checked again; no other is believed."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from lmssync.support.cache_folder import find_cache_file, make_cache_file
from lmssync.support.checked_documents import check_documents


class Inner(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid")
    size: int = Field(ge=1)


def new_model() -> type[BaseModel]:
    """A model whose checks are not built yet, as at the start of a run."""

    class Outer(BaseModel):
        model_config = ConfigDict(defer_build=True, extra="forbid")
        one: Inner | None = None
        several: dict[str, Inner] = {}
        name: str = ""

        @field_validator("name")
        @classmethod
        def _trim(cls, value: str) -> str:
            return value.strip()

    return Outer


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalog with a cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache = find_cache_file(tmp_path / "catalog")
    assert cache
    make_cache_file(cache)
    return tmp_path / "catalog"


GOOD = {"one": {"size": 1}, "several": {"a": {"size": 2}}}


def check_anew(root: Path, data: Any) -> tuple[BaseModel | ValidationError, bool]:
    """What a new run makes of a document, and whether it has built checks for that."""
    model = new_model()
    (made,) = check_documents(root, model, [data])
    return made, bool(model.__pydantic_complete__)


def test_what_has_passed_is_not_checked_again(root: Path):
    """The second run gets an equal model, with the models inside it, and builds no checks."""
    (first, built), (second, built_again) = check_anew(root, GOOD), check_anew(root, GOOD)
    assert (True, False) == (built, built_again)
    assert isinstance(first, BaseModel)
    assert isinstance(second, BaseModel)
    assert first.model_dump() == second.model_dump()
    assert first.model_fields_set == second.model_fields_set
    assert isinstance(second.several["a"], Inner)  # type: ignore[attr-defined]


@pytest.mark.parametrize("other", [{"one": {"size": 0}}, {"several": {"a": {}}}, {"x": 1}, [], ""])
def test_a_changed_document_is_checked(root: Path, other: Any):
    """Whatever differs from what has passed is refused as ever, each time."""
    check_anew(root, GOOD)
    for _ in range(2):
        assert isinstance(check_anew(root, other)[0], ValidationError)


def test_what_a_check_changes_is_checked_each_time(root: Path):
    """Nothing is remembered where a model made without checks would differ."""
    for _ in range(2):
        made, built = check_anew(root, {"name": " a "})
        assert ("a", True) == (made.name, built)  # type: ignore[union-attr]


def test_a_catalog_without_a_cache_gets_none(root: Path):
    """What only looks at a project file makes no folder for it."""
    cache = find_cache_file(root.with_name("other"))
    check_anew(root.with_name("other"), GOOD)
    assert cache
    assert not cache.parent.exists()
