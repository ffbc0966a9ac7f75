"""Set-up draws: the only place where chance decides (SET-1 to SET-10, SET-17)."""

import random
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from aoi_sim.engine.flow import advance
from aoi_sim.engine.geometry import Geometry
from aoi_sim.engine.setup_actions import begin_start
from aoi_sim.engine.state import P_BUNDLE, P_DRAFT, RIVAL, State
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import Tables, tables_for


class SetupError(ValueError):
    """A game that cannot be set up as asked: what, where, what to do, in one line."""


MAX_SEED = (1 << 63) - 1
_GEOMETRIES: dict[tuple[str, str], Geometry] = {}


def geometry_for(tables: Tables, key: str) -> Geometry:
    """The geometry of a map side, made once a process."""
    found = _GEOMETRIES.get((tables.rules.hash, key))
    if found is None:
        row = tables.data["maps"][key]
        letters = {name[0].upper(): k for k, name in enumerate(tables.terrains)}
        levels = tables.sailing_max
        extra = 0
        for c in tables.components:
            extra += c.sailing_bonus
        found = Geometry(
            key, list(row["rows"]), [(b[0], b[1]) for b in row["bridges"]], list(row["edge"]), letters, levels + extra
        )
        _GEOMETRIES[(tables.rules.hash, key)] = found
    return found


def take(rng: random.Random, items: list[Any]) -> Any:
    """Remove and return one item at random (the same on every Python)."""
    return items.pop(int(rng.random() * len(items)))


def draw(rng: random.Random, items: Sequence[Any], n: int) -> list[Any]:
    """N items at random without replacement, in the order drawn."""
    left = list(items)
    return [take(rng, left) for _ in range(min(n, len(left)))]


def map_for(tables: Tables, asked: str) -> str:
    """The map side to play on (SET-1)."""
    maps = tables.data["maps"]
    n = tables.n_players
    if asked == "auto":
        if n == 2:
            asked = "1-3"
        elif n == 3:
            asked = str(tables.rules.options["map_3_players"])
        else:
            asked = "3-5"
        if asked not in maps:
            asked = next(iter(maps))
    if asked not in maps:
        raise SetupError(f"unknown map {asked!r}, in map, use auto or one of {', '.join(maps)}")
    players = [int(p) for p in maps[asked].get("players", ())]
    if players and n not in players:
        raise SetupError(f"map {asked} is not for {n} players, in map, use auto or a map for {n} players (SET-1)")
    return asked


def draw_setup(
    rules: Ruleset,
    n_players: int,
    seed: int,
    setup: str | None = None,
    map: str = "auto",
    deal: Sequence[Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Draw everything that chance decides in a game.

    Args:
        rules: the ruleset.
        n_players: 2 to 5.
        seed: seed of the draw.
        setup: "standard" or "draft"; None takes option `setup`.
        map: map side or "auto".
        deal: board, faction, bonus (and in a draft palace) of each seat; missing keys are drawn. None: players pick.

    Returns:
        Plain keys and lists, what `start_game` takes and what a record's header holds.
    """
    if not isinstance(n_players, int) or not 2 <= n_players <= 5:
        raise SetupError(f"{n_players!r} players, in n_players, use 2 to 5")
    t = tables_for(rules, n_players)
    kind = setup or str(rules.options["setup"])
    if kind not in ("standard", "draft"):
        raise SetupError(f"unknown setup {kind!r}, in setup, use standard or draft")
    rng = random.Random(seed)
    keys = {word: list(t.data[word]) for word in v.KIND_TABLES}
    out: dict[str, Any] = {"n_players": n_players, "map": map_for(t, map), "setup": kind}
    out["round_tiles"] = _round_tiles(t, rng)
    out["final_tile"] = _final_tile(t, rng, out["round_tiles"][-1])
    out["book_actions"] = draw(rng, keys["book_actions"], int(t.setup["book_actions"]))
    out["innovations"] = _innovation_display(t, rng, keys["innovations"])
    out["competencies"] = _competency_display(t, rng, keys["competencies"])
    out["area_tile"] = draw(rng, t.setup["area_tiles"], 1)[0] if n_players == 2 else None
    _draw_picks(t, rng, out, keys, deal)
    return out


def _draw_picks(
    t: Tables,
    rng: random.Random,
    out: dict[str, Any],
    keys: dict[str, list[str]],
    deal: Sequence[Mapping[str, str]] | None,
) -> None:
    s = t.setup
    n = t.n_players
    extra = int(s["bonus_tiles_extra"])
    draft = out["setup"] == "draft"
    always = [p for p in s["always_palaces"] if p in keys["palaces"]]
    if draft:
        pool = [p for p in keys["palaces"] if p not in s["never_drafted_palaces"]]
        palaces = draw(rng, pool, n + int(s["draft_palaces_extra"]))
    else:
        drawn = draw(rng, [p for p in keys["palaces"] if p not in always], n + int(t.rules.options["extra_palaces"]))
        palaces = always + drawn
    if deal is not None:
        _dealt(t, rng, out, keys, deal, palaces)
        return
    if draft:
        out["draft_boards"] = draw(rng, keys["boards"], int(s["draft_boards"]))
        out["draft_factions"] = draw(rng, keys["factions"], n + int(s["draft_factions_extra"]))
        out["palaces"] = palaces
        out["bonus_tiles"] = draw(rng, keys["bonus_tiles"], n + extra)
        return
    out["palaces"] = palaces
    count = int(s["bundles"])
    boards = draw(rng, keys["boards"], count)
    factions = draw(rng, keys["factions"], count)
    tiles = draw(rng, keys["bonus_tiles"], count + extra)
    if len(boards) < n or len(factions) < len(boards) or len(tiles) < len(boards) + extra:
        raise SetupError(f"too few boards, factions or bonus tiles for {n} players, in the rules, add some back")
    out["bundles"] = [{"board": b, "faction": f, "bonus": x} for b, f, x in zip(boards, factions, tiles, strict=False)]
    out["bonus_tiles"] = tiles[len(boards) : len(boards) + extra]


def _dealt(
    t: Tables,
    rng: random.Random,
    out: dict[str, Any],
    keys: dict[str, list[str]],
    deal: Sequence[Mapping[str, str]],
    palaces: list[str],
) -> None:
    n = t.n_players
    draft = out["setup"] == "draft"
    if len(deal) != n:
        raise SetupError(f"deal for {len(deal)} seats, in deal, give one entry for each of {n} players")
    rows: list[dict[str, str]] = [dict(row) for row in deal]
    columns = {"board": "boards", "faction": "factions", "bonus": "bonus_tiles"}
    if draft:
        columns["palace"] = "palaces"
    for column, table in columns.items():
        pool = [k for k in keys[table] if k not in [r.get(column) for r in rows]]
        if column == "palace":
            pool = [p for p in pool if p not in t.setup["never_drafted_palaces"]]
        given = [r[column] for r in rows if column in r]
        for key in given:
            if key not in keys[table]:
                raise SetupError(f"unknown {column} {key!r}, in deal, use one of {', '.join(keys[table])}")
        if len(set(given)) != len(given):
            raise SetupError(f"{column} dealt twice, in deal, give each seat its own {column}")
        for row in rows:
            if column not in row:
                if not pool:
                    raise SetupError(f"too few {table} for {n} players, in the rules, add some back")
                row[column] = take(rng, pool)
    for row in rows:
        for word in row:
            if word not in columns:
                raise SetupError(f"unknown key {word!r}, in deal, use {', '.join(columns)}")
    out["deal"] = rows
    out["palaces"] = [] if draft else palaces
    held = [r["bonus"] for r in rows]
    out["bonus_tiles"] = draw(rng, [b for b in keys["bonus_tiles"] if b not in held], int(t.setup["bonus_tiles_extra"]))


def _round_tiles(t: Tables, rng: random.Random) -> list[str]:
    """SET-2: dealt from the last round down to the first."""
    s = t.setup
    n = t.n_rounds
    deck = draw(rng, list(t.data["round_tiles"]), len(t.data["round_tiles"]))
    aside: list[str] = []
    dropped: list[str] = []
    late = [int(r) for r in s["spade_tile_not_in"]]
    found: dict[int, str] = {}
    for r in range(n, 0, -1):
        if aside and r not in late:
            deck = draw(rng, deck + aside, len(deck) + len(aside))
            aside = []
        while True:
            if not deck:
                deck, dropped, aside = dropped or aside, [], [] if not dropped else aside
                if not deck:
                    raise SetupError("too few round tiles, in the rules, add some back (SET-2)")
                found[r] = deck.pop(0)
                break
            key = deck.pop(0)
            row = t.data["round_tiles"][key]
            if row.get("spade_tile") and r in late:
                aside.append(key)
                continue
            discipline = row.get("bonus", {}).get("discipline")
            same = 0
            for other, k in found.items():
                if other < n and t.data["round_tiles"][k].get("bonus", {}).get("discipline") == discipline:
                    same += 1
            if r < n and discipline and same >= int(s["max_per_discipline"]):
                dropped.append(key)
                continue
            found[r] = key
            break
    return [found[r] for r in range(1, n + 1)]


def _final_tile(t: Tables, rng: random.Random, last: str) -> str:
    """SET-3: redrawn when it scores what the last round's tile scores."""
    deck = draw(rng, list(t.data["final_tiles"]), len(t.data["final_tiles"]))
    scores = t.data["round_tiles"][last].get("scores", "")
    for key in deck:
        if not scores or t.data["final_tiles"][key].get("scores", "") != scores:
            return str(key)
    return str(deck[0])


def columns_of(t: Tables) -> list[str]:
    """Names of the columns of the innovation display: the disciplines, then the double columns."""
    doubles = t.data["innovation_display"]["double_columns"]
    return [*t.disciplines, *("+".join(pair) for pair in doubles)]


def _innovation_display(t: Tables, rng: random.Random, keys: list[str]) -> list[dict[str, str]]:
    """SET-5, INN-2."""
    d = t.data["innovation_display"]
    k = t.n_players - 2
    places: list[str] = []
    for name in columns_of(t):
        places += [name] * int(d["plain"][k] if name in t.disciplines else d["double"][k])
    drawn = draw(rng, keys, len(places))
    return [{"key": key, "column": place} for key, place in zip(drawn, places, strict=False)]


def _competency_display(t: Tables, rng: random.Random, keys: list[str]) -> list[dict[str, Any]]:
    """SET-6, COMP-2."""
    places = [(d, p) for d in t.disciplines for p in range(len(t.competency_places))]
    drawn = draw(rng, keys, len(places))
    return [{"key": key, "discipline": d, "place": p} for key, (d, p) in zip(drawn, places, strict=False)]


def start_game(rules: Ruleset, setup: Mapping[str, Any], log: bool = False) -> State:
    """The state of a new game from its draws, at its first decision.

    Args:
        rules: the ruleset.
        setup: what `draw_setup` returns.
        log: whether the state logs events.
    """
    t = tables_for(rules, int(setup["n_players"]))
    state = State(t, geometry_for(t, setup["map"]), setup["setup"])
    if log:
        state.log = []
    state.draws = setup
    lay_out(state, setup)
    if "deal" in setup:
        for i, row in enumerate(setup["deal"]):
            seat = state.seats[i]
            seat.board = t.by_ref["board/" + row["board"]]
            seat.faction = t.by_ref["faction/" + row["faction"]]
            seat.bonus = t.by_ref["bonus/" + row["bonus"]]
            if state.setup_kind == "draft":
                seat.palace = t.by_ref["palace/" + row["palace"]]
        begin_start(state)
    elif state.setup_kind == "draft":
        state.phase = P_DRAFT
        state.queue = list(range(state.n_players)) * 3
    else:
        state.phase = P_BUNDLE
        state.queue = list(range(state.n_players - 1, -1, -1))
    advance(state)
    state.n_decisions = 0
    return state


def lay_out(state: State, setup: Mapping[str, Any]) -> None:
    """Put the drawn tiles on the table."""
    t = state.tables
    ref = t.by_ref
    state.round_tiles = tuple([ref["round/" + k] for k in setup["round_tiles"]])
    state.final_tile = ref["final/" + setup["final_tile"]]
    state.book_actions = tuple([ref["book/" + k] for k in setup["book_actions"]])
    columns = columns_of(t)
    state.innovations = tuple(
        [(ref["innovation/" + r["key"]], columns.index(r["column"])) for r in setup["innovations"]]
    )
    n = len(t.kinds[v.K_COMPETENCY])
    state.competency_discipline = [-1] * n
    state.competency_place = [0] * n
    state.competency_left = [0] * n
    for row in setup["competencies"]:
        k = t.components[ref["competency/" + row["key"]]].position
        state.competency_discipline[k] = t.disciplines.index(row["discipline"])
        state.competency_place[k] = int(row["place"])
        state.competency_left[k] = int(t.setup["competency_copies"])
    state.palaces = tuple([ref["palace/" + k] for k in setup["palaces"]])
    state.city_left = [int(t.rules.options["city_tile_copies"])] * len(t.kinds[v.K_CITY_TILE])
    state.bonus_coins = [-1] * len(t.kinds[v.K_BONUS_TILE])
    coins = 0 if state.setup_kind == "draft" else t.bonus_coin  # SET-9; in a draft after the picks (SET-10)
    for key in setup["bonus_tiles"]:
        state.bonus_coins[t.components[ref["bonus/" + key]].position] = coins
    state.bundles = tuple(
        [
            (ref["board/" + b["board"]], ref["faction/" + b["faction"]], ref["bonus/" + b["bonus"]])
            for b in setup.get("bundles", ())
        ]
    )
    state.draft_boards = tuple([ref["board/" + k] for k in setup.get("draft_boards", ())])
    state.draft_factions = tuple([ref["faction/" + k] for k in setup.get("draft_factions", ())])
    if state.n_players == 2:
        lay_out_rival(state, int(setup["area_tile"]))


def lay_out_rival(state: State, area_tile: int) -> None:
    """SET-17: the rival's scholars, its markers and the area tile."""
    t = state.tables
    state.area_tile = area_tile
    levels = [int(t.setup["rival_start"])] * 4
    for cid in state.round_tiles[: t.n_rounds - 1]:
        c = t.components[cid]
        if c.bonus_discipline >= 0:
            levels[c.bonus_discipline] += c.bonus_every
    state.rival = levels
    values = t.scholar_places
    place = int(t.setup["rival_place_value"])
    for d in range(4):
        for k, value in enumerate(values):
            if value == place:
                state.places[d * len(values) + k] = RIVAL
                break


def new_game(
    rules: Ruleset,
    n_players: SupportsIndex = 4,
    seed: SupportsIndex = 0,
    setup: str | None = None,
    map: str = "auto",
    deal: Sequence[Mapping[str, str]] | None = None,
    log: bool = False,
) -> State:
    """Draw and start a game (`draw_setup`, `start_game`).

    Raises:
        SetupError: the game cannot be set up as asked.
    """
    n, root = whole_number(n_players, "n_players"), whole_number(seed, "seed")
    if not 0 <= root <= MAX_SEED:
        raise SetupError(f"seed {root}, in seed, use 0 to {MAX_SEED}")
    return start_game(rules, draw_setup(rules, n, root, setup, map, deal), log)


def whole_number(value: SupportsIndex, what: str, error: type[ValueError] = SetupError) -> int:
    """A whole number as an int, numpy's too; other types get here from callers that check no types.

    Args:
        value: what was given.
        what: the option that it was given for.
        error: raised where it is none.
    """
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass  # refused below, as a truth value is
    raise error(f"{value!r} is no whole number, {what}, give an int")
