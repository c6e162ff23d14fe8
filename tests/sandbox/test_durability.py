"""Acknowledged means kept: what was answered outlives kill -9, a full disk and a second sandbox."""

import contextlib
import resource
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from lmssync.vocabulary.routes import ROUTES
from tests.patience import read_outputs

from .. import patient_http
from .process import launched, serving, started

WRITERS = 50
SECTIONS, LESSONS, TOPICS = 2, 2, 3
TOPIC = {"title": "Topic", "type": "text", "body": "<p>Text</p>"}
LESSON = {"title": "Lesson", "openType": "studentsOnly", "topics": [TOPIC] * TOPICS}
ENTRY = {
    "title": "Course",
    "kind": "courseGroup",
    "sections": [{"title": "Section", "lessons": [LESSON] * LESSONS}] * SECTIONS,
}
CRITERION = {"type": "coursePercentViewed", "coursePercentViewed": 80}
needs_limits = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="the limit of a running process is set on Linux alone"
)


def http_of(ready):
    headers = {"Authorization": f"Bearer {ready['apiKey']}"}
    return patient_http.client(base_url=ready["baseUrl"], headers=headers)


def call(http, name, body):
    response = http.request(ROUTES[name].method, ROUTES[name].path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def dump(http):
    return http.get("/_sandbox/dump").json()


class Acknowledged:
    """What writers were told, and the order to kill once they were told enough."""

    def __init__(self, server, enough):
        self._server, self._enough = server, enough
        self._lock = threading.Lock()
        self.courses, self.licenses, self.criteria = set(), set(), set()

    def take(self, kind, id_):
        with self._lock:
            getattr(self, kind).add(id_)
            if len(self.courses) + len(self.licenses) + len(self.criteria) == self._enough:
                self._server.kill()


def write(ready, client_id, told):
    """Create a course, a license to it and a criterion of it, until the sandbox is gone."""
    with contextlib.suppress(httpx.TransportError), http_of(ready) as http:
        while True:
            made = call(http, "course.create", {"courseAttributes": [ENTRY] * 3})
            for id_ in made["courseIds"]:
                told.take("courses", id_)
            course = made["courseIds"][0]
            call(http, "criteria.update", {"criteria": [{"courseId": course, **CRITERION}]})
            told.take("criteria", course)
            lists = {"courseIds": [course], "learningPathIds": [], "courseTagIds": []}
            license_ = {"clientId": client_id, "name": "License", **lists}
            told.take("licenses", call(http, "license.create", license_)["id"])


def killed(folder, enough):
    """What was acknowledged before the kill, and the dump of a sandbox started after it."""
    server, ready = started(folder)
    with http_of(ready) as http:
        client_id = dump(http)["clients"][0]["id"]
    told = Acknowledged(server, enough)
    with ThreadPoolExecutor(WRITERS) as pool:
        running = [pool.submit(write, ready, client_id, told) for _ in range(WRITERS)]
    read_outputs(server)
    for one in running:
        one.result()
    with serving(folder) as (_, again), http_of(again) as http:
        return told, dump(http)


@pytest.mark.slow
@pytest.mark.parametrize("enough", [20, 400])
def test_kill_in_the_middle_of_fifty_writers(tmp_path, enough):
    """Nothing acknowledged is missing, and what is there is whole."""
    told, kept = killed(tmp_path, enough)
    assert told.courses <= {course["id"] for course in kept["courses"]}
    assert told.licenses <= {one["id"] for one in kept["licenses"]}
    assert told.criteria <= {one["courseId"] for one in kept["completionCriteria"]}
    assert [] == list(halves(kept))


def halves(kept):
    """Whatever of the writers' things is there without the rest of it."""
    ours = [course for course in kept["courses"] if course["title"] == ENTRY["title"]]
    groups = {one["id"] for one in kept["courseGroups"] if one["title"] == ENTRY["title"]}
    if sorted(groups) != sorted(course["courseGroupId"] for course in ours):
        yield "a group without its session, or a session without its group"
    parts = [len(kept[name]) for name in ("sections", "lessons", "topics")]
    others = [course["id"] for course in kept["courses"] if course["title"] != ENTRY["title"]]
    foreign = _parts_of(kept, set(others))
    whole = [SECTIONS, SECTIONS * LESSONS, SECTIONS * LESSONS * TOPICS]
    if parts != [len(ours) * n + m for n, m in zip(whole, foreign, strict=True)]:
        yield "a course without a part"
    assigned = {id_ for client in kept["clients"] for id_ in client["courseIds"]}
    for license_ in kept["licenses"]:
        if license_["name"] == "License" and not set(license_["courseIds"]) <= assigned:
            yield f"license {license_['id']} without its assignment"


def _parts_of(kept, courses):
    """How many sections, lessons and topics stand in these courses."""
    sections = {one["id"] for one in kept["sections"] if one["courseId"] in courses}
    lessons = {one["id"] for one in kept["lessons"] if one["sectionId"] in sections}
    topics = [one for one in kept["topics"] if one["lessonId"] in lessons]
    return len(sections), len(lessons), len(topics)


def test_second_sandbox_on_a_folder_is_refused(tmp_path):
    """Exit code 1 and one line that says who holds it and what to do."""
    with serving(tmp_path) as (server, _):
        second = launched(tmp_path)
        out, err = read_outputs(second)
    line = err.decode()
    assert (1, b"", 1) == (second.returncode, out, line.count("\n"))
    assert f"another sandbox (process {server.pid}) uses this folder" in line


def test_folder_is_free_after_a_kill(tmp_path):
    """A killed process does not keep the lock of its folder."""
    with serving(tmp_path):
        pass
    with serving(tmp_path) as (_, ready):
        assert ready["baseUrl"]


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="a folder nobody can write into")
def test_folder_that_cannot_be_written(tmp_path):
    """One line names the folder, and the exit code is 1."""
    server = launched(Path("/proc/sandbox"))
    _, err = read_outputs(server)
    assert (1, 1) == (server.returncode, err.decode().count("\n"))
    assert "/proc/sandbox: cannot be used" in err.decode()


@pytest.mark.parametrize("room", [20_000, 150_000])
def test_disk_without_room_for_a_new_sandbox(tmp_path, room):
    """One line that says what is wrong with which file, and exit code 1."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        server = launched(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    _, err = read_outputs(server)
    assert (1, 1) == (server.returncode, err.decode().count("\n")), err.decode()
    assert "sandbox.db: cannot be written" in err.decode()


@needs_limits
def test_disk_that_fills_up(tmp_path):
    """503 with words and nothing kept; with room the same request is taken (spec 7 503)."""
    body = {"courseAttributes": [ENTRY] * 100}
    path = ROUTES["course.create"].path
    with serving(tmp_path) as (server, ready), http_of(ready) as http:
        before = len(dump(http)["courses"])
        limits = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4096, limits[1]))
        full, during = http.post(path, json=body), len(dump(http)["courses"])
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, limits)
        again, after = http.post(path, json=body), len(dump(http)["courses"])
    assert (503, 200) == (full.status_code, again.status_code)
    assert "cannot write its data" in full.json()["errors"][0]
    assert (before, before + 100) == (during, after)
