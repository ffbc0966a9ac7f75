"""The heuristics: found by name or path, or given as a class, and the players they make."""

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aoi_sim.players import library
from aoi_sim.players.class_source import source_of
from aoi_sim.players.heuristic import BUILT_IN, NAME, NO_SOURCE, Heuristic, HeuristicError, Maker, maker_of
from aoi_sim.players.protocol import Player

Given = str | Path | Callable[..., Any] | Heuristic
"""What a caller may name a heuristic by: a name, a path, a class or function of (seat, seed), or a heuristic found."""


class UnknownHeuristic(HeuristicError):  # noqa: N818
    """A heuristic that does not exist."""

    def __init__(self, name: str) -> None:
        names = heuristic_names()
        close = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {close[0]}?" if close else f"choose one of {', '.join(names)}"
        super().__init__(f"unknown heuristic, {name!r}, {hint}")
        self.heuristic = name


def heuristic_names() -> list[str]:
    """The names of all heuristics that can be found without a path, in alphabetical order."""
    return sorted({*BUILT_IN, *library.file_names()})


def find_heuristic(given: Given) -> Heuristic:
    """The heuristic of a name, a path or a class, with all its content.

    Args:
        given: a name (looked for in ``./heuristics``, then among those of the package), the path of a .toml or .py
            file, or a class or function that makes a player from seat and seed.

    Raises:
        UnknownHeuristic: no heuristic of that name.
        HeuristicError: the file is wrong.
    """
    if isinstance(given, Heuristic):
        return given
    if isinstance(given, Path):
        return _of_file(given)
    if isinstance(given, str):
        if given.endswith(library.SUFFIXES) or "/" in given or "\\" in given:
            return _of_file(Path(given).expanduser())
        path = library.find_file(given) if NAME.fullmatch(given) else None
        if path is not None:
            return _of_file(path)
        if given in BUILT_IN:
            return Heuristic(given, "built-in")
        raise UnknownHeuristic(given)
    if callable(given):
        return _of_class(given)
    raise HeuristicError(f"{given!r} is no heuristic, heuristics, give a name, a path or a class")


def find_heuristics(given: Given | Sequence[Given]) -> list[Heuristic]:
    """One heuristic, or several, each with a name of its own.

    Raises:
        HeuristicError: one of them is wrong, or two different ones have the same name.
    """
    several = [given] if isinstance(given, str) or not isinstance(given, Sequence) else given
    found = [find_heuristic(one) for one in several]
    by_name: dict[str, Heuristic] = {}
    for heuristic in found:
        known = by_name.setdefault(heuristic.name, heuristic)
        if known != heuristic or known.maker is not heuristic.maker:
            raise HeuristicError(f"two heuristics with the name {heuristic.name}, heuristics, rename one")
    return found


def make_player(given: Given, seat: int, seed: int) -> Player:
    """A player of a heuristic.

    Args:
        given: the heuristic.
        seat: the seat it plays.
        seed: seed of its chance.

    Raises:
        UnknownHeuristic, HeuristicError: it is not found or wrong.
    """
    return maker_of(find_heuristic(given))(seat, seed)


def makers_of(heuristics: Sequence[Heuristic]) -> dict[str, Maker]:
    """What makes the players of each heuristic, by name."""
    return {heuristic.name: maker_of(heuristic) for heuristic in heuristics}


def _of_file(path: Path) -> Heuristic:
    if path.suffix not in library.SUFFIXES:
        raise HeuristicError(f"neither .toml nor .py, {path}, give a heuristic file")
    if not path.is_file():
        raise HeuristicError(f"no such file, {path}, give a .toml or .py file or the name of a heuristic")
    if not NAME.fullmatch(path.stem):
        raise HeuristicError(f"file name with signs that no name may have, {path}, use letters, digits, - and _")
    if path.suffix == ".toml":
        return Heuristic(path.stem, "weights", library.resolved(path))
    return _playing(Heuristic(path.stem, "module", library.read_file(path)))


def _playing(heuristic: Heuristic) -> Heuristic:
    """A heuristic of which a player can be made; what the player raises meanwhile ends its games, not this."""
    maker = maker_of(heuristic)
    try:
        maker(0, 0)
    except (HeuristicError, KeyboardInterrupt):
        raise
    except BaseException:
        return heuristic
    return heuristic


def _of_class(maker: Callable[..., Any]) -> Heuristic:
    """A class or function of a program, with its source where that can be had."""
    own = getattr(maker, "name", None)
    name = own if isinstance(own, str) else getattr(maker, "__name__", type(maker).__name__)
    if not NAME.fullmatch(name):
        raise HeuristicError(f"{name!r} is no name for a heuristic, heuristics, use a class or a named function")
    content = source_of(maker)
    if content is None:
        content = f"# {getattr(maker, '__module__', '')}.{name}: {NO_SOURCE}\n"
    return _playing(Heuristic(name, "class", content, maker))
