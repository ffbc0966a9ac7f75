"""Loads the rules: the data of the game, an edition, overlays and options, merged and checked."""

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from aoi_sim.rules.coherence import check_coherence
from aoi_sim.rules.errors import one_of, rules_error, shown
from aoi_sim.rules.options import OptionValue, settle_options
from aoi_sim.rules.overlay import Provenance, keyed_conversions, merge_overlay, normal_overlay, plain
from aoi_sim.rules.ruleset import Ruleset
from aoi_sim.rules.schema import TOP, USUAL_START_PIECES, USUAL_START_ROUNDS
from aoi_sim.rules.structure import check_structure, check_value

DATA = Path(__file__).resolve().parent / "data"
EDITIONS = DATA / "editions"
DEFAULT_EDITION = "1.2"

OverlayLike = str | os.PathLike[str] | Mapping[str, Any]


def load_ruleset(
    edition: str = DEFAULT_EDITION,
    options: Mapping[str, Any] | None = None,
    overlays: Sequence[OverlayLike] = (),
) -> Ruleset:
    """The rules of an edition with overlays laid over it in order.

    Args:
        edition: a name of `edition_names()`.
        options: values of options; they win over those of overlays.
        overlays: paths of TOML files, tables, or the texts of `Ruleset.overlays`.

    Raises:
        RulesError: wrong edition, option or overlay; one line that says what, where and what is allowed.
    """
    if edition not in edition_names():
        raise rules_error("edition", "", f"no edition {shown(edition)}", one_of(edition_names(), edition))
    read = _read_overlays(overlays)
    return _merged(edition, options or {}, read) if options or read else _plain_edition(edition)


@cache
def _plain_edition(edition: str) -> Ruleset:
    """An edition as it is, loaded once a process; a ruleset is frozen."""
    return _merged(edition, {}, [])


def _merged(edition: str, options: Mapping[str, Any], overlays: list[tuple[str, Mapping[str, Any]]]) -> Ruleset:
    base, files = _base_data()
    data: dict[str, Any] = plain(base)
    definitions = data.pop("options")
    provenance = Provenance()
    provenance.files.update(files)
    given: list[tuple[str, str, Mapping[str, Any]]] = []
    layers = [(f"{edition}.toml", _edition_data(edition)), *overlays]
    for source, raw in layers:
        overlay = normal_overlay(raw, source)
        merge_overlay(data, overlay, source, provenance)
        check_structure(data, source)
        given.append((source, "options.", overlay.get("options", {})))
    given.append(("options", "", options))
    settled = settle_options(definitions, given)
    check_coherence(data, settled, provenance)
    _complete(data)
    data["options"] = definitions
    texts = tuple(json.dumps(plain(raw), separators=(",", ":"), ensure_ascii=False) for _, raw in overlays)
    return Ruleset(edition, settled, data, texts)


def edition_names() -> list[str]:
    """The editions there are."""
    return sorted(path.stem for path in EDITIONS.glob("*.toml"))


def option_definitions() -> Mapping[str, Any]:
    """The options: name to default and allowed values."""
    definitions: dict[str, Any] = plain(_base_data()[0]["options"])
    return definitions


def option_names() -> list[str]:
    """The names of all options."""
    return list(_base_data()[0]["options"])


@cache
def _base_data() -> tuple[dict[str, Any], dict[str, str]]:
    """The data of edition 1.0 by table, and the file that each table is of."""
    data: dict[str, Any] = {}
    files: dict[str, str] = {}
    for path in sorted(DATA.glob("*.toml")):
        tables = _parse(path.read_text(encoding="utf-8"), path.name)
        if "conversions" in tables:
            tables["conversions"] = keyed_conversions(tables["conversions"], path.name)
        data.update(tables)
        files.update(dict.fromkeys(tables, path.name))
        for name, table in tables.items():
            if name in TOP:
                check_value(table, TOP[name], path.name, name)
    return data, files


@cache
def _edition_data(edition: str) -> dict[str, Any]:
    return _parse((EDITIONS / f"{edition}.toml").read_text(encoding="utf-8"), f"{edition}.toml")


def _read_overlays(overlays: Sequence[OverlayLike]) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(overlays, (str, os.PathLike, Mapping)):
        raise rules_error("overlays", "", f"wrong type {shown(overlays)}", "give a list of overlays")
    return [_read_overlay(overlay, f"overlay {i + 1}") for i, overlay in enumerate(overlays)]


def _read_overlay(overlay: OverlayLike, place: str) -> tuple[str, Mapping[str, Any]]:
    if isinstance(overlay, Mapping):
        return place, overlay
    if isinstance(overlay, str) and overlay.startswith("{"):
        try:
            carried = json.loads(overlay)
        except ValueError as error:
            raise rules_error(place, "", f"no JSON text: {error}", "give a text of Ruleset.overlays") from None
        return place, carried
    if not isinstance(overlay, (str, os.PathLike)):
        raise rules_error(place, "", f"wrong type {shown(overlay)}", "allowed: a path or a table")
    source = os.fspath(overlay)
    try:
        text = Path(overlay).read_text(encoding="utf-8")
    except OSError as error:
        raise rules_error(source, "", f"cannot be read: {error.strerror}", "give the path of a TOML file") from None
    except UnicodeDecodeError:
        raise rules_error(source, "", "is no text in UTF-8", "give the path of a TOML file") from None
    return source, _parse(text, source)


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise rules_error(source, "", f"is no TOML: {error}", "correct that line") from None


def _complete(data: dict[str, Any]) -> None:
    """Writes out what follows from other data: pieces to start with, home terrains, what a tile scores."""
    for row in data["factions"].values():
        row.setdefault("start_pieces", list(USUAL_START_PIECES))
        row.setdefault("start_rounds", list(USUAL_START_ROUNDS))
    for key, row in data["boards"].items():
        row.setdefault("terrain", key)
    for table in ("round_tiles", "final_tiles"):
        for key, row in data[table].items():
            row.setdefault("scores", key)
    data["conversions"] = list(data["conversions"].values())


__all__ = ["OptionValue", "edition_names", "load_ruleset", "option_definitions", "option_names"]
