"""IMS Common Cartridge (.imscc): a manifest with a tree of items, and a resource for each.

The tree is read here; `imscc_resources` reads what an item stands for.
"""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from . import imscc_resources, plain
from .imscc_resources import ImsResource
from .outline import Course, File, Lesson, Loss, Nowhere, Section, Target, Topic, without_empty
from .sources import Files, NotReadable
from .xml_trees import child_text, read_xml_tree

MANIFEST = "imsmanifest.xml"
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


def read_cartridge(files: Files) -> Iterator[Course]:
    """The one course of a cartridge."""
    names = [name for name in files.sizes if posixpath.basename(name) == MANIFEST]
    if not names:
        raise NotReadable(f"{files.shown} has no {MANIFEST}", "a cartridge has one at its top")
    name = min(names, key=lambda name: (name.count("/"), name))
    yield _Reading(files, name).read_course()


class _Reading:
    """One cartridge."""

    def __init__(self, files: Files, name: str) -> None:
        self._files, self._name = files, name
        self._root = posixpath.dirname(name)
        self._course = Course("", name, self._resolve_address)
        self._resources: dict[str, ImsResource] = {}
        self._used: set[str] = set()

    def read_course(self) -> Course:
        course = self._course
        manifest = read_xml_tree(self._files, self._name)
        if "SCORM" in child_text(manifest, "metadata/schema").upper():
            raise NotReadable(
                f"{self._files.shown} is a SCORM package, not a cartridge",
                "host it, and write a course of kind shareableContentObject with its address",
            )
        course.title = plain.fold_to_line(child_text(manifest, f"{_GENERAL}/title"))
        course.name = posixpath.basename(self._files.shown).partition(".")[0]
        course.fields = {
            "description": plain.html_to_prose(child_text(manifest, f"{_GENERAL}/description"))
        }
        self._resources = {
            r.get("identifier", ""): imscc_resources.read_resource(r, self._root)
            for r in manifest.iterfind("resources/resource")
        }
        top = manifest.find("organizations/organization/item")
        if top is None:
            raise self._files.file_error(
                self._name, "has no organization: nothing says what comes when"
            )
        course.sections = without_empty(list(self._read_sections(top)))
        self._say_what_else()
        return course

    def _read_sections(self, top: Element) -> Iterator[Section]:
        """A section for each item at the top; what is not in one comes into one of its own."""
        loose: Section | None = None
        for item in top.iterfind("item"):
            if item.find("item") is not None:
                loose = None
                yield self._read_section(item)
                continue
            if loose is None:
                loose = Section(self._course.title)
                yield loose
            loose.lesson_for_pages().topics += self._read_topics(item, "")

    def _read_section(self, item: Element) -> Section:
        """The lessons of a section: items with items in them, headings, and what stands between."""
        title = _item_title(item)
        section = Section(title, name=item.get("identifier", ""))
        for inner in item.iterfind("item"):
            is_folder = inner.find("item") is not None
            if is_folder or not inner.get("identifierref"):
                lesson = Lesson(_item_title(inner), name=inner.get("identifier", ""))
                # What follows a folder is no part of it; what follows a heading is.
                lesson.stands_alone = is_folder
                lesson.topics += self._all_below(inner)
                section.lessons.append(lesson)
            else:
                section.lesson_for_pages().topics += self._read_topics(inner, title)
        return section

    def _all_below(self, item: Element) -> Iterator[Topic]:
        """The topics of a lesson; deeper folders are laid flat."""
        for inner in item.iterfind("item"):
            if inner.find("item") is not None:
                message = (
                    f"the folder “{_item_title(inner)}” is laid flat into “{_item_title(item)}”"
                )
                self.note_loss(self._name, message, Loss.CHANGED)
                yield from self._all_below(inner)
            else:
                yield from self._read_topics(inner, _item_title(item))

    def _read_topics(self, item: Element, above: str) -> Iterator[Topic]:
        reference = item.get("identifierref", "")
        title = _item_title(item) or above
        resource = self._resources.get(reference)
        if resource is None:
            self.note_loss(self._name, f"“{title}” stands for nothing in the cartridge")
            return
        self._used.add(reference)
        yield from imscc_resources.make_cartridge_topics(self, resource, title)

    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what an item cannot bring along."""
        self._course.note_loss(place, message, loss)

    @property
    def files(self) -> Files:
        return self._files

    def _resolve_address(self, address: str, base: str) -> Target:
        """A file of the cartridge; `base` is the folder of the text that names it."""
        if address.startswith(_OTHER_PAGES):
            return Nowhere("leads to another page of the old course")
        path = unquote(address.partition("#")[0].partition("?")[0])
        mark = next((mark for mark in _BASES if path.startswith(mark)), "")
        if not mark and (not path or _ABSOLUTE.match(path)):
            return None
        path = path.removeprefix(mark).lstrip("/")
        folders = (self._root, posixpath.join(self._root, "web_resources"), base)
        for folder in folders if mark else (base, self._root):
            name = posixpath.normpath(posixpath.join(folder, path))
            if name in self._files:
                return self._find_target(name)
        return Nowhere("is not in the cartridge")

    def _find_target(self, name: str) -> Target:
        if name.endswith((".html", ".htm", ".xhtml")):
            return Nowhere("leads to another page of the old course")
        return File(name, posixpath.basename(name))

    def _say_what_else(self) -> None:
        """Names the resources that no item stands for, other than files that texts need."""
        for key, resource in self._resources.items():
            if key not in self._used and (kind := imscc_resources.describe_unused(resource)):
                self.note_loss(resource.href or resource.files[0], kind)


def _item_title(item: Element) -> str:
    return plain.fold_to_line(child_text(item, "title"))
