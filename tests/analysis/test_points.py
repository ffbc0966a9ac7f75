import pandas as pd
import polars as pl
import pytest

import aoi_sim as aoi
from aoi_sim import analysis
from aoi_sim.analysis.source import AnalysisError, Frames


def test_sums_by_source_are_those_of_pandas_and_add_up_to_the_score(small_run: aoi.Run) -> None:
    seats = small_run.to_pandas("seats")
    columns = [name for name in seats.columns if name.startswith("vp_from_")]
    for group, function in (("faction", analysis.vp_source_by_faction), ("board", analysis.vp_source_by_board)):
        table = function(small_run).to_pandas().pivot(index=group, columns="source", values="value")
        expected = seats.assign(**{group: seats[group].astype(str)}).groupby(group)[[*columns, "vp"]].mean()
        for column in columns:
            pd.testing.assert_series_equal(
                table[column.removeprefix("vp_from_")], expected[column], check_names=False, check_dtype=False
            )
        pd.testing.assert_series_equal(table.sum(axis=1), expected["vp"], check_names=False)


def test_events_by_round_add_up_to_the_sources_of_the_seats(small_run: aoi.Run) -> None:
    by_round = analysis.vp_source_by_faction_and_round(small_run)
    over_rounds = by_round.group_by("faction", "source", maintain_order=True).agg(pl.col("value").sum())
    whole = analysis.vp_source_by_faction(small_run).select("faction", "source", "value")
    both = whole.join(over_rounds, on=["faction", "source"], how="left", suffix="_rounds", maintain_order="left")
    assert both["value_rounds"].fill_null(0).to_numpy() == pytest.approx(both["value"].to_numpy())
    assert set(over_rounds["source"]) <= set(whole["source"])
    assert by_round.filter(pl.col("source") == "start")["round"].unique().to_list() == [0]
    assert by_round.filter(pl.col("source") == "area")["round"].unique().to_list() == [6]


def test_winners_have_more_of_something(small_run: aoi.Run) -> None:
    table = analysis.vp_source_by_rank(small_run).group_by("rank", maintain_order=True).agg(pl.col("value").sum())
    assert table["value"].is_sorted(descending=True)
    assert analysis.vp_source_by_heuristic(small_run)["heuristic"].unique().sort().to_list() == [
        "cities",
        "greedy",
        "random",
    ]


def test_races_split_ties() -> None:
    seats = pl.DataFrame(
        {
            "game_index": [0, 0, 0, 1, 1, 1],
            "seat": [0, 1, 2] * 2,
            "faction": list("abc") * 2,
            "vp": [30, 20, 10, 30, 20, 10],
        }
    ).with_columns(win_share=pl.lit(0.0), banking=pl.Series([5, 5, 2, 1, 2, 3]), area=pl.Series([9, 8, 7, 9, 8, 7]))
    seats = seats.with_columns(law=pl.lit(0), engineering=pl.lit(0), medicine=pl.lit(0))
    games = pl.DataFrame({"game_index": [0, 1], "block": [0, 1], "n_players": [3, 3]})
    data = Frames({"seats": seats, "games": games})
    table = analysis.race_by_faction(data)
    leads = table.filter(pl.col("quantity") == "lead_share")
    assert leads.filter(pl.col("race") == "banking")["value"].to_list() == [0.25, 0.25, 0.5]
    assert leads.filter(pl.col("race") == "area")["value"].to_list() == [1.0, 0.0, 0.0]
    assert leads.filter(pl.col("race") == "law")["value"].to_list() == pytest.approx([1 / 3] * 3)
    reached = table.filter((pl.col("quantity") == "reached") & (pl.col("race") == "banking"))
    assert reached["value"].to_list() == [3.0, 3.5, 2.5]
    lead = analysis.vp_margin_by_lead(data)
    assert lead.filter((pl.col("race") == "area") & pl.col("led"))["value"].to_list() == [10.0]


def test_frames_without_sources_are_one_line() -> None:
    seats = {"game_index": [0], "seat": [0], "faction": ["a"], "vp": [1], "win_share": [1.0]}
    data = Frames({"seats": pl.DataFrame(seats), "games": pl.DataFrame({"game_index": [0], "block": [0]})})
    with pytest.raises(AnalysisError, match=r"no columns vp_from_\*, table seats"):
        analysis.vp_source_by_faction(data)


def test_a_run_without_events_says_so(tmp_path: object) -> None:
    run = aoi.simulate(2, 2, "random", n_jobs=1, out=f"{tmp_path}/run", events="summary")
    with pytest.raises(aoi.RunFolderError, match="no table events"):
        analysis.vp_source_by_faction_and_round(run)
    assert len(analysis.vp_source_by_faction(run)) > 0
