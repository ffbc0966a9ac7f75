"""The file of bids: whatever is wrong with it, or with the folder it is looked for in, is one line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from aoi_sim.cli.app import app
from aoi_sim.rules import load_ruleset
from aoi_sim.studies.bid_store import read_bids

RULES = load_ruleset()
BIDS: Final[dict[str, Any]] = {
    "format": "aoi-sim bids",
    "n_players": 2,
    "map": "auto",
    "edition": RULES.edition,
    "rules": RULES.hash,
    "overlays": ["{}"],
    "heuristic": "random",
    "n_games": 100,
    "start": 20,
    "scale": 9.5,
    "pairs": [{"faction": "moles", "board": "lake", "value": 1.0, "low": 0.5, "high": 1.5}],
    "bonus": {"river": 0.25},
}
OF_ANOTHER_KIND: Final[dict[type, list[Any]]] = {
    str: [3, None, ["a"], {"a": 1}],
    int: ["text", None, 2.5, True, ["a"], {"a": 1}],
    float: ["text", None, True, float("nan"), float("inf"), ["a"], {"a": 1}],
    list: ["text", 3, None, {"a": 1}],
    dict: ["text", 3, None, ["a"]],
}


def wrong(value: Any) -> Iterator[Any]:
    """The value with one part of it, whichever, of another kind or missing."""
    yield from OF_ANOTHER_KIND[type(value)]
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: changed} for changed in wrong(inner))
            if key != "river":  # no bonus tile has to be there
                yield {name: one for name, one in value.items() if name != key}
    if isinstance(value, list):
        for k, inner in enumerate(value):
            yield from ([*value[:k], changed, *value[k + 1 :]] for changed in wrong(inner))


def bid(study: Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["bid", "7", "--study", str(study)])
    return result.exit_code, result.stderr


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "bids.json").write_text(json.dumps(BIDS))
    assert read_bids(tmp_path).handicap("moles", "lake", "river") == {"value": 1.25, "low": 0.75, "high": 1.75}


def test_a_value_of_another_kind_anywhere_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "bids.json"
    changes = list(wrong(BIDS))
    assert len(changes) > 100
    for changed in changes:
        path.write_text(json.dumps(changed))
        status, line = bid(tmp_path)
        no_bids = isinstance(changed, dict) and changed.get("format", BIDS["format"]) != BIDS["format"]
        what = "no bids" if no_bids else "damaged bids"
        assert status == 2, changed
        assert line.startswith(f"error: {what}, {path}, "), (changed, line)
        assert line.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b"nonsense", b'{"format": "aoi-sim bids"'])
def test_what_is_no_json_is_damage(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bids.json"
    path.write_bytes(content)
    assert bid(tmp_path) == (2, f"error: damaged bids, {path}, run the study's command again\n")


@pytest.mark.parametrize(("n_players", "scale"), [(0, 9.5), (6, 9.5), (-2, 9.5), (2, 0.0), (2, -1.0)])
def test_numbers_that_no_study_has_are_damage(tmp_path: Path, n_players: int, scale: float) -> None:
    path = tmp_path / "bids.json"
    path.write_text(json.dumps({**BIDS, "n_players": n_players, "scale": scale}))
    assert bid(tmp_path) == (2, f"error: damaged bids, {path}, run the study's command again\n")


def test_a_study_of_several_players_names_the_folders_of_each(tmp_path: Path) -> None:
    for name in ("expert", "greedy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bids.json").write_text(json.dumps(BIDS))
    names = f"{tmp_path / 'expert'}, {tmp_path / 'greedy'}"
    assert bid(tmp_path) == (2, f"error: bids of each player apart, {tmp_path}, give one of {names} (--study)\n")
