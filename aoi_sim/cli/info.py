"""``aoi-sim info``: what a run played, with what, and what it holds."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aoi_sim.cli.tables import print_table
from aoi_sim.cli.trust import trust_lines
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.storage.reader import Run


def info(folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]) -> None:
    """Print what a run played: config, rules, players, versions, sizes, time, trust checks."""
    from aoi_sim.storage.reader import open_run

    run = open_run(folder, partial=True)
    for name, text in _lines(run):
        typer.echo(f"{name:<14}{text}".rstrip())
    print_table("tables", ["table", "schema", "rows", "bytes", "bytes a game"], _table_rows(run))
    typer.echo("")
    for line in trust_lines(run.manifest, whole=True):
        typer.echo(line)


def _lines(run: "Run") -> Iterator[tuple[str, str]]:
    manifest, config = run.manifest, run.manifest["config"]
    part = ""
    if "part" in manifest:
        number, n_parts = manifest["part"]
        part = f" (part {number}/{n_parts} of a plan of {config['n_games']})"
    if run.partial:
        part += f" (unfinished: {run.n_games} of {_planned(run)}, go on with --resume)"
    yield "run", f"{run.path}, plan {manifest['plan_hash']}"
    yield "games", f"{run.n_games}{part} of {config['n_players']} players, {run.n_failed} failed"
    for name, value in config.items():
        if name not in ("n_games", "n_players", "heuristics"):
            yield name, _short(value)
    for entry in manifest["heuristics"]:
        program = f", program {entry['program_sha256'][:16]}" if "program_sha256" in entry else ""
        yield "player", f"{entry['name']} ({entry.get('kind', 'built-in')}, {entry['sha256'][:16]}{program})"
    yield from _rule_lines(manifest["rules"])
    versions = dict(manifest.get("versions", {}))
    build, revision = manifest.get("build", "unknown"), manifest.get("git_revision")
    yield (
        "played by",
        f"aoi-sim {versions.pop('aoi-sim', '?')}, {build}" + (f", revision {revision}" if revision else ""),
    )
    yield "versions", ", ".join(f"{name} {version}" for name, version in versions.items())
    seconds = manifest.get("wall_seconds")
    if seconds:
        rate = run.n_games / seconds
        yield "time", f"{seconds:.1f} s with {counted(manifest.get('jobs') or 0, 'job')}, {rate:.1f} games/s"


def _planned(run: "Run") -> str:
    """Games that an unfinished run was to play."""
    n_games = run.manifest["config"]["n_games"]
    return f"a part of {n_games}" if "part" in run.manifest else str(n_games)


def _rule_lines(rules: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "rules", f"edition {rules['edition']}, hash {rules.get('hash')}"
    for name, value in rules.get("options", {}).items():
        yield "option", f"{name} = {value}"
    for overlay in rules.get("overlays", []):
        yield "overlay", _short(overlay)


def _short(value: Any) -> str:
    text = " ".join(value) if isinstance(value, list) else str(value)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters, all in manifest.json)"


def _table_rows(run: "Run") -> Iterator[list[str]]:
    total = 0
    for name, version in run.manifest["schemas"].items():
        files = [entry["files"][name] for entry in run.manifest["chunks"]]
        n_bytes = sum(file["bytes"] for file in files)
        total += n_bytes
        a_game = f"{n_bytes / max(1, run.n_games):.0f}"
        yield [name, str(version), str(sum(file["rows"] for file in files)), str(n_bytes), a_game]
    yield ["all", "", "", str(total), f"{total / max(1, run.n_games):.0f}"]
