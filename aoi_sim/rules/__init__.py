"""The rules of the game as data: tables, editions, overlays and options (docs/rules.md)."""

from aoi_sim.rules.description import describe, kind_names
from aoi_sim.rules.errors import RulesError
from aoi_sim.rules.loader import edition_names, load_ruleset, option_definitions, option_names
from aoi_sim.rules.options import parse_option
from aoi_sim.rules.ruleset import Ruleset

__all__ = [
    "RulesError",
    "Ruleset",
    "describe",
    "edition_names",
    "kind_names",
    "load_ruleset",
    "option_definitions",
    "option_names",
    "parse_option",
]
