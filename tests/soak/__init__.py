"""Whole games of every kind, watched after every action. `python -m tests.soak` plays 8,000 of them."""
