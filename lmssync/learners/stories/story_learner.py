"""One learner in a catalog: what they have, what they have done, and what they are refused."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from ...catalog.manifests.story_documents import StoryFile, StoryStep
from ...kinds import node_address
from ...resource import Origin, Resource
from ...vocabulary.iso_dates import parse_last_moment, parse_moment
from .access_rules import (
    Enrollment,
    is_open_to_all,
    refuse_dates,
    refuse_draft,
    refuse_enrollment,
    refuse_expired,
    refuse_page,
    refuse_prerequisites,
)
from .completion_rules import FITTING, CourseProgress, StepRefusal, find_unmet_rule
from .story_catalog import StoryCatalog, StoryCourse, StoryPage, find_path


class StoryLearner:
    """Does one step after the other; a step that is refused changes nothing."""

    def __init__(self, story: StoryFile, catalog: StoryCatalog) -> None:
        self._story, self._catalog = story, catalog
        self._licenses: list[Resource] = []
        self._enrollments: dict[str, list[Enrollment]] = defaultdict(list)
        self._shut_out: dict[str, StepRefusal] = {}
        self._progress: dict[str, CourseProgress] = defaultdict(CourseProgress)
        self.done = dict.fromkeys(story.finished, parse_moment(story.starts))
        """When each course was completed, by its key; what was `finished` before, at the start."""
        self.charged = 0
        """In hundredths of the currency."""
        self.charged_by: Origin | None = None
        """The price of what was bought last."""

    def do_step(self, step: StoryStep, at: datetime) -> StepRefusal | None:
        """Does what a step says; why the platform refuses it, if it does."""
        if step.gets:
            return self._get_license(step.gets, at)
        if step.enrolls:
            return self._enroll_freely(self._catalog.require_course(step.enrolls), at)
        course = self._catalog.require_course(step.course or self._story.course)
        if step.buys:
            return self._buy(self._catalog.require_course(step.buys), at)
        if step.follows:
            return self._follow_path(course, step.follows, at)
        return self._do_pages(course, step, at)

    def find_refusal(
        self, course: StoryCourse, page: StoryPage, at: datetime
    ) -> StepRefusal | None:
        """Why the learner cannot open a page, if they cannot."""
        enrollments = [one for one in self._enrollments[course.key] if one.at <= at]
        common = self._refuse_draft(course, at) or refuse_dates(course, at)
        if common:
            return common
        progress = self._progress[course.key]
        # Somebody who is enrolled sees the page as a learner, with the prerequisites and the end of
        # their license, though a stranger could open it.
        if is_open_to_all(course, page) and not enrollments:
            return refuse_page(course, page, at, progress)
        return (
            self._refuse_stranger(course, enrollments)
            or refuse_expired(enrollments, at)
            or refuse_prerequisites(course, {*self.done, *self._story.finished}.__contains__)
            or refuse_page(course, page, at, progress)
        )

    def find_unmet(self, course: StoryCourse) -> StepRefusal:
        """What is lacking for a course that is not complete."""
        unmet = find_unmet_rule(course, self._progress[course.key])
        return unmet or StepRefusal("nothing was done", course.resource.origin)

    def _refuse_draft(self, course: StoryCourse, at: datetime) -> StepRefusal | None:
        return None if self._story.published else refuse_draft(course, at)

    def _refuse_stranger(
        self, course: StoryCourse, enrollments: Collection[Enrollment]
    ) -> StepRefusal | None:
        if enrollments:
            return None
        text = f"the learner is not enrolled in `{course.key}`"
        return self._shut_out.get(course.key) or StepRefusal(text, course.resource.origin)

    def _get_license(self, key: str, at: datetime) -> StepRefusal | None:
        license_ = self._catalog.find_license(key)
        assert license_ is not None
        form, origin = license_.form, license_.origin
        client = form["client"]
        if foreign := [one for one in self._licenses if one.form["client"] != client]:
            text = f"the learner is in the client of {foreign[0].address}, and this is of another"
            return StepRefusal(text, origin.at(("client",)))
        if (ends := form.get("expirationDate")) and at > parse_last_moment(ends):
            text = f"{license_.address} has expired on {ends}"
            return StepRefusal(text, origin.at(("expirationDate",)))
        limit = form.get("seatsLimit")
        if limit and license_ not in self._licenses and self._count_taken(license_) >= limit:
            text = f"all {limit} seats of {license_.address} are taken"
            return StepRefusal(text, origin.at(("seatsLimit",)))
        self._licenses.append(license_)
        for course in self._catalog.find_licensed_courses(license_):
            self._enroll(course, at, license_)
        return None

    def _count_taken(self, resource: Resource) -> int:
        return self._story.taken.get(str(resource.address), 0)

    def _enroll(
        self, course: StoryCourse, at: datetime, license_: Resource | None = None
    ) -> StepRefusal | None:
        refusal = refuse_enrollment(course, at, self._count_taken(course.resource))
        if refusal:
            self._shut_out[course.key] = refusal
        else:
            self._enrollments[course.key].append(Enrollment(at, license_))
        return refusal

    def _enroll_freely(self, course: StoryCourse, at: datetime) -> StepRefusal | None:
        """Enrolls in a course that costs nothing, or that a license of the learner opens."""
        price = course.form.get("priceInCents")
        for license_ in self._licenses:
            if course in self._catalog.find_licensed_courses(license_):
                return self._enroll(course, at, license_)
        if price and not course.form.get("freeWithRegistration"):
            text = f"`{course.key}` costs {price}"
            return StepRefusal(text, course.locate_field("priceInCents"))
        return self._refuse_draft(course, at) or self._enroll(course, at)

    def _buy(self, course: StoryCourse, at: datetime) -> StepRefusal | None:
        """Buys a course by the button of its page."""
        if not course.form.get("purchasable"):
            text = f"`{course.key}` cannot be bought: it is not `purchasable`"
            return StepRefusal(text, course.locate_field("purchasable"))
        if hiding := [path for path in course.paths if path.form.get("hidePrimaryCta")]:
            text = f"{hiding[0].address} hides the button by which `{course.key}` is bought"
            return StepRefusal(text, hiding[0].origin.at(("hidePrimaryCta",)))
        return self._pay(course, at)

    def _pay(self, course: StoryCourse, at: datetime) -> StepRefusal | None:
        """Pays for a course, whichever way led to it."""
        price = course.form.get("priceInCents")
        if not price or course.form.get("freeWithRegistration"):
            field = "freeWithRegistration" if price else "priceInCents"
            text = f"`{course.key}` has nothing to pay: a story `enrolls` in it"
            return StepRefusal(text, course.locate_field(field))
        refusal = self._refuse_draft(course, at) or self._enroll(course, at)
        if refusal is None:
            self.charged += price
            self.charged_by = course.locate_field("priceInCents")
        return refusal

    def _follow_path(self, course: StoryCourse, id_: str, at: datetime) -> StepRefusal | None:
        """Follows a purchase path: to another site, where nothing is charged here, or to an item
        of the catalog, which is bought."""
        path = find_path(course, id_)
        assert path is not None
        target = path.form["target"]
        if refusal := self._refuse_draft(course, at):
            return refusal
        if "url" in target:
            # What is paid at another shop is not paid here, and enrolls nobody by itself.
            return None
        address = node_address(target["item"])
        item = self._catalog.find_course(address.key) if address else None
        if item is None:
            text = f"{path.address} leads to something outside the catalog, which nobody can judge"
            return StepRefusal(text, path.origin.at(("target",)))
        return self._pay(item, at)

    def _do_pages(self, course: StoryCourse, step: StoryStep, at: datetime) -> StepRefusal | None:
        verb, name = next(
            (verb, name)
            for verb in ("views", *FITTING)
            if (name := getattr(step, verb)) is not None
        )
        for page in course.choose_pages(name):
            if verb in FITTING and page.type not in FITTING[verb]:
                text = f"nobody {verb} a page of type {page.type}: `{page.path}`"
                text += f"; it goes with {', '.join(sorted(FITTING[verb]))}"
                return StepRefusal(text, course.locate_field(*page.place))
            if refusal := self.find_refusal(course, page, at):
                return refusal
            # Each page is recorded before the next is looked at: one step may go through several
            # pages that are taken in order.
            if self._enrollments[course.key]:
                self._record(course, page, step, verb)
                self._note_completion(course, at)
        return None

    def _record(self, course: StoryCourse, page: StoryPage, step: StoryStep, verb: str) -> None:
        progress = self._progress[course.key]
        progress.record_view(page, step.percent or 100, step.seconds or 0)
        results = {
            "passes": progress.passed,
            "completes": progress.completed,
            "attends": progress.attended,
        }
        if verb in results:
            results[verb].add(page.path)

    def _note_completion(self, course: StoryCourse, at: datetime) -> None:
        if course.key not in self.done and not find_unmet_rule(course, self._progress[course.key]):
            self.done[course.key] = at
