"""Tests and the tools that judge them (`python -m tests.rules_coverage`, `tests.mutate`, ...)."""
