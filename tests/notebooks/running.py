"""Notebooks executed by nbclient, beside a folder ``results`` of their own."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.rules_coverage import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def executed(path: Path, folder: Path, seconds: int = 600) -> nbformat.NotebookNode:
    """A notebook with its outputs; the runs that it plays lie in ``folder/results``.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell raised an error.
    """
    beside = folder / "notebooks"
    beside.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.read(path, as_version=4)
    return NotebookClient(notebook, timeout=seconds, resources={"metadata": {"path": str(beside)}}).execute()


def conclusion(notebook: nbformat.NotebookNode) -> str:
    """What its last cell prints."""
    outputs = notebook.cells[-1].outputs
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
