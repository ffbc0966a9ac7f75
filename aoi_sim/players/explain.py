"""Why a weighted player chooses as it does: its best options, what each costs, leads to and owes to which weight."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.notation import format_action
from aoi_sim.engine.state import P_ACTIONS, P_OVER, S_AFTER, State, clone
from aoi_sim.players.heuristic import Heuristic, HeuristicError, weighted_player
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.answers import Answers
from aoi_sim.players.weighted.defaults import DEFAULTS
from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import TURN
from aoi_sim.players.weighted.plans import Planner
from aoi_sim.players.weighted.weights import without

_LEAST: Final = 50


@dataclass(slots=True)
class Option:
    """One thing that could be done; amounts in thousandths of a VP.

    Attributes:
        text: the action.
        chosen: whether it is what the player chooses.
        conversions: what is converted and sacrificed before it.
        brings: what it adds, its price left out.
        price: what it costs.
        follow_up: what the best action after it adds, at its share.
        owes: by weight, how much less (or more) it would bring with that weight at 0, the largest first.
        judged: by its lessons, how far it is behind the option that they hold best; None where they were not asked.
        taught: by feature in which it differs from the most valued option, what the lessons hold that worth, the largest
            first.
    """

    text: str
    chosen: bool = False
    conversions: list[str] = field(default_factory=list)
    brings: int = 0
    price: int = 0
    follow_up: int = 0
    owes: list[tuple[str, int]] = field(default_factory=list)
    judged: int | None = None
    taught: list[tuple[str, int]] = field(default_factory=list)

    @property
    def value(self) -> int:
        """Everything together."""
        return self.brings - self.price + self.follow_up


def explain(heuristic: Heuristic, state: State, n_options: int = 5) -> list[Option]:
    """The best options of the seat to move, best first.

    The option that the player chooses comes with them even when it is not among the best (a pass).

    Args:
        heuristic: a heuristic with weights.
        state: the position; not changed.
        n_options: how many options.

    Raises:
        HeuristicError: a heuristic without weights, or a game that is over.
    """
    table = heuristic.table()
    if state.phase == P_OVER:
        raise HeuristicError("nothing to choose, the game is over, give an earlier position")
    player = weighted_player(heuristic, table)
    actions = legal_actions(state)
    chosen = player.choose(state, actions)
    if not state.stack and state.phase == P_ACTIONS and state.stage != S_AFTER:
        return _of_turn(state, player, actions, chosen, table, n_options)
    if state.stack:
        return _of_answers(state, player, actions, chosen, n_options)
    return [Option(format_action(state, action), action == chosen) for action in _first(actions, chosen, n_options)]


def _of_turn(
    state: State,
    player: WeightedPlayer,
    actions: list[Action],
    chosen: Action,
    table: Mapping[str, Any],
    n_options: int,
) -> list[Option]:
    i = state.active
    planner = Planner(state, i, player.prices(state, i, state.round), convert=_may_convert(actions))
    options: list[Option] = []
    kept: list[Action] = []
    planned = [chosen, *player.planned()]
    found = False
    for plan in planner.all():
        steps = planner.actions(plan)
        if not steps or steps[0] not in actions:
            continue
        mine = not found and steps == planned
        found = found or mine
        if len(options) < n_options or mine:
            options.append(
                Option(
                    text=_text(state, steps),
                    chosen=mine,
                    conversions=_conversion_texts(state, steps[:-1]),
                    brings=plan.brings,
                    price=plan.brings - plan.worth,
                    follow_up=plan.value - plan.worth,
                )
            )
            kept.append(plan.action)
    _owe(state, options, kept, table, _may_convert(actions))
    if not found:
        options.append(Option(format_action(state, chosen), True))
        kept.append(chosen)
    if player.learned(state, i, TURN):
        _teach(state, player, actions, options, kept)
    return options


def _teach(
    state: State, player: WeightedPlayer, actions: list[Action], options: list[Option], kept: list[Action]
) -> None:
    """Note what the lessons say of the options that they were asked about."""
    lessons = player.lessons
    if lessons is None:
        return
    asked = player.options(state, actions, lessons.within, lessons.most)
    judge = player.judge(state, state.active, TURN)
    features = {one.steps[-1]: list(judge.features(one, asked[0])) for one in asked}
    worths = {action: lessons.worth(TURN, x) for action, x in features.items()}
    first = next(iter(features.values()), [])
    best = max(worths.values(), default=0)
    for option, action in zip(options, kept, strict=True):
        if action not in worths:
            continue
        option.judged = worths[action] - best
        x = features[action]
        for k, name in enumerate(NAMES):
            if x[k] != first[k]:
                without = [*x[:k], first[k], *x[k + 1 :]]
                amount = worths[action] - lessons.worth(TURN, without)
                if abs(amount) >= _LEAST:
                    option.taught.append((name, amount))
        option.taught.sort(key=_largest)


def _owe(
    state: State,
    options: list[Option],
    actions: list[Action],
    table: Mapping[str, Any],
    convert: bool,
) -> None:
    """Work out what each option owes to each weight: the same plans with that weight at 0."""
    i = state.active
    for name in DEFAULTS:
        factions, by_players = without(table["factions"], [name]), without(table["players"], [name])
        player = WeightedPlayer("", {**table["weights"], name: 0}, factions, by_players=by_players)
        planner = Planner(state, i, player.prices(state, i, state.round), convert=convert)
        planner.all()
        brings = {plan.action: plan.brings for plan in planner.plans}
        for option, action in zip(options, actions, strict=True):
            if action in brings and abs(option.brings - brings[action]) >= _LEAST:
                option.owes.append((name, option.brings - brings[action]))
    for option in options:
        option.owes.sort(key=_largest)


def _largest(pair: tuple[str, int]) -> int:
    return -abs(pair[1])


def _of_answers(
    state: State, player: WeightedPlayer, actions: list[Action], chosen: Action, n_options: int
) -> list[Option]:
    """Answers to a pending decision; only the order of their worths means anything."""
    frame = state.stack[-1]
    answers = Answers(state, frame[1], frame, player.prices(state, frame[1], state.round))
    worths = [(answers.worth(action), action) for action in actions]
    worths.sort(key=lambda pair: -pair[0])
    return [
        Option(format_action(state, action), action == chosen, brings=worth)
        for k, (worth, action) in enumerate(worths)
        if k < n_options or action == chosen
    ]


def _first(actions: list[Action], chosen: Action, n: int) -> list[Action]:
    return [chosen, *[action for action in actions if action != chosen][: n - 1]]


def _may_convert(actions: list[Action]) -> bool:
    return any(action[0] in (a.CONVERT, a.SACRIFICE) for action in actions)


def _text(state: State, steps: list[Action]) -> str:
    """The last of the steps, written in the position that the others lead to."""
    after = clone(state)
    for step in steps[:-1]:
        apply_action(after, step)
    return format_action(after, steps[-1])


def _conversion_texts(state: State, steps: list[Action]) -> list[str]:
    """Conversions, equal ones together: ``2 x convert 1power>coin``."""
    counts: dict[str, int] = {}
    after = clone(state)
    for step in steps:
        text = format_action(after, step)
        counts[text] = counts.get(text, 0) + 1
        apply_action(after, step)
    return [text if n == 1 else f"{n} x {text}" for text, n in counts.items()]


def option_lines(state: State, options: list[Option]) -> list[str]:
    """The options as text."""
    lines = [f"seat {seat_to_move(state)}, round {state.round}; amounts in VP"]
    if state.stack or state.phase != P_ACTIONS or state.stage == S_AFTER:
        for k, option in enumerate(options, 1):
            lines.append(f"{k}. {option.text:<34}{option.brings / 1000:>9.2f}{'   <- chosen' if option.chosen else ''}")
        return lines
    judged = any(option.judged is not None for option in options)
    lines.append(f"   {'':<34}{'value':>8}{'brings':>9}{'price':>8}{'then':>8}{'judged' if judged else '':>8}".rstrip())
    for k, option in enumerate(options, 1):
        mark = "   <- chosen" if option.chosen else ""
        lines.append(
            f"{k}. {option.text:<34}{option.value / 1000:>8.2f}{option.brings / 1000:>9.2f}"
            f"{option.price / 1000:>8.2f}{option.follow_up / 1000:>8.2f}"
            f"{_judged(option) if judged else ''}{mark}"
        )
        if option.conversions:
            lines.append(f"      before it: {', '.join(option.conversions)}")
        if option.owes:
            parts = [f"{name} {amount / 1000:+.2f}" for name, amount in option.owes[:8]]
            lines.append(f"      brings by weight: {', '.join(parts)}")
        if option.taught:
            parts = [f"{name} {amount / 1000:+.2f}" for name, amount in option.taught[:8]]
            lines.append(f"      judged by feature, beside the most valued: {', '.join(parts)}")
    return lines


def _judged(option: Option) -> str:
    return f"{'-':>8}" if option.judged is None else f"{option.judged / 1000:>8.2f}"
