"""What surrounds the findings: who played, what cannot be said, method, trust checks, provenance."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from aoi_sim.analysis.balance import mean_by
from aoi_sim.analysis.uncertainty import clustered_means, t_quantile
from aoi_sim.report.document import Column, Section
from aoi_sim.report.sentences import bracket, counted, listed, number
from aoi_sim.report.sheets import plain_sheet
from aoi_sim.report.study import Study

_CLASS_DOC: Final = r'^class (?:{}Player|Player)\b[^\n]*:\n\s+"""(.+?)(?:"""|$)'
"""The class of a player in a source, and the first line of its docstring."""
HUMANS: Final = 200
"""VP of strong human players at four players, see ``analysis/bands.toml``."""
METHOD: Final = (
    "A margin is a player's VP less the mean VP of its table, so that what lifts everybody's score drops out. Win shares split "
    "ties.",
    "All games of a set-up block share their draw, and margins of one table sum to zero: the block is the unit of sampling, and "
    "every standard error is clustered by it (Liang and Zeger 1986; t quantile with blocks - 1 degrees of freedom). Intervals "
    "are 95 % intervals; those of shares are Wilson's at the effective sample size.",
    "Adjusted effects come from least squares within games on faction, board and seat, each summing to zero.",
    "Verdicts: different (at a false discovery rate of 5 %, Benjamini and Hochberg 1995), equivalent within 2 VP (two one-sided "
    "tests, Schuirmann 1987), or undecided with the size of a run that would decide. Tiers compare all pairs (Holm 1979); ranks "
    "and the chance of being best come from 20,000 draws of the joint distribution of the effects.",
    "The raw gap between best and worst grows with the number compared: twelve equal factions show 3.3 standard errors. The "
    "spread given is free of that.",
)


def subtitle(study: Study) -> str:
    """What was played, in a line."""
    config = study.manifest["config"]
    level = f", level {study.levels[0]} of {len(study.levels)}" if study.levels else ""
    return (
        f"{counted(study.n_games, 'game')} of {study.n_players} players on {counted(study.n_blocks, 'set-up')}, "
        f"design {config['design']}, edition {study.manifest['rules']['edition']}{level}, played by {listed(study.heuristics)}"
    )


def players(study: Study) -> list[str]:
    """Who the players are and how strong they play."""
    lines = []
    for entry in study.manifest["heuristics"]:
        doc = _doc(entry)
        lines.append(f"{entry['name']} is a scripted player{': ' + doc if doc else '.'}")
    rows = study.rows
    if len(study.heuristics) > 1:
        means = mean_by(rows, "vp", ["heuristic"]).sort("value", descending=True)
        each = [
            f"{row['heuristic']} {number(row['value'], sign=False)} VP{bracket(row['low'], row['high'])}"
            for row in means.iter_rows(named=True)
        ]
        lines.append(f"Mean scores at tables with each other: {listed(each)}.")
    winner = pl.col("win_share") > 0
    mean = clustered_means(rows.lazy(), ["vp"]).row(0, named=True)
    best = clustered_means(rows.lazy().filter(winner), ["vp"]).row(0, named=True)
    lines.append(
        f"They score {number(mean['value'], sign=False)} VP{bracket(mean['low'], mean['high'])} a game on average and "
        f"{number(best['value'], sign=False)} VP when they win.{_beside_humans(study, mean['value'])} docs/players.md says how "
        "strong each player of the library is, and what it does badly."
    )
    return lines


def _beside_humans(study: Study, mean: float) -> str:
    """How far the mean is from what strong human players are said to reach at four players (the source of the bands)."""
    if study.n_players != 4:
        return ""
    gap = HUMANS - mean
    return (
        f" Strong human players are said to reach about {HUMANS} VP: {abs(gap):.0f} {'more' if gap >= 0 else 'fewer'}."
    )


def _doc(entry: Mapping[str, Any]) -> str:
    """What a heuristic's own file says of it; of a class the first line of its docstring."""
    text = entry.get("content") or ""
    if entry.get("kind") != "weights":
        own = re.search(_CLASS_DOC.format(re.escape(str(entry["name"]).title())), text, re.MULTILINE)
        return own[1].strip() if own else ""
    try:
        content = json.loads(text)
    except ValueError:
        return ""
    return str(content.get("doc", "")) if isinstance(content, dict) else ""


def limits(study: Study) -> list[str]:
    """What the report cannot say."""
    config = study.manifest["config"]
    lines = [
        "What is strong here is strong for these players. People who play better, or otherwise, may find other things strong; "
        "repeat with other heuristics before you change the game (aoi-sim run --heuristics).",
        "Things that players choose for themselves (palaces, competencies, innovations, where to build) go with winning also "
        "because winners can afford them. Where the report compares with and without, it does not say what causes what.",
        f"It holds for {study.n_players} players and edition {study.manifest['rules']['edition']}.",
    ]
    if config["design"] == "choice":
        lines.append(
            "Players picked faction and board themselves: what the picked ones score mixes their worth with who picks them when."
        )
    detect = _smallest(study)
    if detect is not None:
        lines.append(
            f"Differences between factions below about {number(detect, sign=False)} VP drown in this number of games."
        )
    if study.run.n_failed:
        lines.append(
            f"{counted(study.run.n_failed, 'game')} failed and could not be used; if they failed for a reason, the rest is not a "
            "fair sample."
        )
    if study.run.partial or study.manifest.get("part"):
        lines.append(
            f"The run holds {study.run.n_games:,} of the {counted(config['n_games'], 'game')} of its plan, so "
            "the design need not be balanced."
        )
    if not study.has("events"):
        lines.append(
            "The run was played without the table of events (--events summary): what needs it is left out here."
        )
    return lines


def _smallest(study: Study) -> float | None:
    """Difference of two factions that would be seen with a chance of four in five."""
    known = study.factions.drop_nulls("se")
    if known.is_empty():
        return None
    errors = known["se"].to_numpy()
    blocks = int(known["blocks"].min())  # type: ignore[arg-type]
    return float((t_quantile(blocks) + t_quantile(blocks, 0.6)) * (2 * (errors**2).mean()) ** 0.5)


def method_section(study: Study) -> Section:
    """How the figures were made."""
    section = Section("method", "Method", lead=list(METHOD))
    for what, reason in study.missing.items():
        section.notes.append(f"Not shown: {what} ({reason}).")
    return section


def trust_section(study: Study) -> Section:
    """The trust checks that the run ended with."""
    checks = study.manifest.get("trust", [])
    section = Section("trust", "Trust checks", [trust_sentence(study)])
    if checks:
        table = pl.DataFrame([{key: check[key] for key in ("name", "verdict", "sentence")} for check in checks])
        section.sheets.append(
            plain_sheet(
                "trust",
                "Checks of the run's own tables",
                table,
                Column("name", "check", "what is checked; docs/data.md describes it", "text"),
                Column(
                    "verdict", "verdict", "ok, suspicious (look before you believe the run) or not applicable", "text"
                ),
                Column("sentence", "in words", "what the verdict rests on", "text"),
            )
        )
    return section


def trust_sentence(study: Study) -> str:
    """Whether the run can be believed, in a sentence."""
    checks = study.manifest.get("trust", [])
    if study.run.partial:
        n_games = study.manifest["config"]["n_games"]
        return (
            f"Unfinished: {study.run.n_games} of {counted(n_games, 'game')}, go on with --resume; the trust checks come with "
            "the last game."
        )
    if not checks:
        return "The run has no trust checks (it comes from an older version): run aoi-sim verify on it before you believe it."
    wrong = [check for check in checks if check["verdict"] == "suspicious"]
    if wrong:
        found = "; ".join(f"{check['name']}: {check['sentence']}" for check in wrong)
        return f"Careful: {counted(len(wrong), 'trust check')} found something suspicious ({found})."
    n_ok = sum(check["verdict"] == "ok" for check in checks)
    hold = "applies and holds" if n_ok == 1 else "apply and hold"
    return f"Nothing suspicious: {n_ok} of {counted(len(checks), 'trust check')} {hold}."


def facts(study: Study) -> dict[str, str]:
    """Provenance."""
    manifest = study.manifest
    config = dict(manifest["config"])
    found = {
        "run": str(study.run.path.name),
        "plan": str(manifest["plan_hash"]),
        "seed": str(manifest["seed"]),
        "games": f"{study.run.n_games:,} ({study.run.n_failed} failed)",
        "config": ", ".join(
            f"{name} {_short(value)}" for name, value in config.items() if name not in ("seed", "n_games")
        ),
        "rules": f"edition {manifest['rules']['edition']}, hash {manifest['rules'].get('hash')}",
    }
    for overlay in manifest["rules"].get("overlays", []):
        found["overlay"] = _short(overlay)
    for entry in manifest["heuristics"]:
        found[f"player {entry['name']}"] = str(entry["sha256"])
    versions = ", ".join(f"{name} {version}" for name, version in manifest.get("versions", {}).items())
    found["versions"] = f"{versions}; {manifest.get('build', 'unknown')} build"
    if manifest.get("git_revision"):
        found["revision"] = str(manifest["git_revision"])
    return found


def _short(value: Any) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
