"""Runs: designs and plans, seeds, one match, the parallel runner."""
