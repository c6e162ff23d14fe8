"""translations: which passages of a page a translation was made from, and which have changed since.

It knows no platform. A page is whatever has a body and may have one in further languages. The
modules are imported one by one: XLIFF is read and written by a library that nothing else needs.
"""
