"""The walk of a field through the package, as docs/architecture.md has it, is the one it takes."""

import json
import re
import subprocess
import sys
from pathlib import Path

from lmssync.sandbox import run_sandbox
from tests import making

from . import pages

_STATION = re.compile(r"^\d+\. `(\w+)`, `(\w+)`: ", re.MULTILINE)
_COURSE = """\
resource: course
key: a
kind: courseGroup
title: A
priceInCents: 1900
sections:
  - title: B
    lessons:
      - {title: C, openType: open, topics: [{title: D, type: text, markdown: Hello.}]}
"""
_APPLY = """\
import json, sys, threading
from pathlib import Path
import lmssync
from lmssync.cli.main import cli

package, called = str(Path(lmssync.__file__).parent), []

def note_call(frame, event, _):
    code = frame.f_code
    if event == "call" and code.co_filename.startswith(package):
        room = Path(code.co_filename).relative_to(package).parts[0].removesuffix(".py")
        called.append((room, code.co_name))

threading.setprofile(note_call)
sys.setprofile(note_call)
cli(["apply", "--yes"], standalone_mode=False)
sys.setprofile(None)
Path("called.json").write_text(json.dumps(called))
"""


def test_a_price_passes_the_stations_of_the_walk(tmp_path: Path):
    """A new course is applied, and the functions are called in the order of the page."""
    stations = _STATION.findall(pages.text("docs/architecture.md"))
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    making.put(tmp_path, "a.yaml", _COURSE)
    with run_sandbox() as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        done = subprocess.run(
            [sys.executable, "-c", _APPLY],
            cwd=tmp_path,
            env={"PYTHONPATH": str(pages.ROOT), "HOME": str(tmp_path), **env},
            capture_output=True,
            text=True,
            check=False,
        )
    assert 0 == done.returncode, done.stderr
    calls = iter([tuple(one) for one in json.loads((tmp_path / "called.json").read_text())])
    assert 5 < len(stations) <= 14
    assert [] == [station for station in stations if station not in calls]
