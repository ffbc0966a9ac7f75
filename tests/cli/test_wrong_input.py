"""Wrong input is one line on stderr, ``error: what, where, what to do``, and status 2; never a traceback."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import aoi_sim as aoi
from aoi_sim.cli.app import app
from tests.storage.made import made_run

ROOT = Path(aoi.__file__).parents[1]


@pytest.fixture(scope="module")
def record() -> str:
    return str(aoi.play_game(aoi.load_ruleset(), ["random", "explorer"], seed=4).record.text)


@pytest.fixture(scope="module")
def position() -> str:
    state = aoi.new_game(aoi.load_ruleset(), n_players=2, seed=1, deal=[{}, {}])
    return str(aoi.dump_position(state))


def refused(arguments: list[str]) -> str:
    """The error line of a command line that must be refused."""
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith("error: ")
    return str(result.stderr[len("error: ") : -1])


COMMAND_LINES: list[tuple[str, list[str]]] = [
    ("", ["no command", "--help"]),
    ("play", ["no such command 'play'"]),
    ("run", ["missing option '--out'"]),
    ("run --games 10", ["missing option '--out'"]),
    ("run --games 10 --out x --backend spark", ["unknown backend 'spark'", "--backend", "loky or dask"]),
    ("run --games 10 --out x --backend dask", ["no scheduler", "--scheduler"]),
    ("run --games 10 --out x --scheduler tcp://127.0.0.1:1", ["without a cluster", "--backend dask"]),
    ("run --out x", ["no number of games", "--games"]),
    ("run --out x --fixed missing.toml", ["missing.toml"]),
    ("run --out x --fixed a_file", ["a_file", ".toml"]),
    ("run --out x --games 4 --design fixed", ["--fixed", "give a file"]),
    ("run --games ten --out x", ["--games"]),
    ("run --games 0 --out x", ["0 games", "--games"]),
    ("run --games 10 --out x --players 6", ["6 players", "--players"]),
    ("run --games 10 --out x --players 1", ["1 player,", "--players"]),
    ("run --games 10 --out x --seed -5", ["seed -5", "--seed"]),
    ("run --games 10 --out x --seed 1.5", ["--seed"]),
    ("run --games 10 --out x --heuristics best", ["'best'", "greedy"]),
    ("run --games 10 --out x --heuristics random,", ["''"]),
    ("run --games 10 --out x --heuristics random,greedy", ["2 heuristics for 4 players", "--heuristics"]),
    ("run --games 10 --out x --jobs 0", ["0 jobs", "--jobs"]),
    ("run --games 10 --out x --jobs -3", ["-3 jobs", "--jobs"]),
    ("run --games 10 --out x --edition 2.0", ["2.0", "1.2"]),
    ("run --games 10 --out x --map 1-3", ["map 1-3", "--map", "3-5"]),
    ("run --games 10 --out x --map round", ["'round'", "--map"]),
    ("run --games 10 --out x --setup quick", ["'quick'", "--setup"]),
    ("run --games 10 --out x --design latin", ["'latin'", "--design"]),
    ("run --games 10 --out x --design rotation", ["--games", "8 or 12"]),
    ("run --games 10 --out x --focus molse", ["'molse'", "--focus", "moles"]),
    ("run --games 10 --out x --focus moles --design balanced", ["--focus", "design balanced"]),
    ("run --games 10 --out x --design focus", ["--focus", "name factions or boards"]),
    ("run --games 10 --out x --heuristics random --heuristics greedy", ["2 times --heuristics", "--paired"]),
    ("run --games 10 --out x --paired", ["nothing to compare", "--rules"]),
    ("run --games 10 --out x --paired --heuristics random --heuristics random", ["same players", "--heuristics"]),
    ("run --games 11 --out x --paired --rules 1.0", ["2 levels", "--games", "10 or 12"]),
    ("run --games 10 --out x --paired --rules missing.toml", ["missing.toml"]),
    ("run --games 10 --out x --heuristics greedy --replicates 2", ["--replicates", "--noise"]),
    ("run --games 10 --out x --heuristics greedy --noise 5", ["greedy", "--noise"]),
    ("run --games 10 --out x --noise much", ["--noise"]),
    ("run --out x --until much", ["'much'", "--until", "1 VP"]),
    ("run --games 10 --out x --until 1VP", ["--games beside --until", "--max-games"]),
    ("run --games 10 --out x --max-games 20", ["--max-games without --until"]),
    ("run --out x --until 1VP --part 1/2", ["--part", "--until"]),
    ("run --games 10 --out x --events none", ["'none'", "--events"]),
    ("run --games 10 --out x --rules missing.toml", ["missing.toml"]),
    ("run --games 10 --out x --colour red", ["--colour"]),
    ("run --games 10 --out x --games", ["--games"]),
    ("run --games 10 --out full", ["not empty", "full", "--out"]),
    ("run --games 10 --out a_file", ["not a folder", "a_file"]),
    ("run --games 10 --out a_file/deeper", ["a_file/deeper"]),
    ("run --games 10 --out x more", ["more"]),
    ("replay", ["missing argument"]),
    ("replay missing.txt", ["missing.txt"]),
    ("replay a_file", ["line 1"]),
    ("replay binary", ["binary", "UTF-8"]),
    ("replay full", ["full", "--game"]),
    ("replay full --game 0", ["full", "not a run"]),
    ("replay a_file --game 1", ["--game", "a_file"]),
    ("replay made --game x", ["--game"]),
    ("run --games 10 --out x --part 1", ["'1'", "--part", "K/N"]),
    ("run --games 10 --out x --part 2/1", ["part 2 of 1", "--part"]),
    ("verify", ["missing argument"]),
    ("verify missing", ["no such run", "missing"]),
    ("verify full", ["not a run", "full"]),
    ("verify a_file", ["not a run folder", "a_file"]),
    ("verify made --replay -7", ["-7 games", "--replay"]),
    ("info missing", ["no such run", "missing"]),
    ("info full", ["not a run", "full"]),
    ("export made", ["no format", "--csv"]),
    ("export full --csv", ["not a run", "full"]),
    ("export made --csv --out full", ["not empty", "full"]),
    ("export made --csv --out a_file/deeper", ["a_file/deeper"]),
    ("merge --out x", ["missing argument"]),
    ("merge made", ["missing option '--out'"]),
    ("merge full --out x", ["not a run", "full"]),
    ("merge made --out full", ["not an empty folder", "full"]),
    ("show", ["missing argument"]),
    ("show missing.toml", ["missing.toml"]),
    ("show full", ["a folder", "full"]),
    ("show a_file:x", ["'x'", "line number"]),
    ("show a_file:3", ["a_file", ":3"]),
    ("show a_file", ["a_file"]),
    ("show binary", ["UTF-8"]),
    ("rules prices", ["'prices'", "factions"]),
    ("rules --edition 0.9", ["0.9"]),
    ("rules --players 7", ["7 players", "--players"]),
    ("rules --rules full", ["full"]),
]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/something").write_text("x")
    (tmp_path / "a_file").write_text("hello\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x81")
    made_run(tmp_path / "made")
    return tmp_path


@pytest.mark.parametrize(("line", "words"), COMMAND_LINES, ids=[line or "nothing" for line, _ in COMMAND_LINES])
def test_command_lines(places: Path, line: str, words: list[str]) -> None:
    text = refused(line.split())
    assert [word for word in words if word not in text] == []
    assert not (places / "x").exists()


OVERLAYS: list[tuple[str, list[str]]] = [
    ("[factions.moles\n", ["TOML"]),
    ("[prices]\na = 1\n", ["prices"]),
    ("[factions.moles]\ncolour = 'red'\n", ["factions.moles", "colour"]),
    ("[factions.moles]\non = 3\n", ["factions.moles"]),
    ("[palaces.1.income]\npower = 'five'\n", ["palaces.1.income", "five"]),
    ("[palaces.1.income]\npower = -5\n", ["palaces.1.income", "-5"]),
    ("[options]\nbook_supply = 'scarce'\n", ["book_supply", "limited"]),
    ("[options]\nluck = true\n", ["luck"]),
    ("remove = ['factions.otters']\n", ["factions.otters"]),
    ("[[factions.goblins.on]]\nevent = 'spade_lost'\ncoins = 1\n", ["spade_lost", "spade_used"]),
    ("[setup]\nrounds = 0\n", ["setup.rounds"]),
    ('name = "\\u0000"\n', ["name", "control characters"]),
    ('name = "two\\nlines"\n', ["name", "control characters"]),
    ('question = "is \\u001b[31m red?"\n', ["question", "control characters"]),
    ('[factions.moles]\nname = "mo\\u0007les"\n', ["factions.moles.name", "control characters"]),
    ('[round_tiles.1]\nscores = "a\\tb"\n', ["round_tiles", "control characters"]),
]


@pytest.mark.parametrize(("overlay", "words"), OVERLAYS)
def test_overlays(places: Path, overlay: str, words: list[str]) -> None:
    (places / "my.toml").write_text(overlay)
    for command in ("run --games 10 --out x --rules my.toml", "rules --rules my.toml"):
        text = refused(command.split())
        assert [word for word in ["my.toml", *words] if word not in text] == []


def change(old: str, new: str) -> Callable[[str], str]:
    def changed(text: str) -> str:
        assert re.search(old, text), old
        return re.sub(old, new, text, count=1)

    return changed


POSITIONS: list[tuple[Callable[[str], str], list[str]]] = [
    (lambda text: "seats = [\n", ["TOML"]),
    (lambda text: "round = 2\n", ["seats are missing"]),
    (change(r'edition = "1.2"', 'edition = "7"'), ["7"]),
    (change(r"n_players = 2", "n_players = 3"), ["seats"]),
    (change(r'phase = "\w+"', 'phase = "dinner"'), ["phase", "dinner"]),
    (change(r"round = \d", "round = 9"), ["round"]),
    (change(r"coins = \d+", "coins = -1"), ["coins"]),
    (change(r"coins = \d+", 'coins = "many"'), ["coins"]),
    (change(r'faction = "[\w-]+"', 'faction = "otters"'), ["otters"]),
    (change(r'map = "1-3"', 'map = "9-9"'), ["9-9"]),
    (change(r"n_players = 2", "n_players = 2\nweather = 1"), ["weather"]),
]


@pytest.mark.parametrize(("wrong", "words"), POSITIONS)
def test_positions(places: Path, position: str, wrong: Callable[[str], str], words: list[str]) -> None:
    (places / "position.toml").write_text(wrong(position))
    text = refused(["show", "position.toml"])
    assert [word for word in words if word not in text] == []


def cut(text: str) -> str:
    return "\n".join(text.splitlines()[:-40]) + "\n"


RECORDS: list[tuple[Callable[[str], str], list[str]]] = [
    (lambda text: "", ["line 1"]),
    (lambda text: text.replace("aoi-sim record 1", "aoi-sim record 9"), ["line 1"]),
    (cut, ["cut short"]),
    (change(r"ruleset \w+", "ruleset 0123456789abcdef"), ["ruleset"]),
    (change(r"edition 1.2", "edition 7"), ["7"]),
    (change(r"players 2", "players x"), ["header"]),
    (change(r"map 1-3\n", ""), ["map is missing"]),
    (change(r"map 1-3", "weather fine"), ["weather"]),
    (change(r"final \d+", "final 1"), ["final 1", "line"]),
    (change(r"source start 20", "source start 21"), ["source start 21"]),
    (change(r"state \w+", "state 00"), ["state 00"]),
    (change(r"\n1 0 s0 .*", "\n1 0 s0 dance A3"), ["dance"]),
    (change(r"\n1 0 s0 .*", "\n1 0 s0 send law 9"), ["send law 9", "line"]),
    (change(r"\n1 0 s0 .*", "\n1 0 s0 build Z99"), ["build Z99"]),
    (change(r"\n1 0 s0 .*", "\n1 0 s0 innovate steel"), ["innovate steel", "line"]),
    (change(r"\n1 0 s0 ", "\n1 0 s1 "), ["s1", "line"]),
    (change(r"\n1 0 s0 .*", "\nhello"), ["hello", "line"]),
]


@pytest.mark.parametrize(("wrong", "words"), RECORDS)
def test_records_and_their_actions(places: Path, record: str, wrong: Callable[[str], str], words: list[str]) -> None:
    (places / "game.txt").write_text(wrong(record))
    text = refused(["replay", "game.txt"])
    assert [word for word in words if word not in text] == []
    assert re.match(r"(line \d+|header|end): .*, game\.txt, ", text)
    (places / "old.html").write_text("old")
    assert refused(["replay", "game.txt", "--html", "old.html"]) == text


def test_a_line_that_is_no_action_is_named_first_then_the_file_then_what_to_do(places: Path, record: str) -> None:
    lines = record.splitlines()
    number = lines.index("") + 1
    lines[number] = " ".join([*lines[number].split(" ")[:3], "build", "C3", "tunnel", "x"])
    (places / "game.txt").write_text("\n".join(lines))
    wanted = rf"line {number + 1}: cannot read '.*' in 'build C3 tunnel x', game\.txt, write it as in docs/notation\.md"
    for command in (["replay", "game.txt"], ["show", "game.txt"]):
        assert re.fullmatch(wanted, refused(command).strip())


def test_empty_and_cut_records_name_their_file(places: Path, record: str) -> None:
    (places / "game.txt").write_text("")
    assert refused(["replay", "game.txt"]).startswith("line 1: no game record, game.txt, the first line must be")
    lines = record.splitlines()
    for n in (3, 10, lines.index("") + 3, len(lines) - 12):
        (places / "game.txt").write_text("\n".join(lines[:n]))
        text = refused(["replay", "game.txt"])
        assert re.match(r"(header|end): .*, game\.txt, the record is (not complete|cut short)", text)


def test_lines_of_a_record(places: Path, record: str) -> None:
    (places / "game.txt").write_text(record)
    for line in ("0", "100000"):
        assert "no line" in refused(["show", f"game.txt:{line}"])


def test_games_of_a_run(places: Path) -> None:
    aoi.simulate(2, 2, "random", n_jobs=1, out=places / "run")
    for game in ("-1", "2"):
        assert "choose 0 to 1" in refused(["replay", "run", "--game", game])
    (places / "run/seats/part-00000.parquet").unlink()
    assert "missing file" in refused(["replay", "run", "--game", "0"])


def test_files_that_cannot_be_written(places: Path, record: str) -> None:
    (places / "game.txt").write_text(record)
    assert "a_file/game.txt" in refused(["replay", "game.txt", "--record", "a_file/game.txt"])
    assert "nowhere/x.svg (--svg), make it" in refused(["show", "game.txt", "--svg", "nowhere/x.svg"])
    (places / "a_folder").mkdir()
    assert "a folder, a_folder (--html), give the name of a file" in refused(
        ["replay", "game.txt", "--html", "a_folder"]
    )
    assert "nowhere/x.html (--html), make it" in refused(["replay", "game.txt", "--html", "nowhere/x.html"])


def test_a_page_never_takes_the_place_of_the_record(places: Path, record: str) -> None:
    (places / "game.txt").write_text(record)
    assert "game.txt" in refused(["replay", "game.txt", "--html", "game.txt"])
    assert "new" in refused(["replay", "game.txt", "--record", "new", "--html", "./new"])
    assert (places / "game.txt").read_text() == record
    assert not (places / "new").exists()


def test_a_damaged_record_leaves_no_page_and_an_older_page_as_it_is(places: Path, record: str) -> None:
    (places / "game.txt").write_text(record.replace("final ", "final 1"))
    (places / "old.html").write_text("old")
    before = sorted(path.name for path in places.iterdir())
    for name in ("old.html", "new.html"):
        assert refused(["replay", "game.txt", "--html", name]).startswith("line ")
    assert sorted(path.name for path in places.iterdir()) == before
    assert (places / "old.html").read_text() == "old"


def test_a_full_disk_leaves_an_older_page_as_it_is(places: Path, record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (places / "game.txt").write_text(record)
    (places / "old.html").write_text("old")
    before = sorted(path.name for path in places.iterdir())

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "old.html, free some space" in refused(["replay", "game.txt", "--html", "old.html"])
    assert sorted(path.name for path in places.iterdir()) == before
    assert (places / "old.html").read_text() == "old"


def test_there_are_at_least_forty() -> None:
    assert len(COMMAND_LINES) >= 40
    assert len(OVERLAYS) + len(POSITIONS) + len(RECORDS) >= 30


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--games", "10", "--out", "/proc/none", "--jobs", "1"],
        ["replay", "missing.txt"],
        ["rules", "--players", "x"],
    ],
)
def test_as_a_process_too(tmp_path: Path, arguments: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "aoi_sim", *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"error: [^\n]+\n", done.stderr)
