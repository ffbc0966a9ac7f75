"""A study's folder: runs one after the other, effects and report, stops kept, the same command goes on, another is refused."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from aoi_sim.analysis.balance import mean_by
from aoi_sim.report.figures_style import new_axes
from aoi_sim.rules import load_ruleset
from aoi_sim.sim import runner
from aoi_sim.sim.request import make_request
from aoi_sim.sim.runner import Interrupted
from aoi_sim.storage.reader import Run
from aoi_sim.studies.study import Outcome, Runs, Study, StudyRun, conduct
from aoi_sim.studies.study_effects import (
    AGREE,
    SCHEMA,
    SIGN,
    SIZE,
    effect_rows,
    heterogeneity,
    no_rows,
    widest,
    with_players,
)
from aoi_sim.studies.study_folder import StudyError, read_effects
from aoi_sim.studies.study_report import Page, Section, figures_table

RULES = load_ruleset()
FIGURES = {"component": "faction", "estimate": "VP", "verdict": "verdict"}


class Small(Study):
    """Two runs of random players, the second one wanted only when the first is there."""

    kind = "small"
    title = "A small study"

    def __init__(self, seed: int = 1, games: int = 20) -> None:
        self.seed = seed
        self.games = games

    def settings(self) -> dict[str, Any]:
        return {"seed": self.seed, "games": self.games}

    def next_run(self, done: Runs) -> StudyRun | None:
        if len(done) == 2:
            return None
        seed = self.seed + len(done)
        request = make_request(rules=RULES, n_games=self.games, n_players=2, seed=seed, heuristics="random")
        return StudyRun(f"part-{len(done) + 1}", request)

    def effects(self, runs: Runs) -> pl.DataFrame:
        tables = [
            effect_rows(
                mean_by(run, "margin", ["faction"]), "faction", quantity=name, players=2, heuristic="random", games=20
            )
            for name, run in runs.items()
        ]
        return pl.concat(tables) if tables else no_rows()

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        return [Section("Factions", ["In words."], figures_table(effects, FIGURES))]

    def precision(self, run: Run) -> str:
        return widest(mean_by(run, "margin", ["seat"]))


def small(folder: Path, **settings: int) -> Outcome:
    return conduct(Small(**settings), folder, n_jobs=1, progress=False)


def test_a_study_leaves_runs_effects_and_a_report(tmp_path: Path) -> None:
    lines: list[str] = []
    done = conduct(Small(), tmp_path / "new/place", n_jobs=1, progress=False, say=lines.append)
    folder = tmp_path / "new/place"
    assert [line.split(":")[0] for line in lines] == ["part-1", "part-2"]
    assert all("20 games, standard error up to" in line for line in lines)
    assert dict(done.effects.schema) == {name: kind() for name, kind in SCHEMA.items()}
    assert set(done.effects["quantity"]) == {"part-1", "part-2"}
    assert_frame_equal(read_effects(folder), done.effects)
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["part-1", "part-2"]
    text = (folder / "report.md").read_text()
    page = (folder / "report.html").read_text()
    for words in ("A small study", "In words.", "moles", "What was played"):
        assert words in text
        assert words in page
    stored = json.loads((folder / "study.json").read_text())
    assert stored["finished"] is True
    assert set(stored["precision"]) == {"part-1", "part-2"}


def test_a_stop_keeps_what_was_played_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = runner.play_chunks

    def stopping(job: Any, missing: Any, n_jobs: int) -> Any:
        for result in play(job, missing, n_jobs):
            yield result
            if "part-2" in job.folder:
                raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_chunks", stopping)
    with pytest.raises(Interrupted, match=r"interrupted after 30 games, .* go on with the same command"):
        small(tmp_path / "study")
    assert json.loads((tmp_path / "study/study.json").read_text())["finished"] is False
    assert "This study was stopped" in (tmp_path / "study/report.md").read_text()
    assert read_effects(tmp_path / "study").filter(quantity="part-2")["n"].sum() == 20
    monkeypatch.undo()
    done = small(tmp_path / "study")
    assert_frame_equal(done.effects, small(tmp_path / "again").effects)
    assert "stopped" not in (tmp_path / "study/report.md").read_text()


def test_another_study_in_the_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    small(tmp_path / "study")
    with pytest.raises(StudyError, match=r"another study lies there \(its seed is 1, not 2\), .*study"):
        small(tmp_path / "study", seed=2)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/letter").write_text("mine")
    with pytest.raises(StudyError, match=r"folder is not empty, .*full \(--out\)"):
        small(tmp_path / "full")
    (tmp_path / "study/study.json").write_text('{"format": "aoi-sim study"')
    with pytest.raises(StudyError, match=r"damaged or no study, .*study\.json"):
        small(tmp_path / "study")
    with pytest.raises(StudyError, match=r"not a folder, .*letter"):
        small(tmp_path / "full/letter")


def test_reading_effects_that_are_missing_or_damaged_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"no effects, .*effects\.parquet"):
        read_effects(tmp_path)
    (tmp_path / "effects.parquet").write_bytes(b"PAR1")
    with pytest.raises(StudyError, match=r"damaged effects, .*run the study's command again"):
        read_effects(tmp_path)


def rows(heuristic: str, **effects: tuple[float, float]) -> pl.DataFrame:
    table = pl.DataFrame(
        {
            "faction": list(effects),
            "value": [value for value, _ in effects.values()],
            "se": [se for _, se in effects.values()],
            "low": [value - 2 * se for value, se in effects.values()],
            "high": [value + 2 * se for value, se in effects.values()],
            "n": [400] * len(effects),
            "blocks": [400] * len(effects),
        }
    )
    return effect_rows(table, "faction", quantity="margin", players=4, heuristic=heuristic, games=1200)


def test_effects_whose_sign_or_size_depends_on_who_plays_are_flagged() -> None:
    one = rows("expert", moles=(5.0, 0.5), omar=(5.0, 0.5), monks=(4.0, 0.5))
    other = rows("greedy", moles=(-4.0, 0.5), omar=(9.0, 0.5), monks=(4.3, 0.5))
    both = with_players(pl.concat([one, other]))
    found = dict(both.select("component", "by_player").iter_rows())
    assert found == {"moles": SIGN, "omar": SIZE, "monks": AGREE}
    assert set(with_players(one)["by_player"]) == {"one player"}


def test_cochrans_q_of_two_estimates_is_their_squared_distance_in_errors() -> None:
    statistic, freedom = heterogeneity({"a": (1.0, 3.0), "b": (11.0, 4.0)})
    assert statistic == pytest.approx((10 / 5) ** 2)
    assert freedom == 1
    assert heterogeneity({"a": (1.0, 0.0), "b": (1.0, 1.0)}) == (0.0, 0)


def test_a_stop_after_one_game_counts_one_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    conduct(Small(games=1), tmp_path / "study", n_jobs=1, progress=False, say=lines.append)
    assert [line.split(",")[0] for line in lines] == ["part-1: 1 game", "part-2: 1 game"]


def test_a_report_escapes_what_its_format_would_read_and_sorts_numbers_as_numbers() -> None:
    table = pl.DataFrame({"a|b": ["c|d", "e"], "VP": ["-10.0 ± 1.0", "+9.0 ± 1.0"]})
    ax = new_axes(2, 2)
    files = Page(
        "A & B", [Section("<1>", ["x < y"], table, {"f of [a].png": ax})], ["Somebody."], {"seed": "1"}
    ).files()
    page, text = files["report.html"].decode(), files["report.md"].decode()
    assert "<h2>&lt;1&gt;</h2>" in page
    assert "<li>x &lt; y</li>" in page
    assert 'data-value="-10"' in page
    assert 'data-value="9"' in page
    assert "| c\\|d | \u221210.0 ± 1.0 |" in text
    assert "Somebody." in text
    assert "![<1>](f%20of%20%5Ba%5D.png)" in text
    assert text.count("<1>") == 3  # subtitle, heading, figure
    assert files["f of [a].png"].startswith(b"\x89PNG")
