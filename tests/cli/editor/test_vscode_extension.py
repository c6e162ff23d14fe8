"""The extension of Visual Studio Code, by its own tests, with the server of this folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ...patience import PATIENCE

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"


@pytest.mark.slow
@pytest.mark.skipif(
    not (EXTENSION / "node_modules").is_dir(), reason="no packages of Node: `make vscode`"
)
def test_the_extension_starts_a_server_that_shows_problems():
    npm = shutil.which("npm")
    assert npm is not None
    lmssync = str(Path(sys.executable).with_name("lmssync"))
    done = subprocess.run(
        [npm, "test", "--silent"],
        cwd=EXTENSION,
        env=os.environ | {"LMSSYNC": lmssync},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert (0, True) == (done.returncode, "# skipped 0" in done.stdout), done.stdout[-3000:]
