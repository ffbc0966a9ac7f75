"""Ctrl-C for a command that runs in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import aoi_sim as aoi

ROOT = Path(aoi.__file__).parents[1]


def interrupted(line: str, once: Path) -> tuple[int, str]:
    """Run a command here, interrupt it once a file is there (or after a minute); its exit status and stderr."""
    process = subprocess.Popen(
        [sys.executable, "-m", "aoi_sim", *line.split()],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(600):
            if once.exists():
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    return process.returncode, error
