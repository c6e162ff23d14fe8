"""For rules that a line or two can break: those lines, and the lines that keep the rule.

The tests put both into a manifest and check it, so that they do what they show. Rules about
several resources, and about files as a whole, have none.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Lines(NamedTuple):
    """YAML that breaks a rule, YAML that keeps it, and in what they stand: `a course`."""

    within: str
    wrong: str
    right: str


FILE, COURSE, LESSON, TOPIC = "a file", "a course", "a lesson", "a topic"
VIDEO = "a course of kind video"
CRITERION, LICENSE, PATH = "a completion criterion", "a license", "a purchase path"
CLIENT, ASSIGNMENT = "a client", "a license assignment"

LINES: Mapping[str, Lines] = {
    "criterion-needs": Lines(
        CRITERION,
        "type: articleTimeViewedInSeconds",
        "type: articleTimeViewedInSeconds\nseconds: 300",
    ),
    "criterion-field": Lines(
        CRITERION,
        "type: coursePercentViewed\npercent: 80\nseconds: 300",
        "type: coursePercentViewed\npercent: 80",
    ),
    "license-replaces": Lines(LICENSE, "replaceCourseIds: true", "replaceCourseIds: false"),
    "license-empty": Lines(LICENSE, "courses: []", "courses: [safety-101]"),
    "label-empty": Lines(PATH, 'label: "<img>"', "label: Buy at <b>our partner</b>"),
    "one-target": Lines(PATH, "target: {}", "target: {item: safety-track}"),
    "target-title": Lines(
        PATH,
        "target: {url: https://shop.example.com}",
        "target: {url: https://shop.example.com, title: Partner shop}",
    ),
    "client-slug": Lines(CLIENT, "slug: Acme Ltd", "slug: acme-ltd"),
    "client-of-itself": Lines(CLIENT, "key: acme\ncloneOf: acme", "key: acme\ncloneOf: golden"),
    "client-slug-empty": Lines(CLIENT, "name: '---'", "name: '---'\nslug: acme"),
}
