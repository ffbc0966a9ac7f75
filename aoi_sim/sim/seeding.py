"""Seeds: one root seed, one stream of chance for every purpose.

A stream is a whole number of 63 bits that depends on (root seed, block, purpose, seat) and on nothing else: not on the
order in which games are played, nor on the number of workers. The mix is the finaliser of splitmix64 (Steele, Lea and
Flood 2014), applied once for every part of the key:

    x = 0
    for part in (root, block, purpose, seat):
        x = splitmix64(x XOR part modulo 2**64)
    stream = x >> 1

Python's ``hash`` takes no part, so every Python and every machine gives the same streams.
"""

from typing import Final

SETUP: Final = 1
"""Purpose: the draws of the set-up, seed of ``new_game``."""
PLAYER: Final = 2
"""Purpose: the chance of one seat's player."""
DEAL: Final = 3
"""Purpose: boards, factions, round bonus tiles and palaces that the design deals to a block."""
DESIGN: Final = 4
"""Purpose: one balanced part of a design; its number stands in place of the block."""
LINE_UP: Final = 5
"""Purpose: who meets whom in one part of an arena; its number stands in place of the block."""
TRAINING: Final = 6
"""Purpose: root seed of the set-ups that a tuner plays to choose."""
HELD_OUT: Final = 7
"""Purpose: root seed of the set-ups on which a tuner tests what it chose."""
CANDIDATE: Final = 8
"""Purpose: root seed of the set-ups on which a given candidate is tested."""
REPLICATE: Final = 9
"""Purpose: root seed of the players in a further replicate of a block; its number stands in place of the seat."""
IN_PLAY: Final = 10
"""Purpose: which drawn tile of a block gives way to the one whose restriction is studied."""
TRIALS: Final = 11
"""Purpose: root seed of the set-ups on which a player tries options, to learn what they are worth."""
LEARNED: Final = 12
"""Purpose: root seed of the set-ups on which what was learned from so many games, in place of the block, is tested."""

PURPOSE_NAMES: Final = {
    SETUP: "setup",
    PLAYER: "player",
    DEAL: "deal",
    DESIGN: "design",
    LINE_UP: "line_up",
    TRAINING: "training",
    HELD_OUT: "held_out",
    CANDIDATE: "candidate",
    REPLICATE: "replicate",
    IN_PLAY: "in_play",
    TRIALS: "trials",
    LEARNED: "learned",
}

_MASK: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15


def splitmix64(x: int) -> int:
    """The next output of splitmix64 for the state ``x``."""
    x = (x + _GAMMA) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def stream(root: int, block: int, purpose: int, seat: int = 0) -> int:
    """Seed (63 bits) of the stream for a purpose in a block, for a seat where it has one."""
    x = 0
    for part in (root, block, purpose, seat):
        x = splitmix64(x ^ (part & _MASK))
    return x >> 1
