"""The ready rules files: each asks a question, changes something, and plays; a wrong one is refused in a line that says where."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from aoi_sim.players import find_heuristic
from aoi_sim.studies.change_study import Setting
from aoi_sim.studies.comparison import changed_components
from aoi_sim.studies.what_if import WhatIf
from tests.rules_coverage import ROOT

FOLDER = ROOT / "examples/overlays"
OVERLAYS = sorted(FOLDER.glob("*.toml"))
overlays = pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: path.stem)


def test_there_are_ten_and_more_from_one_number_to_new_components() -> None:
    assert len(OVERLAYS) >= 10
    base = aoi.load_ruleset()
    added = {
        f"{table}.{key}"
        for path in OVERLAYS
        for table, rows in aoi.load_ruleset(overlays=[path]).data.items()
        if hasattr(rows, "keys") and table in base.data
        for key in rows
        if key not in base.data[table]
    }
    assert {"factions.weavers", "round_tiles.scholar-law", "power_actions.lecture", "city_tiles.academy"} <= added


@overlays
def test_each_asks_a_question_in_words_and_changes_something(path: Path) -> None:
    rules = aoi.load_ruleset(overlays=[path])
    (content,) = map(json.loads, rules.overlays)
    assert content["name"]
    assert content["question"].endswith("?")
    assert changed_components(aoi.load_ruleset(), rules)


@overlays
def test_each_plays_a_few_games(path: Path) -> None:
    rules = aoi.load_ruleset(overlays=[path])
    for n_players in (2, 4):
        game = aoi.play_game(rules, ["greedy", *["random"] * (n_players - 1)], seed=n_players)
        assert len(game.seats) == n_players
    new = [key for key in rules.data["factions"] if key not in aoi.load_ruleset().data["factions"]]
    for key in new:
        game = aoi.play_game(rules, ["greedy", "random"], seed=3, deal=[{"faction": key}, {}])
        assert game.seats["faction"].to_list()[0] == key


@overlays
def test_each_can_be_studied(path: Path) -> None:
    study = WhatIf(path, Setting(players=(2, 4), heuristics=("random",), games=10))
    wanted = study.next_run({})
    assert wanted is not None
    assert study.paired == (path.stem != "weavers")
    assert wanted.request.config.names == ("random",)
    assert find_heuristic("random") in wanted.request.heuristics


@overlays
def test_a_wrong_overlay_is_refused_with_one_line_that_says_where(path: Path, tmp_path: Path) -> None:
    wrong = tmp_path / path.name
    wrong.write_text("tipo = 1\n" + path.read_text())
    done = CliRunner().invoke(app, ["study", "what-if", str(wrong), "--games", "10", "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"error: {wrong}: tipo: unknown key")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "x").exists()


WRONG = {
    '[factions.goblins]\non = [{ event = "spade_used", coins = "two" }]': "factions.goblins.on.0.coins",
    '[factions.goblins]\non = [{ event = "spades", coins = 2 }]': "factions.goblins.on.0.event",
    '[factions.goblin]\non = [{ event = "spade_used", coins = 2 }]': "factions.goblin: not in the rules",
    'remove = ["factions.mole"]': "factions.mole",
    "[city]\npower = 0": "city.power",
    '[options]\nbook_supply = "some"': "options.book_supply",
    "[city\npower = 6": "line 1",
}


@pytest.mark.parametrize("text", WRONG)
def test_the_line_names_the_place_inside_the_file(text: str, tmp_path: Path) -> None:
    wrong = tmp_path / "mine.toml"
    wrong.write_text(text)
    done = CliRunner().invoke(app, ["study", "what-if", str(wrong), "--games", "10", "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert str(wrong) in done.stderr
    assert WRONG[text] in done.stderr
