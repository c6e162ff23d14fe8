"""Serving: start, lock, port, stop, durability, profiles."""

import contextlib
import json
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from lmssync.sandbox import run_sandbox, serve_sandbox
from lmssync.sandbox.data.durable_store import DataHeld, DataUnusable, PortTaken, SeedRefused
from tests.patience import read_outputs

from .. import patient_http

SERVE = """
import json, sys
from pathlib import Path
from lmssync.sandbox import serve_sandbox
serve_sandbox(
    "127.0.0.1", 0, Path(sys.argv[1]), ready=lambda ready: print(json.dumps(ready), flush=True)
)
"""
ENTRY = {"title": "T", "kind": "courseGroup"}
CREATE = "/incoming/v2/content/course/create"


def start(folder):
    server = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    return server, json.loads(server.stdout.readline())


def create(ready):
    headers = {"Authorization": f"Bearer {ready['apiKey']}"}
    return patient_http.post(
        ready["baseUrl"] + CREATE, json={"courseAttributes": [ENTRY]}, headers=headers
    ).json()["courseIds"][0]


def status_of(ready, course):
    headers = {"Authorization": f"Bearer {ready['apiKey']}"}
    path = f"{ready['baseUrl']}/incoming/v2/content/course/{course}"
    return patient_http.get(path, headers=headers).status_code


def test_ready_says_what_a_client_needs():
    """The ready line has the address, key and company."""
    with run_sandbox() as ready:
        assert ("sandbox-demo-key", "Demo Learning Company") == (ready["apiKey"], ready["company"])
        assert 200 == patient_http.get(ready["baseUrl"]).status_code


def test_killed_sandbox_loses_nothing(tmp_path):
    """What was answered is there after kill -9, and the folder is free again."""
    server, ready = start(tmp_path)
    course = create(ready)
    server.kill()
    read_outputs(server)
    with run_sandbox(tmp_path) as again:
        assert 200 == status_of(again, course)


@pytest.mark.slow
def test_every_acknowledged_create_survives(tmp_path):
    """Of creates by many at once, all that were answered are there after kill -9."""
    server, ready = start(tmp_path)
    acknowledged = []

    def create_until_it_dies():
        with contextlib.suppress(httpx.TransportError):
            while True:
                acknowledged.append(create(ready))
                if len(acknowledged) >= 40:
                    server.kill()

    with ThreadPoolExecutor(8) as pool:
        for _ in range(8):
            pool.submit(create_until_it_dies)
    read_outputs(server)
    with run_sandbox(tmp_path) as again:
        dump = patient_http.get(again["baseUrl"] + "/_sandbox/dump?only=courses").json()
    assert set(acknowledged) <= {course["id"] for course in dump["courses"]}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_it_quietly(tmp_path, number):
    """A signal ends the sandbox with exit code 0 and no output."""
    server, _ready = start(tmp_path)
    server.send_signal(number)
    out, err = read_outputs(server)
    assert (0, b"", b"") == (server.returncode, out, err)


def test_settings_survive_a_restart(tmp_path):
    """Clock, switches, features and keys survive a restart."""
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        http.post("/_sandbox/clock", json={"advanceSeconds": 5000})
        http.post("/_sandbox/switches", json={"idOrder": "reversed"})
        http.post("/_sandbox/features", json={"externalActivity": False})
        key = http.post("/_sandbox/keys", json={"permissions": []}).json()["key"]
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        assert 5000 == http.get("/_sandbox/clock").json()["offsetSeconds"]
        assert "reversed" == http.get("/_sandbox/switches").json()["idOrder"]
        assert http.get("/_sandbox/features").json()["externalActivity"] is False
        ping = http.get("/incoming/v2/ping", headers={"Authorization": f"Bearer {key}"})
        assert 200 == ping.status_code


def test_job_in_flight_survives_a_restart(tmp_path):
    """A job that was accepted ends after a restart."""
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        http.headers["Authorization"] = f"Bearer {ready['apiKey']}"
        http.post("/_sandbox/switches", json={"jobSeconds": 1000})
        entry = {**ENTRY, "asset": "https://x.example/a.png"}
        job = http.post(CREATE, json={"courseAttributes": [entry]}).json()["backgroundJob"]["id"]
    with run_sandbox(tmp_path) as ready, patient_http.client(base_url=ready["baseUrl"]) as http:
        http.headers["Authorization"] = f"Bearer {ready['apiKey']}"
        before = http.get(f"/incoming/v2/jobs/{job}").json()["status"]
        http.post("/_sandbox/clock", json={"advanceSeconds": 1001})
        assert ("queued", "complete") == (
            before,
            http.get(f"/incoming/v2/jobs/{job}").json()["status"],
        )


def test_folder_is_held_once(tmp_path):
    """A second sandbox on the folder is refused, with the holder's process."""
    with (
        run_sandbox(tmp_path),
        pytest.raises(DataHeld, match="another sandbox"),
        run_sandbox(tmp_path),
    ):
        pass


class Stopped(Exception):
    """Raised by a test to end a sandbox once it is ready."""


@pytest.mark.parametrize(("host", "warnings"), [("127.0.0.1", 0), ("0.0.0.0", 1)])
def test_open_addresses_are_warned_of(host, warnings):
    """A warning is shown if other machines can reach the sandbox."""

    def stop(_ready):
        raise Stopped

    heard = []
    with pytest.raises(Stopped):
        serve_sandbox(host, 0, ready=stop, warn=heard.append)
    assert warnings == len(heard)


def test_port_in_use_is_told():
    """A port in use is reported with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match="is in use; name another port"):
            serve_sandbox("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.1", "no such host"])
def test_addresses_of_others_are_told(host):
    """An address of another machine is reported."""
    with pytest.raises(PortTaken, match="cannot be bound"):
        serve_sandbox(host, 0)


def test_other_data_is_told(tmp_path):
    """A folder with another kind of database is refused and not changed."""
    (tmp_path / "sandbox.db").write_bytes(b"not a database, but long enough to be taken for one")
    with pytest.raises(DataUnusable, match="not a sandbox's data"), run_sandbox(tmp_path):
        pass


def test_file_as_folder_is_told(tmp_path):
    """A file as data folder is reported."""
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(DataUnusable, match="cannot be used"), run_sandbox(file):
        pass


@pytest.mark.parametrize("text", ["{", "[]", '{"pages": []}', '{"tags": [7]}'])
def test_bad_seed_file_is_told(tmp_path, text):
    """A bad seed file is reported with file and place."""
    seed = tmp_path / "seed.json"
    seed.write_text(text)
    with pytest.raises(SeedRefused, match=r"seed\.json"), run_sandbox(seed=seed):
        pass


def test_seed_file_replaces_the_demo_company(tmp_path):
    """Only what the seed holds is there."""
    seed = tmp_path / "seed.json"
    seed.write_text('{"company": "Mine", "tags": [{"label": "One"}]}')
    with run_sandbox(seed=seed) as ready:
        dump = patient_http.get(ready["baseUrl"] + "/_sandbox/dump").json()
    assert ("Mine", ["One"], []) == (
        ready["company"],
        [tag["label"] for tag in dump["tags"]],
        dump["clients"],
    )
