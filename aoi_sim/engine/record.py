"""Game records: readable text, one line a decision, and their replay (docs/notation.md, "Records")."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aoi_sim.engine.actions import Action, IllegalAction
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.legal import seat_to_move
from aoi_sim.engine.notation import NotationError, format_action, parse_action
from aoi_sim.engine.setup import SetupError, start_game
from aoi_sim.engine.state import P_OVER, State, digest
from aoi_sim.rules.errors import RulesError
from aoi_sim.rules.loader import load_ruleset
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.vocabulary import VP_SOURCES

FIRST_LINE = "aoi-sim record 1"


class RecordError(ValueError):
    """A record that cannot be read or replayed, in one line.

    Attributes:
        what: what is wrong.
        place: where in the record: "line 3", "header" or "end".
        advice: what to do.
    """

    def __init__(self, what: str, place: str, advice: str) -> None:
        super().__init__(f"{place}: {what}, {advice}")
        self.what = what
        self.place = place
        self.advice = advice

    def in_file(self, file: str) -> str:
        """The message with the name of the record's file."""
        return f"{self.place}: {self.what}, {file}, {self.advice}"


class Record:
    """One game as text: header, a line a decision, scores at each round's end, the final breakdown by source.

    Attributes:
        text: the whole record.
        header: header words and their values, draws included.
        decisions: (line number, round, turn, seat, action text) of each decision.
        checks: what the other lines claim: (line number, decisions before it, word, values).
    """

    def __init__(self, text: str, header: dict[str, str]) -> None:
        self.text = text
        self.header = header
        self.decisions: list[tuple[int, int, int, int, str]] = []
        self.checks: list[tuple[int, int, str, str]] = []

    @staticmethod
    def parse(text: str) -> "Record":
        """Read a record.

        Raises:
            RecordError: with the number of the line that is wrong.
        """
        lines = text.splitlines()
        if not lines or lines[0].strip() != FIRST_LINE:
            raise RecordError("no game record", "line 1", f"the first line must be {FIRST_LINE!r}")
        record = Record(text, {})
        in_header = True
        for k in range(1, len(lines)):
            line = lines[k].strip()
            if not line:
                in_header = False
            elif in_header:
                word, _, value = line.partition(" ")
                if word not in HEADER_WORDS:
                    raise RecordError(
                        f"unknown header word {word!r}", f"line {k + 1}", f"use {', '.join(HEADER_WORDS)}"
                    )
                if word in record.header:
                    raise RecordError(f"{word} twice", f"line {k + 1}", "give it once")
                record.header[word] = value
            else:
                record._read_line(k + 1, line)
        for word in REQUIRED_WORDS:
            if word not in record.header:
                raise RecordError(f"{word} is missing", "header", "the record is not complete")
        return record

    def _read_line(self, number: int, line: str) -> None:
        words = line.split(" ", 3)
        if words[0] in ("scores", "final", "source", "state"):
            self.checks.append((number, len(self.decisions), words[0], line[len(words[0]) + 1 :]))
            return
        try:
            if len(words) != 4 or words[2][0] != "s":
                raise ValueError
            self.decisions.append((number, int(words[0]), int(words[1]), int(words[2][1:]), words[3]))
        except (ValueError, IndexError):
            raise RecordError(f"cannot read {line!r}", f"line {number}", "write: round turn sSEAT action") from None

    def rules(self) -> Ruleset:
        """The ruleset that the record was played with.

        Raises:
            RecordError: when it cannot be loaded or is another one.
        """
        try:
            options = json.loads(self.header.get("options", "{}"))
            overlays = json.loads(self.header.get("overlays", "[]"))
            rules = load_ruleset(edition=self.header["edition"], options=options, overlays=overlays)
        except (RulesError, json.JSONDecodeError, TypeError, ValueError) as bad:
            raise RecordError(f"the rules cannot be loaded ({bad})", "header", "correct it") from None
        if rules.hash != self.header["ruleset"]:
            raise RecordError(
                f"ruleset is {rules.hash} and not {self.header['ruleset']}",
                "header",
                "the rules data has changed since this game was played",
            )
        return rules

    def draws(self) -> dict[str, Any]:
        """The set-up draws of the header, as `start_game` takes them."""
        return read_draws(self.header)


HEADER_WORDS = (
    "edition",
    "options",
    "overlays",
    "ruleset",
    "players",
    "map",
    "setup",
    "heuristics",
    "round_tiles",
    "final_tile",
    "book_actions",
    "innovations",
    "competencies",
    "palaces",
    "bonus_tiles",
    "bundles",
    "draft_boards",
    "draft_factions",
    "deal",
    "area_tile",
)
REQUIRED_WORDS = (
    "edition",
    "ruleset",
    "players",
    "map",
    "setup",
    "round_tiles",
    "final_tile",
    "book_actions",
    "innovations",
    "competencies",
    "palaces",
    "bonus_tiles",
)
_LISTS = ("round_tiles", "book_actions", "palaces", "bonus_tiles", "draft_boards", "draft_factions")


def write_draws(draws: Mapping[str, Any]) -> list[str]:
    """Header lines of the set-up draws."""
    lines = [f"players {draws['n_players']}", f"map {draws['map']}", f"setup {draws['setup']}"]
    lines.append("round_tiles " + " ".join(draws["round_tiles"]))
    lines.append(f"final_tile {draws['final_tile']}")
    lines.append("book_actions " + " ".join(draws["book_actions"]))
    lines.append("innovations " + " ".join(f"{r['key']}@{r['column']}" for r in draws["innovations"]))
    lines.append(
        "competencies " + " ".join(f"{r['key']}@{r['discipline']}:{r['place']}" for r in draws["competencies"])
    )
    lines.append("palaces " + " ".join(draws["palaces"]))
    lines.append("bonus_tiles " + " ".join(draws["bonus_tiles"]))
    if draws.get("bundles"):
        lines.append("bundles " + " ".join(f"{b['board']}:{b['faction']}:{b['bonus']}" for b in draws["bundles"]))
    for word in ("draft_boards", "draft_factions"):
        if draws.get(word):
            lines.append(f"{word} " + " ".join(draws[word]))
    if "deal" in draws:
        rows = [
            ":".join([d["board"], d["faction"], d["bonus"], *([d["palace"]] if "palace" in d else [])])
            for d in draws["deal"]
        ]
        lines.append("deal " + " ".join(rows))
    if draws.get("area_tile"):
        lines.append(f"area_tile {draws['area_tile']}")
    return lines


def read_draws(header: Mapping[str, str]) -> dict[str, Any]:
    """The draws of a header, the inverse of `write_draws`."""
    try:
        out: dict[str, Any] = {
            "n_players": int(header["players"]),
            "map": header["map"],
            "setup": header["setup"],
            "final_tile": header["final_tile"],
            "area_tile": int(header["area_tile"]) if "area_tile" in header else None,
        }
        for word in _LISTS:
            if word in header:
                out[word] = header[word].split()
        out["innovations"] = [
            dict(zip(("key", "column"), w.split("@"), strict=True)) for w in header["innovations"].split()
        ]
        out["competencies"] = []
        for w in header["competencies"].split():
            key, _, place = w.partition("@")
            discipline, _, p = place.partition(":")
            out["competencies"].append({"key": key, "discipline": discipline, "place": int(p)})
        columns = ("board", "faction", "bonus", "palace")
        if "bundles" in header:
            out["bundles"] = [dict(zip(columns, w.split(":"), strict=False)) for w in header["bundles"].split()]
        if "deal" in header:
            out["deal"] = [dict(zip(columns, w.split(":"), strict=False)) for w in header["deal"].split()]
    except ValueError as bad:
        raise RecordError(f"cannot read the set-up ({bad})", "header", "write it as in docs/notation.md") from None
    return out


class Recorder:
    """Writes a record while a game is played; the text is made at the end."""

    def __init__(self, state: State, heuristics: Sequence[str]) -> None:
        self.rules = state.tables.rules
        self.draws = state.draws
        self.heuristics = list(heuristics)

    def header(self) -> list[str]:
        """The lines before the first decision."""
        rules = self.rules
        lines = [FIRST_LINE, f"edition {rules.edition}"]
        lines.append("options " + json.dumps(dict(rules.options), sort_keys=True))
        if rules.overlays:
            lines.append("overlays " + json.dumps(list(rules.overlays)))
        lines.append(f"ruleset {rules.hash}")
        if self.heuristics:
            lines.append("heuristics " + " ".join(self.heuristics))
        return lines + write_draws(self.draws)

    def text(self, decisions: Sequence[tuple[int, int, int, Action]]) -> str:
        """The whole record of a game: replays it to give each action its text.

        Args:
            decisions: (round, turn, seat, action) of every decision.
        """
        state = start_game(self.rules, self.draws)
        lines = [*self.header(), ""]
        for rnd, turn, seat, action in decisions:
            lines.append(f"{rnd} {turn} s{seat} {format_action(state, action)}")
            before = state.round
            apply_action(state, action)
            if state.round != before and before:
                lines.append(scores_line(state, before))
        if state.phase == P_OVER:
            lines += end_lines(state)
        return "\n".join(lines) + "\n"


def scores_line(state: State, rnd: int) -> str:
    """Scores after a round (its phase III and the next income are in them)."""
    return f"scores {rnd} " + " ".join(str(seat.vp) for seat in state.seats)


def end_lines(state: State) -> list[str]:
    """The final score, its sources, the hash of the final state."""
    lines = ["final " + " ".join(str(seat.vp) for seat in state.seats)]
    for k, name in enumerate(VP_SOURCES):
        values = [seat.vp_from[k] for seat in state.seats]
        if any(values):
            lines.append(f"source {name} " + " ".join(str(x) for x in values))
    lines.append(f"state {digest(state)}")
    return lines


def replay(record: Record | str, stop: int | None = None, see: Callable[[State, Action], None] | None = None) -> State:
    """Play a record again and check every line.

    Args:
        record: a record or its text.
        stop: number of the line before which to stop; None plays to the end.
        see: called with the state and the action before each decision is applied.

    Returns:
        The state reached.

    Raises:
        RecordError: with the line where the record and the rules part.
    """
    if isinstance(record, str):
        record = Record.parse(record)
    rules = record.rules()
    try:
        state = start_game(rules, record.draws(), log=True)
    except (SetupError, KeyError, ValueError, IndexError) as bad:
        raise RecordError(f"cannot set up ({bad})", "header", "the draws do not fit the rules") from None
    checks = list(record.checks)
    for k, (number, rnd, turn, seat, text) in enumerate(record.decisions):
        _run_checks(state, checks, k)
        if stop is not None and number >= stop:
            return state
        if state.phase == P_OVER:
            raise RecordError("decision after the end of the game", f"line {number}", "remove it")
        moving = seat_to_move(state)
        if (rnd, turn, seat) != (state.round, state.turn, moving):
            raise RecordError(
                f"{rnd} {turn} s{seat} but it is {state.round} {state.turn} s{moving}",
                f"line {number}",
                "the record is damaged",
            )
        try:
            action = parse_action(state, text)
            if see is not None:
                see(state, action)
            apply_action(state, action)
        except NotationError as bad:
            raise RecordError(bad.what, f"line {number}", bad.advice) from None
        except IllegalAction as bad:
            what = f"illegal action {bad.action}: {bad.reason} ({bad.rule})"
            raise RecordError(what, f"line {number}", "the record is damaged") from None
    if stop is None:
        if state.phase != P_OVER:
            raise RecordError(
                f"the game is not over after {len(record.decisions)} decisions", "end", "the record is cut short"
            )
        _run_checks(state, checks, len(record.decisions))
        if not any(check[2] == "final" for check in record.checks):
            raise RecordError("final is missing", "end", "the record is cut short")
    return state


def _run_checks(state: State, checks: list[tuple[int, int, str, str]], done: int) -> None:
    while checks and checks[0][1] <= done:
        number, _, word, value = checks.pop(0)
        found = _claim(state, word, value)
        if found.split() != value.split():
            raise RecordError(f"{word} {value} but it is {found}", f"line {number}", "the record and the rules differ")


def _claim(state: State, word: str, value: str) -> str:
    vps = " ".join(str(seat.vp) for seat in state.seats)
    if word == "scores":
        return f"{value.split(' ', 1)[0]} {vps}"
    if word == "final":
        return vps
    if word == "state":
        return digest(state)
    name = value.split(" ", 1)[0]
    if name not in VP_SOURCES:
        return f"no source of VP ({', '.join(VP_SOURCES)})"
    k = VP_SOURCES.index(name)
    return f"{name} " + " ".join(str(seat.vp_from[k]) for seat in state.seats)
