"""Small sources of each format, as other systems would have written them."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

Contents = Mapping[str, str | bytes]

OLX: Contents = {
    "course/course.xml": '<course url_name="run" org="Acme" course="Safety"/>',
    "course/course/run.xml": """
        <course display_name="Safety at work" start="&quot;2027-01-31T09:00:00Z&quot;">
          <chapter url_name="start"/>
          <wiki slug="w"/>
        </course>""",
    "course/chapter/start.xml": """
        <chapter display_name="Start here" start="2027-02-01T00:00:00Z">
          <sequential url_name="welcome"/>
        </chapter>""",
    "course/sequential/welcome.xml": """
        <sequential display_name="Welcome" graded="true" format="Homework">
          <vertical url_name="hello"/>
          <vertical url_name="check"/>
        </sequential>""",
    "course/vertical/hello.xml": """
        <vertical display_name="Hello">
          <html url_name="intro"/>
          <video url_name="tour"/>
        </vertical>""",
    "course/vertical/check.xml": """
        <vertical display_name="Check">
          <problem url_name="quiz"/>
          <discussion url_name="talk"/>
          <lti_consumer url_name="tool"/>
          <poet url_name="ode" display_name="Ode"/>
        </vertical>""",
    "course/html/intro.xml": '<html display_name="Good morning" filename="intro"/>',
    "course/html/intro.html": (
        '<h2>Hello</h2><p>Close the <strong>guard</strong>.</p><p><img src="/static/guard.png" '
        'alt="A guard"></p><p><a href="/jump_to_id/quiz">Next</a></p>'
    ),
    "course/static/guard.png": b"\x89PNG",
    "course/video/tour.xml": (
        '<video display_name="Tour" youtube="1.00:dQw4w9WgXcQ" sub="tour-en"/>'
    ),
    "course/problem/quiz.xml": '<problem display_name="Quiz"><p>1 + 1?</p></problem>',
    "course/discussion/talk.xml": '<discussion display_name="Talk"/>',
    "course/lti_consumer/tool.xml": (
        '<lti_consumer display_name="Lab" launch_url="https://lab.example.com"/>'
    ),
    "course/about/overview.html": "<section><h2>About</h2><p>For everyone on site.</p></section>",
    "course/policies/run/grading_policy.json": "{}",
}

_PAGE = """<html><head><title>x</title><style>p {}</style></head><body>
<p>Close the <em>guard</em>.</p>
<p><img src="$IMS-CC-FILEBASE$/guard.png" alt="A guard"></p>
<p><a href="$WIKI_REFERENCE$/pages/other">Other</a></p>
</body></html>"""
IMSCC: Contents = {
    "imsmanifest.xml": """<?xml version="1.0"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
    xmlns:lom="http://ltsc.ieee.org/xsd/imsccv1p1/LOM/manifest">
  <metadata><lom:lom><lom:general>
    <lom:title><lom:string>Safety at work</lom:string></lom:title>
    <lom:description><lom:string>For everyone on site.</lom:string></lom:description>
  </lom:general></lom:lom></metadata>
  <organizations><organization><item identifier="top">
    <item identifier="m1"><title>Start here</title>
      <item identifierref="page"><title>Hello</title></item>
      <item identifier="h1"><title>Further</title></item>
      <item identifierref="pdf"><title>Handbook</title></item>
      <item identifierref="link"><title>Video</title></item>
      <item identifier="f1"><title>Folder</title>
        <item identifierref="quiz"><title>Quiz</title></item>
        <item identifierref="talk"><title>Talk</title></item>
      </item>
      <item identifierref="tool"><title>Lab</title></item>
    </item>
  </item></organization></organizations>
  <resources>
    <resource identifier="page" type="webcontent" href="wiki/hello.html">
      <file href="wiki/hello.html"/></resource>
    <resource identifier="pic" type="webcontent" href="web_resources/guard.png">
      <file href="web_resources/guard.png"/></resource>
    <resource identifier="pdf" type="webcontent" href="web_resources/handbook.pdf">
      <file href="web_resources/handbook.pdf"/></resource>
    <resource identifier="link" type="imswl_xmlv1p1"><file href="link.xml"/></resource>
    <resource identifier="quiz" type="imsqti_xmlv1p2/imscc_xmlv1p1/assessment">
      <file href="quiz.xml"/></resource>
    <resource identifier="talk" type="imsdt_xmlv1p1"><file href="talk.xml"/></resource>
    <resource identifier="tool" type="imsbasiclti_xmlv1p0"><file href="tool.xml"/></resource>
    <resource identifier="bank" type="imsqti_xmlv1p2/imscc_xmlv1p1/question-bank">
      <file href="bank.xml"/></resource>
  </resources>
</manifest>""",
    "wiki/hello.html": _PAGE,
    "web_resources/guard.png": b"\x89PNG",
    "web_resources/handbook.pdf": b"%PDF",
    "link.xml": (
        '<webLink xmlns="urn:x"><title>Video</title><url href="https://youtu.be/dQw4w9WgXcQ"/>'
        "</webLink>"
    ),
    "quiz.xml": "<questestinterop/>",
    "bank.xml": "<questestinterop/>",
    "talk.xml": (
        '<topic xmlns="urn:x"><title>Talk</title><text texttype="text/html">&lt;p&gt;What did you '
        "see?&lt;/p&gt;</text></topic>"
    ),
    "tool.xml": (
        '<cartridge_basiclti_link xmlns:blti="urn:y"><blti:launch_url>https://lab.example.com'
        "</blti:launch_url></cartridge_basiclti_link>"
    ),
}


def activity(number: int, kind: str, title: str, inner: str, module: str = "") -> dict[str, str]:
    """The files of one activity of a Moodle backup."""
    folder = f"activities/{kind}_{number}"
    return {
        f"{folder}/{kind}.xml": (
            f'<activity id="{number}" modulename="{kind}" contextid="9{number}">'
            f'<{kind} id="1"><name>{title}</name>{inner}</{kind}></activity>'
        ),
        f"{folder}/module.xml": f'<module id="{number}">{module}</module>',
    }


_ACTIVITIES = (
    (3, "quiz", "Check"),
    (1, "page", "Hello"),
    (2, "book", "Handbook"),
    (4, "forum", "Talk"),
    (5, "resource", "Rules"),
    (6, "scorm", "Simulation"),
    (7, "wiki", "Notes"),
    (8, "url", "Our site"),
)
_LISTED = "".join(
    f"<activity><moduleid>{n}</moduleid><sectionid>11</sectionid><modulename>{kind}</modulename>"
    f"<title>{title}</title><directory>activities/{kind}_{n}</directory></activity>"
    for n, kind, title in _ACTIVITIES
)


def _file(context: int, digest: str, name: str) -> str:
    return (
        f"<file><contenthash>{digest}</contenthash><contextid>{context}</contextid>"
        f"<component>mod_x</component><filearea>content</filearea><itemid>0</itemid>"
        f"<filepath>/</filepath><filename>{name}</filename></file>"
    )


MOODLE: Contents = {
    "moodle_backup.xml": (
        "<moodle_backup><information><original_course_fullname>Safety</original_course_fullname>"
        f"<contents><activities>{_LISTED}</activities><sections><section><sectionid>11</sectionid>"
        "<title>1</title><directory>sections/section_11</directory></section></sections></contents>"
        "<details><detail><type>course</type></detail></details></information></moodle_backup>"
    ),
    "course/course.xml": (
        "<course><shortname>SAF</shortname><fullname>Safety at work</fullname>"
        "<summary>&lt;p&gt;For everyone on site.&lt;/p&gt;</summary>"
        "<startdate>1801386000</startdate><enddate>0</enddate><visible>1</visible>"
        "<tags><tag><rawname>Safety</rawname></tag></tags></course>"
    ),
    "sections/section_11/section.xml": (
        '<section id="11"><number>1</number><name>Start here</name><summary></summary>'
        "<sequence>1,2,3,4,5,6,7,8</sequence><visible>1</visible></section>"
    ),
    "files.xml": "<files>{}{}{}</files>".format(
        _file(91, "aa11", "guard.png"), _file(95, "bb22", "rules.pdf"), _file(96, "cc33", "sim.zip")
    ),
    "files/aa/aa11": b"\x89PNG",
    "files/bb/bb22": b"%PDF",
    "files/cc/cc33": b"PK\x05\x06",
    "users.xml": "<users><user><email>ann@example.com</email></user></users>",
    **activity(
        1,
        "page",
        "Hello",
        "<content>&lt;p&gt;Close the &lt;strong&gt;guard&lt;/strong&gt;.&lt;/p&gt;&lt;p&gt;&lt;img "
        'src="@@PLUGINFILE@@/guard.png" alt="A guard"&gt;&lt;/p&gt;</content>',
    ),
    **activity(
        2,
        "book",
        "Handbook",
        "<chapters><chapter><title>One</title><content>&lt;p&gt;Read on.&lt;/p&gt;</content>"
        "<hidden>0</hidden></chapter><chapter><title>Two</title><content>x</content>"
        "<hidden>1</hidden></chapter></chapters>",
    ),
    **activity(
        3,
        "quiz",
        "Check",
        "<intro>&lt;p&gt;Ten.&lt;/p&gt;</intro>",
        "<visible>0</visible>",
    ),
    **activity(4, "forum", "Talk", "<type>general</type><intro></intro>"),
    **activity(5, "resource", "Rules", ""),
    **activity(6, "scorm", "Simulation", "<reference>sim.zip</reference>"),
    **activity(7, "wiki", "Notes", "<intro></intro>"),
    **activity(8, "url", "Our site", "<externalurl>https://example.com/a?b=1</externalurl>"),
}

MARKDOWN: Contents = {
    "index.md": (
        "---\ntitle: Safety at work\ndescription: For everyone on site.\ntags: [Safety]\n"
        "audience: all\n---\n"
    ),
    "2-machines/guards.md": (
        "# Guards\n\nClose the **guard**.\n\n![A guard](guard.png) and "
        "[the rules](../1-start/rules.md)\n"
    ),
    "2-machines/guard.png": b"\x89PNG",
    "1-start/_index.md": "---\ntitle: Start here\nreleaseDate: 2027-01-31\n---\n",
    "1-start/rules.md": "---\ntitle: The rules\nweight: 2\n---\nBe careful.\n",
    "1-start/tour.md": (
        "---\ntitle: A tour\nweight: 1\nvideoUrl: https://media.example.com/tour.mp4\n---\n"
    ),
    "1-start/10-day/check.md": "---\ntype: quiz\n---\n# Check\n",
    "1-start/draft.md": "---\ndraft: true\n---\nNot yet.\n",
}

CSV: Contents = {
    "courses.csv": (
        "Key;Title;Description;Tags;Status;Price;Free With Registration;Section;Lesson;Topic;"
        "Markdown;Room\r\n"
        "safety-101;Safety at work;For everyone on site.;Safety;Draft;19,50;;Start here;Welcome;"
        'Hello;"Close the **guard**.\r\n\r\nThen begin.";North\r\n'
        ";;;;;;;;;Again;Once more.;\r\n"
        "tour;A tour;;;;ten;yes;;;;;\r\n"
    ),
}


def put(root: Path, contents: Contents) -> Path:
    """A folder with these files."""
    for name, data in contents.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def tar_gz(file: Path, contents: Contents) -> Path:
    with tarfile.open(file, "w:gz") as tar:
        for name, data in contents.items():
            raw = data.encode() if isinstance(data, str) else data
            info = tarfile.TarInfo(name)
            info.size = len(raw)
            tar.addfile(info, io.BytesIO(raw))
    return file


def zipped(file: Path, contents: Contents) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return file


def source(root: Path, form: str) -> Path:
    """A source of each format, packed as it usually is."""
    if form == "olx":
        return tar_gz(root / "course.tar.gz", OLX)
    if form == "imscc":
        return zipped(root / "course.imscc", IMSCC)
    if form == "moodle":
        return tar_gz(root / "backup.mbz", MOODLE)
    if form == "markdown":
        return put(root / "pages", MARKDOWN)
    return put(root, CSV) / "courses.csv"
