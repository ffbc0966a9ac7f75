from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.weights import Weights
from aoi_sim.studies.weight_space import NOT_TUNED, WeightSpace


def test_the_origin_is_the_player_itself() -> None:
    own = {"coin": [600, 500, 400, 300, 250, 200], "beyond_pct": 120, "book": [2000, 900, 300]}
    space = WeightSpace(own)
    assert space.at([0.0] * len(space)) == {**DEFAULTS, **own}


def test_axes_follow_the_form_of_a_weight() -> None:
    space = WeightSpace(
        {"coin": [600, 500, 400, 300, 250, 200], "vp": 1000, "tool": [2000, 100]}, ["coin", "vp", "tool"]
    )
    assert [(axis.name, axis.end) for axis in space.axes] == [
        ("vp", 0),
        ("coin", 0),
        ("coin", 1),
        ("tool", 0),
        ("tool", 1),
    ]
    moved = space.at([0.2, 0.0, 1.0, -1.0, 2.0])
    assert moved["vp"] == 1070
    assert moved["coin"] == [600, 530, 460, 390, 370, 350]
    assert moved["tool"] == [1300, 400]


def test_three_numbers_have_three_axes() -> None:
    space = WeightSpace({"tool": [2000, 1000, 100]}, ["tool"])
    assert [axis.end for axis in space.axes] == [0, 1, 2]
    assert space.at([1.0, -1.0, 0.0])["tool"] == [2700, 650, 100]


def test_shares_and_counts_stay_at_zero_or_above() -> None:
    space = WeightSpace({})
    moved = space.at([-50.0] * len(space))
    assert not set(NOT_TUNED) & set(space.names)
    for name, value in moved.items():
        values = value if isinstance(value, list) else [value]
        if name.endswith(("_pct", "_many")):
            assert min(values) >= 0, name
    Weights(moved)
