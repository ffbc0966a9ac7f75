"""The file of a tuned heuristic: all its weights, and how they came to be."""

import datetime
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.storage.manifest import build_kind, git_revision, software_versions
from aoi_sim.storage.writer import write_atomically

if TYPE_CHECKING:
    from aoi_sim.studies.tuning import Tuning


def write_tuned(tuning: "Tuning") -> None:
    """Write the best weights of a tuning to its file, whole or not at all."""
    write_atomically(tuning.out, tuned_text(tuning, datetime.date.today().isoformat()).encode())


def tuned_text(tuning: "Tuning", date: str) -> str:
    """The text of the file of a tuning's best weights."""
    table, weights = tuning.table, tuning.state.best or tuning.space.weights
    lines = [
        f"doc = {_value(table.get('doc', ''))}",
        f"idea = {_value(table.get('idea', ''))}",
        f"source = {_value(table.get('source', ''))}",
        f"date = {_value(date)}",
    ]
    if table["temperature"]:
        lines.append(f"temperature = {table['temperature']}")
    lines += _section("weights", {name: weights[name] for name in DEFAULTS})
    for faction in sorted(table["factions"]):
        lines += _section(f"factions.{faction}", table["factions"][faction])
    lines += _section("provenance", provenance(tuning))
    return "\n".join(lines) + "\n"


def provenance(tuning: "Tuning") -> dict[str, Any]:
    """Parents, rivals, seeds, games and the gain with its 95 % interval.

    The gain is that over the parent: the sum of the accepted gains, which were measured on different set-ups.
    """
    state, setting, config = tuning.state, tuning.setting, tuning.config
    accepted = state.accepted
    gain = sum(check.gain for check in accepted)
    width = 1.96 * sum(check.se**2 for check in accepted) ** 0.5
    versions = software_versions()
    parent = {"name": tuning.source.name, "sha256": tuning.source.sha256}
    earlier = tuning.table["provenance"].get("parents", [])
    return {
        "status": "tuned",
        "by": f"aoi-sim tune {versions['aoi-sim']}",
        "parents": [parent, *(row for row in earlier if isinstance(row, Mapping))],
        "against": [{"name": rival.name, "sha256": rival.sha256} for rival in setting.against],
        "objective": "mean VP in self-play" + (" plus mean margin against the rivals" if setting.against else ""),
        "players": config.n_players,
        "edition": tuning.rules.edition,
        "rules": tuning.rules.hash,
        "seed": config.seed,
        "training_seed": tuning.training_seed,
        "held_out_seed": tuning.held_out_seed,
        "population": config.population,
        "set_ups_a_generation": config.set_ups,
        "generations": len(state.generations),
        "games": state.games,
        "failed": sum(generation.failed for generation in state.generations),
        "gain": round(gain, 2),
        "gain_low": round(gain - width, 2),
        "gain_high": round(gain + width, 2),
        "vp_in_self_play": round(accepted[-1].vp, 2) if accepted else 0.0,
        "steps": [
            {
                "generation": check.generation,
                "set_ups": check.set_ups,
                "gain": round(check.gain, 2),
                "low": round(check.low, 2),
                "high": round(check.high, 2),
                "level": round(check.level, 4),
                "vp_gain": round(check.vp_gain, 2),
            }
            for check in accepted
        ],
        "python": versions["python"],
        "cma": state.identity["cma"],
        "build": build_kind(),
        "git_revision": git_revision() or "unknown",
    }


def _section(name: str, rows: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f"{key} = {_value(value)}" for key, value in rows.items())]


def _value(value: Any) -> str:
    """A value as TOML; text of several lines keeps them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
