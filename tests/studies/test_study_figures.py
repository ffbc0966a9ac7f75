"""Figures made from tables of effects."""

from typing import Any

import polars as pl

from aoi_sim.studies.study_effects import effect_rows
from aoi_sim.studies.study_figures import change_of_margins, intervals


def rows(quantity: str, values: dict[str, float]) -> pl.DataFrame:
    table = pl.DataFrame(
        [
            {"component": name, "value": value, "se": 0.5, "low": value - 1, "high": value + 1, "n": 40, "blocks": 40}
            for name, value in values.items()
        ]
    )
    words: dict[str, Any] = {"players": 4, "heuristic": "expert", "games": 40}
    return effect_rows(table, "component", quantity=quantity, **words)


def labels(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_a_slope_chart_joins_each_faction_before_and_after() -> None:
    before, after = {"moles": -5.0, "monks": 2.0}, {"moles": 3.0, "monks": 2.5}
    effects = pl.concat(
        [
            rows("margin", {"moles": 8.0, "monks": 0.5}),
            rows("margin_before", before),
            rows("margin_after", after),
            rows("margin_before", {"newcomers": 1.0}),
        ]
    )
    ax = change_of_margins(effects)
    assert ax is not None
    ends = sorted(tuple(float(y) for y in line.get_ydata()) for line in ax.lines if len(line.get_ydata()) == 2)
    assert (-5.0, 3.0) in ends
    assert (2.0, 2.5) in ends
    assert not any("newcomers" in label for label in labels(ax))
    moved = next(line for line in ax.lines if list(line.get_ydata()) == [-5.0, 3.0])
    still = next(line for line in ax.lines if list(line.get_ydata()) == [2.0, 2.5])
    assert moved.get_color() != still.get_color()


def test_nothing_to_show_is_no_figure() -> None:
    nothing = rows("margin", {"moles": 1.0}).clear()
    assert change_of_margins(nothing) is None
    assert change_of_margins(rows("margin_after", {"newcomers": 1.0})) is None
    assert intervals(nothing, "VP") is None
    assert intervals(rows("vp", {"palace 1": 2.0}), "VP") is not None
