"""`python -m tests.strength --out DIR [--games N] [--seed S] [--parts ladder,...]`: the tables of docs/players.md.

- `ladder`: every heuristic against itself at four players on the same set-ups: VP, the average of what it does, and games a
  second of all processes together.
- `pairs`: `expert` against every other heuristic, two and two, all seat splits.
- `matrix`: all heuristics at common tables: how often the seats of each come in ahead of those of each other.
- `styles`: each style's own figure beside that of every other file.

All intervals are 95 % and clustered by set-up. Runs lie in `DIR` and are played once: delete it to play again.
Exit status: 0 every claim of the library holds, 1 one does not, 2 wrong input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import polars as pl

import aoi_sim as aoi
from aoi_sim.analysis import contests
from aoi_sim.analysis.bands import BUILDINGS
from aoi_sim.analysis.uncertainty import clustered_means
from aoi_sim.sim.arena import arena
from aoi_sim.storage.reader import Run
from tests.strength.figures import FIGURES, STYLES, style_rows

PARTS = ("ladder", "pairs", "matrix", "styles")
LADDER = ("random", "greedy", *STYLES, "balanced", "quick", "expert")
GAMES_OF_MATRIX = 6
"""So many times as many games as elsewhere: two of twelve heuristics seldom meet."""
LEAST_STYLE_VP = 110
LEAST_EXPERT_VP = 150
LEAST_MARGIN_OVER_GREEDY = 50


def self_play(name: str, games: int, seed: int, out: Path) -> Run:
    """The run of one heuristic against itself; opened when it has been played."""
    folder = out / f"self-{name}"
    if folder.exists():
        return aoi.open_run(folder)
    return aoi.simulate(n_games=games, n_players=4, heuristics=name, seed=seed, out=folder)


def ladder(games: int, seed: int, out: Path) -> bool:
    """Print the ladder; whether every heuristic reaches its VP."""
    print("\n| heuristic | VP | sd | cities | innovations | competencies | buildings | VP for power | games/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    sound = True
    for name in LADDER:
        run = self_play(name, games, seed, out)
        rows = contests.seat_rows(run.seats(), run.games()).collect()
        mean = clustered_means(rows.lazy(), ["vp"], by=["heuristic"]).row(0, named=True)
        built = sum(rows[kind].mean() for kind in BUILDINGS)  # type: ignore[misc]
        cells = [rows[key].mean() for key in ("cities", "innovations", "competencies")]
        print(
            f"| {name} | {mean['value']:.1f} ± {(mean['high'] - mean['low']) / 2:.1f} | {rows['vp'].std():.0f} | "
            + " | ".join(f"{cell:.2f}" for cell in cells)
            + f" | {built:.1f} | {-rows['vp_from_power'].mean():.1f} |"  # type: ignore[operator]
            + f" {run.n_games / run.manifest['wall_seconds']:.0f} |",
            flush=True,
        )
        least = {"random": 0, "greedy": 0, "expert": LEAST_EXPERT_VP}.get(name, LEAST_STYLE_VP)
        sound = sound and mean["value"] >= least
    return sound


def pairs(games: int, seed: int, out: Path) -> bool:
    """Print what `expert` is ahead of the others; whether every interval excludes 0, and greedy is far behind."""
    print("\n| expert against | VP ahead | win share of a seat | games |")
    print("|---|---|---|---|")
    sound = True
    for name in LADDER[:-1]:
        folder = out / f"pair-{name}"
        if folder.exists():
            run = aoi.open_run(folder)
        else:
            run = arena(
                ["expert", name], games, folder, rules=aoi.load_ruleset(), n_players=4, seed=seed + 1, n_jobs=-1
            )
        rows = contests.seat_rows(run.seats(), run.games()).collect().lazy()
        margin = contests.margin_by_heuristic(rows).filter(pl.col("heuristic") == "expert").row(0, named=True)
        wins = contests.win_share_by_heuristic(rows).filter(pl.col("heuristic") == "expert").row(0, named=True)
        low, high = margin["low"], margin["high"]
        print(
            f"| {name} | {margin['value']:.1f} [{low:.1f}, {high:.1f}] | {wins['value']:.3f} | {run.n_games} |",
            flush=True,
        )
        sound = sound and low > 0 and (name != "greedy" or margin["value"] >= LEAST_MARGIN_OVER_GREEDY)
    return sound


def matrix(games: int, seed: int, out: Path) -> bool:
    """Print who comes in ahead of whom; whether `expert` does so of all others, clear of a half."""
    folder = out / "matrix"
    if folder.exists():
        run = aoi.open_run(folder)
    else:
        names = list(LADDER)
        n = games * GAMES_OF_MATRIX
        run = arena(names, n, folder, rules=aoi.load_ruleset(), n_players=4, seed=seed + 2, n_jobs=-1, events=False)
    rows = contests.seat_rows(run.seats(), run.games()).collect().lazy()
    ahead = contests.margin_by_pair(rows).filter(pl.col("quantity") == "ahead")
    cells = {(row["heuristic"], row["rival"]): row for row in ahead.iter_rows(named=True)}
    halves = [(row["high"] - row["low"]) / 2 for row in cells.values()]
    print(f"\n{run.n_games} games; half of the 95 % interval: {min(halves):.3f} to {max(halves):.3f}\n")
    print("| ahead of | " + " | ".join(LADDER) + " |\n|" + "---|" * (len(LADDER) + 1))
    for name in LADDER:
        shares = [f"{cells[name, rival]['value']:.2f}" if rival != name else "" for rival in LADDER]
        print(f"| {name} | " + " | ".join(shares) + " |", flush=True)
    return all(cells["expert", rival]["low"] > 0.5 for rival in LADDER[:-1])


def styles(games: int, seed: int, out: Path) -> bool:
    """Print each style's own figure; whether it tops the library, clear of `balanced`."""
    names = (*STYLES, "balanced", "expert")
    print("\n| style | its figure | its own | balanced | best of the others | apart from balanced |")
    print("|---|---|---|---|---|---|")
    rows = {name: style_rows(self_play(name, games, seed, out)) for name in names}
    sound = True
    for style, figure in STYLES.items():
        sign = FIGURES[figure]
        means = {name: float(rows[name][figure].mean()) for name in names}  # type: ignore[arg-type]
        rival = max((name for name in names if name != style), key=lambda name: sign * means[name])
        both = rows[style].join(rows["balanced"], on=["block", "game_index", "seat"], suffix="_other")
        both = both.with_columns(
            (pl.col(figure).cast(pl.Float64) - pl.col(f"{figure}_other").cast(pl.Float64)).alias("apart")
        )
        apart = clustered_means(both.lazy(), ["apart"]).row(0, named=True)
        clear = min(sign * apart["low"], sign * apart["high"]) > 0
        tops = sign * means[style] >= sign * means[rival]
        print(
            f"| {style} | {figure} | {means[style]:.2f} | {means['balanced']:.2f} | {rival} {means[rival]:.2f} | "
            f"{apart['value']:+.2f} [{apart['low']:+.2f}, {apart['high']:+.2f}]{'' if clear and tops else ' (not clear)'} |",
            flush=True,
        )
        sound = sound and clear and tops
    return sound


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.strength", description=(__doc__ or "").split("\n\n")[1])
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--games", type=int, default=1000, help="games of each run (default 1000)")
    parser.add_argument("--seed", type=int, default=20261130, help="root seed; used by no tuning")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"of {', '.join(PARTS)} (default all)")
    chosen = parser.parse_args(arguments)
    wanted = chosen.parts.split(",")
    if not set(wanted) <= set(PARTS) or chosen.games < 1:
        parser.error(f"--parts of {', '.join(PARTS)}; --games 1 or more")
    chosen.out.mkdir(parents=True, exist_ok=True)
    sound = True
    for part, measure in (("ladder", ladder), ("pairs", pairs), ("matrix", matrix), ("styles", styles)):
        if part in wanted:
            sound = measure(chosen.games, chosen.seed, chosen.out) and sound
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
