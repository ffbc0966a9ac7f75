"""The levels of a paired run: the same blocks (set-up seeds, deals, players' seeds) under several rules or players.

A level is a ruleset together with who plays; a factor over rulesets and one over heuristics give every combination. The
first level is what the others are compared with.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from aoi_sim.rules import edition_names, load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim.config import Level, PlanConfig, PlanError


def crossed(rulesets: Mapping[str, Ruleset], heuristics: Mapping[str, Sequence[str]]) -> tuple[Level, ...]:
    """Every ruleset with everybody who plays; none when there is nothing to compare.

    Args:
        rulesets: by the name of the level.
        heuristics: for each level's name one heuristic for all seats, or one a seat.
    """
    if len(rulesets) * len(heuristics) < 2:
        return ()
    levels = []
    for rules_name, rules in rulesets.items():
        for players_name, names in heuristics.items():
            varying = [rules_name] * (len(rulesets) > 1) + [players_name] * (len(heuristics) > 1)
            options = tuple(rules.options.items())
            levels.append(Level(" / ".join(varying), tuple(names), rules.edition, options, rules.overlays))
    return tuple(levels)


def rulesets_of(config: PlanConfig, rules: Ruleset) -> tuple[Ruleset, ...]:
    """The ruleset of each level; that of the run where there are no levels.

    Raises:
        PlanError: the levels cannot play the same blocks.
    """
    found = tuple(_ruleset(level) for level in config.levels) or (rules,)
    first = found[0]
    if first.hash != rules.hash:
        raise PlanError(
            f"rules of the first level are {first.hash}, not {rules.hash}, levels, give the run its first level"
        )
    for level, other in zip(config.levels, found, strict=bool(config.levels)):
        for what in ("factions", "boards"):
            odd = sorted(set(first.data[what]) ^ set(other.data[what]))
            if odd:
                raise PlanError(
                    f"{what} differ ({', '.join(odd)}), levels {config.levels[0].name} and {level.name}, "
                    "give both the same: what is not in both cannot be dealt to the same blocks"
                )
    return found


@lru_cache(maxsize=16)
def _ruleset(level: Level) -> Ruleset:
    return load_ruleset(level.edition, dict(level.options), list(level.overlays))


def named_rulesets(edition: str, given: Sequence[str]) -> dict[str, Ruleset]:
    """The levels that ``--rules A --rules B --paired`` names: rules files laid over the edition, or editions.

    A single one is compared with the edition itself.

    Raises:
        RulesError: a file is wrong.
        PlanError: two levels have the same name.
    """
    editions = edition_names()
    found: dict[str, Ruleset] = {} if len(given) > 1 else {edition: load_ruleset(edition)}
    for text in given:
        name = text if text in editions else Path(text).stem
        if name in found:
            raise PlanError(f"two levels with the name {name}, --rules, rename a file")
        found[name] = load_ruleset(text) if text in editions else load_ruleset(edition, overlays=[text])
    return found
