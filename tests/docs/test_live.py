"""The page that lists what can be read back."""

from pathlib import Path

from reference import live

from lmssync.kinds import KINDS
from lmssync.live.fields import leaves, pattern

from .. import making
from ..live.test_every_field import MORE
from .pages import ROOT


def test_every_field_of_the_page_is_tried(tmp_path: Path) -> None:
    """The tests change every field that the page lists by hand, but for the mark of a license."""
    (tmp_path / "more.yaml").write_text(MORE.replace("VIDEO", "k3v9q2m7xw"), "utf-8")
    (tmp_path / "lmssync.yaml").write_text(making.PROJECT, "utf-8")
    catalogs = (making.loaded(ROOT / "examples" / "catalog"), making.loaded(tmp_path))
    resources = [one for catalog in catalogs for one in catalog.resources.values()]
    tried = {(one.address.kind, pattern(path)) for one in resources for path in leaves(one.form)}
    tried |= {(kind, name.partition(".")[0]) for kind, name in tried if name[0] != "*"}
    listed = {(kind.name, path) for kind in KINDS.values() for _, path in live.fields(kind)}
    assert {("license", "ref10")} == listed - tried
