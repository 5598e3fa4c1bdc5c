"""What ``thriftscope trace`` reads, says, refuses and writes."""

import json
import sys

import numpy as np
import pytest

from explorer.commands.cli import main
from explorer.commands.measure import read_samples
from solvers import read_hypergraph
from tests.each import each

MODULE = """
import numpy as np
from solvers import FeaturePipeline

def spectrum(signal):
    return np.abs(np.fft.rfft(signal, 20000))

def peak(signal):
    return spectrum(signal).max()

def energy(signal):
    return (spectrum(signal) ** 2).sum()

def both(window):
    return {"x": peak(window["x"]), "y": energy(window["y"])}

features = [peak, energy]
pipeline = FeaturePipeline([peak], inputs=["signal"])
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "traced_features.py").write_text(MODULE)
    np.save(tmp_path / "raw.npy", np.random.default_rng(0).normal(size=(4, 256)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("traced_features", None)


def trace(folder, name, samples="raw.npy", *more):
    out = folder / "hypergraph.json"
    address = f"traced_features:{name}"
    code = main(["trace", address, "--samples", samples, "--out", str(out), *more])
    return code, out


def test_what_features_share_is_found_told_and_written(folder, capsys):
    code, out = trace(folder, "features")
    assert code == 0
    graph = read_hypergraph(out).hypergraph
    assert graph.features == ("peak", "energy")
    shared = graph.required_components("peak") & graph.required_components("energy")
    assert [graph.components[i] for i in np.flatnonzero(shared)] == ["spectrum"]
    printed = capsys.readouterr()
    assert "behind 2 features; they would compute it 2 times" in printed.out
    assert f"Written to {out}" in printed.out
    assert "s left" in printed.err


def test_packages_are_named_after_inside(folder):
    code, out = trace(folder, "features", "raw.npy", "--inside", "numpy.fft")
    assert code == 0
    assert read_hypergraph(out).hypergraph.features == ("peak", "energy")


def test_a_function_of_several_signals_takes_what_the_file_gives(folder, capsys):
    np.savez(folder / "two.npz", x=np.ones((3, 64)), y=np.eye(3, 64))
    code, out = trace(folder, "both", "two.npz")
    assert code == 0
    assert read_hypergraph(out).hypergraph.features == ("x", "y")
    assert "One function gives all 2 columns" in capsys.readouterr().out


def test_one_array_of_a_file_is_given_bare(folder):
    np.savez(folder / "one.npz", signal=np.ones((3, 5)))
    assert [s.shape for s in read_samples(folder / "one.npz", None)] == [(5,)] * 3
    (folder / "one.json").write_text(json.dumps({"signal": [[1, 2], [3, 4]]}))
    assert [s.tolist() for s in read_samples(folder / "one.json", None)] == [
        [1, 2],
        [3, 4],
    ]


@each(
    ("name", "more", "words"),
    [
        ("absent", (), "has no 'absent'; name a function"),
        ("pipeline", (), "use thriftscope measure"),
        ("features", ("--inside", "json"), "No function of 'json' is called"),
        ("features", ("--inside", "no_such"), "'no_such' is not imported"),
    ],
)
def test_what_cannot_be_traced_ends_with_a_sentence(folder, capsys, name, more, words):
    code, out = trace(folder, name, "raw.npy", *more)
    assert code == 2
    assert words in capsys.readouterr().err
    assert not out.exists()
