"""The options of a ruleset: what the sources leave open."""

from collections.abc import Iterable, Mapping
from typing import Any

from aoi_sim.rules.errors import one_of, rules_error, shown

OptionValue = str | int | bool


def settle_options(
    definitions: Mapping[str, Any], given: Iterable[tuple[str, str, Mapping[str, Any]]]
) -> dict[str, OptionValue]:
    """The value of every option.

    Args:
        definitions: the option definitions of the data.
        given: (source, key of the table there, values), the last one wins.
    """
    settled: dict[str, OptionValue] = {name: row["default"] for name, row in definitions.items()}
    for source, prefix, values in given:
        for name, value in values.items():
            key = prefix + str(name)
            if name not in definitions:
                raise rules_error(source, key, "unknown option", one_of(definitions, name))
            check_option(definitions[name], value, source, key)
            settled[name] = value
    return settled


def check_option(definition: Mapping[str, Any], value: Any, source: str, key: str) -> None:
    """Raises RulesError if an option cannot have this value."""
    if type(value) is type(definition["default"]):
        if "allowed" in definition and value in definition["allowed"]:
            return
        if "min" in definition and definition["min"] <= value <= definition["max"]:
            return
    raise rules_error(source, key, f"value {shown(value)} not allowed", allowed_values(definition, value))


def allowed_values(definition: Mapping[str, Any], given: object = None) -> str:
    """The values that an option may have, as text."""
    if "min" in definition:
        return f"allowed: a whole number from {definition['min']} to {definition['max']}"
    return one_of([str(value).lower() if isinstance(value, bool) else value for value in definition["allowed"]], given)


def parse_option(definitions: Mapping[str, Any], text: str) -> tuple[str, OptionValue]:
    """Reads "name=value"; on, off, true, false for switches.

    Raises:
        RulesError: no such option or value.
    """
    name, sign, word = (part.strip() for part in text.partition("="))
    if name not in definitions:
        raise rules_error("options", name, "unknown option", one_of(definitions, name))
    definition = definitions[name]
    value: OptionValue = word
    if isinstance(definition["default"], bool):
        value = {"on": True, "true": True, "off": False, "false": False}.get(word.lower(), word)
    elif isinstance(definition["default"], int) and word.isdecimal():
        value = int(word)
    if not sign:
        raise rules_error("options", name, "without a value", f"write {name}=VALUE; {allowed_values(definition)}")
    check_option(definition, value, "options", name)
    return name, value
