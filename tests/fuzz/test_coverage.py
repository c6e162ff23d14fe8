"""A fuzzer that sees which lines an input reaches looks for what nobody thought of."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = int(os.environ.get("FUZZ_SECONDS", "4"))
TARGETS = ("readers", "document", "layout")
APART = ("sh", "-c", '"$@"; exit $?', "sh")
"""A process begins with the peak memory of the one that starts it, and the fuzzer judges by that:
a small one starts it, since other tests may have filled ours."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("atheris") is None,
        reason="atheris has no wheel for this platform, or is not installed",
    ),
]


def run(*arguments: object) -> str:
    """What the fuzzer found; nothing, if that is what it found."""
    command = [*APART, sys.executable, "-m", "tests.fuzz.targets", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    told = [line for line in done.stderr.splitlines() if not line.startswith(("INFO:", "#"))]
    return "\n".join(told)[-4_000:] or f"it ended with {done.returncode}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real manifests and hard cases."""
    folder = tmp_path_factory.mktemp("corpus")
    assert "" == run("seed", folder)
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_found(tmp_path: Path, corpus: Path, target: str):
    """Starting from real manifests and hard cases, for a while, in bounded memory and time."""
    reached = tmp_path / "reached"
    reached.mkdir()
    limits = ("-max_len=4096", "-rss_limit_mb=1024", "-timeout=20", f"-max_total_time={SECONDS}")
    assert "" == run(target, *limits, f"-artifact_prefix={tmp_path}/", reached, corpus)
