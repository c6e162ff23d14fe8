"""Moodle backups (.mbz): sections with activities, and files under the digests of their bytes.

The sections and the files are read here; `moodle_activities` reads what stands in a section.
People, their work and their grades are never opened.
"""

import posixpath
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from ...vocabulary.enums import TopicType
from .course_outline import (
    ANYWHERE,
    PICTURES,
    Course,
    Lesson,
    Loss,
    Section,
    SourceFile,
    Target,
    Topic,
    UnreachableTarget,
)
from .moodle_activities import LESSONS, Activity, make_formatted_body, read_activity
from .moodle_questions import QUESTION_FILES, QuestionBank
from .source_files import SourceFiles
from .source_texts import (
    NO_ELEMENT,
    child_text,
    fold_to_line,
    html_to_prose,
    parse_seconds,
    parse_whole_number,
    read_xml_tree,
)

_BACKUP, _COURSE = "moodle_backup.xml", "course/course.xml"
_HIDDEN = "“{}” was hidden, and learners would see it"
_FILE_MARK = "@@PLUGINFILE@@"
_COURSE_FILE_MARK = "$@FILEPHP@$"
"""Before the path of a file of the course, as the first versions kept them."""
_OTHER_PAGE = "$@"
_NULL = "$@NULL@$"
"""How a backup writes a value that is not set."""
_ELSEWHERE = {
    "users.xml": "people: learners are not part of a catalog",
    "questions.xml": "the question bank, but for the questions of quizzes",
    "gradebook.xml": "the gradebook",
    "completion.xml": "the rules by which the course is completed",
    "course/completiondefaults.xml": "the rules by which the course is completed",
    "outcomes.xml": "outcomes",
    "badges.xml": "badges",
    "course/enrolments.xml": "enrolments",
    "groups.xml": "groups",
}

_ABOUT_COURSE = {"idnumber": "ID number", "category/name": "category"}
_BESIDE = {
    "blocks.xml": "blocks beside the outline",
    "calendar.xml": "events of the calendar",
    "comments.xml": "comments of people",
    "competencies.xml": "competencies",
    "completion.xml": "who has completed what",
    "completiondefaults.xml": "the rules by which the course is completed",
    "contentbank.xml": "the content bank",
    "filters.xml": "filters of texts",
    "grade_history.xml": "earlier grades",
    "grades.xml": "grades",
    "grading.xml": "forms by which work is graded",
    "inforef.xml": "lists of what belongs together",
    "legacyfiles.xml": "lists of what belongs together",
    "logs.xml": "what people did",
    "logstores.xml": "what people did",
    "loglastaccess.xml": "what people did",
    "moodle_backup.log": "what happened during the backup",
    "plagiarism.xml": "settings of checks for copied work",
    "roles.xml": "roles",
    "scales.xml": "scales for grades",
    "xapistate.xml": "what people did",
}
"""Files that stand once or in each activity, and are never read."""
_SHOWN_AREAS = {"content", "intro", "introattachment", "chapter", "page_contents", "package"}
"""Areas of files that authors put there; in others may be the work of learners."""
_AREAS_OF_PAGES = {"chapter", "page_contents", "page_answers", "page_responses"}
"""Areas in which each page or answer has files of its own, under names that others have too."""
_SUBSECTION = "subsection"
_AREAS_OF_PICTURES = {"bgimage", "dragimage"}


def read_backup(files: SourceFiles) -> Iterator[Course]:
    """The one course of a backup."""
    name = files.find_topmost(_BACKUP, "a Moodle backup has one at its top")
    yield BackupReading(files, posixpath.dirname(name)).read_course(name)


class BackupReading:
    """One backup."""

    def __init__(self, files: SourceFiles, root: str) -> None:
        self._files, self._root = files, root
        self.course = Course("", self.find_place(_BACKUP), self._resolve_address)
        self._kept: dict[tuple[str, str], SourceFile] = {}
        """By context and path; before the path may be the area and the item that it belongs to."""
        self._pictures: dict[str, str] = {}
        """By area and item: the path of a picture that questions show without naming it."""
        self._shown_names: dict[str, str] = {}
        self.course.shown_names = self._shown_names
        self._listed: dict[str, list[Activity]] = {}
        self._subsections: dict[str, Element] = {}
        """By what names their activities: the sections that are inside other ones."""
        self._shown: dict[str, list[str]] = {}
        """By context: the files that an activity itself shows, the main one first."""

    def find_place(self, name: str) -> str:
        """Where a file of the backup stands in the archive."""
        return posixpath.join(self._root, name)

    def read_xml(self, name: str) -> Element:
        """A file of the backup, without marks of what is not set; `NO_ELEMENT` for one that it does
        not have."""
        path = self.find_place(name)
        root = read_xml_tree(self._files, path) if path in self._files else NO_ELEMENT
        for one in root.iter():
            one.text = "" if one.text == _NULL else one.text
        return root

    def _note_loss(self, name: str, message: str, loss: Loss = Loss.LOST) -> None:
        """Notes what could not be carried over of a file of the backup."""
        self.course.note_loss(self.find_place(name), message, loss)

    def read_course(self, name: str) -> Course:
        course = self.course
        backup = read_xml_tree(self._files, name)
        kind = child_text(backup, "information/details/detail/type")
        if kind not in {"", "course"}:
            self._note_loss(
                _BACKUP, f"this is a backup of one {kind}, not of a course", Loss.CHANGED
            )
        self._read_files()
        about = self.read_xml(_COURSE)
        course.title = fold_to_line(child_text(about, "fullname"))
        course.title = course.title or fold_to_line(
            child_text(backup, "information/original_course_fullname")
        )
        course.name = fold_to_line(child_text(about, "shortname"))
        course.fields = self._course_fields(about)
        self._listed = self._activities_by_section(backup)
        sections = backup.iterfind("information/contents/sections/section")
        rows = sorted(_skip_repeats(sections), key=self._section_number)
        owners = {row: self._find_owner(row) for row in rows}
        self._subsections = {owner: row for row, owner in owners.items() if owner}
        read = [self._read_section(row) for row in rows if not owners[row]]
        # Those that no activity has shown.
        course.keep_filled_parts([*read, *map(self._read_section, self._subsections.values())])
        self._note_unread_files()
        return course

    def _course_fields(self, about: Element) -> dict[str, object]:
        start = parse_seconds(child_text(about, "startdate"))
        end = parse_seconds(child_text(about, "enddate"))
        tags = [fold_to_line(child_text(tag, "rawname")) for tag in about.iterfind("tags/tag")]
        if child_text(about, "visible") == "0":
            self._note_loss(_COURSE, "the course was hidden", Loss.CHANGED)
        for field in about.iterfind("customfields/customfield"):
            message = f"the field `{child_text(field, 'name')}`: {child_text(field, 'value')}"
            self._note_loss(_COURSE, fold_to_line(message))
        for path, words in _ABOUT_COURSE.items():
            if text := fold_to_line(child_text(about, path)):
                self._note_loss(_COURSE, f"the {words} of the course: {text}")
        return {
            "description": html_to_prose(child_text(about, "summary")),
            "courseStartDate": start,
            "courseEndDate": end,
            "tags": list(dict.fromkeys(filter(None, tags))),
        }

    def _activities_by_section(self, backup: Element) -> dict[str, list[Activity]]:
        """The activities by the id of their section, in the order of the backup."""
        by_section: dict[str, list[Activity]] = {}
        activities = backup.iterfind("information/contents/activities/activity")
        for row in _skip_repeats(activities):
            activity = Activity(
                child_text(row, "moduleid"),
                child_text(row, "modulename"),
                fold_to_line(child_text(row, "title")).lstrip("# "),
                child_text(row, "directory"),
            )
            by_section.setdefault(child_text(row, "sectionid"), []).append(activity)
        return by_section

    def _section_number(self, row: Element) -> int:
        section = self.read_xml(f"{child_text(row, 'directory')}/section.xml")
        return parse_whole_number(child_text(section, "number")) or 0

    def _find_owner(self, row: Element) -> str:
        """What names the activity that shows a section inside another one; empty for the others."""
        about = self.read_xml(f"{child_text(row, 'directory')}/section.xml")
        if child_text(about, "component") != f"mod_{_SUBSECTION}":
            return ""
        return child_text(row, "parentcmid") or f"{_SUBSECTION} {child_text(about, 'itemid')}"

    def _read_subsection(self, activity: Activity) -> list[Lesson]:
        """The lessons of a section inside another one; none where its section is missing."""
        data = self.read_xml(f"{activity.folder}/{activity.kind}.xml")
        number = data.get("id", "")
        owner = activity.id if activity.id in self._subsections else f"{_SUBSECTION} {number}"
        row = self._subsections.pop(owner, None)
        lessons = [] if row is None else self._read_section(row).lessons
        for lesson in lessons:
            lesson.stands_alone = True
        return lessons

    def _read_section(self, row: Element) -> Section:
        place = f"{child_text(row, 'directory')}/section.xml"
        about = self.read_xml(place)
        title = self._section_title(row, about)
        section = Section(title, name=f"section-{child_text(row, 'sectionid')}")
        if child_text(about, "visible") == "0":
            self._note_loss(place, _HIDDEN.format(title), Loss.CHANGED)
        self._note_restriction(about, place, title)
        summary = child_text(about, "summary")
        if html_to_prose(summary) or "<img" in summary:
            form, base = child_text(about, "summaryformat"), f"course:{about.get('id', '')}"
            body = make_formatted_body(summary, form, self.find_place(place), base)
            topic = Topic(title, TopicType.TEXT, body.place, body=body)
            section.lesson_for_pages().topics.append(topic)
        ids = child_text(about, "sequence").split(",")
        order = {id_: place for place, id_ in reversed(list(enumerate(ids)))}
        activities = self._listed.pop(child_text(row, "sectionid"), [])
        activities.sort(key=lambda activity: order.get(activity.id, len(ids)))
        for activity in activities:
            self._add_activity(section, activity)
        return section

    def _section_title(self, row: Element, about: Element) -> str:
        name = fold_to_line(child_text(about, "name"))
        if name:
            return name
        number = child_text(about, "number") or fold_to_line(child_text(row, "title"))
        return self.course.title if number in {"", "0"} else f"Section {number}"

    def _add_activity(self, section: Section, activity: Activity) -> None:
        """The topics of an activity, in the lesson that is open or in one of their own."""
        place = f"{activity.folder}/module.xml"
        module = self.read_xml(place)
        if child_text(module, "deletioninprogress") == "1":
            self._note_loss(activity.folder, f"“{activity.title}” was about to be deleted")
            return
        if child_text(module, "visible") == "0":
            self._note_loss(place, _HIDDEN.format(activity.title), Loss.CHANGED)
        self._note_restriction(module, place, activity.title)
        if activity.kind == _SUBSECTION and (lessons := self._read_subsection(activity)):
            section.lessons += lessons
            return
        topics = read_activity(self, activity)
        if topics is not None and activity.kind in LESSONS:
            section.lessons.append(Lesson(activity.title, topics, stands_alone=True))
        else:
            section.lesson_for_pages().topics += topics or []

    def _note_restriction(self, holder: Element, place: str, title: str) -> None:
        rules = child_text(holder, "availability") or child_text(holder, "availabilityjson")
        if rules and '"c":[]' not in rules.replace(" ", ""):
            self._note_loss(place, f"the conditions under which “{title}” opened")

    @cached_property
    def questions(self) -> QuestionBank:
        """The question bank, read when the first quiz needs it."""
        return QuestionBank(self.read_xml("questions.xml"), self._pictures)

    def list_activity_files(self, context: str) -> list[str]:
        """The files that an activity shows, by its context; the main one first."""
        return self._shown.pop(context, [])

    def _read_files(self) -> None:
        """The list of files: by context and path, where their bytes stand."""
        for row in self.read_xml("files.xml").iterfind("file"):
            digest, shown = child_text(row, "contenthash"), child_text(row, "filename")
            name = self.find_place(f"files/{digest[:2]}/{digest}")
            if shown in {"", "."} or name not in self._files:
                continue
            owner, area = _find_file_owner(row), child_text(row, "filearea")
            path = child_text(row, "filepath").lstrip("/") + shown
            item = f"{area}/{child_text(row, 'itemid')}"
            self._kept.setdefault((owner, f"{item}/{path}"), SourceFile(name, shown))
            if owner != QUESTION_FILES and area not in _AREAS_OF_PAGES:
                self._kept.setdefault((owner, path), SourceFile(name, shown))
            if area in _AREAS_OF_PICTURES:
                self._pictures.setdefault(item, path)
            if area in _SHOWN_AREAS:
                self._shown_names[name] = shown
            if area == "overviewfiles" and shown.lower().endswith(PICTURES):
                self.course.image = self.course.image or SourceFile(name, shown)
            if area == "legacy":
                self._kept.setdefault((_COURSE_FILE_MARK, path), SourceFile(name, shown))
            if area in {"content", "package"}:
                is_main = child_text(row, "sortorder") not in {"", "0"}
                paths = self._shown.setdefault(owner, [])
                paths.insert(0 if is_main else len(paths), path)

    def _resolve_address(self, address: str, base: str) -> Target:
        """A file of the backup; `base` is the context of the text that names it."""
        if address.startswith(_COURSE_FILE_MARK):
            below = address.replace("$@SLASH@$", "/").replace("$@FORCEDOWNLOAD@$", "")
            address, base = below.replace(_COURSE_FILE_MARK, _FILE_MARK), _COURSE_FILE_MARK
        if address.startswith(_OTHER_PAGE):
            return UnreachableTarget("leads to another page of the old course")
        if not address.startswith(_FILE_MARK):
            return None
        path = unquote(address.removeprefix(_FILE_MARK).partition("?")[0].partition("#")[0])
        path = path.lstrip("/")
        # Behind a context may be the area and the item of the text.
        owner, _, item = base.partition("/")
        file = self._kept.get((owner, f"{item}/{path}")) or self._kept.get((owner, path))
        return file or UnreachableTarget("is not in the backup")

    def _note_unread_files(self) -> None:
        for name, words in _ELSEWHERE.items():
            data = self.read_xml(name) if name != "users.xml" else NO_ELEMENT
            has_more = any(len(child) for child in data)
            if has_more or (name == "users.xml" and self.find_place(name) in self._files):
                self._note_loss(name, words)
        counts = Counter(posixpath.basename(name) for name in self._files.sizes)
        for name, words in _BESIDE.items():
            if counts[name]:
                number = f"{counts[name]:,} file{'' if counts[name] == 1 else 's'}"
                self.course.note_loss(ANYWHERE + name, f"{words}: {number}")


def _find_file_owner(row: Element) -> str:
    """What the texts that show a file name as their base: a context, a section, or the bank."""
    component = child_text(row, "component")
    if component.startswith(("question", "qtype_")):
        return QUESTION_FILES
    if component == "course" and child_text(row, "filearea") == "section":
        return f"course:{child_text(row, 'itemid')}"
    return child_text(row, "contextid")


def _skip_repeats(rows: Iterator[Element]) -> Iterator[Element]:
    seen: set[str] = set()
    for row in rows:
        folder = child_text(row, "directory")
        # A list that names one often would have it read as often.
        if folder not in seen:
            seen.add(folder)
            yield row
