from pathlib import Path
from typing import Any

import pytest

import aoi_sim as aoi
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanError
from aoi_sim.sim.fixed import read_fixed
from aoi_sim.sim.plan import Plan, PlanConfig
from aoi_sim.sim.rerun import rerun_game

RULES = load_ruleset()
TOML = """
[[setup]]
factions = ["moles", "", "monks", "omar"]
boards = ["lake", "desert", "", "swamp"]

[[setup]]
map = "3-5"
round_tiles = ["workshop-law", "guild-law", "school-banking", "city-engineering", "science-medicine", "track-engineering"]
final_tile = "school"
book_actions = ["power", "coins", "guild"]
competencies = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
palaces = ["17", "1", "2", "3", "4", "5"]
bonus_tiles = ["river", "spade", "school", "guild", "bridge", "power", "coins"]
seat_bonus_tiles = ["coins", "", "", "power"]
"""
CSV = """factions,boards,round_tiles,final_tile,map
moles;;monks;omar,lake;desert;;swamp,,,
goblins;moles;omar;monks,,workshop-law;guild-law;school-banking;city-engineering;science-medicine;track-engineering,school,3-5
"""


def write(folder: Path, text: str, name: str = "set-ups.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def made(
    folder: Path, text: str, name: str = "set-ups.toml", n_games: int = 6, n_players: int = 4, **config: Any
) -> Plan:
    fixed = read_fixed(write(folder, text, name), [RULES], n_players, config.get("setup", "standard"))
    return Plan(PlanConfig(n_games, n_players, design="fixed", fixed=fixed, **config), RULES)


def test_a_run_plays_the_set_ups_of_its_file(tmp_path: Path) -> None:
    file = write(tmp_path, TOML)
    run = aoi.simulate(heuristics="random", fixed=file, n_jobs=1, out=tmp_path / "run")
    file.unlink()
    games, seats = run.games().collect(), run.seats().collect()
    assert run.n_games == 2
    assert set(games["design"]) == {"fixed"}
    first, second = games.row(0, named=True), games.row(1, named=True)
    assert second["round_tiles"] == [
        "workshop-law",
        "guild-law",
        "school-banking",
        "city-engineering",
        "science-medicine",
    ] + ["track-engineering"]
    assert second["final_tile"] == "school"
    assert second["book_actions"] == ["power", "coins", "guild"]
    assert second["competencies"] == [str(key) for key in range(12, 0, -1)]
    assert second["palaces"] == ["17", "1", "2", "3", "4", "5"]
    assert set(second["bonus_tiles"]) == {"river", "spade", "school", "guild", "bridge", "power", "coins"}
    assert first["round_tiles"] != second["round_tiles"]
    assert seats["faction"].to_list()[0] == "moles"
    assert seats["faction"].to_list()[2:4] == ["monks", "omar"]
    assert seats["board"].to_list()[:2] == ["lake", "desert"]
    assert seats["bonus"].to_list()[4] == "coins"
    assert seats["bonus"].to_list()[7] == "power"
    assert set(seats["bonus"].to_list()[4:]) <= set(second["bonus_tiles"])
    assert set(seats["assigned"]) == {"fixed"}
    for index in range(2):
        assert rerun_game(run, index).differences == []


def test_toml_and_csv_say_the_same(tmp_path: Path) -> None:
    toml = TOML.split("\n\n")[0] + (
        '\n\n[[setup]]\nfactions = ["goblins", "moles", "omar", "monks"]\nmap = "3-5"\nfinal_tile = "school"\nround_tiles = '
        '["workshop-law", "guild-law", "school-banking", "city-engineering", "science-medicine", "track-engineering"]\n'
    )
    texts = [made(tmp_path, text, name).config.fixed for text, name in ((toml, "a.toml"), (CSV, "a.csv"))]
    assert texts[0] == texts[1]


def test_blocks_take_row_after_row_and_draw_what_is_open_anew(tmp_path: Path) -> None:
    games = list(made(tmp_path, TOML, n_games=200).games())
    deals = [spec.deal for spec in games if spec.index % 2 == 0]
    assert all(deal and deal[0]["faction"] == "moles" and deal[3]["board"] == "swamp" for deal in deals)
    assert len({deal[1]["faction"] for deal in deals if deal}) == 9
    assert all(len({row[key] for row in deal}) == 4 for deal in deals if deal for key in ("faction", "board", "bonus"))
    assert len({spec.setup_seed for spec in games}) == 200
    assert {spec.map for spec in games} == {"auto", "3-5"}
    assert [made(tmp_path, TOML, n_games=200).game(index) for index in range(200)] == games


def test_a_draft_fixes_palaces_of_seats_and_two_players_the_area_tile(tmp_path: Path) -> None:
    text = '[[setup]]\nseat_palaces = ["3", ""]\narea_tile = 13\n'
    run = aoi.simulate(
        2, 2, "random", fixed=write(tmp_path, text), setup="draft", n_jobs=1, out=tmp_path / "run", events="summary"
    )
    assert run.games().collect()["area_tile"].to_list() == [13, 13]
    assert run.seats().collect()["palace"].to_list()[::2] == ["3", "3"]
    assert rerun_game(run, 1).differences == []


def test_the_hash_knows_the_content(tmp_path: Path) -> None:
    other = TOML.replace('"moles"', '"goblins"')
    assert made(tmp_path, TOML).hash == made(tmp_path, TOML + "\n# a comment\n").hash != made(tmp_path, other).hash


WRONG: list[tuple[str, str, list[str]]] = [
    ("a.toml", "", ["no set-ups", "[[setup]]"]),
    ("a.toml", "[[setup]\n", ["no TOML", "a.toml"]),
    ("a.toml", "[[game]]\n", ["unexpected game", "[[setup]]"]),
    ("a.toml", "setup = 3\n", ["unexpected setup"]),
    ("a.txt", "x", ["neither .toml nor .csv"]),
    ("a.toml", '[[setup]]\n[[setup]]\nfaction = ["moles"]\n', ["'faction'", "row 2", "did you mean factions?"]),
    ("a.toml", '[[setup]]\nfactions = ["molse", "", "", ""]\n', ["'molse'", "row 1", "did you mean moles?"]),
    ("a.toml", '[[setup]]\nfactions = ["moles", "moles", "", ""]\n', ["moles twice in factions", "row 1"]),
    ("a.toml", '[[setup]]\nfactions = ["moles"]\n', ["1 word in factions", "give 4"]),
    ("a.toml", '[[setup]]\nfactions = "moles"\n', ["factions is 'moles'", "list"]),
    ("a.toml", "[[setup]]\nmap = 3\n", ["map is 3", "word"]),
    ("a.toml", '[[setup]]\nmap = "1-3"\n', ["map 1-3 with 4 players", "row 1"]),
    ("a.toml", '[[setup]]\nfinal_tile = "school"\n', ["go together", "give both"]),
    ("a.toml", "[[setup]]\narea_tile = 13\n", ["area_tile with more than two players"]),
    ("a.toml", '[[setup]]\nseat_palaces = ["1", "2", "3", "4"]\n', ["seat_palaces without a draft"]),
    ("a.toml", '[[setup]]\npalaces = ["1", "2", "3", "4", "5", "6"]\n', ["palace 17 is always in play"]),
    ("a.toml", '[[setup]]\nbook_actions = ["power", "", "coins"]\n', ["no book_action ''"]),
    (
        "a.toml",
        '[[setup]]\nbonus_tiles = ["river", "spade", "school", "guild", "bridge", "power", "coins"]\n'
        'seat_bonus_tiles = ["science", "", "", ""]\n',
        ["science of seat_bonus_tiles", "row 1"],
    ),
    ("a.csv", "factions\nmoles;;;\nmoles;;\n", ["3 words in factions", "row 2"]),
    ("a.csv", "factions,map\nmoles;;;\n", ["fewer cells", "row 1"]),
    ("a.csv", "factions\nmoles;;;,x\n", ["more cells", "row 1"]),
    ("a.csv", 'factions\n"moles\n', ["no CSV", "row 1"]),
    ("a.csv", "area_tile\nmany\n", ["area_tile with more"]),
]


@pytest.mark.parametrize(("name", "text", "words"), WRONG, ids=[" ".join(words)[:40] for _, _, words in WRONG])
def test_bad_rows_are_refused_with_file_and_row(tmp_path: Path, name: str, text: str, words: list[str]) -> None:
    with pytest.raises(PlanError) as caught:
        made(tmp_path, text, name)
    message = str(caught.value)
    assert name in message
    assert "\n" not in message
    assert [word for word in words if word not in message] == []


def test_more_refusals(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"area_tile 5, .*, row 1, choose 12, 13, 14, 15"):
        made(tmp_path, "[[setup]]\narea_tile = 5\n", n_players=2)
    with pytest.raises(PlanError, match=r"palaces in a draft, .*, row 1, give seat_palaces"):
        made(tmp_path, '[[setup]]\npalaces = ["1", "2", "3", "4"]\n', setup="draft")
    with pytest.raises(PlanError, match="palace 17 is never drafted"):
        made(tmp_path, '[[setup]]\nseat_palaces = ["17", "2", "3", "4"]\n', setup="draft")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PlanError, match="not UTF-8"):
        read_fixed(tmp_path / "b.toml", [RULES], 4, "standard")
    with pytest.raises(PlanError, match="design fixed without set-ups, --fixed"):
        Plan(PlanConfig(4, design="fixed"), RULES)
    with pytest.raises(PlanError, match="set-ups with design random, --fixed"):
        Plan(PlanConfig(4, design="random", fixed="[{}]"), RULES)
