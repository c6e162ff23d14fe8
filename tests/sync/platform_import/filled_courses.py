"""Courses that somebody else has made on the platform."""

from typing import Any

from tests.served_catalog import Platform

FIELDS: dict[str, Any] = {
    "microCourse": {"topics": [{"title": "a", "type": "text", "body": "<p>x</p>"}]},
    "video": {"videoUrl": "https://example.com/v.mp4"},
    "article": {"articleVariant": {"body": "<p>x</p>"}},
    "shareableContentObject": {"scormUrl": "https://example.com/p.zip"},
}


def create_course(platform: Platform, kind: str = "microCourse") -> str:
    """Creates a course of a kind as the platform does by itself; returns the id of its session."""
    fields = {"kind": kind, "title": "Unit", **FIELDS[kind]}
    answer = platform.http.post(
        "/incoming/v2/content/course/create",
        json={"courseAttributes": [fields]},
        headers={"Authorization": f"Bearer {platform.key}"},
    )
    answer.raise_for_status()
    return str(answer.json()["courseIds"][0])
