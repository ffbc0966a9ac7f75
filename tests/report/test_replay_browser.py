"""The replay page in Chromium: it steps by button, key and slider, and shows what the engine says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from aoi_sim.engine import to_dict
from aoi_sim.engine.record import Record, replay
from aoi_sim.report.replay_page import replay_page
from tests.report.browser import DESKTOP, PHONE, chromium, opened
from tests.report.test_replay_page import record_of

SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def written(folder: Path, record: Record) -> Path:
    path = folder / "game.html"
    path.write_text(replay_page(record), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def record() -> Record:
    """A game of four with cities, bridges, annexes and neutral buildings."""
    return record_of("4p-153")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, record: Record) -> Path:
    return written(tmp_path_factory.mktemp("page"), record)


def step_of(page: Page) -> int:
    """The step that the page says it shows; slider and log must agree."""
    step = int(page.locator("#slider").input_value())
    assert page.locator("#count").inner_text().startswith(f"Step {step} of ")
    assert page.locator("#log [aria-current=step]").get_attribute("data-step") == str(step)
    return step


def go_to(page: Page, step: int) -> None:
    page.locator("#slider").fill(str(step))


def press_often(page: Page, key: str, n: int, shift: bool = False) -> None:
    """A key again and again, in one call for it is quicker."""
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }))"
    page.evaluate(f"([key, n, shiftKey]) => {{ for (let k = 0; k < n; k++) {press} }}", [key, n, shift])


def values(page: Page, selector: str, *names: str) -> set[tuple[str, ...]]:
    """Attributes of the elements of a selector."""
    script = "(all, names) => all.map((e) => names.map((n) => e.getAttribute(n)))"
    return {tuple(row) for row in page.locator(selector).evaluate_all(script, list(names))}


def assert_shows(page: Page, table: dict[str, Any]) -> None:
    """The page shows a position: map, scores and their sources, goods, science, round."""
    seats = list(enumerate(table["seats"]))
    pieces = {(h, b["kind"], str(i)) for i, s in seats for h, b in s["buildings"].items()}
    assert values(page, "[data-building]", "data-building", "data-kind", "data-seat") == pieces
    titles = page.locator("[data-building] title").evaluate_all("all => all.map(e => e.textContent)")
    for mark in ("neutral ", ", annex", ", city"):
        n = sum(b[mark.strip(", ")] for _, s in seats for b in s["buildings"].values())
        assert sum(mark in title for title in titles) == n
    bridges = {(f"{a}-{b}", str(i)) for a, b, i in table["bridges"]}
    assert values(page, "[data-bridge]", "data-bridge", "data-seat") == bridges
    rivers = {(h, str(i)) for i, s in seats for h in s["river_cities"]}
    assert values(page, "[data-river-city]", "data-river-city", "data-seat") == rivers
    ground = values(page, "#map [data-hex]:not([data-terrain=river])", "data-hex", "data-terrain")
    assert ground == set(table["terrain"].items())
    for i, s in seats:
        card = page.locator(f"[data-seat-card='{i}']")
        assert card.locator("[data-vp]").inner_text() == f"{s['vp']} VP"
        shown = [int(n) for n in card.locator(".goods b").all_inner_texts()]
        goods = [s[key] for key in ("coins", "tools", "scholars", "keys")]
        assert shown == [*goods, *s["books"].values(), *s["bowls"]]
    rows = page.locator("#vp tbody tr").evaluate_all("all => all.map(r => [...r.children].map(c => c.textContent))")
    sources = {row[0].replace(" ", "_"): [int(n) for n in row[1:]] for row in rows}
    for i, s in seats:
        assert {name: row[i] for name, row in sources.items() if row[i]} == {k: v for k, v in s["vp_from"].items() if v}
    levels = page.locator("#science tbody tr").evaluate_all(
        "all => all.slice(0, -1).map(r => [...r.cells].slice(1).map(c => [...c.children].map(e => e.textContent)))"
    )
    for column, discipline in enumerate(seats[0][1]["science"]):
        for i, s in seats:
            assert str(i) in levels[len(levels) - 1 - s["science"][discipline]][column]

    assert_shows_tiles(page, table)


def assert_shows_tiles(page: Page, table: dict[str, Any]) -> None:
    """The page shows what is on offer, what of it is gone, and the tile of the round."""
    script = "all => all.map(e => [e.textContent, e.parentElement.classList.contains('gone')])"

    def tiles(name: str) -> list[tuple[str, bool]]:
        found = page.locator(f"[data-tiles={name}] li b").evaluate_all(script)
        return [(key, gone) for key, gone in found]

    offered = {name: [(key, False) for key in table[name]] for name in ("bonus_tiles", "palaces")}
    offered["innovations"] = [(tile["key"], False) for tile in table["innovations"]]
    offered["city_tiles"] = [(key, n == 0) for key, n in table["city_tiles"].items()]
    offered["competencies"] = [(tile["key"], tile["left"] == 0) for tile in table["competencies"]]
    offered["book_actions"] = [(key, key in table["used_book_actions"]) for key in table["book_actions"]]
    for name, expected in offered.items():
        assert sorted(tiles(name)) == sorted(expected), name
    assert {key for key, gone in tiles("power_actions") if gone} == set(table["used_power_actions"])
    current = page.locator("#rounds [aria-current] b").all_inner_texts()
    plays = table["round"] > 0 and table["phase"] != "over"
    assert current == ([table["round_tiles"][table["round"] - 1]] if plays else [])


@SIZES
def test_it_shows_the_state_of_the_engine_at_every_fortieth_step(
    browser: Browser, path: Path, record: Record, size: tuple[int, int]
) -> None:
    tables: list[dict[str, Any]] = []
    final = replay(record, see=lambda state, action: tables.append(to_dict(state)))
    tables.append(to_dict(final))
    with opened(browser, path, size) as page:
        for step in [*range(0, len(tables), 40), len(tables) - 1, 0]:
            go_to(page, step)
            assert step_of(page) == step
            assert_shows(page, tables[step])


@pytest.mark.parametrize("name", ["2p-010", "3p-226", "5p-051"])
def test_games_of_every_size_run_to_the_score_of_the_record(browser: Browser, tmp_path: Path, name: str) -> None:
    record = record_of(name)
    table = to_dict(replay(record))
    scores = next(value for _, _, word, value in record.checks if word == "final").split()
    n_turns = len({decision[1:3] for decision in record.decisions})
    with opened(browser, written(tmp_path, record)) as page:
        press_often(page, "ArrowRight", 40)
        assert step_of(page) == 40
        press_often(page, "ArrowRight", n_turns, shift=True)
        assert step_of(page) == len(record.decisions)
        assert page.locator("[data-vp]").all_inner_texts() == [f"{vp} VP" for vp in scores]
        assert_shows(page, table)
        press_often(page, "ArrowLeft", 40)
        assert step_of(page) == len(record.decisions) - 40
        press_often(page, "PageUp", 7)
        assert step_of(page) == 0
        assert page.locator("[data-building]").count() == 0


@SIZES
def test_buttons_step_forward_and_back(browser: Browser, path: Path, record: Record, size: tuple[int, int]) -> None:
    with opened(browser, path, size) as page:
        assert step_of(page) == 0
        for name, step in (
            ("Step forward", 1),
            ("Step forward", 2),
            ("Step back", 1),
            ("Step back", 0),
            ("Step back", 0),
        ):
            page.get_by_role("button", name=name).click(force=True)  # at an end it says that it leads nowhere
            assert step_of(page) == step
        page.get_by_role("button", name="To the end").click()
        assert step_of(page) == len(record.decisions)
        page.get_by_role("button", name="Step forward").click(force=True)
        assert step_of(page) == len(record.decisions)
        page.get_by_role("button", name="To the start").click()
        assert step_of(page) == 0


def test_keys_go_by_step_turn_and_round(browser: Browser, path: Path, record: Record) -> None:
    rounds = [k for k in range(1, len(record.decisions)) if record.decisions[k][1] != record.decisions[k - 1][1]]
    turns = [
        k
        for k in range(rounds[0] + 1, len(record.decisions))
        if record.decisions[k][1:3] != record.decisions[k - 1][1:3]
    ]
    with opened(browser, path) as page:
        for start in rounds:
            page.keyboard.press("PageDown")
            assert step_of(page) == start
        page.keyboard.press("PageDown")
        assert step_of(page) == len(record.decisions)
        for start in [*reversed(rounds), 0]:
            page.keyboard.press("PageUp")
            assert step_of(page) == start
        go_to(page, rounds[0])
        for start in turns[:6]:
            page.keyboard.press("Shift+ArrowRight")
            assert step_of(page) == start
        page.keyboard.press("Shift+ArrowLeft")
        assert step_of(page) == turns[4]
        page.keyboard.press("End")
        assert step_of(page) == len(record.decisions)
        page.keyboard.press("Home")
        assert step_of(page) == 0


def test_a_key_moves_one_step_with_the_slider_in_focus_too(browser: Browser, path: Path) -> None:
    with opened(browser, path) as page:
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert step_of(page) == 2
        page.keyboard.press("ArrowLeft")
        assert step_of(page) == 1


def test_a_click_on_the_log_shows_that_step(browser: Browser, path: Path, record: Record) -> None:
    with opened(browser, path) as page:
        go_to(page, 100)
        page.locator("#log [data-step='103']").click()
        assert step_of(page) == 103
        line, _, _, seat, text = record.decisions[102]
        said = page.locator("#now").inner_text()
        assert f"seat {seat}: {text}" in said
        assert f"line {line} of the record" in said


@SIZES
def test_nothing_is_wider_than_the_screen(browser: Browser, path: Path, size: tuple[int, int]) -> None:
    with opened(browser, path, size) as page:
        go_to(page, 300)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0]
        last = page.get_by_role("button", name="To the end").bounding_box()
        assert last is not None and last["x"] + last["width"] <= size[0] and last["height"] >= 40


def test_the_tile_of_the_round_is_in_sight_on_a_phone(browser: Browser, path: Path) -> None:
    with opened(browser, path, PHONE) as page:
        for _ in range(6):
            page.keyboard.press("PageDown")
            box = page.locator("#rounds [aria-current]").bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0]


def test_everything_that_acts_or_shows_has_a_name(browser: Browser, path: Path) -> None:
    with opened(browser, path) as page:
        go_to(page, 300)
        for button in page.get_by_role("button").all():
            assert button.get_attribute("aria-label")
        assert page.get_by_role("slider").get_attribute("aria-valuetext").startswith("step 300 of ")  # type: ignore[union-attr]
        for picture in page.locator("svg:not([aria-hidden=true])").all():
            assert picture.get_attribute("aria-label") or picture.get_attribute("aria-labelledby")
        assert page.locator("#now").get_attribute("aria-live") == "polite"
        names = page.locator("main section[aria-labelledby], main > section").count()
        assert names >= 8
        assert page.locator("table caption").count() == 2
