"""What is compiled: a module that is forgotten in `modules.txt` still works, only slowly, and nobody would notice."""

from __future__ import annotations

import pytest

from aoi_sim.fast.stamp import ROOT, modules, source_path

# Read once a run, not in play: files, positions, records, checks of input.
NOT_IN_PLAY = {"codec", "decode", "decode_seat", "fields", "record"}


@pytest.mark.parametrize("room", ["engine", "players/weighted"])
def test_every_module_of_a_room_that_plays_is_compiled(room: str) -> None:
    there = {path.stem for path in (ROOT / "aoi_sim" / room).glob("*.py")} - {"__init__"} - NOT_IN_PLAY
    compiled = {module.rpartition(".")[2] for module in modules() if source_path(module).startswith(f"aoi_sim/{room}/")}
    assert there == compiled


def test_every_module_that_is_named_exists() -> None:
    assert [module for module in modules() if not (ROOT / source_path(module)).is_file()] == []
