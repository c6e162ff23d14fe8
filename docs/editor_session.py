# ruff: noqa: INP001
"""Records an author in an editor, a real client of the language server; --check compares.

What the client asks and what it is answered goes into docs/editors.md.
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types as lsp

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.cli.editor.author import Author, author_at  # noqa: E402 - as above

PAGE = ROOT / "docs" / "editors.md"
PART = re.compile(r"(<!-- editor session -->\n).*?(<!-- end of editor session -->)", re.DOTALL)
FILES = {
    "lmssync.yaml": 'version: 1\nenvironments:\n  live: {baseUrl: "https://learn.example.com"}\n',
    "welcome.md": "Welcome to the site.\n",
    "first-aid.yaml": """\
resource: course
key: first-aid
kind: courseGroup
title: First aid
status: draft
sections: []
""",
    "safety.yaml": """\
resource: course
key: safety
kind: courseGroup
title: Safety
sections:
  - id: start
    title: Start
    lessons:
      - id: site
        title: The site
        openType: studentsOnly
        topics:
          - {id: hello, title: Hello, type: text, bodyFile: welcome.md}
          - {title: Check, type: quiz}
relatedCourses: [first-aid]
completionCriteria:
  - {id: seen, type: courseTopicViewed, topic: start/site/hello}
""",
    "staff.yaml": """\
resource: license
key: staff
client: 7d1c0000-0000-4000-8000-000000000102
name: Staff
courses: [safety, first-aid]
learningPaths: []
courseTags: []
""",
}
COURSE, LICENSE = "safety.yaml", "staff.yaml"


class Recorder:
    """Does what an author does, and yields what the editor shows as lines of the transcript."""

    def __init__(self, author: Author) -> None:
        self.author, self.client = author, author.client

    def spell_problems(self, name: str) -> Iterator[str]:
        self.author.problems(name)
        shown = self.author.shown[self.author.uri(name)]
        for one in shown:
            where = f"{name}:{one.range.start.line + 1}:{one.range.start.character + 1}"
            yield f"  {where}: [{one.code}] {'; '.join(one.message.splitlines())}"
        if not shown:
            yield f"  {name}: no problems"

    def write_text(self, name: str, old: str, new: str) -> Iterator[str]:
        yield f"write in {name}: {old!r} becomes {new!r}"
        self.author.replace(name, old, new)
        yield from self.spell_problems(name)

    def complete_text(self, name: str, mark: str) -> Iterator[str]:
        yield f"complete in {name} behind {mark.strip()!r}"
        params = lsp.CompletionParams(self.author.about(name), self.author.place(name, mark))
        items = self.author.wait(self.client.text_document_completion_async(params))
        some = sorted(items, key=lambda item: item.label)[:5]
        yield from (f"  {item.label}  {item.detail or ''}".rstrip() for item in some)
        yield from [f"  and {len(items) - len(some)} more"] * (len(items) > len(some))

    def point_at(self, name: str, mark: str) -> Iterator[str]:
        yield f"point at {mark.strip()!r} in {name}"
        params = lsp.HoverParams(self.author.about(name), self.author.place(name, mark))
        found = self.author.wait(self.client.text_document_hover_async(params))
        yield from (f"  {line}" for line in found.contents.value.splitlines() if line)

    def find_definition(self, name: str, mark: str) -> Iterator[str]:
        yield f"go to the definition of {mark.strip()!r} in {name}"
        params = lsp.DefinitionParams(self.author.about(name), self.author.place(name, mark))
        found = self.author.wait(self.client.text_document_definition_async(params))
        yield f"  {self.spell_place(found)}"

    def find_references(self, name: str, mark: str) -> Iterator[str]:
        yield f"find references to {mark.strip()!r} in {name}"
        context = lsp.ReferenceContext(include_declaration=False)
        where = self.author.place(name, mark)
        params = lsp.ReferenceParams(context, self.author.about(name), where)
        found = self.author.wait(self.client.text_document_references_async(params))
        yield from (f"  {self.spell_place(one)}" for one in found)

    def rename(self, name: str, mark: str, new: str) -> Iterator[str]:
        yield f"rename {mark.strip()!r} in {name} to {new!r}"
        params = lsp.RenameParams(self.author.about(name), self.author.place(name, mark), new)
        edit = self.author.wait(self.client.text_document_rename_async(params))
        yield from self.apply_edits(edit.changes)

    def apply_edits(self, changes: dict[str, Sequence[lsp.TextEdit]]) -> Iterator[str]:
        for uri, edits in sorted(changes.items()):
            name = uri.rpartition("/")[2]
            for edit in edits:
                old = self.author.marked(name, edit.range)
                yield f"  {name}:{edit.range.start.line + 1}: {old!r} becomes {edit.new_text!r}"
        for uri, edits in changes.items():
            self.author.apply_edits(uri.rpartition("/")[2], edits)

    def do_remedy(self, name: str, title: str) -> Iterator[str]:
        known = self.author.shown[self.author.uri(name)]
        top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        context = lsp.CodeActionContext(known, only=[lsp.CodeActionKind.QuickFix])
        params = lsp.CodeActionParams(self.author.about(name), top, context)
        actions = self.author.wait(self.client.text_document_code_action_async(params))
        yield f"quick fixes for {name}: {', '.join(action.title for action in actions)}"
        chosen = next(action for action in actions if action.title == title)
        yield f"do {title!r}"
        yield from self.apply_edits(chosen.edit.changes)
        yield from self.spell_problems(name)

    def put_in_order(self, name: str) -> Iterator[str]:
        yield f"format {name}"
        params = lsp.DocumentFormattingParams(
            self.author.about(name), lsp.FormattingOptions(2, insert_spaces=True)
        )
        edits = self.author.wait(self.client.text_document_formatting_async(params))
        before = self.author.text(name)
        self.author.apply_edits(name, edits or [])
        yield f"  {'put in order' if before != self.author.text(name) else 'nothing to do'}"

    def show_outline(self, name: str) -> Iterator[str]:
        yield f"outline of {name}"
        params = lsp.DocumentSymbolParams(self.author.about(name))
        symbols = self.author.wait(self.client.text_document_document_symbol_async(params))
        yield from _spell_symbols(symbols, "  ")
        folds = lsp.FoldingRangeParams(self.author.about(name))
        found = self.author.wait(self.client.text_document_folding_range_async(folds))
        yield f"  {len(found)} places to fold"

    def spell_place(self, found: lsp.Location) -> str:
        name = found.uri.rpartition("/")[2]
        line = found.range.start.line
        text = (self.author.root / name).read_text("utf-8").split("\n")[line].strip()
        return f"{name}:{line + 1}: {text}"


def _spell_symbols(symbols: Sequence[lsp.DocumentSymbol], margin: str) -> Iterator[str]:
    for one in symbols:
        yield f"{margin}{one.name} {one.detail or ''}".rstrip()
        yield from _spell_symbols(one.children or (), f"{margin}  ")


def record_session(root: Path) -> Iterator[str]:
    """The transcript, a feature after the other."""
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    with author_at(root) as author:
        one = Recorder(author)
        yield f"open {COURSE} and {LICENSE}"
        author.open(LICENSE)
        author.open(COURSE)
        yield from one.spell_problems(COURSE)
        yield from one.write_text(COURSE, "kind: courseGroup", "kind: courseGruop")
        yield from one.do_remedy(COURSE, "Write `courseGroup`")
        yield from one.write_text(COURSE, "title: Safety\n", "title: [Safety\n")
        yield from one.complete_text(COURSE, "topic: ")
        yield from one.write_text(COURSE, "title: [Safety\n", "title: Safety\n")
        yield from one.complete_text(COURSE, "relatedCourses: [")
        yield from one.point_at(COURSE, "relatedCourses: [first")
        yield from one.point_at(COURSE, "openType: studentsOn")
        yield from one.find_definition(COURSE, "topic: start/site/he")
        yield from one.find_definition(COURSE, "bodyFile: wel")
        yield from one.find_references(COURSE, "key: saf")
        yield from one.rename(LICENSE, "courses: [saf", "safety-101")
        yield from one.rename(COURSE, "id: site", "place")
        yield from one.write_text(COURSE, "sections:", "status: published\nsections:")
        yield from one.do_remedy(COURSE, "Add `id: check`")
        yield from one.put_in_order(COURSE)
        yield from one.show_outline(COURSE)


def write_page(page: str) -> str:
    """The page with the transcript of a session as it is now."""
    with tempfile.TemporaryDirectory(prefix="lmssync-editor-") as scratch:
        lines = "\n".join(record_session(Path(scratch)))
    return PART.sub(lambda found: f"{found[1]}````text\n{lines}\n````\n{found[2]}", page)


def main() -> None:
    before = PAGE.read_text("utf-8")
    after = write_page(before)
    if "--check" in sys.argv[1:]:
        sys.exit(0 if before == after else f"{PAGE.name} is not what the server does now")
    PAGE.write_text(after, "utf-8")


if __name__ == "__main__":
    main()
