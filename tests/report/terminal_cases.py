"""Reports at terminals of two widths: plans of the example catalog, and a mistake in its source."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lmssync.catalog.catalog_validation import load_readable_part
from lmssync.cli.outline_command import make_trees
from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.planning import diff, plan
from lmssync.planning.diff import find_resource_status
from lmssync.planning.plan import Plan, PlanContext
from lmssync.report import catalog_report
from lmssync.report.changes import plan_text
from lmssync.report.comparison_report import resource_status_text
from lmssync.report.problems import Display, SourceLines, problems_text
from lmssync.report.terminal_style import PLAIN, wrap_text
from lmssync.resource import Address, Place, Resource
from lmssync.settings import Platform
from lmssync.state import Record, Store
from tests.making import course, criterion
from tests.planning.plan.planning import planned

EXAMPLE = Path(__file__).parents[2] / "examples" / "catalog"
FIRE = "safety/fire-safety/course.yaml"
EDITS = (
    (FIRE, "priceInCents: 2900", "priceInCents: 3400"),
    ("safety/safety-101/course.yaml", "percent: 90", "percent: 80"),
)
"""What an author changes in the example: the price of a course, and the rule of another one."""
MISTAKE = FIRE, "percent: 95", "percent: 195"
Case = Callable[[Store], str]


def _edited(*edits: tuple[str, str, str]) -> tempfile.TemporaryDirectory[str]:
    """A copy of the example with other texts in some manifests."""
    folder = tempfile.TemporaryDirectory()
    shutil.copytree(EXAMPLE, folder.name, dirs_exist_ok=True)
    for name, old, new in edits:
        file = Path(folder.name) / name
        text = file.read_text("utf-8")
        assert old in text, old
        file.write_text(text.replace(old, new), "utf-8")
    return folder


def _recorded(resource: Resource) -> Record:
    """What the state has of a resource once it has been applied, each part with an id."""
    kind = KINDS[resource.address.kind]
    parts = {path: f"id of {path}" for path in kind.authoring.parts(resource.form)}
    ids = {"course": "C", "courseGroup": "G", kind.reads.id_name: "I"}
    known = Ids(ids, parts)
    return Record(resource.address, known, resource.fingerprint, resource.packed_form)


def example_edit(store: Store) -> Plan:
    """The plan for the edits, where the example as it is has been applied."""
    before, _ = load_readable_part(EXAMPLE, None, {})
    with store.hold_state():
        store.put_records(map(_recorded, before.resources.values()), reason="test")
    with _edited(*EDITS) as folder:
        after, _ = load_readable_part(Path(folder), None, {})
    changes = [diff.with_live(one, None) for one in diff.find_changes(after.resources, store)]
    where = PlanContext("sandbox", "http://127.0.0.1:8800", Platform())
    return plan.make_plan(after, store, changes, where)


def outline(columns: int) -> str:
    """A course of the example with its parts."""
    catalog, _ = load_readable_part(EXAMPLE, None, {})
    (tree,) = make_trees(catalog, ["course.safety-101"])
    return catalog_report.tree_text(tree, width=columns, currency="EUR")


def edited_course(store: Store, columns: int) -> str:
    """A course of the example, in which the price is another one than is recorded."""
    example_edit(store)
    with _edited(EDITS[0]) as folder:
        after, _ = load_readable_part(Path(folder), None, {})
    status = find_resource_status(
        Address("course", "fire-safety"), after.resources, store, Platform().routes
    )
    place = Place(FIRE, 3)
    return wrap_text(resource_status_text(status, place, PLAIN, full=False), columns)


def natural_order(store: Store) -> Plan:
    """Courses whose keys have numbers."""
    return planned(store, [course(f"c{n}", title=f"Part {n}") for n in (10, 2, 1, 11)])


def twelve_rules(store: Store) -> Plan:
    """The same rule, new in each of twelve courses."""
    courses = [course(f"c{n}", title=f"Part {n}") for n in range(1, 13)]
    rules = [criterion(f"c{n}.most", course=f"c{n}") for n in range(1, 13)]
    return planned(store, [*courses, *rules], courses)


def mistake(columns: int) -> str:
    """A share that is too large, with the line of the source and a mark below it."""
    with _edited(MISTAKE) as folder:
        _, problems = load_readable_part(Path(folder), None, {})
        return problems_text(problems, Display(columns=columns, lines=SourceLines(Path(folder))))


PLANS: Mapping[str, Callable[[Store], Plan]] = {
    "example-edit": example_edit,
    "natural-order": natural_order,
    "twelve-rules": twelve_rules,
}


def list_terminal_cases() -> Iterator[tuple[str, Case]]:
    """The name of each golden file, and what is in it."""
    for columns in (80, 120):
        yield f"mistake-{columns}.txt", lambda _, at=columns: mistake(at)
        yield f"outline-{columns}.txt", lambda _, at=columns: outline(at)
        yield f"show-{columns}.txt", lambda store, at=columns: edited_course(store, at)
        for name, make in PLANS.items():

            def shown(store: Store, make: Callable[[Store], Plan] = make, at: int = columns) -> str:
                return plan_text(make(store), columns=at, next_step="`lmssync apply`")

            yield f"{name}-{columns}.txt", shown
