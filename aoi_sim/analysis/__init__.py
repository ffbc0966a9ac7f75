"""What runs say: small functions from a run to tidy frames, with intervals that respect the set-up blocks.

``aoi_sim.analysis.vp_margin_by_faction(run)`` and all other public functions are loaded when they are first used.
"""

from importlib import import_module
from typing import Any, Final

# Module: the public names in it.
_ROOMS: Final = {
    "sample_size": "games_needed_by_faction games_needed_by_quantity",
    "source": "AnalysisError Frames Source game_table seat_table",
    "best_games": "best_tenth_of_games",
    "hexes": "build_margin_by_hex build_share_by_hex built_hexes margin_with_less_without",
    "own_choices": "own_margin_by_tile",
    "balance": """mean_by rank_by_board rank_by_bonus_tile rank_by_faction rank_by_pairing rank_by_seat vp_by_board
        vp_by_bonus_tile vp_by_edition vp_by_faction vp_by_map vp_by_pairing vp_by_player_count vp_by_seat
        vp_margin_by_board vp_margin_by_bonus_tile vp_margin_by_faction vp_margin_by_pairing vp_margin_by_seat
        win_share_by_board win_share_by_bonus_tile win_share_by_faction win_share_by_pairing win_share_by_seat""",
    "effects": """Effects adjusted_effects vp_effect_by_board vp_effect_by_bonus_tile vp_effect_by_faction vp_effect_by_pairing
        vp_effect_by_seat win_share_effect_by_board win_share_effect_by_faction""",
    "standings": """ranking spread spread_by_board spread_by_faction spread_by_pairing standing_by_board standing_by_faction
        standing_by_pairing verdict_by_board verdict_by_faction verdict_by_pairing verdict_by_seat verdicts""",
    "interplay": """cell_grid shifts vp_interplay_by_pairing vp_shift_by_bonus_tile vp_shift_by_book_action
        vp_shift_by_final_tile vp_shift_by_innovation vp_shift_by_map vp_shift_by_opponent vp_shift_by_palace
        vp_shift_by_round_tile""",
    "choices": """opening_rows pick_share_by_tile selection_warning table_vp_by_tile_available tiles_drawn tiles_held
        vp_margin_by_opening vp_margin_by_tile_held worth_by_tile""",
    "comparison": """difference_by effects_by_condition robustness vp_difference_by_faction
        vp_margin_difference_by_board vp_margin_difference_by_faction vp_margin_difference_by_pairing
        win_share_difference_by_faction""",
    "multiplicity": "holm q_values",
    "points": """race_by_faction vp_margin_by_lead vp_source_by vp_source_by_board vp_source_by_faction
        vp_source_by_faction_and_round vp_source_by_heuristic vp_source_by_rank""",
    "quality": """game_length game_quality lead_changes share_ahead_by_pair share_decided_by_round standing_rows
        use_by_tile win_share_by_deficit""",
    "ratings": "joint_ratings",
    "tempo": """economy_by_round milestone_rounds share_accepted_by_power_offer timing_by_faction vp_margin_by_condition
        vp_margin_by_milestone vp_margin_by_pass_order vp_margin_by_timing vp_margin_by_turn_order""",
}
_HOMES: Final = {name: module for module, names in _ROOMS.items() for name in names.split()}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'aoi_sim.analysis' has no attribute {name!r}")
    value = getattr(import_module(f"aoi_sim.analysis.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
