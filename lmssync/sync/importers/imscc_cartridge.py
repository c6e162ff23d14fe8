"""IMS Common Cartridge (.imscc): a manifest with a tree of items, and a resource for each."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import (
    Course,
    Lesson,
    Loss,
    Section,
    SourceFile,
    Target,
    Topic,
    UnreachableTarget,
)
from .imscc_resources import (
    ASSIGNMENT_SETTINGS,
    QUIZ_SETTINGS,
    SYLLABUS,
    CartridgeContext,
    ImsResource,
    find_resource_title,
    is_content,
    is_page,
    make_cartridge_topics,
    note_unused_resource,
    read_page_body,
    read_resource,
    try_reading_xml,
)
from .source_files import NotReadable, SourceFiles
from .source_texts import NO_ELEMENT, child_text, fold_to_line, html_to_prose, read_xml_tree

MANIFEST = "imsmanifest.xml"
_MODULES = "course_settings/module_meta.xml"
_UNPUBLISHED = "unpublished"
_STATES = ("workflow_state", "assignment/workflow_state")
"""Where settings say whether something was published."""
_META = re.compile(r"(?is)<meta\b[^>]*>")
_STATE = re.compile(r"""(?i)\bname\s*=\s*["']?workflow_state\b""")
_HIDDEN = re.compile(rf"""(?i)\bcontent\s*=\s*["']?{_UNPUBLISHED}\b""")
_BASES = ("$IMS-CC-FILEBASE$", "$IMS_CC_FILEBASE$")
_ABSOLUTE = re.compile(r"/|[\w+.-]+:")
_OTHER_PAGES = (
    "$CANVAS_OBJECT_REFERENCE$",
    "$CANVAS_COURSE_REFERENCE$",
    "$WIKI_REFERENCE$",
    "%24CANVAS_OBJECT_REFERENCE%24",
    "%24CANVAS_COURSE_REFERENCE%24",
    "%24WIKI_REFERENCE%24",
)
_GENERAL = "metadata/lom/general"
_OF_GENERAL = {"title", "description", "language", "identifier"}


class CartridgeVisibility:
    """What of one cartridge was hidden; each item is noted once."""

    def __init__(self, reading: CartridgeContext, root: str) -> None:
        self._reading = reading
        self._modules = posixpath.join(root, _MODULES)
        self._items = set(self._list_hidden_items())
        self._noted: set[str] = set()

    def note_hidden_item(self, key: str, title: str, resource: ImsResource | None = None) -> None:
        """Notes an item of the organization that was hidden, by itself or with its resource."""
        place = self._modules if key and key in self._items else ""
        if resource is not None and not place:
            place = self._find_hidden_file(resource)
            key = place
        if place and key not in self._noted:
            self._noted.add(key)
            message = f"“{title}” was hidden, and learners would see it"
            self._reading.course.note_loss(place, message, Loss.CHANGED)

    def _list_hidden_items(self) -> Iterator[str]:
        """The ids of the modules that are unpublished, and of the items in modules."""
        for part in try_reading_xml(self._reading, self._modules).iter():
            # Both have the state as a child; what holds them has none.
            if child_text(part, "workflow_state") == _UNPUBLISHED:
                yield part.get("identifier", "")

    def _find_hidden_file(self, resource: ImsResource) -> str:
        """The file of a resource that says that it was not published; empty if none does."""
        place = resource.main_file
        if is_page(place) and place in self._reading.files and self._is_hidden_page(place):
            return place
        return next(filter(self._says_hidden, self._list_settings(resource)), "")

    def _list_settings(self, resource: ImsResource) -> Iterator[str]:
        """The files that may say whether a resource was published: its own, or those beside it."""
        yield from (file for file in resource.files if file.endswith(ASSIGNMENT_SETTINGS))
        yield posixpath.join(posixpath.dirname(resource.main_file), QUIZ_SETTINGS)
        for needed in filter(None, map(self._reading.resources.get, resource.needs)):
            yield needed.main_file

    def _is_hidden_page(self, name: str) -> bool:
        metas = _META.findall(self._reading.files.read_text(name))
        return any(_STATE.search(meta) and _HIDDEN.search(meta) for meta in metas)

    def _says_hidden(self, name: str) -> bool:
        settings = try_reading_xml(self._reading, name) if name.endswith(".xml") else NO_ELEMENT
        states = (child_text(settings, path) for path in _STATES)
        return _UNPUBLISHED in states or child_text(settings, "available") == "false"


def read_cartridge(files: SourceFiles) -> Iterator[Course]:
    """The one course of a cartridge."""
    name = files.find_topmost(MANIFEST, "a cartridge has one at its top")
    yield CartridgeReading(files, name).read_course()


class CartridgeReading:
    """One cartridge."""

    def __init__(self, files: SourceFiles, name: str) -> None:
        self.files, self._name = files, name
        self._root = posixpath.dirname(name)
        self.course = Course("", name, self._resolve_address)
        self.resources: dict[str, ImsResource] = {}
        self._used: set[str] = set()
        self._visibility = CartridgeVisibility(self, self._root)

    def read_course(self) -> Course:
        course = self.course
        manifest = read_xml_tree(self.files, self._name)
        # Both are zip archives with an `imsmanifest.xml`: only the schema tells them apart.
        if "SCORM" in child_text(manifest, "metadata/schema").upper():
            raise NotReadable(
                f"{self.files.shown} is a SCORM package, not a cartridge",
                "host it, and write a course of kind shareableContentObject with its address",
            )
        course.name = posixpath.basename(self.files.shown).partition(".")[0]
        course.title = fold_to_line(child_text(manifest, f"{_GENERAL}/title")) or course.name
        course.fields = {
            "description": html_to_prose(child_text(manifest, f"{_GENERAL}/description"))
        }
        for part in manifest.iterfind("metadata/lom/*"):
            texts = (
                text
                for one in part
                if part.tag != "general" or one.tag not in _OF_GENERAL
                for text in one.itertext()
            )
            if words := fold_to_line(" ".join(texts)):
                course.note_loss(self._name, f"`{part.tag}` of the cartridge: {words}")
        self.resources = {
            r.get("identifier", ""): read_resource(r, self._root, self.files.sizes)
            for r in manifest.iterfind("resources/resource")
        }
        organization = manifest.find("organizations/organization")
        items = organization.findall("item") if organization is not None else []
        # The standard asks for one item that holds all others; some tools leave it out.
        top = organization if len(items) > 1 else next(iter(items), None)
        sections = [self._list_contents()] if top is None else self._read_sections(top)
        course.keep_filled_parts([*self._read_syllabus(), *sections])
        for section in course.sections:
            self._visibility.note_hidden_item(section.name, section.title)
            for lesson in section.lessons:
                self._visibility.note_hidden_item(lesson.name, lesson.title)
        # Some tools list a file in two resources: it is in the outline with either.
        used = {self.resources[key].main_file for key in self._used} - {""}
        for key, resource in self.resources.items():
            if key not in self._used and resource.main_file not in used:
                note_unused_resource(self, resource)
        return course

    def _read_syllabus(self) -> Iterator[Section]:
        """The page about the course, as a section at the beginning."""
        name = posixpath.join(self._root, SYLLABUS)
        # It is in no organization, so nothing else would lead to it.
        if name in self.files:
            section = Section("Syllabus")
            body = read_page_body(self, name)
            if html_to_prose(body.text) or "<img" in body.text:
                topic = Topic(section.title, TopicType.TEXT, name, body=body)
                section.lesson_for_pages().topics.append(topic)
                yield section

    def _list_contents(self) -> Section:
        """What learners meet, in the order of the resources."""
        message = "the cartridge has no organization: its content comes in the order of its list"
        self.course.note_loss(self._name, message, Loss.CHANGED)
        section = Section(self.course.title)
        # Without an organization nothing else says what comes when.
        for key, resource in self.resources.items():
            if is_content(resource):
                self._used.add(key)
                title = find_resource_title(self, resource)
                self._visibility.note_hidden_item(key, title, resource)
                section.lesson_for_pages().topics += make_cartridge_topics(self, resource, title)
        return section

    def _read_sections(self, top: Element) -> Iterator[Section]:
        """A section for each item at the top; what is not in one comes into one of its own."""
        loose: Section | None = None
        if own := list(self._read_own_page(top)):
            loose = Section(self.course.title)
            loose.lesson_for_pages().topics += own
            yield loose
        for item in top.iterfind("item"):
            if item.find("item") is not None:
                loose = None
                yield self._read_section(item)
                continue
            if loose is None:
                loose = Section(self.course.title)
                # Before its topics are read: the section keeps its place among the others.
                yield loose
            loose.lesson_for_pages().topics += self._read_topics(item, "")

    def _read_section(self, item: Element) -> Section:
        """The lessons of a section: items with items in them, headings, and what stands between."""
        title = _item_title(item)
        section = Section(title, name=item.get("identifier", ""))
        if own := list(self._read_own_page(item)):
            section.lesson_for_pages().topics += own
        for inner in item.iterfind("item"):
            is_folder = inner.find("item") is not None
            if is_folder or not inner.get("identifierref"):
                lesson = Lesson(_item_title(inner), name=inner.get("identifier", ""))
                # What follows a folder is no part of it; what follows a heading is.
                lesson.stands_alone = is_folder
                lesson.topics += self._read_topics_below(inner)
                section.lessons.append(lesson)
            else:
                section.lesson_for_pages().topics += self._read_topics(inner, title)
        return section

    def _read_topics_below(self, item: Element) -> Iterator[Topic]:
        """The topics of a lesson, its own page first; deeper folders are laid flat."""
        yield from self._read_own_page(item)
        for inner in item.iterfind("item"):
            if inner.find("item") is not None:
                message = (
                    f"the pages of the folder “{_item_title(inner)}” are in “{_item_title(item)}”"
                )
                self.course.note_loss(self._name, message, Loss.CHANGED)
                topics = list(self._read_topics_below(inner))
                if topics:
                    title = _item_title(inner)
                    self._visibility.note_hidden_item(inner.get("identifier", ""), title)
                yield from topics
            else:
                yield from self._read_topics(inner, _item_title(item))

    def _read_own_page(self, item: Element) -> Iterator[Topic]:
        """The page that an item with further items is by itself, if any."""
        if item.get("identifierref"):
            yield from self._read_topics(item, "")

    def _read_topics(self, item: Element, above: str) -> Iterator[Topic]:
        reference = item.get("identifierref", "")
        title = _item_title(item) or above
        resource = self.resources.get(reference)
        if resource is None:
            self.course.note_loss(self._name, f"“{title}” refers to nothing in the cartridge")
            return
        self._used.add(reference)
        self._visibility.note_hidden_item(item.get("identifier", ""), title, resource)
        yield from make_cartridge_topics(self, resource, title)

    def _resolve_address(self, address: str, base: str) -> Target:
        """A file of the cartridge; `base` is the folder of the text that names it."""
        if address.startswith(_OTHER_PAGES):
            return UnreachableTarget("leads to another page of the old course")
        path = unquote(address.partition("#")[0].partition("?")[0])
        mark = next((mark for mark in _BASES if path.startswith(mark)), "")
        if not mark and (not path or _ABSOLUTE.match(path)):
            return None
        path = path.removeprefix(mark).lstrip("/")
        # A mark stands for the top of the course, which some tools export into that folder.
        folders = (self._root, posixpath.join(self._root, "web_resources"), base)
        for folder in folders if mark else (base, self._root):
            name = posixpath.normpath(posixpath.join(folder, path))
            if name in self.files:
                return self._find_target(name)
        return UnreachableTarget("is not in the cartridge")

    def _find_target(self, name: str) -> Target:
        if is_page(name):
            return UnreachableTarget("leads to another page of the old course")
        return SourceFile(name, posixpath.basename(name))


def _item_title(item: Element) -> str:
    return fold_to_line(child_text(item, "title"))
