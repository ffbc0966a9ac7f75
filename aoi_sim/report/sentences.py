"""Plain sentences made from numbers. Every word that judges is chosen by an interval, never by a point."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.uncertainty import LEAST_BLOCKS
from aoi_sim.report.document import tidy
from aoi_sim.storage.findings import counted as counted

Row = Mapping[str, Any]
SURE: Final = 0.05
"""Q-values below are believed."""


def sure_rows(table: pl.DataFrame, q: str = "q", blocks: str = "blocks") -> pl.DataFrame:
    """Rows that are believed: by their q-value, on ten set-ups or more.

    Args:
        table: what is looked at together.
        q: column of the q-values.
        blocks: column of the set-ups that each rests on.
    """
    return table.filter(pl.col(q) < SURE, enough(blocks))


def enough(blocks: str = "blocks") -> pl.Expr:
    """Whether a row rests on ten set-ups or more."""
    return pl.col(blocks) >= LEAST_BLOCKS


def percent(share: float) -> str:
    """``31 %``."""
    return f"{100 * share:.0f} %"


def vp(value: float, sign: bool = True) -> str:
    """``+3.8 VP``."""
    return f"{number(value, sign)} VP"


def number(value: float, sign: bool = True, decimals: int = 1) -> str:
    """A rounded number: ``+3.8``; without a sign where it is zero."""
    return tidy(f"{value:{'+' if sign else ''}.{decimals}f}")


def bracket(low: float | None, high: float | None, scale: float = 1.0, decimals: int = 1) -> str:
    """`` [2.6, 5.0]`` with a space before it, empty where there is no interval."""
    if low is None or high is None:
        return ""
    return f" [{tidy(f'{low * scale:.{decimals}f}')}, {tidy(f'{high * scale:.{decimals}f}')}]"


def listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def title(word: str) -> str:
    """A key as the beginning of a sentence."""
    text = word.replace("_", " ").replace("-", " ")
    return text[:1].upper() + text[1:]


def win_phrase(row: Row, equal: float) -> str:
    """``win 31 % [29, 33] of their games, 6 points above their share``."""
    share, low, high = row["win_share"], row["win_low"], row["win_high"]
    text = f"win {percent(share)}{bracket(low, high, 100, 0)} of their games"
    if low is None:
        return f"{text} (one set-up, so no interval)"
    if row["blocks"] < LEAST_BLOCKS:
        return f"{text} ({counted(row['blocks'], 'set-up')}, too few to judge)"
    if low > equal:
        return f"{text}, {max(1, round(100 * (share - equal)))} points above their share"
    if high < equal:
        return f"{text}, {max(1, round(100 * (equal - share)))} points below their share"
    return f"{text}, not to be told from their share of {percent(equal)}"


def not_told_sentence(words: str, mixed: Sequence[str]) -> str:
    """That nothing can be said of a group, where the design cannot tell it from other factors.

    Args:
        words: the group in the plural.
        mixed: from ``Study.mixed``.
    """
    return f"{title(words)} cannot be told from {listed(mixed)} in these games: it takes a design that mixes them."


def faction_sentence(row: Row, equal: float, cells: pl.DataFrame, mixed: Sequence[str] = ()) -> str:
    """A faction in one sentence.

    Args:
        row: of ``Study.factions``.
        equal: share of games that equal players win.
        cells: rows of ``Study.pairings`` of this faction.
        mixed: what factions cannot be told from, of ``Study.mixed``.
    """
    if mixed:
        return f"{title(row['faction'])} cannot be told from {listed(mixed)}; {board_phrase(cells)}."
    margin = f"{vp(row['margin'])}{bracket(row['low'], row['high'])} against the table's mean"
    return f"{title(row['faction'])} {win_phrase(row, equal)} ({margin}); {board_phrase(cells)}."


def board_phrase(cells: pl.DataFrame) -> str:
    """``best with mountain, worst with desert`` where the two differ beyond what picking the extremes of many explains."""
    known = cells.drop_nulls(["margin", "se"]).sort("margin", descending=True)
    if len(known) < 2:
        return "too few games to compare boards"
    best, worst = known.row(0, named=True), known.row(-1, named=True)
    if not extremes_differ(best, worst, len(known)):
        return "no board is beyond doubt better for them than another"
    return (
        f"best with {best['board']} ({number(best['margin'])}), worst with {worst['board']} ({number(worst['margin'])})"
    )


def extremes_differ(best: Row, worst: Row, size: int, alpha: float = 0.05) -> bool:
    """Whether best and worst of ``size`` means differ, all pairs compared (Bonferroni; blocks of the smaller one)."""
    from scipy.special import stdtr

    gap = best["margin"] - worst["margin"]
    error = (best["se"] ** 2 + worst["se"] ** 2) ** 0.5
    if error <= 0:
        return bool(gap > 0)
    freedom = max(1, min(best["blocks"], worst["blocks"]) - 1)
    return bool(2 * stdtr(freedom, -gap / error) * size * (size - 1) / 2 < alpha)


def verdict_sentence(table: pl.DataFrame, name: str, words: str) -> str:
    """How many of a group differ, are equivalent, are undecided, and what would decide.

    Args:
        table: ``name``, ``effect``, ``verdict``, ``games_needed``.
        name: column of the group.
        words: the group in the plural.
    """
    known = table.drop_nulls(["verdict", "effect_low"])
    if known.is_empty():
        return f"The data cannot tell whether {words} differ."
    groups = {
        verdict: [str(word).replace("_", " ") for word in known.filter(pl.col("verdict") == verdict)[name].to_list()]
        for verdict in ("different", "equivalent", "undecided")
    }
    if len(groups["equivalent"]) == len(known):
        return f"All {len(known)} {words} are within 2 VP of their mean."
    parts = []
    if groups["different"]:
        differ = "differs" if len(groups["different"]) == 1 else "differ"
        parts.append(f"{len(groups['different'])} of {len(known)} {words} {differ} from their mean beyond doubt")
    else:
        parts.append(f"none of {len(known)} {words} is known to differ from their mean")
    if groups["equivalent"]:
        parts.append(f"within 2 VP of it: {listed(groups['equivalent'])}")
    if groups["undecided"]:
        parts.append(f"undecided: {listed(groups['undecided'])}{_need(known)}")
    return title("; ".join(parts)) + "."


def _need(known: pl.DataFrame) -> str:
    needed = known.filter(pl.col("verdict") == "undecided")["games_needed"].drop_nulls().to_list()
    return f" (about {counted(round(max(needed)), 'game')} would decide)" if needed else ""


def spread_sentence(row: Row | None) -> str:
    """How far factions really differ, free of what chance adds."""
    if row is None or row["value"] is None:
        return "There are too few set-ups to say how far factions differ."
    if row["low"] <= 0:
        return (
            f"The differences between factions are no larger than chance makes them: their true effects have a standard "
            f"deviation of {number(row['value'], sign=False)} VP{bracket(row['low'], row['high'])}."
        )
    return (
        f"Factions differ: their true effects have a standard deviation of {number(row['value'], sign=False)} VP"
        f"{bracket(row['low'], row['high'])} (best less worst {number(row['range'], sign=False)} VP as measured, "
        "which chance widens)."
    )


def best_and_worst(table: pl.DataFrame, name: str, words: str, before: str = "") -> str:
    """Which of a group is worth most and least, of those whose verdict is that they differ from the mean of the group.

    Args:
        table: of ``Study.group_table``; the adjusted effects and their verdicts are what counts.
        name: column of the group.
        words: the group in the plural.
        before: is put before the names.
    """
    known = table.drop_nulls(["verdict", "effect_low"])
    if len(known) < 2:
        return f"There are too few games to compare {words}."
    sure = known.filter(verdict="different").sort("effect", descending=True)
    if sure.is_empty():
        if (known["verdict"] == "equivalent").all():
            return f"All {len(known)} {words} are within 2 VP of their mean."
        return f"None of {len(known)} {words} is known to differ from their mean."
    best, worst = sure.row(0, named=True), sure.row(-1, named=True)
    named = [f"{_named(best, name, before)} does best {_effect(best)}"] if best["effect"] > 0 else []
    named += (
        [f"{_named(worst, name, before)}{'' if named else ' does'} worst {_effect(worst)}"]
        if worst["effect"] < 0
        else []
    )
    text = f"Among {words} {' and '.join(named)}, all else equal"
    if len(named) == 2:
        return f"{text}, {vp(best['effect'] - worst['effect'], sign=False)} apart."
    return f"{text}; none is known to lie {'below' if best['effect'] > 0 else 'above'} their mean."


def _named(row: Row, name: str, before: str) -> str:
    return f"{before}{str(row[name]).replace('_', ' ')}"


def _effect(row: Row) -> str:
    return f"({vp(row['effect'])}{bracket(row['effect_low'], row['effect_high'])})"
