"""What trials teach: gradient-boosted trees (LightGBM) that say how much better an option ends than the position promised.

For each subject two models. The baseline is the VP that a seat may expect in the position, described with the option that the
player would have done; fitted on half of the set-ups it is asked about the other half, so that no trial is judged by a model
that saw it. The lessons are fitted to what the game brought beyond the baseline, from the option that was tried. Options are
drawn all alike, so what is learned of one is what it does and not where the player chooses it; the baseline takes away the luck.
"""

from base64 import b85encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import compress

import numpy as np
from numpy.typing import NDArray

from aoi_sim.players.weighted.features import NAMES
from aoi_sim.players.weighted.lessons import LEAF
from aoi_sim.studies.trials import Trials
from aoi_sim.studies.tuning_state import TuningError

FULL: Final = 400_000
"""Trials from which a subject gets all the trees; with fewer it gets a share of them."""
LEAST_TREES: Final = 30
LEAST_TRIALS: Final = 50
_MILLI: Final = 1000
_FOLDS: Final = 2
_POSITION: Final = [k for k, name in enumerate(NAMES) if not name.startswith("change_")]
"""Features of the baseline; the changes say nothing that before and after do not."""


@dataclass(frozen=True, slots=True)
class FitConfig:
    """How to fit.

    Attributes:
        trees: trees of a subject with ``FULL`` trials or more.
        leaves: most ends of a tree.
        rate: how much of what it finds each tree takes over.
        least: least trials at an end of a tree.
        others: how much a VP of the others, their mean, counts against one of its own.
        seed: of the chance in fitting.
        threads: how many; the trees are the same with any number.
    """

    trees: int = 300
    leaves: int = 31
    rate: float = 0.06
    least: int = 300
    others: float = 0.0
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Forest:
    """The trees of a subject, of whole numbers, as `weighted.lessons.Trees` has them.

    Attributes:
        feature: by node, number of the feature among ``NAMES``; ``LEAF`` at an end.
        number: by node, what the feature is compared with; at an end what the tree adds, in thousandths of a VP.
        above: by node, where it goes on if the feature is above the number; else with the node that follows.
        roots: where each tree begins.
    """

    feature: list[int]
    number: list[int]
    above: list[int]
    roots: list[int]


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


def fitted(trials: Trials, config: FitConfig) -> Forest | None:
    """What the trials of a subject teach, None if that is nothing: too few of them, or none better than another."""
    if len(trials) < max(LEAST_TRIALS, 2 * config.least):
        return None
    worth = trials.column("vp") - config.others * trials.column("others") / np.maximum(trials.column("players") - 1, 1)
    left = worth - expected(trials, worth, config)
    n_trees = config.trees if len(trials) >= FULL else max(LEAST_TREES, config.trees * len(trials) // FULL)
    settings = {
        "learning_rate": config.rate,
        "num_leaves": config.leaves,
        "min_data_in_leaf": config.least,
        "feature_fraction": 0.5,
        "boost_from_average": False,  # what all options share says nothing of any
    }
    booster = boosted(trials.tried, left, trials.share, min(n_trees, config.trees), settings, config)
    forest = whole(booster.dump_model()["tree_info"])
    return forest if forest.roots else None


def expected(trials: Trials, worth: NDArray[Any], config: FitConfig) -> NDArray[Any]:
    """The worth that the position promised, by a model of the other half of the set-ups."""
    position = trials.done[:, _POSITION]
    fold = trials.column("set_up") % _FOLDS
    n_trees = min(600, max(100, len(trials) // 1500))
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
            promised[here] = booster.predict(position[here].astype(np.float32), num_threads=config.threads)
    return promised


def boosted(
    x: NDArray[Any], y: NDArray[Any], share: NDArray[Any], n_trees: int, settings: Mapping[str, Any], config: FitConfig
) -> Any:
    """Trees fitted by least squares; the same on every number of threads."""
    library = lightgbm()
    chance = {"seed": config.seed, "bagging_fraction": 0.7, "bagging_freq": 1}
    # Column by column: each histogram is one thread's, so sums come out the same whatever their number.
    repeatable = {"deterministic": True, "force_col_wise": True, "num_threads": config.threads, "verbosity": -1}
    data = library.Dataset(x.astype(np.float32), y, weight=share)
    return library.train({"objective": "l2", **settings, **chance, **repeatable}, data, n_trees)


def whole(trees: Sequence[Mapping[str, Any]]) -> Forest:
    """Trees of whole numbers from those of LightGBM, whose features are whole; trees that ask nothing are left out."""
    forest = Forest([], [], [], [])
    for tree in trees:
        if "split_feature" in tree["tree_structure"]:
            forest.roots.append(len(forest.feature))
            _add(forest, tree["tree_structure"])
    return forest


def _add(forest: Forest, node: Mapping[str, Any]) -> None:
    """Add a node and what is below it."""
    place = len(forest.feature)
    question = "split_feature" in node
    forest.feature.append(node["split_feature"] if question else LEAF)
    forest.number.append(int(np.floor(node["threshold"])) if question else round(node["leaf_value"] * _MILLI))
    forest.above.append(0)
    if question:
        _add(forest, node["left_child"])
        forest.above[place] = len(forest.feature)
        _add(forest, node["right_child"])


def content_of(forests: Mapping[str, Forest], components: Sequence[str], within: int, most: int) -> dict[str, Any]:
    """Content of lessons (`weighted.lessons.Lessons`).

    Args:
        forests: by subject.
        components: references of components by their numbers.
        within: an option that is worth so much less than the best is not looked at.
        most: so many options are looked at.
    """
    asked = sorted({feature for forest in forests.values() for feature in forest.feature if feature != LEAF})
    place = {LEAF: LEAF, **{feature: k for k, feature in enumerate(asked)}}
    return {
        "components": list(components),
        "features": [NAMES[feature] for feature in asked],
        "within": within,
        "most": most,
        "trees": {subject: _packed(forest, place) for subject, forest in forests.items()},
    }


def _packed(forest: Forest, place: Mapping[int, int]) -> str:
    """The text of a subject, as `weighted.lessons.unpacked` reads it."""
    rows = ([place[feature] for feature in forest.feature], forest.number, forest.above, forest.roots)
    return b85encode(compress("\n".join(" ".join(map(str, row)) for row in rows).encode(), 9)).decode()
