"""report: problems, plans and outcomes in words, for people and for programs.

It turns values into text; it decides nothing and asks nothing. The rooms `problems` and `changes`
and the views beside them are imported one by one, since no command needs them all.
"""
