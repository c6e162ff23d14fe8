"""Questions of quizzes, which the platform does not take, beside the manifest."""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from xml.etree.ElementTree import fromstring

from lmssync.sync.importers.course_outline import (
    QuizQuestion,
    spell_markdown,
    spell_questions,
)
from lmssync.sync.importers.moodle_questions import QuestionBank
from lmssync.sync.importers.olx_problems import read_block_questions
from lmssync.sync.importers.qti_questions import read_qti_questions
from lmssync.sync.importers.source_texts import NO_ELEMENT
from tests.served_catalog import Workspace

from . import sources
from .conftest import Bring

PROBLEM = """<problem display_name="Quiz" markdown="x">
  <p>Look at the guard. <img src="/static/guard.png" alt="A guard"/></p>
  <multiplechoiceresponse>
    <label>Is it closed?</label>
    <choicegroup type="MultipleChoice">
      <choice correct="true">Yes, <b>quite</b><choicehint>Well seen.</choicehint></choice>
      <choice correct="false">No</choice>
    </choicegroup>
    <solution><p>The bolt is shut.</p></solution>
  </multiplechoiceresponse>
  <numericalresponse answer="3"><label>How many bolts?</label>
    <responseparam type="tolerance" default="5%"/><formulaequationinput/></numericalresponse>
  <stringresponse answer="lock"><label>It is a …</label>
    <additional_answer answer="bolt"/><textline/></stringresponse>
  <optionresponse><optioninput options="('red','green')" correct="green"/></optionresponse>
  <demandhint><hint>Count them.</hint></demandhint>
</problem>"""
OLX_TEXT = """\
# Quiz

For the person who writes this on the platform: nothing of it is sent, and learners do not see it.

## 1. One answer

Look at the guard. ![A guard](../../../assets/guard.png)

Is it closed?

- Yes, <b>quite</b> **(right)**: Well seen.
- No

**Solution:** The bolt is shut.

## 2. A number

How many bolts?

- 3 **(right)**: tolerance 5%

## 3. A word or text

It is a …

- lock **(right)**
- bolt **(right)**

## 4. A list to choose from

- red
- green **(right)**

**Hint:** Count them.
"""


def questions_below(root: Path, key: str = "safety-at-work") -> dict[str, str]:
    """The texts of all files of questions of a course."""
    folder = root / "out" / key / "questions"
    files = sorted(folder.rglob("*.md"))
    return {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in files}


def test_a_title_hides_no_question(tmp_path: Path, bring: Bring):
    """What looks like a tag in it is text: a preview would drop all that follows."""
    problem = PROBLEM.replace('display_name="Quiz"', 'display_name="Which &lt;script&gt;?"')
    bring("olx", sources.put(tmp_path / "olx", {**sources.OLX, "course/problem/quiz.xml": problem}))
    (text,) = questions_below(tmp_path).values()
    assert text.startswith("# Which &lt;script&gt;?\n")


def test_a_problem_of_open_edx(tmp_path: Path, bring: Bring):
    """Texts, answers, which are right, and what is said to learners."""
    contents = {**sources.OLX, "course/problem/quiz.xml": PROBLEM}

    (course,) = bring("olx", sources.tar_gz(tmp_path / "a.tar.gz", contents))

    assert {"start-here/welcome/quiz.md": OLX_TEXT} == questions_below(tmp_path)
    said = [one.message for one in course.lost if one.place.endswith("quiz.xml")]
    where = "questions/start-here/welcome/quiz.md"
    assert f"the content of “Quiz” has to be written again: it is in {where}" in said


def spelled(questions: Iterable[QuizQuestion]) -> str:
    return "\n".join(body.text for body in spell_questions(questions, "quiz.xml"))


def problem(inner: str, attributes: str = "") -> str:
    """The text of a problem of Open edX."""
    return spelled(read_block_questions(fromstring(f"<problem {attributes}>{inner}</problem>")))


def test_text_around_a_response_in_a_box_is_kept():
    """Before it, in it, and after it."""
    text = problem(
        """<div>Read <b>this</b>.<p>Which lock?</p><stringresponse answer="bolt">It
        is a <textline/> of iron</stringresponse>Then go on.</div><p>The end.</p>"""
    )

    lines = ["Read <b>this</b>.", "Which lock?", "is a … of iron", "- bolt **(right)**"]
    assert text.endswith("**Below the question:**\n\nThen go on.\n\nThe end.\n"), text
    assert [] == [one for one in lines if one not in text], text


def test_options_in_quotes_of_either_kind():
    """An apostrophe in a word ends no option."""
    for options in ("(&quot;don't&quot;,&quot;a, b&quot;)", "('don't', 'a, b')"):
        text = problem(
            f"""<optionresponse><optioninput options="{options}" correct="a, b"/>
            </optionresponse>"""
        )
        assert "- don't\n- a, b **(right)**\n" in text


def test_answers_in_attributes_and_points():
    """Of a response that a program checks, and of choices that are partly right."""
    text = problem(
        """<customresponse cfn="check"><p>6 by 7?</p><textline correct_answer="42"/>
        </customresponse><stringresponse answer="b.lt" type="ci regexp"><textline/>
        </stringresponse><choiceresponse><checkboxgroup>
        <choice correct="partial" point_value="0.3">Nearly</choice></checkboxgroup>
        </choiceresponse>""",
        'weight="3.0" max_attempts="2"',
    )

    assert "- 42 **(right)**\n" in text
    assert 'Also in the source:**\n\n```\n<customresponse cfn="check">' in text
    assert "- b.lt **(right)**: a pattern (regular expression); in upper or lower case" in text
    assert "- Nearly: partly right, 0.3 of the points" in text
    assert '**Points:** 3.0\n\n**Also in the source:**\n\n```\n<problem max_attempts="2">' in text


def test_hints_wherever_they_are_in_a_response():
    """In choices, beside them, and of several choices at once."""
    text = problem(
        """<stringresponse answer="lock"><correcthint>Well done.</correcthint>
        <stringequalhint answer="look">Nearly.</stringequalhint><textline/></stringresponse>
        <choiceresponse><checkboxgroup><choice correct="true">Red
        <choicehint selected="false">Look again.</choicehint></choice>
        <compoundhint value="A B">Not both.</compoundhint></checkboxgroup></choiceresponse>"""
    )

    wanted = ["**If right:** Well done.", "**If the answer is look:** Nearly."]
    wanted += [
        "- Red **(right)**: if not chosen: Look again.",
        "**If the answer is A B:** Not both.",
    ]
    assert [] == [one for one in wanted if one not in text], text


def test_the_picture_of_a_response_and_what_has_no_words():
    """An element without words here comes as it is in the source."""
    text = problem(
        """<imageresponse><imageinput src="/static/map.png" rectangle="(1,2)-(3,4)"/>
        </imageresponse><jsmeresponse><jsmolecule_input data="CCO">Draw</jsmolecule_input>
        </jsmeresponse>"""
    )

    assert "![](/static/map.png)" in text
    assert "- rectangle (1,2)-(3,4) **(right)**" in text
    assert '```\n<jsmolecule_input data="CCO">Draw</jsmolecule_input>\n```' in text


def test_problems_of_a_library_polls_and_tasks_of_open_edx(tmp_path: Path, bring: Bring):
    """A library says how many of its problems each learner gets."""
    blocks = """<vertical display_name="Check">
      <library_content display_name="Any" max_count="1">
        <problem url_name="quiz"/></library_content>
      <poll display_name="Vote" question="Red?"
        answers='[["r", {"label": "Yes"}], ["b", {"label": "No"}]]'/>
      <openassessment display_name="Write">
        <prompts><prompt><description>Tell us.</description></prompt>
        </prompts><rubric><criterion><prompt>Is it clear?</prompt>
        <option points="2"><label>Yes</label>
        <explanation>Very.</explanation></option></criterion></rubric></openassessment>
    </vertical>"""
    contents = {**sources.OLX, "course/vertical/check.xml": blocks}

    bring("olx", sources.tar_gz(tmp_path / "a.tar.gz", contents))

    texts = questions_below(tmp_path)
    assert "Each learner gets 1 of the following questions." in texts["start-here/welcome/any.md"]
    assert "1 + 1?" in texts["start-here/welcome/any.md"]
    assert "Red?\n\n- Yes\n- No\n" in texts["start-here/welcome/vote.md"]
    assert "Tell us.\n" in texts["start-here/welcome/write.md"]
    assert "- Yes: 2 points. Very.\n" in texts["start-here/welcome/write.md"]


def test_text_that_no_element_should_have_is_kept():
    """In a list to choose from, between choices, in a field."""
    text = problem(
        """<optionresponse><optioninput options="('a','b')" correct="a">Choose &amp; go
        </optioninput></optionresponse><choiceresponse><checkboxgroup>Mind this
        <choice correct="true">c</choice></checkboxgroup></choiceresponse>
        <demandhint>Look up</demandhint>"""
    )

    assert "**Also in the source:**\n\nChoose & go\n\nLook up\n" in text
    assert "Mind this" in text


def test_pieces_on_a_picture_and_words_of_learners(tmp_path: Path, bring: Bring):
    """Pieces, places and what is said at the end; instructions and dates."""
    data = {
        "targetImg": "/static/guard.png",
        "zones": [{"uid": "z", "title": "Left", "description": "of the door"}],
        "items": [
            {"displayName": "Lock", "zones": ["z"], "feedback": {"incorrect": "Not there."}},
            {"displayName": "Horn", "zones": []},
        ],
        "feedback": {"finish": "Well done."},
    }
    shown = escape(json.dumps(data))
    blocks = f"""<vertical><drag-and-drop-v2 display_name="Drag"
        question_text="Put it up" data="{shown}"/>
      <word_cloud display_name="Words" instructions="What comes to mind?" num_inputs="3"/>
      <openassessment display_name="Write" submission_due="2027-05-01">
      <prompts><prompt><description>Tell us.</description></prompt></prompts></openassessment>
      </vertical>"""
    contents = {**sources.OLX, "course/vertical/check.xml": blocks}

    bring("olx", sources.tar_gz(tmp_path / "a.tar.gz", contents))

    texts = questions_below(tmp_path)
    drag, words = texts["start-here/welcome/drag.md"], texts["start-here/welcome/words.md"]
    wanted = [
        "Put it up",
        "![](../../../assets/guard.png)",
        "- Lock → Left **(right)**: Not there.",
    ]
    wanted += ["- Horn\n", "- place: Left: of the door", "**At the end:** Well done."]
    assert [] == [one for one in wanted if one not in drag], drag
    assert "## 1. Words, 3 of each learner\n\nWhat comes to mind?\n" in words
    assert "submission_due=2027-05-01" in texts["start-here/welcome/write.md"]


def item(kind: str, text: str, inner: str, right: str = "", more: str = "") -> str:
    """An item of QTI 1.2, as Canvas writes it."""
    return f"""<item ident="i" title="Question"><itemmetadata><qtimetadata>
      <qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{kind}_question</fieldentry>
      </qtimetadatafield><qtimetadatafield><fieldlabel>points_possible</fieldlabel>
      <fieldentry>2.0</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
      <presentation><material><mattext texttype="text/html">{text}</mattext></material>{inner}
      </presentation><resprocessing>{right}</resprocessing>{more}</item>"""


def label(ident: str, text: str) -> str:
    inner = f"<material><mattext>{text}</mattext></material>"
    return f"<response_label ident='{ident}'>{inner}</response_label>"


def right(response: str, *values: str) -> str:
    tests = "".join(f"<varequal respident='{response}'>{one}</varequal>" for one in values)
    points = "<setvar action='Set'>100</setvar>"
    return f"<respcondition><conditionvar>{tests}</conditionvar>{points}</respcondition>"


def choice(ident: str, text: str, *labels: str) -> str:
    shown = f"<material><mattext>{text}</mattext></material>" if text else ""
    choices = f"<render_choice>{''.join(labels)}</render_choice>"
    return f"<response_lid ident='{ident}'>{shown}{choices}</response_lid>"


COLOURS = label("x", "green"), label("y", "red"), label("z", "blue")
PAIRS = choice("p", "go", *COLOURS) + choice("q", "stop", *COLOURS)
FIELD = "<response_str ident='r1'><render_fib/></response_str>"
LOOK = "<flow_mat><material><mattext>Look.</mattext></material></flow_mat>"
CLOSED = choice("r1", "", label("1", "Yes"), label("2", "No"))
FEEDBACK = f"<itemfeedback ident='general_fb'>{LOOK}</itemfeedback>"
QTI = f"""<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="a" title="Quiz"><section ident="root_section">
{item("multiple_choice", "&lt;p&gt;Closed?&lt;/p&gt;", CLOSED, right("r1", "1"), FEEDBACK)}
{item("short_answer", "Name it", FIELD, right("r1", "lock", "bolt"))}
{item("matching", "Pair", PAIRS, right("p", "x") + right("q", "y"))}
<section><selection_ordering><selection><sourcebank_ref>bank1</sourcebank_ref>
<selection_number>1</selection_number></selection></selection_ordering></section>
</section></assessment></questestinterop>"""
QTI_TEXT = """\
## 1. One answer

Closed?

- Yes **(right)**
- No

**Points:** 2.0

**Feedback:** Look.

## 2. A word or text

Name it

- lock **(right)**
- bolt **(right)**

**Points:** 2.0

## 3. Pairs

Pair

- go → green **(right)**
- blue
- stop → red **(right)**

**Points:** 2.0

## 4. A choice of questions

Each learner gets 1 of the following questions of the bank `bank1`.

## 5. An essay

Why?

**Points:** 2.0
"""


def test_a_test_of_a_cartridge(tmp_path: Path, bring: Bring):
    """With the questions of the bank that a group of it names."""
    why = item("essay", "Why?", "")
    bank = f"<questestinterop><objectbank ident='bank1'>{why}</objectbank></questestinterop>"
    contents = {
        **sources.IMSCC,
        "q/assessment_qti.xml": QTI,
        "non_cc_assessments/bank1.xml.qti": bank,
    }
    manifest = str(contents["imsmanifest.xml"]).replace(
        'href="quiz.xml"', 'href="q/assessment_qti.xml"'
    )
    contents |= {"imsmanifest.xml": manifest}

    bring("imscc", sources.zipped(tmp_path / "a.imscc", contents))

    (text,) = questions_below(tmp_path).values()
    assert QTI_TEXT == text.partition("see it.\n\n")[2]


def qti(kind: str, inner: str, right: str = "", more: str = "") -> str:
    """The text of an item of QTI."""
    root = fromstring(f"<section>{item(kind, 'Do it', inner, right, more)}</section>")
    return spelled(read_qti_questions(root, lambda _: None))


def test_a_formula_comes_with_its_tolerance_and_variables():
    """As Canvas writes them beside the question."""
    more = """<itemproc_extension><calculated><answer_tolerance>0.5</answer_tolerance>
      <formulas decimal_places="2"><formula>a * 2</formula></formulas><vars>
      <var name="a"><min>1</min>
      <max>9</max></var></vars><var_sets><var_set ident="1"><var name="a">3</var>
      <answer>6</answer></var_set></var_sets></calculated></itemproc_extension>"""

    text = qti("calculated", FIELD, more=more)

    wanted = (
        "**Formula:**\n\n`a * 2`",
        "**Tolerance:** 0.5",
        "**Variable:** a from 1 to 9",
        "**Decimal places:** 2",
        "**Values that learners get:**\n\n- a = 3: 6",
    )
    assert [] == [one for one in wanted if one not in text], text


def test_pictures_rubrics_and_hints_of_a_test_are_kept():
    """Wherever a test has them."""
    picture = "<material><matimage uri='map.png'/></material>"
    said = "<rubric><material><mattext>Be brief.</mattext></material></rubric>"
    why = item("essay", "Why?", picture, more=said)

    text = spelled(
        read_qti_questions(fromstring(f"<section>{said}{why}</section>"), lambda _: None)
    )

    assert "## 1. A text without a question\n\nBe brief.\n" in text
    assert "Why?\n" in text
    assert "![](map.png)" in text
    assert "**Also in the source:** Be brief.\n" in text


def test_a_single_pair_has_both_sides():
    """The other choices are there, too."""
    text = qti("matching", choice("p", "go", *COLOURS), right("p", "x"))

    assert "- go → green **(right)**\n- red\n- blue\n" in text


def test_what_must_not_be_chosen_says_what_is_right():
    """A test without a choice that has to be made."""
    chosen = choice("r1", "", label("1", "Yes"), label("2", "No"))
    test = "<not><varequal respident='r1'>2</varequal></not>"
    points = "<setvar action='Set'>100</setvar>"

    text = qti(
        "multiple_choice",
        chosen,
        f"<respcondition><conditionvar>{test}</conditionvar>{points}</respcondition>",
    )

    assert "- Yes **(right)**\n- No\n" in text


def test_titles_of_groups_and_wrong_texts_of_a_test_are_kept():
    """A wrong text that learners may type has feedback of its own."""
    test = """<questestinterop><assessment><section ident="root_section"><section title="Doors">
      <item><presentation><response_str ident="r"/></presentation><resprocessing>
      <respcondition><conditionvar><varequal respident="r">shut</varequal></conditionvar>
      <setvar>100</setvar></respcondition>
      <respcondition><conditionvar><varequal respident="r">open</varequal></conditionvar>
      </respcondition></resprocessing></item></section></section></assessment></questestinterop>"""
    group, question = read_qti_questions(fromstring(test), lambda _: None)
    assert "Doors" == group.text
    assert [("shut", True), ("open", False)] == [(a.text, a.is_right) for a in question.answers]


def test_words_before_a_paragraph_are_markdown():
    """A question on a picture has its words without one, and the picture below them."""
    html = 'Put <b>them</b> there\n<p><img src="a.png" alt="a"></p>'
    assert "Put <b>them</b> there\n\n![a](a.png)" == spell_markdown(html)


def test_a_test_that_is_damaged_stops_nothing(tmp_path: Path, bring: Bring):
    """It is an empty quiz, and the report says so."""
    contents = {**sources.IMSCC, "quiz.xml": "<questestinterop"}

    (course,) = bring("imscc", sources.zipped(tmp_path / "a.imscc", contents))

    assert {} == questions_below(tmp_path)
    assert "the questions of “Quiz” have to be written again" in [
        one.message for one in course.lost
    ]


BANK = """<question_categories><question_category id="7"><name>All</name><contextid>2</contextid>
<question_bank_entries><question_bank_entry id="70"><question_version><question_versions><questions>
<question id="700"><qtype>multichoice</qtype><questiontext>&lt;p&gt;Closed? &lt;img
src="@@PLUGINFILE@@/bolt.png" alt="A bolt"&gt;&lt;/p&gt;</questiontext>
<questiontextformat>1</questiontextformat>
<plugin_qtype_multichoice_question><answers>
<answer id="1"><answertext>Yes</answertext><fraction>1.0000000</fraction>
<feedback>&lt;p&gt;Good.&lt;/p&gt;</feedback></answer>
<answer id="2"><answertext>Nearly</answertext><fraction>0.5000000</fraction>
<feedback></feedback></answer>
</answers><multichoice id="1"><single>1</single></multichoice></plugin_qtype_multichoice_question>
</question></questions></question_versions></question_version></question_bank_entry>
</question_bank_entries></question_category></question_categories>"""
SLOTS = """<intro></intro><question_instances><question_instance><maxmark>2.00</maxmark>
<question_reference>
<questionbankentryid>70</questionbankentryid></question_reference></question_instance>
<question_instance><question_set_reference><filtercondition>{"cat":"7"}</filtercondition>
</question_set_reference></question_instance></question_instances>"""
MOODLE_TEXT = """\
## 1. One answer

Closed? ![A bolt](../../../assets/bolt.png)

- Yes **(right)**: Good.
- Nearly: 50% of the points

**Points:** 2.00

## 2. A random question

Each learner gets another question of the bank: All.
"""


def test_a_quiz_of_moodle(tmp_path: Path, bring: Bring):
    """Its questions are in the bank of the backup, and so are their pictures."""
    picture = (
        "<file><contenthash>dd44</contenthash><contextid>2</contextid><component>question</component>"
        "<filearea>questiontext</filearea><itemid>700</itemid><filepath>/</filepath>"
        "<filename>bolt.png</filename></file></files>"
    )
    contents = {
        **sources.MOODLE,
        **sources.activity(3, "quiz", "Check", SLOTS),
        "questions.xml": BANK,
        "files.xml": str(sources.MOODLE["files.xml"]).replace("</files>", picture),
        "files/dd/dd44": b"\x89PNG",
    }

    (course,) = bring("moodle", sources.tar_gz(tmp_path / "a.mbz", contents))

    (text,) = questions_below(tmp_path).values()
    assert MOODLE_TEXT == text.partition("see it.\n\n")[2]
    assert "assets/bolt.png" in course.files


ENTRY = """<question_bank_entry id="71">{}</question_bank_entry>"""
VERSION = """<question_versions><version>{0}</version><status>{1}</status><questions>
<question id="71{0}"><qtype>essay</qtype><questiontext>Version {0}</questiontext></question>
</questions></question_versions>"""


def test_a_slot_of_moodle_takes_its_version_or_the_newest():
    """Whatever their order is; a draft is no version yet."""
    versions = (VERSION.format(*one) for one in ((3, "draft"), (2, "ready"), (1, "ready")))
    bank = QuestionBank(fromstring(ENTRY.format("".join(versions))), {})
    slot = """<question_instance><question_reference><questionbankentryid>71</questionbankentryid>
      <version>{}</version></question_reference></question_instance>"""
    slots = "".join(map(slot.format, ("", 1, 3, 9)))
    texts = [one.text for one in bank.list_quiz_questions(fromstring(f"<quiz>{slots}</quiz>"))]
    assert ["Version 2", "Version 1", "Version 3"] == texts[:3]
    assert "entry 71 of the bank, version 9" in texts[3]


def test_a_question_that_is_missing_from_a_backup_is_named():
    """It is no random question."""
    slot = """<quiz><question_instance><maxmark>2.0</maxmark><question_reference>
      <questionbankentryid>70</questionbankentryid></question_reference></question_instance></quiz>"""

    text = spelled(QuestionBank(NO_ELEMENT, {}).list_quiz_questions(fromstring(slot)))

    assert "## 1. A missing question\n\nThis question (entry 70 of the bank) is missing" in text
    assert "**Points:** 2.0" in text


def test_pieces_variables_and_other_texts_of_moodle():
    """Marks with their places, the values of a formula, and what has no words here."""
    question = """<question_category><contextid>2</contextid><question id="7"><name>Q7</name>
      <qtype>ddmarker</qtype><questiontext>Mark it</questiontext>
      <drag><no>1</no><label>Lock</label></drag>
      <drop><coords>9,9;4</coords><choice>1</choice></drop>
      <dataset_definition><name>a</name><options>uniform:1:9:0</options>
      <dataset_item><value>3</value></dataset_item></dataset_definition><prompt>Think twice</prompt>
      </question></question_category>"""
    slot = "<quiz><question_instance><questionid>7</questionid></question_instance></quiz>"

    text = spelled(QuestionBank(fromstring(question), {}).list_quiz_questions(fromstring(slot)))

    wanted = ["- Lock → 9,9;4 **(right)**", "**Variable a:** uniform:1:9:0; 3"]
    wanted += ["**Also in the source:** Think twice"]
    assert [] == [one for one in wanted if one not in text], text
    assert "Q7" not in text


def test_gaps_and_orders_of_moodle_are_readable():
    """Gaps name their answer by its place, and orders give places in place of points."""
    group = 'O:8:"stdClass":1:{s:9:"draggroup";s:1:"2";}'
    blue = f"<answer id='1'><answertext>blue</answertext><feedback>{group}</feedback></answer>"
    first = "<answer id='2'><answertext>first</answertext><fraction>1.0</fraction></answer>"
    bank = f"""<question_category><question id="7"><qtype>ddwtos</qtype>
      <questiontext>The sky is [[1]].</questiontext>{blue}</question>
      <question id="8"><qtype>ordering</qtype><questiontext>Sort.</questiontext>{first}</question>
      </question_category>"""
    slots = "".join(
        f"<question_instance><questionid>{n}</questionid></question_instance>" for n in (7, 8)
    )

    quiz = fromstring(f"<quiz>{slots}</quiz>")
    text = spelled(QuestionBank(fromstring(bank), {}).list_quiz_questions(quiz))

    assert "- `[[1]]` blue **(right)**: group 2\n" in text
    assert "## 2. Things to put in order\n\nSort.\n\n- first: place 1\n" in text
    assert "stdClass" not in text


def test_what_to_do_in_a_workshop_is_kept(tmp_path: Path, bring: Bring):
    """The introduction is on the page, and the rest in the file for whoever makes it again."""
    inner = "<intro>Hello</intro><instructauthors>Hand in two pages.</instructauthors>"
    backup = str(sources.MOODLE["moodle_backup.xml"]).replace(">wiki<", ">workshop<")
    task = sources.activity(7, "workshop", "Notes", inner + "<conclusion>$@NULL@$</conclusion>")
    moved = {name.replace("workshop_7", "wiki_7"): text for name, text in task.items()}

    where = {**sources.MOODLE, **moved, "moodle_backup.xml": backup}
    bring("moodle", sources.tar_gz(tmp_path / "b.mbz", where))

    (text,) = questions_below(tmp_path).values()
    assert text.endswith("## 1. How to hand it in\n\nHand in two pages.\n")


def test_a_preview_shows_the_questions_until_the_quiz_is_filled(work: Workspace):
    """Below the empty topic, in a frame; nothing of them is in the manifest."""
    work.write("edx/placeholder", "")
    sources.put(work.root, {f"edx/{k.partition('/')[2]}": v for k, v in sources.OLX.items()})
    assert 0 == work.run("import", "--format", "olx", "edx").code
    work.run("preview")
    page = next((work.root / "preview").glob("course-*.html")).read_text("utf-8")
    assert (True, True) == ("To be written on the platform" in page, "1 + 1?" in page)

    manifest = work.root / "courses/safety-at-work/course.yaml"
    text = manifest.read_text("utf-8")
    manifest.write_text(
        text.replace("type: quiz", "type: quiz\n            attested: {by: ann, on: 2027-01-01}"),
        "utf-8",
    )
    assert 0 == work.run("preview").code
    page = next((work.root / "preview").glob("course-*.html")).read_text("utf-8")
    assert (False, False) == ("To be written on the platform" in page, "1 + 1?" in page)


def test_scales_and_numbers_of_a_feedback_form_of_moodle(tmp_path: Path, bring: Bring):
    """An option of a scale has its number behind it, and a number has its bounds."""
    scale = "<name>How was it?</name><typ>multichoicerated</typ>"
    scale += "<presentation>r&gt;&gt;&gt;&gt;&gt;0####bad|1####good</presentation>"
    number = "<name>How long?</name><typ>numeric</typ><presentation>1|10</presentation>"
    items = f"<items><item id='1'>{scale}</item><item id='2'>{number}</item></items>"
    backup = str(sources.MOODLE["moodle_backup.xml"]).replace(">wiki<", ">feedback<")
    form = sources.activity(7, "feedback", "Notes", items)
    moved = {name.replace("feedback_7", "wiki_7"): text for name, text in form.items()}
    where = {**sources.MOODLE, **moved, "moodle_backup.xml": backup}
    bring("moodle", sources.tar_gz(tmp_path / "b.mbz", where))
    (file,) = (tmp_path / "out").rglob("questions/**/notes.md")
    assert "- bad (0)\n- good (1)\n" in file.read_text()
    assert "A number from 1 to 10" in file.read_text()
