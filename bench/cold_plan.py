"""What a plan costs on a runner that has nothing but the catalog: its state is fetched.

    python bench/cold_plan.py [--courses N]

A catalog is applied once with its state in a file. That then moves from backend to backend, and
each time a copy of the catalog without a state and without a cache is planned. Nothing has changed
in git.
"""

import argparse
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path

import workload
from backends import of_this_machine
from measure import LMSSYNC, Cost, run
from served import sandbox

LIMIT = 1_200.0
FILE = "sqlite:///.lmssync/{environment}.db"


def planned(catalog: Path, env: dict[str, str], *, with_state: bool) -> Cost:
    """A plan in a copy of the catalog, by somebody who has never validated it."""
    with tempfile.TemporaryDirectory() as folder:
        runner, ignore = Path(folder) / "runner", shutil.ignore_patterns(".lmssync")
        shutil.copytree(catalog, runner, ignore=None if with_state else ignore)
        cache = {"XDG_CACHE_HOME": f"{folder}/cache"}
        cost = run([*LMSSYNC, "plan", "-C", str(runner)], env=env | cache, limit=LIMIT)
        assert b"No changes" in cost.output, cost.output[-500:]
        return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--courses", type=int, default=10_000)
    number = parser.parse_args().courses
    print("| state | seconds | CPU | MB |\n|---|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        catalog = Path(folder) / "catalog"
        workload.write_project(catalog)
        workload.write(catalog, range(number))
        with sandbox(Path(folder) / "sandbox") as platform, of_this_machine() as backends:
            env = platform.env | {"LMSSYNC_STATE": FILE}
            run([*LMSSYNC, "apply", "--yes", "-C", str(catalog)], env=env, limit=LIMIT)
            _show("a file", planned(catalog, env, with_state=True))
            for name, address in backends.items():
                url = _of_catalog(catalog, address)
                run([*LMSSYNC, "state", "move", url, "-C", str(catalog)], env=env, limit=LIMIT)
                env |= {"LMSSYNC_STATE": url}
                _show(name, planned(catalog, env, with_state=False))


def _of_catalog(catalog: Path, address: str) -> str:
    """The address of a backend as a catalog may name it: a repository is a remote of its own."""
    where, _, branch = address.removeprefix("git:").partition("#")
    if where == address.partition("#")[0]:
        return address
    remote = f"remote-{zlib.crc32(where.encode()):x}"
    for order in (("init", "--quiet"), ("remote", "add", remote, where)):
        subprocess.run(["git", "-C", str(catalog), *order], check=True)
    return f"git:{remote}#{branch}"


def _show(name: str, cost: Cost) -> None:
    print(f"| {name} | {cost.wall:.1f} | {cost.cpu:.1f} | {cost.peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
