from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aoi_sim.analysis.uncertainty import clustered_means
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.config import PlanConfig, PlanError
from aoi_sim.sim.designs import balance_counts
from aoi_sim.sim.focus import focus_part, focus_part_size, presence, rounded_counts
from aoi_sim.sim.plan import Plan

RULES = load_ruleset()
TWO = ("illusionists", "moles")


def plan(n_games: int = 140, n_players: int = 4, **config: Any) -> Plan:
    config = {"design": "focus", "focus": TWO} | config
    return Plan(PlanConfig(n_games, n_players, **config), RULES)


def spread(cells: list[int]) -> int:
    return max(cells) - min(cells)


@st.composite
def tables(draw: st.DrawFn) -> list[list[Fraction]]:
    n_rows, n_columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = st.fractions(0, 5, max_denominator=12)
    table = [[draw(cells) for _ in range(n_columns)] for _ in range(n_rows)]
    table[-1][-1] += -sum(chain.from_iterable(table)) % 1
    return table


@settings(max_examples=150, deadline=None)
@given(tables(), st.integers(0, 999))
def test_cells_and_sums_are_rounded_up_or_down(wanted: list[list[Fraction]], seed: int) -> None:
    counts = rounded_counts(wanted, Random(seed))
    assert sum(map(sum, counts)) == sum(map(sum, wanted))
    for given_line, line in zip(
        [*wanted, *zip(*wanted, strict=True)], [*counts, *zip(*counts, strict=True)], strict=True
    ):
        assert abs(sum(given_line) - sum(line)) < 1
        assert all(abs(a - b) < 1 for a, b in zip(given_line, line, strict=True))


def test_rounding_is_without_bias() -> None:
    wanted = [[Fraction(1, 3), Fraction(2, 3), Fraction(1, 2)], [Fraction(1, 4), Fraction(3, 4), Fraction(1, 2)]]
    counts = np.array([rounded_counts(wanted, Random(seed)) for seed in range(4000)])
    assert np.abs(counts.mean(axis=0) - np.array(wanted, dtype=float)).max() < 0.03


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 5),
    st.integers(0, 9),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(1, 90),
    st.integers(0, 10**6),
)
def test_focused_ones_are_in_every_game_and_the_rest_is_even(
    n: int, more_factions: int, more_boards: int, n_focus: int, n_focus_boards: int, n_games: int, seed: int
) -> None:
    n_factions, n_boards = n + more_factions, n + more_boards
    focus, focus_boards = set(range(min(n, n_focus))), set(range(min(n, n_focus_boards)))
    factions, boards = presence(n_factions, n, focus), presence(n_boards, n, focus_boards)
    games = focus_part(factions, boards, n, n_games, seed)
    assert len(games) == n_games
    for game in games:
        assert focus <= {faction for faction, _ in game}
        assert focus_boards <= {board for _, board in game}
        assert len({faction for faction, _ in game}) == len({board for _, board in game}) == len(game) == n
    counts = balance_counts(games, n_factions, n_boards)
    for faction in range(n_factions):
        assert spread(counts["faction x seat"][faction]) <= 1
    for own in (focus, set(range(n_factions)) - focus):
        for theirs in (focus_boards, set(range(n_boards)) - focus_boards):
            met = [counts["faction x board"][faction][board] for faction in own for board in theirs]
            assert not met or spread(met) <= 1


@pytest.mark.parametrize("focus", [["illusionists"], TWO, ["moles", "lake"], ["lake", "desert"]])
@pytest.mark.parametrize("n_players", [3, 4, 5])
def test_a_whole_part_is_exact(focus: list[str], n_players: int) -> None:
    own = {f for f, key in enumerate(RULES.data["factions"]) if key in focus}
    own_boards = {b for b, key in enumerate(RULES.data["boards"]) if key in focus}
    factions, boards = presence(12, n_players, own), presence(7, n_players, own_boards)
    size = focus_part_size(factions, boards, n_players)
    counts = balance_counts(focus_part(factions, boards, n_players, size, 3), 12, 7)
    for faction in range(12):
        assert counts["faction x seat"][faction] == [size * factions[faction] / n_players] * n_players
        for board in range(7):
            assert counts["faction x board"][faction][board] == size * factions[faction] * boards[board] / n_players


def test_a_run_of_several_parts_stays_even() -> None:
    for n_games in (30, 140, 301):
        focused = plan(n_games)
        table = focused.balance()["faction x board"]
        rows = dict(zip(focused.factions, table, strict=True))
        assert all(sum(rows[key]) == n_games and spread(rows[key]) <= 1 for key in TWO)
        assert spread([cell for key, row in rows.items() if key not in TWO for cell in row]) <= 1


def test_a_game_depends_on_its_index_alone_and_shares_its_set_up_with_other_designs() -> None:
    games = list(plan(300).games())
    again = plan(300)
    assert [again.game(index) for index in reversed(range(300))] == games[::-1]
    balanced = Plan(PlanConfig(300), RULES)
    assert [spec.setup_seed for spec in games] == [spec.setup_seed for spec in balanced.games()]
    assert plan(focus=("moles",)).hash != plan().hash


def margin_errors(made: Plan, seed: int) -> dict[str, float]:
    """Standard errors of the margins of a made-up truth: factions, boards, a set-up that suits some, play."""
    random = np.random.default_rng(seed)
    strength = dict(zip(made.factions, random.normal(0, 5, 12), strict=True))
    worth = dict(zip(made.boards, random.normal(0, 5, 7), strict=True))
    rows = []
    for spec in made.games():
        assert spec.deal is not None
        vps = [strength[row["faction"]] + worth[row["board"]] + random.normal(0, 17) for row in spec.deal]
        mean = sum(vps) / len(vps)
        rows += [(spec.block, row["faction"], vp - mean) for row, vp in zip(spec.deal, vps, strict=True)]
    table = pl.LazyFrame(rows, schema=["block", "faction", "margin"], orient="row")
    return dict(clustered_means(table, ["margin"], ["faction"]).select("faction", "se").iter_rows())


def test_focus_needs_a_third_of_the_games_for_the_same_standard_error() -> None:
    focused = [margin_errors(plan(560), seed) for seed in range(5)]
    balanced = [margin_errors(Plan(PlanConfig(1680), RULES), seed) for seed in range(5)]
    for key in TWO:
        ratio = np.mean([errors[key] for errors in focused]) / np.mean([errors[key] for errors in balanced])
        assert 0.95 < ratio < 1.05


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"focus": ()}, ["design focus", "--focus", "name factions or boards"]),
        ({"focus": ("molse",)}, ["'molse'", "--focus", "did you mean moles?"]),
        ({"focus": ("moles", "moles")}, ["moles", "--focus", "twice"]),
        ({"focus": ("moles", "goblins", "monks"), "n_players": 2}, ["3 factions", "2 players", "--focus"]),
        ({"focus": ("moles",), "design": "balanced"}, ["--focus", "design balanced"]),
    ],
)
def test_wrong_focus_says_what_where_and_what_to_do(config: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(PlanError) as caught:
        plan(**config)
    assert [word for word in words if word not in str(caught.value)] == []
