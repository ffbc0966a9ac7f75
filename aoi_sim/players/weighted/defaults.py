"""Every weight with its default and its meaning: thousandths of a VP, or per cent where the name ends in _pct.

A value is one number for all rounds, [round 1, round 6] in even steps, [round 1, round 3, round 6], or six numbers.
"""

from typing import Final

DEFAULTS: Final[dict[str, object]] = {
    # A VP, against everything else.
    "vp": [800, 1000],
    # Price of one of each, held in that round (docs of the values: coin 1, tool 3, scholar 5, book 5, power 0.5).
    "coin": [563, 220],
    "tool": [1953, 577],
    "scholar": [2496, 718],
    "book": [2468, 522],
    "power": [508, 296],
    # What goes beyond so many on hand counts at this share only.
    "coin_many": [14, 4],
    # Each tool on hand finds work for so many more coins, in hundredths.
    "coin_for_tool_pct": [0, 0],
    "tool_many": [7, 4],
    "scholar_many": [4, 3],
    "beyond_pct": [23, 70],
    "bowl2_pct": [70, 33],
    "bowl1_pct": [26, 0],
    # Income to come: price of the coming rounds, counted at this share.
    "income_pct": [120, 87],
    # Science.
    "level": [452, 141],
    "place_pct": [35, 35],
    "close_pct": [47, 4],
    "bonus_pct": [108, 64],
    "later_bonus_pct": [42, 50],
    # The map.
    "near0": [986, -105],
    "near1": [415, -89],
    "near2": [113, 240],
    "beside": [829, 124],
    "area": [764, 1460],
    # Area race: share of the VP of a better place that one more building gives, and of being close to the next place.
    "area_place_pct": [0, 0],
    "area_close_pct": [20, 20],
    "dig_only_pct": [127, 5],
    # Cities: share of a city's worth for a group that lacks so many steps.
    "city_extra": [2940, 2025],
    "lack1_pct": [53, 50],
    "lack2_pct": [29, 17],
    "lack3_pct": [24, 2],
    "lack4_pct": [15, 0],
    "near_city_pct": [65, 36],
    # Buildings for what they may become, by kind.
    "guild_worth": [631, -29],
    "follow_pct": [31, 30],
    "school_worth": [972, 113],
    "palace_worth": [1739, -106],
    "university_worth": [847, -53],
    # Tiles.
    "action_pct": [58, 112],
    "pass_pct": [37, 137],
    "growth_pct": [66, 20],
    "trigger_pct": [92, 78],
    "competency_extra": [2249, -7],
    "city_power_ability": [5162, -231],
    "river_city_ability": [2481, 78],
    "flight_ability": [4267, 498],
    "tunnel_extra": 0,
    "free_workshop": 0,
    "sailing_step": [3252, 250],
    "terraforming_step": [2746, 34],
    "spade": [1833, 768],
    "bridge": [1109, 380],
    "annex": [1732, 517],
    "token": [855, 170],
    "second_action": [688, 925],
    "innovation_extra": [33, 91],
    "power_action_extra": 0,
    # Books saved: share of the best innovation's worth that they stand for when so many lack.
    "book_lack0_pct": [40, 20],
    "book_lack1_pct": [30, 5],
    "book_lack2_pct": [20, 0],
    "book_lack3_pct": [10, 0],
    "book_lack4_pct": [5, 0],
    # Starting hexes: hexes around them by the spades they need, those over a river at a share, company, a second
    # piece beside the first or one hex apart from it.
    "start_near0": 2958,
    "start_near1": 1245,
    "start_near2": 339,
    "start_sail_pct": 33,
    "start_beside": 1658,
    "start_join": 980,
    "start_apart": 1470,
    # Waiting for a better round: share of the VP that a coming round's tile would give for the same build.
    "wait_pct": [20, 35],
    # Passing: what an action must gain, and the share of the advantage of the best bonus tile.
    "least_gain": [144, 42],
    "early_pass_pct": [14, 19],
    # Power from neighbours: added to what the power is worth.
    "offer_bias": [169, 18],
    # Burning tokens costs this much beside the tokens.
    "burn_cost": [80, 459],
    # The best action to follow counts at this share, for so many first ones; so many more follow, each at a share of the
    # one before.
    "pair_pct": 85,
    "pair_width": 10,
    "chain": 1,
    "chain_pct": 80,
    # A scholar sent to stay: added to what its steps are worth.
    "send_extra": 0,
    # Each competency, book action, power action and round bonus tile: added to what its gains are worth at their prices,
    # below 0 taken off.
    "competency_1": 0,
    "competency_2": 0,
    "competency_3": 0,
    "competency_4": 0,
    "competency_5": 0,
    "competency_6": 0,
    "competency_7": 0,
    "competency_8": 0,
    "competency_9": 0,
    "competency_10": 0,
    "competency_11": 0,
    "competency_12": 0,
    "action_power": 0,
    "action_science": 0,
    "action_coins": 0,
    "action_guild": 0,
    "action_score_guilds": 0,
    "action_three_spades": 0,
    "power_bridge": 0,
    "power_scholar": 0,
    "power_tools": 0,
    "power_coins": 0,
    "power_spade": 0,
    "power_two_spades": 0,
    "tile_river": 0,
    "tile_palace_university": 0,
    "tile_science": 0,
    "tile_scholar": 0,
    "tile_spade": 0,
    "tile_school": 0,
    "tile_guild": 0,
    "tile_bridge": 0,
    "tile_power": 0,
    "tile_coins": 0,
}
