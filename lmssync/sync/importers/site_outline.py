"""The order and titles of the pages of a book or a site, as its tool keeps them in a file.

Known are `SUMMARY.md` (mdBook), `mkdocs.yml`, `_toctree.yml` and `sidebars.js` (Docusaurus).
"""

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from ...texts.values import render_markdown
from .site_texts import parse_script_object, read_markdown_file
from .source_files import SourceFiles
from .source_texts import fold_to_line, html_to_prose

_ENTRY = re.compile(
    r"(?P<indent>\s*)(?:[-*+]\s+)?\[(?P<title>[^\]]*)\]"
    r"\((?:<(?P<spaced>[^<>]*)>|(?P<path>[^)\s]*))\)\s*"
)
_PLACE_NUMBER = re.compile(r"(^|/)\d+\s*[-_.]+\s*(?=[^-_.\s])")
_NUMBER = re.compile(r"^\d+[\s._-]+")
_FILE_ENDING = re.compile(r"\.(?:zip|tar|tgz|tar\.gz|md|markdown)$", re.IGNORECASE)
_CATEGORY_FILES = {"_category_.json", "_category_.yml", "_category_.yaml"}
_LOOKS = {"collapsed", "collapsible", "className", "key"}
"""Settings of a folder that say how it looks."""
_WORDS = {"local", "sections", "items", "id", "href", "link"}
"""Keys of a node that is one page or part, and not a title with what is below it."""
_DEPTH_MOST = 20
_ENDINGS = ("", ".md", ".mdx", ".markdown")
_ELSEWHERE = re.compile(r"[\w+.-]+:|//")
_PYTHON = re.compile(r"!!python/\S+|!ENV\b")


class OutlineEntry(NamedTuple):
    """A page, a part with pages in it, or all pages of a folder."""

    title: str
    path: str
    """The file of the page; empty for a part that has none."""
    entries: "list[OutlineEntry]"
    folder: str = ""
    """The folder whose pages come here, in their own order."""


class SiteOutline(NamedTuple):
    """An outline that a source has, and the file that it comes from."""

    file: str
    title: str
    """The title of the whole; empty where the tool does not know one."""
    entries: list[OutlineEntry]
    losses: tuple[str, ...] = ()
    """What the file has besides pages, in words."""

    def covers_source(self, names: Iterable[str]) -> bool:
        """Whether the outline is about the whole source, and not about one of several folders."""
        folders = posixpath.dirname(self.file).split("/")
        own = next((name for name in folders if name.lower() not in {"", *SAYS_NOTHING}), "")
        return not own or all(name.startswith(f"{own}/") for name in names)


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
        if any(list_outline_pages(outline.entries, files.sizes)):
            return outline
    return None


def list_outline_pages(entries: list[OutlineEntry], names: Iterable[str]) -> Iterator[str]:
    """The files that an outline names, and those in the folders that it names."""
    for entry in entries:
        if entry.path:
            yield entry.path
        if entry.folder:
            inside = [name for name in names if name.startswith(f"{entry.folder}/")]
            yield from inside or [entry.folder]
        yield from list_outline_pages(entry.entries, names)


def list_category_files(files: SourceFiles, pages: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The file that Docusaurus has for a folder without an index, and what it says."""
    stems = {posixpath.splitext(page)[0].lower() for page in pages}
    for name in files.sizes:
        folder, file = posixpath.split(name)
        indexed = {posixpath.join(folder, one).lower() for one in ("_index", "index", "readme")}
        if file in _CATEGORY_FILES and stems.isdisjoint(indexed):
            data = _load_yaml_value(files, name)  # JSON is YAML as well
            if isinstance(data, dict):
                yield name, {str(k): v for k, v in data.items() if k not in _LOOKS}
            else:
                files.opened.discard(name)  # so the report names it


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
            part = OutlineEntry(_spell_title_of_entry(line[2:]), "", [])
            top.append(part)
            levels = [(-1, part.entries)]
        elif entry := _ENTRY.fullmatch(line):
            depth = len(entry["indent"].expandtabs(4))
            levels = [level for level in levels if level[0] < depth] or levels[:1]
            target = unquote((entry["spaced"] or entry["path"] or "").partition("#")[0])
            path = _join_path(folder, target) if target else ""
            made = OutlineEntry(_spell_title_of_entry(entry["title"]), path, [])
            levels[-1][1].append(made)
            if len(levels) < _DEPTH_MOST:
                levels.append((depth, made.entries))
    book = posixpath.join(posixpath.dirname(folder), "book.toml")
    return SiteOutline(name, _read_setting(files, book, _TITLES["book.toml"]), top)


def _spell_title_of_entry(line: str) -> str:
    """A title of an outline without the marks of Markdown; read as a heading it is no list."""
    return fold_to_line(html_to_prose(render_markdown(f"# {line}")))


_TITLES: Mapping[str, tuple[str, ...]] = {
    "book.toml": ("book", "title"),
    "mkdocs.yml": ("site_name",),
    "_quarto.yml": ("book", "title"),
    "_config.yml": ("title",),
    "config.yaml": ("title",),
    "hugo.toml": ("title",),
}
"""Files in which a tool keeps the title of a whole book or site, and where in them it is."""


def find_site_title(files: SourceFiles, folder: str) -> str:
    """The title that the tool of a folder, or of a folder above, has for all of it."""
    while True:
        for file, keys in _TITLES.items():
            if title := _read_setting(files, posixpath.join(folder, file), keys):
                return title
        if not folder:
            return ""
        folder = posixpath.dirname(folder)


def _read_setting(files: SourceFiles, name: str, keys: tuple[str, ...]) -> str:
    """A text of a file of settings; empty where there is none, and then the report names it."""
    if name not in files:
        return ""
    was_used = name in files.opened
    load = _load_toml_value if name.endswith(".toml") else _load_yaml_value
    value = load(files, name)
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str) and not was_used:
        files.opened.discard(name)
    return fold_to_line(value) if isinstance(value, str) else ""


def _load_toml_value(files: SourceFiles, name: str) -> Any:
    try:
        return tomllib.loads(files.read_text(name))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _read_mkdocs(files: SourceFiles, name: str) -> SiteOutline:
    """The `nav` of a site; its paths are those of pages below `docs_dir`."""
    data = _load_yaml_value(files, name)
    site = data if isinstance(data, dict) else {}
    folder = posixpath.join(posixpath.dirname(name), str(site.get("docs_dir") or "docs"))
    title = fold_to_line(str(site.get("site_name") or ""))
    find = partial(_find_page, files, folder)
    return SiteOutline(name, title, list(_read_nav(find, site.get("nav"))))


def _read_toctree(files: SourceFiles, name: str) -> SiteOutline:
    """Sections with a `title`, and pages by their `local` path."""
    data = _load_yaml_value(files, name)
    find = partial(_find_page, files, posixpath.dirname(name))
    return SiteOutline(name, "", list(_read_nav(find, data)))


def _read_sidebars(files: SourceFiles, name: str) -> SiteOutline:
    """Sidebars of a site: categories with `items`, and pages by their path in `docs`."""
    text = files.read_text(name)
    try:
        # A script is read if it is nothing but an object.
        data = json.loads(text) if name.endswith(".json") else parse_script_object(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        files.opened.discard(name)  # so the report names it
        data = {}
    bars = [{title: bar} for title, bar in data.items()]
    listed = next(iter(data.values())) if len(data) == 1 else bars
    folder = posixpath.join(posixpath.dirname(name), "docs")
    by_id = {
        _find_page_id(files, page, folder): page
        for page in files.sizes
        if page.startswith(f"{folder}/") and page.endswith(_ENDINGS[1:])
    }
    find = partial(_find_page, files, folder)
    entries = list(_read_nav(lambda id_: by_id.get(id_) or find(id_), listed))
    losses = tuple(_list_losses(data))
    if [entry.folder for entry in entries] == [folder] and not losses:
        entries = []  # all pages in their order: folders decide
    return SiteOutline(name, "", entries, losses)


def _find_page_id(files: SourceFiles, page: str, folder: str) -> str:
    """The id of a page: its path without numbers, of which front matter may replace the name."""
    plain = _PLACE_NUMBER.sub(r"\1", posixpath.splitext(page.removeprefix(f"{folder}/"))[0])
    given = str(read_markdown_file(files, page).head.get("id") or "")
    return posixpath.join(posixpath.dirname(plain), given) if given else plain


def _list_losses(data: Any) -> Iterator[str]:
    """What sidebars have besides pages: HTML, links, and texts about a part."""
    waiting = [data]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node if isinstance(node, list) else [])
        if not isinstance(node, dict):
            continue
        waiting += [node[key] for key in reversed(node) if key != "customProps"]
        label, link = fold_to_line(str(node.get("label") or "")), node.get("link")
        if node.get("type") == "html":
            yield f"HTML between the pages: {html_to_prose(str(node.get('value') or ''))}"
        elif node.get("type") == "link":
            yield f"the link “{label}” to {fold_to_line(str(node.get('href') or ''))}"
        for holder in (node, link if isinstance(link, dict) else {}):
            if label and isinstance(holder.get("description"), str):
                yield f"the text about “{label}”: {fold_to_line(holder['description'])}"


def _load_yaml_value(files: SourceFiles, name: str) -> Any:
    """The value of a file of YAML, whose names of Python objects are left out."""
    try:
        documents = load_yaml(_PYTHON.sub("", files.read_text(name)).encode())
    except YamlMistake:
        files.opened.discard(name)  # so the report names it
        documents = []
    return documents[0] if documents else None


def spell_title_of_name(name: str) -> str:
    """The name of a file or folder as a title, without the number before it."""
    words = re.sub(r"[-_]+", " ", _NUMBER.sub("", name)).strip()
    return words[:1].upper() + words[1:] if words else name


SAYS_NOTHING = {"src", "docs", "doc", "content", "contents", "book", "pages", "episodes", "source"}
"""Names that tools ask for: the folder above has the name of the course."""


def find_telling_name(path: str) -> str:
    """The last name of a path that says something of a course."""
    path = _FILE_ENDING.sub("", path)
    names = [name for name in path.split("/") if name not in {"", ".", ".."}]
    telling = (name for name in reversed(names) if name.lower() not in SAYS_NOTHING)
    return next(telling, names[-1] if names else path)


FindPage = Callable[[str], str]
"""The file of a page, from what the outline says of it."""


def _read_nav(find_page: FindPage, nodes: Any, depth: int = 0) -> Iterator[OutlineEntry]:
    """The entries of a list in which a node is a path, a title with more, or a table of words."""
    nodes = [nodes] if isinstance(nodes, dict) else nodes
    for node in nodes if isinstance(nodes, list) and depth < _DEPTH_MOST else ():
        if isinstance(node, str):
            yield OutlineEntry("", find_page(node), [])
        elif isinstance(node, dict) and node.get("type") in {"html", "link"}:
            continue  # no page; the report names it
        elif isinstance(node, dict) and node.get("type") == "autogenerated":
            yield OutlineEntry("", "", [], find_page(str(node.get("dirName") or ".")))
        elif isinstance(node, dict) and node.keys() & _WORDS:
            link = node.get("link")
            inner = link.get("id") if isinstance(link, dict) else None
            path = node.get("local") or node.get("id") or inner or node.get("href") or ""
            title = fold_to_line(str(node.get("title") or node.get("label") or ""))
            below = node.get("sections") or node.get("items")
            page = find_page(str(path)) if path else ""
            yield OutlineEntry(title, page, list(_read_nav(find_page, below, depth + 1)))
        elif isinstance(node, dict):
            for title, value in node.items():
                page = find_page(value) if isinstance(value, str) else ""
                entries = list(_read_nav(find_page, value, depth + 1))
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
    "sidebars.js": _read_sidebars,
    "sidebars.ts": _read_sidebars,
    "sidebars.mjs": _read_sidebars,
    "sidebars.cjs": _read_sidebars,
}
