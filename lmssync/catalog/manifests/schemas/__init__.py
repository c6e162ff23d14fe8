"""schemas: what the models say, for editors as JSON Schema and for people as an explanation.

They are far apart and heavy: `json_schema` and `explanations` are imported by name.
"""
