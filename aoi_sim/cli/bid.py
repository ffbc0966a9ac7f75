"""``aoi-sim bid``: what the bundles of a table are worth in VP."""

from pathlib import Path
from typing import Annotated, Any

import typer

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.replay import read_text
from aoi_sim.cli.tables import print_table
from aoi_sim.storage.findings import counted


def bid(
    setup: Annotated[
        str, typer.Argument(help="A seed of a set-up, a file of set-ups (runs --fixed), or a position file.")
    ],
    study: Annotated[Path, typer.Option("--study", help="Folder of a finished aoi-sim study fair.")],
) -> None:
    """What the bundles of a table are worth: fair starting VP, bids, chances to win without them."""
    from aoi_sim.studies.bid_store import bids_for, read_bids

    bids = read_bids(study)
    for title, bundles in _tables(setup, bids):
        table = bids_for(bids, bundles)
        rows = [
            [
                f"{row['faction']} on {row['board']}",
                row["bonus"] or "-",
                f"{row['start']:.1f}",
                f"± {(row['high'] - row['low']) / 2:.1f}",
                f"{row['bid']:.1f}",
                f"{100 * row['chance']:.0f} %",
            ]
            for row in table.iter_rows(named=True)
        ]
        print_table(title, ["bundle", "bonus tile", "fair start", "95 %", "bid", "chance to win"], rows)
    typer.echo(
        f"\nBid: VP that a bundle is worth more than the weakest one here. {bids.heuristic} in all seats, {bids.n_players} "
        f"players, edition {bids.edition}, {counted(bids.n_games, 'game')}; the round tiles of this table are not looked at."
    )


def _tables(setup: str, bids: Any) -> list[tuple[str, list[dict[str, str | None]]]]:
    """Title and bundles of each table that is asked for."""
    from aoi_sim.rules import load_ruleset

    rules = load_ruleset(bids.edition, overlays=list(bids.overlays))
    if rules.hash != bids.rules:
        raise InputError(f"rules have changed since, {bids.rules}, make the study again (--study)")
    if setup.isdecimal():
        from aoi_sim.engine.setup import draw_setup
        from aoi_sim.sim.config import MAX_SEED

        if int(setup) > MAX_SEED:
            raise InputError(f"seed {setup}, aoi-sim bid, choose 0 to {MAX_SEED}")
        draws = draw_setup(rules, bids.n_players, int(setup), "standard", bids.map)
        return [(f"Set-up {setup}", [dict(row) for row in draws["bundles"]])]
    path = Path(setup)
    if not path.is_file():
        raise InputError(f"neither a seed nor a file, {setup}, give a seed, a file of set-ups or a position file")
    if not read_text(path).strip():
        raise InputError(f"an empty file, {path}, give a file of set-ups or a position file")
    if path.suffix == ".csv" or (path.suffix == ".toml" and _is_list(path)):
        return _listed(path, rules, bids.n_players)
    return [(str(path), _of_position(path, bids.n_players))]


def _is_list(path: Path) -> bool:
    """Whether a TOML file lists set-ups; what else it may be, others say."""
    import tomllib

    try:
        return "setup" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def _listed(path: Path, rules: Any, n_players: int) -> list[tuple[str, list[dict[str, str | None]]]]:
    import json

    from aoi_sim.sim.fixed import read_fixed

    tables = []
    for number, row in enumerate(json.loads(read_fixed(path, [rules], n_players, "standard")), start=1):
        factions, boards = row.get("factions", []), row.get("boards", [])
        if not factions or not boards or "" in (*factions, *boards):
            raise InputError(f"a seat without faction or board, {path} (row {number}), name both for every seat")
        tiles = row.get("seat_bonus_tiles", [""] * n_players)
        bundles: list[dict[str, str | None]] = [
            {"faction": faction, "board": board, "bonus": tile or None}
            for faction, board, tile in zip(factions, boards, tiles, strict=True)
        ]
        tables.append((f"{path}, row {number}", bundles))
    return tables


def _of_position(path: Path, n_players: int) -> list[dict[str, str | None]]:
    """Bundles that are left and those that seats have in a position."""
    from aoi_sim.positions import load_position

    state = load_position(path)
    if state.n_players != n_players:
        raise InputError(f"{state.n_players} players, {path}, give a study with as many (--study)")
    components = state.tables.components
    seats = [(seat.board, seat.faction, seat.bonus) for seat in state.seats if seat.faction >= 0 and seat.board >= 0]
    if not seats and not state.bundles:
        raise InputError(f"neither bundles nor seats with faction and board, {path}, give another position")
    return [
        {
            "board": components[board].key,
            "faction": components[faction].key,
            "bonus": components[bonus].key if bonus >= 0 else None,
        }
        for board, faction, bonus in (*seats, *state.bundles)
    ]
