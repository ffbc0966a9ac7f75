"""`greedy`: most VP now, then simple value."""

import random
from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions
from aoi_sim.engine.seat import Seat
from aoi_sim.engine.state import P_ACTIONS, S_AFTER, Frame, State, clone
from aoi_sim.players.answering import answer_worth
from aoi_sim.players.evaluation import level_worth, position_worth
from aoi_sim.players.sites import dig_worth, event_worth, site_worth, workshop_price, workshop_worth
from aoi_sim.players.worth import Worth
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.tables import Tables

_SHORTLIST: Final = 7
_LEAST_GAIN: Final = 0.05
_ENOUGH: Final = 1.0
_LONGEST_CONVERSION: Final = 3


class GreedyPlayer:
    """Takes what gains most at once, with simple prices for what gives VP later; looks no further than its own action.

    Actions of a turn are ranked by a quick estimate; the best few are tried on a copy and measured (VP, and resources,
    income, tiles and levels at the prices of `Worth`). Transforms and answers to pending decisions go by the estimate
    alone. It converts and burns power only when that opens an action which gains more than it costs, and passes when
    nothing gains. Ties are broken by the order of the actions, so that it uses no chance.
    """

    def __init__(self, seat: int, seed: int) -> None:
        self.name = "greedy"
        self.seat = seat
        self._random = random.Random(seed)
        self._tables: Tables | None = None
        self._worths: list[Worth] = []

    def choose(self, state: State, actions: list[Action]) -> Action:
        """The action that gains most."""
        if len(actions) == 1:
            return actions[0]
        w = self._worth(state)
        if state.stack:
            frame = state.stack[-1]
            return self._answer(state, frame[1], frame, actions, w)
        if state.phase != P_ACTIONS:
            return self._answer(state, state.queue[0], (-1, state.queue[0]), actions, w)
        if state.stage == S_AFTER:
            return self._after(actions)
        return self._turn(state, state.active, actions, w)

    def _worth(self, state: State) -> Worth:
        """The prices for the rounds still to come, worked out once a ruleset."""
        t = state.tables
        if self._tables is not t:
            self._tables = t
            self._worths = [Worth(t, left) for left in range(t.n_rounds + 1)]
        return self._worths[max(t.n_rounds - max(state.round, 1), 0)]

    def _answer(self, state: State, i: int, frame: Frame, actions: list[Action], w: Worth) -> Action:
        best = actions[0]
        most = -1e9
        for action in actions:
            worth = answer_worth(state, i, frame, action, w)
            if worth > most:
                most = worth
                best = action
        return best

    def _after(self, actions: list[Action]) -> Action:
        for action in actions:
            if action[0] == a.FOUND or action[0] == a.END:
                return action
        return actions[0]

    def _turn(self, state: State, i: int, actions: list[Action], w: Worth) -> Action:
        best, gain = self._best_move(state, i, actions, w)
        if gain >= _ENOUGH:
            return best
        conversion = self._conversion(state, i, actions, gain, w)
        if conversion is not None:
            return conversion
        if gain > _LEAST_GAIN:
            return best
        return self._pass(state, i, actions, w, best)

    def _best_move(self, state: State, i: int, actions: list[Action], w: Worth) -> tuple[Action, float]:
        """The best action of the turn, passes and conversions apart, and what it gains."""
        seat = state.seats[i]
        best = actions[0]
        most = -1e9
        ranked: list[tuple[float, int]] = []
        for k, action in enumerate(actions):
            kind = action[0]
            if kind == a.TRANSFORM:
                worth = dig_worth(state, i, action[1], action[2], action[3], 0, True, w)
                if worth > most:
                    most = worth
                    best = action
            elif kind == a.FOUND:
                return action, w.city
            elif kind != a.PASS and kind != a.CONVERT and kind != a.SACRIFICE:
                ranked.append((-_estimate(state, i, seat, action, w), k))
        ranked.sort()
        if ranked:
            now = position_worth(state, i, w)
            for _, k in ranked[:_SHORTLIST]:
                worth = self._measure(state, i, actions[k], w) - now
                if worth > most:
                    most = worth
                    best = actions[k]
        return best, most

    def _measure(self, state: State, i: int, action: Action, w: Worth) -> float:
        """Worth of the position after an action, and how well a new building lies."""
        after = clone(state)
        apply_action(after, action)
        worth = position_worth(after, i, w)
        if action[0] == a.BUILD:
            worth += 0.5 * site_worth(state, i, action[1])
        return worth

    def _conversion(self, state: State, i: int, actions: list[Action], gain: float, w: Worth) -> Action | None:
        """A conversion or sacrifice that opens an action gaining more than doing without, its price included."""
        now = position_worth(state, i, w)
        known = set(actions)
        best: Action | None = None
        most = max(gain, _LEAST_GAIN) + 0.3
        for action in actions:
            if action[0] != a.CONVERT and action[0] != a.SACRIFICE:
                continue
            after = clone(state)
            for _ in range(_LONGEST_CONVERSION):
                apply_action(after, action)
                open_now = legal_actions(after)
                new = [x for x in open_now if x not in known]
                if new:
                    _, more = self._best_move(after, i, new, w)
                    more += position_worth(after, i, w) - now
                    if more > most:
                        most = more
                        best = action
                if action not in open_now:
                    break
        return best

    def _pass(self, state: State, i: int, actions: list[Action], w: Worth, best: Action) -> Action:
        """Pass with the round bonus tile that is worth most next round; when passing is not legal, the best action."""
        found = best
        most = -1e9
        later = self._worths[max(w.left - 1, 0)]
        kinds = state.tables.kinds[v.K_BONUS_TILE]
        for action in actions:
            if action[0] != a.PASS:
                continue
            worth = 0.0
            if action[1] >= 0:
                coins = state.bonus_coins[kinds.index(action[1])]
                worth = later.one_round(state, i, action[1]) + coins * later.coin
            if worth > most:
                most = worth
                found = action
        return found


def _estimate(state: State, i: int, seat: Seat, action: Action, w: Worth) -> float:
    """A quick guess of what an action of a turn gains, to choose which to try."""
    kind = action[0]
    t = state.tables
    if kind == a.BUILD:
        return workshop_worth(state, i, action[1], w) - workshop_price(state, w)
    if kind == a.UPGRADE:
        return _upgrade_estimate(state, i, seat, action, w)
    if kind == a.SEND or kind == a.RETURN:
        n = action[2] if kind == a.SEND else t.return_steps
        d = action[1]
        level = seat.science[d]
        top = min(level + n, t.science_max)
        if level < t.key_level <= top and not seat.keys:
            top = t.key_level - 1
        worth = level_worth(state, i, d, top, w) - level_worth(state, i, d, level, w) - w.scholar
        return worth + 0.1 * n + (0.3 * w.scholar if kind == a.RETURN else 0.0)
    if kind == a.POWER:
        c = t.components[action[1]]
        return w.gain_now(state, i, c.action) - 0.9 * w.power * (c.cost - seat.power_discount)
    if kind == a.BOOK:
        c = t.components[action[1]]
        return w.gain_now(state, i, c.action) - w.book * c.cost
    if kind == a.SPECIAL:
        return w.gain_now(state, i, t.components[action[1]].action)
    if kind == a.INNOVATE:
        c = t.components[action[1]]
        return w.gain_now(state, i, c.once) + w.own(state, i, action[1]) - 5 * w.book
    if kind == a.ADVANCE:
        return 1.0
    if kind == a.ANNEX:
        return site_worth(state, i, action[1]) if not seat.city >> action[1] & 1 else -1.0
    return 0.0


def _upgrade_estimate(state: State, i: int, seat: Seat, action: Action, w: Worth) -> float:
    kind = action[2]
    worth = event_worth(state, i, v.EV_BUILT + kind, action[1], w)
    if kind == v.PALACE:
        worth += w.palace
    elif kind == v.SCHOOL or kind == v.UNIVERSITY:
        worth += w.competency
    for up in state.tables.upgrades[state.building[action[1]]]:
        if up.to == kind:
            worth -= up.tools * w.tool + up.coins_beside * w.coin
    if not seat.city >> action[1] & 1:
        worth += 0.5 * site_worth(state, i, action[1])
    return worth
