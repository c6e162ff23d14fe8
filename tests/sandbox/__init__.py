"""Tests of the sandbox, all over real HTTP."""
