"""Scenes on the 3-5 side round B6: one seat acts, the others have passed.

B6, B5 and C6 are adjacent to each other, A6 to B5 and B6; none of the four lies beside a river, A6 is an edge hex. For
forest B5 (lake) and A7 (mountain) are one spade away, A6 (wasteland) and C7 (swamp) two, B7 (desert) three.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .table import DISCIPLINES, Table, game, pass_round, table

TRIANGLE = {"B5": "guild", "B6": "guild", "C6": "guild"}
NO_BOOKS_OR_POWER = {"coins": 0, "tools": 0, "bowls": [12, 0, 0]}


def home_terrain(seats: Sequence[Mapping[str, Any]], homes: str = "") -> dict[str, str]:
    """Every hex with a building, and those of `homes` for seat 0, in home terrain."""
    terrain = {name: str(seat["board"]) for seat in seats for name in seat.get("buildings", {})}
    return terrain | {name: str(seats[0]["board"]) for name in homes.split()}


def alone(seat: Mapping[str, Any], *others: Mapping[str, Any], homes: str = "", players: int = 3, **top: Any) -> Table:
    """Seat 0 acts, everybody else has passed. Rich and without power: 40 coins, 20 tools, all tokens in bowl I."""
    acting = {"board": "forest", "coins": 40, "tools": 20, "bowls": [12, 0, 0], **seat}
    rest = [{**other, "passed": True} for other in others]
    rest += [{"passed": True} for _ in range(players - 1 - len(rest))]
    terrain = home_terrain([acting, *others], homes) | top.pop("terrain", {})
    return table(acting, *rest, players=players, next_order=list(range(1, players)), terrain=terrain, **top)


def inventing(key: str, seat: Mapping[str, Any], *others: Mapping[str, Any], **top: Any) -> Table:
    """A scene of round 3 (which scores tracks) in which seat 0 can take one innovation for five banking books."""
    top.setdefault("round", 3)
    top.setdefault("innovations", [{"key": key, "column": "banking"}])
    return alone({"books": {"banking": 5}, **seat}, *others, **top)


def invented(key: str, seat: Mapping[str, Any], **top: Any) -> dict[str, int]:
    """What the innovation gives at once: the change less its price of five banking books (5 coins with no palace)."""
    t = inventing(key, seat, **top).do(f"innovate {key}")
    change = t.change()
    if not seat.get("palace"):
        change["coins"] = change.get("coins", 0) + 5
    change["banking-book"] = change.get("banking-book", 0) + 5
    return {name: amount for name, amount in change.items() if amount}


def display(*first: str) -> list[dict[str, Any]]:
    """The competencies by number, three to a discipline, places 3 steps, 2 and 1 book, 1 and 2 books; `first` in front."""
    order = [*first, *[str(number) for number in range(1, 13) if str(number) not in first]]
    return [
        {"key": key, "discipline": DISCIPLINES[index // 3], "place": index % 3, "left": 4}
        for index, key in enumerate(order)
    ]


def next_round(*seats: Mapping[str, Any], bonus: str = "river", **top: Any) -> Table:
    """Round 1 ends and the income of round 2 is paid: seat 0 passes last; nobody else has a choice to make."""
    spec = [dict(seat) for seat in seats] + [{} for _ in range(3 - len(seats))]
    held = [tile for tile in ("coins", "power", "guild", "school") if tile not in (bonus, spec[0].get("bonus"))]
    for seat in spec:
        if "bonus" not in seat:
            seat["bonus"] = held.pop(0)
    return pass_round(*spec, bonus=bonus, **top).end()


def income(seat: Mapping[str, Any], *answers: str, **top: Any) -> dict[str, int]:
    """Income of a new round without the 1 tool that an empty planning board gives (the passed-for tile gives nothing)."""
    board = seat.get("board", "forest")
    terrain = top.pop("terrain", {}) | dict.fromkeys(seat.get("buildings", {}), board)
    spec = {"board": board, "bowls": [12, 0, 0], **seat}
    t = next_round(spec, terrain=terrain, **{"round_tiles": _quiet_first(), **top}).do(*answers)
    assert (t.dict["round"], t.phase) == (2, "actions")
    change = t.change()
    change["tools"] = change.get("tools", 0) - 1
    return {name: amount for name, amount in change.items() if amount}


def _quiet_first() -> list[str]:
    return ["city-engineering", "innovation-law", "track-engineering", "school-banking", "workshop-law", "guild-law"]


def scored_by_passing(seat: Mapping[str, Any], *answers: str, **top: Any) -> Table:
    """Seat 0 has passed for the river tile in round 1 (answers given); `vp_from` then tells the pass bonuses."""
    return alone(seat, round=1, round_tiles=_quiet_first(), **top).do("pass river", *answers)


def is_city(t: Table, name: str, seat: int = 0) -> bool:
    """Whether a building belongs to a founded city."""
    building = t.seat(seat)["buildings"][name]
    return isinstance(building, Mapping) and bool(building.get("city"))


def final_scores(*seats: Mapping[str, Any], homes: str = "", **top: Any) -> Table:
    """Round 6 is over: seat 0 was the last to pass. Nobody has resources unless given."""
    spec = [{**NO_BOOKS_OR_POWER, **seat} for seat in seats]
    for other in spec[1:]:
        other["passed"] = True
    for seat, board in zip(spec, ("forest", "desert", "swamp", "lake", "plains"), strict=False):
        seat.setdefault("board", board)
    top = {"round": 6, "players": len(spec), **top}
    terrain = home_terrain(spec, homes) | top.pop("terrain", {})
    t = table(*spec, next_order=list(range(1, len(spec))), terrain=terrain, **top).do("pass").end()
    assert t.phase == "over"
    return t


def points(t: Table, source: str) -> list[int]:
    """VP of every seat from one source."""
    return [t.vp_from(source, seat) for seat in range(len(t.dict["seats"]))]


def dealt(board: str, faction: str = "inventors", players: int = 3, edition: str = "1.2") -> Table:
    """A new game in which seat 0 has that board and faction, before any set-up decision."""
    boards = [other for other in ("swamp", "mountain", "lake", "forest", "plains") if other != board]
    factions = [
        other for other in ("philosophers", "psychics", "navigators", "illusionists", "felines") if other != faction
    ]
    deal = [{"board": board, "faction": faction, "bonus": "coins"}]
    tiles = ("power", "guild", "school", "science")
    deal += [{"board": boards[seat], "faction": factions[seat], "bonus": tiles[seat]} for seat in range(players - 1)]
    return game(players=players, deal=deal, edition=edition)


def set_up(t: Table, *wishes: str, until: str = "actions") -> Table:
    """Play the set-up to a phase: the first wish that is legal (of seat 0, in order), else any answer."""
    wanted = list(wishes)
    while t.phase != until:
        legal = t.legal()
        if t.mover == 0 and wanted and wanted[0] in legal:
            t.do(wanted.pop(0))
        else:
            t.do(sorted(legal)[0])
    assert not wanted, wanted
    return t


def settle(t: Table, *answers: str) -> Table:
    """Give answers as their questions come; where only the order of parts is asked, the first part is taken."""
    wanted = list(answers)
    while wanted:
        legal = t.legal()
        answer = next((text for text in wanted if text in legal), None)
        if answer is not None:
            wanted.remove(answer)
        else:
            assert t.asks == "resolve", f"none of {wanted} is legal: {sorted(legal)}"
        t.do(answer or sorted(legal)[0])
    return t
