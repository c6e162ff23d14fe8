"""For rules that a line or two can break: those lines, and the lines that keep the rule.

The tests put both into a manifest and check it, so that they do what they show. Rules about
several resources, and about files as a whole, have none.
"""

from collections.abc import Mapping

from ...problems import Example as Lines

FILE, COURSE, LESSON, TOPIC = "a file", "a course", "a lesson", "a topic"
VIDEO = "a course of kind video"
CRITERION, LICENSE, PATH = "a completion criterion", "a license", "a purchase path"
CLIENT, ASSIGNMENT = "a client", "a license assignment"

LINES: Mapping[str, Lines] = {
    "blank": Lines(COURSE, 'title: " "', "title: Safety"),
    "date": Lines(COURSE, "publishDate: 2027-02-30", "publishDate: 2027-02-28"),
    "placeholder": Lines(
        COURSE, 'description: "TODO: what it is about"', "description: How to use a guard"
    ),
    "url": Lines(COURSE, "asset: tile.png", "asset: https://media.example.com/tile.png"),
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
    "language-tag": Lines(
        TOPIC,
        "type: article\nlanguages:\n  - {language: German}",
        "type: article\nlanguages:\n  - {language: de}",
    ),
    "isbn": Lines(COURSE, "isbn: 978-3-16-148410-1", "isbn: 978-3-16-148410-0"),
    "date-zone": Lines(
        COURSE, "publishDate: 2027-01-31T09:00:00", "publishDate: 2027-01-31T09:00:00Z"
    ),
    "date-form": Lines(
        COURSE, "publishDate: 2027-01-31 09:00:00Z", "publishDate: 2027-01-31T09:00:00Z"
    ),
    "date-far": Lines(COURSE, "publishDate: 2207-01-31", "publishDate: 2027-01-31"),
    "url-private": Lines(
        COURSE, "asset: http://files.local/tile.png", "asset: https://media.example.com/tile.png"
    ),
    "url-secret": Lines(
        COURSE,
        "asset: https://me:secret@media.example.com/tile.png",
        "asset: https://media.example.com/tile.png",
    ),
    "url-ending": Lines(
        COURSE,
        "asset: https://media.example.com/tile.pdf",
        "asset: https://media.example.com/tile.png",
    ),
    "one-line": Lines(COURSE, 'title: "Safety\\nat work"', "title: Safety at work"),
    "edge-blank": Lines(COURSE, 'title: "Safety "', "title: Safety"),
    "markup-stripped": Lines(COURSE, "metaTitle: <b>Safety</b>", "metaTitle: Safety"),
    "front-matter": Lines(TOPIC, 'markdown: "---\\ntitle: A\\n---\\nHi."', "markdown: Hi."),
    "html-script": Lines(TOPIC, "body: <script>alert(1)</script>", "body: <p>Hi.</p>"),
    "html-handler": Lines(TOPIC, 'body: <p onclick="x()">Hi.</p>', "body: <p>Hi.</p>"),
    "html-link-runs": Lines(
        TOPIC,
        'body: <a href="javascript:x()">Hi.</a>',
        'body: <a href="https://example.com">Hi.</a>',
    ),
    "html-plugin": Lines(
        TOPIC, 'body: <embed src="https://media.example.com/a.swf">', "body: <p>Hi.</p>"
    ),
    "html-insecure": Lines(
        TOPIC,
        'body: <img alt="A guard" src="http://media.example.com/a.png">',
        'body: <img alt="A guard" src="https://media.example.com/a.png">',
    ),
    "html-frame-title": Lines(
        TOPIC,
        'body: <iframe src="https://example.com"></iframe>',
        'body: <iframe title="A map" src="https://example.com"></iframe>',
    ),
    "html-image-alt": Lines(
        TOPIC,
        'body: <img src="https://media.example.com/a.png">',
        'body: <img alt="A guard" src="https://media.example.com/a.png">',
    ),
    "html-unbalanced": Lines(TOPIC, "body: <div>Hi.", "body: <div>Hi.</div>"),
    "html-unknown": Lines(TOPIC, "body: <foo>Hi.</foo>", "body: <p>Hi.</p>"),
    "empty-link": Lines(
        TOPIC, 'body: <a href="">Hi.</a>', 'body: <a href="https://example.com">Hi.</a>'
    ),
    "relative-link": Lines(
        TOPIC, 'body: <a href="other.md">Hi.</a>', 'body: <a href="https://example.com">Hi.</a>'
    ),
    "client-slug-empty": Lines(CLIENT, "name: '---'", "name: '---'\nslug: acme"),
}
