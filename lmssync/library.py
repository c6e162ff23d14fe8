"""lmssync for scripts, notebooks and services: open a catalog, validate, plan, apply.

Nothing here prints or ends the process. `docs/library.md` says what is promised.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from .applying import pipeline
from .applying.apply import ApplyOutcome, Report
from .catalog.catalog_validation import apply_baseline, validate_catalog
from .catalog.manifests.catalog import Catalog as Manifests
from .catalog.manifests.documents import read_project_file
from .errors import InvalidCatalog, LmssyncError, WrongUse
from .planning import plan as plans, plan_loading as planning
from .planning.allowed_names import parse_allowed
from .planning.plan import PlannedChange
from .planning.workspace import Workspace, choose_limits, open_workspace
from .problems import Problem, only_errors
from .report.apply_receipt import apply_json
from .report.plan_formats import plan_in
from .resource import Address
from .settings import PLAN_KEY
from .support import redaction
from .support.decisions import Decisions, Refresh

Progress = Callable[[int, int], None]
"""Gets how many calls have begun, and how many there are."""


class Validated(NamedTuple):
    """What is wrong with a catalog, sorted by place."""

    files: int
    resources: int
    problems: Sequence[Problem]
    """Without the warnings that the baseline of the catalog knows."""

    @property
    def ok(self) -> bool:
        """True without errors; there may be warnings."""
        return not only_errors(self.problems)


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """What would change on the platform, and what people have to know of it."""

    made: plans.Plan
    """As the rest of the package knows it: not promised to stay."""
    _secret: str = ""

    def __repr__(self) -> str:
        counts = (f"{action}={number}" for action, number in self.summary.items() if number)
        return f"Plan({', '.join([f'environment={self.environment!r}', *counts])})"

    @property
    def digest(self) -> str:
        """Two plans are the same if their digests are."""
        return plans.plan_digest(self.made)

    @property
    def environment(self) -> str:
        return self.made.environment

    @property
    def changes(self) -> Sequence[PlannedChange]:
        """One for each resource that is not as it should be."""
        return tuple(self.made.changes)

    @property
    def summary(self) -> Mapping[str, int]:
        """How many resources have each action: `{"create": 2, "update": 0, ...}`."""
        return self.made.summary

    @property
    def has_changes(self) -> bool:
        return self.made.has_changes

    @property
    def stopped_by(self) -> Sequence[str]:
        """The guards and policies that forbid it, in words; empty where it may be applied."""
        return tuple(verdict.message for verdict in plans.stopping_verdicts(self.made.guards))

    def render(self, form: Literal["text", "markdown", "html", "json"] = "text") -> str:
        """The plan as people read it, or as `plan --json` prints it."""
        return redaction.redact_secrets(b"".join(plan_in(form, self.made)).decode())

    def _repr_markdown_(self) -> str:
        """How a notebook shows it."""
        return self.render("markdown")

    def document(self) -> dict[str, Any]:
        """What `plan --json` prints, as a value: `lmssync.plan/1`."""
        document: dict[str, Any] = orjson.loads(self.render("json"))
        return document

    def save(self, file: str | Path) -> None:
        """Saves it for `load_plan` and `lmssync apply FILE`; signed if there is a secret for it."""
        _refuse_offline(self.made)
        plans.save_plan(self.made, Path(file), self._secret)


class Receipt(NamedTuple):
    """What an apply has done."""

    results: Mapping[str, str]
    """By address: `created`, `updated`, `failed`, `blocked`, `skipped`, `unknown`, and so on."""
    failures: Mapping[str, str]
    """Why something was not done, or only partly, by address; several reasons with `; `."""
    complete: bool
    """True if all of the plan was done but for the steps that it leaves to people."""
    waiting: bool
    """True if the outcome of a call is unknown: `lmssync resolve` settles it."""
    error: str
    """What stopped the run before its plan was done; empty if nothing did."""
    document: Mapping[str, Any]
    """What `apply --json` prints: `lmssync.apply/1`."""


@dataclass(frozen=True, eq=False)
class Catalog:
    """A catalog on disk and the environment that it is about; holds nothing open."""

    root: Path
    environment: str | None
    _env: Mapping[str, str] = field(repr=False)

    def validate(self) -> Validated:
        """Everything that is wrong with the manifests; asks no platform."""
        with _only_our_errors():
            try:
                outcome = validate_catalog(self.root, self.environment)
            except InvalidCatalog as error:  # the project file alone could be looked at
                return Validated(0, 0, tuple(error.problems))
            reported = apply_baseline(self.root, outcome.problems).reported
            return Validated(outcome.files, outcome.resources, tuple(reported))

    def plan(
        self,
        *,
        target: Sequence[str] = (),
        exclude: Sequence[str] = (),
        changed_since: str = "",
        release: str = "",
        allow: Sequence[str] = (),
        refresh: Literal["all", "changed", "none", "offline"] = "changed",
    ) -> Plan:
        """Compares and sends no write; the arguments are the options of `lmssync plan`.

        Raises `InvalidCatalog` if there are errors. A plan is of one state, so a state is made
        where there is none. With `refresh="offline"` it needs no platform and no key, makes
        nothing, and can only be looked at.
        """
        with _only_our_errors():
            place = self._open_workspace()
            limits = choose_limits(_as_names(target), _as_names(exclude), changed_since, release)
            lifted = parse_allowed(_as_names(allow), place.name)
            decided = Decisions(**lifted, refresh=Refresh(refresh), limits=limits)
            place = place._replace(decided=decided)
            catalog = planning.load_catalog(place)
            return Plan(_plan_catalog(place, catalog), self._plan_secret)

    def load_plan(self, file: str | Path) -> Plan:
        """A plan that was saved; refuses one that was altered, or not signed with the secret."""
        with _only_our_errors():
            return Plan(plans.restore_plan(Path(file), self._plan_secret), self._plan_secret)

    def apply(self, plan: Plan, *, progress: Progress | None = None) -> Receipt:
        """Does what the plan says, if all that it was made from is as it was.

        Raises `StalePlan` otherwise, `Forbidden` if a guard stops it, and `StateLocked` while
        another run holds the state. What goes wrong with single resources is in the receipt.
        """
        told = _ProgressRelay(progress)
        with _only_our_errors():
            _refuse_offline(plan.made)
            place = self._open_workspace()
            with place.store() as store:
                report = pipeline.apply_saved(place, plan.made, store, told)
                waiting = bool(store.unresolved_addresses())
                ids = report.list_recorded_ids(store)
            document = apply_json(report, plan.made, place.name, ids)
        told.raise_failure()
        return _make_receipt(report, document, waiting=waiting)

    def _open_workspace(self) -> Workspace:
        return open_workspace(self.root, self.environment, self._env)

    @property
    def _plan_secret(self) -> str:
        secret = self._env.get(PLAN_KEY, "")
        if secret:
            redaction.register_secret(secret)
        return secret


def open_catalog(
    root: str | Path = ".", environment: str | None = None, *, env: Mapping[str, str] | None = None
) -> Catalog:
    """The catalog in a folder; raises `LmssyncError` if it is none.

    Without an environment `validate` is about all of them, and the others are about the one that
    the command line would choose. `env` takes the place of the variables of the process, where
    keys are.
    """
    folder = Path(root).absolute()
    opened = Catalog(folder, environment, dict(os.environ if env is None else env))
    with _only_our_errors(), suppress(InvalidCatalog):  # `validate` says what is wrong
        settings = read_project_file(folder)
        if environment:
            settings.require_known(environment)
    return opened


def _plan_catalog(place: Workspace, catalog: Manifests) -> plans.Plan:
    if place.decided.refresh is Refresh.OFFLINE:
        with place.store(read_only=True) as store:
            return planning.make_plan(place, catalog, store, None)
    place.make_store()
    with place.store(read_only=True) as store, place.open_reader(plans=True) as reader:
        return planning.make_plan(place, catalog, store, reader)


def _refuse_offline(made: plans.Plan) -> None:
    if made.refresh == Refresh.OFFLINE:
        raise WrongUse("a plan that is made offline can neither be applied nor saved", "plan again")


def _as_names(names: Sequence[str]) -> tuple[str, ...]:
    """One name may be given as it is: a text is a sequence of texts, too."""
    return (names,) if isinstance(names, str) else tuple(names)


class _ProgressRelay:
    """Passes the progress on; what the function raises waits until the run has ended."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._failed: Exception | None = None
        self._steps = 0

    def begin(self, steps: int) -> None:
        self._steps = steps
        self._report_calls(0)

    def step(self, number: int, _route: str, _about: Sequence[Address], _w: float = 0.0) -> None:
        self._report_calls(number)

    def done(self, address: Address, outcome: ApplyOutcome) -> None: ...
    def reading(self, done: int, total: int) -> None: ...
    def note(self, text: str) -> None: ...

    def _report_calls(self, number: int) -> None:
        try:
            if self._progress and not self._failed:
                self._progress(number, self._steps)
        except Exception as error:  # noqa: BLE001  # it is somebody else's code
            self._failed = error

    def raise_failure(self) -> None:
        if self._failed:
            raise self._failed


def _make_receipt(report: Report, document: Mapping[str, Any], *, waiting: bool) -> Receipt:
    failures: dict[str, str] = {}
    for entry in document["failures"]:
        earlier = failures.get(entry["address"])
        failures[entry["address"]] = "; ".join(filter(None, [earlier, entry["message"]]))
    results = {str(address): done.value for address, done in sorted(report.done.items())}
    complete, stopped = document["complete"], document["error"] or ""
    return Receipt(results, failures, complete, waiting, stopped, document)


@contextmanager
def _only_our_errors() -> Iterator[None]:
    """Lets only `LmssyncError` out, and no secret in its words."""
    try:
        yield
    except LmssyncError as error:
        error.message, error.hint = (
            redaction.redact_secrets(error.message),
            redaction.redact_secrets(error.hint),
        )
        error.args = (error.message, *error.args[1:])
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise LmssyncError(f"{where}{error.strerror or error}") from error
