"""Puts the text of files that hold bodies into the document."""

from collections.abc import Iterable, Iterator

from ....kind import BodyField
from ....kinds import BODY_FILE
from ....problems import Finding, Rule
from ....resource import Origin
from ....texts.values import body_file
from ..files import CatalogFiles, NoFile

FILE_ENDING = Rule(
    "file-ending",
    "By its name, the file is neither Markdown nor HTML.",
    "Name it `.md` or `.html`.",
    within="a topic",
    wrong="bodyFile: hello.docx",
    right="bodyFile: hello.md",
)

MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")


def fill_bodies(
    files: CatalogFiles, origin: Origin, slots: Iterable[BodyField]
) -> Iterator[Finding]:
    """Puts the text of each `bodyFile` in its place, as `markdown` or `body`.

    A name is relative to the file that it stands in, which may be an overlay's.
    """
    for slot in slots:
        name, path = slot.holder[BODY_FILE], (*slot.path, BODY_FILE)
        if not name.endswith(MARKDOWN + HTML):
            message = f"`{name}` is neither Markdown nor HTML"
            yield FILE_ENDING.at(path, message, "name it .md or .html")
            continue
        try:
            text = files.read_attached_text(origin.at(path).file, name)
        except NoFile as reason:
            yield reason.as_finding(path)
        else:
            markdown = name.endswith(MARKDOWN)
            yield from body_file(path, name, text, slot.holder, markdown=markdown)
            slot.holder["markdown" if markdown else "body"] = text
