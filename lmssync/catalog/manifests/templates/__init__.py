"""templates: they become text in a process of their own, which has limits and no secrets.

`template_rendering` is all that others need. The modules that run in the child import nothing of
ours but this room, so that it starts quickly.
"""
