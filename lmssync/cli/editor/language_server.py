"""The server that an editor talks to: it keeps the open texts, and publishes their problems.

One thread decides. A check begins a moment after the last edit, and everything else is answered at
once, from what the last check has found and the texts as they are now.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
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
from ...resource import Address, Path as ValuePath
from .author_help import describe_thing, explain_place, list_offers, make_completion_item
from .edited_catalog import EditedCatalog, NamedThing, find_catalog_of
from .manifest_places import find_definition, find_named_thing, find_references
from .name_changes import FileChanges, find_name_span, rename_thing
from .remedies import KnownProblem, Remedy, format_text, list_remedies
from .text_outline import Span, TextNode, TextPositions

_STDOUT = 1
_PAUSE, _PAUSE_OF_CHECK = 0.02, 0.1
"""Seconds without an edit after which the file alone, and then the catalog, is checked."""
_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}


class OpenFile(NamedTuple):
    """A file that a request is about, in its catalog."""

    catalog: EditedCatalog
    name: str


class AskedPlace(NamedTuple):
    """A place in such a file, and the key or value there."""

    catalog: EditedCatalog
    name: str
    offset: int
    node: TextNode | None


class EditorServer(LanguageServer):
    """The catalogs whose files are open, and what the editor shows of each."""

    def __init__(self) -> None:
        super().__init__("lmssync", __version__)
        self._catalogs: dict[Path, EditedCatalog] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}
        self._published: dict[str, Sequence[lsp.Diagnostic]] = {}

    def find_file(self, uri: str) -> OpenFile | None:
        """The file of a catalog that an address of the editor means; None if it is in none."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is None:
            return None
        file = Path(path)
        folders = (to_fs_path(folder) for folder in self.workspace.folders)
        root = find_catalog_of(file, {Path(folder) for folder in folders if folder})
        if root is None:
            return None
        catalog = self._catalogs.setdefault(root, EditedCatalog(root))
        return OpenFile(catalog, catalog.name_file(file))

    def uri_of(self, catalog: EditedCatalog, name: str) -> str:
        """The address of a file: that under which it is open, or the usual spelling."""
        path = str(catalog.root / name)
        opened = (uri for uri in self.workspace.text_documents if to_fs_path(uri) == path)
        return next(opened, None) or str(from_fs_path(path))

    def positions_in(self, catalog: EditedCatalog, name: str) -> TextPositions:
        return TextPositions(catalog.read_text(name), self.workspace.position_codec)

    def find_place(self, params: Any) -> "AskedPlace | None":
        """The place that a request is about."""
        found = self.find_file(params.text_document.uri)
        if found is None:
            return None
        offset = self.positions_in(*found).offset_at(params.position)
        return AskedPlace(
            *found, offset, found.catalog.outline_file(found.name).find_node_at(offset)
        )

    def edit_for(self, about: OpenFile, remedy: Remedy) -> lsp.WorkspaceEdit:
        """A remedy as the editor makes it; a file that it begins is created."""
        edit = self.edit_of(about.catalog, remedy.changes)
        if remedy.new_file:
            uri = self.uri_of(about.catalog, remedy.new_file)
            begun = lsp.OptionalVersionedTextDocumentIdentifier(uri)
            edits = [*(edit.changes or {})[uri]]
            edit = lsp.WorkspaceEdit(
                document_changes=[lsp.CreateFile(uri), lsp.TextDocumentEdit(begun, edits)]
            )
        return edit

    def edit_of(self, catalog: EditedCatalog, changes: FileChanges) -> lsp.WorkspaceEdit:
        """Changes of texts as the editor makes them."""
        made: dict[str, list[lsp.TextEdit]] = {}
        for name, some in changes.items():
            positions = self.positions_in(catalog, name)
            made[self.uri_of(catalog, name)] = [
                lsp.TextEdit(positions.range_of(one.span), one.text) for one in some
            ]
        return lsp.WorkspaceEdit(changes=dict(made))

    def location_of(self, catalog: EditedCatalog, name: str, span: Any) -> lsp.Location:
        """A part of a file as the editor names it."""
        where = self.positions_in(catalog, name).range_of(span)
        return lsp.Location(self.uri_of(catalog, name), where)

    def take_text(self, uri: str) -> None:
        """Notes what the editor shows of a file now."""
        if found := self.find_file(uri):
            found.catalog.put_text(found.name, self.workspace.get_text_document(uri).source)
            self.check_soon(found.catalog)
            asyncio.get_running_loop().call_later(_PAUSE, self._answer_now, uri, found)

    def drop_text(self, uri: str) -> None:
        """The editor shows the file no longer: what was saved counts."""
        if found := self.find_file(uri):
            found.catalog.drop_text(found.name)
            self.check_soon(found.catalog)

    def check_all_soon(self) -> None:
        for catalog in self._catalogs.values():
            self.check_soon(catalog)

    def check_soon(self, catalog: EditedCatalog) -> None:
        """Checks a catalog once no further edit comes."""
        if waiting := self._waiting.pop(catalog.root, None):
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[catalog.root] = loop.call_later(_PAUSE_OF_CHECK, self._check_now, catalog)

    def _answer_now(self, uri: str, about: OpenFile) -> None:
        """Shows what the file alone tells; the whole check, which follows, names its version."""
        is_open = about.name in about.catalog.open_files
        problems = about.catalog.judge_open_file(about.name) if is_open else None
        if problems is not None and about.catalog.root in self._waiting:
            self._published[uri] = list(self._diagnostics_of(*about, problems))
            shown = lsp.PublishDiagnosticsParams(uri, self._published[uri])
            self.text_document_publish_diagnostics(shown)

    def _check_now(self, catalog: EditedCatalog) -> None:
        self._waiting.pop(catalog.root, None)
        try:
            problems = catalog.judge_catalog()
        except LmssyncError as error:
            text = f"{error.message}: {error.hint}" if error.hint else error.message
            shown = lsp.ShowMessageParams(lsp.MessageType.Error, f"lmssync: {text}")
            self.window_show_message(shown)
            return
        found = {
            self.uri_of(catalog, name): list(
                self._diagnostics_of(catalog, name, problems.get(name, ()))
            )
            for name in sorted({*problems, *catalog.open_files})
        }
        inside = str(from_fs_path(str(catalog.root)))
        for uri in self._published.keys() - found.keys():
            found |= {uri: []} if uri.startswith(f"{inside}/") else {}
        for uri, diagnostics in sorted(found.items()):
            if self._published.get(uri) != diagnostics or uri in self.workspace.text_documents:
                self._publish(uri, diagnostics)

    def _publish(self, uri: str, diagnostics: Sequence[lsp.Diagnostic]) -> None:
        self._published[uri] = diagnostics
        opened = self.workspace.text_documents.get(uri)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri, diagnostics, opened.version if opened else None)
        )

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
        one.check_all_soon()

    _offer_names(server)
    _offer_help(server)
    _offer_remedies(server)
    _offer_outline(server)
    return server


def _offer_names(server: EditorServer) -> None:
    """Leads to what a place names, and renames it."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def show_definition(one: EditorServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        asked = one.find_place(params)
        if asked is None or asked.node is None:
            return None
        found = find_definition(asked.catalog, asked.name, asked.node)
        return one.location_of(asked.catalog, *found) if found else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def show_references(one: EditorServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        asked = one.find_place(params)
        if asked is None:
            return []
        itself = params.context.include_declaration
        found = find_references(asked.catalog, asked.name, asked.node, itself=itself)
        return [one.location_of(asked.catalog, *span) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(one: EditorServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        asked = one.find_place(params)
        if asked is None or asked.node is None:
            return None
        span = find_name_span(asked.catalog, asked.name, asked.node)
        return one.positions_in(asked.catalog, asked.name).range_of(span) if span else None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename_named(one: EditorServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        asked = one.find_place(params)
        named = asked and asked.node and find_named_thing(asked.catalog, asked.name, asked.node)
        if not asked or not named:
            raise JsonRpcInvalidParams("nothing here has a name that can be changed")
        try:
            return one.edit_of(asked.catalog, rename_thing(asked.catalog, named, params.new_name))
        except WrongUse as error:
            raise JsonRpcInvalidParams(f"{error.message}; {error.hint}") from None


def _offer_help(server: EditorServer) -> None:
    """Explains a place, and completes what is being written there."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def show_meaning(one: EditorServer, params: lsp.HoverParams) -> lsp.Hover | None:
        asked = one.find_place(params)
        if asked is None or asked.node is None:
            return None
        found = explain_place(asked.catalog, asked.name, asked.node, asked.offset)
        if found is None:
            return None
        where = one.positions_in(asked.catalog, asked.name).range_of(found[1])
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0]), where)

    options = lsp.CompletionOptions([" ", "/", "-", "["], resolve_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def complete_text(one: EditorServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        asked = one.find_place(params)
        if asked is None:
            return []
        span, offers = list_offers(asked.catalog, asked.name, asked.offset)
        where = one.positions_in(asked.catalog, asked.name).range_of(span)
        return [make_completion_item(params, where, offer) for offer in offers]

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def describe_item(one: EditorServer, item: lsp.CompletionItem) -> lsp.CompletionItem:
        uri, kind, key = item.data or ("", "", "")
        if found := one.find_file(uri):
            said = describe_thing(found.catalog, NamedThing(Address(kind, key)))
            item.documentation = lsp.MarkupContent(lsp.MarkupKind.Markdown, said)
        return item


def _offer_remedies(server: EditorServer) -> None:
    """Does what a problem asks for, and puts a file in order."""
    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(kinds))
    def offer_actions(one: EditorServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = one.find_file(params.text_document.uri)
        if found is None:
            return []
        ours = [known for known in params.context.diagnostics if known.source == "lmssync"]
        actions = [
            lsp.CodeAction(remedy.title, kinds[0], [known], edit=one.edit_for(found, remedy))
            for known in ours
            for remedy in list_remedies(*found, _problem_of(known, one.positions_in(*found)))
        ]
        actions += [
            lsp.CodeAction(remedy.title, kinds[1], edit=one.edit_for(found, remedy))
            for remedy in format_text(*found)
        ]
        only = tuple(params.context.only or kinds)
        return [action for action in actions if action.kind and action.kind.startswith(only)]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def put_in_order(
        one: EditorServer, params: lsp.DocumentFormattingParams
    ) -> list[lsp.TextEdit] | None:
        found = one.find_file(params.text_document.uri)
        remedy = next(format_text(*found), None) if found else None
        if found is None or remedy is None:
            return None
        positions = one.positions_in(*found)
        return [
            lsp.TextEdit(positions.range_of(change.span), change.text)
            for change in remedy.changes[found.name]
        ]


def _problem_of(known: lsp.Diagnostic, positions: TextPositions) -> KnownProblem:
    hint, document, *path = known.data or ("", 0)
    message, offset = known.message.partition("\n")[0], positions.offset_at(known.range.start)
    return KnownProblem(str(known.code), message, hint, offset, document, (*path,))


def _offer_outline(server: EditorServer) -> None:
    """Shows what is in a file, and folds it."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def list_symbols(
        one: EditorServer, params: lsp.DocumentSymbolParams
    ) -> list[lsp.DocumentSymbol]:
        found = one.find_file(params.text_document.uri)
        if found is None:
            return []
        outline, positions = found.catalog.outline_file(found.name), one.positions_in(*found)
        top: list[lsp.DocumentSymbol] = []
        inside: dict[tuple[int, ValuePath], list[lsp.DocumentSymbol]] = {}
        for node in outline.nodes:
            texts = outline.scalar_texts(node.document, node.path)
            is_top, key = node.path == ("resource",), outline.find_node(node.document, ("key",))
            if is_top or texts:
                name = texts.get("title") or texts.get("id") or node.text
                name = name or str(node.path[-1] if node.key else next(iter(texts.values())))
                made = lsp.DocumentSymbol(
                    name,
                    lsp.SymbolKind.Class if is_top else lsp.SymbolKind.Field,
                    positions.range_of(Span(node.start, node.end)),
                    positions.range_of(node.key or Span(node.start, node.start)),
                    detail=key.text if is_top and key else texts.get("type"),
                    children=[],
                )
                inside.get((node.document, node.path[:-1]), top).append(made)
                inside[node.document, node.path] = made.children = []
        return top

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def list_folds(one: EditorServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = one.find_file(params.text_document.uri)
        if found is None:
            return []
        positions = one.positions_in(*found)
        spans = (Span(n.start, n.end) for n in found.catalog.outline_file(found.name).nodes)
        lines = {(where.start.line, where.end.line) for where in map(positions.range_of, spans)}
        return [lsp.FoldingRange(start, end) for start, end in sorted(lines) if start < end]


def serve_editor() -> None:
    """Serves until the editor ends the conversation, or is gone."""
    # The guard of our output would change messages whose length has been said before.
    with suppress(BrokenPipeError), os.fdopen(os.dup(_STDOUT), "wb") as out:
        make_server().start_io(stdout=out)
