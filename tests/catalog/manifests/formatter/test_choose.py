"""Which files are put in order."""

from pathlib import Path

import pytest

from lmssync.catalog.manifests.file_choice import choose_catalog_files, choose_named_files
from lmssync.errors import WrongUse
from tests import making


def names(root: Path) -> list[str]:
    return [target.name for target in choose_catalog_files(root)]


def test_a_catalog_is_all_its_yaml(tmp_path: Path):
    """Manifests, overlays, policies and the project file; no template, nothing hidden."""
    making.write(tmp_path, courses__a="", overlays__test__a="", policies__a="", schemas__a="")
    for name in ("a.yaml.j2", "overlays/test/b.yml.j2", ".hidden/a.yaml", "a.md"):
        making.put(tmp_path, name, "")
    wanted = ["courses/a.yaml", "lmssync.yaml", "overlays/test/a.yaml", "policies/a.yaml"]
    assert wanted == names(tmp_path)


def test_a_folder_without_a_project_file_is_no_catalog(tmp_path: Path):
    """Somebody's home is not rewritten by mistake."""
    making.put(tmp_path, "a.yaml", "")
    with pytest.raises(WrongUse, match=r"there is no lmssync\.yaml"):
        choose_catalog_files(tmp_path)


def test_files_are_named_from_the_root_too(tmp_path: Path):
    """Where there is none of that name here."""
    making.put(tmp_path, "courses/a.yaml", "")
    assert [tmp_path / "courses/a.yaml"] == [
        target.root / target.path for target in choose_named_files(tmp_path, ["courses/a.yaml"])
    ]


def test_folders_are_entered(tmp_path: Path):
    """The names begin as they were given."""
    making.write(tmp_path, courses__b="", courses__a__c="")
    making.put(tmp_path, "courses/a.yaml.j2", "")
    found = [target.name for target in choose_named_files(tmp_path, ["courses/"])]
    assert ["courses/a/c.yaml", "courses/b.yaml"] == found


def test_a_folder_may_be_a_catalog(tmp_path: Path):
    """Then it means what the catalog means."""
    making.write(tmp_path, a="", schemas__a="")
    found = [target.name for target in choose_named_files(Path(), [str(tmp_path)])]
    assert [f"{tmp_path}/a.yaml", f"{tmp_path}/lmssync.yaml"] == found


def test_a_file_that_is_named_twice_is_one(tmp_path: Path):
    """By itself and by its folder."""
    making.put(tmp_path, "courses/a.yaml", "")
    assert 1 == len(choose_named_files(tmp_path, ["courses", "courses/a.yaml"]))


def test_templates_are_left_out(tmp_path: Path):
    """Also when they are named: they are no YAML yet."""
    making.put(tmp_path, "a.yaml.j2", "{% if x %}")
    assert [] == choose_named_files(tmp_path, ["a.yaml.j2"])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("b.yaml", "there is no file b.yaml"),
        ("nowhere/a.yaml", "there is no file nowhere/a.yaml"),
        ("x" * 300, "there is no file x"),
        ("a.md", "a.md is not a YAML file"),
    ],
)
def test_names_of_nothing(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is missing or no YAML is wrong use."""
    making.put(tmp_path, "a.md", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongUse, match=message):
        choose_named_files(tmp_path, [name])


def test_near_misses_are_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Among the files beside."""
    making.put(tmp_path, "course.yaml", "")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WrongUse) as error:
        choose_named_files(tmp_path, ["curse.yaml"])
    assert "did you mean `course.yaml`?" == error.value.hint
