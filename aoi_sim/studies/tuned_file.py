"""The file of a tuned heuristic: all its weights, and how they came to be."""

import datetime
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from aoi_sim.analysis.uncertainty import joint_blocks, t_half_width
from aoi_sim.players import Heuristic
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.storage.manifest import build_kind, git_revision, software_versions
from aoi_sim.storage.writer import write_atomically
from aoi_sim.studies.tuning_check import Version

if TYPE_CHECKING:
    from aoi_sim.studies.candidate import CandidateTest
    from aoi_sim.studies.learning import Learned, Learning
    from aoi_sim.studies.tuning import Tuning
    from aoi_sim.studies.tuning_config import TuneConfig
    from aoi_sim.studies.tuning_games import Setting
    from aoi_sim.studies.tuning_state import Check

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH: Final = 110


def write_tuned(out: Path, table: Mapping[str, Any], version: Version, provenance: Mapping[str, Any]) -> None:
    """Write a file, whole or not at all."""
    write_atomically(out, tuned_text(table, version, provenance, datetime.date.today().isoformat()).encode())


def tuned_text(table: Mapping[str, Any], version: Version, provenance: Mapping[str, Any], date: str) -> str:
    """The text of a file.

    Args:
        table: content of the parent, whose doc, idea, source and temperature are kept.
        version: the weights, the changes by players and faction, and the lessons.
        provenance: how they came to be.
        date: of today.
    """
    lines = [
        f"doc = {_value(table.get('doc', ''))}",
        f"idea = {_value(table.get('idea', ''))}",
        f"source = {_value(table.get('source', ''))}",
        f"date = {_value(date)}",
    ]
    if table["temperature"]:
        lines.append(f"temperature = {table['temperature']}")
    lines += _section("weights", {name: version.weights[name] for name in DEFAULTS})
    for players in sorted(version.players):
        lines += _section(f"players.{players}", version.players[players])
    for faction in sorted(version.factions):
        lines += _section(f"factions.{_key(faction)}", version.factions[faction])
    lines += _lessons(version.lessons)
    lines += _section("provenance", provenance)
    return "\n".join(lines) + "\n"


def _lessons(content: Mapping[str, Any]) -> list[str]:
    """The tables ``[lessons]`` and ``[lessons.networks]``; the alphabet of packed networks has no quotes and no backslash."""
    if not content:
        return []
    lines = ["", "[lessons]"]
    for key, value in sorted(content.items()):
        if isinstance(value, list):
            lines += [f"{key} = [", *_rows([f"{_value(item)}," for item in value]), "]"]
        elif key != "networks":
            lines.append(f"{key} = {_value(value)}")
    lines += ["", "[lessons.networks]"]
    for subject, packed in sorted(content["networks"].items()):
        text = "".join(packed.split())
        rows = (text[k : k + _WIDTH] for k in range(0, len(text), _WIDTH))
        lines += [f"{_key(subject)} = '''", *rows, "'''"]
    return lines


def _rows(words: Sequence[str]) -> list[str]:
    """Words laid out in indented rows."""
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + len(word) < _WIDTH:
            rows[-1] += f" {word}"
        else:
            rows.append(f"    {word}")
    return rows


def tuning_provenance(tuning: "Tuning") -> dict[str, Any]:
    """Parents, rivals, seeds, games and the gain with its 95 % interval.

    The gain is that over the parent: the sum of the accepted gains, which were measured on different set-ups; 0 if there are
    none.
    """
    state, config = tuning.state, tuning.config
    accepted = state.accepted
    gain = sum(check.gain for check in accepted)
    blocks = joint_blocks([check.se for check in accepted], [check.set_ups for check in accepted])
    width = t_half_width(sum(check.se**2 for check in accepted) ** 0.5, blocks) or 0.0
    return {
        "status": "tuned",
        **_origin([tuning.source], tuning.setting, config, tuning.rules.hash),
        **tuning.search.told(),
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
        "cma": state.identity["cma"],
        **_software(),
    }


def candidate_provenance(test: "CandidateTest", check: "Check") -> dict[str, Any]:
    """Parents, rivals, seed, games and the gain with its interval; the candidate's own account of its search."""
    search = {key: value for key, value in test.candidate.table()["provenance"].items() if key != "parents"}
    return {
        "status": "tested candidate",
        **_origin([test.source, test.candidate], test.setting, test.config, test.rules.hash),
        "held_out_seed": test.held_out_seed,
        "games": check.games,
        **_gain(check),
        "candidate_search": search,
        **_software(),
    }


def lessons_provenance(learning: "Learning", learned: "Learned", check: "Check") -> dict[str, Any]:
    """Parents, earlier trials, seeds, games, trials and units by subject, and the gain with its 95 % interval."""
    config = learning.config
    rivals = learning.settings[0].against
    return {
        "status": "taught",
        "by": f"aoi-sim learn {software_versions()['aoi-sim']}",
        "parents": _descent([learning.source]),
        "earlier_trials": [
            {
                "name": folder.path.name,
                "parent": folder.identity["parent"],
                "seed": folder.identity["seed"],
                "games": folder.games,
                "share": folder.share,
            }
            for folder in learning.earlier
        ],
        "against": [{"name": rival.name, "sha256": rival.sha256} for rival in rivals],
        "objective": "mean VP in self-play plus mean margin against the rivals",
        "players": list(config.players),
        "edition": learning.settings[0].edition,
        "rules": learning.rules.hash,
        "seed": config.seed,
        "trials_seed": learning.trials_seed,
        "held_out_seed": learning.held_out_seed,
        "games": config.games,
        "failed": len(learned.failed),
        "tried": {"turns": config.turns, "answers": config.answers},
        "trials": learned.trials,
        "units": {subject: len(parts.begin) for subject, parts in learned.networks.items()},
        "epochs": config.fit.epochs,
        "trees": config.fit.trees,
        "leaves": config.fit.leaves,
        "rate": config.fit.rate,
        "least": config.fit.least,
        "others": config.fit.others,
        "test_games": check.games,
        **_gain(check),
        "lightgbm": version_of("lightgbm"),
        "numpy": version_of("numpy"),
        **_software(),
    }


def _gain(check: "Check") -> dict[str, Any]:
    """What a test showed."""
    return {
        "set_ups": check.set_ups,
        "gain": round(check.gain, 2),
        "gain_low": round(check.low, 2),
        "gain_high": round(check.high, 2),
        "level": check.level,
        "vp_gain": round(check.vp_gain, 2),
        "vp_in_self_play": round(check.vp, 2),
    }


def _origin(parents: Iterable[Heuristic], setting: "Setting", config: "TuneConfig", rules_hash: str) -> dict[str, Any]:
    return {
        "by": f"aoi-sim tune {software_versions()['aoi-sim']}",
        "parents": _descent(list(parents)),
        "against": [{"name": rival.name, "sha256": rival.sha256} for rival in setting.against],
        "objective": "mean VP in self-play" + (" plus mean margin against the rivals" if setting.against else ""),
        "players": config.n_players,
        "edition": setting.edition,
        "rules": rules_hash,
        "seed": config.seed,
    }


def _descent(parents: list[Heuristic]) -> list[dict[str, Any]]:
    """The parents, then theirs, as their files tell it, each once."""
    rows: list[dict[str, Any]] = [{"name": parent.name, "sha256": parent.sha256} for parent in parents]
    for parent in parents:
        earlier = parent.table()["provenance"].get("parents", [])
        for row in earlier if isinstance(earlier, list) else []:
            if isinstance(row, Mapping) and row not in rows:
                rows.append(dict(row))
    return rows


def _software() -> dict[str, str]:
    return {
        "python": software_versions()["python"],
        "build": build_kind(),
        "git_revision": git_revision() or "unknown",
    }


def _section(name: str, rows: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f"{_key(key)} = {_value(value)}" for key, value in rows.items())]


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    """A value as TOML; text of several lines keeps them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
