"""What a report rests on: the tables of a run and the estimates from them, each computed once when first asked for."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.comparison import effects_by_condition, robustness_of
from aoi_sim.analysis.effects import Effects, adjusted_effects, not_told_from
from aoi_sim.analysis.interplay import vp_interplay_by_pairing
from aoi_sim.analysis.source import AnalysisError, Frames, Source, seat_table
from aoi_sim.analysis.standings import ranking, spread, verdicts
from aoi_sim.analysis.uncertainty import LEAST_BLOCKS
from aoi_sim.report.sentences import listed
from aoi_sim.rules import RulesError, Ruleset, load_ruleset
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run

Result = TypeVar("Result")


class Study:
    """A run under study.

    A paired run is studied at its first level; ``levels`` names all of them.

    Args:
        run: a finished run.

    Raises:
        RunFolderError: it has no finished game.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.manifest: Mapping[str, Any] = run.manifest
        if run.n_games <= run.n_failed:
            raise RunFolderError(f"no finished game, {run.path}, play more games")
        self.missing: dict[str, str] = {}
        self._shifts: dict[str, pl.DataFrame | None] = {}
        self._effects: dict[tuple[str, ...], tuple[Effects | None, list[str]]] = {}

    @cached_property
    def levels(self) -> list[str]:
        """Levels of a paired run in their order, else none."""
        found = self.run.games().select(pl.col("level").cast(pl.String)).drop_nulls().collect()["level"]
        return found.unique(maintain_order=True).to_list()

    @cached_property
    def source(self) -> Source:
        """The tables: of the whole run, of a paired run those of the first level."""
        if not self.levels:
            return self.run
        games = self.run.games().filter(pl.col("level").cast(pl.String) == self.levels[0])
        tables = {
            name: self.run.table(name).join(
                games.select("game_index"), on="game_index", how="semi", maintain_order="left"
            )
            for name in self.run.tables
        }
        return Frames(tables)

    @cached_property
    def rules(self) -> Ruleset | None:
        """The ruleset of the run; None if this version cannot make it."""
        stored = self.manifest["rules"]
        try:
            return load_ruleset(stored["edition"], stored.get("options", {}), stored.get("overlays", []))
        except (RulesError, KeyError, TypeError):
            return None

    @cached_property
    def rows(self) -> pl.DataFrame:
        """``seat_table`` of the run."""
        return seat_table(self.source)

    @cached_property
    def every_row(self) -> pl.DataFrame:
        """``seat_table`` of all levels."""
        return seat_table(self.run) if self.levels else self.rows

    @property
    def condition_word(self) -> str:
        """What ``robust`` compares: the levels of a paired run, else the players."""
        return "level" if len(self.levels) > 1 else "player"

    @cached_property
    def condition_effects(self) -> pl.DataFrame | None:
        """``effects_by_condition`` of factions over levels or players, None where there is one only."""
        if (len(self.levels) < 2 and len(self.heuristics) < 2) or self.mixed("faction"):
            return None
        return self.attempt(f"factions under every {self.condition_word}", lambda: effects_by_condition(self.every_row))

    @cached_property
    def robust(self) -> pl.DataFrame | None:
        """``robustness`` of these effects."""
        return None if self.condition_effects is None else robustness_of(self.condition_effects)

    @property
    def n_players(self) -> int:
        """Seats of a table."""
        return int(self.manifest["config"]["n_players"])

    @property
    def equal(self) -> float:
        """The share of games that equal players win."""
        return 1 / self.n_players

    @cached_property
    def n_games(self) -> int:
        """Finished games under study."""
        return self.rows["game_index"].n_unique()

    @cached_property
    def n_blocks(self) -> int:
        """Set-ups of these games."""
        return self.rows["block"].n_unique()

    @cached_property
    def heuristics(self) -> list[str]:
        """Who played."""
        return sorted(self.rows["heuristic"].drop_nulls().unique().to_list())

    def has(self, table: str) -> bool:
        """Whether the run has a table (``events`` may be left out)."""
        return table in self.run.tables

    def attempt(self, what: str, function: Callable[[], Result]) -> Result | None:
        """The result of a question, None where the data cannot answer it; why is kept in ``missing``."""
        try:
            return function()
        except AnalysisError as error:
            self.missing[what] = str(error)
            return None

    @cached_property
    def factions(self) -> pl.DataFrame:
        """See ``group_table``."""
        return self.group_table("faction")

    @cached_property
    def boards(self) -> pl.DataFrame:
        """See ``group_table``."""
        return self.group_table("board")

    @cached_property
    def pairings(self) -> pl.DataFrame:
        """See ``group_table``."""
        return self.group_table("faction", "board")

    @cached_property
    def interplay(self) -> pl.DataFrame | None:
        """``vp_interplay_by_pairing`` of the run, None where pairings cannot be compared."""
        return self.attempt("pairings beside the sum of their parts", lambda: vp_interplay_by_pairing(self.rows))

    @cached_property
    def seats(self) -> pl.DataFrame:
        """See ``group_table``."""
        return self.group_table("seat").sort("seat")

    @cached_property
    def bonus_tiles(self) -> pl.DataFrame:
        """See ``group_table``."""
        return self.group_table("bonus")

    def shifts(self, key: str, estimate: Callable[..., pl.DataFrame]) -> pl.DataFrame | None:
        """A table of ``analysis.interplay`` by its key, computed once; None where the draw does not vary."""
        if key not in self._shifts:
            self._shifts[key] = self.attempt(key.replace("-", " "), lambda: estimate(self.source))
        return self._shifts[key]

    def group_table(self, *group: str) -> pl.DataFrame:
        """How the groups do, best margin first.

        Returns:
            ``group``, ``n``, ``blocks``, ``vp``, ``margin`` with ``se``, ``low``, ``high``; ``win_share`` with ``win_low``,
            ``win_high``;
            adjusted ``effect`` with ``effect_low``, ``effect_high``, ``q``, ``tier``, ``rank_low``, ``rank_high``, ``p_best``,
            ``verdict``, ``games_needed`` (null where the data cannot tell). Empty if the run does not have the group.
        """
        keys = list(group)
        what = " and ".join(group)
        margins = self.attempt(what, lambda: mean_by(self.rows, "margin", keys))
        if margins is None:
            return pl.DataFrame(schema=dict.fromkeys(keys, pl.String) | dict.fromkeys(_FIGURES, pl.Float64))
        wins = mean_by(self.rows, "win_share", keys).select(*keys, win_share="value", win_low="low", win_high="high")
        scores = mean_by(self.rows, "vp", keys).select(*keys, vp="value")
        table = margins.drop("method").rename({"value": "margin"})
        for other in (wins, scores, self._adjusted(keys)):
            table = table.join(other, on=keys, how="left", maintain_order="left")
        return table.sort(["margin", *keys], descending=[True, *[False] * len(keys)], nulls_last=True)

    def effects(self, *group: str) -> Effects | None:
        """``adjusted_effects`` of a group, computed once; None where the data cannot tell, or cannot tell it from others."""
        if group not in self._effects:
            what = f"adjusted effects of {' and '.join(group)}"
            found = self.attempt(what, lambda: adjusted_effects(self.rows, group))
            apart = [] if found is None else not_told_from(self.rows, group, FACTORS) or list(found.left_out)
            words = ["player" if name == "heuristic" else name for name in apart]
            if words:
                self.missing[what] = f"cannot be told from {listed(words)}"
            self._effects[group] = (None if words else found, words)
        return self._effects[group][0]

    def mixed(self, *group: str) -> list[str]:
        """Factors that the design cannot tell from a group, in words: what the group seems worth may be theirs.

        None below ten set-ups, which are too few whatever the design.
        """
        self.effects(*group)
        return self._effects[group][1] if self.n_blocks >= LEAST_BLOCKS else []

    def _adjusted(self, keys: list[str]) -> pl.DataFrame:
        found = self.effects(*keys)
        if found is None:
            return (
                self.rows.select(keys)
                .unique()
                .with_columns(
                    *(pl.lit(None, pl.Float64).alias(name) for name in _ADJUSTED), verdict=pl.lit(None, pl.String)
                )
            )
        order = ranking(found).select(*keys, "tier", "rank_low", "rank_high", "p_best")
        judged = verdicts(found).select(
            *keys,
            "q",
            "verdict",
            "games_needed",
            effect="value",
            effect_low="low",
            effect_high="high",
        )
        return judged.join(order, on=keys, maintain_order="left")

    @cached_property
    def faction_spread(self) -> Mapping[str, Any] | None:
        """How far factions really differ: the row of ``spread``."""
        effects = self.effects("faction")
        found = None if effects is None else self.attempt("spread of factions", lambda: spread(effects))
        return None if found is None else found.row(0, named=True)


FACTORS = ("faction", "board", "seat", "heuristic")
_ADJUSTED = ("effect", "effect_low", "effect_high", "q", "tier", "rank_low", "rank_high", "p_best", "games_needed")
_FIGURES = (
    *("n", "blocks", "margin", "se", "low", "high", "win_share", "win_low", "win_high", "vp", "verdict"),
    *_ADJUSTED,
)
