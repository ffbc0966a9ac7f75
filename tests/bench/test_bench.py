"""The benchmark runs and prints what it promises; no timing decides a test."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.bench import __main__ as bench


def test_the_rate_is_in_units_before_and_after_each_block(monkeypatch: pytest.MonkeyPatch) -> None:
    units = iter([1.0, 3.0, 5.0, 7.0])
    clock = iter([0.0, 2.0, 10.0, 14.0, 20.0, 21.0])
    monkeypatch.setattr(bench, "unit", lambda: next(units))
    monkeypatch.setattr(bench, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    rate = bench.alternate(lambda block: (4, 40), 3)
    # (1 + 3) / 2 x 4 / 2 = 4, (3 + 5) / 2 x 4 / 4 = 4, (5 + 7) / 2 x 4 / 1 = 24
    assert rate == bench.Rate(a_unit=4.0, games=2.0, decisions=20.0)


def test_everything_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(bench, "GAMES", {"random": 1, "greedy": 1})
    monkeypatch.setattr(bench, "SAMPLE", 1)
    monkeypatch.setattr(bench, "unit", lambda: 0.1)
    assert bench.main(["--blocks", "1"]) == 0
    printed = capsys.readouterr().out
    words = ("random, a run", "greedy, a run", "engine alone", "there was before", "legal", "apply", "clone", "unit")
    assert [word for word in words if word not in printed] == []
    assert "2.00" in printed
