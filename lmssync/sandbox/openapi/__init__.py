"""openapi: the OpenAPI 3.1 document of what this sandbox serves, made from its tables and rules.

Requests come from the rules that check them, statuses from the route table; only what an answer
holds is written down here, and the tests hold real answers against it.
"""
