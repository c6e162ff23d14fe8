"""The schemas in an editor: what the common YAML language server makes of them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from lmssync.catalog.manifests.schemas.json_schema import all_schemas, spell_schema

from . import language_server
from .language_server import Server

pytestmark = [
    pytest.mark.skipif(
        not language_server.command(),
        reason="no yaml-language-server: YAML_LANGUAGE_SERVER names the folder it is installed in",
    ),
    pytest.mark.xdist_group("language server"),
]

PAGE = Path(__file__).parents[3] / "docs" / "editors.md"
NO_X = "Property x is not allowed."
POLICY = "policy: a-b\nresource: course\nrequire: {title: {present: true}}\nmessage: M\nx: 1\n"
GOOD = dedent("""\
    # yaml-language-server: $schema=./schemas/manifest.json
    resource: course
    key: safety
    kind: microCourse
    title: Safety
    publishDate: 2027-01-31
    topics:
      - {title: Hello, type: text, markdown: Hi.}
      - {title: Film, type: video, videoUrl: https://media.example.com/a.mp4}
    completionCriteria:
      - {id: all, type: coursePercentViewed, percent: 100}
    ---
    resource: license
    key: all
    client: acme
    name: All
    courses: [safety]
    learningPaths: []
    courseTags: []
    """)
BAD = dedent("""\
    # yaml-language-server: $schema=./schemas/manifest.json
    resource: course
    key: safety
    kind: microCourse
    titel: Safety
    status: drafty
    publishDate: 31.1.2027
    topics:
      - title: Hello
        type: text
        pdfUrl: https://media.example.com/a.pdf
      - title: Film
        type: video
      - {title: Twice, type: text, body: a, markdown: b}
    completionCriteria:
      - {id: all, type: coursePercentViewed, percent: 120}
    """)
WRITING = dedent("""\
    # yaml-language-server: $schema=./schemas/manifest.json
    resource: course
    key: safety
    kind: courseGroup
    title: Safety
    sections:
      - title: Start
        lessons:
          - title: Welcome
            openType: open
            topics:
              - title: Hello
                type: """)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as an author has it open, with the schemas in it."""
    folder = tmp_path_factory.mktemp("catalog")
    (folder / "schemas").mkdir()
    for name, schema in all_schemas().items():
        (folder / "schemas" / name).write_text(spell_schema(schema), "utf-8")
    return folder


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Server]:
    """A server with the settings that the page about editors shows."""
    blocks = re.findall(r"^```json\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    (shown,) = (block for block in map(json.loads, blocks) if "yaml.schemas" in block)
    settings = {"validate": True, "hover": True, "completion": True}
    settings |= {"schemas": shown["yaml.schemas"], "schemaStore": {"enable": False}}
    with language_server.served(root, {"yaml": settings}) as started:
        # It looks at a file after 200 ms, with its settings or without; this waits for them.
        started.ask("textDocument/codeLens", {"textDocument": {"uri": root.as_uri()}})
        yield started


def said(server: Server, root: Path, name: str, text: str) -> list[tuple[int, str]]:
    """Line, from 1, and message of each mistake."""
    found = server.open(root / name, text)
    return sorted((d["range"]["start"]["line"] + 1, d["message"]) for d in found)


def test_a_manifest_that_is_right(server: Server, root: Path):
    """Nothing is said of it, nor of the second document in the file."""
    assert [] == said(server, root, "good.yaml", GOOD)


def test_mistakes_stand_where_they_are(server: Server, root: Path):
    """Each in its line, in words for an author where the schema has them."""
    assert [
        (2, 'Missing property "title".'),
        (5, "Property titel is not allowed."),
        (6, 'Value is not accepted. Valid values: "draft", "published".'),
        (7, "Write a date as 2027-01-31 or 2027-01-31T09:00:00Z."),
        (11, "`pdfUrl` does not belong to a topic of type text or embed."),
        (12, "A video needs `videoUrl` or `videoAsset`."),
        (14, "A body is given in one way: keep one of `body`, `markdown`, `bodyFile`."),
        (16, "Value is above the maximum of 100."),
    ] == said(server, root, "bad.yaml", BAD)


@pytest.mark.parametrize(
    ("name", "text", "mistakes"),
    [
        ("lmssync.yaml", "version: 1\nx: 1\n", [(2, NO_X)]),
        ("deep/er/a.yaml", "resource: client\nkey: a\nname: A\nx: 1\ncloneOf: b\n", [(4, NO_X)]),
        ("overlays/live/a.yaml", "resource: course\nkey: a\nx: 1\n", [(3, NO_X)]),
        ("policies/a.yaml", POLICY, [(5, NO_X)]),
    ],
)
def test_each_file_has_its_schema(
    server: Server, root: Path, name: str, text: str, mistakes: list[Any]
):
    """By the settings of the workspace, without a line in the file."""
    assert mistakes == said(server, root, name, text)


def offered(server: Server, file: Path, text: str) -> dict[str, Any]:
    """What completion offers at the end of a text, by label."""
    server.open(file, text)
    lines = text.split("\n")
    answer = server.at("completion", file, len(lines) - 1, len(lines[-1]))
    return {item["label"]: item for item in answer["items"]}


def test_the_types_of_a_topic_are_offered(server: Server, root: Path):
    """All of them, each with what becomes of it."""
    items = offered(server, root / "types.yaml", WRITING)
    assert {"text", "video", "quiz", "surveyTool"} <= items.keys()
    assert "empty shell" in items["quiz"]["documentation"]


def test_fields_of_the_type_are_offered(server: Server, root: Path):
    """A PDF page takes a PDF and no video."""
    items = offered(server, root / "fields.yaml", f"{WRITING}pdfViewer\n{' ' * 12}")
    assert "pdfUrl" in items
    assert not {"videoUrl", "body", "title"} & items.keys()


def test_kinds_of_resource_are_offered(server: Server, root: Path):
    """The first line of a manifest."""
    text = "# yaml-language-server: $schema=./schemas/manifest.json\nresource: "
    assert {"course", "license"} <= offered(server, root / "kinds.yaml", text).keys()


def test_hover_tells_what_a_field_is(server: Server, root: Path):
    """The sentence beneath the field, and what its words mean."""
    server.open(root / "hover.yaml", f"{WRITING}text\n")
    told = server.at("hover", root / "hover.yaml", 9, 14)["contents"]["value"]
    assert "Who may open it." in told
    assert "For enrolled learners." in told
