"""yaml: bytes to plain values and back, exactly, and where each value stands.

Nothing here knows what a manifest is. A fast reader takes what it reads as the slow one does;
everything else, and every mistake, is left to the slow one.
"""
