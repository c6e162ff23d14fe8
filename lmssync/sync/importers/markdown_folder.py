"""A folder of Markdown with front matter: folders are sections and lessons, files are pages."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from ...vocabulary.enums import TopicType
from .course_document import PLAIN, make_field_value
from .course_outline import (
    Body,
    ContentRef,
    Course,
    Lesson,
    Loss,
    Section,
    SourceFile,
    Target,
    Topic,
    UnreachableTarget,
)
from .markdown_dialects import make_plain_markdown
from .site_outline import (
    SAYS_NOTHING,
    OutlineEntry,
    SiteOutline,
    find_site_outline,
    find_site_title,
    find_telling_name,
    list_category_files,
    list_outline_pages,
    spell_title_of_name,
)
from .site_texts import Head, MarkdownFile, read_markdown_file
from .source_files import NotReadable, SourceFiles
from .source_texts import fold_to_line

ORDER = ("weight", "order", "nav_order", "sidebar_position", "position")
_OF_COURSE = {
    "summary": "description",
    "keywords": "tags",
    "author": "authors",
    "date": "publishDate",
}
"""Words of site generators for fields of a course."""
OF_PART = {"title", "id", "draft", *ORDER}
"""What any folder or page may say of itself."""


def read_course_fields(head: Head) -> tuple[dict[str, Any], list[str]]:
    """The fields of a course that its index names, and the keys that nobody knows."""
    fields: dict[str, Any] = {}
    strange = []
    for key, value in head.items():
        field = _OF_COURSE.get(key, key)
        if key in {"title", "draft", "key", "resource"} or value is None:
            continue
        if field in PLAIN and field not in fields:
            fields[field] = make_field_value(field, value)
        else:
            strange.append(key)
    if head.get("draft") is True:
        fields.setdefault("status", "draft")
    return fields, strange


_ENDINGS = (".md", ".markdown", ".mdx")
_INDEX = ("_index", "index", "readme", "_category_")
_ABSOLUTE = re.compile(r"[\w+.-]+:|//|#|\?")
_DIGITS = re.compile(r"(\d+)")
_URLS = {
    "videoUrl": TopicType.VIDEO,
    "pdfUrl": TopicType.PDF_VIEWER,
    "scormUrl": TopicType.SHAREABLE_CONTENT_OBJECT,
}
"""What a page may name as its content, and the type that it then has."""
_SERVED = ("", "static", "public")
"""Folders of a site in which a generator looks for `/picture.png`."""
_TYPES = set(TopicType)


class PageFolder(NamedTuple):
    """A folder with its pages and folders, in the order in which learners meet them."""

    name: str
    about: MarkdownFile | None
    children: "list[PageFolder | MarkdownFile]"


def read_markdown_courses(files: SourceFiles) -> Iterator[Course]:
    """One course if there is an outline or pages at the top, else one for each folder there."""
    pages = {
        name: read_markdown_file(files, name)
        for name in files.sizes
        if name.lower().endswith(_ENDINGS)
    }
    if not pages:
        raise NotReadable(f"{files.shown} holds no Markdown", "name a folder with .md files")
    for name, head in list(list_category_files(files, pages)):
        title = fold_to_line(str(head.pop("label", "")))
        pages[name] = MarkdownFile(name, head, title, "")
    outline = find_site_outline(files)
    if outline and outline.covers_source(pages):
        yield _read_outlined_course(files, outline, pages)
        return
    top = _make_folder("", pages)
    folders = [child for child in top.children if isinstance(child, PageFolder)]
    readings = [MarkdownReading(files, folder) for folder in folders]
    # A page at the top, or an index, makes all of it one course; folders alone are courses.
    if top.about or len(folders) < len(top.children):
        readings = [MarkdownReading(files, top)]
    for reading in readings:
        yield reading.read_course()


def _read_outlined_course(
    files: SourceFiles, outline: SiteOutline, pages: Mapping[str, MarkdownFile]
) -> Course:
    """The course whose outline a tool keeps in a file; pages that it does not name stay out."""
    about = MarkdownFile(outline.file, {}, outline.title, "")
    children = _list_outline_children(outline, outline.entries, pages)
    course = MarkdownReading(files, PageFolder("", about, children)).read_course()
    named = {outline.file, *list_outline_pages(outline.entries, pages)}
    for text in outline.losses:
        course.note_loss(outline.file, text)
    for name in sorted(named - pages.keys() - {outline.file}):
        course.note_loss(outline.file, f"it names `{name}`, which is no page of the source")
    for name in sorted(pages.keys() - named):
        course.note_loss(name, f"the page is not in {outline.file}")
    return course


def _list_outline_children(
    outline: SiteOutline, entries: list[OutlineEntry], pages: Mapping[str, MarkdownFile]
) -> "list[PageFolder | MarkdownFile]":
    """The pages and folders of an outline, with the titles that it gives them."""
    children: list[PageFolder | MarkdownFile] = []
    for entry in entries:
        page = pages.get(entry.path)
        if entry.folder:
            whole = _make_folder(entry.folder, pages)
            children += [*filter(None, [whole.about]), *whole.children]
        if page:
            page = page._replace(title=entry.title or page.title)
        if entry.entries:
            about = page or MarkdownFile(outline.file, {}, entry.title, "")
            below = _list_outline_children(outline, entry.entries, pages)
            children.append(PageFolder(about.name, about, below))
        elif page:
            children.append(page)
    return children


def _make_folder(name: str, pages: Mapping[str, MarkdownFile]) -> PageFolder:
    below = f"{name}/" if name else ""
    here = {page[len(below) :]: page for page in pages if page.startswith(below)}
    # Reversed, so that of two files with one stem the first one stays in the mapping.
    stems = {posixpath.splitext(rest)[0].lower(): rest for rest in reversed(here)}
    index = next((here[stems[stem]] for stem in _INDEX if stem in stems), None)
    inner = sorted({rest.partition("/")[0] for rest in here if "/" in rest})
    # Only what is below is handed on: a folder at every depth would otherwise look at all pages.
    below_pages = {name: pages[name] for name in here.values()}
    children: list[PageFolder | MarkdownFile] = [
        _make_folder(below + child, below_pages) for child in inner
    ]
    children += [pages[n] for rest, n in here.items() if "/" not in rest and n != index]
    return PageFolder(name, pages[index] if index else None, sorted(children, key=_page_order))


def _page_order(child: PageFolder | MarkdownFile) -> tuple[float, list[tuple[str, int, str]]]:
    """How pages are sorted: by weight in the front matter, then by name."""
    index = child if isinstance(child, MarkdownFile) else child.about
    weights = [index.head[key] for key in ORDER if key in index.head] if index else []
    weight = next((w for w in weights if isinstance(w, int | float)), float("inf"))
    # Numbers in a name count as numbers: `2-last` comes before `10-first`.
    parts = [*_DIGITS.split(posixpath.basename(child.name).lower()), "0"]
    texts = zip(parts[::2], parts[1::2], strict=True)
    # Compared by length and then as text: a number of any length is never converted.
    numbers = ((text, number.lstrip("0")) for text, number in texts)
    return weight, [(text, len(number), number) for text, number in numbers]  # of any length


class MarkdownReading:
    """One course of a source."""

    def __init__(self, files: SourceFiles, folder: PageFolder) -> None:
        self._files, self._folder = files, folder
        self._course = Course("", folder.name or files.shown, self._resolve_address)

    def read_course(self) -> Course:
        course, index = self._course, self._folder.about
        path = (Path(self._files.shown).absolute() / self._folder.name).as_posix()
        shown = posixpath.basename(path)
        course.title = (index.title if index else "") or find_site_title(
            self._files, self._folder.name
        )
        course.title = course.title or spell_title_of_name(find_telling_name(path))
        course.name = shown
        if index:
            course.place = index.name
            course.key = str(index.head.get("key") or "")
            course.fields, strange = read_course_fields(index.head)
            self._note_unknown_keys(index, strange)
        course.keep_filled_parts(list(self._read_sections()))
        return course

    def _read_sections(self) -> Iterator[Section]:
        """A section for each folder, and for the pages that stand before, between and after."""
        loose: Section | None = None
        number = 0
        index = self._folder.about
        pages = [index] if index and index.text else []
        for child in [*pages, *self._folder.children]:
            if isinstance(child, PageFolder):
                loose = None
                yield self._read_section(child)
                continue
            if loose is None:
                number += 1
                title = self._course.title + (f" ({number})" if number > 1 else "")
                loose = Section(title, name=f"section-{number}")
                yield loose
            loose.lesson_for_pages().topics += self._read_topics(child)

    def _read_section(self, folder: PageFolder) -> Section:
        title = _folder_title(folder, self._course.title)
        section = Section(title, name=posixpath.basename(folder.name))
        section.id = _index_setting(folder, "id")
        section.release = _index_setting(folder, "releaseDate")
        self._read_index(folder, title, section.lesson_for_pages, {"releaseDate", "openType"})
        for child in folder.children:
            if isinstance(child, MarkdownFile):
                lesson = section.lesson_for_pages()
                lesson.open_type = _index_setting(folder, "openType")
                lesson.topics += self._read_topics(child)
            else:
                section.lessons.append(self._read_lesson(child, title))
        return section

    def _read_lesson(self, folder: PageFolder, above: str) -> Lesson:
        title = _folder_title(folder, above)
        lesson = Lesson(title, name=posixpath.basename(folder.name), stands_alone=True)
        lesson.id = _index_setting(folder, "id")
        lesson.open_type = _index_setting(folder, "openType")
        self._read_index(folder, title, lambda: lesson, {"openType"})
        for child in folder.children:
            if isinstance(child, MarkdownFile):
                lesson.topics += self._read_topics(child)
            else:
                self._lay_flat(lesson, child)
        return lesson

    def _lay_flat(self, lesson: Lesson, folder: PageFolder) -> None:
        """Puts what is deeper than a lesson into it."""
        message = f"its pages are in the lesson “{lesson.title}”, without this folder"
        self._course.note_loss(folder.name, message, Loss.CHANGED)
        lesson.topics += self._read_lesson(folder, lesson.title).topics

    def _read_index(
        self, folder: PageFolder, title: str, lesson: Callable[[], Lesson], known: set[str]
    ) -> None:
        """The text of the index of a folder as a page, and what its front matter cannot say."""
        if not folder.about:
            return
        self._note_unknown_keys(folder.about, folder.about.head.keys() - OF_PART - known)
        if folder.about.head.get("draft") is True:
            message = "a draft, whose text is left out; the pages beside it are kept"
            self._course.note_loss(folder.about.name, message)
        elif folder.about.text:
            plain_index = folder.about._replace(head={}, title=title)
            lesson().topics += self._read_topics(plain_index)

    def _read_topics(self, page: MarkdownFile) -> Iterator[Topic]:
        if page.head.get("draft") is True and page is not self._folder.about:
            self._course.note_loss(page.name, "a draft, which stays out")
            return
        title = page.title or spell_title_of_name(
            posixpath.splitext(posixpath.basename(page.name))[0]
        )
        url = next((key for key in _URLS if page.head.get(key)), "")
        type_ = _URLS[url] if url else TopicType.TEXT
        if page is not self._folder.about:
            self._note_unknown_keys(page, page.head.keys() - OF_PART - {url, "type"})
            type_ = self._topic_type(page, type_)
        base = posixpath.dirname(page.name)
        stem = posixpath.splitext(posixpath.basename(page.name))[0]
        topic = Topic(title, type_, page.name, stem)
        topic.id = str(page.head.get("id") or "")
        topic.body = Body(self._make_plain_text(page), page.name, base, markdown=True)
        topic.address = ContentRef(str(page.head[url]), base) if url else None
        yield topic

    def _make_plain_text(self, page: MarkdownFile) -> str:
        """The text of a page without the marks of other dialects, each of which is noted."""
        plain = make_plain_markdown(self._files, page.name, page.text)
        for mark in plain.taken:
            self._course.note_loss(page.name, f"{mark}, which are left out", Loss.CHANGED)
        for mark in plain.left:
            self._course.note_loss(page.name, f"{mark}, which learners see as text", Loss.CHANGED)
        return plain.text

    def _topic_type(self, page: MarkdownFile, usual: TopicType) -> TopicType:
        """The type that the front matter names, if the platform has one of that name."""
        named = page.head.get("type")
        if isinstance(named, str) and named in _TYPES:
            return TopicType(named)
        if named is not None:
            self._course.note_loss(
                page.name, f"the type `{named}`; the page is a {usual}", Loss.CHANGED
            )
        return usual

    def _note_unknown_keys(self, page: MarkdownFile, keys: "list[str] | set[str]") -> None:
        for key in sorted(keys):
            where = "in the front matter" if page.name.endswith(_ENDINGS) else "of the folder"
            self._course.note_loss(page.name, f"`{key}` {where}")

    def _resolve_address(self, address: str, base: str) -> Target:
        """A file beside the page, or one that a site would serve from its top."""
        path = unquote(address.partition("#")[0].partition("?")[0])
        if not path or _ABSOLUTE.match(path):
            return None
        rooted = path.startswith("/")
        for folder in _SERVED if rooted else (base,):
            name = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
            # A page of the platform has no address before it is made, so no link can lead there.
            if name.lower().endswith(_ENDINGS) and name in self._files:
                return UnreachableTarget("leads to another page, which has no address yet")
            if name in self._files:
                return SourceFile(name, posixpath.basename(name))
        return UnreachableTarget("is not in the folder")


def _folder_title(folder: PageFolder, above: str) -> str:
    """The title of a folder; that of what is above it where its name says nothing."""
    title, name = folder.about.title if folder.about else "", posixpath.basename(folder.name)
    return title or (above if name.lower() in SAYS_NOTHING else spell_title_of_name(name))


def _index_setting(folder: PageFolder, key: str) -> str:
    """What the front matter of the index of a folder says."""
    return str(folder.about.head.get(key) or "") if folder.about else ""
