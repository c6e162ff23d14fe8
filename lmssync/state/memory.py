"""Remembers the serial of a state in a file beside it, so that an older state is noticed.

A backup that was put back, or a state that was deleted, knows nothing of what was made since. The
platform cannot tell, so a file beside the state keeps lineage and serial. It is not that of the
lock: on Windows nobody else can read what is locked.
"""

import json
from pathlib import Path

from ..errors import StateError
from ..writing import write_whole
from .reader import StateReader


def check(file: Path, state: StateReader) -> None:
    """Raises `StateError` if the state in `file` was another one, or a later one, before."""
    known = _read(_beside(file))
    if known is None:
        return
    lineage, serial = known
    remedy = (
        "restore the newer state; if it is lost, continue with this one and `--new-state`, which "
        "takes over what is on the platform already"
    )
    if lineage != state.lineage:
        raise StateError("this is not the state that was here before; that one is gone", remedy)
    if serial > state.serial:
        raise StateError(
            f"the state is older than the one that was here before (serial {state.serial}, "
            f"it was {serial})",
            remedy,
        )


def remember(file: Path, state: StateReader) -> None:
    """Writes down how far the state has come; to be called while it is locked."""
    text = json.dumps({"lineage": state.lineage, "serial": state.serial})
    write_whole(_beside(file), [text.encode()], private=True)


def _beside(state: Path) -> Path:
    return state.with_name(f"{state.name}.serial")


def _read(file: Path) -> tuple[str, int] | None:
    """What was written down; nothing for a file that is new, or is damaged."""
    try:
        known = json.loads(file.read_text("utf-8"))
        return str(known["lineage"]), int(known["serial"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
