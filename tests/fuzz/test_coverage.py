"""A fuzzer that sees which lines an input reaches looks for what nobody thought of."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalog.manifests.nasty import NASTY
from tests.catalog.manifests.yaml_snippets import SNIPPETS
from tests.catalog.manifests.yaml_texts import HARD

from .whole import MANIFESTS

ROOT = Path(__file__).parents[2]
SECONDS = int(os.environ.get("FUZZ_SECONDS", "4"))
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


def seed(folder: Path) -> None:
    """A corpus to begin with: some of the example catalog, and of what readers disagree about."""
    texts = [manifest.read_bytes() for manifest in MANIFESTS]
    texts += [text.encode() for text in (*HARD, *SNIPPETS) if "*a" not in text]  # endless: slow
    texts += [nasty.raw for nasty in NASTY if len(nasty.raw) < 4_000]
    for number, text in enumerate(texts[::4]):
        (folder / f"{number:04}").write_bytes(text)


def test_nothing_is_found(tmp_path: Path):
    """Starting from real manifests and hard cases, for a while, in bounded memory and time."""
    reached, corpus = tmp_path / "reached", tmp_path / "corpus"
    for folder in (reached, corpus):
        folder.mkdir()
    seed(corpus)
    limits = ("-max_len=4096", "-rss_limit_mb=1024", "-timeout=200", f"-max_total_time={SECONDS}")
    assert "" == run(*limits, f"-artifact_prefix={tmp_path}/", reached, corpus)
