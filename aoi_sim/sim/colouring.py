"""Edge colouring of bipartite multigraphs: how a list of pairs becomes games and seats.

König: as many colours as the largest degree are enough, so that no two edges of a colour share an end. Classes of
different size can be evened out along alternating paths (de Werra). Both are used by ``designs``.
"""

from collections.abc import Sequence
from random import Random

Edge = tuple[int, int]


def colour_edges(edges: Sequence[Edge], n_left: int, n_right: int, n_colours: int, random: Random) -> list[int]:
    """Proper colours for the edges of a bipartite multigraph whose degrees are at most ``n_colours``.

    Edges get a colour free at both ends at random; where there is none, an alternating path makes one (König's proof).
    """
    # at[v][c] is the edge of colour c at vertex v, right vertices after left ones; free[v] the colours not there yet.
    at = [[-1] * n_colours for _ in range(n_left + n_right)]
    free = [(1 << n_colours) - 1] * (n_left + n_right)
    ends = [(left, n_left + right) for left, right in edges]
    colours = [-1] * len(edges)
    for edge, (u, v) in enumerate(ends):
        both = free[u] & free[v]
        if not both:
            a = _any_bit(free[u], n_colours, random)
            b = _any_bit(free[v], n_colours, random)
            _flip_path(at, free, ends, colours, v, a, b)
            both = 1 << a
        colour = _any_bit(both, n_colours, random)
        colours[edge] = colour
        at[u][colour] = at[v][colour] = edge
        free[u] &= ~(1 << colour)
        free[v] &= ~(1 << colour)
    return colours


def _any_bit(mask: int, width: int, random: Random) -> int:
    """A set bit of the mask, found upwards from a random place."""
    start = random.randrange(width)
    upper = mask >> start
    if upper:
        return start + (upper & -upper).bit_length() - 1
    return (mask & -mask).bit_length() - 1


def _flip_path(
    at: list[list[int]], free: list[int], ends: list[Edge], colours: list[int], start: int, a: int, b: int
) -> None:
    """Exchange colours ``a`` and ``b`` on the path that leaves ``start`` by an edge of colour ``a``."""
    path = []
    vertex, colour = start, a
    while (edge := at[vertex][colour]) >= 0:
        path.append(edge)
        u, v = ends[edge]
        vertex = v if vertex == u else u
        colour = b if colour == a else a
    for edge in path:
        for vertex in ends[edge]:
            at[vertex][a] = at[vertex][b] = -1
    for edge in path:
        colours[edge] = a if colours[edge] == b else b
        for vertex in ends[edge]:
            at[vertex][colours[edge]] = edge
    for edge in path:
        for vertex in ends[edge]:
            for colour in (a, b):
                bit = 1 << colour
                free[vertex] = free[vertex] | bit if at[vertex][colour] < 0 else free[vertex] & ~bit


def even_out(edges: Sequence[Edge], colours: list[int], n_colours: int, size: int) -> None:
    """Recolour along alternating paths until every colour has ``size`` edges; the colouring stays proper."""
    classes: list[set[int]] = [set() for _ in range(n_colours)]
    for edge, colour in enumerate(colours):
        classes[colour].add(edge)
    small = [c for c in range(n_colours) if len(classes[c]) < size]
    for a in range(n_colours):
        while len(classes[a]) > size:
            b = small[-1]
            path = _longer_path(edges, classes[a], classes[b])
            classes[a] ^= path
            classes[b] ^= path
            if len(classes[b]) == size:
                small.pop()
    for colour, members in enumerate(classes):
        for edge in members:
            colours[edge] = colour


def _longer_path(edges: Sequence[Edge], more: set[int], fewer: set[int]) -> set[int]:
    """A path of the two classes that has one edge more of the larger class."""
    at_more: dict[tuple[int, int], int] = {}
    at_fewer: dict[tuple[int, int], int] = {}
    for members, at in ((more, at_more), (fewer, at_fewer)):
        for edge in sorted(members):
            at[0, edges[edge][0]] = at[1, edges[edge][1]] = edge
    for start in at_more:
        if start in at_fewer:
            continue
        path: set[int] = set()
        vertex, here, there = start, at_more, at_fewer
        while vertex in here:
            edge = here[vertex]
            path.add(edge)
            vertex = (1 - vertex[0], edges[edge][1 - vertex[0]])
            here, there = there, here
        if len(path) % 2:
            return path
    raise AssertionError("the larger class has no longer path")
