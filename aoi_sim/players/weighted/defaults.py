"""Every weight with its default and its meaning: thousandths of a VP, or per cent where the name ends in _pct.

A value is one number for all rounds, [round 1, round 6] in even steps, or six numbers.
"""

from typing import Final

DEFAULTS: Final[dict[str, object]] = {
    # Price of one of each, held in that round (docs of the values: coin 1, tool 3, scholar 5, book 5, power 0.5).
    "coin": [900, 700, 550, 420, 320, 210],
    "tool": [2500, 2000, 1600, 1250, 950, 330],
    "scholar": [4200, 3500, 2900, 2300, 1700, 500],
    "book": [3300, 3000, 2700, 2300, 1800, 500],
    "power": [650, 560, 470, 380, 300, 180],
    "bowl2_pct": [55, 30],
    "bowl1_pct": [25, 0],
    # Income to come: price of the coming rounds, counted at this share.
    "income_pct": 70,
    # Science.
    "level": [900, 500],
    "place_pct": [25, 40, 55, 70, 85, 100],
    "close_pct": [40, 10],
    "bonus_pct": 85,
    "later_bonus_pct": [35, 45],
    # The map.
    "near0": [900, 0],
    "near1": [450, 0],
    "near2": [200, 0],
    "beside": [700, 200],
    "area": [700, 1300],
    "dig_only_pct": [60, 10],
    "crowd": 0,
    # Cities: share of a city's worth for a group that lacks so many steps.
    "city_extra": [3500, 1500],
    "lack1_pct": [55, 35],
    "lack2_pct": [36, 14],
    "lack3_pct": [22, 4],
    "lack4_pct": [12, 0],
    "near_city_pct": 60,
    # Buildings for what they may become, by kind.
    "guild_worth": [2500, 0],
    "school_worth": [1500, 0],
    "palace_worth": [1500, 0],
    "university_worth": [1000, 0],
    # Tiles.
    "action_pct": 75,
    "pass_pct": 85,
    "growth_pct": [110, 20],
    "trigger_pct": 80,
    "competency_extra": [2500, 0],
    "city_power_ability": [5000, 0],
    "river_city_ability": [3000, 0],
    "flight_ability": [4000, 500],
    "sailing_step": [3200, 200],
    "terraforming_step": [3200, 100],
    "spade": [2300, 700],
    "bridge": [900, 300],
    "annex": [1600, 800],
    "token": [600, 100],
    "second_action": 1000,
    "innovation_extra": 0,
    # Waiting for a better round: share of the VP that a coming round's tile would give for the same build.
    "wait_pct": [25, 25],
    # Passing: what an action must gain, and the share of the advantage of the best bonus tile.
    "least_gain": [150, 0],
    "early_pass_pct": 20,
    # Power from neighbours: added to what the power is worth.
    "offer_bias": 0,
    # Burning tokens costs this much beside the tokens.
    "burn_cost": 300,
    # Look-ahead: share of the best next action, for so many best plans.
    "look_pct": 60,
    "look_width": 4,
}
