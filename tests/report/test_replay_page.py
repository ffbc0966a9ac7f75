"""The replay page as a file: what it holds is what the engine says, at every step, and it needs nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aoi_sim.engine import to_dict
from aoi_sim.engine.record import Record, RecordError, replay
from aoi_sim.report.replay_page import SOURCE_GROUPS, replay_page
from aoi_sim.report.replay_steps import merge_patch
from aoi_sim.rules.vocabulary import VP_SOURCES

RECORDS = Path(__file__).parents[1] / "golden/records"
GAMES = ["2p-010", "3p-226", "4p-153", "5p-051"]


def record_of(name: str) -> Record:
    return Record.parse((RECORDS / f"{name}.txt").read_text())


def data_of(page: str) -> dict[str, Any]:
    """The data that lies in a page."""
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    return dict(json.loads(found[0]))


def patched(target: Any, patch: Any) -> Any:
    """RFC 7386, as its text has it."""
    if not isinstance(patch, dict):
        return patch
    out = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            out.pop(name, None)
        else:
            out[name] = patched(out.get(name), value)
    return out


def as_the_engine_says(table: dict[str, Any]) -> dict[str, Any]:
    """The dict form of a state as JSON keeps it, without what is None."""
    return dict(json.loads(json.dumps(table), object_hook=lambda d: {k: v for k, v in d.items() if v is not None}))


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_the_state_of_the_engine(name: str) -> None:
    record = record_of(name)
    expected: list[dict[str, Any]] = []
    final = replay(record, see=lambda state, action: expected.append(to_dict(state)))
    expected.append(to_dict(final))
    data = data_of(replay_page(record))
    assert len(data["steps"]) == len(record.decisions) == len(expected) - 1
    position = data["first"]
    for k, want in enumerate(expected):
        table = dict(position["table"])
        table["seats"] = [table["seats"][str(i)] for i in range(len(want["seats"]))]
        assert table == as_the_engine_says(want), f"step {k}"
        if k < len(data["steps"]):
            position = patched(position, data["steps"][k][3])


def test_a_step_names_line_seat_and_decision() -> None:
    record = record_of("4p-153")
    steps = data_of(replay_page(record))["steps"]
    assert [step[:3] for step in steps] == [[line, seat, text] for line, _, _, seat, text in record.decisions]


def test_a_patch_takes_away_changes_and_adds() -> None:
    before = {"a": 1, "b": {"c": [1, 2], "d": {"e": 1}}, "f": "x", "g": {"h": 1}}
    after = {"a": 1, "b": {"c": [2], "d": {"e": 1}}, "g": {}, "i": {"j": {}}, "k": False}
    patch = merge_patch(before, after)
    assert patch == {"f": None, "b": {"c": [2]}, "g": {"h": None}, "i": {"j": {}}, "k": False}
    assert patched(before, patch) == after
    assert merge_patch(after, after) == {}


def test_a_patch_knows_zero_from_false() -> None:
    assert merge_patch({"a": 0, "b": 1}, {"a": False, "b": True}) == {"a": False, "b": True}


def test_every_source_of_vp_is_in_one_group() -> None:
    assert sorted(source for _, _, sources in SOURCE_GROUPS for source in sources) == sorted(VP_SOURCES)


def test_names_of_players_cannot_leave_the_data() -> None:
    text = (RECORDS / "2p-010.txt").read_text()
    nasty = "</script><script>alert(1)</script>"
    text = re.sub(r"^heuristics .*$", f"heuristics {nasty} x", text, flags=re.MULTILINE)
    page = replay_page(Record.parse(text))
    assert nasty not in page
    assert data_of(page)["heuristics"][0] == nasty


def test_the_page_names_nothing_outside_itself() -> None:
    page = replay_page(record_of("4p-153"))
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not a place
    assert set(re.findall(r'(?:src|href)="([^"]*)"', page)) <= {"data:,", *re.findall(r'"(#[\w-]+)"', page)}
    assert "default-src 'none'" in page


def test_the_page_of_a_long_game_is_small() -> None:
    record = record_of("4p-153")
    assert len(record.decisions) > 500
    assert len(replay_page(record).encode()) < 400_000


def test_a_record_cut_short_is_refused_or_shown_up_to_its_end() -> None:
    lines = (RECORDS / "2p-010.txt").read_text().splitlines()
    cut = Record.parse("\n".join(lines[:60]) + "\n")
    with pytest.raises(RecordError, match="cut short"):
        replay_page(cut)
    assert len(data_of(replay_page(cut, stop=61))["steps"]) == len(cut.decisions) > 0
    assert data_of(replay_page(cut, stop=cut.decisions[0][0]))["steps"] == []
