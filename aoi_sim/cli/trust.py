"""Trust checks of a run as lines."""

from collections.abc import Iterator, Mapping
from typing import Any


def trust_lines(manifest: Mapping[str, Any], whole: bool = False) -> Iterator[str]:
    """All verdicts in one line, then what is suspicious (or, ``whole``, all) with its sentence; none for older runs."""
    checks = manifest.get("trust", [])
    if checks:
        yield "Trust checks: " + ", ".join(f"{check['name']} {check['verdict']}" for check in checks)
    for check in checks:
        if whole or check["verdict"] == "suspicious":
            yield f"  {check['name']} {check['verdict']}: {check['sentence']}"
