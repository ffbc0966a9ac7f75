"""The weighted scripted player: plans its whole turn with integer weights (heuristics/*.toml)."""

from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import P_ACTIONS, P_PLACEMENT, S_AFTER, State
from aoi_sim.players.restriction import Restriction
from aoi_sim.players.weighted.answers import Answers, best_answer, setup_worth
from aoi_sim.players.weighted.judging import Judge
from aoi_sim.players.weighted.lessons import TILE, TURN, Lessons
from aoi_sim.players.weighted.memory import Memory, remembered
from aoi_sim.players.weighted.options import NO_SUBJECT, Option, of_answers, of_tiles, of_turn, subject_of
from aoi_sim.players.weighted.plans import Planner
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.weights import Weights
from aoi_sim.rules.tables import Tables

# Prices by weights, ruleset, players and faction: the same for every game of a process.
_PRICES: Final[dict[tuple[str, str, int, str], list[Prices]]] = {}
_MANY_PRICES: Final = 400
# Lessons by content and ruleset, likewise.
_LESSONS: Final[dict[tuple[str, str], Lessons]] = {}
_MANY_LESSONS: Final = 20


class WeightedPlayer:
    """Chooses the plan that is worth most by its weights; deterministic.

    Args:
        name: name of the heuristic.
        table: weights by name.
        changes: by faction, weights that differ.
        content: what tells these weights from others, so that their prices are worked out once; made of them if not given.
        taught: the content of its lessons (`Lessons`), none if empty.
        by_players: by number of players, as a text, weights that differ.

    Attributes:
        lessons: its lessons, once the rules of the game are known.
    """

    def __init__(
        self,
        name: str,
        table: Mapping[str, Any],
        changes: Mapping[str, Mapping[str, Any]],
        content: str = "",
        taught: Mapping[str, Any] | None = None,
        by_players: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.name = name
        self._table = table
        self._changes = changes
        self._by_players = by_players or {}
        self._taught = taught if taught else None
        self._key = (
            content
            if content
            else repr((sorted(table.items()), sorted(changes.items()), sorted(self._by_players.items())))
        )
        self.lessons: Lessons | None = None
        self._tables: Tables | None = None
        self._faction = -2
        self._prices: list[Prices] = []
        self._plan: list[Action] = []
        self._memory: Memory | None = None
        self.restriction: Restriction | None = None

    def restrict(self, restriction: Restriction) -> None:
        """Plan nothing that this restriction forbids, and what it asks for when it is due."""
        self.restriction = restriction

    def choose(self, state: State, actions: list[Action]) -> Action:
        """The best of the legal actions."""
        if len(actions) == 1:
            return actions[0]
        if state.stack:
            frame = state.stack[-1]
            prices = self.prices(state, frame[1], state.round)
            lessons = self.lessons
            subject = NO_SUBJECT if lessons is None else subject_of(state, actions)
            if lessons is not None and subject >= 0 and lessons.teach(subject):
                options = self.options(state, actions, lessons.within, lessons.most)
                return self.judge(state, frame[1], subject).best(options).steps[0]
            answers = Answers(state, frame[1], frame, prices, self._remembered(state, frame[1], prices))
            return best_answer(answers, actions)
        if state.phase != P_ACTIONS:
            return self._setup(state, actions)
        if state.stage == S_AFTER:
            return self._after(actions)
        if self._plan:
            if self._plan[0] in actions:
                return self._plan.pop(0)
            self._plan = []
        return self._turn(state, actions)

    def prices(self, state: State, i: int, rnd: int) -> Prices:
        """The prices of a round for the faction of a seat, worked out once a game."""
        t = state.tables
        faction = state.seats[i].faction
        if self._tables is not t or self._faction != faction:
            key = t.components[faction].key if faction >= 0 else ""
            known = _PRICES.get((self._key, t.rules.hash, t.n_players, key))
            if known is None:
                weights = Weights(self._table, key, self._changes, str(t.n_players), self._by_players)
                known = [Prices(t, weights, r) for r in range(1, t.n_rounds + 1)]
                if len(_PRICES) >= _MANY_PRICES:
                    _PRICES.clear()
                _PRICES[(self._key, t.rules.hash, t.n_players, key)] = known
            self._prices = known
            if self._taught is not None and self._tables is not t:
                self.lessons = _lessons(self._key, self._taught, t)
            self._tables = t
            self._faction = faction
            self._plan = []
        return self._prices[min(max(rnd, 1), t.n_rounds) - 1]

    def _remembered(self, state: State, i: int, prices: Prices) -> Memory:
        memory = remembered(self._memory, state, i, prices)
        self._memory = memory
        return memory

    def _turn(self, state: State, actions: list[Action]) -> Action:
        i = state.active
        self.prices(state, i, state.round)
        lessons = self.lessons
        if lessons is None:
            chosen = self.options(state, actions, 0, 1)[0]
        else:
            options = self.options(state, actions, lessons.within, lessons.most)
            chosen = self.judge(state, i, TURN).best(options) if len(options) > 1 else options[0]
        first = chosen.steps[0]
        if first[0] == a.PASS:
            return self.passing(state, i, actions)
        return self.begin(chosen.steps)

    def options(self, state: State, actions: list[Action], within: int, most: int) -> list[Option]:
        """The options of a turn, or of a pending decision that lessons may judge, most valued first.

        Args:
            state: the position.
            actions: the legal actions.
            within: plans of a turn that are worth so much less than the best are none. Thousandths of a VP.
            most: so many plans of a turn, or answers, at most.
        """
        if state.stack:
            frame = state.stack[-1]
            i = frame[1]
            prices = self.prices(state, i, state.round)
            return of_answers(Answers(state, i, frame, prices, self._remembered(state, i, prices)), actions, most)
        i = state.active
        prices = self.prices(state, i, state.round)
        memory = self._remembered(state, i, prices)
        planner = Planner(state, i, prices, _can_convert(actions), self.restriction, memory)
        tiles = self.tiles(state, i, actions)
        least = prices.least_gain
        if len(tiles) > 1:
            least += (tiles[0].value - tiles[1].value) * prices.early_pass_pct // 100
        passing = tiles[0].steps[0] if tiles else actions[0]
        return of_turn(planner, actions, passing, least, within, most)

    def is_under_way(self, actions: list[Action]) -> bool:
        """Whether a plan that it began goes on with one of the actions."""
        return bool(self._plan) and self._plan[0] in actions

    def planned(self) -> list[Action]:
        """The steps that are left of the plan that it began."""
        return list(self._plan)

    def begin(self, steps: list[Action]) -> Action:
        """Begin a plan: its first step now, the others when it is asked again."""
        self._plan = steps[1:]
        return steps[0]

    def tiles(self, state: State, i: int, actions: list[Action]) -> list[Option]:
        """The passes among the actions, most valued first."""
        return of_tiles(state, i, actions, self.prices(state, i, state.round + 1))

    def learned(self, state: State, i: int, subject: int) -> bool:
        """Whether it has lessons of a subject, playing seat i."""
        self.prices(state, i, state.round)
        lessons = self.lessons
        return lessons is not None and lessons.teach(subject)

    def judge(self, state: State, i: int, subject: int) -> Judge:
        """What judges the options of a decision, once they are listed; the player must have lessons."""
        lessons = self.lessons
        if lessons is None:
            raise ValueError("a player without lessons")
        prices = self.prices(state, i, state.round)
        memory = self._memory
        return Judge(
            lessons, subject, state, i, prices, self._remembered(state, i, prices) if memory is None else memory
        )

    def passing(self, state: State, i: int, actions: list[Action]) -> Action:
        """The pass with the best bonus tile."""
        tiles = self.tiles(state, i, actions)
        lessons = self.lessons
        if lessons is None or not lessons.teach(TILE) or len(tiles) < 2:
            return tiles[0].steps[0]
        return self.judge(state, i, TILE).best(tiles).steps[0]

    def _after(self, actions: list[Action]) -> Action:
        for action in actions:
            if action[0] == a.FOUND or action[0] == a.END:
                return action
        return actions[0]

    def _setup(self, state: State, actions: list[Action]) -> Action:
        i = state.queue[0]
        prices = self.prices(state, i, 1)
        if state.phase == P_PLACEMENT:
            return best_answer(Answers(state, i, (-1, i), prices), actions)
        best = actions[0]
        most = -1_000_000_000
        for action in actions:
            worth = setup_worth(state, i, action[1], prices)
            if action[0] == a.BUNDLE:
                for bundle in state.bundles:
                    if bundle[0] == action[1]:
                        worth += setup_worth(state, i, bundle[1], prices) + setup_worth(state, i, bundle[2], prices)
            if worth > most:
                most = worth
                best = action
        return best


def _lessons(key: str, taught: Mapping[str, Any], tables: Tables) -> Lessons:
    """The lessons of a content for a ruleset, read once."""
    known = _LESSONS.get((key, tables.rules.hash))
    if known is None:
        known = Lessons(taught, tables)
        if len(_LESSONS) >= _MANY_LESSONS:
            _LESSONS.clear()
        _LESSONS[(key, tables.rules.hash)] = known
    return known


def _can_convert(actions: list[Action]) -> bool:
    """Whether there is a conversion or a sacrifice among the actions; they are the last ones of a turn."""
    for action in reversed(actions):
        kind = action[0]
        if kind == a.CONVERT or kind == a.SACRIFICE:
            return True
    return False
