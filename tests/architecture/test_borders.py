"""Who may use what: packages of others, names of kinds, paths of routes."""

import pytest

from lmssync.kinds import KINDS

from .named import OWNERS
from .source_tree import PACKAGE, Module, calls, in_one_process, modules, ours, texts, theirs

pytestmark = in_one_process

BORDERS = {
    "httpx": {"platform.client"},
    "ruamel": {"catalog.manifests"},
    "_ruamel_yaml_clibz": {"catalog.manifests"},
    "pyromark": {"texts.values"},
    "click": {"cli"},
    "translate": {"catalog.translations"},
    "jinja2": {"catalog.manifests", "support.pages", "report"},
    "deepdiff": {"planning.diff"},
    "greenlet": {"applying.apply"},
    "filelock": {"state", "sandbox"},
    "sqlite3": {"state", "learners.events", "learners.operations", "sandbox", "catalog.manifests"},
    "nh3": {"vocabulary", "support.pages", "sandbox"},
    "starlette": {"sandbox"},
    "uvicorn": {"sandbox"},
    "httptools": {"sandbox"},
    "pyarrow": {"report"},
    "obstore": {"state.backends"},
    "psycopg": {"state.backends"},
    "xml": {"sync.importers", "report"},
    "zipfile": {"sync.importers", "sync.media_files"},
    "imagesize": {"sync.media_files"},
    "pypdf": {"sync.media_files"},
    "tarfile": {"sync.importers"},
}
WORDS_OF_OUR_OWN = {
    ("cli.activity_command", "assignment"),
    ("cli.activity_command", "course"),
    ("cli.preview_command", "course"),
    ("report.import_report", "course"),
    ("state.backends.object_stores", "path"),
    ("applying.pipeline", "client"),
    ("report.problems.problem_formats", "path"),
    ("planning.plan.plan_codec", "path"),
    ("report.drift_report", "path"),
    ("report.pull_report", "path"),
    ("report.comparison_report", "path"),
}
WORDS_OF_OUR_OWN |= {
    ("catalog.manifests.story_documents", word)
    for word in ("course", "client", "license", "criterion", "path")
}
"""Keys of documents that happen to be spelled like a kind, and what an assertion counts."""


def test_packages_of_others_stay_behind_their_border():
    """One room deals with a package; its errors and its types stop there."""
    used = [(package, m) for m in modules() for package in theirs(m) & BORDERS.keys()]
    assert [] == [(package, m.name) for package, m in used if m.room not in BORDERS[package]]


NO_STAGES = {"kind", "kinds", "vocabulary", "sandbox", "support.pages", "sync.importers"}
NO_STAGES |= {"learners.events", "learners.stories"}
NO_STAGES |= {"platform.list_declarations", "platform.list_reading"}
"""What other systems have are courses: `sync.importers` makes these and nothing else. `pages` shows
the platform's documents, and `events` and `lists` read its feeds and lists, by the platform's
names. Stories are about what learners do in courses."""
ROOMS = {kind.spec.__module__.split(".")[2] for kind in KINDS.values()}
"""Of the kinds: `license_assignment`."""


def stages() -> list[Module]:
    """The modules that know no kind."""
    return [m for m in modules() if m.room not in NO_STAGES]


def test_no_stage_names_a_kind():
    """A stage asks what a kind declares, never which kind it is."""
    names = set(KINDS) | {kind.resource for kind in KINDS.values()}
    named = {(stage.name, text) for stage in stages() for text in texts(stage) if text in names}
    assert set() == named - WORDS_OF_OUR_OWN


def test_no_stage_imports_a_kind():
    """What is in the room of a kind is reached through its declaration."""
    inside = [(stage.name, name) for stage in stages() for name in ours(stage) if "kinds." in name]
    assert [] == [(stage, name) for stage, name in inside if name.split(".")[1] in ROOMS]


def test_no_stage_names_a_field_of_one_kind():
    """What a field means is said by the kind that has it."""
    asked = [stage for stage in stages() if stage.room != "platform.client"]
    named = {(stage.name, t) for stage in asked for t in texts(stage) if t in FIELDS_OF_ONE_KIND}
    assert set() == named - EXAMPLES


COMMON_WORDS = {"body", "description", "isbn", "item", "kind", "language", "markdown", "on"}
COMMON_WORDS |= {"slug", "source", "status", "tags", "target", "url"}
"""They mean other things as well, name a rule, or stand in models that any kind may use."""
FIELDS_OF_ONE_KIND = {field for field, kinds in OWNERS.items() if kinds == 1} - COMMON_WORDS
EXAMPLES = {("catalog.manifests.policies.policy_documents", "metaDescription")}
EXAMPLES |= {("cli.import_command", "courses"), ("settings", "ref10")}
EXAMPLES |= {("report.import_report", word) for word in ("courses", "topic", "topics")}
EXAMPLES |= {
    ("catalog.manifests.story_documents", word)
    for word in ("percent", "seconds", "priceInCents", "client")
}
"""An example, the name of a folder, what an import counts, and how a story says a page is read."""


@pytest.mark.parametrize("piece", ["/incoming/", "/v3"])
def test_paths_of_routes_are_written_once(piece: str):
    """The route table alone spells them; the client and the sandbox read it."""
    writers = {m.name for m in modules() if any(piece in text for text in _said(m))}
    assert writers <= {"vocabulary.routes"}


def _said(module: Module) -> set[str]:
    """Texts that could be sent: those that are not prose."""
    return {text for text in texts(module) if " " not in text}


def test_every_kind_is_listed():
    """A module of `kinds` that declares a kind stands in `KINDS`."""
    declares = {m.name for m in modules() if m.room == "kinds" and "KIND = Kind(" in _source(m)}
    listed = {spec.spec.__module__.removeprefix("lmssync.") for spec in KINDS.values()}
    assert declares == {name.rpartition(".")[0] for name in listed}


def _source(module: Module) -> str:
    return module.file.read_text("utf-8")


def test_nothing_is_named_for_nothing():
    """There is no room or module for odds and ends."""
    odd = {"utils", "util", "common", "helpers", "core", "base", "misc"}
    assert set() == odd & {file.stem for file in PACKAGE.rglob("*") if file.is_dir() or file.suffix}


def test_only_the_command_line_prints_and_exits():
    """Errors never print and never exit; `cli` alone speaks."""
    speaking = {"print", "sys.exit", "exit", "quit", "os._exit"}
    assert [] == [m.name for m in modules() if m.room != "cli" and speaking & calls(m)]


def test_one_module_reads_iso_dates():
    """`vocabulary.iso_dates` alone parses them: what has no zone means UTC everywhere."""
    reads = [m.name for m in modules() if "datetime.fromisoformat" in _source(m)]
    assert ["vocabulary.iso_dates"] == reads
