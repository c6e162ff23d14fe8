"""An author in an editor: a real client, and the server in a process of its own."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

from ...patience import PATIENCE


class Author:
    """What an author does, each time until the editor shows the answer."""

    lsp = lsp
    """The protocol, for tests: its module takes half a second to load."""
    refusal = JsonRpcException

    def __init__(self, root: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.root, self._loop = root, loop
        self.client = LanguageClient("tests", "1")
        self._versions: dict[str, int] = {}
        self._texts: dict[str, str] = {}
        self.shown: dict[str, Sequence[lsp.Diagnostic]] = {}
        self._news = asyncio.Event()
        self.first_answers: list[list[tuple[str, int]]] = []
        """Rule and line of each problem that was shown before the whole catalog was checked."""
        self._version_of: dict[str, int | None] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def show(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown[params.uri] = params.diagnostics
            self._version_of[params.uri] = params.version
            if params.version is None:
                known = [(str(one.code), one.range.start.line + 1) for one in params.diagnostics]
                self.first_answers.append(known)
            self._news.set()

    def wait(self, what: Any) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(what, PATIENCE))

    def start(self) -> lsp.InitializeResult:
        words = ("-m", "lmssync", "language-server")
        self.wait(self.client.start_io(sys.executable, *words, limit=2**26))
        folder = lsp.WorkspaceFolder(self.uri(""), "catalog")
        documents = lsp.TextDocumentClientCapabilities()
        given = lsp.InitializeParams(
            lsp.ClientCapabilities(text_document=documents), workspace_folders=[folder]
        )
        answer = self.wait(self.client.initialize_async(given))
        self.client.initialized(lsp.InitializedParams())
        return answer

    def stop(self) -> None:
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client.stop())

    def enter(self, root: Path) -> None:
        """Goes to another catalog with the same server: a process of its own takes seconds."""
        for name in [*self._texts]:
            self.close(name)
        self.root, self._texts = root, {}

    def uri(self, name: str) -> str:
        return from_fs_path(str(self.root / name))

    def text(self, name: str) -> str:
        return self._texts[name]

    def open(self, name: str, *, answered: bool = True) -> list[str]:
        """Opens a file; the rules of its problems."""
        self._texts[name] = (self.root / name).read_text("utf-8")
        self._versions[name] = 1
        item = lsp.TextDocumentItem(self.uri(name), "yaml", 1, self._texts[name])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return self.problems(name) if answered else []

    def write(self, name: str, text: str) -> list[str]:
        """Changes what the editor shows, and saves nothing; the rules of its problems."""
        self._texts[name] = text
        self._versions[name] += 1
        about = lsp.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name))
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(about, [whole]))
        return self.problems(name)

    def replace(self, name: str, old: str, new: str) -> list[str]:
        assert old in self._texts[name]
        return self.write(name, self._texts[name].replace(old, new, 1))

    def apply_edits(self, name: str, edits: Sequence[lsp.TextEdit]) -> None:
        """Makes the changes that the server proposes, and saves the file."""
        path = next(path for path in self.root.rglob(name))
        known = self._texts.get(name) or path.read_text("utf-8")
        lines = known.splitlines(keepends=True)
        starts = [len("".join(lines[:number])) for number in range(len(lines) + 1)]
        for edit in sorted(edits, key=lambda one: one.range.start, reverse=True):
            start, end = (
                starts[place.line] + place.character for place in (edit.range.start, edit.range.end)
            )
            known = known[:start] + edit.new_text + known[end:]
        path.write_text(known, "utf-8")
        if name in self._texts:
            self.write(name, known)

    def close(self, name: str) -> None:
        about = lsp.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(about))

    def problems(self, name: str) -> list[str]:
        """The rules of the problems of a file, once those of its present text are shown."""
        self.wait(self._until_shown(self.uri(name), self._versions[name]))
        return self.rules_shown(name)

    def rules_shown(self, name: str) -> list[str]:
        """The rules of the problems that the editor shows of a file."""
        return [str(one.code) for one in self.shown.get(self.uri(name), ())]

    async def _until_shown(self, uri: str, version: int) -> None:
        while self._version_of.get(uri) != version:
            self._news.clear()
            await self._news.wait()

    def place(self, name: str, mark: str) -> lsp.Position:
        """The place behind a piece of text."""
        offset = self._texts[name].index(mark) + len(mark)
        before = self._texts[name][:offset]
        return lsp.Position(before.count("\n"), offset - before.rfind("\n") - 1)

    def about(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    def marked(self, name: str, where: lsp.Range) -> str:
        """The text of a range of one line, in an open file or a saved one."""
        text = self._texts.get(name) or (self.root / name).read_text("utf-8")
        line = text.split("\n")[where.start.line]
        return line[where.start.character : where.end.character]


@contextmanager
def author_at(root: Path) -> Iterator[Author]:
    """An author whose editor shows a catalog."""
    loop = asyncio.new_event_loop()
    try:
        author = Author(root, loop)
        author.start()
        yield author
        author.stop()
    finally:
        loop.close()
