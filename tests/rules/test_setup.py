"""The draws of the set-up and the standard set-up (SET-1 to SET-9)."""

from __future__ import annotations

from collections import Counter

import pytest

from aoi_sim import RulesError

from .table import DISCIPLINES, game, rounds, ruleset, table

PLAYERS = (2, 3, 4, 5)
ROUND_TILES = {
    "workshop-law": "workshop",
    "workshop-banking": "workshop",
    "guild-law": "guild",
    "guild-medicine": "guild",
    "school-banking": "school",
    "palace-university-medicine": "",
    "palace-university-banking": "",
    "spade-engineering": "",
    "science-medicine": "",
    "city-engineering": "",
    "track-engineering": "",
    "innovation-law": "",
}
FINAL_TILES = {"workshop": "workshop", "guild": "guild", "school": "school", "edge-workshop": "workshop"}
BONUS_TILES = {
    "river",
    "palace-university",
    "science",
    "scholar",
    "spade",
    "school",
    "guild",
    "bridge",
    "power",
    "coins",
}
BOARDS = {"desert", "plains", "swamp", "lake", "forest", "mountain", "wasteland"}
FACTIONS = {
    *("blessed", "felines", "goblins", "illusionists", "inventors", "lizards"),
    *("moles", "monks", "navigators", "omar", "philosophers", "psychics"),
}
INNOVATIONS = {
    *(
        "deus-ex-machina",
        "trade-routes",
        "professor",
        "architecture",
        "census",
        "library",
        "telecommunication",
        "science",
    ),
    *(
        "sewage-system",
        "league-of-cities",
        "steam-engine",
        "steel",
        "workshop",
        "guild",
        "school",
        "university",
        "palace",
        "monument",
    ),
}
SEEDS = range(120)


def drawn(key, players=4, seeds=SEEDS, **options):
    return [game(players=players, seed=seed, **options).dict[key] for seed in seeds]


# --- SET-1 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-1")
@pytest.mark.parametrize(("players", "side"), [(2, "1-3"), (3, "3-5"), (4, "3-5"), (5, "3-5")])
def test_the_map_side_by_number_of_players(players, side):
    assert game(players=players).dict["map"] == side


@pytest.mark.rule("SET-1")
@pytest.mark.parametrize("players", [0, 1, 6])
def test_two_to_five_play(players):
    with pytest.raises(ValueError, match="players"):
        game(players=players)


@pytest.mark.rule("SET-1", "OPT/map_3_players")
def test_three_players_may_use_either_side():
    assert ruleset().options["map_3_players"] == "3-5"
    assert game(players=3, map_3_players="3-5").dict["map"] == "3-5"
    assert game(players=3, map_3_players="1-3").dict["map"] == "1-3"
    assert game(players=3, map="1-3").dict["map"] == "1-3"
    # the option speaks of three players only
    assert game(players=2, map_3_players="3-5").dict["map"] == "1-3"
    assert game(players=4, map_3_players="1-3").dict["map"] == "3-5"


# --- SET-2 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-2")
def test_six_different_round_tiles_of_twelve():
    seen = Counter()
    for tiles in drawn("round_tiles"):
        assert len(tiles) == len(set(tiles)) == 6 and set(tiles) <= set(ROUND_TILES)
        seen.update(tiles)
    assert set(seen) == set(ROUND_TILES)


@pytest.mark.rule("SET-2", "RS/spade-engineering")
def test_the_spade_tile_is_never_in_rounds_five_and_six_but_in_each_of_the_others():
    places = {tiles.index("spade-engineering") + 1 for tiles in drawn("round_tiles") if "spade-engineering" in tiles}
    assert places == {1, 2, 3, 4}


@pytest.mark.rule("SET-2", "RS/spade-engineering")
def test_the_spade_tile_set_aside_for_round_six_or_five_comes_back_for_the_others():
    # with six tiles in all it is never lost
    tiles = ["spade-engineering", "track-engineering", "workshop-law", "guild-law", "school-banking", "guild-medicine"]
    only = [{"remove": [f"round_tiles.{tile}" for tile in ROUND_TILES if tile not in tiles]}]
    for seed in range(60):
        drawn_tiles = game(seed=seed, overlays=only).dict["round_tiles"]
        assert sorted(drawn_tiles) == sorted(tiles) and "spade-engineering" in drawn_tiles[:4]


@pytest.mark.rule("SET-2")
def test_a_third_tile_of_a_discipline_is_put_aside_for_good_and_replaced():
    # seven tiles, three of them law: the third may lie in round 6, else it is the one left out
    tiles = {
        "workshop-law",
        "guild-law",
        "innovation-law",
        "school-banking",
        "workshop-banking",
        "guild-medicine",
        "city-engineering",
    }
    only = [{"remove": [f"round_tiles.{tile}" for tile in ROUND_TILES if tile not in tiles]}]
    seen = set()
    for seed in range(60):
        drawn_tiles = game(seed=seed, overlays=only).dict["round_tiles"]
        laws = [tile.endswith("law") for tile in drawn_tiles]
        assert sum(laws[:5]) <= 2 and set(drawn_tiles) < tiles and len(set(drawn_tiles)) == 6
        seen.add(sum(laws))
    assert seen == {2, 3}


@pytest.mark.rule("SET-2")
def test_no_discipline_three_times_in_rounds_one_to_five():
    thrice_with_round_six = False
    patterns = set()
    for tiles in drawn("round_tiles"):
        counts = Counter(tile.rsplit("-", 1)[1] for tile in tiles[:5])
        assert max(counts.values()) <= 2
        patterns.add(tuple(sorted(counts.values())))
        thrice_with_round_six |= max(Counter(tile.rsplit("-", 1)[1] for tile in tiles).values()) == 3
    assert thrice_with_round_six  # the covered bonus of round 6 does not count
    assert patterns == {(1, 1, 1, 2), (1, 2, 2)}  # twice is no reason to put a tile aside


@pytest.mark.rule("SET-2")
def test_every_other_tile_comes_in_every_round():
    for round_ in range(6):
        expected = set(ROUND_TILES) - ({"spade-engineering"} if round_ >= 4 else set())
        assert {tiles[round_] for tiles in drawn("round_tiles", seeds=range(300))} == expected


# --- SET-3, SET-4 ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-3")
def test_the_final_tile_never_scores_the_same_building_as_round_six():
    seen = set()
    for seed in range(300):
        state = game(seed=seed).dict
        final = state["final_tile"]
        assert FINAL_TILES[final] != ROUND_TILES[state["round_tiles"][5]]
        seen.add((final, ROUND_TILES[state["round_tiles"][5]]))
    assert {final for final, _ in seen} == set(FINAL_TILES)
    assert ("guild", "workshop") in seen and ("workshop", "guild") in seen and ("edge-workshop", "school") in seen


@pytest.mark.rule("SET-3", "RS-1")
@pytest.mark.parametrize(
    ("final", "vp"),
    [("workshop", (2, 0, 0)), ("guild", (0, 3, 0)), ("school", (0, 0, 4)), ("edge-workshop", (3, 0, 0))],
)
def test_what_each_final_tile_pays_in_round_six(final, vp):
    def scored(buildings, text):
        seat = dict(board="desert", buildings=buildings, coins=20, tools=20)
        t = table(seat, round=6, round_tiles=rounds({6: "innovation-law"}), final_tile=final, terrain={"E13": "desert"})
        return t.do(text).vp_from("final_tile")

    moves = [
        ({"E12": "guild"}, "build E13"),
        ({"E12": "workshop"}, "upgrade E12 guild"),
        ({"E12": "guild"}, "upgrade E12 school"),
    ]
    assert tuple(scored(*move) for move in moves) == vp


@pytest.mark.rule("SET-3", "RS-1")
def test_the_final_tile_pays_in_round_six_only():
    seat = dict(board="desert", buildings={"E12": "workshop"}, coins=20, tools=20)
    assert table(seat, round=5, final_tile="guild").do("upgrade E12 guild").vp_from("final_tile") == 0


@pytest.mark.rule("SET-4")
def test_three_different_book_actions_of_six():
    seen = set()
    for keys in drawn("book_actions"):
        assert len(keys) == len(set(keys)) == 3
        seen |= set(keys)
    assert seen == {"power", "science", "coins", "guild", "score-guilds", "three-spades"}


# --- SET-5, SET-6 ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-5")
@pytest.mark.parametrize(("players", "count"), [(2, 6), (3, 8), (4, 10), (5, 12)])
def test_the_number_of_innovations(players, count):
    seen = set()
    for display in drawn("innovations", players, range(40)):
        keys = [entry["key"] for entry in display]
        assert len(keys) == len(set(keys)) == count
        seen |= set(keys)
    assert seen == INNOVATIONS


@pytest.mark.rule("SET-6", "COMP-2")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_twelve_competencies_are_dealt_to_the_twelve_places_with_four_copies_each(players):
    places_of_one = set()
    for display in drawn("competencies", players, range(60)):
        assert {entry["key"] for entry in display} == {str(n) for n in range(1, 13)} and len(display) == 12
        places = {(entry["discipline"], entry["place"]) for entry in display}
        assert places == {(discipline, place) for discipline in DISCIPLINES for place in (0, 1, 2)}
        assert {entry["left"] for entry in display} == {4}
        places_of_one.add(next((entry["discipline"], entry["place"]) for entry in display if entry["key"] == "1"))
    assert len(places_of_one) == 12


# --- SET-7, SET-8 ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-7", "OPT/extra_palaces")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("extra", [0, 1, 2, 5])
def test_palace_seventeen_and_as_many_others_as_players_and_one_more(players, extra):
    seen = set()
    for palaces in drawn("palaces", players, range(30), extra_palaces=extra):
        assert len(palaces) == len(set(palaces)) == 1 + players + extra
        assert "17" in palaces
        seen |= set(palaces)
    assert seen == {str(n) for n in range(1, 18)}


@pytest.mark.rule("SET-7", "OPT/extra_palaces")
def test_one_palace_more_than_players_is_the_default():
    assert ruleset().options["extra_palaces"] == 1
    assert len(game(players=4).dict["palaces"]) == 1 + 4 + 1


@pytest.mark.rule("SET-8", "OPT/city_tile_copies")
def test_three_city_tiles_of_each_of_seven_kinds():
    kinds = ("tools", "spades", "books", "coins", "science", "power", "scholar")
    assert game().dict["city_tiles"] == dict.fromkeys(kinds, 3)
    assert game(city_tile_copies=3).dict["city_tiles"] == dict.fromkeys(kinds, 3)
    assert game(city_tile_copies=1).dict["city_tiles"] == dict.fromkeys(kinds, 1)
    assert game(city_tile_copies=5).dict["city_tiles"] == dict.fromkeys(kinds, 5)


# --- SET-9 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("SET-9", "OPT/setup")
@pytest.mark.parametrize("players", PLAYERS)
def test_seven_bundles_of_board_faction_and_bonus_tile(players):
    for seed in range(20):
        state = game(players=players, seed=seed).dict
        assert state["phase"] == "bundle" and state["round"] == 0
        bundles = state["bundles"]
        assert len(bundles) == 7 and {bundle["board"] for bundle in bundles} == BOARDS
        assert (
            len({bundle["faction"] for bundle in bundles}) == 7
            and {bundle["faction"] for bundle in bundles} <= FACTIONS
        )
        bonus = {bundle["bonus"] for bundle in bundles}
        assert len(bonus) == 7
        # the three left lie free with a coin each
        assert state["bonus_tiles"] == dict.fromkeys(BONUS_TILES - bonus, 1)


@pytest.mark.rule("SET-9")
def test_every_faction_and_bonus_tile_meets_every_board():
    pairs = {
        (bundle["board"], bundle["faction"]) for bundles in drawn("bundles", seeds=range(150)) for bundle in bundles
    }
    assert pairs == {(board, faction) for board in BOARDS for faction in FACTIONS}
    tiles = {(bundle["board"], bundle["bonus"]) for bundles in drawn("bundles", seeds=range(150)) for bundle in bundles}
    assert tiles == {(board, bonus) for board in BOARDS for bonus in BONUS_TILES}


@pytest.mark.rule("SET-9")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_bundles_are_taken_counter_clockwise_and_the_starting_player_is_last(players):
    t = game(players=players, seed=11)
    bundles = {bundle["board"]: bundle for bundle in t.dict["bundles"]}
    movers = []
    taken = []
    while t.phase == "bundle":
        assert t.legal() == {f"bundle {bundle['board']}" for bundle in t.dict["bundles"]}
        board = sorted(t.legal())[0].split()[1]
        movers.append(t.mover)
        taken.append(board)
        t.do(f"bundle {board}")
        seat = t.seat(movers[-1])
        assert (seat["board"], seat["faction"], seat["bonus"]) == (
            board,
            bundles[board]["faction"],
            bundles[board]["bonus"],
        )
    assert movers == list(range(players))[::-1]
    assert len(set(taken)) == players
    # what was not taken leaves the game: players + 3 round bonus tiles are left
    state = t.dict
    assert state["bundles"] == [] and len(state["bonus_tiles"]) == 3
    assert len({seat["bonus"] for seat in state["seats"]} | set(state["bonus_tiles"])) == players + 3
    assert state["order"] == list(range(players))


@pytest.mark.rule("SET-9", "PASS-2")
def test_the_coin_on_a_free_tile_goes_to_who_takes_it():
    t = game(players=2, seed=2)
    while t.phase != "actions":
        t.do(sorted(t.legal())[0])
    tile = sorted(t.dict["bonus_tiles"])[0]
    before = t.seat(t.mover)["coins"]
    mover = t.mover
    t.do(f"pass {tile}")
    assert t.seat(mover)["coins"] - before >= 1


@pytest.mark.rule("OPT/setup")
def test_standard_is_the_default_set_up():
    assert ruleset().options["setup"] == "standard"
    assert game(setup="standard").dict["phase"] == "bundle"
    assert game(setup="draft").dict["phase"] == "draft"


@pytest.mark.rule("SET-2", "SET-4", "SET-9")
def test_one_seed_one_set_up():
    assert game(seed=3).dict == game(seed=3).dict
    assert game(seed=3).dict != game(seed=4).dict


@pytest.mark.rule("OPT/extra_palaces", "OPT/city_tile_copies", "SET-7", "SET-8")
@pytest.mark.parametrize(("option", "least", "most"), [("extra_palaces", 0, 15), ("city_tile_copies", 1, 99)])
def test_the_bounds_of_the_numbers_that_are_options(option, least, most):
    for value in (least, most):
        assert ruleset(**{option: value}).options[option] == value
    for value in (least - 1, most + 1):
        with pytest.raises(RulesError, match=option):
            ruleset(**{option: value})
