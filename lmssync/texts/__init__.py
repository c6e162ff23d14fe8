"""texts: checks the texts of a manifest, and turns HTML into what learners see of it."""
