"""What is wrong with one file of the web that the platform will fetch.

Of each its first bytes are read, and of packages and PDFs what is needed of the rest.
"""

import logging
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import IO, NamedTuple, cast
from urllib.parse import parse_qsl, urlsplit

from ..platform.client import FileTrouble, PartUnread, PrivateTrouble, RangedFile
from ..problems import Finding, Rule, warning_rule
from ..support.installation import require_extra
from ..texts.values import PictureSize, Role
from ..vocabulary.iso_dates import parse_moment

MEDIA_UNREACHABLE = Rule(
    "media-unreachable",
    "The server of a file cannot be reached, so the platform cannot fetch the file either.",
    "Check the address, and whether its server is running.",
    fixed=False,
)
MEDIA_PRIVATE = Rule(
    "media-private",
    "The host of a file has an address that only its own network can reach.",
    "Put the file where everyone can fetch it.",
    fixed=False,
)
MEDIA_STATUS = Rule(
    "media-status",
    "The server of a file answers with an error.",
    "Correct the address, or put the file there.",
    fixed=False,
)
MEDIA_TYPE = Rule(
    "media-type",
    "The file is of another type than its field needs, or than its name says.",
    "Use the address of a file of the right type, or rename the file.",
    fixed=False,
)
MEDIA_EMPTY = Rule("media-empty", "The file is empty.", "Upload it again.", fixed=False)
MEDIA_LARGE = warning_rule(
    "media-large",
    "A picture has more than 5 MB, which every learner who sees it has to load.",
    "Compress it, or save it with fewer pixels.",
)
MEDIA_PICTURE = warning_rule(
    "media-picture",
    "A picture is smaller than the platform recommends, or of another shape.",
    "Cut it to the size that the message names: other pictures are enlarged or cropped.",
    source="spec 2.2",
)
MEDIA_PACKAGE = Rule(
    "media-package",
    "A package cannot be opened, or has no manifest at its top.",
    "Export it again, with `imsmanifest.xml` at the top of the ZIP file.",
    fixed=False,
)
MEDIA_PDF = Rule(
    "media-pdf",
    "A PDF cannot be read: it is damaged, has no page, or asks for a password.",
    "Save it again, without a password.",
    fixed=False,
)
MEDIA_EXPIRES = Rule(
    "media-expires",
    "The signature of an address ends before the platform has fetched the file.",
    "Sign the address for longer, or use one that needs no signature.",
    fixed=False,
)
NOT_FETCHED = {MEDIA_UNREACHABLE.id, MEDIA_PRIVATE.id, MEDIA_STATUS.id}
"""The rules of files of which nothing came."""

MARGIN = timedelta(hours=1)
"""How long after an apply the jobs of the platform may still fetch files."""
_PICTURE_BYTES = 5_000_000
_SHAPE = 0.05
"""The part by which the shape of a picture may differ from the one recommended."""
_NAMES = {
    "png": "a PNG",
    "jpeg": "a JPEG",
    "gif": "a GIF",
    "webp": "a WebP picture",
    "svg": "an SVG picture",
    "pdf": "a PDF",
    "zip": "a ZIP file",
    "html": "a web page",
    "mp4": "an MP4 video",
    "webm": "a WebM video",
}
_ENDINGS = {name: name for name in _NAMES} | {
    "jpg": "jpeg",
    "htm": "html",
    "m4v": "mp4",
    "mov": "mp4",
}
_PICTURES = {"png", "jpeg", "gif"}
_WANTED = {
    Role.IMAGE: (_PICTURES, "a PNG, JPEG or GIF"),
    Role.POSTER: (_PICTURES | {"webp"}, "a picture"),
    Role.PACKAGE: ({"zip"}, "a package (.zip)"),
    Role.PDF: ({"pdf"}, "a PDF"),
    Role.VIDEO: ({"mp4", "webm", ""}, "a video"),
}
_BEGINNINGS = (
    (0, b"\x89PNG\r\n\x1a\n", "png"),
    (0, b"\xff\xd8\xff", "jpeg"),
    (0, b"GIF8", "gif"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (0, b"\x1aE\xdf\xa3", "webm"),
    (8, b"WEBP", "webp"),
    (4, b"ftyp", "mp4"),
)
_MANIFESTS = ("imsmanifest.xml", "tincan.xml", "cmi5.xml")
"""What the top of a package has: that of SCORM, or that of xAPI."""


class MediaLook(NamedTuple):
    """What a look at one file has found; `{field}` in a message is the field that names it."""

    tag: str = ""
    """Its ETag; empty where the server gave none, and then nothing is kept."""
    flaws: Sequence[Finding] = ()
    unread: str = ""
    """Why it could not be looked into."""


class MediaAddress(NamedTuple):
    """An address of a file, as a field of a certain role names it."""

    url: str
    role: Role
    size: PictureSize | None = None


def require_media_packages() -> None:
    """Raises `WrongUse` where what looks into pictures and PDFs is not installed."""
    missing = "--media looks into files with imagesize and pypdf, which are not installed"
    with require_extra("media", missing):
        import imagesize  # noqa: F401
        import pypdf  # noqa: F401


def look_at_file(address: MediaAddress, known: MediaLook, *, private_hosts: bool) -> MediaLook:
    """What was found before, where the file still has the same ETag; else what is found now."""
    try:
        with RangedFile(address.url, tag=known.tag, private_hosts=private_hosts) as file:
            if file.status == HTTPStatus.NOT_MODIFIED:
                return known
            flaws = list(_find_flaws(file, address))
            # An error may be gone the next time although the server gave it a tag.
            return MediaLook(file.tag if file.is_there else "", flaws, file.unread)
    except PrivateTrouble as trouble:
        return MediaLook("", [MEDIA_PRIVATE.at((), f"{{field}} is not looked at: {trouble}")])
    except FileTrouble as trouble:
        host = urlsplit(address.url).hostname
        text = f"{{field}} cannot be fetched from {host}: {trouble}"
        return MediaLook("", [MEDIA_UNREACHABLE.at((), text, trouble.hint or None)])


def _find_flaws(file: RangedFile, address: MediaAddress) -> Iterator[Finding]:
    if not file.is_there:
        yield _refused_flaw(file)
        return
    if file.size == 0:
        yield MEDIA_EMPTY.at((), "{field} is an empty file")
        return
    found = _recognise_type(file)
    wanted, words = _WANTED[address.role]
    if found not in wanted:
        said = f", and its server calls it {file.media_type}" if file.media_type else ""
        is_ = _NAMES.get(found, "a file of another type")
        yield MEDIA_TYPE.at((), f"{{field}} is {is_}{said}; it must be {words}")
        return
    yield from _compare_ending(address.url, found)
    if found in _PICTURES:
        yield from _judge_picture(file, address.size)
    elif address.role is Role.PACKAGE:
        yield from _judge_package(file)
    elif address.role is Role.PDF:
        yield from _judge_pdf(file)


def _refused_flaw(file: RangedFile) -> Finding:
    host = urlsplit(file.url).hostname
    text = f"{{field}} cannot be fetched: {host} answers {file.status}"
    if file.status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return MEDIA_STATUS.at((), text, "make the file public: the platform has no key for it")
    # Only these may be over by the time of the apply.
    server_failed = file.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    may_pass = server_failed or file.status == HTTPStatus.TOO_MANY_REQUESTS
    hint = "try again later, or ask those who run the server" if may_pass else None
    return MEDIA_STATUS.at((), text, hint)


def _recognise_type(file: RangedFile) -> str:
    """The type of a file by its first bytes; empty for one that is not among the names."""
    file.seek(0)
    first = file.read(1_024) or b""
    for offset, mark, name in _BEGINNINGS:
        if first[offset:].startswith(mark):
            return name
    # Some programs write a line or two before the head of a PDF, and readers allow it.
    text = first.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"%pdf-" in text:
        return "pdf"
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "html"
    return "svg" if b"<svg" in text else ""


def _compare_ending(url: str, found: str) -> Iterator[Finding]:
    ending = urlsplit(url).path.rpartition("/")[2].rpartition(".")[2].lower()
    named = _ENDINGS.get(ending)
    if named and found and named != found:
        text = f"{{field}} ends in `.{ending}`, but is {_NAMES[found]}"
        yield MEDIA_TYPE.at((), text, f"save it as {_NAMES[named]}, or rename it")


def _judge_picture(file: RangedFile, wanted: PictureSize | None) -> Iterator[Finding]:
    import imagesize

    if (file.size or 0) > _PICTURE_BYTES:
        yield MEDIA_LARGE.at((), f"{{field}} has {(file.size or 0) / 1_000_000:.1f} MB")
    file.seek(0)
    # imagesize catches whatever is raised below it, so `unread` says whether it came to a limit.
    width, height = imagesize.get(file, exif_rotation=True)
    if file.unread:
        return
    if width <= 0 or height <= 0:
        text = "{field} is damaged: it does not say how many pixels it has"
        yield MEDIA_TYPE.at((), text, "save it again")
    elif wanted:
        small = width < wanted.width or height < wanted.height
        shape = (width * wanted.height) / (height * wanted.width)
        if small or abs(shape - 1) > _SHAPE:
            best = f"{wanted.width} x {wanted.height}"
            text = f"{{field}} has {width} x {height} pixels; the platform recommends {best}"
            yield MEDIA_PICTURE.at((), text)


def _judge_package(file: RangedFile) -> Iterator[Finding]:
    try:
        with zipfile.ZipFile(file) as package:
            names = package.namelist()
    except PartUnread:
        return
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        if not file.unread:
            yield MEDIA_PACKAGE.at((), f"{{field}} is a damaged ZIP file: {error}")
        return
    if not any(name in names for name in _MANIFESTS):
        below = next((n for n in names if n.lower().endswith(_MANIFESTS)), "")
        text = "{field} has no `imsmanifest.xml` at its top" + (f", but `{below}`" if below else "")
        hint = "pack what is in the folder, not the folder itself, with the name in small letters"
        yield MEDIA_PACKAGE.at((), text, hint if below else None)


def _judge_pdf(file: RangedFile) -> Iterator[Finding]:
    import pypdf
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is odd, it says on stderr
    why = ""
    try:
        reader = pypdf.PdfReader(cast(IO[bytes], file))
        # An empty password opens what is only protected against edits, as for any reader.
        if reader.is_encrypted and not reader.decrypt(""):
            why = "asks for a password"
        elif not reader.pages:
            why = "has no page"
    except PartUnread:
        return
    except (
        PyPdfError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ) as error:
        why = f"cannot be read: {str(error) or type(error).__name__}"
    if why and not file.unread:
        yield MEDIA_PDF.at((), f"{{field}} is a PDF that {why}")


def find_signature_end(url: str, apply_by: datetime) -> Iterator[Finding]:
    end = read_signature_end(url)
    if end and end < apply_by + MARGIN:
        text = f"the signature of {{field}} ends at {end:%Y-%m-%d %H:%M} UTC"
        late = f"the apply is planned for {apply_by.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        yield MEDIA_EXPIRES.at((), f"{text}, and {late}")


def read_signature_end(url: str) -> datetime | None:
    """When the signature in an address ends, in the ways that object stores write it."""
    said = {name.lower(): value for name, value in parse_qsl(urlsplit(url).query)}
    try:
        for began, lasts in (("x-amz-date", "x-amz-expires"), ("x-goog-date", "x-goog-expires")):
            if began in said and lasts in said:
                moment = datetime.strptime(said[began], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
                return moment + timedelta(seconds=int(said[lasts]))
        if "sig" in said and "se" in said:
            return parse_moment(said["se"])
        if "expires" in said and ("signature" in said or "sig" in said):
            return datetime.fromtimestamp(int(said["expires"]), UTC)
    except (ValueError, OverflowError, OSError):
        return None  # no signature of a kind that is known
    return None
