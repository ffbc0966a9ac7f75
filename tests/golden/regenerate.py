"""`python -m tests.golden.regenerate`: choose and write the golden games anew (`make golden`)."""

import sys
from collections import Counter

import aoi_sim as aoi

from .games import FOLDER, PLAYER_COUNTS, candidates, everything, missing

AT_LEAST = 5
FIRST = 60
MOST = 600


def choose(n_players: int) -> tuple[list[tuple[int, str]], set[str]]:
    """Few games that use everything together, the one that adds most first; and what no candidate uses."""
    rules = aoi.load_ruleset()
    wanted = everything(rules)
    pool: list[tuple[int, str, set[str]]] = []
    seen: Counter[str] = Counter()
    for game in candidates(n_players, MOST):
        pool.append(game)
        seen.update(game[2])
        if len(pool) >= FIRST and not missing(seen, rules):
            break
    used: Counter[str] = Counter()
    chosen: list[tuple[int, str]] = []
    while pool:
        best = max(pool, key=lambda game: (len({what for what in game[2] & wanted if not used[what]}), -game[0]))
        if all(used[what] for what in best[2] & wanted) and len(chosen) >= AT_LEAST:
            break
        pool.remove(best)
        chosen.append(best[:2])
        used.update(best[2])
    return sorted(chosen), missing(used, rules)


def main() -> int:
    """Write the records; status 1 when something is never used."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    status = 0
    for n_players in PLAYER_COUNTS:
        chosen, lacking = choose(n_players)
        for number, text in chosen:
            (FOLDER / f"{n_players}p-{number:03d}.txt").write_text(text, encoding="utf-8")
        print(f"{n_players} players: {len(chosen)} games, never used: {', '.join(sorted(lacking)) or 'nothing'}")
        status |= bool(lacking)
    return status


if __name__ == "__main__":
    sys.exit(main())
