"""Learning from start to file: the same trials whatever the workers and stops, honest tests, nothing lost in silence."""

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aoi_sim.players import Heuristic, find_heuristic
from aoi_sim.players.conformance import check_heuristic
from aoi_sim.players.trying import TryingPlayer
from aoi_sim.players.weighted import WeightedPlayer
from aoi_sim.players.weighted.features import N_FEATURES, OPTION_AT
from aoi_sim.players.weighted.lessons import SUBJECTS, TURN
from aoi_sim.rules import load_ruleset
from aoi_sim.sim import seeding
from aoi_sim.studies import learning as learning_module
from aoi_sim.studies import learning_games, network_fit
from aoi_sim.studies.learning import LearnConfig, Learning
from aoi_sim.studies.learning_fit import FitConfig
from aoi_sim.studies.learning_games import set_up_of
from aoi_sim.studies.network_fit import parts_of
from aoi_sim.studies.trials import PART_GAMES, TrialsFolder
from aoi_sim.studies.tuning_check import Version
from aoi_sim.studies.tuning_config import setting_of
from aoi_sim.studies.tuning_games import Outcome, Workers
from aoi_sim.studies.tuning_state import TuningError
from tests.players.taught import stopping

RULES = load_ruleset()
GAMES = PART_GAMES + 4
FIT = FitConfig(units=9, epochs=1, trees=4, leaves=4, least=20)
SMALL = LearnConfig(GAMES, (2, 3), held_out=4, turns=300, answers=500, fit=FIT)
play_really = Workers.play
STEPS = 5
"""Of fitting a network; what it learns does not matter here."""


def better_with_lessons(workers: Workers, tasks: Any) -> Any:
    """Tests that what was taught wins by 5 VP in self-play, and 3 VP of margin."""
    for setting, player, root, block in tasks:
        taught = player.name == "taught"
        yield Outcome(100 + 5 * taught + (root + block) % 7, tuple(3.0 * taught for _ in setting.against))


@pytest.fixture(autouse=True)
def won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workers, "play", better_with_lessons)
    monkeypatch.setattr(network_fit, "LEAST_STEPS", STEPS)


def made(folder: Path, config: LearnConfig = SMALL, out: str = "taught.toml", **more: Any) -> Learning:
    rest: dict[str, Any] = {"rules": RULES, "config": config, "n_jobs": 1, **more}
    return Learning(rest.pop("source", "expert"), folder / out, **rest)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a learning was played to its end in this process."""
    folder = tmp_path_factory.mktemp("learning")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workers, "play", better_with_lessons)
        patch.setattr(network_fit, "LEAST_STEPS", STEPS)
        made(folder).run()
    return folder


def same_trials(one: Learning, other: Learning) -> bool:
    return all(
        np.array_equal(getattr(one.trials(k), name), getattr(other.trials(k), name))
        for k in range(len(SUBJECTS))
        for name in ("done", "tried", "end")
    )


# what is written


def test_what_wins_is_written_with_its_origin(first: Path) -> None:
    learning = made(first)
    table = find_heuristic(learning.out).table()
    parent = find_heuristic("expert").table()
    assert {**Version.of(table).weights} == {**Version.of(parent).weights}
    assert table["factions"] == parent["factions"] and table["doc"] == parent["doc"]
    lessons = table["lessons"]
    assert set(lessons["networks"]) == set(SUBJECTS)
    assert (lessons["within"], lessons["most"]) == (4500, 6)
    origin = tomllib.loads(learning.out.read_text())["provenance"]
    assert origin["parents"][0] == {"name": "expert", "sha256": find_heuristic("expert").sha256}
    assert origin["trials"] == {subject: len(learning.trials(k)) for k, subject in enumerate(SUBJECTS)}
    assert (origin["games"], origin["failed"], origin["seed"], origin["players"]) == (GAMES, 0, 1, [2, 3])
    assert origin["gain"] == 8.0 and origin["vp_gain"] == 5.0 and origin["gain_low"] <= 8.0 <= origin["gain_high"]
    assert origin["held_out_seed"] == seeding.stream(1, GAMES, seeding.LEARNED)
    assert origin["against"] == origin["parents"][:1]
    assert origin["units"] == {subject: n_units(table, subject) for subject in SUBJECTS}
    assert (origin["units"]["turn"], origin["epochs"], origin["trees"]) == (9, 1, 4)
    assert origin["lightgbm"] and origin["numpy"]


def test_what_the_trials_teach_nothing_of_is_kept(first: Path) -> None:
    """Of too few trials; a subject of which there are enough has a new network."""
    parent, taught = (find_heuristic(name).table() for name in ("expert", first / "taught.toml"))
    kept = [k for k in SUBJECTS if parts_of(taught["lessons"], k) == parts_of(parent["lessons"], k)]
    assert "city" in kept and "turn" not in kept
    trials = taught["provenance"]["trials"]
    assert max(trials[subject] for subject in kept) < 100 < trials["turn"]


def n_units(table: Any, subject: str) -> int:
    parts = parts_of(table["lessons"], subject)
    return 0 if parts is None else len(parts.begin)


def test_the_fit_goes_on_from_what_the_parent_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the networks that it plays with; a player without lessons knows nothing."""
    known: dict[str, list[Any]] = {"expert": [], "quick": []}
    for source, found in known.items():
        monkeypatch.setattr(learning_module, "fitted", lambda trials, config, parts, found=found: found.append(parts))
        made(tmp_path, replace(SMALL, games=2), f"{source}.toml", source=source).run()
    lessons = find_heuristic("expert").table()["lessons"]
    assert known["expert"] == [parts_of(lessons, subject) for subject in SUBJECTS] != known["quick"]
    assert known["quick"] == [None] * len(SUBJECTS)


def test_it_plays_otherwise_than_its_parent(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test is really played, with the lessons at work."""
    monkeypatch.setattr(Workers, "play", play_really)
    learning = made(first)
    taught, parent = (Version.of(find_heuristic(name).table()) for name in (learning.out, "expert"))
    setting = learning.settings[0]
    tasks = [(setting, version.player("x", 0), 5, 0) for version in (taught, parent)]
    one, two = learning.workers.play(tasks)
    assert one.error is two.error is None
    assert one.vp != two.vp and len(one.margins) == 1


def test_what_does_not_win_is_not_written(tmp_path: Path, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def worse(workers: Workers, tasks: Any) -> Any:
        for setting, player, _, block in tasks:
            yield Outcome(100.0 + block - bool(json.loads(player.content)["lessons"]), (0.0,) * len(setting.against))

    monkeypatch.setattr(Workers, "play", worse)
    learned = made(tmp_path).run()
    assert learned.check is not None and not learned.check.accepted
    assert not (tmp_path / "taught.toml").exists()


def test_too_few_trials_teach_nothing(tmp_path: Path) -> None:
    learned = made(tmp_path, replace(SMALL, games=2, fit=FitConfig())).run()
    assert learned.check is None and learned.networks == {} and sum(learned.trials.values()) > 10
    assert not (tmp_path / "taught.toml").exists()


# the trials


def test_the_trials_do_not_depend_on_the_number_of_workers(tmp_path: Path, first: Path) -> None:
    two = made(tmp_path, n_jobs=2)
    two.run()
    assert same_trials(made(first), two)
    assert two.out.read_text() == (first / "taught.toml").read_text()


def test_a_stop_changes_nothing(tmp_path: Path, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    really = learning_games.play_part
    monkeypatch.setattr(learning_module, "play_part", stopping(really))
    with pytest.raises(KeyboardInterrupt):
        made(tmp_path).run()
    assert len(made(tmp_path).folder.missing()) == 1
    monkeypatch.setattr(learning_module, "play_part", really)
    played: list[int] = []
    made(tmp_path).run(lambda games, text: played.append(games))
    assert played[:2] == [PART_GAMES, GAMES - PART_GAMES]
    assert (tmp_path / "taught.toml").read_text() == (first / "taught.toml").read_text()


def test_more_games_go_on_with_those_that_are_there(tmp_path: Path, first: Path) -> None:
    few, more = made(tmp_path, replace(SMALL, games=PART_GAMES)), made(tmp_path, SMALL)
    few.play()
    assert [*map(len, more.folder.missing())] == [4]
    more.play()
    assert same_trials(made(first), more)


def test_another_seed_gives_other_trials(tmp_path: Path, first: Path) -> None:
    other = made(tmp_path, replace(SMALL, seed=2))
    other.play()
    assert not same_trials(made(first), other)


def test_trials_say_what_was_tried_and_how_it_ended(first: Path) -> None:
    trials = made(first).trials(TURN)
    assert trials.done.shape == trials.tried.shape == (len(trials), N_FEATURES)
    assert trials.done.dtype == np.int16
    assert set(trials.column("players")) == {2, 3}
    assert 0 < (trials.done != trials.tried).any(axis=1).mean() < 1
    # What was before the decision is the same for both, and each game was played once.
    before = slice(0, OPTION_AT)
    assert (trials.done[:, before] == trials.tried[:, before]).all()
    assert {*zip(trials.column("players"), trials.column("set_up"), strict=True)} == {
        (n, k) for n in (2, 3) for k in range(GAMES // 2)
    }
    assert 20 < trials.column("vp").mean() < trials.column("others").mean()


def test_games_of_as_many_players_never_share_a_set_up() -> None:
    settings = tuple(setting_of(RULES, n, ()) for n in (4, 3, 4, 2))
    games = [(setting.n_players, k) for setting, k in (set_up_of(settings, number) for number in range(80))]
    assert len(set(games)) == 80
    assert [k for n, k in games if n == 4] == list(range(40))


def test_the_test_meets_no_set_up_of_the_trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = set()

    def watching(workers: Workers, tasks: Any) -> Any:
        roots.update(task[2] for task in tasks)
        assert len({(task[0].n_players, task[3]) for task in tasks}) == SMALL.held_out
        return better_with_lessons(workers, tasks)

    monkeypatch.setattr(Workers, "play", watching)
    learning = made(tmp_path)
    learning.run()
    assert roots == {learning.held_out_seed} and learning.trials_seed not in roots
    assert made(tmp_path, replace(SMALL, games=40)).held_out_seed not in roots


# what goes wrong


def test_a_failed_game_is_named_and_its_trials_are_left_out(
    tmp_path: Path, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = learning_games._play

    def failing(shared: Any, number: int) -> Any:
        if number == 5:
            raise ValueError("no\nluck")
        return really(shared, number)

    monkeypatch.setattr(learning_games, "_play", failing)
    learning = made(tmp_path)
    learned = learning.run()
    assert learned.failed == ["game 5: ValueError: no luck"]
    assert tomllib.loads(learning.out.read_text())["provenance"]["failed"] == 1
    end = made(first).trials(TURN).end
    lost = (end[:, 0] == 2) & (end[:, 1] == 3)  # game 5 of 2, 3, 2, 3, 2, 3 players
    assert lost.any() and np.array_equal(learning.trials(TURN).end, end[~lost])


def test_all_games_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(shared: Any, number: int) -> Any:
        raise ValueError("never")

    monkeypatch.setattr(learning_games, "_play", failing)
    with pytest.raises(TuningError, match=r"all 24 games failed \(game 0: ValueError: never\)"):
        made(tmp_path).run()


def refused(folder: Path, config: LearnConfig = SMALL, **more: Any) -> str:
    with pytest.raises(TuningError) as error:
        made(folder, config, **more).run()
    text = str(error.value)
    assert "\n" not in text
    return text


def test_trials_of_something_else_are_refused(first: Path) -> None:
    assert "other trials (seed differs)" in refused(first, replace(SMALL, seed=2))
    assert "other trials (players differs)" in refused(first, replace(SMALL, players=(2,)))
    assert "other trials (parent differs)" in refused(first, source="balanced")
    assert "other trials (rules differs)" in refused(first, rules=load_ruleset("1.0"))
    assert "other trials (answers differs)" in refused(first, replace(SMALL, answers=7))


def test_damaged_trials_are_named(tmp_path: Path) -> None:
    learning = made(tmp_path)
    learning.play()
    part = next(learning.folder.path.glob("*.npz"))
    part.write_bytes(part.read_bytes()[:-400])
    assert f"a damaged part, {part}" in refused(tmp_path)
    part.unlink()
    learning.play()
    content = bytearray(part.read_bytes())
    content[len(content) // 3] ^= 255
    part.write_bytes(content)
    assert f"a damaged part, {part}" in refused(tmp_path)
    part.unlink()
    learning.play()
    (learning.folder.path / "trials.json").write_text('{"format": "x"}')
    assert "damaged, " in refused(tmp_path)
    (learning.folder.path / "trials.json").unlink()
    assert "no trials, " in refused(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "0 is out of bounds, --games"),
        ({"players": ()}, "no players, --players"),
        ({"players": (4, 6)}, "4, 6 players, --players"),
        ({"seed": -1}, "seed -1, --seed"),
        ({"held_out": 1}, "--held-out, choose 2"),
        ({"turns": 1001}, "--turns, choose 0 to 1000"),
        ({"most": 1}, "--most, choose 2"),
        ({"fit": FitConfig(units=1)}, "--units, choose 2"),
        ({"fit": FitConfig(epochs=0)}, "--epochs, choose 1"),
        ({"fit": FitConfig(leaves=101)}, "--leaves, choose 2 to 100"),
        ({"fit": FitConfig(leaves=1)}, "--leaves, choose 2"),
        ({"fit": FitConfig(rate=float("nan"))}, "--rate, choose"),
    ],
)
def test_refuses(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    assert words in refused(tmp_path, replace(SMALL, **change))
    assert not list(tmp_path.iterdir())


# further rounds


def test_a_taught_player_is_taught_anew_with_earlier_trials(tmp_path: Path, first: Path) -> None:
    again = made(
        tmp_path,
        replace(SMALL, seed=2),
        source=first / "taught.toml",
        earlier=[(first / "taught.toml.trials", 0.5)],
    )
    again.run()
    trials = again.trials(TURN)
    before = len(made(first).trials(TURN))
    assert n_units(find_heuristic(again.out).table(), "turn") == 9
    assert set(trials.share[:-before]) == {1.0} and set(trials.share[-before:]) == {0.5}
    origin = tomllib.loads(again.out.read_text())["provenance"]
    assert [row["name"] for row in origin["parents"][:2]] == ["taught", "expert"]
    earlier = origin["earlier_trials"][0]
    assert (earlier["games"], earlier["seed"], earlier["share"]) == (GAMES, 1, 0.5)
    assert earlier["parent"]["name"] == "expert"


def test_a_player_is_not_tested_again_where_it_won(tmp_path: Path, first: Path) -> None:
    assert "taught was tested on the set-ups of seed 1, --seed" in refused(tmp_path, source=first / "taught.toml")


def test_earlier_trials_that_do_not_fit_are_refused(tmp_path: Path, first: Path) -> None:
    folder = first / "taught.toml.trials"
    assert "no trials, " in refused(tmp_path, earlier=[(tmp_path / "none", 1.0)])
    assert "the trials of --out itself" in refused(first, earlier=[(folder, 1.0)])
    state = json.loads((folder / "trials.json").read_text())
    for name, change, words in (
        ("more", {"games": 99}, "not all games were played"),
        ("other", {"identity": {**state["identity"], "components": []}}, "trials with other components"),
        ("older", {"identity": {**state["identity"], "features": ["vp"]}}, "trials with other features"),
        ("first", {"format": "aoi-sim trials 1"}, "made by another version of aoi-sim (format 1, not 2), "),
    ):
        path = tmp_path / name
        path.mkdir()
        for part in folder.glob("*.npz"):
            (path / part.name).write_bytes(part.read_bytes())
        (path / "trials.json").write_text(json.dumps({**state, **change}))
        assert words in refused(tmp_path, earlier=[(path, 1.0)])


def test_a_part_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = TrialsFolder(tmp_path / "x.trials", {}, 30)
    folder.begin()
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        folder.write(range(20), b"half")
    assert len(folder.missing()) == 2


# the player that tries


def trying(seat: int, seed: int) -> TryingPlayer:
    return TryingPlayer(WeightedPlayer("trying", {}, {}), seed, 400, 400)


def test_the_player_that_tries_passes_the_checks() -> None:
    report = check_heuristic(Heuristic("trying", "class", "trying", trying))
    assert report.failures == {}
