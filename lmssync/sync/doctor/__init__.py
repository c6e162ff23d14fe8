"""doctor: whether a catalog, a key and an instance fit together, and what the instance has.

It reads and judges; it sends no write, and needs no state. What depends on a failed check is left
out.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import indent

from ...errors import LmssyncError, ServerFailed, StateError
from ...planning.workspace import Workspace
from ...platform.client import Reader
from ...platform.live import (
    EXACTNESS,
    Binder,
    IdsByName,
    RecordedLooks,
    id_of_name,
    parse_change_mark,
    read_list_times,
    read_live_states,
)
from ...resource import PROJECT_FILE, Address
from ...settings import SQLITE, Environment, Platform
from ...state import Record
from ...support.cache_folder import find_cache_file
from ...support.git_repository import find_repository, is_tracked, read_commit
from ...vocabulary.routes import LIST_TIMES
from .capability_probe import (
    TRIED,
    Answered as Answered,
    Check,
    Diagnosis as Diagnosis,
    Probe,
    check_key_reach,
    probe_capabilities,
)

_FOLDER = ".lmssync"
"""Where states are unless somebody says otherwise; nothing in it belongs into git."""


def check_surroundings(place: Workspace) -> Iterator[Check]:
    """State, home, cache and git."""
    yield _check_state(place)
    yield from _check_home(place)
    yield _check_cache(place.root)
    yield _check_git(place.root)


def _check_state(place: Workspace) -> Check:
    try:
        with place.store(read_only=True) as store:
            if not store.on_disk:
                return Check("state", "there is none yet: the first `apply` makes it")
            place.check_state(store)
            number, waiting = len(store.fingerprints()), len(store.unresolved_addresses())
            steps = len(store.open_steps())
    except StateError as error:
        return Check("state", error.message, error.hint, fine=False, here=True)
    counted = "1 resource is" if number == 1 else f"{number:,} resources are"
    text = f"{counted} recorded for this instance"
    if waiting:
        text += f"; calls about {waiting:,} wait for a decision"
        return Check("state", text, "`lmssync resolve` shows what to look for, and the answers")
    if steps:
        text += f"; {steps:,} manual {'step is' if steps == 1 else 'steps are'} open"
        return Check("state", text, "`lmssync status` lists them")
    return Check("state", text)


def _check_home(place: Workspace) -> Iterator[Check]:
    """The place of the state, without the secrets that an address may contain."""
    url = place.state.replace("{environment}", place.name)
    if url.startswith(SQLITE):
        yield _check_file(place, place.root / url.removeprefix(SQLITE))
        return
    with suppress(StateError), place.store(read_only=True) as store:  # told of the state already
        if store.shared:
            yield Check("home", f"the log of the state is kept in {store.shared.backend.place}")


def _check_file(place: Workspace, file: Path) -> Check:
    shown = os.path.relpath(file, place.root) if file.is_relative_to(place.root) else str(file)
    # The first apply makes the missing folders, so the nearest one that exists decides.
    folder = next(one for one in file.absolute().parents if one.exists())
    # SQLite writes its journal beside the file: the file alone is not enough.
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        remedy = "give this user write access; plan and show only read it"
        text = f"the state file {shown} cannot be written"
        return Check("home", text, remedy, fine=False, here=True)
    return Check("home", f"the state is kept in the file {shown} on this machine")


def _check_cache(root: Path) -> Check:
    """A run without a cache does the same and takes longer."""
    file = find_cache_file(root)
    if file is None:
        remedy = "set XDG_CACHE_HOME to a folder of yours outside the repository"
        return Check("cache", "there is no cache folder, so every run reads all files", remedy)
    there = next(one for one in (file, *file.parents) if one.exists())
    if not os.access(there, os.W_OK):
        remedy = f"let this user write {there}, or set XDG_CACHE_HOME"
        return Check("cache", f"{there} cannot be written, so every run reads all files", remedy)
    return Check("cache", f"results of checks are kept in {file.parent}")


def _check_git(root: Path) -> Check:
    repository = find_repository(root)
    if repository is None:
        text = "the catalog is in no git repository: plans cannot say which commit they are from"
        return Check("git", text, "`git init` makes a repository")
    try:
        kept = is_tracked(root, _FOLDER)
        listed, commit = is_tracked(root, PROJECT_FILE), read_commit(root)
    except LmssyncError as error:
        return Check("git", error.message, error.hint, fine=False, here=True)
    if kept:
        remedy = (
            f"`git rm -r --cached {_FOLDER}`: git cannot merge a state, and others would get an "
            "old one"
        )
        return Check("git", f"git keeps files of {_FOLDER}", remedy, fine=False, here=True)
    if not listed:
        return Check("git", f"git does not have {PROJECT_FILE} yet", f"`git add {PROJECT_FILE}`")
    if (repository / ".git" / "shallow").exists():
        remedy = "`git fetch --unshallow`, for `--changed-since` and for approvals"
        return Check("git", f"the clone at {commit[:12]} has no history", remedy)
    return Check("git", f"the catalog is at commit {commit[:12]}" if commit else "no commit yet")


_CLOCKS = 60.0
"""Seconds by which two clocks may differ before somebody should look at them."""


def diagnose_target(place: Workspace, tell: Callable[[str], None], *, probing: bool) -> Diagnosis:
    """Makes every check that can be made; checks that depend on a failed one are left out. `tell`
    gets a message before each wait."""
    settings = place.platform
    checks = [_check_credential(place), *check_surroundings(place)]
    try:
        with place.open_reader() as reader:
            reader.pace.tell = tell
            checks.append(Check("key", _describe_key(place.environment)))
            reader.ping_platform()
            checks.append(Check("platform", f"{reader.base_url} answers, and accepts the key"))
            checks.append(_check_clock(reader.ahead))
            asked = _make_probe(place, reader)
            checks += _collect_checks(check_key_reach(asked, probing=probing))
            capabilities = probe_capabilities(asked) if probing else {}
            checks += _collect_checks(_check_list_times(asked, settings.routes)) if probing else []
            checks += [_check_throttle(reader)] if probing else []
    except LmssyncError as error:
        # The reader is made before the line of the key: without that line, the key itself is at
        # fault.
        name = "platform" if any(check.name == "key" for check in checks) else "key"
        return Diagnosis([*checks, Check(name, error.message, error.hint, fine=False)])
    if not probing:
        return Diagnosis([*checks, _check_profile(settings)])
    checks.append(_compare_capabilities(settings, capabilities))
    # A late time was found only now: the advice must not keep what it disproves.
    late = any(check.name == "times" and not check.fine for check in checks)
    times = LIST_TIMES in settings.routes and not late
    inherited = place.project.platform.capabilities if _has_own_settings(place) else {}
    lines = advise_settings(capabilities, settings, inherited, times=times)
    return Diagnosis(checks, capabilities, _place_lines(place, lines))


def _collect_checks(each: Iterable[Check]) -> list[Check]:
    checks: list[Check] = []
    try:
        checks.extend(each)
    # A route on which the server fails ends no others.
    except ServerFailed as failure:
        checks.append(Check("platform", failure.message, failure.hint, fine=False))
    return checks


def _describe_key(environment: Environment) -> str:
    tokens = environment.token_site
    if tokens is None:
        return f"there is a key for {environment.site.name}"
    return f"{tokens.url} is asked for access tokens for {environment.site.name}"


def _check_credential(place: Workspace) -> Check:
    text = f"{PROJECT_FILE} is valid; this run is for {place.name}"
    return Check("configuration", f"{text} at {place.environment.baseUrl}")


def _check_clock(ahead: float) -> Check:
    if abs(ahead) <= _CLOCKS:
        return Check("clock", "this machine and the platform agree about the time")
    word = "ahead of" if ahead > 0 else "behind"
    text = f"the platform's clock is {abs(ahead):,.0f} s {word} this machine's"
    return Check("clock", text, "set the clock of this machine, if it is the wrong one")


def _check_list_times(asked: Probe, routes: Set[str]) -> Iterator[Check]:
    """Whether a topic was changed later than the time that content search shows of its course."""
    records = {one.address: one for some in asked.records.values() for one in some}
    reader, binder = asked.reader, asked.binder

    def find_records(some: Sequence[Address]) -> Mapping[Address, Record]:
        return {address: records[address] for address in some}

    recorded = RecordedLooks(find_records, lambda _: {}, find_records)
    listed = dict(read_list_times(reader, binder, records, routes, recorded))
    dated = [records[address] for address, time in listed.items() if time.settled]
    late = [
        str(record.address)
        for record, seen in read_live_states(reader, binder, dated, routes)
        if any(_is_later(mark, listed[record.address].changed_at) for mark in seen.marks.values())
    ]
    # No read shows whether the time moves when a part is renamed or deleted: so nothing proves that
    # an instance has `LIST_TIMES`, and one late topic disproves it.
    if late:
        names = ", ".join(late)
        text = f"content search shows an older time for {names} than that of a changed topic of it"
        remedy = f"leave `{LIST_TIMES}` out of `platform.capabilities`: drift reads everything then"
        yield Check("times", text, remedy, fine=LIST_TIMES not in routes)
    elif dated:
        number = f"{len(dated)} course{'s' if len(dated) > 1 else ''}"
        text = f"the times of content search are as new as those of the topics of {number}"
        remedy = (
            "before you rely on these times, make the trial of docs/drift.md; the line for "
            "lmssync.yaml is "
            f"`platform: {{capabilities: {{{LIST_TIMES}: true}}}}`"
        )
        yield Check("times", text, "" if LIST_TIMES in routes else remedy)


def _is_later(mark: str, listed: str) -> bool:
    part, whole = parse_change_mark(mark), parse_change_mark(listed)
    return bool(part and whole and part > whole + EXACTNESS)


def _check_throttle(reader: Reader) -> Check:
    """The rate limits that answers have stated until now; most reads state none (spec 8)."""
    if not reader.standings:
        return Check("throttle", "no answer of the platform has named a limit")
    said, low = [], False
    for name, standing in sorted(reader.standings.items()):
        said.append(f"`{name}` {standing.remaining:,} of {standing.limit:,} left")
        low = low or not standing.remaining
    remedy = "other programs use this limit as well: runs wait, and take longer" if low else ""
    return Check("throttle", "; ".join(said) + " in this window", remedy)


def _check_profile(settings: Platform) -> Check:
    switched = [f"{name}: {str(on).lower()}" for name, on in sorted(settings.capabilities.items())]
    text = f"`profile: {settings.profile}`" + (f", with {', '.join(switched)}" if switched else "")
    remedy = "`lmssync doctor --probe` finds out what the instance has"
    return Check("profile", f"the project file says {text}", remedy)


def _compare_capabilities(settings: Platform, capabilities: Mapping[str, Answered]) -> Check:
    """Compares the project file with what the instance has shown."""
    configured = settings.routes
    absent = [n for n, one in capabilities.items() if one.has is False and n in configured]
    unused = [n for n, one in capabilities.items() if one.has and n not in configured]
    if not absent and not unused:
        untold = sum(one.has is None for one in capabilities.values())
        rest = f"; for {untold} of them no read can tell yet" if untold else ""
        return Check("profile", f"lmssync.yaml lists what the instance has{rest}")
    text = "; ".join(
        f"{what}: {', '.join(f'`{name}`' for name in names)}"
        for what, names in (
            ("missing on the instance", absent),
            ("not in lmssync.yaml yet", unused),
        )
        if names
    )
    remedy = f"put the lines below into {PROJECT_FILE}"
    return Check("profile", text, remedy, fine=not absent)


def _make_probe(place: Workspace, reader: Reader) -> Probe:
    """What a probe asks with; nothing is recorded where the state cannot be read."""
    records: dict[str, list[Record]] = {}
    try:
        with place.store(read_only=True) as store:
            for address in sorted(store.fingerprints()):
                some = records.setdefault(address.kind, [])
                if len(some) < TRIED and (record := store.find_record(address)):
                    some.append(record)
    except StateError:
        records = {}
    known = {record.address: record.known_ids for some in records.values() for record in some}
    return Probe(reader, Binder(known.get, partial(id_of_name, IdsByName(reader))), records)


def advise_settings(
    capabilities: Mapping[str, Answered],
    settings: Platform,
    inherited: Mapping[str, bool],
    *,
    times: bool = False,
) -> str:
    """The shortest lines under which lmssync asks for what is there, and not for what is missing.

    What cannot be told is not switched off: it stays on if the settings have it, and what they
    switch by name stays as it is. `times` keeps `LIST_TIMES`, which no probe can find. What is
    `inherited` counts beside the lines, unless they say otherwise.
    """
    there = [name for name, answered in capabilities.items() if answered.has]
    absent = [name for name, answered in capabilities.items() if answered.has is False]
    extended = len(there) > len(absent) or (not absent and settings.profile == "extended")
    switched = dict.fromkeys(absent if extended else there, not extended)
    for name in (one for one in capabilities if one not in {*there, *absent}):
        relied = name in settings.routes
        # Named only where the profile alone would change what the settings do about it today.
        if relied is not extended and (relied or name in settings.capabilities):
            switched[name] = relied
    switched |= {
        name: switched.get(name, extended)
        for name, on in inherited.items()
        if name in capabilities and on is not switched.get(name, extended)
    }
    lines = ["platform:", f"  profile: {'extended' if extended else 'core'}"]
    lines += ["  capabilities:"] if switched or times else []
    for name in (name for name in capabilities if name in switched):
        unknown = "  # cannot tell" if capabilities[name].has is None else ""
        lines.append(f"    {name}: {str(switched[name]).lower()}{unknown}")
    lines += [f"    {LIST_TIMES}: true"] * times
    return "\n".join(lines) + "\n"


def _place_lines(place: Workspace, lines: str) -> str:
    """The lines where they count."""
    if not _has_own_settings(place):
        return lines
    return f"environments:\n  {place.name}:\n{indent(lines, '    ')}"


def _has_own_settings(place: Workspace) -> bool:
    """Whether the settings of an instance belong below its environment."""
    others = place.project.environments.keys() - {place.name}
    # Other environments use the same file, or there are some below this one already, which go
    # before those of the project.
    return bool(others or place.environment.platform.set_fields)
