"""Checks that hold for the report of every study."""

import re
from itertools import pairwise
from pathlib import Path


def check_report(folder: Path) -> None:
    """No heading twice or over nothing, no figure that is not shown, no link to what is not there; HTML and Markdown."""
    text, page = (folder / "report.md").read_text(), (folder / "report.html").read_text()
    parts = re.split(r"^(#+ .*)$", text, flags=re.MULTILINE)[1:]
    heads = [head.lstrip("# ") for head in parts[::2]]
    contents = [content.strip() for content in parts[1::2]]
    levels = [len(head.split()[0]) for head in parts[::2]]
    for place, head in enumerate(heads):
        over_another = place + 1 < len(heads) and levels[place + 1] > levels[place]
        assert contents[place] or over_another, f"nothing under {head!r}"
        assert not over_another or heads[place + 1] != head, f"{head!r} twice"
    shown = re.findall(r"^!\[.+\]\((.+)\)$", text, flags=re.MULTILINE)
    assert sorted(shown) == sorted(path.name for path in folder.glob("*.png"))
    assert page.count("<figure ") == len(shown)
    titles = re.findall(r"<h([23])[^>]*>(.*?)</h", page)
    assert all(one[1] != other[1] for one, other in pairwise(titles) if one[0] < other[0]), titles
