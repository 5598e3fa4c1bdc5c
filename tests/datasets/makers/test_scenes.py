"""Scenes: sixty features of painted images, in 28 groups that share work."""

import numpy as np
import pytest

from solvers.datasets.makers.scenes import (
    KINDS,
    make_scenes,
    row_image,
    scene_groups,
    scene_hypergraph,
    scene_table,
    scenes_pipeline,
)
from solvers.datasets.makers.scenes.features import PUBLISHED_SECONDS, SHARED
from solvers.errors import KnobError
from solvers.methods.tefe import TEFEClassifier


def test_ten_kinds_of_a_hundred_images(scenes):
    assert scenes.X.shape == (1000, 60)
    assert {kind: int((scenes.y == kind).sum()) for kind in KINDS} == dict.fromkeys(
        KINDS, 100
    )


def test_another_seed_paints_other_images():
    X, y, images = scene_table(12, 1, keep=2)
    assert y.tolist() == [*KINDS, *KINDS[:2]]
    assert len(images) == 2
    assert not np.allclose(X, make_scenes(n_samples=100).X[:12])


def test_published_costs_share_nothing():
    hypergraph, note = scene_hypergraph("published")
    alone = sum(hypergraph.cost(group) for group in scene_groups())
    assert alone == pytest.approx(hypergraph.total_cost)
    assert hypergraph.total_cost == pytest.approx(sum(PUBLISHED_SECONDS.values()))
    assert 0.9 < hypergraph.total_cost < 1.1
    assert (hypergraph.unit, "Table 1" in note) == ("s", True)


def test_odd_options_are_refused():
    with pytest.raises(KnobError, match="n_samples is 5"):
        make_scenes(n_samples=5)
    with pytest.raises(KnobError, match="Costs is one of 'measured', 'published'"):
        make_scenes(costs="free")


def test_the_bundled_rows_are_what_the_pipeline_computes(scenes):
    computed = scenes_pipeline().extract([row_image(row) for row in range(12)])
    # Another processor's rounding may put a pixel into the next of two greys.
    assert scenes.X[:12] == pytest.approx(computed, rel=1e-3, abs=1e-6)
    assert scenes.samples[3].tolist() == row_image(3).tolist()


def test_lazy_predictions_are_those_of_the_table(scenes):
    model = TEFEClassifier(scenes.hypergraph, confidence="gap", threshold=1.0)
    few = np.isin(scenes.y, KINDS[:3])
    model.fit(scenes.X[few][:150], scenes.y[few][:150])
    for row in range(5):
        sample = scenes.pipeline.open(scenes.samples[row])
        journey = model.predict_one(sample)
        assert journey.label == model.predict(scenes.X[[row]])[0]
        priced = set(sample.paid) & (set(SHARED) | set(PUBLISHED_SECONDS))
        paid = scenes.hypergraph.component_mask(sorted(priced))
        costs = scenes.hypergraph.component_costs
        assert journey.cost == pytest.approx(costs[paid].sum())
