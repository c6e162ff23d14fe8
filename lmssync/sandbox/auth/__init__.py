"""auth: who calls, and what the key may do (spec 5)."""
