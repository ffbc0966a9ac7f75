"""Checks that the tables of a ruleset fit together, so that every game can be set up and played."""

from typing import Any

from aoi_sim.rules.overlay import Provenance


def check_coherence(data: dict[str, Any], options: dict[str, Any], provenance: Provenance) -> None:
    """Raises RulesError if the tables do not fit together."""
