"""The bundle of signals is made anew by a command."""

import json

import numpy as np

from solvers.datasets import make_signals
from solvers.datasets.makers import bundle


def test_the_bundle_is_made_anew(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bundle.write_bundle, "__defaults__", (100, 2))
    assert bundle.main([str(tmp_path / "signals")]) == 0
    assert "54 features" in capsys.readouterr().out
    with np.load(tmp_path / "signals" / "table.npz", allow_pickle=False) as table:
        assert np.array_equal(table["X"], make_signals(100).X.astype(np.float32))
    costs = json.loads((tmp_path / "signals" / "costs.json").read_text("utf-8"))
    assert set(costs["costs"]) == set(make_signals(100).feature_names)


def test_the_bundle_needs_a_folder(capsys):
    assert bundle.main([]) == 2
    assert "usage" in capsys.readouterr().err
