"""A heuristic as it travels and is recorded: its name, its kind and all of its content."""

import hashlib
import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

from aoi_sim.players.explorer import ExplorerPlayer
from aoi_sim.players.greedy import GreedyPlayer
from aoi_sim.players.noisy import NoisyPlayer
from aoi_sim.players.protocol import Player
from aoi_sim.players.random_player import RandomPlayer
from aoi_sim.players.weighted import WeightedPlayer

Maker = Callable[[int, int], Player]

BUILT_IN: Final[dict[str, Maker]] = {
    "explorer": ExplorerPlayer,
    "greedy": GreedyPlayer,
    "random": RandomPlayer,
}
NO_SOURCE: Final = "its source is not at hand"
"""In the content of a class instead of its source; such players cannot be told apart."""
_ADDED_LATER: Final[dict[str, Any]] = {"lessons": {}, "players": {}}
"""What the content of a heuristic with weights lacks in runs from before there was such a thing."""
NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


class HeuristicError(ValueError):
    """A heuristic that cannot be used; the message is one line: what, where, what to do."""


def error_text(error: BaseException) -> str:
    """What a player raised, on one line: its kind and what it says; errors of users may not even have a text."""
    try:
        text = str(error)
    except Exception:
        text = "no text"
    line = " ".join(f"{type(error).__name__}: {text}".split())
    return line.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Heuristic:
    """All that makes a player, wherever it is made.

    Attributes:
        name: how records and tables call it.
        kind: ``built-in``, ``weights`` (a TOML file), ``module`` (a .py file) or ``class`` (given in a program).
        content: weights as JSON with every base resolved, or source text; empty for the built-in ones.
        maker: the class or function of kind ``class``; travels by pickle.
    """

    name: str
    kind: str
    content: str = ""
    maker: Callable[..., Any] | None = field(default=None, compare=False, repr=False)

    @property
    def sha256(self) -> str:
        """Hash of the content."""
        return hashlib.sha256(self.content.encode()).hexdigest()

    def table(self) -> Mapping[str, Any]:
        """The content of a heuristic of kind ``weights``.

        Raises:
            HeuristicError: it is of another kind.
        """
        if self.kind != "weights":
            raise HeuristicError(f"no weights, heuristic {self.name}, choose one that is a TOML file")
        table: dict[str, Any] = json.loads(self.content)
        return {**_ADDED_LATER, **table}


def maker_of(heuristic: Heuristic) -> Maker:
    """What makes the players of a heuristic: a function of seat and seed.

    Raises:
        HeuristicError: the content is no heuristic.
    """
    if heuristic.kind == "built-in":
        return BUILT_IN[heuristic.name]
    if heuristic.kind == "weights":
        return _weighted(heuristic)
    if heuristic.kind == "module":
        return _adapted(_made_in(heuristic), heuristic.name)
    if heuristic.maker is None:
        raise HeuristicError(
            f"only its source is known, heuristic {heuristic.name}, give the class itself: heuristics=[...]"
        )
    return _adapted(heuristic.maker, heuristic.name)


def _weighted(heuristic: Heuristic) -> Maker:
    table = heuristic.table()
    temperature = table["temperature"]

    def make(seat: int, seed: int) -> Player:
        player = weighted_player(heuristic, table)
        return NoisyPlayer(player, temperature, seed) if temperature else player

    return make


def weighted_player(heuristic: Heuristic, table: Mapping[str, Any]) -> WeightedPlayer:
    """The player of a heuristic of kind ``weights``, given its content; without noise."""
    return WeightedPlayer(
        heuristic.name, table["weights"], table["factions"], heuristic.content, table["lessons"], table["players"]
    )


def _made_in(heuristic: Heuristic) -> Callable[..., Any]:
    """The function ``make``, or the class ``Player``, of a module given as source."""
    module = ModuleType(f"aoi_heuristic_{heuristic.name}")
    module.__dict__["__file__"] = f"{heuristic.name}.py"
    try:
        exec(compile(heuristic.content, f"{heuristic.name}.py", "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as bad:
        line = getattr(bad, "lineno", None)
        where = f"{heuristic.name}.py" + (f", line {line}" if line else "")
        raise HeuristicError(f"cannot be run ({error_text(bad)}), {where}, mend the file") from bad
    found = getattr(module, "make", None)
    if found is None:
        found = module.__dict__.get("Player")
        if not (isinstance(found, type) and found.__module__ == module.__name__):
            found = None
    if not callable(found):
        raise HeuristicError(
            f"nothing to make a player with, {heuristic.name}.py, write `def make(seat, seed)` or `class Player`"
        )
    return found


def _adapted(maker: Callable[..., Any], name: str) -> Maker:
    """Call a maker with seat and seed, or with nothing if it takes nothing; see to it that a player comes out."""
    try:
        inspect.signature(maker).bind(0, 0)
        takes = 2
    except TypeError:
        takes = 0
    except ValueError:  # no signature to be had
        takes = 2

    def make(seat: int, seed: int) -> Player:
        try:
            player = maker(seat, seed) if takes else maker()
        except TypeError as bad:
            raise HeuristicError(f"cannot be made ({bad}), heuristic {name}, let it take (seat, seed)") from bad
        if not callable(getattr(player, "choose", None)):
            raise HeuristicError(f"no method choose, heuristic {name}, write choose(self, state, actions)")
        return player  # type: ignore[no-any-return]

    return make
