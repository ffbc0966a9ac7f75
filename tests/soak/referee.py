"""Plays one game and checks everything after every action."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import aoi_sim as aoi
from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.events import EVENT_WIDTH
from aoi_sim.engine.legal import compute_legal
from aoi_sim.engine.record import Recorder
from aoi_sim.engine.state import PHASE_NAMES, State, clone, digest, key
from tests.oracle import final_scores, legal_texts, violations
from tests.soak.census import Census
from tests.soak.draws import wrong_draws
from tests.soak.invariants import Invariants, Ledger
from tests.soak.options import OptionWatch
from tests.soak.plan import Game
from tests.soak.recount import Recount

MOST_DECISIONS = 20_000


@dataclass(frozen=True)
class Shares:
    """Share of positions that get each of the checks that are too slow for every one.

    Attributes:
        all_legal: every legal action is applied to a clone, the result is checked and the original stays as it was.
        round_trip: `from_dict(to_dict)` is the same state with the same actions.
        oracle: the oracle finds no violation and the same legal actions.
        file: the position as TOML text is read back.
        illegal: an action that is not listed is refused and changes nothing.
        twin: games in which a state that went through `to_dict` is played on beside the original.
    """

    all_legal: float = 0.1
    round_trip: float = 0.05
    oracle: float = 0.02
    file: float = 0.002
    illegal: float = 0.03
    twin: float = 0.2


class BrokenRule(AssertionError):  # noqa: N818
    """Something that must hold does not."""


class Referee:
    """One game under watch.

    Attributes:
        census: what happened.
        checks: how often each check was made.
    """

    def __init__(self, game: Game, shares: Shares = Shares()) -> None:
        self.game = game
        self.shares = shares
        self.rng = random.Random(game.seed)
        self.state = game.start()
        self.checks: Counter[str] = Counter()
        self.census = Census(self.state)
        self.invariants = Invariants(self.state)
        self.ledger = Ledger(self.state)
        self.recount = Recount(self.state)
        self.options = OptionWatch(game, self.state, self.census.count)
        self.decisions: list[tuple[int, int, int, Action]] = []
        self.kept: list[tuple[State, Any]] = []
        self.twin: State | None = None
        self.twin_from = self.rng.randrange(20, 200) if self.rng.random() < shares.twin else -1
        self._absorb("start_choices", -1, 0, 0)

    def play(self) -> None:
        """Play to the end.

        Raises:
            BrokenRule: with the game, the decision and what does not hold.
        """
        try:
            wrong = wrong_draws(self.state.draws, self.state.tables.rules.options)
            self.expect(not wrong, "; ".join(wrong))
            players = self.game.players()
            while not aoi.is_over(self.state):
                self.expect(self.state.n_decisions < MOST_DECISIONS, "the game does not end")
                self._decide(players)
            self._end()
        except Exception as error:
            where = f"{self.game}, decision {self.state.n_decisions}"
            kind = "" if isinstance(error, BrokenRule) else f"{type(error).__name__}: "
            raise BrokenRule(f"{where}: {kind}{error}") from error

    def expect(self, holds: bool, text: str) -> None:
        if not holds:
            raise BrokenRule(text)

    def _decide(self, players: list[Any]) -> None:
        state = self.state
        legal = aoi.legal_actions(state)
        self._notation(legal)
        self._sampled(legal)
        i = aoi.seat_to_move(state)
        before, seen = clone(state), key(state)
        action = players[i].choose(state, legal)
        self.expect(action in legal, f"{self.game.heuristics[i]} chose {action}")
        self.expect(key(state) == seen, f"{self.game.heuristics[i]} changed the state")
        self.decisions.append((state.round, state.turn, i, action))
        self.census.before(state, i, action)
        phase, round_, events, rounds = state.phase, state.round, len(state.log or ()), len(state.round_log)
        aoi.apply_action(state, action)
        self._absorb(PHASE_NAMES[phase], phase, events, rounds, before, round_)
        self.expect(key(before) == seen, "the clone taken before the action has changed")
        self.options.look(before, action, state)
        self._twin(before, action)
        if self.rng.random() < 0.02:
            self.kept.append((before, seen))

    def _absorb(
        self, name: str, phase: int, events: int, rounds: int, before: State | None = None, round_: int = 0
    ) -> None:
        """Take in what an action logged, and check the state it led to."""
        state = self.state
        log = state.log or []
        rows = [log[at : at + EVENT_WIDTH] for at in range(events, len(log), EVENT_WIDTH)]
        self.ledger.absorb(rows)
        self.recount.absorb(name, round_, rows, (before or state).seats)
        self.census.after(phase, state, rows, state.round_log[rounds:])
        problems = self.invariants.broken(state, self.ledger) + self.recount.differences(state)
        self.expect(not problems, "; ".join(problems))
        self.checks["invariants"] += 1

    def _notation(self, legal: list[Action]) -> None:
        state = self.state
        self.expect(bool(legal), "nobody can act")
        texts = [aoi.format_action(state, action) for action in legal]
        self.expect(len(set(texts)) == len(texts), f"listed twice: {texts}")
        for action, text in zip(legal, texts, strict=True):
            self.expect(aoi.parse_action(state, text) == action, f"{text!r} is read as another action than {action}")
        self.checks["notation"] += len(texts)

    def _sampled(self, legal: list[Action]) -> None:
        """The slow checks, each at its share of positions."""
        draw, shares = self.rng.random, self.shares
        if draw() < shares.all_legal:
            self._apply_all(legal)
        if draw() < shares.round_trip:
            self._round_trip(legal)
        if draw() < shares.oracle:
            self._oracle(legal)
        if draw() < shares.file:
            self._file()
        if draw() < shares.illegal:
            self._illegal(legal)

    def _apply_all(self, legal: list[Action]) -> None:
        state = self.state
        seen = key(state)
        for action in legal:
            other = clone(state)
            aoi.apply_action(other, action)
            text = aoi.format_action(state, action)
            self.expect(key(other) != seen, f"{text} changes nothing")
            problems = self.invariants.broken(other, None)
            self.expect(not problems, f"after {text}: {'; '.join(problems)}")
            self.expect(bool(compute_legal(other)) or aoi.is_over(other), f"nobody can act after {text}")
        self.expect(key(state) == seen, "actions applied to clones have changed the original")
        self.checks["all legal actions applied"] += 1

    def _round_trip(self, legal: list[Action]) -> None:
        state = self.state
        other = aoi.from_dict(state.tables.rules, aoi.to_dict(state))
        self.expect(key(other) == key(state), "from_dict(to_dict) is another state")
        self.expect(aoi.legal_actions(other) == legal, "from_dict(to_dict) has other legal actions")
        self.checks["from_dict(to_dict)"] += 1

    def _oracle(self, legal: list[Action]) -> None:
        position = aoi.to_dict(self.state)
        problems = violations(position)
        self.expect(not problems, f"oracle: {problems}")
        texts = {aoi.format_action(self.state, action) for action in legal}
        expected = legal_texts(position)
        self.expect(texts == expected, f"oracle: engine only {texts - expected}, oracle only {expected - texts}")
        self.checks["oracle"] += 1

    def _file(self) -> None:
        text = aoi.dump_position(self.state)
        other = aoi.from_dict(self.state.tables.rules, tomllib.loads(text))
        self.expect(key(other) == key(self.state), "the position file is another state")
        self.checks["position file"] += 1

    def _illegal(self, legal: list[Action]) -> None:
        """A random action that is not listed is refused, names a rule and changes nothing."""
        state, rng = self.state, self.rng
        n = len(state.tables.components)
        action: Action = (rng.randrange(a.N_KINDS), rng.randrange(-1, n), rng.randrange(8), rng.randrange(3))
        if action in legal:
            return
        seen = key(state)
        try:
            aoi.apply_action(state, action)
        except aoi.IllegalAction as refusal:
            self.expect(bool(refusal.rule), f"{action} is refused without a rule")
        else:
            self.expect(False, f"{action} is not listed, but was applied")
        self.expect(key(state) == seen, f"the refused {action} has changed the state")
        self.checks["illegal action refused"] += 1

    def _twin(self, before: State, action: Action) -> None:
        """A state that went through `to_dict` goes on like the original."""
        if before.n_decisions == self.twin_from:
            self.twin = aoi.from_dict(before.tables.rules, aoi.to_dict(before))
            self.checks["played on from a position"] += 1
        if self.twin is not None:
            aoi.apply_action(self.twin, action)
            self.expect(
                key(self.twin) == key(self.state), f"the state read from decision {self.twin_from} goes another way"
            )

    def _end(self) -> None:
        """The final scoring, kept clones, the record and its replay."""
        state = self.state
        position = aoi.to_dict(state)
        for i, (seat, scored) in enumerate(zip(position["seats"], final_scores(position), strict=True)):
            found = {source: seat["vp_from"].get(source, 0) for source in scored}
            self.expect(found == scored, f"seat {i} scores {found} at the end, the oracle {scored}")
        self.expect(aoi.legal_actions(state) == [] and aoi.seat_to_move(state) == -1, "somebody may act after the end")
        for kept, seen in self.kept:
            self.expect(key(kept) == seen, "an earlier clone has changed")
        self.checks["earlier clones unchanged"] += len(self.kept)
        record = aoi.Record.parse(Recorder(state, self.game.heuristics).text(self.decisions))
        self.expect(len(record.decisions) == state.n_decisions == len(self.decisions), "the record has other decisions")
        again = aoi.replay(record)
        self.expect(digest(again) == digest(state), "the replayed record ends in another state")
        self.expect(
            again.log == state.log and again.round_log == state.round_log, "the replayed record logs other events"
        )
        self.checks["record replayed"] += 1
        self.census.finish(state)
