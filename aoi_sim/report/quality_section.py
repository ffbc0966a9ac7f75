"""The sections on the game itself (drama, length, what is never used) and on the players, where there are several."""

import polars as pl

from aoi_sim.analysis.contests import margin_by_heuristic, seat_rows
from aoi_sim.analysis.quality import game_quality, use_by_tile, win_share_by_deficit
from aoi_sim.analysis.ratings import rating_by_heuristic
from aoi_sim.report import figures
from aoi_sim.report.document import Column, Picture, Section
from aoi_sim.report.figures_style import new_axes
from aoi_sim.report.sentences import bracket, listed, not_told_sentence, number, percent
from aoi_sim.report.sheets import plain_sheet
from aoi_sim.report.study import Study

_N = Column("n", "n", "games that the figure rests on", "count")
_VALUE = Column("value", "figure", "the estimate", "2")
_LOW = Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "2")
_HIGH = Column("high", "to", "upper end of the 95 % interval", "2")
_BEHIND = ("11-20", "21-30", "31+")
"""Classes of deficit that count as far behind."""


def quality_section(study: Study) -> Section:
    """Whether it is a good game between these players."""
    section = Section("quality", "The game itself")
    table = game_quality(study.source)
    found = {row["quantity"]: row for row in table.iter_rows(named=True)}
    section.lead.append(_drama_sentence(found))
    deficits = win_share_by_deficit(study.source)
    behind = deficits.filter((pl.col("round") == 4) & pl.col("deficit").is_in(_BEHIND))
    if behind["n"].sum():
        share = float((behind["value"] * behind["n"]).sum()) / int(behind["n"].sum())
        section.lead.append(f"Who is more than 10 VP behind after round 4 still wins {percent(share)} of the games.")
    unused = study.attempt("use of tiles", lambda: use_by_tile(study.source))
    if unused is not None:
        section.lead.append(_unused_sentence(unused))
    what = Column("text", "figure of", "what is measured", "text")
    section.sheets.append(plain_sheet("quality", "Figures of the game", table, what, _N, _VALUE, _LOW, _HIGH))
    section.sheets.append(
        plain_sheet(
            "comebacks",
            "The chance to win from behind",
            deficits,
            Column("round", "round", "at the end of this round", "count"),
            Column("deficit", "VP behind", "behind the leader; 0 is to lead, alone or with others", "text"),
            Column("n", "n", "seats in that position", "count"),
            Column("value", "wins", "share of the games that they won in the end", "share"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "share"),
            Column("high", "to", "upper end of the 95 % interval", "share"),
            n_open=15,
        )
    )
    return section


def _drama_sentence(found: dict[str, dict[str, float]]) -> str:
    gap, changes, decided = (found[name] for name in ("winner_margin", "lead_changes", "decided_by_round_5"))
    ahead = f"{number(gap['value'], sign=False)} VP{bracket(gap['low'], gap['high'])}"
    times = f"{number(changes['value'], sign=False)} times{bracket(changes['low'], changes['high'])}"
    share = f"{percent(decided['value'])}{bracket(decided['low'], decided['high'], 100, 0)}"
    return (
        f"The winner is {ahead} ahead of the second; the lead changes {times} a game; in {share} of the games the winner leads "
        "from the end of round 5 on."
    )


def _unused_sentence(table: pl.DataFrame) -> str:
    never = table.filter("never")
    if never.is_empty():
        return f"Everything that was in play is used at least once ({len(table)} tiles and actions)."
    named = [f"{row['kind']} {row['key'].replace('_', ' ')}" for row in never.iter_rows(named=True)]
    return f"Never used by these players: {listed(named)}."


def player_section(study: Study) -> Section:
    """The ladder of the players, where more than one plays."""
    section = Section("ladder", "The players against each other")
    if len(study.heuristics) < 2:
        return section
    rows = seat_rows(study.source.table("seats"), study.source.table("games"))
    table = rating_by_heuristic(rows)
    margins = margin_by_heuristic(rows).select("heuristic", margin="value", margin_low="low", margin_high="high")
    mixed = study.mixed("heuristic")
    section.lead.append(not_told_sentence("players", mixed) if mixed else ladder_sentence(margins))
    section.pictures.append(
        Picture(
            "ladder",
            "Ratings by an additive Plackett-Luce model of the finishing orders, with 95 % interval.",
            figures.plot_rating_by_heuristic(table, new_axes(8, 1.0 + 0.36 * max(3, len(table)))),
        )
    )
    section.sheets.append(
        plain_sheet(
            "ladder",
            "Ratings and margins",
            table.join(margins, on="heuristic", how="left", maintain_order="left"),
            Column("heuristic", "player", "who played", "text"),
            _N,
            Column("value", "rating", "400 points are odds of ten to one to finish ahead; their mean is 0", "+0"),
            Column("low", "from", "lower end of the 95 % interval, clustered by set-up", "+0"),
            Column("high", "to", "upper end of the 95 % interval", "+0"),
            Column("margin", "margin", "mean VP ahead of the seats that others play", "+1"),
            Column("margin_low", "from", "lower end of its 95 % interval", "+1"),
            Column("margin_high", "to", "upper end of it", "+1"),
        )
    )
    return section


def ladder_sentence(margins: pl.DataFrame) -> str:
    """Who is strongest, judged by margins: a player that always wins has a rating without an end."""
    order = margins.drop_nulls(["margin", "margin_low"]).sort("margin", descending=True)
    if len(order) < 2:
        return "There are too few games to tell the players apart."
    best, second = order.row(0, named=True), order.row(1, named=True)
    if best["margin_low"] <= second["margin_high"]:
        return f"{best['heuristic']} and {second['heuristic']} are not to be told apart beyond doubt as the strongest player."
    ahead = f"{number(best['margin'])} VP{bracket(best['margin_low'], best['margin_high'])}"
    return f"{best['heuristic']} is the strongest player: {ahead} against the seats that others play."
