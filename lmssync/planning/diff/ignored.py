"""What a manifest wants, without the fields that it leaves to others.

Such a field is sent when the resource is made. Afterwards its recorded value is used, so
that it neither differs nor is sent, and the record keeps what was last applied.
"""

from ...catalog.graph import identity_fields
from ...resource import Form, Resource


def wanted_form(resource: Resource, before: Form) -> Form:
    """The form that should hold; `before` is what holds now, as it is recorded.

    A new `kind` or `type` changes the meaning of the other fields: then they are all set anew.
    """
    after = resource.form
    words = identity_fields(resource.address.kind)
    if any(after.get(word) != before.get(word) for word in words if word in before):
        return after
    aside = {name for name in resource.lifecycle.ignore if name not in words}
    kept = {name: before[name] for name in aside if name in before}
    return {name: value for name, value in after.items() if name not in aside} | kept
