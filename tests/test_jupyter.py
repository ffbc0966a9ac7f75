"""A state draws itself in Jupyter."""

from IPython.core.interactiveshell import InteractiveShell

import aoi_sim as aoi
from aoi_sim.jupyter import register


def test_a_state_is_drawn_in_a_notebook() -> None:
    shell = InteractiveShell.instance()
    try:
        register()
        state = aoi.new_game(aoi.load_ruleset(), n_players=2, seed=1)
        shown, _ = shell.display_formatter.format(state)
        assert shown["text/html"].startswith("<svg")
        assert "A1" in shown["text/html"] or "A2" in shown["text/html"]
    finally:
        InteractiveShell.clear_instance()
