"""Kinds of action. An action is (kind, a, b, c); docs/notation.md gives each its text form."""

from typing import Final

Action = tuple[int, int, int, int]

TRANSFORM: Final = 0  # hex, terrain, mode
BUILD: Final = 1  # hex, 0, mode
UPGRADE: Final = 2  # hex, building kind
ADVANCE: Final = 3  # track
INNOVATE: Final = 4  # component
SEND: Final = 5  # discipline, value of the place
RETURN: Final = 6  # discipline
POWER: Final = 7  # component
BOOK: Final = 8  # component
SPECIAL: Final = 9  # component
BRIDGE: Final = 10  # hex, hex
ANNEX: Final = 11  # hex
FOUND: Final = 12  # hex
PASS: Final = 13  # component of the bonus tile taken, -1 in the last round
CONVERT: Final = 14  # index of the conversion
SACRIFICE: Final = 15
END: Final = 16
DECLINE: Final = 17
BOOKS: Final = 18  # multiset of books, four bits a discipline
PAY: Final = 19  # multiset of books
STEP: Final = 20  # discipline
PLACE: Final = 21  # hex, building kind, mode
COMPETENCY: Final = 22  # component
PALACE: Final = 23  # component
CITY: Final = 24  # component
RESOLVE: Final = 25  # component or -1, op
BUNDLE: Final = 26  # component of the board
DRAFT: Final = 27  # component
BONUS: Final = 28  # component
ACCEPT: Final = 29
KEY: Final = 30
N_KINDS: Final = 31

KIND_NAMES: Final = (
    "transform",
    "build",
    "upgrade",
    "advance",
    "innovate",
    "send",
    "return",
    "power",
    "book",
    "special",
    "bridge",
    "annex",
    "found",
    "pass",
    "convert",
    "sacrifice",
    "end",
    "decline",
    "books",
    "pay",
    "step",
    "place",
    "competency",
    "palace",
    "city",
    "resolve",
    "bundle",
    "draft",
    "bonus",
    "accept",
    "key",
)

# Modes of TRANSFORM, BUILD and PLACE.
PLAIN: Final = 0
TUNNEL: Final = 1
FLIGHT: Final = 2
MODE_NAMES: Final = ("", "tunnel", "flight")

# Tracks of ADVANCE.
SAILING: Final = 0
TERRAFORMING: Final = 1
TRACK_NAMES: Final = ("sailing", "terraforming")


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the state is as it was.

    Attributes:
        rule: id of the rule that forbids it (docs/rules.md).
        action: text form of the action, or its tuple.
    """

    def __init__(self, action: str, rule: str, reason: str) -> None:
        super().__init__(f"illegal action, {action}, {reason} ({rule})")
        self.action = action
        self.rule = rule
        self.reason = reason
