"""Clients that well-known generators make of the OpenAPI document work against the sandbox."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.sandbox import Ready, run_sandbox

from .. import patient_http
from . import generators

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("generated clients")]

# Either program makes a course with two sections, reads it back in three ways, and prints what it
# has read: titles of sections, types of the topics of the first lesson, and its own refusal.
FIRST = """\
import json, sys
from uuid import UUID
from stranger import AuthenticatedClient
from stranger.api.default import course_create, course_read, lesson_read, section_list
from stranger.models import (
    CourseCreateBody, CourseGroupEntry, CourseGroupEntryKind, EnvelopeA, Lesson, LessonOpenType,
    PlainTopic, PlainTopicType, Section, TextTopic, TextTopicType,
)

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
read = TextTopic(type_=TextTopicType.TEXT, title="Read", body="<p>x</p>")
check = PlainTopic(type_=PlainTopicType.QUIZ, title="Check")
lesson = Lesson(title="L", open_type=LessonOpenType.OPEN, topics=[read, check])
sections = [Section(title="One", lessons=[lesson]), Section(title="Two", lessons=[])]
kind = CourseGroupEntryKind.COURSEGROUP
entry = CourseGroupEntry(title="Made", kind=kind, sections=sections)
made = course_create.sync(client=client, body=CourseCreateBody(course_attributes=[entry]))
course = course_read.sync(made.course_ids[0], client=client)
listed = section_list.sync(made.course_ids[0], client=client)
whole = lesson_read.sync(listed.sections[0].lessons[0].id, client=client)
refused = course_read.sync(UUID(int=0), client=client)
assert isinstance(refused, EnvelopeA)
print(json.dumps({
    "read": [section.title for section in course.sections],
    "listed": [section.title for section in listed.sections],
    "topics": [topic.type_ for topic in whole.topic_outline],
    "refused": len(refused.errors),
}))
"""
SECOND = """\
import json, sys, uuid
import stranger
from stranger.api.default_api import DefaultApi
from stranger.models.course_create_request import CourseCreateRequest
from stranger.models.course_create_request_course_attributes_inner import (
    CourseCreateRequestCourseAttributesInner as Entry,
)
from stranger.models.course_group_entry import CourseGroupEntry
from stranger.models.lesson import Lesson
from stranger.models.plain_topic import PlainTopic
from stranger.models.section import Section
from stranger.models.text_topic import TextTopic
from stranger.models.topic import Topic

settings = stranger.Configuration(access_token=sys.argv[2])
assert settings.host == sys.argv[1]
api = DefaultApi(stranger.ApiClient(settings))
read = Topic(TextTopic(type="text", title="Read", body="<p>x</p>"))
check = Topic(PlainTopic(type="quiz", title="Check"))
lesson = Lesson(title="L", openType="open", topics=[read, check])
sections = [Section(title="One", lessons=[lesson]), Section(title="Two", lessons=[])]
entry = Entry(CourseGroupEntry(title="Made", kind="courseGroup", sections=sections))
made = api.course_create(CourseCreateRequest(courseAttributes=[entry]))
course = api.course_read(made.course_ids[0]).actual_instance
listed = api.section_list(made.course_ids[0]).actual_instance
whole = api.lesson_read(listed.sections[0].lessons[0].id).actual_instance
try:
    api.course_read(uuid.UUID(int=0))
except stranger.exceptions.NotFoundException as refused:
    errors = refused.data.errors
print(json.dumps({
    "read": [section.title for section in course.sections],
    "listed": [section.title for section in listed.sections],
    "topics": [topic.type for topic in whole.topic_outline],
    "refused": len(errors),
}))
"""
SEEN = {
    "read": ["One", "Two"],
    "listed": ["One", "Two"],
    "topics": ["text", "quiz"],
    "refused": 1,
}
INHERENT = {"no-ambiguous-paths", "operation-2xx-response"}
"""What the linter warns of and the platform has: two paths alike, a 302 for success."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Ready]:
    with run_sandbox(profile="extended") as ready:
        yield ready


def document(ready: Ready, folder: Path) -> Path:
    """A file with what the sandbox says of itself."""
    file = folder / "openapi.json"
    file.write_bytes(patient_http.get(ready["baseUrl"] + "/_sandbox/openapi.json").content)
    return file


def ran(program: str, ready: Ready, folder: Path) -> object:
    """What a program has read, beside the client in `folder`."""
    (folder / "program.py").write_text(program, "utf-8")
    python = generators.PYTHON / "python"
    command = [python, "program.py", ready["baseUrl"], ready["apiKey"]]
    return json.loads(generators.run(command, folder=folder))


@pytest.mark.skipif(bool(generators.missing()), reason=generators.missing())
def test_client_of_openapi_python_client(sandbox, tmp_path):
    """It makes a client without a warning, and the client makes and reads a course."""
    file = document(sandbox, tmp_path)
    command = [generators.PYTHON / "openapi-python-client", "generate", "--path", file]
    command += ["--meta", "none", "--output-path", tmp_path / "stranger", "--fail-on-warning"]
    generators.run(command, folder=tmp_path)
    assert SEEN == ran(FIRST, sandbox, tmp_path)


@pytest.mark.skipif(bool(generators.missing(java=True)), reason=generators.missing(java=True))
def test_client_of_openapi_generator(sandbox, tmp_path):
    """It finds the document valid; its client knows the server, makes and reads a course."""
    file = document(sandbox, tmp_path)
    command = [generators.PYTHON / "openapi-generator-cli", "generate", "-i", file, "-g", "python"]
    command += ["-o", tmp_path, "--package-name", "stranger"]
    generators.run(command, folder=tmp_path)
    assert SEEN == ran(SECOND, sandbox, tmp_path)


@pytest.mark.parametrize("profile", ["core", "extended"])
@pytest.mark.skipif(
    not (generators.REDOCLY.exists() and shutil.which("node")),
    reason="no redocly: `make clients` installs it",
)
def test_the_document_is_clean(tmp_path, profile):
    """A linter finds nothing but what the platform is like."""
    with run_sandbox(profile=profile) as ready:
        file = document(ready, tmp_path)
    command = ["node", generators.REDOCLY, "lint", file, "--format=json"]
    found = json.loads(generators.run(command, folder=tmp_path))["problems"]
    assert [] == [problem for problem in found if problem["ruleId"] not in INHERENT]
