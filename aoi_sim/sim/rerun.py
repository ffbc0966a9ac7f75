"""A game of a run once more: its record, made again and compared with what the run stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from aoi_sim.engine import IllegalAction, NotationError, apply_action, digest, parse_action, seat_to_move
from aoi_sim.engine.record import Record, Recorder, replay
from aoi_sim.engine.setup import start_game
from aoi_sim.engine.state import P_OVER, State, scores
from aoi_sim.players import makers_of
from aoi_sim.rules import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.arena import plan_for
from aoi_sim.sim.config import config_of
from aoi_sim.sim.match import play_spec, spec_draws
from aoi_sim.sim.plan import GameSpec, Plan
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
    stored, manifest = run.manifest["rules"], run.manifest
    rules = load_ruleset(stored["edition"], stored["options"], stored["overlays"])
    if rules.hash != stored["hash"]:
        raise RunFolderError(
            f"rules have changed ({rules.hash}, not {stored['hash']}), {run.path}, use the aoi-sim that played the run"
        )
    plan = plan_for(config_of(manifest["config"]), rules)
    if plan.hash != manifest["plan_hash"]:
        raise RunFolderError(f"plan is {plan.hash}, not {manifest['plan_hash']}, {run.path}, the manifest was changed")
    return plan, rules


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
    if not 0 <= index < run.n_games:
        raise RunFolderError(f"no game {index}, {run.path}, choose 0 to {run.n_games - 1}")
    plan, rules = plan_of(run)
    spec = plan.game(index)
    stored = run.games().filter(pl.col("game_index") == index).collect().row(0, named=True)
    if stored["status"] != "finished":
        return Rerun(stored["record"] or "", None, [], stored["error"])
    if "events" in run.tables:
        text = _text_from_events(run, plan, rules, spec)
    else:
        makers = makers_of(heuristics_of(run.manifest))
        played = play_spec(spec, rules, makers, plan.config.n_players, plan.config.setup)
        if played.error is not None:
            raise RunFolderError(f"game {index} now fails ({played.error}), {run.path}, use the aoi-sim that played it")
        text = record_text(spec.heuristics, played)
    state = replay(Record.parse(text))
    return Rerun(text, state, list(_differences(run, index, stored, state)), None)


def _text_from_events(run: Run, plan: Plan, rules: Ruleset, spec: GameSpec) -> str:
    """The record of a game from the decisions in its events."""
    state = start_game(rules, spec_draws(spec, rules, plan.config.n_players, plan.config.setup))
    decisions = (
        run.events()
        .filter((pl.col("game_index") == spec.index) & (pl.col("decision") >= 0))
        .group_by("decision", maintain_order=True)
        .agg(pl.col("action").cast(pl.String).first())
        .sort("decision")
        .collect()
    )
    rows = []
    for number, text in decisions.iter_rows():
        try:
            action = parse_action(state, text)
            row = (state.round, state.turn, seat_to_move(state), action)
            apply_action(state, action)
        except (IllegalAction, NotationError, TypeError, IndexError) as error:
            where = f"{run.path}, game {spec.index}, decision {number}"
            raise RunFolderError(
                f"stored decision {text!r} does not fit ({error}), {where}, the table is damaged"
            ) from None
        rows.append(row)
    if state.phase != P_OVER:
        raise RunFolderError(
            f"game {spec.index} ends after {len(rows)} decisions, {run.path}/events, the table is damaged"
        )
    return Recorder(state, spec.heuristics).text(rows)


def _differences(run: Run, index: int, stored: Mapping[str, Any], state: State) -> Iterator[str]:
    vps = run.seats().filter(pl.col("game_index") == index).sort("seat").select("vp").collect()["vp"].to_list()
    if vps != scores(state):
        yield f"scores {scores(state)}, stored {vps}"
    if digest(state) != stored["final_hash"]:
        yield f"final state {digest(state)}, stored {stored['final_hash']}"
    if state.n_decisions != stored["n_decisions"]:
        yield f"{state.n_decisions} decisions, stored {stored['n_decisions']}"
