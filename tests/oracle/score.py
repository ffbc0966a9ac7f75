"""Final scoring (FIN-1..FIN-5) from the map, the tracks and what is held."""

from .board import buildings, groups, palace_active, reach_from, skip_targets
from .common import option
from .facts import AREA_VP, COINS_PER_VP, DISCIPLINES, SCIENCE_VP


def ranked(values, prizes):
    """FIN-3: the prize of each entry; the tied share the places they fill, rounded down each."""
    result = []
    for value in values:
        better = sum(1 for other in values if other > value)
        tied = sum(1 for other in values if other == value)
        result.append(sum(prizes[better : better + tied]) // tied)
    return result


def largest_area(d, seat):
    """FIN-1: buildings joined where in reach of each other: the sailing track (REACH-2 never), one hex between for
    the Moles (MOLE-1), one or two for palace 9 (FLY-1)."""
    me = d["seats"][seat]
    skip = 0
    if me["faction"] == "moles":
        skip = 1
    if palace_active(d, seat, 9):
        skip = 2
    near = {}
    for name in buildings(d, seat):
        near[name] = reach_from(d, {name}, me["sailing"])
        if skip:
            near[name] |= skip_targets(d, {name}, skip)
    return max((len(g) for g in groups(d, seat, lambda a, b: b in near[a] or a in near[b])), default=0)


def area_scores(d):
    sizes = [largest_area(d, seat) for seat in range(len(d["seats"]))]
    entries = list(sizes)
    if d.get("area_tile") is not None:  # SET-17: the rival is ranked like a player
        entries.append(int(d["area_tile"]))
    return ranked(entries, AREA_VP)[: len(sizes)]


def science_scores(d):
    """FIN-2: level 0 is never ranked; the rival by its markers."""
    n = len(d["seats"])
    total = [0] * n
    for x in DISCIPLINES:
        levels = [me["science"][x] for me in d["seats"]]
        if d.get("rival"):
            levels.append(d["rival"][x])
        at_work = [i for i, level in enumerate(levels) if level > 0]
        for i, vp in zip(at_work, ranked([levels[i] for i in at_work], SCIENCE_VP), strict=True):
            if i < n:
                total[i] += vp
    return total


def resource_score(d, seat):
    """FIN-4."""
    me = d["seats"][seat]
    coins = me["coins"] + me["tools"] + me["scholars"] + sum(me["books"].values()) + me["bowls"][2]
    if option(d, "burn_in_final_scoring"):
        coins += me["bowls"][1] // 2
    return coins // COINS_PER_VP


def final_scores(d):
    """VP of area, science and resources of each seat."""
    area, science = area_scores(d), science_scores(d)
    return [
        {"area": area[seat], "science": science[seat], "resources": resource_score(d, seat)}
        for seat in range(len(d["seats"]))
    ]


def winners(totals):
    """FIN-5: seats with the most VP."""
    return [seat for seat, vp in enumerate(totals) if vp == max(totals)]
