"""Answers of whatever shape, through the real client: as declared, or said to be unreadable."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from lmssync.applying.apply.platform_work import left_behind
from lmssync.errors import Refused, Unreadable
from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.platform.client import DeliveryStatus, Writer
from lmssync.platform.client.answer_shapes import nest_full_course
from lmssync.platform.client.shape_checks import SHAPES
from lmssync.vocabulary.routes import ROUTES
from tests.architecture.source_tree import in_one_process, modules, texts
from tests.making import course, criterion, form, path

from .answering import Answering, Said
from .good import EXTENDED, READS, UUID, WRITES

PARAMS = {"id": f"{UUID}3", "contentId": f"{UUID}3", "lessonId": f"{UUID}6", "slug": "safety"}
HOSTILE = (None, 5, "text", "", True, [], {}, [None], [[]], [{}], {"id": None})
SAMPLED = 9
"""One in so many of the answers that are bent somewhere; all of them among the slow tests."""
CLIENT = {"name": "Acme", "slug": "acme"}
COURSE_READINGS = {reading.route: reading for reading in KINDS["course"].reads.readings}
ASSIGNED = {"users": [{"email": "ann@example.com"}], "licenses": []}


def _course(live: Any) -> None:
    kind, wanted = KINDS["course"], form(course())
    known = Ids({"course": f"{UUID}3"}, {"start": f"{UUID}5"})
    kind.reads.match(wanted, "sku=SAF-101", live, frozenset())
    kind.reads.match(wanted, None, live, frozenset(), known)
    kind.reads.observed(wanted, known, live)
    KINDS["criterion"].reads.match(form(criterion(course=f"{UUID}3")), None, live, frozenset())


def _whole_course(live: Any) -> None:
    wanted, reading = form(course()), COURSE_READINGS["course.full"]
    known = Ids({"course": f"{UUID}3"}, {"start": f"{UUID}5", "start/welcome": f"{UUID}6"})
    shown = reading.shows(wanted, known, live)
    reading.marks(wanted, known, live)
    assert reading.shape
    assert reading.shape(live) is None or shown is None or "sections" in shown


def _found_content(live: Any) -> None:
    reading = COURSE_READINGS["content.search"]
    for item in live["contentItems"]:
        reading.shows({}, Ids({}), item)
        reading.nodes(item)


def _client(live: Any) -> None:
    kind = KINDS["client"]
    kind.reads.match(CLIENT, None, live["clients"], frozenset())
    kind.reads.observed(CLIENT, Ids({"id": f"{UUID}9"}), live["clients"])


def _path(live: Any) -> None:
    KINDS["path"].reads.match(form(path(course=f"{UUID}3")), None, live, frozenset())


def _account(live: Any) -> None:
    roster = KINDS["assignment"].reads.roster
    assert roster
    assert all(isinstance(text, str) for text in roster.identifiers(live))
    roster.holds(live)


USES: dict[str, Callable[[Any], object]] = {
    "course.read": _course,
    "course.full": _whole_course,
    "content.search": _found_content,
    "client.list": _client,
    "path.list": _path,
    "path.create": lambda answer: (KINDS["path"].calls.created(answer), _path(answer)),
    "course.create": KINDS["course"].calls.created,
    "course.update": left_behind,
    "license.create": KINDS["license"].calls.created,
    "client.clone": KINDS["client"].calls.jobs,
    "criteria.update": lambda answer: KINDS["criterion"].calls.failures(
        answer, [{"courseId": "x", "type": "y"}, {"id": "z"}]
    ),
    "user.list": lambda answer: [_account(one) for one in answer["users"]],
    "sublicense.assign": lambda answer: (
        KINDS["assignment"].calls.jobs(answer),
        KINDS["assignment"].calls.result({}, ASSIGNED, answer),
    ),
}
"""What kinds make of an answer that has come through."""


def bent(good: Any) -> Iterator[Any]:
    """The answer with each value of it left out, and replaced by what should not be there."""
    for place in list(places(good)):
        for value in (..., *HOSTILE):
            copy = deepcopy(good)
            holder = copy
            for step in place[:-1]:
                holder = holder[step]
            if value is ...:
                del holder[place[-1]]
            else:
                holder[place[-1]] = value
            yield copy


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for step, below in inner:
        yield (*at, step)
        if isinstance(below, dict | list):
            yield from places(below, (*at, step))


def hands_over(
    client: Writer,
    server: Answering,
    route: str,
    answer: Any,
    use: Callable[[Any], object] = lambda _answer: None,
) -> bool:
    """Whether the answer came through, to be used; raises nothing but what says that it did not."""
    server.answer = lambda _asked: Said(answer)
    params = {name: value for name, value in PARAMS.items() if f"{{{name}}}" in ROUTES[route].path}
    if not ROUTES[route].reads:
        ended = client.send_write(route, params, {})
        assert ended.fate in {
            DeliveryStatus.ACKNOWLEDGED,
            DeliveryStatus.UNKNOWN,
            DeliveryStatus.REJECTED,
        }
        came = ended.answer if ended.fate is DeliveryStatus.ACKNOWLEDGED else ...
    else:
        try:
            came = client.read_route(route, params)
        except (Unreadable, Refused):
            came = ...
    if came is not ...:
        use(came)
    return came is not ...


@in_one_process
def test_every_route_that_the_package_names_declares_a_shape():
    """Every route that the package uses has a shape and is tested below."""
    rooms = {"kinds", "platform.live", "applying.apply", "platform.client", "learners.operations"}
    users = [m for m in modules() if m.room in rooms]
    table = "platform.client.answer_shapes"
    used = {text for m in users if m.name != table for text in texts(m)}
    assert set(READS) | set(WRITES) <= used
    assert used & ROUTES.keys() <= set(READS) | set(WRITES) | set(EXTENDED)
    assert set(READS) | set(WRITES) | set(EXTENDED) == set(SHAPES)


@pytest.mark.parametrize("route", [*READS, *WRITES, *EXTENDED])
def test_what_the_specification_shows_comes_through(client: Writer, server: Answering, route: str):
    """The answers of the specification are accepted, with extra fields too."""
    good = (READS | WRITES | EXTENDED)[route]
    assert hands_over(client, server, route, good | {"further": {"id": None}})


@pytest.mark.parametrize("route", [route for route, shape in SHAPES.items() if shape.list])
def test_a_list_comes_in_three_envelopes(client: Writer, server: Answering, route: str):
    """A list is accepted bare, under its key, or under `data` (O44)."""
    key = SHAPES[route].list
    items = (READS | EXTENDED)[route][key]
    assert [True] * 3 == [
        hands_over(client, server, route, answer)
        for answer in (items, {key: items}, {"data": items})
    ]


@pytest.mark.parametrize("answer", [None, 5, "text", {}, True], ids=str)
@pytest.mark.parametrize("route", [*READS, *EXTENDED])
def test_a_read_of_another_shape_is_said_to_be_unreadable(
    client: Writer, server: Answering, route: str, answer: Any
):
    """The error names the route and what was expected."""
    server.answer = lambda _asked: Said(answer)
    with pytest.raises(Unreadable) as caught:
        client.read_route(route, PARAMS)
    assert f"GET {ROUTES[route].path.split('{')[0]}" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("route", [*READS, *EXTENDED])
def test_an_empty_read_is_not_an_absence(client: Writer, server: Answering, route: str):
    """Only a 404 means absence; an empty answer is an error."""
    server.answer = lambda _asked: Said(status=204)
    with pytest.raises(Unreadable, match="the answer is empty"):
        client.read_route(route, PARAMS)


def test_an_empty_read_is_tried_again(client: Writer, server: Answering):
    """An empty answer to a read is repeated like a broken one."""
    answers = iter([Said(b""), Said(status=204), Said(READS["course.read"])])
    server.answer = lambda _asked: next(answers)
    assert READS["course.read"]["id"] == client.read_route("course.read", PARAMS)["id"]


ACTIVITIES = {"activity.learningPath", "activity.assignment", "activity.course"}


@pytest.mark.parametrize("answer", [b"", None, 5, "text", [], {}], ids=str)
@pytest.mark.parametrize("route", WRITES)
def test_a_write_that_cannot_be_read_is_unknown(
    client: Writer, server: Answering, route: str, answer: Any
):
    """A write with an unreadable answer is unknown; some may be empty (spec 4; O6, O34, O39)."""
    server.answer = lambda _asked: Said(answer)
    bodiless = {"course.update", "content.release", "client.status", *ACTIVITIES}
    plain = route in bodiless and answer in (b"", None, {})
    assert (DeliveryStatus.ACKNOWLEDGED if plain else DeliveryStatus.UNKNOWN) is client.send_write(
        route, PARAMS, {}
    ).fate


@pytest.mark.parametrize(
    ("route", "answer", "said"),
    [
        ("course.read", {"id": 5}, "`id` is the number 5, but a text is expected"),
        ("client.list", {"clients": [{}]}, "`clients[0].id` is missing (2 more)"),
        ("tag.list", {"tags": {}}, "the answer has no list `tags`"),
        ("tag.list", {"tags": [], "pageInfo": {}}, "`pageInfo.hasMore` is missing"),
        ("job.read", READS["job.read"] | {"status": "done"}, "`status` is `done`, but one of"),
        ("ping", {"valid": "\x1b[2J"}, "`valid` is `\\x1b[2J`, but true or false is expected"),
    ],
)
def test_the_difference_is_named(
    client: Writer, server: Answering, route: str, answer: Any, said: str
):
    """The error says where the difference is, what was received and what was expected."""
    server.answer = lambda _asked: Said(answer)
    with pytest.raises(Unreadable) as caught:
        client.read_route(route, PARAMS)
    assert said in caught.value.message


def test_a_whole_course_in_flat_keys_is_the_same_as_a_nested_one():
    """Numbers count the parts; a part without parts has empty lists (O28)."""
    flat = {
        "id": "C",
        "section.0.title": "Start",
        "section.0.lesson.0.title": "Welcome",
        "section.0.lesson.0.topic.0.title": "Hello",
        "section.0.lesson.0.topic.0.language": "en",
        "section.0.lesson.0.topic.0.language.0.body": "Hallo",
        "section.1.title": "End",
    }
    topic_ = {"title": "Hello", "language": "en", "languages": [{"body": "Hallo"}]}
    start = {"title": "Start", "lessons": [{"title": "Welcome", "topics": [topic_]}]}
    sections = [start, {"title": "End", "lessons": []}]
    assert {"id": "C", "sections": sections} == nest_full_course(flat)


def test_a_name_with_a_dot_stays_with_its_part():
    """Only what counts a list leads into a part."""
    flat = {"section.0.id": "S", "section.0.customFields.room": "A", ".odd": 1, "customFields.x": 2}
    section_ = {"lessons": [], "id": "S", "customFields.room": "A"}
    assert {"sections": [section_], ".odd": 1, "customFields.x": 2} == nest_full_course(flat)


@pytest.mark.parametrize("criteria", [None, {}, [None], [{}], [{"id": "1", "type": "x"}]])
def test_criteria_are_well_formed_or_the_course_cannot_be_read(
    client: Writer, server: Answering, criteria: Any
):
    """A malformed list of criteria makes the course unreadable."""
    assert not hands_over(
        client, server, "course.read", READS["course.read"] | {"completionCriteria": criteria}
    )


def test_a_course_without_a_word_on_criteria_stays_one(client: Writer, server: Answering):
    """A course without the field for criteria does not get an empty list."""
    course_ = {k: v for k, v in READS["course.read"].items() if k != "completionCriteria"}
    server.answer = lambda _asked: Said(course_)
    assert "completionCriteria" not in client.read_route("course.read", PARAMS)


@pytest.mark.parametrize("route", [*READS, *WRITES, *EXTENDED])
def test_an_altered_answer_breaks_nothing(client: Writer, server: Answering, route: str):
    """An altered answer is either fit for the kinds or refused with its own error."""
    _try_bent(client, server, route, step=SAMPLED)


@pytest.mark.slow
@pytest.mark.parametrize("route", [*READS, *WRITES, *EXTENDED])
def test_an_answer_altered_anywhere_breaks_nothing(client: Writer, server: Answering, route: str):
    """The same holds when any single value of an answer is altered."""
    _try_bent(client, server, route, step=1)


def _try_bent(client: Writer, server: Answering, route: str, step: int) -> None:
    for answer in list(bent((READS | WRITES | EXTENDED)[route]))[::step]:
        hands_over(client, server, route, answer, USES.get(route, lambda _answer: None))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"errors": ["no"]}, "no"),
        ({"errors": "no"}, "no"),
        ({"errors": {"title": ["is long", "is odd"]}}, "title: is long; is odd"),
        ({"valid": False}, "the answer says that the call failed, but not why"),
        ({"error": "bad", "message": "worse"}, "worse"),
        ({"error": {"message": "worse"}}, "the answer says that the call failed, but not why"),
        ({"statusCode": 400, "message": "worse"}, "worse"),
    ],
)
def test_a_failure_may_come_as_a_200(client: Writer, server: Answering, answer: Any, said: str):
    """A 200 with errors refuses a read or plain update; a create is then unknown (O29)."""
    server.answer = lambda _asked: Said(answer)
    with pytest.raises(Refused, match=said):
        client.read_route("course.read", PARAMS)
    assert (DeliveryStatus.UNKNOWN, said) == client.send_write("course.create", {}, {})[0:4:3]
    assert (DeliveryStatus.REJECTED, said) == client.send_write("course.update", {}, {})[0:4:3]


def test_a_failed_update_that_adds_is_unknown(client: Writer, server: Answering):
    """A failed update that adds something is unknown, since part of it may be done."""
    server.answer = lambda _asked: Said({"errors": ["no"]})
    assert DeliveryStatus.UNKNOWN is client.send_write("course.update", {}, {}, once=True).fate


def test_errors_are_results_where_the_specification_says_so(client: Writer, server: Answering):
    """`errors` of a bulk update of criteria are results, not a failure."""
    server.answer = lambda _asked: Said(WRITES["criteria.update"])
    assert DeliveryStatus.ACKNOWLEDGED is client.send_write("criteria.update", {}, {}).fate
