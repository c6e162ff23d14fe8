"""What passes between the process that asks for a rendering and the one that does it."""

import struct
from typing import BinaryIO

OUTPUT_LIMIT = 16 * 1024 * 1024
"""Bytes that a template may become: as many as a manifest may have."""
READY = b"ready\n"
TEXT, LINES, MISTAKE, SPENT = range(4)
"""What is wanted or given: the text; four bytes for each of its lines; a mistake as JSON, with
`code`, `message` and `line`; a mistake that has left the process unfit for another template."""
REQUEST = struct.Struct(">BII")
"""What is wanted, and the lengths of the template and of the variables that follow."""
ANSWER = struct.Struct(">BI")
"""What it is, and the length of what follows."""


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Exactly this many bytes; raises EOFError if the other side has gone."""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
