"""The rules that ``--edition`` and ``--rules`` name."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aoi_sim.cli.errors import InputError, warn

if TYPE_CHECKING:
    from aoi_sim.rules import Ruleset


def ruleset_of(edition: str, files: Sequence[str] | None) -> "Ruleset":
    """The rules of an edition with rules files laid over it; a file that changes nothing is told in a line.

    Args:
        edition: name of the edition.
        files: paths of the rules files, each laid over what is before it.

    Raises:
        RulesError: there is no such edition, or a file is wrong.
    """
    from aoi_sim.rules import load_ruleset

    given = list(files or [])
    whole = before = load_ruleset(edition, overlays=given)
    for number in reversed(range(len(given))):
        before, after = load_ruleset(edition, overlays=given[:number]), before
        if before == after:
            warn(f"changes nothing, {given[number]} (--rules), the games are those without it")
    return whole


def levels_of(edition: str, files: Sequence[str]) -> "dict[str, Ruleset]":
    """The levels of ``--paired``: rules files, each laid over the edition, or editions.

    Raises:
        RulesError: a file is wrong.
        PlanError: two levels have the same name.
        InputError: two levels have the same rules.
    """
    from aoi_sim.sim.levels import named_rulesets

    levels = named_rulesets(edition, files)
    names = list(levels)
    for number, name in enumerate(names):
        for other in names[:number]:
            if levels[name] == levels[other]:
                raise InputError(f"the same rules as {other}, {name} (--rules), give levels with rules that differ")
    return levels
