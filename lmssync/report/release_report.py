"""Releases for people and as JSON: where each has come to, and what a revert wrote."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..state import ReleaseProgress, ReleaseRecord
from ..support.invisible_characters import escape_invisible
from .value_words import count_noun

if TYPE_CHECKING:
    from ..sync.release_revert import ReleaseRevert


def release_lines(record: ReleaseRecord | None) -> Iterator[str]:
    """`Release autumn: complete.`, or how much of it is open."""
    if record and record.ended:
        yield f"Release {record.name}: everything is applied."
    elif record:
        left = count_noun(len(record.left), "change")
        again = "`lmssync apply --release NAME` does the rest".replace("NAME", record.name)
        yield f"Release {record.name}: {left} not done; {again}."


def release_json(record: ReleaseRecord) -> dict[str, Any]:
    """The share of a release in the document of `apply --json`."""
    left = [{"address": address, "why": why} for address, why in record.left]
    return {"name": record.name, "complete": bool(record.ended), "open": left}


def name_moment(at: datetime | None) -> str:
    """`2027-09-01 21:00+02:00`, or that somebody decides."""
    return at.isoformat(" ", "minutes") if at else "when somebody applies it"


def progress_line(one: ReleaseProgress, now: datetime) -> str:
    """`autumn: due since 2027-09-01 21:00+02:00, owner @ana`"""
    stage, at = one.describe_stage(now), name_moment(one.at)
    moments = {"waiting": f"waits until {at}" if one.at else "waits for somebody to apply it"}
    moments |= {"due": f"due since {at}", "complete": f"applied at {one.ended[:16]}Z"}
    left = count_noun(len(one.left), "change")
    moments |= {"open": f"open: {left} not done", "by hand": f"applied; {left} by hand"}
    return escape_invisible(f"{one.name}: {moments[stage]}, owner {one.owner}")


def release_list_text(releases: Sequence[ReleaseProgress], now: datetime) -> str:
    """Each release with its prose and what is open of it."""
    if not releases:
        return "There are no releases: write one in releases/NAME.yaml.\n"
    lines = []
    for one in releases:
        first, *rest = progress_lines(one, now)
        lines += [first, *(f"  {line}" for line in one.about.splitlines()), *rest]
    return "".join(f"{escape_invisible(line).rstrip()}\n" for line in lines)


def progress_lines(one: ReleaseProgress, now: datetime) -> Iterator[str]:
    """Where a release has come to, and below that what is open of it."""
    yield progress_line(one, now)
    yield from (escape_invisible(f"  {address}: {why}") for address, why in one.left)


def list_releases_json(releases: Sequence[ReleaseProgress]) -> list[dict[str, Any]]:
    """Releases as programs read them, at this moment."""
    now = datetime.now(UTC)
    return [_progress_json(one, now) for one in releases]


def _progress_json(one: ReleaseProgress, now: datetime) -> dict[str, Any]:
    return {
        "name": one.name,
        "owner": one.owner,
        "about": one.about,
        "at": one.at.isoformat() if one.at else None,
        "stage": one.describe_stage(now),
        "begun": one.begun or None,
        "ended": one.ended or None,
        "open": [{"address": address, "why": why} for address, why in one.left],
    }


def releases_json(releases: Sequence[ReleaseProgress], environment: str) -> dict[str, Any]:
    """The document of `release list --json`."""
    shown = list_releases_json(releases)
    return {"format": "lmssync.releases/1", "environment": environment, "releases": shown}


def revert_text(done: "ReleaseRevert") -> str:
    """What the commit has, what only people can undo, and what to do next."""
    lines = [f"Branch {done.branch}, commit {done.commit[:7]}:"]
    lines += [f"  {file}" for file in done.files]
    if done.rewritten:
        lines += ["Written again from the state, so comments are gone:"]
        lines += [f"  {file}" for file in done.rewritten]
    if done.by_people:
        lines += ["Only people can undo, besides:"]
        lines += [
            f"  {address}: {way or 'nobody can: what it took is gone'}"
            for address, way in done.by_people
        ]
    lines += [f"Next: `git switch {done.branch}`, then `lmssync plan`, or open a pull request."]
    return "".join(f"{escape_invisible(line)}\n" for line in lines)


def revert_json(done: "ReleaseRevert", environment: str) -> dict[str, Any]:
    """The document of `release revert --json`."""
    return {
        "format": "lmssync.release-revert/1",
        "environment": environment,
        "release": done.release,
        "branch": done.branch,
        "commit": done.commit,
        "files": list(done.files),
        "rewritten": list(done.rewritten),
        "byPeople": [{"address": address, "way": way} for address, way in done.by_people],
    }
