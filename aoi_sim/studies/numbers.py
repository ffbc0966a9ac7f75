"""The numbers of the rules by dotted path, and overlays that change one of them.

``factions.moles.tunnel.vp.base``; entries of lists by their place from 0: ``factions.goblins.on.0.coins``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from aoi_sim.rules import RulesError, load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.studies.study_folder import StudyError

_NO_AMOUNTS: Final = ("start_rounds",)
"""Numbers that say when, not how much."""
_BY_PLAYERS: Final = 4
"""Length of an amount that is a list for 2 to 5 players."""


def number_at(rules: Ruleset, path: str) -> int:
    """The number at a path.

    Raises:
        StudyError: there is none.
    """
    value: Any = rules.data
    walked: list[str] = []
    for word in path.split("."):
        known = _keys(value)
        if word not in known:
            where = ".".join(walked) or "the rules"
            choice = f"choose {', '.join(known)}" if known else f"the number ends there ({value!r})"
            raise StudyError(f"no {word!r} in {where}, --number {path}, {choice}")
        value = value[word] if isinstance(value, Mapping) else value[int(word)]
        walked.append(word)
    if not isinstance(value, int) or isinstance(value, bool):
        inside = ", ".join(f"{path}.{key}" for key in _keys(value))
        raise StudyError(f"no number at {path}, --number, choose {inside or 'another one'}")
    return value


def _keys(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return list(value)
    return [str(place) for place in range(len(value))] if isinstance(value, tuple) else []


def overlay_of(rules: Ruleset, path: str, value: int) -> dict[str, Any]:
    """An overlay that sets a number; lists are given whole, as overlays replace them.

    Raises:
        StudyError: there is no number at the path.
    """
    number_at(rules, path)
    data = rules.to_dict()
    *parents, last = path.split(".")
    inner: Any = data
    for word in parents:
        inner = inner[int(word)] if isinstance(inner, list) else inner[word]
    inner[int(last) if isinstance(inner, list) else last] = value
    overlay: dict[str, Any] = {}
    target, source = overlay, data
    for word in path.split("."):
        source = source[word]
        if not isinstance(source, dict):
            target[word] = source
            break
        target[word] = {}
        target = target[word]
    return overlay


def changed_number(rules: Ruleset, path: str, value: int) -> Ruleset:
    """The rules with a number changed.

    Raises:
        StudyError: there is no number at the path.
        RulesError: the rules do not allow the value.
    """
    overlay = overlay_of(rules, path, value)
    return load_ruleset(rules.edition, dict(rules.options), [*rules.overlays, overlay])


def allowed(rules: Ruleset, path: str, value: int) -> Ruleset | None:
    """The rules with a number changed, None where they do not allow the value."""
    try:
        return changed_number(rules, path, value)
    except RulesError:
        return None


def numbers_of(rules: Ruleset, component: str, players: int) -> Iterator[str]:
    """Paths of the numbers of a component that count with so many players, in the order of the data.

    Of an amount that is a list for 2 to 5 players the entry for ``players`` is given. Numbers that say when a piece is
    placed (``start_rounds``) are left out.

    Args:
        rules: in which.
        component: path of the component, as ``factions.moles``.
        players: number of players.
    """
    value: Any = rules.data
    for word in component.split("."):
        value = value[word]
    yield from _numbers(value, component, players)


def _numbers(value: Any, path: str, players: int) -> Iterator[str]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield path
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in _NO_AMOUNTS:
                yield from _numbers(item, f"{path}.{key}", players)
    elif isinstance(value, tuple):
        by_players = len(value) == _BY_PLAYERS and all(type(item) is int for item in value)
        for place, item in enumerate(value):
            if not by_players or place == players - 2:
                yield from _numbers(item, f"{path}.{place}", players)
