"""The engine: pure rules over plain states. Standard library only, no I/O, chance only in `setup`."""

from aoi_sim.engine.actions import Action, IllegalAction
from aoi_sim.engine.apply import apply_action
from aoi_sim.engine.codec import to_dict
from aoi_sim.engine.decode import from_dict
from aoi_sim.engine.fields import PositionError
from aoi_sim.engine.legal import legal_actions, seat_to_move
from aoi_sim.engine.notation import NotationError, format_action, parse_action
from aoi_sim.engine.record import Record, RecordError, replay
from aoi_sim.engine.setup import SetupError, draw_setup, new_game, start_game
from aoi_sim.engine.state import State, clone, digest, is_over, scores

__all__ = [
    "Action",
    "IllegalAction",
    "NotationError",
    "PositionError",
    "Record",
    "RecordError",
    "SetupError",
    "State",
    "apply_action",
    "clone",
    "digest",
    "draw_setup",
    "format_action",
    "from_dict",
    "is_over",
    "legal_actions",
    "new_game",
    "parse_action",
    "replay",
    "scores",
    "seat_to_move",
    "start_game",
    "to_dict",
]
