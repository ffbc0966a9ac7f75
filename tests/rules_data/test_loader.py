"""Loading rules: editions, overlays merged in order, options, and a ruleset that is frozen, hashed and picklable."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from aoi_sim.rules import RulesError, Ruleset, describe, kind_names, load_ruleset, option_names, parse_option

NEW_FACTION = {
    "name": "Herons",
    "start": {"steps_of": {"law": 1}, "coins": 4},
    "income": {"books": 1},
    "on": [{"event": "guild_built", "vp": [1, 2, 3, 4]}],
}
NEW_ROUND_TILE = {
    "on": [{"event": "tower_built", "vp": 4}],
    "bonus": {"discipline": "law", "every": 2, "coins": 2},
}
OPTIONS = {
    "map_3_players": "3-5",
    "book_supply": "unlimited",
    "extra_palaces": 1,
    "city_tile_copies": 3,
    "setup": "standard",
    "draft_order": "free",
    "setup_tower_offers": True,
    "setup_spades_buy": False,
    "offer_time": "end",
    "offer_order": "turn",
    "effect_order": "choice",
    "bought_must_reach_home": True,
    "psychics_convert_between": True,
    "neutral_must_place": False,
    "palace14_when": "own_turn",
    "neutral_special_reach": "both",
    "moles_vp_counts": "players",
    "neutral_palace_waives_surcharge": False,
    "palace15_distinct_books": False,
    "burn_in_final_scoring": True,
}


def keys_with_other_value(left: Any, right: Any, path: str = "") -> set[str]:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        found: set[str] = set()
        for key in left.keys() | right.keys():
            found |= keys_with_other_value(left.get(key), right.get(key), f"{path}.{key}" if path else key)
        return found
    return set() if left == right else {path}


def numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from numbers(item, (*path, i))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path


def with_number_changed(data: dict[str, Any], path: tuple[Any, ...]) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] += 1


def test_default_is_edition_1_2_and_the_editions_differ_in_three_places_only():
    assert load_ruleset() == load_ruleset("1.2")
    old, new = load_ruleset("1.0").data, load_ruleset("1.2").data
    assert keys_with_other_value(old, new) == {
        "factions.illusionists.on",
        "factions.moles.tunnel.vp",
        "factions.navigators.on",
    }
    assert [d["factions"]["illusionists"]["on"][0]["vp"] for d in (old, new)] == [(3, 3, 3, 4), (1, 1, 2, 2)]
    assert [d["factions"]["moles"]["tunnel"]["vp"] for d in (old, new)] == [4, {"base": 2, "per_player": 1}]
    assert [d["factions"]["navigators"]["on"][0].get("coins") for d in (old, new)] == [None, 1]
    assert [d["factions"]["navigators"]["on"][0]["vp"] for d in (old, new)] == [2, 2]


def test_options_have_the_defaults_of_the_specification():
    assert dict(load_ruleset().options) == OPTIONS
    assert option_names() == list(OPTIONS)


def test_an_argument_wins_over_an_overlay_s_option_and_a_later_overlay_over_an_earlier_one():
    overlays = [{"options": {"extra_palaces": 3, "offer_order": "seat"}}, {"options": {"extra_palaces": 4}}]
    rules = load_ruleset(options={"offer_order": "turn", "book_supply": "limited"}, overlays=overlays)
    changed = {"extra_palaces": 4, "book_supply": "limited"}
    assert dict(rules.options) == {**OPTIONS, **changed}


def test_an_overlay_changes_what_it_names_and_nothing_else():
    rules = load_ruleset(overlays=[{"palaces": {"10": {"once": {"power": 9}}}, "setup": {"coins": 12}}])
    assert keys_with_other_value(load_ruleset().data, rules.data) == {"palaces.10.once.power", "setup.coins"}
    assert rules.data["palaces"]["10"]["once"] == {"power": 9, "books": 2}
    assert list(rules.data["palaces"]) == list(load_ruleset().data["palaces"])


def test_lists_and_numbers_replace_and_later_overlays_win():
    first = {"factions": {"goblins": {"on": [{"event": "spade_used", "coins": 1}, {"event": "guild_built", "vp": 1}]}}}
    second = {"factions": {"goblins": {"on": [{"event": "spade_used", "tools": 1}]}}}
    rules = load_ruleset(overlays=[first, second])
    assert rules.data["factions"]["goblins"]["on"] == ({"event": "spade_used", "tools": 1},)


def test_remove_comes_before_the_tables_of_the_same_overlay():
    overlay = {
        "remove": ["factions.felines.start", "palaces.8.city_power", "round_tiles.guild-law"],
        "factions": {"felines": {"start": {"steps_of": {"law": 2}}}},
    }
    data = load_ruleset(overlays=[overlay]).data
    assert data["factions"]["felines"]["start"] == {"steps_of": {"law": 2}}
    assert "city_power" not in data["palaces"]["8"]
    assert "guild-law" not in data["round_tiles"]
    assert len(data["round_tiles"]) == 11


def test_a_thirteenth_faction_and_round_tile_come_last_and_are_complete():
    overlay = {"factions": {"herons": NEW_FACTION}, "round_tiles": {"tower-law": NEW_ROUND_TILE}}
    data = load_ruleset(overlays=[overlay]).data
    assert list(data["factions"])[12:] == ["herons"]
    assert list(data["round_tiles"])[12:] == ["tower-law"]
    assert data["factions"]["herons"]["on"] == ({"event": "guild_built", "vp": (1, 2, 3, 4)},)
    assert data["factions"]["herons"]["start_pieces"] == ("workshop", "workshop")
    assert data["factions"]["herons"]["start_rounds"] == (1, 2)
    assert data["round_tiles"]["tower-law"]["scores"] == "tower-law"


@pytest.mark.parametrize(
    ("table", "key", "row"),
    [
        ("factions", "herons", NEW_FACTION),
        ("boards", "delta", {"terrain": "lake", "start": {"power": 3}}),
        ("palaces", "18", {"income": {"coins": 3}, "sailing_bonus": 1}),
        ("innovations", "loom", {"once": {"vp_per": {"bridge": [1, 2, 3, 4]}}}),
        ("competencies", "13", {"action": {"exchange": {"from": "guild", "to": "workshop"}}}),
        ("round_tiles", "tower-law", NEW_ROUND_TILE),
        ("final_tiles", "tower", {"on": [{"event": "tower_built", "where": "river", "vp": 3}]}),
        ("bonus_tiles", "ferry", {"income": {"tools": 1}, "sailing_bonus": 2}),
        ("city_tiles", "spires", {"once": {"vp": 3, "neutral": "tower"}}),
        ("power_actions", "books", {"cost": 5, "effect": {"books": 2}}),
        ("book_actions", "annex", {"cost": 2, "effect": {"annexes": 1}}),
        (
            "maps",
            "one-row",
            {"players": [2], "rows": ["D D P P S S L L F F M M W W ."], "bridges": [], "edge": ["A1"]},
        ),
    ],
)
def test_every_kind_of_component_can_be_added(table, key, row):
    overlay: dict[str, Any] = {table: {key: row}}
    if table == "maps":
        overlay["maps"][key]["rows"] = [" ".join("DPSLFMW" * 3)]
    rules = load_ruleset(overlays=[overlay])
    assert list(rules.data[table])[-1] == key
    assert dict(describe(rules, table))[key] not in ("", "-", "nothing")


def test_conversions_merge_by_key_and_can_be_removed():
    overlay = {
        "remove": ["conversions.1tool>coin"],
        "conversions": [{"key": "3power>tool", "power": 4}, {"key": "3coins>tool", "coins": 3, "to": "tool"}],
    }
    rows = load_ruleset(overlays=[overlay]).data["conversions"]
    by_key = {row["key"]: row for row in rows}
    assert by_key["3power>tool"] == {"key": "3power>tool", "power": 4, "to": "tool"}
    assert rows[-1]["key"] == "3coins>tool"
    assert "1tool>coin" not in by_key
    assert len(rows) == 13


def test_an_overlay_may_be_a_file_a_table_or_a_carried_text(tmp_path):
    path = tmp_path / "cheap.toml"
    path.write_text('name = "Cheap"\nquestion = "Is it?"\n[palaces.17]\nonce = { vp = 8 }\n', encoding="utf-8")
    from_file = load_ruleset(overlays=[path])
    assert from_file.data["palaces"]["17"]["once"]["vp"] == 8
    assert from_file == load_ruleset(overlays=[str(path)])
    assert from_file == load_ruleset(overlays=[{"palaces": {"17": {"once": {"vp": 8}}}}])
    assert from_file == load_ruleset(overlays=from_file.overlays)
    assert json.loads(from_file.overlays[0])["question"] == "Is it?"
    assert str(tmp_path) not in from_file.overlays[0]


def test_loading_leaves_the_overlay_and_later_loads_alone():
    overlay = {"factions": {"herons": {"start": {"coins": 1}}}, "conversions": [{"key": "3power>tool", "power": 2}]}
    before = json.dumps(overlay)
    changed = load_ruleset(overlays=[overlay])
    assert json.dumps(overlay) == before
    assert "herons" not in load_ruleset().data["factions"]
    overlay["factions"]["herons"]["start"]["coins"] = 9
    assert changed.data["factions"]["herons"]["start"]["coins"] == 1


def test_data_and_attributes_are_frozen():
    rules = load_ruleset()
    for name in ("edition", "options", "data", "hash", "overlays", "anything"):
        with pytest.raises(AttributeError):
            setattr(rules, name, "x")
    with pytest.raises(TypeError):
        rules.data["setup"]["vp"] = 40
    with pytest.raises(TypeError):
        rules.options["setup"] = "draft"
    with pytest.raises(TypeError):
        rules.data["terrains"][0] = "lake"
    copied = rules.to_dict()
    copied["setup"]["vp"] = 40
    assert rules.data["setup"]["vp"] == 20


def test_it_pickles_whole():
    rules = load_ruleset("1.0", {"setup": "draft"}, [{"setup": {"coins": 10}}])
    back = pickle.loads(pickle.dumps(rules))
    assert (back.edition, back.options, back.data, back.overlays) == (
        rules.edition,
        rules.options,
        rules.data,
        rules.overlays,
    )
    assert back == rules
    assert back.hash == rules.hash
    assert len({back, rules}) == 1


def test_the_hash_is_the_same_in_a_fresh_process():
    code = "from aoi_sim.rules import load_ruleset as l; print(l('1.0').hash, l(options={'setup': 'draft'}).hash)"
    expected = f"{load_ruleset('1.0').hash} {load_ruleset(options={'setup': 'draft'}).hash}"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == expected


def test_the_hash_is_16_hex_digits_and_knows_no_edition_name():
    rules = load_ruleset("1.2")
    assert len(rules.hash) == 16
    int(rules.hash, 16)
    edition = load_ruleset("1.0").to_dict()
    overlay = {
        "factions": {name: rules.to_dict()["factions"][name] for name in ("illusionists", "moles", "navigators")}
    }
    assert edition["factions"]["moles"] != overlay["factions"]["moles"]
    same = load_ruleset("1.0", overlays=[overlay])
    assert same == rules
    assert same.edition == "1.0"


def test_the_hash_differs_when_any_number_of_the_rules_changes():
    rules = load_ruleset()
    plain = rules.to_dict()
    definitions = plain.pop("options")
    paths = list(numbers(plain))
    assert len(paths) > 400
    seen = {rules.hash}
    for path in paths:
        changed = rules.to_dict()
        with_number_changed(changed, path)
        seen.add(Ruleset("1.2", rules.options, changed, ()).hash)
    assert len(seen) == len(paths) + 1
    assert definitions.keys() == OPTIONS.keys()


def test_the_hash_differs_with_each_option_and_with_the_order_of_components_but_not_of_fields():
    hashes = {load_ruleset().hash}
    for name, value in OPTIONS.items():
        other = {"map_3_players": "1-3", "book_supply": "limited", "setup": "draft", "effect_order": "fixed"}.get(name)
        other = other or {"draft_order": "board_faction_palace", "offer_time": "each_build"}.get(name)
        other = other or {"offer_order": "seat", "palace14_when": "check", "neutral_special_reach": "none"}.get(name)
        other = other or {"moles_vp_counts": "others"}.get(name)
        if other is None:
            other = (not value) if isinstance(value, bool) else value + 1
        hashes.add(load_ruleset(options={name: other}).hash)
    assert len(hashes) == len(OPTIONS) + 1
    moved = {"remove": ["palaces.1"], "palaces": {"1": {"income": {"power": 5}, "action": {"tools": 2}}}}
    assert load_ruleset(overlays=[moved]) != load_ruleset()
    fields = {"remove": ["palaces.17"], "palaces": {"17": {"once": {"vp": 10}, "income": {"power": 2}}}}
    assert load_ruleset(overlays=[fields]) == load_ruleset()


def test_options_are_read_from_text():
    definitions = load_ruleset().data["options"]
    assert parse_option(definitions, "extra_palaces=4") == ("extra_palaces", 4)
    assert parse_option(definitions, "setup = draft") == ("setup", "draft")
    assert parse_option(definitions, "setup_spades_buy=on") == ("setup_spades_buy", True)
    for wrong in ("extra_palace=4", "extra_palaces=many", "extra_palaces", "setup_spades_buy=perhaps", "setup=Draft"):
        with pytest.raises(RulesError, match=wrong.partition("=")[0].strip()):
            parse_option(definitions, wrong)


def test_every_table_describes_itself_by_its_data():
    rules = load_ruleset(overlays=[{"palaces": {"2": {"income": {"power": 2}}}}])
    assert dict(describe(rules, "palaces"))["2"] == (
        "income 2 power; special action: transform and build with 2 free spades"
    )
    assert dict(describe(rules, "factions"))["illusionists"] == (
        "start: 2 medicine; each power action taken: 1/1/2/2 VP; power actions cost 1 less"
    )
    assert dict(describe(rules, "round-tiles"))["guild-medicine"] == "each guild built: 3 VP; every 4 medicine: 1 spade"
    assert dict(describe(rules, "book_actions"))["power"] == "1 book: 5 power"
    for kind in kind_names():
        rows = describe(rules, kind)
        assert len(rows) == len(rules.data[kind])
        for key, text in rows:
            assert text.strip(), (kind, key)
            assert "\n" not in text
            assert text not in ("-", "nothing"), (kind, key)
    with pytest.raises(RulesError, match="did you mean 'palaces'"):
        describe(rules, "palace")
