"""What lessons know of an option: the position before it, the option, and what it adds; whole numbers all."""

from typing import Final

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.geometry import Mask
from aoi_sim.engine.income import income_of, workshop_tools
from aoi_sim.engine.state import State
from aoi_sim.players.weighted.cities import Cities
from aoi_sim.rules import vocabulary as v

TABLE: Final = (
    "players",
    "round",
    "passed",
    "faction",
    "board",
    "palace_tile",
    "bonus_tile",
    "round_tile",
    "next_round_tile",
    "final_tile",
    "power_action_1",
    "power_action_2",
    "power_action_3",
    "power_action_4",
    "power_action_5",
    "power_action_6",
    "book_actions_used",
    "ahead_1",
    "ahead_2",
    "ahead_3",
    "ahead_4",
    "due_workshop",
    "due_guild",
    "due_school",
    "due_palace",
    "due_spade",
    "due_step",
    "due_city",
    "due_track",
    "due_innovation",
)
"""The table: seats that passed, tiles by their numbers, actions used, rivals ahead in each discipline, rounds until a round
tile pays for something (as many as there are rounds if none will)."""
SEAT: Final = (
    "vp",
    "coins",
    "tools",
    "scholars",
    "bowl1",
    "bowl2",
    "bowl3",
    "books_1",
    "books_2",
    "books_3",
    "books_4",
    "sailing",
    "terraforming",
    "workshops",
    "guilds",
    "schools",
    "palaces",
    "universities",
    "buildings",
    "competencies",
    "innovations",
    "city_tiles",
    "keys",
    "level_1",
    "level_2",
    "level_3",
    "level_4",
    "bridges",
    "scholar_supply",
    "annexes",
    "sites_0",
    "sites_1",
    "sites_2",
    "sites_3",
    "lack_1",
    "lack_2",
    "near_cities",
    "groups",
    "coin_income",
    "tool_income",
    "scholar_income",
    "power_income",
    "book_income",
    "sent",
    "used",
    "books",
    "levels",
    "power",
)
"""The seat: free hexes in reach by spades, what the two groups nearest to a city lack, income a round, books and levels of all
disciplines, power in bowl 3 with what burning would bring there."""
OPTION: Final = ("action", "deed", "manner", "spades", "from", "burnt", "beside", "gap", "alone")
"""The option: kind of action, that with its component or discipline, that with its value or coins, spades, level or building
before, tokens burnt, company, how far its value, alone its worth, is behind the best's."""
ADDED: Final = (
    "vp",
    "coins",
    "tools",
    "scholars",
    "bowl1",
    "bowl2",
    "bowl3",
    "power",
    "books",
    "scholar_supply",
    "level_1",
    "level_2",
    "level_3",
    "level_4",
    "levels",
    "lack_1",
    "lack_2",
    "near_cities",
    "groups",
    "sites_0",
    "sites_1",
    "sites_2",
    "sites_3",
    "founded",
)
"""What the option adds to features of the seat, as far as it can be told without doing it, and cities that it founds."""
NAMES: Final = (
    *TABLE,
    *SEAT,
    *OPTION,
    *[f"adds_{name}" for name in ADDED],
)
N_TABLE: Final = len(TABLE)
N_SEAT: Final = len(SEAT)
N_OPTION: Final = len(OPTION)
BEFORE: Final = N_TABLE
OPTION_AT: Final = N_TABLE + N_SEAT
ADDED_AT: Final = OPTION_AT + N_OPTION
N_FEATURES: Final = ADDED_AT + len(ADDED)
_DUE: Final = (
    v.EV_BUILT + v.WORKSHOP,
    v.EV_BUILT + v.GUILD,
    v.EV_BUILT + v.SCHOOL,
    v.EV_BUILT + v.PALACE,
    v.EV_SPADE,
    v.EV_STEP,
    v.EV_CITY_TILE,
    v.EV_TRACK,
    v.EV_INNOVATION,
)
GROUPS_AT: Final = BEFORE + SEAT.index("lack_1")
"""Here begins what groups lack, how many are near a city, and how many there are."""
_POWER_ACTIONS: Final = 6
_FURTHEST: Final = 9
_NEAR: Final = 2
_MOST: Final = 30_000
_SPAN: Final = 256


def table_features(state: State, i: int, codes: list[int], due: list[int], x: list[int]) -> None:
    """Fill in what belongs to the table.

    Args:
        state: the position.
        i: the seat.
        codes: by component, its number in the lessons.
        due: what ``rounds_until_due`` says in this round.
        x: the features.
    """
    seat = state.seats[i]
    passed = 0
    for other in state.seats:
        if other.passed:
            passed += 1
    r = max(state.round, 1)
    tiles = state.round_tiles
    x[0] = state.n_players
    x[1] = r
    x[2] = passed
    x[3] = _code(codes, seat.faction)
    x[4] = _code(codes, seat.board)
    x[5] = _code(codes, seat.palace)
    x[6] = _code(codes, seat.bonus)
    x[7] = _code(codes, tiles[r - 1]) if r <= len(tiles) else -1
    x[8] = _code(codes, tiles[r]) if r < len(tiles) else -1
    x[9] = _code(codes, state.final_tile)
    for k in range(_POWER_ACTIONS):
        x[10 + k] = state.used_power >> k & 1
    x[16] = state.used_book.bit_count()
    for d in range(4):
        ahead = 0
        level = seat.science[d]
        for other in state.seats:
            if other.science[d] > level:
                ahead += 1
        x[17 + d] = ahead
    for k in range(len(due)):
        x[21 + k] = due[k]


def rounds_until_due(state: State) -> list[int]:
    """Rounds until a round tile pays for each event of ``_DUE``, as many as there are rounds if none will."""
    tiles = state.round_tiles
    r = max(state.round, 1)
    due = [len(tiles)] * len(_DUE)
    for k in range(len(tiles) - 1, r - 2, -1):
        for trigger in state.tables.components[tiles[k]].triggers:
            for place, event in enumerate(_DUE):
                if trigger.event == event:
                    due[place] = k + 1 - r
    return due


def _code(codes: list[int], cid: int) -> int:
    return codes[cid] if cid >= 0 else -1


def seat_features(
    state: State, i: int, cities: Cities, near: list[Mask], income: list[int], x: list[int], at: int
) -> None:
    """Fill in what belongs to the seat, from place ``at`` on.

    Args:
        state: the position.
        i: the seat.
        cities: its groups.
        near: what ``free_by_spades`` says.
        income: what ``round_income`` says.
        x: the features.
        at: where the seat's begin.
    """
    seat = state.seats[i]
    x[at] = seat.vp
    x[at + 1] = seat.coins
    x[at + 2] = seat.tools
    x[at + 3] = seat.scholars
    x[at + 4] = seat.bowl1
    x[at + 5] = seat.bowl2
    x[at + 6] = seat.bowl3
    for d in range(4):
        x[at + 7 + d] = seat.books[d]
        x[at + 23 + d] = seat.science[d]
    x[at + 11] = seat.sailing
    x[at + 12] = seat.terraforming
    for k, kind in enumerate((v.WORKSHOP, v.GUILD, v.SCHOOL, v.PALACE, v.UNIVERSITY)):
        x[at + 13 + k] = seat.pieces[kind].bit_count()
    x[at + 18] = seat.own.bit_count()
    x[at + 19] = len(seat.competencies)
    x[at + 20] = len(seat.innovations)
    x[at + 21] = len(seat.city_tiles)
    x[at + 22] = seat.keys
    x[at + 27] = seat.bridge_supply
    x[at + 28] = seat.scholar_supply
    x[at + 29] = seat.annexes
    for k in range(4):
        x[at + 30 + k] = (seat.reach & near[k]).bit_count()
    _groups(cities, x, at + 34)
    for k in range(5):
        x[at + 38 + k] = income[k]
    x[at + 43] = seat.sent
    x[at + 44] = seat.used.bit_count()
    x[at + 45] = seat.books[0] + seat.books[1] + seat.books[2] + seat.books[3]
    x[at + 46] = seat.science[0] + seat.science[1] + seat.science[2] + seat.science[3]
    x[at + 47] = seat.bowl3 + seat.bowl2 // 2


def _groups(cities: Cities, x: list[int], at: int) -> None:
    """What ``count_group`` counts, of all groups."""
    row = no_groups()
    for group in cities.groups:
        count_group(row, cities.lack(group.power, group.size, group.least))
    for k in range(len(row)):
        x[at + k] = row[k]


def no_groups() -> list[int]:
    """The counts of ``count_group`` before the first group."""
    return [_FURTHEST, _FURTHEST, 0, 0]


def count_group(row: list[int], lack: int) -> None:
    """Count a group that lacks so much: least and second least that one lacks, how many are near a city, how many there are."""
    if lack <= _NEAR:
        row[2] += 1
    if lack < row[0]:
        row[1] = row[0]
        row[0] = lack
    elif lack < row[1]:
        row[1] = lack
    row[3] += 1


def round_income(state: State, i: int) -> list[int]:
    """Coins, tools, scholars, power and books of a round's income."""
    coins = scholars = power = books = 0
    tools = workshop_tools(state, i)
    for gain, _ in income_of(state, i):
        for op, n, _, _ in gain.simple:
            if op == v.OP_COINS:
                coins += n
            elif op == v.OP_TOOLS:
                tools += n
            elif op == v.OP_SCHOLARS:
                scholars += n
            elif op == v.OP_POWER:
                power += n
            elif op == v.OP_BOOK_OF:
                books += n
        for op, n, _, _ in gain.parts:
            if op == v.OP_BOOKS:
                books += n
    return [coins, tools, scholars, power, books]


def option_features(
    state: State, i: int, codes: list[int], action: Action, burnt: int, gap: int, alone: int, x: list[int]
) -> None:
    """Fill in what belongs to the option: its action with the tokens burnt for it, and how far it is behind the best."""
    kind, what, how, _ = action
    seat = state.seats[i]
    spades = before = beside = 0
    if kind in (a.TRANSFORM, a.BUILD, a.PLACE, a.UPGRADE, a.ANNEX, a.BRIDGE, a.FOUND):
        if kind in (a.TRANSFORM, a.PLACE) and state.terrain[what] >= 0:
            spades = len(state.tables.dig_paths[seat.home][state.terrain[what]])
        if kind == a.UPGRADE:
            before = state.building[what]
        if kind != a.BRIDGE and state.geometry.land_sides[what] & state.occupied & ~seat.own:
            beside = 1
        if kind == a.TRANSFORM or kind == a.BRIDGE:
            how = 0
        what = 0
    elif kind in (a.SEND, a.RETURN, a.STEP):
        before = seat.science[what]
    elif kind == a.ADVANCE:
        before = seat.sailing if what == a.SAILING else seat.terraforming
    elif kind == a.PASS or kind == a.BONUS:
        how = state.bonus_coins[state.tables.components[what].position] if what >= 0 else 0
        what = _code(codes, what)
    elif kind in (a.POWER, a.BOOK, a.SPECIAL, a.INNOVATE, a.COMPETENCY, a.PALACE, a.CITY):
        what = codes[what]
    at = OPTION_AT
    x[at] = kind
    x[at + 1] = kind * _SPAN + max(0, min(what + 1, _SPAN - 1))
    x[at + 2] = kind * _SPAN + max(0, min(how, _SPAN - 1))
    x[at + 3] = spades
    x[at + 4] = before
    x[at + 5] = burnt
    x[at + 6] = beside
    x[at + 7] = min(gap, _MOST)
    x[at + 8] = max(-_MOST, min(alone, _MOST))
