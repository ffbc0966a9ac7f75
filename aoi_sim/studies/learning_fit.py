"""What trials teach: a network for each subject that says how much better an option ends than the position promised.

First a baseline: the VP that a seat may expect in the position if it does what the player would have done; gradient-boosted
trees (LightGBM) fitted on half of the set-ups are asked about the other half, so that no trial is judged by a model that saw
it. What a game brought beyond it is what the option tried was worth beyond the one that would have been done, with luck.

To that trees are fitted as differences: the worth of the one less the worth of the other. So they learn nothing that all
options of a decision share. Options are drawn all alike, so what is learned of one is what it does and not where the player
chooses it. They go on from what the player knew, and find what matters in much luck better than a network does.

Last a network learns the differences that the trees make, without luck; it is what the player takes along, since it judges an
option in a fraction of the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aoi_sim.studies.network_fit import Parts, Shape, fitted_network
from aoi_sim.studies.trials import Trials
from aoi_sim.studies.tuning_state import TuningError

FULL: Final = 400_000
"""Trials from which a subject gets all the trees and units; with fewer it gets a share of them."""
LEAST_TREES: Final = 30
LEAST_UNITS: Final = 24
LEAST_TRIALS: Final = 50
_BOTH: Final = 2.0
"""A step changes both options of a pair."""
_FOLDS: Final = 2


@dataclass(frozen=True, slots=True)
class FitConfig:
    """How to fit.

    Attributes:
        units: of the network of a subject with ``FULL`` trials or more.
        epochs: how often it looks at each trial, more often if they are few.
        trees: trees that teach it, with ``FULL`` trials or more.
        leaves: most ends of a tree.
        rate: how much of what it finds each tree takes over.
        least: least trials at an end of a tree.
        others: how much a VP of the others, their mean, counts against one of its own.
        seed: of the chance in fitting.
        threads: how many for the trees; they are the same with any number.
    """

    units: int = 64
    epochs: int = 10
    trees: int = 150
    leaves: int = 31
    rate: float = 0.06
    least: int = 300
    others: float = 0.0
    seed: int = 1
    threads: int = 1


def lightgbm() -> Any:
    """The library.

    Raises:
        TuningError: it is not there.
    """
    try:
        import lightgbm as library
    except ImportError as error:
        raise TuningError("LightGBM is not installed, aoi-sim learn, pip install 'aoi-sim[learn]'") from error
    except OSError as error:  # a library of the system that it needs
        raise TuningError(f"LightGBM cannot be loaded ({error}), aoi-sim learn, install what it needs") from error
    return library


def fitted(trials: Trials, config: FitConfig, known: Parts | None = None) -> Parts | None:
    """What the trials of a subject teach, with what was known before.

    Args:
        trials: the trials.
        config: how to fit.
        known: network of the player that played them; trees and network go on from what it says.

    Returns:
        A network; None if the trials are too few or no option is better than another.
    """
    if len(trials) < max(LEAST_TRIALS, 2 * config.least):
        return None
    worth = trials.column("vp") - config.others * trials.column("others") / np.maximum(trials.column("players") - 1, 1)
    beyond = worth - expected(trials, worth, config)
    other = (trials.done != trials.tried).any(axis=1)
    done, tried, beyond, share = trials.done[other], trials.tried[other], beyond[other], trials.share[other]
    if len(beyond) < 2 * config.least:
        return None
    pairs = np.concatenate([done, tried])
    before = np.zeros(len(pairs)) if known is None else known.judged(pairs)
    said = before + _taught(pairs, beyond, share, config, before)
    differences = said[len(done) :] - said[: len(done)]
    if not differences.any():
        return None
    shape = Shape(_part(config.units, LEAST_UNITS, len(beyond)), config.epochs, seed=config.seed)
    return fitted_network(done, tried, differences, share, shape, known)


def _taught(
    pairs: NDArray[Any], beyond: NDArray[Any], share: NDArray[Any], config: FitConfig, promised: NDArray[Any]
) -> NDArray[Any]:
    """What trees say of options, so that the differences in each pair come to what the game brought.

    Args:
        pairs: features of the options that would have been done, then those of the options tried.
        beyond: by pair, what the game brought.
        share: by pair, how much it counts.
        config: how to fit.
        promised: by option, what is known already.
    """
    library = lightgbm()
    n = len(beyond)
    x = pairs.astype(np.float32)
    weight = np.concatenate([share, share]) * _BOTH

    def differences(said: NDArray[Any], _: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        miss = (said[n:] - said[:n] - beyond) * share
        return np.concatenate([-miss, miss]), weight

    settings = {
        "objective": differences,
        "learning_rate": config.rate,
        "num_leaves": config.leaves,
        "min_data_in_leaf": 2 * config.least,
        "feature_fraction": 0.5,
        "seed": config.seed,
    }
    data = library.Dataset(x, np.zeros(2 * n), init_score=promised)
    booster = library.train({**settings, **_repeatable(config)}, data, _part(config.trees, LEAST_TREES, n))
    said: NDArray[Any] = booster.predict(x, num_threads=config.threads)
    return said


def _part(all_: int, least: int, n: int) -> int:
    """So many of something for so many trials."""
    return all_ if n >= FULL else min(all_, max(least, all_ * n // FULL))


def expected(trials: Trials, worth: NDArray[Any], config: FitConfig) -> NDArray[Any]:
    """The worth that the position promised to what would have been done, by a model of the other half of the set-ups.

    The model is told whether that was what was tried, and asked as if it was: else it would promise what options drawn all
    alike bring, and whatever differs from the best would seem to pay.
    """
    alike = (trials.done == trials.tried).all(axis=1)
    position = np.column_stack([trials.done, alike]).astype(np.float32)
    fold = trials.column("set_up") % _FOLDS
    n_trees = min(400, max(100, len(trials) // 1500))
    settings = {
        "learning_rate": 0.12 if len(trials) > 300_000 else 0.06,
        "num_leaves": 63,
        "min_data_in_leaf": min(100, config.least),
        "feature_fraction": 0.4,
    }
    promised = np.full(len(trials), float(np.average(worth, weights=trials.share)))
    for k in range(_FOLDS):
        here, there = fold == k, fold != k
        if here.any() and there.any():
            booster = boosted(position[there], worth[there], trials.share[there], n_trees, settings, config)
            asked = position[here]
            asked[:, -1] = 1
            promised[here] = booster.predict(asked, num_threads=config.threads)
    return promised


def boosted(
    x: NDArray[Any], y: NDArray[Any], share: NDArray[Any], n_trees: int, settings: Mapping[str, Any], config: FitConfig
) -> Any:
    """Trees fitted by least squares; the same on every number of threads."""
    library = lightgbm()
    chance = {"seed": config.seed, "bagging_fraction": 0.7, "bagging_freq": 1}
    data = library.Dataset(x.astype(np.float32), y, weight=share)
    return library.train({"objective": "l2", **settings, **chance, **_repeatable(config)}, data, n_trees)


def _repeatable(config: FitConfig) -> dict[str, Any]:
    """Column by column: each histogram is one thread's, so sums come out the same whatever their number."""
    return {"deterministic": True, "force_col_wise": True, "num_threads": config.threads, "verbosity": -1}
