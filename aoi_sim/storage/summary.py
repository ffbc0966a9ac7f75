"""The summary of a run: mean VP by faction with an interval that respects the blocks."""

import polars as pl


def summary_table(seats: pl.LazyFrame, games: pl.LazyFrame) -> pl.DataFrame:
    """Mean VP by faction, most first; in a paired run by level and faction.

    The interval is that of the mean with errors clustered by block: the games of a block share their set-up, so the
    block is the unit of sampling. With one block there is no interval (null).

    Returns:
        Columns ``level`` (paired runs only), ``faction``, ``n`` (rows), ``blocks``, ``vp`` (mean), ``half_width`` (of the
        95 % interval) and ``win_share``.
    """
    from scipy.special import stdtrit

    paired = games.select(pl.col("level").is_not_null().any()).collect().item()
    keys = ["level", "faction"] if paired else ["faction"]
    rows = (
        seats.select("game_index", pl.col("faction").cast(pl.String), "vp", "win_share")
        .join(
            games.select("game_index", "block", pl.col("level").cast(pl.String)), on="game_index", maintain_order="left"
        )
        .with_columns(residual=pl.col("vp") - pl.col("vp").mean().over(keys))
    )
    blocks = rows.group_by(*keys, "block", maintain_order=True).agg(
        n=pl.len(), vp=pl.col("vp").sum(), win_share=pl.col("win_share").sum(), residual=pl.col("residual").sum()
    )
    table = (
        blocks.group_by(keys, maintain_order=True)
        .agg(
            n=pl.col("n").sum(),
            blocks=pl.len(),
            vp=pl.col("vp").sum() / pl.col("n").sum(),
            win_share=pl.col("win_share").sum() / pl.col("n").sum(),
            squares=(pl.col("residual") ** 2).sum(),
        )
        .sort([*keys[:-1], "vp", "faction"], descending=[*[False] * (len(keys) - 1), True, False])
        .collect()
    )
    half_widths: list[float | None] = []
    for n, n_blocks, squares in table.select("n", "blocks", "squares").iter_rows():
        if n_blocks < 2:
            half_widths.append(None)
            continue
        error = (n_blocks / (n_blocks - 1) * squares) ** 0.5 / n
        half_widths.append(float(stdtrit(n_blocks - 1, 0.975)) * error)
    widths = pl.Series("half_width", half_widths, dtype=pl.Float64)
    return table.with_columns(widths).select(*keys, "n", "blocks", "vp", "half_width", "win_share")
