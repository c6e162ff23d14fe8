"""`validate --media`: the files that manifests name by address, on a real HTTP server."""

import io
import json
import os
import socket
import struct
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lmssync.platform.client import FileTrouble, RangedFile
from lmssync.sync.media_files import read_signature_end
from tests import making
from tests.forking import Ran

from .conftest import Run

INVALID, USAGE = 3, 64


def png(width: int, height: int) -> bytes:
    """As much of a picture as is looked at."""
    head = struct.pack(">II", width, height) + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + head + b"\x00" * 100


def package(*names: str, more: int = 0) -> bytes:
    """A ZIP file of these names; with `more` bytes that cannot be packed before them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("video.bin", os.urandom(more))
        for name in names:
            archive.writestr(name, "<manifest/>")
    return made.getvalue()


def pdf(password: str = "") -> bytes:
    import pypdf

    made, writer = io.BytesIO(), pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    if password:
        writer.encrypt(password, algorithm="RC4-40")
    writer.write(made)
    return made.getvalue()


class Web(NamedTuple):
    """A server of files, by path, and what it was asked for: path, range, status."""

    url: str
    files: dict[str, bytes]
    log: list[tuple[str, str, int]]
    habits: set[str]
    """`no-ranges`: it sends files whole. `no-tags`: without an ETag."""


@pytest.fixture
def web() -> Iterator[Web]:
    files: dict[str, bytes] = {}
    log: list[tuple[str, str, int]] = []
    habits: set[str] = set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.partition("?")[0]
            content, asked = files.get(name), self.headers.get("Range", "")
            tag = f'"{hash(content)}"'
            head, body = {}, b""
            if name.startswith("/to/"):
                status, head = 302, {"Location": name.removeprefix("/to")}
            elif content is None:
                status = 404
            elif self.headers.get("If-None-Match") == tag and "no-tags" not in habits:
                status = 304
            elif "no-ranges" in habits or not content:
                status, body = 200, content
            else:
                first, _, last = asked.removeprefix("bytes=").partition("-")
                status, body = 206, content[int(first) : int(last) + 1]
                head = {"Content-Range": f"bytes {first}-{last}/{len(content)}"}
            log.append((name, asked, status))
            self.send_response(status)
            for key, value in head.items():
                self.send_header(key, value)
            if "no-tags" not in habits:
                self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Web(f"http://127.0.0.1:{server.server_address[1]}", files, log, habits)
        server.shutdown()


COURSE = """\
resource: course
key: media
kind: {kind}
title: Media
{field}: {url}
"""
KINDS = {"scormUrl": "shareableContentObject", "videoUrl": "video"}
PAGE = "topics: [{{id: p, title: P, type: pdfViewer, pdfUrl: '{url}'}}]"
Found = list[tuple[str, int, str]]


class Looks(NamedTuple):
    """`validate --media` on a course that names one file."""

    root: Path
    run: Run
    base: str

    def find_problems(self, field: str, url: str, *words: str) -> Found:
        """The rule, line and message of each problem of the file."""
        ran = self.look_at(field, url, "--private-hosts", "--json", *words)
        problems = json.loads(ran.out)["problems"]
        return [
            (p["code"], p["line"], p["message"]) for p in problems if p["code"].startswith("media")
        ]

    def look_at(self, field: str, url: str, *words: str) -> Ran:
        url = url if "://" in url else self.base + url
        text = COURSE.format(kind=KINDS.get(field, "courseGroup"), field=field, url=url)
        if field == "pdfUrl":
            text = COURSE.replace("{field}: {url}", PAGE).format(kind="microCourse", url=url)
        making.write(self.root, media=text)
        return self.run("validate", "-C", self.root, "--media", *words)


@pytest.fixture
def looks(tmp_path: Path, web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> Looks:
    monkeypatch.delenv("CI", raising=False)
    return Looks(tmp_path, run, web.url)


GOOD = [
    ("asset", "/a.png", png(800, 385)),
    ("asset", "/a.png", png(1600, 770)),
    ("detailAsset", "/a.png", png(800, 450)),
    ("scormUrl", "/a.zip", package("imsmanifest.xml", more=3_000_000)),
    ("pdfUrl", "/a.pdf", pdf()),
    ("videoUrl", "/a.mp4", b"\0\0\0\x18ftypmp42" + b"\0" * 100),
]


@pytest.mark.parametrize(("field", "name", "content"), GOOD)
def test_good_files(looks: Looks, web: Web, field: str, name: str, content: bytes):
    """A file of the right type and size is no problem; of a large one 1 MiB is read at most."""
    web.files[name] = content
    assert [] == looks.find_problems(field, name)
    read = sum(min(65_536, len(content)) for _, _, status in web.log if status == 206)
    assert 0 < read <= 1_048_576


BAD = [
    ("asset", "/a.png", None, "media-status", "answers 404"),
    ("asset", "/a.png", b"", "media-empty", "empty"),
    ("asset", "/a.png", b"<!DOCTYPE html><p>Log in", "media-type", "a web page"),
    ("asset", "/a.gif", png(800, 385), "media-type", "ends in `.gif`, but is a PNG"),
    ("asset", "/a.png", png(400, 385), "media-picture", "400 x 385 pixels"),
    ("asset", "/a.png", png(800, 800), "media-picture", "recommends 800 x 385"),
    ("asset", "/a.png", png(800, 385) + b"0" * 5_000_000, "media-large", "5.0 MB"),
    ("scormUrl", "/a.zip", package("index.html"), "media-package", "has no `imsmanifest.xml`"),
    ("scormUrl", "/a.zip", package("a/imsmanifest.xml"), "media-package", "`a/imsmanifest.xml`"),
    ("scormUrl", "/a.zip", package("imsmanifest.xml")[:-9], "media-package", "damaged ZIP file"),
    ("pdfUrl", "/a.pdf", pdf("secret"), "media-pdf", "asks for a password"),
    ("pdfUrl", "/a.pdf", b"%PDF-1.7 and no more", "media-pdf", "cannot be read"),
    ("videoUrl", "/a.mp4", b"<html>Watch it here", "media-type", "it must be a video"),
]


@pytest.mark.parametrize("row", BAD)
def test_bad_files(looks: Looks, web: Web, row: tuple[str, str, bytes | None, str, str]):
    """Each is named by the rule that it breaks, at the line of its address."""
    field, name, content, rule, words = row
    if content is not None:
        web.files[name] = content
    code, line, message = looks.find_problems(field, name)[0]
    assert (rule, 5) == (code, line)
    assert words in message


def test_a_mistake_hides_no_other_file(looks: Looks, web: Web):
    """The files of a manifest with a mistake elsewhere are looked at."""
    web.files["/a.png"] = png(400, 385)
    more = f"{web.url}/a.png\ndetailAsset: ftp://media.example.com/a.png"
    assert ["media-picture"] == [code for code, _, _ in looks.find_problems("asset", more)]


@pytest.mark.parametrize(("words", "said"), [((), "0 of 1 file "), (("--private-hosts",), "1 ")])
def test_what_was_not_fetched_was_not_looked_at(looks: Looks, web: Web, words: Any, said: str):
    """The last line counts the files that a server gave."""
    web.files["/a.png"] = png(800, 385)
    assert looks.look_at("asset", "/a.png", *words).err.startswith(f"looked at {said}")


def test_a_known_file_is_not_read_again(looks: Looks, web: Web):
    """With the ETag of the look before, the server answers 304, and the finding stays."""
    web.files["/a.png"] = png(400, 385)
    first, again = (looks.find_problems("asset", "/a.png") for _ in range(2))
    assert (first, [206, 304]) == (again, [status for _, _, status in web.log])
    web.files["/a.png"] = png(800, 385)
    assert [] == looks.find_problems("asset", "/a.png")


def test_a_server_without_ranges(looks: Looks, web: Web):
    """A small file comes whole; of a large one the rest is not judged, and that is said."""
    web.habits.add("no-ranges")
    web.files.update({"/a.zip": package("index.html"), "/b.zip": package("x", more=3_000_000)})
    assert ["media-package"] == [code for code, _, _ in looks.find_problems("scormUrl", "/a.zip")]
    ran = looks.look_at("scormUrl", "/b.zip", "--private-hosts")
    assert (0, True) == (ran.code, "1 file could not be looked into: the server gives" in ran.err)


def test_redirects_are_followed(looks: Looks, web: Web):
    """The file that a redirect leads to is judged; one without an end is a problem."""
    web.files["/a.png"] = png(10, 10)
    assert ["media-picture"] == [c for c, _, _ in looks.find_problems("asset", "/to/a.png")]
    circle = looks.find_problems("asset", "/to" * 9 + "/a.png")
    assert "redirects more than 5 times" in circle[0][2]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "a.internal"])
def test_private_hosts_are_not_asked(web: Web, host: str):
    """Nothing is sent to a host of this machine or its network, unless that is allowed."""
    with pytest.raises(FileTrouble, match="only its own network can reach"):
        RangedFile(web.url.replace("127.0.0.1", host) + "/a.png")
    assert [] == web.log


def test_a_name_that_leads_to_a_private_address(web: Web, monkeypatch: pytest.MonkeyPatch):
    """What counts is the address that a name leads to, not the name."""
    port = int(web.url.rpartition(":")[2])
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with pytest.raises(FileTrouble, match="can reach media"):
        RangedFile(f"http://media.example.com:{port}/a.png")
    assert [] == web.log


def test_a_pipeline_allows_no_private_hosts(looks: Looks, monkeypatch: pytest.MonkeyPatch):
    """In a pipeline a pull request could reach into its network: it is refused there."""
    monkeypatch.setenv("CI", "true")
    assert USAGE == looks.look_at("asset", "/a.png", "--private-hosts").code
    ran = looks.look_at("asset", "/a.png")
    assert (INVALID, True) == (ran.code, "error[media-private]" in ran.out)


def test_signatures_outlast_the_apply(looks: Looks, web: Web):
    """A signature that ends before the planned apply is a problem, whatever the file is."""
    web.files["/a.png"] = png(800, 385)
    long = "/a.png?X-Amz-Date=20990101T000000Z&X-Amz-Expires=60&X-Amz-Signature=0"
    assert [] == looks.find_problems("asset", long)
    late = looks.find_problems("asset", long, "--apply-by", "2099-02-01T00:00Z")
    assert ["media-expires"] == [code for code, _, _ in late]


@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("X-Goog-Date=20270101T100000Z&X-Goog-Expires=3600", "2027-01-01T11:00:00+00:00"),
        ("sv=2024-01-01&se=2027-01-01T11:00:00Z&sig=abc", "2027-01-01T11:00:00+00:00"),
        ("Expires=1798801200&Signature=abc&Key-Pair-Id=K", "2027-01-01T11:00:00+00:00"),
        ("expires=soon&signature=abc", None),
        ("v=3", None),
    ],
)
def test_when_signatures_end(query: str, end: str | None):
    """As the object stores write it; what none of them writes has no end."""
    moment = read_signature_end(f"https://media.example.com/a.png?{query}")
    assert end == (moment.isoformat() if moment else None)


def test_options_of_media_alone(run: Run, tmp_path: Path):
    """Options about files are refused where no file is looked at."""
    making.write(tmp_path)
    assert USAGE == run("validate", "-C", tmp_path, "--private-hosts").code
    assert USAGE == run("validate", "-C", tmp_path, "--media", "--watch").code
