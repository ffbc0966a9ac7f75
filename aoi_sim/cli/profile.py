"""``aoi-sim profile``: how the players of a run play, beside what is plausible."""

from collections.abc import Iterator
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.tables import interval, print_table
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    import polars as pl

    from aoi_sim.storage.reader import Run

_PICKS: Final = {
    "palace": "palace",
    "competency": "competency",
    "innovation": "innovation",
    "city tile": "city",
    "bonus tile": "bonus",
}
_COLUMNS: Final = ("heuristic", "faction", "board")


def profile(
    source: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    by: Annotated[str, typer.Option("--by", help="Whose tables: heuristic, faction or board.")] = "heuristic",
    heuristic: Annotated[str | None, typer.Option("--heuristic", help="Only the seats of this heuristic.")] = None,
    faction: Annotated[str | None, typer.Option("--faction", help="Only the seats of this faction.")] = None,
    level: Annotated[str, typer.Option("--level", help="Bands for strong or naive players.")] = "strong",
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the tables to this folder as CSV too.")] = None,
) -> None:
    """Print bands, VP by source, abilities, and how often each thing is used, by round and by faction."""
    from aoi_sim.analysis import bands
    from aoi_sim.storage.reader import open_run

    if by not in _COLUMNS:
        raise InputError(f"unknown group {by!r}, --by, choose {', '.join(_COLUMNS)}")
    if level not in bands.LEVELS:
        raise InputError(f"unknown level {level!r}, --level, choose {' or '.join(bands.LEVELS)}")
    if csv is not None and csv.exists() and not csv.is_dir():
        raise InputError(f"not a folder, {csv} (--csv), choose another name")
    run = open_run(source, checked=True)
    if run.n_failed == run.n_games:
        raise InputError(f"no finished game, {source}, give another run")
    tables = _tables(run, by, heuristic, faction, level)
    if csv is not None:
        _write(tables, csv)
    players = run.manifest["config"]["n_players"]
    typer.echo(f"{counted(run.n_games - run.n_failed, 'game')} of {players} players, {source}")
    if "bands" in tables:
        _print_bands(tables["bands"], players)
    _print_sources(tables["vp_by_source"], by)
    _print_abilities(tables["ability_by_faction"])
    _print_uses(tables["use_by_round"], tables["share_taken"], by)
    if by != "faction" and faction is None:
        _print_factions(tables["use_by_faction"])
    if csv is not None:
        typer.echo(f"\nTables: {csv} ({', '.join(tables)})")


def _write(tables: dict[str, "pl.DataFrame"], folder: Path) -> None:
    """Write the tables, each whole or as it was before."""
    from aoi_sim.storage.writer import write_atomically

    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_atomically(folder / f"{name}.csv", table.write_csv().encode())


def _tables(run: "Run", by: str, heuristic: str | None, faction: str | None, level: str) -> dict[str, "pl.DataFrame"]:
    import polars as pl

    from aoi_sim.analysis import bands
    from aoi_sim.analysis import profile as profiles

    seats, games, events = run.seats(), run.games(), run.events()
    chosen = seats
    for name, word in (("heuristic", heuristic), ("faction", faction)):
        if word is not None:
            chosen = chosen.filter(pl.col(name).cast(pl.String) == word)
            known = seats.select(pl.col(name).cast(pl.String).unique().sort()).collect()[name].to_list()
            if word not in known:
                raise InputError(f"no {name} {word!r} in the run, --{name}, choose {', '.join(known)}")
    tables = {}
    if heuristic is None and faction is None:
        tables["bands"] = bands.figures_in_bands(seats, games, level)
    return tables | {
        "vp_by_source": profiles.vp_by_source(chosen, games, [by]),
        "ability_by_faction": profiles.ability_by_faction(events, chosen, ["heuristic"]),
        "use_by_round": profiles.use_by_round(events, chosen, [by]),
        "use_by_faction": profiles.use_by_round(events, chosen, ["heuristic", "faction"]),
        "share_taken": profiles.share_taken(run.offers(), chosen, [by]),
    }


def _print_bands(table: "pl.DataFrame", players: int) -> None:
    from aoi_sim.analysis.bands import SEATS, band_source

    rows = []
    for row in table.iter_rows(named=True):
        decimals = row["decimals"]
        again = f"under {row['again_low']:g}" if row["again_low"] > 0.01 or row["again_low"] < 0 else "0"
        limits = [
            "" if isinf(row["again_low"]) else again,
            "" if isinf(row["again_high"]) else f"over {row['again_high']:g}",
        ]
        plausible = f"{row['plausible_low']:g} to {row['plausible_high']:g}"
        words = [row["heuristic"], row["text"], plausible, ", ".join(filter(None, limits))]
        rows.append([*words, row["mark"], str(row["n"]), interval(row, decimals)])
    print_table(
        "Measured beside plausible (± half of the 95 % interval, whole set-ups resampled)",
        ["heuristic", "quantity", "plausible", "look again", "mark", "n", "measured"],
        rows,
        n_left=5,
    )
    text = f"Bands: {band_source()}"
    if players != SEATS:
        text += f"; these games have {players} players, the bands are for four, but that of a range, which is for so many seats"
    typer.echo(text)


def _print_sources(table: "pl.DataFrame", by: str) -> None:
    cells = {(row["quantity"], row[by]): row for row in table.iter_rows(named=True)}
    groups = sorted({group for _, group in cells})
    sources = sorted({source for source, _ in cells}, key=lambda source: -_total(cells, source, groups))
    print_table(
        "VP by source",
        ["source", *groups],
        [
            [source.replace("_", " ") if source != "vp" else "all", *(interval(cells[source, g]) for g in groups)]
            for source in sources
        ],
    )


def _total(cells: dict[tuple[str, str], dict[str, Any]], source: str, groups: list[str]) -> float:
    return sum(float(cells[source, group]["value"]) for group in groups)


def _print_abilities(table: "pl.DataFrame") -> None:
    rows = [
        [
            row["heuristic"],
            row["faction"],
            str(row["players"]),
            _figure(row["uses"]),
            _figure(row["rounds_used"]),
            *(_figure(row[f"round_{number}"]) for number in range(1, 7)),
        ]
        for row in table.iter_rows(named=True)
    ]
    print_table(
        "The factions' own abilities: uses a game, share of the six rounds with a use, uses by round (- for abilities that "
        "leave no trace, such as a start)",
        ["heuristic", "faction", "n", "a game", "rounds", *map(str, range(1, 7))],
        rows,
        n_left=2,
    )


def _print_uses(table: "pl.DataFrame", shares: "pl.DataFrame", by: str) -> None:
    taken = {(row[by], row["pick"], row["key"]): row["share"] for row in shares.iter_rows(named=True)}
    rounds = ["set-up", *map(str, range(1, 7))]
    for group in table[by].unique().sort().to_list():
        rows = []
        for category, key, uses in _by_key(table.filter(table[by] == group), "round"):
            share = taken.get((group, _PICKS.get(category, ""), key))
            cells = [_figure(uses.get(number, 0.0)) for number in range(7)]
            rows.append([category, key, _figure(sum(uses.values())), *cells, _figure(share or 0.0)])
        print_table(
            f"{group}: uses a player and game, by round; taken: share of the times it was open to a player that picked",
            ["what", "which", "a game", *rounds, "taken"],
            rows,
            n_left=2,
        )


def _print_factions(table: "pl.DataFrame") -> None:
    for (heuristic,), own in table.group_by("heuristic", maintain_order=True):
        factions = own["faction"].unique().sort().to_list()
        rows = [
            [category, key, *(_figure(uses.get(faction, 0.0)) for faction in factions)]
            for category, key, uses in _by_key(own, "faction")
        ]
        print_table(f"{heuristic}: uses a game, by faction", ["what", "which", *factions], rows, n_left=2)


def _by_key(table: "pl.DataFrame", across: str) -> Iterator[tuple[str, str, dict[Any, float]]]:
    """Category, key, and uses a game by round or faction; in the order of the categories, most used first."""
    from aoi_sim.analysis.profile import CATEGORIES

    found: dict[tuple[str, str], dict[Any, float]] = {}
    for row in table.iter_rows(named=True):
        uses = found.setdefault((row["category"], row["key"]), {})
        uses[row[across]] = uses.get(row[across], 0.0) + row["per_game"]
    order = sorted(found, key=lambda pair: (CATEGORIES.index(pair[0]), -sum(found[pair].values()), pair[1]))
    for pair in order:
        yield *pair, found[pair]


def _figure(value: float) -> str:
    return f"{value:.2f}" if value else "-"
