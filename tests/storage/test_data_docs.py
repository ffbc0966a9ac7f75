import re
from pathlib import Path

import pytest

from aoi_sim.engine.events import ROUND_COLUMNS, VP_SOURCES
from aoi_sim.rules import load_ruleset
from aoi_sim.sim.plan import PlanConfig
from aoi_sim.sim.runner import run_plan
from aoi_sim.storage.schemas import SCHEMAS

TEXT = (Path(__file__).parents[2] / "docs/data.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_docs_describe_every_column(name: str) -> None:
    schema = SCHEMAS[name]
    section = TEXT.split(f"\n## `{name}`: {schema.row}\n")[1].split("\n## ")[0]
    assert f"Schema version {schema.version}." in section
    rows = re.findall(r"^\| `(\w+)` \| ([\w?]+) \| (.+) \|$", section, re.MULTILINE)
    packed = [column for column in schema.packed if column not in schema.columns]
    assert rows[: len(schema.columns)] == [(column.name, column.kind, column.meaning) for column in schema.columns]
    assert rows[len(schema.columns) :] == [(column.name, column.kind, column.meaning) for column in packed]


def test_seats_have_every_source_of_vp() -> None:
    names = [column.name for column in SCHEMAS["seats"].columns if column.name.startswith("vp_from_")]
    assert names == [f"vp_from_{source}" for source in VP_SOURCES]


def test_rounds_have_every_measure_of_the_engine() -> None:
    names = {column.name for column in SCHEMAS["rounds"].columns}
    assert set(ROUND_COLUMNS) - {"moment"} <= names


def test_docs_describe_every_key_of_a_manifest(tmp_path: Path) -> None:
    run = run_plan(PlanConfig(10, 2, heuristics=("random",)), load_ruleset(), tmp_path / "run", n_jobs=1, part=(1, 1))
    table = TEXT.split("\n## `manifest.json`\n")[1].split("\n## ")[0]
    keys = re.findall(r"`(\w+)`", " ".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `")))
    assert set(run.manifest) <= set(keys)


@pytest.mark.parametrize("name", list(SCHEMAS))
def test_docs_say_what_each_version_changed(name: str) -> None:
    section = TEXT.split("\n## Versions\n")[1].split("\n## ")[0]
    told = [int(version) for version in re.findall(rf"^\| `{name}` \| (\d+) \| .+ \|$", section, re.MULTILINE)]
    assert told == list(range(2, SCHEMAS[name].version + 1))
