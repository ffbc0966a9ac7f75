"""Figures, tables and drawings."""
