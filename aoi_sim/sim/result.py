"""``play_game``: one game between scripted players, with its record and tables."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from aoi_sim.engine.record import Record
from aoi_sim.engine.state import State, scores
from aoi_sim.players import find_heuristics, makers_of
from aoi_sim.players.registry import Given
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.sim import seeding
from aoi_sim.sim.config import whole
from aoi_sim.sim.match import Played, play, set_up
from aoi_sim.sim.plan import MAX_SEED, Deal, GameSpec, Plan, PlanConfig, PlanError
from aoi_sim.sim.transcript import record_text

if TYPE_CHECKING:
    import polars as pl


class GameResult:
    """A finished game.

    Its tables are made when first asked for; docs/data.md describes their columns.

    Attributes:
        state: the final state.
        heuristics: who played, in seat order.
    """

    def __init__(self, played: Played, plan: Plan, rules: Ruleset, spec: GameSpec) -> None:
        assert played.state is not None
        self.state: State = played.state
        self.heuristics = spec.heuristics
        self._played = played
        self._plan = plan
        self._rules = rules
        self._spec = spec

    @property
    def scores(self) -> list[int]:
        """Final VP in seat order."""
        return scores(self.state)

    @cached_property
    def record(self) -> Record:
        """The game as readable text that can be replayed."""
        return Record.parse(record_text(self.heuristics, self._played))

    @cached_property
    def _tables(self) -> dict[str, Any]:
        from aoi_sim.sim.rows import ChunkRows

        rows = ChunkRows(self._plan, self._rules, events=True)
        rows.add(self._spec, self._played)
        return rows.tables()

    def _frame(self, name: str) -> "pl.DataFrame":
        from aoi_sim.storage.packed import frame_of

        return frame_of(name, self._tables[name])

    @property
    def game(self) -> "pl.DataFrame":
        """The game's row of ``games``."""
        return self._frame("games")

    @property
    def seats(self) -> "pl.DataFrame":
        """A row a player."""
        return self._frame("seats")

    @property
    def rounds(self) -> "pl.DataFrame":
        """A row a player and round."""
        return self._frame("rounds")

    @property
    def offers(self) -> "pl.DataFrame":
        """A row a pick."""
        return self._frame("offers")

    @property
    def events(self) -> "pl.DataFrame":
        """A row an event."""
        return self._frame("events")

    def __repr__(self) -> str:
        components = self.state.tables.components
        seats = [
            f"{components[seat.faction].key} on {components[seat.board].key} {seat.vp}" for seat in self.state.seats
        ]
        return f"GameResult({', '.join(seats)})"


def play_game(
    rules: Ruleset,
    heuristics: Given | Sequence[Given] = "greedy",
    n_players: int | None = None,
    seed: int = 7,
    setup: str | None = None,
    map: str = "auto",
    deal: Deal | None = None,
) -> GameResult:
    """Play one game.

    Args:
        rules: the ruleset.
        heuristics: one for all seats, or one a seat in seat order; each a name, a path or a class (see ``simulate``).
        n_players: number of seats; None takes the number of heuristics (4 for a single one).
        seed: seed of the set-up; the players' seeds follow from it.
        setup: ``standard`` or ``draft``; None as the rules' option says.
        map: ``auto`` or a side of the map.
        deal: board, faction and bonus (in a draft also palace) of each seat; None lets players pick.

    Raises:
        HeuristicError, PlanError, SetupError: wrong input.
    """
    found = find_heuristics(heuristics)
    names = tuple(heuristic.name for heuristic in found)
    if n_players is None:
        n_players = len(deal) if deal is not None and len(names) == 1 else 4 if len(names) == 1 else len(names)
    n_players, seed = whole(n_players, "n_players"), whole(seed, "seed")
    if not 0 <= seed <= MAX_SEED:
        raise PlanError(f"seed {seed}, seed, choose 0 to {MAX_SEED}")
    setup = str(rules.options["setup"]) if setup is None else setup
    # A plan of this one game checks the words and gives the tables their words; what is dealt is the caller's.
    plan = Plan(PlanConfig(1, n_players, seed, names, "choice", setup, map), rules)
    seeds = tuple(seeding.stream(seed, 0, seeding.PLAYER, seat) for seat in range(n_players))
    makers = makers_of(found)
    players = [makers[name](seat, own) for seat, (name, own) in enumerate(zip(plan.line_ups[0], seeds, strict=True))]
    spec = GameSpec(0, 0, seed, seeds, plan.line_ups[0], None)
    played = Played()
    set_up(played, rules, n_players, seed, setup, map, deal)
    play(players, played)
    return GameResult(played, plan, rules, spec)
