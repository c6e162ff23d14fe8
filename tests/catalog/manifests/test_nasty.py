"""The nasty set: accepted unchanged or refused by name, and never bent."""

from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests import formatter
from lmssync.catalog.manifests.export import make_manifests
from lmssync.catalog.manifests.yaml import YamlMistake, load_yaml
from lmssync.catalog.manifests.yaml.yaml_writer import write_stream
from lmssync.problems import Severity
from tests import making

from .nasty import NASTY, Nasty

ALL = pytest.mark.parametrize("nasty", NASTY, ids=[nasty.name for nasty in NASTY])
ACCEPTED = [nasty for nasty in NASTY if nasty.accepted]


def _forms(folder: Path, raw: bytes) -> dict[Any, Any]:
    """What a file means, by address."""
    folder.mkdir(exist_ok=True)
    making.write(folder)
    making.put(folder, "a.yaml", raw)
    return {address: r.form for address, r in making.loaded(folder).resources.items()}


@ALL
def test_it_is_accepted_or_refused_by_name(tmp_path: Path, nasty: Nasty):
    """Exactly these rules speak, and no error means that it can be applied."""
    making.write(tmp_path)
    making.put(tmp_path, "a.yaml", nasty.raw)
    found = making.problems(tmp_path)
    assert nasty.said == tuple(sorted({f"{p.severity}[{p.code}]" for p in found}))
    assert nasty.accepted != any(p.severity is Severity.ERROR for p in found)


@pytest.mark.parametrize("nasty", ACCEPTED, ids=[nasty.name for nasty in ACCEPTED])
def test_what_is_accepted_survives_writing(tmp_path: Path, nasty: Nasty):
    """Read, written back and read again, it means the same to the letter."""
    forms = _forms(tmp_path / "first", nasty.raw)
    assert forms
    again = "".join(write_stream(manifest.data for manifest in make_manifests(forms)))
    assert forms == _forms(tmp_path / "second", again.encode())


@ALL
def test_its_layout_changes_no_value(nasty: Nasty):
    """`fmt` moves keys and blanks, never a character of a text; what it cannot read, it leaves."""
    try:
        better = formatter.format_manifest(nasty.raw)
    except (YamlMistake, formatter.Unproven):
        return
    assert load_yaml(nasty.raw) == load_yaml(better)
    assert better == formatter.format_manifest(better)
