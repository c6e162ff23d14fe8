"""What is plainly as it is recorded is told in one walk, as the comparison with care tells it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.kinds.course import course_pairing
from lmssync.kinds.course.course_form import BELOW, walk_parts
from lmssync.planning.diff.live_records import _still_noticed
from lmssync.planning.diff.proof_evidence import make_proof
from lmssync.platform.live import Binder, LiveState, Unchanged, readable_fields
from lmssync.platform.live.change_marks import NO_MARKS, NOTICED, ChangeMarks
from lmssync.platform.live.fetch import CollectedReadings, RecordRequest, gather_answers
from lmssync.platform.live.read import _live_state
from lmssync.platform.live.value_equality import as_recorded
from lmssync.resource import Form
from lmssync.state import Proof, Record
from lmssync.sync.drift.drift_findings import Drifted, find_drifted
from lmssync.vocabulary.routes import CORE_ROUTES, ROUTES
from tests import making
from tests.making import course, lesson, micro, section, topic

LOOKS = 300
UNSEEN = "sections[one].lessons[l0].topics[t0]"
WRITTEN, LATER = "2026-01-02T00:00:00+00:00", "2026-01-03T00:00:00+00:00"
ROUTES_OF = {"core": CORE_ROUTES, "extended": frozenset(ROUTES)}
BINDER = Binder(lambda _: None, lambda _kind, name: f"id of {name}", lambda _: False)
Answers = dict[str, Any]
"""What the platform answers, by route; routes of a whole course answer with the same `tree`."""


def recorded(random: Random) -> Record:
    """A course, with or without sections, tags and a description."""
    topics = [
        topic(f"t{n}", title="Same", markdown="Hello") for n in range(1 + random.randrange(3))
    ]
    lessons = [lesson(f"l{number}", *topics) for number in range(1 + random.randrange(2))]
    more = random.choice([{}, {"tags": ["Safety"]}, {"description": "Ours", "isbn": "1"}])
    held = [section("one", *lessons), section("two", *lessons)]
    data = random.choice([course(sections=held, **more), micro("safety", *topics, **more)])
    parts = {
        path: f"id of {path}"
        for _, row, items in walk_parts(making.form(data))
        for item in items
        for path in ["/".join(one["id"] for one in (*row, item))]
    }
    ids = Ids({"course": "C", "courseGroup": "G"}, parts)
    return making.record(data, ids)._replace(applied_at=WRITTEN)


def answers(record: Record, profile: str) -> Answers:
    """What the platform answers right after the course was sent."""
    sent = BINDER.bind_value(record.form)
    if profile == "core":
        for *_, items in walk_parts(sent):
            for item in items:
                item.pop("body", None)
    tree = {"id": "C", "courseGroupId": "G", "title": "Safety", "updatedAt": WRITTEN}
    tags = [{"id": id_, "label": "Safety"} for id_ in sent.get("tags", ())]
    return {
        "tree": {**tree, "sections": sections(sent)},
        "group.read": {"id": "G", **{k: sent[k] for k in ("title", "description") if k in sent}},
        "content.search": {"id": "C", "updatedAt": WRITTEN, "tags": tags},
    }


def sections(sent: Form) -> list[Any]:
    """The sections; a course without any has its topics in one lesson."""
    if "sections" in sent:
        return parts(sent["sections"], "sections")
    only = {"id": "L", "title": "Only", "topics": parts(sent["topics"], "topics")}
    return [{"id": "S", "title": "Only", "lessons": [only]}]


def parts(items: Any, level: str, above: str = "") -> list[Any]:
    """Parts under the names of reads, with the ids of the platform."""
    listed = []
    for item in items:
        path, below = f"{above}{item['id']}", BELOW[level]
        shown = {"accessLevel" if k == "openType" else k: value for k, value in item.items()}
        lower = {below: parts(item[below], below, f"{path}/")} if below else {"updatedAt": WRITTEN}
        listed.append({**shown, "id": f"id of {path}", **lower})
    return listed


def lists(answer: Answers) -> list[tuple[str, list[Any]]]:
    """The lists of parts that have any, each with its level."""
    every = [(str(path[-1]), items) for path, _, items in walk_parts(answer["tree"])]
    return [(level, items) for level, items in every if isinstance(items, list) and items]


def edit(answer: Answers, random: Random) -> None:
    """What a person may do on the platform."""
    level, items = random.choice(lists(answer))
    part, tree = random.choice(items), answer["tree"]
    same = [others for name, others in lists(answer) if name == level]
    edits: list[Callable[[], object]] = [
        lambda: part.update(title="Theirs"),
        lambda: part.update(accessLevel=random.choice([None, "closed"])),
        lambda: part.update(body="<p>Theirs</p>", updatedAt=LATER),
        lambda: part.update(updatedAt=LATER),
        lambda: items.remove(part),
        items.reverse,
        lambda: items.append({"id": "new", "title": "New", "type": "text"}),
        lambda: (items.remove(part), random.choice(same).append(part)),
        lambda: items.append(part),
        lambda: tree.update(title="Theirs"),
        lambda: tree.update(status="deleted"),
        lambda: answer.update({random.choice(["group.read", "content.search"]): None}),
        lambda: answer["content.search"].update(tags=[{"id": "9", "label": "Other"}]),
        lambda: answer["group.read"].update({random.choice(["title", "description"]): "Theirs"}),
        lambda: answer["content.search"].update(updatedAt="2026-01-01T00:00:00+00:00"),
    ]
    random.choice(edits)()


def seen(
    record: Record, answer: Answers, profile: str, known: Mapping[str, str]
) -> CollectedReadings:
    """What the answers show to an instance of a profile, after an earlier look."""
    readings = KINDS["course"].reads.readings
    made = [
        (
            RecordRequest(
                record.address, reading, reading.request(record.address, record.form), {}
            ),
            answer.get(reading.route, answer["tree"]),
        )
        for reading in (readings[-1:] if profile == "core" else readings[:-1])
    ]
    return gather_answers(
        BINDER, record, record.form, made, ChangeMarks.since_record(record, known, 0)
    )


def careful(shown: CollectedReadings, known: Mapping[str, str]) -> LiveState:
    """What the comparison makes of it."""
    return _still_noticed(_live_state(BINDER, shown), known)


def told(
    record: Record, state: LiveState | Unchanged, profile: str
) -> tuple[Drifted | None, Proof]:
    """What drift finds, and what it proves."""
    form = record.form
    finding = find_drifted(record, form, state, frozenset())
    plain = finding and finding._replace(gone=[*finding.gone], drift=[*finding.drift])
    return plain, make_proof(record, state, ROUTES_OF[profile], form=form)


def compared(number: int, profile: str) -> tuple[bool, bool]:
    """Whether a course is plainly as it is recorded, and whether it is told as with care."""
    random = Random(number)
    record = recorded(random)
    answer, known = answers(record, profile), random.choice([NO_MARKS, {UNSEEN: NOTICED}])
    for _ in range(random.randrange(3)):
        if lists(answer) and answer["content.search"] and answer["group.read"]:
            edit(answer, random)
    shown = seen(record, answer, profile, known)
    quick = as_recorded(BINDER, shown, readable_fields("course", ROUTES_OF[profile]))
    found = told(record, quick or careful(shown, known), profile)
    with pytest.MonkeyPatch.context() as long_way:
        long_way.setattr(course_pairing, "_level_is_in_place", lambda *_: False)
        return bool(quick), found == told(record, careful(shown, known), profile)


@pytest.mark.parametrize("profile", [pytest.param("core", marks=pytest.mark.slow), "extended"])
def test_one_walk_tells_what_the_comparison_tells(profile: str):
    """Courses as they were sent, and courses that people have edited once or twice."""
    looks = [compared(number, profile) for number in range(LOOKS)]
    assert [] == [number for number, (_, same) in enumerate(looks) if not same]
    assert LOOKS // 10 < sum(plain for plain, _ in looks) < LOOKS
