"""What the price list says of abilities that only some factions have: tunnels (MOLE-1), the Lizards' free workshop (FAC)."""

from typing import Any

from aoi_sim.engine import actions as a
from aoi_sim.engine.state import State
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.gains import Gains
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.rules import load_ruleset
from aoi_sim.rules import vocabulary as v
from tests.players.positions import spot
from tests.rules.table import game

EXTRA = 7_000


def prices(state: State, **weights: Any) -> Prices:
    return WeightedPlayer("", weights, {}).prices(state, 0, state.round)


def test_tunnel_extra_counts_for_each_tunnel_and_for_no_other_site() -> None:
    """MOLE-1."""
    moles = {"faction": "moles", "buildings": {"B6": "workshop"}, "coins": 2, "tools": 2}
    state = spot(moles, homes="A6 D6 A5", round=5).state
    plain, extra = (Gains(state, 0, prices(state, tunnel_extra=extra)) for extra in (0, EXTRA))
    worths = [
        (one.mode, more.h == one.h, extra.site_worth(more) - plain.site_worth(one))
        for one, more in zip(plain.sites(), extra.sites(), strict=True)
    ]
    assert {mode for mode, _, _ in worths} == {a.PLAIN, a.TUNNEL}
    assert all(same and more == (EXTRA if mode == a.TUNNEL else 0) for mode, same, more in worths)


def test_free_workshop_counts_with_the_spade_that_brings_one_and_with_no_other() -> None:
    """FAC/lizards: each city tile brings a spade and a workshop."""
    state = game(players=4).state
    plain, extra = (prices(state, free_workshop=extra) for extra in (0, EXTRA))
    rules = load_ruleset()
    seen: set[tuple[str, int]] = set()
    for component in state.tables.components:
        for gain in [component.once, component.passing, *(trigger.gain for trigger in component.triggers)]:
            free = sum(op == v.OP_SPADES and with_workshop == 1 for op, _, with_workshop, _ in gain.parts)
            assert extra.gain(state, 0, gain) - plain.gain(state, 0, gain) == EXTRA * free, component.key
            if any(op == v.OP_SPADES for op, _, _, _ in gain.parts):
                seen.add((component.key, free))
    assert ("lizards", 1) in seen and {key for key, free in seen if free} == {"lizards"}
    assert len(seen) > 2 and "lizards" in rules.data["factions"]
