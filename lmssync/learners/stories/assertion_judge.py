"""Judges assertions: what must be true of all courses, licenses and clients of a catalog."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...catalog.manifests.story_documents import AssertionFile, Story, StoryAssertion
from ...kinds import KINDS, Shown, node_address
from ...problems import Finding, Problem, suggest_near
from ...resource import Address, Form, Origin, Path, Resource
from ...vocabulary.enums import SessionStatus
from .story_catalog import STORY_NAME, StoryCatalog
from .story_judge import StoryFailure, StoryVerdict

Resources = Mapping[Address, Resource]


def judge_assertion(
    assertion: StoryAssertion, resources: Resources, stories: list[Story]
) -> StoryVerdict:
    """What an assertion says and is not so; `stories` are those that may cover a course."""
    spec = assertion.spec
    listed = _list_items(resources, spec.count or spec.every or "")
    chosen = [item for item in listed if _fits(item, spec)]
    if spec.count:
        return StoryVerdict(assertion, tuple(_check_count(assertion, chosen)))
    failures = _check_each(spec, chosen, StoryCatalog(resources), stories)
    return StoryVerdict(assertion, tuple(failures))


class AssertedItem(NamedTuple):
    """Something that an assertion is about: a resource, or a client that licenses name."""

    address: Address
    origin: Origin
    form: Form
    """With what the platform takes for fields that are left out, where we know it."""


def _list_items(resources: Resources, kind: str) -> list[AssertedItem]:
    """The resources of a kind; of clients also those that only licenses name."""
    of_kind = (one for address, one in resources.items() if address.kind == kind)
    fields = KINDS[kind].spec.model_fields.items()
    shown = [(name, mark) for name, field in fields for mark in field.metadata]
    omitted = {name: one.default for name, one in shown if isinstance(one, Shown)}
    items = {
        one.address: AssertedItem(one.address, one.origin, _fill_form(one.form, omitted))
        for one in of_kind
    }
    if kind == "client":
        # Most clients are made by hand: the catalog knows them by the licenses that they have.
        for license_ in StoryCatalog(resources).list_licenses():
            if client := node_address(license_.form["client"]):
                origin = license_.origin.at(("client",))
                items.setdefault(client, AssertedItem(client, origin, {}))
    return list(items.values())


def _fill_form(form: Form, omitted: Form) -> Form:
    """A form with what the platform takes for the fields that are left out."""
    filled = {**omitted, **form}
    # A date of publishing makes a course wait, not a draft (spec 2.2).
    if form.get("futurePublishDate"):
        filled["status"] = SessionStatus.PENDING
    # It is about an asset: without one, every other course would be `hosted` as well.
    if "videoAsset" not in form:
        filled.pop("assetType", None)
    return filled


def _fits(item: AssertedItem, spec: AssertionFile) -> bool:
    """Whether it has all the values that are asked for; of a list, one of its items."""
    return all(_has_value(item.form.get(name), value) for name, value in spec.where.items())


def find_assertion_problems(assertion: StoryAssertion, catalog: StoryCatalog) -> list[Problem]:
    """The words of an assertion that mean nothing in the catalog."""
    return [one.at(assertion.origin, None) for one in _find_names(assertion.spec, catalog)]


def _find_names(spec: AssertionFile, catalog: StoryCatalog) -> Iterator[Finding]:
    word, place = spec.count or spec.every or "", "count" if spec.count else "every"
    if word not in KINDS:
        yield _unknown((place,), f"there are no addresses that begin with `{word}`", word, KINDS)
        return
    fields = KINDS[word].spec.model_fields
    for name in spec.where:
        if name not in fields:
            yield _unknown(("where", name), f"a {word} has no field `{name}`", name, fields)
    if spec.field and spec.field not in fields:
        text = f"a {word} has no field `{spec.field}`"
        yield _unknown(("field",), text, spec.field, fields)
    having = ("course", "client") if spec.has == "license" else ("course",)
    if spec.has and word not in having:
        text = f"a {word} has no {spec.has} of its own"
        yield STORY_NAME.at(("has",), text, f"`has: {spec.has}` is for {' and '.join(having)}")
    courses = catalog.list_names("course")
    if spec.opens and spec.opens not in courses:
        text = f"there is no course `{spec.opens}` in the catalog"
        yield _unknown(("opens",), text, spec.opens, courses)


def _unknown(path: Path, text: str, word: str, known: Iterable[str]) -> Finding:
    return STORY_NAME.at(path, text, suggest_near(word, known) or f"known: {', '.join(known)}")


def _has_value(found: Any, wanted: Any) -> bool:
    if isinstance(found, list):
        return any(_has_value(item, wanted) for item in found)
    address = node_address(found) if isinstance(found, dict) and "$ref" in found else None
    return bool((address.key if address else found) == wanted)


def _check_count(assertion: StoryAssertion, chosen: list[AssertedItem]) -> Iterator[StoryFailure]:
    spec = assertion.spec
    if unlike := _compare(len(chosen), spec):
        # Too many: the last one is one too many. Too few: nothing of a manifest decides it.
        decider = chosen[-1].origin if chosen else assertion.origin
        yield StoryFailure(("count",), f"{len(chosen)} of {spec.count}{unlike}", decider)


def _compare(number: int, spec: AssertionFile) -> str:
    if spec.min is not None and number < spec.min:
        return f", and at least {spec.min} are needed"
    if spec.max is not None and number > spec.max:
        return f", and at most {spec.max} are allowed"
    return ""


def _check_each(
    spec: AssertionFile, chosen: list[AssertedItem], known: StoryCatalog, stories: list[Story]
) -> Iterator[StoryFailure]:
    for item in chosen:
        if spec.field:
            value = item.form.get(spec.field)
            # True and false are whole numbers to Python alone.
            if value is not None and type(value) is not int:
                text = f"`{spec.field}` of {item.address} is not a number, and has no range"
                yield StoryFailure(("field",), text, item.origin.at((spec.field,)))
                return
            unlike = "" if value is None else _compare(value, spec)
            path: Path = (spec.field,)
            text = f"`{spec.field}` of {item.address} is {value}{unlike}"
        else:
            unlike = "" if _has_wanted(item, spec, known, stories) else "missing"
            path = ()
            opens = f" that opens `{spec.opens}`" if spec.opens else ""
            text = f"{item.address} has no {spec.has}{opens}"
        if unlike:
            yield StoryFailure(("every",), text, item.origin.at(path))


def _has_wanted(
    item: AssertedItem, spec: AssertionFile, known: StoryCatalog, stories: list[Story]
) -> bool:
    """Whether it has what the assertion says."""
    if spec.has == "license":
        return _has_license(item, spec, known)
    if spec.has == "story":
        return any(story.spec.course == item.address.key for story in stories)
    course = known.find_course(item.address.key)
    return bool(course and (course.criteria if spec.has == "criterion" else course.paths))


def _has_license(item: AssertedItem, spec: AssertionFile, known: StoryCatalog) -> bool:
    """A license of the client, or one that opens the course; all, or those that open `opens`."""
    for license_ in known.list_licenses():
        keys = {course.key for course in known.find_licensed_courses(license_)}
        client = node_address(license_.form["client"])
        own = client == item.address if item.address.kind == "client" else item.address.key in keys
        if own and (spec.opens is None or spec.opens in keys):
            return True
    return False
