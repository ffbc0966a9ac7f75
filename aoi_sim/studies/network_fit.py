"""Fitting networks (`players.weighted.networks`) to differences between two options: minibatches, Adam (Kingma and Ba 2015).

The worth that a network gives an option means nothing by itself; only differences between options of one decision are fitted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from aoi_sim.players.weighted.features import ADDED_AT, N_FEATURES, NAMES, OPTION_AT
from aoi_sim.players.weighted.lessons import packed, rows_of
from aoi_sim.players.weighted.networks import HALF, SHIFT, Network

CATEGORIES: Final = frozenset(
    NAMES.index(name)
    for name in (
        *("players", "round", "faction", "board", "palace_tile", "bonus_tile", "round_tile", "next_round_tile"),
        *("final_tile", "action", "deed", "manner"),
    )
)
"""Features whose values have nothing to do with one another."""
_FINE: Final = frozenset(NAMES.index(name) for name in ("gap", "alone"))
_STEPS: Final = 10
_FINE_STEPS: Final = 120
_CATEGORY_STEPS: Final = 250
_MILLI: Final = 1000
_BATCH: Final = 2048
_WARM: Final = 100
LEAST_STEPS: Final = 1500
"""Few pairs are looked at more often than is asked for, until there are so many steps: with fewer, little is learned."""
_OUT: Final = 0.3
"""What a unit adds at first, or takes off, if it is known; its weights make up for it."""
_SHARPEST: Final = 1000
"""The largest weight of a unit, as a whole number."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a network is built and fitted.

    Attributes:
        units: of the hidden layer.
        epochs: how often each pair is looked at, if that makes ``LEAST_STEPS``.
        rate: of the steps at first; it falls to none.
        seed: of the chance in fitting.
    """

    units: int = 64
    epochs: int = 8
    rate: float = 0.003
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Coding:
    """How features are told to a network.

    Attributes:
        asked: features, in order.
        steps: by feature, its steps.
        owner: by input, place of its feature. `code`: an input is 1 from this code on, or for this code if a category.
        category: by input, whether its feature is one.
    """

    asked: list[int]
    steps: list[list[int]]
    owner: NDArray[np.intp]
    code: NDArray[np.uint8]
    category: NDArray[np.bool_]

    @classmethod
    def of(cls, x: NDArray[np.int16], known: "Parts | None" = None) -> "Coding":
        """The coding of the features that differ in the data.

        Args:
            x: the data, options by features.
            known: a network whose features and steps are kept; categories get those of the data beside them.
        """
        kept = {} if known is None else dict(zip(known.asked, known.steps, strict=True))
        asked: list[int] = []
        steps: list[list[int]] = []
        owner: list[int] = []
        code: list[int] = []
        for f in range(N_FEATURES):
            row = _steps_with(kept.get(f), x[:, f], f)
            if row:
                category = f in CATEGORIES
                codes = range(len(row) + 1) if category else range(1, len(row) + 1)
                owner += [len(asked)] * len(codes)
                code += codes
                asked.append(f)
                steps.append(row)
        category_of = np.array([asked[k] in CATEGORIES for k in owner], dtype=np.bool_)
        return cls(asked, steps, np.array(owner, np.intp), np.array(code, np.uint8), category_of)

    def codes(self, x: NDArray[np.int16]) -> NDArray[np.uint8]:
        """The codes of the features asked for, options by features."""
        columns = [np.searchsorted(row, x[:, f], "left") for f, row in zip(self.asked, self.steps, strict=True)]
        return np.stack(columns, axis=1).astype(np.uint8)

    def inputs(self, codes: NDArray[np.uint8], where: slice) -> NDArray[np.float32]:
        """Some of the inputs, 0 or 1, options by inputs."""
        found, code, category = codes[:, self.owner[where]], self.code[where], self.category[where]
        on: NDArray[np.float32] = np.where(category, found == code, found >= code).astype(np.float32)
        return on

    @property
    def shared(self) -> int:
        """So many inputs come first that all options of a decision share."""
        return int(np.searchsorted(np.array(self.asked)[self.owner], OPTION_AT, "left"))


def _steps_with(kept: list[int] | None, values: NDArray[np.int16], f: int) -> list[int]:
    """The steps of a feature, given those that are kept: a category gets those of the data beside them, if there is room."""
    if kept is not None and f not in CATEGORIES:
        return kept
    steps = _steps_of(values, f)
    if kept is None:
        return steps
    both = sorted({*kept, *steps})
    return both if len(both) <= _CATEGORY_STEPS else kept


def _steps_of(values: NDArray[np.int16], f: int) -> list[int]:
    """The steps of a feature: between all values if they are few or a category, else at even shares of the data."""
    there = np.unique(values)
    if len(there) < 2:
        return []
    most = _CATEGORY_STEPS if f in CATEGORIES else _FINE_STEPS if f in _FINE else _STEPS
    if len(there) <= most + 1:
        return [int(x) for x in there[:-1]]
    moving = values[values != 0] if f >= ADDED_AT else values
    steps = np.unique(np.quantile(moving, np.linspace(0, 1, most + 1)[:-1], method="lower"))
    # What does not change has a code of its own.
    own = [-1, 0] if f >= ADDED_AT else []
    return sorted({int(x) for x in steps if x < there[-1]} | {x for x in own if there[0] <= x < there[-1]})


class _Fit:
    """The weights on their way: hidden layer, its bias, what its units add; the first unit is not rectified."""

    def __init__(self, coding: Coding, shape: Shape) -> None:
        self.coding, self.shape = coding, shape
        self.chance = np.random.default_rng(shape.seed)
        n, units = len(coding.owner), shape.units
        self.hidden = self.chance.normal(0, 0.13, (n, units)).astype(np.float32)
        self.hidden[:, 0] = 0
        self.bias = np.zeros(units, np.float32)
        self.out = self.chance.normal(0, units**-0.5, units).astype(np.float32)
        self.out[0] = 1
        self._first = [np.zeros_like(w) for w in self._weights()]
        self._second = [np.zeros_like(w) for w in self._weights()]

    def go_on(self, known: "Parts") -> None:
        """Begin with what a network says, whose features and steps are coded; units that it has not add nothing at first."""
        coding, n = self.coding, len(known.begin)
        adds = np.array(known.adds) / (_MILLI * 2**SHIFT)
        scale = np.where(adds == 0, 1 / _SHARPEST, np.abs(adds) / _OUT)
        scale[0] = adds[0]
        begin = (np.array(known.begin) - HALF) * scale
        for k, (f, row) in enumerate(zip(coding.asked, coding.steps, strict=True)):
            inputs = coding.owner == k
            self.hidden[inputs, :n] = 0
            if f in known.asked:
                place = known.asked.index(f)
                first = [*row, row[-1] + 1]
                table = np.array(known.weights[place])[np.searchsorted(known.steps[place], first, "left")] * scale
                if f in CATEGORIES:
                    self.hidden[inputs, :n] = table
                else:
                    begin += table[0]
                    self.hidden[inputs, :n] = np.diff(table, axis=0)
        self.bias[:n] = begin
        self.out[:n] = np.sign(adds) * _OUT
        self.out[n:] = 0
        self.out[0] = 1

    def _weights(self) -> list[NDArray[np.float32]]:
        return [self.hidden, self.bias, self.out]

    def run(self, done: NDArray[np.uint8], tried: NDArray[np.uint8], beyond: NDArray[Any], share: NDArray[Any]) -> None:
        """Fit tried less done to ``beyond``, by pair."""
        n = len(beyond)
        batches = max(1, n // _BATCH)
        epochs = max(self.shape.epochs, -(-LEAST_STEPS // batches))
        total = epochs * batches
        step = 0
        for _ in range(epochs):
            order = self.chance.permutation(n)
            for k in range(batches):
                rows = np.sort(order[k * _BATCH : (k + 1) * _BATCH])
                step += 1
                rate = self.shape.rate * min(1.0, step / _WARM) * (1 - (step - 1) / total)
                self._step(self._slopes(done[rows], tried[rows], beyond[rows], share[rows]), rate, step)

    def _slopes(
        self, done: NDArray[np.uint8], tried: NDArray[np.uint8], beyond: NDArray[Any], share: NDArray[Any]
    ) -> list[NDArray[np.float32]]:
        cut = self.coding.shared
        shared = self.coding.inputs(done, slice(0, cut))
        both = [self.coding.inputs(codes, slice(cut, None)) for codes in (done, tried)]
        base = shared @ self.hidden[:cut] + self.bias
        active = [_rectified(base + x @ self.hidden[cut:]) for x in both]
        miss = ((active[1] - active[0]) @ self.out - beyond) * share / len(beyond)
        miss = miss.astype(np.float32)
        out = (active[1] - active[0]).T @ miss
        back = []
        for sign, units in ((-1, active[0]), (1, active[1])):
            on = units > 0
            on[:, 0] = True
            back.append(on * (sign * miss)[:, None] * self.out)
        hidden = np.concatenate([shared.T @ (back[0] + back[1]), both[0].T @ back[0] + both[1].T @ back[1]])
        return [hidden, back[0].sum(0) + back[1].sum(0), out]

    def _step(self, slopes: list[NDArray[np.float32]], rate: float, step: int) -> None:
        for w, first, second, slope in zip(self._weights(), self._first, self._second, slopes, strict=True):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            w -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)

    def whole(self, usual: Sequence[int]) -> "Parts":
        """The network in whole numbers.

        Args:
            usual: by feature, the code of most options; its weights are added to what the units begin with, and are 0.
        """
        coding = self.coding
        weights: list[NDArray[np.float64]] = []
        begin = self.bias.astype(np.float64)
        for k, f in enumerate(coding.asked):
            mine = self.hidden[coding.owner == k].astype(np.float64)
            table = mine if f in CATEGORIES else np.concatenate([np.zeros((1, mine.shape[1])), mine.cumsum(0)])
            begin += table[usual[k]]
            weights.append(table - table[usual[k]])
        highest = begin + np.sum([table.max(0) for table in weights], axis=0)
        lowest = begin + np.sum([table.min(0) for table in weights], axis=0)
        # The first unit is not rectified: all its sums lie above.
        begin[0], highest[0], lowest[0] = begin[0] - lowest[0], highest[0] - lowest[0], 0
        furthest = np.maximum(np.maximum(highest, -lowest), 1e-9)
        scale = (HALF - 2 * len(weights)) / furthest
        largest = np.max([np.abs(table).max(0) for table in weights], axis=0)
        scale = np.minimum(scale, _SHARPEST / np.maximum(largest, 1e-9))
        rows = [np.rint(table * scale).astype(np.int64).tolist() for table in weights]
        first = (np.rint(begin * scale).astype(np.int64) + HALF).tolist()
        first[0] += len(weights)
        adds = np.rint(self.out / scale * _MILLI * 2**SHIFT).astype(np.int64).tolist()
        return Parts(coding.asked, coding.steps, rows, first, adds)


def _rectified(units: NDArray[np.float32]) -> NDArray[np.float32]:
    """Units as they count: not below 0, but for the first."""
    np.maximum(units[:, 1:], 0, out=units[:, 1:])
    return units


@dataclass(frozen=True, slots=True)
class Parts:
    """What a network is made of (`Network`)."""

    asked: list[int]
    steps: list[list[int]]
    weights: list[list[list[int]]]
    begin: list[int]
    adds: list[int]

    def network(self) -> Network:
        """The network."""
        return Network(self.asked, self.steps, self.weights, self.begin, self.adds)

    def judged(self, x: NDArray[np.int16]) -> NDArray[np.float64]:
        """What it holds options worth, in VP, as `Network.worth` does."""
        said = np.empty(len(x))
        for begin in range(0, len(x), 20_000):
            part = x[begin : begin + 20_000]
            sums = np.tile(np.array(self.begin, np.int64), (len(part), 1))
            for f, row, table in zip(self.asked, self.steps, self.weights, strict=True):
                sums += np.array(table)[np.searchsorted(row, part[:, f], "left")]
            above = np.maximum(sums - HALF, 0)
            said[begin : begin + len(part)] = (above @ np.array(self.adds) >> SHIFT) / _MILLI
        return said


def fitted_network(
    done: NDArray[np.int16],
    tried: NDArray[np.int16],
    beyond: NDArray[Any],
    share: NDArray[Any],
    shape: Shape,
    known: Parts | None = None,
) -> Parts:
    """A network whose differences between the two options of each pair come to what is given.

    Args:
        done: features of the first options, pairs by features.
        tried: of the second.
        beyond: by pair, how much more the second is worth, in VP.
        share: by pair, how much it counts.
        shape: how it is built and fitted.
        known: a network to begin with, unless it has more units than are asked for.
    """
    if known is not None and len(known.begin) > shape.units:
        known = None
    coding = Coding.of(np.concatenate([done, tried]), known)
    fit = _Fit(coding, shape)
    if known is not None:
        fit.go_on(known)
    codes = coding.codes(done), coding.codes(tried)
    fit.run(*codes, beyond, share)
    seen = np.concatenate(codes)
    return fit.whole([int(np.bincount(column).argmax()) for column in seen.T])


def parts_of(content: Mapping[str, Any], subject: str) -> Parts | None:
    """The network of a subject in the content of lessons that were checked; None without."""
    text = content.get("networks", {}).get(subject)
    return None if text is None else Parts(*rows_of(text, content["features"]))


def content_of(networks: Mapping[str, Parts], components: Sequence[str], *, within: int, most: int) -> dict[str, Any]:
    """Content of lessons (`weighted.lessons.Lessons`).

    Args:
        networks: by subject.
        components: references of components by their numbers.
        within: an option that is worth so much less than the best is not looked at.
        most: so many options are looked at.
    """
    asked = sorted({f for parts in networks.values() for f in parts.asked})
    return {
        "components": list(components),
        "features": [NAMES[f] for f in asked],
        "within": within,
        "most": most,
        "networks": {subject: packed(_rows(parts, asked)) for subject, parts in networks.items()},
    }


def _rows(parts: Parts, asked: Sequence[int]) -> list[list[int]]:
    """The rows of a packed network."""
    return [
        [asked.index(f) for f in parts.asked],
        [len(row) for row in parts.steps],
        [step for row in parts.steps for step in row],
        *(parts.begin, parts.adds),
        *[row for rows in parts.weights for row in rows],
    ]
