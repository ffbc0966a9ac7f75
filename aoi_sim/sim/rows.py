"""From played games to the columns of the tables: everything about a game that can wait until it is over."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from aoi_sim.engine.events import EVENT_WIDTH, ROUND_COLUMNS, ROUND_WIDTH, VP_SOURCES
from aoi_sim.engine.scoring import area, win_shares
from aoi_sim.engine.state import State, digest
from aoi_sim.players.heuristic import error_text
from aoi_sim.players.restriction import Restriction
from aoi_sim.rules import vocabulary as v
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.tables import tables_for
from aoi_sim.sim.event_rows import event_columns
from aoi_sim.sim.loop import DECISION_WIDTH
from aoi_sim.sim.match import Played
from aoi_sim.sim.packing import IntRows
from aoi_sim.sim.pick_rows import PickRows
from aoi_sim.sim.plan import GameSpec, Plan
from aoi_sim.sim.transcript import record_text
from aoi_sim.storage.arrow import Coded, build_table, file_metadata

_BUILDING_COLUMNS: Final = ("workshops", "guilds", "schools", "universities", "palaces", "towers", "monuments")
_SEAT_INTS: Final = (
    "game_index",
    "seat",
    "faction",
    "board",
    "palace",
    "bonus",
    "vp",
    "rank",
    *(f"vp_from_{name}" for name in VP_SOURCES),
    *_BUILDING_COLUMNS,
    *("annexes", "cities", "innovations", "competencies", "bridges", "scholars_sent"),
    *("banking", "law", "engineering", "medicine", "sailing", "terraforming", "keys", "area"),
    *("power_offers", "power_taken", "power_declined"),
    "restriction_taken",
)
_COMPONENT_COLUMNS: Final = ("faction", "board", "palace", "bonus")
_START_MEASURES: Final = ("vp", "coins", "tools", "scholars", "books", "bowl1", "bowl2", "bowl3")


class ChunkRows:
    """The rows of the games of a chunk.

    Args:
        plan: whose games.
        rules: their rules.
        events: whether the table of events is made.
    """

    def __init__(self, plan: Plan, rules: Ruleset, *, events: bool) -> None:
        self.plan = plan
        self.rules = rules
        self.with_events = events
        self._tables = tables_for(rules, plan.config.n_players)
        self._plan_hash = plan.hash
        self._games: list[dict[str, Any]] = []
        self._seats = IntRows(len(_SEAT_INTS))
        self._win_shares: list[float] = []
        self._heuristics: list[str] = []
        self._assigned: list[str] = []
        self._restrictions: list[str | None] = []
        n_players, n_rounds = plan.config.n_players, self._tables.n_rounds
        self._rounds = IntRows(1 + n_players + 2 * n_players * n_rounds * ROUND_WIDTH)
        self._picks = PickRows(self._tables)
        self._logs = IntRows(EVENT_WIDTH)
        self._decisions = IntRows(DECISION_WIDTH)
        self._event_games: list[tuple[int, int, int]] = []  # game_index, events, decisions
        self._state: State | None = None

    def add(self, spec: GameSpec, played: Played) -> None:
        """Add a game, finished or failed."""
        self._games.append(self._game_row(spec, played))
        state = played.state
        if played.error is not None or state is None:
            return
        if state.log is None:
            raise ValueError("the log is gone: a player changed the state")
        self._state = state
        bonus, offers = self._picks.add(spec.index, played)
        self._add_seats(spec, played, bonus, offers)
        self._add_rounds(spec.index, state)
        if self.with_events:
            self._event_games.append((spec.index, len(state.log) // EVENT_WIDTH, state.n_decisions))
            self._logs.add(state.log)
            self._decisions.add(played.decisions)

    def tables(self) -> dict[str, Any]:
        """Arrow tables by name."""
        columns = {
            "games": self._game_columns(),
            "seats": self._seat_columns(),
            "rounds": self._round_columns(),
            "offers": self._picks.columns(),
        }
        if self.with_events:
            logs, decisions = self._logs.rows(), self._decisions.rows()
            columns["events"] = event_columns(self._event_games, logs, decisions, self._tables, self._state)
        rules = f"{self.rules.edition} {self.rules.hash}"
        return {
            name: build_table(name, values, file_metadata(name, rules, self._plan_hash))
            for name, values in columns.items()
        }

    # games

    def _game_row(self, spec: GameSpec, played: Played) -> dict[str, Any]:
        state, setup, error = played.state, played.setup or {}, played.error
        finished = error is None and state is not None
        scores = [seat.vp for seat in state.seats] if finished and state is not None else []
        best = max(scores, default=0)
        deal = setup.get("deal", [])
        return {
            "game_index": spec.index,
            "game_id": f"{self._plan_hash}-{spec.index}",
            "block": spec.block,
            "level": self.plan.level_name(spec),
            "replicate": spec.replicate,
            "setup_seed": spec.setup_seed,
            "player_seeds": spec.player_seeds,
            "map": setup.get("map"),
            "status": "finished" if finished else "failed",
            "error": None if error is None else error_text(error),
            "record": None if finished else record_text(spec.heuristics, played),
            "n_decisions": len(played.decisions) // DECISION_WIDTH,
            "winners": [seat for seat, score in enumerate(scores) if score == best],
            "final_hash": digest(state) if finished and state is not None else None,
            "round_tiles": setup.get("round_tiles", []),
            "final_tile": setup.get("final_tile"),
            "book_actions": setup.get("book_actions", []),
            "innovations": [row["key"] for row in setup.get("innovations", [])],
            "innovation_columns": [row["column"] for row in setup.get("innovations", [])],
            "competencies": [row["key"] for row in setup.get("competencies", [])],
            "palaces": setup.get("palaces") or [row["palace"] for row in deal if "palace" in row],
            "bonus_tiles": [] if state is None else self._bonus_tiles(state),
            "bundles": [f"{row['board']}+{row['faction']}+{row['bonus']}" for row in setup.get("bundles", [])],
            "draft_boards": setup.get("draft_boards", []),
            "draft_factions": setup.get("draft_factions", []),
            "area_tile": setup.get("area_tile"),
        }

    def _bonus_tiles(self, state: State) -> list[str]:
        """Round bonus tiles in play: those held and those free, in the data's order."""
        cids = self._tables.kinds[v.K_BONUS_TILE]
        held = {seat.bonus for seat in state.seats}
        components = self._tables.components
        return [
            components[cid].key for cid, coins in zip(cids, state.bonus_coins, strict=True) if coins >= 0 or cid in held
        ]

    def _game_columns(self) -> dict[str, Any]:
        config = self.plan.config
        n = len(self._games)
        columns: dict[str, Any] = {key: [row[key] for row in self._games] for key in (self._games[0] if n else ())}
        same = {"edition": self.rules.edition, "setup": config.setup, "design": config.design}
        columns |= {key: Coded(np.zeros(n, dtype=np.int32), [word]) for key, word in same.items()}
        columns["n_players"] = np.full(n, config.n_players)
        return columns

    # seats

    def _add_seats(self, spec: GameSpec, played: Played, bonus: Sequence[int], offers: Sequence[Sequence[int]]) -> None:
        tables, state = self._tables, played.state
        assert state is not None
        deal = (played.setup or {}).get("deal")
        scores = [seat.vp for seat in state.seats]
        self._win_shares += win_shares(scores)
        self._heuristics += spec.heuristics
        design = self.plan.config.design
        self._assigned += ["fixed" if deal is not None and design == "choice" else design] * len(scores)
        for i, seat in enumerate(state.seats):
            rank = 1 + sum(score > seat.vp for score in scores)
            first_bonus = bonus[i] if deal is None else tables.by_ref["bonus/" + deal[i]["bonus"]]
            row = [spec.index, i, seat.faction, seat.board, seat.palace, first_bonus, seat.vp, rank]
            row += seat.vp_from
            row += seat.buildings[v.WORKSHOP : v.MONUMENT + 1]
            row += (seat.annexed.bit_count(), len(seat.city_tiles), len(seat.innovations), len(seat.competencies))
            row += (tables.bridge_pieces - seat.bridge_supply, seat.sent)
            row += seat.science
            row += (seat.sailing, seat.terraforming, seat.keys, area(state, i))
            row += offers[i]
            row.append(self._restriction_taken(spec, played, i) if spec.restriction else -1)
            self._restrictions.append(spec.restriction if i == spec.restricted_seat else None)
            self._seats.add(row)

    def _restriction_taken(self, spec: GameSpec, played: Played, i: int) -> int:
        """How often a seat took what the block's restriction is about."""
        restriction = Restriction(spec.restriction, self.rules, self.plan.config.n_players)
        assert played.state is not None
        return restriction.times_taken(played.state, i, played.decisions, DECISION_WIDTH)

    def _seat_columns(self) -> dict[str, Any]:
        rows = self._seats.rows()
        columns: dict[str, Any] = {name: rows[:, k] for k, name in enumerate(_SEAT_INTS)}
        keys = [component.key for component in self._tables.components]
        for name in _COMPONENT_COLUMNS:
            columns[name] = Coded(columns[name], keys)
        columns["heuristic"] = self._heuristics
        columns["assigned"] = self._assigned
        columns["restriction"] = self._restrictions
        columns["restriction_taken"] = np.ma.masked_less(columns["restriction_taken"], 0)
        columns["win_share"] = np.array(self._win_shares, dtype=np.float64)
        return columns

    # rounds

    def _add_rounds(self, index: int, state: State) -> None:
        """Keep the log of rounds and, for its last rows, the VP of the final scoring."""
        sources = [VP_SOURCES.index(name) for name in ("area", "science", "resources")]
        final_vp = [sum(seat.vp_from[k] for k in sources) for seat in state.seats]
        self._rounds.add([index, *final_vp, *state.round_log])

    def _round_columns(self) -> dict[str, Any]:
        n_players, n_rounds = self.plan.config.n_players, self._tables.n_rounds
        # Every finished game has a row a seat, round and moment, in this order: round, moment, seat.
        games = self._rounds.rows()
        logs = games[:, 1 + n_players :].reshape(-1, n_rounds, 2, n_players, ROUND_WIDTH)
        final_vp = games[:, 1 : 1 + n_players]
        column = {name: k for k, name in enumerate(ROUND_COLUMNS)}
        start = {name: logs[:, :, 0, :, k] for name, k in column.items()}
        end = {name: logs[:, :, 1, :, k] for name, k in column.items()}
        end["vp"] = end["vp"].copy()
        end["vp"][:, -1, :] -= final_vp
        columns = {name: values for name, values in end.items() if name != "moment" and not name.startswith("income_")}
        columns |= {name: values for name, values in start.items() if name.startswith("income_")}
        columns |= {f"start_{name}": start[name] for name in _START_MEASURES}
        columns["place"], columns["next_place"] = start["place"], end["place"]
        columns["game_index"] = np.broadcast_to(games[:, :1, None], end["vp"].shape)
        return {name: np.ascontiguousarray(values).reshape(-1) for name, values in columns.items()}
