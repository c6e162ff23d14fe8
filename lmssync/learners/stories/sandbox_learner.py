"""A learner on a sandbox, which has rules of its own: both verdicts on a story, held together.

The caller serves the sandbox and passes the orders on. Here they are made: a small company with the
courses and licenses of one story, and then one step after the other by the sandbox's clock.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from ...catalog.manifests.story_documents import DOES, Story, StoryFile, StoryStep
from ...errors import LmssyncError
from ...kinds import is_uuid, node_address
from ...resource import Address, Form, Resource
from ...vocabulary.enums import CreateStatus, CriterionType, OpenType, SessionStatus
from ...vocabulary.iso_dates import format_moment, parse_last_moment
from .completion_rules import StepRefusal
from .story_catalog import StoryCatalog, StoryCourse, StoryPage, find_path
from .story_judge import StoryFailure, StoryVerdict, judge_story, noon_of_day
from .story_learner import StoryLearner

Order = Callable[[str, Mapping[str, Any]], Any]
"""Sends an order to the control plane of a sandbox, by its name; returns the answer."""
_NAMES = uuid.UUID("7d1c0000-0000-4000-8000-00000000c0de")
_EVE = timedelta(minutes=1)
"""How long before day 0 the clock begins: what was before is over then."""
_AS_WRITTEN = (
    *("priceInCents", "purchasable", "freeWithRegistration", "enrollmentLimit"),
    *("enrollmentStartDate", "courseStartDate", "forceLinearProgress", "availableToPublic"),
    "futurePublishDate",
)
_UNTIL_MIDNIGHT = ("enrollmentEndDate", "courseEndDate", "gracePeriodEndDate", "expirationDate")


def judge_twice(story: Story, catalog: StoryCatalog, order: Order) -> StoryVerdict:
    """What both the rules and the sandbox say of a story, and the first thing on which they do not
    agree: what comes after it may follow from it."""
    by_rules = {one.path: one for one in judge_story(story, catalog).failures}
    try:
        learner = SandboxLearner(story.spec, catalog, order)
        lived = {one.path: one for one in judge_story(story, catalog, learner).failures}
    except (LmssyncError, OverflowError) as error:
        text = f"the sandbox does not take the story: {error}"
        refused = StoryFailure(("story",), text, story.origin.at(("starts",)))
        return StoryVerdict(story, (*by_rules.values(), refused))
    agreed = [failure for path, failure in by_rules.items() if path in lived]
    differing = [one for path, one in by_rules.items() if path not in lived]
    says = "it happens as the story says on the sandbox, not by the rules"
    if not differing:
        differing = [one for path, one in lived.items() if path not in by_rules]
        says = "it happens as the story says by the rules, not on the sandbox"
    odd = [one._replace(message=f"{says}: {one.message}") for one in differing[:1]]
    return StoryVerdict(story, (*agreed, *odd))


class SandboxLearner(StoryLearner):
    """Does each step on the sandbox, and by the rules as well, which name the deciding lines."""

    def __init__(self, story: StoryFile, catalog: StoryCatalog, order: Order) -> None:
        super().__init__(story, catalog)
        self._order, self._seed = order, StorySeed(story, catalog)
        self._now = noon_of_day(story, 0) - _EVE
        seed = self._seed.make_seed(self._now)
        order("reset", {"seed": seed, "now": format_moment(self._now)})

    def do_step(self, step: StoryStep, at: datetime) -> StepRefusal | None:
        """Does what a step says; why the sandbox refuses it, if it does."""
        by_rules = super().do_step(step, at)
        does = next(name for name in DOES if getattr(step, name) is not None)
        name: str = getattr(step, does)
        course = self._catalog.require_course(step.course or self._story.course)
        more = {"percent": step.percent, "seconds": step.seconds}
        given = {key: value for key, value in more.items() if value is not None}
        self._move_clock(at)
        refused = None
        for id_ in self._list_subjects(course, does, name):
            answer = self._take_step(does, id_, **given)
            completed = map(self._seed.key_of, answer["completed"])
            self.done = {key: self.done.get(key, at) for key in completed}
            self.charged, refused = -answer["balance"], answer["refused"]
            if refused:
                break
        return _word_refusal(course, refused, by_rules)

    def find_refusal(
        self, course: StoryCourse, page: StoryPage, at: datetime
    ) -> StepRefusal | None:
        """Why the sandbox does not let the learner open a page, if so."""
        by_rules = super().find_refusal(course, page, at)
        self._move_clock(at)
        refused = self._take_step("looks", name_id(course.resource.address, page.path))["refused"]
        return _word_refusal(course, refused, by_rules)

    def _list_subjects(self, course: StoryCourse, does: str, name: str) -> Iterator[str]:
        """The ids of what a step is about: pages, or one license, course or purchase path."""
        if does == "gets":
            yield name_id(Address("license", name))
        elif does in ("enrolls", "buys"):
            yield name_id(Address("course", name))
        elif does == "follows":
            path = find_path(course, name)
            assert path is not None
            yield name_id(path.address)
        else:
            for page in course.choose_pages(name):
                yield name_id(course.resource.address, page.path)

    def _take_step(self, does: str, id_: str, **more: Any) -> Any:
        return self._order("steps", {"userId": LEARNER, "does": does, "id": id_, **more})

    def _move_clock(self, at: datetime) -> None:
        """Sets the clock, which does not move by itself, forward to the moment."""
        if wait := (at - self._now).total_seconds():
            self._order("clock", {"advanceSeconds": wait})
            self._now = at


def _word_refusal(
    course: StoryCourse, refused: str | None, by_rules: StepRefusal | None
) -> StepRefusal | None:
    origin = by_rules.origin if by_rules else course.resource.origin
    return StepRefusal(f"the sandbox refuses it: {refused}", origin) if refused else None


def name_id(address: Address | str, part: str = "") -> str:
    """The id that a resource, or a part of one, has in the sandbox of a story."""
    return str(uuid.uuid5(_NAMES, f"{address}/{part}"))


LEARNER = name_id("learner")


class StorySeed:
    """The company of a story: its courses, its licenses, the learner, and others with seats."""

    def __init__(self, story: StoryFile, catalog: StoryCatalog) -> None:
        self._story, self._catalog = story, catalog
        self._lists: dict[str, dict[str, dict[str, Any]]] = {}
        self._keys: dict[str, str] = {}

    def key_of(self, id_: str) -> str:
        return self._keys[id_]

    def make_seed(self, begins: datetime) -> dict[str, Any]:
        """The company on the eve of day 0, as a dump of a sandbox has it."""
        steps = self._story.learner
        licenses = [
            one for step in steps if step.gets and (one := self._catalog.find_license(step.gets))
        ]
        taken = [Address.parse(name) for name in self._story.taken]
        wanted = [self._story.course, *(a.key for a in taken if a.kind == "course")]
        wanted += [
            name for step in steps for name in (step.course, step.enrolls, step.buys) if name
        ]
        wanted += [name for name in self._story.finished if not is_uuid(name)]
        for license_ in licenses:
            wanted += [course.key for course in self._catalog.find_licensed_courses(license_)]
        for key in wanted:
            self._add_course(self._catalog.find_course(key))
        for license_ in licenses:
            self._add_license(license_)
        self._add_people(licenses, format_moment(begins))
        return {name: [*items.values()] for name, items in self._lists.items()}

    def _add(self, name: str, /, **item: Any) -> None:
        kept = {key: value for key, value in item.items() if value is not None}
        self._lists.setdefault(name, {}).setdefault(kept["id"], kept)

    def _add_course(self, course: StoryCourse | None) -> None:
        if course is None or course.key in self._keys.values():
            return
        address, form = course.resource.address, course.form
        id_, group = name_id(address), name_id(address, "group")
        self._keys[id_] = course.key
        status = SessionStatus.PUBLISHED if self._story.published else form.get("status")
        if status != SessionStatus.PUBLISHED:
            later = form.get("futurePublishDate")
            status = SessionStatus.PENDING if later else CreateStatus.DRAFT
        self._add("courseGroups", id=group, title=course.key, kind=form["kind"])
        firsts = [
            name_id(first) if (first := node_address(node)) else str(node)
            for node in form.get("prerequisiteCourses") or ()
        ]
        more = {"prerequisiteLearningPathIds": form.get("prerequisiteLearningPaths")}
        dates = {**_copy_fields(form), "prerequisiteCourseIds": firsts, **more}
        self._add("courses", id=id_, courseGroupId=group, title=course.key, status=status, **dates)
        for page in course.pages:
            self._add_page(course, page)
        for criterion in course.criteria:
            self._add_criterion(course, criterion)
        for path in course.paths:
            self._add_path(id_, path)
        for node in form.get("prerequisiteCourses") or ():
            if before := node_address(node):
                self._add_course(self._catalog.find_course(before.key))

    def _add_page(self, course: StoryCourse, page: StoryPage) -> None:
        """A topic, and the section and the lesson around it when it is the first of them."""
        address = course.resource.address
        above = [*page.path.split("/")[:-1]] or ["main", "main"]
        section, lesson = name_id(address, f"{above[0]}/"), name_id(address, f"{above}")
        course_id, open_type = name_id(address), page.open_type or OpenType.STUDENTS_ONLY
        release = page.release_date
        self._add("sections", id=section, title="-", courseId=course_id, releaseDate=release)
        self._add("lessons", id=lesson, title="-", sectionId=section, openType=open_type)
        topic = name_id(address, page.path)
        self._add("topics", id=topic, title="-", type=page.type, lessonId=lesson)

    def _add_criterion(self, course: StoryCourse, criterion: Resource) -> None:
        form = criterion.form
        node, kind = form.get("topic"), CriterionType(form["type"])
        part = node["part"] if isinstance(node, dict) else None
        topic = name_id(course.resource.address, part) if part else node
        value = form.get("percent", form.get("seconds", topic))
        video = {"videoTopicId": topic} if kind is CriterionType.VIDEO_PERCENT_VIEWED else {}
        ids = {"id": name_id(criterion.address), "courseId": name_id(course.resource.address)}
        self._add("completionCriteria", **ids, type=kind, **{kind: value}, **video)

    def _add_path(self, course_id: str, path: Resource) -> None:
        target = path.form["target"]
        address = node_address(target["item"]) if "item" in target else None
        item = self._catalog.find_course(address.key) if address else None
        self._add_course(item)
        leads = {"targetType": "external_url", "targetUrl": target.get("url")}
        if "item" in target:
            id_ = name_id(address) if address else target["item"]
            leads = {"targetType": "catalog_item", "targetId": id_}
        hides = path.form.get("hidePrimaryCta")
        ids = {"id": name_id(path.address), "courseId": course_id}
        self._add("purchasePaths", **ids, label="-", hidePrimaryCta=hides, **leads)

    def _add_license(self, license_: Resource) -> None:
        form = license_.form
        client = str(form["client"])
        self._add("clients", id=name_id(client), name="-", slug=name_id(client))
        opened = [one.resource.address for one in self._catalog.find_licensed_courses(license_)]
        ids = {"id": name_id(license_.address), "clientId": name_id(client)}
        limits = {name: form.get(name) for name in ("seatsLimit", "accessDays")}
        courses = [name_id(address) for address in opened]
        named = {"name": license_.address.key, "courseIds": courses}
        self._add("licenses", **ids, **named, **limits, **_copy_fields(form))

    def _add_people(self, licenses: list[Resource], begins: str) -> None:
        """The learner, in the client of the first license, and others that have seats."""
        client = name_id(str(licenses[0].form["client"])) if licenses else None
        before = [name for name in self._story.finished if is_uuid(name)]
        paths = [{"learningPathId": name, "status": "completed"} for name in before]
        about = {"email": "learner@story.example", "clientId": client}
        self._add("users", id=LEARNER, **about, allocatedLearningPaths=paths)
        for name in self._story.finished:
            if not is_uuid(name):
                ids = {"userId": LEARNER, "courseId": name_id(Address("course", name))}
                self._add("transcripts", id=name_id("done", name), **ids, completedAt=begins)
        for name, number in self._story.taken.items():
            address = Address.parse(name)
            is_license = address.kind == "license"
            license_ = self._catalog.find_license(address.key) if is_license else None
            if license_:
                self._add_license(license_)
            for one in range(number):
                self._add_holder(address, license_, one)

    def _add_holder(self, address: Address, license_: Resource | None, number: int) -> None:
        """Somebody else with a seat of a license or a place of a course."""
        id_, holds = name_id(address, f"seat {number}"), [{"licenseId": name_id(address)}]
        client = name_id(str(license_.form["client"])) if license_ else None
        seats = holds if license_ else None
        email = f"{id_}@story.example"
        self._add("users", id=id_, email=email, clientId=client, allocatedLicenses=seats)
        if license_ is None:
            ids = {"userId": id_, "courseId": name_id(address)}
            self._add("enrollments", id=name_id(address, f"place {number}"), **ids)


def _copy_fields(form: Form) -> dict[str, Any]:
    """What is copied as it is, and the dates of ends: the platform keeps moments, and a day lasts
    until its midnight."""
    ends = {name: form[name] for name in _UNTIL_MIDNIGHT if form.get(name)}
    return {name: form[name] for name in _AS_WRITTEN if form.get(name) is not None} | {
        name: format_moment(parse_last_moment(date)) for name, date in ends.items()
    }
