"""One served sandbox for each test process; every test finds it new."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx
import pytest

from lmssync.sandbox import Ready, run_sandbox
from lmssync.vocabulary.routes import ROUTES

from .. import patient_http
from .described import Described
from .receiver import Receiver, receiving

Json = Any


class Platform:
    """The platform over real HTTP: `call` a route by its name, `control` the sandbox."""

    def __init__(self, ready: Ready) -> None:
        self.ready = ready
        self.http = patient_http.client(base_url=ready["baseUrl"])
        self.key = ready["apiKey"]
        self.described = Described(self.http)

    def call(self, name: str, json: Json = None, /, *, query: Json = None, **path: str):
        """The response of a route; `path` fills its parameters."""
        route = ROUTES[name]
        response = self.http.request(
            route.method,
            route.path.format(**path),
            json=json if json is not None or route.reads else {},
            params=query,
            headers={"Authorization": f"Bearer {self.key}"},
        )
        self.described.require(name, response)
        return response

    def answer(self, name: str, json: Json = None, /, *, query: Json = None, **path: str) -> Json:
        """What a route answers to a request that it takes."""
        response = self.call(name, json, query=query, **path)
        assert 200 == response.status_code, response.text
        return response.json()

    def control(self, name: str, json: Json = None, **query: str) -> Json:
        """An order of the control plane, or what it shows where no body is given."""
        method = "GET" if json is None else "POST"
        response = self.http.request(method, f"/_sandbox/{name}", json=json, params=query)
        assert 200 == response.status_code, response.text
        if json is not None:
            self.described.order(name, json)
        return response.json()

    def dump(self, name: str) -> list[Json]:
        return self.control("dump", only=name)[name]

    def create(self, **fields: Json) -> httpx.Response:
        """Course create with one entry."""
        entry = {"title": "A course", "kind": "courseGroup", **fields}
        return self.call("course.create", {"courseAttributes": [entry]})

    def course(self, **fields: Json) -> str:
        """The id of a new course."""
        response = self.create(**fields)
        assert 200 == response.status_code, response.text
        return response.json()["courseIds"][0]

    def read(self, id_: str) -> Json:
        return self.call("course.read", id=id_).json()

    def update(self, **lists: Json) -> httpx.Response:
        return self.call("course.update", {"courseAttributes": lists})

    @staticmethod
    def errors(response: httpx.Response) -> list[str]:
        """The errors of a 400 in envelope A."""
        assert response.status_code == 400, response.text
        return response.json()["errors"]

    def tag(self, label: str) -> str:
        return next(tag["id"] for tag in self.dump("tags") if tag["label"] == label)

    def client(self, slug: str) -> str:
        return next(one["id"] for one in self.dump("clients") if one["slug"] == slug)


@pytest.fixture(scope="session")
def served() -> Iterator[Platform]:
    with run_sandbox(profile="extended") as ready:
        platform = Platform(ready)
        yield platform
        platform.http.close()


@pytest.fixture
def platform(served: Platform) -> Iterator[Platform]:
    served.control("reset", {})
    served.key = served.ready["apiKey"]
    yield served
    served.key = served.ready["apiKey"]  # a test may use `served` as it finds it


@pytest.fixture
def school(platform: Platform) -> Json:
    """Courses under the demo licenses, assignments and quizzes in them, and learners."""
    return platform.control("school", {})


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def tree() -> Callable[..., list[Json]]:
    """Makes `sections` of one section and one lesson that holds the topics given."""
    numbers = count(1)

    def sections(*topics: Json) -> list[Json]:
        named = [{"title": f"Topic {next(numbers)}", **topic} for topic in topics]
        lesson = {"title": "Lesson", "openType": "studentsOnly", "topics": named}
        return [{"title": "Section", "lessons": [lesson]}]

    return sections
