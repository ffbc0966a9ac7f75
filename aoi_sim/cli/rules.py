"""``aoi-sim rules``: the components as the rules data have them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from aoi_sim.cli.errors import InputError
from aoi_sim.cli.rulesets import ruleset_of
from aoi_sim.storage.findings import counted

if TYPE_CHECKING:
    from aoi_sim.rules import Ruleset

_COMPONENT_TABLES: Final = (
    "factions",
    "boards",
    "palaces",
    "innovations",
    "competencies",
    "round_tiles",
    "final_tiles",
    "bonus_tiles",
    "city_tiles",
    "power_actions",
    "book_actions",
)
# Keys of components that are no effects, and the values that go without saying.
_NUMBERS: Final = (
    "start_pieces",
    "start_rounds",
    "terrain",
    "bowls",
    "sailing",
    "sailing_rewards",
    "terraforming_cost",
    "innovation_books",
    "guild_income",
)
_ORDINARY: Final = (("workshop", "workshop"), (1, 2))


def rules(
    table: Annotated[str | None, typer.Argument(help="factions, palaces, options, ...; none for an overview.")] = None,
    edition: Annotated[str, typer.Option("--edition", help="Edition of the rules.")] = "1.2",
    rules: Annotated[
        list[str] | None, typer.Option("--rules", help="A rules file (TOML) laid over the edition; may be repeated.")
    ] = None,
    players: Annotated[int, typer.Option("--players", help="Number of players, where amounts depend on it.")] = 4,
) -> None:
    """Print the components, numbers and options of the rules."""
    if not 2 <= players <= 5:
        raise InputError(f"{counted(players, 'player')}, --players, choose 2 to 5")
    ruleset = ruleset_of(edition, rules)
    for line in _overview(ruleset) if table is None else _table_lines(ruleset, table, players):
        typer.echo(line)


def _overview(ruleset: "Ruleset") -> Iterator[str]:
    yield f"edition {ruleset.edition}, hash {ruleset.hash}, {counted(len(ruleset.overlays), 'overlay')}"
    for name in _COMPONENT_TABLES:
        keys = list(ruleset.data[name])
        yield f"{name} ({len(keys)}): {', '.join(keys)}"
    yield f"further tables: {', '.join(_other_tables(ruleset))}"


def _other_tables(ruleset: "Ruleset") -> list[str]:
    return [name for name in ruleset.data if name not in _COMPONENT_TABLES]


def _table_lines(ruleset: "Ruleset", table: str, players: int) -> Iterator[str]:
    from aoi_sim.report.effects import bonus_text, component_text

    if table in _COMPONENT_TABLES:
        for key, row in ruleset.data[table].items():
            texts = [component_text(row, players)]
            if "bonus" in row:
                texts.append(bonus_text(row["bonus"], players))
            cost = f"costs {row['cost']}: " if "cost" in row else ""
            texts += _numbers(key, row)
            yield f"{key}: {cost}{'; '.join(text for text in texts if text) or '-'}"
    elif table == "options":
        for name, value in ruleset.options.items():
            definition = ruleset.data["options"][name]
            allowed = definition.get("allowed") or (f"{definition['min']} to {definition['max']}",)
            yield f"{name} = {_plain(value)} ({definition.get('rule', '-')}; {' or '.join(map(_plain, allowed))})"
    elif table in ruleset.data:
        yield from _flat(table, ruleset.data[table])
    else:
        names = ", ".join([*_COMPONENT_TABLES, *_other_tables(ruleset)])
        raise InputError(f"unknown table {table!r}, rules, choose one of {names}")


def _numbers(key: str, row: Mapping[str, Any]) -> Iterator[str]:
    """What a component changes besides its effects: tracks, prices, pieces."""
    for name in _NUMBERS:
        if name in row and row[name] not in _ORDINARY and row[name] != key:
            yield f"{name.replace('_', ' ')} {_compact(row[name])}"


def _compact(value: Any) -> str:
    """A value on one line: ``1 coins 1 tools``, ``3, 9, 0``."""
    if isinstance(value, Mapping):
        return " ".join(f"{_plain(amount)} {what}" for what, amount in value.items()) or "-"
    return ", ".join(map(_compact, value)) if isinstance(value, tuple) else _plain(value)


def _flat(path: str, value: Any) -> Iterator[str]:
    """One line for each value of a table."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{path}.{key}", item)
    elif isinstance(value, tuple) and any(isinstance(item, (Mapping, tuple)) for item in value):
        for number, item in enumerate(value):
            yield from _flat(f"{path}.{number}", item)
    else:
        yield f"{path} = {_plain(value)}"


def _plain(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_plain(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
