"""The report in a browser: nothing is complained of or loaded, figures are seen, tables sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from aoi_sim.report.document import Report
from aoi_sim.report.rendering import write_report
from tests.report.browser import DESKTOP, PHONE, chromium, opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_file(plain_report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(plain_report, path)
    return path


def column(page: Page, name: str, number: int) -> list[str]:
    return page.locator(f"#table-{name} tbody tr td:nth-child({number})").all_inner_texts()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_at_least_eight_figures_are_seen_and_the_page_is_no_wider_than_the_window(
    browser: Browser, page_file: Path, size: tuple[int, int]
) -> None:
    with opened(browser, page_file, size) as page:
        figures = page.locator("figure svg")
        boxes = [figures.nth(number).bounding_box() for number in range(figures.count())]
        assert sum(box is not None and box["width"] > 200 and box["height"] > 100 for box in boxes) >= 8
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert page.locator("#takeaways li").first.is_visible()


def test_a_phone_shows_narrow_figures_whole_and_wide_ones_in_a_frame_that_scrolls(
    browser: Browser, page_file: Path
) -> None:
    with opened(browser, page_file, PHONE) as page:
        widths = "all => all.map(one => [one.scrollWidth, one.clientWidth])"
        narrow = page.locator("figure .scroll:not(.wide)").evaluate_all(widths)
        wide = page.locator("figure .wide").evaluate_all(widths)
        assert len(narrow) >= 6 and all(whole <= seen for whole, seen in narrow)
        assert wide and all(whole > seen for whole, seen in wide)


def test_a_click_on_a_head_sorts_a_table_and_another_turns_it_round(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file) as page:
        first = column(page, "factions", 1)
        head = page.locator("#table-factions th").first
        head.get_by_role("button").click()
        assert column(page, "factions", 1) == sorted(first) != first
        assert head.get_attribute("aria-sort") == "ascending"
        head.get_by_role("button").click()
        assert column(page, "factions", 1) == sorted(first, reverse=True)
        wins = page.locator("#table-factions th").filter(has_text="wins")
        wins.get_by_role("button").click()
        place = page.locator("#table-factions th").all_inner_texts().index("wins") + 1
        shares = [int(text.removesuffix(" %")) for text in column(page, "factions", place)]
        assert shares == sorted(shares, reverse=True)
        assert page.locator("#table-factions th[aria-sort]").count() == 1


def test_empty_cells_stay_last_whichever_way_a_table_is_sorted(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file) as page:
        place = page.locator("#table-pairings th").all_inner_texts().index("games needed") + 1
        head = page.locator(f"#table-pairings th:nth-child({place}) button")
        for _ in range(2):
            head.click()
            cells = column(page, "pairings", place)
            assert "-" not in cells[: len(cells) - cells.count("-")]


def test_heads_explain_themselves_to_the_pointer_and_to_a_finger(browser: Browser, page_file: Path) -> None:
    with opened(browser, page_file, PHONE) as page:
        titles = page.locator("th button").evaluate_all("all => all.map(one => one.title)")
        assert titles and all(titles)
        page.locator("#factions details.meanings summary").click()
        assert page.locator("#factions details.meanings dd").first.is_visible()
