"""schemas: the models as JSON Schema for editors, and as an explanation for people.

They are far apart and heavy: `json_schema`, `explanations` and `field_descriptions` are imported by
name.
"""
