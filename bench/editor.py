"""What an author in an editor waits for: from an edit to the problems that the editor then shows.

python bench/editor.py [--courses N ...] [--edits N] [--write]
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import report
import workload
from lsprotocol import types as lsp
from measure import machine
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

SIZES = (1_000, 10_000)
FILE = "part-000/course-00005.yaml"
EDITS = 20


class Waits(NamedTuple):
    """What one kind of question took: seconds on the clock, and seconds of a processor."""

    what: str
    seconds: Sequence[float]
    cpu: Sequence[float]

    def spell_cell(self) -> str:
        """The medians in milliseconds, and the longest."""
        middle, most = statistics.median(self.seconds), max(self.seconds)
        cpu = f"{statistics.median(self.cpu) * 1000:,.0f} ms of a processor"
        longest = f", at most {most * 1000:,.0f} ms" if len(self.seconds) > 1 else ""
        return f"{middle * 1000:,.0f} ms{longest}; {cpu}"


class Editing:
    """A client of the server, which waits for each answer."""

    def __init__(self, root: Path) -> None:
        self.root, self.uri = root, from_fs_path(str(root / FILE))
        self.text = (root / FILE).read_text("utf-8")
        self.version = 0
        self._client = LanguageClient("bench", "1")
        self._shown: dict[str, int | None] = {}
        self._news = asyncio.Event()
        self.answers = 0

        @self._client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def note_problems(params: lsp.PublishDiagnosticsParams) -> None:
            self._shown[params.uri] = params.version
            self.answers += params.uri == self.uri
            self._news.set()

    async def start(self) -> None:
        await self._client.start_io(sys.executable, "-m", "lmssync", "language-server", limit=2**27)
        folder = lsp.WorkspaceFolder(from_fs_path(str(self.root)), "catalog")
        given = lsp.InitializeParams(lsp.ClientCapabilities(), workspace_folders=[folder])
        await self._client.initialize_async(given)
        self._client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await self._client.shutdown_async(None)
        self._client.exit(None)
        await self._client.stop()

    async def _until_shown(self) -> None:
        while self._shown.get(self.uri) != self.version:
            self._news.clear()
            await self._news.wait()

    async def open_file(self) -> None:
        self.version = 1
        item = lsp.TextDocumentItem(self.uri, "yaml", self.version, self.text)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self._until_shown()

    async def edit_file(self, text: str, *, first: bool = False) -> None:
        """Until the first answer about the file, or until the whole catalog has been checked."""
        self.version += 1
        about = lsp.VersionedTextDocumentIdentifier(self.version, self.uri)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        before = self.answers
        self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(about, [whole]))
        while first and self.answers == before:
            self._news.clear()
            await self._news.wait()
        if not first:
            await self._until_shown()

    async def complete_key(self) -> None:
        """Keys of courses, after an edit: the text has a list of them at its end."""
        lines = self.text.count("\n")
        where = lsp.Position(lines, len("relatedCourses: [c"))
        params = lsp.CompletionParams(lsp.TextDocumentIdentifier(self.uri), where)
        await self._client.text_document_completion_async(params)

    def cpu_seconds(self) -> float:
        """Seconds of a processor that the server has taken so far."""
        server = self._client._server  # noqa: SLF001 - pygls has no other way to ask
        fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    editing: Editing, what: str, times: int, act: Callable[[int], Any], before: Any = None
) -> Waits:
    seconds, cpu = [], []
    for number in range(times):
        if before:
            await before(number)
        begun, used = time.perf_counter(), editing.cpu_seconds()
        await act(number)
        seconds.append(time.perf_counter() - begun)
        cpu.append(editing.cpu_seconds() - used)
    return Waits(what, seconds, cpu)


async def measure_size(root: Path, edits: int) -> list[Waits]:
    editing = Editing(root)
    await editing.start()

    async def first(_number: int) -> None:
        await editing.open_file()

    async def answered(number: int) -> None:
        await editing.edit_file(f"{editing.text}# first {number}\n", first=True)

    async def settle(number: int) -> None:
        await editing.edit_file(f"{editing.text}# settled {number}\n")

    async def sound(number: int) -> None:
        await editing.edit_file(f"{editing.text}# {number}\n")

    async def broken(number: int) -> None:
        await editing.edit_file(f"{editing.text}wrong: [{number}\n")

    async def naming(number: int) -> None:
        await editing.edit_file(f"{editing.text}relatedCourses: [c]\n# {number}\n")

    async def complete(_number: int) -> None:
        await editing.complete_key()

    found = [
        await measure(editing, "opening the first file, nothing is in the cache", 1, first),
        await measure(editing, "an edit, until the first answer", edits, answered, settle),
        await measure(editing, "an edit, until the catalog is checked", edits, sound),
        await measure(editing, "an edit that is no YAML", edits, broken),
        await measure(editing, "completing a key after an edit", edits, complete, naming),
    ]
    await editing.stop()
    return found


def measure_all(sizes: Sequence[int], edits: int) -> Iterator[list[Waits]]:
    for courses in sizes:
        with tempfile.TemporaryDirectory(prefix="lmssync-bench-") as scratch:
            root = Path(scratch, "catalog")
            os.environ["XDG_CACHE_HOME"] = str(Path(scratch, "cache"))
            workload.write_project(root)
            workload.write(root, range(courses))
            found = asyncio.run(measure_size(root, edits))
        for waits in found:
            print(f"{courses:>7,}  {waits.what}: {waits.spell_cell()}", flush=True)
        yield found


def table(sizes: Sequence[int], found: Sequence[Sequence[Waits]]) -> Iterator[str]:
    yield " | ".join(["| what", *(f"{size:,} courses" for size in sizes)]) + " |"
    yield "|---" * (len(sizes) + 1) + "|"
    for row in zip(*found, strict=True):
        yield " | ".join([f"| {row[0].what}", *(waits.spell_cell() for waits in row)]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what an author in an editor waits for.")
    parser.add_argument("--courses", type=int, nargs="+", default=SIZES)
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    found = list(measure_all(options.courses, options.edits))
    head = f"Machine: {machine()}; a load of {load:.1f} when this began."
    text = "\n".join([head, "", *table(options.courses, found)])
    print(text)
    if options.write:
        report.write(Path(__file__).with_name("README.md"), text, "editor")


if __name__ == "__main__":
    main()
