"""Tests that every statement of the specification is shown by a test of the sandbox."""
