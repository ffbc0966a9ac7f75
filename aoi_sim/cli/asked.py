"""The options of ``run`` and ``plan`` as a request."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.rulesets import levels_of, ruleset_of
from aoi_sim.cli.run_options import words

if TYPE_CHECKING:
    from aoi_sim.sim.request import Request


def asked_request(
    *,
    edition: str,
    rules: list[str] | None,
    heuristics: list[str] | None,
    paired: bool,
    focus: str | None,
    **others: Any,
) -> "Request":
    """The request of a command line.

    Args:
        edition: edition of the rules.
        rules: rules files, laid over each other, or each a level if ``paired``.
        heuristics: who plays, words with commas; several only if ``paired``.
        paired: whether rules and heuristics are levels.
        focus: words with commas.
        others: as ``make_request`` takes them.

    Raises:
        InputError, PlanError, RulesError, HeuristicError: wrong input.
    """
    from aoi_sim.rules import load_ruleset
    from aoi_sim.sim.request import make_request

    given = heuristics or ["expert"]
    if not paired:
        if len(given) > 1:
            raise InputError(f"{len(given)} times --heuristics, --heuristics, give a,b,... or add --paired")
        ruleset = ruleset_of(edition, rules)
        return make_request(rules=ruleset, heuristics=words(given[0]), focus=words(focus), **others)
    if not rules and len(given) < 2:
        raise InputError("nothing to compare, --paired, give several --rules or --heuristics")
    players: Mapping[str, list[str]] = {text: words(text) for text in given}
    if len(players) < len(given):
        raise InputError("two levels with the same players, --heuristics, name each once")
    levels = levels_of(edition, rules) if rules else {edition: load_ruleset(edition)}
    return make_request(rules=levels, heuristics=players, focus=words(focus), **others)
