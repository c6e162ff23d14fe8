"""Everything that is looked at, in its order; what depends on a failed check is left out."""

from collections.abc import Callable, Mapping
from functools import partial

from ..client import Reader
from ..errors import LmssyncError, StateError
from ..live import Binder, IdsByName, id_of_name
from ..settings import Environment, Platform
from ..source import PROJECT_FILE
from ..state import Record
from .check import Check, CheckTarget, Diagnosis
from .key_reach import key_reach
from .probe import TRIED, Answered, Probe, probe_capabilities
from .surroundings import check_surroundings

_CLOCKS = 60.0
"""Seconds by which two clocks may differ before somebody should look at them."""


def diagnose_target(place: CheckTarget, tell: Callable[[str], None], *, probing: bool) -> Diagnosis:
    """Looks at everything that can be looked at; what depends on a failed check is left out.

    `tell` is told of waits.
    """
    settings = place.project.platform
    checks = [_check_credential(place), *check_surroundings(place)]
    try:
        with place.reader() as reader:
            reader.pace.tell = tell
            checks.append(Check("key", _describe_key(place.environment)))
            reader.ping()
            checks.append(Check("platform", f"{reader.base_url} answers, and takes the key"))
            checks.append(_check_clock(reader.ahead))
            asked = _make_probe(place, reader)
            checks += key_reach(asked, probing=probing)
            capabilities = probe_capabilities(asked) if probing else {}
            checks += [_check_throttle(reader)] if probing else []
    except LmssyncError as error:
        name = "platform" if any(check.name == "key" for check in checks) else "key"
        return Diagnosis([*checks, Check(name, error.message, error.hint, fine=False)])
    if not probing:
        return Diagnosis([*checks, _check_profile(settings)])
    checks.append(_compare_capabilities(settings, capabilities))
    return Diagnosis(checks, capabilities, advise_settings(capabilities))


def _describe_key(environment: Environment) -> str:
    tokens = environment.token_site
    if tokens is None:
        return f"there is one for {environment.site.name}"
    return f"{tokens.url} is asked for access tokens for {environment.site.name}"


def _check_credential(place: CheckTarget) -> Check:
    text = f"{PROJECT_FILE} is right; this run is about {place.name}"
    return Check("configuration", f"{text} at {place.environment.baseUrl}")


def _check_clock(ahead: float) -> Check:
    if abs(ahead) <= _CLOCKS:
        return Check("clock", "this machine and the platform agree about the time")
    word = "ahead of" if ahead > 0 else "behind"
    text = f"the platform's clock is {abs(ahead):,.0f} s {word} this machine's"
    return Check("clock", text, "set the clock of this machine, if it is the wrong one")


def _check_throttle(reader: Reader) -> Check:
    """What the answers have said of limits until now; most reads have none (spec 8)."""
    if not reader.standings:
        return Check("throttle", "no answer has said anything of limits")
    said, low = [], False
    for name, standing in sorted(reader.standings.items()):
        said.append(f"`{name}` {standing.remaining:,} of {standing.limit:,} left")
        low = low or not standing.remaining
    remedy = "others use this window too: runs wait, and take longer" if low else ""
    return Check("throttle", "; ".join(said) + " in this window", remedy)


def _check_profile(settings: Platform) -> Check:
    switched = [f"{name}: {str(on).lower()}" for name, on in sorted(settings.capabilities.items())]
    text = f"`profile: {settings.profile}`" + (f", with {', '.join(switched)}" if switched else "")
    remedy = "`lmssync doctor --probe` finds out what the instance has"
    return Check("profile", f"the project file says {text}", remedy)


def _compare_capabilities(settings: Platform, capabilities: Mapping[str, Answered]) -> Check:
    """What the project file says against what the instance has shown."""
    configured = settings.routes
    absent = [n for n, one in capabilities.items() if one.has is False and n in configured]
    unused = [n for n, one in capabilities.items() if one.has and n not in configured]
    if not absent and not unused:
        return Check("profile", "the project file says what the instance has")
    text = "; ".join(
        f"{what}: {', '.join(f'`{name}`' for name in names)}"
        for what, names in (("not there, but relied on", absent), ("there, but not used", unused))
        if names
    )
    remedy = f"put the lines below into {PROJECT_FILE}"
    return Check("profile", text, remedy, fine=not absent)


def _make_probe(place: CheckTarget, reader: Reader) -> Probe:
    """What a probe asks with; nothing is recorded where the state cannot be read."""
    records: dict[str, list[Record]] = {}
    try:
        with place.store(read_only=True) as store:
            for address in sorted(store.fingerprints()):
                some = records.setdefault(address.kind, [])
                if len(some) < TRIED and (record := store.record(address)):
                    some.append(record)
    except StateError:
        records = {}
    known = {record.address: record.ids for some in records.values() for record in some}
    return Probe(reader, Binder(known.get, partial(id_of_name, IdsByName(reader))), records)


def advise_settings(capabilities: Mapping[str, Answered]) -> str:
    """The shortest lines under which lmssync asks for what is there, and for nothing else.

    What cannot be told counts as not there.
    """
    there = [name for name, answered in capabilities.items() if answered.has]
    absent = [name for name, answered in capabilities.items() if not answered.has]
    extended = len(there) > len(absent)
    lines = ["platform:", f"  profile: {'extended' if extended else 'core'}"]
    switched = absent if extended else there
    if switched:
        lines.append("  capabilities:")
    for name in switched:
        unknown = "  # cannot tell" if capabilities[name].has is None else ""
        lines.append(f"    {name}: {str(not extended).lower()}{unknown}")
    return "\n".join(lines) + "\n"
