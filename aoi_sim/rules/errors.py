"""The error of wrong rules data: one line that says what is wrong, where, and what is allowed."""

import difflib
from collections.abc import Iterable


class RulesError(ValueError):
    """Wrong rules data, a wrong overlay or a wrong option; the message is one line."""


def rules_error(source: str, key: str, what: str, allowed: str = "") -> RulesError:
    """Builds a RulesError.

    Args:
        source: the file, or what stands for it ("overlay 1", "options").
        key: dotted key within the source, "" for the source as a whole.
        what: what is wrong.
        allowed: what is allowed, or what to do.
    """
    where = f"{source}: {key}" if key else source
    text = f"{where}: {what}" + (f"; {allowed}" if allowed else "")
    return RulesError(" ".join(text.split()))


def shown(value: object) -> str:
    """A value as it appears in a message: short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def one_of(names: Iterable[str], given: object = None) -> str:
    """The allowed names as text, headed by the one that was probably meant."""
    known = [name for name in names if name]
    near = difflib.get_close_matches(given, known, 1) if isinstance(given, str) else []
    listed = known if len(known) <= 24 else [*known[:24], "..."]
    text = "allowed: " + (", ".join(listed) if listed else "nothing")
    return f"did you mean {near[0]!r}? {text}" if near else text
