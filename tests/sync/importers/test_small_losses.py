"""Small things of real sources that an import keeps."""

from pathlib import Path

import pytest

from lmssync.errors import LmssyncError
from lmssync.sync.importers import FileImportOptions, Loss, add_courses, open_staging
from lmssync.sync.importers.source_texts import make_slug

from . import sources
from .conftest import Bring
from .test_formats import manifest, outline, topic


def test_a_heading_below_a_comment_is_the_title(tmp_path: Path, bring: Bring):
    """The comment stays in the text, and attributes behind the heading are no part of it."""
    page = "<!-- licence\ntext -->\n\n# The rules {#rules .unnumbered}\n\nWalk.\n"
    bring("markdown", sources.put(tmp_path / "m", {"index.md": "# Safety\n", "a/b.md": page}))
    assert "Walk." in topic(manifest(tmp_path, "safety"), "The rules")["markdown"]


def test_files_of_the_course_are_found_in_an_old_backup(tmp_path: Path, bring: Bring):
    """Moodle 1.9 kept them for the whole course, and its pages say `$@FILEPHP@$`."""
    old = "$@FILEPHP@$$@SLASH@$pictures$@SLASH@$guard.png"
    page = f'<content>&lt;img src="{old}" alt=""&gt;</content>'
    files = str(sources.MOODLE["files.xml"]).replace(
        "<filearea>content</filearea><itemid>0</itemid><filepath>/<",
        "<filearea>legacy</filearea><itemid>0</itemid><filepath>/pictures/<",
        1,
    )
    changed = {"files.xml": files, **sources.activity(1, "page", "Hello", page)}
    where = sources.tar_gz(tmp_path / "b.mbz", {**sources.MOODLE, **changed})
    (course,) = bring("moodle", where)
    assert "files/aa/aa11" in {copy.source for copy in course.copies}


def test_an_assignment_of_moodle_2_0(tmp_path: Path, bring: Bring):
    """The module had another name then."""
    backup = str(sources.MOODLE["moodle_backup.xml"]).replace(">wiki<", ">assignment<")
    task = sources.activity(7, "assignment", "Notes", "<intro>Write.</intro>")
    moved = {name.replace("assignment_7", "wiki_7"): text for name, text in task.items()}
    where = {**sources.MOODLE, **moved, "moodle_backup.xml": backup}
    bring("moodle", sources.tar_gz(tmp_path / "b.mbz", where))
    assert "assignment" == topic(manifest(tmp_path), "Notes")["type"]


def test_texts_of_one_unit_are_one_topic(tmp_path: Path, bring: Bring):
    """A unit that nobody named has the title of its sequential."""
    texts = "<html><p>One</p></html><html><p>Two</p></html>"
    unit = f'<vertical display_name="Unit">{texts}<discussion/></vertical>'
    where = {**sources.OLX, "course/vertical/hello.xml": unit}
    bring("olx", sources.tar_gz(tmp_path / "a.tar.gz", where))
    course = manifest(tmp_path)
    assert [("Welcome", "text"), ("Welcome", "discussionBoard")] == outline(course)[0][2][:2]
    assert "One\n\nTwo\n" == topic(course, "Welcome")["markdown"]


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Smørrebrød på Ærø", "smorrebrod-pa-aero"),
        ("Łódź: wstęp", "lodz-wstep"),
        ("Þór og Đorđe", "thor-og-dorde"),
        ("Is\u0131 kayna\u011f\u0131", "isi-kaynagi"),
        ("Œuvre", "oeuvre"),
    ],
)
def test_letters_that_are_no_accents_stay_in_slugs(title: str, slug: str):
    """Each has a plain spelling."""
    assert slug == make_slug(title)


def test_a_folder_that_says_nothing_gives_its_parents_name(tmp_path: Path, bring: Bring):
    """Tools ask for `src`, `docs` or `episodes`."""
    source = sources.put(tmp_path / "fire-safety" / "episodes", {"a.md": "# One\nHi.\n"})
    (course,) = bring("markdown", source)
    assert "Fire safety" == course.title


def test_the_column_of_titles_can_be_named(tmp_path: Path):
    """Without it the message lists the columns."""
    table = sources.put(tmp_path, {"c.csv": "Kurs,Preis\nSafety,19\n"}) / "c.csv"
    with pytest.raises(LmssyncError) as refused, open_staging(tmp_path / "no") as courses:
        add_courses(courses, "csv", table)
    assert "--title-column: `Kurs`, `Preis`" in refused.value.hint
    with open_staging(tmp_path / "out", FileImportOptions(title_column="Kurs")) as courses:
        add_courses(courses, "csv", table)
    assert ["Safety"] == [course.title for course in courses.imported]
    assert {Loss.LOST, Loss.PLACEHOLDER} == {note.loss for note in courses.imported[0].lost}


def test_ids_of_pages_in_another_script_come_from_the_name_without_its_ending(
    tmp_path: Path, bring: Bring
):
    """`02.md` is `02`, and not `02md`."""
    files = {"index.md": "# Safety\n", "a/02.md": "# 安全\n\n安全。\n"}
    bring("markdown", sources.put(tmp_path / "m", files))
    assert "02" == topic(manifest(tmp_path, "safety"), "安全")["id"]


def notes_of(root: Path, bring: Bring, form: str, contents: sources.Contents) -> str:
    """What the report says of a source, a line each."""
    pack = sources.zipped if form == "imscc" else sources.tar_gz
    (course,) = bring(form, pack(root / "source", contents))
    return "\n".join(note.message for note in course.lost)


def test_settings_empty_chapters_and_what_a_video_has_besides(tmp_path: Path, bring: Bring):
    """Of Open edX; what says nothing is not named."""
    course = """<course display_name="Safety at work" language="de" cohorted="false" tabs="[]">
      <chapter url_name="start"/><chapter display_name="Later"/></course>"""
    video = """<video youtube_id_1_0="dQw4w9WgXcQ" handout="/static/sheet.pdf">
      <source src="https://a.example/a.mp4"/></video>"""
    contents = {**sources.OLX, "course/course/run.xml": course, "course/video/tour.xml": video}

    said = notes_of(tmp_path, bring, "olx", contents).split("\n")

    watch = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
    assert "settings of the course: language" in said
    assert "“Later”, which has no pages" in said
    assert f"further addresses of the video “Hello”: {watch}" in said
    assert "the handout of “Hello”: /static/sheet.pdf" in said


def test_a_handout_is_named_once(tmp_path: Path, bring: Bring):
    """A file that the report names is not listed again as one that no page needs."""
    video = '<video youtube_id_1_0="dQw4w9WgXcQ" handout="/static/sheet.pdf"/>'
    contents = {**sources.OLX, "course/video/tour.xml": video, "course/static/sheet.pdf": b"%PDF"}
    (course,) = bring("olx", sources.tar_gz(tmp_path / "a.tar.gz", contents))
    notes = [note.message for note in course.lost if note.place == "course/static/sheet.pdf"]
    assert ["the handout of “Hello”: /static/sheet.pdf"] == notes


def test_metadata_and_tools_of_a_cartridge(tmp_path: Path, bring: Bring):
    """Rights and keywords are named; what a tool is for stands above it."""
    about = """<lom:keyword><lom:string>Guards</lom:string></lom:keyword></lom:general>
      <lom:rights><lom:description><lom:string>Free</lom:string></lom:description></lom:rights>"""
    tool = """<cartridge_basiclti_link><launch_url>https://lab.example.com</launch_url>
      <description>Try &amp; see.</description><custom><property name="room">7</property></custom>
      </cartridge_basiclti_link>"""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace("</lom:general>", about)
    contents = {**sources.IMSCC, "imsmanifest.xml": listed, "tool.xml": tool}

    said = notes_of(tmp_path, bring, "imscc", contents)

    assert "`general` of the cartridge: Guards" in said
    assert "`rights` of the cartridge: Free" in said
    assert "up again: https://lab.example.com, with the parameters room" in said
    assert "<p>Try &amp; see.</p>\n" == topic(manifest(tmp_path), "Lab")["preTextBlock"]


def test_an_address_without_the_ending_of_its_file(tmp_path: Path, bring: Bring):
    """The file that a resource lists is in the cartridge."""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace(
        'type="webcontent" href="wiki/hello.html"', 'type="webcontent" href="wiki/hello"'
    )

    said = notes_of(tmp_path, bring, "imscc", {**sources.IMSCC, "imsmanifest.xml": listed})

    assert "missing" not in said
    assert topic(manifest(tmp_path), "Hello")["bodyFile"]


def test_a_file_whose_address_is_encoded(tmp_path: Path, bring: Bring):
    """Addresses are URIs, and `%20` stands for a blank in a name."""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace("wiki/hello.html", "wiki/a%20b.html")
    contents = {**sources.IMSCC, "imsmanifest.xml": listed, "wiki/a b.html": "<p>Walk.</p>"}

    said = notes_of(tmp_path, bring, "imscc", contents)

    assert "its file is missing" not in said
    assert "Walk." in str(topic(manifest(tmp_path), "Hello"))


def test_an_item_with_a_page_and_further_items(tmp_path: Path, bring: Bring):
    """The page is the first topic of the section or lesson."""
    listed = str(sources.IMSCC["imsmanifest.xml"])
    listed = listed.replace('<item identifier="m1">', '<item identifier="m1" identifierref="page">')
    listed = listed.replace('<item identifier="f1">', '<item identifier="f1" identifierref="pdf">')

    notes_of(tmp_path, bring, "imscc", {**sources.IMSCC, "imsmanifest.xml": listed})

    lessons = outline(manifest(tmp_path))
    assert ("Start here", "text") == lessons[0][2][0]
    assert [("Folder", "pdfViewer")] == [
        topics[0] for _, name, topics in lessons if name == "Folder"
    ]


def test_what_canvas_had_not_published(tmp_path: Path, bring: Bring):
    """A page, a module and an item of a module are named once each, and what is open is not."""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace(
        '<item identifierref="pdf">', '<item identifier="i2" identifierref="pdf">'
    )
    state = "<workflow_state>unpublished</workflow_state>"
    modules = f"""<modules><module identifier="m1">{state}<items><item identifier="i2">{state}
      </item></items></module></modules>"""
    page = '<html><head><meta name="workflow_state" content="unpublished"/></head><body>Hi</body>'
    changed = {"imsmanifest.xml": listed, "wiki/hello.html": page}
    contents = {**sources.IMSCC, **changed, "course_settings/module_meta.xml": modules}

    said = notes_of(tmp_path, bring, "imscc", contents).split("\n")

    hidden = [line.split("”")[0] for line in said if "was hidden, and learners would" in line]
    assert ["“Hello", "“Handbook", "“Start here"] == hidden


def test_an_assignment_that_canvas_had_not_published(tmp_path: Path, bring: Bring):
    """Its settings say so, beside the page with its text."""
    files = '<file href="wiki/hello.html"/><file href="wiki/assignment_settings.xml"/>'
    listed = str(sources.IMSCC["imsmanifest.xml"])
    listed = listed.replace('<file href="wiki/hello.html"/>', files)
    about = "<assignment><workflow_state>unpublished</workflow_state></assignment>"
    changed = {"imsmanifest.xml": listed, "wiki/assignment_settings.xml": about}

    said = notes_of(tmp_path, bring, "imscc", {**sources.IMSCC, **changed})

    assert 1 == said.count("“Hello” was hidden, and learners would see it")


def test_a_quiz_and_a_talk_that_canvas_had_not_published(tmp_path: Path, bring: Bring):
    """The settings of a quiz are beside its questions, those of a discussion in a further file."""
    listed = str(sources.IMSCC["imsmanifest.xml"])
    listed = listed.replace('"quiz.xml"', '"quiz/quiz.xml"')
    needed = '<file href="talk.xml"/><dependency identifierref="about"/>'
    about = '</resource><resource identifier="about" type="x/learning-application-resource" '
    about += 'href="about.xml"><file href="about.xml"/></resource></resources>'
    listed = listed.replace('<file href="talk.xml"/>', needed)
    listed = listed.replace("</resource>\n  </resources>", about)
    contents = {
        **sources.IMSCC,
        "imsmanifest.xml": listed,
        "quiz/quiz.xml": "<questestinterop/>",
        "quiz/assessment_meta.xml": "<quiz><available>false</available></quiz>",
        "about.xml": "<topicMeta><workflow_state>unpublished</workflow_state></topicMeta>",
    }

    said = notes_of(tmp_path, bring, "imscc", contents).split("\n")

    hidden = [line.split("”")[0] for line in said if "was hidden, and learners would" in line]
    assert ["“Quiz", "“Talk"] == hidden


def test_a_hidden_heading_without_pages(tmp_path: Path, bring: Bring):
    """Learners would not see it: it is not in the catalog."""
    heading = '<item identifier="h2"><title>Later</title></item></item>\n  </item>'
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace("</item>\n  </item>", heading)
    state = "<module><workflow_state>active</workflow_state><items><item identifier='h2'>"
    state += "<workflow_state>unpublished</workflow_state></item></items></module>"
    modules = {"course_settings/module_meta.xml": f"<modules>{state}</modules>"}

    said = notes_of(
        tmp_path, bring, "imscc", {**sources.IMSCC, "imsmanifest.xml": listed, **modules}
    )

    assert ("“Later”, which has no pages" in said, "was hidden" in said) == (True, False)


def test_a_page_of_the_item_that_holds_all_others(tmp_path: Path, bring: Bring):
    """It comes first, in a section with the title of the course."""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace(
        '<item identifier="top">', '<item identifier="top" identifierref="page"><title>All</title>'
    )
    bring(
        "imscc", sources.zipped(tmp_path / "a.imscc", {**sources.IMSCC, "imsmanifest.xml": listed})
    )
    first, *_ = outline(manifest(tmp_path))
    assert ("Safety at work", [("All", "text")]) == (first[0], first[2])


def test_a_page_that_two_resources_list(tmp_path: Path, bring: Bring):
    """It is in the outline with one of them, and so not lost with the other."""
    again = """<resource identifier="again" type="webcontent" href="wiki/hello.html">
      <file href="wiki/hello.html"/></resource></resources>"""
    listed = str(sources.IMSCC["imsmanifest.xml"]).replace("</resources>", again)

    said = notes_of(tmp_path, bring, "imscc", {**sources.IMSCC, "imsmanifest.xml": listed})

    assert "a page outside the outline" not in said


def test_a_cartridge_without_a_title_and_an_outline(tmp_path: Path, bring: Bring):
    """Its section has the name of the archive, as the course has."""
    listed = (
        '<resource identifier="a" type="webcontent" href="a.html"><file href="a.html"/></resource>'
    )
    contents = {
        "imsmanifest.xml": f"<manifest><resources>{listed}</resources></manifest>",
        "a.html": "<title>A</title><body><p>Hi</p></body>",
    }
    bring("imscc", sources.zipped(tmp_path / "ladders.imscc", contents))
    assert [("ladders", ["A"])] == [
        (section, [title for title, _ in topics])
        for section, _, topics in outline(manifest(tmp_path, "ladders"))
    ]


def test_introductions_of_moodle_are_kept_or_named(tmp_path: Path, bring: Bring):
    """A book begins with its own; above a file is room for it, beside a link there is none."""
    chapters = "<chapters><chapter><title>One</title><content>x</content></chapter></chapters>"
    link = "<externalurl>https://example.com</externalurl>"
    contents = {
        **sources.MOODLE,
        **sources.activity(2, "book", "Handbook", f"<intro>Read it all.</intro>{chapters}"),
        **sources.activity(5, "resource", "Rules", "<intro>Print them.</intro>"),
        **sources.activity(8, "url", "Our site", f"<intro>Look here.</intro>{link}"),
        "course/course.xml": """<course><fullname>Safety at work</fullname><customfields>
          <customfield><name>Room</name><value>7</value></customfield></customfields></course>""",
    }

    said = notes_of(tmp_path, bring, "moodle", contents).split("\n")

    course = manifest(tmp_path)
    assert "Read it all." == topic(course, "Handbook")["body"]
    assert "Print them." == topic(course, "Rules")["preTextBlock"]
    assert "the description of “Our site”: Look here." in said
    assert "the field `Room`: 7" in said


@pytest.mark.parametrize("parent", ["<parentcmid>9</parentcmid>", ""])
def test_a_section_of_moodle_inside_another(tmp_path: Path, bring: Bring, parent: str):
    """Its pages are a lesson there; the backup names its activity in either of two ways."""
    inner = "<section><sectionid>12</sectionid><title>2</title>"
    inner += f"<directory>sections/section_12</directory>{parent}</section></sections>"
    listed = "<activity><moduleid>{0}</moduleid><modulename>{1}</modulename><title>{2}</title>"
    listed += "<sectionid>{3}</sectionid><directory>activities/{1}_{0}</directory></activity>"
    more = listed.format(9, "subsection", "Doors", 11) + listed.format(10, "page", "Bolts", 12)
    backup = str(sources.MOODLE["moodle_backup.xml"])
    backup = backup.replace("</sections>", inner).replace("</activities>", f"{more}</activities>")
    section = "<section id='12'><number>2</number><name>Doors</name><component>mod_subsection"
    section += "</component><itemid>9</itemid><sequence>10</sequence></section>"
    contents = {
        **sources.MOODLE,
        **sources.activity(9, "subsection", "Doors", ""),
        **sources.activity(10, "page", "Bolts", "<content>x</content>"),
        "moodle_backup.xml": backup,
        "sections/section_12/section.xml": section,
    }
    bring("moodle", sources.tar_gz(tmp_path / "b.mbz", contents))
    found = {lesson: (section, topics) for section, lesson, topics in outline(manifest(tmp_path))}
    assert ("Start here", [("Bolts", "text")]) == found["Doors"]


def test_buttons_of_a_lesson_of_moodle_are_named(tmp_path: Path, bring: Bring):
    """Pages follow each other on the platform, so no button leads anywhere."""
    page = "<pages><page id='1'><qtype>20</qtype><title>One</title><contents>x</contents><answers>"
    page += "<answer><answer_text>Left</answer_text></answer></answers></page></pages>"
    contents = {**sources.MOODLE, **sources.activity(2, "lesson", "Ways", page)}
    backup = (
        str(sources.MOODLE["moodle_backup.xml"])
        .replace(">book<", ">lesson<")
        .replace("book_2", "lesson_2")
    )
    said = notes_of(tmp_path, bring, "moodle", contents | {"moodle_backup.xml": backup})
    assert "the buttons of the pages of “Handbook”: “Left”" in said


def test_front_matter_in_toml_says_what_yaml_does(tmp_path: Path, bring: Bring):
    """Drafts stay out; of a section it is the text that does."""
    toml = "+++\ntitle = 'Rules'\ndate = 2027-01-31\ndraft = {}\n+++\nWalk.\n"
    pages = {
        "index.md": "# Safety\n",
        "a/_index.md": "---\ntitle: One\ndraft: true\n---\nSecret.\n",
        "a/b.md": toml.format("false"),
        "a/c.md": toml.format("true"),
    }
    (course,) = bring("markdown", sources.put(tmp_path / "m", pages))
    assert [("One", ["Rules"])] == [
        (section, [title for title, _ in topics])
        for section, _, topics in outline(manifest(tmp_path, "safety"))
    ]
    said = [(note.place, note.message.partition(",")[0]) for note in course.lost]
    assert [("a/_index.md", "a draft"), ("a/c.md", "a draft")] == [n for n in said if "a d" in n[1]]
    assert ("a/b.md", "`date` in the front matter") in said


def test_front_matter_that_a_course_has_no_use_for_is_named(tmp_path: Path, bring: Bring):
    """Of pages it is only the address."""
    index = "---\ntitle: Safety\nslug: s\nid: i\nweight: 3\n---\n"
    pages = {"index.md": index, "a.md": "---\nslug: x\nid: y\nweight: 1\n---\n# One\nHi.\n"}
    (course,) = bring("markdown", sources.put(tmp_path / "m", pages))
    keys = [("index.md", key) for key in ("id", "slug", "weight")] + [("a.md", "slug")]
    assert [(place, f"`{key}` in the front matter") for place, key in keys] == [
        (note.place, note.message) for note in course.lost
    ]


def test_a_comment_before_a_heading_leaves_the_text_markdown(tmp_path: Path, bring: Bring):
    """On the line of the comment, asterisks would be shown."""
    pages = {"index.md": "# Safety\n", "a.md": "<!-- c -->\n# One\n**bold**\n"}
    bring("markdown", sources.put(tmp_path / "m", pages))
    assert "<!-- c -->\n\n**bold**\n" == topic(manifest(tmp_path, "safety"), "One")["markdown"]


def test_a_heading_keeps_its_number(tmp_path: Path, bring: Bring):
    """It is no item of a list."""
    bring(
        "markdown", sources.put(tmp_path / "m", {"index.md": "# Safety\n", "a.md": "# 1. A\nx\n"})
    )
    assert "x" == topic(manifest(tmp_path, "safety"), "1. A")["markdown"]


def test_an_underlined_heading_is_the_title(tmp_path: Path, bring: Bring):
    """As the one behind a number sign is."""
    pages = {"index.md": "Safety at work\n=====\n", "a.md": "The *rules*\n===\n\nWalk.\n"}
    (course,) = bring("markdown", sources.put(tmp_path / "m", pages))
    assert "Safety at work" == course.title
    assert "Walk." == topic(manifest(tmp_path), "The rules")["markdown"]


def test_the_text_of_a_footnote_stays(tmp_path: Path, bring: Bring):
    """A note of one word would be an address; code stays as it is."""
    page = "# One\nWalk[^1], `[^1]`.\n\n[^1]: slowly\n[^b]: Or\n    not.\n"
    bring("markdown", sources.put(tmp_path / "m", {"index.md": "# Safety\n", "a.md": page}))
    body = (tmp_path / "out/safety/one.md").read_text()
    assert "Walk\\[1\\], `[^1]`.\n\n\n\\[1\\] slowly\n\n\\[b\\] Or\nnot.\n" == body


def test_an_entry_of_a_summary_may_have_blanks_and_marks(tmp_path: Path, bring: Bring):
    """As links and titles of Markdown have."""
    summary = "# Summary\n\n- [**Two** `words` 1](<ch/two words.md>)\n- [1. End](end.md)\n"
    pages = {"SUMMARY.md": summary, "ch/two words.md": "# T\nHi.\n", "end.md": "# E\nBye.\n"}
    files = {f"src/{name}": text for name, text in pages.items()}
    bring("markdown", sources.put(tmp_path / "m", files | {"book.toml": "book.title = 'Safety'"}))
    ((_, _, topics),) = outline(manifest(tmp_path, "safety"))
    assert ["Two words 1", "1. End"] == [title for title, _ in topics]


def test_limits_of_a_quiz_of_moodle_are_named(tmp_path: Path, bring: Bring):
    """Moments as people read them; what is not set is no limit."""
    limits = "<timeopen>1767225600</timeopen><timelimit>1800</timelimit><timeclose>0</timeclose>"
    contents = {**sources.MOODLE, **sources.activity(3, "quiz", "Check", limits)}
    said = notes_of(tmp_path, bring, "moodle", contents)
    assert "limits of “Check”: timeopen=2026-01-01T00:00:00Z, timelimit=1800" in said


def test_limits_of_a_test_of_a_cartridge_are_named(tmp_path: Path, bring: Bring):
    """As the standard writes them."""
    limit = "<fieldlabel>qmd_timelimit</fieldlabel><fieldentry>30</fieldentry>"
    about = f"<qtimetadata><qtimetadatafield>{limit}</qtimetadatafield></qtimetadata>"
    test = f"<questestinterop><assessment>{about}</assessment></questestinterop>"
    said = notes_of(tmp_path, bring, "imscc", {**sources.IMSCC, "quiz.xml": test})
    assert "dates and limits of “Quiz”: qmd_timelimit=30" in said
