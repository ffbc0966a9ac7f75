"""Every question put to poor data: a right table without NaN, or one line that says what to do."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.source import AnalysisError, Frames, Source

VALUES: dict[str, Any] = {
    "column": "schools",
    "by_round": 2,
    "kind": "palace",
    "quantity": "margin",
    "faction": "moles",
}
"""What to give for parameters without a default; ``group`` is the faction, a second run the same again."""


def questions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function that takes the data first."""
    for name in analysis.__all__:
        function = getattr(analysis, name)
        if inspect.isfunction(function):
            first = next(iter(inspect.signature(function).parameters), "")
            if first in ("data", "first", "conditions"):
                yield name, function


def answers(data: Source) -> dict[str, Any]:
    """What each function says: a frame, or the line of an AnalysisError."""
    values = VALUES | {"group": ["faction"], "second": data}
    found: dict[str, Any] = {}
    for name, function in questions():
        needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
        try:
            found[name] = function(data, *(values[parameter] for parameter in needed[1:]))
        except (AnalysisError, aoi.RunFolderError) as error:
            found[name] = str(error)
    return found


def check(found: dict[str, Any]) -> int:
    """Frames have rows and no NaN, lines have three parts; how many frames there are."""
    frames = 0
    for name, answer in found.items():
        if isinstance(answer, pl.DataFrame):
            frames += 1
            # What is asked of one faction may leave nothing: it tells only of what was seen often enough.
            assert len(answer) > 0 or "faction" in inspect.signature(getattr(analysis, name)).parameters, name
            for column in answer.select(pl.selectors.float()).columns:
                assert answer[column].drop_nulls().is_finite().all(), (name, column)
        elif isinstance(answer, str):
            assert "\n" not in answer and answer.count(", ") >= 2, (name, answer)
    return frames


def test_there_are_many_questions() -> None:
    assert len(list(questions())) > 80


NO_ESTIMATES = ("built_hexes", "game_table", "milestone_rounds", "opening_rows", "seat_table", "standing_rows")
NO_ESTIMATES += ("tiles_drawn", "tiles_held", "robustness")
"""What gives rows of seats and games, or verdicts only."""


def test_every_estimate_has_n_error_interval_and_method(small_run: aoi.Run) -> None:
    found = {name: answer for name, answer in answers(small_run).items() if name not in NO_ESTIMATES}
    tables = {name: answer for name, answer in found.items() if isinstance(answer, pl.DataFrame)}
    assert len(tables) > 70
    for name, table in tables.items():
        columns = set(table.columns)
        assert {"blocks", "method"} <= columns, name
        assert columns & {"n", "n_first", "offered"}, name
        ends = [{"low", "high"}, {"observed_low", "observed_high"}, {"half_width", "games"}]
        assert any(pair <= columns for pair in ends), name
        assert columns & {"se", "observed_se"}, name


def test_every_estimator_names_its_paper() -> None:
    silent = set()
    for name, function in questions():
        text = f"{inspect.getdoc(function)} {inspect.getdoc(inspect.getmodule(function))}"
        if name not in NO_ESTIMATES and not re.search(r"\b(18|19|20)\d\d\b", text):
            silent.add(name)
    assert silent == set()


def test_a_run_answers_nearly_all(small_run: aoi.Run) -> None:
    found = answers(small_run)
    assert check(found) > 80
    silent = {name for name, answer in found.items() if isinstance(answer, str)}
    # One map; too few games for 84 pairings; players that sit in the same seats in every game.
    few = {f"{what}_by_pairing" for what in ("standing", "vp_interplay", "verdict", "spread", "vp_effect")}
    assert silent <= {"vp_shift_by_map", "joint_ratings"} | few


def test_one_game(small_run: aoi.Run) -> None:
    one = Frames({name: small_run.table(name).filter(pl.col("game_index") == 0) for name in small_run.tables})
    found = answers(one)
    assert check(found) > 50
    assert found["vp_margin_by_faction"]["se"].null_count() == 4
    assert found["verdict_by_faction"]["verdict"].unique().to_list() == ["undecided"]


def test_two_players_without_events(tmp_path: object) -> None:
    run = aoi.simulate(6, 2, "random", n_jobs=1, out=f"{tmp_path}/run", events="summary")
    assert check(answers(run)) > 60


def test_all_ties_and_a_missing_faction(small_run: aoi.Run) -> None:
    tables = {name: small_run.table(name) for name in small_run.tables}
    first = small_run.seats().select(pl.col("faction").cast(pl.String).first()).collect().item()
    gone = small_run.seats().filter(pl.col("faction").cast(pl.String) == first).select("game_index")
    for name, table in tables.items():
        tables[name] = table.join(gone, on="game_index", how="anti", maintain_order="left")
    tables["seats"] = tables["seats"].with_columns(vp=pl.lit(100), win_share=pl.lit(0.25), rank=pl.lit(1))
    found = answers(Frames(tables))
    assert check(found) > 70
    assert first not in found["vp_by_faction"]["faction"].to_list()
    # A faction is in fewer than ten of the blocks: that they are alike shows nothing yet.
    assert set(found["verdict_by_faction"]["verdict"]) == {"undecided"}
    assert found["spread_by_faction"]["value"].item() is None


def test_failed_games_are_left_out(small_run: aoi.Run) -> None:
    tables: dict[str, pl.LazyFrame] = {name: small_run.table(name) for name in small_run.tables}
    for name in ("seats", "rounds", "offers", "events"):
        tables[name] = tables[name].filter(pl.col("game_index") < 20)
    found = answers(Frames(tables))
    assert check(found) > 80
    assert found["vp_by_seat"]["n"].to_list() == [20] * 4
    assert found["lead_changes"]["n"].item() == 20
