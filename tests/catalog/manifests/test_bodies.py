"""Files that hold bodies."""

from pathlib import Path

import pytest

from lmssync.problems import Problem
from tests import making

TOPIC = """\
resource: course
key: a
kind: microCourse
title: A
topics: [{{id: t, title: T, type: text, bodyFile: "{}"}}]
"""


def problem(root: Path, name: str) -> Problem:
    """The one problem of a catalog whose only body is in a file of this name."""
    making.put(root, "lmssync.yaml", making.PROJECT)
    making.put(root, "courses/a.yaml", TOPIC.format(name))
    (found,) = making.problems(root)
    assert ("courses/a.yaml", "topics[0].bodyFile") == (found.where.file, found.path)
    return found


def test_a_file_that_is_not_there(tmp_path: Path):
    """The file that was meant is guessed from those beside it."""
    making.put(tmp_path, "courses/hello.md", "Hello")
    found = problem(tmp_path, "helo.md")
    assert ("file-missing", "did you mean `hello.md`?") == (found.code, found.hint)


def test_a_folder_that_is_not_there(tmp_path: Path):
    """If the folder is missing as well, the hint says so."""
    assert "there is no folder `texts` either" == problem(tmp_path, "texts/a.md").hint


@pytest.mark.parametrize("name", ["../../outside.md", "/etc/hosts.md", "../courses/../../x.html"])
def test_a_file_outside_the_catalog(tmp_path: Path, name: str):
    """A path out of the catalog is refused, whether the file exists or not."""
    making.put(tmp_path, "outside.md", "secret")
    assert "file-outside" == problem(tmp_path / "catalog", name).code


def test_a_link_out_of_the_catalog(tmp_path: Path):
    """A link out of the catalog is refused too."""
    making.put(tmp_path, "secret.md", "secret")
    making.put(tmp_path, "catalog/courses/x.md", "")
    (tmp_path / "catalog/courses/link.md").symlink_to(tmp_path / "secret.md")
    assert "file-outside" == problem(tmp_path / "catalog", "link.md").code


def test_a_link_inside_the_catalog(tmp_path: Path):
    """A link that stays inside is a file like others."""
    making.write(tmp_path, courses__a=TOPIC.format("link.md"), other="")
    making.put(tmp_path, "texts/real.md", "Hello")
    (tmp_path / "courses/link.md").symlink_to(tmp_path / "texts/real.md")
    assert [] == making.problems(tmp_path)


@pytest.mark.parametrize("name", ["a.txt", "a", "a.md.exe", ".md/x"])
def test_a_file_of_another_type(tmp_path: Path, name: str):
    """Markdown and HTML are told apart by the ending, so there must be one."""
    assert "file-ending" == problem(tmp_path, name).code


def test_a_file_that_is_not_utf_8(tmp_path: Path):
    """A body that is not UTF-8 is reported at its own line and column, with the letter meant."""
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    making.put(tmp_path, "courses/a.yaml", TOPIC.format("a.md"))
    making.put(tmp_path, "courses/a.md", "Hello\nmy fr\xfcnd".encode("cp1252"))
    (found,) = making.problems(tmp_path)
    assert ("not-utf-8", "courses/a.md:2:6") == (found.code, str(found.where))
    assert "byte 0xfc is not UTF-8; in the encoding of Windows it is `ü`" == found.message


def test_a_folder_is_no_body(tmp_path: Path):
    """A folder in the place of a body is reported with the reason."""
    (tmp_path / "courses/a.md").mkdir(parents=True)
    assert "`a.md` cannot be read: Is a directory" == problem(tmp_path, "a.md").message


def test_a_name_that_no_file_can_have(tmp_path: Path):
    """A file name that the system refuses is reported like a missing file."""
    assert problem(tmp_path, "x" * 300 + ".md").code == "file-missing"


@pytest.mark.parametrize(
    ("name", "field"), [("a.md", {"$markdown": "*Hi*"}), ("a.html", "*Hi*"), ("a.htm", "*Hi*")]
)
def test_what_becomes_of_a_file(tmp_path: Path, name: str, field: object):
    """Markdown is kept as written, and HTML is sent as it is."""
    making.put(tmp_path, name, "*Hi*")
    data = making.micro("a", making.topic(bodyFile=name))
    (resource,) = making.found(data, tmp_path)[0]
    assert field == resource.form["topics"][0]["body"]


def test_a_byte_order_mark_is_no_content(tmp_path: Path):
    """A byte order mark is not part of the text."""
    making.put(tmp_path, "a.md", b"\xef\xbb\xbfHi")
    data = making.micro("a", making.topic(bodyFile="a.md"))
    assert {"$markdown": "Hi"} == making.found(data, tmp_path)[0][0].form["topics"][0]["body"]


def test_a_changed_file_changes_the_course(tmp_path: Path):
    """The fingerprint of a course covers the files it names."""
    prints = set()
    for text in ("one", "two"):
        making.put(tmp_path, "a.md", text)
        data = making.micro("a", making.topic(bodyFile="a.md"))
        prints.add(making.found(data, tmp_path)[0][0].fingerprint)
    assert 2 == len(prints)


def test_a_mistake_in_a_body_is_at_its_line_there(tmp_path: Path):
    """The place is in the body's file, and the resource is the one that attaches it."""
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    making.put(tmp_path, "courses/a.yaml", TOPIC.format("../texts/hello.md"))
    making.put(tmp_path, "texts/hello.md", "Hello\r\n\r\nSee [this](other.md).\r\n")
    (found,) = making.problems(tmp_path)
    assert ("texts/hello.md:3:10", "course.a") == (str(found.where), str(found.address))
