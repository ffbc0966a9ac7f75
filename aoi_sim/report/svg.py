"""A small writer of SVG: elements as text, with escaping and estimated text widths."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

INK = "#1F2328"
SOFT = "#59636E"
LINE = "#C9CED6"
PAPER = "#FFFFFF"
GROUND = "#F4F2EC"
FONT = "DejaVu Sans, Verdana, Segoe UI, Helvetica, Arial, sans-serif"

NARROW = set("iljtfrI.,:;'|!()[] -/·")
WIDE = set("mwMW%@&—")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """An estimate of the width of a text, on the safe side for the wider of the usual fonts."""
    units = 0.0
    for c in text:
        units += 0.40 if c in NARROW else 0.95 if c in WIDE else 0.72 if c.isupper() else 0.62
    return units * size * (1.10 if bold else 1.0)


def shorten(text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, cut with an ellipsis when wider than `width`."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip(" ,;:") + "…"


def wrap(text: str, size: float, width: float, bold: bool = False) -> list[str]:
    """The text in lines that are no wider than `width`; a longer word gets a line of its own."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, bold) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def points(corners: Sequence[tuple[float, float]]) -> str:
    """The points attribute of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


class Canvas:
    """Collects SVG elements; every method appends one."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def raw(self, text: str) -> None:
        """Append markup that is already well-formed."""
        self.parts.append(text)

    def element(self, tag: str, title: str = "", **attributes: Any) -> None:
        """Append an element; `_` in attribute names becomes `-`; `title` is its tooltip."""
        shown = attribute_text(attributes)
        if title:
            self.parts.append(f"<{tag}{shown}><title>{escape(title)}</title></{tag}>")
        else:
            self.parts.append(f"<{tag}{shown}/>")

    def open(self, title: str = "", **attributes: Any) -> None:
        """Open a group."""
        self.parts.append(f"<g{attribute_text(attributes)}>")
        if title:
            self.parts.append(f"<title>{escape(title)}</title>")

    def close(self) -> None:
        """Close the group opened last."""
        self.parts.append("</g>")

    def rect(self, x: float, y: float, w: float, h: float, **attributes: Any) -> None:
        """A rectangle with rounded corners."""
        attributes.setdefault("rx", 4)
        self.element("rect", x=x, y=y, width=w, height=h, **attributes)

    def circle(self, x: float, y: float, r: float, **attributes: Any) -> None:
        """A circle."""
        self.element("circle", cx=x, cy=y, r=r, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, **attributes: Any) -> None:
        """A line."""
        self.element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 12,
        width: float | None = None,
        bold: bool = False,
        anchor: str = "start",
        fill: str = INK,
    ) -> None:
        """A line of text with its base line at y, cut when wider than `width` (the whole text is its tooltip)."""
        shown = text if width is None else shorten(text, size, width, bold)
        style: dict[str, Any] = {"x": x, "y": y, "font_size": size, "fill": fill}
        if bold:
            style["font_weight"] = 700
        if anchor != "start":
            style["text_anchor"] = anchor
        title = f"<title>{escape(text)}</title>" if shown != text else ""
        self.parts.append(f"<text{attribute_text(style)}>{title}{escape(shown)}</text>")

    def paragraph(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        width: float,
        fill: str = INK,
        bold: bool = False,
        most: int = 99,
    ) -> float:
        """Wrapped text whose first base line is y; returns the base line after the last line."""
        lines = wrap(text, size, width, bold)
        if len(lines) > most:
            lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
        for line in lines:
            self.text(x, y, line, size, width=width, fill=fill, bold=bold)
            y += line_height(size)
        return y

    def panel(self, x: float, y: float, w: float, h: float, heading: str = "") -> None:
        """A white panel with a heading."""
        self.rect(x, y, w, h, rx=8, fill=PAPER, stroke=LINE, stroke_width=1)
        if heading:
            self.text(x + 12, y + 19, heading, 12.5, bold=True, width=w - 24)


def line_height(size: float) -> float:
    """Distance of two base lines."""
    return size * 1.32


def attribute_text(attributes: dict[str, Any]) -> str:
    """Attributes as markup, in the order given."""
    shown = ""
    for key, value in attributes.items():
        text = number(value) if isinstance(value, float) else str(value)
        shown += f" {key.replace('_', '-')}={quoteattr(text)}"
    return shown
