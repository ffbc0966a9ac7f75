"""Fair starts: the overlay, the check, the study and its command, bids for a table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from aoi_sim.analysis.bids import pairing_handicap
from aoi_sim.analysis.handicap import contests_of, fair_handicap, win_shares_of
from aoi_sim.analysis.source import Frames
from aoi_sim.cli.app import app
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanError
from aoi_sim.storage.reader import open_run
from aoi_sim.studies.bid_store import bids_for, read_bids
from aoi_sim.studies.fair import FairStudy, Fit, checked, seats_played_otherwise, without_handicap
from aoi_sim.studies.fair_report import BY_MARGIN, BY_WIN_SHARE, PLAYED, SLOPE
from aoi_sim.studies.fair_rules import fair_overlay, overlay_text, start_vp, whole, with_overlay
from aoi_sim.studies.study_folder import StudyError, read_effects
from tests.analysis.test_handicap import made

RULES = load_ruleset()


def test_the_overlay_gives_every_faction_and_board_its_vp(tmp_path: Path) -> None:
    factions, boards = {"moles": -7, "monks": 5, "omar": 1}, {"lake": -4, "swamp": 3}
    overlay = fair_overlay(RULES, 4, factions, boards)
    rules = with_overlay(RULES, overlay)
    apart = {
        start_vp(rules, 4, faction, board) - factions.get(faction, 0) - boards.get(board, 0)
        for faction in RULES.data["factions"]
        for board in RULES.data["boards"]
    }
    assert len(apart) == 1
    assert start_vp(rules, 4, "moles", "lake") == 10
    (tmp_path / "fair.toml").write_text(overlay_text(overlay, "in a file"))
    assert load_ruleset(overlays=[tmp_path / "fair.toml"]).hash == rules.hash


def test_equal_starts_stay_as_they_are() -> None:
    assert start_vp(with_overlay(RULES, fair_overlay(RULES, 4, {}, {})), 4, "moles", "lake") == 20


def synthetic(rows: pl.DataFrame, vp: Any) -> Frames:
    shares = win_shares_of(vp)
    seats = rows.with_columns(vp=pl.Series(vp.ravel()), win_share=pl.Series(shares.ravel()))
    games = rows.select("game_index", "block", "n_players").unique("game_index", maintain_order=True)
    return Frames({"seats": seats, "games": games})


@pytest.fixture(scope="module")
def fit() -> Fit:
    rows = made(20_000).with_columns(bonus=pl.lit("x"))
    found = fair_handicap(contests_of(rows, ["faction", "board"]))
    return Fit(found, whole(found.of("faction")), whole(found.of("board")), pairing_handicap(found), rows)


def fair_scores(rows: pl.DataFrame, fit: Fit) -> Any:
    """Final VP with the handicaps of a fit."""
    contests = contests_of(rows, ["faction", "board"])
    places = [fit.factions[name] for name in contests.levels["faction"]]
    places += [fit.boards[name] for name in contests.levels["board"]]
    return contests.added(np.array(places, dtype=float))


def test_fair_starts_pass_the_check_on_fresh_games_and_equal_starts_do_not(fit: Fit) -> None:
    rows = made(20_000, seed=9)
    contests = contests_of(rows, ["faction", "board"])
    good = checked("check-1", synthetic(rows, fair_scores(rows, fit)), fit)  # type: ignore[arg-type]
    assert good.is_fair
    assert good.factions["value"].is_between(0.22, 0.28).all()
    assert good.pairs["pooled"].abs().max() < 0.05
    bad = checked("check-1", synthetic(rows, contests.scores), fit)  # type: ignore[arg-type]
    assert not bad.is_fair
    assert bad.factions.filter(~pl.col("is_fair")).height >= 6


def test_few_games_show_nothing(fit: Fit) -> None:
    rows = made(300, seed=3)
    check = checked("check-1", synthetic(rows, contests_of(rows, ["faction"]).scores), fit)  # type: ignore[arg-type]
    assert not check.factions["is_fair"].any()
    assert not check.pairs["is_fair"].any()


def test_a_single_pairing_that_wins_too_often_is_not_passed(fit: Fit) -> None:
    rows = made(20_000, seed=4)
    contests = contests_of(rows, ["faction", "board"])
    is_odd = (contests.codes["faction"] == 3) & (contests.codes["board"] == 2)
    check = checked("check-1", synthetic(rows, fair_scores(rows, fit) + 10 * is_odd), fit)  # type: ignore[arg-type]
    assert check.pairs.filter(~pl.col("is_fair")).select("faction", "board").rows() == [("f03", "b2")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fair") / "study"
    command = ["study", "fair", "--games", "100", "--players", "2", "--heuristics", "random", "--checks", "1"]
    done = CliRunner().invoke(app, [*command, "--jobs", "1", "--out", str(path)])
    assert done.exit_code == 1, done.output
    assert "after 1 check of 100 games" in done.stderr
    assert done.stderr.count("\n") == 1
    return path


def test_the_command_leaves_handicaps_checks_and_bids(folder: Path) -> None:
    effects = read_effects(folder)
    assert set(effects["quantity"]) == {BY_WIN_SHARE, BY_MARGIN, PLAYED, SLOPE}
    factions = effects.filter(pl.col("component").is_in(list(RULES.data["factions"])))
    for quantity in (BY_WIN_SHARE, BY_MARGIN, PLAYED):
        assert factions.filter(quantity=quantity).height == 12
    assert abs(factions.filter(quantity=BY_WIN_SHARE)["estimate"].sum()) < 1e-9
    report = (folder / "report.md").read_text()
    for words in ("Fair starting VP", "Pairings", "bid-guide.md", "set-ups not used for them"):
        assert words in report
    for figure in ("reliability.png", "fair-start.png"):
        assert (folder / figure).read_bytes().startswith(b"\x89PNG")
    assert "| moles |" in (folder / "bid-guide.md").read_text()
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["blind", "check-1", "fit"]


def test_the_check_is_played_with_the_starting_vp_of_the_overlay_on_other_set_ups(folder: Path) -> None:
    fair, plain = open_run(folder / "runs/check-1"), open_run(folder / "runs/fit")
    rules = load_ruleset(overlays=[folder / "fair-start.toml"])
    assert fair.manifest["rules"]["hash"] == rules.hash
    seeds = [set(run.games().select("setup_seed").collect()["setup_seed"]) for run in (fair, plain)]
    assert not seeds[0] & seeds[1]
    level = without_handicap(fair)
    start = fair.seats().sort("game_index", "seat").collect()["vp"].to_numpy() - level["vp"].to_numpy()
    assert len(set(start.tolist())) > 3


def test_random_players_do_not_look_at_vp(folder: Path) -> None:
    otherwise, seats = seats_played_otherwise(open_run(folder / "runs/blind"))
    assert (otherwise, seats) == (0, 40)
    assert "Players do not look at VP" in (folder / "report.md").read_text()


def test_bids_rank_the_bundles_of_a_seed_a_file_and_a_position(folder: Path, tmp_path: Path) -> None:
    bids = read_bids(folder)
    bundles = [{"faction": f, "board": b, "bonus": None} for f, b in (("moles", "lake"), ("monks", "swamp"))]
    table = bids_for(bids, bundles)
    assert table["bid"].to_list()[-1] == 0
    assert table["chance"].sum() == pytest.approx(1)
    assert table["start"].is_sorted()
    (tmp_path / "table.toml").write_text('[[setup]]\nfactions = ["moles", "monks"]\nboards = ["lake", "swamp"]\n')
    (tmp_path / "position.toml").write_text(
        'round = 1\n[[seats]]\nfaction = "moles"\nboard = "lake"\n[[seats]]\nfaction = "monks"\nboard = "swamp"\n'
    )
    for setup, expected in (("7", 7), (str(tmp_path / "table.toml"), 2), (str(tmp_path / "position.toml"), 2)):
        done = CliRunner().invoke(app, ["bid", setup, "--study", str(folder)])
        assert done.exit_code == 0, done.output
        assert done.output.count(" on ") == expected


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("open.toml", '[[setup]]\nfactions = ["moles", ""]\n', "a seat without faction or board"),
        ("none.toml", None, "neither a seed nor a file"),
        ("empty.toml", "", "an empty file"),
        ("wrong.toml", "[[setup", "no TOML"),
    ],
)
def test_a_wrong_set_up_is_one_line(folder: Path, tmp_path: Path, name: str, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    done = CliRunner().invoke(app, ["bid", str(tmp_path / name), "--study", str(folder)])
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("setup", "says"),
    [("x", "neither a seed nor a file, x, give a seed"), ("9" * 23, "choose 0 to"), (".", "neither a seed nor a file")],
)
def test_what_is_neither_seed_nor_file_is_one_line(folder: Path, setup: str, says: str) -> None:
    done = CliRunner().invoke(app, ["bid", setup, "--study", str(folder)])
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_missing_and_damaged_bids_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no bids"):
        read_bids(tmp_path)
    (tmp_path / "bids.json").write_text(json.dumps({"format": "aoi-sim bids"}))
    with pytest.raises(StudyError, match="damaged bids"):
        read_bids(tmp_path)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(PlanError, match="choose 100 and more"):
        FairStudy(RULES, 50)


def test_checks_go_on_until_one_is_passed_five_at_the_most(monkeypatch: pytest.MonkeyPatch, fit: Fit) -> None:
    study = FairStudy(RULES, 1000, heuristic="random")
    monkeypatch.setattr(study, "fit", lambda runs, n: fit)
    monkeypatch.setattr(study, "played_rules", lambda fit: RULES)

    class Judged:
        def __init__(self, passed: bool) -> None:
            self.is_fair = passed

    done: dict[str, Any] = {"fit": None, "blind": None}
    names, seeds = [], set()
    monkeypatch.setattr(study, "check", lambda runs, number: Judged(False))
    while (wanted := study.next_run(done)) is not None:
        names.append(wanted.name)
        seeds.add(wanted.request.config.seed)
        done[wanted.name] = None
    assert names == [f"check-{n}" for n in range(1, 6)]
    assert len(seeds) == 5
    monkeypatch.setattr(study, "check", lambda runs, number: Judged(number == 2))
    assert study.next_run({"fit": None, "blind": None, "check-1": None, "check-2": None}) is None
