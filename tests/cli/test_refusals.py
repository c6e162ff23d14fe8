"""Bad input and bad circumstances: one clear message with place and remedy, and an exit code."""

import io

import pytest

from tests.patience import read_outputs
from tests.served_catalog import Platform, Workspace

INVALID, STALE, LOCKED, UNREACHABLE, USAGE = 3, 5, 6, 8, 64


@pytest.mark.parametrize(
    ("edit", "place", "code", "hint"),
    [
        (("title: Title", "tilte: Title"), "a.yaml:4:1", "unknown-field", "did you mean `title`"),
        (("key: KEY", "key: KEY\nkey: b"), "a.yaml:3:1", "duplicate-key", "keep one of them"),
        (
            ("markdown: Good morning", "bodyFile: no.md"),
            "a.yaml:13:51",
            "file-missing",
            "there is no",
        ),
        (("type: quiz", "type: quizz"), "a.yaml:14:39", "type-value", "did you mean `quiz`"),
        (("kind: courseGroup", "kind: 7"), "a.yaml:3:1", "kind-value", "courseGroup"),
    ],
)
def test_a_mistake_is_shown_with_its_place_and_remedy(
    work: Workspace, edit: tuple[str, str], place: str, code: str, hint: str
) -> None:
    """A mistake is shown with its place, its rule, the value and what to do."""
    work.course("a", edit=edit)

    done = work.run("validate")

    assert INVALID == done.code
    assert place in done.out
    assert f"error[{code}]" in done.out
    assert hint in done.out
    assert "Traceback" not in done.out + done.err


def test_a_reference_to_nothing_is_shown_with_near_misses(work: Workspace) -> None:
    """A reference to an unknown key is shown with the key that was probably meant."""
    work.course("first-aid")
    work.course("a", "relatedCourses: [frist-aid]\n")

    done = work.run("validate")

    assert INVALID == done.code
    assert "a.yaml:15:18: error[unknown-reference] course.a" in done.out
    assert "did you mean `first-aid`" in done.out


def test_all_mistakes_are_shown_at_once(work: Workspace) -> None:
    """All mistakes are shown at once, sorted by place and counted at the end."""
    work.course("b", edit=("type: text", "type: txt"))
    work.course("a", "priceInCents: -1\nenrollmentLimit: 0\n")

    done = work.run("validate")

    codes = [line.split("[")[1].split("]")[0] for line in done.out.splitlines() if "error[" in line]
    assert ["price-in-cents-range", "enrollment-limit-range", "type-value"] == codes
    assert "3 errors." in done.out


@pytest.mark.parametrize("command", [["plan"], ["apply", "--yes"]])
def test_an_invalid_catalog_is_neither_planned_nor_applied(
    work: Workspace, platform: Platform, command: list[str]
) -> None:
    """Nothing of an invalid catalog is sent."""
    work.course("a", "colour: red\n")

    assert INVALID == work.run(*command).code
    assert [] == platform.requests()


def test_a_wrong_key_is_said_to_be_wrong(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a wrong key the message names the instance and the key, and where keys come from."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "nonsense")
    work.course("a")

    done = work.run("plan")

    assert UNREACHABLE == done.code
    assert "does not accept the API key" in done.err


def test_a_key_without_permission_is_told_which_it_needs(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 403 names the missing permission and leaves no call open."""
    key = platform.order("keys", {"permissions": ["courses.edit"]})["apiKey"]
    monkeypatch.setenv("LMSSYNC_API_KEY", key)
    work.course("a")

    done = work.apply()

    assert UNREACHABLE == done.code
    assert "courses.new" in done.err
    assert "blocked" not in str({k for k, v in work.plan()["summary"].items() if v})


def test_a_platform_that_is_not_there(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the platform is not there, the message has its address and how to start a sandbox."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:9")
    work.course("a")

    done = work.run("plan")

    assert UNREACHABLE == done.code
    assert "http://127.0.0.1:9 cannot be reached" in done.err
    assert "lmssync sandbox serve" in done.err


def test_an_unknown_tag_is_shown_at_its_place(work: Workspace) -> None:
    """A tag that the platform does not have is a mistake of the catalog, shown at its place."""
    work.course("a", "tags: [Safty]\n")

    done = work.run("plan")

    assert INVALID == done.code
    assert "a.yaml:15:8: error[unknown-name] course.a" in done.err
    assert "did you mean `Safety`" in done.err


def test_apply_without_anybody_to_ask_refuses(work: Workspace, platform: Platform) -> None:
    """Without a terminal, --yes or a saved plan, an apply does nothing."""
    work.course("a")

    assert USAGE == work.run("apply").code
    assert [] == platform.titles()


def test_a_plan_writes_nothing(work: Workspace, platform: Platform) -> None:
    """A plan sends only requests that cannot change anything."""
    work.course("a")
    work.apply()
    work.course("a", "priceInCents: 5\n")
    work.course("b", "tags: [Safety]\n")
    before = len(platform.requests())

    work.plan()

    assert {"GET"} == {request["method"] for request in platform.requests()[before:]}


@pytest.mark.slow
def test_a_second_run_is_told_who_holds_the_state(work: Workspace, platform: Platform) -> None:
    """Only one run can write at a time; the message names the process that holds the lock."""
    work.course("a")
    platform.hold("course.create")
    first = work.start("apply", "--yes")
    platform.wait_for("course.create", worked=False)

    done = work.apply()
    platform.let_go()
    read_outputs(first)

    assert (LOCKED, 0) == (done.code, first.returncode)
    assert f"process {first.pid}" in done.err


def test_the_state_of_one_environment_is_not_used_for_another(work: Workspace) -> None:
    """The state of one environment is refused for another, since ids differ by platform."""
    two = "version: 1\nenvironments: {one: {baseUrl: 'http://x'}, two: {baseUrl: 'http://x'}}\n"
    work.write("lmssync.yaml", two)
    work.course("a")
    assert 0 == work.apply("-e", "one").code

    done = work.apply("-e", "two")

    assert 1 == done.code
    assert "to the environment `one`" in done.err
    work.write("lmssync.yaml", two + "state: 'sqlite:///.lmssync/{environment}.db'\n")
    assert 0 == work.run("plan", "-e", "two").code


def test_a_plan_that_is_not_approved_changes_nothing(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the answer is no, nothing is sent and nothing is reported as applied."""
    work.course("a")
    monkeypatch.setattr("lmssync.cli.terminal_output.can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("no\n"))

    done = work.run("apply")

    assert (0, True) == (done.code, "Nothing was applied." in done.out)
    assert [] == platform.titles()


def test_what_is_blocked_is_blocked_in_every_report(work: Workspace, platform: Platform) -> None:
    """A conflict stops only its own change: summary, result and line have one word and reason."""
    work.course("a")
    work.apply()
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    work.course("a", edit=("Title of KEY", "From git"))

    done = work.apply("--json")

    failure, line = done.json["failures"][0], done.json["lines"][0]
    assert (7, 1, 0) == (done.code, *map(done.json["summary"].get, ("blocked", "skipped")))
    assert {"blocked"} == {failure["outcome"], line["outcome"], *done.json["results"].values()}
    assert failure["message"] == line["why"]
    assert "By hand" in line["why"]
    assert "1 blocked" in work.apply().out


def test_a_topic_outside_the_catalog_has_no_path(work: Workspace) -> None:
    """In a course named by uuid, topics can be named by uuid only."""
    uuid = "7d1c0000-0000-4000-8000-000000000999"
    criterion = "resource: completionCriterion\nkey: k\ntype: courseTopicViewed\n"
    work.write("c.yaml", f"{criterion}course: {uuid}\ntopic: a/b/c\n")

    assert "error[topic-outside]" in work.run("validate").out
    work.write("c.yaml", f"{criterion}course: {uuid}\ntopic: {uuid}\n")
    assert 0 == work.run("validate").code


def test_a_circle_is_shown_beside_a_warning(work: Workspace) -> None:
    """A warning elsewhere does not hide a circle of two courses."""
    work.course("a", "prerequisiteCourses: [b]\n")
    work.course("b", "prerequisiteCourses: [a]\n")
    work.write("c.yaml", "resource: course\nkey: c\nkind: courseGroup\ntitle: Empty\n")

    done = work.run("validate")

    assert INVALID == done.code
    assert "error[reference-circle]" in done.out
    assert "warning[no-content]" in done.out


@pytest.mark.parametrize(
    "address", ["http://a b", "http://h:99999999", "http://[::1", "h", "http://\x01"]
)
def test_an_address_that_is_none_is_said_to_be_none(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """A mistyped LMSSYNC_BASE_URL is reported as wrong use and not as a bug."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", address)
    work.course("a")

    assert work.run("plan").code in {USAGE, UNREACHABLE}


@pytest.mark.parametrize("key", ["schl\u00fcssel-1", "schluessel-1\n"])
def test_a_key_that_no_header_can_hold_is_not_shown(
    work: Workspace, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """A key that no header can hold is refused by its variable, and its value is not shown."""
    monkeypatch.setenv("LMSSYNC_API_KEY", key)
    work.course("a")

    done = work.run("plan")

    assert (USAGE, True, False) == (
        done.code,
        "LMSSYNC_API_KEY" in done.err,
        "ssel-1" in done.err,
    )


def test_an_address_has_a_kind_and_a_key(work: Workspace) -> None:
    """A text that cannot be an address is not looked up."""
    for command in (["state", "show"], ["state", "forget"], ["resolve", "--done"]):
        done = work.run(*command, "nonsense")
        assert (USAGE, True) == (done.code, "`nonsense` is not an address" in done.err)


def test_an_update_that_a_refusal_made_is_done(work: Workspace, instance: Platform) -> None:
    """Where a read shows that a refused update was made, the run says so and ends well."""
    work.course("a")
    work.apply()
    work.course("a", "description: New.\n")
    no = {"errors": ["not today"]}
    instance.fault("answer", "course.update", when="after", status=400, body=no)

    done = work.apply("--json")

    assert (0, "updated") == (done.code, done.json["results"]["course.a"])
    assert "course.a: the platform refused the change, and made it nevertheless" in done.err
    assert [] == work.plan()["changes"]
