"""How players play: how often each thing is used, by round; what is taken where it is open; where VP come from."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from aoi_sim.analysis.uncertainty import clustered_means

# Event: what it is a use of, and its key (None takes the subject's key).
_USES: Final[dict[str, tuple[str, str | None]]] = {
    "workshop_built": ("build", "workshop"),
    "guild_built": ("build", "guild"),
    "school_built": ("build", "school"),
    "university_built": ("build", "university"),
    "palace_built": ("build", "palace"),
    "tower_built": ("build", "tower"),
    "monument_built": ("build", "monument"),
    "bridge_built": ("build", "bridge"),
    "annex_built": ("build", "annex"),
    "spade_used": ("spade", "spade"),
    "track_step": ("track", None),
    "power_action_taken": ("power action", None),
    "competency_taken": ("competency", None),
    "innovation_taken": ("innovation", None),
    "city_tile_taken": ("city tile", None),
    "power_taken": ("power offer", "taken"),
    "power_declined": ("power offer", "declined"),
    "tunnel_dug": ("special action", "tunnel"),
    "flight_made": ("special action", "flight"),
    "key_used": ("science", "key"),
    "converted": ("conversion", None),
    "tokens_sacrificed": ("conversion", "sacrifice"),
    "passed": ("pass", "pass"),
}
_ACTIONS: Final = {"book": "book action"}  # other subjects of action_taken are special actions
_TILES: Final = {"palace": "palace", "bonus": "bonus tile"}
CATEGORIES: Final = (
    *("build", "spade", "power action", "book action", "special action", "science", "track"),
    *("palace", "competency", "innovation", "city tile", "bonus tile", "power offer", "conversion", "pass"),
)


def _seat_words(seats: pl.LazyFrame, by: Sequence[str]) -> pl.LazyFrame:
    return seats.select("game_index", "seat", *(pl.col(name).cast(pl.String) for name in by))


def uses(events: pl.LazyFrame) -> pl.LazyFrame:
    """Every use of something: ``game_index``, ``seat``, ``round``, ``category``, ``key``."""
    event, subject = pl.col("event").cast(pl.String), pl.col("subject").cast(pl.String)
    kind, key = subject.str.split("/").list.first(), subject.str.split("/").list.last()
    names = list(_USES)
    category = (
        pl.when(event == "action_taken")
        .then(kind.replace_strict(list(_ACTIONS), list(_ACTIONS.values()), default="special action"))
        .when(event == "tile_taken")
        .then(kind.replace_strict(list(_TILES), list(_TILES.values()), default=None))
        .when(event == "scholar_sent")
        .then(pl.lit("science"))
        .otherwise(event.replace_strict(names, [_USES[name][0] for name in names], default=None))
    )
    fixed = event.replace_strict(names, [_USES[name][1] for name in names], default=None, return_dtype=pl.String)
    own = pl.when((event == "action_taken") & (kind != "book")).then(subject).otherwise(key)
    sent = pl.when(pl.col("amount") > 0).then(pl.lit("scholar sent")).otherwise(pl.lit("scholar returned"))
    named = pl.when(event == "scholar_sent").then(sent).otherwise(pl.coalesce(fixed, own))
    return (
        events.filter(pl.col("seat") >= 0)
        .select("game_index", "seat", "round", category=category, key=named)
        .drop_nulls("category")
    )


def use_by_round(events: pl.LazyFrame, seats: pl.LazyFrame, by: Sequence[str] = ("heuristic",)) -> pl.DataFrame:
    """How often each thing is used by a player in a game, by round (0 is set-up).

    Args:
        events: table of a run.
        seats: table of a run.
        by: columns of ``seats`` to group by: ``heuristic``, ``faction``, ``board``.

    Returns:
        ``by``, ``category``, ``key``, ``round``, ``uses``, ``per_game`` (uses a player and game).
    """
    words = _seat_words(seats, by)
    return (
        uses(events)
        .join(words, on=["game_index", "seat"], maintain_order="left")
        .group_by(*by, "category", "key", "round", maintain_order=True)
        .agg(uses=pl.len())
        .join(words.group_by(by, maintain_order=True).agg(players=pl.len()), on=list(by), maintain_order="left")
        .with_columns(per_game=pl.col("uses") / pl.col("players"))
        .drop("players")
        .sort(*by, "category", "key", "round")
        .collect()
    )


def share_taken(offers: pl.LazyFrame, seats: pl.LazyFrame, by: Sequence[str] = ("heuristic",)) -> pl.DataFrame:
    """How often each thing is taken where it is open to a player that picks.

    Args:
        offers: table of a run.
        seats: table of a run.
        by: columns of ``seats`` to group by.

    Returns:
        ``by``, ``pick``, ``key``, ``open``, ``taken``, ``share``.
    """
    return (
        offers.select(
            "game_index", "seat", pl.col("pick").cast(pl.String), pl.col("open"), pl.col("taken").cast(pl.String)
        )
        .join(_seat_words(seats, by), on=["game_index", "seat"], maintain_order="left")
        .explode("open")
        .rename({"open": "key"})
        .with_columns(pl.col("key").cast(pl.String))
        .group_by(*by, "pick", "key", maintain_order=True)
        .agg(open=pl.len(), taken=(pl.col("key") == pl.col("taken")).sum())
        .with_columns(share=pl.col("taken") / pl.col("open"))
        .sort(*by, "pick", "key")
        .collect()
    )


def ability_by_faction(events: pl.LazyFrame, seats: pl.LazyFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """How often each faction's own ability works: decisions with an event about the faction, in rounds 1 to 6.

    Factions whose ability leaves no event of its own (it changes a price, a level or the start) have 0.

    Args:
        events: table of a run.
        seats: table of a run.
        by: further columns of ``seats`` to group by.

    Returns:
        ``by``, ``faction``, ``players``, ``uses`` (a player and game), ``rounds_used`` (share of rounds with a use) and
        the uses in ``round_1`` to ``round_6``.
    """
    keys = [*by, "faction"]
    words = _seat_words(seats, keys)
    used = (
        events.filter(pl.col("round") >= 1)
        .select("game_index", "seat", "round", "decision", subject=pl.col("subject").cast(pl.String))
        .join(words, on=["game_index", "seat"], maintain_order="left")
        .filter(pl.col("subject") == pl.concat_str(pl.lit("faction/"), pl.col("faction")))
        .group_by(*keys, "game_index", "seat", "round", maintain_order=True)
        .agg(uses=pl.col("decision").n_unique())
    )
    rounds = [pl.col("uses").filter(pl.col("round") == number).sum().alias(f"round_{number}") for number in range(1, 7)]
    totals = used.group_by(keys, maintain_order=True).agg(pl.col("uses").sum(), pl.len().alias("rounds_used"), *rounds)
    names = ["uses", *(f"round_{number}" for number in range(1, 7))]
    return (
        words.group_by(keys, maintain_order=True)
        .agg(players=pl.len())
        .join(totals, on=keys, how="left", maintain_order="left")
        .with_columns(pl.col("rounds_used", *names).fill_null(0))
        .with_columns(pl.col(names) / pl.col("players"), rounds_used=pl.col("rounds_used") / (6 * pl.col("players")))
        .select(*keys, "players", "uses", "rounds_used", *names[1:])
        .sort(keys)
        .collect()
    )


def vp_by_source(seats: pl.LazyFrame, games: pl.LazyFrame, by: Sequence[str] = ("heuristic",)) -> pl.DataFrame:
    """Mean VP in all (``quantity`` ``vp``) and from each source, with intervals clustered by block."""
    sources = [name for name in seats.collect_schema().names() if name.startswith("vp_from_")]
    rows = seats.with_columns(pl.col(name).cast(pl.String) for name in by).join(
        games.select("game_index", "block"), on="game_index", maintain_order="left"
    )
    return clustered_means(rows, ["vp", *sources], by).with_columns(pl.col("quantity").str.strip_prefix("vp_from_"))
