"""The order and titles of the pages of a book or a site, as its tool keeps them in a file.

Known are `SUMMARY.md` (mdBook), `mkdocs.yml`, `_toctree.yml` and `sidebars.json` (Docusaurus).
"""

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from .source_files import SourceFiles
from .source_texts import fold_to_line

_ENTRY = re.compile(r"(?P<indent>\s*)(?:[-*+]\s+)?\[(?P<title>[^\]]*)\]\((?P<path>[^)\s]*)\)\s*")
_DEPTH_MOST = 20
_ENDINGS = ("", ".md", ".mdx", ".markdown")
_ELSEWHERE = re.compile(r"[\w+.-]+:|//")
_PYTHON = re.compile(r"!!python/\S+|!ENV\b")


class OutlineEntry(NamedTuple):
    """A page, or a part with pages in it."""

    title: str
    path: str
    """The file of the page; empty for a part that has none."""
    entries: "list[OutlineEntry]"


class SiteOutline(NamedTuple):
    """An outline that a source has, and the file that it comes from."""

    file: str
    title: str
    """The title of the whole; empty where the tool does not know one."""
    entries: list[OutlineEntry]


def find_site_outline(files: SourceFiles) -> SiteOutline | None:
    """The outline nearest to the top of a source; none if its tool keeps none."""
    found = sorted(
        (name.count("/"), place, name)
        for place, file in enumerate(_READERS)
        for name in files.sizes
        if posixpath.basename(name) == file
    )
    for _, _, name in found:
        outline = _READERS[posixpath.basename(name)](files, name)
        if any(list_outline_pages(outline.entries)):
            return outline
    return None


def list_outline_pages(entries: list[OutlineEntry]) -> Iterator[str]:
    """The files that an outline names."""
    for entry in entries:
        if entry.path:
            yield entry.path
        yield from list_outline_pages(entry.entries)


def _read_summary(files: SourceFiles, name: str) -> SiteOutline:
    """A list of links, indented below each other; a heading begins a part."""
    folder = posixpath.dirname(name)
    top: list[OutlineEntry] = []
    levels = [(-1, top)]
    for line in files.read_text(name).split("\n"):
        if line.startswith("# ") and line[2:].strip().lower() not in {
            "summary",
            "table of contents",
        }:
            part = OutlineEntry(fold_to_line(line[2:]), "", [])
            top.append(part)
            levels = [(-1, part.entries)]
        elif entry := _ENTRY.fullmatch(line):
            depth = len(entry["indent"].expandtabs(4))
            levels = [level for level in levels if level[0] < depth] or levels[:1]
            target = unquote(entry["path"].partition("#")[0])
            path = _join_path(folder, target) if target else ""
            made = OutlineEntry(fold_to_line(entry["title"]), path, [])
            levels[-1][1].append(made)
            if len(levels) < _DEPTH_MOST:
                levels.append((depth, made.entries))
    return SiteOutline(name, _read_book_title(files, posixpath.dirname(folder)), top)


def _read_book_title(files: SourceFiles, folder: str) -> str:
    """The title in the `book.toml` above the pages."""
    name = posixpath.join(folder, "book.toml")
    if name not in files:
        return ""
    try:
        book = tomllib.loads(files.read_text(name)).get("book", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        files.opened.discard(name)  # so the report names it
        return ""
    if not isinstance(book, dict):
        files.opened.discard(name)
        return ""
    return fold_to_line(str(book.get("title") or ""))


def _read_mkdocs(files: SourceFiles, name: str) -> SiteOutline:
    """The `nav` of a site; its paths are those of pages below `docs_dir`."""
    data = _load_yaml_value(files, name)
    site = data if isinstance(data, dict) else {}
    folder = posixpath.join(posixpath.dirname(name), str(site.get("docs_dir") or "docs"))
    title = fold_to_line(str(site.get("site_name") or ""))
    return SiteOutline(name, title, list(_read_nav(files, folder, site.get("nav"))))


def _read_toctree(files: SourceFiles, name: str) -> SiteOutline:
    """Sections with a `title`, and pages by their `local` path."""
    data = _load_yaml_value(files, name)
    return SiteOutline(name, "", list(_read_nav(files, posixpath.dirname(name), data)))


def _read_sidebars(files: SourceFiles, name: str) -> SiteOutline:
    """Sidebars of a site: categories with `items`, and pages by their path in `docs`."""
    try:
        data = json.loads(files.read_text(name))
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        files.opened.discard(name)  # so the report names it
        data = {}
    bars = [{title: bar} for title, bar in data.items()]
    entries = next(iter(data.values())) if len(data) == 1 else bars
    folder = posixpath.join(posixpath.dirname(name), "docs")
    return SiteOutline(name, "", list(_read_nav(files, folder, entries)))


def _load_yaml_value(files: SourceFiles, name: str) -> Any:
    """The value of a file of YAML, whose names of Python objects are left out."""
    try:
        documents = load_yaml(_PYTHON.sub("", files.read_text(name)).encode())
    except YamlMistake:
        files.opened.discard(name)  # so the report names it
        documents = []
    return documents[0] if documents else None


def _read_nav(
    files: SourceFiles, folder: str, nodes: Any, depth: int = 0
) -> Iterator[OutlineEntry]:
    """The entries of a list in which a node is a path, a title with more, or a table of words."""
    for node in nodes if isinstance(nodes, list) and depth < _DEPTH_MOST else ():
        if isinstance(node, str):
            yield OutlineEntry("", _find_page(files, folder, node), [])
        elif isinstance(node, dict) and node.keys() & {"local", "sections", "items", "id"}:
            path = str(node.get("local") or node.get("id") or "")
            title = fold_to_line(str(node.get("title") or node.get("label") or ""))
            below = node.get("sections") or node.get("items")
            page = _find_page(files, folder, path) if path else ""
            yield OutlineEntry(title, page, list(_read_nav(files, folder, below, depth + 1)))
        elif isinstance(node, dict):
            for title, value in node.items():
                page = _find_page(files, folder, value) if isinstance(value, str) else ""
                entries = list(_read_nav(files, folder, value, depth + 1))
                yield OutlineEntry(fold_to_line(str(title)), page, entries)


def _find_page(files: SourceFiles, folder: str, path: str) -> str:
    """The file of a page, whose ending some tools leave out."""
    name = _join_path(folder, path)
    return next((name + ending for ending in _ENDINGS if name + ending in files), name)


def _join_path(folder: str, path: str) -> str:
    """A path from the top of the source; an address elsewhere stays as it is."""
    return path if _ELSEWHERE.match(path) else posixpath.normpath(posixpath.join(folder, path))


_READERS: Mapping[str, Callable[[SourceFiles, str], SiteOutline]] = {
    "SUMMARY.md": _read_summary,
    "mkdocs.yml": _read_mkdocs,
    "_toctree.yml": _read_toctree,
    "sidebars.json": _read_sidebars,
}
