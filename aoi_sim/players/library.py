"""Heuristic files: where they lie, and the weights of a TOML file with its bases worked in.

A name is looked for in the folder of the file that names it (for a base), in ``./heuristics``, and in the package.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from aoi_sim.players.heuristic import HeuristicError
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.lessons import LessonsError, check_lessons
from aoi_sim.players.weighted.weights import ROUNDS, Weights, WeightsError, spread
from aoi_sim.rules.schema import PLAYER_COUNTS

SUFFIXES: Final = (".toml", ".py")
_TEXTS: Final = ("doc", "idea", "source", "date")
_KEYS: Final = (*_TEXTS, "base", "weights", "players", "factions", "lessons", "temperature", "provenance")
_PLAYERS: Final = [str(n) for n in PLAYER_COUNTS]
_CHANGES: Final = ("players", "factions")
"""Weights that differ by number of players, and by faction; the latter hold where both do."""
NO_LESSONS: Final = "none"


def folders() -> list[Path]:
    """Folders of heuristic files, the first to be searched first."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "heuristics"
    return [Path("heuristics"), installed if installed.is_dir() else package.parent / "heuristics"]


def file_names() -> dict[str, Path]:
    """Every heuristic file that can be named, by name."""
    found: dict[str, Path] = {}
    for folder in folders():
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if path.suffix in SUFFIXES and not path.name.startswith("_"):
                    found.setdefault(path.stem, path)
    return found


def find_file(name: str, beside: Path | None = None) -> Path | None:
    """The file of a name, None if there is none.

    Args:
        name: name of the heuristic.
        beside: a folder to search first.
    """
    for folder in folders() if beside is None else [beside, *folders()]:
        for suffix in SUFFIXES:
            path = folder / (name + suffix)
            if path.is_file():
                return path
    return None


def read_file(path: Path) -> str:
    """The text of a heuristic file.

    Raises:
        HeuristicError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as bad:
        raise HeuristicError(f"cannot be read ({bad.strerror}), {path}, give a .toml or .py file") from None
    except UnicodeDecodeError:
        raise HeuristicError(f"no text in UTF-8, {path}, give a .toml or .py file") from None


def resolved(path: Path) -> str:
    """The content of a TOML heuristic as JSON: its texts, every weight that differs from the defaults, its bases.

    Raises:
        HeuristicError: the file, or a base of it, is wrong.
    """
    table = _resolve(path, ())
    return json.dumps(table, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _resolve(path: Path, above: tuple[Path, ...]) -> dict[str, Any]:
    here = path.resolve()
    if here in above:
        chain = " > ".join(p.stem for p in (*above, here))
        raise HeuristicError(f"base leads back to itself ({chain}), {path}, key base, name another file")
    text = read_file(path)
    data = _parsed(text, path)
    table: dict[str, Any] = {"weights": {}, "players": {}, "factions": {}, "bases": [], "lessons": {}}
    if "base" in data:
        base = _base(data["base"], path)
        inherited = _resolve(base, (*above, here))
        table = {key: inherited[key] for key in table}
        table["bases"].append({"name": base.stem, "sha256": hashlib.sha256(read_file(base).encode()).hexdigest()})
    try:
        _lay_over(table, data)
        Weights(table["weights"])
        for players in table["players"]:
            Weights(table["weights"], players=players, by_players=table["players"])
        for faction in table["factions"]:
            Weights(table["weights"], faction, table["factions"])
    except WeightsError as bad:
        raise HeuristicError(f"{bad} ({path})") from None
    if "lessons" in data:
        table["lessons"] = _lessons(data["lessons"], path)
    texts = {key: data[key] for key in _TEXTS if key in data}
    return {**texts, **table, "temperature": data.get("temperature", 0), "provenance": data.get("provenance", {})}


def _base(name: Any, path: Path) -> Path:
    """The file that ``base`` names: a name, or a path from the folder of the file."""
    if not isinstance(name, str):
        raise HeuristicError(f"base is {name!r}, {path}, give a name in quotes")
    base = path.parent / name if name.endswith(".toml") else find_file(name, path.parent)
    if base is None or base.suffix != ".toml" or not base.is_file():
        raise HeuristicError(f"unknown base {name!r}, {path}, key base, name a TOML heuristic")
    return base


def _lessons(content: Any, path: Path) -> dict[str, Any]:
    """The lessons of a file: its table ``[lessons]``, or none."""
    if content == NO_LESSONS:
        return {}
    try:
        check_lessons(content)
    except LessonsError as bad:
        raise HeuristicError(
            f'{bad}, {path}, key lessons, let `aoi-sim learn` write it, or say "{NO_LESSONS}"'
        ) from None
    known: dict[str, Any] = content
    return known


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """The table of a file, its keys and their types checked."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as bad:
        raise HeuristicError(f"no TOML ({bad}), {path}, mend the line") from None
    for key in data:
        if key not in _KEYS:
            raise HeuristicError(f"unknown key {key!r}, {path}, use {', '.join(_KEYS)}")
    for key in _TEXTS:
        if not isinstance(data.get(key, ""), str):
            raise HeuristicError(f"{key} is no text, {path}, put it in quotes")
    for key in ("weights", *_CHANGES, "provenance"):
        if not isinstance(data.get(key, {}), dict):
            raise HeuristicError(f"{key} is no table, {path}, write [{key}]")
    for kind in _CHANGES:
        for key, changes in data.get(kind, {}).items():
            if not isinstance(changes, dict):
                raise HeuristicError(f"{kind}.{key} is no table, {path}, write [{kind}.{key}]")
    for players in data.get("players", {}):
        if players not in _PLAYERS:
            raise HeuristicError(
                f"players.{players}, {path}, write [players.{_PLAYERS[0]}] to [players.{_PLAYERS[-1]}]"
            )
    temperature = data.get("temperature", 0)
    if isinstance(temperature, bool) or not isinstance(temperature, int) or temperature < 0:
        raise HeuristicError(
            f"temperature is {temperature!r}, {path}, give a whole number from 0 (thousandths of a VP)"
        )
    json_of_provenance(data.get("provenance", {}), path)
    return data


def json_of_provenance(provenance: Mapping[str, Any], path: Path) -> str:
    """The provenance as JSON.

    Raises:
        HeuristicError: it holds what JSON cannot, such as a TOML date.
    """
    try:
        return json.dumps(provenance)
    except TypeError:
        raise HeuristicError(f"provenance holds a date without quotes, {path}, put it in quotes") from None


# Weights over those of a base.


def _lay_over(table: dict[str, Any], data: Mapping[str, Any]) -> None:
    """Lay the weights of a file, then those by number of players and by faction, over a table.

    A weight given for all replaces what the base had for numbers of players or factions; a change (``"150%"``,
    ``"+800"``) changes those too.
    """
    for name, value in data.get("weights", {}).items():
        if _is_change(value):
            table["weights"][name] = _changed(_before(table, name), value, name)
        else:
            table["weights"][name] = value
        for kind in _CHANGES:
            for key, row in table[kind].items():
                if name in row and _is_change(value):
                    row[name] = _changed(row[name], value, f"{kind}.{key}.{name}")
                else:
                    row.pop(name, None)
    for kind in _CHANGES:
        for key, changes in data.get(kind, {}).items():
            row = table[kind].setdefault(key, {})
            for name, value in changes.items():
                before = row.get(name, _before(table, name))
                row[name] = _changed(before, value, f"{kind}.{key}.{name}") if _is_change(value) else value
        table[kind] = {key: row for key, row in table[kind].items() if row}


def _before(table: Mapping[str, Any], name: str) -> Any:
    return table["weights"].get(name, DEFAULTS.get(name, 0))


def _is_change(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and any(isinstance(x, str) for x in value))


def _changed(before: object, change: object, where: str) -> list[int]:
    """A weight, one number a round, after a change: per cent of it, or an amount more or less; or a list of such."""
    parts = change if isinstance(change, list) else [change]
    amounts: list[int] = []
    percent = str(parts[0]).endswith("%")
    for part in parts:
        text = str(part)
        digits = text[:-1] if percent else text
        if not isinstance(part, str) or text.endswith("%") != percent or not _is_amount(digits, percent):
            raise WeightsError(f'{part!r}, in {where}, use a whole number, or a change such as "150%" or "+800"')
        amounts.append(int(digits))
    rows = spread(before, where)
    changes = spread(amounts[0] if len(amounts) == 1 else amounts, where)
    if percent:
        return [rows[k] * changes[k] // 100 for k in range(ROUNDS)]
    return [rows[k] + changes[k] for k in range(ROUNDS)]


def _is_amount(digits: str, percent: bool) -> bool:
    if percent:
        return digits.isascii() and digits.isdigit()
    return len(digits) > 1 and digits[0] in "+-" and digits[1:].isascii() and digits[1:].isdigit()
