"""How a state shows itself in Jupyter: the drawing of the whole table."""

import sys
from typing import Any


def register() -> None:
    """Teach a running IPython to draw states; does nothing elsewhere."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is not None:
        formatter = shell.display_formatter.formatters["text/html"]
        formatter.for_type_by_name("aoi_sim.engine.state", "State", draw)


def draw(state: Any) -> str:
    """The table of a state as SVG."""
    from aoi_sim.engine.codec import to_dict
    from aoi_sim.report.board import draw_svg

    return draw_svg(to_dict(state), state.tables.rules)
