"""Settings of a client that only the read of one client shows (O63)."""

from tests.served_catalog import Platform, Workspace
from tests.sync.test_drift import drift, fields

from .test_client_status import edit
from .test_clients_applied import CLIENT, asked

SETTINGS = CLIENT + "licenseEndDate: 2030-06-30\nenableLicenseDashboards: true\n"
SET = {"licenseEndDate": "2030-06-30T00:00:00.000Z", "enableLicenseDashboards": True}


def test_a_setting_that_a_person_has_set_needs_no_confirmation(
    work: Workspace, instance: Platform
) -> None:
    """The plan asks for it as long as the platform lacks it."""
    work.write("client.yaml", SETTINGS)
    work.apply()
    before = asked(work)
    edit(instance, **SET)
    assert [("client.river", name) for name in SET] == before[:2]
    assert [("client.river", "notCopied")] == asked(work)


def test_a_setting_that_somebody_changed_is_drift(work: Workspace, instance: Platform) -> None:
    """The end of the licenses and the four switches are read."""
    work.write("client.yaml", SETTINGS)
    work.apply()
    edit(instance, **SET)
    assert 0 == work.run("resolve", "client.river", "--done").code
    assert {} == fields(drift(work))
    edit(instance, enableLicenseDashboards=False)
    assert {"client.river": ["enableLicenseDashboards"]} == fields(drift(work))


def test_settings_that_no_manifest_has_cost_no_read(work: Workspace, instance: Platform) -> None:
    """The list shows what else a manifest says of a client."""
    work.write("client.yaml", CLIENT)
    work.apply()
    drift(work)
    assert [] == instance.requests(route="client.read")
