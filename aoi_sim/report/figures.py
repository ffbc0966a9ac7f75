"""The figures: each takes the table of the analysis function of the same name and axes, and returns the axes.

Without axes they make new ones with pyplot, so that a notebook shows them. They set no global style. Colours are told
apart by colour-blind readers; planning boards have the colours of their terrains.

    from aoi_sim.analysis.balance import vp_margin_by_faction
    from aoi_sim.report.figures import plot_vp_margin_by_faction

    plot_vp_margin_by_faction(vp_margin_by_faction(run))
"""

import polars as pl
from matplotlib.axes import Axes

from aoi_sim.report.figures_heat import heat
from aoi_sim.report.figures_intervals import forest, ladder, seat_columns, slopes
from aoi_sim.report.figures_map import hex_heat
from aoi_sim.report.figures_vp import distributions, round_curves, source_stacks
from aoi_sim.rules import Ruleset

MARGIN = "VP ahead of the table's mean, with 95 % interval"
_WORDS = {"vp": "VP", "income_vp": "income VP"}
WINS = "games won in %, with 95 % interval (line: equal share)"


def plot_vp_margin_by_faction(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Forest plot of the factions' margins."""
    return forest(table, ["faction"], ax, MARGIN)


def plot_vp_margin_by_board(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Forest plot of the planning boards' margins."""
    return forest(table, ["board"], ax, MARGIN)


def plot_vp_margin_by_bonus_tile(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Forest plot of the margins of the first round bonus tile."""
    return forest(table, ["bonus"], ax, MARGIN)


def plot_vp_margin_by_pairing(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of faction x board; bold and framed where the interval leaves zero out (or q < 0.05, if there is ``q``)."""
    return heat(table, "faction", "board", ax, "VP ahead of the table's mean")


def plot_win_share_by_faction(table: pl.DataFrame, ax: Axes | None = None, equal: float = 0.25) -> Axes:
    """Forest plot of win shares around the equal share, 1 / players."""
    return forest(table, ["faction"], ax, WINS, equal, percent=True)


def plot_win_share_by_board(table: pl.DataFrame, ax: Axes | None = None, equal: float = 0.25) -> Axes:
    """Forest plot of the win shares of planning boards around the equal share, 1 / players."""
    return forest(table, ["board"], ax, WINS, equal, percent=True)


def plot_vp_margin_by_seat(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """The margin of each seat in the turn order of round 1."""
    return seat_columns(table, ax)


def plot_joint_ratings(table: pl.DataFrame, ax: Axes | None = None, factor: str = "faction") -> Axes:
    """The ratings of one factor, all others held equal."""
    own = table.filter(pl.col("factor") == factor).rename({"name": factor})
    return ladder(own, ax, factor)


def plot_rating_by_heuristic(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """The rating ladder: heuristics on one scale, best on top."""
    return ladder(table, ax)


def plot_vp_source_by_faction(table: pl.DataFrame, ax: Axes | None = None, by: str = "faction") -> Axes:
    """Stacked bars of mean VP by source, a bar a group; so too ``vp_source_by_board``, ``_heuristic`` and ``_rank``."""
    return source_stacks(table, by, ax)


def plot_economy_by_round(
    table: pl.DataFrame, ax: Axes | None = None, quantity: str = "vp", by: str = "faction"
) -> Axes:
    """Lines of one quantity over the rounds, a line a group."""
    return round_curves(
        table.filter(pl.col("quantity") == quantity), by, ax, _WORDS.get(quantity, quantity.replace("_", " "))
    )


def plot_vp_distribution(rows: pl.DataFrame, ax: Axes | None = None, by: str = "faction") -> Axes:
    """Score distributions of rows of ``seat_table``, a box a group."""
    return distributions(rows, by, ax)


def _shift(table: pl.DataFrame, ax: Axes | None, words: str) -> Axes:
    """Faction (or board) x anything that the set-up draws: pooled; framed where q < 0.05 and the pooled interval agrees."""
    row = "board" if "board" in table.columns else "faction"
    return heat(table, row, "key", ax, f"VP gained on the mean {row} with {words}", "pooled")


def plot_vp_shift_by_round_tile(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when a round tile is in play."""
    return _shift(table, ax, "a round tile")


def plot_vp_shift_by_final_tile(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when a final tile is in play."""
    return _shift(table, ax, "a final tile")


def plot_vp_shift_by_palace(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when a palace is in play."""
    return _shift(table, ax, "a palace")


def plot_vp_shift_by_innovation(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when an innovation is in play."""
    return _shift(table, ax, "an innovation")


def plot_vp_shift_by_book_action(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when a book action is in play."""
    return _shift(table, ax, "a book action")


def plot_vp_shift_by_bonus_tile(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when a round bonus tile is in play."""
    return _shift(table, ax, "a round bonus tile")


def plot_vp_shift_by_opponent(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of who gains when an opponent is present."""
    return _shift(table, ax, "an opponent")


def plot_vp_interplay_by_pairing(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Heat map of faction x board: pooled effects; framed where a pairing is not the sum of its parts (q < 0.05)."""
    return heat(table.with_columns(value="pooled"), "faction", "board", ax, "VP against the mean pairing")


def plot_build_share_by_hex(
    table: pl.DataFrame, side: str, ax: Axes | None = None, rules: Ruleset | None = None
) -> Axes:
    """The hex map: how often each hex is built on, in percent."""
    return hex_heat(table, side, ax, label="built on, in % of the games", scale=100, rules=rules)


def plot_build_margin_by_hex(
    table: pl.DataFrame, side: str, ax: Axes | None = None, rules: Ruleset | None = None
) -> Axes:
    """The hex map: margin of those who built on a hex less that of those who did not, in VP."""
    label = "margin with a building there less without, VP"
    return hex_heat(table, side, ax, label=label, diverging=True, rules=rules)


def plot_vp_margin_difference_by_faction(table: pl.DataFrame, ax: Axes | None = None) -> Axes:
    """Slope chart: each faction's margin before (first run) and after (second run)."""
    return slopes(table, ["faction"], ax)
