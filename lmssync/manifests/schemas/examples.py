"""A manifest or two of each kind, as small as they can be and still show what the kind is for.

Editors offer them, `explain` shows them, and from them it learns how a change of a field would
be made. They name things that no catalog has to have.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..yaml import load

_TEXTS = """\
resource: course
key: safety-101
kind: courseGroup
title: Workplace safety 101
description: What everyone on site must know.
tags: [Safety]
sections:
  - id: start
    title: Start here
    lessons:
      - id: welcome
        title: Welcome
        openType: studentsOnly
        topics:
          - {id: hello, title: Hello, type: text, bodyFile: hello.md}
          - {id: check, title: Final check, type: quiz}
completionCriteria:
  - {id: pass, type: courseAssessmentPassed, topic: start/welcome/check}
purchasePaths:
  - {id: track, label: The whole track, target: {item: safety-track}}
---
resource: course
key: forklift-check
kind: microCourse
title: Daily check of a forklift
topics:
  - {title: What to look at, type: text, markdown: 'Forks, chains, tyres.'}
---
resource: course
key: privacy
kind: article
title: Privacy at work
articleVariant:
  language: en
  markdown: What we keep, and why.
  languages:
    - {language: de, markdown: Was wir behalten und warum.}
---
resource: course
key: director
kind: video
title: A welcome from our director
videoUrl: https://media.example.com/welcome.mp4
---
resource: course
key: machine-guards
kind: shareableContentObject
title: Machine guards
scormUrl: https://media.example.com/machine-guards.zip
width: 1024
height: 768
---
resource: completionCriterion
key: safety-101.most
course: safety-101
type: coursePercentViewed
percent: 80
---
resource: license
key: acme-all
client: acme
name: Acme, all safety courses
courses: [safety-101]
learningPaths: []
courseTags: [Safety]
seatsLimit: 250
---
resource: purchasePath
key: safety-101.partner
course: safety-101
label: Buy at <b>our partner</b>
target: {url: "https://shop.example.com/safety", title: Partner shop}
---
resource: client
key: acme
cloneOf: golden
name: Acme Industries
slug: acme
---
resource: licenseAssignment
key: acme-staff
licenses: [acme-all]
users:
  - email: ann@example.com
enrollmentOptions: {preserveEnrollments: true, preserveProgress: true}
"""

OF_FILES = {
    "lmssync": """\
version: 1
environments:
  sandbox:
    baseUrl: http://127.0.0.1:8800
    apiKey: {env: LMSSYNC_API_KEY}
platform:
  licenseMarker: ref10
defaults:
  course: {discussionsEnabled: true}
rules:
  no-alt-text: error
""",
    "policy": """\
policy: published-has-meta
resource: course
severity: warning
when: {status: published}
require: {metaDescription: {present: true}}
message: a published course has a description for search engines
""",
}
"""Of the files that hold no resources."""


@cache
def texts() -> Mapping[str, list[str]]:
    """The examples of each kind as YAML, by its word under `resource:`."""
    found: dict[str, list[str]] = {}
    for text in _TEXTS.split("---\n"):
        word = text.partition("\n")[0].removeprefix("resource: ")
        found.setdefault(word, []).append(text)
    return found


@cache
def documents() -> Mapping[str, list[dict[str, Any]]]:
    """The same as documents."""
    return {word: [load(text.encode())[0] for text in known] for word, known in texts().items()}
