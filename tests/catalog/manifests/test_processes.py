"""Many files are shared out among processes, and nobody sees it but for the time."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from lmssync.catalog.manifests import file_choice, format_files, processes
from tests import making


@pytest.fixture(autouse=True)
def _two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_count_processors", lambda: 2)


def killed(_: Any) -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


def noted(file: Path) -> Path:
    """Leaves a trace that it was done."""
    file.touch()
    return file


def test_results_come_in_the_order_of_the_files():
    """However many there are."""
    assert list(map(str, range(470))) == list(processes.map_files(str, range(470)))


@pytest.mark.slow
def test_a_process_that_is_killed_costs_time_only(monkeypatch: pytest.MonkeyPatch):
    """What it was to do is done here."""
    monkeypatch.setattr(processes, "_do_files", killed)
    assert list(map(str, range(470))) == list(processes.map_files(str, range(470)))


@pytest.mark.slow
def test_no_more_is_done_than_the_memory_can_hold(tmp_path: Path):
    """While nobody takes the results, each process has two shares at most."""
    files = [tmp_path / f"{number}" for number in range(1000)]
    results = processes.map_files(noted, files)
    assert files[:2] == [next(results), next(results)]
    results.close()
    assert len(list(tmp_path.iterdir())) <= 1 + 5 * 50


def test_what_a_file_does_wrong_is_raised():
    """As it is without processes."""
    with pytest.raises(ValueError, match="invalid literal"):
        list(processes.map_files(int, [*map(str, range(300)), "x"]))


@pytest.mark.slow
def test_many_files_are_formatted_as_one_is(tmp_path: Path):
    """The texts, the mistakes and the warnings are those of each file."""
    making.put(tmp_path, "lmssync.yaml", "version: 1\n")
    texts = ["title: A\nkey: a\nresource: course\n", "key: [\n", "key:   b\n", "a:\t1\n"]
    for number in range(300):
        making.put(tmp_path, f"{number}.yaml", texts[number % 4])
    targets = file_choice.choose_catalog_files(tmp_path)
    alone = [look for target in targets for look in format_files.look_at_files([target])]
    assert alone == list(format_files.look_at_files(targets))
    assert {True, False} == {look.changes for look in alone}
