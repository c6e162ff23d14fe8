"""Plans and receipts as one file for a browser: nothing is fetched, nothing leaves it.

A page says who notices what, shows each change, and each course before and after, as the preview
shows it. What authors wrote is escaped, or is sanitised and in frames that run nothing.
"""

import hashlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment

from ..applying.apply import Report
from ..kind import Effect, Kind
from ..kinds import KINDS, is_structure
from ..planning.plan import Plan, PlannedChange, forms_of_change, plan_digest
from ..resource import Address, Form
from ..state import now_utc, read_user_name
from ..support.invisible_characters import escape_invisible
from ..support.pages import (
    BODY_STYLE,
    CRITERION,
    NEW,
    OUTLINE_STYLE,
    PATH,
    Document,
    PageText,
    compare_texts,
    complete_entry,
    format_price,
    make_page_environment,
    mark_changes,
    sanitise_body,
)
from ..texts.values import render_markdown
from .apply_receipt import IdsOf, receipt_facts, receipt_notes, receipt_sections
from .apply_text import list_apply_counts, phrase_outcome
from .changes import (
    Parts,
    Reordered,
    Rewritten,
    Section,
    Value,
    Whole,
    build_sections,
    changed_text,
    confirm_line,
    describe_verdicts,
    list_plan_counts,
    list_plan_facts,
    list_plan_notes,
    name_environment,
)
from .evidence_text import moment_text

_HERE = Path(__file__).parent / "html"
_PIECE = 200
"""Pieces that are written at once."""
_BODIES = 40
"""Bodies of one resource that are shown."""
FEW = 10
"""Changes that are shown unfolded and without a filter."""
_TEXTS = "body", "preTextBlock", "postTextBlock"
"""The fields of a part, and of a language of it, that hold a body."""


def stream_page(template: str, **context: Any) -> Iterator[bytes]:
    """A whole page, a piece at a time."""
    stream = _templates().get_template(template).stream(**context)
    # Unbuffered, Jinja yields each little text by itself: a large plan would be very many writes.
    stream.enable_buffering(_PIECE)
    return (piece.encode("utf-8", "replace") for piece in stream)


@cache
def _templates() -> Environment:
    made = make_page_environment(_HERE)
    style, script = OUTLINE_STYLE + _text("style.css"), _text("filter.js")
    policy = _policy([style, BODY_STYLE], [script])
    made.globals.update(STYLE=style, SCRIPT=script, POLICY=policy)
    made.filters["name_environment"] = name_environment
    for kind in (Value, Reordered, Rewritten, Whole, Parts):
        # The default binds this round's class: a closure would see the last one in every test.
        made.tests[kind.__name__.lower()] = lambda item, kind=kind: isinstance(item, kind)
    return made


def _text(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _policy(styles: list[str], scripts: list[str]) -> str:
    """Nothing is loaded; of styles and scripts only these very ones count."""

    def list_hashes(texts: list[str]) -> str:
        hashes = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
        return " ".join(f"'sha256-{one}'" for one in hashes)

    sources = f"style-src {list_hashes(styles)}; script-src {list_hashes(scripts)}"
    return f"default-src 'none'; {sources}; img-src data:; base-uri 'none'; form-action 'none'"


class LearnerView(NamedTuple):
    """A course before and after, as learners see it."""

    course: Document
    """With what differs marked, and without the bodies that do not differ."""
    price: Sequence[PageText]
    criteria: Sequence[PageText]
    """Those that change."""
    buttons: Sequence[PageText]
    """The labels of the purchase paths that change."""
    is_new: bool
    left_out: int
    """Bodies that differ and are not shown."""


@dataclass(frozen=True)
class LearnerViews:
    """The courses of a plan as learners see them."""

    plan: Plan

    def view_course(self, planned: PlannedChange) -> LearnerView | None:
        """Return None for a resource without parts that learners could see."""
        before, after = forms_of_change(self.plan, planned)
        # Only a form with a tree of parts has a page of its own that learners open.
        if not any(is_structure(value) for value in after.values()):
            return None
        now, shown = self._complete_form(after), _Shown()
        was = self._complete_form(before) if before else None
        inside = [
            (route, text)
            for route, kind, *forms in self._changes_inside[planned.address]
            for text in compare_texts(
                *([kind.authoring.title_beside(form, after)] if form else [] for form in forms)
            )
        ]
        return LearnerView(
            shown.part(mark_changes(now, was) if was else now, new=not was),
            compare_texts([format_price(now)], [format_price(was)] if was else None),
            [text for route, text in inside if route == CRITERION],
            [text for route, text in inside if route == PATH],
            is_new=not was,
            left_out=max(0, shown.bodies - _BODIES),
        )

    def _complete_form(self, form: Form) -> Document:
        return {**complete_entry(_sanitised_form(form)), "currency": self.plan.currency}

    @cached_property
    def _changes_inside(self) -> Mapping[Address, Sequence[tuple[str, Kind, Form, Form]]]:
        """By course, the criteria and the purchase paths that change: the routes of them, their
        kinds, and their forms after and before."""
        found = defaultdict[Address, list[tuple[str, Kind, Form, Form]]](list)
        for planned in self.plan.changes:
            address, kind = planned.address, KINDS[planned.address.kind]
            before, after = forms_of_change(self.plan, planned)
            concerned = [*kind.impact.touches(address, before, after)] if after else []
            route = kind.calls.create(address, after, None).route if concerned else ""
            if route in {CRITERION, PATH} and (course := concerned[0].address):
                found[course].append((route, kind, after, before))
        return found


def _sanitised_form(value: Any) -> Any:
    """A form with sanitised HTML in the place of the nodes for it, and no body of an author."""
    if isinstance(value, list):
        return [_sanitised_form(item) for item in value]
    if not isinstance(value, dict):
        return value
    # Rendered here as it would be when it is sent, so that the page shows what learners will see.
    if "$markdown" in value:
        return _sanitise_text(render_markdown(value["$markdown"]))
    made = {name: _sanitised_form(item) for name, item in value.items()}
    clean = {n: _sanitise_text(made[n]) for n in _TEXTS if type(made.get(n)) is str}
    return {**made, **clean, "filled": bool(value.get("attested"))}


def _sanitise_text(html: str) -> str:
    """A body without `style`, which the policy of a report does not let count."""
    return sanitise_body(html, keeps_styles=False)


@dataclass
class _Shown:
    """Leaves out the bodies that are as they were, and those that are too many."""

    bodies: int = 0
    """Bodies that differ and were met so far."""

    def part(self, document: Document, *, new: bool) -> Document:
        """A part with everything in it; all bodies of one that is new differ."""
        new = new or document.get("mark") == NEW
        return dict(self._fields(document, new=new))

    def _fields(self, document: Document, *, new: bool) -> Iterator[tuple[str, Any]]:
        differs = document.get("was", {}).keys()
        for name, value in document.items():
            if name in _TEXTS:
                yield name, value if (new or name in differs) and self._has_room(value) else None
            elif isinstance(value, list) and all(isinstance(one, Mapping) for one in value):
                yield name, [self.part(one, new=new) for one in value]
            else:
                yield name, value

    def _has_room(self, body: Any) -> bool:
        # Counted even when there is no room left: the page says how many bodies it leaves out.
        self.bodies += bool(body)
        return self.bodies <= _BODIES


def plan_html(plan: Plan) -> Iterator[bytes]:
    """The whole page of a plan, a piece at a time."""
    parts = build_sections(plan)
    return _page(
        f"Plan for {plan.environment}",
        plan,
        parts,
        counts=list_plan_counts(plan) if parts else ["no changes"],
        guards=describe_verdicts(plan.guards),
        notes=list(list_plan_notes(plan)),
        confirm=list(confirm_line(plan)),
        facts=[*_signature(), *list_plan_facts(plan)],
    )


def receipt_html(
    report: Report, plan: Plan | None, ids: IdsOf, environment: str
) -> Iterator[bytes]:
    """The page of what an apply did; `plan` is the one that was applied, if there was one."""
    commits = [("Commit", escape_invisible(plan.commit))] if plan and plan.commit else []
    digests = [("Digest of the plan", plan_digest(plan))] if plan else []
    return _page(
        f"{phrase_outcome(report, plan)} to {environment}",
        plan,
        receipt_sections(report, plan, ids) if plan else [],
        counts=list_apply_counts(report, plan),
        confirm=list(confirm_line(plan)) if plan else [],
        guards=[],
        notes=list(receipt_notes(report)),
        facts=[*_signature(), *receipt_facts(report, plan), *commits, *digests],
        untold=report.has_failed,
    )


def _page(
    title: str,
    plan: Plan | None,
    parts: Sequence[Section],
    *,
    untold: Callable[[Address], bool] = lambda _: False,
    **shown: Sequence[Any],
) -> Iterator[bytes]:
    """A page; no call says what learners see of what is `untold`, since it was done in part."""

    views = LearnerViews(plan) if plan else None
    rows = [row for part in parts for row in part.rows]
    effects = {row.entry.effect for row in rows}

    def view_of(planned: PlannedChange) -> LearnerView | None:
        return views.view_course(planned) if views and not untold(planned.address) else None

    return stream_page(
        "plan.html",
        title=escape_invisible(title),
        where=escape_invisible(plan.base_url) if plan else "",
        environment=plan.environment if plan else "",
        sections=parts,
        is_short=sum(part.number for part in parts) <= FEW,
        actions=list(dict.fromkeys(row.entry.action for row in rows)),
        effects=[effect for effect in Effect if effect in effects],  # the mildest first
        changed=changed_text,
        seen=view_of,
        **shown,
    )


def _signature() -> Iterator[tuple[str, str]]:
    """When a page is written, and by whom: it may be read long after."""
    yield "Written", f"{moment_text(now_utc())}, by {escape_invisible(read_user_name())}"
