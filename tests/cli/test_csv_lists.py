"""`--from FILE`: lists that people keep in CSV files."""

from pathlib import Path

import pytest

from .. import making
from .conftest import Run

HOLDS = {
    "import": "each line holds the slug or an id",
    "adopt": "each line holds an address and an id: `course.safety-101,ID`",
    "resolve": "each line holds an address and an answer",
}


@pytest.mark.parametrize("command", HOLDS)
@pytest.mark.parametrize(
    ("text", "why"), [("", "is empty"), ("id,why\n# later\n\n", "has nothing but headings")]
)
def test_a_file_without_a_line_says_what_one_holds(
    tmp_path: Path, run: Run, command: str, text: str, why: str
):
    """It is the file that is empty; nobody looks for a missing option."""
    file = tmp_path / "list.csv"
    file.write_text(text, "utf-8")

    code, _, err = run(command, "--from", file, "-C", making.write(tmp_path))

    assert 64 == code
    assert f"{file} {why}" in err
    assert HOLDS[command] in err
