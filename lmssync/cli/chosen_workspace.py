"""What the command line names: a catalog, an environment, resources, and what a plan may do."""

import os
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from ..errors import WrongUse
from ..problems import only_errors, suggest_near
from ..resource import PROJECT_FILE, Address
from ..settings import ENVIRONMENT, PLAN_KEY
from .exits import print_warning
from .options import Decided
from .safe_output import print_line
from .typed_moments import parse_coming_moment, parse_moment_or_serial

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..planning.base_revision import BaseRevision
    from ..planning.workspace import Workspace
    from ..state import PastStore, Record, Store
    from ..support.decisions import Refresh


def refuse_saving(out: Path | None, **given: Unpack[Decided]) -> None:
    """Raises `WrongUse` for a plan that could not be applied."""
    if out and given.get("offline"):
        raise WrongUse(
            "a plan that is made offline cannot be applied, so it cannot be saved",
            "leave out --offline, or --out",
        )


def refuse_decisions(**given: Unpack[Decided]) -> None:
    """Raises `WrongUse` for what was decided when the plan was saved."""
    if given.get("base") is not None:
        raise WrongUse(
            "the guards have judged a saved plan when it was made, so --base comes too late",
            "leave out --base, or plan again with this option",
        )
    if given["target"] or given["exclude"] or given["since"] or given["release"]:
        raise WrongUse(
            "a saved plan already says what it is limited to", "plan again with these options"
        )
    allow = [one for one in given["allow"] if not _asked_at_apply(one)]
    if allow or given["keep"] or given["recreate"] or given["refresh"] == "all":
        raise WrongUse(
            "a saved plan already says what is read, allowed, kept and created again",
            "plan again with these options",
        )


def _asked_at_apply(allow: str) -> bool:
    """True for a guard that asks when and how a plan is applied."""
    from ..planning.allowed_names import ENVIRONMENT
    from ..planning.plan import AT_APPLY

    return allow in AT_APPLY or allow.startswith(ENVIRONMENT)


def choose_workspace(**given: Unpack[Decided]) -> "Workspace":
    """The catalog and environment that the options name, and what they decide."""
    from ..planning.workspace import choose_limits, open_workspace
    from ..support.decisions import Decisions

    chosen = open_workspace(given["root"].absolute(), given["environment"], os.environ)
    decided = Decisions(
        **_choose_allowed(given.get("allow", ()), chosen.name),
        **_choose_sides(given.get("keep", ())),
        recreate=frozenset(map(parse_typed_address, given.get("recreate", ()))),
        new_state=given.get("new_state", False),
        refresh=_choose_refresh(**given),
        finish_by=parse_coming_moment(given.get("finish_by")),
        limits=choose_limits(
            given.get("target", ()),
            given.get("exclude", ()),
            given.get("since") or "",
            given.get("release") or "",
        ),
    )
    return chosen._replace(
        decided=decided,
        tell=note_on_state,
        patience=given.get("lock_timeout", 0.0),
        base=_read_base(chosen.root, given.get("base")),
    )


def _choose_allowed(names: Sequence[str], environment: str) -> dict[str, Any]:
    """What `--allow` names; raises `WrongUse`."""
    if not names:
        return {}
    from ..planning.allowed_names import parse_allowed  # and with it all that makes a plan

    return {**parse_allowed(names, environment)}


def _read_base(root: Path, revision: str | None) -> "BaseRevision | None":
    if revision is None:
        return None
    from ..planning.base_revision import read_base_revision

    return read_base_revision(root, revision)


def _choose_refresh(**given: Unpack[Decided]) -> "Refresh":
    """What is read for a plan; raises `WrongUse` where something else needs the platform."""
    from ..support.decisions import Refresh

    refresh = Refresh(given.get("refresh", Refresh.CHANGED))
    if not given.get("offline"):
        return refresh
    if refresh is Refresh.ALL or given.get("recreate"):
        raise WrongUse(
            "--offline reads nothing, but --refresh all and --recreate need reads",
            "leave out --offline, or these options",
        )
    return Refresh.OFFLINE


def _choose_sides(kept: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What git wins and what stays; raises `WrongUse` for what is to be both, or is nothing."""
    if not kept:
        return {}
    from ..planning.allowed_names import require_field

    by_side: dict[str, set[str]] = {"git": set(), "platform": set()}
    for side, what in kept:
        require_field(what)
        by_side[side].add(what)
    both = sorted(by_side["git"] & by_side["platform"])
    if both:
        raise WrongUse(
            f"`--keep` says both git and platform for {both[0]}",
            f"name one field for one of them: `--keep platform {both[0].partition(':')[0]}:FIELD`",
        )
    return {"keep": tuple(sorted(by_side["git"])), "leave": tuple(sorted(by_side["platform"]))}


def choose_online_workspace(**given: Unpack[Decided]) -> "Workspace":
    """Chooses the workspace of a command that asks the platform; warns where others could read the
    key."""
    chosen = choose_workspace(**given)
    site = chosen.environment.site
    if site.is_clear and not given.get("offline"):
        why = f"{site.name} is reached over http, so others can read the key"
        print_warning(f"{why}: use an https address")
    return chosen


def is_environment_named(environment: str | None) -> bool:
    """True where an option or a variable says which environment a run is for."""
    return bool(environment or os.environ.get(ENVIRONMENT))


def parse_typed_address(text: str) -> Address:
    """The address that somebody typed; raises `WrongUse` for what cannot be one."""
    from ..planning import allowed_names

    return allowed_names.parse_address(text)


def read_plan_secret() -> str:
    """The secret that saved plans are signed with; empty where there is none."""
    from ..support import redaction

    secret = os.environ.get(PLAN_KEY, "")
    if secret:
        redaction.register_secret(secret)
    return secret


def note_on_state(text: str) -> None:
    """Says on stderr what somebody should know of the state."""
    print_line(f"note: {text}", err=True)


def workspace_then(place: "Workspace", text: str, out: Path | None) -> "Workspace":
    """The place as it was recorded then; raises `WrongUse` where a plan would be saved."""
    if out:
        raise WrongUse(
            "a plan with --as-of cannot be saved: an apply starts from the newest state",
            "leave out `--out`, or `--as-of`",
        )
    from ..state import state_at_moment

    moment = parse_moment_or_serial(text)
    with place.store(read_only=True) as store:
        note_shown_state(state_at_moment(store, moment))
    return place._replace(as_of=moment)


def note_shown_state(store: "PastStore") -> None:
    """Says which state is shown, on stderr."""
    from ..report.evidence_text import moment_text

    last = f"{moment_text(store.last.time)}, by run {store.last.run or '?'}"
    note = f"note: the state of serial {store.serial} is shown, of {last}"
    print_line(note, err=True)


def read_readable_catalog(root: Path, environment: str | None, *, warn: bool = True) -> "Catalog":
    """Everything that can be read; can warn on stderr how many errors the rest has."""
    from ..catalog.catalog_validation import load_readable_part
    from ..report.value_words import count_noun

    catalog, problems = load_readable_part(root.absolute(), environment, os.environ)
    if warn and (wrong := only_errors(problems)):
        count = count_noun(len(wrong), "error")
        print_warning(f"the catalog has {count}: `lmssync validate` shows them")
    return catalog


def require_project(root: Path, or_else: str) -> None:
    """Raises `WrongUse` where there is no catalog; `or_else` is what else can be done there."""
    if not (root / PROJECT_FILE).is_file():
        raise WrongUse(
            f"there is no {PROJECT_FILE} in {root.absolute()}",
            f"go to the root of a catalog, name it with -C DIR, or {or_else}",
        )


def choose_one_resource(catalog: "Catalog", text: str) -> Address:
    """The one resource of that address; raises `WrongUse`."""
    address, *others = choose_resources(catalog, [text])
    if others:
        raise WrongUse(f"{text} names {len(others) + 1} resources", "name one of them")
    return address


def choose_resources(catalog: "Catalog", patterns: Sequence[str]) -> Iterator[Address]:
    seen: set[Address] = set()
    for pattern in patterns:
        named = [a for a in catalog.resources if fnmatchcase(str(a), pattern)]
        if not named and Address.parse(pattern) in catalog.refused:
            raise WrongUse(f"{pattern} has errors", "`lmssync validate` shows them")
        if not named:
            hint = (
                suggest_near(pattern, map(str, catalog.resources)) or "`lmssync outline` lists all"
            )
            raise WrongUse(f"there is no {pattern} in the catalog", hint)
        yield from (a for a in named if a not in seen)
        seen.update(named)


def matches_patterns(address: Address, patterns: Sequence[str]) -> bool:
    """True for one that a pattern names; without patterns, for all."""
    return not patterns or any(fnmatchcase(str(address), pattern) for pattern in patterns)


def refuse_unmatched(patterns: Sequence[str], known: Collection[Address]) -> None:
    """Raises `WrongUse` for a pattern that names nothing that is `known` to the state."""
    for pattern in patterns:
        if not any(matches_patterns(address, [pattern]) for address in known):
            hint = suggest_near(pattern, map(str, known)) or "`lmssync state list` lists them"
            raise WrongUse(f"nothing is recorded for {pattern}", hint)


def require_state(store: "Store") -> None:
    """Raises `WrongUse` where nothing was ever recorded."""
    if not store.lineage:
        raise WrongUse("there is no state yet", "`lmssync apply` makes one")


def require_record(store: "Store", address: Address) -> "Record":
    """The record of an address; where there is none, a `WrongUse` says what to do."""
    if record := store.find_record(address):
        return record
    near = suggest_near(str(address), map(str, store.fingerprints()))
    remedies = ["`lmssync state list` shows what is recorded"]
    if "/" not in address.key:  # a part is no resource of its own
        remedies = [
            "`lmssync apply` makes what the catalog has",
            f"`lmssync adopt {address}=ID` takes over what is on the platform",
            *remedies,
        ]
    hint = f"{near}{near and ' '}{', '.join(remedies)}"
    raise WrongUse(f"nothing is recorded for {address}", hint)
