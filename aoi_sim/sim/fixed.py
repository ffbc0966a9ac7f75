"""The design ``fixed``: set-ups of a file, a row a set-up; what a row leaves open is drawn.

A TOML file has a table ``[[setup]]`` for each row, a CSV file a line; both have the same columns, lists in CSV with ``;``
between their words. Columns of tiles are those of the table ``games``; ``factions``, ``boards``, ``seat_bonus_tiles`` and
(in a draft) ``seat_palaces`` have a word a seat, empty where it is open.
"""

import csv
import difflib
import io
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from aoi_sim.engine.setup import draw_setup
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import PlanError
from aoi_sim.storage.findings import counted

SEAT_COLUMNS: Final = {
    "factions": ("faction", "factions"),
    "boards": ("board", "boards"),
    "seat_bonus_tiles": ("bonus", "bonus_tiles"),
    "seat_palaces": ("palace", "palaces"),
}
"""Column: its key in a deal, the table of the rules that has its words."""
TILE_COLUMNS: Final = {
    "round_tiles": "round_tiles",
    "book_actions": "book_actions",
    "innovations": "innovations",
    "competencies": "competencies",
    "palaces": "palaces",
    "bonus_tiles": "bonus_tiles",
}
"""Column with a list of tiles: the table of the rules that has its words."""
_SINGLE: Final = {"map": "maps", "final_tile": "final_tiles"}
_COLUMNS: Final = ("map", "final_tile", "area_tile", *TILE_COLUMNS, *SEAT_COLUMNS)
_ROWS: Final = "setup"

Row = dict[str, Any]


def read_fixed(path: Path, rulesets: Sequence[Ruleset], n_players: int, setup: str) -> str:
    """The set-ups of a file as the text of ``PlanConfig.fixed``.

    Args:
        path: a .toml or .csv file.
        rulesets: every one must have what the file names.
        n_players: seats of each game.
        setup: ``standard`` or ``draft``.

    Raises:
        PlanError: a row is wrong; one line that names the file and the row, counted from 1.
        OSError: the file cannot be read.
    """
    rows = _read_rows(path)
    if not rows:
        raise PlanError(f"no set-ups, {path} (--fixed), write a table [[{_ROWS}]] or a line for each")
    for rules in rulesets:
        sample = _Sample(rules, n_players, setup)
        for number, row in enumerate(rows, 1):
            wrong = sample.fault(row)
            if wrong:
                raise PlanError(f"{wrong[0]}, {path}, row {number}, {wrong[1]}")
    return json.dumps(rows, separators=(",", ":"), sort_keys=True)


def _read_rows(path: Path) -> list[Row]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PlanError(f"not UTF-8 text, {path} (--fixed), save it as UTF-8") from error
    if path.suffix == ".toml":
        return _toml_rows(text, path)
    if path.suffix == ".csv":
        return _csv_rows(text, path)
    raise PlanError(f"neither .toml nor .csv, {path} (--fixed), give a file of set-ups")


def _toml_rows(text: str, path: Path) -> list[Row]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"no TOML ({error}), {path} (--fixed), mend it") from error
    rows = data.pop(_ROWS, [])
    if data or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        named = ", ".join(data) or _ROWS
        raise PlanError(f"unexpected {named}, {path} (--fixed), write tables [[{_ROWS}]] and nothing else")
    return rows


def _csv_rows(text: str, path: Path) -> list[Row]:
    reader = csv.DictReader(io.StringIO(text), strict=True, skipinitialspace=True)
    rows: list[Row] = []
    try:
        for cells in reader:
            if None in cells or None in cells.values():
                raise PlanError(
                    f"{'more' if None in cells else 'fewer'} cells than columns, {path}, row {len(rows) + 1}, mend the line"
                )
            rows.append({name: _cell(name, text) for name, text in cells.items() if text.strip()})
    except csv.Error as error:
        raise PlanError(f"no CSV ({error}), {path}, row {len(rows) + 1}, mend it") from error
    return rows


def _cell(column: str, text: str) -> Any:
    text = text.strip()
    if column in TILE_COLUMNS or column in SEAT_COLUMNS:
        return [word.strip() for word in text.split(";")]
    return int(text) if column == "area_tile" and text.isdecimal() else text


class _Sample:
    """What a row may say, by the set-up of some game with these rules.

    Args:
        rules: the rules.
        n_players: seats.
        setup: ``standard`` or ``draft``.
    """

    def __init__(self, rules: Ruleset, n_players: int, setup: str) -> None:
        self.rules = rules
        self.n_players = n_players
        self.setup = setup
        self.draws = draw_setup(rules, n_players, 0, setup, "auto", [{}] * n_players)

    def fault(self, row: Row) -> tuple[str, str] | None:
        """What is wrong with a row and what to do, None if nothing is."""
        for column in row:
            if column not in _COLUMNS:
                return f"unknown column {column!r}", _hint(column, _COLUMNS)
        if self.setup == "draft" and "palaces" in row:
            return "palaces in a draft", "give seat_palaces"
        if self.setup != "draft" and "seat_palaces" in row:
            return "seat_palaces without a draft", "leave it out or choose --setup draft"
        return self._fault_of_words(row) or self._fault_of_wholes(row)

    def _fault_of_words(self, row: Row) -> tuple[str, str] | None:
        for column, value in row.items():
            if column == "area_tile":
                if self.n_players != 2:
                    return "area_tile with more than two players", "leave it out"
                if value not in self.rules.data["setup"]["area_tiles"]:
                    return f"area_tile {value!r}", f"choose {_listed(self.rules.data['setup']['area_tiles'])}"
                continue
            table = _SINGLE.get(column) or TILE_COLUMNS.get(column) or SEAT_COLUMNS[column][1]
            words = [value] if column in _SINGLE else value
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                return f"{column} is {value!r}", "write a word" if column in _SINGLE else "write a list of words"
            named = [word for word in words if word or column not in SEAT_COLUMNS]
            for word in named:
                if word not in self.rules.data[table]:
                    return f"no {column.rstrip('s')} {word!r}", _hint(word, list(self.rules.data[table]))
                if named.count(word) > 1:
                    return f"{word} twice in {column}", "name it once"
            wanted = 1 if column in _SINGLE else self._length(column)
            if len(words) != wanted:
                return f"{counted(len(words), 'word')} in {column}", f"give {wanted}"
        return None

    def _length(self, column: str) -> int:
        """How many words a list must have."""
        if column in SEAT_COLUMNS:
            return self.n_players
        if column == "bonus_tiles":
            return self.n_players + len(self.draws["bonus_tiles"])
        return len(self.draws[column])

    def _fault_of_wholes(self, row: Row) -> tuple[str, str] | None:
        """What does not fit together within a row."""
        setup = self.rules.data["setup"]
        if ("round_tiles" in row) != ("final_tile" in row):
            return "round_tiles and final_tile go together (SET-3)", "give both or none"
        if "map" in row and self.n_players not in self.rules.data["maps"][row["map"]]["players"]:
            return f"map {row['map']} with {self.n_players} players", "choose another"
        missing = [key for key in setup["always_palaces"] if "palaces" in row and key not in row["palaces"]]
        if missing:
            return f"palace {missing[0]} is always in play", "put it among palaces"
        never = [key for key in setup["never_drafted_palaces"] if key in row.get("seat_palaces", ())]
        if never:
            return f"palace {never[0]} is never drafted", "choose another"
        loose = [
            tile for tile in row.get("seat_bonus_tiles", ()) if tile and tile not in row.get("bonus_tiles", [tile])
        ]
        if loose:
            return f"{loose[0]} of seat_bonus_tiles is not among bonus_tiles", "put it there"
        return None


def _hint(word: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]}?" if close else f"choose {_listed(known)}"


def _listed(words: Sequence[Any]) -> str:
    return ", ".join(map(str, words))


def dealt(
    row: Mapping[str, Any], pools: Mapping[str, Sequence[str]], n_players: int, random: Random
) -> list[dict[str, str]]:
    """What each seat is dealt in a row: what it names, and for what it leaves open what ``random`` draws.

    Args:
        row: a set-up.
        pools: for each key of a deal the words that may be drawn.
        n_players: seats.
        random: draws what is open.
    """
    deal: list[dict[str, str]] = [{} for _ in range(n_players)]
    for column, (key, _) in SEAT_COLUMNS.items():
        if key not in pools:
            continue
        given = row.get(column, [""] * n_players)
        pool = row["bonus_tiles"] if key == "bonus" and "bonus_tiles" in row else pools[key]
        drawn = iter(random.sample([word for word in pool if word not in given], given.count("")))
        for seat, word in zip(deal, given, strict=True):
            seat[key] = word or next(drawn)
    return deal


def tiles_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The tiles that a row names."""
    return {name: row[name] for name in ("final_tile", "area_tile", *TILE_COLUMNS) if name in row}


def lay(draws: dict[str, Any], tiles: Mapping[str, Any]) -> None:
    """Put tiles in the place of those drawn; ``draws`` is what ``draw_setup`` returned for a deal."""
    for name, value in tiles.items():
        if name in ("innovations", "competencies"):
            draws[name] = [{**place, "key": key} for place, key in zip(draws[name], value, strict=True)]
        elif name == "bonus_tiles":
            held = [row["bonus"] for row in draws["deal"]]
            draws[name] = [key for key in value if key not in held]
        else:
            draws[name] = value
