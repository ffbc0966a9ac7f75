"""Invariants for inputs of every kind (hypothesis)."""
