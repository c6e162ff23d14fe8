"""Fills an instance as other software does: by its routes alone, with nothing of lmssync.

`python -m tests.filling BASE_URL KEY CORPUS.jsonl.gz ...` does it by hand, with real courses.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import orjson

from . import patient_http
from .foreign import Json, real

BATCH_COURSES, BATCH_BYTES = 100, 40_000_000
PATHS_A_MINUTE = 60
V2, V3 = "/incoming/v2", "/v3"
TOPIC, PERCENT = "courseTopicViewed", "coursePercentViewed"
DONE = {"complete", "failed"}


class Instance:
    """An instance with further routes, and what others do there."""

    def __init__(self, http: httpx.Client, key: str) -> None:
        self._http = http
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._paths = 0

    def _ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        content = None if body is None else orjson.dumps(body)
        headers = self._headers
        answer = self._http.request(method, path, content=content, params=query, headers=headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    def courses(self, entries: Iterable[Json]) -> list[str]:
        """Makes courses, as many at a time as it takes; returns the ids of their sessions."""
        made: list[str] = []
        for batch in _batches(entries):
            answer = self._ask("POST", f"{V2}/content/course/create", {"courseAttributes": batch})
            made += answer["courseIds"]
        return made

    def criteria(self, courses: Sequence[str]) -> int:
        """Two criteria for every second course: one of the course, one of its first topic."""
        entries: list[Json] = []
        for id_ in courses[::2]:
            topics = self._topics(id_)[:1]
            entries += [{"courseId": id_, "type": TOPIC, TOPIC: topic} for topic in topics]
            entries.append({"courseId": id_, "type": PERCENT, PERCENT: 80})
        for start in range(0, len(entries), 100):
            body = {"criteria": entries[start : start + 100]}
            answer = self._ask("POST", f"{V2}/content/completion-criteria/bulk/update", body)
            assert not answer["errors"], answer["errors"][:3]
        return len(entries)

    def _topics(self, course: str) -> list[str]:
        sections = self._ask("GET", f"{V2}/courses/{course}/structure")["sections"]
        lessons = [lesson for section in sections for lesson in section["lessons"]]
        return [topic["id"] for lesson in lessons for topic in lesson["topics"]]

    def purchase_paths(self, courses: Sequence[str]) -> int:
        """A path for every fourth course; the limit of the route is waited out by the clock."""
        chosen = courses[::4]
        for number, id_ in enumerate(chosen):
            self._in_turn()
            target = {
                "targetUrl": f"https://shop.example.com/{number}?a=1&b=2",
                "targetUrlTitle": "Shop",
            }
            body = {
                "label": "Buy <b>it</b> at&nbsp;the shop",
                "targetType": "external_url",
                **target,
            }
            self._ask("POST", f"{V3}/admin/content/{id_}/alternate-purchase-paths", body)
        return len(chosen)

    def _in_turn(self) -> None:
        """Lets a minute pass on the platform after as many paths as it takes in one."""
        self._paths += 1
        if self._paths % PATHS_A_MINUTE == 0:
            self._ask("POST", "/_sandbox/clock", {"advanceSeconds": 61})

    def clients(self, count: int) -> list[str]:
        """Clones the first client; returns the ids of the clones."""
        source = self._ask("GET", f"{V2}/clients")["clients"][0]["id"]
        return [self._clone(source, f"foreign-{number}") for number in range(count)]

    def _clone(self, source: str, slug: str) -> str:
        body = {"name": f"Foreign: {slug}", "slug": slug}
        job = self._ask("POST", f"{V2}/clients/{source}/clone", body)["data"]["APICloneClient"]
        while job["status"] not in DONE:
            self._ask("POST", "/_sandbox/clock", {"advanceSeconds": 5})
            job = self._ask("GET", f"{V2}/jobs/{job['id']}")
        found = self._ask("GET", f"{V2}/clients", query=slug)["clients"]
        return str(next(one["id"] for one in found if one["slug"] == slug))

    def licenses(self, clients: Sequence[str], courses: Sequence[str]) -> int:
        """Ten licenses for each client, all of the same name, each with some of the courses."""
        for number in range(10 * len(clients)):
            some = courses[number :: max(1, len(courses) // 20)]
            body = {
                "clientId": clients[number % len(clients)],
                "name": "All: staff & others",
                "courseIds": some,
                "learningPathIds": [],
                "courseTagIds": [],
                "seatsLimit": 10 + number,
            }
            self._ask("POST", f"{V2}/licenses", body)
        return 10 * len(clients)


def _batches(entries: Iterable[Json]) -> Iterator[list[Json]]:
    batch: list[Json] = []
    size = 0
    for entry in entries:
        bytes_ = len(orjson.dumps(entry))
        if batch and (len(batch) == BATCH_COURSES or size + bytes_ > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += bytes_
    if batch:
        yield batch


def fill(instance: Instance, entries: Iterable[Json], *, clients: int) -> dict[str, int]:
    """Puts courses there with criteria and paths, and clients with licenses; returns how many."""
    courses = instance.courses(entries)
    return {
        "courses": len(courses),
        "criteria": instance.criteria(courses),
        "purchase paths": instance.purchase_paths(courses),
        "licenses": instance.licenses(instance.clients(clients), courses),
    }


if __name__ == "__main__":
    base_url, key, *corpora = sys.argv[1:]
    with patient_http.client(base_url=base_url) as http:
        made = fill(Instance(http, key), real(map(Path, corpora), count=2_000), clients=5)
    sys.stdout.write(f"{made}\n")
