"""Players by name."""

import pytest

from aoi_sim.players import UnknownHeuristic, make_player


@pytest.mark.parametrize(("name", "close"), [("gredy", "greedy"), ("Random", "random"), ("explore", "explorer")])
def test_a_misspelt_name_is_told_the_right_one(name: str, close: str) -> None:
    with pytest.raises(UnknownHeuristic) as error:
        make_player(name, 0, 1)
    assert str(error.value) == f"unknown heuristic, {name!r}, did you mean {close}?"
    assert error.value.heuristic == name


def test_a_strange_name_is_told_all_names() -> None:
    with pytest.raises(ValueError, match=r"unknown heuristic, .zzz., choose one of .*explorer, greedy.*, random"):
        make_player("zzz", 0, 1)
