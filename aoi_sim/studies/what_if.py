"""The study of a rules file: any overlay against the rules that it is laid over."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.profile import uses
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.loader import OverlayLike
from aoi_sim.sim.config import PlanError
from aoi_sim.storage.reader import Run
from aoi_sim.studies.change_study import ChangeStudy, Setting, plus_minus
from aoi_sim.studies.changes import changes
from aoi_sim.studies.comparison import AFTER, BEFORE, Compared
from aoi_sim.studies.study import Runs
from aoi_sim.studies.study_effects import effect_rows
from aoi_sim.studies.study_report import Section

_USED: Final = {
    "palaces": "palace",
    "competencies": "competency",
    "innovations": "innovation",
    "city_tiles": "city tile",
    "bonus_tiles": "bonus tile",
    "power_actions": "power action",
    "book_actions": "book action",
    "conversions": "conversion",
    "buildings": "build",
    "upgrades": "build",
}
"""Table of the rules: the category of its uses in ``profile.uses``."""
DELTA_USE: Final = 0.05
"""Uses a seat and game within which a change does not matter."""


class WhatIf(ChangeStudy):
    """What a rules file does.

    Args:
        overlay: path of the file, or a table.
        setting: how much is played, and how.
        edition: what it is laid over.
        base: overlays that both sides have.
    """

    kind = "what-if"
    title = "What if"

    def __init__(
        self, overlay: OverlayLike, setting: Setting, edition: str = "1.2", base: Sequence[OverlayLike] = ()
    ) -> None:
        before, after = load_ruleset(edition, None, base), load_ruleset(edition, None, [*base, overlay])
        if before == after:
            where = overlay if isinstance(overlay, str | Path) else "overlay"
            raise PlanError(f"nothing changes, {where}, give rules with other values than those before")
        super().__init__(before, after, setting)
        is_path = isinstance(overlay, os.PathLike) or (
            isinstance(overlay, str) and not overlay.lstrip().startswith("{")
        )
        self.file = Path(overlay).name if is_path else ""  # type: ignore[arg-type]
        name = json.loads(after.overlays[-1]).get("name") or self.file
        if name:
            self.title = f"What if: {name}"
        self.used = [
            (f"{table}.{key}", _USED[table], key)
            for table, keys in self.changed.items()
            if table in _USED
            for key in keys
        ]
        self.events = bool(self.used)

    def more(self, found: Compared, players: int, heuristic: str, runs: Runs) -> list[pl.DataFrame]:
        """VP by source, and how often what changed is used."""
        words: dict[str, Any] = {"players": players, "heuristic": heuristic, "games": found.games}
        sources = [name for name in found.rows.columns if name.startswith("vp_from_")]
        changes = found.differences(["vp", *sources]).with_columns(pl.col("quantity").str.strip_prefix("vp_from_"))
        tables = [effect_rows(changes, "quantity", quantity="vp_from", **words)]
        if self.used:
            tables += self._uses(found, [runs[name] for name in self._sides(players, heuristic)], words)
        return tables

    def extra(self) -> list[pl.Expr]:
        """VP by source."""
        return [pl.col("^vp_from_.*$").cast(pl.Float64)]

    def _uses(self, found: Compared, runs: Sequence[Run], words: dict[str, Any]) -> list[pl.DataFrame]:
        """Uses a seat and game of each changed component: before, after, and the change."""
        columns = [name for name, _, _ in self.used]
        parts = []
        for number, run in enumerate(runs):
            side = [BEFORE, AFTER][number] if len(runs) > 1 else None
            rows = found.rows if side is None else found.rows.filter(pl.col("side") == side)
            counted = [
                ((pl.col("category") == category) & (pl.col("key") == key)).sum().cast(pl.Float64).alias(name)
                for name, category, key in self.used
            ]
            counts = uses(run.events()).group_by("game_index", "seat", maintain_order=True).agg(counted).collect()
            part = rows.select("side", "block", "game_index", "seat")
            parts.append(
                part.join(counts, on=["game_index", "seat"], how="left", maintain_order="left").with_columns(
                    pl.col(columns).fill_null(0.0)
                )
            )
        used = Compared(pl.concat(parts), found.paired, found.games)
        means = used.means(columns)
        tables = [
            effect_rows(means.filter(side=side), "quantity", quantity=f"use_{side}", tested=False, **words)
            for side in (BEFORE, AFTER)
        ]
        changes = used.differences(columns)
        return [*tables, effect_rows(changes, "quantity", quantity="use", delta=DELTA_USE, **words)]

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """Factions, VP sources, use, and what the file says."""
        found = self.faction_sections(effects, "With the change less without it")
        if self.used:
            found.append(Section("Uses a seat and game", ["How often what changed is taken or built."], _uses(effects)))
        text = "Mean VP of a seat by source; all seats together, so this is what the change does to everybody's score."
        sources = effects.filter(quantity="vp_from").sort("estimate", descending=True)
        found.append(Section("VP by source", [text], _sources(sources)))
        both = [one["name"] for one in map(json.loads, self.before.overlays) if one.get("name")]
        return [*found, self.change_section(*([f"Both sides have: {', '.join(both)}."] if both else []))]

    def about(self) -> list[str]:
        """The rules file, its question, and what it changes."""
        own = json.loads(self.after.overlays[-1])
        name, question = own.get("name", ""), own.get("question", "")
        file = f"({self.file})" if self.file and name else self.file
        head = " ".join(part for part in (name, file) if part)
        asked = [": ".join(part for part in (head, question) if part)]
        return [*filter(None, asked), *super().about()]

    def alone_lines(self, cell: pl.DataFrame, players: int) -> list[str]:
        """With the use of components that only one side has."""
        found = super().alone_lines(cell, players)
        for change in changes(self.before, self.after):
            side, word = (AFTER, "new") if change.before is None else (BEFORE, "removed")
            rows = cell.filter(component=change.path, quantity=f"use_{side}") if change.is_component else cell.clear()
            found += [
                f"{change.path} ({word}): {plus_minus(row, 3, absolute=True)} uses a seat and game."
                for row in rows.rows(named=True)
            ]
        return found


def _uses(effects: pl.DataFrame) -> pl.DataFrame:
    keys = ["component", "players", "heuristic"]
    rows: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in effects.filter(pl.col("quantity").str.starts_with("use")).iter_rows(named=True):
        rows.setdefault(tuple(row[key] for key in keys), {})[row["quantity"]] = row
    return pl.DataFrame(
        [
            {
                "component": component,
                "players": str(players),
                "who plays": heuristic,
                "before": f"{row['use_before']['estimate']:.3f}",
                "after": f"{row['use_after']['estimate']:.3f}",
                "change": plus_minus(row["use"], 3),
                "verdict": row["use"]["verdict"],
            }
            for (component, players, heuristic), row in rows.items()
        ]
    )


def _sources(rows: pl.DataFrame) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "source": "all" if row["component"] == "vp" else row["component"],
                "players": str(row["players"]),
                "who plays": row["heuristic"],
                "change, VP": plus_minus(row, 2),
                "verdict": row["verdict"],
            }
            for row in rows.iter_rows(named=True)
        ]
    )
