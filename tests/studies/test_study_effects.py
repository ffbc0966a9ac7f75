import re

import polars as pl
import pytest

from aoi_sim.analysis.uncertainty import with_intervals
from aoi_sim.studies.study_effects import widest


@pytest.mark.parametrize("blocks", [2, 5, 30, 4000])
def test_the_line_of_a_run_gives_the_half_width_that_its_table_shows(blocks: int) -> None:
    table = with_intervals(pl.DataFrame({"value": [1.0, 2.0], "se": [0.5, 0.9], "blocks": [4000, blocks]}))
    said = re.search(r"± ([\d.]+) VP", widest(table))
    assert said is not None
    assert float(said[1]) == pytest.approx((table["high"] - table["value"]).max(), abs=0.006)
