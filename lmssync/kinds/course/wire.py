"""What the calls that make and change a course have in common (spec 4; O1 to O14)."""

from typing import Any

CREATE, UPDATE, READ = "course.create", "course.update", "course.read"
JOB_FIELDS = frozenset(
    {"asset", "detailAsset", "scormUrl", "pdfUrl", "videoUrl", "posterImageAsset"}
)
"""Fields whose URLs the platform fetches in a job: sending them again queues it again."""


def plain(value: Any) -> Any:
    """`value` without the ids of parts, which are the author's and mean nothing there."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key != "id" and item is not None}
    return value
