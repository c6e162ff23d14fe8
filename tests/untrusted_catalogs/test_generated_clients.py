"""Clients that well-known generators make of the OpenAPI document work against the sandbox."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.sandbox import Ready, run_sandbox

from .. import patient_http
from . import generators

pytestmark = pytest.mark.xdist_group("generated clients")

# Each program makes a course with two sections, reads it back in three ways, and prints what it
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
# Whatever a flat course and an event have besides, a Go client keeps in a map.
THIRD = """\
package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/GIT_USER_ID/GIT_REPO_ID"
)

func require(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	api := stranger.NewAPIClient(stranger.NewConfiguration()).DefaultAPI
	who := context.WithValue(context.Background(), stranger.ContextAccessToken, os.Args[2])
	read := stranger.NewTextTopic("text")
	read.SetTitle("Read")
	read.SetBody("<p>x</p>")
	check := stranger.NewPlainTopic("quiz")
	check.SetTitle("Check")
	topics := []stranger.Topic{{TextTopic: read}, {PlainTopic: check}}
	lessons := []stranger.Lesson{*stranger.NewLesson("L", "open", topics)}
	one := stranger.NewSection("One", lessons)
	two := stranger.NewSection("Two", []stranger.Lesson{})
	entry := stranger.NewCourseGroupEntry("Made", "courseGroup")
	entry.SetSections([]stranger.Section{*one, *two})
	entries := []stranger.CourseCreateRequestCourseAttributesInner{{CourseGroupEntry: entry}}
	body := stranger.NewCourseCreateRequest(entries)
	made, _, err := api.CourseCreate(who).CourseCreateRequest(*body).Execute()
	require(err)
	id := made.CourseIds[0]
	course, _, err := api.CourseRead(who, id).Execute()
	require(err)
	full, _, err := api.CourseFull(who, id).Execute()
	require(err)
	sections, _, err := api.SectionList(who, id).Execute()
	require(err)
	listed := sections.SectionList200ResponseAnyOf.Sections
	lesson, _, err := api.LessonRead(who, listed[0].Lessons[0].Id).Execute()
	require(err)
	events, _, err := api.EventList(who, "courseAction").Execute()
	require(err)
	_, _, err = api.CourseRead(who, "00000000-0000-4000-8000-000000000000").Execute()
	refused := err.(*stranger.GenericOpenAPIError).Model().(stranger.EnvelopeA)
	more, outline := full.FlatCourse.AdditionalProperties, lesson.LessonRead.TopicOutline
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"read":    []string{course.Course.Sections[0].Title, course.Course.Sections[1].Title},
		"listed":  []string{listed[0].Title, listed[1].Title},
		"topics":  []string{outline[0].Type, outline[1].Type},
		"refused": len(refused.Errors),
		"body":    more["section.0.lesson.0.topic.0.body"],
		"event":   events.Events[0].AdditionalProperties["type"],
	})
}
"""
# Of several shapes this generator makes one interface with the fields of all: hence the two casts.
FOURTH = """\
import {
  Configuration, CourseCreateRequestCourseAttributesInner, CourseGroupEntry, DefaultApi,
  ResponseError, Topic,
} from "./stranger";
declare const process: { argv: string[] };

async function main() {
  const api = new DefaultApi(new Configuration({ accessToken: process.argv[3] }));
  const read = { type: "text", title: "Read", body: "<p>x</p>" } as Topic;
  const check = { type: "quiz", title: "Check" } as Topic;
  const lesson = { title: "L", openType: "open" as const, topics: [read, check] };
  const sections = [{ title: "One", lessons: [lesson] }, { title: "Two", lessons: [] }];
  const entry: CourseGroupEntry = { title: "Made", kind: "courseGroup", sections };
  const courseAttributes = [entry as unknown as CourseCreateRequestCourseAttributesInner];
  const made = await api.courseCreate({ courseCreateRequest: { courseAttributes } });
  const id = made.courseIds[0];
  const course = await api.courseRead({ id });
  const listed = await api.sectionList({ id });
  const whole = await api.lessonRead({ id: listed.sections[0].lessons[0].id });
  const unknown = { id: "00000000-0000-4000-8000-000000000000" };
  const refused: ResponseError = await api.courseRead(unknown).catch((error) => error);
  const { errors } = await refused.response.json();
  console.log(JSON.stringify({
    read: course.sections.map((section) => section.title),
    listed: listed.sections.map((section) => section.title),
    topics: whole.topicOutline.map((topic) => topic.type),
    refused: errors.length,
  }));
}

main();
"""
TYPESCRIPT = {
    "compilerOptions": {
        "target": "ES2022",
        "module": "commonjs",
        "lib": ["ES2022", "DOM"],
        "types": [],
        "strict": True,
    },
    "files": ["program.ts"],
}
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


@pytest.mark.slow
@pytest.mark.skipif(bool(generators.missing()), reason=generators.missing())
def test_client_of_openapi_python_client(sandbox, tmp_path):
    """It makes a client without a warning, and the client makes and reads a course."""
    file = document(sandbox, tmp_path)
    command = [generators.PYTHON / "openapi-python-client", "generate", "--path", file]
    command += ["--meta", "none", "--output-path", tmp_path / "stranger", "--fail-on-warning"]
    generators.run(command, folder=tmp_path)
    assert SEEN == ran(FIRST, sandbox, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(bool(generators.missing(java=True)), reason=generators.missing(java=True))
def test_client_of_openapi_generator(sandbox, tmp_path):
    """It finds the document valid; its client knows the server, makes and reads a course."""
    file = document(sandbox, tmp_path)
    command = [generators.PYTHON / "openapi-generator-cli", "generate", "-i", file, "-g", "python"]
    command += ["-o", tmp_path, "--package-name", "stranger"]
    generators.run(command, folder=tmp_path)
    assert SEEN == ran(SECOND, sandbox, tmp_path)


def generated(kind: str, sandbox: Ready, folder: Path) -> None:
    """Make a client in `folder`."""
    file = document(sandbox, folder.parent)
    command = [generators.PYTHON / "openapi-generator-cli", "generate", "-i", file, "-g", kind]
    command += ["-o", folder, "--package-name", "stranger"]
    generators.run(command, folder=folder.parent)


@pytest.mark.exhaustive  # Go compiles its own library first: a minute and a half
@pytest.mark.skipif(bool(generators.missing(java=True)), reason=generators.missing(java=True))
@pytest.mark.skipif(not generators.GO.exists(), reason="no Go: `make clients` installs it")
def test_client_in_go(sandbox, tmp_path):
    """It makes and reads a course, and reads fields that only some courses and events have."""
    patient_http.post(f"{sandbox['baseUrl']}/_sandbox/school", json={})
    client, program = tmp_path / "client", tmp_path / "client/program/main.go"
    generated("go", sandbox, client)
    program.parent.mkdir()
    program.write_text(THIRD, "utf-8")
    command = [generators.GO, "run", "./program", sandbox["baseUrl"], sandbox["apiKey"]]
    seen = json.loads(generators.run(command, folder=client))
    assert ("<p>x</p>", True) == (seen.pop("body"), bool(seen.pop("event")))
    assert SEEN == seen


@pytest.mark.exhaustive
@pytest.mark.skipif(bool(generators.missing(java=True)), reason=generators.missing(java=True))
@pytest.mark.skipif(
    not (generators.COMPILER.exists() and shutil.which("node")),
    reason="no compiler of TypeScript: `make clients` installs it",
)
def test_client_in_typescript(sandbox, tmp_path):
    """It is compiled without an error, sends its key, makes and reads a course."""
    generated("typescript-fetch", sandbox, tmp_path / "stranger")
    (tmp_path / "program.ts").write_text(FOURTH, "utf-8")
    (tmp_path / "tsconfig.json").write_text(json.dumps(TYPESCRIPT), "utf-8")
    generators.run(["node", generators.COMPILER, "--project", tmp_path], folder=tmp_path)
    command = ["node", "program.js", sandbox["baseUrl"], sandbox["apiKey"]]
    assert SEEN == json.loads(generators.run(command, folder=tmp_path))


@pytest.mark.slow
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
