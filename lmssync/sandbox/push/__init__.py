"""push: notifications that go out to whoever asked for them (spec 6)."""
