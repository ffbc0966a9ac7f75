"""``make notebooks``: executes all notebooks in full and writes them with their outputs to results/notebooks."""

from __future__ import annotations

import os

import nbformat

from tests.notebooks.running import NOTEBOOKS, conclusion, executed
from tests.rules_coverage import ROOT


def main() -> None:
    """Execute each and print its conclusion."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    out = ROOT / "results" / "notebooks"
    out.mkdir(parents=True, exist_ok=True)
    for path in NOTEBOOKS:
        notebook = executed(path, ROOT, seconds=7200)
        nbformat.write(notebook, out / path.name)
        print(f"{path.stem}\n{conclusion(notebook)}", flush=True)


if __name__ == "__main__":
    main()
