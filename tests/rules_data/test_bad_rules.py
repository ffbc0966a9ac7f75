"""Wrong overlays and options: each is refused with one line that names the place and says what is allowed."""

from __future__ import annotations

import copy
import datetime
from typing import Any

import pytest

from aoi_sim.rules import RulesError, load_ruleset

ROUND_TILE = {"on": [{"event": "guild_built", "vp": 1}], "bonus": {"discipline": "law", "every": 2, "coins": 1}}
MAP = {
    "players": [2],
    "rows": ["D P S L F M W", ". . . . . . .", "D P S L F M W", "D P S L F M W"],
    "bridges": [],
    "edge": [],
}


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


def on(**entry: Any) -> dict[str, Any]:
    return {"palaces": {"1": {"on": [entry]}}}


def once(**gain: Any) -> dict[str, Any]:
    return {"palaces": {"1": {"once": gain}}}


def new_map(**changed: Any) -> dict[str, Any]:
    return {"maps": {"isle": {**copy.deepcopy(MAP), **changed}}}


def removed(table: str, left: int) -> dict[str, Any]:
    return {"remove": [f"{table}.{key}" for key in list(load_ruleset().data[table])[left:]]}


# Overlay, the key that the message must name, words that it must have.
WRONG: dict[str, tuple[Any, str, str]] = {
    # Unknown keys.
    "table": ({"faction": {}}, "faction", "did you mean 'factions'"),
    "table that the options are not": ({"option": {"setup": "draft"}}, "option", "did you mean 'options'"),
    "field": ({"factions": {"moles": {"tunel": {"tools": 1}}}}, "factions.moles.tunel", "did you mean 'tunnel'"),
    "field of a field": ({"factions": {"moles": {"tunnel": {"vpp": 1}}}}, "factions.moles.tunnel.vpp", "mean 'vp'"),
    "gain": (once(coin=2), "palaces.1.once.coin", "did you mean 'coins'"),
    "gain on an event": (on(event="guild_built", vps=2), "palaces.1.on.0.vps", "did you mean 'vp'"),
    "number of set-up": ({"setup": {"coin": 3}}, "setup.coin", "did you mean 'coins'"),
    "ability of a tile that has none": (
        {"bonus_tiles": {"guild": {"city_power": 6}}},
        "bonus_tiles.guild.city_power",
        "",
    ),
    "gain in income that needs the map": (
        {"palaces": {"1": {"income": {"spades": 1}}}},
        "palaces.1.income.spades",
        "unknown key",
    ),
    "second action outside special actions": (once(second_action=True), "palaces.1.once.second_action", "unknown key"),
    "track": ({"tracks": {"diving": {"max": 3}}}, "tracks.diving", "allowed: sailing, terraforming"),
    "building": ({"buildings": {"castle": {"power": 3, "pieces": 1}}}, "buildings.castle", "workshop"),
    "key with blanks": ({"palaces": {"my palace": {}}}, "palaces.my palace", "small letters"),
    # Wrong types.
    "text for a number": ({"setup": {"coins": "15"}}, "setup.coins", "whole number"),
    "fraction": ({"setup": {"coins": 1.5}}, "setup.coins", "whole number"),
    "truth for a number": ({"setup": {"vp": True}}, "setup.vp", "whole number"),
    "number for truth": ({"palaces": {"14": {"river_city": 1}}}, "palaces.14.river_city", "true or false"),
    "date": ({"setup": {"vp": datetime.date(2024, 9, 1)}}, "setup.vp", "whole number"),
    "number for a table": ({"factions": {"moles": 3}}, "factions.moles", "allowed: a table"),
    "list for a table of components": ({"palaces": [1, 2]}, "palaces", "allowed: a table"),
    "table for a list": ({"palaces": {"1": {"on": {"event": "guild_built"}}}}, "palaces.1.on", "allowed: a list"),
    "amounts for three numbers of players": (once(vp=[1, 2, 3]), "palaces.1.once.vp", "four numbers"),
    "amount as text": (once(vp="many"), "palaces.1.once.vp", "per_player"),
    "amount with a wrong word": (once(vp={"base": 1, "each": 1}), "palaces.1.once.vp.each", "per_player"),
    "bowls": ({"setup": {"bowls": [5, 7]}}, "setup.bowls", "a list of 3"),
    "name": ({"palaces": {"1": {"name": 5}}}, "palaces.1.name", "a text"),
    "options": ({"options": ["setup"]}, "options", "a table"),
    "remove": ({"remove": "factions.moles"}, "remove", "a list of dotted keys"),
    "question": ({"question": 3}, "question", "a text"),
    # Impossible values.
    "negative": ({"setup": {"vp": -1}}, "setup.vp", "from 0 to"),
    "negative amount": (once(coins=-2), "palaces.1.once.coins", "from 0 to"),
    "negative amount of a list": (once(vp=[1, 2, 3, -4]), "palaces.1.once.vp.3", "from 0 to"),
    "enormous": (once(vp=10**12), "palaces.1.once.vp", "from 0 to 9999"),
    "division by zero": ({"final": {"coins_per_vp": 0}}, "final.coins_per_vp", "from 1"),
    "science bonus for every zero levels": (
        {"round_tiles": {"guild-law": {"bonus": {"every": 0}}}},
        "round_tiles.guild-law.bonus.every",
        "from 1",
    ),
    "long flight": ({"palaces": {"9": {"flight": {"hexes": 3}}}}, "palaces.9.flight.hexes", "from 1 to 2"),
    "discipline": (once(steps_of={"medecine": 1}), "palaces.1.once.steps_of.medecine", "did you mean 'medicine'"),
    "discipline of a bonus": (
        {"round_tiles": {"guild-law": {"bonus": {"discipline": "lore"}}}},
        "round_tiles.guild-law.bonus.discipline",
        "law",
    ),
    "terrain": ({"boards": {"lake": {"terrain": "sea"}}}, "boards.lake.terrain", "allowed: desert"),
    "neutral building": (once(neutral="castle"), "palaces.1.once.neutral", "tower"),
    "piece of a neutral kind": (once(free_piece="tower"), "palaces.1.once.free_piece", "workshop"),
    "event": (on(event="workshop_build", vp=1), "palaces.1.on.0.event", "did you mean 'workshop_built'"),
    "place": (on(event="workshop_built", where="coast", vp=1), "palaces.1.on.0.where", "edge, river"),
    "count": (once(vp_per={"guilds": 2}), "palaces.1.once.vp_per.guilds", "did you mean 'guild'"),
    "count of tiers": (
        once(vp_tiers={"count": "buildings", "tiers": [[1, 2]]}),
        "palaces.1.once.vp_tiers.count",
        "'building'",
    ),
    "what an upgrade takes": ({"upgrades": {"guild": {"takes": "tile"}}}, "upgrades.guild.takes", "competency, palace"),
    "science level": ({"science": {"power": {"three": 1}}}, "science.power.three", "levels"),
    "science level above the top": ({"science": {"power": {"13": 1}}}, "science.power.13", "levels 1 to 12"),
    "key level above the top": ({"science": {"key_level": 14}}, "science.key_level", "13 for never"),
    "five disciplines": (
        {"disciplines": ["banking", "law", "engineering", "medicine", "banking"]},
        "disciplines",
        "banking, law, engineering, medicine",
    ),
    "six terrains": (
        {"terrains": ["desert", "plains", "swamp", "lake", "forest", "mountain"]},
        "terrains",
        "wasteland",
    ),
    "pieces of a tower": ({"buildings": {"tower": {"pieces": 2}}}, "buildings.tower.pieces", "allowed: 0"),
    # What does not belong together.
    "free workshop without spades": (once(free_workshop=True), "palaces.1.once.free_workshop", "spades"),
    "place of an event without one": (on(event="scholar_sent", where="edge", vp=1), "palaces.1.on.0.where", "building"),
    "its discipline without a competency": (
        on(event="guild_built", books_of_its_discipline=1),
        "palaces.1.on.0.books_of_its_discipline",
        "competency_taken",
    ),
    "event that gives nothing": (on(event="guild_built"), "palaces.1.on.0", "gives nothing"),
    "falling tiers": (
        once(vp_tiers={"count": "building", "tiers": [[9, 12], [7, 8]]}),
        "palaces.1.once.vp_tiers.tiers",
        "rising",
    ),
    "exchange for itself": (once(exchange={"from": "guild", "to": "guild"}), "palaces.1.once.exchange.to", "another"),
    "starting pieces without rounds": (
        {"factions": {"moles": {"start_pieces": ["workshop"]}}},
        "factions.moles.start_rounds",
        "give both",
    ),
    "two universities to start with": (
        {"factions": {"monks": {"start_pieces": ["university"] * 2, "start_rounds": [1, 2]}}},
        "factions.monks.start_pieces",
        "allowed: 1",
    ),
    "discount above the cost": (
        {"factions": {"illusionists": {"power_action_discount": 4}}},
        "factions.illusionists.power_action_discount",
        "0 to 3",
    ),
    "rewards for too few levels": ({"tracks": {"sailing": {"max": 4}}}, "tracks.sailing.max", "needed: 5"),
    "rewards of a board": ({"boards": {"lake": {"sailing_rewards": [{}]}}}, "boards.lake.sailing_rewards", "needed: 4"),
    "start beyond the track": ({"boards": {"lake": {"sailing": 4}}}, "boards.lake.sailing", "0 to 3"),
    "spade prices": (
        {"tracks": {"terraforming": {"spade_tools": [3, 2]}}},
        "tracks.terraforming.spade_tools",
        "as many",
    ),
    "workshop income": ({"buildings": {"workshop": {"pieces": 10}}}, "buildings.workshop.pieces", "needed: 11"),
    "guild income of a board": (
        {"boards": {"mountain": {"guild_income": [{"coins": 1}]}}},
        "boards.mountain.guild_income",
        "needed: 4",
    ),
    "prices of innovations": ({"innovation_display": {"limit": 4}}, "innovation_display.limit", "needed: 4"),
    "price below what the column asks": (
        {"boards": {"wasteland": {"innovation_books": [3, 5, 7]}}},
        "boards.wasteland.innovation_books",
        "at least 4",
    ),
    # Components that lack something.
    "board without terrain": ({"boards": {"delta": {"start": {"coins": 2}}}}, "boards.delta.terrain", "desert"),
    "round tile without bonus": (
        {"round_tiles": {"new": without(ROUND_TILE, "bonus")}},
        "round_tiles.new.bonus",
        "missing",
    ),
    "round tile without events": ({"round_tiles": {"new": without(ROUND_TILE, "on")}}, "round_tiles.new.on", "missing"),
    "bonus without discipline": (
        {"round_tiles": {"new": {**ROUND_TILE, "bonus": {"every": 2, "coins": 1}}}},
        "round_tiles.new.bonus.discipline",
        "missing",
    ),
    "city tile without gain": ({"city_tiles": {"new": {"name": "New"}}}, "city_tiles.new.once", "missing"),
    "power action without cost": (
        {"power_actions": {"new": {"effect": {"vp": 1}}}},
        "power_actions.new.cost",
        "missing",
    ),
    "event without a name": (on(vp=2), "palaces.1.on.0.event", "missing"),
    "map without rows": ({"maps": {"isle": without(MAP, "rows")}}, "maps.isle.rows", "missing"),
    "conversion without a key": ({"conversions": [{"power": 3, "to": "tool"}]}, "conversions.0", "key"),
    "conversion twice": ({"conversions": [{"key": "1tool>coin"}] * 2}, "conversions.1tool>coin", "twice"),
    "conversion with two prices": (
        {"conversions": [{"key": "1tool>coin", "power": 1}]},
        "conversions.1tool>coin",
        "exactly one",
    ),
    "conversion to power": (
        {"conversions": [{"key": "1tool>coin", "to": "power"}]},
        "conversions.1tool>coin.to",
        "scholar",
    ),
    "conversions in a circle": (
        {"conversions": [{"key": "1coin>tool", "coins": 1, "to": "tool"}]},
        "conversions",
        "for nothing",
    ),
    "conversions as a table": ({"conversions": {"1tool>coin": {"tools": 2}}}, "conversions", "a list"),
    # Removals and references.
    "nothing to remove": ({"remove": ["factions.mole"]}, "remove", "did you mean 'factions.moles'"),
    "removed field that is needed": ({"remove": ["setup.coins"]}, "setup.coins", "missing"),
    "removed table": ({"remove": ["science"]}, "science", "missing"),
    "removed building": ({"remove": ["buildings.tower"]}, "buildings.tower", "missing"),
    "removed palace that is always in play": ({"remove": ["palaces.17"]}, "palaces.17", "no palace '17'"),
    "palace that is not there": ({"setup": {"always_palaces": ["18"]}}, "setup.always_palaces", "no palace '18'"),
    "removed map": ({"remove": ["maps.3-5"]}, "maps", "4 players"),
    # Too few components.
    "round tiles": (removed("round_tiles", 5), "round_tiles", "at least 6"),
    "round tiles of one discipline": (
        {
            "remove": [
                f"round_tiles.{key}" for key in load_ruleset().data["round_tiles"] if "engine" in key or "medi" in key
            ]
        },
        "round_tiles",
        "max_per_discipline",
    ),
    "only spade tiles": (
        {"round_tiles": {key: {"spade_tile": True} for key in list(load_ruleset().data["round_tiles"])[1:]}},
        "round_tiles",
        "spade tile",
    ),
    "final tiles": (removed("final_tiles", 1), "final_tiles", "something else"),
    "factions": (removed("factions", 6), "factions", "at least 7"),
    "boards": (removed("boards", 6), "boards", "at least 7"),
    "bundles": ({"setup": {"bundles": 13}}, "setup.bundles", "at least 13"),
    "palaces": (removed("palaces", 17) | {"remove": [f"palaces.{n}" for n in range(1, 12)]}, "palaces", "at least 6"),
    "competencies": (removed("competencies", 11), "competencies", "at least 12"),
    "innovations": (removed("innovations", 11), "innovations", "at least 12"),
    "round bonus tiles": (removed("bonus_tiles", 9), "bonus_tiles", "at least 10"),
    "book actions": (removed("book_actions", 2), "book_actions", "at least 3"),
    "city tiles": (removed("city_tiles", 0), "city_tiles", "at least 1"),
    "no free round bonus tile": ({"setup": {"bonus_tiles_extra": 0}}, "setup.bonus_tiles_extra", "from 1"),
    # Maps.
    "ragged rows": (new_map(rows=["D P S", "D P"]), "maps.isle.rows.1", "2 hexes, but 3"),
    "letter": (new_map(rows=["D P S", "D X S"]), "maps.isle.rows.1", "unknown letter 'X'"),
    "no rows": (new_map(rows=[]), "maps.isle.rows", "0 rows"),
    "one player": (new_map(players=[1, 2]), "maps.isle.players.0", "from 2 to 5"),
    "nobody": (new_map(players=[]), "maps.isle.players", "2 to 5"),
    "bridge to a river": (new_map(bridges=[["A1", "B1"]]), "maps.isle.bridges.0", "B1 is a river"),
    "bridge off the map": (new_map(bridges=[["A1", "E9"]]), "maps.isle.bridges.0", "no hex 'E9'"),
    "bridge between neighbours": (new_map(bridges=[["A1", "A2"]]), "maps.isle.bridges.0", "face each other"),
    "bridge too long": (new_map(bridges=[["A1", "C3"]]), "maps.isle.bridges.0", "face each other"),
    "bridge with three ends": (new_map(bridges=[["A1", "C1", "C2"]]), "maps.isle.bridges.0", "a list of 2"),
    "bridge twice": (new_map(bridges=[["A1", "C1"], ["C1", "A1"]]), "maps.isle.bridges.1", "twice"),
    "edge on a river": (new_map(edge=["A1", "B2"]), "maps.isle.edge.1", "B2 is a river"),
    "edge off the map": (new_map(edge=["a1"]), "maps.isle.edge.0", "no hex 'a1'"),
    "edge twice": (new_map(edge=["A1", "A1"]), "maps.isle.edge.1", "twice"),
    "too few hexes of a terrain": (new_map(rows=["D P S L F M W"] * 2), "maps.isle.rows", "only 2 hexes of desert"),
    "bridge of a printed map": (
        {"maps": {"3-5": {"bridges": [["A3", "B1"], ["A3", "A4"]]}}},
        "maps.3-5.bridges.1",
        "face each other",
    ),
    # Options in overlays.
    "unknown option": ({"options": {"extra_palace": 2}}, "options.extra_palace", "did you mean 'extra_palaces'"),
    "value of an option": ({"options": {"setup": "drafted"}}, "options.setup", "did you mean 'draft'"),
    "redefined option": ({"options": {"setup": {"default": "draft"}}}, "options.setup", "standard, draft"),
}


def assert_one_line(error: RulesError, source: str, key: str, words: str) -> None:
    text = str(error)
    assert text.startswith(f"{source}: {key}: "), text
    assert words in text
    assert len(text.splitlines()) == 1
    assert "; " in text, f"says not what is allowed: {text}"
    assert len(text) < 600


def test_the_valid_neighbours_of_the_wrong_cases_load():
    load_ruleset(
        overlays=[new_map(bridges=[["A1", "C1"], ["A2", "C2"]], edge=["A1"]), {"round_tiles": {"n": ROUND_TILE}}]
    )
    load_ruleset(overlays=[{"remove": ["palaces.17"], "setup": {"always_palaces": [], "never_drafted_palaces": []}}])
    load_ruleset(overlays=[removed("round_tiles", 7), {"science": {"key_level": 13}}])
    load_ruleset(overlays=[{"terrains": ["wasteland", "plains", "swamp", "lake", "forest", "mountain", "desert"]}])
    load_ruleset(overlays=[{"conversions": [{"key": "2coins>tool", "coins": 2, "to": "tool"}]}])


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_overlay_is_refused(case):
    overlay, key, words = WRONG[case]
    with pytest.raises(RulesError) as caught:
        load_ruleset(overlays=[overlay])
    assert_one_line(caught.value, "overlay 1", key, words)


@pytest.mark.parametrize(
    ("options", "key", "words"),
    [
        ({"extra_palaces": 16}, "extra_palaces", "0 to 15"),
        ({"extra_palaces": -1}, "extra_palaces", "0 to 15"),
        ({"extra_palaces": "1"}, "extra_palaces", "0 to 15"),
        ({"extra_palaces": True}, "extra_palaces", "0 to 15"),
        ({"city_tile_copies": 0}, "city_tile_copies", "from 1"),
        ({"setup_spades_buy": 1}, "setup_spades_buy", "true, false"),
        ({"setup_spades_buy": "on"}, "setup_spades_buy", "true, false"),
        ({"book_supply": "endless"}, "book_supply", "unlimited, limited"),
        ({"book_supply": None}, "book_supply", "unlimited, limited"),
        ({"map_3_players": "3-6"}, "map_3_players", "did you mean '3-5'"),
        ({"offers_order": "seat"}, "offers_order", "did you mean 'offer_order'"),
    ],
)
def test_a_wrong_option_is_refused(options, key, words):
    with pytest.raises(RulesError) as caught:
        load_ruleset(options=options)
    assert_one_line(caught.value, "options", key, words)


def test_a_map_option_without_its_map_is_refused():
    overlay = {"remove": ["maps.1-3"], "maps": {"3-5": {"players": [2, 3, 4, 5]}}}
    load_ruleset(overlays=[overlay])
    with pytest.raises(RulesError, match="map_3_players is '1-3'"):
        load_ruleset(options={"map_3_players": "1-3"}, overlays=[overlay])


@pytest.mark.parametrize("edition", ["1.1", "", "../data", "1.2.toml", None])
def test_an_unknown_edition_is_refused(edition):
    with pytest.raises(RulesError, match=r"^edition: no edition .*allowed: 1\.0, 1\.2$"):
        load_ruleset(edition)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[palaces\n", "is no TOML: .*line 1"),
        (b"[setup]\nvp = 20\nvp = 21\n", "is no TOML: .*line 3"),
        (b'name = "\xff"\n', "UTF-8"),
        (b'["setup\\ncoins"]\nvp = 20\n', "unknown key"),
        (b"[setup]\nvp = -20\n", r"setup\.vp: impossible value -20"),
        (b"[setup]\nvp = nan\n", r"setup\.vp: wrong type"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, content, words):
    path = tmp_path / "tried.toml"
    path.write_bytes(content)
    with pytest.raises(RulesError, match=words) as caught:
        load_ruleset(overlays=[path])
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("overlay", ["nowhere/nothing.toml", ".", 7, None, "{not json", ["a.toml"]])
def test_an_overlay_that_cannot_be_read_is_refused(overlay):
    with pytest.raises(RulesError) as caught:
        load_ruleset(overlays=[overlay])
    assert len(str(caught.value).splitlines()) == 1
    assert "; " in str(caught.value)


@pytest.mark.parametrize("overlays", ["one.toml", {"setup": {"vp": 1}}])
def test_a_single_overlay_without_a_list_is_refused(overlays):
    with pytest.raises(RulesError, match="give a list"):
        load_ruleset(overlays=overlays)


def test_of_several_overlays_the_one_at_fault_is_named(tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("[setup]\nvp = 10\n", encoding="utf-8")
    bad.write_text("[palaces.1]\nonce = { coin = 1 }\n", encoding="utf-8")
    with pytest.raises(RulesError) as caught:
        load_ruleset(overlays=[good, bad, good])
    assert str(caught.value).startswith(f"{bad}: palaces.1.once.coin: ")


def test_a_fault_is_not_hidden_by_a_later_overlay():
    with pytest.raises(RulesError, match=r"^overlay 1: setup\.vp: "):
        load_ruleset(overlays=[{"setup": {"vp": -1}}, {"setup": {"vp": 1}}])


def test_what_two_overlays_break_together_is_laid_to_the_last_that_touched_it():
    first = {"innovation_display": {"limit": 4}}
    second = {"innovation_display": {"books": [5, 6, 7, 8, 9]}}
    with pytest.raises(RulesError, match=r"^overlay 2: innovation_display\.books: 5 prices"):
        load_ruleset(overlays=[first, second, {"setup": {"vp": 1}}])
    wasteland = {"boards": {"wasteland": {"innovation_books": [5, 5, 7, 8, 9]}}}
    load_ruleset(overlays=[{"innovation_display": {"limit": 5}}, second, wasteland])


@pytest.mark.parametrize(
    ("table", "misspelt", "meant"),
    [("factions", "mole", "moles"), ("factions", "golbins", "goblins"), ("boards", "dessert", "desert")],
)
def test_a_component_with_nearly_the_name_of_another_is_a_slip_not_a_new_one(table, misspelt, meant):
    """Merged as a new component it would play beside the one that was meant, and nobody would notice."""
    with pytest.raises(
        RulesError, match=rf"^overlay 1: {table}\.{misspelt}: not in the rules; did you mean '{meant}'\?"
    ):
        load_ruleset(overlays=[{table: {misspelt: {}}}])
