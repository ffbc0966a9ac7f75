"""A game of a run once more: its record, made again and compared with what the run stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from aoi_sim.engine import IllegalAction, NotationError, digest, parse_action
from aoi_sim.engine.actions import Action
from aoi_sim.engine.reasons import illegal
from aoi_sim.engine.record import Record, replay
from aoi_sim.engine.setup import start_game
from aoi_sim.engine.state import State, scores
from aoi_sim.players import makers_of
from aoi_sim.rules import RulesError, load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.config import PlanError, config_of
from aoi_sim.sim.match import Played, play, play_spec, spec_draws
from aoi_sim.sim.plan import PLAN_VERSIONS, GameSpec, Plan
from aoi_sim.sim.provenance import heuristics_of
from aoi_sim.sim.transcript import record_text
from aoi_sim.storage.manifest import RunFolderError
from aoi_sim.storage.reader import Run


@dataclass(frozen=True, slots=True)
class Rerun:
    """A game of a run made again.

    Attributes:
        text: its record; of a failed game up to the failure.
        state: the state that the record ends in, None for a failed game.
        differences: what differs from the stored tables, a phrase each.
        error: what the game raised, None if it was finished.
    """

    text: str
    state: State | None
    differences: list[str]
    error: str | None


def plan_of(run: Run) -> tuple[Plan, Ruleset]:
    """Plan and ruleset of a run, from its manifest.

    Raises:
        RunFolderError: the rules data has changed since, or the config is damaged.
    """
    manifest = run.manifest
    try:
        stored = manifest["rules"]
        rules = load_ruleset(stored["edition"], stored["options"], stored["overlays"])
        config = config_of(manifest["config"])
    except (RulesError, KeyError, TypeError) as error:
        raise RunFolderError(f"rules or config damaged ({error}), {run.path}, restore manifest.json") from error
    if rules.hash != stored["hash"]:
        raise RunFolderError(
            f"rules have changed ({rules.hash}, not {stored['hash']}), {run.path}, use the aoi-sim that played the run"
        )
    try:
        plans = [plan_for(config, rules, version) for version in PLAN_VERSIONS]
    except (PlanError, TypeError, ValueError) as error:
        raise RunFolderError(f"config damaged ({error}), {run.path}, restore manifest.json") from error
    for plan in plans:
        if plan.hash == manifest["plan_hash"]:
            return plan, rules
    raise RunFolderError(f"plan is {plans[0].hash}, not {manifest['plan_hash']}, {run.path}, the manifest was changed")


def rerun_game(run: Run, index: int) -> Rerun:
    """Make a game of a run again: from its stored decisions, or without events by playing it again.

    Args:
        run: a finished run.
        index: ``game_index``.

    Raises:
        RunFolderError: no such game, or the run cannot be read by this version.
        RecordError: its decisions break the rules.
        HeuristicError: without events, and the code of its players is not at hand.
    """
    _check_index(run, index)
    plan, _ = plan_of(run)
    spec = plan.game(index)
    stored = run.games().filter(pl.col("game_index") == index).collect().row(0, named=True)
    if stored["status"] != "finished":
        return Rerun(stored["record"] or "", None, [], stored["error"])
    if "events" in run.tables:
        try:
            played = play_decisions(plan, spec, stored_decisions(_events_with(run, index), [index])[index])
        except RunFolderError as error:
            raise RunFolderError(f"{error}, {run.path}/events, the table is damaged") from None
    else:
        makers = makers_of(heuristics_of(run.manifest))
        played = play_spec(spec, plan.rulesets[spec.level], makers, plan.config.n_players, plan.config.setup)
        if played.error is not None:
            raise RunFolderError(f"game {index} now fails ({played.error}), {run.path}, use the aoi-sim that played it")
    text = record_text(spec.heuristics, played)
    state = replay(Record.parse(text))
    return Rerun(text, state, list(_differences(run, index, stored, state)), None)


def _check_index(run: Run, index: int) -> None:
    """Refuse a game that the run does not hold; a part of a plan does not begin with game 0."""
    chunks = [(entry["first_game"], entry["n_games"]) for entry in run.manifest["chunks"]]
    if not any(first <= index < first + n_games for first, n_games in chunks):
        known = f"choose {chunks[0][0]} to {sum(chunks[-1]) - 1}" if chunks else "it holds none"
        raise RunFolderError(f"no game {index}, {run.path}, {known}")


def _events_with(run: Run, index: int) -> pl.LazyFrame:
    """The events of the chunk that has a game."""
    entries = run.manifest["chunks"]
    (entry,) = (one for one in entries if one["first_game"] <= index < one["first_game"] + one["n_games"])
    return run.chunk_tables(entry, "events")["events"].lazy()


class _Stored:
    """Plays the stored decisions of a game, whichever seat is asked."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.n_done = 0

    def choose(self, state: State, actions: list[Action]) -> Action:
        """The next stored decision."""
        if self.n_done == len(self.texts):
            raise _UnfitError(f"game does not end after {self.n_done} decisions")
        text = self.texts[self.n_done]
        try:
            action = parse_action(state, text)
            if action not in actions:
                raise illegal(state, action)
        except (IllegalAction, NotationError, TypeError, IndexError) as error:
            raise _UnfitError(f"stored decision {text!r} does not fit ({error}), decision {self.n_done}") from None
        self.n_done += 1
        return action


class _UnfitError(ValueError):
    pass


def stored_decisions(events: pl.LazyFrame, indices: Sequence[int]) -> dict[int, list[str]]:
    """The decisions of games as a table of events holds them, by ``game_index``."""
    rows = (
        events.filter(pl.col("game_index").is_in(list(indices)) & (pl.col("decision") >= 0))
        .group_by("game_index", "decision", maintain_order=True)
        .agg(pl.col("action").cast(pl.String).first())
        .sort("game_index", "decision")
        .collect()
    )
    decisions: dict[int, list[str]] = {index: [] for index in indices}
    for index, _, text in rows.iter_rows():
        decisions[index].append(text)
    return decisions


def play_decisions(plan: Plan, spec: GameSpec, texts: Sequence[str]) -> Played:
    """Play the stored decisions of a game of a plan.

    Raises:
        RunFolderError: they are not those of a whole game; the message lacks the place.
    """
    config = plan.config
    played = Played()
    stored = _Stored(texts)
    rules = plan.rulesets[spec.level]
    played.setup = spec_draws(spec, rules, config.n_players, config.setup)
    played.state = start_game(rules, played.setup, log=True)
    try:
        play([stored] * config.n_players, played)
    except _UnfitError as error:
        raise RunFolderError(f"game {spec.index}: {error}") from None
    if stored.n_done < len(texts):
        raise RunFolderError(f"game {spec.index}: is over after {stored.n_done} of {len(texts)} stored decisions")
    return played


def _differences(run: Run, index: int, stored: Mapping[str, Any], state: State) -> Iterator[str]:
    vps = run.seats().filter(pl.col("game_index") == index).sort("seat").select("vp").collect()["vp"].to_list()
    if vps != scores(state):
        yield f"scores {scores(state)}, stored {vps}"
    if digest(state) != stored["final_hash"]:
        yield f"final state {digest(state)}, stored {stored['final_hash']}"
    if state.n_decisions != stored["n_decisions"]:
        yield f"{state.n_decisions} decisions, stored {stored['n_decisions']}"
