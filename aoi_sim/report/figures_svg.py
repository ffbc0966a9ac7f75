"""A figure as an SVG element that can stand in a page beside others."""

import io
import re
from typing import Final
from xml.sax.saxutils import quoteattr

import matplotlib as mpl
from matplotlib.axes import Axes

_PROLOGUE: Final = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_GROUP: Final = re.compile(r'<g id="[^"]+"')


def svg_text(ax: Axes, key: str, label: str) -> str:
    """The figure of axes as an SVG element with ids of its own.

    Args:
        ax: drawn on a figure of its own.
        key: unique in the page; ids are made from it.
        label: what screen readers say.
    """
    written = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": key}):
        ax.get_figure().savefig(written, format="svg", metadata={"Date": None, "Creator": None})  # type: ignore[union-attr]
    text = _METADATA.sub("", _PROLOGUE.sub("", written.getvalue(), count=1))
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, Arial").strip()
    # Groups of matplotlib are numbered alike in every figure; nothing refers to them.
    return _GROUP.sub("<g", text).replace("<svg ", f'<svg role="img" aria-label={quoteattr(label)} ', 1)
