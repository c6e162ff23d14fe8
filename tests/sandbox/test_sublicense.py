"""Bulk sublicense: what a request may say, who it means, what is answered (spec 2.7, 4, 7, 8)."""

import pytest

from .school import DELETE, KEEP, accepted, assigned, demo, person, send, user

LICENSE = demo(611)
UNKNOWN = "00000000-0000-4000-8000-000000000000"
AMARA = "amara.nwosu@brightwater.example"
ADD = {"licenseIdsToAdd": [LICENSE]}
REMOVE = {"licenseIdsToRemove": [LICENSE]}


def meant(platform, **identifiers):
    """The number of the person that an entry means, or None."""
    accepted(platform, {**identifiers, **ADD})
    users = platform.dump("jobs")[-1]["arguments"]["users"]
    return int(users[0]["id"][-12:]) if users else None


def refused(response, code):
    """The errors of a 400 in envelope D."""
    body = response.json()
    assert (400, code) == (response.status_code, body["code"]), response.text
    return body["metadata"]["errors"]


def options_of(platform):
    arguments = platform.dump("jobs")[-1]["arguments"]
    return (arguments["preserveEnrollments"], arguments["preserveProgress"])


@pytest.mark.parametrize("feature", ["advancedClients", "bulkMigration"])
def test_feature_that_is_off_is_403(platform, feature):
    """403 with a message that the feature is not available, never 404.

    (spec 4 sublicense.feature; spec 7 sublicense.403, D.403)
    """
    platform.control("features", {feature: False})
    response = send(platform, user(408, add=(613,)))
    assert (403, "FORBIDDEN", "This feature is not available for your account") == (
        response.status_code,
        response.json()["code"],
        response.json()["message"],
    )


def test_permission_is_users_edit(platform):
    """A key needs users.edit (spec 4 permission; spec 5 permissions)."""
    seen = []
    for permission in ("courses.edit", "users.edit"):
        platform.key = platform.control("keys", {"permissions": [permission]})["key"]
        seen.append(send(platform, user(408, add=(613,))).status_code)
    assert [403, 202] == seen


def test_answer_is_202_with_the_job(platform):
    """202 with data.jobId, data.totalCount and data.unresolvedIdentifiers.

    (spec 1 licensing; spec 4 sublicense.6, data; spec 7 success; spec 4, sublicense rule 6)
    """
    response = send(platform, user(408, add=(613,)), user(409, add=(613,)))
    job = platform.dump("jobs")[-1]["id"]
    data = {"jobId": job, "totalCount": 2, "unresolvedIdentifiers": []}
    assert (202, {"data": data}) == (response.status_code, response.json())


@pytest.mark.parametrize(
    "identifiers",
    [
        {"id": demo(408)},
        {"email": AMARA},
        {"email": AMARA.upper()},
        {"externalCustomerId": "EXT-408"},
    ],
)
def test_each_identifier_finds_its_user(platform, identifiers):
    """One of id, email and externalCustomerId is enough (spec 2.7 identifier)."""
    assert 408 == meant(platform, **identifiers)


def test_id_comes_before_email_and_email_before_external_id(platform):
    """Identifiers are tried in the order id, email, externalCustomerId
    (spec 4, sublicense rule 3)."""
    email = {"email": AMARA, "externalCustomerId": "EXT-439"}
    assert [409, 408] == [meant(platform, id=demo(409), **email), meant(platform, **email)]


def test_identifier_that_matches_nothing_falls_through(platform):
    """The first that resolves wins (spec 4, sublicense rule 3)."""
    assert [408, 439] == [
        meant(platform, id=UNKNOWN, email=AMARA),
        meant(platform, id=UNKNOWN, email="nobody@x.example", externalCustomerId="EXT-439"),
    ]


@pytest.mark.parametrize(
    ("email", "number"),
    [
        ("paula.reyes@hillside.example", 424),  # 425 is a shadow account
        ("rosa.blanco@hillside.example", 427),  # 426 has it as a second address
        ("dara.quinn@brightwater.example", 411),  # 412 is a manager
    ],
)
def test_choice_among_several_accounts(platform, email, number):
    """A non-shadow account, then the primary email, then a student role.

    (spec 4 sublicense.3.choice; spec 4, sublicense rule 3)
    """
    assert number == meant(platform, email=email)


def test_shadow_counts_before_the_primary_email(platform):
    """The three preferences are tried in their order.

    (spec 4 sublicense.3.choice; spec 4, sublicense rule 3)
    """
    shadow = {"list": "users", "id": demo(427), "set": {"isShadow": True}}
    platform.control("edit", shadow)
    assert 426 == meant(platform, email="rosa.blanco@hillside.example")


def test_primary_email_counts_before_the_role(platform):
    """A manager's primary email before a student's second one.

    (spec 4 sublicense.3.choice; spec 4, sublicense rule 3)
    """
    manager = {"list": "users", "id": demo(427), "set": {"roleKey": "manager"}}
    platform.control("edit", manager)
    assert 427 == meant(platform, email="rosa.blanco@hillside.example")


def test_external_id_of_several_accounts(platform):
    """One account is chosen among several with one external id.

    (spec 4 sublicense.3.choice; spec 4, sublicense rule 3)
    """
    student = {"list": "users", "id": demo(431), "set": {"roleKey": "manager"}}
    before = meant(platform, externalCustomerId="EXT-SHARED")
    platform.control("edit", student)
    assert [431, 432] == [before, meant(platform, externalCustomerId="EXT-SHARED")]


def test_two_entries_for_one_user_reject_the_request(platform):
    """400 for all, and no job (spec 4 sublicense.4; spec 7 sublicense.400)."""
    twice = [user(408, add=(613,)), user(409, add=(613,)), {"email": AMARA, **ADD}]
    errors = refused(send(platform, *twice), "VALIDATION_ERROR")
    assert ([f"users: several entries are for the user {demo(408)}"], []) == (
        errors,
        platform.dump("jobs"),
    )


def test_unresolved_labels_are_normalized(platform):
    """The identifier of the highest priority, lowercase; one for each entry
    (spec 4, sublicense rule 6)."""
    data = accepted(
        platform,
        {"id": UNKNOWN.upper(), "email": "A@x.example", **ADD},
        {"email": "  Nobody@X.example ", "externalCustomerId": "E-1", **ADD},
        {"externalCustomerId": "Ext-None", **ADD},
        {"externalCustomerId": "EXT-NONE", **ADD},
        user(408, add=(613,)),
    )
    labels = [UNKNOWN, "nobody@x.example", "ext-none", "ext-none"]
    assert (1, labels) == (data["totalCount"], data["unresolvedIdentifiers"])


def test_unmatched_entries_are_not_enqueued(platform):
    """The job holds those that resolved (spec 4, sublicense rule 6)."""
    accepted(platform, {"email": "nobody@x.example", **ADD}, user(408, add=(613,)))
    (queued,) = platform.dump("jobs")[-1]["arguments"]["users"]
    assert demo(408) == queued["id"]


def test_nobody_found_is_a_job_of_nobody(platform):
    """The answer is the same where no entry resolves (spec 4, sublicense rule 6; not shown)."""
    job = assigned(platform, {"email": "nobody@x.example", **ADD})
    assert "complete" == job["status"]


def test_company_key_finds_users_of_every_client(platform):
    """And those of none (spec 4 sublicense.6.scope; spec 5 company; spec 4, sublicense rule 6)."""
    users = [user(number, add=(611,)) for number in (408, 420, 429, 438)]
    assert 4 == accepted(platform, *users)["totalCount"]


def test_scoped_manager_finds_users_of_its_clients(platform):
    """A client-scoped manager resolves only inside its clients.

    (spec 4 sublicense.6.scope; spec 4, sublicense rule 6)
    """
    scope = {"scope": "client", "clientIds": [platform.client("brightwater")]}
    platform.key = platform.control("keys", scope)["key"]
    data = accepted(platform, *[user(number, add=(611,)) for number in (408, 420, 438)])
    assert (1, [demo(420), demo(438)]) == (data["totalCount"], data["unresolvedIdentifiers"])


def test_scope_narrows_the_choice(platform):
    """Of accounts that share an email the one of the key's client is found.

    (spec 4 sublicense.6.scope; spec 4, sublicense rule 6)
    """
    scope = {"scope": "client", "clientIds": [platform.client("brightwater")]}
    key = platform.control("keys", scope)["key"]
    platform.key = key
    assert 425 == meant(platform, email="paula.reyes@hillside.example")


@pytest.mark.parametrize("options", [None, {}])
def test_removal_needs_enrollment_options(platform, options):
    """Options missing or empty are a 400 if any user loses a license.

    (spec 4 sublicense.2; spec 7 sublicense.400)
    """
    response = send(platform, user(408, remove=(611,)), user(409, add=(613,)), options=options)
    assert 1 == len(refused(response, "VALIDATION_ERROR"))


def test_removal_of_somebody_unknown_needs_options_too(platform):
    """What a request must say does not hang on who is found (spec 4, sublicense rule 2)."""
    response = send(platform, {"email": "nobody@x.example", **REMOVE})
    assert 1 == len(refused(response, "VALIDATION_ERROR"))


@pytest.mark.parametrize("name", ["preserveEnrollments", "preserveProgress"])
def test_one_of_the_options_must_be_a_boolean(platform, name):
    """null counts as a missing option (spec 4, sublicense rule 2)."""
    response = send(platform, user(408, remove=(611,)), options={name: None})
    assert 1 == len(refused(response, "VALIDATION_ERROR"))


@pytest.mark.parametrize("options", [None, {}, KEEP])
def test_options_are_optional_where_nothing_is_removed(platform, options):
    """Options are only required for a removal (spec 4)."""
    accepted(platform, user(408, add=(613,)), options=options)
    assert (True, True) == options_of(platform)


@pytest.mark.parametrize(
    ("options", "read"),
    [
        ({"preserveEnrollments": True}, (True, True)),
        ({"preserveEnrollments": False}, (False, True)),
        ({"preserveProgress": True}, (True, True)),
        (DELETE, (False, False)),
    ],
)
def test_an_option_that_is_not_given_is_true(platform, options, read):
    """Both have the default true (spec 2.7 options)."""
    accepted(platform, user(408, remove=(611,)), options=options)
    assert read == options_of(platform)


@pytest.mark.parametrize("value", ["false", "0", "no", " ", "true"])
def test_text_that_is_not_empty_is_true(platform, value):
    """Options are coerced before they are validated: "false" is true
    (spec 4, sublicense rule 5)."""
    options = {"preserveEnrollments": value, "preserveProgress": value}
    accepted(platform, user(408, remove=(611,)), options=options)
    assert (True, True) == options_of(platform)


@pytest.mark.parametrize("value", ["", 0])
def test_empty_text_and_zero_are_false(platform, value):
    """The empty text and 0 are false and count as booleans (spec 4, sublicense rule 5)."""
    accepted(platform, user(408, remove=(611,)), options={"preserveEnrollments": value})
    assert (False, True) == options_of(platform)


@pytest.mark.parametrize(
    "options",
    [
        {"preserveEnrollments": True, "preserveProgress": False},
        {"preserveProgress": False},
        {"preserveEnrollments": "false", "preserveProgress": ""},
    ],
)
@pytest.mark.parametrize("entry", [user(408, remove=(611,)), user(408, add=(613,))])
def test_enrollments_without_progress_cannot_be_preserved(platform, options, entry):
    """preserveEnrollments true with preserveProgress false is 400, after coercion.

    (spec 3 options.invalid; spec 7 sublicense.400)
    """
    assert 1 == len(refused(send(platform, entry, options=options), "VALIDATION_ERROR"))


@pytest.mark.parametrize("value", [[], {}, [True]])
def test_option_that_cannot_be_a_boolean(platform, value):
    """Lists and objects are refused (spec 2.7)."""
    response = send(platform, user(408, remove=(611,)), options={"preserveProgress": value})
    assert "must be a boolean" in refused(response, "BAD_REQUEST")[0]


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (ADD, "users[0] needs one of id, email, externalCustomerId"),
        ({"email": " ", **ADD}, "users[0] needs one of id, email, externalCustomerId"),
        ({"id": demo(408)}, "users[0] needs a license in licenseIdsToAdd or in licenseIdsToRemove"),
        (
            {"id": demo(408), "licenseIdsToAdd": [], "licenseIdsToRemove": []},
            "users[0] needs a license in licenseIdsToAdd or in licenseIdsToRemove",
        ),
    ],
)
def test_entry_names_a_user_and_a_license(platform, entry, error):
    """One identifier is required, and one of the two lists must not be empty.

    (spec 2.7 identifier, lists)
    """
    assert [error] == refused(send(platform, entry), "VALIDATION_ERROR")


@pytest.mark.parametrize(
    ("entry", "start"),
    [
        ({"id": "408", **ADD}, "users[0].id "),
        ({"email": 5, **ADD}, "users[0].email "),
        ({"id": demo(408), "licenseIdsToAdd": "x"}, "users[0].licenseIdsToAdd "),
        ({"id": demo(408), "licenseIdsToAdd": ["x"]}, "users[0].licenseIdsToAdd "),
        ({"id": demo(408), "licenses": [], **ADD}, "users[0]: property licenses "),
        ("x", "users[0] "),
    ],
)
def test_bad_values_are_named(platform, entry, start):
    """Fields of a user with the wrong type are refused by name (spec 2.7)."""
    (error,) = refused(send(platform, entry), "BAD_REQUEST")
    assert error.startswith(start)


@pytest.mark.parametrize(
    "body", [{}, {"users": None}, {"users": {}}, {"users": []}, {"users": [], "all": True}]
)
def test_users_are_required(platform, body):
    """At least one entry, and no other property (spec 4 sublicense.users)."""
    assert refused(platform.call("sublicense.assign", body), "BAD_REQUEST")


@pytest.mark.parametrize(("count", "status"), [(5000, 202), (5001, 400)])
def test_5000_users_at_most(platform, count, status):
    """1 to 5000 users per request (spec 4 sublicense.users; spec 8 route.sublicense)."""
    users = [{"email": f"nobody{number}@x.example", **ADD} for number in range(count)]
    assert status == send(platform, *users).status_code


def test_own_client_never_changes(platform):
    """Neither by a license of another client nor by one of the own (spec 4, sublicense rule 1)."""
    before = [person(platform, number)["clientId"] for number in (408, 438)]
    assigned(platform, user(408, add=(621,)), user(438, add=(611,)))
    assigned(platform, user(408, add=(613,), remove=(611,)), options=DELETE)
    assert before == [person(platform, number)["clientId"] for number in (408, 438)]
