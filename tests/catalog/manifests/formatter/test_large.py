"""Very large files are put in order in good time, or refused in words."""

from pathlib import Path

import pytest

from lmssync.catalog.manifests.file_choice import ChosenFile
from lmssync.catalog.manifests.format_files import look_at_files
from lmssync.catalog.manifests.formatter import canonical_form as canonical, format_manifest
from lmssync.catalog.manifests.yaml import YamlMistake, value_places as scan

TABS = "resource: course\ntitle: A   \nkey: a\ntopics:\n  - body: |\n      a\tb\n"
"""Read by the exact parser only, and not in the canonical form."""


def test_no_text_is_scanned_twice(monkeypatch: pytest.MonkeyPatch):
    """With the exact parser a text of some megabytes takes seconds each time."""
    scanned: list[str] = []
    exact = scan._scan_exactly
    monkeypatch.setattr(scan, "_scan_exactly", lambda text: scanned.append(text) or exact(text))
    assert b"key: a\n" in format_manifest(TABS.encode())
    assert len(set(scanned)) == len(scanned)


@pytest.mark.parametrize(
    ("text", "why"),
    [(TABS, "put long bodies into files of their own"), (TABS.replace("\t", " "), "")],
)
def test_what_would_take_too_long_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str
):
    """Only what the exact parser has to read, and it is said why."""
    monkeypatch.setattr(canonical, "FORMAT_BYTES", 20)
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    (found,) = look_at_files([ChosenFile("a.yaml", tmp_path, "a.yaml")])
    assert (not why, not why) == (found.proven, found.changes)
    assert why in found.why


def test_a_mark_at_the_start_is_the_mistake(monkeypatch: pytest.MonkeyPatch):
    """And not how long the file is."""
    monkeypatch.setattr(canonical, "FORMAT_BYTES", 20)
    with pytest.raises(YamlMistake, match="byte order mark"):
        format_manifest(b"\xef\xbb\xbf" + TABS.replace("\t", " ").encode())
