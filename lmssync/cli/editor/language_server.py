"""The server that an editor talks to: it keeps the open texts, and publishes their problems.

One thread decides. A check begins a moment after the last edit, and everything else is answered at
once, from what the last check has found and the texts as they are now.
"""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ... import __version__
from ...errors import LmssyncError, WrongUse
from ...problems import Problem, Severity
from ...resource import PROJECT_FILE, Address, Path as ValuePath
from .author_help import describe_thing, explain_place, list_offers
from .edited_catalog import EditedCatalog, NamedThing, find_catalog_of
from .manifest_places import ManifestPlace, find_definition, find_references
from .name_changes import FileChanges, find_name_span, list_file_moves, rename_thing
from .remedies import KnownProblem, format_text, list_remedies
from .text_outline import Span, TextPositions

_STDOUT = 1
_PAUSE, _PAUSE_OF_CHECK = 0.02, 0.1
"""Seconds without an edit after which the file alone, and then the catalog, is checked."""
_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}
_ACTIONS = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]


class AskedPlace(NamedTuple):
    """What a request is about: a file in its catalog, and the key or value at a place in it."""

    catalog: EditedCatalog
    name: str
    positions: TextPositions
    offset: int
    place: ManifestPlace | None


class EditorServer(LanguageServer):
    """The catalogs whose files are open, and what the editor shows of each."""

    def __init__(self) -> None:
        super().__init__("lmssync", __version__)
        self.catalogs: dict[Path, EditedCatalog] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._published: dict[str, Sequence[lsp.Diagnostic]] = {}
        self._refused: dict[Path, str] = {}
        """Why catalogs cannot be checked, as the editor has shown it."""

    def find_file(self, uri: str) -> tuple[EditedCatalog, str] | None:
        """The file of a catalog that an address of the editor means; None if it is in none."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is None:
            return None
        folders = {Path(to_fs_path(folder) or "") for folder in self.workspace.folders}
        root = find_catalog_of(Path(path), folders)
        if root is None:
            return None
        catalog = self.catalogs.setdefault(root, EditedCatalog(root))
        return catalog, Path(path).relative_to(root).as_posix()

    def find_place(self, params: Any) -> AskedPlace | None:
        """The place that a request is about; of one about a whole file its beginning."""
        found = self.find_file(params.text_document.uri)
        if found is None:
            return None
        positions, where = self.positions_in(*found), getattr(params, "position", None)
        offset = positions.offset_at(where) if where else 0
        outline = found[0].outline_file(found[1])
        node = outline.find_node_at(offset) if where else None
        place = ManifestPlace(*found, outline, node) if node else None
        return AskedPlace(*found, positions, offset, place)

    def uri_of(self, catalog: EditedCatalog, name: str) -> str:
        """The address of a file: that under which it is open, or the usual spelling."""
        path = str(catalog.root / name)
        opened = (uri for uri in self.workspace.text_documents if to_fs_path(uri) == path)
        return next(opened, None) or str(from_fs_path(path))

    def positions_in(self, catalog: EditedCatalog, name: str) -> TextPositions:
        return TextPositions(catalog.read_text(name), self.workspace.position_codec)

    def location_of(self, catalog: EditedCatalog, name: str, span: Span) -> lsp.Location:
        """A part of a file as the editor names it."""
        where = self.positions_in(catalog, name).range_of(span)
        return lsp.Location(self.uri_of(catalog, name), where)

    def edit_of(
        self,
        catalog: EditedCatalog,
        changes: FileChanges,
        *,
        created: str = "",
        moves: Sequence[tuple[str, str]] = (),
    ) -> lsp.WorkspaceEdit:
        """Changes of texts as the editor makes them, with the ends of lines that a file has; before
        them it creates a file, after them it gives files other names."""
        made: dict[str, list[lsp.TextEdit]] = {}
        for name, some in changes.items():
            positions, ending = self.positions_in(catalog, name), catalog.find_line_end(name)
            made[self.uri_of(catalog, name)] = [
                lsp.TextEdit(positions.range_of(one.span), one.text.replace("\n", ending))
                for one in some
            ]
        if not (created or moves):
            return lsp.WorkspaceEdit(changes=dict(made))
        begun = lsp.OptionalVersionedTextDocumentIdentifier
        return lsp.WorkspaceEdit(
            document_changes=[
                *([lsp.CreateFile(self.uri_of(catalog, created))] if created else []),
                *(lsp.TextDocumentEdit(begun(uri), [*some]) for uri, some in made.items()),
                *(
                    lsp.RenameFile(self.uri_of(catalog, old), self.uri_of(catalog, new))
                    for old, new in moves
                ),
            ]
        )

    def take_text(self, uri: str) -> None:
        """Notes what the editor shows of a file now."""
        if found := self.find_file(uri):
            catalog, name = found
            catalog.put_text(name, self.workspace.get_text_document(uri).source)
            self.check_soon(catalog)
            asyncio.get_running_loop().call_later(_PAUSE, self._answer_now, uri, *found)
        elif uri in self._published:  # its catalog is gone
            self._publish(uri, [])

    def drop_text(self, uri: str) -> None:
        """The editor shows the file no longer: what was saved counts."""
        if found := self.find_file(uri):
            catalog, name = found
            catalog.drop_text(name)
            self.check_soon(catalog)

    def check_soon(self, catalog: EditedCatalog) -> None:
        """Checks a catalog once no further edit comes."""
        if waiting := self._waiting.pop(catalog.root, None):
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[catalog.root] = loop.call_later(_PAUSE_OF_CHECK, self._check_now, catalog)

    def _answer_now(self, uri: str, catalog: EditedCatalog, name: str) -> None:
        """Shows what the file alone tells; the whole check, which follows, names its version."""
        is_open = name in catalog.open_files
        problems = catalog.judge_open_file(name) if is_open else None
        if problems is not None and catalog.root in self._waiting:
            self._publish(uri, [*self._diagnostics_of(catalog, name, problems)], is_final=False)

    def _check_now(self, catalog: EditedCatalog) -> None:
        self._waiting.pop(catalog.root, None)
        is_gone = not os.path.lexists(catalog.root / PROJECT_FILE)
        try:
            problems = {} if is_gone else catalog.judge_catalog()
        except LmssyncError as error:
            text = f"{error.message}: {error.hint}" if error.hint else error.message
            if self._refused.get(catalog.root) != text:
                shown = lsp.ShowMessageParams(lsp.MessageType.Error, f"lmssync: {text}")
                self.window_show_message(shown)
            self._refused[catalog.root] = text
            return
        self._refused.pop(catalog.root, None)
        inside = f"{from_fs_path(str(catalog.root))}/"
        found: dict[str, list[lsp.Diagnostic]] = {
            uri: [] for uri in self._published if uri.startswith(inside)
        }
        for name in {*problems, *catalog.open_files}:
            shown_now = self._diagnostics_of(catalog, name, problems.get(name, ()))
            found[self.uri_of(catalog, name)] = [*shown_now]
        for uri, diagnostics in sorted(found.items()):
            if self._published.get(uri) != diagnostics or uri in self.workspace.text_documents:
                self._publish(uri, diagnostics)
        if is_gone:
            self.catalogs.pop(catalog.root, None)

    def _publish(
        self, uri: str, diagnostics: Sequence[lsp.Diagnostic], *, is_final: bool = True
    ) -> None:
        self._published[uri] = diagnostics
        opened = self.workspace.text_documents.get(uri) if is_final else None
        version = opened.version if opened else None
        shown = lsp.PublishDiagnosticsParams(uri, diagnostics, version)
        self.text_document_publish_diagnostics(shown)

    def _diagnostics_of(
        self, catalog: EditedCatalog, name: str, problems: Sequence[Problem]
    ) -> Iterator[lsp.Diagnostic]:
        positions = self.positions_in(catalog, name)
        for problem in problems:
            yield lsp.Diagnostic(
                positions.range_from(problem.where),
                f"{problem.message}\n{problem.hint}".rstrip(),
                _SEVERITY[problem.severity],
                problem.code,
                source="lmssync",
                data=[problem.hint, problem.origin.document, *problem.origin.path],
            )


def make_server() -> EditorServer:
    """A server with everything that an editor can ask for."""
    server = EditorServer()

    @server.feature(lsp.INITIALIZED)
    def watch_files(one: EditorServer, _params: lsp.InitializedParams) -> None:
        """Asks to be told of files that change on the disk."""
        workspace = one.client_capabilities.workspace
        watched = workspace and workspace.did_change_watched_files
        if watched and watched.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*")])
            name = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            one.client_register_capability(
                lsp.RegistrationParams([lsp.Registration("files", name, options)])
            )

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def take_text(one: EditorServer, params: Any) -> None:
        one.take_text(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def close_file(one: EditorServer, params: lsp.DidCloseTextDocumentParams) -> None:
        one.drop_text(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(one: EditorServer, _params: lsp.DidChangeWatchedFilesParams) -> None:
        for catalog in one.catalogs.values():
            one.check_soon(catalog)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def describe_item(one: EditorServer, item: lsp.CompletionItem) -> lsp.CompletionItem:
        uri, kind, key = item.data or ("", "", "")
        if found := one.find_file(uri):
            said = describe_thing(found[0], NamedThing(Address(kind, key)))
            item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, said)
        return item

    for method, (answer, options) in _ANSWERS.items():
        _register_answer(server, method, answer, options)
    return server


Answer = Callable[[EditorServer, AskedPlace, Any], Any]


def _register_answer(server: EditorServer, method: str, answer: Answer, options: Any) -> None:
    """Answers a request about a place; nothing where that is in no catalog."""

    @server.feature(method, options)
    def answer_request(one: EditorServer, params: Any) -> Any:
        asked = one.find_place(params)
        return answer(one, asked, params) if asked else None


def _show_definition(one: EditorServer, asked: AskedPlace, _params: Any) -> lsp.Location | None:
    found = find_definition(asked.place) if asked.place else None
    return one.location_of(asked.catalog, *found) if found else None


def _show_references(one: EditorServer, asked: AskedPlace, params: Any) -> list[lsp.Location]:
    itself = params.context.include_declaration
    found = find_references(asked.catalog, asked.name, asked.place, itself=itself)
    return [one.location_of(asked.catalog, *span) for span in found]


def _prepare_rename(_one: EditorServer, asked: AskedPlace, _params: Any) -> lsp.Range | None:
    span = find_name_span(asked.place) if asked.place else None
    return asked.positions.range_of(span) if span else None


def _rename_named(one: EditorServer, asked: AskedPlace, params: Any) -> lsp.WorkspaceEdit:
    named = asked.place and asked.place.named
    if not named:
        raise JsonRpcInvalidParams("nothing here has a name that can be changed")
    try:
        changes = rename_thing(asked.catalog, named, params.new_name)
        moves = [*list_file_moves(asked.catalog, named, params.new_name)]
        return one.edit_of(asked.catalog, changes, moves=moves)
    except WrongUse as error:
        raise JsonRpcInvalidParams(f"{error.message}; {error.hint}") from None


def _show_meaning(_one: EditorServer, asked: AskedPlace, _params: Any) -> lsp.Hover | None:
    found = explain_place(asked.place, asked.offset) if asked.place else None
    if found is None:
        return None
    text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0])
    return lsp.Hover(text, asked.positions.range_of(found[1]))


def _complete_text(_one: EditorServer, asked: AskedPlace, params: Any) -> list[lsp.CompletionItem]:
    span, offers = list_offers(asked.catalog, asked.name, asked.offset)
    where = asked.positions.range_of(span)
    for item in offers:
        item.text_edit = lsp.TextEdit(where, item.filter_text or item.label)
        item.data = [params.text_document.uri, *item.data] if item.data else None
    return offers


def _offer_actions(one: EditorServer, asked: AskedPlace, params: Any) -> list[lsp.CodeAction]:
    catalog, name = asked.catalog, asked.name
    fixes, whole = (kind.startswith(tuple(params.context.only or _ACTIONS)) for kind in _ACTIONS)
    actions: list[lsp.CodeAction] = []
    for known in params.context.diagnostics if fixes else ():
        hint, document, *path = known.data or ("", 0)
        message, offset = (
            known.message.partition("\n")[0],
            asked.positions.offset_at(known.range.start),
        )
        problem = KnownProblem(str(known.code), message, hint, offset, document, (*path,))
        for remedy in list_remedies(catalog, name, problem) if known.source == "lmssync" else ():
            edit = one.edit_of(catalog, remedy.changes, created=remedy.new_file)
            actions.append(lsp.CodeAction(remedy.title, _ACTIONS[0], [known], edit=edit))
    for remedy in format_text(catalog, name) if whole else ():
        edit = one.edit_of(catalog, remedy.changes, created=remedy.new_file)
        actions.append(lsp.CodeAction(remedy.title, _ACTIONS[1], edit=edit))
    return actions


def _format_file(
    one: EditorServer, asked: AskedPlace, _params: Any
) -> Sequence[lsp.TextEdit] | None:
    remedy = next(format_text(asked.catalog, asked.name), None)
    made = one.edit_of(asked.catalog, remedy.changes).changes if remedy else None
    return next(iter(made.values())) if made else None


def _list_symbols(_one: EditorServer, asked: AskedPlace, _params: Any) -> list[lsp.DocumentSymbol]:
    outline, positions = asked.catalog.outline_file(asked.name), asked.positions
    top: list[lsp.DocumentSymbol] = []
    inside: dict[tuple[int, ValuePath], list[lsp.DocumentSymbol]] = {}
    for node in outline.nodes:
        texts = outline.scalar_texts(node.document, node.path)
        is_top, key = node.path == ("resource",), outline.find_node(node.document, ("key",))
        if is_top or texts:
            name = texts.get("title") or texts.get("id") or node.text
            name = name or str(node.path[-1] if node.key else next(iter(texts.values())))
            made = lsp.DocumentSymbol(
                name or "-",
                lsp.SymbolKind.Class if is_top else lsp.SymbolKind.Field,
                positions.range_of(Span(node.start, node.end)),
                positions.range_of(node.key or Span(node.start, node.start)),
                detail=key.text if is_top and key else texts.get("type"),
                children=[],
            )
            inside.get((node.document, node.path[:-1]), top).append(made)
            inside[node.document, node.path] = made.children = []
    return top


def _list_folds(_one: EditorServer, asked: AskedPlace, _params: Any) -> list[lsp.FoldingRange]:
    spans = (Span(node.start, node.end) for node in asked.catalog.outline_file(asked.name).nodes)
    lines = {(at.start.line, at.end.line) for at in map(asked.positions.range_of, spans)}
    return [lsp.FoldingRange(start, end) for start, end in sorted(lines) if start < end]


_ANSWERS: dict[str, tuple[Answer, Any]] = {
    lsp.TEXT_DOCUMENT_DEFINITION: (_show_definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (_show_references, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (_prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (_rename_named, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_HOVER: (_show_meaning, None),
    lsp.TEXT_DOCUMENT_COMPLETION: (
        _complete_text,
        lsp.CompletionOptions([" ", "/", "-", "["], resolve_provider=True),
    ),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (_offer_actions, lsp.CodeActionOptions(_ACTIONS)),
    lsp.TEXT_DOCUMENT_FORMATTING: (_format_file, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_list_symbols, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_list_folds, None),
}
"""What answers each request about a file or a place in it, and what the editor is told of that."""


def serve_editor() -> None:
    """Serves until the editor ends the conversation, or is gone."""
    # The guard of our output would change messages whose length has been said before.
    with suppress(BrokenPipeError), os.fdopen(os.dup(_STDOUT), "wb") as out:
        make_server().start_io(stdout=out)
