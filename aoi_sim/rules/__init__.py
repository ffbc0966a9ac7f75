"""The rules of the game as data: tables, editions, overlays and options (docs/rules.md)."""

from aoi_sim.rules.errors import RulesError
from aoi_sim.rules.loader import edition_names, load_ruleset, option_definitions, option_names
from aoi_sim.rules.ruleset import Ruleset

__all__ = ["RulesError", "Ruleset", "edition_names", "load_ruleset", "option_definitions", "option_names"]
