"""The weighted scripted player: plans its whole turn with integer weights (heuristics/*.toml)."""

from collections.abc import Mapping
from typing import Any, Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.state import P_ACTIONS, P_PLACEMENT, S_AFTER, State
from aoi_sim.players.restriction import Restriction
from aoi_sim.players.weighted.answers import Answers, setup_worth
from aoi_sim.players.weighted.chains import most_valued
from aoi_sim.players.weighted.memory import Memory, remembered
from aoi_sim.players.weighted.plans import Planner
from aoi_sim.players.weighted.prices import Prices
from aoi_sim.players.weighted.weights import Weights
from aoi_sim.rules.tables import Tables

# Prices by weights, ruleset, players and faction: the same for every game of a process.
_PRICES: Final[dict[tuple[str, str, int, str], list[Prices]]] = {}
_MANY_PRICES: Final = 400


class WeightedPlayer:
    """Chooses the plan that is worth most by its weights; deterministic.

    Args:
        name: name of the heuristic.
        table: weights by name.
        changes: by faction, weights that differ.
        content: what tells these weights from others, so that their prices are worked out once; made of them if not given.
    """

    def __init__(
        self, name: str, table: Mapping[str, Any], changes: Mapping[str, Mapping[str, Any]], content: str = ""
    ) -> None:
        self.name = name
        self._table = table
        self._changes = changes
        self._key = content if content else repr((sorted(table.items()), sorted(changes.items())))
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
            answers = Answers(state, frame[1], frame, prices, self._remembered(state, frame[1], prices))
            return _best(answers, actions)
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
                weights = Weights(self._table, key, self._changes)
                known = [Prices(t, weights, r) for r in range(1, t.n_rounds + 1)]
                if len(_PRICES) >= _MANY_PRICES:
                    _PRICES.clear()
                _PRICES[(self._key, t.rules.hash, t.n_players, key)] = known
            self._prices = known
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
        prices = self.prices(state, i, state.round)
        planner = Planner(state, i, prices, _can_convert(actions), self.restriction, self._remembered(state, i, prices))
        plans = planner.valued(best_only=True)
        tile, advantage = self._bonus_tile(state, i, actions)
        least = prices.least_gain + advantage * prices.early_pass_pct // 100
        while plans:
            plan = most_valued(plans)
            if plan.value <= least and not planner.is_due:
                break
            steps = planner.actions(plan)
            if steps and steps[0] in actions:
                self._plan = steps[1:]
                return steps[0]
            plans.remove(plan)
        return tile

    def _bonus_tile(self, state: State, i: int, actions: list[Action]) -> tuple[Action, int]:
        """The pass with the best bonus tile, and how far the tile is ahead of the second."""
        prices = self.prices(state, i, state.round + 1)
        t = state.tables
        best = actions[0]
        most = second = -1
        for action in actions:
            if action[0] != a.PASS:
                continue
            worth = 0
            if action[1] >= 0:
                coins = state.bonus_coins[t.components[action[1]].position]
                worth = max(0, prices.next_round_tile(state, i, action[1]) + coins * prices.coin)
            if worth > most:
                most, second = worth, most
                best = action
            elif worth > second:
                second = worth
        return best, most - second if second >= 0 else 0

    def _after(self, actions: list[Action]) -> Action:
        for action in actions:
            if action[0] == a.FOUND or action[0] == a.END:
                return action
        return actions[0]

    def _setup(self, state: State, actions: list[Action]) -> Action:
        i = state.queue[0]
        prices = self.prices(state, i, 1)
        if state.phase == P_PLACEMENT:
            return _best(Answers(state, i, (-1, i), prices), actions)
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


def _can_convert(actions: list[Action]) -> bool:
    """Whether there is a conversion or a sacrifice among the actions; they are the last ones of a turn."""
    for action in reversed(actions):
        kind = action[0]
        if kind == a.CONVERT or kind == a.SACRIFICE:
            return True
    return False


def _best(answers: Answers, actions: list[Action]) -> Action:
    best = actions[0]
    most = -1_000_000_000
    for action in actions:
        worth = answers.worth(action)
        if worth > most:
            most = worth
            best = action
    return best
