"""Golden games: whole games as text that every change of the rules must answer for."""
