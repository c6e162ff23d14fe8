"""stock: a whole catalog from its files, of which only what has changed is read.

`walk`, `cache` and `outcome` import next to nothing: a second look needs no more than them.
"""
