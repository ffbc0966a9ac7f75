"""Real small studies: a planted gain is measured exactly where play does not react to it; nothing is found where nothing is."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.studies.agreement import agreement
from aoi_sim.studies.change_study import Setting
from aoi_sim.studies.editions import Editions
from aoi_sim.studies.study import Outcome, Study, conduct
from aoi_sim.studies.study_effects import SIGN, UNSURE, no_rows, widest
from aoi_sim.studies.study_folder import StudyError
from aoi_sim.studies.what_if import WhatIf
from tests.studies.whole_report import check_report

QUICK = Setting(players=(4,), heuristics=("random",), games=96)
FIVE_MORE = {"factions": {"moles": {"start": {"vp": 5}}}}
LECTURE = {"cost": 3, "effect": {"steps": 1}}
ANOTHER_WORD = {"factions": {"moles": {"name": "The Moles"}}}


def play(study: Study, folder: Path) -> Outcome:
    return conduct(study, folder, n_jobs=1, progress=False)


def column(effects: pl.DataFrame, quantity: str, name: str = "estimate") -> dict[str, Any]:
    return dict(effects.filter(quantity=quantity).select("component", name).iter_rows())


def test_five_vp_for_the_moles_are_found_where_random_players_do_not_look_at_vp(tmp_path: Path) -> None:
    done = play(WhatIf(FIVE_MORE, QUICK), tmp_path / "study")
    margins, errors = column(done.effects, "margin"), column(done.effects, "margin", "se")
    # The same games, and five VP more for the Moles: three quarters of it stay beside the mean of the table.
    assert margins["moles"] == pytest.approx(3.75)
    assert errors["moles"] == pytest.approx(0)
    assert column(done.effects, "margin", "verdict")["moles"] == "different"
    others = [value for name, value in margins.items() if name != "moles"]
    assert len(others) == 11
    assert all(-1.25 <= value <= 0 for value in others)
    assert column(done.effects, "vp_from")["start"] == pytest.approx(0)
    assert column(done.effects, "vp_from")["faction"] == pytest.approx(column(done.effects, "vp_from")["vp"])
    assert column(done.effects, "vp_from")["vp"] == pytest.approx(5 / 12, abs=0.01)
    assert column(done.effects, "margin_after")["moles"] - column(done.effects, "margin_before")[
        "moles"
    ] == pytest.approx(3.75)
    assert done.shortfall is None
    assert "moles gains 3.8 ± 0.0 VP" in (tmp_path / "study/report.md").read_text()


def test_nothing_is_found_where_only_a_word_changes(tmp_path: Path) -> None:
    done = play(WhatIf(ANOTHER_WORD, QUICK), tmp_path / "study")
    assert set(column(done.effects, "margin").values()) == {0.0}
    assert set(column(done.effects, "margin", "verdict").values()) == {"equivalent"}
    assert column(done.effects, "spread") == {"spread": 0.0}


def test_use_of_what_changes_is_counted_before_and_after(tmp_path: Path) -> None:
    overlay = {"city_tiles": {"tools": {"once": {"vp": 40}}}, "remove": ["power_actions.bridge"]}
    setting = Setting(players=(2,), heuristics=("greedy",), games=40)
    done = play(WhatIf(overlay, setting), tmp_path / "study")
    before, after = column(done.effects, "use_before"), column(done.effects, "use_after")
    assert set(before) == {"city_tiles.tools", "power_actions.bridge"}
    assert after["city_tiles.tools"] > before["city_tiles.tools"]
    assert before["power_actions.bridge"] > 0
    assert after["power_actions.bridge"] == 0
    assert column(done.effects, "use")["power_actions.bridge"] == pytest.approx(-before["power_actions.bridge"])


def test_a_new_faction_is_compared_over_two_runs(tmp_path: Path) -> None:
    overlay = {"factions": {"weavers": {"name": "Weavers", "start": {"vp": 30}}}}
    done = play(WhatIf(overlay, Setting(players=(4,), heuristics=("random",), games=104)), tmp_path / "study")
    assert list(done.runs) == ["players-4/random/before", "players-4/random/after"]
    assert column(done.effects, "margin_after")["weavers"] > 10
    assert "weavers" not in column(done.effects, "margin_before")
    assert "weavers" not in column(done.effects, "margin")
    assert len(column(done.effects, "margin")) == 12
    text = (tmp_path / "study/report.md").read_text()
    assert "two runs" in text
    check_report(tmp_path / "study")
    (margin,) = done.effects.filter(component="weavers", quantity="margin_after").rows(named=True)
    (share,) = done.effects.filter(component="weavers", quantity="win_share_after").rows(named=True)
    value, half = f"{margin['estimate']:+.1f}", f"{margin['high'] - margin['estimate']:.1f}"
    wins = f"{share['estimate']:.3f} ({share['low']:.3f} to {share['high']:.3f})"
    assert margin["verdict"] == "different"
    takeaways = text.partition("## Who played")[0]
    assert (
        f"- 4 players, random: weavers (new) has a margin of {value} ± {half} VP and wins {wins} of its games, "
        "where 0.250 is an equal share: different from the mean of the table.\n"
    ) in takeaways
    cells = next(line for line in text.splitlines() if line.startswith("| weavers |")).strip("| ").split(" | ")
    assert cells == ["weavers", "4", "random", "-", f"{value} ± {half}", "-", "-", "-", wins, "-", "new: different"]


def test_what_is_removed_and_a_new_board_are_answered_too(tmp_path: Path) -> None:
    moor = load_ruleset().to_dict()["boards"]["swamp"]
    overlay = {"remove": ["factions.omar"], "boards": {"moor": moor}, "power_actions": {"lecture": LECTURE}}
    done = play(WhatIf(overlay, Setting(players=(2,), heuristics=("greedy",), games=120)), tmp_path / "study")
    takeaways = (tmp_path / "study/report.md").read_text().partition("## Who played")[0]
    shares = {name: column(done.effects, f"win_share_{name}") for name in ("before", "after")}
    verdicts = {name: column(done.effects, f"margin_{name}", "verdict") for name in ("before", "after")}
    words = {"different": ": different from", "equivalent": ": equivalent to", "undecided": ": undecided"}
    for start, share, verdict in (
        ("omar (removed) had a margin of", f" and won {shares['before']['omar']:.3f} (", verdicts["before"]["omar"]),
        ("moor (new) has a margin of", f" and wins {shares['after']['moor']:.3f} (", verdicts["after"]["moor"]),
    ):
        (line,) = [line for line in takeaways.splitlines() if start in line]
        assert share in line
        assert words[verdict] in line
    uses = column(done.effects, "use_after")["power_actions.lecture"]
    assert f"power_actions.lecture (new): {uses:.3f} ±" in takeaways
    assert "swamp" not in column(done.effects, "margin_after")
    assert len(column(done.effects, "margin")) == 11


def test_a_new_faction_that_was_not_dealt_is_said_to_be_so() -> None:
    study = WhatIf({"factions": {"weavers": {"name": "Weavers"}}}, QUICK)
    assert study.alone_lines(no_rows(), 4) == ["weavers (new) was dealt in none of these games."]


def test_editions_for_several_numbers_of_players_and_several_players(tmp_path: Path) -> None:
    setting = Setting(players=(2, 3), heuristics=("random", "greedy"), games=24)
    done = play(Editions(setting), tmp_path / "study")
    assert list(done.runs) == ["players-2/random", "players-2/greedy", "players-3/random", "players-3/greedy"]
    assert all(run.n_games == 24 for run in done.runs.values())
    margins = done.effects.filter(quantity="margin")
    assert len(margins) == 4 * 12
    assert "one player" not in margins["by_player"].to_list()
    charts = sorted(path.name for path in (tmp_path / "study").glob("change-*.png"))
    assert len(charts) == 4, charts
    check_report(tmp_path / "study")
    assert "![Before and after: 3 players, greedy](change-3-greedy.png)" in (tmp_path / "study/report.md").read_text()
    spreads = done.effects.filter(component="spread", players=3, heuristic="greedy")
    assert spreads["quantity"].to_list() == ["spread_before", "spread_after", "spread"]
    text = (tmp_path / "study/report.md").read_text()
    assert "illusionists, moles, navigators" in text
    assert "\nfactions.navigators.on.0.coins none -> 1\n" in text.partition("## The change")[2]
    assert "| 1.0, 1.2 | pure |" in text or "| 1.0, 1.2 | compiled |" in text
    assert "- players: 2,3" in text
    signs = margins.filter(by_player=SIGN).height // 2
    undecided = margins.filter(by_player=UNSURE).height // 2
    (said,) = [line for line in text.splitlines() if "The sign of the change depends on who plays" in line]
    assert said.endswith(f"; {undecided} of 24 undecided.")
    assert ("shown for none" in said) == (signs == 0)
    assert undecided > 0


def test_focus_seats_what_changes_in_every_game(tmp_path: Path) -> None:
    setting = Setting(players=(4,), heuristics=("random",), games=20, design="focus")
    wanted = Editions(setting).next_run({})
    assert wanted is not None
    assert wanted.request.config.focus == ("illusionists", "moles", "navigators")
    with pytest.raises(PlanError, match="3 factions in every game of 2 players, --focus"):
        conduct(Editions(Setting(players=(2,), heuristics=("random",), games=20, design="focus")), tmp_path / "x")
    with pytest.raises(PlanError, match="no faction or board changes alone"):
        WhatIf({"city": {"power": 6}}, setting).next_run({})


def test_studies_that_differ_in_their_seed_alone_agree(tmp_path: Path) -> None:
    for seed in (1, 2):
        setting = Setting(players=(4,), heuristics=("random",), games=240, seed=seed)
        play(WhatIf(FIVE_MORE, setting), tmp_path / f"{seed}")
    table = agreement(tmp_path / "1", tmp_path / "2")
    assert table["run"].to_list() == ["players-4/random"]
    assert table["p"][0] > 0.01
    with pytest.raises(StudyError, match=r"the same seed, .*, give two studies with different ones"):
        agreement(tmp_path / "1", tmp_path / "1")
    play(WhatIf(ANOTHER_WORD, Setting(players=(4,), heuristics=("random",), games=24)), tmp_path / "3")
    with pytest.raises(StudyError, match=r"another rules, .*3, give two studies that differ in their seed alone"):
        agreement(tmp_path / "1", tmp_path / "3")
    with pytest.raises(StudyError, match="no study"):
        agreement(tmp_path / "1", tmp_path / "4")


def test_rules_that_do_not_change_are_refused() -> None:
    with pytest.raises(PlanError, match="nothing changes"):
        WhatIf({"city": {"power": load_ruleset().data["city"]["power"]}}, QUICK)
    with pytest.raises(PlanError, match="--heuristics, name each once"):
        WhatIf(FIVE_MORE, Setting(heuristics=("random", "random")))
    with pytest.raises(PlanError, match="name each number once"):
        WhatIf(FIVE_MORE, Setting(players=(4, 4)))


@pytest.mark.parametrize("overlay", [FIVE_MORE, {"factions": {"weavers": {"name": "Weavers", "start": {"vp": 30}}}}])
def test_the_line_of_a_run_is_as_wide_as_the_widest_row_of_the_table(overlay: dict[str, Any], tmp_path: Path) -> None:
    study = WhatIf(overlay, QUICK)
    done = play(study, tmp_path)
    stored = json.loads((tmp_path / "study.json").read_text())["precision"]
    for name in done.runs:
        quantity = "margin" if study.paired else f"margin_{name.rpartition('/')[2]}"
        table = done.effects.filter(quantity=quantity)
        assert table["se"].max() > 0
        assert stored[name] == widest(table)
