"""Parts that people added, deleted, reordered or moved on the platform come into the manifests."""

from typing import Any

import pytest

from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace

MANIFEST = """\
resource: course
key: a
kind: courseGroup
title: A course
sections:
  # the beginning
  - id: start
    title: Start
    lessons:
      # first of all
      - id: one
        title: One
        openType: open
        topics:
          # a greeting
          - {id: hello, title: Hello, type: text, markdown: Good morning}
          - id: check # five questions
            title: Check
            type: quiz
          # the end
      - id: two
        title: Two
        openType: open
        topics:
          - {id: bye, title: Bye, type: text, bodyFile: bye.md}
"""
LONG = "<p>One</p>\n<p>Two</p>\n<p>Three</p>\n"


class Course:
    """A course that was applied, and a person at the admin interface."""

    def __init__(self, work: Workspace, platform: Platform) -> None:
        self.work, self.platform = work, platform
        self.ids = {
            (kind, one["title"]): one["id"]
            for kind in ("sections", "lessons", "topics")
            for one in platform.dump(kind)
        }

    def add(self, kind: str, **fields: Any) -> str:
        doc = self.platform.order("edit", {"list": kind, "add": fields})["doc"]
        self.ids[kind, fields["title"]] = doc["id"]
        return str(doc["id"])

    def set(self, kind: str, called: str, /, **fields: Any) -> None:
        order = {"list": kind, "id": self.ids[kind, called], "set": fields}
        self.platform.order("edit", order)

    def delete(self, kind: str, title: str) -> None:
        order = {"list": kind, "id": self.ids[kind, title], "delete": True}
        self.platform.order("edit", order)

    def pull(self, *more: str) -> str:
        """The manifest after a pull that leaves nothing for the next plan."""
        done = self.work.run("pull", "course.a", *more)
        assert 0 == done.code, done.out + done.err
        assert "No changes" in self.work.run("plan", "--refresh", "all").out
        assert 0 == self.work.run("drift").code
        assert 0 == self.work.run("fmt", "--check").code
        return self.text

    @property
    def text(self) -> str:
        return (self.work.root / "a.yaml").read_text("utf-8")


def applied(work: Workspace, platform: Platform, project: str, more: str = "") -> Course:
    work.write("lmssync.yaml", project)
    work.write("a.yaml", MANIFEST + more)
    work.write("bye.md", "# Bye\n")
    assert 0 == work.apply().code
    return Course(work, platform)


@pytest.fixture
def course(work: Workspace, instance: Platform) -> Course:
    """On an instance that shows everything."""
    return applied(work, instance, EXTENDED)


@pytest.fixture
def plain(work: Workspace, platform: Platform) -> Course:
    """On an instance that shows the outline."""
    return applied(work, platform, PROJECT)


def test_an_added_topic_comes_with_its_content(course: Course) -> None:
    """It stands where the platform has it, with an id from its title; the rest is untouched."""
    one = course.ids["lessons", "One"]
    body = "<p>It <em>is</em> new.</p>\n"
    course.add("topics", lessonId=one, title="Brand new", type="text", body=body, position=1)

    new = "id: brand-new\n            title: Brand new\n            type: text\n"
    item = f'          - {new}            markdown: "It *is* new.\\n"\n'
    before = "          - id: check # five questions\n"
    assert MANIFEST.replace(before, item + before) == course.pull()


BRACKETS = """\
resource: course
key: a
kind: microCourse
title: A course
topics: [{id: hello, title: Hello, type: quiz},  {id: bye, title: Bye, type: quiz}]
"""


def test_a_topic_is_added_between_brackets(work: Workspace, instance: Platform) -> None:
    """What separates the first two items separates all of them."""
    work.write("lmssync.yaml", EXTENDED)
    work.write("a.yaml", BRACKETS)
    assert 0 == work.apply().code
    course = Course(work, instance)
    lesson = next(one["id"] for one in instance.dump("lessons") if one["title"])
    course.add("topics", lessonId=lesson, title="Red", type="text", body="<p>Hi</p>", position=1)

    red = '{id: red, title: Red, type: text, markdown: "Hi\\n"},  '
    assert BRACKETS.replace("{id: bye", f"{red}{{id: bye") == course.pull()


def test_a_long_body_goes_into_a_file(course: Course) -> None:
    """It goes to the other bodies of the course, under the name that an import gives it."""
    one = course.ids["lessons", "One"]
    course.add("topics", lessonId=one, title="Long", type="text", body=LONG)

    assert "bodyFile: long.md\n" in course.pull()
    assert "One\n\nTwo\n\nThree\n" == (course.work.root / "long.md").read_text("utf-8")


def test_an_added_section_comes_with_everything_in_it(course: Course) -> None:
    section = course.add("sections", courseId=course.platform.dump("courses")[-1]["id"], title="S")
    lesson = course.add("lessons", sectionId=section, title="L", openType="open")
    course.add("topics", lessonId=lesson, title="T", type="quiz")

    assert "  - id: s\n    title: S\n    lessons:\n      - id: l\n" in course.pull()


def test_the_outline_of_an_added_topic(plain: Course) -> None:
    """The core profile shows title and type: that is what the manifest says."""
    one = plain.ids["lessons", "One"]
    plain.add("topics", lessonId=one, title="Check", type="text", body="<p>Hi</p>")

    text = plain.pull()

    assert "          - id: check-2\n            title: Check\n            type: text\n" in text
    assert "Hi" not in text


def test_what_no_manifest_may_say_is_left(plain: Course) -> None:
    """A video without its address is refused alone, with what to do; the rest is pulled."""
    one = plain.ids["lessons", "One"]
    url = "https://media.example.com/a.mp4"
    plain.add("topics", lessonId=one, title="Film", type="video", videoUrl=url)
    plain.add("topics", lessonId=one, title="Quiz", type="quiz")

    done = plain.work.run("pull", "course.a")

    assert 7 == done.code
    assert ": not pulled: no manifest can contain it: " in done.out
    assert "with the same title and type: the next plan takes it over" in done.out
    assert "title: Quiz" in plain.text


@pytest.mark.parametrize("kind", ["course", "plain"])
def test_another_order(kind: str, request: pytest.FixtureRequest) -> None:
    """Each item takes its text along, with the comments above it and beside it."""
    course: Course = request.getfixturevalue(kind)
    course.set("lessons", "Two", position=0)

    one, two = MANIFEST.index("      # first of all"), MANIFEST.index("      - id: two")
    wanted = MANIFEST[:one] + MANIFEST[two:] + MANIFEST[one:two]
    assert wanted == course.pull()


@pytest.mark.parametrize("kind", ["course", "plain"])
def test_a_deleted_topic_is_taken_out(kind: str, request: pytest.FixtureRequest) -> None:
    """With its comments; its file goes too, and its id is not recorded any more."""
    course: Course = request.getfixturevalue(kind)
    course.delete("topics", "Bye")

    assert course.pull().endswith("        topics: []\n")
    assert not (course.work.root / "bye.md").exists()
    assert course.ids["topics", "Bye"] not in course.work.run("state", "export").out


def test_a_deleted_topic_that_a_criterion_names_stays(work: Workspace, instance: Platform) -> None:
    """The message says who names it, and nothing is changed."""
    rules = (
        "completionCriteria:\n  - {id: q, type: courseAssessmentPassed, topic: start/one/check}\n"
    )
    course = applied(work, instance, EXTENDED, rules)
    course.delete("topics", "Check")

    done = work.run("pull", "course.a")

    assert (7, MANIFEST + rules) == (done.code, course.text)
    assert "criterion.a.q names it: remove that reference first" in done.out


def test_a_moved_topic_takes_its_text_along(work: Workspace, instance: Platform) -> None:
    """What names it follows; what else was changed of it is pulled as well."""
    rules = (
        "completionCriteria:\n  - {id: q, type: courseAssessmentPassed, topic: start/one/check}\n"
    )
    course = applied(work, instance, EXTENDED, rules)
    course.set("topics", "Check", lessonId=course.ids["lessons", "Two"], title="Check it")

    text = course.pull()

    item = "          - id: check # five questions\n            title: Check it\n"
    assert text.index("id: bye") < text.index(item)
    assert "topic: start/two/check}" in text


def test_a_criterion_of_another_topic_names_it_by_its_path(
    work: Workspace, instance: Platform
) -> None:
    rules = "completionCriteria:\n  - {id: q, type: courseTopicViewed, topic: start/one/hello}\n"
    course = applied(work, instance, EXTENDED, rules)
    (criterion,) = instance.dump("completionCriteria")
    other = {"courseTopicViewed": course.ids["topics", "Check"]}
    instance.order("edit", {"list": "completionCriteria", "id": criterion["id"], "set": other})

    done = work.run("pull", "criterion.a.q")

    assert "" == done.err
    assert "topic: start/one/check}" in course.text
    assert 0 == work.run("drift").code


def test_one_part_is_pulled_alone(course: Course) -> None:
    one = course.ids["lessons", "One"]
    course.add("topics", lessonId=one, title="Red", type="quiz")
    course.add("topics", lessonId=one, title="Blue", type="quiz")

    assert 0 == course.work.run("pull", "course.a:start/one/blue").code

    assert ("title: Blue" in course.text, "title: Red" in course.text) == (True, False)
    assert "page “Red” in “One”: was added" in course.work.run("drift").out


def test_drift_and_plan_tell_of_parts(course: Course) -> None:
    """Each is told as what it is, and the plan says how it comes home."""
    one, two = course.ids["lessons", "One"], course.ids["lessons", "Two"]
    course.add("topics", lessonId=one, title="Red", type="quiz")
    course.set("topics", "Check", lessonId=two)
    course.delete("topics", "Bye")

    drift = course.work.run("drift").out
    plan = course.work.run("plan", "--refresh", "all").out

    assert "page “Red” in “One”: was added on the platform\n" in drift
    assert "page “Check” in “Two”: was moved here on the platform, from lesson “One” in" in drift
    assert "page “Bye” in “Two”: was deleted on the platform\n" in drift
    assert "topic “Red” (`start/one/red`) added on the platform: `lmssync pull course.a`" in plan
    assert "No changes in git: 1 resource recorded, 1 changed on the platform" in plan


def test_programs_learn_where_parts_are(course: Course) -> None:
    """A part that was added, and one that was moved with the path that it had."""
    one, two = course.ids["lessons", "One"], course.ids["lessons", "Two"]
    course.add("topics", lessonId=one, title="Red", type="quiz")
    course.set("topics", "Check", lessonId=two)

    (found,) = course.work.run("drift", "--json").json["findings"]

    lessons = "sections[start].lessons"
    came = {one["title"]: (one["part"], one["type"], one["was"]) for one in found["came"]}
    assert {
        "Red": (f"{lessons}[one].topics[red]", "topic", None),
        "Check": (f"{lessons}[two].topics[check]", "topic", f"{lessons}[one].topics[check]"),
    } == came


def test_what_git_has_added_as_well_is_left_to_the_plan(course: Course) -> None:
    """The plan takes it over; a pull does not write it a second time."""
    one = course.ids["lessons", "One"]
    course.add("topics", lessonId=one, title="Red", type="quiz")
    both = MANIFEST.replace(
        "          # the end\n",
        "          - {id: red, title: Red, type: quiz}\n          # the end\n",
    )
    course.work.write("a.yaml", both)

    assert "Nothing to pull" in course.work.run("pull", "course.a").out
    assert 0 == course.work.apply().code
    assert ["Hello", "Check", "Red", "Bye"] == course.platform.topics("A course")


ARTICLE = """\
resource: course
key: a
kind: article
title: An article
articleVariant:
  body: <p>Hi</p>
  languages:
    # for Vienna
    - language: de
      title: Deutsch # checked
      markdown: Hallo **Welt**
    - language: fr
      bodyFile: fr.md
"""
DE, FR = ARTICLE.index("    # for Vienna"), ARTICLE.index("    - language: fr")
ITALIAN = {"language": "it", "title": "Italiano", "body": "<p>Ciao</p>\n"}
IN_YAML = '    - language: it\n      title: Italiano\n      markdown: "Ciao\\n"\n'


@pytest.fixture
def article(work: Workspace, instance: Platform) -> Course:
    """An article in three languages."""
    work.write("a.yaml", ARTICLE)
    work.write("fr.md", "Salut\n")
    assert 0 == work.apply().code
    return Course(work, instance)


def languages(article: Course) -> list[Any]:
    """The further languages of the article, as the platform has them."""
    (topic,) = [one for one in article.platform.dump("topics") if one.get("languages")]
    found: list[Any] = topic["languages"]
    return found


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda de, fr: [fr, de], ARTICLE[:DE] + ARTICLE[FR:] + ARTICLE[DE:FR]),
        (lambda _de, fr: [fr], ARTICLE[:DE] + ARTICLE[FR:]),
        (lambda de, fr: [de, fr, ITALIAN], ARTICLE + IN_YAML),
        (lambda de, fr: [{**de, "title": "Wien"}, fr], ARTICLE.replace("Deutsch", "Wien")),
    ],
)
def test_languages_change_one_by_one(article: Course, change: Any, wanted: str) -> None:
    """What others have not touched keeps its text, its file and its comments."""
    article.set("topics", "An article", languages=change(*languages(article)))

    assert wanted == article.pull()


def test_a_language_written_anew_by_an_editor_keeps_its_file(article: Course) -> None:
    """Blanks and entities are the editor's: only the title of the language has changed."""
    de, fr = languages(article)
    new = {**fr, "title": "Français", "body": "<p>&#83;alut</p>"}
    article.set("topics", "An article", languages=[de, new])

    assert "    - language: fr\n      title: Français\n      bodyFile: fr.md\n" in article.pull()
    assert "Salut\n" == (article.work.root / "fr.md").read_text("utf-8")


def test_the_body_of_a_language_goes_into_its_file(article: Course) -> None:
    de, fr = languages(article)
    new = {**fr, "body": "<p>Bonjour <em>toi</em></p>\n"}
    article.set("topics", "An article", languages=[de, new])

    assert ARTICLE == article.pull()
    assert "Bonjour *toi*\n" == (article.work.root / "fr.md").read_text("utf-8")


def test_a_part_without_an_id_keeps_the_one_from_its_title(
    work: Workspace, instance: Platform
) -> None:
    """Another title would give it another id, and so another part: the id is written down."""
    lesson = "title: L\n        openType: open\n        topics:\n"
    topics = "          - {title: Quiz, type: quiz}\n          - {title: Quiz, type: quiz}\n"
    head = "resource: course\nkey: a\nkind: courseGroup\ntitle: A\nsections:\n"
    work.write("a.yaml", f"{head}  - title: S\n    lessons:\n      - {lesson}{topics}")
    assert 0 == work.apply().code
    course = Course(work, instance)
    (first,) = [one["id"] for one in instance.dump("topics")][:1]
    instance.order("edit", {"list": "topics", "id": first, "delete": True})

    assert "          - {id: quiz-2, title: Quiz, type: quiz}\n" in course.pull()
