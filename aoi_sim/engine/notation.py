"""The text form of actions, both ways (docs/notation.md)."""

from aoi_sim.engine import actions as a
from aoi_sim.engine.actions import Action
from aoi_sim.engine.resources import multiset_counts
from aoi_sim.engine.state import State
from aoi_sim.rules import vocabulary as v


class NotationError(ValueError):
    """A line that is no action in the notation: what and in which text, what to do.

    Attributes:
        what: what cannot be read, with the text.
        advice: what to do.
    """

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(f"{what}, {advice}")
        self.what = what
        self.advice = advice


_COMPONENT_KINDS = {
    a.INNOVATE: v.K_INNOVATION,
    a.POWER: v.K_POWER_ACTION,
    a.BOOK: v.K_BOOK_ACTION,
    a.PASS: v.K_BONUS_TILE,
    a.COMPETENCY: v.K_COMPETENCY,
    a.PALACE: v.K_PALACE,
    a.CITY: v.K_CITY_TILE,
    a.BUNDLE: v.K_BOARD,
    a.BONUS: v.K_BONUS_TILE,
}
_BARE = (a.SACRIFICE, a.END, a.DECLINE, a.ACCEPT, a.KEY)
_HEX_ONLY = (a.ANNEX, a.FOUND)
_LONE_PARTS = {v.OP_CITY_TILE: "city", v.OP_PALACE: "palace", v.OP_COMPETENCY: "competency"}


def format_action(state: State, action: Action) -> str:
    """The text of an action."""
    kind, x, y, z = action
    t = state.tables
    names = state.geometry.names
    word = a.KIND_NAMES[kind]
    if kind in _BARE:
        return word
    if kind == a.TRANSFORM:
        return _mode(f"{word} {names[x]}>{t.terrains[y]}", z)
    if kind == a.BUILD:
        return _mode(f"{word} {names[x]}", z)
    if kind == a.PLACE:
        return _mode(f"{word} {names[x]} {v.BUILDING_NAMES[y]}", z)
    if kind == a.UPGRADE:
        return f"{word} {names[x]} {v.BUILDING_NAMES[y]}"
    if kind == a.ADVANCE:
        return f"{word} {a.TRACK_NAMES[x]}"
    if kind == a.SEND:
        return f"{word} {t.disciplines[x]} {y}"
    if kind in (a.RETURN, a.STEP):
        return f"{word} {t.disciplines[x]}"
    if kind in (a.SPECIAL, a.DRAFT):
        return f"{word} {t.components[x].ref}"
    if kind == a.BRIDGE:
        return f"{word} {names[x]}-{names[y]}"
    if kind in _HEX_ONLY:
        return f"{word} {names[x]}"
    if kind == a.CONVERT:
        return f"{word} {t.conversion_keys[x]}"
    if kind in (a.BOOKS, a.PAY):
        books: list[str] = []
        for d, n in enumerate(multiset_counts(x)):
            books += [t.disciplines[d]] * n
        return " ".join([word, *books])
    if kind == a.RESOLVE:
        return f"{word} {part_name(state, x, y)}"
    if kind == a.PASS and x < 0:
        return word
    return f"{word} {t.components[x].key}"


def part_name(state: State, cid: int, op: int) -> str:
    """The words of a part in a pool."""
    if cid < 0:
        return v.OP_WORDS[op]
    return f"{state.tables.components[cid].ref} {v.OP_WORDS[op]}"


def _mode(text: str, mode: int) -> str:
    return f"{text} {a.MODE_NAMES[mode]}" if mode else text


def parse_action(state: State, text: str) -> Action:
    """Read the text of an action; whether it is legal is not looked at.

    Raises:
        NotationError: when the text is no action of the notation.
    """
    words = text.split()
    if not words or words[0] not in a.KIND_NAMES:
        known = ", ".join(sorted(a.KIND_NAMES))
        raise NotationError(f"no action {words[0] if words else text!r} in {text!r}", f"use one of {known}")
    kind = a.KIND_NAMES.index(words[0])
    try:
        return _parse(state, kind, words[1:])
    except (KeyError, ValueError, IndexError) as bad:
        reason = str(bad).strip("'\"") or "word missing"
        raise NotationError(f"cannot read {reason!r} in {text!r}", "write it as in docs/notation.md") from None


def _parse(state: State, kind: int, rest: list[str]) -> Action:
    t = state.tables
    if kind in _BARE:
        _expect(rest, 0)
        return (kind, 0, 0, 0)
    if kind == a.PASS and not rest:
        return (kind, -1, 0, 0)
    if kind in _COMPONENT_KINDS:
        _expect(rest, 1)
        return (kind, t.by_ref[f"{v.KIND_WORDS[_COMPONENT_KINDS[kind]]}/{rest[0]}"], 0, 0)
    if kind in (a.TRANSFORM, a.BUILD, a.PLACE):
        return _parse_with_mode(state, kind, rest)
    if kind in (a.BOOKS, a.PAY):
        code = 0
        for name in rest:
            code += 1 << 4 * t.disciplines.index(name)
        if not rest:
            raise ValueError("")
        return (kind, code, 0, 0)
    if kind == a.RESOLVE:
        return _parse_resolve(state, rest)
    if kind == a.UPGRADE:
        _expect(rest, 2)
        return (kind, state.geometry.index[rest[0]], _building(rest[1]), 0)
    if kind == a.SEND:
        _expect(rest, 2)
        return (kind, t.disciplines.index(rest[0]), int(rest[1]), 0)
    _expect(rest, 1)
    if kind == a.ADVANCE:
        return (kind, a.TRACK_NAMES.index(rest[0]), 0, 0)
    if kind in (a.RETURN, a.STEP):
        return (kind, t.disciplines.index(rest[0]), 0, 0)
    if kind in (a.SPECIAL, a.DRAFT):
        return (kind, t.by_ref[rest[0]], 0, 0)
    if kind == a.BRIDGE:
        p, q = [state.geometry.index[name] for name in rest[0].split("-")]
        return (kind, min(p, q), max(p, q), 0)
    if kind == a.CONVERT:
        return (kind, t.conversion_keys.index(rest[0]), 0, 0)
    return (kind, state.geometry.index[rest[0]], 0, 0)


def _building(name: str) -> int:
    if not name:
        raise ValueError("")
    return v.BUILDING_NAMES.index(name)


def _expect(rest: list[str], n: int) -> None:
    if len(rest) != n:
        raise ValueError(" ".join(rest))


def _parse_with_mode(state: State, kind: int, rest: list[str]) -> Action:
    n = 2 if kind == a.PLACE else 1
    mode = 0
    if len(rest) == n + 1:
        mode = a.MODE_NAMES.index(rest[n])
    elif len(rest) != n:
        raise ValueError(" ".join(rest))
    index = state.geometry.index
    if kind == a.TRANSFORM:
        name, terrain = rest[0].split(">")
        return (kind, index[name], state.tables.terrains.index(terrain), mode)
    if kind == a.PLACE:
        return (kind, index[rest[0]], _building(rest[1]), mode)
    return (kind, index[rest[0]], 0, mode)


def _parse_resolve(state: State, rest: list[str]) -> Action:
    cid = -1
    if len(rest) == 2:
        cid = state.tables.by_ref[rest[0]]
    elif len(rest) != 1:
        raise ValueError(" ".join(rest))
    word = rest[-1]
    if state.stack:
        frame = state.stack[-1]
        for k in range(2, len(frame), 4):
            if len(frame) > k + 3 and frame[k + 3] == cid and v.OP_WORDS[frame[k]] == word:
                return (a.RESOLVE, cid, frame[k], 0)
    if not word or word not in v.OP_WORDS:
        raise ValueError(word)
    return (a.RESOLVE, cid, v.OP_WORDS.index(word), 0)
