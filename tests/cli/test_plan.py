import re
from pathlib import Path

import polars as pl
import pytest
from scipy import stats
from typer.testing import CliRunner, Result

import aoi_sim as aoi
from aoi_sim.cli.app import app


def call(line: str) -> Result:
    return CliRunner().invoke(app, line.split())


def printed(line: str) -> str:
    done = call(f"plan {line}")
    assert done.exit_code == 0, done.output
    return str(done.stdout)


def fields(text: str) -> dict[str, str]:
    head = text.split("\n\n")[0]
    return {line[:12].strip(): line[12:] for line in head.splitlines()}


def table(text: str, title: str) -> dict[str, list[str]]:
    lines = text[text.index(title) :].splitlines()[3:]
    rows: dict[str, list[str]] = {}
    for line in lines:
        if not line.strip():
            break
        cells = re.split(r"\s{2,}", line.strip())
        rows[cells[0]] = cells[1:]
    return rows


def test_a_plan_says_what_the_run_plays(tmp_path: Path) -> None:
    options = "--games 48 --players 3 --heuristics random --seed 5 --design rotation"
    said = fields(printed(options))
    done = call(f"run {options} --jobs 1 --out {tmp_path / 'run'}")
    assert done.exit_code == 0, done.output
    run = aoi.open_run(tmp_path / "run")
    assert said["plan hash"] == run.manifest["plan_hash"]
    assert said["games"] == "48 of 3 players"
    assert said["blocks"] == "16, each 3 seatings"
    assert said["chunks"] == f"{len(run.manifest['chunks'])} of {run.manifest['chunks'][0]['n_games']} games"
    assert said["players"] == "random"
    counted = run.seats().group_by("faction", "board", maintain_order=True).agg(n=pl.len()).collect()
    balance = table(printed(options), "Games of each faction")
    boards = list(aoi.load_ruleset().data["boards"])
    for faction, board, n in counted.iter_rows():
        assert balance[faction][boards.index(board)] == str(n)


def test_a_paired_plan_counts_its_levels() -> None:
    text = printed(
        "--games 48 --paired --heuristics random --heuristics explorer --rules 1.0 --rules 1.2 --replicates 2"
    )
    said = fields(text)
    assert said["blocks"] == "6, each 4 levels x 2 replicates"
    assert [said[f"level {k}"] for k in range(4)] == [
        "1.0 / random",
        "1.0 / explorer",
        "1.2 / random",
        "1.2 / explorer",
    ]
    assert "Balance, each level by itself:" in text
    assert "faction x seat: 0 to 1 times" in text
    assert "give a paired --pilot" in text


def test_players_that_pick_are_dealt_nothing() -> None:
    assert "Balance: nothing is dealt, players pick" in printed("--games 10 --design choice")


def test_a_wanted_standard_error_sizes_the_plan() -> None:
    text = printed("--se 1")
    rows = table(text, "Precision to expect")
    needed = [int(row[-1]) for name, row in rows.items() if name != "a faction on a board"]
    assert fields(text)["games"] == f"{max(needed)} of 4 players"
    assert max(float(row[2]) for name, row in rows.items() if name != "a faction on a board") <= 1.0
    assert "Spread of 4200 balanced games of 4 expert players" in text


def test_a_plan_of_few_set_ups_counts_on_students_t() -> None:
    rows = table(printed("--games 12"), "Precision to expect")
    share, error, half = (float(figure) for figure in rows["moles"][1:4])
    assert half == pytest.approx(error * stats.t.ppf(0.975, round(share * 12) - 1), rel=0.01)
    assert half > 2.5 * error


def test_focus_asks_for_a_third_of_the_games() -> None:
    balanced = table(printed("--se 1"), "Precision to expect")["moles"]
    focused = printed("--se 1 --focus moles,lake")
    needed = int(table(focused, "Precision to expect")["moles"][-1])
    assert int(balanced[-1]) / needed == pytest.approx(3, abs=0.1)
    assert fields(focused)["games"] == f"{needed} of 4 players"


def test_a_pilot_gives_the_spreads(tmp_path: Path) -> None:
    out = tmp_path / "pilot"
    assert call(f"run --games 240 --players 2 --heuristics random --jobs 1 --out {out}").exit_code == 0
    text = printed(f"--games 100 --players 2 --heuristics random --pilot {out} --se 2")
    assert f"Spread of pilot {out}, 240 games" in text
    assert fields(text)["games"] == "100 of 2 players"
    refused = call(f"plan --games 100 --players 3 --pilot {out}")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "pilot of 2 players for a plan of 3" in refused.stderr


def test_a_paired_pilot_gives_the_spread_of_differences(tmp_path: Path) -> None:
    levels = "--players 2 --paired --heuristics random --heuristics explorer"
    assert call(f"run --games 480 {levels} --jobs 2 --out {tmp_path / 'pilot'}").exit_code == 0
    text = printed(f"--games 96 {levels} --pilot {tmp_path / 'pilot'}")
    assert "spread of its difference of margins" in text
    assert "give a paired" not in text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", ["no number of games", "--games"]),
        ("--games 10 --se 0", ["--se", "0.01 to 100"]),
        ("--games 10 --se nan", ["--se"]),
        ("--games 10 --pilot nowhere", ["nowhere", "no such run"]),
        ("--games 10 --design latin", ["'latin'", "--design"]),
        ("--games 10 --out x", ["--out"]),
    ],
)
def test_wrong_input_is_one_line(line: str, words: list[str]) -> None:
    done = call(f"plan {line}")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert [word for word in words if word not in done.stderr] == []


def test_a_faction_without_a_known_spread_has_no_error(tmp_path: Path) -> None:
    (tmp_path / "otters.toml").write_text("[factions.otters]\nstart = { coins = 1 }\n")
    row = table(printed(f"--games 130 --se 1 --rules {tmp_path / 'otters.toml'}"), "Precision to expect")["otters"]
    assert row == ["-", "0.308", "-", "-", "-"]
