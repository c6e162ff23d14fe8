"""What the tests of cloning ask and look at."""


def ask(platform, *, source="golden", **body):
    return platform.call("client.clone", body, id=platform.client(source))


def finish(platform):
    platform.control("clock", {"advanceSeconds": 60})


def kept(platform, slug):
    """The whole client as the sandbox keeps it."""
    return next(one for one in platform.dump("clients") if one["slug"] == slug)


def cloned(platform, *, source="golden", **body):
    """The source and its finished clone, as the sandbox keeps them."""
    body = {"name": "New client", "slug": "new-client", **body}
    response = ask(platform, source=source, **body)
    assert 200 == response.status_code, response.text
    finish(platform)
    return kept(platform, source), kept(platform, body["slug"])


def licenses(platform, client):
    return [one for one in platform.dump("licenses") if one["clientId"] == client["id"]]
