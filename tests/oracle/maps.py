"""The two map sides as printed: rows of letters, bridge places, edge hexes (MAP-1, BR-2)."""

MAPS = {
    "3-5": {
        "rows": [
            "F . L S P W M . L S P D .",
            "M . . F L F D . F M L . S",
            "W L S . M P S . . W . . W",
            "D M W . D W . S . . P M F",
            "P F P D . . . F M L W D P",
            "S . . . L M . D P . S L W",
            "L . P S . F P . . . . . .",
            ". D L . W S D W S L F S .",
            "F M W . D M P L F M W D P",
        ],
        "bridges": (
            "A3-B1 A3-C3 A9-B7 A12-B13 B4-C3 B11-C13 B11-D11 C5-D3 "
            "C7-D8 C10-D8 C10-D11 C10-E10 D5-E4 D5-F5 D6-E8 D6-F6 "
            "E3-G3 E4-F5 E4-G4 E8-F6 F1-G3 F5-G4 F8-G7 F8-H8 "
            "F9-H9 F11-H11 F12-H12 G1-H2 G1-I1 G4-H5 H3-I5 "
        ).split(),
        "edge": (
            "A1 A3 A4 A5 A6 A7 A9 A10 A11 A12 B1 B13 C1 C13 D1 D13 "
            "E1 E13 F1 F13 G1 I1 I2 I3 I5 I6 I7 I8 I9 I10 I11 I12 "
            "I13 "
        ).split(),
    },
    "1-3": {
        "rows": [
            "- F M D P . L F M W .",
            ". S L S W . S P L . F",
            "- . P M F . . D . . D",
            "- . W D . F . . M P S",
            "- - . . . S P L D W M",
            "- . L P . W M . F L D",
            "- - . S M . . . . . .",
            "- . D F W D F L S F .",
            "- . W P M L S P D W M",
        ],
        "bridges": (
            "A7-B5 A10-B11 B9-C11 B9-D9 C5-D6 C8-D6 C8-D9 C8-E8 "
            "D3-F3 D4-E6 D4-F4 E6-F4 F6-G5 F6-H6 F7-H7 F9-H9 "
            "F10-H10 "
        ).split(),
        "edge": ("A2 A3 A4 A5 A7 A8 A9 A10 B11 C11 D11 E11 F11 I3 I4 I5 I6 I7 I8 I9 I10 I11 ").split(),
    },
}
