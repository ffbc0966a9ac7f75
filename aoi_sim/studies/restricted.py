"""Restricted play: what a palace, competency, innovation, city tile or action is worth to those who may take it.

Block after block takes the next component, puts it in play, and is played free and with one seat after the other restricted.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.restricted import (
    LEAST_TAKEN,
    observed_by_component,
    restricted_pairs,
    worth_by_component,
    worth_of_taking,
)
from aoi_sim.players import Heuristic, find_heuristics
from aoi_sim.players.registry import Given
from aoi_sim.players.restriction import RestrictionError, keys_of, parsed
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.plan import Plan, PlanError
from aoi_sim.sim.request import Request, make_request
from aoi_sim.storage.findings import counted
from aoi_sim.storage.reader import Run
from aoi_sim.studies.study import Runs, Study, StudyRun
from aoi_sim.studies.study_effects import DELTA_SHARE, effect_rows, no_rows, widest, with_players
from aoi_sim.studies.study_figures import intervals
from aoi_sim.studies.study_report import Section, figures_table

FAMILIES: Final = {
    "palaces": ("palace",),
    "competencies": ("competency",),
    "innovations": ("innovation",),
    "city-tiles": ("city",),
    "bonus-tiles": ("bonus",),
    "actions": ("power", "book"),
    "tracks": ("track",),
}
"""Word of the command line: the kinds whose components are each restricted in turn."""
_DELTAS: Final = {"vp": 2.0, "margin": 2.0, "win_share": DELTA_SHARE}
TAKING: Final = "vp a taking"
OBSERVED: Final = "margin with less without, observed"


def restrictions_of(given: Sequence[str], by: int, rules: Ruleset) -> tuple[str, ...]:
    """The restrictions that words of the command line ask for.

    Args:
        given: families (``palaces``), components (``palace/14``) or whole kinds (``palace``: none of them).
        by: round by which it must be taken; 0 where it may not be.
        rules: which components there are.

    Raises:
        PlanError: there is no such component.
    """
    refs: list[str] = []
    for word in given:
        kinds = FAMILIES.get(word)
        refs += [word] if kinds is None else [f"{kind}/{key}" for kind in kinds for key in keys_of(kind, rules)]
    texts = tuple(dict.fromkeys(f"{ref} by {by}" if by else f"not {ref}" for ref in refs))
    for text in texts:
        try:
            parsed(text, rules)
        except RestrictionError as bad:
            hint = f"{bad.advice}, or {', '.join(FAMILIES)}" if text.split("/")[0] == text else bad.advice
            raise PlanError(f"{bad.what}, --component, {hint}") from None
    if not texts:
        raise PlanError(f"nothing to restrict, --component, choose {', '.join(FAMILIES)} or a component as palace/14")
    return texts


class RestrictedStudy(Study):
    """What components are worth, by restricted play.

    Args:
        components: families, components or whole kinds (``restrictions_of``).
        rules: with which rules.
        n_games: games for each player, rounded up to whole blocks and at least two blocks a component.
        by: round by which it must be taken; 0 where it may not be.
        n_players: players of each game.
        map: ``auto`` or a side of the map.
        setup: ``standard`` or ``draft``; None as the rules' option says.
        seed: root seed.
        heuristics: who plays all seats; the study is made with each of them.
        noise: temperature of their noise.

    Raises:
        PlanError, HeuristicError: wrong input.
    """

    kind = "restricted"
    title = "What components are worth: restricted play"

    def __init__(
        self,
        components: Sequence[str],
        rules: Ruleset,
        n_games: int,
        *,
        by: int = 0,
        n_players: int = 4,
        map: str = "auto",
        setup: str | None = None,
        seed: int = 1,
        heuristics: Given | Sequence[Given] = "expert",
        noise: int = 0,
    ) -> None:
        self.rules = rules
        self.by = by
        self.n_players = n_players
        self.map = map
        self.setup = setup
        self.seed = seed
        self.noise = noise
        self.heuristics: list[Heuristic] = find_heuristics(heuristics)
        self.restrictions = restrictions_of(components, by, rules)
        size, least = 1 + n_players, 2 * len(self.restrictions)
        self.n_games = max(-(-n_games // size), least) * size if n_games > 0 else n_games
        if 0 < n_games <= (least - 1) * size:
            self.note = (
                f"{counted(self.n_games, 'game')} instead of {n_games}: two set-ups of {counted(size, 'game')} for each "
                f"component ({counted(len(self.restrictions), 'component')})"
            )
        self._requests = {one.name: self._request(one) for one in self.heuristics}

    def _request(self, heuristic: Heuristic) -> Request:
        request = make_request(
            rules=self.rules,
            n_games=self.n_games,
            n_players=self.n_players,
            map=self.map,
            setup=self.setup,
            seed=self.seed,
            heuristics=heuristic,
            noise=self.noise,
        )
        request = replace(request, config=replace(request.config, restrictions=self.restrictions))
        Plan(request.config, request.rules)
        return request

    def settings(self) -> dict[str, Any]:
        """All that decides its figures."""
        return {
            "restrictions": list(self.restrictions),
            "rules": self.rules.hash,
            "edition": self.rules.edition,
            "overlays": list(self.rules.overlays),
            "games": self.n_games,
            "players": self.n_players,
            "map": self.map,
            "setup": self.setup,
            "seed": self.seed,
            "noise": self.noise,
            "heuristics": {one.name: one.sha256 for one in self.heuristics},
        }

    def next_run(self, done: Runs) -> StudyRun | None:
        """A run for each player."""
        for name, request in self._requests.items():
            if name not in done:
                return StudyRun(name, request)
        return None

    def effects(self, runs: Runs) -> pl.DataFrame:
        """Worth of each component: of the freedom to take it, of taking it, by faction, and as observed."""
        tables = [part for name, run in runs.items() for part in self._effects_of(name, run)]
        return with_players(pl.concat(tables)) if tables else no_rows()

    def _effects_of(self, name: str, run: Run) -> list[pl.DataFrame]:
        pairs = restricted_pairs(run)
        words: dict[str, Any] = {"players": self.n_players, "heuristic": name, "games": run.n_games}
        worth = worth_by_component(pairs)
        found = [
            effect_rows(worth.filter(quantity=what), "component", quantity=what, delta=delta, **words)
            for what, delta in _DELTAS.items()
        ]
        taking = worth_of_taking(pairs).drop_nulls("value")
        if len(taking):
            found.append(effect_rows(taking, "component", quantity=TAKING, **words))
        observed = observed_by_component(run).drop_nulls("value")
        if len(observed):
            found.append(effect_rows(observed, "component", quantity=OBSERVED, **words))
        for by_faction, quantity in (
            (worth_by_component(pairs, ["faction"]).filter(quantity="vp"), "vp"),
            (worth_of_taking(pairs, ["faction"]), TAKING),
        ):
            known = (
                by_faction.drop_nulls("se")
                .filter(pl.col("n") >= LEAST_TAKEN)
                .with_columns(component=pl.col("component") + " with " + pl.col("faction"))
            )
            if len(known):
                found.append(effect_rows(known, "component", quantity=quantity, **words))
        return found

    def precision(self, run: Run) -> str:
        """The standard error of the components' worth."""
        worth = worth_by_component(restricted_pairs(run)).filter(quantity="vp")
        measured = worth.drop_nulls("value")
        never = worth.filter(pl.col("value").is_null())["component"].to_list()
        said = [widest(measured)] if len(measured) else []
        return "; ".join([*said, *([f"never taken, not measured: {', '.join(never)}"] if never else [])])

    def sections(self, runs: Runs, effects: pl.DataFrame) -> Sequence[Section]:
        """For each player the worth of the components, and by faction."""
        found = []
        for name, run in runs.items():
            found.append(self._summary(name, run, effects))
            found.append(self._by_faction(name, effects))
        return found

    def _summary(self, name: str, run: Run, effects: pl.DataFrame) -> Section:
        rates = observed_by_component(run)
        own = effects.filter((pl.col("heuristic") == name) & ~pl.col("component").str.contains(" with "))
        table = rates.select("component", "pick_rate")
        for quantity, column in (("vp", "worth"), (TAKING, "taking"), (OBSERVED, "observed"), ("win_share", "won")):
            part = own.filter(quantity=quantity).select(
                "component",
                pl.col("estimate").alias(column),
                ((pl.col("high") - pl.col("low")) / 2).alias(f"{column} ±"),
                pl.col("n").alias(f"{column} n"),
                pl.col("verdict").alias(f"{column} verdict"),
            )
            table = table.join(part, on="component", how="left", maintain_order="left")
        never = pl.col("worth").is_null()
        words = pl.when(never).then(pl.lit("never taken, not measured")).otherwise(pl.col("worth verdict"))
        table = table.with_columns(words.alias("worth verdict"))
        table = table.sort("worth", descending=True, nulls_last=True)
        shown = figures_table(
            table,
            {
                "component": "component",
                "worth": "VP worth",
                "worth ±": "±",
                "worth n": "seats",
                "worth verdict": "verdict",
                "taking": "VP a taking",
                "taking ±": "± ",
                "taking n": "takings",
                "pick_rate": "taken by",
                "observed": "margin with less without",
                "observed ±": "±  ",
            },
        )
        forced = f"must be taken by round {self.by}, if it can" if self.by else "may not be taken"
        text = [
            f"{name} in all seats, {self.n_players} players, {counted(run.n_games, 'game')} on "
            f"{counted(run.n_games // (1 + self.n_players), 'set-up')}, seed {self.seed}. On each set-up one component is in "
            f"play; the game is played free and again with each seat in turn to which it {forced}. `VP worth`: what the "
            "freedom (or the duty) adds to a seat's VP on average, taker or not. `VP a taking`: the same by taking that "
            "was gained or lost. ± is half of the 95 % interval, clustered by set-up.",
            "`margin with less without` is what was observed where nobody was restricted: who is ahead takes more, so it "
            "mixes cause and consequence and is no worth.",
        ]
        figure = intervals(own.filter(quantity="vp"), "VP that the freedom to take it adds to a seat")
        figures = {} if figure is None else {f"worth-{name}.png": figure}
        return Section(f"Worth of components to {name}", text, shown, figures)

    def _by_faction(self, name: str, effects: pl.DataFrame) -> Section:
        own = effects.filter(
            (pl.col("heuristic") == name)
            & (pl.col("quantity") == TAKING)
            & pl.col("component").str.contains(" with ", literal=True)
        ).sort("estimate", descending=True)
        columns = {"component": "component", "estimate": "VP a taking", "low": "low", "high": "high", "n": "takings"}
        text = ["Pairs of component and faction with at least five takings gained or lost; the others say nothing yet."]
        return Section(f"By faction, {name}", text, figures_table(own, {**columns, "verdict": "verdict"}))
