"""editor: what an editor asks of a catalog while somebody writes in it: the language server.

It knows texts and places in them. What is right or wrong, what a field means and how a manifest is
put in order it asks the rooms of the catalog, as the other commands do.
"""
