"""Programs as companies write them for such platforms, each in small: plain requests, own loops.

They know addresses and fields from elsewhere, so nothing of `lmssync` is used in them.
"""

import csv
import hashlib
import io
import json

import pytest

from .. import patient_http
from .school import demo, person

CURSOR = {"pageSize": 7}


class Caller:
    """What such programs begin with: an address, a key, and a loop over pages."""

    def __init__(self, http):
        self._http = http

    def ask(self, method, path, **given):
        response = self._http.request(method, path, **given)
        response.raise_for_status()
        return response.json()

    def walk(self, path, key, **query):
        """All pages of a list, by the cursor that each of them gives."""
        while True:
            page = self.ask("GET", path, params=query)
            yield from page[key]
            info = page["pageInfo"]
            if not info["hasMore"]:
                return
            query["cursor"] = info["cursor"]


@pytest.fixture
def caller(platform):
    platform.control("school", {})
    platform.control("switches", CURSOR)
    key = {"Authorization": f"Bearer {platform.ready['apiKey']}"}
    url = f"{platform.ready['baseUrl']}/incoming/v2/"
    with patient_http.client(base_url=url, headers=key) as http:
        yield Caller(http)


def report_seats(caller):
    """A table of all licenses, for whoever sells seats."""
    table = io.StringIO()
    rows = csv.writer(table)
    for client in caller.walk("clients", "clients"):
        whole = caller.ask("GET", f"clients/{client['id']}")
        used = f"{whole['seatsUsedCount']}/{whole['seatsAllocatedCount']}"
        for license_ in caller.walk(f"clients/{client['id']}/licenses", "licenses", perPage=2):
            labels = ",".join(tag["label"] for tag in license_["courseTags"])
            seats = license_["seatsLimit"] or "unlimited"
            rows.writerow([whole["name"], used, license_["name"], seats, labels])
    return table.getvalue().splitlines()


def test_a_report_of_seats(platform, caller):
    """Clients by cursor, each read alone, and its licenses by cursor (O62, O63)."""
    rows = report_seats(caller)
    assert len(platform.dump("licenses")) == len(rows)
    assert '"Brightwater, plant",5,"Safety,Sustainability"' in "\n".join(rows)


FEEDS = (
    "courseAction",
    "courseCertificate",
    "assignmentSubmission",
    "courseView",
    "coursePurchase",
)


def poll_events(caller, kept, since):
    """A warehouse: all events of some feeds since a moment; what is kept is not kept twice."""
    for feed in FEEDS:
        for event in caller.walk(f"events/{feed}", "events", startDate=since):
            text = json.dumps(event, sort_keys=True)
            id_ = event.get("id") or hashlib.sha256(text.encode()).hexdigest()
            names = ("notifiableId", "courseId", "purchasableId")
            subject = next(filter(None, map(event.get, names)), None)
            kept[feed, id_] = (subject, event["user"], event["timestamp"])


def test_a_warehouse_of_events(platform, caller):
    """Every event once, with its subject, however often it is polled (O40, O42, O65)."""
    course = platform.dump("courses")[0]["id"]
    views = [{"userId": demo(408), "courseId": course, "page": page} for page in ("a", "b")]
    for feed in ("courseView", "coursePurchase"):
        platform.control("events", {"kind": feed, "events": views})
    kept = {}
    for _ in range(2):
        poll_events(caller, kept, 0)
    feeds = [feed for feed, _ in kept]
    of_kind = [event["kind"] for event in platform.dump("events") if event["kind"] in FEEDS]
    assert {feed: of_kind.count(feed) for feed in FEEDS} == {
        feed: feeds.count(feed) for feed in FEEDS
    }
    seen = {subject for (feed, _), (subject, *_) in kept.items() if feed.startswith("course")}
    assert course in seen
    assert None not in seen


def sync_people(caller, people):
    """A directory of people, each written by one request; what went wrong, by address."""
    failed = {}
    for fields in people:
        answer = caller.ask("POST", "users", json={**fields, "upsert": True})
        errors = answer if isinstance(answer, list) else answer.get("errors")
        if errors:
            failed[fields["email"]] = errors[0]["message"]
    return failed


@pytest.mark.parametrize("form", ["errors", "list"])
def test_a_directory_of_people(platform, caller, form):
    """People are made once and put where they belong; refusals are inside a 200 (O58, O64)."""
    platform.control("switches", {"userRefusals": form})
    of_client = {"clientSku": "CL-BRIGHTWATER", "learningPathSlugs": ["new-starter-path"]}
    people = [
        {"email": "sam@new.example", "firstName": "Sam", "role": "student", **of_client},
        {"email": "lee@new.example", "role": "customer-admin", "clientSku": "CL-BRIGHTWATER"},
        {"email": "kim@new.example", "role": "student", "clientSku": "NONE"},
    ]
    before = len(platform.dump("users"))
    for _ in range(2):
        failed = sync_people(caller, people)
    assert {"kim@new.example": 'clientSku: no client has the sku "NONE"'} == failed
    users = {user["email"]: user for user in caller.walk("users", "users")}
    assert (before + 2, "customer-admin") == (
        len(platform.dump("users")),
        users["lee@new.example"]["roleKey"],
    )
    assert users["sam@new.example"]["allocatedLearningPaths"]


def enroll_and_leave(caller, joined, left):
    """A change of staff: new people get their learning path, whoever leaves is shut out."""
    users = [{"email": email, "learningPathIds": [demo(102)]} for email in joined]
    answer = caller.ask("POST", "users/bulkContentAssignment", json={"users": users})
    for email in left:
        caller.ask("PUT", f"users/{email}/updateStatus", json={"status": "disabled"})
    ids = [caller.ask("GET", f"users/{email}")["id"] for email in left]
    managers = caller.ask("PUT", "users/bulkRemoveDualRoleManager", json={"userIds": ids})
    return answer, managers


def test_a_change_of_staff(platform, caller):
    """Many are enrolled at once; who leaves loses access and a second role (O59, O60, O61)."""
    joined = ["ida.berg@brightwater.example", "nobody@brightwater.example"]
    left = ["dara.quinn@brightwater.example", "gita.rao@brightwater.example"]
    answer, managers = enroll_and_leave(caller, joined, left)
    assert (1, joined[1]) == (answer["updatedRecordCount"], answer["errors"][0]["user"])
    assert {"updatedRecordCount": 1, "invalidUserIds": [demo(415)]} == managers
    assert [True, True] == [person(platform, number)["disabled"] for number in (411, 415)]
    rows = [row for row in platform.dump("enrollments") if row["userId"] == demo(417)]
    assert "learningPath" in [row["source"] for row in rows]


def export_course(caller, slug):
    """A course as text: its outline from lists that are read whole, its bodies from flat keys."""
    query = {"types[]": "courses", "query": f"slug:{slug}"}
    (item,) = caller.ask("GET", "content", params=query)["contentItems"]
    id_, lines = item["id"], [f"# {item['title']}"]
    lessons = caller.ask("GET", f"courses/{id_}/lessons")["lessons"]
    flat = caller.ask("GET", f"fullContent/courses/{id_}")
    for number, section in enumerate(caller.ask("GET", f"courses/{id_}/sections")["sections"]):
        lines.append(f"## {section['title']}")
        inside = [one for one in lessons if one["sectionId"] == section["id"]]
        for place, lesson in enumerate(inside):
            topics = caller.ask("GET", f"topics/lesson/{lesson['id']}")["topics"]
            here = f"section.{number}.lesson.{place}"
            lines += [flat[f"{here}.topic.{index}.body"] for index in range(len(topics))]
    return lines


def test_a_course_as_text(platform, caller):
    """Sixty sections and lessons come without a page (O28, O48, O66)."""
    platform.control("switches", {"pageSize": 50})

    def section(number):
        topic = {"title": "T", "type": "text", "body": f"<p>{number}</p>"}
        lesson = {"title": "L", "openType": "open", "topics": [topic]}
        return {"title": f"S{number}", "lessons": [lesson]}

    platform.course(title="Long one", sections=[section(number) for number in range(60)])
    lines = export_course(caller, "long-one")
    assert 121 == len(lines)
    assert ["## S59", "<p>59</p>"] == lines[-2:]
