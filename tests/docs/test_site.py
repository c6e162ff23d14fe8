"""The site of the documentation can be built, and loads nothing from elsewhere."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from .pages import ROOT

PYTHON = ROOT / ".cache/site/bin/python"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.exists(), reason="no mkdocs: `make .cache/site/.installed`"),
    pytest.mark.xdist_group("site"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; the build fails on a link, an anchor or a page that is not there."""
    folder = tmp_path_factory.mktemp("site")
    command = [str(PYTHON), str(ROOT / "docs/build_site.py"), "--site-dir", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_navigation(site: Path):
    """Each page of the folder `docs` is a page of the site, and the first page links to it."""
    first = (site / "index.html").read_text("utf-8")
    pages = [page.stem for page in (ROOT / "docs").glob("*.md")]
    assert [] == [name for name in pages if f'href="docs/{name}.html"' not in first]


def test_words_are_found(site: Path):
    """The search has the sections of the pages."""
    found = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    assert {"docs/commands.html#lmssync-plan"} <= {entry["location"] for entry in found}


def test_it_is_light_and_dark(site: Path):
    """Each page follows the system, and a reader may choose."""
    page = (site / "docs/guide.html").read_text("utf-8")
    assert {"default", "slate"} == set(re.findall(r'data-md-color-scheme="(\w+)"', page))


def test_it_loads_nothing_from_elsewhere(site: Path):
    """No page asks another host for a script, a style, a font or a picture."""
    loaded = re.compile(
        r'(?:<script[^>]* src|<link[^>]*stylesheet[^>]* href|<img[^>]* src)="https?:'
    )
    pages = [page for page in site.rglob("*.html") if loaded.search(page.read_text("utf-8"))]
    assert [] == pages


def test_pictures_are_there(site: Path):
    """Those that a page names in HTML too, for light and for dark."""
    named = re.compile(r'(?:src|srcset)="((?:\.\./)*[\w/.-]+\.(?:png|svg))"')
    places = {
        (page, src)
        for page in site.rglob("*.html")
        for src in named.findall(page.read_text("utf-8"))
    }
    assert len(places) > 1
    assert [] == [src for page, src in places if not (page.parent / src).is_file()]
