"""Do two studies that differ in their seed alone agree? A test that the true changes of all factions are the same."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from aoi_sim.storage.reader import open_run
from aoi_sim.studies.comparison import compared
from aoi_sim.studies.study_folder import CONFIG, RUNS, StudyError

Joint = tuple[list[str], Any, Any]
"""Factions, their changes, and the covariance of these."""


def agreement(one: Path, other: Path) -> pl.DataFrame:
    """Compare the changes by faction of two paired studies, a row a run.

    Args:
        one: folder of a finished study of editions or of an overlay.
        other: of the same study with another seed.

    Returns:
        ``run``, ``factions``, ``chi_square``, ``freedom``, ``p`` (that chance makes them differ so much).

    Raises:
        StudyError: they are no such pair.
    """
    contents = [_finished(path) for path in (one, other)]
    settings = [{**content["settings"], "seed": None, "study": content["study"]} for content in contents]
    for key in settings[0]:
        if settings[0][key] != settings[1].get(key):
            raise StudyError(f"another {key}, {other}, give two studies that differ in their seed alone")
    if contents[0]["settings"]["seed"] == contents[1]["settings"]["seed"]:
        raise StudyError(f"the same seed, {other}, give two studies with different ones")
    rows = []
    for name in contents[0]["precision"]:
        found = []
        for path in (one, other):
            run = open_run(path / RUNS / name, checked=True)
            if not run.manifest["config"].get("levels"):
                raise StudyError(f"not paired, {run.path}, give studies whose rules have the same factions and boards")
            found.append(compared({name: run}).joint())
        statistic, freedom, p = homogeneity(*found)
        rows.append({"run": name, "factions": len(found[0][0]), "chi_square": statistic, "freedom": freedom, "p": p})
    return pl.DataFrame(rows)


def homogeneity(one: Joint, other: Joint) -> tuple[float, int, float]:
    """Wald's test that two independent estimates of several changes have the same true values.

    Returns:
        Chi-square, its degrees of freedom (rank of the covariance), and the p-value.
    """
    from scipy.special import chdtrc

    if one[0] != other[0]:
        raise StudyError("other factions, the runs of the studies, give two studies of the same rules")
    gap, covariance = one[1] - other[1], one[2] + other[2]
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-10 * max(float(values.max()), 1e-300)
    statistic = float((((vectors.T @ gap)[kept]) ** 2 / values[kept]).sum())
    freedom = int(kept.sum())
    return statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0


def _finished(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads((path / CONFIG).read_text(encoding="utf-8"))
        finished = bool(content["finished"])
    except FileNotFoundError as error:
        raise StudyError(f"no study, {path}, give the folder of a study") from error
    except (ValueError, KeyError, TypeError) as error:
        raise StudyError(f"damaged study, {path / CONFIG}, run its command again") from error
    if not finished:
        raise StudyError(f"unfinished study, {path}, finish it with its command")
    return content  # type: ignore[no-any-return]
