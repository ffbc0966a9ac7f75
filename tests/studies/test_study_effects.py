import re
from typing import Any

import polars as pl
import pytest

from aoi_sim.analysis.uncertainty import with_intervals
from aoi_sim.studies.study_effects import SIGN, effect_rows, shown_for, widest, with_players


@pytest.mark.parametrize("blocks", [2, 5, 30, 4000])
def test_the_line_of_a_run_gives_the_half_width_that_its_table_shows(blocks: int) -> None:
    table = with_intervals(pl.DataFrame({"value": [1.0, 2.0], "se": [0.5, 0.9], "blocks": [4000, blocks]}))
    said = re.search(r"± ([\d.]+) VP", widest(table))
    assert said is not None
    assert float(said[1]) == pytest.approx((table["high"] - table["value"]).max(), abs=0.006)


def made(heuristic: str, players: int, effects: dict[str, float]) -> pl.DataFrame:
    table = pl.DataFrame([{"faction": name, "value": value, "se": 1.0} for name, value in effects.items()])
    table = table.with_columns(low=pl.col("value") - 2, high=pl.col("value") + 2, n=pl.lit(400), blocks=pl.lit(400))
    words: dict[str, Any] = {"quantity": "margin", "players": players, "heuristic": heuristic, "games": 400}
    return effect_rows(table, "faction", **words)


def test_what_is_shown_for_none_is_told_from_what_is_not_known() -> None:
    one = made("expert", 4, {"moles": 9.0, "omar": 1.5, "monks": 9.0, "felines": 1.5})
    other = made("greedy", 4, {"moles": -9.0, "omar": 1.5, "monks": 9.0, "felines": -1.5})
    both = with_players(pl.concat([one, other]))
    assert shown_for(both, SIGN) == "shown for moles; 2 of 4 undecided"
    again = with_players(pl.concat([one, other, made("expert", 2, {"moles": 9.0}), made("greedy", 2, {"moles": -9.0})]))
    assert shown_for(again, SIGN) == "shown for moles at 4, moles at 2; 2 of 5 undecided"
    quiet = both.filter(pl.col("component").is_in(["omar", "felines"]))
    assert shown_for(quiet, SIGN) == "shown for none; 2 of 2 undecided"
