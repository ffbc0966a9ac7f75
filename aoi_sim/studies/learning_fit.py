"""What trials teach: gradient-boosted trees (LightGBM) that say how much better an option ends than the position promised.

For each subject first a baseline: the VP that a seat may expect in the position if it does what the player would have done;
fitted on half of the set-ups it is asked about the other half, so that no trial is judged by a model that saw it. What a game
brought beyond it is what the option tried was worth beyond the one that would have been done, with luck. The lessons are
fitted to that as differences: the worth of the one less the worth of the other. So they learn nothing that all options of a
decision share. Options are drawn all alike, so what is learned of one is what it does and not where the player chooses it.

Last comes the screen: trees fitted to the differences that the lessons make, from what is known without trying an option.
"""

from base64 import b85encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import compress

import numpy as np
from numpy.typing import NDArray

from aoi_sim.players.weighted.features import AFTER, BEFORE, CHANGE, N_FEATURES, NAMES, OPTION_AT
from aoi_sim.players.weighted.lessons import rows_of
from aoi_sim.players.weighted.trees import LEAF, MOST, Trees
from aoi_sim.studies.trials import Trials
from aoi_sim.studies.tuning_state import TuningError

FULL: Final = 400_000
"""Trials from which a subject gets all the trees; with fewer it gets a share of them."""
LEAST_TREES: Final = 30
LEAST_TRIALS: Final = 50
_AT_ONCE: Final = 50_000
_MILLI: Final = 1000
_BOTH: Final = 2.0
"""A step changes both options of a pair."""
_FOLDS: Final = 2
_POSITION: Final = [k for k, name in enumerate(NAMES) if not name.startswith("change_")]
"""Features of the baseline; the changes say nothing that before and after do not."""
_UNTRIED: Final = list(range(AFTER))
_ALL: Final = list(range(N_FEATURES))


@dataclass(frozen=True, slots=True)
class FitConfig:
    """How to fit.

    Attributes:
        screen: trees of the screen of a subject with ``FULL`` trials or more. `trees`: new trees of its lessons.
        leaves: most ends of a tree.
        rate: how much of what it finds each tree takes over.
        least: least trials at an end of a tree.
        others: how much a VP of the others, their mean, counts against one of its own.
        seed: of the chance in fitting.
        threads: how many; the trees are the same with any number.
    """

    screen: int = 100
    trees: int = 150
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


def fitted(trials: Trials, config: FitConfig, known: Forest | None = None) -> tuple[Forest | None, Forest | None]:
    """What the trials of a subject teach: the trees that judge, with those known before, and the screen for them.

    Args:
        trials: the trials.
        config: how to fit.
        known: trees of the player that played them; the new ones go on from there.

    Returns:
        Trees, None if the trials are too few or none is better than another; screen, None if trying shows nothing.
    """
    if len(trials) < max(LEAST_TRIALS, 2 * config.least):
        return None, None
    worth = trials.column("vp") - config.others * trials.column("others") / np.maximum(trials.column("players") - 1, 1)
    beyond = worth - expected(trials, worth, config)
    other = (trials.done != trials.tried).any(axis=1)
    pairs = np.concatenate([trials.done[other], trials.tried[other]])
    beyond, share = beyond[other], trials.share[other]
    if len(beyond) < 2 * config.least:
        return None, None
    before = np.zeros(len(pairs)) if known is None else judged(known, pairs)
    trees, said = _lessons(pairs, beyond, share, config.trees, config, _ALL, before, known)
    if trees is None:
        return None, None
    after, n = before + said, len(beyond)
    screen = None
    if (pairs[:, AFTER:CHANGE] != pairs[:, BEFORE:OPTION_AT]).any():
        screen, _ = _lessons(pairs, after[n:] - after[:n], share, config.screen, config, _UNTRIED, np.zeros(len(pairs)))
    return joined(known, trees), screen


def judged(forest: Forest, x: NDArray[np.int16]) -> NDArray[Any]:
    """What trees hold options worth, in VP."""
    trees = Trees(forest.feature, forest.number, forest.above, forest.roots)
    said = np.empty(len(x))
    for k in range(0, len(x), _AT_ONCE):
        said[k : k + _AT_ONCE] = [trees.worth(row) for row in x[k : k + _AT_ONCE].tolist()]
    return said / _MILLI


def joined(first: Forest | None, second: Forest) -> Forest:
    """All trees of two forests."""
    if first is None:
        return second
    n = len(first.feature)
    above = [
        where + n if feature != LEAF else where for feature, where in zip(second.feature, second.above, strict=True)
    ]
    return Forest(
        first.feature + second.feature,
        first.number + second.number,
        first.above + above,
        first.roots + [root + n for root in second.roots],
    )


def _lessons(
    pairs: NDArray[Any],
    beyond: NDArray[Any],
    share: NDArray[Any],
    trees: int,
    config: FitConfig,
    columns: list[int],
    promised: NDArray[Any],
    known: Forest | None = None,
) -> tuple[Forest | None, NDArray[Any]]:
    """Trees whose differences between the two options of each pair come to what the game brought.

    Args:
        pairs: features of the options that would have been done, then those of the options tried.
        beyond: by pair, what the game brought.
        share: by pair, how much it counts.
        trees: how many, with ``FULL`` trials or more.
        config: how to fit.
        columns: features that they may ask for.
        promised: by option, what other trees say already.
        known: trees that they will be joined to.
    """
    library = lightgbm()
    n = len(beyond)
    asked = _asked(known)
    columns = [f for f in columns if asked[f] < MOST - 1]
    x = pairs[:, columns].astype(np.float32)
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
        "max_bin_by_feature": [MOST - asked[f] for f in columns],
    }
    data = library.Dataset(x, np.zeros(2 * n), init_score=promised)
    booster = library.train({**settings, **_repeatable(config)}, data, _number_of(trees, n))
    forest = whole(booster.dump_model()["tree_info"], columns)
    said = booster.predict(x, num_threads=config.threads)
    return forest if forest.roots else None, said


def _asked(forest: Forest | None) -> list[int]:
    """With how many numbers trees compare each feature."""
    asked = [0] * N_FEATURES
    if forest is not None:
        for f, _ in set(zip(forest.feature, forest.number, strict=True)):
            if f != LEAF:
                asked[f] += 1
    return asked


def _number_of(trees: int, n: int) -> int:
    """So many trees for so many trials."""
    return trees if n >= FULL else min(trees, max(LEAST_TREES, trees * n // FULL))


def expected(trials: Trials, worth: NDArray[Any], config: FitConfig) -> NDArray[Any]:
    """The worth that the position promised to what would have been done, by a model of the other half of the set-ups.

    The model is told whether that was what was tried, and asked as if it was: else it would promise what options drawn all
    alike bring, and whatever differs from the best would seem to pay.
    """
    alike = (trials.done == trials.tried).all(axis=1)
    position = np.column_stack([trials.done[:, _POSITION], alike]).astype(np.float32)
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


def whole(trees: Sequence[Mapping[str, Any]], columns: Sequence[int]) -> Forest:
    """Trees of whole numbers from those of LightGBM, whose features are whole; trees that ask nothing are left out.

    Args:
        trees: as LightGBM tells them.
        columns: the features that it knows by number.
    """
    forest = Forest([], [], [], [])
    for tree in trees:
        if "split_feature" in tree["tree_structure"]:
            forest.roots.append(len(forest.feature))
            _add(forest, tree["tree_structure"], columns)
    return forest


def _add(forest: Forest, node: Mapping[str, Any], columns: Sequence[int]) -> None:
    """Add a node and what is below it."""
    place = len(forest.feature)
    question = "split_feature" in node
    forest.feature.append(columns[node["split_feature"]] if question else LEAF)
    forest.number.append(int(np.floor(node["threshold"])) if question else round(node["leaf_value"] * _MILLI))
    forest.above.append(0)
    if question:
        _add(forest, node["left_child"], columns)
        forest.above[place] = len(forest.feature)
        _add(forest, node["right_child"], columns)


def content_of(
    screens: Mapping[str, Forest],
    forests: Mapping[str, Forest],
    components: Sequence[str],
    *,
    within: int,
    most: int,
    tried: int,
    far: int,
) -> dict[str, Any]:
    """Content of lessons (`weighted.lessons.Lessons`).

    Args:
        screens: the trees of the screens, by subject.
        forests: those that ask for everything, by subject.
        components: references of components by their numbers.
        within: an option that is worth so much less than the best is not looked at.
        most: so many options are looked at.
        tried: so many of those that were screened are tried.
        far: an option that the screen holds so much worse than the best is not tried.
    """
    asked = {feature for forest in (*screens.values(), *forests.values()) for feature in forest.feature}
    place = {LEAF: LEAF, **{feature: k for k, feature in enumerate(sorted(asked - {LEAF}))}}
    return {
        "components": list(components),
        "features": [NAMES[feature] for feature in place if feature != LEAF],
        "within": within,
        "most": most,
        "tried": tried,
        "far": far,
        "screens": {subject: _packed(forest, place) for subject, forest in screens.items()},
        "trees": {subject: _packed(forest, place) for subject, forest in forests.items()},
    }


def _packed(forest: Forest, place: Mapping[int, int]) -> str:
    """The text of a subject, as `weighted.lessons.unpacked` reads it."""
    rows = ([place[feature] for feature in forest.feature], forest.number, forest.above, forest.roots)
    return b85encode(compress("\n".join(" ".join(map(str, row)) for row in rows).encode(), 9)).decode()


def forest_of(content: Mapping[str, Any], subject: str, kind: str = "trees") -> Forest | None:
    """The trees of a subject, or its screen (``screens``), in the content of lessons that were checked; None without."""
    text = content.get(kind, {}).get(subject)
    if text is None:
        return None
    feature, number, above, roots = rows_of(text)
    places = [NAMES.index(name) for name in content["features"]]
    return Forest([places[f] if f != LEAF else LEAF for f in feature], number, above, roots)
