"""The oracle's legal actions against examples worked by hand from the specification."""

from . import board, common, facts, legal
from .example import two
from .legal import legal_texts

P35 = board.PRINTED["3-5"]
PASSES = {"pass power", "pass coins", "pass school"}


def only(texts, *words):
    return {t for t in texts if t.split()[0] in words}


# --- turns -----------------------------------------------------------------------------------------------------


def test_destitute():
    d = two({"buildings": {"A3": "workshop"}})
    assert legal_texts(d) == PASSES
    d["round"] = 6
    assert legal_texts(d) == {"pass"}
    d["stage"] = "after"
    assert legal_texts(d) == {"end"}


def test_conversions():
    """CONV-1, POW-3."""
    d = two({"bowls": [0, 2, 5], "tools": 1, "scholar_supply": 0}, stage="after")
    d["seats"][0]["books"]["law"] = 1
    books = {f"convert 5power>{x}-book" for x in facts.DISCIPLINES}
    assert legal_texts(d) == books | {
        "convert 3power>tool",
        "convert 1power>coin",
        "convert 1tool>coin",
        "convert 1law-book>coin",
        "sacrifice",
        "end",
    }
    d["options"]["book_supply"] = "limited"
    d["book_supply"] = {"banking": 0, "law": 1, "engineering": 0, "medicine": 0}
    assert "convert 5power>law-book" in legal_texts(d)
    assert "convert 5power>banking-book" not in legal_texts(d)


def test_transform_and_build():
    """A6 (wasteland) of a desert player: A5 plains 1, A7 mountain 2, B5 lake 3, B6 forest 3 steps."""
    d = two({"buildings": {"A6": "workshop"}, "tools": 6, "coins": 2})
    steps = {
        "transform A5>desert",
        "transform A7>wasteland",
        "transform A7>desert",
        "transform B5>swamp",
        "transform B5>plains",
        "transform B6>mountain",
        "transform B6>wasteland",
    }
    assert only(legal_texts(d), "transform", "build") == steps
    d["terrain"]["A5"] = "desert"
    expected = steps - {"transform A5>desert"} | {"build A5"}
    assert only(legal_texts(d), "transform", "build") == expected
    d["seats"][0]["coins"] = 1
    assert not only(legal_texts(d), "build")


def test_tunnel_costs_a_tool():
    d = two({"buildings": {"A3": "workshop"}, "tools": 4, "faction": "moles"})
    assert only(legal_texts(d), "transform") == {  # A4 swamp: one of two steps; A5 plains: one step and the tunnel
        "transform A4>plains",
        "transform A5>desert tunnel",
        "transform A1>mountain tunnel",
        "transform B1>wasteland tunnel",
        "transform B4>mountain tunnel",
        "transform C2>swamp tunnel",
        "transform C3>plains tunnel",
    }
    d["seats"][0]["tools"] = 3
    assert only(legal_texts(d), "transform") == {"transform A4>plains"}


def test_free_spades():
    """TB-4, docs/notation.md: A6 as above, two free spades, no tools."""
    frame = {
        "kind": "spades",
        "seat": 0,
        "free": 2,
        "used": 0,
        "first": None,
        "special": False,
        "rule": "normal",
        "may_decline": False,
        "source": "power/two-spades",
    }
    d = two({"buildings": {"A6": "workshop"}}, pending=[frame])
    two_steps = {
        "transform A5>desert",
        "transform A7>wasteland",
        "transform A7>desert",
        "transform B5>swamp",
        "transform B5>plains",
        "transform B6>mountain",
        "transform B6>wasteland",
    }
    assert legal_texts(d) == two_steps
    d["seats"][0]["tools"] = 3
    assert legal_texts(d) == two_steps | {"transform B5>desert", "transform B6>desert"}
    # A5 has become home with the first of the two spades
    d["terrain"]["A5"] = "desert"
    d["seats"][0]["coins"] = 2
    frame |= {"free": 1, "used": 1, "first": "A5", "may_decline": True}
    assert legal_texts(d) == {
        "transform A7>wasteland",
        "transform B5>swamp",
        "transform B6>mountain",
        "build A5",
        "decline",
    }
    # TB-5: B5 may not take the workshop instead, but the Lizards' may stand on any home hex
    d["terrain"]["B5"] = "desert"
    assert "build B5" not in legal_texts(d)
    frame["rule"] = "free_workshop"
    d["seats"][0]["coins"] = 0
    assert {"build A5", "build B5"} <= legal_texts(d)


def test_bought_short_of_home():
    """Option bought_must_reach_home."""
    d = two({"buildings": {"A6": "workshop"}, "tools": 3})
    assert "transform B5>plains" not in common.spades_answers(d, 0, 1, 0, None, False, "normal")
    d["options"]["bought_must_reach_home"] = False
    assert "transform B5>plains" in common.spades_answers(d, 0, 1, 0, None, False, "normal")


def test_single_spades():
    """SET-15, END-1."""
    d = two({"buildings": {"A6": "workshop"}, "tools": 9, "coins": 9}, phase="bonus", stage="")
    d["pending"] = [
        {
            "kind": "spades",
            "seat": 0,
            "free": 2,
            "used": 0,
            "first": None,
            "special": False,
            "rule": "single",
            "may_decline": True,
        }
    ]
    one = {"transform A5>desert", "transform A7>wasteland", "transform B5>swamp", "transform B6>mountain"}
    assert legal_texts(d) == one | {"decline"}
    d["phase"] = "start_spades"
    d["options"]["setup_spades_buy"] = True
    assert legal_texts(d) == one | {"decline", "transform B5>desert", "transform B6>desert"}


def test_upgrades():
    """UP-1, UP-2."""
    mine = {"A3": "workshop", "A5": {"kind": "workshop", "neutral": True}, "C3": "guild", "B1": "school"}
    d = two({"buildings": mine, "tools": 2, "coins": 6})
    assert only(legal_texts(d), "upgrade") == {"upgrade A3 guild"}
    d["seats"][0]["coins"] = 3
    assert not only(legal_texts(d), "upgrade")
    d["seats"][1]["buildings"] = {"A4": {"kind": "tower", "neutral": True}}
    assert only(legal_texts(d), "upgrade") == {"upgrade A3 guild"}
    d["seats"][0] |= {"tools": 5, "coins": 8}
    assert only(legal_texts(d), "upgrade") == {
        "upgrade A3 guild",
        "upgrade C3 palace",
        "upgrade C3 school",
        "upgrade B1 university",
    }
    d["seats"][0]["buildings"]["D2"] = "university"
    assert "upgrade B1 university" not in legal_texts(d)


def test_tracks():
    """TR-1, TR-2."""
    d = two({"scholars": 1, "scholar_supply": 6, "coins": 4, "tools": 1})
    assert only(legal_texts(d), "advance") == {"advance sailing"}
    d["seats"][0]["board"] = "plains"
    assert only(legal_texts(d), "advance") == {"advance sailing", "advance terraforming"}
    d["seats"][0] |= {"sailing": 3, "terraforming": 2}
    assert not only(legal_texts(d), "advance")


def test_innovations():
    """INN-1, INN-2: columns banking, law, engineering, medicine, banking+law, engineering+medicine."""
    d = two({"coins": 5})
    d["seats"][0]["books"] |= {"banking": 2, "law": 2, "medicine": 1}
    keys = [t["key"] for t in d["innovations"]]
    expected = {f"innovate {keys[i]}" for i in (0, 1, 4)}
    assert only(legal_texts(d), "innovate") == expected
    d["seats"][0]["coins"] = 4
    assert not only(legal_texts(d), "innovate")
    d["seats"][0]["buildings"] = {"A12": {"kind": "palace", "neutral": True}}
    assert not only(legal_texts(d), "innovate")
    d["options"]["neutral_palace_waives_surcharge"] = True
    assert only(legal_texts(d), "innovate") == expected
    d["seats"][0]["innovations"] = ["steel"]
    assert not only(legal_texts(d), "innovate")  # six books
    d["seats"][0]["board"] = "wasteland"
    assert only(legal_texts(d), "innovate") == expected


def test_pay():
    d = two({}, pending=[{"kind": "pay", "seat": 0, "n": 2, "source": "book/coins"}])
    d["seats"][0]["books"] |= {"banking": 1, "law": 2}
    assert legal_texts(d) == {"pay banking law", "pay law law"}


def test_books():
    """BOOK-1, PAL/15."""
    frame = {"kind": "books", "seat": 0, "n": 2, "distinct": False, "source": "palace/10"}
    d = two({}, pending=[frame])
    assert len(legal_texts(d)) == 10
    frame["distinct"] = True
    assert len(legal_texts(d)) == 6
    d["options"]["book_supply"] = "limited"
    d["book_supply"] = {"banking": 2, "law": 1, "engineering": 0, "medicine": 0}
    assert legal_texts(d) == {"books banking law"}
    frame["distinct"] = False
    assert legal_texts(d) == {"books banking banking", "books banking law"}
    d["book_supply"] = {"banking": 0, "law": 1, "engineering": 0, "medicine": 0}
    assert legal_texts(d) == {"books law"}


def test_steps():
    """SCI-2, SCI-3."""
    d = two({}, {}, pending=[{"kind": "steps", "seat": 0, "n": 1, "split": False, "source": "bonus/science"}])
    d["seats"][0]["science"] = {"banking": 7, "law": 11, "engineering": 11, "medicine": 12}
    d["seats"][1]["science"]["law"] = 12
    assert legal_texts(d) == {"step engineering"}
    d["seats"][0]["keys"] = 1
    assert legal_texts(d) == {"step banking", "step engineering"}


def test_scholars():
    """SCH-1, SCH-2."""
    d = two({"scholars": 1, "scholar_supply": 6})
    for x in facts.DISCIPLINES:
        d["scholar_places"][x][1]["seat"] = "rival"
        d["scholar_places"][x][0]["seat"] = 1
    d["scholar_places"]["law"][2]["seat"] = d["scholar_places"]["law"][3]["seat"] = 1
    assert only(legal_texts(d), "send", "return") == {
        "send banking 2",
        "send engineering 2",
        "send medicine 2",
        "return banking",
        "return law",
        "return engineering",
        "return medicine",
    }


def test_power_actions_need_an_effect():
    """ACT-2, PA-1."""
    mine = {"bowls": [0, 0, 6], "scholar_supply": 0, "buildings": {"A6": "workshop"}}
    d = two(mine)
    assert only(legal_texts(d), "power") == {"power tools", "power coins", "power spade", "power two-spades"}
    d["seats"][0]["buildings"] = {"A3": "workshop"}
    d["seats"][0]["scholar_supply"] = 1
    assert {"power bridge", "power scholar"} <= legal_texts(d)
    d["used_power_actions"] = ["bridge", "spade"]
    d["seats"][0] |= {"bowls": [0, 0, 3], "faction": "illusionists"}
    assert only(legal_texts(d), "power") == {"power scholar", "power tools", "power coins"}


def test_book_actions_need_an_effect():
    d = two({"bowls": [0, 0, 0], "buildings": {"A3": "school"}}, book_actions=list(facts.BOOK_ACTIONS))
    d["seats"][0]["books"]["law"] = 3
    assert only(legal_texts(d), "book") == {"book science", "book coins", "book three-spades"}
    d["seats"][0]["buildings"] = {"A3": "workshop", "B4": {"kind": "guild", "neutral": True}}
    d["seats"][0]["bowls"] = [0, 1, 0]
    assert only(legal_texts(d), "book") == {f"book {key}" for key in facts.BOOK_ACTIONS}
    d["seats"][0]["books"]["law"] = 1
    assert only(legal_texts(d), "book") == {"book power", "book science"}


def test_special_actions():
    """SP-1."""
    mine = {
        "faction": "psychics",
        "bonus": "bridge",
        "palace": "4",
        "palace_built": True,
        "competencies": ["7"],
        "innovations": ["professor", "deus-ex-machina"],
        "buildings": {"A3": "palace", "B4": "workshop"},
        "used": ["innovation/professor"],
    }
    d = two(mine)
    assert only(legal_texts(d), "special") == {
        "special faction/psychics",
        "special bonus/bridge",
        "special palace/4",
        "special competency/7",
        "special innovation/deus-ex-machina",
    }


def test_bridges():
    """BR-1, BR-2: from A3 the printed places lead to B1 and C3; the Moles' lines also to B4 ... over land."""
    d = two(
        {"buildings": {"A3": "workshop"}},
        pending=[{"kind": "bridge", "seat": 0, "n": 1, "source": "power/bridge"}],
    )
    assert legal_texts(d) == {"bridge A3-B1", "bridge A3-C3", "decline"}
    d["bridges"] = [["A3", "B1", 1]]
    assert legal_texts(d) == {"bridge A3-C3", "decline"}
    d["pending"] = []
    d["seats"][0] |= {"faction": "moles", "tools": 1}
    assert only(legal_texts(d), "bridge") == {"bridge A3-C3", "bridge A3-B4"}
    d["seats"][0]["bridge_supply"] = 0
    assert not only(legal_texts(d), "bridge")


def test_neutral():
    """NEUT-1: desert player at A6 with three tools a spade."""
    frame = {"kind": "neutral", "seat": 0, "piece": "tower", "source": "competency/10"}
    d = two({"buildings": {"A6": "workshop"}, "tools": 6}, pending=[frame])
    assert legal_texts(d) == {"place A5 tower", "place A7 tower", "decline"}
    d["options"]["neutral_must_place"] = True
    assert legal_texts(d) == {"place A5 tower", "place A7 tower"}
    # B7 (desert) is two hexes from A6 over A7, C7 over B6; on home terrain the tunnel's tool is all they need
    d["seats"][0] |= {"tools": 1, "faction": "moles"}
    d["terrain"]["C7"] = "desert"
    assert legal_texts(d) == {"place B7 tower tunnel", "place C7 tower tunnel"}
    d["options"]["neutral_special_reach"] = "none"
    assert legal_texts(d) == set()


def test_annex_palace_and_competency():
    d = two({"annexes": 1, "buildings": {"A3": {"kind": "guild", "annex": True}, "A5": "workshop"}})
    assert only(legal_texts(d), "annex") == {"annex A5"}
    d["competencies"][0]["left"] = 0
    d["seats"][0]["competencies"] = ["2"]
    d["pending"] = [{"kind": "competency", "seat": 0}]
    assert legal_texts(d) == {f"competency {n}" for n in range(3, 13)}
    d["pending"] = [{"kind": "palace", "seat": 0}]
    assert legal_texts(d) == {f"palace {n}" for n in range(1, 18)}


def test_resolve():
    parts = [{"source": "palace/15", "word": "spades"}, {"source": "", "word": "city"}]
    d = two({}, pending=[{"kind": "resolve", "seat": 0, "parts": parts}])
    assert legal_texts(d) == {"resolve palace/15 spades", "resolve city"}


def test_set_up():
    """SET-9, SET-10, SET-13."""
    d = two({}, phase="bundle", stage="", queue=[1])
    d["bundles"] = [{"board": "lake", "faction": "moles", "bonus": "river"}]
    assert legal.seat_to_move(d) == 1
    assert legal_texts(d) == {"bundle lake"}
    d = two({}, {"board": None}, phase="draft", stage="", queue=[1])
    d |= {"draft_boards": ["lake"], "draft_factions": ["moles"], "palaces": ["3"]}
    assert legal_texts(d) == {"draft board/lake", "draft palace/3"}
    d["options"]["draft_order"] = "board_faction_palace"
    assert legal_texts(d) == {"draft board/lake"}
    d = two({}, {"start_pieces": ["workshop", "tower"]}, phase="placement", stage="", queue=[1])
    wastes = [n for n, t in P35.land.items() if t == "wasteland"]
    assert len(legal_texts(d)) == 2 * len(wastes)
