"""An independent oracle of the rules, over the dict of a state: legal actions, final scoring, invariants."""

from .invariants import violations
from .legal import legal_texts, seat_to_move
from .score import final_scores

__all__ = ["final_scores", "legal_texts", "seat_to_move", "violations"]
