"""Restricted play as part of a plan: which restriction a block takes, and the set-up in which its component is in play."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from aoi_sim.engine.setup import draw_setup
from aoi_sim.players.restriction import parsed
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.config import PlanConfig

_DRAWN: Final = {
    "palace": "palaces",
    "innovation": "innovations",
    "competency": "competencies",
    "book": "book_actions",
    "bonus": "bonus_tiles",
}
"""Kinds of which only some are in play, with the name of the draw."""


def restriction_of(config: PlanConfig, block: int) -> str:
    """The restriction that the seats of a block are under in turn; block after block takes the next."""
    return config.restrictions[block % len(config.restrictions)]


def in_play(
    config: PlanConfig, rules: Ruleset, block: int, deal: Sequence[Mapping[str, str]] | None
) -> dict[str, list[str]]:
    """Tiles that put the component of a block's restriction in play, in the place of one that was drawn.

    It takes the place of a tile at random, so the others are distributed as in set-ups that happen to hold it.

    Args:
        config: the plan's.
        rules: of the first level.
        block: its number.
        deal: what its seats are dealt.

    Returns:
        Tiles for ``fixed.lay``; none where nothing has to change.
    """
    kind, key, _ = parsed(restriction_of(config, block), rules)
    if not key or kind not in _DRAWN:
        return {}
    seed = seeding.stream(config.seed, block, seeding.SETUP)
    draws = draw_setup(rules, config.n_players, seed, config.setup, config.map, deal)
    column = _DRAWN[kind]
    held = [row["bonus"] for row in deal or ()] if kind == "bonus" else []
    drawn = [_key(tile) for tile in draws[column]]
    if key in (*held, *drawn):
        return {}
    always = rules.data["setup"]["always_palaces"] if kind == "palace" else ()
    places = [place for place, tile in enumerate(drawn) if tile not in always]
    drawn[Random(seeding.stream(config.seed, block, seeding.IN_PLAY)).choice(places)] = key
    return {column: [*held, *drawn]}


def _key(tile: Any) -> str:
    return str(tile["key"]) if isinstance(tile, dict) else str(tile)
