"""What the tuner writes keeps the lessons: text and back, of a search and of a candidate."""

import json
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aoi_sim.players import find_heuristic
from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import packed
from aoi_sim.rules import load_ruleset
from aoi_sim.studies.candidate import CandidateTest
from aoi_sim.studies.tuned_file import tuned_text
from aoi_sim.studies.tuning import Tuning
from aoi_sim.studies.tuning_check import Version
from aoi_sim.studies.tuning_config import TuneConfig
from aoi_sim.studies.tuning_games import Outcome, Workers
from tests.players.taught import content, graded, toml

RULES = load_ruleset()


def big_lessons() -> dict[str, Any]:
    """Lessons whose packed text takes many rows."""
    sums = [0, *(k * k * 7919 % 32_749 for k in range(3000))]
    rows = graded(*[(k, after - before) for k, (before, after) in enumerate(pairwise(sums))])
    return {**content(rows=rows, subjects=("turn", "city")), "features": list(NAMES)}


def fake_play(workers: Workers, tasks: Any) -> Any:
    """Games that are better with many coins, and 5 VP better with lessons."""
    for _, player, root, block in tasks:
        table = json.loads(player.content)
        yield Outcome(
            100 + min(table["weights"]["coin"][0], 700) / 100 + 5 * bool(table["lessons"]) + (root + block) % 7, ()
        )


def test_lessons_are_written_as_they_are_read(tmp_path: Path) -> None:
    lessons = big_lessons()
    path = tmp_path / "taught.toml"
    table = find_heuristic("expert").table()
    players = {"2": {"coin": [4, 3]}, "5": {"book": 1}}
    version = Version(Version.of(table).weights, {"moles": {"coin": 3}}, lessons, players)
    text = tuned_text(table, version, {"by": "me"}, "today")
    path.write_text(text)
    back = find_heuristic(path).table()
    assert back["factions"] == {"moles": {"coin": 3}} and back["provenance"] == {"by": "me"}
    assert back["players"] == players
    networks = back["lessons"].pop("networks")
    assert {subject: "".join(text.split()) for subject, text in networks.items()} == lessons["networks"]
    assert back["lessons"] == {key: value for key, value in lessons.items() if key != "networks"}
    rows = text[text.index("[lessons]") : text.index("[provenance]")].splitlines()
    assert len(rows) > 100 and max(map(len, rows)) <= 114
    # Written again from what was read, it is the same text.
    version = Version.of(find_heuristic(path).table())
    assert tuned_text(table, version, {"by": "me"}, "today") == text


@given(st.lists(st.integers(-32_768, 32_767), min_size=1, max_size=300))
@settings(max_examples=50)
def test_whatever_is_packed_can_be_quoted(numbers: list[int]) -> None:
    text = packed([numbers, [0]])
    assert tomllib.loads(f"x = '''\n{text}\n'''")["x"].strip() == text


def test_without_lessons_there_is_no_table(tmp_path: Path) -> None:
    table = {**find_heuristic("expert").table(), "lessons": {}}
    assert "[lessons" not in tuned_text(table, Version.of(table), {}, "today")


@pytest.mark.parametrize("by_faction", [False, True])
def test_a_tuned_heuristic_keeps_its_lessons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_faction: bool) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    parent = tmp_path / "parent.toml"
    parent.write_text("[weights]\ncoin = [400, 200]\n" + toml(content()))
    config = TuneConfig(population=6, set_ups=3, held_out=8, weights=("coin",), by_faction=by_faction)
    tuning = Tuning(parent, (), tmp_path / "better.toml", rules=RULES, config=config, n_jobs=1)
    assert tuning.search.mean().lessons == tuning.search.ask()[0].lessons == content()
    if not by_faction:
        assert tuning.run(900, say=lambda text: None)
        table = find_heuristic(tuning.out).table()
        assert set(table["lessons"]["networks"]) == set(content()["networks"])
        assert table["lessons"]["components"] == content()["components"]


def test_a_candidate_is_tested_and_written_with_its_own_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workers, "play", fake_play)
    (tmp_path / "plain.toml").write_text("[weights]\ncoin = [400, 200]\n")
    (tmp_path / "taught.toml").write_text("[weights]\ncoin = [400, 200]\n" + toml(content(subjects=["tile"])))

    def test(source: str, candidate: str) -> CandidateTest:
        rest: dict[str, Any] = {"rules": RULES, "config": TuneConfig(held_out=5), "n_jobs": 1}
        return CandidateTest(tmp_path / source, tmp_path / candidate, (), tmp_path / "new.toml", **rest)

    won = test("plain.toml", "taught.toml").run(40, say=lambda text: None)
    assert won.accepted and won.gain == 5
    assert [*find_heuristic(tmp_path / "new.toml").table()["lessons"]["networks"]] == ["tile"]
    assert test("taught.toml", "plain.toml").run(40, say=lambda text: None).gain == -5
