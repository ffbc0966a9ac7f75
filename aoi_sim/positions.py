"""Position files: any state as TOML (docs/positions.md)."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from aoi_sim.engine.codec import to_dict
from aoi_sim.engine.decode import from_dict
from aoi_sim.engine.fields import PositionError
from aoi_sim.engine.state import State
from aoi_sim.rules import load_ruleset

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def load_position(path: str | Path) -> State:
    """Read a position file, with the edition, options and overlays that it names.

    Args:
        path: a TOML file; its `overlays` are looked for beside it.

    Raises:
        PositionError: the file cannot be read or describes no position.
        RulesError: its edition, options or overlays are wrong.
    """
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as bad:
        raise PositionError(f"cannot read {path}: {bad.strerror}, in the path, give a position file") from None
    except UnicodeDecodeError:
        raise PositionError(f"{path} is no text, in the path, give a position file (TOML)") from None
    except tomllib.TOMLDecodeError as bad:
        raise PositionError(f"no TOML ({bad}), in {path}, mend the line") from None
    try:
        return position_from(data, path.parent)
    except PositionError as bad:
        raise PositionError(f"{bad} ({path})") from None


def position_from(data: dict[str, Any], folder: Path) -> State:
    """The state that the table of a position file describes."""
    overlays = data.get("overlays", [])
    if not isinstance(overlays, list) or not all(isinstance(o, str) for o in overlays):
        raise PositionError(f"{overlays!r}, in overlays, use a list of paths")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise PositionError(f"{options!r}, in options, use a table")
    rules = load_ruleset(
        edition=data.get("edition", "1.2"),
        options=options,
        overlays=[o if o.lstrip().startswith("{") else folder / o for o in overlays],
    )
    return from_dict(rules, data)


def dump_position(state: State) -> str:
    """The position file of a state, with every key (None is left out)."""
    data = to_dict(state)
    overlays = list(state.tables.rules.overlays)
    if overlays:
        data["overlays"] = overlays
    plain = {k: v for k, v in data.items() if k != "seats" and not isinstance(v, dict)}
    lines = [f"{_key(k)} = {_value(v)}" for k, v in plain.items() if v is not None]
    for key, value in data.items():
        if isinstance(value, dict):
            lines += ["", f"[{_key(key)}]"]
            lines += [f"{_key(k)} = {_value(x)}" for k, x in value.items() if x is not None]
    for seat in data["seats"]:
        lines += ["", "[[seats]]"]
        lines += [f"{_key(k)} = {_value(x)}" for k, x in seat.items() if x is not None]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(k)} = {_value(x)}" for k, x in value.items() if x is not None)
        return "{" + inner + "}"
    return "[" + ", ".join(_value(x) for x in value) + "]"
