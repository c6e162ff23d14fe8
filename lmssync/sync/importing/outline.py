"""What every format becomes: a course with sections, lessons and topics, and what was lost.

A format fills these values from its files. It knows nothing of manifests, ids or folders.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from ...vocabulary.enums import TopicType


class Loss(StrEnum):
    """What happened to something that the course had in its source."""

    LOST = "lost"
    """It is not in the catalog."""
    PLACEHOLDER = "placeholder"
    """Its place is in the catalog, empty or with other content: a person has to fill it."""
    HOSTING = "hosting"
    """A file was copied; learners see it once it is hosted and its address is written."""
    CHANGED = "changed"
    """It is in the catalog in another way than in the source."""


class Lost(NamedTuple):
    """One thing that could not be carried over as it was."""

    loss: Loss
    place: str
    """Where it stands in the source: a file, a line of a table."""
    message: str


class Body(NamedTuple):
    """A text that learners read, as HTML or as Markdown."""

    text: str
    place: str
    """The file that it stands in."""
    base: str = ""
    """What its format needs to find the files that the text refers to."""
    markdown: bool = False


class ContentRef(NamedTuple):
    """The content of a video, a PDF or a package: an http address, or a file of the source."""

    target: str
    base: str = ""


class File(NamedTuple):
    """A file of the source that a text or a topic needs."""

    name: str
    """Its name in the source."""
    shown: str
    """The name that people know it by."""


class Nowhere(NamedTuple):
    """Something that only the other system can show, such as another page of the course."""

    why: str


Target = File | Nowhere | None
"""Where an address of a text leads; none if it is an address like any other."""
Resolve = Callable[[str, str], Target]
"""Says where an address leads that stands in a text with some base."""


@dataclass
class Topic:
    """A page of a lesson."""

    title: str
    type: TopicType
    place: str
    name: str = ""
    """What the source calls it, for an id where the title has no letters for one."""
    id: str = ""
    """The id that the source itself asks for; so with lessons and sections."""
    body: Body | None = None
    """The content, or the text above it where the content is something else."""
    address: ContentRef | None = None


@dataclass
class Lesson:
    title: str
    topics: list[Topic] = field(default_factory=list)
    name: str = ""
    id: str = ""
    open_type: str = ""
    stands_alone: bool = False
    """It is a lesson in the source too: what follows it is no part of it."""


@dataclass
class Section:
    title: str
    lessons: list[Lesson] = field(default_factory=list)
    name: str = ""
    id: str = ""
    release: str = ""
    """The date until which it is hidden."""
    loose_lessons: int = 0

    def lesson_for_pages(self) -> Lesson:
        """The lesson for pages that stand in the section itself; a new one after a real one."""
        if not self.lessons or self.lessons[-1].stands_alone:
            number = self.loose_lessons = self.loose_lessons + 1
            title = self.title if number == 1 else f"{self.title} ({number})"
            self.lessons.append(Lesson(title, name=f"{self.name}-{number}"))
        return self.lessons[-1]


@dataclass
class Course:
    """A course as its source has it."""

    title: str
    place: str
    resolve: Resolve
    name: str = ""
    key: str = ""
    """The key that the source itself asks for."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields, by the names of the manifest."""
    image: File | None = None
    """The picture on its tile."""
    sections: list[Section] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)

    def note_loss(self, place: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what could not be carried over."""
        self.lost.append(Lost(loss, place, message))


def without_empty(sections: list[Section]) -> list[Section]:
    """The sections and lessons that hold something."""
    for section in sections:
        section.lessons = [lesson for lesson in section.lessons if lesson.topics]
    return [section for section in sections if section.lessons]
