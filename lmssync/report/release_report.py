"""Releases for people and as JSON: where each has come to, and what a revert wrote."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..state import ReleaseProgress, ReleaseRecord
from ..support.invisible_characters import escape_invisible
from .value_words import count_noun

if TYPE_CHECKING:
    from ..sync.release_revert import ReleaseRevert


def release_lines(record: ReleaseRecord | None) -> Iterator[str]:
    """`Release autumn: everything is applied.`, or how much of it is open."""
    if record and record.ended:
        yield f"Release {record.name}: everything is applied."
    elif record:
        left = count_noun(len(record.left), "change")
        again = "`lmssync apply --release NAME` does the rest".replace("NAME", record.name)
        yield f"Release {record.name}: {left} not done; {again}."


def release_json(record: ReleaseRecord) -> dict[str, Any]:
    """The share of a release in the document of `apply --json`."""
    return {
        "name": record.name,
        "complete": bool(record.ended),
        "open": _pairs_json("why", record.left),
    }


def _pairs_json(word: str, pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"address": address, word: text} for address, text in pairs]


def progress_lines(one: ReleaseProgress, *, about: bool = False) -> Iterator[str]:
    """`autumn: due since 2027-09-01 21:00+02:00, owner @ana`, and below that what is open of it."""
    stage, left = one.describe_stage(datetime.now(UTC)), count_noun(len(one.left), "change")
    at = one.at and one.at.isoformat(" ", "minutes")
    unended = f"open: its run goes on or was killed; {left} may be done or not"
    moments = {
        "waiting": f"waits until {at}" if at else "waits for somebody to apply it",
        "due": f"due since {at}",
        "open": unended if one.has_unended_run else f"open: {left} not done",
        "by hand": f"applied; {left} by hand",
        "complete": f"applied at {one.ended[:16]}Z",
    }
    below = one.about.splitlines() if about else []
    below += [f"{address}: {why}" for address, why in one.left]
    lines = [f"{one.name}: {moments[stage]}, owner {one.owner}", *(f"  {line}" for line in below)]
    yield from (escape_invisible(line).rstrip() for line in lines)


def release_list_text(releases: Sequence[ReleaseProgress]) -> str:
    """Each release with its prose and what is open of it."""
    if not releases:
        return "There are no releases: write one in releases/NAME.yaml.\n"
    return "".join(f"{line}\n" for one in releases for line in progress_lines(one, about=True))


def list_releases_json(releases: Sequence[ReleaseProgress]) -> list[dict[str, Any]]:
    """Releases as programs read them, at this moment."""
    return [
        {
            "name": one.name,
            "owner": one.owner,
            "about": one.about,
            "at": one.at.isoformat() if one.at else None,
            "stage": one.describe_stage(datetime.now(UTC)),
            "begun": one.begun or None,
            "ended": one.ended or None,
            "open": _pairs_json("why", one.left),
        }
        for one in releases
    ]


def revert_text(done: "ReleaseRevert") -> str:
    """What the commit has, what only people can undo, and what to do next."""
    gone = "nobody can: what it took is gone"
    parts = {
        f"Branch {done.branch}, commit {done.commit[:7]}:": done.files,
        "Written again from the state, so comments are gone:": done.rewritten,
        "Only people can undo, besides:": [f"{a}: {way or gone}" for a, way in done.by_people],
    }
    lines = [
        line for name, own in parts.items() if own for line in (name, *(f"  {o}" for o in own))
    ]
    lines += [f"Next: `git switch {done.branch}`, then `lmssync plan`, or open a pull request."]
    return "".join(f"{escape_invisible(line)}\n" for line in lines)


def revert_json(done: "ReleaseRevert", environment: str) -> dict[str, Any]:
    own = {name: value for name, value in done._asdict().items() if name != "by_people"}
    by_people = _pairs_json("way", done.by_people)
    head = {"format": "lmssync.release-revert/1", "environment": environment}
    return {**head, **own, "byPeople": by_people}
