"""`make test`, `make test-slow` and `make test-exhaustive` run each test once, together."""

from pathlib import Path

import pytest

from tests.forking import FORKS

ROOT = Path(__file__).parents[2]
RUNS = ("not slow and not exhaustive", "slow", "exhaustive")
OF_EACH_SORT = "tests/promises/test_late.py"


@pytest.mark.slow
def test_each_test_is_in_one_of_the_three_runs(tmp_path: Path) -> None:
    """The file has tables, tests of one row, and one that is marked as slow itself."""
    process = FORKS.Process(target=_collect, args=(tmp_path,))
    process.start()
    process.join()

    every, *runs = (_lines(tmp_path / f"{marks}.txt") for marks in ("", *RUNS))
    assert all(runs)
    assert sorted(every) == sorted(one for run in runs for one in run)


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def _collect(folder: Path) -> None:
    """Writes for each run which tests it has."""
    for marks in ("", *RUNS):
        options = [
            "--collect-only",
            "-n0",
            f"--rootdir={ROOT}",
            "-m",
            marks,
            f"{ROOT}/{OF_EACH_SORT}",
        ]
        ignored = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        pytest.main([*options, *ignored], plugins=[_Collected(folder / f"{marks}.txt")])


class _Collected:
    """Writes into a file what is collected."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._file.write_text("\n".join(item.nodeid for item in session.items), "utf-8")
