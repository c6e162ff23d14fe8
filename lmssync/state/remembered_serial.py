"""Remembers the serial of a state in a file beside it, so that an older state is noticed.

A backup that was put back, or a state that was deleted, knows nothing of what was made since. The
platform cannot tell, so a file beside the state keeps lineage, serial and how many rows of lists
there were, which the serial does not count. It is not that of the lock: on Windows nobody else can
read what is locked.
"""

import json
from pathlib import Path

from ..errors import StateError
from ..support.file_writing import write_whole
from .state_reader import StateReader


def describe_outdated(file: Path, state: StateReader) -> str:
    """How the state in `file` is another one, or an earlier one, than it was before; or nothing."""
    lineage, serial, rows = _read_serial(_serial_file(file)) or (state.lineage, 0, 0)
    if lineage != state.lineage:
        return "this is not the state that was here before; that one is gone"
    if serial > state.serial:
        return (
            f"the state is older than the one that was here before: its serial is {state.serial}, "
            f"and it was {serial}"
        )
    if rows > state.row_count:
        return (
            "the state is older than the one that was here before: it has only "
            f"{state.row_count:,} of {rows:,} rows of lists that were sent"
        )
    return ""


def refuse_outdated(file: Path, state: StateReader) -> None:
    """Raises `StateError` for such a state."""
    remedy = (
        "restore the newer state; if it is lost, continue with this one and `--new-state`, which "
        "takes over what is on the platform already"
    )
    if why := describe_outdated(file, state):
        raise StateError(why, remedy)


def was_another_state(file: Path, lineage: str) -> bool:
    """True if a state of another lineage was here, in which something had been recorded."""
    known = _read_serial(_serial_file(file))
    # A state in which nothing was ever recorded can be replaced by another without a loss.
    return known is not None and known[0] != lineage and max(known[1:]) > 0


def is_behind(file: Path, lineage: str, serial: int) -> bool:
    """True if that state had come further than this serial."""
    known = _read_serial(_serial_file(file))
    return known is not None and known[0] == lineage and known[1] > serial


def remember_serial(file: Path, state: StateReader) -> None:
    """Writes down how far the state has come; to be called while it is locked."""
    known = {"lineage": state.lineage, "serial": state.serial, "rows": state.row_count}
    write_whole(_serial_file(file), [json.dumps(known).encode()], private=True)


def forget_serial(file: Path) -> None:
    """Forgets the serial, for a state that had come further on this machine than in its backend."""
    _serial_file(file).unlink(missing_ok=True)


def _serial_file(state: Path) -> Path:
    return state.with_name(f"{state.name}.serial")


def _read_serial(file: Path) -> tuple[str, int, int] | None:
    """Lineage, serial and count of rows from the file; None for a file that is new or damaged."""
    try:
        known = json.loads(file.read_text("utf-8"))
        return str(known["lineage"]), int(known["serial"]), int(known.get("rows", 0))
    # A damaged file counts as none: it only guards against older states, and must not itself be
    # what keeps people from their state.
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
