"""What is killed: for each kind and each shape of a batch, a catalog before and one to apply."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tests.kinds.test_clients_applied import CLIENT, LICENSE as OF_CLIENT
from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import COURSE, PROJECT

Files = Mapping[str, str]


class Scenario(NamedTuple):
    """The files of a catalog that is applied wholly, if any, and of the one that is killed."""

    files: Files
    before: Files = MappingProxyType({})


def course(key: str, more: str = "", topics: str = "") -> Files:
    return {f"{key}.yaml": (COURSE + topics + more).replace("KEY", key)}


def _topics(count: int) -> str:
    line = "          - {{id: t{0}, title: Topic {0}, type: survey}}\n"
    return "".join(map(line.format, range(count)))


def _path(name: str, label: str = "Buy") -> str:
    target = f"{{url: 'https://shop.example.com/{name}', title: Shop}}"
    return f"{{id: {name}, label: {label} {name}, target: {target}}}"


def _assignment(*people: str) -> str:
    users = "".join(f"  - {{email: {person}@brightwater.example}}\n" for person in people)
    head = "resource: licenseAssignment\nkey: staff\nlicenses: [crew]\nusers:\n"
    kept = "enrollmentOptions: {preserveEnrollments: true, preserveProgress: true}\n"
    return head + users + kept


CREW = """\
resource: license
key: crew
client: brightwater
name: Crew
courses: [a]
learningPaths: []
courseTags: []
"""
RULES = """\
completionCriteria:
  - {id: most, type: coursePercentViewed, percent: 80}
  - {id: pass, type: courseAssessmentPassed, topic: start/one/check}
"""
SECTIONS = """\
  - id: more
    title: More
    lessons:
      - id: two
        title: Two
        openType: open
        topics:
          - {id: again, title: Again, type: text, markdown: Good evening}
"""
ALONE = {"lmssync.yaml": PROJECT.replace("platform: {", "platform: {marker: none, ")}
AT_ONCE = {"lmssync.yaml": PROJECT.replace("platform: {", "platform: {verify: all, ")}
WHEN_NEEDED = {"lmssync.yaml": PROJECT.replace("platform: {", "platform: {verify: needed, ")}
THREE = course("a") | course("b") | course("c")
RELATED = course("a", "relatedCourses: [b]\n") | course("b", "relatedCourses: [a]\n")
PATHS = course("a", f"purchasePaths: [{_path('p')}, {_path('q')}]\n")
STAFF = course("a") | {"l.yaml": LICENSE}
GIVEN = course("a") | {"l.yaml": CREW}
FEW, OTHERS = _assignment("chloe.dubois", "gita.rao"), _assignment("gita.rao", "ida.berg")
EVERYTHING = (
    course("a", RULES + f"purchasePaths: [{_path('p')}]\nrelatedCourses: [b]\n")
    | course("b")
    | {"l.yaml": LICENSE}
)
TEXT = Scenario(
    {"a.yaml": course("a")["a.yaml"].replace("Good morning", "Good evening")}, course("a")
)

SCENARIOS = {
    "a course": Scenario(course("a")),
    "courses that name each other": Scenario(RELATED | course("c") | course("d")),
    "courses side by side": Scenario(
        ALONE | {f: t for k in "abcdef" for f, t in course(k).items()}
    ),
    "a title": Scenario(
        {"a.yaml": course("a")["a.yaml"].replace("Title of", "Name of")}, course("a")
    ),
    "a text": TEXT,
    "a section beside a text": Scenario(
        {"a.yaml": f"{TEXT.files['a.yaml']}{SECTIONS}"}, course("a")
    ),
    "a section": Scenario(course("a", topics=SECTIONS), course("a")),
    "topics in several calls": Scenario(course("a", topics=_topics(5)), course("a")),
    "criteria": Scenario(course("a", RULES), course("a")),
    "a criterion": Scenario(course("a", RULES.replace("80", "70")), course("a", RULES)),
    "purchase paths": Scenario(PATHS, course("a")),
    "a license": Scenario(STAFF),
    "a client": Scenario(course("a") | {"c.yaml": CLIENT, "l.yaml": OF_CLIENT}),
    "licenses given": Scenario(GIVEN | {"s.yaml": FEW}, GIVEN),
    "licenses moved": Scenario(GIVEN | {"s.yaml": OTHERS}, GIVEN | {"s.yaml": FEW}),
    "a course under another key": Scenario(
        {"b.yaml": course("b", "moved: [{from: course.a}]\n" + RULES)["b.yaml"]}, course("a", RULES)
    ),
    "everything": Scenario(EVERYTHING),
    "courses read later": Scenario(THREE | {"l.yaml": LICENSE}),
    "courses read at once": Scenario(AT_ONCE | THREE | {"l.yaml": LICENSE}),
    "courses read when needed": Scenario(WHEN_NEEDED | THREE | {"l.yaml": LICENSE}),
    "a course that nothing has read": Scenario(
        WHEN_NEEDED | THREE | {"c.yaml": course("c", topics=SECTIONS)["c.yaml"]},
        WHEN_NEEDED | THREE,
    ),
    "a course read when it changes": Scenario(
        THREE | {"c.yaml": course("c", topics=SECTIONS)["c.yaml"]}, THREE
    ),
}
ON_AN_INSTANCE = {
    "a text": TEXT,
    "a license changed": Scenario(STAFF | {"l.yaml": LICENSE + "seatsLimit: 5\n"}, STAFF),
    "everything": SCENARIOS["everything"],
}
"""What needs more routes than all instances have, and what is looked for in other ways there."""
