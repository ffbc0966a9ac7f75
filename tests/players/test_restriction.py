"""Restricted play: what a seat may not take it does not take, what it must take it takes if it can."""

import pytest

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.state import State, is_over
from aoi_sim.players import make_player
from aoi_sim.players.restriction import RestrictedPlayer, Restriction, RestrictionError, keys_of, kinds, parsed
from aoi_sim.rules import load_ruleset
from tests.players.table import start

RULES = load_ruleset()
SEAT = 1


class Table:
    """A game of three with one restricted seat, and what that seat was shown and chose."""

    def __init__(self, name: str, text: str, seed: int = 3) -> None:
        self.state = start(3, seed)
        self.restriction = Restriction(text, self.state.tables.rules, 3)
        self.decisions: list[int] = []
        self.own: list[tuple[int, list[Action], list[Action], Action]] = []
        players = [make_player(name, seat, seat) for seat in range(3)]
        players[SEAT] = RestrictedPlayer(players[SEAT], SEAT, self.restriction)
        self.state.log = []
        while not is_over(self.state):
            self._decide(players)

    def _decide(self, players: list[object]) -> None:
        state = self.state
        seat = seat_to_move(state)
        actions = legal_actions(state)
        allowed = self.restriction.allowed(state, SEAT, actions) if seat == SEAT else actions
        action: Action = players[seat].choose(state, actions)  # type: ignore[attr-defined]
        assert action in allowed
        if seat == SEAT:
            self.own.append((state.round, actions, allowed, action))
        self.decisions += [state.round, state.turn, seat, *action]
        apply_action(state, action)

    @property
    def taken(self) -> int:
        return self.restriction.times_taken(self.state, SEAT, self.decisions, 7)


@pytest.mark.parametrize("name", ["random", "greedy", "expert"])
@pytest.mark.parametrize("text", ["not palace", "not book", "not power", "not track/sailing"])
def test_what_may_not_be_taken_is_never_taken(name: str, text: str) -> None:
    table = Table(name, text)
    assert table.taken == 0
    assert any(len(allowed) < len(actions) for _, actions, allowed, _ in table.own), "it was never in reach"


@pytest.mark.parametrize("name", ["greedy", "expert"])
def test_a_single_tile_may_be_forbidden_and_others_of_its_kind_are_taken(name: str) -> None:
    free = Table(name, "not track/sailing")
    held = free.state.seats[SEAT].competencies
    key = free.state.tables.components[held[0]].key
    table = Table(name, f"not competency/{key}")
    assert table.taken == 0
    assert table.state.seats[SEAT].competencies


def test_a_decision_whose_only_answers_are_forbidden_stays_and_is_counted() -> None:
    state = start(3, 3)
    restriction = Restriction("not city/tools", state.tables.rules, 3)
    only = [(a.CITY, state.tables.by_ref["city/tools"], 0, 0)]
    assert restriction.allowed(state, SEAT, only) == only
    more = [*only, (a.CITY, state.tables.by_ref["city/coins"], 0, 0)]
    assert restriction.allowed(state, SEAT, more) == more[1:]
    state.log = []
    from aoi_sim.engine import events as e
    from aoi_sim.rules import vocabulary as v

    for seat in (SEAT, 0):
        state.log += [0, seat, v.EV_CITY_TILE, only[0][1], -1, 1, 0, 4]
    assert len(state.log) == 2 * e.EVENT_WIDTH
    assert restriction.times_taken(state, SEAT, [], 7) == 1


@pytest.mark.parametrize("name", ["random", "expert"])
@pytest.mark.parametrize("text", ["power by 2", "palace by 3", "competency by 2"])
def test_what_must_be_taken_is_taken_when_it_can_be(name: str, text: str) -> None:
    table = Table(name, text)
    last = table.restriction.by
    forced = [(allowed, action) for rnd, actions, allowed, action in table.own if rnd == last and allowed != actions]
    for allowed, action in forced:
        assert action in allowed
    if not table.taken:
        takes = table.restriction.takes
        assert not any(takes(x) for rnd, actions, _, _ in table.own if rnd == last for x in actions)


def test_a_planner_converts_for_what_it_must_take() -> None:
    tables = [Table("expert", "power by 1", seed) for seed in range(6)]
    converted = [any(action[0] in (a.CONVERT, a.SACRIFICE) for rnd, _, _, action in t.own if rnd == 1) for t in tables]
    assert all(table.taken for table in tables)
    assert any(converted)


def test_a_player_that_ignores_what_it_is_shown_is_refused() -> None:
    class Stubborn:
        name = "stubborn"

        def choose(self, state: State, actions: list[Action]) -> Action:
            return (a.CITY, state.tables.by_ref["city/tools"], 0, 0)

    state = start(3, 3)
    restriction = Restriction("not city/tools", state.tables.rules, 3)
    player = RestrictedPlayer(Stubborn(), SEAT, restriction)
    both = [(a.CITY, state.tables.by_ref[f"city/{key}"], 0, 0) for key in ("tools", "coins")]
    with pytest.raises(ValueError, match="which its restriction"):
        player.choose(state, both)


@pytest.mark.parametrize("kind", kinds())
def test_every_component_of_a_kind_can_be_restricted(kind: str) -> None:
    for key in keys_of(kind, RULES):
        assert Restriction(f"not {kind}/{key}", RULES, 4).key == key


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("palace/14", "is no restriction"),
        ("not faction/moles", "unknown kind 'faction'"),
        ("not palace/99", "no palace '99'"),
        ("not city", "name one, as city/KEY"),
        ("palace by 9", "choose 1 to 6"),
        ("not innovation/stel", "did you mean"),
    ],
)
def test_a_wrong_restriction_is_refused(text: str, says: str) -> None:
    with pytest.raises(RestrictionError, match=says):
        parsed(text, RULES)
