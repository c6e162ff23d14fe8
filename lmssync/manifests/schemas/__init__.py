"""schemas: what the models say, for editors as JSON Schema and for people as an explanation."""
