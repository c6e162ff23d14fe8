"""The status of a client: a call where the instance has one, else a step for a person (O34)."""

from typing import Any

import pytest

from tests.served_catalog import Platform, Workspace
from tests.sync.test_drift import drift, fields

from .test_clients_applied import CLIENT

DISABLED = CLIENT + "disabled: true\n"
ALLOW = ("--allow", "client.river")


def is_disabled(platform: Platform) -> bool:
    (client,) = [one for one in platform.dump("clients") if one["slug"] == "riverside"]
    return bool(client["disabled"])


def edit(platform: Platform, **fields: Any) -> None:
    (id_,) = [c["id"] for c in platform.dump("clients") if c["slug"] == "riverside"]
    platform.order("edit", {"list": "clients", "id": id_, "set": fields})


@pytest.fixture
def applied(work: Workspace, instance: Platform) -> Workspace:
    """A client that was cloned on an instance that has the route."""
    work.write("client.yaml", CLIENT)
    assert 0 == work.apply().code
    assert 0 == work.run("resolve", "client.river", "--done").code
    return work


def test_a_client_is_disabled_by_a_call(applied: Workspace, instance: Platform) -> None:
    """Once somebody allows it; then the next plan is empty."""
    applied.write("client.yaml", DISABLED)

    assert 0 == applied.apply(*ALLOW).code
    assert is_disabled(instance)
    assert [] == applied.plan("--refresh", "all")["changes"]


def test_nobody_is_locked_out_unasked(applied: Workspace, instance: Platform) -> None:
    """Without a word that names it, it is a step for a person, which says how."""
    applied.write("client.yaml", DISABLED)

    (change,) = applied.plan()["changes"]

    assert "manual" == change["action"]
    assert "`--allow client.river` lets lmssync do it by a call" in change["manual"][0]["text"]


def test_a_client_is_enabled_by_a_call(applied: Workspace, instance: Platform) -> None:
    applied.write("client.yaml", DISABLED)
    applied.apply(*ALLOW)
    applied.write("client.yaml", CLIENT + "disabled: false\n")

    assert 0 == applied.apply().code
    assert not is_disabled(instance)


def test_a_new_client_may_be_disabled(work: Workspace, instance: Platform) -> None:
    """The clone is enabled, and the call that disables it comes after it."""
    work.write("client.yaml", DISABLED)
    assert 0 == work.apply(*ALLOW).code
    assert is_disabled(instance)


def test_the_core_profile_leaves_it_to_a_person(work: Workspace, platform: Platform) -> None:
    """There is no call for it; the list of clients shows when a person has done it."""
    work.write("client.yaml", CLIENT + "disabled: false\n")
    work.apply()
    work.run("resolve", "client.river", "--done")
    work.write("client.yaml", DISABLED)

    (change,) = work.plan()["changes"]

    assert ("manual", "disabled") == (change["action"], change["manual"][0]["field"])
    edit(platform, disabled=True)
    assert ["unchanged"] == [one["action"] for one in work.plan()["changes"]]


def test_a_status_that_somebody_changed_is_drift(applied: Workspace, instance: Platform) -> None:
    applied.write("client.yaml", CLIENT + "disabled: false\n")
    applied.apply()
    edit(instance, disabled=True)
    assert {"client.river": ["disabled"]} == fields(drift(applied))
