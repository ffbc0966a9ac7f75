"""Made-up tables of known truth: seats of games whose set-ups shift everybody's VP."""

from collections.abc import Mapping

import numpy as np
import polars as pl


def made_tables(
    strengths: Mapping[str, float], n_blocks: int, seed: int = 1, games_a_block: int = 4, scale: float = 20.0
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Seats and games: VP = 100 + block + scale * (strength + Gumbel), so finishing orders are Plackett-Luce."""
    random = np.random.default_rng(seed)
    names = list(strengths)
    seats, games = [], []
    for block in range(n_blocks):
        shift = random.normal(0, 15)
        for game in range(games_a_block):
            index = block * games_a_block + game
            games.append({"game_index": index, "block": block})
            table = list(random.choice(names, 4, replace=len(names) < 4))
            vps = [round(100 + shift + scale * (strengths[name] + random.gumbel())) for name in table]
            best = vps.count(max(vps))
            seats += [
                {
                    "game_index": index,
                    "seat": seat,
                    "heuristic": name,
                    "faction": f"f{(block + seat) % 6}",
                    "vp": vp,
                    "win_share": 1 / best if vp == max(vps) else 0.0,
                    "vp_from_start": 20,
                    "vp_from_city": vp - 20,
                }
                for seat, (name, vp) in enumerate(zip(table, vps, strict=True))
            ]
    return pl.LazyFrame(seats), pl.LazyFrame(games)
