"""serving: a request on its way in and an answer on its way out, before any rule."""
